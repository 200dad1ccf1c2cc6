"""One linkage in many designs: lengths, places and angles of its own in every lane.

Designs that differ in numbers alone have the same plan, up to its constants. They
are moved together: an operation runs through all designs before the next, as a
sweep's does through frames (`vectorised.py`). That tells where a design is at each
position, not whether it can come there. So what lies between is proved first, design by
design: one that closes all the way on the branch of its drawing goes with the others. A
design with a limit, a stop or a change point on its way, with joints that repeat others,
or with cuts or blocks is moved as `move` moves it. One that cannot follow stops there, one whose
joints do not close has no position, and that is its result. Designs whose plans differ, by a
branch or a part, form groups of their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from detent.foundation.errors import ModelError
from detent.foundation.names import few
from detent.foundation.shown import Shown
from detent.foundation.units import unit_names
from detent.kinematics.equations.forces import Statics
from detent.kinematics.equations.rows import Floats, rows_of
from detent.kinematics.equations.start import closed_pose
from detent.kinematics.execution.frame import ALL_CLOSED
from detent.kinematics.operations import ops as op
from detent.kinematics.operations.vectorised import LANES, run_lanes
from detent.kinematics.paths.branch import home
from detent.kinematics.paths.closed import closed_walk
from detent.kinematics.paths.drive_path import DrivePath, drive_path_of, shown_inputs
from detent.kinematics.paths.path_limits import path_limits
from detent.kinematics.paths.segments import walk_in_segments
from detent.kinematics.paths.walk import PathWalk, legs_of
from detent.kinematics.plan import make_plan
from detent.kinematics.planning.limit_rows import with_stops
from detent.kinematics.planning.poses import marker_tracks
from detent.kinematics.planning.program import ONE
from detent.kinematics.planning.tables import Ints, Plan
from detent.kinematics.proofs.prove import has_freedoms
from detent.model.document.mechanism import Mechanism
from detent.model.machine.graph import floating_groups, loose_parts
from detent.model.machine.plane_linkage import PlaneLinkage, plane_linkage_of
from detent.model.machine.starts import start_by_joint
from detent.numeric.threads import on_one_thread
from detent.record.batch import Batch
from detent.record.motion import CANNOT_FOLLOW
from detent.record.scope import Scope

STEPS_A_LANE = 3  # elementary steps (see numeric.kernel) of one operation in one lane


MOST_NAMED = 8  # parts, or designs, that a note names
DONE = "done"  # the column of positions reached; the others are markers


@dataclass(frozen=True, repr=False)
class DesignSweep(Shown):
    """Markers of every design at every position of the drives."""

    batch: Batch

    def _line(self) -> str:
        return self.batch._line()

    @property
    def inputs(self) -> Floats:
        """(positions, drives) [rad, or the documents' unit]."""
        return np.asarray(self.batch.shared["inputs"])

    @property
    def markers(self) -> dict[str, Floats]:
        """(designs, positions, 2) in the documents' unit; NaN at positions that a design does not reach."""
        return {name: column for name, column in self.batch.columns.items() if name != DONE}

    @property
    def done(self) -> Ints:
        """Positions that each design reached."""
        return np.asarray(self.batch[DONE])

    @property
    def breaks(self) -> tuple[str, ...]:
        """Of each design: what keeps it from the next position; empty where it reaches all."""
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
    """Move designs of one linkage through the positions of their drives, which are the same for all.

    Columns: `done`, the positions that each reached, and each marker's places in the documents' unit, which
    are not a number at positions that were not reached.
    """
    mechanisms = list(designs)
    if not mechanisms:
        raise ModelError.at("designs", "there is no design to move", "give at least one mechanism")
    systems = [plane_linkage_of(mechanism) for mechanism in mechanisms]
    paths = [drive_path_of(m, system) for m, system in zip(mechanisms, systems, strict=True)]
    first, unit = paths[0], systems[0].metres_per_unit
    names = [name for name, mark in systems[0].marks.items() if not systems[0].fixed[mark.part]]
    markers = {name: np.full((len(mechanisms), len(first.goals), 2), np.nan) for name in names}
    done = np.full(len(mechanisms), len(first.goals), dtype=np.int64)
    breaks = [""] * len(mechanisms)
    told = [loose_parts(mechanism) for mechanism in mechanisms]
    groups: dict[bytes, _Group] = {}
    for index, (mechanism, system, path) in enumerate(zip(mechanisms, systems, paths, strict=True)):
        _of_one_linkage(index, mechanism, mechanisms[0], path, first, names, system)
        try:
            poses = closed_pose(system, start_by_joint(mechanism))
        except ModelError as error:  # of a document; of a design it is the result
            done[index], breaks[index] = 0, _why_open(error)
            continue
        plan = make_plan(system, poses, path.inputs, apart=True)
        told[index] += _undriven(mechanism, system, poses, plan)
        if plan.closed_form and not plan.checks and _goes_through(plan, path.goals, len(mechanisms)):
            group = groups.setdefault(_key(plan), _Group())
            group.plans.append(plan)
            group.members.append(index)
            continue
        tracks, breaks[index] = _alone(system, poses, path)
        done[index] = len(next(iter(tracks.values()))) if tracks else 0
        for name in names:
            markers[name][index, : done[index]] = tracks[name] / unit
    for group in groups.values():
        rows = np.array([group.plans[0].points[name] for name in names], dtype=np.int64)
        for name, places in zip(names, _in_lanes(group.plans, first.goals, rows), strict=True):
            markers[name][group.members] = places / unit
    length = unit_names(mechanisms[0].units).length.strip()
    shown = shown_inputs(systems[0], first.inputs, first.goals)
    return Batch(
        columns={DONE: done, **markers},
        units=dict.fromkeys(names, length) if length else {},
        reasons=tuple(breaks),
        counts={"designs": len(mechanisms), "whole": breaks.count(""), "plans": len(groups)},
        shared={"inputs": shown.reshape(len(first.goals), -1)},
        scope=_scope(mechanisms),
        notes=_notes(told),
    )


def _scope(mechanisms: list[Mechanism]) -> Scope:
    """What is told of designs: places alone."""
    asked = [m.ask.move for m in mechanisms if m.ask is not None and m.ask.move is not None]
    loads = ("ask.move.loads (forces are not told)",) if any(ask.loads for ask in asked) else ()
    return Scope(
        certainty="computed",
        covers="places at the positions that each design reaches on the branch of its drawing",
        left_out=("contact", *loads),
    )


def _notes(told: list[list[str]]) -> tuple[str, ...]:
    """What is to be said of designs, each sentence once, with the designs that it is not true of all of."""
    of: dict[str, list[int]] = {}
    for index, sentences in enumerate(told):
        for sentence in sentences:
            of.setdefault(sentence, []).append(index)
    return tuple(
        sentence
        if len(which) == len(told)
        else f"designs {few([str(index) for index in which], MOST_NAMED)}: {sentence}"
        for sentence, which in of.items()
    )


def _undriven(mechanism: Mechanism, system: PlaneLinkage, poses: Floats, plan: Plan) -> list[str]:
    """What is said of parts that hang on what is fixed, and neither joints nor drives hold."""
    if not has_freedoms(plan):
        return []
    statics = Statics(rows_of(system, [item.held for item in plan.inputs if item.axis == 0]))
    floating = {part for group in floating_groups(mechanism) for part in group}
    free = [system.parts[part] for part in statics.free(poses)[1]]
    names = [name for name in free if name not in floating]
    if not names:
        return []
    verb = "is" if len(names) == 1 else "are"
    return [
        f"{few(names, MOST_NAMED)} {verb} not driven, and moved as little as possible, which no machine does"
    ]


def _of_one_linkage(
    index: int,
    mechanism: Mechanism,
    other: Mechanism,
    path: DrivePath,
    first: DrivePath,
    names: list[str],
    system: PlaneLinkage,
) -> None:
    """Refuse a design that has other drives, markers or units than the first one."""
    at = f"designs[{index}]"
    if missing := [name for name in names if name not in system.marks]:
        problem = f"it has no marker {missing[0]!r}, which the first design has"
        raise ModelError.at(at, problem, "give every design the same parts and markers")
    if mechanism.units != other.units:
        problem = f"it is in {mechanism.units!r}, the first design in {other.units!r}"
        raise ModelError.at(f"{at}.units", problem, "give every design in the same units")
    if path.coordinates != first.coordinates or not np.array_equal(path.goals, first.goals):
        problem = "its drives, or their positions, are not those of the first design"
        remedy = "give every design the same drives, or ask `detent.move` of each"
        raise ModelError.at(f"{at}.drives", problem, remedy)


def _key(plan: Plan) -> bytes:
    """What designs moved together have in common; a marker on the ground may be a constant or not."""
    rows = np.array([*plan.points.values()], dtype=np.int64)
    return b"|".join(t.tobytes() for t in (plan.ops, plan.segments, rows)) + "|".join(plan.points).encode()


def _goes_through(plan: Plan, goals: Floats, calls: int) -> bool:
    """Whether it is proved that a closed form goes from its drawing through all positions on one branch."""
    watched = with_stops(plan)
    if any(stop.row < 0 for stop in watched.stops):  # whole rotations must be counted along the way
        return False
    legs = legs_of(goals)
    ways = [(home(plan, goals[0]), goals[0]), *((goals[a], goals[b]) for a, b in legs)]
    for start, end in ways:
        limits = path_limits(watched, start, end, share=1.0 / len(ways), calls=calls)
        if limits.events or not (limits.proved and limits.start_closes):
            return False
    return True


def _alone(system: PlaneLinkage, poses: Floats, path: DrivePath) -> tuple[dict[str, Floats], str]:
    """The markers of one design where it comes [m], as `move` has them, and what keeps it from more."""
    plan = make_plan(system, poses, path.inputs)
    walk = (closed_walk if plan.closed_form else walk_in_segments)(plan, path, False)
    return marker_tracks(walk.plan, walk.frames.values), _why(walk)


def _why_open(error: ModelError) -> str:
    problem = error.problems[0]
    return f"its joints do not close: {problem.at}: {problem.problem}"


def _why(walk: PathWalk) -> str:
    if walk.failed == ALL_CLOSED:
        return ""
    if not len(walk.frames.inputs) and walk.notes:
        return walk.notes[0]
    ends = (p for p in walk.points if p.kind != "change_point" and np.array_equal(p.inputs, walk.reached))
    detail = next((p.detail for p in ends if p.detail), "")
    return f"{CANNOT_FOLLOW}: {detail}" if detail else CANNOT_FOLLOW


def _in_lanes(plans: Sequence[Plan], goals: Floats, rows: Ints) -> Floats:
    """Places of points [m] in designs that go through all positions, LANES at a time."""
    places = np.zeros((len(rows), len(plans), len(goals), 2))
    ops, drive_ops = _with_own_inputs(plans[0].ops)
    run = run_lanes.at(STEPS_A_LANE * LANES * len(ops) * len(goals) * (1 + len(plans) // LANES))
    for first in range(0, len(plans), LANES):
        group = plans[first : first + LANES]
        lanes = np.minimum(np.arange(LANES), len(group) - 1)  # the last design fills what is left
        vectors = np.stack([plan.vectors for plan in group])[lanes]
        F = np.concatenate([vectors[:, :, 0].T, vectors[:, :, 1].T], axis=1)
        G, inputs = np.zeros_like(F), np.zeros((max(1, len(drive_ops)), LANES))
        for f, goal in enumerate(goals):
            _set_inputs(inputs, drive_ops, vectors, goal)
            run(ops, 0, len(ops), F, G, inputs, 0, -1)
            points = np.stack([F[rows, : len(group)], F[rows, LANES : LANES + len(group)]], axis=-1)
            places[:, first : first + len(group), f] = points
    return places


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


def _set_inputs(inputs: Floats, drive_ops: list[tuple[int, int, int]], vectors: Floats, goal: Floats) -> None:
    """Inputs of every lane at a position of the drives."""
    for j, (kind, drive, row) in enumerate(drive_ops):
        inputs[j] = vectors[:, row, 0] * goal[drive] + vectors[:, row, 1] if kind == op.TURN else goal[drive]
