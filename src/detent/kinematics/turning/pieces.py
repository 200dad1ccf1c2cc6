"""Pieces of a straight drive path on which no counted direction changes by half a rotation: proved.

On a piece every vector is a Taylor model (`proofs/`). Where the model of a direction lies in a disc about its
middle that does not reach zero, it stays within a quarter rotation of it, so that between the two
ends of the piece, and any place in it, the smaller of the two ways round is the way it went.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from detent.kinematics.equations.rows import Floats
from detent.kinematics.operations import ops as op
from detent.kinematics.planning.tables import Ints, Plan
from detent.kinematics.proofs.certify import STEPS_AN_OP, Models, drive_models, models_of, needed_for
from detent.kinematics.proofs.taylor import N
from detent.kinematics.proofs.taylor_ops import CLOSES, run_models

FIRST = 0.8  # [rad, sizes] length of the pieces that are tried first, of the input that turns fastest
# Pieces this short are not halved further: a discriminant that touches zero is undecided at any
# length, and a link there rotates by less than a hundredth of a rotation.
SHORTEST = 1e-6
MOST_WORK = 400_000  # operations on models before places are only laid close together
CLOSE = 0.05  # [rad, sizes] their distance then
FULL = 0.999  # of the middle of a direction: how far a disc about it may reach


def half_turn_places(
    plan: Plan, start: Floats, end: Floats, lo: float, hi: float, free: Sequence[int]
) -> tuple[Floats, bool]:
    """Places from lo to hi (of a straight path, 0 to 1) that divide it into such pieces; whether proved."""
    length = (hi - lo) * _length(plan, start, end)
    if not free or not length > 0.0:
        return np.array([lo, hi]), True
    anchors = np.array([(plan.anchors[part].P, plan.anchors[part].Q) for part in free])
    rows = needed_for(plan, anchors.ravel().tolist())
    ops = np.ascontiguousarray(plan.ops[rows])
    models = models_of(plan.vectors)
    parts = math.ceil(length / FIRST)
    if parts * len(ops) > MOST_WORK:
        return np.linspace(lo, hi, math.ceil(length / CLOSE) + 1), False
    edges = np.linspace(lo, hi, parts + 1)
    waiting = list(zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True))
    shortest = SHORTEST / length * (hi - lo)
    places, spent, proved = {lo, hi}, 0, True
    while waiting:
        a, b = waiting.pop()
        spent += len(ops)
        places |= {a, b}
        if _within(ops, models, anchors, start, end, a, b, len(waiting) + parts):
            continue
        if b - a <= shortest:
            continue
        if spent > MOST_WORK:
            proved = False
            places |= set(np.linspace(a, b, math.ceil((b - a) / (hi - lo) * length / CLOSE) + 1).tolist())
            continue
        middle = 0.5 * (a + b)
        waiting += [(a, middle), (middle, b)]
    return np.array(sorted(places)), proved


def within_a_quarter(models: Models, anchors: Ints) -> bool:
    """Whether each direction Q - P stays within a quarter rotation of its middle on a piece."""
    for P, Q in anchors.tolist():
        along = models.P[Q, :, :N] - models.P[P, :, :N]
        off = models.E[P, 2:].sum() + models.E[Q, 2:].sum() + np.abs(models.P[[P, Q], :, N]).sum()
        reach = np.hypot(along[0, 1:], along[1, 1:]).sum() + off
        if not reach < FULL * math.hypot(along[0, 0], along[1, 0]):
            return False
    return True


def _within(
    ops: Ints, models: Models, anchors: Ints, start: Floats, end: Floats, a: float, b: float, calls: int
) -> bool:
    inputs, off = drive_models(start, end, a, b)
    run = run_models.at(STEPS_AN_OP * len(ops) * calls)
    with np.errstate(all="ignore"):
        _, verdict = run(ops, 0, len(ops), models.P, models.E, inputs, off, models.S, models.B)
        return bool(verdict == CLOSES and within_a_quarter(models, anchors))


def _length(plan: Plan, start: Floats, end: Floats) -> float:
    """How far the inputs go [rad, sizes], times the fastest that a gear or a drive rotates by them."""
    return float(np.linalg.norm((end - start) / plan.spans)) * fastest(plan)


def fastest(plan: Plan) -> float:
    """How far something that is driven rotates by an input, at most; 1 at least."""
    turns = plan.ops[plan.ops[:, 0] == op.TURN, 3]
    return max(1.0, float(np.abs(plan.vectors[turns, 0]).max(initial=0.0)))
