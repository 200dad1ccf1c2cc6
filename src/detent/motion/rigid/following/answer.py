"""The answer of `move` that follows contact: a Motion, read from its run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from detent.motion.rigid.following.course import SNAP
from detent.motion.rigid.following.following_run import NAME, FollowingRun, marker_tracks
from detent.record.motion import SAMPLED, SLIDE, TURN, Extremes, Motion

if TYPE_CHECKING:
    from detent.record.run import Run


def motion_of(run: Run) -> Motion:
    """The answer at the positions of the drives."""
    evidence: FollowingRun = run.evidence
    places = evidence.rows()
    poses, tracks = marker_tracks(evidence, places)
    series, components, peaks = _drive_forces(evidence, places)
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
        forces=series,
        force_components=components,
        force_peaks=peaks,
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


def _drive_forces(run: FollowingRun, places: Any) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """What each driven coordinate takes, where springs, weights or torques act; with its extremes."""
    course, plan = run.course, run.plan
    balance = course.balance
    if not balance.pulls() or run.nowhere:
        return {}, {}, {}
    count = len(plan.coordinates)
    nodes = np.array(
        [held[-count:] if len(held) >= count else np.full(count, np.nan) for held in course.drive_forces]
    )
    open_ones = np.array(
        [loose[-count:] if len(loose) >= count else np.zeros(count, np.bool_) for loose in course.open_forces]
    )
    stopped = run.cause in ("jam", "blocked", "stick", "limit")
    at = np.searchsorted(np.array(course.places), places + 1e-12, side="right") - 1
    plain = run.mechanism.units == "1"
    series: dict[str, Any] = {}
    components: dict[str, Any] = {}
    peaks: dict[str, Any] = {}
    for k, coordinate in enumerate(plan.coordinates):
        values = np.where(open_ones[:, k], np.nan, nodes[:, k] / balance.unit(coordinate))
        name = f"drive {plan.shown[k]}"
        unit = "" if plain else " [N]" if plan.lengths[k] else " [N m]"
        series[name] = values[at]
        side = int(np.sign(plan.rates(run.end)[k]))  # it pushes on the way it goes
        if stopped:
            series[name][-1] = np.copysign(np.inf, side)
        components[name] = (f"{'along' if plan.lengths[k] else 'torque'}{unit}",)
        if not np.isnan(values).all():
            least, most = float(np.nanmin(values)), float(np.nanmax(values))
            peaks[name] = {"least": least, "most": most, "sampled": True}
        if open_ones[:, k].any():  # contacts that stick share a load with it in more than one way
            peaks[name] = {"sampled": True, "undetermined": list(components[name])}
        if stopped:
            why = {"at": run.time(run.end), "why": "it is held there"}
            missing = np.flatnonzero(~np.isfinite(series[name]))
            toward = [side if i == len(series[name]) - 1 else 0 for i in missing]
            peaks[name] = {"unbounded": True, **why, "toward": toward}
    return series, components, peaks
