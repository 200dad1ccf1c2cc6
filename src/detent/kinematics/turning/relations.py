"""Which angles follow from the drives, or from other angles, by a line: drives, slides, welds, gears.

A driven pin, a slide, a weld and a gear are linear in the angles of parts, full rotations included. Solving
them leaves some parts whose angles must be counted along the way; those of all others follow exactly,
through gears of any ratio and however far apart two positions are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from detent.kinematics.equations.inputs import Input
from detent.kinematics.equations.rows import Floats
from detent.model.machine.plane_linkage import KEEP_ANGLE, PlaneLinkage

NOTHING = 1e-12  # a coefficient that only rounding makes


@dataclass(frozen=True)
class AngleRelations:
    """Rotation of every part = by_free @ rotations of the free parts + by_input @ changes of the inputs."""

    free: tuple[int, ...]  # parts whose rotation has to be counted
    by_free: Floats  # (parts, free)
    by_input: Floats  # (parts, inputs)

    def rotations(self, counted: Floats, inputs: Floats) -> Floats:
        """Of every part, frame by frame: (frames, parts)."""
        return np.asarray(counted @ self.by_free.T + inputs @ self.by_input.T)


def angle_relations(system: PlaneLinkage, inputs: Sequence[Input]) -> AngleRelations:
    """The relations of a linkage with some coordinates driven."""
    column = {part: k for k, part in enumerate(system.moving)}
    count, driven = len(column), len(inputs)
    rows = [row for row in _rows(system, inputs, column) if np.any(row[:count])]
    table = np.array(rows).reshape(-1, count + driven)
    pivots: dict[int, int] = {}  # part's column: row that gives it
    for i in range(len(table)):
        row = table[i, :count]
        row[np.abs(row) <= NOTHING] = 0.0
        known = np.flatnonzero(row)
        if not len(known):
            continue  # a gear or slide that repeats others
        pivot = int(known[np.argmin(np.abs(row[known]))])  # the others rotate less than it, or as much
        table[i] /= table[i, pivot]
        for j in range(len(table)):
            if j != i and table[j, pivot]:
                table[j] -= table[j, pivot] * table[i]
        pivots[pivot] = i
    parts = list(column)
    free = [k for k in range(count) if k not in pivots]
    by_free = np.zeros((len(system.parts), len(free)))
    by_input = np.zeros((len(system.parts), driven))
    for n, k in enumerate(free):
        by_free[parts[k], n] = 1.0
    for k, i in pivots.items():
        by_free[parts[k]] = -table[i, free]
        by_input[parts[k]] = table[i, count:]
    by_free[np.abs(by_free) <= NOTHING] = 0.0
    return AngleRelations(tuple(parts[k] for k in free), by_free, by_input)


def _rows(system: PlaneLinkage, inputs: Sequence[Input], column: dict[int, int]) -> list[Floats]:
    """One row per joint that is linear in angles: coefficients of moving parts, then what inputs give."""
    count = len(column)
    driven = {item.held.pair: k for k, item in enumerate(inputs) if item.held.mark is None}
    rows: list[Floats] = []
    for index, pair in enumerate(system.pairs):
        terms = [(pair.b.part, 1.0), (pair.a.part, -1.0)]
        row = np.zeros(count + len(inputs))
        if pair.kind == "gear":
            terms = [(pair.b.part, 1.0), (pair.a.part, -pair.ratio)]
            if pair.carrier >= 0:
                terms.append((pair.carrier, pair.ratio - 1.0))
        elif pair.kind == "revolute" and index in driven:
            row[count + driven[index]] = 1.0
        elif pair.kind not in KEEP_ANGLE:
            continue
        for part, weight in terms:
            if part in column:
                row[column[part]] += weight
        rows.append(row)
    return rows
