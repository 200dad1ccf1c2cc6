"""The free space of a slice, column by column, for pictures and for reasoning about reach.

At a time t a pair touches where across cos + beside sin + level = 0; between
neighbouring touches one angle tells free from blocked. Columns are in doubles:
the picture is as exact as its pixels, the events drawn in it are exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from detent.motion.quasistatic.path import regions
from detent.motion.quasistatic.slice import Slice

Span = tuple[float, float]
# Less overlap than this share of a pawl's area is a touch.
TOUCH = 1e-9


@dataclass(frozen=True)
class FreeSpace:
    """Free angles at each time: spans, and whether the path's component holds them."""

    times: Any
    spans: tuple[tuple[Span, ...], ...]
    reached: tuple[tuple[bool, ...], ...]


def free_space(slice_: Slice, times: Any, low: float, high: float, start: tuple[float, float]) -> FreeSpace:
    """Free spans between two angles, joined from column to column to the one that holds `start`."""
    spans = tuple(_free_spans(slice_, float(t), low, high) for t in times)
    return FreeSpace(times, spans, _connected(times, spans, start))


def _free_spans(slice_: Slice, t: float, low: float, high: float) -> tuple[Span, ...]:
    cuts = np.array([low, *sorted(_touches(slice_, t, low, high)), high])
    middles = (cuts[:-1] + cuts[1:]) / 2
    free = ~_overlaps(slice_, t, middles)
    found: list[Span] = []
    for a, b, is_free in zip(cuts[:-1], cuts[1:], free, strict=True):
        if not is_free:
            continue
        if found and found[-1][1] == a:
            a = found.pop()[0]
        found.append((float(a), float(b)))
    return tuple(found)


def _touches(slice_: Slice, t: float, low: float, high: float) -> list[float]:
    table = slice_.table(0)
    gaps = table.constant + t * table.slope
    across, level, beside = (gaps[:, 0] - gaps[:, 2]) / 2, (gaps[:, 0] + gaps[:, 2]) / 2, gaps[:, 1] / 2
    reach = np.hypot(across, beside)
    can = reach >= np.abs(level)
    middle = np.arctan2(beside[can], across[can])
    half = np.arccos(np.clip(-level[can] / reach[can], -1, 1))
    angles = np.concatenate([middle + half, middle - half])
    turns = np.arange(np.floor(low / np.pi / 2) - 1, np.ceil(high / np.pi / 2) + 2) * 2 * np.pi
    every = (angles[:, None] + turns).ravel()
    return [float(angle) for angle in every if low < angle < high]


def _overlaps(slice_: Slice, t: float, angles: Any) -> Any:
    """Whether the pawl overlaps an obstacle at each angle."""
    import shapely

    hinge = np.array([float(c) for c in slice_.hinge]) + t * np.array([float(c) for c in slice_.velocity])
    blocked = np.zeros(len(angles), dtype=bool)
    for leaf in slice_.pawl:
        shapes = regions(leaf, hinge, angles)
        measure = shapely.area if leaf.closed else shapely.length
        size = float(measure(shapes[0]))
        for obstacle, _ in slice_.obstacles:
            common = shapely.intersection(shapes, obstacle.region)
            blocked |= measure(common) > TOUCH * size
    return blocked


def _connected(times: Any, spans: Sequence[Sequence[Span]], start: tuple[float, float]) -> Any:
    """Which spans hang together with the one at the start, through overlaps of neighbouring columns."""
    first = int(np.argmin(np.abs(np.asarray(times) - start[0])))
    reached = [[False] * len(column) for column in spans]
    todo = [(first, k) for k, (a, b) in enumerate(spans[first]) if a - TOUCH <= start[1] <= b + TOUCH]
    while todo:
        i, k = todo.pop()
        if reached[i][k]:
            continue
        reached[i][k] = True
        for other in (i - 1, i + 1):
            if 0 <= other < len(spans):
                a, b = spans[i][k]
                todo += [(other, m) for m, (c, d) in enumerate(spans[other]) if c < b and a < d]
    return tuple(tuple(column) for column in reached)
