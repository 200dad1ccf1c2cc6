"""Can the linkage close throughout an interval of its drive? Proved, refuted, or split further.

A plan in closed form closes exactly where every discriminant is at least zero.
Over an interval of the drive an enclosure of each discriminant is found by
running the plan's operations on enclosures; where one may have either sign the
interval is halved. What is left in the end are places too small to halve: the
limits, and the points where a discriminant only touches zero.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from detent.kinematics import ops as op
from detent.kinematics.enclose import Enclosure, constant, cosine_and_sine, line
from detent.kinematics.rows import Floats
from detent.kinematics.tables import Ints, Plan

CLOSES, BREAKS, OPEN = 1, -1, 0
FIRST_PARTS = 32
# Halvings of the range before a place counts as a point, 5e-10 of it: where a discriminant touches
# zero it is below rounding over a wider stretch than that, and finer cutting would decide nothing.
HALVINGS = 26
# Operations on intervals before the search gives up on proof: about a second.
MOST_WORK = 200_000

Vector = tuple[Enclosure, Enclosure]


@dataclass(frozen=True)
class Cover:
    """The path cut into intervals, in order, each with what is known of it and the row that decides."""

    lo: Floats
    hi: Floats
    verdict: NDArray[np.int8]
    row: Ints  # of ops; -1 where it closes
    complete: bool  # False where the search gave up


def cover(plan: Plan, start: Floats, end: Floats) -> Cover:
    """Cut the straight path between two sets of inputs (parameter 0 to 1) into decided intervals."""
    rows = _needed(plan)
    edges = np.linspace(0.0, 1.0, FIRST_PARTS + 1)
    lo, hi = edges[:-1], edges[1:]
    kept: list[tuple[Floats, Floats, NDArray[np.int8], Ints]] = []
    seen, complete = 0, True
    for level in range(HALVINGS + 1):
        seen += len(lo)
        verdict, row = decide(plan, rows, start, end, lo, hi)
        spent = seen * len(rows) > MOST_WORK
        last = level == HALVINGS or spent
        done = (verdict != OPEN) | last
        kept.append((lo[done], hi[done], verdict[done], row[done]))
        if spent and level < HALVINGS and bool(np.any(verdict == OPEN)):
            complete = False
        lo, hi = lo[~done], hi[~done]
        if not len(lo):
            break
        middle = 0.5 * (lo + hi)
        lo, hi = np.concatenate([lo, middle]), np.concatenate([middle, hi])
    order = np.argsort(np.concatenate([k[0] for k in kept]), kind="stable")
    return Cover(
        lo=np.concatenate([k[0] for k in kept])[order],
        hi=np.concatenate([k[1] for k in kept])[order],
        verdict=np.concatenate([k[2] for k in kept])[order],
        row=np.concatenate([k[3] for k in kept])[order],
        complete=complete,
    )


def decide(
    plan: Plan, rows: list[int], start: Floats, end: Floats, lo: Floats, hi: Floats
) -> tuple[NDArray[np.int8], Ints]:
    """What is proved of each interval, and the first operation that is not proved to close."""
    radius = 0.5 * (hi - lo) * (1 + 1e-12)
    middle = 0.5 * (lo + hi)
    with np.errstate(all="ignore"):
        return _run(plan, rows, start, end, middle, radius)


def _run(
    plan: Plan, rows: list[int], start: Floats, end: Floats, middle: Floats, radius: Floats
) -> tuple[NDArray[np.int8], Ints]:
    verdict = np.full(len(middle), CLOSES, dtype=np.int8)
    decider = np.full(len(middle), -1, dtype=np.int64)
    vectors: dict[int, Vector] = {}

    def get(row: int) -> Vector:
        if row not in vectors:
            x, y = plan.vectors[row]
            vectors[row] = constant(float(x), radius), constant(float(y), radius)
        return vectors[row]

    inputs = [
        line(a + (b - a) * middle, np.full_like(middle, b - a), radius)
        for a, b in zip(start, end, strict=True)
    ]
    for i in rows:
        H = _operate(plan.ops[i], get, inputs, vectors)
        if H is None:
            continue
        unsure = verdict == CLOSES
        closes = H.value[0] > 0
        breaks = H.value[1] < 0
        undecided = unsure & ~closes
        verdict[undecided] = np.where(breaks[undecided], BREAKS, OPEN)
        decider[undecided] = i
    return verdict, decider


def _operate(row: Ints, get: object, inputs: list[Enclosure], vectors: dict[int, Vector]) -> Enclosure | None:
    """One operation on enclosures; its discriminant where it has one."""
    assert callable(get)
    code, out = int(row[0]), int(row[1])
    a, b, c, d, e = (int(x) for x in row[2:7])
    sign = float(row[op.SIGN])
    H: Enclosure | None = None
    if code == op.TURN:
        slope, offset = get(b)
        vectors[out] = cosine_and_sine(slope * inputs[a] + offset)
    elif code == op.SLIDE:
        zero = constant(0.0, inputs[a].radius)
        vectors[out] = inputs[a], inputs[b] if b >= 0 else zero
    elif code == op.AFFINE:
        vectors[out] = _plus(get(a), _times(get(d), _minus(get(c), get(b))))
    elif code == op.QUOTIENT:
        vectors[out] = _over(_minus(get(b), get(a)), get(c))
    elif code == op.SQUARE:
        vectors[out] = _norm(_minus(get(b), get(a))), constant(0.0, get(a)[0].radius)
    elif code == op.OFFSET:
        vectors[out] = _cross(get(a), _minus(get(c), get(b))), constant(0.0, get(a)[0].radius)
    elif code == op.PACK:
        vectors[out] = get(a)[0], get(b)[0]
    elif code == op.CIRCLES:
        D = _minus(get(b), get(a))
        k1, k2 = get(c)
        d2 = _norm(D)
        s = (d2 + k1 - k2).half()
        H = k1 * d2 - s.square()
        h = H.root().times(sign)
        vectors[out] = _plus(get(a), _times((s / d2, h / d2), D))
    elif code == op.CIRCLE_LINE:
        U, K = get(c), get(d)
        D = _minus(get(a), get(b))
        along, across = _dot(D, U), _cross(U, D)
        H = K[0] - (across - K[1]).square()
        vectors[out] = _plus(get(b), _times((along + H.root().times(sign), K[1]), U))
    elif code == op.TANGENT:
        D, e_ = _minus(get(b), get(a)), get(c)[0]
        H = _norm(D) - e_.square()
        vectors[out] = _over(D, (H.root().times(sign), e_))
    elif code == op.LINES:
        U, W, K = get(b), get(d), get(e)
        B = _plus(_minus(get(a), get(c)), _times((constant(0.0, K[0].radius), K[0]), U))
        det = _cross(W, U)
        H = det.square()
        t = (K[1] - _cross(W, B)) / det
        vectors[out] = _plus(get(a), _times((t, K[0]), U))
    return H


def _needed(plan: Plan) -> list[int]:
    """Operations that some discriminant depends on."""
    wanted: set[int] = set()
    rows: list[int] = []
    for i in range(len(plan.ops) - 1, -1, -1):
        row = plan.ops[i]
        if row[0] in op.DYADS or int(row[1]) in wanted:
            rows.append(i)
            wanted.update(int(x) for x in row[2:7])
    return rows[::-1]


def _plus(a: Vector, b: Vector) -> Vector:
    return a[0] + b[0], a[1] + b[1]


def _minus(a: Vector, b: Vector) -> Vector:
    return a[0] - b[0], a[1] - b[1]


def _times(a: Vector, b: Vector) -> Vector:
    return a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]


def _over(a: Vector, b: Vector) -> Vector:
    m = _norm(b)
    return _dot(b, a) / m, _cross(b, a) / m


def _dot(a: Vector, b: Vector) -> Enclosure:
    return a[0] * b[0] + a[1] * b[1]


def _cross(a: Vector, b: Vector) -> Enclosure:
    return a[0] * b[1] - a[1] * b[0]


def _norm(a: Vector) -> Enclosure:
    return a[0].square() + a[1].square()
