"""A linkage that moved: its first position with the curves of its markers, and its charts."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from detent.draw.chart.plot import Panel, PlotAxis, PlotMark, Series, Spot, plot_scene
from detent.draw.machine.machine import machine_scene
from detent.draw.scene import palette
from detent.draw.scene.scene import DrawnLine, Item, Scene, Style
from detent.foundation.units import unit_names
from detent.model.document.mechanism import Mechanism
from detent.model.machine.graph import part_of
from detent.record.motion import Motion

CURVE = 1.2  # [px]
# Places of a curve; more where a part turns by more than that [rad] between them, up to a hundred turns.
PLACES, LARGEST_TURN, MOST_PLACES = 360, math.radians(5), 7200
EVEN = 1e-6  # [degrees] from a straight line
MOST_LINES = 6  # in a panel: more cannot be distinguished


def motion_scene(mechanism: Mechanism, motion: Motion) -> Scene:
    """The mechanism at the first position reached, with the track of every marker behind it."""
    poses = {name: track[0] for name, track in motion.poses.items() if len(track)}
    scene = machine_scene(mechanism, poses or None)
    colours = palette.of_parts({name: part.fixed for name, part in mechanism.parts.items()})
    tracks: list[Item] = []
    for name, track in _tracks(motion).items():
        if len(track) < 2 or np.ptp(track, axis=0).max() == 0:
            continue
        part = part_of(name)
        style = Style(stroke=colours[part].line, width=CURVE, dash=(3, 2))
        tracks.append(DrawnLine(np.asarray(track), style, owner=part))
    return replace(scene, items=(*tracks, *scene.items))


def _tracks(motion: Motion) -> Mapping[str, Any]:
    """The curve of every marker, between the positions too: through few positions it would be a polygon."""
    if not motion.has_run or motion.method != "kinematic" or len(motion.inputs) < 2:
        return motion.markers
    evidence = motion.run.evidence
    turns = [e.greatest - e.least for name, e in motion.extremes.items() if name.startswith("turn ")]
    places = min(MOST_PLACES, max(PLACES, math.ceil(max(turns, default=0.0) / LARGEST_TURN)))
    if evidence.walk is None or len(motion.inputs) > places:
        return motion.markers
    tracks = evidence.tracks(places)
    return {name: tracks.get(name, track) for name, track in motion.markers.items()}


def chart_of_motion(mechanism: Mechanism, motion: Motion, *, markers: Sequence[str] = ()) -> Scene:
    """Rotations, speeds, accelerations, transmission angles and the drive's force, over the drive.

    Without `markers` those are shown that no joint holds, and where every marker is
    held, those of joints that move.
    """
    along, across = _across(motion)
    shown = list(markers) or _markers_to_show(mechanism, motion)
    length = unit_names(motion.units).length.strip()
    rate = motion.rate_unit or "unit"
    per, per_again = f"{length or 'unit'}/{rate}", f"{length or 'unit'}/{rate}²"
    panels = [
        Panel(PlotAxis("rotation", "°"), _rotations(mechanism, motion, along)),
        Panel(PlotAxis("speed", per), _lengths(motion.velocities, shown, along)),
        Panel(PlotAxis("acceleration", per_again), _lengths(motion.accelerations, shown, along)),
        Panel(
            PlotAxis("transmission angle", "°"),
            tuple(
                Series(name, along, np.degrees(np.asarray(angles, dtype=float)))
                for name, angles in list(motion.transmission.items())[:MOST_LINES]
            ),
        ),
        *_drive_panels(motion, along),
    ]
    reached = (min(along), max(along)) if len(along) else (0.0, 0.0)  # beyond, there is nothing to mark
    by_drive = motion.times is None and np.ndim(motion.inputs) == 1
    marks = [PlotMark(_at(p.input, motion), p.kind) for p in motion.limit_points if by_drive]
    marks = [mark for mark in marks if reached[0] <= mark.x <= reached[1]]
    kept = [panel for panel in panels if panel.series]
    return plot_scene(kept, across, title=motion.title, marks=marks)


def _drive_panels(motion: Motion, along: Any) -> list[Panel]:
    """What the drives give, a panel per unit; a driven marker's by its length; an arrow where unbounded."""
    lines: dict[str, list[Series]] = {}
    spots: dict[str, list[Spot]] = {}
    for name, (component, *more) in motion.force_components.items():
        if not name.startswith("drive "):
            continue
        unit = component.partition("[")[2].removesuffix("]")
        values, label = np.asarray(motion.forces[name], dtype=float), name.removeprefix("drive ")
        if more:
            values, label = np.hypot(*values.T), f"{label}, length"
        lines.setdefault(unit, []).append(Series(label, along, values))
        for end, column in zip(("least", "most"), _range_columns(motion, name), strict=False):
            lines[unit].append(Series(f"{label}, {end}", along, column))
        spots.setdefault(unit, []).extend(_boundless(motion, name, along, values))
    return [
        Panel(PlotAxis("drive", unit), tuple(series[:MOST_LINES]), tuple(spots[unit]))
        for unit, series in lines.items()
    ]


