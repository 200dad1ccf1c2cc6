"""How many faces an arrangement has inside an open cone, without building them.

Zaslavsky (1975): the faces number the sum of |mu(X, Y)| over the flats X <= Y that meet the
cone. With w(Y) the sum of |mu(X, Y)| over X <= Y, which only the planes through Y decide, that
is one weight a flat. A flat of independent planes has w = 2^codimension. Of any other, each plane that
no dependence uses doubles the weight of the rest, its *knot*; and for a knot Y the sum of
(-1)^(codim Y - codim Z) w(Z) over the flats Z <= Y is 1, because the alternating sum of mu is 0.

A walk finds the flats: in floats with what is in doubt decided in integers, or in integers alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from detent.numeric.arrangement.complex import EQUAL, GAP, Vectors
from detent.numeric.arrangement.flats import (
    DONE,
    MANY_KNOTS,
    MANY_QUESTIONS,
    OF_KNOT,
    OF_LINES,
    walk_flats,
)
from detent.numeric.arrangement.integers import exact_null_space, integer_matrix, pivot_columns

Matrix = NDArray[np.float64]

START_KNOTS, START_QUESTIONS = 256, 1024
# Elementary steps per flat; flats double with every plane up to the first MANY or so.
STEPS_A_FLAT, MANY = 400, 20


class TooManyRaysError(Exception):
    """The cone has more rays than a walk holds."""


class RoundingMisledError(Exception):
    """Integers contradict what floats assumed."""


@dataclass(frozen=True)
class Flats:
    """What a walk met: flats of independent planes by codimension, and by knot the rest.

    A knot is (planes as bits, rank, sum of 2^c, sum of (-2)^c), c the planes of a flat outside it.
    """

    simple: Sequence[int]
    knots: Sequence[tuple[int, int, int, int]]


# The flats of some of the planes, in their order; inside the cone, or everywhere.
Walk = Callable[[Sequence[int], bool], Flats]


def faces_inside(walk: Walk, planes: int) -> int:
    """Faces inside the cone."""
    flats = walk(range(planes), True)
    weights: dict[int, int] = {}
    total = sum(many << codimension for codimension, many in enumerate(flats.simple))
    return total + sum(outside * _weight(knot, walk, weights) for knot, _, outside, _ in flats.knots)


def _weight(knot: int, walk: Walk, known: dict[int, int]) -> int:
    """w of a knot, by the alternating sum over the flats below it."""
    if knot not in known:
        planes = members(knot)
        flats = walk(planes, False)
        everything = (1 << len(planes)) - 1
        total = sum(many * (-2) ** codimension for codimension, many in enumerate(flats.simple))
        rank = 0
        for inner, inner_rank, _, outside in flats.knots:
            if inner == everything:
                rank = inner_rank
                continue
            named = sum(1 << planes[k] for k in members(inner))
            total += (-1) ** inner_rank * outside * _weight(named, walk, known)
        known[knot] = 1 - (-1) ** rank * total
    return known[knot]


def members(bits: int) -> list[int]:
    """Which bits are set."""
    return [k for k in range(bits.bit_length()) if bits >> k & 1]


@dataclass(frozen=True)
class Referee:
    """Decides in integers what a walk in floats assumed; the rows are integers, `fixed` ones vanish."""

    fixed: Vectors
    normal: Vectors
    planes: Vectors
    _rays: dict[tuple[int, int], Vectors] = field(default_factory=dict)

    @cached_property
    def rows(self) -> tuple[Vectors, Vectors]:
        """Normals and planes in what the fixed rows leave, in coordinates that they span."""
        free = exact_null_space(self.fixed, self.normal.shape[1])
        both = integer_matrix(np.concatenate([self.normal, self.planes]) @ free, free.shape[1])
        both = both[:, pivot_columns(both, free.shape[1])]
        return both[: len(self.normal)], both[len(self.normal) :]

    def agrees(self, through: int, normals: int, plane: int, assumed: int) -> bool:
        """A question of a walk, its planes and normals by their numbers here."""
        normal, planes = self.rows
        if normals == OF_KNOT:
            return knot_exactly(planes, through)[0] == assumed
        wanted = planes[plane] if plane >= 0 else normal[len(normal) + plane]
        if normals < 0:
            above = normal if normals == OF_LINES else normal[:0]
            if plane < 0:
                above = normal[: len(normal) + plane]
            lines = exact_null_space(np.concatenate([planes[members(through)], above]), planes.shape[1])
            return bool((wanted @ lines).any()) == bool(assumed)
        ray = self._ray(through, normals, len(normal) if plane >= 0 else len(normal) + plane)
        value = int(wanted @ ray)
        return (value > 0) - (value < 0) == assumed

    def _ray(self, through: int, normals: int, inserted: int) -> Vectors:
        """A vector on which the planes and these normals vanish and the other normals are not negative."""
        key = (through, normals)
        if key not in self._rays:
            normal, planes = self.rows
            zero = np.concatenate([planes[members(through)], normal[members(normals)]])
            space = exact_null_space(zero, planes.shape[1])
            for j in range(inserted):
                seen = normal[j] @ space
                if not normals >> j & 1 and seen.any():
                    k = int(np.flatnonzero(seen)[0])
                    self._rays[key] = space[:, k] if seen[k] > 0 else -space[:, k]
                    return self._rays[key]
            raise RoundingMisledError  # there is no such ray
        return self._rays[key]


def knot_exactly(planes: Vectors, through: int) -> tuple[int, int]:
    """Those of these integer planes that some dependence uses, and their rank."""
    which = members(through)
    uses = exact_null_space(planes[which].T.copy(), len(which))
    knot = [t for k, t in enumerate(which) if uses[k].any()]
    return sum(1 << t for t in knot), len(knot) - uses.shape[1]


def walk_floats(normal: Matrix, planes: Matrix, referee: Callable[[], Referee]) -> Walk:
    """A walk over unit rows that span the space, no two planes parallel; integers decide what is in doubt."""

    def walk(numbers: Sequence[int], inside: bool) -> Flats:
        rows = planes[list(numbers)]
        cone = normal
        if not inside:
            # Rows that span their space: a line that none of them sees would be all rounding.
            _, values, axes = np.linalg.svd(rows, full_matrices=False)
            rows = rows @ axes[values > EQUAL * values[0]].T
            cone = np.zeros((0, rows.shape[1]))
        simple, knots, questions = _walked(cone, rows)
        for through, normals, plane, assumed in questions.tolist():
            _ask(referee(), numbers, inside, (through, normals, plane, assumed))
        return Flats(simple.tolist(), [tuple(knot) for knot in knots.tolist()])

    return walk


_OF_ALL_LINES = -3  # lines of the planes alone, without the cone


def _ask(referee: Referee, numbers: Sequence[int], inside: bool, question: tuple[int, int, int, int]) -> None:
    through, normals, plane, assumed = question
    if not inside:
        through = sum(1 << numbers[k] for k in members(through))
        plane = numbers[plane]
        if normals == OF_KNOT:
            assumed = sum(1 << numbers[k] for k in members(assumed))
        else:
            normals = _OF_ALL_LINES
    if not referee.agrees(through, normals, plane, assumed):
        raise RoundingMisledError


def _walked(normal: Matrix, planes: Matrix) -> tuple[Any, Any, Any]:
    room, asks = START_KNOTS, START_QUESTIONS
    work = STEPS_A_FLAT * 2 ** min(len(planes), MANY)
    while True:
        stopped, simple, knots, questions = walk_flats.at(work)(
            np.ascontiguousarray(normal), np.ascontiguousarray(planes), room, asks, EQUAL, *GAP
        )
        if stopped == DONE:
            return simple, knots, questions
        if stopped == MANY_KNOTS:
            room *= 8
        elif stopped == MANY_QUESTIONS:
            asks *= 8
        else:
            raise TooManyRaysError
