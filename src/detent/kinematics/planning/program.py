"""The plan while it is being made: vectors with their values as drawn, and operations so far.

Every vector carries its value at the closed drawing, so that a branch is read
off the drawing and an operation on constants is done here, once, and never
again. `needs` says which cut angles a vector depends on, one bit each.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from detent.kinematics.equations.rows import Floats
from detent.kinematics.operations import ops as op

ZERO, ONE = 0, 1  # rows of the vectors 0 and 1
_FIRST_ROOM = 64


@dataclass
class PlanBuilder:
    """Grows by one vector and one operation at a time."""

    tolerance: float  # [m]
    stretching: bool = False
    values: Floats = field(default_factory=lambda: np.zeros((_FIRST_ROOM, 2)))
    count: int = 0
    constant: list[bool] = field(default_factory=list)
    needs: list[int] = field(default_factory=list)
    rows: list[tuple[int, ...]] = field(default_factory=list)
    inputs: list[float] = field(default_factory=list)  # values as drawn, then guesses of cuts
    notes: list[str] = field(default_factory=list)
    known: dict[complex, int] = field(default_factory=dict)
    # Each constant in a row of its own, so that designs that differ in numbers alone have the same tables.
    apart: bool = False
    # Dyads between parts that keep their places stay operations, so that their other root can be asked for.
    every_root: bool = False

    def __post_init__(self) -> None:
        if not self.count:
            self.fixed(0j)
            self.fixed(1 + 0j)

    def copy(self) -> PlanBuilder:
        """A sketch to try something on."""
        return PlanBuilder(
            self.tolerance,
            self.stretching,
            self.values.copy(),
            self.count,
            self.constant.copy(),
            self.needs.copy(),
            self.rows.copy(),
            self.inputs.copy(),
            self.notes.copy(),
            self.known.copy(),
            self.apart,
            self.every_root,
        )

    def fixed(self, value: complex) -> int:
        """The row of a constant."""
        if self.apart and self.count > ONE:
            return self.new(value, constant=True)
        if value not in self.known:
            self.known[value] = self.new(value, constant=True)
        return self.known[value]

    def new(self, value: complex, *, constant: bool = False, needs: int = 0) -> int:
        """A fresh row."""
        if self.count == len(self.values):
            self.values = np.concatenate([self.values, np.zeros_like(self.values)])
        self.values[self.count] = value.real, value.imag
        self.constant.append(constant)
        self.needs.append(needs)
        self.count += 1
        return self.count - 1

    def value(self, row: int) -> complex:
        return complex(self.values[row, 0], self.values[row, 1])

    def turn(self, source: int, slope: float, offset: float, *, guess: int = 0) -> int:
        """exp(i (slope input + offset))."""
        rates = self.fixed(complex(slope, offset))
        return self._emit(op.TURN, (source, rates), reads=(), needs=guess)

    def slide(self, source: int, other: int = -1) -> int:
        return self._emit(op.SLIDE, (source, other), reads=())

    def affine(self, w: int, p: int, q: int, k: int) -> int:
        """w + k (q - p)."""
        if w == ZERO and p == ZERO and q == ONE:
            return k
        if p == q or k == ZERO:
            return w
        if w == p and k == ONE:
            return q
        if w == ZERO and p == ZERO and k == ONE:
            return q
        return self._emit(op.AFFINE, (w, p, q, k))

    def times(self, a: int, b: int) -> int:
        """The product: b rotated and scaled by a."""
        return self.affine(ZERO, ZERO, b, a)

    def quotient(self, p: int, q: int, k: int) -> int:
        """(q - p) / k."""
        if self.constant[k]:
            return self.affine(ZERO, p, q, self.fixed(1 / self.value(k)))
        return self._emit(op.QUOTIENT, (p, q, k))

    def square(self, p: int, q: int) -> int:
        return self._emit(op.SQUARE, (p, q))

    def offset(self, u: int, p: int, q: int) -> int:
        return self._emit(op.OFFSET, (u, p, q))

    def pack(self, a: int, b: int) -> int:
        return self._emit(op.PACK, (a, b))

    def circles(self, p: int, q: int, k: int, near: complex) -> int:
        return self._branch(op.CIRCLES, (p, q, k), near)

    def circle_line(self, p: int, line: int, u: int, k: int, near: complex) -> int:
        return self._branch(op.CIRCLE_LINE, (p, line, u, k), near)

    def tangent(self, p: int, q: int, k: int, near: complex) -> int:
        return self._branch(op.TANGENT, (p, q, k), near)

    def lines(self, l1: int, u1: int, l2: int, u2: int, k: int) -> int:
        return self._emit(op.LINES, (l1, u1, l2, u2, k), disc=True)

    def pulled(self, q: int, e: int, k: int, which: int) -> int:
        """The end at e of a link from q, its length kept; e itself where plans do not stretch."""
        if not self.stretching:
            return e
        row = self._row(op.PULL, (q, e, k, which), 0, 0)
        return self._finish(row, reads=(q, e, k))

    def scalar(self, a: int, b: int) -> int:
        """a - b, for a closing equation."""
        return self.affine(a, b, ZERO, ONE)

    def _branch(self, code: int, args: tuple[int, ...], near: complex) -> int:
        """The root nearest to where the drawing has it, by its sign."""
        disc = self.new(0j)
        results = []
        for sign in (1, -1):
            out = self._try(code, args, disc, sign)
            results.append((abs(out - near), sign))
        results.sort(key=lambda r: r[0])
        sign = results[0][1]
        if abs(results[0][0] - results[1][0]) <= self.tolerance:
            sign = 1
            self.notes.append("drawn at a dead point, where both branches meet: the positive one is chosen")
        return self._finish(self._row(code, args, disc, sign), reads=args, disc=disc)

    def _try(self, code: int, args: tuple[int, ...], disc: int, sign: int) -> complex:
        spot = self.new(0j)
        table = np.array([_padded(code, spot, args, disc, sign)], dtype=np.int64)
        op.run_ops.plain(table, 0, 1, self.values, self.values, self.values, self._inputs(), 0, True)
        result = self.value(spot)
        self.count -= 1
        self.constant.pop()
        self.needs.pop()
        return result

    def _emit(
        self,
        code: int,
        args: tuple[int, ...],
        *,
        reads: tuple[int, ...] | None = None,
        needs: int = 0,
        disc: bool = False,
    ) -> int:
        spot = self.new(0j) if disc else 0
        return self._finish(
            self._row(code, args, spot, 0), reads=args if reads is None else reads, needs=needs, disc=spot
        )

    def _row(self, code: int, args: tuple[int, ...], disc: int, sign: int) -> tuple[int, ...]:
        return _padded(code, self.new(0j), args, disc, sign)

    def _finish(self, row: tuple[int, ...], *, reads: tuple[int, ...], needs: int = 0, disc: int = 0) -> int:
        """Evaluate as drawn; keep the operation unless all it reads is constant, and no root is asked for."""
        out = row[1]
        table = np.array([row], dtype=np.int64)
        op.run_ops.plain(table, 0, 1, self.values, self.values, self.values, self._inputs(), 0, True)
        asked = self.every_root and row[op.SIGN] != 0
        live = asked or row[0] in (op.TURN, op.SLIDE) or not all(self.constant[r] for r in reads)
        for r in reads:
            needs |= self.needs[r]
        self.needs[out] = needs
        self.constant[out] = not live
        if disc:
            self.needs[disc], self.constant[disc] = needs, not live
        if live:
            self.rows.append(row)
        return out

    def _inputs(self) -> Floats:
        return np.array([self.inputs]) if self.inputs else np.zeros((1, 1))


def _padded(code: int, out: int, args: tuple[int, ...], disc: int, sign: int) -> tuple[int, ...]:
    row = (code, out, *args, *([0] * (5 - len(args))), disc, sign)
    assert len(row) == op.COLUMNS
    return row
