"""How does it move? The answer of `detent move`, built from a run along the drives.

Velocities, accelerations, instant centres, transmission angles and forces are
read off the frames that the run has; limits and branches are the run's own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from detent.foundation.errors import ModelError
from detent.foundation.units import measured
from detent.kinematics.equations.forces import Statics
from detent.kinematics.equations.rows import Floats, rows_of
from detent.kinematics.equations.start import closed_pose, without_length
from detent.kinematics.execution.frame import ALL_CLOSED
from detent.kinematics.paths.analysis import instant_centres, transmission_angles
from detent.kinematics.paths.assembly_modes import MOST as MOST_ASSEMBLIES
from detent.kinematics.paths.assembly_modes import assemblies
from detent.kinematics.paths.drive_path import DrivePath, shown_inputs
from detent.kinematics.paths.extremes import grid
from detent.kinematics.paths.walk import PathWalk
from detent.kinematics.plan import make_plan
from detent.kinematics.planning.limit_rows import coordinates, counted, is_beyond, stops_of
from detent.kinematics.planning.poses import marker_tracks
from detent.kinematics.planning.tables import Plan
from detent.model.document.mechanism import Mechanism
from detent.model.machine.graph import loose_parts
from detent.model.machine.plane_linkage import PlaneLinkage
from detent.model.machine.starts import start_by_joint
from detent.model.machine.timing import sizes_of_speeds
from detent.motion.kinematic.acting import ActingForces
from detent.motion.kinematic.drive_range import drive_range
from detent.motion.kinematic.force_series import ForceSeries, undriven
from detent.motion.kinematic.forces import forces_of
from detent.motion.kinematic.linkage_run import LinkageRun, limit_of
from detent.motion.kinematic.passing import PassingSearch, passing_pairs
from detent.motion.kinematic.ranges import extremes_of, zero_at_limit
from detent.motion.kinematic.scope import freedom_note, overlap_note, scope_of, start_note
from detent.record.motion import Motion
from detent.record.run import Run

MOST_NAMED = 8  # pairs of parts that overlap
MOST_ASKED = 5  # positions of which the freedoms are counted, where dead points are not known


def motion_of(run: Run, *, loads: Mapping[str, tuple[float, float]] | None = None) -> Motion:
    """The answer of `detent move` from a kinematic run; `loads` by marker [N], else the document's."""
    evidence = run.evidence
    assert isinstance(evidence, LinkageRun)
    loads = _loads(evidence.mechanism) if loads is None else dict(loads)
    _known_loads(evidence.system, loads)
    if evidence.walk is None:
        assert evidence.direct is not None
        return _direct(evidence, evidence.direct, loads).computed_from(run)
    motion = _motion(evidence, evidence.walk, loads)
    if evidence.assemblies:
        motion = _with_assemblies(motion, evidence.walk.plan, evidence.path)
    speed = "compiled" if evidence.walk.frames.compiled else "plain"
    return _with(motion, speed_ran=speed).computed_from(run)


