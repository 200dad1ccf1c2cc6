"""The answer of `move` that follows contact: a Motion, read from its run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from detent.motion.rigid.following.course import SNAP
from detent.motion.rigid.following.drive_forces import drive_forces
from detent.motion.rigid.following.following_run import NAME, FollowingRun, marker_tracks
from detent.record.motion import SAMPLED, SLIDE, TURN, Extremes, Motion

if TYPE_CHECKING:
    from detent.record.run import Run


def motion_of(run: Run) -> Motion:
    """The answer at the positions of the drives."""
    evidence: FollowingRun = run.evidence
    places = evidence.rows()
    poses, tracks = marker_tracks(evidence, places)
    taken = drive_forces(evidence, places)
    inputs = evidence.inputs(places)
    return Motion(
        title=evidence.mechanism.title,
        units=evidence.mechanism.units,
        drives=evidence.plan.names,
        coordinates=evidence.plan.shown,
        coordinate_units=evidence.coordinate_units,
        inputs=inputs,
        markers=tracks,
        poses=poses,
        extremes={} if evidence.nowhere else _extremes(evidence),
        forces=taken.series,
        force_components=taken.components,
        force_ranges=taken.ranges,
        force_peaks=taken.peaks,
        times=evidence.plan.instants(places - evidence.lead),
        events=evidence.events,
        stop=evidence.cause,
        stopped_at=None if evidence.cause == "done" else evidence.inputs(np.array([evidence.end]))[-1],
        stop_detail=evidence.detail,
        scope=evidence.scope,
        method=NAME,
        notes=evidence.notes,
    ).computed_from(run)


def _extremes(run: FollowingRun) -> dict[str, Extremes]:
    """The least and greatest angle of each moving part, and place on each slide and of each part on no joint.

    Over the steps of the run, both sides of a snap.
    """
    steps = np.array(run.course.places)
    steps = steps[steps >= run.lead]
    before = np.nextafter(steps, -np.inf)  # where it snaps, a place has two positions
    places = np.union1d(np.concatenate([steps, before[before >= run.lead]]), run.rows())
    poses, inputs = marker_tracks(run, places)[0], run.inputs(places)
    still = SNAP * run.course.balance.size / run.tree.system.metres_per_unit
    units = run.along.coordinate_units
    moving = [name for name in poses if not run.mechanism.parts[name].fixed]
    columns = {f"{TURN}{name}": poses[name][:, 2] for name in moving}
    for name, column in run.along.at(places).coordinates.items():
        if units[name] != "rad":
            columns[f"{SLIDE}{name}"] = column
    found = {}
    for name, column in columns.items():
        least, greatest = int(column.argmin()), int(column.argmax())
        if column[greatest] - column[least] <= (still if name.startswith(SLIDE) else SNAP):
            least, greatest = 0, 0  # nearer than the run tells one place from another
        at = tuple(inputs[[least, greatest]].tolist())
        found[name] = Extremes(float(column[least]), float(column[greatest]), at, SAMPLED)
    return found
