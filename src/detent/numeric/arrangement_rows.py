"""Parallel rows: one plane, whoever names it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from detent.numeric.arrangement import EQUAL, GAP, Vectors
from detent.numeric.arrangement_exact import primitive
from detent.numeric.arrangement_kernels import NONE


class Merged(NamedTuple):
    """By row: the first row of the same plane (NONE for a zero row), and whether it points the same way."""

    first: NDArray[np.int32]
    turn: NDArray[np.int8]
    doubtful: int  # pairs that are neither clearly parallel nor clearly not


def merge(rows: Vectors, *, both_ways: bool) -> Merged:
    """Find parallel rows (unit rows, or integers); with `both_ways` opposite ones are one plane too."""
    return _merge_integers(rows, both_ways) if rows.dtype == object else _merge_floats(rows, both_ways)


def _merge_integers(rows: Vectors, both_ways: bool) -> Merged:
    first = np.full(len(rows), NONE, np.int32)
    turn = np.ones(len(rows), np.int8)
    known: dict[tuple[int, ...], int] = {}
    for i, row in enumerate(rows):
        if not any(row):
            continue
        key = primitive(row)
        if both_ways and next(x for x in key if x) < 0:
            key, turn[i] = -key, -1
        first[i] = known.setdefault(tuple(key), i)
    return Merged(first, (turn * turn[first]).astype(np.int8), 0)


def _merge_floats(rows: Vectors, both_ways: bool) -> Merged:
    """Rows are sorted by their product with one odd direction; parallel ones are then neighbours."""
    first = np.where(rows.any(axis=1), np.arange(len(rows)), NONE).astype(np.int32)
    turn = np.ones(len(rows), np.int8)
    key = rows @ np.cos(1.0 + np.arange(rows.shape[1]) ** 2)
    if both_ways:
        turn[key < 0] = -1
        key = np.abs(key)
    window = GAP[1] * np.sqrt(rows.shape[1] + 1)
    order = np.argsort(key, kind="stable")
    near = np.flatnonzero(np.diff(key[order]) <= window)
    doubtful = 0
    for j in near:
        i = int(order[j + 1])
        if first[i] == NONE:
            continue
        for back in range(j, -1, -1):
            other = int(order[back])
            if key[i] - key[other] > window:
                break
            if first[other] == NONE:
                continue
            apart = float(np.linalg.norm(turn[i] * rows[i] - turn[other] * rows[other]))
            doubtful += GAP[0] < apart < GAP[1]
            if apart <= EQUAL:
                _join(first, i, other)
                break
    return Merged(first, (turn * turn[first]).astype(np.int8), doubtful)


def _join(first: NDArray[np.int32], i: int, other: int) -> None:
    """One group for both, named by its earliest row."""
    a, b = sorted((int(first[i]), int(first[other])))
    first[first == b] = a
