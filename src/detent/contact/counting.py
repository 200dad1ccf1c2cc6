"""How many modes there are, without a list of them: one contacting/separating mode after the other.

Groups of contacts that share no dependence are counted apart, and multiply.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from detent.contact.enumerate import Limits, Watch
from detent.contact.groups import separate
from detent.contact.row import Contacts
from detent.contact.sliding import contacting_separating, touching_of
from detent.contact.tally import Rows, count, count_exactly
from detent.foundation.errors import UnsupportedError


def counts(
    contacts: Contacts, *, touching: str | None = None, exact: bool = False, limits: Limits | None = None
) -> Iterator[tuple[str, int, int]]:
    """Each contacting/separating mode, how many modes it has, and how many such modes there are in all.

    `touching` names one of them by its signs (`00+0`), and only that one is counted.
    """
    limits = limits or Limits()
    lattice, decided = contacting_separating(contacts, touching, exact=exact, limits=limits)
    for text, own in _own_counts(contacts, lattice, decided, limits):
        yield text, own, len(lattice)


def _own_counts(
    contacts: Contacts, lattice: list[str], exact: bool, limits: Limits
) -> Iterator[tuple[str, int]]:
    rows = Rows(contacts)
    by_itself = count_exactly if exact else count
    total = 0
    for done, text in enumerate(lattice):
        own = by_itself(rows, touching_of(contacts, text))
        total += own
        step(limits, done + 1, len(lattice), total)
        yield text, own


def step(limits: Limits, done: int, every: int, total: int) -> None:
    """On to the next contacting/separating mode: progress, and the end of the time allowed."""
    try:
        limits.step(done, every, total)
    except UnsupportedError:
        problem = f"the time ran out at {total} modes, in {done} of {every} contacting/separating modes"
        remedy = "allow more (--seconds), or take one of those (--of SIGNS)"
        raise UnsupportedError(problem, remedy) from None


def running_count(
    contacts: Contacts, *, touching: str | None = None, exact: bool = False, limits: Limits | None = None
) -> Iterator[tuple[int, int, int]]:
    """Contacting/separating modes counted by now, the modes they have, and how many there are to count."""
    limits = limits or Limits()
    parts = [contacts] if touching else separate(contacts)
    lattices = [contacting_separating(part, touching, exact=exact, limits=limits) for part in parts]
    every = math.prod(len(lattice) for lattice, _ in lattices)
    # With the groups before counted, one more mode of a group is one more with each of theirs.
    lattice_before, total_before = 1, 1
    for part, (lattice, decided) in zip(parts, lattices, strict=True):
        total = 0
        for done, (_, own) in enumerate(_own_counts(part, lattice, decided, limits)):
            total += own
            yield lattice_before * (done + 1), total_before * total, every
        lattice_before, total_before = lattice_before * len(lattice), total_before * total


def count_modes(
    contacts: Contacts,
    *,
    touching: str | None = None,
    exact: bool = False,
    limits: Limits | None = None,
    watch: Watch | None = None,
) -> dict[str, int]:
    """`contacting_separating` and `all`; `watch` hears of each contacting/separating mode."""
    lattice, total = 0, 0
    for lattice, total, every in running_count(contacts, touching=touching, exact=exact, limits=limits):
        if watch is not None:
            watch(lattice, every, total)
    return {"contacting_separating": lattice, "all": total}


def count_contacting_separating(
    contacts: Contacts, *, exact: bool = False, limits: Limits | None = None
) -> int:
    """How many contacting/separating modes there are."""
    return math.prod(
        len(contacting_separating(part, exact=exact, limits=limits)[0]) for part in separate(contacts)
    )
