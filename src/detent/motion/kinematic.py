"""The kinematic method: how a linkage moves along its drives (MechEdit, Brunkhart 1994).

Plan once, move often: the drawing is closed, a plan is made, every position of
the drives is taken in turn, limits are located whether or not a sample lies on
them, and what happens there is the breaking policy's: `limiting` keeps the last
position that closes, `searching` goes to the limit itself and stops,
`stretching` goes on with markers as near as they come and shows the gap.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from detent.foundation.errors import ModelError, UnsupportedError
from detent.kinematics.equations.forces import reactions
from detent.kinematics.equations.rows import Floats
from detent.kinematics.equations.start import closed_pose, refuse_stuck, without_length
from detent.kinematics.execution.frame import ALL_CLOSED
from detent.kinematics.paths.analysis import instant_centres, transmission_angles
from detent.kinematics.paths.assembly_modes import assemblies
from detent.kinematics.paths.closed import closed_walk
from detent.kinematics.paths.drive_path import DrivePath, drive_path_of, shown_inputs
from detent.kinematics.paths.segments import walk_in_stretches
from detent.kinematics.paths.stretch import stretched
from detent.kinematics.paths.walk import PathWalk
from detent.kinematics.plan import make_plan
from detent.kinematics.planning.poses import marker_tracks, part_poses
from detent.kinematics.planning.tables import Plan
from detent.model.document.drive import Drive
from detent.model.document.mechanism import Mechanism
from detent.model.machine.plane_linkage import PlaneLinkage, plane_linkage_of
from detent.record.event import Cause
from detent.record.motion import Limit, Motion

Breaking = Literal["limiting", "searching", "stretching"]


@dataclass(frozen=True)
class Kinematic:
    """Positions from joints alone; `solver` newton_svd is the seed's plain one, for comparison."""

    breaking: Breaking = "searching"
    solver: Literal["plan", "newton_svd"] = "plan"
    assemblies: bool = False


def move(
    mechanism: Mechanism,
    *,
    method: Kinematic | None = None,
    drives: Mapping[str, Drive] | None = None,
    loads: Mapping[str, tuple[float, float]] | None = None,
) -> Motion:
    """Move a linkage through the positions of its drives."""
    method = method or method_asked(mechanism)
    system = plane_linkage_of(mechanism)
    course = drive_path_of(mechanism, system, drives)
    poses = closed_pose(system, mechanism.start)
    refuse_stuck(system, poses, course.inputs)
    loads = _loads(mechanism) if loads is None else dict(loads)
    _known_loads(system, loads)
    if method.solver == "newton_svd":
        from detent.kinematics.paths.newton import newton_motion

        return newton_motion(mechanism, system, poses, course)
    if method.breaking == "stretching":
        return stretched(mechanism, system, poses, course)
    plan = make_plan(system, poses, course.inputs)
    walk = closed_walk if plan.closed_form else walk_in_stretches
    path = walk(plan, course, method.breaking == "searching")
    plan, frames = path.plan, path.frames
    motion = _motion(mechanism, plan, course, path, loads)
    if method.assemblies:
        motion = _with(motion, assemblies=_assemblies(plan, course))
    return _with(motion, speed_ran="compiled" if frames.compiled else "plain")


def method_asked(mechanism: Mechanism) -> Kinematic:
    """The method that a document asks for."""
    ask = mechanism.ask.move if mechanism.ask else None
    if ask is None:
        return Kinematic()
    if ask.method not in (None, "kinematic", "newton_svd"):
        raise UnsupportedError(
            f"`move` does not know the method {ask.method}",
            "use kinematic or newton_svd; no other method is there yet",
            at="ask.move.method",
        )
    return Kinematic(
        breaking=ask.breaking or "searching",
        solver="newton_svd" if ask.method == "newton_svd" else "plan",
        assemblies=ask.assemblies,
    )


def _loads(mechanism: Mechanism) -> dict[str, tuple[float, float]]:
    ask = mechanism.ask.move if mechanism.ask else None
    return {} if ask is None else {name: (float(f[0]), float(f[1])) for name, f in ask.loads.items()}


def _known_loads(system: PlaneLinkage, loads: Mapping[str, Any]) -> None:
    from detent.foundation.names import did_you_mean

    for name in loads:
        if name not in system.marks:
            raise ModelError.at(
                f"ask.move.loads.{name}", f"there is no marker {name!r}", did_you_mean(name, system.marks)
            )


