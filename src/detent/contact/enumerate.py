"""Which contact modes are possible: the cell complex of a set of contacts.

Normals go in as half-spaces; the cells are then the contacting/separating modes.
The dividing planes of a contact go only into the cells where it touches; the
cells are then all modes (Huang, Cheng & Mason's algorithms 1 and 2 in one, with
the neighbours across contacting/separating modes that their lattices lack).

Floating point first; when a decision falls into the gap between rounding and
geometry, or on request, everything is decided again in integers.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from detent.contact.row import Contacts
from detent.contact.space import Space, exact_space, float_space
from detent.contact.tally import Rows, more_than
from detent.foundation.errors import ModelError, UnsupportedError
from detent.numeric.arrangement import NO_LIMIT, Builder, Complex, Floats, Runs, TooManyCellsError, Vectors
from detent.numeric.arrangement_check import assert_sound, unfaithful
from detent.numeric.arrangement_exact import Integers
from detent.numeric.arrangement_kernels import NONE
from detent.numeric.arrangement_rows import merge

Kind = Literal["all", "contacting_separating"]
KINDS: tuple[Kind, ...] = ("all", "contacting_separating")
Watch = Callable[[int, int, int], None]  # planes done, planes in all, cells so far

# A listing may take this much memory unless said otherwise; a larger one is
# refused, with the ways to have it all the same.
MEMORY = 2 << 30  # [bytes]
_BYTES_A_NODE, _NODES_A_CELL, _BYTES_BESIDE = 8, 14, 32

# A listing that comes to so many cells is counted before it goes on; smaller ones end sooner than that.
_WORTH_COUNTING = 100_000
# No machine lists more than that; a limit of time that would need more is hopeless.
_CELLS_A_SECOND = 10_000_000

REMEDY = (
    "count them (--count), stream them by contacting/separating mode (--stream), "
    "list one of those (--of SIGNS), or allow more (--memory, --seconds)"
)


@dataclass(frozen=True)
class Layout:
    """Which column of the complex holds which sign, and whether as it stands (1) or turned (-1)."""

    normal: NDArray[np.int32]  # by contact; NONE: always touching
    tangent: tuple[NDArray[np.int32], ...]  # by contact and plane; NONE: always 0
    turn: tuple[NDArray[np.int8], ...]


@dataclass(frozen=True, eq=False)
class Enumeration:
    """The complex of a set of contacts, and how to read it."""

    contacts: Contacts
    space: Space
    complex: Complex
    layout: Layout
    exact: bool
    flagged: int  # decisions of the floating-point run that fell into the gap
    contacting_separating: int


class Limits:
    """Memory, time and progress of one enumeration."""

    def __init__(
        self, *, memory: int = MEMORY, seconds: float | None = None, watch: Watch | None = None
    ) -> None:
        if memory <= 0:
            raise ModelError.at("memory", f"{memory} bytes hold no list", "allow some, or count (--count)")
        if seconds is not None and not seconds >= 0:
            raise ModelError.at("seconds", f"{seconds} is no time", "0 or more")
        self.memory = memory
        self.until = None if seconds is None else time.monotonic() + seconds
        self.watch = watch

    @property
    def watched(self) -> bool:
        """Whether somebody wants to hear, or stop, between contacts."""
        return self.watch is not None or self.until is not None

    def silent(self) -> Limits:
        """The same memory and deadline, without progress."""
        made = Limits(memory=self.memory)
        made.until = self.until
        return made

    def cells(self, rank: int, columns: int) -> int:
        """How many cells the memory holds, counting that arrays double as they grow."""
        a_cell = columns + 8 * rank + _BYTES_A_NODE * _NODES_A_CELL + _BYTES_BESIDE
        return max(1, self.memory // (2 * a_cell))

    def step(self, done: int, total: int, cells: int) -> None:
        if self.watch is not None:
            self.watch(done, total, cells)
        if self.until is not None and time.monotonic() > self.until:
            problem = f"the time for this listing ran out at {cells} modes, {done} of {total} planes inserted"
            raise UnsupportedError(problem, REMEDY)


def enumerate_cells(
    contacts: Contacts, *, kind: Kind = "all", exact: bool = False, limits: Limits | None = None
) -> Enumeration:
    """Every mode of the contacts as a cell; exact where asked, or where floats are in doubt."""
    limits = limits or Limits()
    flagged = 0
    if not exact:
        found = _build(contacts, float_space(contacts), kind, limits)
        flagged = found.flagged or unfaithful(found.complex)
        if not flagged:
            assert_sound(found.complex)
            return found
    found = _build(contacts, exact_space(contacts), kind, limits)
    assert_sound(found.complex)
    assert not unfaithful(found.complex), "an exact witness contradicts its own signs"
    return replace(found, flagged=flagged)


def _build(contacts: Contacts, space: Space, kind: Kind, limits: Limits) -> Enumeration:
    columns = len(contacts) + sum(len(rows) for rows in contacts.tangent)
    most = limits.cells(space.rank, columns)
    try:
        return _build_within(contacts, space, kind, limits, most)
    except TooManyCellsError:
        problem = f"more than {most} modes, beyond the {limits.memory >> 20} MiB allowed for a listing"
        raise UnsupportedError(problem, REMEDY) from None


def _build_within(contacts: Contacts, space: Space, kind: Kind, limits: Limits, most: int) -> Enumeration:
    exact = space.normal.dtype == object
    merged = merge(space.normal, both_ways=False)
    # Contacts that seem to last go first: they shrink the space at once.
    distinct = sorted(
        (i for i, first in enumerate(merged.first) if first == i), key=lambda i: (not space.lasting[i], i)
    )
    column = {i: k for k, i in enumerate(distinct)}
    touch = np.array([column.get(int(first), NONE) for first in merged.first], np.int32)
    numbers = Integers(space.rank) if exact else Floats(space.rank)
    builder = Builder(numbers, space.rank, len(distinct), at_most=most)
    builder.half_spaces(space.normal[distinct], 0)
    limits.step(len(distinct), len(distinct), builder.live)
    signs = builder.signs()
    touching, sizes, separating = _touching_sets(signs, touch)
    planes = _Planes(space, touching, sizes)
    if kind == "all":
        builder.widen(len(planes.rows))
        runs = [(a, b, NONE if touching[i] == NONE else int(touch[i])) for a, b, i in planes.runs]

        def refuse() -> None:
            # NONE is the last column: always touching.
            _refuse_beyond(most, limits, contacts, np.pad(signs, ((0, 0), (0, 1)))[:, touch] == 0)

        _divide(builder, planes.rows, len(distinct), runs, limits, refuse)
    made = builder.finish()
    return Enumeration(
        contacts=contacts,
        space=space,
        complex=made,
        layout=planes.layout(np.where(touching == NONE, NONE, touch), len(distinct), kind),
        exact=exact,
        flagged=made.doubtful + merged.doubtful + planes.doubtful + space.doubtful,
        contacting_separating=separating,
    )


def _divide(
    builder: Builder, rows: Vectors, column: int, runs: Runs, limits: Limits, refuse: Callable[[], None]
) -> None:
    """Insert the planes; on the way `refuse` a listing that is sure to grow too large."""
    pause = _WORTH_COUNTING
    done = 0
    while done < len(rows):
        end = next(last for _, last, _ in runs if last > done) if limits.watched else len(rows)
        some = [(max(a, done) - done, b - done, touch) for a, b, touch in runs if done < b <= end]
        done += builder.divide_runs(rows[done:end], column + done, some, pause=pause)
        if done < end:
            refuse()
            pause = NO_LIMIT
        else:
            limits.step(column + done, column + len(rows), builder.live)


def _refuse_beyond(most: int, limits: Limits, contacts: Contacts, sets: NDArray[np.bool_]) -> None:
    """Stop a listing that is sure to outgrow its limits while it is still small."""
    if limits.until is not None:
        most = min(most, int(_CELLS_A_SECOND * max(0.0, limits.until - time.monotonic())))
    found = more_than(Rows(contacts), sets, most)
    if found is not None:
        problem = (
            f"at least {found} modes, more than {most}, the most that the memory and time allowed can list"
        )
        raise UnsupportedError(problem, REMEDY)


def _touching_sets(
    signs: NDArray[np.int8], touch: NDArray[np.int32]
) -> tuple[NDArray[np.int32], NDArray[np.int64], int]:
    """By contact, a number for the set of cells where it touches (NONE: all) and its size; how many cells."""
    zero = np.equal(signs.T, 0)
    known: dict[bytes, int] = {np.ones(len(signs), bool).tobytes(): NONE}
    by_column = [known.setdefault(column.tobytes(), len(known)) for column in zero]
    sizes = np.append(zero.sum(axis=1), len(signs))  # the last for NONE
    groups = [NONE if k == NONE else by_column[k] for k in touch.tolist()]
    return np.array(groups, np.int32), sizes[touch], len(signs)


class _Planes:
    """The dividing planes to insert: one for all contacts that touch in the same cells and share it."""

    def __init__(self, space: Space, touching: NDArray[np.int32], sizes: NDArray[np.int64]) -> None:
        # Those that touch in many cells first, while the complex is small; contacts of one set together.
        order = np.lexsort((touching, -sizes))
        counts = np.array([len(space.tangent[i]) for i in order], int)
        new = np.diff(touching[order], prepend=NONE - 1) != 0
        group = np.repeat(np.cumsum(new) - 1, counts)
        rows = np.concatenate([space.normal[:0], *(space.tangent[i] for i in order)])
        first, turn, self.doubtful = merge(rows, both_ways=True, groups=group)
        kept = first == np.arange(len(rows))
        column = np.where(first == NONE, NONE, (np.cumsum(kept) - 1)[first]).astype(np.int32)
        self.rows = rows[kept]
        ends = np.cumsum(np.bincount(group[kept], minlength=int(new.sum())))
        # (first, last, contact) of planes that belong together
        self.runs = [
            (int(a), int(b), int(i)) for a, b, i in zip([0, *ends], ends, order[new], strict=False) if b > a
        ]
        back, cuts = np.argsort(order), np.cumsum(counts)[:-1]
        columns, turns = np.split(column, cuts), np.split(np.where(kept | (first == NONE), 1, turn), cuts)
        self.column = tuple(columns[k] for k in back)
        self.turn = tuple(turns[k].astype(np.int8) for k in back)

    def layout(self, touch: NDArray[np.int32], before: int, kind: Kind) -> Layout:
        if kind != "all":
            none = tuple(np.zeros(0, np.int32) for _ in self.column)
            return Layout(touch, none, tuple(np.zeros(0, np.int8) for _ in self.turn))
        moved = tuple(np.where(c == NONE, NONE, c + before).astype(np.int32) for c in self.column)
        return Layout(touch, moved, self.turn)
