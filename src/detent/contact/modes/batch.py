"""Modes of many configurations, as a planner's tree asks for them.

All share the memory they are built in. Whether kernels are worth compiling is decided for the
batch, not for each: after the first results the work of the rest is known well enough. A
configuration whose rows were met before is not enumerated again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np

from detent.contact.contacts import Contacts
from detent.contact.modes.enumerate import Budget
from detent.contact.modes.group_complex import Kind
from detent.contact.modes.mode import ModeSet, modes
from detent.contact.touching.document import contacts_of
from detent.foundation.errors import DetentError
from detent.model.document.mechanism import Mechanism
from detent.numeric.arrangement.complex import STEPS_A_CELL
from detent.numeric.kernels import KERNELS
from detent.numeric.threads import on_one_thread
from detent.record.batch import Batch

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
    enumerated = _Enumerated(kind, exact, limits)
    for each in many:
        yield enumerated.modes(each)


@on_one_thread
def modes_batch(
    designs: Iterable[Contacts | Mechanism],
    *,
    kind: Kind = "all",
    exact: bool = False,
    limits: Budget | None = None,
) -> Batch:
    """How many modes each configuration has: columns `contacts`, `modes`, `rank` and whether it was `exact`.

    One that is beyond memory or time, or cannot be understood, has that as its reason, and no modes.
    """
    enumerated = _Enumerated(kind, exact, limits)
    rows: list[tuple[int, int, int, bool]] = []
    reasons: list[str] = []
    for each in designs:
        try:
            mode_set = enumerated.modes(each)
        except DetentError as error:
            rows.append((0, 0, 0, False))
            reasons.append(str(error))
        else:
            rows.append((len(mode_set.contacts), len(mode_set), mode_set.rank, mode_set.enumeration.exact))
            reasons.append("")
    table = np.array(rows, dtype=np.int64).reshape(-1, 4)
    return Batch(
        columns={
            "contacts": table[:, 0],
            "modes": table[:, 1],
            "rank": table[:, 2],
            "exact": table[:, 3].astype(bool),
        },
        reasons=tuple(reasons),
        counts={"designs": len(rows), "modes": int(table[:, 1].sum()), "enumerated": enumerated.count},
    )


class _Enumerated:
    """Configurations one after another; one whose rows were met lately is not enumerated again."""

    def __init__(self, kind: Kind, exact: bool, limits: Budget | None) -> None:
        self.kind, self.exact, self.limits = kind, exact, limits
        self.known: dict[bytes, ModeSet] = {}
        self.work = self.count = 0

    def modes(self, each: Contacts | Mechanism) -> ModeSet:
        contacts = contacts_of(each) if isinstance(each, Mechanism) else each
        key = _key(contacts)
        mode_set = self.known.pop(key, None)
        if mode_set is None:
            mode_set = modes(contacts, kind=self.kind, exact=self.exact, limits=self.limits)
            self.count += 1
            self.work += STEPS_A_CELL * len(mode_set) * max(1, len(mode_set.enumeration.complex.rows))
            _prepare(self.work)
        self.known[key] = mode_set
        if len(self.known) > REMEMBERED:
            del self.known[next(iter(self.known))]
        if mode_set.contacts is contacts:
            return mode_set
        return replace(mode_set, enumeration=replace(mode_set.enumeration, contacts=contacts))


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
