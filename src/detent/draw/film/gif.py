"""A trajectory as moving pictures: the frames, a GIF of them.

Frames are spread evenly over the run, and every row of a snap is one, so that it
is seen; one frame fits all of them, so that nothing jumps. Names are in a key
below, because labels that dodge each other would dance. A marker that no joint uses leaves its path behind.
"""

from __future__ import annotations

import io
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from detent.draw.machine.joints import block_and_rod
from detent.draw.machine.machine import is_spatial, refuse_rows, scene_at
from detent.draw.machine.stage import Stage, posed, stage_of
from detent.draw.paper import png
from detent.draw.paper.page import symbol_spacing
from detent.draw.scene import palette
from detent.draw.scene.scene import Arrow, DrawnLine, Scene, Style, extent
from detent.foundation.errors import UnsupportedError
from detent.geometry.pose import matrix_of
from detent.model.document.joint_types import JOINT_TYPES
from detent.model.document.mechanism import Mechanism
from detent.record.trajectory import Trajectory

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from detent.draw.scene.scene import Points

SHORTEST, LONGEST = 2.0, 12.0  # [s] a film runs, whatever the run took
RATE = 20  # [frames/s] of a GIF: slow enough for any viewer, fast enough to look smooth
MOST = 240  # frames
LOOKED_AT, LOOKED_AT_SPATIAL = 60, 20  # frames that say how far the machine reaches
MOST_SPATIAL = 60  # frames drawn in full
CHORDS = 20  # to a circle in space: half of those of a single picture, which is sorted five times slower
STILL = 4.0  # [s] for a run that is not over time


