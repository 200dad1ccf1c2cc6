"""A linkage as it was moved along its drives: what the answer, films and reports read.

Plan once, move often: the drawing is closed, a plan is made, every position of
the drives is taken in turn, limits are located whether or not a sample lies on
them, and what happens there is the breaking policy's. A film wants more positions
than the answer has: they are computed on the branches that the walk decided, up to
where it ended, so that nothing is decided again.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from msgspec.structs import replace

from detent.foundation.errors import UnsupportedError
from detent.foundation.units import unit_names
from detent.kinematics.equations.rows import Floats
from detent.kinematics.equations.start import closed_pose, refuse_stuck
from detent.kinematics.execution.frame import ALL_CLOSED
from detent.kinematics.execution.sweeping import Frames
from detent.kinematics.paths.closed import closed_walk
from detent.kinematics.paths.drive_path import DrivePath, drive_path_of, shown_inputs
from detent.kinematics.paths.extremes import grid
from detent.kinematics.paths.finer import end_of, finer_frames, frames_at, places_of, position_of, turns_of
from detent.kinematics.paths.path_event import PathEvent
from detent.kinematics.paths.segments import walk_in_segments
from detent.kinematics.paths.stretch import stretched
from detent.kinematics.paths.walk import PathWalk
from detent.kinematics.plan import make_plan
from detent.kinematics.planning.poses import marker_tracks, part_poses
from detent.kinematics.turning.count import TurnCount
from detent.model.document.drive import Drive
from detent.model.document.mechanism import Mechanism
from detent.model.machine.plane_linkage import PlaneLinkage, plane_linkage_of
from detent.model.machine.starts import refuse_free_starts, start_by_joint
from detent.model.machine.timing import moving_drives, refuse_too_many
from detent.record.event import Cause, Event, EventKind, Stop
from detent.record.motion import Limit, Motion
from detent.record.run import Run
from detent.record.trajectory import Trajectory

NAME = "kinematic"  # of the method, in records
# What lies on a drive path, in the words of the record; a stop that is come to or broken is a limit.
_KINDS: dict[str, EventKind] = {"change_point": "change_point"}


@dataclass(frozen=True, eq=False)
class LinkageRun:
    """The evidence of a kinematic run."""

    mechanism: Mechanism
    breaking: str  # what happens at a limit
    assemblies: bool  # whether every assembly of the links was asked for
    system: PlaneLinkage
    drives: Mapping[str, Drive]
    path: DrivePath
    walk: PathWalk | None = None  # by a plan
    direct: Motion | None = None  # by a solver that has no plan, as its answer
    pushing: Mapping[str, Drive] = field(default_factory=dict)  # drives that give a torque and no positions

    @cached_property
    def poses(self) -> dict[str, Floats]:
        """Parts at each position that was reached [m, rad], by a plan; full rotations are counted."""
        assert self.walk is not None
        return self._counted(self.places, self.walk.frames)

    @property
    def places(self) -> Floats:
        """Where on the drive path each position is that was reached, by a plan; the last may be a limit."""
        assert self.walk is not None
        return np.asarray(np.minimum(np.arange(float(len(self.walk.frames.inputs))), self.end))

    @cached_property
    def turns(self) -> TurnCount:
        """How the rotations of parts were counted, by a plan."""
        assert self.walk is not None
        return turns_of(self.walk, self.path)

    def _counted(self, places: Floats, frames: Frames) -> dict[str, Floats]:
        assert self.walk is not None
        poses = part_poses(self.walk.plan, frames.values)
        angles = self.turns.angles(places, frames.inputs, frames.values)
        for k, rows in enumerate(poses.values()):
            rows[:, 2] = angles[:, k]
        return poses

    @property
    def certificate(self) -> str:
        """What says that no limit was stepped over; nothing where no position was reached."""
        if self.walk is None or not len(self.walk.frames.inputs):
            return ""
        return self.walk.certificate

    @property
    def cause(self) -> Cause:
        """Why it stopped."""
        if self.walk is None:
            return "done" if self.direct is None else self.direct.stop
        if self.walk.failed == ALL_CLOSED:
            return "done"
        return "break" if any(p.kind == "break" for p in self.walk.points) else "limit"

    @cached_property
    def trajectory(self) -> Trajectory:
        """One row per position of the answer."""
        if self.walk is None:
            assert self.direct is not None
            inputs = np.asarray(self.direct.inputs)
            return self._record(inputs, np.arange(float(len(inputs))), self.direct.poses)
        frames = self.walk.frames
        poses = self._in_units(self.poses)
        return self._record(self._shown(frames.inputs), self.places, poses, frames.compiled)

    def finer(self, steps: int) -> Trajectory:
        """The same drive in at least so many steps, where it has steps; by a plan only."""
        changed = {
            name: replace(drive, steps=max(drive.steps, steps)) if drive.steps else drive
            for name, drive in self.drives.items()
        }
        if self.walk is None or changed == dict(self.drives) or not all(d.steps for d in changed.values()):
            return self.trajectory
        path = drive_path_of(self.mechanism, self.system, changed)
        frames = finer_frames(self.walk, self.path, path, exact=self.breaking == "searching")
        places = places_of(self.walk, self.path, path)[: len(frames.inputs)]
        places = np.append(places, np.full(len(frames.inputs) - len(places), self.limit_place))
        poses = self._in_units(self._counted(places, frames))
        return self._record(self._shown(frames.inputs), places, poses, frames.compiled)

    def tracks(self, places: int) -> dict[str, Floats]:
        """Each marker along the path [document units], at the positions and between them; by a plan."""
        assert self.walk is not None
        at = grid(self.end, between=1, places=places) if self.end > 0 else np.zeros(1)
        values = frames_at(self.walk, self.path, at).values
        unit = self.system.metres_per_unit
        return {name: track / unit for name, track in marker_tracks(self.walk.plan, values).items()}

    @property
    def end(self) -> float:
        """The place of the drive path where it ended, by a plan (2.5: halfway from the third position on).

        With `limiting` it stays at the last position that closes, however near the limit beyond is.
        """
        assert self.walk is not None
        if self.breaking == "limiting" and self.walk.failed != ALL_CLOSED:
            return min(float(len(self.walk.frames.inputs) - 1), self.limit_place)
        return self.limit_place

    @property
    def limit_place(self) -> float:
        """The place of the drive path up to which its joints close, by a plan."""
        assert self.walk is not None
        return end_of(self.walk, self.path)

    def poses_at(self, places: Floats) -> Floats:
        """Parts at places of the drive path, in order [m, rad]: (places, parts, 3), by a plan.

        Rows of places that are not reached are not a number.
        """
        assert self.walk is not None
        frames = frames_at(self.walk, self.path, places)
        by_part = self._counted(places[: len(frames.inputs)], frames)
        poses = np.full((len(places), len(self.system.parts), 3), np.nan)
        for k, name in enumerate(self.system.parts):
            poses[: len(frames.inputs), k] = by_part[name]
        return poses

    def _record(
        self, inputs: Floats, places: Floats, poses: Mapping[str, Any], compiled: bool = False
    ) -> Trajectory:
        """Times are the driven coordinate; places of the drive path where several are driven."""
        names = self.path.coordinates
        single = len(names) == 1
        columns = [inputs] if single else list(inputs.T)
        driven = {
            drive.joint: column
            for name, column in zip(names, columns, strict=True)
            if (drive := self.drives.get(name)) is not None and drive.joint is not None
        }
        times = np.array(inputs if single else places, dtype=float)
        events = self._events()
        return Trajectory(
            times=times,
            times_are=self.path.names[0] if single else "position",
            coordinates=driven,
            poses={part: np.asarray(rows) for part, rows in poses.items()},
            events=events,
            stop=self._stop(events, times, driven),
            units=self.mechanism.units,
            speed_ran="compiled" if compiled else "plain",
            method=self.direct.method if self.direct is not None else NAME,
            notes=self.direct.notes if self.direct is not None else self._notes(),
            certified=self.certificate,
            times_unit=self.coordinate_units[0] if single else "",
            coordinate_units=self._joint_units(),
        )

    @property
    def coordinate_units(self) -> tuple[str, ...]:
        """Of each driven coordinate: rad, or the document's unit of length."""
        length = unit_names(self.mechanism.units).length.strip()
        return tuple(length if item.is_length else "rad" for item in self.path.inputs)

    def _joint_units(self) -> dict[str, str]:
        """The same by the joint that is driven."""
        return {
            drive.joint: unit
            for name, unit in zip(self.path.coordinates, self.coordinate_units, strict=True)
            if (drive := self.drives.get(name)) is not None and drive.joint is not None
        }

    def _notes(self) -> tuple[str, ...]:
        return () if self.walk is None else (*self.walk.plan.notes, *self.walk.notes)

    def _events(self) -> tuple[Event, ...]:
        """Limits and change points up to where it stopped, in the order in which they were come to."""
        if self.walk is None:
            return ()
        places = [(self._place(point.inputs), point) for point in self.walk.points]
        last = len(self.walk.frames.inputs) - 1
        end = self._place(self.walk.reached, last) if self.walk.failed != ALL_CLOSED else np.inf
        reached = sorted((entry for entry in places if entry[0] <= end), key=lambda entry: entry[0])
        return tuple(self._event(place, point) for place, point in reached)

    def _event(self, place: float, point: PathEvent) -> Event:
        single = len(self.path.inputs) == 1
        coordinate = float(self._shown(point.inputs[None]).reshape(-1)[0])
        drive = self.drives.get(self.path.names[0]) if single else None
        return Event(
            time=coordinate if single else place,
            kind=_KINDS.get(point.kind, "limit"),
            joint=None if drive is None else drive.joint,
            coordinate=None if drive is None or drive.joint is None else coordinate,
            subjects=point.parts,
            detail=point.detail,
            coordinate_unit="" if drive is None or drive.joint is None else self.coordinate_units[0],
        )

    def _stop(self, events: tuple[Event, ...], times: Floats, driven: dict[str, Floats]) -> Stop:
        stopping = [event for event in events if event.kind == "limit"]
        if self.cause == "done" or not stopping:
            last = float(times[-1]) if len(times) else self._where_it_stopped()
            coordinates = {joint: float(column[-1]) for joint, column in driven.items() if len(column)}
            return Stop(
                time=last, cause=self.cause, coordinates=coordinates, coordinate_units=self._joint_units()
            )
        last_event = stopping[-1]
        where = (
            {}
            if last_event.joint is None or last_event.coordinate is None
            else {last_event.joint: last_event.coordinate}
        )
        return Stop(
            time=last_event.time,
            cause=self.cause,
            coordinates=where,
            detail=last_event.detail,
            coordinate_units=dict.fromkeys(where, last_event.coordinate_unit),
        )

    def _where_it_stopped(self) -> float:
        """The time of a stop before the first position: where that position would have been."""
        if self.walk is None or len(self.path.inputs) > 1:
            return 0.0
        return float(self._shown(self.walk.reached[None]).reshape(-1)[0])

    def _place(self, inputs: Floats, after: int = 0) -> float:
        return position_of(self.path.goals, inputs, after)

    def _shown(self, inputs: Floats) -> Floats:
        return shown_inputs(self.system, self.path.inputs, inputs)

    def _in_units(self, poses: dict[str, Floats]) -> dict[str, Floats]:
        unit = self.system.metres_per_unit
        return {name: pose / np.array([unit, unit, 1.0]) for name, pose in poses.items()}


