"""What each contact does at the present velocity, and what that leaves for accelerations to decide.

A contact that separates carries no force and asks nothing of the acceleration. One that slides has
its friction fixed, straight against the sliding; only whether it stays is open. One that touches
and does not slide has every choice: it lifts, sticks, or begins to slide in some sector. So a sign
that the velocity leaves at zero is that of row x acceleration + drift (the velocity product of the
row: its rate of change x velocity), and just after now a
velocity has the signs of the present one where it has any, else those.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from flint import fmpq_mat
from numpy.typing import NDArray

from detent.contact.checks import vector_of
from detent.contact.contacts import Contacts
from detent.contact.forces.friction import slip_rows, unit_normal
from detent.contact.modes.enumerate import Signs
from detent.contact.modes.in_line import signs_in_line
from detent.contact.modes.mode import ModeSet, modes
from detent.contact.modes.sliding import CLEARLY
from detent.contact.modes.space import unit_rows
from detent.foundation.errors import ModelError
from detent.foundation.units import unit_names
from detent.numeric.arrangement.store import NO_NODE, UNSEEN
from detent.numeric.linear_program import innermost
from detent.numeric.rational import flint_of, fraction_of

Floats = NDArray[np.float64]

# Of a velocity's length: a contact that leaves or closes slower than this was perhaps meant to slide.
ALMOST = 1e-3


@dataclass(frozen=True)
class RowRates:
    """Each row's velocity product, its rate of change x velocity: along a row acts row x a + drift.

    `normal` has one number per contact, `tangent` one list per contact with one number per plane, `held` one
    per joint row. What is left out is zero. Rationals stay exact where rationals decide.
    """

    normal: Sequence[float | Fraction] | None = None
    tangent: Sequence[Sequence[float | Fraction]] | None = None
    held: Sequence[float | Fraction] | None = None

    def of(self, contacts: Contacts) -> tuple[Floats, tuple[Floats, ...], Floats]:
        """By contact, by contact and plane, by joint row."""
        counts = [len(rows) for rows in contacts.tangent]
        lists = [None] * len(counts) if self.tangent is None else self.tangent
        if len(lists) != len(counts):
            problem = f"{len(lists)} lists for {len(counts)} contacts"
            raise ModelError.at("drift.tangent", problem, "one list per contact")
        return (
            _or_zeros(self.normal, len(contacts), "drift.normal", "one per contact"),
            tuple(
                _or_zeros(rates, k, f"drift.tangent.{i}", "one per dividing plane")
                for i, (rates, k) in enumerate(zip(lists, counts, strict=True))
            ),
            _or_zeros(self.held, len(contacts.held), "drift.held", "one per joint row"),
        )


@dataclass(frozen=True, eq=False)
class Present:
    """The signs of a velocity, in the layout of a set of modes."""

    signs: Signs
    open: NDArray[np.bool_]  # by sign: the velocity leaves it at zero, the acceleration decides
    friction: dict[int, Floats]  # of contacts that slide: the unit direction of friction, in the slip frame

    def precedes(self, after: Signs, owner: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Which rows of signs can follow at once; `owner` is the contact of each sign, NONE for its own."""
        lifted = np.where(owner == NO_NODE, False, after[:, owner] == 1)
        follows: NDArray[np.bool_] = (self.open | (after == self.signs) | lifted).all(axis=1)
        return follows


def present(mode_set: ModeSet, velocity: Any, tolerance: float) -> Present:
    """Sort the contacts by what they do now; None is rest. An impact and a broken joint are refused.

    A product of unit row and velocity below `tolerance`, as a share of the velocity's length, is zero.
    """
    if not 0 <= tolerance < 1:
        raise ModelError.at(
            "tolerance", f"{tolerance} is not a share of a velocity", "0 or more, and below 1"
        )
    contacts = mode_set.contacts.floats
    v = _or_zeros(velocity, contacts.degrees, "velocity", "one per degree of freedom")
    small = tolerance * float(np.linalg.norm(v))
    _refuse_broken(contacts, v, small)
    apart = _signs(contacts.normal, v, small)
    _refuse_impact(contacts, v, apart)
    columns, friction = [apart], {}
    for i, rows in enumerate(contacts.tangent):
        plane_signs = _signs(rows, v, small)
        if not apart[i] and plane_signs.any():
            along = slip_rows(contacts, i)[0] @ v
            friction[i] = -along / np.linalg.norm(along)
        columns.append(
            np.full(mode_set.planes[i], UNSEEN, np.int8) if apart[i] else plane_signs[: mode_set.planes[i]]
        )
    signs = np.concatenate(columns)
    return Present(signs, signs == 0, friction)


