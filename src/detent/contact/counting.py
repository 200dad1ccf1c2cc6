"""How many modes there are, without a list of them: one contacting/separating mode after the other."""

from __future__ import annotations

from collections.abc import Iterator

from detent.contact.enumerate import Limits, Watch
from detent.contact.row import Contacts
from detent.contact.sliding import contacting_separating, touching_of
from detent.contact.tally import Rows, count, count_exactly


def counts(
    contacts: Contacts, *, touching: str | None = None, exact: bool = False, limits: Limits | None = None
) -> Iterator[tuple[str, int, int]]:
    """Each contacting/separating mode, how many modes it has, and how many such modes there are in all.

    `touching` names one of them by its signs (`00+0`), and only that one is counted.
    """
    limits = limits or Limits()
    lattice, decided = contacting_separating(contacts, touching, exact=exact, limits=limits)
    rows = Rows(contacts)
    by_itself = count_exactly if decided else count
    total = 0
    for done, text in enumerate(lattice):
        own = by_itself(rows, touching_of(contacts, text))
        total += own
        limits.step(done + 1, len(lattice), total)
        yield text, own, len(lattice)


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
    for _, own, every in counts(contacts, touching=touching, exact=exact, limits=limits):
        lattice += 1
        total += own
        if watch is not None:
            watch(lattice, every, total)
    return {"contacting_separating": lattice, "all": total}