@dataclass(frozen=True, eq=False)
class Film:
    """Rows of a trajectory to be shown, how long the film runs, and the frame that fits all."""

    mechanism: Mechanism
    stage: Stage
    trajectory: Trajectory
    rows: NDArray[np.int64]
    seconds: float
    bounds: tuple[float, float, float, float]
    spatial: bool
    traces: tuple[DrawnLine, ...]
    spacing: float | None  # between symbols, in the first frame: their size stays
    arrows: Mapping[int, Sequence[Arrow]]  # by row: forces to be shown

    def poses(self, row: int) -> dict[str, Points]:
        return _row(self.trajectory, row)

    def words(self, row: int) -> str:
        """What a frame's instant is called."""
        run = self.trajectory
        value = float(run.times[row])
        if run.times_are == "time":
            return f"t = {self._told(value)}{self._lately(value)}"
        if run.times_are == "position" and run.coordinates:
            units = run.coordinate_units
            driven = {
                joint: (float(column[row]), units.get(joint, "")) for joint, column in run.coordinates.items()
            }
            return ", ".join(f"{joint} = {_with_unit(*coordinate)}" for joint, coordinate in driven.items())
        return f"{run.times_are} = {self._told(value)}"

    def _told(self, value: float) -> str:
        """A time, or a driven coordinate, with its unit."""
        return _with_unit(value, self.trajectory.unit_of_times)

    def _lately(self, time: float) -> str:
        """What happened last, so that a film says it long enough to be read."""
        events = [event for event in self.trajectory.events if event.time <= time]
        if not events:
            return ""
        return f", {events[-1].kind} at {self._told(events[-1].time)}"

    @property
    def rows_in_full(self) -> Any:
        """Those whose pictures are drawn: fewer in space, where each is drawn anew."""
        return self.rows[:: max(1, -(-len(self.rows) // MOST_SPATIAL))] if self.spatial else self.rows

    def scene(self, row: int) -> Scene:
        """One frame."""
        arrows = self.arrows.get(row, ())
        frame = scene_at(posed(self.stage, self.poses(row)), arrows=arrows, named=False, bounds=self.bounds)
        return replace(frame, items=(*self.traces, *frame.items), note=self.words(row), spacing=self.spacing)


def _with_unit(value: float, unit: str) -> str:
    """A number for a person; an angle in degrees."""
    return f"{math.degrees(value):.1f}°" if unit == "rad" else f"{value:.3f} {unit}".rstrip()


def film(
    mechanism: Mechanism,
    trajectory: Trajectory,
    *,
    most: int = MOST,
    arrows: Mapping[int, Sequence[Arrow]] | None = None,
) -> Film:
    """A film of at most so many frames, with arrows at rows that have some."""
    count = len(trajectory.times)
    if count == 0 or not any(len(column) for column in trajectory.poses.values()):
        raise UnsupportedError(
            "the run has no poses, so there is nothing that moves", "draw a single picture"
        )
    refuse_rows(mechanism)
    stage = stage_of(mechanism)
    spatial = is_spatial(stage, mechanism.contacts)
    seconds = _seconds(trajectory)
    shown = min(count, int(most), max(2, round(seconds * RATE)))
    rows = _evenly(np.asarray(trajectory.times, dtype=float), shown)
    rows = np.union1d(rows, _frozen(trajectory)) if trajectory.times_are == "time" else rows
    traces = () if spatial else tuple(_traces(stage, trajectory))
    shown_rows = rows[:: max(1, len(rows) // (LOOKED_AT_SPATIAL if spatial else LOOKED_AT))]
    stage = replace(stage, chords=CHORDS, travel=_travel(stage, trajectory, shown_rows))
    boxes = [extent(scene_at(posed(stage, _row(trajectory, row)), named=False)) for row in shown_rows]
    boxes += [extent(Scene(traces))] if traces else []
    low, high = np.min(boxes, axis=0), np.max(boxes, axis=0)
    bounds = (float(low[0]), float(low[1]), float(high[2]), float(high[3]))
    spacing = symbol_spacing(scene_at(posed(stage, _row(trajectory, int(rows[0]))), named=False))
    return Film(mechanism, stage, trajectory, rows, seconds, bounds, spatial, traces, spacing, arrows or {})


def gif(film: Film, *, size: float = 480) -> bytes:
    """The film as an animated GIF that repeats."""
    from PIL import Image

    frames = [
        Image.open(io.BytesIO(png.write(film.scene(int(row)), size=size))).convert("RGB")
        for row in film.rows_in_full
    ]
    # One palette for all frames, or colours would flicker.
    first = frames[0].quantize(colors=255, dither=Image.Dither.NONE)
    paletted = [frame.quantize(palette=first, dither=Image.Dither.NONE) for frame in frames]
    stream = io.BytesIO()
    paletted[0].save(
        stream,
        format="GIF",
        save_all=True,
        append_images=paletted[1:],
        duration=max(20, round(1000 * film.seconds / len(frames))),
        loop=0,
        optimize=False,
    )
    return stream.getvalue()


def _travel(stage: Stage, trajectory: Trajectory, rows: Any) -> dict[str, tuple[Points, Points]]:
    """Where the blocks of slides on the frame come to: the two ends of their travel."""
    travel: dict[str, list[tuple[float, Points]]] = {}
    parts = stage.mechanism.parts
    for row in rows:
        now = posed(stage, _row(trajectory, row))
        for pair in now.pairs:
            fixed = parts[pair.first.part].fixed or parts[pair.second.part].fixed
            if fixed and JOINT_TYPES[pair.joint.type].slides:
                at = block_and_rod(now, pair)[0].at
                travel.setdefault(pair.name, []).append((float(at @ pair.axis), at))
    return {
        name: (min(points, key=lambda p: p[0])[1], max(points, key=lambda p: p[0])[1])
        for name, points in travel.items()
    }


def _row(trajectory: Trajectory, row: int) -> dict[str, Points]:
    return {part: column[row] for part, column in trajectory.poses.items()}


def _seconds(trajectory: Trajectory) -> float:
    if trajectory.times_are != "time":
        return STILL
    span = float(trajectory.times[-1] - trajectory.times[0])
    return min(max(span, SHORTEST), LONGEST)


def _evenly(times: Points, count: int) -> NDArray[np.int64]:
    """Rows nearest to evenly spaced instants; by index where times do not rise."""
    if np.any(np.diff(times) < 0) or times[0] == times[-1]:
        return np.unique(np.round(np.linspace(0, len(times) - 1, count)).astype(np.int64))
    wanted = np.linspace(times[0], times[-1], count)
    after = np.clip(np.searchsorted(times, wanted), 1, max(1, len(times) - 1))
    before = after - 1
    nearer = np.where(wanted - times[before] <= times[after] - wanted, before, after)
    return nearer.astype(np.int64)


def _frozen(trajectory: Trajectory) -> NDArray[np.int64]:
    """Rows at which something turns while time stands still: a snap, else over between two frames."""
    times = np.asarray(trajectory.times, dtype=float)
    same = np.flatnonzero(np.diff(times) == 0)
    return np.union1d(same, same + 1).astype(np.int64)


def _traces(stage: Stage, trajectory: Trajectory) -> list[DrawnLine]:
    """Paths of markers that no joint uses."""
    mechanism = stage.mechanism
    used = {end for joint in mechanism.joints.values() for end in joint.between}
    colours = palette.of_parts({name: part.fixed for name, part in mechanism.parts.items()})
    lines = []
    for part, markers in stage.markers.items():
        column = trajectory.poses.get(part)
        if column is None or mechanism.parts[part].fixed:
            continue
        back = np.linalg.inv(stage.drawn[part])
        for name, at in markers.items():
            if f"{part}.{name}" in used:
                continue
            point = back[:3, :3] @ at + back[:3, 3]
            path = np.array([(m := matrix_of(row))[:2, :3] @ point + m[:2, 3] for row in column])
            lines.append(DrawnLine(path, Style(stroke=colours[part].line, width=1.4, opacity=0.7)))
    return lines
