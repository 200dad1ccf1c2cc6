"""Cuts and blocks as one kind of thing for a proof: unknowns, operations, and rows that must be zero.

A cut has that form already. A block is written out in operations of the same
kind as a plan's: each body's direction and origin from its unknowns, then one
row for each equation. Inputs are numbered on: drives, guesses, blocks' unknowns,
in the order of the plan's state.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from detent.kinematics.equations.rows import Floats
from detent.kinematics.operations import ops as op
from detent.kinematics.planning.blocks import ANGLE, FREE, GEAR, LINE, PIN, PINNED, SLIDING, UNKNOWNS
from detent.kinematics.planning.program import ONE, ZERO
from detent.kinematics.planning.tables import CUT, STRAIGHT, Ints, Plan


@dataclass(frozen=True)
class ProofStage:
    """Operations lo..hi; with sources, those inputs are whatever makes the closing entries zero."""

    lo: int
    hi: int
    sources: tuple[int, ...] = ()
    closing: tuple[tuple[int, int], ...] = ()  # row, 0 for x and 1 for y
    moves: tuple[Ints, ...] = ()  # for each source, the operations that it moves


@dataclass(frozen=True)
class ProofRows:
    ops: Ints
    vectors: Floats
    stages: tuple[ProofStage, ...]


def proof_rows(plan: Plan) -> ProofRows:
    """All of a plan, as stages."""
    table = _Table(plan)
    stages: list[ProofStage] = []
    for kind, lo, hi, which, row, _ in plan.segments:
        first = len(table.ops)
        if kind == STRAIGHT:
            table.ops += [tuple(int(x) for x in r) for r in plan.ops[lo:hi]]
            stages.append(ProofStage(first, len(table.ops)))
        elif kind == CUT:
            table.ops += [tuple(int(x) for x in r) for r in plan.ops[lo:hi]]
            stages.append(ProofStage(first, len(table.ops), (int(which),), ((int(row), 0),)))
        else:
            stages.append(_block(plan, table, int(which)))
    ops = np.array(table.ops, dtype=np.int64).reshape(-1, op.COLUMNS)
    stages = [replace(stage, moves=_moves(ops, stage)) for stage in stages]
    return ProofRows(ops, np.concatenate([plan.vectors, np.array(table.more).reshape(-1, 2)]), tuple(stages))


def _moves(ops: Ints, stage: ProofStage) -> tuple[Ints, ...]:
    moved: dict[int, list[int]] = {source: [] for source in stage.sources}
    depends: dict[int, set[int]] = {}
    for i in range(stage.lo, stage.hi):
        row = [int(x) for x in ops[i]]
        if row[0] in (op.TURN, op.SLIDE):
            reads = row[2:3] if row[0] == op.TURN else row[2:4]
            sources = {source for source in reads if source in moved}
        else:
            sources = set().union(*(depends.get(r, ()) for r in row[2:7]))
        depends[row[1]] = sources
        for source in sources:
            moved[source].append(i)
    return tuple(ops[moved[source]] for source in stage.sources)


class _Table:
    """Operations and vectors, growing."""

    def __init__(self, plan: Plan) -> None:
        assert complex(*plan.vectors[ZERO]) == 0
        assert complex(*plan.vectors[ONE]) == 1
        self.ops: list[tuple[int, ...]] = []
        self.count = len(plan.vectors)
        self.more: list[tuple[float, float]] = []

    def fixed(self, x: float, y: float = 0.0) -> int:
        self.more.append((x, y))
        self.count += 1
        return self.count - 1

    def add(self, code: int, *args: int, out: int = -1) -> int:
        out = self.fixed(0.0) if out < 0 else out
        self.ops.append((code, out, *args, *([0] * (op.COLUMNS - 2 - len(args)))))
        return out

    def placed(self, origin: int, U: int, point: int) -> int:
        return self.add(op.AFFINE, origin, ZERO, point, U)


def _block(plan: Plan, table: _Table, k: int) -> ProofStage:
    b0, b1, e0, e1, unknowns, _, first_state, _ = (int(x) for x in plan.blocks[k])
    first, source = len(table.ops), len(plan.inputs) + first_state
    rates = table.fixed(1.0, 0.0)
    bodies = [[int(x) for x in body] for body in plan.bodies[b0:b1]]
    for kind, f, O, U, a, b, c, d in bodies:  # noqa: E741 - the letters of `bodies.py`
        q = source + f
        if kind == PINNED:
            table.add(op.TURN, q, rates, out=U)
            table.add(op.AFFINE, a, b, ZERO, U, out=O)
        elif kind == FREE:
            table.add(op.SLIDE, q, q + 1, out=O)
            table.add(op.TURN, q + 2, rates, out=U)
        else:
            assert kind == SLIDING
            table.add(op.QUOTIENT, ZERO, b, d, out=U)
            along = table.add(op.AFFINE, a, ZERO, b, table.add(op.SLIDE, q, -1))
            table.add(op.AFFINE, along, c, ZERO, U, out=O)
    closing: list[tuple[int, int]] = []
    for n in range(e0, e1):
        closing += _equation(plan, table, bodies, n, source)
    sources = tuple(range(source, source + unknowns))
    return ProofStage(first, len(table.ops), sources, tuple(closing))


def _equation(
    plan: Plan, table: _Table, bodies: list[list[int]], n: int, source: int
) -> list[tuple[int, int]]:
    kind, A, pa, da, B, pb, db, _, carrier = (int(x) for x in plan.equations[n])

    def at(body: int, row: int) -> int:
        return row if body < 0 else table.placed(bodies[body][2], bodies[body][3], row)

    def along(body: int, row: int) -> int:
        return row if body < 0 else table.placed(ZERO, bodies[body][3], row)

    if kind == PIN:
        gap = table.add(op.AFFINE, at(B, pb), at(A, pa), ZERO, ONE)
        return [(gap, 0), (gap, 1)]
    if kind == LINE:
        return [(table.add(op.OFFSET, along(A, da), at(A, pa), at(B, pb)), 0)]
    if kind == ANGLE:
        return [(table.add(op.OFFSET, along(A, da), ZERO, along(B, db)), 0)]
    assert kind == GEAR
    ratio, offset = (float(x) for x in plan.ratios[n])
    total = table.fixed(-offset)
    for body, weight in ((B, 1.0), (A, -ratio), (carrier, ratio - 1.0)):
        if body >= 0:
            angle_input = source + bodies[body][1] + (UNKNOWNS[FREE] - 1 if bodies[body][0] == FREE else 0)
            slide = table.add(op.SLIDE, angle_input, -1)
            total = table.add(op.AFFINE, total, ZERO, slide, table.fixed(weight))
    return [(total, 0)]
