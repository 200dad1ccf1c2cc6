"""The slice of configuration space with the path drawn in it: the best explanation of a fastener.

Time runs to the right, the pawl's angle from rest upwards. Blocked angles are
grey, free ones that hang together with the path white, others light. Edges on
which friction would hold the pawl are orange. The path is green at rest, blue
where the pawl slides, red and dashed where it snaps; its events carry their names.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from detent.draw.chart.plot import PlotAxis, overlap, ticks
from detent.draw.paper import text as words
from detent.draw.paper.page import LINE, SMALL, TITLE
from detent.draw.scene.palette import INK, QUIET
from detent.draw.scene.scene import Area, DrawnDisc, DrawnLine, Item, Scene, Style, Text
from detent.foundation.progress import doing
from detent.motion.quasistatic.answer.sampled import along
from detent.motion.quasistatic.exact.legs import STUCK, LegRun
from detent.motion.quasistatic.machine.fasteners import Fastener
from detent.motion.quasistatic.slice.freespace import FreeSpace, free_space
from detent.motion.quasistatic.slice.outlines import holding, outline
from detent.motion.quasistatic.slice.table import SlicePoint
from detent.numeric.polynomial.algebraic import real

WIDTH, HEIGHT = 800.0, 460.0  # [px] of one panel
LEFT, RIGHT, ABOVE, BELOW = 70.0, 20.0, 26.0, 54.0
BEYOND = 0.04  # of a leg, drawn after its end
ROOM = 0.25  # of the path's range of angles, above and below it

SEAM = 1.2  # [px] over the border of two free cells, which would show as a pale line
BLOCKED, UNREACHED, FREE = "#c9ced4", "#e7f0ea", "#ffffff"
SLIDING, RESTING, SNAPPING, ENDING, HOLDING = "#1f5fbf", "#2e8b57", "#c0392b", "#8b0000", "#d9822b"
DASH = (5.0, 3.0)
LEGEND: tuple[tuple[str, str, bool, tuple[float, ...]], ...] = (
    # words, colour, whether a patch, dash
    ("blocked", BLOCKED, True, ()),
    ("free", FREE, True, ()),
    ("free, out of reach", UNREACHED, True, ()),
    ("at rest", RESTING, False, ()),
    ("slides", SLIDING, False, ()),
    ("snaps", SNAPPING, False, DASH),
    ("an edge where it would stick", HOLDING, False, ()),
)


def slice_scene(fastener: Fastener, legs: Sequence[LegRun], title: str = "") -> Scene:
    """One panel per leg and pawl, one below the other."""
    lines = words.wrap(title, TITLE, WIDTH - 24) if title else []
    items: list[Item] = [
        Text((12.0, 8 + TITLE + k * LINE * TITLE), line, TITLE) for k, line in enumerate(lines)
    ]
    top = 12.0 + LINE * TITLE * len(lines)
    legend, top = _legend(top)
    items += legend
    for number, leg in enumerate(legs, 1):
        for k, pawl in enumerate(fastener.pawls):
            with doing(f"slice of {pawl.joint}, leg {number} of {len(legs)}"):
                items += _panel(fastener, leg, k, number, top + ABOVE)
            top += HEIGHT
    return Scene(
        tuple(items),
        title=title or "a slice of configuration space",
        paper=(WIDTH, top),
        scale_bar=False,
    )


def _legend(top: float) -> tuple[list[Item], float]:
    """What the colours mean, in rows; and where it ends."""
    items: list[Item] = []
    x, y = LEFT, top + SMALL
    for name, colour, patch, dash in LEGEND:
        need = 28 + words.width(name, SMALL) + 16
        if x + need > WIDTH - RIGHT:
            x, y = LEFT, y + LINE * SMALL
        if patch:
            ring = np.array([(x, y - 10), (x + 20, y - 10), (x + 20, y), (x, y)])
            items.append(Area((ring,), Style(stroke=QUIET, width=0.8, fill=colour)))
        else:
            items.append(
                DrawnLine(np.array([(x, y - 5), (x + 20, y - 5)]), Style(stroke=colour, width=2.4, dash=dash))
            )
        items.append(Text((x + 26, y), name, SMALL))
        x += need
    return items, y + 8


class _Frame:
    """From time and angle to paper."""

    def __init__(self, times: tuple[float, float], angles: tuple[float, float], top: float) -> None:
        self.times, self.angles, self.top = times, angles, top
        self.bottom = top + HEIGHT - ABOVE - BELOW

    def place(self, t: Any, angle: Any) -> Any:
        x = LEFT + (np.asarray(t) - self.times[0]) / (self.times[1] - self.times[0]) * (WIDTH - LEFT - RIGHT)
        share = (np.asarray(angle) - self.angles[0]) / (self.angles[1] - self.angles[0])
        return np.stack(np.broadcast_arrays(x, self.bottom - share * (self.bottom - self.top)), axis=-1)


def _panel(fastener: Fastener, leg: LegRun, k: int, number: int, top: float) -> list[Item]:
    pawl_run = leg.pawl_runs[k]
    begin, end = float(leg.line.start), float(leg.end)
    end = end if end > begin else begin + 1.0
    # Where it got stuck, a little more shows what is in the way.
    end += BEYOND * (end - begin) if leg.cause in STUCK else 0.0
    path = [along(stretch) for stretch in pawl_run.stretches]
    every = np.concatenate([[0.0], *(angles for _, angles in path)])
    # A snap at the very start leaves an angle that no stretch has.
    events = [p.angle() for h in pawl_run.events for p in (h.place, h.landed) if p is not None]
    low, high = float(min(every.min(), *events, 0.0)), float(max(every.max(), *events, 0.0))
    room = max(ROOM * (high - low), 0.05)
    frame = _Frame((begin, end), (low - room, high + room), top)
    space = free_space(leg.slices[k], _start(leg, k), Fraction(end), _charts(frame.angles))
    items = _background(frame, space)
    items += _axes(frame, leg, f"leg {number}: {fastener.pawls[k].joint}", fastener.units.time.strip())
    drawn = _path(frame, leg, k, path)
    return items + drawn + _names(frame, leg, k, [item for item in drawn if isinstance(item, DrawnLine)])


def _start(leg: LegRun, k: int) -> SlicePoint:
    pawl_run = leg.pawl_runs[k]
    if pawl_run.events and pawl_run.events[0].place.t == leg.line.start:
        return pawl_run.events[0].place
    if pawl_run.stretches and pawl_run.stretches[0].begin.t == leg.line.start:
        return pawl_run.stretches[0].begin
    return SlicePoint(leg.line.start, 0, real(0))


def _charts(angles: tuple[float, float]) -> range:
    """A full turn at least, since a path round may join what a window divides."""
    low, high = (round(angle / math.pi) for angle in angles)
    return range(min(low, -1), max(high, 1) + 1)


def _background(frame: _Frame, space: FreeSpace) -> list[Item]:
    (t0, t1), (a0, a1) = frame.times, frame.angles
    whole = np.array([(t0, a0), (t1, a0), (t1, a1), (t0, a1)])
    items: list[Item] = [Area((_placed(frame, whole),), Style(stroke=None, fill=BLOCKED))]
    for k, cell in enumerate(space.cells):
        ring = outline(space, cell)
        if ring[:, 1].max() > a0 and ring[:, 1].min() < a1:
            fill = FREE if k in space.reached else UNREACHED
            items.append(Area((_placed(frame, ring),), Style(stroke=fill, width=SEAM, fill=fill)))
    for line in holding(space):
        shown = line[(line[:, 1] >= a0) & (line[:, 1] <= a1)]  # angles run one way along a wall
        if len(shown) > 1:
            items.append(DrawnLine(_placed(frame, shown), Style(stroke=HOLDING, width=3.4)))
    return items


def _placed(frame: _Frame, points: Any) -> Any:
    """On paper, what lies beyond the frame moved to its rim."""
    return frame.place(np.clip(points[:, 0], *frame.times), np.clip(points[:, 1], *frame.angles))


def _path(frame: _Frame, leg: LegRun, k: int, path: list[tuple[Any, Any]]) -> list[Item]:
    items: list[Item] = []
    pawl_run = leg.pawl_runs[k]
    last = frame.times[0]
    hair = 1e-9 * (frame.times[1] - frame.times[0])  # doubles of one instant
    for times, angles in path:
        if times[0] - last > hair:
            items.append(_line(frame, [last, times[0]], [0.0, 0.0], RESTING))
        items.append(_line(frame, times, angles, SLIDING))
        last = times[-1]
    if float(leg.end) - last > hair:
        items.append(_line(frame, [last, float(leg.end)], [0.0, 0.0], RESTING))
    for event in pawl_run.events:
        t, angle = float(event.place.t), event.place.angle()
        if event.landed is not None:
            points = frame.place([t, t], [angle, event.landed.angle()])
            items.append(DrawnLine(points, Style(stroke=SNAPPING, width=2.0, dash=DASH)))
        x, y = frame.place(t, angle)
        ended = event.kind in STUCK
        items.append(
            DrawnDisc((float(x), float(y)), 5.0 if ended else 3.0, Style(fill=ENDING if ended else INK))
        )
    return items


def _names(frame: _Frame, leg: LegRun, k: int, lines: list[DrawnLine]) -> list[Item]:
    """The events' names beside their points, on no other name, and off the path where there is room."""
    items: list[Item] = []
    taken: list[_Room] = []
    path = np.concatenate([_dense(line.points) for line in lines]) if lines else np.zeros((0, 2))
    # The one that ends the leg has the first choice.
    for event in reversed(leg.pawl_runs[k].events):
        x, y = (float(c) for c in frame.place(float(event.place.t), event.place.angle()))
        wide = words.width(event.kind, SMALL)
        rooms = [
            (left, y + up - SMALL, left + wide, y + up + 3)
            for up in (-9, 19, -24, 34, -39, 49)
            for left in (x - wide - 7, x + 7, x - wide / 2)
        ]
        inside = [
            r for r in rooms if r[0] > LEFT and r[2] < WIDTH and r[1] >= frame.top and r[3] <= frame.bottom
        ]
        alone = [r for r in inside if not any(overlap(r, other) for other in taken)]
        if not alone:
            continue
        room = min(alone, key=lambda r: int(_within(r, path)))
        taken.append(room)
        colour = ENDING if event.kind in STUCK else INK
        items.append(Text((room[0], room[3] - 3), event.kind, SMALL, colour=colour))
    return items


