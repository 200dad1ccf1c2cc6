"""From a document to a closed pose that a plan can start from (`paths/drive_path.py` says what is driven).

A drawing need not close; its joints are closed from there by least motion, with
the coordinates that `start` gives held. What cannot be done is said here, by
name: a loop that does not close, a drive on what cannot move, too many drives.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from detent.foundation.errors import ModelError
from detent.foundation.names import listed
from detent.kinematics.equations.assemble import Assembled, assembled, proved_open
from detent.kinematics.equations.inputs import Input
from detent.kinematics.equations.mobility import dependent_rows
from detent.kinematics.equations.newton import MAX_STEPS, Closure, close, column_scale, moved_by
from detent.kinematics.equations.rows import (
    ClosureRows,
    Floats,
    HeldCoordinate,
    drawn_poses,
    residual_and_jacobian,
    rows_of,
)
from detent.model.document.base import angle_of
from detent.model.document.drive import Start
from detent.model.machine.plane_linkage import PlaneLinkage

# Systems up to this many unknowns are asked whether each drive can move them.
LARGEST_ASKED = 600
NEARBY = 1e-3  # of the size: a drive that is stuck as drawn may be at a dead point


def closed_pose(system: PlaneLinkage, starts: Mapping[str, Start] | None = None) -> Floats:
    """The poses with every joint closed; ModelError where a loop cannot close."""
    drawn = drawn_poses(system)
    is_open = not close_started(system, drawn, starts, max_steps=0).closed
    if is_open and (proved := proved_open(system, drawn)) is not None:
        raise cannot_close(system, proved)
    closure = close_started(system, drawn, starts)
    if closure.closed:
        return closure.poses
    if 3 * len(system.moving) <= LARGEST_ASKED:
        assembly = assembled(system, drawn)
        if not assembly.closed:
            raise cannot_close(system, assembly)
        closure = close_started(system, assembly.poses, starts)
        if closure.closed:
            return closure.poses
    held = [name for name, start in (starts or {}).items() if angle_of(start.at, start.at_deg) is not None]
    if held and close_started(system, drawn).closed:
        raise ModelError.at(
            f"start.{held[-1]}",
            f"{listed(held)} cannot start there: the drawing closes, and with this start its joints do not",
            "start where the links reach; `detent move` without a start says how far that is",
        )
    raise left_open(system, closure)


def why_open(system: PlaneLinkage, drawn: Floats, closure: Closure) -> tuple[ModelError, float]:
    """Why a drawing did not close: the loop that cannot, else that it was not reached; and by how much."""
    if 3 * len(system.moving) <= LARGEST_ASKED:
        assembly = assembled(system, drawn)
        if not assembly.closed:
            return cannot_close(system, assembly), assembly.apart / system.metres_per_unit
    return left_open(system, closure), closure.gap / system.metres_per_unit


def left_open(system: PlaneLinkage, closure: Closure) -> ModelError:
    """All joints share what does not close, so the widest gap is less than what is missing."""
    gap = system.told(closure.gap)
    return ModelError.at(
        f"joints.{closure.widest.removeprefix('drive of ')}",
        f"the loop through it does not close from this drawing: the widest gap of its joints is {gap}",
        "move the parts nearer to a pose that closes, or change a length",
    )


def cannot_close(system: PlaneLinkage, assembly: Assembled) -> ModelError:
    """The joint that stays open, by how much, and the loop that holds it so."""
    loop = f"the loop with {', '.join(assembly.with_)}" if assembly.with_ else "the loop through it"
    return ModelError.at(
        f"joints.{assembly.joint}",
        f"{loop} cannot close: {what_is_missing(system, assembly)}",
        "change a length, or remove one of these joints",
    )


def what_is_missing(system: PlaneLinkage, assembly: Assembled) -> str:
    """How much of a loop stays open, and by which part, where that is proved."""
    missing, long = system.told(assembly.apart), assembly.overlong
    if long is None:
        return f"from this drawing {missing} stays open"
    first, second = long.ends
    return (
        f"{long.part} is {system.told(long.length)} from {first} to {second}, the others reach"
        f" {system.told(long.reach)}, and at least {missing} stays open"
    )


def close_started(
    system: PlaneLinkage,
    poses: Floats,
    starts: Mapping[str, Start] | None = None,
    *,
    max_steps: int = MAX_STEPS,
) -> Closure:
    """Every joint closed by least motion from some poses, those that `start` places held there."""
    held, targets = [], []
    for name, start in (starts or {}).items():
        if name not in system.index:
            continue
        pair = system.pairs[system.index[name]]
        at = angle_of(start.at, start.at_deg)
        if at is not None and pair.kind in ("revolute", "prismatic", "angle"):
            held.append(HeldCoordinate(system.index[name]))
            targets.append(complex(at * (system.metres_per_unit if pair.kind == "prismatic" else 1.0)))
    return close(rows_of(system, held), poses, targets, max_steps=max_steps)


def refuse_stuck(system: PlaneLinkage, poses: Floats, inputs: Sequence[Input]) -> None:
    """ModelError where a drive moves nothing, or where drives fight each other."""
    rows = rows_of(system)
    if rows.unknowns > LARGEST_ASKED:
        return
    held: list[HeldCoordinate] = []
    for item in inputs:
        if item.axis:
            continue
        held.append(item.held)
        if _free(system, poses, held) or _free(system, _nearby(rows, poses), held):
            continue
        pair = item.name
        if item.held.mark is not None and (left := _freedoms_of(system, poses, held)) < 2:
            raise _too_few(system, item, left, len(held) == 1)
        if len(held) == 1:
            raise ModelError.at(
                f"drives.{item.name}",
                "; ".join(
                    ("what it drives cannot move: the joints hold it already", *without_length(system))
                ),
                "drive another joint, or remove a joint (see `detent explain`)",
            )
        raise ModelError.at(
            f"drives.{pair}",
            "it fights the other drives: they determine its coordinate already",
            "drive as many coordinates as the mechanism has degrees of freedom (see `detent explain`)",
        )


def _too_few(system: PlaneLinkage, item: Input, left: int, alone: bool) -> ModelError:
    """A driven marker needs both coordinates free."""
    marker = next((name for name, mark in system.marks.items() if mark == item.held.mark), "this one")
    others = "" if alone else " beside the other drives"
    has = "one" if left else "none"
    return ModelError.at(
        f"drives.{item.name}",
        f"a driven marker takes two freedoms, and {marker} has {has}{others}",
        "drive a slide or a pin (`joint`) instead" if left else "drive another marker, or remove a joint",
    )


def _freedoms_of(system: PlaneLinkage, poses: Floats, held: list[HeldCoordinate]) -> int:
    """How many coordinates of the last held marker are independent of the joints and the other drives."""
    counts = []
    for at in (poses, _nearby(rows_of(system), poses)):
        rows = rows_of(system, held)
        jacobian = residual_and_jacobian(rows, at, [0j] * len(held))[1] * column_scale(rows)
        counts.append(dependent_rows(jacobian)[0] - dependent_rows(jacobian[: -held[-1].equations])[0])
    return max(counts)


def without_length(system: PlaneLinkage) -> tuple[str, ...]:
    """What is to be said of each moving link whose only joints are pins at one point: it only spins."""
    pins: dict[int, list[tuple[str, complex]]] = {}
    for pair in system.pairs:
        for mark in (pair.a, pair.b):
            if pair.kind == "revolute" and not system.fixed[mark.part]:
                pins.setdefault(mark.part, []).append((pair.name, mark.at))
    held = {mark.part for pair in system.pairs if pair.kind != "revolute" for mark in (pair.a, pair.b)}
    said = []
    for part, part_pins in pins.items():
        if (
            len(part_pins) > 1
            and part not in held
            and max(abs(at - part_pins[0][1]) for _, at in part_pins) <= system.tolerance.length
        ):
            names = " and ".join(name for name, _ in part_pins)
            said.append(
                f"{system.parts[part]} has no length: {names} lie at one point of it, so that it only spins "
                "and the links on either side hang on one pin"
            )
    return tuple(said)


def _free(system: PlaneLinkage, poses: Floats, held: list[HeldCoordinate]) -> bool:
    """Whether the last held coordinate is independent of the joints and the others."""
    rows = rows_of(system, held)
    jacobian = residual_and_jacobian(rows, poses, [0j] * len(held))[1] * column_scale(rows)
    last = held[-1].equations
    without = dependent_rows(jacobian[:-last])[0]
    return dependent_rows(jacobian)[0] == without + last


def _nearby(rows: ClosureRows, poses: Floats) -> Floats:
    """A closed pose nearby, along a free motion; the same without one."""
    jacobian = residual_and_jacobian(rows, poses)[1] * column_scale(rows)
    _, s, vt = np.linalg.svd(jacobian)
    rank = int(np.sum(s > 1e-9 * (s[0] if len(s) else 1.0)))
    if rank == vt.shape[0]:
        return poses
    step = NEARBY * rows.system.size * column_scale(rows) * vt[rank:].sum(axis=0)
    near = close(rows, moved_by(rows, poses, step))
    return near.poses if near.closed else poses
