"""Modes for the round friction cone: each contact separates, sticks or slides, in whatever direction.

Sliding is any non-zero tangential velocity. Its velocities are not convex, so such
a mode is a union of the cells of the divided planes; any division that spans the
tangent plane gives the same modes. Written like a mode, with one sign per contact
behind the bar: `0` sticks, `*` slides, `.` separates.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from detent.contact.contacts import Contacts, spanning, tangent_ranks
from detent.contact.modes.mode import ModeSet
from detent.foundation.errors import ModelError


@dataclass(frozen=True, eq=False)
class RoundModes:
    """Modes of the round cone as groups of divided ones."""

    divided: ModeSet
    texts: tuple[str, ...]  # sorted
    group: NDArray[np.int64]  # by divided mode: which of `texts` it belongs to

    def __len__(self) -> int:
        return len(self.texts)

    def __iter__(self) -> Iterator[str]:
        return iter(self.texts)

    def __getitem__(self, text: str) -> ModeSet:
        """The divided modes whose union is this one."""
        where = self._index.get(text.strip()) if isinstance(text, str) else None
        if where is None:
            remedy = "write one sign (0 +) per contact, a bar, one (0 * .) per contact"
            raise ModelError.at("mode", f"there is no mode {text!r}", remedy)
        return replace(self.divided, cells=self.divided.cells[self.group == where])

    @cached_property
    def _index(self) -> dict[str, int]:
        return {text: i for i, text in enumerate(self.texts)}


def round_modes(divided: ModeSet) -> RoundModes:
    """Merge the divided modes of a set."""
    if divided.kind != "all":
        problem = "contacting/separating modes do not tell sticking from sliding"
        raise ModelError.at("kind", problem, "give all modes of the contacts")
    _refuse_blind(divided.contacts)
    n = len(divided.contacts)
    signs = divided.signs
    letters = np.full((len(divided), 2 * n + 1), ord("|"), np.uint8)
    first = n
    for i, planes in enumerate(divided.planes):
        touching = signs[:, i] == 0
        sliding = (signs[:, first : first + planes] != 0).any(axis=1)
        letters[:, i] = np.where(touching, ord("0"), ord("+"))
        letters[:, n + 1 + i] = np.where(~touching, ord("."), np.where(sliding, ord("*"), ord("0")))
        first += planes
    keys = np.ascontiguousarray(letters).view(f"S{2 * n + 1}").ravel()
    unique, group = np.unique(keys, return_inverse=True)
    return RoundModes(divided, tuple(key.decode() for key in unique), group)


def _refuse_blind(contacts: Contacts) -> None:
    """Planes that do not span the tangent plane cannot tell sticking from sliding."""
    for i in range(len(contacts)):
        spanned, needed = tangent_ranks(contacts, i)
        if spanned < needed:
            raise ModelError.at(
                f"contacts.{i}.tangents",
                f"{len(contacts.tangent[i])} dividing planes do not span the tangent plane, "
                "and so do not tell sticking from sliding",
                spanning(contacts, i, needed),
            )