_Room = tuple[float, float, float, float]


def _within(room: _Room, points: Any) -> bool:
    x, y = points.T
    return bool(((x > room[0] - 2) & (x < room[2] + 2) & (y > room[1]) & (y < room[3])).any())


def _dense(points: Any) -> Any:
    """Points along a line on paper, close enough that none of its strokes passes a word unseen."""
    steps = np.hypot(*np.diff(points, axis=0).T)
    along = np.concatenate([[0.0], np.cumsum(steps)])
    at = np.linspace(0.0, along[-1], max(2, int(along[-1] / 4)))
    return np.stack([np.interp(at, along, points[:, c]) for c in range(2)], axis=1)


def _line(frame: _Frame, times: Any, angles: Any, colour: str) -> DrawnLine:
    return DrawnLine(frame.place(times, angles), Style(stroke=colour, width=2.4))


def _axes(frame: _Frame, leg: LegRun, name: str, time_unit: str) -> list[Item]:
    thin = Style(stroke=QUIET, width=1.0)
    (x0, y0), (x1, y1) = (
        frame.place(frame.times[0], frame.angles[0]),
        frame.place(frame.times[1], frame.angles[1]),
    )
    items: list[Item] = [
        DrawnLine(np.array([(x0, y1), (x0, y0), (x1, y0)]), thin),
        Text((float(x0), float(y1) - 8), name, SMALL, colour=QUIET),
        Text(((x0 + x1) / 2, y0 + 36), PlotAxis("time", time_unit).words(), SMALL, "middle"),
        Text((18.0, (y0 + y1) / 2), "angle from rest [°]", SMALL, "middle", turn_deg=-90.0),
    ]
    offset = leg.instant(leg.line.start) - float(leg.line.start)
    for tick in ticks(frame.times[0] + offset, frame.times[1] + offset, 9):
        x = float(frame.place(tick - offset, 0.0)[0])
        items += [
            DrawnLine(np.array([(x, y0), (x, y0 + 5)]), thin),
            Text((x, y0 + 19), f"{tick:g}", SMALL, "middle"),
        ]
    least, greatest = (math.degrees(angle) for angle in frame.angles)
    for tick in ticks(least, greatest, 7):
        y = float(frame.place(frame.times[0], math.radians(tick))[1])
        items += [
            DrawnLine(np.array([(x0 - 5, y), (x0, y)]), thin),
            Text((x0 - 8, y + 4), f"{tick:.4g}", SMALL, "end"),
        ]
    return items
