"""What a walk along the drive gives: frames, the events found along it, and why it stopped."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from detent.kinematics.equations.rows import Floats
from detent.kinematics.execution.sweeping import Frames
from detent.kinematics.paths.branch import BranchPath
from detent.kinematics.paths.path_event import PathEvent, PathEventKind
from detent.kinematics.planning.limit_rows import words
from detent.kinematics.planning.tables import Plan
from detent.kinematics.turning.count import TurnCount
from detent.model.machine.plane_linkage import PlaneJoint


@dataclass(frozen=True)
class PathWalk:
    """Frames up to the stop, the plan that made them, and what was found on the whole drive path."""

    plan: Plan
    frames: Frames
    points: tuple[PathEvent, ...]
    certificate: str
    failed: int
    reached: Floats
    notes: tuple[str, ...]
    branches: tuple[BranchPath, ...] = ()  # of a closed form: the branch on each leg that it went
    crossed: tuple[Any, ...] = ()  # change points of a followed drive path, with the plans on both sides
    beside: tuple[Any, ...] = ()  # those at the ends of its legs or a little beyond, which it did not cross
    turns: TurnCount | None = None  # of parts along the whole path, by its positions


def legs_of(goals: Floats) -> list[tuple[int, int]]:
    """The legs of the drive path: of one drive each goes on until its direction changes."""
    if goals.shape[1] > 1:
        return [(i, i + 1) for i in range(len(goals) - 1)]
    directions = np.sign(np.diff(goals[:, 0]))
    legs: list[tuple[int, int]] = []
    going = 0.0  # direction of the last leg; none yet where it does not move
    for i, w in enumerate(directions):
        if legs and (w == 0.0 or going in (w, 0.0)):
            legs[-1] = (legs[-1][0], i + 1)
        else:
            legs.append((i, i + 1))
            going = 0.0
        going = going or float(w)
    return legs


def joined(plan: Plan, frames: list[Frames], reached: Floats, failed: int) -> Frames:
    if not frames:
        empty = np.zeros((0, len(plan.vectors), 2))
        return Frames(
            np.zeros((0, len(plan.inputs))), empty, empty, empty, reached, failed, plan.vectors, False
        )
    first = [f.first for f in frames if f.first is not None]
    second = [f.second for f in frames if f.second is not None]
    return Frames(
        inputs=np.concatenate([f.inputs for f in frames]),
        values=np.concatenate([f.values for f in frames]),
        first=np.concatenate(first) if len(first) == len(frames) else None,
        second=np.concatenate(second) if len(second) == len(frames) else None,
        reached=reached,
        failed=failed,
        last=frames[-1].last,
        compiled=any(f.compiled for f in frames),
    )


def cut_off(frames: Frames, at: int) -> Frames:
    assert frames.first is not None
    assert frames.second is not None
    return replace(
        frames,
        inputs=frames.inputs[:at],
        values=frames.values[:at],
        first=frames.first[:at],
        second=frames.second[:at],
    )


def first_broken(plan: Plan, frames: Frames) -> tuple[int, tuple[str, ...]] | None:
    """The first frame in which a repeated joint does not close, and its name."""
    worst: tuple[int, tuple[str, ...]] | None = None
    for check in plan.checks:
        gap = np.abs(frames.values[:, check.row, 0]) / check.scale
        open_ = np.flatnonzero(gap > plan.system.tolerance.length)
        if len(open_) and (worst is None or open_[0] < worst[0]):
            worst = int(open_[0]), check.joints
    return worst


def stopped_by(
    plan: Plan, event: PathEvent, inputs: Floats, kind: PathEventKind, pair: PlaneJoint, coordinate: float
) -> PathEvent:
    """An event of a joint's own limit, described."""
    parts = tuple(plan.system.parts[mark.part] for mark in (pair.a, pair.b))
    joint, detail = plan.system.index[pair.name], words(plan, pair, coordinate)
    return replace(event, kind=kind, joint=joint, parts=parts, detail=detail, inputs=inputs)
