"""Parallel rows: one plane, whoever names it."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from detent.numeric.arrangement.complex import EQUAL, Vectors, gap_about
from detent.numeric.arrangement.integers import primitive
from detent.numeric.arrangement.store import NO_NODE
from detent.numeric.kernels import kernel


class Merged(NamedTuple):
    """By row: the first row of the same plane (NONE for a zero row), and whether along it (1) or against."""

    first: NDArray[np.int32]
    orientation: NDArray[np.int8]
    doubtful: int  # pairs that are neither clearly parallel nor clearly not


def merge(
    rows: Vectors, *, both_ways: bool, groups: NDArray[np.int64] | None = None, equal: float = EQUAL
) -> Merged:
    """Find parallel rows (unit rows, or integers); with `both_ways` opposite ones are one plane too.

    With `groups`, a number per row, only rows of one group are compared. Floats are parallel to `equal`.
    """
    if rows.dtype == object:
        return _merge_integers(rows, both_ways, groups)
    return _merge_floats(rows, both_ways, groups, equal)


def _merge_integers(rows: Vectors, both_ways: bool, groups: NDArray[np.int64] | None) -> Merged:
    group_of = np.zeros(len(rows), np.int64) if groups is None else groups
    first = np.full(len(rows), NO_NODE, np.int32)
    orientation = np.ones(len(rows), np.int8)
    known: dict[tuple[int, ...], int] = {}
    for i, row in enumerate(rows):
        if not any(row):
            continue
        key = primitive(row)
        if both_ways and next(x for x in key if x) < 0:
            key, orientation[i] = -key, -1
        first[i] = known.setdefault((int(group_of[i]), *key), i)
    return Merged(first, (orientation * orientation[first]).astype(np.int8), 0)


def _merge_floats(rows: Vectors, both_ways: bool, groups: NDArray[np.int64] | None, equal: float) -> Merged:
    """Rows are sorted by their product with one odd direction; parallel ones are then neighbours."""
    first = np.arange(len(rows), dtype=np.int32)
    first[~rows.any(axis=1)] = NO_NODE
    direction, length = _odd_direction(rows.shape[1])
    key = rows @ direction
    orientation = np.ones(len(rows), np.int8)
    if both_ways:
        orientation[key < 0] = -1
        key = np.abs(key)
    if groups is not None:
        key += 3.0 * length * groups  # products of unit rows are at most the length: groups lie further apart
    order = key.argsort(kind="stable")
    work = 20 * rows.size
    gap = gap_about(equal)
    doubtful: int = join_parallel.at(work)(rows, order, key, gap[1] * length, orientation, first, equal, *gap)
    return Merged(first, orientation * orientation[first], doubtful)


@cache
def _odd_direction(rank: int) -> tuple[NDArray[np.float64], float]:
    """A direction that rows of machines are not at right angles to, and a bound on its length."""
    return np.cos(1.0 + np.arange(rank) ** 2), float(np.sqrt(rank + 1))


def _sample() -> tuple[Any, ...]:
    rows = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]])
    numbers = (np.ones(3, np.int8), np.arange(3, dtype=np.int32))
    return rows, np.array([1, 0, 2]), rows[:, 0].copy(), 1e-6, *numbers, 1e-9, 1e-12, 1e-7


@kernel(sample=_sample)
def join_parallel(rows, order, key, window, orientation, first, equal, gap_low, gap_high):  # type: ignore[no-untyped-def]
    """Give rows of one plane one `first`, the earliest; returns the pairs in doubt.

    Meanwhile `first` leads to an earlier row of the same plane, and so on to the earliest.
    """
    doubtful = 0
    for j in range(1, order.shape[0]):
        i = order[j]
        if first[i] == NO_NODE:
            continue
        for back in range(j - 1, -1, -1):
            other = order[back]
            if key[i] - key[other] > window:
                break
            if first[other] == NO_NODE:
                continue
            apart = 0.0
            for k in range(rows.shape[1]):
                x = orientation[i] * rows[i, k] - orientation[other] * rows[other, k]
                apart += x * x
            apart = np.sqrt(apart)
            if apart > gap_low and apart < gap_high:
                doubtful += 1
            if apart <= equal:
                a, b = i, other
                while first[a] != a:
                    a = first[a]
                while first[b] != b:
                    b = first[b]
                first[max(a, b)] = min(a, b)
                first[i] = first[other] = min(a, b)
                break
    for i in range(first.shape[0]):
        if first[i] != NO_NODE:
            first[i] = first[first[i]]
    return doubtful
