"""Parallel rows: one plane, whoever names it."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from detent.numeric.arrangement.complex import EQUAL, GAP, Vectors
from detent.numeric.arrangement.integers import primitive
from detent.numeric.arrangement.store import NONE
from detent.numeric.kernels import kernel


class Merged(NamedTuple):
    """By row: the first row of the same plane (NONE for a zero row), and whether it points the same way."""

    first: NDArray[np.int32]
    turn: NDArray[np.int8]
    doubtful: int  # pairs that are neither clearly parallel nor clearly not


def merge(rows: Vectors, *, both_ways: bool, groups: NDArray[np.int64] | None = None) -> Merged:
    """Find parallel rows (unit rows, or integers); with `both_ways` opposite ones are one plane too.

    With `groups`, a number a row, only rows of one group are compared.
    """
    if rows.dtype == object:
        return _merge_integers(rows, both_ways, groups)
    return _merge_floats(rows, both_ways, groups)


def _merge_integers(rows: Vectors, both_ways: bool, groups: NDArray[np.int64] | None) -> Merged:
    group_of = np.zeros(len(rows), np.int64) if groups is None else groups
    first = np.full(len(rows), NONE, np.int32)
    turn = np.ones(len(rows), np.int8)
    known: dict[tuple[int, ...], int] = {}
    for i, row in enumerate(rows):
        if not any(row):
            continue
        key = primitive(row)
        if both_ways and next(x for x in key if x) < 0:
            key, turn[i] = -key, -1
        first[i] = known.setdefault((int(group_of[i]), *key), i)
    return Merged(first, (turn * turn[first]).astype(np.int8), 0)


def _merge_floats(rows: Vectors, both_ways: bool, groups: NDArray[np.int64] | None) -> Merged:
    """Rows are sorted by their product with one odd direction; parallel ones are then neighbours."""
    first = np.arange(len(rows), dtype=np.int32)
    first[~rows.any(axis=1)] = NONE
    direction, length = _odd_direction(rows.shape[1])
    key = rows @ direction
    turn = np.ones(len(rows), np.int8)
    if both_ways:
        turn[key < 0] = -1
        key = np.abs(key)
    if groups is not None:
        key += 3.0 * length * groups  # products of unit rows are at most the length: groups lie further apart
    order = key.argsort(kind="stable")
    work = 20 * rows.size
    doubtful: int = join_parallel.at(work)(rows, order, key, GAP[1] * length, turn, first, EQUAL, *GAP)
    return Merged(first, turn * turn[first], doubtful)


@cache
def _odd_direction(rank: int) -> tuple[NDArray[np.float64], float]:
    """A direction that rows of machines are not at right angles to, and a bound on its length."""
    return np.cos(1.0 + np.arange(rank) ** 2), float(np.sqrt(rank + 1))


def _sample() -> tuple[Any, ...]:
    rows = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]])
    numbers = (np.ones(3, np.int8), np.arange(3, dtype=np.int32))
    return rows, np.array([1, 0, 2]), rows[:, 0].copy(), 1e-6, *numbers, 1e-9, 1e-12, 1e-7


@kernel(sample=_sample)
def join_parallel(rows, order, key, window, turn, first, equal, gap_low, gap_high):  # type: ignore[no-untyped-def]
    """Give rows of one plane one `first`, the earliest; returns the pairs in doubt.

    On the way `first` leads to an earlier row of the same plane, and so on to the earliest.
    """
    doubtful = 0
    for j in range(1, order.shape[0]):
        i = order[j]
        if first[i] == NONE:
            continue
        for back in range(j - 1, -1, -1):
            other = order[back]
            if key[i] - key[other] > window:
                break
            if first[other] == NONE:
                continue
            apart = 0.0
            for k in range(rows.shape[1]):
                x = turn[i] * rows[i, k] - turn[other] * rows[other, k]
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
        if first[i] != NONE:
            first[i] = first[first[i]]
    return doubtful
