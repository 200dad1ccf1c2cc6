"""Every assembly of the same links at given inputs.

A dyad has two roots, so a plan in closed form has one assembly for every choice
of signs that closes, its repeated equations too. Two links of one length that hang
on one point rotate about it freely: that is one assembly, with them as they are
drawn. Inside a cut the closing row is a function of the guessed angle: for each
choice of signs all its zeros over a full rotation are bracketed between samples, at
the borders where a dyad stops closing, and at least values between samples, then
refined. For a triangle on three circles these are the real roots of its polynomial
of degree six (the seed knew no closed form).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from detent.foundation.errors import UnsupportedError
from detent.foundation.names import few
from detent.kinematics.equations.rows import Floats
from detent.kinematics.execution.frame import input_table
from detent.kinematics.operations import ops as op
from detent.kinematics.planning.tables import BLOCK, CUT, Ints, Plan
from detent.kinematics.proofs.prove import has_freedoms
from detent.numeric.roots import bisect

SAMPLES = 360  # of a cut's angle over a full rotation
REFINEMENTS = 80
MOST = 4096  # assemblies that are listed
MOST_NAMED = 8  # gears in one sentence
SAME = 1e-9  # [of the size] two assemblies nearer than this are one


@dataclass(frozen=True)
class Assembly:
    """One assembly: signs of the dyads in plan order (0: free to rotate), guessed angles, and the vectors."""

    branch: tuple[int, ...]
    guesses: tuple[float, ...]
    vectors: Floats
    free: tuple[str, ...]  # parts that rotate freely about one point: they are listed as drawn


def assemblies(plan: Plan, inputs: Floats) -> list[Assembly]:
    """All of them, for a plan with every root; UnsupportedError where links move freely, or form a block."""
    if np.any(plan.segments[:, 0] == BLOCK):
        raise _unsought(plan)
    table = input_table(plan)
    table[0, : len(plan.inputs)] = inputs
    modes: list[Assembly] = []
    with np.errstate(all="ignore"):  # a dead point inside a cut has no derivative
        for ops, values, guessed in _through(plan, plan.ops.copy(), plan.vectors.copy(), table, 0):
            if not _repeated_equations_hold(plan, values):
                continue
            if not any(np.abs(values - other.vectors).max() <= SAME * plan.system.size for other in modes):
                dyads = np.flatnonzero(plan.ops[:, op.SIGN])
                signs = tuple(int(s) for s in ops[dyads, op.SIGN])
                loose = (plan.owners.get(int(ops[k, op.DISC])) for k in dyads if not ops[k, op.SIGN])
                free = tuple(dict.fromkeys(part for step in loose if step for part in step.parts))
                modes.append(Assembly(signs, guessed, values, free))
            if len(modes) >= MOST:
                break
    return modes


def _unsought(plan: Plan) -> UnsupportedError:
    """Why the roots of a block are not sought: they have no end, or it is followed from the drawing."""
    if has_freedoms(plan):
        remedy = "drive as many coordinates as `detent explain` counts degrees of freedom"
        return UnsupportedError("some links keep free motion", remedy)
    geared = [pair.name for pair in plan.system.pairs if pair.kind == "gear"]
    if np.any(plan.ratios[:, 0]):
        problem = (
            f"wheels geared to what moves ({few(geared, MOST_NAMED)}) are followed from the drawing; "
            "where else they could stand depends on how often they went round"
        )
    else:
        problem = "some links form a block that no single cut opens, and every root of it is not sought"
    return UnsupportedError(
        f"assemblies: {problem}", "ask without them: it moves in the assembly that is drawn"
    )


def _repeated_equations_hold(plan: Plan, values: Floats) -> bool:
    return all(abs(values[check.row, 0]) / check.scale <= SAME * plan.system.size for check in plan.checks)


def _through(
    plan: Plan, ops: Ints, V: Floats, inputs: Floats, segment: int
) -> Iterator[tuple[Ints, Floats, tuple[float, ...]]]:
    """Every assembly of the segments from here on."""
    if segment == len(plan.segments):
        yield ops, V, tuple(float(x) for x in inputs[0, len(plan.inputs) :][: len(plan.state)])
        return
    kind, lo, hi, source, row, _ = (int(x) for x in plan.segments[segment])
    choices = (
        _cut(ops, lo, hi, V, inputs, source, row) if kind == CUT else _straight(plan, ops, lo, hi, V, inputs)
    )
    for chosen, values, table in choices:
        yield from _through(plan, chosen, values, table, segment + 1)


def _straight(
    plan: Plan, ops: Ints, lo: int, hi: int, V: Floats, inputs: Floats
) -> Iterator[tuple[Ints, Floats, Floats]]:
    """Both roots of every dyad that closes, one operation after another."""
    if lo >= hi:
        yield ops, V, inputs
        return
    free = _rotating_freely(plan, ops[lo], V)
    signs = (0,) if free is not None or not ops[lo, op.SIGN] else (1, -1)
    for sign in signs:
        chosen, values = ops.copy(), V.copy()
        chosen[lo, op.SIGN] = sign
        if free is not None:
            values[chosen[lo, 1]], values[chosen[lo, op.DISC]] = free, 0.0
        elif op.run_ops.plain(chosen, lo, lo + 1, values, values, values, inputs, 0, False) >= 0:
            continue
        yield from _straight(plan, chosen, lo + 1, hi, values, inputs)


def _rotating_freely(plan: Plan, row: Ints, V: Floats) -> Floats | None:
    """The far end of two links of one length that hang on one point, in the direction drawn; else None."""
    if row[0] != op.CIRCLES:
        return None
    one, other, radii = V[row[2]], V[row[3]], np.sqrt(V[row[4]])
    if max(*np.abs(one - other), abs(radii[0] - radii[1])) > plan.system.tolerance.length:
        return None
    drawn = plan.vectors[row[1]] - plan.vectors[row[2]]
    return np.asarray(one + radii[0] * drawn / np.hypot(*drawn))


def _cut(
    ops: Ints, lo: int, hi: int, V: Floats, inputs: Floats, source: int, row: int
) -> Iterator[tuple[Ints, Floats, Floats]]:
    """All zeros of the closing row, for each choice of signs inside the cut."""
    dyads = [i for i in range(lo, hi) if ops[i, op.SIGN]]
    for signs in itertools.product((1, -1), repeat=len(dyads)):
        chosen = ops.copy()
        chosen[dyads, op.SIGN] = signs
        closing = _Closing(chosen, lo, hi, V.copy(), np.zeros_like(V), inputs.copy(), source, row)
        for angle in closing.zeros():
            closing.at(angle)
            table = closing.inputs.copy()
            table[1, source] = 0.0
            yield chosen, closing.V.copy(), table


@dataclass
class _Closing:
    """The closing row as a function of the guessed angle; None where a dyad inside does not close."""

    ops: Ints
    lo: int
    hi: int
    V: Floats
    G: Floats
    inputs: Floats
    source: int
    row: int

    def at(self, angle: float) -> tuple[float, float] | None:
        self.inputs[0, self.source] = angle
        self.inputs[1, self.source] = 1.0
        run = op.run_ops.at(0)
        if run(self.ops, self.lo, self.hi, self.V, self.G, self.G, self.inputs, 1, False) >= 0:
            return None
        return float(self.V[self.row, 0]), float(self.G[self.row, 0])

    def zeros(self) -> list[float]:
        """Zeros over one rotation, sorted."""
        step = 2 * math.pi / SAMPLES
        # Not on round angles, where drawings have their symmetries.
        angles = [-math.pi + (i + 0.37) * step for i in range(SAMPLES + 1)]
        values = [self.at(a) for a in angles]
        points: list[tuple[float, float, float]] = []
        zeros: list[float] = []
        for a, b, u, v in zip(angles, angles[1:], values, values[1:], strict=False):
            if u is not None:
                points.append((a, *u))
            if (u is None) != (v is None):
                edge = self._edge(a, b, u is not None)
                value = self.at(edge)
                if value is not None:
                    points.append((edge, *value))
            if v is None:
                zeros += self._between(points)
                points = []
        last = values[-1]
        if last is not None:
            points.append((angles[-1], *last))
        zeros += self._between(points)
        return sorted({round(z, 12): z for z in zeros}.values())

    def _between(self, points: list[tuple[float, float, float]]) -> list[float]:
        zeros = []
        for (a, u, du), (b, v, dv) in itertools.pairwise(points):
            if u == 0:
                zeros.append(a)
            elif u * v < 0:
                zeros.append(self._sign_change(a, b, u, 0))
            elif u * du < 0 and v * dv > 0:  # comes nearest to zero in between
                least = self._sign_change(a, b, du, 1)
                value = self.at(least)
                if value is not None and value[0] * u <= 0:
                    zeros += [
                        self._sign_change(a, least, u, 0),
                        self._sign_change(least, b, value[0] or -u, 0),
                    ]
        return zeros

    def _sign_change(self, a: float, b: float, at_a: float, which: int) -> float:
        """Where the row (which 0) or its derivative (1) changes sign."""

        def as_before(angle: float) -> bool:
            value = self.at(angle)
            return value is not None and value[which] * at_a > 0

        last, beyond = bisect(as_before, a, b, most=REFINEMENTS)
        return 0.5 * (last + beyond)

    def _edge(self, a: float, b: float, inside_first: bool) -> float:
        """The last angle at which the dyads inside still close."""
        inside, outside = (a, b) if inside_first else (b, a)
        return bisect(lambda angle: self.at(angle) is not None, inside, outside, most=REFINEMENTS)[0]
