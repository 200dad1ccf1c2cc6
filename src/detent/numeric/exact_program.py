"""A small linear program in rationals: is there x >= 0 with these equations, and how far above zero?

    equal x = level,    above x + rest >= t,    0 <= t <= 1,    maximise t.

Dense tableau, two phases, Bland's rule, so that it ends. For the few programs that floating point leaves
open: tens of rows and columns.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from flint import fmpq

from detent.numeric.rational import flint_of

_ZERO, _ONE = fmpq(0), fmpq(1)
Row = list[Any]  # of fmpq


def largest_margin(
    equal: Sequence[Sequence[Any]], level: Sequence[Any], above: Sequence[Sequence[Any]], rest: Sequence[Any]
) -> tuple[fmpq, list[fmpq]] | None:
    """The largest t and an x that has it; None where no x fits. Without rows `above`, t is 1."""
    count = len(equal[0]) if len(equal) else len(above[0]) if len(above) else 0
    m = len(above)
    # Columns: x, t, a slack for each row above, one for t <= 1; then the right-hand side.
    width = count + 1 + m + 1
    rows: list[Row] = []
    for row, value in zip(equal, level, strict=True):
        rows.append([*row, *([_ZERO] * (m + 2)), value])
    for k, (row, value) in enumerate(zip(above, rest, strict=True)):
        slack = [_ZERO] * (m + 1)
        slack[k] = -_ONE
        rows.append([*row, -_ONE, *slack, -value])
    rows.append([*([_ZERO] * count), _ONE, *([_ZERO] * m), _ONE, _ONE])
    basis = _feasible(rows, width)
    if basis is None:
        return None
    cost = [_ZERO] * (width + 1)
    cost[count] = _ONE
    _improve(rows, basis, _over(cost, rows, basis), width)
    x = [_ZERO] * width
    for row, column in zip(rows, basis, strict=True):
        x[column] = row[-1]
    return x[count], x[:count]


def range_of(
    cost: Sequence[Any], equal: Sequence[Sequence[Any]], level: Sequence[Any]
) -> tuple[fmpq | None, fmpq | None] | None:
    """The least and the largest cost x with x >= 0 and equal x = level; None for no bound, or no x at all."""
    width = len(cost)
    rows = [[*row, value] for row, value in zip(equal, level, strict=True)]
    basis = _feasible(rows, width)
    if basis is None:
        return None
    bounds: list[fmpq | None] = []
    for sign in (-1, 1):
        left = _over([*(sign * c for c in cost), _ZERO], rows, basis)
        bounded = _improve(rows, basis, left, width)
        value = sum((cost[column] * row[-1] for row, column in zip(rows, basis, strict=True)), _ZERO)
        bounds.append(value if bounded else None)
    return bounds[0], bounds[1]


def _feasible(rows: list[Row], width: int) -> list[int] | None:
    """A basis with x >= 0, by artificial variables; rows that say nothing new are removed.

    Rows are first written with a right-hand side that is not negative.
    """
    rows[:] = [[-x for x in row] if row[-1] < 0 else row for row in rows]
    basis = [width + k for k in range(len(rows))]
    cost = [sum((row[j] for row in rows), _ZERO) for j in range(width)]
    cost.append(sum((row[-1] for row in rows), _ZERO))
    _improve(rows, basis, cost, width)
    if cost[-1]:
        return None
    for k in reversed(range(len(rows))):
        if basis[k] < width:
            continue
        column = next((j for j in range(width) if rows[k][j]), None)
        if column is None:
            del rows[k], basis[k]
        else:
            _pivot(rows, basis, cost, k, column)
    return basis


def _over(cost: Row, rows: list[Row], basis: list[int]) -> Row:
    """A cost by the columns that are not in the basis."""
    for row, column in zip(rows, basis, strict=True):
        if cost[column]:
            share = cost[column]
            cost = [c - share * x for c, x in zip(cost, row, strict=True)]
    return cost


def _improve(rows: list[Row], basis: list[int], cost: Row, width: int) -> bool:
    """Pivot until no column raises the cost; False where it rises without bound."""
    while True:
        column = next((j for j in range(width) if cost[j] > 0), None)
        if column is None:
            return True
        ratios = [(row[-1] / row[column], basis[k], k) for k, row in enumerate(rows) if row[column] > 0]
        if not ratios:
            return False
        _pivot(rows, basis, cost, min(ratios)[2], column)


def _pivot(rows: list[Row], basis: list[int], cost: Row, k: int, column: int) -> None:
    share = rows[k][column]
    pivot = rows[k] = [x / share for x in rows[k]]
    for other in (*(row for i, row in enumerate(rows) if i != k), cost):
        factor = other[column]
        if factor:
            other[:] = [x - factor * y if y else x for x, y in zip(other, pivot, strict=True)]
    basis[k] = column


def simplest(value: float, reach: float) -> fmpq:
    """What a double, known to within `reach`, stands for: the shortest decimal there, or a simpler fraction.

    Numbers of a document are decimals, and so are their sums and products; quotients are fractions. Of a
    random number the fraction of the smallest denominator q within reach has a q² of about 1 / reach, as the
    decimal has 10^digits: the one whose number is far below that was meant.
    """
    exact, near = Fraction(value), Fraction(reach)
    if abs(exact) <= near:
        return _ZERO
    between = _between(abs(exact) - near, abs(exact) + near)
    digits = 0
    size = abs(exact)
    while 10**digits < between.denominator**2:
        decimal = Fraction(round(size * 10**digits), 10**digits)
        if abs(decimal - size) <= near:
            between = decimal
            break
        digits += 1
    return flint_of(between if value > 0 else -between)


def _between(low: Fraction, high: Fraction) -> Fraction:
    """The fraction of the smallest denominator in an interval above zero, by continued fractions."""
    whole = low.numerator // low.denominator
    if low == whole:
        return Fraction(whole)
    if whole + 1 <= high:
        return Fraction(whole + 1)
    return whole + 1 / _between(1 / (high - whole), 1 / (low - whole))
