"""Sticking and sliding within one contacting/separating mode, and streams of them.

With some contacts held and the others lifting, only the held ones' planes divide
what is left (Huang, Cheng & Mason, algorithm 2). Streaming goes through the
contacting/separating modes one by one, so that a set too large to hold can still
be read from end to end.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from detent.contact.checks import touching_of
from detent.contact.contacts import Contacts
from detent.contact.modes.enumerate import Budget, Enumeration, OutOfTimeError, TooLongError, enumerate_cells
from detent.contact.modes.group_complex import Layout
from detent.contact.modes.mode import ModeSet, modes
from detent.contact.modes.space import null_space, plane_counts, seen_rows
from detent.foundation.errors import ModelError, UnsupportedError
from detent.numeric.arrangement.store import NO_NODE
from detent.numeric.linear_program import innermost

# A velocity that lifts every contact by this share of its length leaves no doubt, whatever rounding did.
CLEARLY = 1e-6


def sliding_modes(
    contacts: Contacts, touching: str, *, exact: bool = False, limits: Budget | None = None
) -> ModeSet:
    """The modes of one contacting/separating mode, given by its signs (`00+0`)."""
    held = touching_of(contacts, touching)
    rows = contacts.exact if exact or contacts.normal.dtype == object else contacts
    enumeration = enumerate_cells(_fixed(rows, held), exact=exact, limits=limits)
    if (
        enumeration.exact and rows.normal.dtype != object
    ):  # in doubt: decided on the rows as given, not as rounded
        decided = enumerate_cells(_fixed(contacts.exact, held), exact=True, limits=limits)
        enumeration = replace(decided, flagged=enumeration.flagged)
    mode_set = _where_others_lift(contacts, held, enumeration)
    if not len(mode_set) and not enumeration.exact and contacts.normal.dtype == object:
        # Rationals mean what they say: a cone too thin for floats may still be there.
        exactly = enumerate_cells(_fixed(rows, held), exact=True, limits=limits)
        mode_set = _where_others_lift(contacts, held, exactly)
    if not len(mode_set):
        raise _no_such(touching)
    return mode_set


def _where_others_lift(contacts: Contacts, held: NDArray[np.bool_], enumeration: Enumeration) -> ModeSet:
    """The modes in which every contact that is not held separates, with the signs of all contacts."""
    layout = enumeration.layout
    planes = plane_counts(contacts)
    touching_planes = np.repeat(held, planes)  # planes of contacts that touch: the others were left out
    count = len(touching_planes)
    tangent, orientation = np.full(count, NO_NODE, np.int32), np.ones(count, np.int8)
    tangent[touching_planes], orientation[touching_planes] = layout.tangent, layout.orientation
    shown = Layout(layout.normal, tangent, orientation, planes)
    shown_as = replace(enumeration, contacts=contacts, layout=shown)
    return ModeSet(shown_as, _lifted(held, enumeration), kind="all", narrow=True)


def _lifted(held: NDArray[np.bool_], enumeration: Enumeration) -> NDArray[np.int64]:
    """The cells in which every contact that is not held separates."""
    columns = enumeration.layout.normal[~held]
    if (columns == NO_NODE).any():
        return np.zeros(0, np.int64)
    return np.flatnonzero((enumeration.complex.sign[:, columns] == 1).all(axis=1))


def _fixed(rows: Contacts, held: NDArray[np.bool_]) -> Contacts:
    """Contacts that touch as joints, those that separate without planes; these rows have no sites."""
    return replace(
        rows,
        sites=(),
        known_scale=rows.velocity_scale,
        held=np.concatenate([rows.held, rows.normal[held]]) if held.any() else rows.held,
        tangent=tuple(t if h else t[:0] for t, h in zip(rows.tangent, held, strict=True)),
    )


def stream(
    contacts: Contacts, *, exact: bool = False, limits: Budget | None = None
) -> Iterator[tuple[str, ModeSet]]:
    """Each contacting/separating mode with its own modes, in the order of their signs.

    Of more than a few nothing is kept: what was read can be dropped, and the stream can be stopped
    at any mode.
    """
    few = few_modes(contacts, exact=exact, limits=limits)
    if few is not None:
        yield from ((touching, few.of(touching)) for touching in few.sliding_counts())
        return
    lattice = modes(contacts, kind="contacting_separating", exact=exact, limits=limits)
    exact = exact or lattice.enumeration.exact  # what integers found, floats may not see
    for touching in lattice.texts:
        yield touching, sliding_modes(contacts, touching, exact=exact, limits=limits)


def few_modes(
    contacts: Contacts, touching: str | None = None, *, exact: bool = False, limits: Budget | None = None
) -> ModeSet | None:
    """All modes, or those of one contacting/separating mode, where they are few: the list that count and
    stream are read from, so that all three decide alike."""
    few = (limits or Budget()).few()
    try:
        if touching is None:
            return modes(contacts, exact=exact, limits=few)
        return sliding_modes(contacts, touching, exact=exact, limits=few)
    except (TooLongError, OutOfTimeError):
        return None


def contacting_separating(
    contacts: Contacts, touching: str | None = None, *, exact: bool = False, limits: Budget | None = None
) -> tuple[list[str], bool]:
    """Every contacting/separating mode, or the one named if it exists; and whether integers decided.

    One alone asks one linear program, not the lattice of all, which may be too large to list.
    """
    if touching is None:
        try:
            lattice = modes(contacts, kind="contacting_separating", exact=exact, limits=limits)
        except OutOfTimeError:
            problem = (
                "the time ran out before the contacting/separating modes were known, with no mode in any"
            )
            remedy = "allow more (--seconds), or take one of them (--of SIGNS)"
            raise UnsupportedError(problem, remedy) from None
        return lattice.texts, lattice.enumeration.exact
    held = touching_of(contacts, touching)
    decided = exact
    if exact or not _clearly_lifts(contacts, held):
        exact = (
            exact or contacts.normal.dtype == object
        )  # rationals mean what they say, however thin the cone
        fixed = _fixed(contacts.exact if exact else contacts, held)
        enumeration = enumerate_cells(fixed, kind="contacting_separating", exact=exact, limits=limits)
        if not len(_lifted(held, enumeration)):
            raise _no_such(touching)
        decided = enumeration.exact
    return ["".join("0" if touches else "+" for touches in held)], decided


def _clearly_lifts(contacts: Contacts, held: NDArray[np.bool_]) -> bool:
    """Whether a linear program shows a velocity that keeps these contacts and lifts all others."""
    scaled = contacts.scaled
    free, doubt = null_space(np.concatenate([scaled.held, scaled.normal[held]]), np.eye(scaled.degrees))
    lifted, doubt_lifted = seen_rows(scaled.normal[~held], free)
    if doubt + doubt_lifted:
        return False
    return not len(lifted) or innermost(lifted, lifted[:0])[1] > CLEARLY


def _no_such(touching: str) -> ModelError:
    return ModelError.at(
        "mode",
        f"there is no contacting/separating mode {touching!r}: no velocity has these signs",
        "list them with --kind contacting_separating",
    )
