"""One contact less: cells are merged across the planes it takes with it.

What the contact kept apart becomes one: cells that differ in its signs alone. What it
forbade becomes possible: velocities that its row is negative on, which are the modes of the
other contacts with that row negated. Both together hold every velocity that is left,
and meet where the row is zero; cells of the same signs are one cell, as large as its largest
piece, and bounded by what bounds those largest pieces and is not inside it.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from detent.contact.contacts import Contacts
from detent.contact.modes.enumerate import Budget, Enumeration
from detent.contact.modes.group_complex import Layout
from detent.contact.modes.mode import ModeSet, modes
from detent.contact.modes.space import Space, float_space, plane_counts
from detent.foundation.errors import ModelError
from detent.numeric.arrangement.check import assert_sound, unfaithful
from detent.numeric.arrangement.complex import Complex, bits_of, signs_of
from detent.numeric.arrangement.store import NO_NODE

Numbers = NDArray[np.int64]


def without_contact(mode_set: ModeSet, index: int, *, limits: Budget | None = None) -> ModeSet:
    """The modes of all contacts but one, from the modes with it."""
    if not mode_set.whole:
        raise ModelError.at("modes", "a filtered set cannot lose a contact", "take it from the whole set")
    left = mode_set.contacts.without(index)
    if mode_set.enumeration.exact:
        return modes(left, kind=mode_set.kind, exact=True, limits=limits)
    space = float_space(left)
    pieces = [_pieces(mode_set, np.delete(np.arange(len(mode_set.contacts)), index))]
    beyond = _freed(mode_set, index, limits)
    if beyond.enumeration.exact or space.doubtful:
        return modes(left, kind=mode_set.kind, limits=limits)
    pieces.append(_pieces(beyond, np.arange(len(left))))
    cell_complex = _merged(pieces, space)
    if unfaithful(cell_complex):
        return modes(left, kind=mode_set.kind, limits=limits)
    assert_sound(cell_complex)
    return _described(cell_complex, left, space, mode_set)


def _freed(mode_set: ModeSet, index: int, limits: Budget | None) -> ModeSet:
    """The modes of the others where the contact's own row is not positive."""
    rows = mode_set.contacts.floats
    negated = Contacts.from_rows(-rows.normal[index : index + 1])
    return modes(rows.without(index).joined(negated), kind=mode_set.kind, limits=limits)


class _Pieces:
    """Cells of one complex, in terms that all complexes share."""

    def __init__(
        self, signs: NDArray[np.int8], dim: Numbers, velocity: NDArray[np.float64], cell_complex: Complex
    ):
        self.signs = signs  # one per contact, one per plane
        self.dim = dim  # among all velocities, not only those that contacts see
        self.velocity = velocity
        self.owner = np.repeat(np.arange(len(cell_complex)), np.diff(cell_complex.start))
        self.below = cell_complex.cells.astype(np.int64)


def _pieces(mode_set: ModeSet, kept: Numbers) -> _Pieces:
    n, planes = len(mode_set.contacts), np.array(mode_set.planes, int)
    owner = np.repeat(np.arange(n), planes)
    columns = np.concatenate([kept, n + np.flatnonzero(np.isin(owner, kept))])
    cell_complex, space = mode_set.enumeration.complex, mode_set.enumeration.space
    velocity = np.asarray(cell_complex.witness, float) @ np.asarray(space.frame, float).T
    return _Pieces(
        mode_set.signs[:, columns], mode_set.enumeration.dimensions(mode_set.cells), velocity, cell_complex
    )


def _merged(pieces: list[_Pieces], space: Space) -> Complex:
    """One complex of cells distinguished by their signs alone, small dimensions first."""
    signs = np.concatenate([p.signs for p in pieces])
    dim = np.concatenate([p.dim for p in pieces]) - space.unnoticed
    velocity = np.concatenate([p.velocity for p in pieces])
    shift = np.cumsum([0, *(len(p.dim) for p in pieces)])
    owner = np.concatenate([p.owner + s for p, s in zip(pieces, shift, strict=False)])
    below = np.concatenate([p.below + s for p, s in zip(pieces, shift, strict=False)])
    above_bits, below_bits = bits_of(signs)
    keys = np.hstack([above_bits, below_bits])
    # Largest pieces first among equals, so that the first of each group stands for it.
    order = np.lexsort((-dim, *keys.T))
    new = np.append(True, (np.diff(keys[order], axis=0) != 0).any(axis=1))
    first = order[new]
    rank = np.argsort(dim[first], kind="stable")
    group = np.empty(len(dim), np.int64)
    group[order] = np.argsort(rank)[np.cumsum(new) - 1]
    first = first[rank]
    largest = dim == dim[first][group]
    pairs = np.column_stack([group[owner], group[below]])[largest[owner]]
    pairs = np.unique(pairs[pairs[:, 0] != pairs[:, 1]], axis=0)
    rows = np.concatenate([space.normal, space.tangent])[: signs.shape[1]]
    witness = velocity[first] @ np.linalg.pinv(np.asarray(space.frame, float)).T
    size = np.linalg.norm(witness, axis=1, keepdims=True)
    witness = np.divide(witness, size, out=np.zeros_like(witness), where=size > 0)
    witness[0] = 0.0
    return Complex(
        dim=dim[first].astype(np.int8),
        above=above_bits[first],
        below=below_bits[first],
        rows=rows,
        witness=witness,
        start=np.searchsorted(pairs[:, 0], np.arange(len(first) + 1)),
        cells=pairs[:, 1].astype(np.int32),
        doubtful=0,
    )


def _described(cell_complex: Complex, left: Contacts, space: Space, mode_set: ModeSet) -> ModeSet:
    n = len(left)
    lasting = ~np.asarray(signs_of(cell_complex.above, cell_complex.below, n)).any(axis=0)
    planes = plane_counts(left) if mode_set.kind == "all" else np.zeros(n, np.int64)
    columns = n + np.arange(planes.sum(), dtype=np.int32)
    normal = np.where(lasting, NO_NODE, np.arange(n)).astype(np.int32)
    layout = Layout(normal, columns, np.ones(len(columns), np.int8), planes)
    lattice = len(np.unique(signs_of(cell_complex.above, cell_complex.below, n), axis=0))
    old: Enumeration = mode_set.enumeration
    whole = replace(
        old,
        contacts=left,
        space=space,
        complex=cell_complex,
        layout=layout,
        flagged=0,
        contacting_separating=lattice,
    )
    return ModeSet(whole, np.arange(len(cell_complex)), mode_set.kind)
