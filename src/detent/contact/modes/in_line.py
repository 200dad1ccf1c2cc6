"""Modes that contacts would have if those in line but for the digits written were in line.

A drawing that was rotated and rounded has directions and points that are off by a last digit. Taken at its
word, a peg in such a hole is stuck for ever, and a box that tips about an edge along a wall leaves the wall.
Modes are those of the numbers as written; where in line there are others, the answer says so.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from detent.contact.contacts import Contacts
from detent.contact.modes.enumerate import Budget, Enumeration, Signs, TooLongError, rounded_cells, signs_of
from detent.contact.modes.group_complex import Kind
from detent.numeric.arrangement.complex import EQUAL, IN_LINE


def signs_in_line(
    contacts: Contacts, kind: Kind, equal: float = EQUAL, limits: Budget | None = None
) -> Signs:
    """The signs of every mode, where products of unit rows and velocities below `equal` are zero."""
    cells = rounded_cells(contacts, kind, equal=equal, limits=limits)
    return signs_of(cells, np.arange(len(cells.complex)))


def as_written(enumeration: Enumeration, kind: Kind, cells: NDArray[Any] | None) -> str:
    """In words, what else is in the way of parts, and what the last digits of the numbers decide.

    `cells` are those of one contacting/separating mode, whose own modes are then compared, else all.
    """
    return enumeration.contacts.beside.in_the_way + _of_those_in_line(enumeration, kind, cells)


def _of_those_in_line(enumeration: Enumeration, kind: Kind, cells: NDArray[Any] | None) -> str:
    contacts = enumeration.contacts
    try:
        in_line = signs_in_line(contacts, kind, IN_LINE, Budget().few())
    except TooLongError:
        return "; numbers count exactly as written, and whether their last digits matter was not looked at"
    seen = signs_of(enumeration, np.arange(len(enumeration.complex)) if cells is None else cells)
    if cells is not None:
        touching = slice(0, len(contacts))
        in_line = in_line[(in_line[:, touching] == seen[:1, touching]).all(axis=1)]
    others, as_they_are = ({row.tobytes() for row in signs} for signs in (in_line, seen))
    if others == as_they_are:
        return ""
    number = f"{len(others)} mode{'' if len(others) == 1 else 's'}"
    instead = "with other signs" if len(others) == len(as_they_are) else f"not {len(as_they_are)}"
    return (
        "; numbers count exactly as written: were contacts in line that are so to 1e-5, as rounded"
        f" numbers leave them, there would be {number}, {instead}"
    )
