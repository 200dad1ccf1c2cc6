"""The equations of motion in rationals: which modes a load brings about, however near a threshold it lies.

In the plane, and wherever contacts have no friction, the forces of a mode are sums of known vectors
that rows as drawn give exactly. A mode is consistent if a linear program in rationals says so: beyond a
threshold by a billionth is beyond it, at the threshold itself a contact still sticks. Masses and loads
are doubles, known to about 1e-14 of themselves; the simplest rationals within that stand for them, so that
2 x 9.81 is 19.62. Velocity products are rationals, or doubles of that kind. In space friction has a round
cone, and floating point decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from flint import fmpq, fmpq_mat
from numpy.typing import NDArray

from detent.contact.contacts import Contacts
from detent.contact.forces.at_velocity import Present, RowRates
from detent.contact.forces.friction import refuse_blind
from detent.contact.forces.motion_program import Range
from detent.contact.modes.enumerate import Signs
from detent.contact.modes.mode import ModeSet
from detent.contact.modes.space import row_space, unit_rows
from detent.numeric.exact_program import largest_margin, range_of, simplest
from detent.numeric.linear_program import INFINITE
from detent.numeric.rational import flint_of

Floats = NDArray[np.float64]
Vector = list[fmpq]

# How well a double that a document's numbers were multiplied and added into is known: of itself, and
# of the largest beside it.
OWN, BESIDE = 1e-14, 1e-15
_STICKS, _PLUS, _MINUS = 0, 1, -1
_SPACE = 3  # dimensions


@dataclass(frozen=True, eq=False)
class ExactMotions:
    """Accelerations as affine functions of contact forces: a constant, then a number per generator."""

    contacts: Contacts
    planes: tuple[int, ...]
    now: Present
    acceleration: list[Vector]  # (d, 1 + generators)
    rows: list[Vector]  # (signs, 1 + generators): row x a + drift
    owner: tuple[int, ...]  # contact of each generator
    opposed: tuple[int, ...]  # the sliding that each generator's friction opposes; 0 without friction
    length: tuple[float, ...]  # of each contact's normal, by which its weights are multiplied

    @property
    def without_contacts(self) -> Floats:
        """The acceleration that there would be without any contact force."""
        return np.array([float(row[0]) for row in self.acceleration])

    def motion(self, signs: Signs) -> tuple[Floats, tuple[float, ...]] | None:
        """Acceleration and normal forces by the largest margin of the signs; None of an inconsistent mode."""
        kept, zero, strict = self._asked(signs)
        solved = largest_margin(
            [[self.rows[i][1 + j] for j in kept] for i in zero],
            [-self.rows[i][0] for i in zero],
            [[int(signs[i]) * self.rows[i][1 + j] for j in kept] for i in strict],
            [int(signs[i]) * self.rows[i][0] for i in strict],
        )
        if solved is None or (strict and not solved[0] > 0):
            return None
        weights = dict(zip(kept, solved[1], strict=True))
        normal = [0.0] * len(self.contacts)
        for j, weight in weights.items():
            normal[self.owner[j]] += float(weight) * self.length[self.owner[j]]
        a = [row[0] + sum((row[1 + j] * w for j, w in weights.items()), fmpq(0)) for row in self.acceleration]
        return np.array([float(x) for x in a]), tuple(normal)

    def in_line_to_rounding(self, signs: Signs) -> bool:
        """Whether rows that a mode has at zero depend on each other as doubles, and not as written."""
        zero = np.flatnonzero(self.now.open & (signs == 0))
        if len(zero) < 2:
            return False
        as_written, as_doubles = (
            np.concatenate([contacts.held, _in_layout(contacts, self.planes)[zero]])
            for contacts in (self.contacts, self._scaled)
        )
        rank = int(_matrix([[flint_of(x) for x in row] for row in as_written]).rank())
        return bool(rank > row_space(unit_rows(as_doubles))[0].shape[1])

    @cached_property
    def _scaled(self) -> Contacts:
        return self.contacts.scaled

    def normal_range(self, signs: Signs, contact: int) -> Range:
        """The least and the largest normal force of a contact in a consistent mode."""
        low, high = self._range(signs, [fmpq(int(owner == contact)) for owner in self.owner])
        size = self.length[contact]
        return size * low, size * high

    def acceleration_range(self, signs: Signs, row: Floats) -> Range:
        """The least and the largest row x acceleration in a consistent mode."""
        shares = [flint_of(Fraction(x)) for x in row.tolist()]
        values = [
            _sum([share * of[k] for share, of in zip(shares, self.acceleration, strict=True)])
            for k in range(1 + len(self.owner))
        ]
        low, high = self._range(signs, values[1:])
        return float(values[0]) + low, float(values[0]) + high

    def _range(self, signs: Signs, costs: Vector) -> Range:
        """The least and the largest sum of costs x forces in the closure of a consistent mode."""
        kept, zero, strict = self._asked(signs)
        rows, level = [], []
        for i in (*zero, *strict):
            # In the closure of the mode, whose bounds are those of its forces, signs may also be zero.
            slack = [-fmpq(int(signs[i])) if i == k else fmpq(0) for k in strict]
            rows.append([*(self.rows[i][1 + j] for j in kept), *slack])
            level.append(-self.rows[i][0])
        ends = range_of([costs[j] for j in kept] + [fmpq(0)] * len(strict), rows, level)
        assert ends is not None, "the mode is consistent"
        return (
            -INFINITE if ends[0] is None else float(ends[0]),
            INFINITE if ends[1] is None else float(ends[1]),
        )

    def _pushes(self, generator: int, signs: Signs) -> bool:
        """Whether a mode has this force: its contact touches, and friction opposes how it slides."""
        contact = self.owner[generator]
        plane = len(self.contacts) + sum(self.planes[:contact])  # its first, in the order of signs
        sliding = self.now.signs if contact in self.now.friction else signs
        return exerts(self.opposed[generator], int(signs[contact]), sliding[plane : plane + 1])

    def _asked(self, signs: Signs) -> tuple[list[int], list[int], list[int]]:
        """Of a mode: the generators that it has, and the rows that are zero and not zero."""
        kept = [j for j in range(len(self.owner)) if self._pushes(j, signs)]
        zero = np.flatnonzero(self.now.open & (signs == 0)).tolist()
        strict = np.flatnonzero(self.now.open & (np.abs(signs) == 1)).tolist()
        return kept, zero, strict


def exact_motions(
    modes: ModeSet, mass: Floats, force: Vector, mu: list[float], now: Present, drift: RowRates
) -> ExactMotions | None:
    """The equations in rationals; None where friction has a round cone, or planes say nothing of sliding."""
    if not decidable(modes, mu):
        return None
    contacts = modes.contacts.exact
    for i, each in enumerate(mu):
        refuse_blind(modes.contacts.floats, i, each)
    normal, tangent, held = drift.of(contacts)
    free, start = left_by(contacts.held, _rates(drift.held, held))
    if start is None:
        return None
    matrix = _matrix([as_known(row) for row in mass])
    generators, owner, opposed = generators_of(contacts, mu)
    d = contacts.degrees
    taken = matrix * _matrix([[x] for x in start])
    columns = [[x - taken[i, 0] for i, x in enumerate(force)], *generators]
    pushes = _matrix([[column[i] for column in columns] for i in range(d)])
    acceleration = [[x, *([fmpq(0)] * len(generators))] for x in start]
    if free:
        basis = _matrix(free)  # (k, d)
        across = basis.transpose()
        try:
            answer = across * (basis * matrix * across).solve(basis * pushes)
        except ZeroDivisionError:  # masses that differ by more than doubles tell apart
            return None
        acceleration = [[answer[i, j] + acceleration[i][j] for j in range(len(columns))] for i in range(d)]
    shift = [
        *_rates(drift.normal, normal),
        *(
            x
            for i, k in enumerate(modes.planes)
            for x in _rates(drift.tangent[i] if drift.tangent else None, tangent[i])[:k]
        ),
    ]
    whole = _in_layout(contacts, modes.planes)
    rows: list[Vector] = []
    if len(whole):
        moved = _matrix([[flint_of(x) for x in row] for row in whole]) * _matrix(acceleration)
        for i in range(len(whole)):
            rows.append([moved[i, 0] + shift[i], *(moved[i, j] for j in range(1, len(columns)))])
    lengths = tuple(float(np.hypot.reduce(site.normal)) if site.normal else 1.0 for site in contacts.sites)
    return ExactMotions(contacts, modes.planes, now, acceleration, rows, owner, opposed, lengths)


def _in_layout(contacts: Contacts, planes: tuple[int, ...]) -> NDArray[Any]:
    """Rows in the order of signs."""
    return np.concatenate(
        [contacts.normal, *(rows[:k] for rows, k in zip(contacts.tangent, planes, strict=True))]
    )


def exerts(opposed: int, contact: int, planes: Signs) -> bool:
    """Whether a mode has a force, by the sign of its contact and those of its dividing planes."""
    return not contact and (not opposed or int(planes[0]) in (_STICKS, opposed))


def decidable(modes: ModeSet, mu: list[float]) -> bool:
    """Whether rationals decide: every contact is without friction, or slides one way or the other."""
    contacts = modes.contacts
    return all(
        not each or (len(rows) == planes == 1 and len(site.normal) != _SPACE)
        for each, rows, planes, site in zip(mu, contacts.tangent, modes.planes, contacts.sites, strict=True)
    )


def generators_of(
    contacts: Contacts, mu: list[float]
) -> tuple[list[Vector], tuple[int, ...], tuple[int, ...]]:
    """Forces by a normal as long as it is drawn: without friction, or with it against + and - sliding."""
    generators: list[Vector] = []
    owner: list[int] = []
    opposed: list[int] = []
    for i in range(len(contacts)):
        row = [flint_of(x) for x in contacts.normal[i]]
        if not mu[i]:
            sides: tuple[tuple[int, Any], ...] = ((0, fmpq(0)),)
        else:
            share = simplest(mu[i], OWN * mu[i]) / _stretch(contacts, i)
            sides = ((_PLUS, -share), (_MINUS, share))
        for side, friction in sides:
            along = contacts.tangent[i][0] if side else row
            generators.append(
                [x + friction * (flint_of(t) if side else t) for x, t in zip(row, along, strict=True)]
            )
            owner.append(i)
            opposed.append(side)
    return generators, tuple(owner), tuple(opposed)


def _stretch(contacts: Contacts, contact: int) -> fmpq:
    """How many times longer than the normal the tangent is drawn; in the plane a rational."""
    site = contacts.sites[contact]
    if not site.normal:
        return fmpq(1)
    normal, tangent = contacts.normal[contact], contacts.tangent[contact][0]
    # The first body that moves has normal and tangent as its first two entries, up to sign.
    first = next(k for k in range(0, contacts.degrees, 3) if any(normal[k : k + 2]))
    n, t = (np.array([flint_of(x) for x in row[first : first + 2]], object) for row in (normal, tangent))
    share = (t[0] * n[1] - t[1] * n[0]) / (n[0] * n[0] + n[1] * n[1])
    return abs(share)


def left_by(held: Any, rates: Vector) -> tuple[list[Vector], Vector | None]:
    """A basis of the accelerations that joints leave, and one that they ask for; None where they disagree."""
    d = held.shape[1]
    rows = [[flint_of(x) for x in row] for row in held]
    level = [-x for x in rates]
    if not rows:
        return [[fmpq(int(i == j)) for j in range(d)] for i in range(d)], [fmpq(0)] * d
    reduced, rank = _matrix([[*row, value] for row, value in zip(rows, level, strict=True)]).rref()
    pivots: list[int] = []
    for i in range(rank):
        pivots.append(next(j for j in range(d + 1) if reduced[i, j]))
    start = [fmpq(0)] * d
    if pivots and pivots[-1] == d:
        return [], None
    for i, column in enumerate(pivots):
        start[column] = reduced[i, d]
    basis = []
    for j in sorted(set(range(d)) - set(pivots)):
        vector = [fmpq(0)] * d
        vector[j] = fmpq(1)
        for i, column in enumerate(pivots):
            vector[column] = -reduced[i, j]
        basis.append(vector)
    return basis, start


def _sum(terms: Vector) -> fmpq:
    """Of terms known to rounding: what cancels but for that is zero, however large the force beside it."""
    total = sum(terms, fmpq(0))
    return total if abs(float(total)) > OWN * sum(abs(float(x)) for x in terms) else fmpq(0)


def _rates(as_given: Sequence[float | Fraction] | None, values: Floats) -> Vector:
    """Velocity products: rationals as they are."""
    rationals = [x for x in as_given or () if isinstance(x, Fraction)]
    return [flint_of(x) for x in rationals] if len(rationals) == len(values) else as_known(values)


def as_known(values: Any) -> Vector:
    """The simplest rationals that doubles can stand for."""
    numbers = np.asarray(values, float)
    return [simplest(x, reach) for x, reach in zip(numbers.tolist(), rounding_of(numbers), strict=True)]


def rounding_of(numbers: Floats) -> list[float]:
    """How far each number may be from what it stands for."""
    beside = BESIDE * float(np.abs(numbers).max(initial=0.0))
    return [max(OWN * abs(x), beside) for x in numbers.tolist()]


def _matrix(rows: list[Vector]) -> fmpq_mat:
    return fmpq_mat(len(rows), len(rows[0]), [x for row in rows for x in row])
