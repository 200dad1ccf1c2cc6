"""How many modes one contacting/separating mode has, without a list of them.

They are the faces of the planes of the contacts that touch, inside the open cone of those that
lift. Rows that share no dependence with others are counted apart (a separating contact that alone sees
some motion, the last link of a finger say, drops out; a plane alone triples the count), and what is
left by a walk over flats (`detent.numeric.arrangement.faces`), far fewer than modes.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from detent.contact.contacts import Contacts
from detent.contact.modes.grouping import groups, groups_exactly
from detent.contact.modes.space import null_space, row_space, seen_rows, unit_rows
from detent.foundation.errors import UnsupportedError
from detent.numeric.arrangement.complex import ComplexBuilder, TooManyCellsError, Vectors
from detent.numeric.arrangement.complex import FloatWitnesses as FloatNumbers
from detent.numeric.arrangement.faces import (
    Referee,
    RoundingMisledError,
    TooManyRaysError,
    faces_inside,
    walk_floats,
)
from detent.numeric.arrangement.flats import MOST_ROWS
from detent.numeric.arrangement.flats_exact import walk_integers
from detent.numeric.arrangement.integers import integer_matrix
from detent.numeric.arrangement.parallel import merge
from detent.numeric.arrangement.store import NO_NODE

Floats = NDArray[np.float64]
Touching = NDArray[np.bool_]  # by contact

# A mode of contacting and separating takes some milliseconds to count, a minute and a half for so many.
SETS_TRIED = 1024
# For the complex of a cone with more planes than a walk holds [bytes].
MEMORY, BYTES_A_CELL = 1 << 30, 600


@dataclass(frozen=True)
class CountingRows:
    """All rows of the contacts, in scaled floats and (computed when first needed) in integers."""

    contacts: Contacts

    @cached_property
    def planes(self) -> Floats:
        return np.concatenate([np.zeros((0, self.contacts.degrees)), *self.contacts.scaled.tangent])

    @cached_property
    def owner(self) -> NDArray[np.int64]:
        """Of each plane, its contact."""
        return np.repeat(np.arange(len(self.contacts)), [len(t) for t in self.contacts.tangent])

    @cached_property
    def integers(self) -> tuple[Vectors, Vectors, Vectors]:
        """Held rows, normals and planes."""
        exact, width = self.contacts.exact, self.contacts.degrees
        held, normal = integer_matrix(exact.held, width), integer_matrix(exact.normal, width)
        planes = [integer_matrix(t, width) for t in exact.tangent]
        return held, normal, np.concatenate([np.zeros((0, width), object), *planes])

    def referee(self, held: Touching, normals: Any, planes: Any) -> Referee:
        """For some normals and planes by number, while the contacts `held` touch."""
        fixed, normal, plane = self.integers
        return Referee(np.concatenate([fixed, normal[held]]), normal[normals], plane[planes])


def count(rows: CountingRows, held: Touching) -> int:
    """Modes while these contacts touch and the others lift; in integers where floats mislead."""
    try:
        return _count(rows, held)
    except RoundingMisledError:
        return count_exactly(rows, held)


def _count(rows: CountingRows, held: Touching) -> int:
    scaled = rows.contacts.scaled
    free, doubt = null_space(np.concatenate([scaled.held, scaled.normal[held]]), np.eye(scaled.degrees))
    lifted = np.flatnonzero(~held)
    normal, doubt_lifted = seen_rows(scaled.normal[lifted], free)
    planes = np.flatnonzero(held[rows.owner])
    plane, doubt_planes = seen_rows(rows.planes[planes], free)
    merged = merge(plane, both_ways=True)
    if doubt + doubt_lifted + doubt_planes + merged.doubtful:
        raise RoundingMisledError
    distinct = merged.first == np.arange(len(planes))
    planes, plane = planes[distinct], plane[distinct]
    total = 1
    group = groups(np.concatenate([normal, plane]))
    if group is None:
        raise RoundingMisledError
    for g in np.unique(group[len(lifted) :]):
        above, in_group = group[: len(lifted)] == g, group[len(lifted) :] == g
        referee = cache(partial(rows.referee, held, lifted[above], planes[in_group]))
        total *= _inside(normal[above], plane[in_group], referee)
    return total


def count_exactly(rows: CountingRows, held: Touching) -> int:
    """The same in integers."""
    normal, plane = rows.referee(held, ~held, held[rows.owner]).rows
    merged = merge(plane, both_ways=True)
    plane = plane[merged.first == np.arange(len(plane))]
    total = 1
    group = groups_exactly(np.concatenate([normal, plane]))
    for g in np.unique(group[len(normal) :]):
        in_group = plane[group[len(normal) :] == g]
        total *= faces_inside(walk_integers(normal[group[: len(normal)] == g], in_group), len(in_group))
    return total


def _inside(lifted: Floats, rows: Floats, referee: Callable[[], Referee]) -> int:
    """Faces of the planes `rows` inside the open cone of `lifted`."""
    span, doubtful = row_space(np.concatenate([lifted, rows]))
    if doubtful:
        raise RoundingMisledError
    lifted, rows = unit_rows(lifted @ span), unit_rows(rows @ span)
    if len(lifted) <= MOST_ROWS and len(rows) <= MOST_ROWS:
        with suppress(TooManyRaysError):
            return faces_inside(walk_floats(lifted, rows, referee), len(rows))
    return _by_complex(lifted, rows)


def _by_complex(lifted: Floats, rows: Floats) -> int:
    """The same by a complex of the cone, for more planes or rays than a walk over flats can hold."""
    rank = rows.shape[1]
    most = max(1, MEMORY // (len(lifted) + len(rows) + BYTES_A_CELL))
    builder = ComplexBuilder(FloatNumbers(rank), rank, len(lifted), at_most=most)
    try:
        builder.half_spaces(lifted, 0)
        builder.signs()
        builder.widen(len(rows))
        builder.divide(rows, len(lifted), NO_NODE)
    except TooManyCellsError:
        problem = (
            f"{len(rows)} planes divide more than {most} modes, and only {MOST_ROWS} are counted unlisted"
        )
        raise UnsupportedError(problem, "give fewer contacts or planes") from None
    if builder.arithmetic.doubtful:
        raise RoundingMisledError
    return int(np.count_nonzero((builder.signs()[:, : len(lifted)] == 1).all(axis=1)))


def more_than(rows: CountingRows, touching: NDArray[np.bool_], enough: int) -> int | None:
    """A number of modes beyond `enough` that there are for sure, else None.

    Sets of touching contacts with the most planes are counted first, and not more than SETS_TRIED.
    """
    planes: NDArray[np.int64] = touching[:, rows.owner].sum(axis=1)
    order = np.argsort(planes, kind="stable")[::-1][:SETS_TRIED]
    total = 0
    for held in touching[order]:
        if held[rows.owner].sum() <= MOST_ROWS:
            total += count(rows, held)
        if total > enough:
            return total
    return None