def _direct(evidence: LinkageRun, motion: Motion, loads: Mapping[str, tuple[float, float]]) -> Motion:
    """The answer of a solver that has no plan, with what any answer says of the linkage."""
    system, path = evidence.system, evidence.path
    rows = rows_of(system, [item.held for item in path.inputs if item.axis == 0])
    plan = make_plan(system, closed_pose(system, start_by_joint(evidence.mechanism)), path.inputs)
    poses = _stacked(evidence, motion.poses)
    free = undriven(plan, Statics(rows), poses[:: 1 + len(poses) // MOST_ASKED])
    motion = _with(
        motion,
        coordinate_units=evidence.coordinate_units,
        scope=scope_of(evidence, ActingForces.of(evidence, rows, loads), "", PassingSearch()),
        notes=(
            *loose_parts(evidence.mechanism),
            *start_note(evidence),
            *([freedom_note(evidence, *free, poses)] if free[0] else []),
            *sizes_of_speeds(evidence.drives),
            *motion.notes,
        ),
    )
    return _with_assemblies(motion, plan, path) if evidence.assemblies else motion


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


def _motion(evidence: LinkageRun, path: PathWalk, loads: Mapping[str, tuple[float, float]]) -> Motion:
    mechanism, drive_path, plan = evidence.mechanism, evidence.path, path.plan
    frames, unit = path.frames, plan.system.metres_per_unit
    poses = evidence.poses
    assert frames.first is not None
    assert frames.second is not None
    series = ForceSeries(evidence, path, loads)
    forces = forces_of(series)
    search = passing_pairs(evidence)
    overlaps = search.pairs
    points = tuple(limit_of(drive_path, plan.system, point) for point in path.points)
    speeds = _bounded(marker_tracks(plan, frames.first), unit)
    bends = _bounded(marker_tracks(plan, frames.second), unit)
    return Motion(
        title=mechanism.title,
        units=mechanism.units,
        drives=drive_path.names,
        coordinates=drive_path.coordinates,
        coordinate_units=evidence.coordinate_units,
        inputs=shown_inputs(plan.system, plan.inputs, frames.inputs),
        times=drive_path.instants(frames.inputs),
        markers={name: track / unit for name, track in marker_tracks(plan, frames.values).items()},
        poses={name: pose / np.array([unit, unit, 1.0]) for name, pose in poses.items()},
        velocities=speeds,
        accelerations=bends,
        centres=_bounded(instant_centres(plan, frames.values, frames.first), unit),
        transmission=zero_at_limit(evidence, path, transmission_angles(plan, frames.values)),
        extremes=extremes_of(evidence, path),
        forces=forces.series,
        force_components=forces.components,
        force_peaks=forces.peaks,
        limits=tuple(point.input for point in points if point.kind == "limit"),
        limit_points=points,
        certified=evidence.certificate,
        branch=plan.branch,
        stop=evidence.cause,
        stopped_at=None
        if path.failed == ALL_CLOSED
        else shown_inputs(plan.system, plan.inputs, path.reached[None])[0],
        range=drive_range(evidence),
        overlaps=overlaps,
        scope=scope_of(evidence, series.acting, forces.covers, search),
        notes=(
            *(
                ["no drive goes anywhere: its first and last position are the same"]
                if _still(evidence)
                else []
            ),
            *loose_parts(mechanism),
            *start_note(evidence),
            *([freedom_note(evidence, *series.free, _on_the_way(evidence))] if series.free[0] else []),
            *sizes_of_speeds(evidence.drives),
            *(overlap_note(pair, _where(evidence, pair.from_)) for pair in overlaps[:MOST_NAMED]),
            *([f"{len(overlaps) - MOST_NAMED} more pairs overlap"] if len(overlaps) > MOST_NAMED else []),
            *plan.notes,
            *path.notes,
            *(() if path.failed == ALL_CLOSED else without_length(plan.system)),
            *forces.notes,
        ),
    )


def _stacked(evidence: LinkageRun, poses: Mapping[str, Floats]) -> Floats:
    """Poses of an answer as one array (positions, parts, 3) [m, rad]."""
    unit = evidence.system.metres_per_unit
    parts = [poses[part] for part in evidence.system.parts]
    return np.asarray(np.stack(parts, axis=1) * np.array([unit, unit, 1.0]))


def _on_the_way(evidence: LinkageRun) -> Floats:
    """Poses along the path, between the positions too (places, parts, 3) [m, rad]."""
    return evidence.poses_at(grid(evidence.end, between=1) if evidence.end > 0 else np.zeros(1))


def _still(evidence: LinkageRun) -> bool:
    """Whether more positions were asked for than the one that all of them are."""
    return len(evidence.path.goals) == 1 and any((d.steps or 0) > 0 for d in evidence.drives.values())


def _where(evidence: LinkageRun, coordinate: Any) -> str:
    """A coordinate of the first drive for a person."""
    unit = evidence.coordinate_units[0]
    first = coordinate[0] if isinstance(coordinate, list | tuple) else coordinate
    of = f" of {evidence.path.coordinates[0]}" if isinstance(coordinate, list | tuple) else ""
    return measured(first, unit) + of


def _bounded(tracks: dict[str, Floats], unit: float) -> dict[str, Floats]:
    """Rows of numbers; NaN where they have no bound."""
    return {
        name: np.where(np.isfinite(track).all(axis=-1, keepdims=True), track / unit, np.nan)
        for name, track in tracks.items()
    }


def _with_assemblies(motion: Motion, plan: Plan, drive_path: DrivePath) -> Motion:
    """Every assembly of the links at the first position, those of parts that do not move too.

    Those with a joint beyond its limits are counted, and not listed.
    """
    plan = make_plan(plan.system, plan.poses, plan.inputs, every_root=True)
    unit = plan.system.metres_per_unit
    found = assemblies(plan, drive_path.goals[0])
    within = [assembly for assembly in found if not _beyond_limits(plan, assembly.vectors)]
    listed = tuple(
        {
            "branch": list(assembly.branch),
            "guesses": list(assembly.guesses),
            "markers": {
                name: [float(x) / unit for x in assembly.vectors[row]]
                for name, row in plan.points.items()
                if not plan.system.fixed[plan.system.marks[name].part]
            },
            "free": list(assembly.free),
        }
        for assembly in within
    )
    notes = []
    if not plan.closed_form:
        notes.append(
            "assemblies are sought in steps of 1° of a joint; one that closes within a step only is not found"
        )
    if len(found) == MOST_ASSEMBLIES:
        notes.append(f"there are more than {MOST_ASSEMBLIES} assemblies: the first are looked at")
    return _with(
        motion,
        assemblies=listed,
        assemblies_beyond=len(found) - len(within),
        notes=(*motion.notes, *notes),
    )


def _beyond_limits(plan: Plan, vectors: Floats) -> bool:
    """Whether a joint is beyond limits that its direction or travel tells; counted rotations are not."""
    limited = (plan.system.pairs[stop.pair] for stop in stops_of(plan.system))
    return any(
        is_beyond(plan.system, pair, float(coordinates(plan, vectors[None], pair)[0]))
        for pair in limited
        if not counted(pair)
    )


def _with(motion: Motion, **changes: Any) -> Motion:
    import msgspec

    return msgspec.structs.replace(motion, **changes)
