"""The slice of configuration space with the path drawn in it: the best explanation of a fastener.

Time runs to the right, the pawl's angle from rest upwards. Blocked angles are
grey, free ones that the path could reach white, others hatched. The path is
blue where the pawl slides, green at rest, red dashed where it snaps; a stick
and a jam are marked where it ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from detent.draw.page import SMALL, TITLE
from detent.draw.palette import INK, QUIET
from detent.draw.plot import ticks
from detent.draw.scene import Area, Disc, Item, Line, Scene, Style, Text
from detent.motion.quasistatic.fastener import Fastener
from detent.motion.quasistatic.freespace import FreeSpace, free_space
from detent.motion.quasistatic.path import along
from detent.motion.quasistatic.plan import STUCK, LegRun

WIDTH, HEIGHT = 800.0, 460.0  # [px] of one panel
LEFT, RIGHT, TOP, BELOW = 70.0, 20.0, 44.0, 54.0
COLUMNS = 360
BEYOND = 0.04  # of a leg, drawn after its end
ROOM = 0.25  # of the path's range of angles, above and below it

BLOCKED, UNREACHED = "#c9ced4", "#eef0f2"
SLIDING, RESTING, SNAPPING, ENDING = "#1f5fbf", "#2e8b57", "#c0392b", "#8b0000"


def scene_of(fastener: Fastener, legs: Sequence[LegRun], title: str = "") -> Scene:
    """One panel a leg and pawl, one below the other."""
    items: list[Item] = [Text((12.0, 8 + TITLE), title, TITLE)]
    top = TOP
    for number, leg in enumerate(legs, 1):
        for k in range(len(fastener.pawls)):
            items += _panel(fastener, leg, k, number, top)
            top += HEIGHT
    return Scene(
        tuple(items),
        title=title or "a slice of configuration space",
        paper=(WIDTH, top),
        scale_bar=False,
    )


class _Frame:
    """From time and angle to paper."""

    def __init__(self, times: tuple[float, float], angles: tuple[float, float], top: float) -> None:
        self.times, self.angles, self.top = times, angles, top
        self.bottom = top + HEIGHT - BELOW

    def place(self, t: Any, angle: Any) -> Any:
        x = LEFT + (np.asarray(t) - self.times[0]) / (self.times[1] - self.times[0]) * (WIDTH - LEFT - RIGHT)
        share = (np.asarray(angle) - self.angles[0]) / (self.angles[1] - self.angles[0])
        return np.stack(np.broadcast_arrays(x, self.bottom - share * (self.bottom - self.top)), axis=-1)


def _panel(fastener: Fastener, leg: LegRun, k: int, number: int, top: float) -> list[Item]:
    story = leg.stories[k]
    begin, end = float(leg.line.start), float(leg.end)
    end = end if end > begin else begin + 1.0
    # Where it got stuck, a little more shows what is in the way.
    end += BEYOND * (end - begin) if leg.cause in STUCK else 0.0
    path = [along(stretch) for stretch in story.stretches]
    every = np.concatenate([[0.0], *(angles for _, angles in path)])
    landed = [h.landed.angle() for h in story.happenings if h.landed is not None]
    low, high = float(min(every.min(), *landed, 0.0)), float(max(every.max(), *landed, 0.0))
    room = max(ROOM * (high - low), 0.05)
    frame = _Frame((begin, end), (low - room, high + room), top)
    times = np.linspace(begin, end, COLUMNS + 1)
    middles = (times[:-1] + times[1:]) / 2
    first = (
        story.stretches[0].begin.angle()
        if story.stretches and float(story.stretches[0].begin.t) == begin
        else 0.0
    )
    space = free_space(leg.slices[k], middles, *frame.angles, (begin, first))
    items = _background(frame, space, times)
    items += _axes(frame, leg, f"leg {number}: {fastener.pawls[k].joint}")
    return items + _path(frame, leg, k, path)


def _background(frame: _Frame, space: FreeSpace, times: Any) -> list[Item]:
    (t0, t1), (a0, a1) = frame.times, frame.angles
    items: list[Item] = [Area((_box(frame, t0, t1, a0, a1),), Style(stroke=None, fill=BLOCKED))]
    for i, column in enumerate(space.spans):
        for (low, high), reached in zip(column, space.reached[i], strict=True):
            fill = "#ffffff" if reached else UNREACHED
            ring = _box(frame, times[i], times[i + 1], low, high)
            items.append(Area((ring,), Style(stroke=fill, width=1.0, fill=fill)))
    return items


def _box(frame: _Frame, t0: float, t1: float, a0: float, a1: float) -> Any:
    return np.array([frame.place(t, a) for t, a in ((t0, a0), (t1, a0), (t1, a1), (t0, a1))])


def _path(frame: _Frame, leg: LegRun, k: int, path: list[tuple[Any, Any]]) -> list[Item]:
    items: list[Item] = []
    story = leg.stories[k]
    last = frame.times[0]
    hair = 1e-9 * (frame.times[1] - frame.times[0])  # doubles of one instant
    for times, angles in path:
        if times[0] - last > hair:
            items.append(_line(frame, [last, times[0]], [0.0, 0.0], RESTING))
        items.append(_line(frame, times, angles, SLIDING))
        last = times[-1]
    if float(leg.end) - last > hair:
        items.append(_line(frame, [last, float(leg.end)], [0.0, 0.0], RESTING))
    for happening in story.happenings:
        t, angle = float(happening.place.t), happening.place.angle()
        if happening.landed is not None:
            points = frame.place([t, t], [angle, happening.landed.angle()])
            items.append(Line(points, Style(stroke=SNAPPING, width=2.0, dash=(5.0, 3.0))))
        x, y = frame.place(t, angle)
        ended = happening.kind in ("jam", "stick", "limit")
        items.append(Disc((float(x), float(y)), 5.0 if ended else 3.0, Style(fill=ENDING if ended else INK)))
        if ended:
            items.append(Text((float(x) - 8, float(y) - 9), happening.kind, SMALL, "end", colour=ENDING))
    return items


def _line(frame: _Frame, times: Any, angles: Any, colour: str) -> Line:
    return Line(frame.place(times, angles), Style(stroke=colour, width=2.4))


def _axes(frame: _Frame, leg: LegRun, name: str) -> list[Item]:
    thin = Style(stroke=QUIET, width=1.0)
    (x0, y0), (x1, y1) = (
        frame.place(frame.times[0], frame.angles[0]),
        frame.place(frame.times[1], frame.angles[1]),
    )
    items: list[Item] = [
        Line(np.array([(x0, y1), (x0, y0), (x1, y0)]), thin),
        Text((float(x0), float(y1) - 8), name, SMALL, colour=QUIET),
        Text(((x0 + x1) / 2, y0 + 36), "time [s]", SMALL, "middle"),
        Text((18.0, (y0 + y1) / 2), "angle from rest [rad]", SMALL, "middle", turn_deg=-90.0),
    ]
    offset = leg.instant(leg.line.start) - float(leg.line.start)
    for tick in ticks(frame.times[0] + offset, frame.times[1] + offset, 9):
        x = float(frame.place(tick - offset, 0.0)[0])
        items += [
            Line(np.array([(x, y0), (x, y0 + 5)]), thin),
            Text((x, y0 + 19), f"{tick:g}", SMALL, "middle"),
        ]
    for tick in ticks(*frame.angles, 7):
        y = float(frame.place(frame.times[0], tick)[1])
        items += [
            Line(np.array([(x0 - 5, y), (x0, y)]), thin),
            Text((x0 - 8, y + 4), f"{tick:.4g}", SMALL, "end"),
        ]
    return items
