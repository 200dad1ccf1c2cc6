"""Can the linkage close throughout a piece of its drive path? Proved, refuted, or split further.

A plan in closed form closes exactly where every discriminant is at least zero.
The drive path is cut into pieces; on each, the plan's operations are run on Taylor
models (`taylor_ops.py`), which enclose every discriminant; where one may have
either sign the piece is halved. What is left in the end are places too small to
halve: the limits, and the points where a discriminant only touches zero.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from detent.kinematics.equations.rows import Floats
from detent.kinematics.operations import ops as op
from detent.kinematics.planning.tables import Ints, Plan
from detent.kinematics.proofs.sensitivity import MOST_PIECES, PIECE
from detent.kinematics.proofs.taylor import N
from detent.kinematics.proofs.taylor_ops import BREAKS, CLOSES, OPEN, room, run_models

__all__ = ["BREAKS", "CLOSES", "OPEN", "Cover", "Models", "closes_in", "cover", "drive_models", "models_of"]

FIRST_PARTS = 16
# Halvings of the range before a place counts as a point, 5e-10 of it, or of 1 rad where it is shorter:
# where a discriminant touches zero it is below rounding over a wider interval than that, and finer
# cutting would decide nothing.
HALVINGS = 27
# Neighbours in a place this narrow, of the range, that are all undecided: halving them would not end, because
# what an earlier operation is off there hides the sign, however small the piece.
CROWDED, CROWD_WIDTH = 128, 1e-3
# Operations on models before the search gives up on proof: some seconds.
MOST_WORK = 1_000_000
# Elementary steps (see numeric.kernel) of one operation on models; compiling them takes long, so it must pay.
STEPS_AN_OP = 200


@dataclass(frozen=True)
class Cover:
    """The path cut into intervals, in order, each with what is known of it and the row that decides."""

    lo: Floats
    hi: Floats
    verdict: NDArray[np.int8]
    row: Ints  # of ops; -1 where it closes
    complete: bool  # False where the search gave up


@dataclass(frozen=True)
class Models:
    """Every vector on one piece: polynomials, what they may be off, and room to work in."""

    P: Floats  # (rows, 2, coefficients and bound)
    E: Floats  # (rows, 4): direction, off along it, off across it
    S: Floats
    B: Floats


def cover(
    plan: Plan, start: Floats, end: Floats, *, share: float = 1.0, short: float = 1.0, calls: int = 1
) -> Cover:
    """Cut the straight path between two sets of inputs (parameter 0 to 1) into decided intervals.

    `share` of the whole drive path is this one: it begins with so many pieces and may cost so much.
    `short` is its length [rad, sizes] where that is less than 1: it is halved less often.
    `calls` is how often this is asked in all, as far as is known: whether compiling pays.
    """
    rows = _needed(plan)
    ops = np.ascontiguousarray(plan.ops[rows])
    models = models_of(plan.vectors)
    edges = np.linspace(0.0, 1.0, math.ceil(share * FIRST_PARTS) + 1)
    waiting = list(zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True))
    kept: list[tuple[float, float, int, int]] = []
    seen, complete = 0, True
    halvings = max(HALVINGS + math.floor(math.log2(short)), 0)
    for level in range(halvings + 1):
        later: list[tuple[float, float, int]] = []
        for lo, hi in waiting:
            seen += 1
            spent = seen * len(ops) > share * MOST_WORK
            inputs, off = drive_models(start, end, lo, hi)
            run = run_models.at(STEPS_AN_OP * len(ops) * max(seen, 2 * FIRST_PARTS) * calls)
            with np.errstate(all="ignore"):
                at, verdict = run(ops, 0, len(ops), models.P, models.E, inputs, off, models.S, models.B)
            if verdict != OPEN or spent or level == halvings:
                complete = complete and not (spent and verdict == OPEN)
                kept.append((lo, hi, verdict, rows[at] if at >= 0 else -1))
            else:
                later.append((lo, hi, rows[at]))
        if not later:
            break
        waiting = []
        for place in _neighbours(later):
            if len(place) > CROWDED and place[-1][1] - place[0][0] <= CROWD_WIDTH:
                kept += [(lo, hi, OPEN, row) for lo, hi, row in place]
                continue
            for lo, hi, _ in place:
                middle = 0.5 * (lo + hi)
                waiting += [(lo, middle), (middle, hi)]
    kept.sort()
    return Cover(
        lo=np.array([k[0] for k in kept]),
        hi=np.array([k[1] for k in kept]),
        verdict=np.array([k[2] for k in kept], dtype=np.int8),
        row=np.array([k[3] for k in kept], dtype=np.int64),
        complete=complete,
    )


def closes_in(plan: Plan, low: Floats, high: Floats, *, calls: int = 1) -> bool:
    """Whether the linkage is proved to close on one branch for all inputs between these.

    `calls` is how often this is asked in all, as far as is known: whether compiling pays.
    """
    rows = _needed(plan)
    ops = np.ascontiguousarray(plan.ops[rows])
    models = models_of(plan.vectors)
    inputs = np.zeros((len(low), N + 1))
    inputs[:, 0] = 0.5 * (low + high)
    eps = float(np.finfo(float).eps)
    off = np.maximum(high - inputs[:, 0], inputs[:, 0] - low) * (1 + 2 * eps)
    run = run_models.at(STEPS_AN_OP * len(ops) * calls)
    with np.errstate(all="ignore"):
        _, verdict = run(ops, 0, len(ops), models.P, models.E, inputs, off, models.S, models.B)
    return bool(verdict == CLOSES)


def _neighbours(pieces: list[tuple[float, float, int]]) -> list[list[tuple[float, float, int]]]:
    """Pieces in order, those that touch each other together."""
    runs: list[list[tuple[float, float, int]]] = []
    for piece in pieces:
        if runs and runs[-1][-1][1] == piece[0]:
            runs[-1].append(piece)
        else:
            runs.append([piece])
    return runs


def models_of(vectors: Floats) -> Models:
    """Constants as they are, and room for the rest."""
    P, E = np.zeros((len(vectors), 2, N + 1)), np.zeros((len(vectors), 4))
    P[:, :, 0] = vectors
    E[:, 0] = 1.0
    return Models(P, E, room(), np.zeros((MOST_PIECES, PIECE)))


def drive_models(start: Floats, end: Floats, lo: float, hi: float) -> tuple[Floats, Floats]:
    """The drives along a piece of the path, and what rounding makes of it."""
    middle = 0.5 * (lo + hi)
    eps = float(np.finfo(float).eps)
    radius = max(middle - lo, hi - middle) * (1 + 2 * eps) + eps * abs(middle)
    inputs = np.zeros((len(start), N + 1))
    inputs[:, 0] = start + middle * (end - start)
    inputs[:, 1] = radius * (end - start)
    # Rounding of both coefficients, and of the ends of the piece: five of these at most.
    return inputs, 8 * eps * (np.abs(start) + np.abs(end))


def _needed(plan: Plan) -> list[int]:
    """Operations that some discriminant depends on."""
    return needed_for(plan, (), discriminants=True)


def needed_for(plan: Plan, vectors: Iterable[int], *, discriminants: bool = False) -> list[int]:
    """Operations that some vectors depend on, and every discriminant where these are asked for."""
    wanted = set(vectors)
    rows: list[int] = []
    for i in range(len(plan.ops) - 1, -1, -1):
        row = plan.ops[i]
        if (discriminants and row[0] in op.DYADS) or int(row[1]) in wanted:
            rows.append(i)
            wanted.update(int(x) for x in row[2:7])
    return rows[::-1]
