"""One linkage in many designs: lengths, places and angles of its own in every lane.

Designs that differ in numbers alone have the same plan, up to its constants. They
are moved together: an operation runs through all designs before the next, as a
sweep's does through frames (`vectorised.py`). A design that cannot follow stops where
it breaks, and that is its result; the others go on. Designs whose plans differ, by
a branch or a part, form groups of their own; those with cuts or blocks are
followed one after the other by the sweep of `batch.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from detent.foundation.errors import ModelError
from detent.foundation.shown import Shown
from detent.kinematics.equations.rows import Floats
from detent.kinematics.equations.start import closed_pose
from detent.kinematics.execution.batch import Sweeper
from detent.kinematics.execution.frame import ALL_CLOSED
from detent.kinematics.operations import ops as op
from detent.kinematics.operations.vectorised import LANES, run_lanes
from detent.kinematics.paths.drive_path import drive_path_of
from detent.kinematics.plan import make_plan
from detent.kinematics.planning.program import ONE
from detent.kinematics.planning.tables import Ints, Plan
from detent.model.document.mechanism import Mechanism
from detent.model.machine.plane_linkage import plane_linkage_of
from detent.numeric.threads import on_one_thread
from detent.record.batch import Batch

Lanes = NDArray[np.bool_]
STEPS_A_LANE = 3  # elementary steps (see numeric.kernel) of one operation in one lane


DONE = "done"  # the column of positions reached; the others are markers


@dataclass(frozen=True, repr=False)
class DesignSweep(Shown):
    """Markers of every design at every position of the drives."""

    batch: Batch

    def _line(self) -> str:
        return self.batch._line()

    @property
    def inputs(self) -> Floats:
        """(positions, drives) [rad, m]."""
        return np.asarray(self.batch.shared["inputs"])

    @property
    def markers(self) -> dict[str, Floats]:
        """(designs, positions, 2) [m]; from a break on, the last place that closed."""
        return {name: column for name, column in self.batch.columns.items() if name != DONE}

    @property
    def done(self) -> Ints:
        """Positions that each design reached."""
        return np.asarray(self.batch[DONE])

    @property
    def breaks(self) -> tuple[str, ...]:
        """Of each design: the line of its plan that cannot close; empty where all do."""
        return self.batch.reasons

    @property
    def whole(self) -> Ints:
        """Designs that reached every position."""
        return np.array(self.batch.fine, dtype=np.int64)


@dataclass
class _Group:
    """Designs with the same tables."""

    plans: list[Plan] = field(default_factory=list)
    members: list[int] = field(default_factory=list)


def sweep_designs(designs: Iterable[Mechanism]) -> DesignSweep:
    """The same as `move_batch`, by name."""
    return DesignSweep(move_batch(designs))


@on_one_thread
def move_batch(designs: Iterable[Mechanism]) -> Batch:
    """Move designs of one linkage through the positions of the first one's drives.

    Columns: `done`, the positions that each reached, and each marker's places [m].
    """
    mechanisms = list(designs)
    if not mechanisms:
        raise ModelError.at("designs", "there is no design to move", "give at least one mechanism")
    goals = drive_path_of(mechanisms[0], plane_linkage_of(mechanisms[0])).goals
    groups: dict[bytes, _Group] = {}
    for index, mechanism in enumerate(mechanisms):
        system = plane_linkage_of(mechanism)
        drive_path = drive_path_of(mechanism, system)
        plan = make_plan(system, closed_pose(system, mechanism.start), drive_path.inputs, apart=True)
        if len(drive_path.inputs) != goals.shape[1]:
            raise ModelError.at(
                f"designs[{index}].drives",
                f"it has {len(drive_path.inputs)} driven coordinates, the first design {goals.shape[1]}",
                "give every design the same drives",
            )
        group = groups.setdefault(_key(plan), _Group())
        group.plans.append(plan)
        group.members.append(index)
    return _gathered(goals, len(mechanisms), list(groups.values()))


def _key(plan: Plan) -> bytes:
    """What designs moved together have in common; a marker on the ground may be a constant or not."""
    rows = np.array([*plan.points.values()], dtype=np.int64)
    return b"|".join(t.tobytes() for t in (plan.ops, plan.segments, rows)) + "|".join(plan.points).encode()


def _gathered(goals: Floats, count: int, groups: list[_Group]) -> Batch:
    names = [
        name
        for name in groups[0].plans[0].points
        if not groups[0].plans[0].system.fixed[groups[0].plans[0].system.marks[name].part]
    ]
    markers = {name: np.zeros((count, len(goals), 2)) for name in names}
    done = np.zeros(count, dtype=np.int64)
    breaks = [""] * count
    for group in groups:
        missing = [name for name in names if name not in group.plans[0].points]
        if missing:
            raise ModelError.at(
                f"designs[{group.members[0]}]",
                f"it has no marker {missing[0]!r}, which the first design has",
                "give every design the same parts and markers",
            )
        rows = np.array([group.plans[0].points[name] for name in names], dtype=np.int64)
        move = _in_lanes if group.plans[0].closed_form else _one_by_one
        places, reached, failed = move(group.plans, goals, rows)
        for name, place in zip(names, places, strict=True):
            markers[name][group.members] = place
        done[group.members] = reached
        for member, plan, row in zip(group.members, group.plans, failed, strict=True):
            breaks[member] = _broken(plan, row)
    return Batch(
        columns={DONE: done, **markers},
        reasons=tuple(breaks),
        counts={"designs": count, "whole": breaks.count(""), "plans": len(groups)},
        shared={"inputs": goals},
    )


def _broken(plan: Plan, failed: int) -> str:
    if failed == ALL_CLOSED:
        return ""
    step = plan.owners.get(int(plan.ops[failed, op.DISC])) if failed >= 0 else None
    return step.step if step is not None else "the linkage cannot follow its drive"


def _one_by_one(plans: Sequence[Plan], goals: Floats, rows: Ints) -> tuple[Floats, Ints, list[int]]:
    """Designs that need Newton, each by its own sweep."""
    places = np.zeros((len(rows), len(plans), len(goals), 2))
    done, failed = np.zeros(len(plans), dtype=np.int64), []
    for d, plan in enumerate(plans):
        trace = Sweeper(plan, rows)(goals)
        places[:, d, : trace.done] = np.moveaxis(trace.points, 1, 2)
        if trace.done:
            places[:, d, trace.done :] = places[:, d, trace.done - 1][:, None]
        done[d] = trace.done
        failed.append(trace.failed)
    return places, done, failed


def _in_lanes(plans: Sequence[Plan], goals: Floats, rows: Ints) -> tuple[Floats, Ints, list[int]]:
    """Designs in closed form, LANES at a time."""
    places = np.zeros((len(rows), len(plans), len(goals), 2))
    done = np.full(len(plans), len(goals), dtype=np.int64)
    failed = [ALL_CLOSED] * len(plans)
    ops, drive_ops = _with_own_inputs(plans[0].ops)
    run = run_lanes.at(STEPS_A_LANE * LANES * len(ops) * len(goals) * (1 + len(plans) // LANES))
    for first in range(0, len(plans), LANES):
        group = plans[first : first + LANES]
        lanes = np.minimum(np.arange(LANES), len(group) - 1)  # the last design fills what is left
        vectors = np.stack([plan.vectors for plan in group])[lanes]
        F = np.concatenate([vectors[:, :, 0].T, vectors[:, :, 1].T], axis=1)
        G, inputs = np.zeros_like(F), np.zeros((max(1, len(drive_ops)), LANES))
        _set_inputs(
            inputs,
            drive_ops,
            vectors,
            np.stack([plan.drawn for plan in group])[lanes].T,
            going=np.ones(LANES, dtype=bool),
        )
        going = np.ones(len(group), dtype=bool)
        last = np.moveaxis(vectors[: len(group)][:, rows], 0, 1)  # as drawn
        for f, goal in enumerate(goals):
            before = inputs.copy()
            _set_inputs(
                inputs, drive_ops, vectors, np.repeat(goal[:, None], LANES, axis=1), going=going[lanes]
            )
            if run(ops, 0, len(ops), F, G, inputs, 0, -1):
                for d in np.flatnonzero(going):
                    at = _breaks_at(group[int(d)], goal)
                    if at != ALL_CLOSED:
                        going[d], done[first + d], failed[first + d] = False, f, at
                inputs[:, ~going[lanes]] = before[:, ~going[lanes]]
            points = np.stack([F[rows, : len(group)], F[rows, LANES : LANES + len(group)]], axis=-1)
            last = np.where(going[:, None], points, last)
            places[:, first : first + len(group), f] = last
    return places, done, failed


def _with_own_inputs(ops: Ints) -> tuple[Ints, list[tuple[int, int, int]]]:
    """The operations with an input of its own for each rotation and slide: (kind, drive, constants' row).

    Slopes and offsets of a rotation are a design's own; they go into its input, lane by lane.
    """
    rows, drive_ops = ops.copy(), []
    for row in rows:
        if row[0] == op.TURN:
            drive_ops.append((op.TURN, int(row[2]), int(row[3])))
            row[2], row[3] = len(drive_ops) - 1, ONE
        elif row[0] == op.SLIDE:
            for column in (2, 3):
                if row[column] >= 0:
                    drive_ops.append((op.SLIDE, int(row[column]), 0))
                    row[column] = len(drive_ops) - 1
    return rows, drive_ops


def _set_inputs(
    inputs: Floats, drive_ops: list[tuple[int, int, int]], vectors: Floats, goals: Floats, *, going: Lanes
) -> None:
    """Inputs of every lane, from each lane's drives; a design that has stopped stays where it is."""
    for j, (kind, drive, row) in enumerate(drive_ops):
        wanted = goals[drive]
        if kind == op.TURN:
            wanted = vectors[:, row, 0] * wanted + vectors[:, row, 1]
        inputs[j] = np.where(going, wanted, inputs[j])


def _breaks_at(plan: Plan, goal: Floats) -> int:
    """The operation that cannot close at a position; WELL where all do."""
    V = plan.vectors.copy()
    inputs = np.zeros((3, max(1, len(goal))))
    inputs[0, : len(goal)] = goal
    with np.errstate(all="ignore"):
        return int(op.run_ops(plan.ops, 0, len(plan.ops), V, V, V, inputs, 0, False))