def as_counted(mode_set: ModeSet, velocity: Any, tolerance: float) -> list[Fraction]:
    """The velocity nearest to one at which the speeds that `present` counts as zero are zero.

    Rows that depend on each other have velocity products that agree at no other: two contacts of a part that
    turns by 1e-15 would ask for accelerations that no rigid part has. In rationals, so that what stands
    still has no velocity at all, and a wheel turns about its axle and nothing else. A velocity whose other
    signs would not outlast it is left as it is.
    """
    v = _or_zeros(velocity, mode_set.contacts.degrees, "velocity", "one per degree of freedom")
    now = present(mode_set, v, tolerance)
    as_written = [Fraction(repr(x)) for x in v.tolist()]
    contacts = mode_set.contacts.exact
    planes = [row for rows, k in zip(contacts.tangent, mode_set.planes, strict=True) for row in rows[:k]]
    rows = [
        *contacts.held,
        *(row for row, sign in zip([*contacts.normal, *planes], now.signs, strict=True) if not sign),
    ]
    if not rows:
        return as_written
    reduced, rank = fmpq_mat([[flint_of(x) for x in row] for row in rows]).rref()
    if not rank:
        return as_written
    zero = fmpq_mat(rank, len(v), [reduced[i, j] for i in range(rank) for j in range(len(v))])
    across = zero.transpose()
    exact = fmpq_mat([[flint_of(x)] for x in as_written])
    exact -= across * (zero * across).solve(zero * exact)
    nearest = [fraction_of(exact[i, 0]) for i in range(len(v))]
    return nearest if np.array_equal(present(mode_set, nearest, tolerance).signs, now.signs) else as_written


def _signs(rows: Floats, v: Floats, small: float) -> Signs:
    speed = unit_rows(rows) @ v
    return np.where(np.abs(speed) <= small, 0, np.sign(speed)).astype(np.int8)


def _refuse_broken(contacts: Contacts, v: Floats, small: float) -> None:
    speed = unit_rows(contacts.held) @ v
    if len(speed) and np.abs(speed).max() > small:
        worst = int(np.abs(speed).argmax())
        problem = f"joint row {worst} moves at {float(contacts.held[worst] @ v):.4g}, and joints hold"
        raise ModelError.at("velocity", problem, "give a velocity that the joints allow")


def _refuse_impact(contacts: Contacts, v: Floats, signs: Signs) -> None:
    if (signs < 0).any():
        worst = int(np.flatnonzero(signs < 0)[0])
        speed = -float(unit_normal(contacts, worst) @ v)
        share = speed / float(np.linalg.norm(v))
        unit = unit_names(contacts.units).speed or " per second"
        problem = f"contact {worst} closes at {speed:.4g}{unit}, {share:.2g} of the velocity's length:"
        problem += " an impact, which is not a contact mode"
        remedy = "give the velocity after the impact, or leave out a contact that does not touch yet"
        if share < ALMOST:
            remedy = f"give more digits, or a `tolerance` above {share:.2g} (--tolerance); else {remedy}"
        raise ModelError.at("velocity", problem, remedy)


def leaving(mode_set: ModeSet, velocity: Any, tolerance: float) -> dict[int, float]:
    """Contacts that a velocity opens, with their speed as a share of the velocity's length."""
    now = present(mode_set, velocity, tolerance)
    contacts = mode_set.contacts.floats
    v = np.array(velocity, float)
    return {
        i: float(unit_normal(contacts, i) @ v) / float(np.linalg.norm(v))
        for i in range(len(mode_set.contacts))
        if now.signs[i] > 0
    }


def layout_rows(mode_set: ModeSet) -> Floats:
    """The row of every sign of a set: normals, then the planes that divide it."""
    contacts = mode_set.contacts.floats
    planes = [rows[:k] for rows, k in zip(contacts.tangent, mode_set.planes, strict=True)]
    return np.concatenate([contacts.normal, *planes])


def owners(mode_set: ModeSet) -> NDArray[np.int64]:
    """By sign, the contact whose plane it is; NONE for a contact's own sign."""
    n = len(mode_set.contacts)
    return np.concatenate([np.full(n, NO_NODE, np.int64), np.repeat(np.arange(n), mode_set.planes)])


