"""The free space of a slice, column by column, for pictures and for reasoning about reach.

At a time t a pair touches where across cos + beside sin + level = 0; between
neighbouring touches one angle tells free from blocked. Columns are in doubles:
the picture is as exact as its pixels, the events drawn in it are exact.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from detent.motion.quasistatic.path import regions
from detent.motion.quasistatic.slice import Slice

Span = tuple[float, float]
# Less overlap than this share of a pawl's area is a touch.
TOUCH = 1e-9
# Of a gap's terms: a touch found in doubles is this near to zero.
NEAR = 1e-9
JUMP = 0.1  # [rad] from column to column: more is another edge


@dataclass(frozen=True)
class FreeSpace:
    """Free angles at each time: spans, and whether the path's component holds them."""

    times: Any
    spans: tuple[tuple[Span, ...], ...]
    reached: tuple[tuple[bool, ...], ...]
    holding: tuple[tuple[Span, ...], ...]  # edges on which friction would hold: times and angles


def free_space(slice_: Slice, times: Any, low: float, high: float, start: tuple[float, float]) -> FreeSpace:
    """Free spans between two angles, joined from column to column to the one that holds `start`."""
    spans = tuple(_free_spans(slice_, float(t), low, high) for t in times)
    return FreeSpace(times, spans, _connected(times, spans, start), _holding(slice_, times, spans))


def _holding(slice_: Slice, times: Any, spans: Sequence[Sequence[Span]]) -> tuple[tuple[Span, ...], ...]:
    """Where a pawl that lies on an edge of free space would stick, as lines from column to column."""
    lines: list[list[Span]] = []
    open_: list[list[Span]] = []
    for t, column in zip(times, spans, strict=True):
        # The pawl lies on the edge nearest to rest.
        edges = [low if low > 0 else high for low, high in column if low > 0 or high < 0]
        held = [(float(t), angle) for angle in edges if _sticks(slice_, float(t), angle)]
        following = []
        for spot in held:
            line = min(open_, key=lambda line: abs(line[-1][1] - spot[1]), default=None)
            if line is None or abs(line[-1][1] - spot[1]) > JUMP:
                line = []
                lines.append(line)
            line.append(spot)
            following.append(line)
        open_ = following
    return tuple(tuple(line) for line in lines)


def _sticks(slice_: Slice, t: float, angle: float) -> bool:
    """Whether every contact that carries a pawl at an edge of free space would stick, pushed on."""
    half = round(angle / math.pi)
    u = math.tan((angle - half * math.pi) / 2)
    side = 1 if angle > 0 else -1
    carrying = []
    for pair in slice_.table(half).near(t, u, NEAR):
        if min(_value(form.constant, form.slope, t, u) for form in (pair.start, pair.end)) < 0:
            continue
        across, along, slip = (_value(constant, slope, t, u) for constant, slope in pair.lever)
        if side * across > 0:
            drag = float(pair.friction) * (1 if slip > 0 else -1)
            carrying.append(side * across + drag * along <= 0)
    return bool(carrying) and all(carrying)


def _value(constant: Any, slope: Any, t: float, u: float) -> float:
    powers = (1.0, u, u * u)
    return sum((float(constant[k]) + t * float(slope[k])) * powers[k] for k in range(3))


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
    can = (reach >= np.abs(level)) & (reach > 0)
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