def _once_if_still(path: DrivePath) -> DrivePath:
    """A path of which no drive goes anywhere is one position."""
    if len(path.goals) < 2 or np.ptp(path.goals, axis=0).max() > 0.0:
        return path
    times = None if path.times is None else path.times[:1]
    return dataclasses.replace(path, goals=path.goals[:1], rates=path.rates[:1], times=times)


def predict(
    mechanism: Mechanism,
    *,
    breaking: str,
    solver: str,
    assemblies: bool,
    drives: Mapping[str, Drive] | None = None,
    until: float | None = None,
) -> Run:
    """Move a linkage through the positions of its drives."""
    if until is not None:
        words = "a linkage goes through the positions of its drives, and ends at the last"
        raise UnsupportedError(words, "leave out `until`, and end the drive where it should end", "until")
    system = plane_linkage_of(mechanism)
    every = mechanism.drives if drives is None else drives
    chosen = moving_drives(every)
    pushing = {name: drive for name, drive in every.items() if name not in chosen}
    refuse_too_many(mechanism, chosen)
    path = _once_if_still(drive_path_of(mechanism, system, chosen))
    refuse_free_starts(mechanism)
    poses = closed_pose(system, start_by_joint(mechanism))
    refuse_stuck(system, poses, path.inputs)
    walk: PathWalk | None = None
    direct: Motion | None = None
    if solver == "newton_svd":
        from detent.kinematics.paths.newton import newton_motion

        direct = newton_motion(mechanism, system, poses, path)
    elif breaking == "stretching":
        walk = _walked(system, poses, path, exact=True)
        if walk.failed != ALL_CLOSED:  # else there is nothing to stretch
            direct = _stretched(mechanism, system, poses, path, walk)
            walk = None
    else:
        walk = _walked(system, poses, path, exact=breaking == "searching")
    run = LinkageRun(mechanism, breaking, assemblies, system, chosen, path, walk, direct, pushing)
    return Run(lambda: run.trajectory, run, finer=run.finer)


def _stretched(
    mechanism: Mechanism, system: PlaneLinkage, poses: Floats, path: DrivePath, walk: PathWalk
) -> Motion:
    points = tuple(limit_of(path, system, point) for point in walk.points)
    limits = tuple(p.input for p in points if p.kind == "limit")
    return replace(stretched(mechanism, system, poses, path), limit_points=points, limits=limits)


def _walked(system: PlaneLinkage, poses: Floats, path: DrivePath, *, exact: bool) -> PathWalk:
    plan = make_plan(system, poses, path.inputs)
    follow = closed_walk if plan.closed_form else walk_in_segments
    return follow(plan, path, exact)


def limit_of(path: DrivePath, system: PlaneLinkage, point: PathEvent) -> Limit:
    """What a user sees of an event: at the first drive's coordinate, as the document counts it."""
    at = float(shown_inputs(system, path.inputs, point.inputs[None]).reshape(-1)[0])
    joint = system.pairs[point.joint].name if point.joint >= 0 else ""
    return Limit(input=at, kind=point.recorded_kind, parts=point.parts, detail=point.detail, joint=joint)
