"""Two markers pulled together: which parts move, how far they come, and what keeps them apart.

MechEdit joins by dragging (Brunkhart 1994, section 5.2): joints are made in the
solved state, and two mechanisms may be pulled together. Parts that nothing yet
ties to the others move as they are, the free mechanism, else the smaller; a
mechanism that is held moves least along its free motions, alone if that is
enough, else with the other. No marker moves on its part, so no length changes.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from detent.kinematics.equations.newton import close, column_scale, free_motions, moved_by
from detent.kinematics.equations.overlong import OverlongLoop, overlong_loop
from detent.kinematics.equations.rows import (
    ClosureRows,
    Floats,
    names_of_rows,
    place,
    residual_and_jacobian,
    rows_of,
)
from detent.model.machine.plane_linkage import (
    KEEP_ANGLE,
    MEET_AT_POINT,
    MEET_ON_LINE,
    PlaneJoint,
    PlaneLinkage,
    unit_direction,
    with_pairs,
)
from detent.numeric.union_find import Groups

# Of the size: the longest step, so that no branch is stepped over, and where it stops.
LONGEST, NEAREST = 0.05, 1e-10
# A direction in which the gap closes slower than this part of the fastest is left to later steps.
FREELY = 1e-4
MOST_STEPS = 200
MOST_FREE = 30  # degrees of freedom over which the nearest position is sought
MOST_HALVINGS = 12
GROWTH = 4.0  # how much longer than the last step the next one may be
# A short step off closed joints is closed again in a few steps of Newton, or is not worth more of them.
MOST_NEWTON = 8
# A step must gain this part of what its share of the distance would, so that creeping does not count.
LEAST_GAIN = 1e-3
# Joints in line do not say which way they must fold: where nothing brings the ends nearer, this much
# aside of it, of the size, along some of the free motions, it is tried again.
ASIDE = 0.02
MOST_ASIDE = 3
# Of the largest load: what rounding and a nearest place that is not quite reached leave on the other joints.
LOADED = 1e-3
# A gap that closes by less than this share in so many steps, and by less than in as many before, will not:
# links come in line.
CREEPS, CREEP_STEPS = 0.005, 8


@dataclass(frozen=True)
class Joined:
    """Poses with the joint closed, or as near as it comes; `apart` [m] is what stays open."""

    poses: Floats
    apart: float
    closed: bool


@dataclass(frozen=True)
class Assembled:
    """Poses with all joints closed; else the joint that stays open, by how much [m], and the others."""

    poses: Floats
    closed: bool
    joint: str = ""
    apart: float = 0.0
    with_: tuple[str, ...] = ()
    overlong: OverlongLoop | None = None  # the proof, where the triangle inequality gives one


def assembled(system: PlaneLinkage, poses: Floats) -> Assembled:
    """Joints closed one after the other, each pulled together with those before it staying closed.

    Newton on all of them at once may stall where a drawing is far from closing; this does not, and
    what it cannot close it can name. A side that is too long for its loop is seen before anything is moved.
    """
    if (proved := proved_open(system, poses)) is not None:
        return proved
    done: list[PlaneJoint] = []
    for pair in system.pairs:
        part = _others_still(with_pairs(system, (*done, pair)))
        if close(rows_of(part), poses, max_steps=0).closed:
            done.append(pair)
            continue
        joined = pulled_together(part, poses, len(done))
        if not joined.closed:
            loop = _smallest(part, tuple(done), pair, poses, joined.poses)
            return Assembled(poses, False, pair.name, joined.apart, loop)
        poses = joined.poses
        done.append(pair)
    return Assembled(poses, True)


def _others_still(system: PlaneLinkage) -> PlaneLinkage:
    """Parts that no joint holds stay where they are: their freedoms close nothing."""
    held = {mark.part for pair in system.pairs for mark in (pair.a, pair.b)}
    held |= {pair.carrier for pair in system.pairs}
    return replace(system, fixed=tuple(f or part not in held for part, f in enumerate(system.fixed)))


def proved_open(system: PlaneLinkage, poses: Floats) -> Assembled | None:
    """Why no pose closes all joints, where the triangle inequality tells; quick enough to ask first."""
    overlong = overlong_loop(system)
    if overlong is None:
        return None
    *with_, last = overlong.joints  # joints are closed in document order: the last one stays open
    return Assembled(poses, False, last, overlong.length - overlong.reach, tuple(with_), overlong)


def _smallest(
    system: PlaneLinkage, others: tuple[PlaneJoint, ...], pair: PlaneJoint, poses: Floats, nearest: Floats
) -> tuple[str, ...]:
    """The joints without any of which the open one would close, of those that its gap loads.

    Whether it closes without one is asked of Newton from two poses, which is quick; what that leaves is
    searched once as a whole, and where it closes after all the loaded ones are named.
    """
    loaded = _carrying(system, nearest, pair)
    kept = [p for p in others if p.name in loaded]
    for other in tuple(kept):
        fewer = [p for p in kept if p is not other]
        rows = rows_of(_others_still(with_pairs(system, (*fewer, pair))))
        if not any(close(rows, start, max_steps=MOST_NEWTON).closed for start in (nearest, poses)):
            kept = fewer
    smallest = _others_still(with_pairs(system, (*kept, pair)))
    closes = pulled_together(smallest, poses, len(kept)).closed
    return loaded if closes else tuple(p.name for p in kept)


def _carrying(system: PlaneLinkage, poses: Floats, pair: PlaneJoint) -> tuple[str, ...]:
    """The joints that keep an open one open, where its ends are nearest.

    A spring across the gap would load them there; without the others, nothing would come nearer from here.
    """
    rows = rows_of(system, pairs=[p for p in system.pairs if p is not pair])
    open_rows = rows_of(system, pairs=[pair])
    gap, rates = residual_and_jacobian(open_rows, poses)
    scale = column_scale(rows)
    held = residual_and_jacobian(rows, poses)[1] * scale
    if not held.size:
        return ()
    loads = np.abs(np.linalg.lstsq(held.T, -scale * (rates.T @ gap), rcond=None)[0])
    loaded = {
        name for name, load in zip(names_of_rows(rows), loads, strict=True) if load > LOADED * loads.max()
    }
    return tuple(p.name for p in system.pairs if p.name in loaded)


def pulled_together(system: PlaneLinkage, poses: Floats, index: int) -> Joined:
    """The poses with a joint closed that is open, the others staying closed."""
    pair = system.pairs[index]
    if close(rows_of(system), poses, max_steps=0).closed:
        return Joined(poses, 0.0, True)
    rest = with_pairs(system, tuple(p for p in system.pairs if p is not pair))
    pieces = _pieces(rest, through_ground=True)
    a, b = pieces[pair.a.part], pieces[pair.b.part]
    if a != b:
        return _finished(system, _carried(system, poses, pair, pieces), index)
    best: Joined | None = None
    for held in _kept_still(rest, pair):
        near = _drawn_in(held, poses, pair)
        for start in _starts(held, near):
            joined = _finished(system, _drawn_in(held, start, pair), index)
            if joined.closed:
                return joined
            best = joined if best is None or joined.apart < best.apart else best
    assert best is not None
    nearest = _nearest(rest, best.poses, pair)
    return nearest if nearest.apart < best.apart else best


def _finished(system: PlaneLinkage, poses: Floats, index: int) -> Joined:
    closure = close(rows_of(system), poses)
    if closure.closed:
        return Joined(closure.poses, 0.0, True)
    rows = rows_of(system, pairs=[system.pairs[index]])
    open_by = float(np.linalg.norm(residual_and_jacobian(rows, poses)[0]))
    return Joined(poses, open_by, False)


def _carried(system: PlaneLinkage, poses: Floats, pair: PlaneJoint, pieces: list[int]) -> Floats:
    """The piece that is free, or the smaller of two, moved as it is until the joint closes."""
    ground = {pieces[part] for part, fixed in enumerate(system.fixed) if fixed}
    a, b = pieces[pair.a.part], pieces[pair.b.part]
    b_moves = a in ground or (b not in ground and pieces.count(b) <= pieces.count(a))
    moves = [part for part, piece in enumerate(pieces) if piece == (b if b_moves else a)]
    near, other = (pair.b, pair.a) if b_moves else (pair.a, pair.b)
    angle = 0.0
    if pair.kind in KEEP_ANGLE:
        shown = poses[pair.b.part, 2] + pair.b.turn - poses[pair.a.part, 2] - pair.a.turn
        angle = (pair.offset - shown) * (1.0 if b_moves else -1.0)
    moved, pivot = poses.copy(), place(near, poses)
    for part in moves:
        arm = (complex(*poses[part, :2]) - pivot) * unit_direction(angle)
        moved[part] = (pivot + arm).real, (pivot + arm).imag, poses[part, 2] + angle
    gap = _gap(pair, moved, place(other, moved) - place(near, moved))
    moved[moves, :2] += gap.real, gap.imag
    return moved


def _gap(pair: PlaneJoint, poses: Floats, gap: complex) -> complex:
    """What of the gap the joint closes: all of it for a pin, what is across the line for a slide."""
    if pair.kind in MEET_AT_POINT:
        return gap
    if pair.kind in MEET_ON_LINE:
        normal = 1j * unit_direction(float(poses[pair.a.part, 2]) + pair.a.turn)
        return (gap * normal.conjugate()).real * normal
    return 0j


def _kept_still(system: PlaneLinkage, pair: PlaneJoint) -> Iterator[PlaneLinkage]:
    """First the larger of two mechanisms on one ground is fixed, then nothing is."""
    pieces = _pieces(system, through_ground=False)
    a, b = pieces[pair.a.part], pieces[pair.b.part]
    ends_move = not system.fixed[pair.a.part] and not system.fixed[pair.b.part]
    if a != b and ends_move:
        still = b if pieces.count(b) > pieces.count(a) else a
        yield replace(
            system, fixed=tuple(f or piece == still for f, piece in zip(system.fixed, pieces, strict=True))
        )
    yield system


def _starts(system: PlaneLinkage, poses: Floats) -> Iterator[Floats]:
    """The pose, then some a little aside of it along each free motion, closed again."""
    yield poses
    rows = rows_of(system)
    motions = free_motions(rows, poses)
    longest = np.max(np.abs(motions / column_scale(rows)[:, None]), axis=0, initial=0.0)
    for k in range(min(motions.shape[1], MOST_ASIDE)):
        if longest[k] == 0.0:
            continue
        for sign in (1.0, -1.0):
            step = sign * ASIDE * system.size / longest[k] * motions[:, k]
            closure = close(rows, moved_by(rows, poses, step))
            if closure.closed:
                yield closure.poses


def _drawn_in(system: PlaneLinkage, poses: Floats, pair: PlaneJoint) -> Floats:
    """Least motions that keep the joints closed, until the open one is, or none brings it nearer."""
    rows, open_rows = rows_of(system), rows_of(system, pairs=[pair])
    before: list[float] = []
    longest = LONGEST * system.size
    for _ in range(MOST_STEPS):
        gap, rates = residual_and_jacobian(open_rows, poses)
        before.append(float(np.linalg.norm(gap)))
        if float(np.max(np.abs(gap))) <= NEAREST * system.size or _creeps(before):
            break
        nearer = _nearer(rows, open_rows, poses, gap, rates, longest)
        if nearer is None:
            break
        poses, step = nearer
        longest = min(GROWTH * step, LONGEST * system.size)
    return poses


def _creeps(gaps: list[float]) -> bool:
    if len(gaps) <= 2 * CREEP_STEPS:
        return False
    earlier, before, now = gaps[-1 - 2 * CREEP_STEPS], gaps[-1 - CREEP_STEPS], gaps[-1]
    return before - now < min(CREEPS * before, earlier - before)


def _nearest(system: PlaneLinkage, poses: Floats, pair: PlaneJoint) -> Joined:
    """How near the ends of an open joint come at all: links in line are reached only slowly by steps."""
    from scipy.optimize import minimize

    rows, open_rows = rows_of(system), rows_of(system, pairs=[pair])
    motions = free_motions(rows, poses)
    if not motions.size or motions.shape[1] > MOST_FREE:
        return Joined(poses, math.sqrt(_size(open_rows, poses)), False)

    farthest = (10 * system.size) ** 2

    def apart(weights: Floats) -> float:
        closure = close(rows, moved_by(rows, poses, motions @ weights))
        # Finite where the others do not close, so that its differences are numbers, and larger than anywhere.
        return _size(open_rows, closure.poses) if closure.closed else farthest

    best = minimize(apart, np.zeros(motions.shape[1]), method="BFGS")
    closure = close(rows, moved_by(rows, poses, motions @ best.x))
    poses = closure.poses if closure.closed else poses
    return Joined(poses, math.sqrt(_size(open_rows, poses)), False)


def _nearer(
    rows: ClosureRows, open_rows: ClosureRows, poses: Floats, gap: Floats, rates: Floats, most: float
) -> tuple[Floats, float] | None:
    """A motion of at most so much that closes some of the gap, and how long it is [m].

    The shortest that would close it, else straight downhill.
    Near a dead point the first is long and wild; downhill is short and always true.
    """
    motions = free_motions(rows, poses)
    if not motions.size:
        return None
    point_rates = rates @ motions
    slope = motions @ (point_rates.T @ gap)
    downhill = (
        -slope * float(gap @ gap) / max(float(np.sum((point_rates.T @ gap) ** 2)), np.finfo(float).tiny)
    )
    shortest = motions @ np.linalg.lstsq(point_rates, -gap, rcond=FREELY)[0]
    for step in (shortest, downhill) if motions.shape[1] > 1 else (shortest,):  # one freedom: the same line
        longest = float(np.max(np.abs(step / column_scale(rows)), initial=0.0))
        share = min(1.0, most / longest) if longest > 0 else 0.0
        for _ in range(MOST_HALVINGS):
            if share * longest <= NEAREST * rows.system.size:
                break
            tried = close(rows, moved_by(rows, poses, share * step), max_steps=MOST_NEWTON)
            if tried.closed and _size(open_rows, tried.poses) < (1 - LEAST_GAIN * share) * float(gap @ gap):
                return tried.poses, share * longest
            share /= 2
    return None


def _size(open_rows: ClosureRows, poses: Floats) -> float:
    gap = residual_and_jacobian(open_rows, poses)[0]
    return float(gap @ gap)


def _pieces(system: PlaneLinkage, *, through_ground: bool) -> list[int]:
    """A number for each part: the same for parts that joints tie together."""
    pieces = Groups(range(len(system.parts)))
    for pair in system.pairs:
        a, b = pair.a.part, pair.b.part
        if through_ground or not (system.fixed[a] or system.fixed[b]):
            pieces.join(b, a)
    grounded = [part for part, fixed in enumerate(system.fixed) if fixed]
    for part in grounded if through_ground else ():
        pieces.join(grounded[0], part)
    return [pieces.head(part) for part in range(len(system.parts))]
