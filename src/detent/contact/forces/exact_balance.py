"""Which load, of those that doubles can stand for, do the contact forces of a mode balance? In rationals.

A load is known to about 1e-14 of itself (`exact_motion.as_known`). One that is balanced but for that counts
as the balanced one: whether it holds does not depend on the last digit of a cosine. Where the simplest
numbers are not balanced, a linear program looks for some that are among all that the doubles can stand for.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from flint import fmpq, fmpq_mat
from numpy.typing import NDArray

from detent.contact.forces.exact_motion import (
    Vector,
    as_known,
    decidable,
    exerts,
    generators_of,
    left_by,
    rounding_of,
)
from detent.contact.modes.enumerate import Signs
from detent.contact.modes.mode import ModeSet
from detent.contact.modes.space import row_space, unit_rows
from detent.contact.scaling import reach_scale
from detent.numeric.exact_program import largest_margin
from detent.numeric.rational import flint_of

Floats = NDArray[np.float64]

_ZERO, _ONE = fmpq(0), fmpq(1)


def decides_balance(modes: ModeSet, signs: Signs, mu: list[float]) -> bool:
    """Whether rationals say what the forces of a mode balance: they are sums of known vectors.

    Forces in line but for rounding are left to floats: taken at their word they would hold anything by
    being enormous.
    """
    return decidable(modes, mu) and not _in_line_to_rounding(modes, _forces(modes, signs, mu))


def balanced_load(modes: ModeSet, signs: Signs, load: Floats, mu: list[float]) -> Vector | None:
    """The load that a mode's forces balance, among all that the doubles can stand for; None where none is.

    Asked where rationals decide (`decides_balance`).
    """
    known = as_known(load)
    contacts = modes.contacts.exact
    forces = _forces(modes, signs, mu)
    free, _ = left_by(contacts.held, [_ZERO] * len(contacts.held))
    if not free:
        return known
    columns = [[_dot(row, force) for force in forces] for row in free]
    if largest_margin(columns, [-_dot(row, known) for row in free], [], []) is not None:
        return known
    reach = [flint_of(Fraction(x)) for x in rounding_of(load)]
    doubles = [flint_of(Fraction(x)) for x in load.tolist()]
    told = [i for i, x in enumerate(known) if x]  # a load that is zero stays zero if it can
    for some in (told, [i for i, x in enumerate(reach) if x]):
        least = [doubles[i] - reach[i] if i in some else x for i, x in enumerate(known)]
        balanced = _among(columns, free, least, {i: 2 * reach[i] for i in some})
        if balanced is not None:
            return balanced
    return None


def _among(columns: list[Vector], free: list[Vector], least: Vector, spans: dict[int, fmpq]) -> Vector | None:
    """A load that forces balance among those that are at least this, and no more than its spans beyond it."""
    count, none = len(spans), [_ZERO] * len(columns[0])
    # What the load is beyond its least, and what it could be more, are columns too.
    rows = [
        [*column, *(row[i] for i in spans), *([_ZERO] * count)]
        for column, row in zip(columns, free, strict=True)
    ]
    rows += [[*none, *_unit(k, count), *_unit(k, count)] for k in range(count)]
    level = [*(-_dot(row, least) for row in free), *spans.values()]
    solved = largest_margin(rows, level, [], [])
    if solved is None:
        return None
    beyond = dict(zip(spans, solved[1][len(none) :], strict=False))
    return [x + beyond.get(i, _ZERO) for i, x in enumerate(least)]


def _forces(modes: ModeSet, signs: Signs, mu: list[float]) -> list[Vector]:
    generators, owner, opposed = generators_of(modes.contacts.exact, mu)
    first = len(modes.contacts) + np.cumsum([0, *modes.planes])
    return [
        generators[j]
        for j, (i, side) in enumerate(zip(owner, opposed, strict=True))
        if exerts(side, int(signs[i]), signs[first[i] : first[i + 1]])
    ]


def _in_line_to_rounding(modes: ModeSet, forces: list[Vector]) -> bool:
    """Whether forces, beside those of joints, depend on each other as doubles, and not as written."""
    contacts = modes.contacts
    as_written = [*([flint_of(x) for x in row] for row in contacts.exact.held), *forces]
    if not as_written:
        return False
    rows = np.array([[float(x) for x in row] for row in as_written])
    seen = unit_rows(rows @ reach_scale(contacts.sites, contacts.degrees))
    return bool(fmpq_mat(as_written).rank() > row_space(seen)[0].shape[1])


def _dot(row: Vector, other: Vector) -> fmpq:
    return sum((x * y for x, y in zip(row, other, strict=True)), _ZERO)


def _unit(k: int, count: int) -> Vector:
    return [_ONE if i == k else _ZERO for i in range(count)]
