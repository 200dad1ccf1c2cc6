"""The cell complex of one group of contacts.

Normals go in as half-spaces; the cells are then the contacting/separating modes. The dividing
planes of a contact go only into the cells where it touches, one plane for all contacts that touch
in the same cells and share it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from detent.contact.modes.space import Space
from detent.numeric.arrangement.complex import (
    NO_LIMIT,
    Complex,
    ComplexBuilder,
    FloatWitnesses,
    Runs,
    Vectors,
)
from detent.numeric.arrangement.integers import Integers
from detent.numeric.arrangement.parallel import merge
from detent.numeric.arrangement.store import NO_NODE

Kind = Literal["all", "contacting_separating"]
Touching = NDArray[np.bool_]  # by contacting/separating mode and contact


@dataclass(frozen=True)
class Layout:
    """Which column of the complex holds which sign, and whether as it is (1) or negated (-1)."""

    normal: NDArray[np.int32]  # by contact; NONE: always touching
    tangent: NDArray[np.int32]  # by plane, contact after contact; NONE: always 0
    orientation: NDArray[np.int8]
    planes: NDArray[np.int64]  # by contact, how many


@dataclass(frozen=True, eq=False)
class GroupComplex:
    """The complex of one group, and how to read it."""

    complex: Complex
    layout: Layout
    contacting_separating: int
    doubtful: int


@dataclass(frozen=True)
class Pace:
    """How far a building may go, and who hears of it."""

    at_most: int  # cells
    worth_counting: int  # cells before `count` may refuse to go on
    by_contact: bool  # whether `step` wants to hear between contacts
    step: Callable[[int, int, int], None]  # planes done, planes in all, cells so far
    count: Callable[[Touching], None]


def build(space: Space, kind: Kind, pace: Pace) -> GroupComplex:
    """The complex of all contacts of a space."""
    exact = space.normal.dtype == object
    merged = merge(space.normal, both_ways=False, equal=space.equal)
    # Contacts that seem to last go first: they shrink the space at once.
    distinct = np.flatnonzero(merged.first == np.arange(len(space.normal)))
    distinct = distinct[np.argsort(~space.lasting[distinct], kind="stable")]
    column = np.full(len(space.normal) + 1, NO_NODE, np.int32)
    column[distinct] = np.arange(len(distinct))
    touch = column[merged.first]  # NONE is the last column, and stays
    numbers = Integers(space.rank) if exact else FloatWitnesses(space.rank, equal=space.equal)
    builder = ComplexBuilder(numbers, space.rank, len(distinct), at_most=pace.at_most)
    builder.half_spaces(space.normal[distinct], 0)
    pace.step(len(distinct), len(distinct), builder.live)
    touching = np.equal(builder.signs(), 0)
    # A contact that a velocity lifts, and no cell: that velocity was mistaken for rounding.
    lost = 0 if exact else int(np.count_nonzero(touching.all(axis=0) & ~space.lasting[distinct]))
    if kind != "all":
        space = replace(space, tangent=space.tangent[:0], planes=np.zeros_like(space.planes))
    planes = _Planes(space, *_same_cells(touching, touch))
    builder.widen(len(planes.rows))
    runs = [(a, b, NO_NODE if planes.always[i] else int(touch[i])) for a, b, i in planes.runs]

    def count() -> None:
        # NONE is the last column: always touching.
        pace.count(np.pad(touching, ((0, 0), (0, 1)), constant_values=True)[:, touch])

    _divide(builder, planes.rows, len(distinct), runs, pace, count)
    cell_complex = builder.finish()
    return GroupComplex(
        complex=cell_complex,
        layout=planes.layout(touch, len(distinct)),
        contacting_separating=len(touching),
        doubtful=cell_complex.doubtful + merged.doubtful + planes.doubtful + lost,
    )


def _divide(
    builder: ComplexBuilder, rows: Vectors, column: int, runs: Runs, pace: Pace, count: Callable[[], None]
) -> None:
    """Insert the planes; in between `count`, once, which refuses what is sure to grow too large."""
    pause = pace.worth_counting
    done = 0
    while done < len(rows):
        end = next(last for _, last, _ in runs if last > done) if pace.by_contact else len(rows)
        some = [(max(a, done) - done, b - done, touch) for a, b, touch in runs if done < b <= end]
        done += builder.divide_runs(rows[done:end], column + done, some, pause=pause)
        if done < end:
            count()
            pause = NO_LIMIT
        else:
            pace.step(column + done, column + len(rows), builder.live)


def _same_cells(touching: Touching, touch: NDArray[np.int32]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """By contact, a number for the set of cells where it touches (NONE: all), and how large it is."""
    known: dict[bytes, int] = {np.ones(len(touching), bool).tobytes(): NO_NODE}
    by_column = [known.setdefault(column.tobytes(), len(known)) for column in touching.T]
    sizes = np.append(touching.sum(axis=0), len(touching))  # the last for NONE
    return np.array([*by_column, NO_NODE])[touch], sizes[touch]


class _Planes:
    """The dividing planes to insert: one for all contacts that touch in the same cells and share it."""

    def __init__(self, space: Space, cells: NDArray[np.int64], sizes: NDArray[np.int64]) -> None:
        n = len(cells)
        self.always = cells == NO_NODE
        self.counts = space.planes
        # Contacts that touch in many cells first, while the complex is small; those of one set together.
        contacts = np.lexsort((cells, -sizes))
        sets = cells[contacts]
        new = np.ones(n, bool)
        new[1:] = sets[1:] != sets[:-1]
        place = np.empty(n, np.int64)
        place[contacts] = np.arange(n)
        place_of_plane = place.repeat(space.planes)
        order = place_of_plane.argsort(kind="stable")
        group = (np.cumsum(new) - 1)[place_of_plane[order]]
        rows = space.tangent[order]
        first, orientation, self.doubtful = merge(rows, both_ways=True, groups=group, equal=space.equal)
        kept = first == np.arange(len(rows))
        self.rows = rows[kept]
        ends = np.cumsum(np.bincount(group[kept], minlength=int(new.sum()))).tolist()
        # (first, last, contact) of planes that belong together
        self.runs = [
            (a, b, int(i)) for a, b, i in zip([0, *ends], ends, contacts[new], strict=False) if b > a
        ]
        self.column = np.empty(len(rows), np.int32)
        self.column[order] = np.where(first == NO_NODE, NO_NODE, (np.cumsum(kept) - 1)[first])
        self.orientation = np.empty(len(rows), np.int8)
        self.orientation[order] = np.where(kept | (first == NO_NODE), 1, orientation)

    def layout(self, touch: NDArray[np.int32], before: int) -> Layout:
        """Columns of the planes follow `before` others."""
        tangent = np.where(self.column == NO_NODE, NO_NODE, self.column + before).astype(np.int32)
        return Layout(np.where(self.always, NO_NODE, touch), tangent, self.orientation, self.counts)
