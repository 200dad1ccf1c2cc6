"""Where words go: each label takes the cheapest free place near what it names.

Candidates are on rings about each anchor. One that would touch another label, a
symbol or the edge of the page is out; among the rest the one with the least ink
under it and the shortest distance to its anchor wins. A label away from its anchor gets a
leader line. When no ring has room, the whole page is searched; when that is full
too, the label is left out and the page says how many were. No two ever overlap.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from detent.draw.paper import text as words
from detent.draw.scene.scene import Label, Point

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from detent.draw.scene.scene import Points

Box = tuple[float, float, float, float]  # x0, y0, x1, y1 [px], y down

CELL = 4  # [px] of the ink raster
PAD = 3.0  # [px] kept free around a label
BREATH = 2.0  # [px] ink this near still disturbs
RINGS = (7.0, 13.0, 21.0, 32.0, 46.0, 64.0, 88.0, 120.0)
DIRECTIONS = 16
NEAR = 14.0  # [px] beyond this a label needs a leader
INK_COST, DISTANCE_COST, LEADER_COST = 5.0, 0.5, 6.0
# More words than this make a picture that nobody reads.
MOST = 80
CROWD = 400  # more symbols than this leave no room worth searching the whole page for
TRIES = 60  # candidates looked at for a free leader, the cheapest first


@dataclass(frozen=True)
class PlacedLabel:
    """A label on paper: its box, and where its leader ends if it has one."""

    label: Label
    box: Box
    leader: tuple[Point, Point] | None = None
    over_ink: bool = False


class Ink:
    """How much is drawn where: counts on a raster, summed over any box at once."""

    def __init__(self, wide: float, high: float) -> None:
        self._count = np.zeros((math.ceil(high / CELL) + 1, math.ceil(wide / CELL) + 1))
        self._sum: Points | None = None

    def add(self, lines: list[Points], weight: float = 1.0) -> None:
        """Ink along polylines: `weight` for each cell that any of them passes."""
        lines = [line for line in lines if len(line)]
        if not lines:
            return
        cells = np.floor(_dense(lines) / CELL).astype(int)
        rows, columns = self._count.shape
        inside = (cells[:, 0] >= 0) & (cells[:, 0] < columns) & (cells[:, 1] >= 0) & (cells[:, 1] < rows)
        seen = np.zeros((rows, columns), dtype=bool)
        seen[cells[inside, 1], cells[inside, 0]] = True
        self._count += weight * seen
        self._sum = None

    def under(self, boxes: Points) -> Points:
        """Ink under each box."""
        if self._sum is None:
            self._sum = np.pad(self._count.cumsum(axis=0).cumsum(axis=1), ((1, 0), (1, 0)))
        rows, columns = self._count.shape
        x0, x1 = (np.clip(np.floor(boxes[:, k] / CELL).astype(int), 0, columns - 1) for k in (0, 2))
        y0, y1 = (np.clip(np.floor(boxes[:, k] / CELL).astype(int), 0, rows - 1) for k in (1, 3))
        total = self._sum
        ink: Points = total[y1 + 1, x1 + 1] - total[y0, x1 + 1] - total[y1 + 1, x0] + total[y0, x0]
        return ink


def place_labels(
    labels: tuple[Label, ...],
    on_paper: Callable[[Points], Points],
    *,
    free: Box,
    taken: list[Box],
    ink: Ink,
) -> list[PlacedLabel]:
    """Places for the labels, the weightiest first; labels that fit nowhere are left out."""
    boxes = np.array(taken, dtype=float).reshape(-1, 4)
    placed: list[PlacedLabel] = []
    for label in sorted(labels, key=lambda label: -label.weight)[:MOST]:
        best = _best(label, on_paper(np.array(label.anchors, dtype=float)), free, boxes, ink)
        if best is None:
            continue
        placed.append(best)
        boxes = np.concatenate([boxes, [grown(best.box, PAD)]])
        if best.leader is not None:
            ink.add([np.array(best.leader)], weight=4.0)
    return placed


def size_of(label: Label) -> tuple[float, float]:
    """Width and height of a label [px]."""
    return words.width(label.text, label.size), label.size * (words.ASCENT + words.DESCENT)


def _best(label: Label, anchors: Points, free: Box, taken: Points, ink: Ink) -> PlacedLabel | None:
    wide, high = size_of(label)
    near = [_around(anchor, wide, high) for anchor in anchors]
    for anchor in anchors:
        near += [_beside(box, anchor, wide, high) for box in taken[_holds(taken, anchor)].tolist()]
    placed = _cheapest(label, near, free, taken, ink)
    if placed is None and len(taken) <= CROWD:
        placed = _cheapest(label, [_everywhere(anchors[0], wide, high, free)], free, taken, ink)
    return placed


def _cheapest(
    label: Label, candidates: list[tuple[Points, Points, Points]], free: Box, taken: Points, ink: Ink
) -> PlacedLabel | None:
    boxes, distances, ends = (np.concatenate([c[k] for c in candidates]) for k in range(3))
    fits = (boxes[:, 0] >= free[0]) & (boxes[:, 1] >= free[1])
    fits &= (boxes[:, 2] <= free[2]) & (boxes[:, 3] <= free[3])
    fits[fits] &= ~_touches(boxes[fits], taken).any(axis=1)
    if not fits.any():
        return None
    boxes, distances, ends = boxes[fits], distances[fits], ends[fits]
    under = ink.under(boxes + np.array([-BREATH, -BREATH, BREATH, BREATH]))
    cost = INK_COST * under + DISTANCE_COST * distances + LEADER_COST * (distances > NEAR)
    for k in np.argsort(cost, kind="stable")[:TRIES]:
        x0, y0, x1, y1 = (float(v) for v in boxes[k])
        end = (float(ends[k, 0]), float(ends[k, 1]))
        if distances[k] <= NEAR:
            return PlacedLabel(label, (x0, y0, x1, y1), over_ink=bool(under[k] > 0))
        start = (min(max(end[0], x0), x1), min(max(end[1], y0), y1))
        if not _crosses(start, end, taken):
            return PlacedLabel(label, (x0, y0, x1, y1), (start, end), over_ink=bool(under[k] > 0))
    return None


def _around(anchor: Points, wide: float, high: float) -> tuple[Points, Points, Points]:
    """Boxes centred on the anchor, then on rings about it; how far off; the anchor."""
    angles = np.arange(DIRECTIONS) * (2 * np.pi / DIRECTIONS)
    u = np.stack([np.cos(angles), -np.sin(angles)], axis=1)
    # The box's centre lies so far along u that its nearest side is `ring` away.
    reach = np.minimum(
        wide / 2 / np.maximum(np.abs(u[:, 0]), 1e-9), high / 2 / np.maximum(np.abs(u[:, 1]), 1e-9)
    )
    rings = np.array(RINGS)
    centres = [anchor[None, :]]
    centres += [anchor + u * (reach + ring)[:, None] for ring in rings]
    distances = np.concatenate([[0.0], np.repeat(rings, DIRECTIONS)])
    middle = np.concatenate(centres)
    return _boxes(middle, wide, high), distances, np.broadcast_to(anchor, middle.shape)


def _beside(box: Box, anchor: Points, wide: float, high: float) -> tuple[Points, Points, Points]:
    """Boxes that touch the symbol which the anchor is in: they need no leader."""
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    right, left = box[2] + wide / 2 + 2, box[0] - wide / 2 - 2
    above, below = box[1] - high / 2 - 1, box[3] + high / 2 + 1
    # The corners first: they seldom lie on a link.
    middle = np.array(
        [
            (right, above),
            (left, above),
            (right, below),
            (left, below),
            (right, y),
            (left, y),
            (x, above),
            (x, below),
        ]
    )
    distances = np.array([5.0, 5.0, 6.0, 6.0, 7.0, 7.0, 8.0, 8.0])
    return _boxes(middle, wide, high), distances, np.broadcast_to(anchor, middle.shape)


def _holds(boxes: Points, point: Points) -> NDArray[np.bool_]:
    x, y = point
    low, high = boxes[:, :2], boxes[:, 2:]
    inside: NDArray[np.bool_] = np.logical_and(low <= (x, y), (x, y) <= high)
    return inside[:, 0] & inside[:, 1]


def _everywhere(anchor: Points, wide: float, high: float, free: Box) -> tuple[Points, Points, Points]:
    x = np.arange(free[0] + wide / 2, free[2] - wide / 2 + 1, 8.0)
    y = np.arange(free[1] + high / 2, free[3] - high / 2 + 1, 6.0)
    middle = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
    distances = np.linalg.norm(middle - anchor, axis=1)
    return _boxes(middle, wide, high), distances, np.broadcast_to(anchor, middle.shape)


def _boxes(middle: Points, wide: float, high: float) -> Points:
    half = np.array([wide / 2, high / 2])
    return np.concatenate([middle - half, middle + half], axis=1)


def _touches(boxes: Points, others: Points) -> NDArray[np.bool_]:
    a, b = boxes[:, None, :], others[None, :, :]
    apart = (a[..., 0] >= b[..., 2]) | (a[..., 2] <= b[..., 0])
    apart |= (a[..., 1] >= b[..., 3]) | (a[..., 3] <= b[..., 1])
    return ~apart


def _crosses(start: Point, end: Point, taken: Points) -> bool:
    """Whether a leader would run through something; its last pixels may, they end there."""
    length = math.dist(start, end)
    s = np.arange(2.0, max(length - 10.0, 2.0), 3.0) / (length or 1.0)
    points = np.array(start) + s[:, None] * (np.array(end) - np.array(start))
    # A leader may run out of the symbol that it points into.
    others = taken[~_holds(taken, np.array(end))]
    return bool(_touches(np.concatenate([points, points], axis=1), others).any())


def grown(box: Box, pad: float) -> Box:
    return (box[0] - pad, box[1] - pad, box[2] + pad, box[3] + pad)


def _dense(lines: list[Points]) -> Points:
    """The polylines' points, and more between so that none are a cell apart."""
    starts = np.concatenate([line[:-1] for line in lines])
    steps = np.concatenate([np.diff(line, axis=0) for line in lines])
    counts = np.ceil(np.abs(steps).max(axis=1, initial=0) / (CELL / 2)).astype(int)
    counts = np.clip(counts, 1, 4000)
    index = np.repeat(np.arange(len(steps)), counts)
    first = counts.cumsum() - counts
    s = (np.arange(len(index)) - first[index]) / counts[index]
    inner = starts[index] + s[:, None] * steps[index]
    return np.concatenate([inner, *(line[-1:] for line in lines)])