def following(mode_set: ModeSet, now: Present, drift: RowRates) -> tuple[Signs, list[int | None]]:
    """The signs that accelerations can choose among, one row each, and the cells of the set that have them.

    Without drift they are the modes that have the present one in their closure. With drift the planes of
    accelerations no longer meet in a point, so their cells are found anew: as those of one dimension more,
    in which drift is a column of the rows. Some may have signs that no velocity has (of two contacts on one
    spot, one surface curves away): these have no cell, and belong to a set only if it is not filtered. Nor
    have those of contacts that are in line but for rounding, where integers decided the set.
    """
    normal, tangent, held = drift.of(mode_set.contacts)
    planes = [rates[:k] for rates, k in zip(tangent, mode_set.planes, strict=True)]
    if not np.concatenate([normal, *planes])[now.open].any() and not held.any():
        keep = now.precedes(mode_set.signs, owners(mode_set))
        if not keep.any():
            _refuse_between(mode_set, now)
        more = _in_line(mode_set)
        more = more[now.precedes(more, owners(mode_set))]
        cells: list[int | None] = mode_set.cells[keep].tolist()
        return np.concatenate([mode_set.signs[keep], more]), cells + [None] * len(more)
    signs = _with_drift(mode_set, now, normal, planes, held)
    cell_of = {row.tobytes(): cell for row, cell in zip(mode_set.signs, mode_set.cells.tolist(), strict=True)}
    known: list[int | None] = [cell_of.get(row.tobytes()) for row in signs]
    if len(mode_set) < len(mode_set.enumeration.complex):
        chosen = [k for k, cell in enumerate(known) if cell is not None]
        return signs[chosen], [known[k] for k in chosen]
    return signs, known


def _in_line(mode_set: ModeSet) -> Signs:
    """Signs that velocities have where contacts in line but for rounding count as in line.

    Integers that decide what floats doubt decide all rows as written, the last digits of rotated points among
    them: a box that tips about an edge along a wall would leave the wall, by 1e-16 of its speed.
    """
    if not mode_set.enumeration.flagged or not mode_set.whole:
        return np.zeros((0, mode_set.signs.shape[1]), np.int8)
    seen = signs_in_line(mode_set.contacts, mode_set.kind)
    known = {row.tobytes() for row in mode_set.signs}
    return seen[[row.tobytes() not in known for row in seen]]


def _refuse_between(mode_set: ModeSet, now: Present) -> None:
    """Some speeds counted as zero that cannot be zero together: no velocity, so no mode, has such signs."""
    contacts = mode_set.contacts.floats
    rows = unit_rows(layout_rows(mode_set))
    fixed = np.concatenate([unit_rows(contacts.held), rows[now.signs == 0]])
    strict = np.flatnonzero(np.abs(now.signs) == 1)
    sides = rows[strict] * now.signs[strict, None]
    if innermost(sides, fixed)[1] <= CLEARLY:
        signs = mode_set.written(now.signs[None])[0]
        problem = f"counting small speeds as zero leaves the signs {signs}, which no velocity has"
        raise ModelError.at("velocity", problem, "give it with more digits, or another `tolerance`")


def _with_drift(mode_set: ModeSet, now: Present, normal: Floats, planes: list[Floats], held: Floats) -> Signs:
    """Cells of {row x a + drift w}, with w > 0 as one more contact that separates."""
    contacts = mode_set.contacts.floats
    n = len(contacts)
    touching = np.flatnonzero(now.open[:n])
    first = n + np.cumsum([0, *mode_set.planes])
    columns = [np.flatnonzero(now.open[first[i] : first[i + 1]]) for i in range(n)]
    rows = [_beside(contacts.tangent[i][columns[i]], planes[i][columns[i]]) for i in touching]
    forward = np.eye(contacts.degrees + 1)[-1:]
    cells = modes(
        Contacts.from_rows(
            np.concatenate([_beside(contacts.normal, normal)[touching], forward]),
            [*rows, forward[:0]],
            held=_beside(contacts.held, held),
        ),
        kind=mode_set.kind,
    )
    ahead = np.concatenate([cells.signs, _in_line(cells)])
    chosen = ahead[ahead[:, len(touching)] == 1]
    signs = np.tile(now.signs, (len(chosen), 1))
    signs[:, touching] = chosen[:, : len(touching)]
    where = np.concatenate([np.zeros(0, np.int64), *(first[i] + columns[i] for i in touching)]).astype(int)
    if mode_set.kind == "all":
        signs[:, where] = chosen[:, len(touching) + 1 :]
    owner = owners(mode_set)
    signs[(owner != NO_NODE) & (signs[:, owner] == 1)] = UNSEEN
    return signs


def _beside(rows: Floats, drift: Floats) -> Floats:
    return np.hstack([rows, drift[:, None]])


def _or_zeros(values: Any, count: int, at: str, remedy: str) -> Floats:
    return np.zeros(count) if values is None else vector_of(values, count, at, remedy)