def _motion(
    mechanism: Mechanism,
    plan: Plan,
    course: DrivePath,
    path: PathWalk,
    loads: Mapping[str, tuple[float, float]],
) -> Motion:
    frames, unit = path.frames, plan.system.metre
    poses = part_poses(plan, frames.values)
    assert frames.first is not None
    assert frames.second is not None
    speeds = _bounded(marker_tracks(plan, frames.first), unit)
    bends = _bounded(marker_tracks(plan, frames.second), unit)
    return Motion(
        title=mechanism.title,
        units=mechanism.units,
        drives=course.names,
        coordinates=course.coordinates,
        inputs=shown_inputs(plan.system, plan.inputs, frames.inputs),
        times=course.instants(frames.inputs),
        markers={name: track / unit for name, track in marker_tracks(plan, frames.values).items()},
        poses={name: pose / np.array([unit, unit, 1.0]) for name, pose in poses.items()},
        velocities=speeds,
        accelerations=bends,
        centres=_bounded(instant_centres(plan, frames.values, frames.first), unit),
        transmission=transmission_angles(plan, frames.values),
        forces=_forces(plan, course, poses, loads),
        limits=tuple(_limit_inputs(plan, path)),
        limit_points=tuple(
            Limit(input=_shown(plan, f.inputs), kind=f.kind, parts=f.parts, detail=f.detail)
            for f in path.points
        ),
        certified=path.certificate,
        branch=plan.branch,
        stop=_stop(path),
        stopped_at=None
        if path.failed == ALL_CLOSED
        else shown_inputs(plan.system, plan.inputs, path.reached[None])[0],
        notes=(*plan.notes, *path.notes, *(() if path.failed == ALL_CLOSED else without_length(plan.system))),
    )


def _stop(path: PathWalk) -> Cause:
    if path.failed == ALL_CLOSED:
        return "done"
    return "break" if any(p.kind == "break" for p in path.points) else "limit"


def _limit_inputs(plan: Plan, path: PathWalk) -> list[float]:
    return [_shown(plan, f.inputs) for f in path.points if f.kind == "limit"]


def _shown(plan: Plan, inputs: Floats) -> float:
    """The first drive's coordinate, as the document counts it."""
    item = plan.inputs[0]
    slides = item.held.mark is not None or plan.system.pairs[item.held.pair].kind == "prismatic"
    return float(inputs[0] / (plan.system.metre if slides else 1.0))


def _bounded(tracks: dict[str, Floats], unit: float) -> dict[str, Any]:
    """Rows of numbers; null where they have no bound."""
    made: dict[str, Any] = {}
    for name, track in tracks.items():
        rows = (track / unit).tolist()
        finite = np.asarray(np.isfinite(track).all(axis=-1))
        made[name] = (
            rows if finite.all() else [row if ok else None for row, ok in zip(rows, finite, strict=True)]
        )
    return made


def _forces(
    plan: Plan, course: DrivePath, poses: dict[str, Floats], loads: Mapping[str, tuple[float, float]]
) -> dict[str, Any]:
    if not loads:
        return {}
    held = [item.held for item in plan.inputs if item.axis == 0]
    given = {name: complex(*force) for name, force in loads.items()}
    names = list(course.names)
    out: dict[str, Any] = {f"drive {name}": [] for name in names}
    count = len(next(iter(poses.values()))) if poses else 0
    for i in range(count):
        here = np.array([poses[part][i] for part in plan.system.parts])
        drives, joints = reactions(plan.system, here, held, given)
        if len(names) == len(drives):
            for name, value in zip(names, drives, strict=True):
                out[f"drive {name}"].append(value)
        else:
            out[f"drive {names[0]}"].append(drives)
        for joint, numbers in joints.items():
            out.setdefault(joint, []).append(numbers)
    return out


def _assemblies(plan: Plan, course: DrivePath) -> tuple[dict[str, Any], ...]:
    """Every way the links go together at the first position."""
    unit = plan.system.metre
    return tuple(
        {
            "branch": list(found.branch),
            "guesses": list(found.guesses),
            "markers": {
                name: [float(x) / unit for x in found.vectors[row]]
                for name, row in plan.points.items()
                if not plan.system.fixed[plan.system.marks[name].part]
            },
        }
        for found in assemblies(plan, course.goals[0])
    )


def _with(motion: Motion, **changes: Any) -> Motion:
    import msgspec

    return msgspec.structs.replace(motion, **changes)
