"""Modes of many configurations, as a planner's tree asks for them.

All share the memory they are built in. Whether kernels are worth compiling is decided for the
batch, not for each: after the first results the work of the rest is known well enough. A
configuration whose rows were met before is not enumerated again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from detent.contact.contacts import Contacts
from detent.contact.modes.enumerate import Budget
from detent.contact.modes.group_complex import Kind
from detent.contact.modes.mode import ModeSet, modes
from detent.contact.touching.document import contacts_of
from detent.model.document.mechanism import Mechanism
from detent.numeric.arrangement.complex import STEPS_A_CELL
from detent.numeric.kernels import KERNELS

# Enumerations kept to be met again; planners come back to recent configurations.
REMEMBERED = 64


def modes_of_many(
    many: Iterable[Contacts | Mechanism],
    *,
    kind: Kind = "all",
    exact: bool = False,
    limits: Budget | None = None,
) -> Iterator[ModeSet]:
    """The modes of each configuration, in order, one at a time: what was read can be dropped."""
    known: dict[bytes, ModeSet] = {}
    work = 0
    for each in many:
        contacts = contacts_of(each) if isinstance(each, Mechanism) else each
        key = _key(contacts)
        found = known.pop(key, None)
        if found is None:
            found = modes(contacts, kind=kind, exact=exact, limits=limits)
            work += STEPS_A_CELL * len(found) * max(1, len(found.found.complex.rows))
            _prepare(work)
        known[key] = found
        if len(known) > REMEMBERED:
            del known[next(iter(known))]
        same = found.contacts is contacts
        yield found if same else replace(found, found=replace(found.found, contacts=contacts))


def _key(contacts: Contacts) -> bytes:
    """Equal for equal rows; friction and names do not change which modes there are."""
    arrays = (contacts.normal, contacts.held, *contacts.tangent)
    return b"|".join(
        str(a.shape).encode() + (repr(a.tolist()).encode() if a.dtype == object else a.tobytes())
        for a in arrays
    )


def _prepare(work: int) -> None:
    """Once a batch has done this much work plainly, the rest is worth compiled kernels."""
    for kernel in KERNELS.values():
        if ".arrangement" in kernel.name:
            kernel.at(work)
