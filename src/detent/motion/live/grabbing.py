"""A linkage pulled by one of its points: which coordinate a pull moves, and the plan for it.

MechEdit pins the grabbed point to a moving point of the ground (Brunkhart 1994,
section 5.1). That fits a point that is free in the plane; one that a linkage
leads along a curve would break at once, whatever the hand does. So the free
motions t of the joints say first how the point can go: not at all, along a
curve, or anywhere. Along a curve a joint is driven, one that moves well with
the point, and whoever executes the plan looks for the nearest point of the
curve. `pull` is the same by least motion, without a plan, for what has none; it
does a bounded share of the work, and says where more is left.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from detent.foundation.errors import ModelError, UnsupportedError
from detent.foundation.names import did_you_mean
from detent.kinematics.equations.inputs import Input, joint_input, marker_inputs
from detent.kinematics.equations.mobility import mobility
from detent.kinematics.equations.newton import RANK, close, column_scale, free_motions, moved_by
from detent.kinematics.equations.rows import (
    ClosureRows,
    Floats,
    HeldCoordinate,
    drawn_poses,
    place,
    residual_and_jacobian,
    rows_of,
)
from detent.kinematics.equations.start import why_open
from detent.kinematics.plan import make_plan
from detent.kinematics.planning.limit_rows import outside, with_stops
from detent.kinematics.planning.tables import STRAIGHT, Plan
from detent.model.document.mechanism import Mechanism
from detent.model.machine.plane_linkage import PlaneLinkage, PlanePoint, plane_linkage_of

# A point moves freely where its slower direction has at least this part of the faster one's speed.
FREELY = 1e-4
# A joint is fit to be driven where its rate, as an arc, is at least this part of the best one's.
FIT = 0.35
# Plans that are tried before the shortest is chosen.
MOST_TRIED = 6
# Of the size: the longest step of a pull, so that no branch is stepped over, and where it stops: a tenth of
# the tolerance of a length, else a last step just too small to be made would leave the point beside it.
LONGEST, NEAREST = 0.05, 1e-10
# Of the size: a blocked step is not halved below this; a pointer resolves nothing nearer.
SHORTEST = 1e-7
# Of the distance that a step's slope promises, what it must lead nearer.
ENOUGH = 0.5
# A step after one that was made in part begins with so much more of it.
WIDEN = 2.0
# Closings of one pull; of fifty links each takes some forty milliseconds. Whoever pulls asks on from there.
MOST_CLOSINGS = 16


@dataclass(frozen=True)
class Grab:
    """How a point can be pulled; `why` says it in words where it cannot."""

    kind: Literal["held", "curve", "free"]
    poses: Floats  # closed
    system: PlaneLinkage
    plan: Plan | None
    joint: str = ""
    why: str = ""

    @cached_property
    def stretch(self) -> tuple[float | None, float | None]:
        """Between which values of the driven joint [rad, m] it goes on; None where no limit was found.

        Proved of a closed form, and of what comes before the first cut or block.
        """
        from detent.kinematics.paths.branch import leading
        from detent.motion.live.reach import OneDrive

        if self.kind != "curve" or self.plan is None:
            return None, None
        closed = self.plan if self.plan.closed_form else leading(self.plan)
        return (None, None) if closed is None else OneDrive(closed, self.plan.drawn).limits()


def poses_in(system: PlaneLinkage, poses_by_part: Mapping[str, Sequence[float]] | None) -> Floats:
    """Poses by part, in document units and radians; as drawn where none is given."""
    poses = drawn_poses(system)
    row = {name: i for i, name in enumerate(system.parts)}
    for name, pose in (poses_by_part or {}).items():
        if name not in row:
            raise ModelError.at(f"poses.{name}", "there is no such part", did_you_mean(name, row))
        x, y, angle = (float(v) for v in pose)
        poses[row[name]] = x * system.metres_per_unit, y * system.metres_per_unit, angle
    return poses


def poses_out(system: PlaneLinkage, poses: Floats) -> dict[str, list[float]]:
    """The same, back again."""
    return {
        name: [float(x / system.metres_per_unit), float(y / system.metres_per_unit), float(angle)]
        for name, (x, y, angle) in zip(system.parts, poses, strict=True)
    }


def closed_at(
    mechanism: Mechanism, poses_by_part: Mapping[str, Sequence[float]] | None
) -> tuple[PlaneLinkage, Floats]:
    """The system, and its poses with every joint closed from those given."""
    system = plane_linkage_of(mechanism)
    drawn = poses_in(system, poses_by_part)
    closure = close(rows_of(system), drawn)
    if not closure.closed:
        raise why_open(system, drawn, closure)[0]
    return system, closure.poses


def grab(
    mechanism: Mechanism,
    poses_by_part: Mapping[str, Sequence[float]] | None,
    part: str,
    point: Sequence[float],
    *,
    cuts: bool = True,
) -> Grab:
    """The plan that follows a pull at a point of a part (its frame, document units).

    A dyad inside a cut has dead points of its own, which the linkage passes: who stops at one asks
    again without `cuts`, for the block that the cut replaces.
    """
    system, poses = closed_at(mechanism, poses_by_part)
    mark = _mark(system, part, point)
    if system.fixed[mark.part]:
        return Grab("held", poses, system, None, why=f"{part} is held fast: it is part of the ground")
    rows = rows_of(system)
    motions = free_motions(rows, poses)
    speeds = _point_rates(rows, poses, mark) @ motions
    sizes = np.linalg.svd(speeds, compute_uv=False) if speeds.size else np.zeros(1)
    if not len(sizes) or sizes[0] <= RANK:
        return Grab("held", poses, system, None, why=_held(system, poses, part, motions.shape[1]))
    if len(sizes) > 1 and sizes[1] > FREELY * sizes[0]:
        return Grab("free", poses, system, _plan(system, poses, marker_inputs("pull", mark), cuts))
    return _along_curve(system, poses, motions, speeds, cuts)


@dataclass(frozen=True)
class Pulled:
    """Where a pull came to; `going` where its share of work was spent before it ended."""

    poses: dict[str, list[float]]
    reached: bool
    going: bool


def pull(
    mechanism: Mechanism,
    poses_by_part: Mapping[str, Sequence[float]],
    part: str,
    point: Sequence[float],
    target: Sequence[float],
) -> Pulled:
    """Poses with the point as near to the target as small steps bring it, in one share of work."""
    system, poses = closed_at(mechanism, poses_by_part)
    mark = _mark(system, part, point)
    goal = complex(float(target[0]), float(target[1])) * system.metres_per_unit
    rows = rows_of(system)
    share, closings = 1.0, 0
    while abs(gap := goal - place(mark, poses)) > NEAREST * system.size and closings < MOST_CLOSINGS:
        step = _step(rows, poses, mark, gap)
        if step is None:
            break
        moved, share, tried = _nearer(rows, poses, mark, goal, *step, share)
        closings += tried
        if moved is None:
            break
        poses, share = moved, min(1.0, WIDEN * share)
    else:
        # Neither at rest nor blocked: there, or to be gone on with.
        arrived = abs(gap) <= NEAREST * system.size
        return Pulled(poses_out(system, poses), arrived, not arrived)
    return Pulled(poses_out(system, poses), abs(gap) <= system.tolerance.length, False)


def _step(rows: ClosureRows, poses: Floats, mark: PlanePoint, gap: complex) -> tuple[Floats, float] | None:
    """The least motion that would close the gap if all were straight, and how much nearer it leads at first.

    None where nothing leads nearer.
    """
    motions = free_motions(rows, poses)
    rates = _point_rates(rows, poses, mark) @ motions
    if not rates.size:
        return None
    wanted = np.array([gap.real, gap.imag])
    weights = np.linalg.lstsq(rates, wanted, rcond=FREELY)[0]
    step, size = motions @ weights, rows.system.size
    # Where a gap stays whatever is done, the nearest position need not be better than a pointer resolves.
    closes = rates @ weights
    stays = float(np.hypot(*(wanted - closes))) > SHORTEST * size
    if _length(rows, step) <= (SHORTEST if stays else NEAREST) * size:
        return None
    return step, float(closes @ wanted) / abs(gap)


def _length(rows: ClosureRows, step: Floats) -> float:
    return float(np.max(np.abs(step / column_scale(rows)), initial=0.0))


def _nearer(
    rows: ClosureRows,
    poses: Floats,
    mark: PlanePoint,
    goal: complex,
    step: Floats,
    slope: float,
    share: float,
) -> tuple[Floats | None, float, int]:
    """The longest halving of a step, from `share` of it on, that leads nearer by half of what its slope says.

    Less would let steps overshoot and swing about the nearest place of a curve. None where
    none does; then the share it ended at, and how many closings it took. On a curve beside
    the goal each step wants the same few halvings as the one before; begun from there,
    none is tried in vain.
    """
    longest, size = _length(rows, step), rows.system.size
    share = min(share, LONGEST * size / longest)
    distance, count = abs(goal - place(mark, poses)), 0
    # A step that would close the gap whole is Newton's: it may be as short as what is left.
    least = min(SHORTEST * size, longest)
    free = bool(outside(rows.system, poses))  # beyond a limit already: nothing holds it there
    while share * longest >= least:
        tried = close(rows, moved_by(rows, poses, share * step))
        count += 1
        nearer = tried.closed and abs(goal - place(mark, tried.poses)) <= distance - ENOUGH * share * slope
        if nearer and (free or not outside(rows.system, tried.poses)):
            return tried.poses, share, count
        share /= 2
    return None, share, count


def _mark(system: PlaneLinkage, part: str, point: Sequence[float]) -> PlanePoint:
    if part not in system.parts:
        raise ModelError.at("part", f"there is no part {part!r}", did_you_mean(part, system.parts))
    return PlanePoint(
        system.parts.index(part), complex(float(point[0]), float(point[1])) * system.metres_per_unit, 0.0
    )


def _point_rates(rows: ClosureRows, poses: Floats, mark: PlanePoint) -> Floats:
    """How a point moves with the unknowns."""
    rates = np.zeros((2, rows.unknowns))
    c = rows.column[mark.part]
    lever = place(mark, poses) - complex(poses[mark.part, 0], poses[mark.part, 1])
    rates[:, c], rates[:, c + 1], rates[:, c + 2] = (1, 0), (0, 1), (-lever.imag, lever.real)
    return rates


def _along_curve(system: PlaneLinkage, poses: Floats, motions: Floats, speeds: Floats, cuts: bool) -> Grab:
    """Drive a joint that moves well with the point: of the fit ones that with the shortest plan."""
    weights = np.linalg.svd(speeds)[2][0]
    motion = motions @ weights
    rates = {}
    for index, pair in enumerate(system.pairs):
        if pair.kind in ("revolute", "prismatic"):
            held = rows_of(system, [HeldCoordinate(index)], pairs=())
            row = residual_and_jacobian(held, poses, [0j])[1][-1]
            rates[index] = abs(float(row @ motion))
    best = max(rates.values(), default=0.0)
    fit = sorted(
        (i for i, r in rates.items() if r > 0 and r >= FIT * best),
        key=lambda i: (not _grounded(system, i), -rates[i]),
    )
    plans = []
    for index in fit[:MOST_TRIED]:
        plan = _plan(system, poses, (joint_input(system, system.pairs[index].name, index),), cuts)
        if plan is not None:
            left = 0 if plan.closed_form else int(np.sum(plan.segments[:, 0] != STRAIGHT)) + len(plan.state)
            plans.append((left, len(plan.ops), index, plan))
            if plan.closed_form:
                break
    if not plans:
        return Grab("curve", poses, system, None)
    _, _, index, plan = min(plans, key=lambda m: m[:2])
    return Grab("curve", poses, system, plan, joint=system.pairs[index].name)


def _grounded(system: PlaneLinkage, index: int) -> bool:
    pair = system.pairs[index]
    return system.fixed[pair.a.part] or system.fixed[pair.b.part]


def _plan(system: PlaneLinkage, poses: Floats, inputs: tuple[Input, ...], cuts: bool) -> Plan | None:
    """None where only least motion can follow (a gear between what is placed apart, rotations to count)."""
    try:
        plan = with_stops(make_plan(system, poses, inputs, cuts=cuts))
    except UnsupportedError:
        return None
    return None if any(stop.row < 0 for stop in plan.stops) else plan


def _held(system: PlaneLinkage, poses: Floats, part: str, degrees: int) -> str:
    if degrees:
        return f"{part} cannot move at this point: it turns about it, or the joints hold it; pull elsewhere"
    counted = mobility(system, poses)
    words = "; ".join(r.why for r in counted.redundant[:1])
    return f"nothing can move: the joints hold every part (mobility 0){'; ' + words if words else ''}"
