"""What of the velocity vector a mode can move: the entries of a part, and the cells that move any of them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from detent.contact.contacts import Contacts
from detent.contact.modes.enumerate import Enumeration
from detent.contact.modes.space import null_space
from detent.foundation.errors import ModelError
from detent.numeric.arrangement.complex import EQUAL
from detent.numeric.arrangement.store import NO_NODE


def columns_of(contacts: Contacts, part: str) -> range:
    """The entries of a part."""
    names = contacts.bodies
    if part not in names:
        remedy = f"they are {', '.join(names)}" if names else "give entries of the velocity by number"
        raise ModelError.at("columns", f"no part {part!r} moves", remedy)
    own = contacts.degrees // len(names)
    return range(names.index(part) * own, (names.index(part) + 1) * own)


def cells_moving(found: Enumeration, columns: NDArray[np.int64]) -> NDArray[np.bool_]:
    """By cell of the complex: whether its span moves any of these entries.

    The span of a cell is that of its witness and of the cells that bound it, down to the
    directions that no row of the set divides.
    """
    made, given = found.complex, found.contacts.scaled
    planes = np.concatenate([given.held, *given.tangent])[len(given.held) :]
    divided = planes[np.flatnonzero(found.layout.tangent != NO_NODE)]
    undivided, _ = null_space(np.concatenate([given.held, given.normal, divided]), np.eye(given.degrees))
    blind = found.contacts.as_given(undivided)[columns]
    own = made.witness @ found.space.frame[columns].T
    still = EQUAL if made.witness.dtype != object else 0
    moves: NDArray[np.bool_] = (np.abs(own) > still).any(axis=1) | bool((np.abs(blind) > EQUAL).any())
    owner = np.repeat(np.arange(len(made)), np.diff(made.start))
    for k in np.unique(made.dim):  # small dimensions first: what bounds a cell is decided before it
        pairs = np.flatnonzero(made.dim[owner] == k)
        moves |= np.bincount(owner[pairs], moves[made.cells[pairs]], minlength=len(made)) > 0
    return moves
