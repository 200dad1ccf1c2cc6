"""Line plots: named axes with units, a legend beside the data, gaps left open.

Panels are one above the other over one horizontal axis, each with its own
quantity. A value that is not finite is a gap: the line stops there and goes on
after it. Vertical marks show events. The plot is a scene on paper, written by the
same SVG and PNG writers as a machine.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from detent.draw.chart.shading import Shade, shade_items
from detent.draw.paper import text as words
from detent.draw.paper.page import LINE, SMALL, TITLE
from detent.draw.scene.palette import HUES, INK, QUIET, mix
from detent.draw.scene.scene import Area, DrawnDisc, DrawnLine, Item, Scene, Style, Text
from detent.foundation.errors import UnsupportedError

if TYPE_CHECKING:
    from detent.draw.scene.scene import Points

GRID = "#e3e6e9"
BOUNDLESS = "#8b0000"  # of a value without bound
ARROW = 22.0  # [px] of its arrow
DASHES: tuple[tuple[float, ...], ...] = ((), (8.0, 4.0), (2.0, 3.0), (9.0, 3.0, 2.0, 3.0))
LEFT, RIGHT, BELOW, GAP = 74.0, 22.0, 52.0, 26.0  # [px] around the panels
SAMPLED = "straight between samples"  # how lines go, said below a plot that has some
PLAIN = (1e-2, 1e5)  # between these, numbers are written without a power of ten


@dataclass(frozen=True)
class PlotAxis:
    """What is measured, and in what; the unit may be empty."""

    name: str
    unit: str = ""

    def words(self, power: int = 0) -> str:
        factor = f"10{_superscript(power)} " if power else ""
        unit = f"{factor}{self.unit}".strip()
        return f"{self.name} [{unit}]" if unit else self.name


@dataclass(frozen=True, eq=False)
class Series:
    """A line, or dots: equally many x and y; a y that is not finite is a gap."""

    name: str
    x: Any
    y: Any
    dots: bool = False


@dataclass(frozen=True)
class Spot:
    """A point of a panel with a word; an infinite y is an arrow at its top or bottom: no bound."""

    x: float
    y: float
    text: str


@dataclass(frozen=True, eq=False)
class Panel:
    """Lines that share a vertical axis; `names` stand there instead of the numbers 1, 2, 3, …, from above."""

    y: PlotAxis
    series: tuple[Series, ...]
    spots: tuple[Spot, ...] = ()
    names: tuple[str, ...] = ()
    areas: tuple[Any, ...] = ()  # rings (n, 2) below the lines, in the first one's tint


@dataclass(frozen=True)
class PlotMark:
    """An instant, with a word."""

    x: float
    text: str


def plot_scene(
    panels: Sequence[Panel],
    x: PlotAxis,
    *,
    title: str = "",
    marks: Sequence[PlotMark] = (),
    shades: Sequence[Shade] = (),
    margin: float = 0.0,
    width: float = 800.0,
    height: float | None = None,
    lines: str = SAMPLED,
) -> Scene:
    """The plot; `height` follows the number of panels unless given [px], `margin` is a share beside the data.

    `lines` says how they go between their points; empty for polygons, which have no more points than corners.
    """
    shown = [_finite(panel) for panel in panels]
    if not any(len(points) for panel in shown for points in panel):
        raise UnsupportedError("there is nothing to plot: no finite value", "ask for something that varies")
    spans = [
        (len(panel.names) + 0.5, 0.5) if panel.names else _span([p[:, 1] for p in points if len(p)])
        for panel, points in zip(panels, shown, strict=True)
    ]
    if shades:  # room for their words
        spans[0] = spans[0][0], spans[0][1] + 0.2 * (spans[0][1] - spans[0][0])
    left = max(LEFT, *(words.width(name, SMALL) + 44 for panel in panels for name in ("", *panel.names)))
    every = [p[:, 0] for panel in shown for p in panel if len(p)]
    across = _tight([*every, *([np.array([m.x for m in marks])] if marks else [])])
    across = across[0] - margin * (across[1] - across[0]), across[1] + margin * (across[1] - across[0])
    top = 10.0 + LINE * TITLE * len(words.wrap(title, TITLE, width - 24)) + _marks_height(marks)
    legends = [_legend_rows(panel, width) for panel in panels]
    extra = [LINE * SMALL * len(rows) + 6 for rows in legends]
    high = height or top + BELOW + sum(extra) + len(panels) * (300.0 if len(panels) == 1 else 190.0)
    each = (high - top - BELOW - sum(extra) - GAP * (len(panels) - 1)) / len(panels)
    items: list[Item] = [
        Text((12.0, 8 + TITLE + k * LINE * TITLE), line, TITLE)
        for k, line in enumerate(words.wrap(title, TITLE, width - 24))
    ]
    y = top
    for k, panel in enumerate(panels):
        items.extend(_legend(legends[k], y, panel))
        y += extra[k]
        box = _Box(left, y, width - RIGHT, y + each, across, spans[k])
        last = k == len(panels) - 1
        items.extend(shade_items(box, shades, told=k == 0))
        tint = Style(stroke=None, fill=mix(colour(0), "#ffffff", 0.8))
        items.extend(Area((box.place(np.array(ring, float)),), tint) for ring in panel.areas)
        items.extend(_axes(box, x if last else None, panel))
        items.extend(_marks(box, marks, top if k == 0 else None))
        for n, points in enumerate(_gapped(panel)):
            items.extend(_line(box, points, n, panel.series[n].dots))
        items.extend(_spots(box, panel.spots))
        y += each + GAP
    if any(not panel.names and not all(line.dots for line in panel.series) for panel in panels):
        items.append(Text((width - RIGHT, y - GAP + 38), lines, SMALL, "end", colour=QUIET))
    return Scene(tuple(items), title=title or "a plot", paper=(width, math.ceil(high)), scale_bar=False)


def colour(index: int) -> str:
    """Of the n-th line: dark enough on white."""
    return mix(HUES[index % len(HUES)], "#000000", 0.12)


def ticks(low: float, high: float, most: int) -> list[float]:
    """Round numbers from low to high, at most `most` of them and at least two."""
    raw = (high - low) / max(most - 1, 1)
    power = 10.0 ** math.floor(math.log10(raw))
    steps = [m * power for m in (0.1, 0.2, 0.5, 1.0, 2.0, 2.5, 5.0, 10.0)]
    fits = next(i for i, step in enumerate(steps) if step >= raw * (1 - 1e-9))
    for step in steps[fits::-1]:
        first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
        # A step that leaves a single number says nothing of the scale: take a smaller one.
        if last > first:
            break
    return [k * step for k in range(first, last + 1)]


@dataclass(frozen=True)
class _Box:
    """A panel on paper, and the values at its sides."""

    x0: float
    y0: float
    x1: float
    y1: float
    across: tuple[float, float]
    up: tuple[float, float]

    def place(self, points: Points) -> Points:
        out = np.empty_like(points)
        out[:, 0] = self.x0 + (points[:, 0] - self.across[0]) * (self.x1 - self.x0) / (
            self.across[1] - self.across[0]
        )
        out[:, 1] = self.y1 - (points[:, 1] - self.up[0]) * (self.y1 - self.y0) / (self.up[1] - self.up[0])
        return out


def _axes(box: _Box, x: PlotAxis | None, panel: Panel) -> list[Item]:
    thin, frame = Style(stroke=GRID, width=1.0), Style(stroke=QUIET, width=1.2)
    items: list[Item] = []
    across = ticks(*box.across, most=10)
    up = [k + 1.0 for k in range(len(panel.names))]
    if not up:
        up = ticks(*box.up, most=max(3, min(7, int((box.y1 - box.y0) / 36))))
    power_x, power_y = _power(across), _power(up)
    for tick in across:
        at = float(box.place(np.array([[tick, box.up[0]]]))[0, 0])
        items.append(DrawnLine(np.array([(at, box.y0), (at, box.y1)]), thin))
        if x is not None:
            items.append(Text((at, box.y1 + 17), _number(tick, across, power_x), SMALL, "middle"))
    for k, tick in enumerate(up):
        told = panel.names[k] if panel.names else _number(tick, up, power_y)
        at = float(box.place(np.array([[box.across[0], tick]]))[0, 1])
        items.append(DrawnLine(np.array([(box.x0, at), (box.x1, at)]), thin))
        items.append(Text((box.x0 - 7, at + 4), told, SMALL, "end"))
    items.append(DrawnLine(np.array([(box.x0, box.y0), (box.x0, box.y1), (box.x1, box.y1)]), frame))
    if x is not None:
        items.append(Text(((box.x0 + box.x1) / 2, box.y1 + 38), x.words(power_x), SMALL + 1, "middle"))
    name = words.shorten(panel.y.words(power_y), SMALL + 1, box.y1 - box.y0 + GAP)
    items.append(Text((18.0, (box.y0 + box.y1) / 2), name, SMALL + 1, "middle", turn_deg=-90.0))
    return items


def _line(box: _Box, runs: list[Points], index: int, dots: bool) -> list[Item]:
    dash = DASHES[(index // len(HUES)) % len(DASHES)]
    style = Style(stroke=colour(index), width=2.0, dash=dash)
    items: list[Item] = []
    for run in runs:
        placed = _thinned(box.place(run), box.x1 - box.x0)
        if dots or len(run) == 1:
            filled = Style(stroke=None, fill=colour(index))
            items += [DrawnDisc((float(x), float(y)), 3.0, filled) for x, y in placed]
        else:
            items.append(DrawnLine(placed, style))
    return items


def _thinned(points: Points, wide: float) -> Points:
    """No more points than can be seen: the lowest and highest of each half pixel, in order."""
    most = int(4 * wide)
    if len(points) <= most or np.any(np.diff(points[:, 0]) < 0):
        return points
    bucket = np.floor(2 * points[:, 0]).astype(int)
    starts = np.flatnonzero(np.diff(bucket, prepend=bucket[0] - 1))
    ends = np.append(starts[1:], len(points))
    kept: set[int] = {0, len(points) - 1}
    for start, end in zip(starts, ends, strict=True):
        values = points[start:end, 1]
        kept.update((int(start + values.argmin()), int(start + values.argmax())))
    return points[sorted(kept)]


def _marks_height(marks: Sequence[PlotMark]) -> float:
    return 2 * LINE * SMALL + 4 if marks else 0.0


def _marks(box: _Box, marks: Sequence[PlotMark], top: float | None) -> list[Item]:
    """Dashed lines; their words above the first panel, in two rows, left out where both are full."""
    items: list[Item] = []
    ends = [-math.inf, -math.inf]
    for mark in sorted(marks, key=lambda m: m.x):
        at = float(box.place(np.array([[mark.x, box.up[0]]]))[0, 0])
        items.append(
            DrawnLine(np.array([(at, box.y0), (at, box.y1)]), Style(stroke=QUIET, width=1.0, dash=(3.0, 3.0)))
        )
        if top is None or not mark.text:
            continue
        half = words.width(mark.text, SMALL - 1) / 2
        middle = min(max(at, half + 4), box.x1 + RIGHT - half - 4)
        row = next((r for r in (0, 1) if middle - half > ends[r] + 6), None)
        if row is not None:
            ends[row] = middle + half
            y = top - 8 - row * LINE * SMALL
            items.append(Text((middle, y), mark.text, SMALL - 1, "middle", colour=QUIET))
    return items


def _spots(box: _Box, spots: Sequence[Spot]) -> list[Item]:
    """Points and arrows with their words beside them, left out where they would cover others."""
    items: list[Item] = []
    taken: list[tuple[float, float, float, float]] = []
    for spot in spots:
        boundless = math.isinf(spot.y)
        x, y = (float(c) for c in box.place(np.array([[spot.x, 0.0 if boundless else spot.y]]))[0])
        if boundless:
            tip, back = (box.y0, 1.0) if spot.y > 0 else (box.y1, -1.0)
            y = tip + back * ARROW
            style = Style(stroke=BOUNDLESS, width=2.0)
            head = np.array([(x - 5, tip + 8 * back), (x, tip), (x + 5, tip + 8 * back)])
            items += [DrawnLine(np.array([(x, y), (x, tip)]), style), DrawnLine(head, style)]
        else:
            items.append(DrawnDisc((x, y), 3.0, Style(stroke=None, fill=INK)))
        wide = words.width(spot.text, SMALL)
        for left, up in (
            (x + 8, y - 4),
            (x - 8 - wide, y - 4),
            (x + 8, y + SMALL + 4),
            (x - 8 - wide, y + SMALL + 4),
        ):
            room = (left, up - SMALL, left + wide, up + 3)
            inside = box.x0 < left and left + wide < box.x1 and box.y0 - 2 <= room[1] and room[3] <= box.y1
            if inside and not any(overlap(room, other) for other in taken):
                taken.append(room)
                colour_ = BOUNDLESS if boundless else INK
                items.append(Text((left, up), spot.text, SMALL, colour=colour_))
                break
    return items


def overlap(a: tuple[float, float, float, float], b: tuple[float, float, float, float]) -> bool:
    """Whether two boxes on paper cover a common place."""
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def _legend_rows(panel: Panel, width: float) -> list[list[tuple[float, int, str]]]:
    """(x, index, name) in rows; none for lines beside their names, or a lone one that the axis names."""
    if panel.names or (len(panel.series) == 1 and panel.series[0].name in ("", panel.y.name)):
        return []
    rows: list[list[tuple[float, int, str]]] = []
    x = width
    for index, series in enumerate(panel.series):
        name = words.shorten(series.name, SMALL, width - LEFT - RIGHT - 40)
        need = 30 + words.width(name, SMALL) + 18
        if x + need > width - RIGHT:
            rows.append([])
            x = LEFT
        rows[-1].append((x, index, name))
        x += need
    return rows


def _legend(rows: list[list[tuple[float, int, str]]], top: float, panel: Panel) -> list[Item]:
    items: list[Item] = []
    for k, row in enumerate(rows):
        y = top + LINE * SMALL * k + SMALL
        for x, index, name in row:
            dash = DASHES[(index // len(HUES)) % len(DASHES)]
            if panel.series[index].dots:
                items.append(DrawnDisc((x + 11, y - 4), 3.0, Style(stroke=None, fill=colour(index))))
            else:
                stroke = Style(stroke=colour(index), width=2.4, dash=dash)
                items.append(DrawnLine(np.array([(x, y - 4), (x + 22, y - 4)]), stroke))
            items.append(Text((x + 29, y), name, SMALL, colour=INK))
    return items


def _points(series: Series) -> Points:
    x, y = np.asarray(series.x, dtype=float), np.asarray(series.y, dtype=float)
    return np.stack([x, y], axis=1)


def _finite(panel: Panel) -> list[Points]:
    return [p[np.isfinite(p).all(axis=1)] for p in map(_points, panel.series)]


def _gapped(panel: Panel) -> list[list[Points]]:
    """Each line as its unbroken runs."""
    lines = []
    for points in map(_points, panel.series):
        good = np.isfinite(points).all(axis=1)
        cuts = np.flatnonzero(np.diff(good.astype(int))) + 1
        runs = [run for run in np.split(points, cuts) if len(run) and np.isfinite(run[0]).all()]
        lines.append(runs)
    return lines


def _tight(values: list[Points]) -> tuple[float, float]:
    low, high = min(float(v.min()) for v in values), max(float(v.max()) for v in values)
    if low == high:
        pad = abs(low) * 0.5 or 0.5
        return low - pad, high + pad
    return low, high


def _span(values: list[Points]) -> tuple[float, float]:
    """The values' range with room above and below; a range near zero includes it."""
    if not values:
        return 0.0, 1.0
    low, high = _tight(values)
    pad = 0.06 * (high - low)
    # Rounding noise about a constant is not a signal: show it flat.
    if high - low < 1e-9 * max(abs(low), abs(high)):
        pad = 0.05 * max(abs(low), abs(high))
    if 0 < low < 0.25 * high:
        low = pad
    if 0 > high > 0.25 * low:
        high = -pad
    return low - pad, high + pad


def _power(values: list[float]) -> int:
    """The power of ten moved from an axis's numbers into its name."""
    largest = max((abs(v) for v in values), default=0.0)
    if largest == 0 or PLAIN[0] <= largest < PLAIN[1]:
        return 0
    return 3 * math.floor(math.log10(largest) / 3)


def _number(value: float, among: list[float], power: int) -> str:
    scale = 10.0**power
    step = (among[1] - among[0]) / scale if len(among) > 1 else 1.0
    places = max(0, -math.floor(math.log10(abs(step)) + 1e-9))
    # A step of 2.5 needs one place more than its size says.
    if abs(round(step * 10**places) - step * 10**places) > 1e-6:
        places += 1
    text = f"{value / scale:.{places}f}"
    return text.replace("-", "−") if float(text) else f"{0:.{places}f}"


def _superscript(power: int) -> str:
    return str(power).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
