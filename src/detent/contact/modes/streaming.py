"""All modes of one contacting/separating mode as texts, however large the boundary of its cone.

With few contacts lifting, a complex of the cone is the fastest list. With more, its boundary is many times
its inside and takes the memory; the signs are then listed alone, branch by branch, and the
list is right when it has as many entries as there are modes, which are counted apart.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from detent.contact.checks import touching_of
from detent.contact.contacts import Contacts
from detent.contact.modes.count_one import CountingRows, Touching, count
from detent.contact.modes.counting import step
from detent.contact.modes.enumerate import Budget, OutOfTimeError, TooLongError
from detent.contact.modes.grouping import groups
from detent.contact.modes.mode import ModeSet
from detent.contact.modes.sliding import contacting_separating, few_modes, sliding_modes
from detent.contact.modes.space import null_space, row_space, seen_rows, unit_rows
from detent.foundation.errors import UnsupportedError
from detent.numeric.arrangement.complex import EQUAL
from detent.numeric.arrangement.flats import DONE
from detent.numeric.arrangement.parallel import merge
from detent.numeric.arrangement.patterns import MOST_TOGETHER, list_patterns
from detent.numeric.arrangement.store import NO_NODE

Signs = NDArray[np.int8]

# Each lifting contact multiplies the boundary of a complex; with more, branching is cheaper.
FEW_LIFTING = 2
# Elementary steps per mode, when branching.
STEPS_A_MODE = 100
_TEXT = np.array(["-", "0", "+"])


def stream_texts(
    contacts: Contacts, *, touching: str | None = None, exact: bool = False, limits: Budget | None = None
) -> Iterator[tuple[str, list[str]]]:
    """Each contacting/separating mode with the texts of its modes; nothing is kept.

    `touching` names one of them by its signs (`00+0`), and only that one is listed.
    """
    limits = limits or Budget()
    few = few_modes(contacts, touching, exact=exact, limits=limits)
    each = _few(few) if few is not None else _many(contacts, touching, exact, limits)
    total = 0
    for done, (signs, every, texts) in enumerate(each):
        total += len(texts)
        yield signs, texts
        step(limits, done + 1, every, total, signs)


def _few(modes: ModeSet) -> Iterator[tuple[str, int, list[str]]]:
    every = modes.contacting_separating
    for signs, texts in groupby(modes.texts, lambda text: text.partition("|")[0]):
        yield signs, every, list(texts)


def _many(
    contacts: Contacts, touching: str | None, exact: bool, limits: Budget
) -> Iterator[tuple[str, int, list[str]]]:
    lattice, decided = contacting_separating(contacts, touching, exact=exact, limits=limits)
    rows = CountingRows(contacts)
    total = 0
    for done, signs in enumerate(lattice):
        branched = None if decided else _branched(rows, touching_of(contacts, signs))
        texts = (
            _by_complex(contacts, signs, decided, limits, f"{total} modes of {done} of {len(lattice)}")
            if branched is None
            else [f"{signs}|{text}" for text in branched]
        )
        total += len(texts)
        yield signs, len(lattice), texts


def _by_complex(contacts: Contacts, signs: str, exact: bool, limits: Budget, delivered: str) -> list[str]:
    """By a complex of its own, whose progress is not that of the stream."""
    try:
        return sliding_modes(contacts, signs, exact=exact, limits=limits.silent()).texts
    except (OutOfTimeError, TooLongError) as error:
        short, remedy = (
            ("the time ran out", "allow more (--seconds)")
            if isinstance(error, OutOfTimeError)
            else ("the memory allowed does not hold the list", "allow more (--memory)")
        )
        problem = f"{short} inside {signs}; delivered are {delivered} contacting/separating modes"
        raise UnsupportedError(problem, f"{remedy}, or go on from there one by one (--of {signs})") from None


def _branched(rows: CountingRows, held: Touching) -> list[str] | None:
    """The signs of all planes, as texts; None where a complex is to list them."""
    if np.count_nonzero(~held) <= FEW_LIFTING:
        return None
    contacts = rows.contacts.scaled
    free, doubt = null_space(np.concatenate([contacts.held, contacts.normal[held]]), np.eye(contacts.degrees))
    normal, doubt_normal = seen_rows(contacts.normal[~held], free)
    touching_planes = held[rows.owner]
    plane, doubt_plane = seen_rows(rows.planes[touching_planes], free)
    merged = merge(plane, both_ways=True)
    if doubt + doubt_normal + doubt_plane + merged.doubtful:
        return None
    distinct = np.flatnonzero(merged.first == np.arange(len(plane)))
    group = groups(np.concatenate([normal, plane[distinct]]))
    if group is None:
        return None
    normal = normal[np.isin(group[: len(normal)], group[len(normal) :])]
    if len(normal) + len(distinct) > MOST_TOGETHER:
        return None
    if not len(distinct):
        return _texts(np.zeros((1, 0), np.int8), touching_planes, merged.first, merged.orientation, distinct)
    span, _ = row_space(np.concatenate([normal, plane[distinct]]))
    expected = count(rows, held)
    stopped, listed, signs = list_patterns.at(STEPS_A_MODE * expected)(
        unit_rows(normal @ span), unit_rows(plane[distinct] @ span), expected, EQUAL
    )
    if stopped != DONE or listed != expected:
        return None
    return _texts(signs, touching_planes, merged.first, merged.orientation, distinct)


def _texts(
    signs: Signs,
    touching_planes: NDArray[np.bool_],
    first: NDArray[np.int32],
    orientation: NDArray[np.int8],
    distinct: NDArray[np.int64],
) -> list[str]:
    """Signs of the distinct planes, spread over all planes; a dot where the contact separates."""
    column = np.full(len(first), NO_NODE)
    column[distinct] = np.arange(len(distinct))
    every = np.full((len(signs), len(touching_planes)), ".")
    for k, at in enumerate(np.flatnonzero(touching_planes)):
        if first[k] == NO_NODE:
            every[:, at] = "0"
        else:
            every[:, at] = _TEXT[1 + orientation[k] * signs[:, column[first[k]]]]
    return ["".join(line) for line in every.tolist()]
