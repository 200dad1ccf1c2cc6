"""The space in which modes live: what joints, lasting contacts and blind directions leave.

Before planes are inserted, the velocities are restricted to those that joints
allow and on which the contacts that can never separate stay together; directions
that no row sees are divided out. A contact never separates when no velocity lifts
it that all others allow: found by one linear program with a slack per contact,
capped at one (the paper's eqs. 20-22 share one slack among all, which says nothing
as soon as one contact is held). Rows are then unit rows in what is left.

In exact arithmetic the program only suggests an order; integers decide.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from detent.contact.contacts import Contacts, Rows
from detent.numeric.arrangement.complex import EQUAL, gap_about
from detent.numeric.arrangement.integers import exact_null_space, integer_matrix, pivot_columns
from detent.numeric.linear_program import INFINITE, Program

Floats = NDArray[np.float64]

# The slacks end at 0 or 1; anything between is the solver's rounding.
_LIFTED = 0.5
_CLEARLY = 1e-6


@dataclass(frozen=True)
class Space:
    """Reduced coordinates y, with velocity = frame y, and all rows in them (zero where they see nothing)."""

    frame: Rows  # (d, r)
    normal: Rows  # (n, r)
    tangent: Rows  # the planes of all contacts, contact after contact
    planes: NDArray[np.int64]  # by contact, how many
    lasting: NDArray[np.bool_]  # contacts that never separate; in exact arithmetic a suggestion
    doubtful: int  # decisions that fell into the gap
    unnoticed: int  # dimension of the velocities that joints allow and no row sees
    equal: float = EQUAL  # in floats: what is smaller is zero

    @property
    def rank(self) -> int:
        return int(self.frame.shape[1])


def float_space(contacts: Contacts, equal: float = EQUAL) -> Space:
    """The reduced space in floating point, where what is below `equal` is zero."""
    scaled = contacts.scaled
    n, every = len(scaled), np.concatenate([scaled.normal, *scaled.tangent])
    basis, doubtful = null_space(scaled.held, np.eye(scaled.degrees), equal)
    rows, doubt_rows = seen_rows(every, basis, equal)
    lasting: NDArray[np.bool_] = np.logical_not(rows[:n].any(axis=1))
    never, doubt_lifts = _never_lifts(rows[:n][~lasting], equal)
    doubtful += doubt_rows + doubt_lifts
    if never.any():
        lasting[np.flatnonzero(~lasting)[never]] = True
        basis, doubt = null_space(rows[:n][lasting], basis, equal)
        rows, doubt_rows = seen_rows(every, basis, equal)
        rows[:n][lasting] = 0.0
        doubtful += doubt + doubt_rows
    axes, doubt = row_space(rows, equal)
    doubtful += doubt
    rows = unit_rows(rows @ axes)
    return Space(
        frame=contacts.as_given(basis @ axes),
        normal=rows[:n],
        tangent=rows[n:],
        planes=plane_counts(scaled),
        lasting=lasting,
        doubtful=doubtful,
        unnoticed=basis.shape[1] - axes.shape[1],
        equal=equal,
    )


def exact_space(contacts: Contacts) -> Space:
    """The reduced space in integers; contacts that seem to last are only marked, not yet divided out."""
    exact = contacts.exact
    d = exact.degrees
    basis = exact_null_space(integer_matrix(exact.held, d), d)
    # Integers first: products of fractions are slow, and only the direction of a row counts.
    normal = integer_matrix(integer_matrix(exact.normal, d) @ basis, basis.shape[1])
    planes = integer_matrix(np.concatenate([exact.normal[:0], *exact.tangent]), d)
    tangent = integer_matrix(planes @ basis, basis.shape[1])
    pivots = pivot_columns(np.concatenate([normal, tangent]), basis.shape[1])
    return Space(
        frame=basis[:, pivots],
        normal=normal[:, pivots],
        tangent=tangent[:, pivots],
        planes=plane_counts(exact),
        lasting=float_space(contacts).lasting,
        doubtful=0,
        unnoticed=basis.shape[1] - len(pivots),
    )


def plane_counts(contacts: Contacts) -> NDArray[np.int64]:
    """By contact, how many planes divide its sliding."""
    return np.array([len(rows) for rows in contacts.tangent], np.int64)


def lineality(contacts: Contacts) -> Floats:
    """Velocities of `contacts.scaled`, orthonormal columns, that joints allow and no contact notices."""
    scaled = contacts.scaled
    basis, _ = null_space(scaled.held, np.eye(scaled.degrees))
    seen, _ = seen_rows(np.concatenate([scaled.normal, *scaled.tangent]), basis)
    left, _ = null_space(seen, basis)
    return left


def _never_lifts(normal: Floats, equal: float) -> tuple[NDArray[np.bool_], int]:
    """Which unit rows are zero on all of {v: normal v >= 0}; and decisions in doubt."""
    n = len(normal)
    none = np.zeros(n, bool)
    if not n:
        return none, 0
    # The sum of all rows often lifts every contact, and then no program is needed.
    if (normal @ normal.sum(axis=0) > _CLEARLY).all():
        return none, 0
    d = normal.shape[1]
    rows = np.hstack([normal, -np.eye(n)])
    reach = (
        INFINITE if equal <= EQUAL else 1 / equal
    )  # a velocity that lifts by less than `equal` of itself does not
    least = np.r_[np.full(d, -reach), np.zeros(n)]
    most = np.r_[np.full(d, reach), np.ones(n)]
    program = Program(np.r_[np.zeros(d), np.ones(n)], rows, 0.0, INFINITE, least, most)
    best = program.solve()
    if best is None:  # zero is feasible and the slacks are capped: rows too nearly dependent for the solver
        return none, 1
    slack = best[d:]
    never = slack < _LIFTED
    doubtful = int(np.count_nonzero((slack > _CLEARLY) & (slack < 1 - _CLEARLY)))
    # What proves that contacts never lift: pushes at all of them, one or more at each, that cancel out.
    pushes = np.abs(program.duals()) * never
    proven = np.abs(normal.T @ pushes).max() <= gap_about(equal)[0] and (pushes[never] >= _LIFTED).all()
    return never, doubtful + int(never.any() and not proven)


def seen_rows(rows: Floats, basis: Floats, equal: float = EQUAL) -> tuple[Floats, int]:
    """Unit rows on the columns of `basis`; zero where nothing is left of a row."""
    left = rows @ basis
    size, whole = _lengths(left), _lengths(rows)
    seen = size > equal * whole
    gap = gap_about(equal)
    doubtful = np.count_nonzero((size > gap[0] * whole) & (size < gap[1] * whole))
    left *= np.divide(1.0, size, out=np.zeros_like(size), where=seen)[:, None]
    return left, int(doubtful)


def unit_rows(rows: Floats) -> Floats:
    """Rows of length one; zero rows stay."""
    size = _lengths(rows)
    units: Floats = rows * np.divide(1.0, size, out=np.zeros_like(size), where=size > 0)[:, None]
    return units


def _lengths(rows: Floats) -> Floats:
    lengths: Floats = np.sqrt(np.einsum("ij,ij->i", rows, rows))
    return lengths


def null_space(rows: Floats, basis: Floats, equal: float = EQUAL) -> tuple[Floats, int]:
    """`basis` restricted to where `rows` (given on its columns) vanish; orthonormal stays orthonormal."""
    if not len(rows):
        return basis, 0
    rank, axes, doubtful = _rank(unit_rows(rows), equal)
    return basis @ axes[rank:].T, doubtful


def row_space(rows: Floats, equal: float = EQUAL) -> tuple[Floats, int]:
    """Orthonormal columns spanning the rows."""
    if not rows.size:
        return np.zeros((rows.shape[1], 0)), 0
    rank, axes, doubtful = _rank(rows, equal)
    return axes[:rank].T, doubtful


def _rank(rows: Floats, equal: float) -> tuple[int, Floats, int]:
    # Zero rows so that all of the space comes back, and no more.
    short = max(0, rows.shape[1] - len(rows))
    square = np.concatenate([rows, np.zeros((short, rows.shape[1]))]) if short else rows
    _, values, axes = np.linalg.svd(square, full_matrices=False)
    scale = max(float(values[0]), 1.0) if len(values) else 1.0
    share: Any = values / scale
    gap = gap_about(equal)
    doubtful = int(np.count_nonzero((share > gap[0]) & (share < gap[1])))
    return int(np.count_nonzero(share > equal)), axes, doubtful