def _range_columns(motion: Motion, name: str) -> list[Any]:
    """The least and the most of a drive where statics leaves open what it takes; gaps where it does not."""
    if name not in motion.force_ranges:
        return []
    ranges = np.asarray(motion.force_ranges[name], dtype=float)
    shown = np.isfinite(ranges) & np.isnan(np.asarray(motion.forces[name], dtype=float))[:, None]
    return list(np.where(shown, ranges, np.nan).T)


def _boundless(motion: Motion, name: str, along: Any, values: Any) -> list[Spot]:
    """Where a force has no bound: beyond the side of the panel to which it grows."""
    if not motion.force_peaks[name].get("unbounded"):
        return []
    missing = np.flatnonzero(~np.isfinite(values))
    toward = motion.force_peaks[name].get("toward", [1] * len(missing))  # a driven marker's is a length
    return [
        Spot(float(along[i]), float(np.copysign(np.inf, side)), "no bound")
        for i, side in zip(missing, toward, strict=True)
        if side
    ]


def _across(motion: Motion) -> tuple[Any, PlotAxis]:
    """The horizontal axis of the charts: time, the drive's coordinate, or the number of the position."""
    if motion.times is not None:
        return np.asarray(motion.times, dtype=float), PlotAxis("time", unit_names(motion.units).time.strip())
    inputs = np.asarray(motion.inputs, dtype=float)
    if inputs.ndim > 1:
        return _places(motion, inputs), PlotAxis("position")
    unit = "°" if motion.turning else motion.coordinate_units[0]
    return np.degrees(inputs) if motion.turning else inputs, PlotAxis(motion.drives[0], unit)


def _places(motion: Motion, inputs: Any) -> Any:
    """Numbers of the positions; one where it stopped between two of them lies there."""
    places = np.arange(len(inputs), dtype=float)
    if motion.has_run and motion.method == "following":
        return np.asarray(motion.run.evidence.rows() - motion.run.evidence.lead)
    if motion.has_run and motion.stop == "limit" and motion.method == "kinematic":
        return np.minimum(places, motion.run.evidence.end)
    return places


def _at(coordinate: float, motion: Motion) -> float:
    return float(np.degrees(coordinate)) if motion.turning else float(coordinate)


def _markers_to_show(mechanism: Mechanism, motion: Motion) -> list[str]:
    held = {end for joint in mechanism.joints.values() for end in joint.between}
    moving = [n for n, track in motion.markers.items() if len(track) and np.ptp(track, axis=0).max() > 0]
    free = [name for name in moving if name not in held]
    return (free or _once(motion, moving))[:MOST_LINES]


def _once(motion: Motion, names: list[str]) -> list[str]:
    """Of markers that move as one, the first."""
    seen: set[bytes] = set()
    kept = []
    for name in names:
        key = np.round(np.asarray(motion.markers[name]), 9).tobytes()
        if key not in seen:
            seen.add(key)
            kept.append(name)
    return kept


def _rotations(mechanism: Mechanism, motion: Motion, along: Any) -> tuple[Series, ...]:
    """Angle of each part from the first position; one that turns evenly, as the driven one, is left out."""
    series = []
    for name, poses in motion.poses.items():
        angles = np.degrees(np.asarray(poses, dtype=float)[:, 2])
        if mechanism.parts[name].fixed or len(angles) < 2 or np.ptp(angles - _straight(along, angles)) < EVEN:
            continue
        series.append(Series(name, along, angles - angles[0]))
    return tuple(series[:MOST_LINES])


def _straight(along: Any, angles: Any) -> Any:
    """The straight line from the first to the last angle."""
    span = along[-1] - along[0]
    return angles[0] + (angles[-1] - angles[0]) * ((along - along[0]) / span if span else 0.0)


def _lengths(tracks: Mapping[str, Any], names: Sequence[str], along: Any) -> tuple[Series, ...]:
    """Speed without direction; a gap where a dead point leaves it without bound."""
    return tuple(
        Series(name, along, np.hypot(*tracks[name].T))
        for name in names
        if name in tracks and len(tracks[name]) == len(along)
    )
