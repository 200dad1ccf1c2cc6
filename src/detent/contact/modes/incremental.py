"""One contact more: its planes go into the complex that is there.

The old cells keep their signs; those that the new contact forbids go, those it
divides are divided. Directions that no old row saw, and a new one does, are added
to the space first. One contact less is `detent.contact.modes.removal`.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from detent.contact.contacts import Contacts
from detent.contact.modes.enumerate import Budget, Enumeration
from detent.contact.modes.group_complex import Layout
from detent.contact.modes.mode import ModeSet, modes
from detent.contact.modes.space import Space, lineality, null_space, row_space, seen_rows
from detent.foundation.errors import ModelError
from detent.numeric.arrangement.check import assert_sound, unfaithful
from detent.numeric.arrangement.complex import ComplexBuilder, FloatWitnesses
from detent.numeric.arrangement.store import NO_NODE

Matrix = NDArray[np.float64]


def with_contact(mode_set: ModeSet, more: Contacts, *, limits: Budget | None = None) -> ModeSet:
    """The modes of the old contacts and those of `more` (one or several, on the same velocity vector)."""
    if not mode_set.whole:
        raise ModelError.at("modes", "a filtered set cannot take a contact", "add it to the whole set")
    joined = mode_set.contacts.joined(more)
    if mode_set.enumeration.exact or len(more.held):
        return modes(joined, kind=mode_set.kind, exact=mode_set.enumeration.exact, limits=limits)
    for i in range(len(more)):
        one = more.only([i])
        grown = _added(mode_set, one)
        if grown is None:
            return modes(joined, kind=mode_set.kind, limits=limits)
        mode_set = grown
    return mode_set


def _added(mode_set: ModeSet, one: Contacts) -> ModeSet | None:
    """None where floating point is in doubt."""
    old = mode_set.enumeration
    rows = replace(one, sites=(), known_scale=old.contacts.velocity_scale).scaled
    blind = lineality(old.contacts)
    unseen = np.concatenate([rows.normal, *rows.tangent])
    beyond, doubt_beyond = seen_rows(unseen, blind)
    axes, doubt = row_space(beyond)
    frame = np.hstack([_scaled_frame(old), blind @ axes])
    new = axes.shape[1]
    normal, doubt_normal = seen_rows(rows.normal, frame)
    tangent, doubt_tangent = seen_rows(rows.tangent[0], frame)
    builder = _resumed(old, new)
    column = builder.columns
    lasts = not normal.any()
    builder.widen(int(not lasts))
    if not lasts:
        builder.half_spaces(normal, column)
    lasts = lasts or not (builder.signs()[:, column] != 0).any()
    planes = np.full(len(tangent), NO_NODE, np.int32)
    if mode_set.kind == "all":
        kept = np.flatnonzero(tangent.any(axis=1))
        planes[kept] = builder.columns + np.arange(len(kept))
        builder.widen(len(kept))
        if len(kept):
            builder.divide(tangent[kept], int(planes[kept[0]]), NO_NODE if lasts else column)
    cell_complex = builder.finish()
    if cell_complex.doubtful + doubt + doubt_beyond + doubt_normal + doubt_tangent or unfaithful(
        cell_complex
    ):
        return None
    assert_sound(cell_complex)
    return _described(
        mode_set, one, replace(old, complex=cell_complex), frame, (normal, tangent), column, planes, lasts
    )


def _scaled_frame(old: Enumeration) -> Matrix:
    """The frame of a space over the velocities of `Contacts.scaled`."""
    frame, scale = np.asarray(old.space.frame, float), old.contacts.velocity_scale
    return frame if scale is None else np.linalg.solve(scale, frame)


def _resumed(old: Enumeration, new: int) -> ComplexBuilder:
    """A builder that goes on from a finished complex, with `new` axes that nothing has divided yet."""
    cell_complex = old.complex
    rank = cell_complex.witness.shape[1] + new
    undivided, _ = null_space(np.asarray(cell_complex.rows, float), np.eye(rank - new))
    smallest = np.zeros((undivided.shape[1] + new, rank))
    smallest[: undivided.shape[1], : rank - new] = undivided.T
    smallest[undivided.shape[1] :, rank - new :] = np.eye(new)
    witness = np.hstack([np.asarray(cell_complex.witness, float), np.zeros((len(cell_complex), new))])
    return ComplexBuilder.resumed(FloatWitnesses(rank, smallest), rank, cell_complex, witness)


def _described(
    mode_set: ModeSet,
    one: Contacts,
    old: Enumeration,
    frame: Matrix,
    rows: tuple[Matrix, Matrix],
    column: int,
    planes: NDArray[np.int32],
    lasts: bool,
) -> ModeSet:
    """How to read the new complex."""
    normal, tangent = rows
    new = frame.shape[1] - old.space.frame.shape[1]
    space = Space(
        frame=old.contacts.as_given(frame),
        normal=np.concatenate([np.pad(old.space.normal, ((0, 0), (0, new))), normal]),
        tangent=np.concatenate([np.pad(old.space.tangent, ((0, 0), (0, new))), tangent]),
        planes=np.append(old.space.planes, len(tangent)),
        lasting=np.append(old.space.lasting, lasts),
        doubtful=0,
        unnoticed=old.space.unnoticed - new,
    )
    columns = planes if mode_set.kind == "all" else planes[:0]
    layout = Layout(
        np.append(old.layout.normal, NO_NODE if lasts else column).astype(np.int32),
        np.append(old.layout.tangent, columns),
        np.append(old.layout.orientation, np.ones(len(columns), np.int8)),
        np.append(old.layout.planes, len(columns)),
    )
    # Later contacts go on in the velocities of the first.
    joined = replace(old.contacts.joined(one), known_scale=old.contacts.velocity_scale)
    enumeration = replace(old, contacts=joined, space=space, layout=layout)
    whole = ModeSet(enumeration, np.arange(len(old.complex)), mode_set.kind)
    lattice = len(np.unique(whole.signs[:, : len(whole.contacts)], axis=0))
    return replace(whole, enumeration=replace(enumeration, contacting_separating=lattice))
