"""How many modes there are: read from their complex where they are few, else without a list of them.

One contacting/separating mode is counted after the other. Groups of contacts that share no
dependence are counted apart, and multiply.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import accumulate

from detent.contact.checks import touching_of
from detent.contact.contacts import Contacts
from detent.contact.modes.count_one import CountingRows, count, count_exactly
from detent.contact.modes.enumerate import Budget, OutOfTimeError, Watch, built, few_cells
from detent.contact.modes.grouping import separate
from detent.contact.modes.mode import ModeSet, whole_set
from detent.contact.modes.sliding import contacting_separating, few_modes
from detent.foundation.errors import UnsupportedError


def counts(
    contacts: Contacts, *, touching: str | None = None, exact: bool = False, limits: Budget | None = None
) -> Iterator[tuple[str, int, int]]:
    """Each contacting/separating mode, how many modes it has, and how many such modes there are in all.

    `touching` names one of them by its signs (`00+0`), and only that one is counted.
    """
    limits = limits or Budget()
    few = few_modes(contacts, touching, exact=exact, limits=limits)
    if few is not None:
        yield from _listed(few, limits)
        return
    lattice, decided = contacting_separating(contacts, touching, exact=exact, limits=limits)
    yield from _count_each(contacts, lattice, decided, limits)


def _listed(few: ModeSet, limits: Budget) -> Iterator[tuple[str, int, int]]:
    known = few.sliding_counts()
    for done, (text, total) in enumerate(zip(known, accumulate(known.values()), strict=True)):
        step(limits, done + 1, len(known), total, text)
        yield text, known[text], len(known)


def _count_each(
    contacts: Contacts, lattice: list[str], exact: bool, limits: Budget
) -> Iterator[tuple[str, int, int]]:
    rows = CountingRows(contacts)
    by_itself = count_exactly if exact else count
    total = 0
    for done, text in enumerate(lattice):
        modes_of_one = by_itself(rows, touching_of(contacts, text))
        total += modes_of_one
        step(limits, done + 1, len(lattice), total, text)
        yield text, modes_of_one, len(lattice)


def step(limits: Budget, done: int, every: int, total: int, last: str) -> None:
    """On to the next contacting/separating mode: progress, and the end of the time allowed."""
    try:
        limits.step(done, every, total)
    except OutOfTimeError:
        where = f"in {done} of {every} contacting/separating modes up to {last}"
        remedy = "allow more (--seconds), or go on one by one (--of SIGNS)"
        raise UnsupportedError(f"the time ran out at {total} modes, {where}", remedy) from None


def running_count(
    contacts: Contacts, *, touching: str | None = None, exact: bool = False, limits: Budget | None = None
) -> Iterator[tuple[int, int, int]]:
    """Contacting/separating modes counted by now, the modes they have, and how many there are to count."""
    limits = limits or Budget()
    few = few_cells(contacts, exact=exact, limits=limits) if touching is None else None
    if few is not None and few.cells > few.most:
        yield few.contacting_separating, few.cells, few.contacting_separating
        return
    if touching is None and few is None:
        yield from _count_by_group(contacts, exact, limits)
        return
    each = (
        counts(contacts, touching=touching, exact=exact, limits=limits)
        if few is None
        else _listed(whole_set(few.joined()), limits)
    )
    total = 0
    for done, (_, modes_of_one, every) in enumerate(each):
        total += modes_of_one
        yield done + 1, total, every


def _count_by_group(contacts: Contacts, exact: bool, limits: Budget) -> Iterator[tuple[int, int, int]]:
    """Group by group."""
    parts = separate(contacts)
    lattices = [contacting_separating(part, exact=exact, limits=limits) for part in parts]
    every = math.prod(len(lattice) for lattice, _ in lattices)
    # With the groups before counted, one more mode of a group is one more with each of theirs.
    lattice_before, total_before = 1, 1
    for part, (lattice, decided) in zip(parts, lattices, strict=True):
        total = 0
        for done, (_, modes_of_one, _) in enumerate(_count_each(part, lattice, decided, limits)):
            total += modes_of_one
            yield lattice_before * (done + 1), total_before * total, every
        lattice_before, total_before = lattice_before * len(lattice), total_before * total


def count_modes(
    contacts: Contacts,
    *,
    touching: str | None = None,
    exact: bool = False,
    limits: Budget | None = None,
    watch: Watch | None = None,
) -> dict[str, int]:
    """`contacting_separating` and `all`; `watch` hears of each contacting/separating mode."""
    lattice, total = 0, 0
    for lattice, total, every in running_count(contacts, touching=touching, exact=exact, limits=limits):
        if watch is not None:
            watch(lattice, every, total)
    return {"contacting_separating": lattice, "all": total}


def count_contacting_separating(
    contacts: Contacts, *, exact: bool = False, limits: Budget | None = None
) -> int:
    """How many contacting/separating modes there are."""
    return built(contacts, kind="contacting_separating", exact=exact, limits=limits).contacting_separating
