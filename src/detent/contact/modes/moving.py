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
    freedoms = contacts.degrees // len(names)
    return range(names.index(part) * freedoms, (names.index(part) + 1) * freedoms)


def cells_moving(enumeration: Enumeration, columns: NDArray[np.int64]) -> NDArray[np.bool_]:
    """By cell of the complex: whether its span moves any of these entries.

    The span of a cell is that of its witness and of the cells that bound it, down to the
    directions that no row of the set divides.
    """
    cell_complex, scaled = enumeration.complex, enumeration.contacts.scaled
    planes = np.concatenate([scaled.held, *scaled.tangent])[len(scaled.held) :]
    divided = planes[np.flatnonzero(enumeration.layout.tangent != NO_NODE)]
    undivided, _ = null_space(np.concatenate([scaled.held, scaled.normal, divided]), np.eye(scaled.degrees))
    blind = enumeration.contacts.as_given(undivided)[columns]
    moved = cell_complex.witness @ enumeration.space.frame[columns].T
    still = EQUAL if cell_complex.witness.dtype != object else 0
    moves: NDArray[np.bool_] = (np.abs(moved) > still).any(axis=1) | bool((np.abs(blind) > EQUAL).any())
    owner = np.repeat(np.arange(len(cell_complex)), np.diff(cell_complex.start))
    for k in np.unique(cell_complex.dim):  # small dimensions first: what bounds a cell is decided before it
        pairs = np.flatnonzero(cell_complex.dim[owner] == k)
        moves |= np.bincount(owner[pairs], moves[cell_complex.cells[pairs]], minlength=len(cell_complex)) > 0
    return moves
