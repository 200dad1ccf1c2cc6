"""How many modes there are, without a list of them."""

from __future__ import annotations

from typing import Any

from detent.contact.enumerate import Watch
from detent.contact.mode import modes
from detent.contact.row import Contacts
from detent.contact.sliding import stream


def count_modes(contacts: Contacts, *, exact: bool = False, watch: Watch | None = None) -> dict[str, Any]:
    """`contacting_separating` and `all`."""
    lattice = modes(contacts, kind="contacting_separating", exact=exact)
    total = 0
    for done, (_, own) in enumerate(stream(contacts, exact=exact)):
        total += len(own)
        if watch is not None:
            watch(done + 1, len(lattice), total)
    return {"contacting_separating": len(lattice), "all": total}
