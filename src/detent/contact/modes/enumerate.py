"""Which contact modes are possible: the cell complex of a set of contacts.

Normals go in as half-spaces; the cells are then the contacting/separating modes.
The dividing planes of a contact go only into the cells where it touches; the
cells are then all modes (Huang, Cheng & Mason's algorithms 1 and 2 in one, with
the neighbours across contacting/separating modes that their lattices lack).

Floating point first; when a decision falls into the gap between rounding and
geometry, or on request, everything is decided again in integers.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from detent.contact.contacts import Contacts
from detent.contact.modes.count_one import CountingRows, more_than
from detent.contact.modes.group_complex import Kind, Layout, Pace, Touching, build
from detent.contact.modes.grouping import Group, separated_groups
from detent.contact.modes.space import Space, exact_space, float_space
from detent.foundation.errors import ModelError, UnsupportedError
from detent.numeric.arrangement.check import assert_sound, unfaithful
from detent.numeric.arrangement.complex import EQUAL, Complex, TooManyCellsError
from detent.numeric.arrangement.product import product
from detent.numeric.arrangement.store import NO_NODE, UNSEEN
from detent.record.scope import Scope

KINDS: tuple[Kind, ...] = ("all", "contacting_separating")
Signs = NDArray[np.int8]
Watch = Callable[[int, int, int], None]  # planes done, planes in all, cells so far

# A listing may take this much memory unless said otherwise; a larger one is
# refused, with the ways to have it all the same.
MEMORY = 2 << 30  # [bytes]
_BYTES_A_NODE, _NODES_A_CELL, _BYTES_BESIDE = 8, 14, 32

# No more cells than that in any group, and the list, the count and the stream of modes are read from one
# complex: where rows are nearly dependent, separate computations could decide differently.
FEW = 10_000

# A listing that comes to so many cells is counted before it goes on; smaller ones end sooner than that.
_WORTH_COUNTING = 100_000
# No machine lists more than that; a limit of time that would need more is hopeless.
_CELLS_A_SECOND = 10_000_000

# What every answer about modes assumes: nothing else is in the way.
ONLY_THESE = "only these contacts touch"
REMEDY = (
    "count them (--count), stream them by contacting/separating mode (--stream), "
    "list one of those (--of SIGNS), or allow more (--memory, --seconds)"
)


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

    def dimensions(self, cells: Sequence[int] | NDArray[np.int64]) -> NDArray[np.int64]:
        """Of the velocities of some cells, those that no contact notices among them."""
        noticed = self.complex.dim[np.asarray(cells, np.int64)].astype(np.int64)
        dimensions: NDArray[np.int64] = noticed + self.space.unnoticed
        return dimensions


class TooLongError(UnsupportedError):
    """A listing beyond what its limits hold."""


class OutOfTimeError(UnsupportedError):
    """A listing that does not end within its time."""


class Budget:
    """Memory, time and progress of one enumeration."""

    def __init__(
        self, *, memory: int = MEMORY, seconds: float | None = None, watch: Watch | None = None
    ) -> None:
        if memory <= 0:
            raise ModelError.at("memory", f"{memory} bytes hold no list", "allow some, or count (--count)")
        if seconds is not None and not seconds >= 0:
            raise ModelError.at("seconds", f"{seconds} is not a time", "0 or more")
        self.memory = memory
        self.until = None if seconds is None else time.monotonic() + seconds
        self.watch = watch
        self.most: int | None = None  # cells, where memory is not what counts

    @property
    def watched(self) -> bool:
        """Whether somebody wants to hear, or stop, between contacts."""
        return self.watch is not None or self.until is not None

    def silent(self) -> Budget:
        """The same memory and deadline, without progress."""
        budget = Budget(memory=self.memory)
        budget.until = self.until
        return budget

    def few(self) -> Budget:
        """The same deadline, and FEW cells."""
        budget = self.silent()
        budget.most = FEW
        return budget

    def cells(self, rank: int, columns: int) -> int:
        """How many cells the memory holds, counting that arrays double as they grow."""
        a_cell = columns + 8 * rank + _BYTES_A_NODE * _NODES_A_CELL + _BYTES_BESIDE
        held = max(1, self.memory // (2 * a_cell))
        return held if self.most is None else min(held, self.most)

    def step(self, done: int, total: int, cells: int) -> None:
        if self.watch is not None:
            self.watch(done, total, cells)
        if self.until is not None and time.monotonic() > self.until:
            problem = f"the time for this listing ran out at {cells} modes, {done} of {total} planes inserted"
            raise OutOfTimeError(problem, REMEDY)


def enumerate_cells(
    contacts: Contacts, *, kind: Kind = "all", exact: bool = False, limits: Budget | None = None
) -> Enumeration:
    """Every mode of the contacts as a cell; exact where asked, or where floats are in doubt."""
    return built(contacts, kind=kind, exact=exact, limits=limits).joined()


def built(
    contacts: Contacts, *, kind: Kind = "all", exact: bool = False, limits: Budget | None = None
) -> Built:
    """The same, group by group: here alone it is decided whether floats do or integers must."""
    limits = limits or Budget()
    flagged = 0
    if not exact:
        complexes = Built(contacts, float_space(contacts), kind, limits)
        flagged = complexes.doubtful or sum(unfaithful(factor.complex) for factor in complexes.factors)
        if not flagged:
            return complexes
    complexes = Built(contacts, exact_space(contacts), kind, limits, flagged)
    assert not any(unfaithful(factor.complex) for factor in complexes.factors), (
        "a witness contradicts its signs"
    )
    return complexes


def rounded_cells(
    contacts: Contacts, kind: Kind, *, equal: float = EQUAL, limits: Budget | None = None
) -> Enumeration:
    """Every cell that floats see, however close their decisions: what is below `equal` is zero.

    Unproved, and perhaps not sound: signs to be looked at one by one.
    """
    return Built(contacts, float_space(contacts, equal), kind, limits or Budget()).joined(sound=False)


def few_cells(contacts: Contacts, *, exact: bool = False, limits: Budget | None = None) -> Built | None:
    """The complexes of all modes where no group has more than FEW cells; their product may have many."""
    try:
        return built(contacts, exact=exact, limits=(limits or Budget()).few())
    except (TooLongError, OutOfTimeError):
        return None


class Built:
    """The complexes of all groups of contacts, still apart."""

    def __init__(
        self, contacts: Contacts, space: Space, kind: Kind, limits: Budget, flagged: int = 0
    ) -> None:
        self.flagged = flagged
        self.contacts = contacts
        self.limits = limits
        self.most = limits.cells(space.rank, len(contacts) + int(space.planes.sum()))
        self.space, self.groups = separated_groups(space)
        try:
            self.factors = [build(group.of(self.space), kind, self._pace(group)) for group in self.groups]
        except TooManyCellsError:
            mib = limits.memory >> 20
            problem = f"more than {self.most} modes, beyond the {mib} MiB allowed for a listing"
            raise TooLongError(problem, REMEDY) from None
        self.doubtful = space.doubtful + sum(factor.doubtful for factor in self.factors)

    @property
    def cells(self) -> int:
        """How many modes there are."""
        return math.prod(len(factor.complex) for factor in self.factors)

    @property
    def contacting_separating(self) -> int:
        return math.prod(factor.contacting_separating for factor in self.factors)

    def joined(self, *, sound: bool = True) -> Enumeration:
        """One complex for all contacts: of complexes that are sound the product is."""
        self._refuse_beyond(self.cells)
        if sound:
            for factor in self.factors:
                assert_sound(factor.complex)
        return Enumeration(
            contacts=self.contacts,
            space=self.space,
            complex=reduce(product, (factor.complex for factor in self.factors)),
            layout=self._layout(),
            exact=self.space.normal.dtype == object,
            flagged=self.flagged,
            contacting_separating=self.contacting_separating,
        )

    def _layout(self) -> Layout:
        """Columns of the groups follow one another; contacts and planes are back in their order."""
        layouts = [factor.layout for factor in self.factors]
        if len(layouts) == 1:
            return layouts[0]
        planes = (
            self.space.planes if any(len(layout.tangent) for layout in layouts) else 0 * self.space.planes
        )
        normal = np.empty(len(planes), np.int32)
        tangent, orientation = np.empty(planes.sum(), np.int32), np.empty(planes.sum(), np.int8)
        before = 0
        for group, layout, factor in zip(self.groups, layouts, self.factors, strict=True):
            planes_of_group = group.planes[: len(layout.tangent)]  # none where only normals were asked for
            normal[group.contacts] = np.where(layout.normal == NO_NODE, NO_NODE, layout.normal + before)
            tangent[planes_of_group] = np.where(layout.tangent == NO_NODE, NO_NODE, layout.tangent + before)
            orientation[planes_of_group] = layout.orientation
            before += len(factor.complex.rows)
        return Layout(normal, tangent, orientation, planes)

    def _pace(self, group: Group) -> Pace:
        def count(touching: Touching) -> None:
            # With all others touching these are modes of the whole: a lower bound.
            sets = np.ones((len(touching), len(self.contacts)), bool)
            sets[:, group.contacts] = touching
            self._refuse_beyond(
                more_than(CountingRows(self.contacts), sets, self._most_in_time()) or 0, "at least "
            )

        return Pace(self.most, _WORTH_COUNTING, self.limits.watched, self.limits.step, count)

    def _most_in_time(self) -> int:
        """How many cells memory and the time left allow."""
        if self.limits.until is None:
            return self.most
        return min(self.most, int(_CELLS_A_SECOND * max(0.0, self.limits.until - time.monotonic())))

    def _refuse_beyond(self, number: int, sure: str = "") -> None:
        """Stop a listing that outgrows its limits before it does."""
        most = self._most_in_time()
        if number > most:
            problem = (
                f"{sure}{number} modes, more than {most}, the most that the memory and time allowed can list"
            )
            raise TooLongError(problem, REMEDY)


def signs_of(enumeration: Enumeration, cells: NDArray[Any]) -> Signs:
    """Signs of some cells, read through the layout: one per contact, then one per plane."""
    layout = enumeration.layout
    sign = enumeration.complex.sign[cells]
    n, planes = len(enumeration.contacts), layout.planes
    signs = np.zeros((len(cells), n + int(planes.sum())), np.int8)
    held = layout.normal != NO_NODE
    signs[:, np.flatnonzero(held)] = sign[:, layout.normal[held]]
    if not planes.sum():
        return signs
    column, orientation = layout.tangent, layout.orientation
    owner = np.repeat(np.arange(n), planes)
    divided = np.flatnonzero(column != NO_NODE)
    # 2 (not divided) survives a change of sign: -2 only ever comes from it.
    signed = sign[:, column[divided]] * orientation[divided]
    signs[:, n + divided] = np.where(np.abs(signed) == UNSEEN, UNSEEN, signed)
    apart = signs[:, owner] != 0
    signs[:, n:][apart] = UNSEEN
    return signs


def scope_of(enumeration: Enumeration, *, whole: bool, as_written: str) -> Scope:
    """What a list of modes holds for; `whole` says that none were filtered out.

    `as_written` tells what the last digits of the numbers decide.
    """
    how = "in integers" if enumeration.exact else "in floating point, where no decision was close to rounding"
    return Scope(
        certainty="proved" if enumeration.exact else "computed",
        covers=(
            f"which signs the velocities of rigid parts can have at these contacts, decided {how}{as_written}"
        ),
        left_out=(
            "masses",
            "forces",
            *enumeration.contacts.beside.left_out,
            *(() if whole else ("modes that were filtered out",)),
        ),
        assumed=(ONLY_THESE,),
    )


def count_scope(contacts: Contacts, exact: bool) -> Scope:
    """What a number of modes of these contacts holds for, without a list of them."""
    how = "in integers" if exact else "in floating point, and in integers what was close to rounding"
    return Scope(
        certainty="proved" if exact else "computed",
        covers=(
            f"how many signs the velocities of rigid parts can have at these contacts, decided {how}"
            f"{contacts.beside.in_the_way}"
        ),
        left_out=("masses", "forces", *contacts.beside.left_out),
        assumed=(ONLY_THESE,),
    )
