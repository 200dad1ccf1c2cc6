"""Where a driven linkage reaches its limit, also when the samples step over it.

For a plan in closed form the path is covered by proved intervals (`certify`),
and each border between closing and breaking is bisected on the plan itself to
the last digit. A place where a discriminant touches zero without changing sign
is a change point (Brunkhart 1994, Figs. 14a and 16): two branches meet there
and the linkage goes on, in the direction in which it came.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from detent.kinematics.equations.rows import Floats
from detent.kinematics.execution.frame import input_table
from detent.kinematics.operations import ops as op
from detent.kinematics.paths.path_event import PathEvent
from detent.kinematics.planning.tables import Plan
from detent.kinematics.proofs.certify import BREAKS, CLOSES, OPEN, Cover, cover
from detent.numeric.roots import bisect, golden_minimum

# Width of an undecided place, of the path or [rad, sizes] of a short one, up to which it counts as one
# point: a discriminant that touches zero is below rounding, 1e-16, over about 1e-8 rad on either side.
POINT = 1e-5
# Width of an undecided place, measured so, in which a touching point is still looked for: what one dyad
# is off near its change point makes those behind it undecided over a wider place.
WIDE = 1e-3
# Half widths [rad, sizes] of the parabolas that locate where a discriminant touches zero.
TOUCHING = (6e-3, 6e-4)
# Places [rad, sizes] about a change point between which smooth numbers are interpolated, three per side.
ABOUT = 4e-3 * np.array([-3.0, -2.0, -1.0, 1.0, 2.0, 3.0])
# A discriminant that is a smaller part at the end of a path than this far inside [rad, sizes] may touch zero
# beside the end, up to so far away; and one that touches zero so near the end does so at the end.
ROUGHLY, INSIDE = 0.2, 4e-3
NEAR, AT_END = 1e-3, 1e-9
# How far the smooth root may shift [rad, sizes] what parabolas have located.
SHIFT = 1e-4
# A discriminant interpolated to less than this part of its value beside touches zero there too.
TOGETHER = 1e-5
# A crossing point this far away [sizes], so near [of the path] to where its lines are parallel, has no bound.
AWAY, BESIDE = 1e3, 1e-6
# Samples along the whole path, and steps of a search between two of them, where proof fails.
SAMPLES, GOLDEN_STEPS = 720, 60
STEPS_A_SAMPLE = 6  # elementary steps of one operation (see numeric.kernel)


@dataclass(frozen=True)
class PathLimits:
    events: tuple[PathEvent, ...]
    proved: bool  # nothing between the points was stepped over
    start_closes: bool


def path_limits(plan: Plan, start: Floats, end: Floats, *, share: float = 1.0, calls: int = 1) -> PathLimits:
    """Limits and change points on the straight path between two sets of inputs, a share of the drive path.

    `calls` is how often this is asked in all, as far as is known: whether compiling pays.
    """
    assert plan.closed_form
    if np.array_equal(start, end):
        return PathLimits((), True, _stands(plan, start, end, 0.0))
    short = min(path_length(plan, start, end), 1.0)
    pieces = cover(plan, start, end, share=share, short=short, calls=calls)
    events: list[PathEvent] = []
    proved = pieces.complete
    for first, last in _places(pieces, POINT / short):
        left = pieces.verdict[first - 1] if first else _side(plan, start, end, 0.0)
        right = pieces.verdict[last + 1] if last + 1 < len(pieces.lo) else _side(plan, start, end, 1.0)
        a = float(pieces.lo[first])
        b = float(pieces.hi[last])
        width = (b - a) * short
        change: PathEvent | None = None
        if left == right == CLOSES and width <= WIDE:
            inner = first and last + 1 < len(pieces.lo)
            change = (
                _change(plan, start, end, pieces, first, last)
                if inner
                else _inside_end(plan, start, end, 1.0 if first else 0.0, b)
            )
        if width > POINT:
            proved = False
            events += [change] if change is not None else _sampled(plan, start, end, a, b)
        elif left != right:
            events.append(_limit(plan, start, end, a, b, int(left)))
        elif change is not None:
            events.append(change)
    events += _abrupt(plan, pieces, start, end)
    events.sort(key=lambda f: f.at)
    proved = proved and not any(folded(plan, start, end, at) for at in (0.0, 1.0))
    return PathLimits(tuple(events), proved, _side(plan, start, end, 0.0) == CLOSES)


def _places(pieces: Cover, sliver: float) -> list[tuple[int, int]]:
    """Runs of undecided intervals, first and last of each; slivers that close may lie between."""
    runs: list[tuple[int, int]] = []
    for i, verdict in enumerate(pieces.verdict):
        if verdict != OPEN:
            continue
        last = runs[-1][1] if runs else -1
        near = runs and pieces.lo[i] - pieces.hi[last] <= sliver
        if near and np.all(pieces.verdict[last + 1 : i] == CLOSES):
            runs[-1] = (runs[-1][0], i)
        else:
            runs.append((i, i))
    return runs


def _change(plan: Plan, start: Floats, end: Floats, pieces: Cover, first: int, last: int) -> PathEvent | None:
    """What touches zero in an undecided place between two that close; None where that is not one point."""
    pieces_there = slice(first, last + 1)
    undecided = pieces.verdict[pieces_there] == OPEN
    row = int(pieces.row[pieces_there][undecided].min())  # the others depend on it
    of_row = undecided & (pieces.row[pieces_there] == row)
    a, b = float(pieces.lo[pieces_there][of_row].min()), float(pieces.hi[pieces_there][of_row].max())
    if (b - a) * min(path_length(plan, start, end), 1.0) > POINT:
        return None
    at = _touch(plan, start, end, 0.5 * (a + b), row)
    if _runs_away(plan, start, end, at, row):
        return PathEvent(at, "limit", row, beyond=at, unbounded=True)
    also = _touching_too(plan, start, end, at, row, set(pieces.row[pieces_there][undecided].tolist()))
    return (
        None if also is None else PathEvent(at, "change_point", row, beyond=float(pieces.hi[last]), also=also)
    )


def _touch(plan: Plan, start: Floats, end: Floats, at: float, row: int) -> float:
    """Where a discriminant is least, by parabolas wide enough that rounding does not blur them.

    A parabola is off where it is not even about that place; its root, which changes sign there, is smooth.
    """
    disc = int(plan.ops[row, op.DISC])
    length = path_length(plan, start, end)
    for width in TOUCHING:
        half = width / length
        low, level, high = (_vectors(plan, start, end, at + d)[disc, 0] for d in (-half, 0.0, half))
        bend = low - 2 * level + high
        if bend > 0:
            at -= 0.5 * half * (high - low) / bend
    offsets = ABOUT / length
    H = np.array([_vectors(plan, start, end, at + d)[disc, 0] for d in offsets.tolist()])
    roots = np.copysign(np.sqrt(np.maximum(H, 0.0)), offsets)
    if (np.diff(roots) > 0).all():
        shift = float(lagrange(roots, 0.0) @ offsets)
        at += shift if abs(shift) * length <= SHIFT else 0.0
    return at


def _touching_too(
    plan: Plan, start: Floats, end: Floats, at: float, row: int, undecided: set[int]
) -> tuple[int, ...] | None:
    """Later operations whose discriminants touch zero at the same place, as in two parallelograms in a row.

    At the place itself they have lost half their digits, so they are interpolated from both sides, each with
    the branch that the linkage is on there. None where an undecided one is not positive on both sides.
    """
    offsets = ABOUT / path_length(plan, start, end)
    touching: list[int] = []
    sides = plan, with_opposite_roots(plan, (row,))
    for later in range(row + 1, len(plan.ops)):
        code, disc = plan.ops[later, 0], int(plan.ops[later, op.DISC])
        if code not in op.DYADS:
            continue
        H = np.array([_vectors(sides[d > 0], start, end, at + d)[disc, 0] for d in offsets.tolist()])
        level = float(lagrange(offsets, 0.0) @ H)
        touches = H.min() > 0 and abs(level) <= TOGETHER * H.min()
        if touches and code != op.LINES:
            touching.append(later)
            sides = plan, with_opposite_roots(plan, (row, *touching))
        elif later in undecided and not (H.min() > 0 and level > 0 and not touches):
            return None
    return tuple(touching)


def with_opposite_roots(plan: Plan, rows: tuple[int, ...]) -> Plan:
    """The plan with the other sign of the root in these operations."""
    ops = plan.ops.copy()
    ops[list(rows), op.SIGN] *= -1
    return replace(plan, ops=ops)


def lagrange(at: Floats, x: float) -> Floats:
    """What the values at some places weigh in the polynomial through them, at x."""
    weights = np.ones(len(at))
    for i, a in enumerate(at):
        for j, b in enumerate(at):
            if i != j:
                weights[i] *= (x - b) / (a - b)
    return weights


def path_length(plan: Plan, start: Floats, end: Floats) -> float:
    """How long a straight path of the inputs is [rad, sizes]."""
    return float(np.linalg.norm((end - start) / plan.spans))


def _runs_away(plan: Plan, start: Floats, end: Floats, at: float, row: int) -> bool:
    """Whether the point where two lines cross goes to infinity here; else the lines fall on each other."""
    if plan.ops[row, 0] != op.LINES:
        return False
    near = _vectors(plan, start, end, at - BESIDE)[plan.ops[row, 1]]
    return bool(np.abs(near).max() > AWAY * plan.system.size)


def _abrupt(plan: Plan, pieces: Cover, start: Floats, end: Floats) -> list[PathEvent]:
    """Borders without an undecided place between: a limit on the edge of two intervals."""
    events = []
    for i in range(len(pieces.lo) - 1):
        a, b = int(pieces.verdict[i]), int(pieces.verdict[i + 1])
        if {a, b} == {CLOSES, BREAKS}:
            events.append(_limit(plan, start, end, float(pieces.lo[i]), float(pieces.hi[i + 1]), a))
    return events


def _sampled(plan: Plan, start: Floats, end: Floats, a: float, b: float) -> list[PathEvent]:
    """What is in an interval that no enclosure decides: signs at samples, and least values between them.

    A least value near zero may be a change point, whatever sign rounding gives it; so may an end of the path.
    """
    at = [float(t) for t in np.linspace(a, b, max(3, int(SAMPLES * (b - a)) + 2))]
    level = [_least(plan, start, end, t) for t in at]
    near = NEAR / path_length(plan, start, end)
    changes: list[PathEvent] = []
    for i in range(len(at) - 2, 0, -1):
        if min(level[i - 1], level[i + 1]) > max(level[i], 0.0):
            t = golden_minimum(
                lambda t: _least(plan, start, end, t), at[i - 1], at[i + 1], steps=GOLDEN_STEPS
            )
            change = _touching_near(plan, start, end, t, t + INSIDE / path_length(plan, start, end))
            if change is not None and a <= change.at <= b:
                changes.append(replace(change, beyond=min(change.at + near, b)))
            at.append(t)
            level.append(_least(plan, start, end, t))
    order = np.argsort(at)
    events = list(changes)
    changes += [c for side in (0.0, 1.0) if side in (a, b) and (c := beside_end(plan, start, end, side))]
    for i, j in pairwise(order):
        if (level[i] >= 0) != (level[j] >= 0):
            left = CLOSES if level[i] >= 0 else BREAKS
            limit = _limit(plan, start, end, at[i], at[j], left)
            if not any(abs(limit.at - change.at) <= near for change in changes):
                events.append(limit)
    return events


def _side(plan: Plan, start: Floats, end: Floats, at: float) -> int:
    stands = _stands(plan, start, end, at) or folded(plan, start, end, at)
    return CLOSES if stands else BREAKS


def folded(plan: Plan, start: Floats, end: Floats, at: float) -> bool:
    """Whether an end of a path is a pose that no operation gives, though the linkage closes there.

    Both centres of two circles of one radius lie at one point (a kite that is folded): any direction would
    do, and the one in which the linkage comes there is that of its neighbours.
    """
    if np.array_equal(start, end):
        return False
    circles = plan.ops[plan.ops[:, 0] == op.CIRCLES]
    V = _vectors(plan, start, end, at)
    apart = np.abs(V[circles[:, 2]] - V[circles[:, 3]]).max(axis=1)
    if not np.any(apart <= plan.system.tolerance.length):
        return False
    inside = at + (BESIDE if at < 0.5 else -BESIDE) / path_length(plan, start, end)
    return _stands(plan, start, end, inside)


def beside_end(plan: Plan, start: Floats, end: Floats, side: float) -> PathEvent | None:
    """The change point at an end of a path (share 0 or 1), or a little inside or beyond; None: there is none.

    A discriminant touches zero there and is positive on both sides; at a limit on one.
    """
    if np.array_equal(start, end):
        return None
    inside = side + (INSIDE if side < 0.5 else -INSIDE) / path_length(plan, start, end)
    return _touching_near(plan, start, end, side, inside)


def _touching_near(plan: Plan, start: Floats, end: Floats, place: float, beside: float) -> PathEvent | None:
    """The first discriminant that touches zero near a place of a path, positive on both sides; else None.

    It is small at the place, against what it is `beside` it.
    """
    length = path_length(plan, start, end)
    rows = np.flatnonzero(np.isin(plan.ops[:, 0], (op.CIRCLES, op.CIRCLE_LINE, op.TANGENT)))
    discs = plan.ops[rows, op.DISC]
    here, there = (np.asarray(_vectors(plan, start, end, at)[discs, 0]) for at in (place, beside))
    offsets = ABOUT / length
    for row in rows[(there > 0) & (np.abs(here) <= ROUGHLY * there)].tolist():
        at = _touch(plan, start, end, place, row)
        if abs(at - place) * length > NEAR:
            continue
        disc = int(plan.ops[row, op.DISC])
        H = np.array([_vectors(plan, start, end, at + d)[disc, 0] for d in offsets.tolist()])
        if H.min() > 0 and abs(float(lagrange(offsets, 0.0) @ H)) <= TOGETHER * H.min():
            also = _touching_too(plan, start, end, at, row, set())
            return PathEvent(at, "change_point", row, beyond=at, also=also or ())
    return None


def inside_by(plan: Plan, start: Floats, end: Floats, side: float, event: PathEvent) -> float:
    """How far inside an end of a path (share 0 or 1) an event lies [rad, sizes]; below zero: beyond it."""
    return (event.at - side if side < 0.5 else side - event.at) * path_length(plan, start, end)


def _inside_end(plan: Plan, start: Floats, end: Floats, side: float, beyond: float) -> PathEvent | None:
    """The change point in an undecided place at an end of the path, where it lies inside."""
    event = beside_end(plan, start, end, side)
    if event is None or inside_by(plan, start, end, side, event) <= AT_END:
        return None
    return replace(event, beyond=max(event.at, beyond))


def _stands(plan: Plan, start: Floats, end: Floats, at: float) -> bool:
    """Whether it closes there, up to rounding: a path may begin or end at a dead point."""
    return _run(plan, start, end, at, relaxed=False)[1] == op.ALL_WELL


def _limit(plan: Plan, start: Floats, end: Floats, a: float, b: float, left: int) -> PathEvent:
    """The border in [a, b], to the last digit."""
    inside, beyond = bisect(lambda t: _closes(plan, start, end, t), *((a, b) if left == CLOSES else (b, a)))
    return PathEvent(inside, "limit", _breaker(plan, start, end, beyond), beyond=beyond)


def _breaker(plan: Plan, start: Floats, end: Floats, at: float) -> int:
    """The first operation that cannot close there."""
    V = vectors_at(plan, start, end, at)
    for i, row in enumerate(plan.ops):
        if row[0] in op.DYADS and V[row[op.DISC], 0] < 0:
            return i
    return -1


def _closes(plan: Plan, start: Floats, end: Floats, at: float) -> bool:
    """Whether every discriminant is at least zero there, without the grace for rounding."""
    return _least(plan, start, end, at) >= 0


def _least(plan: Plan, start: Floats, end: Floats, at: float) -> float:
    """The least discriminant, each as a share of its value as drawn."""
    V = vectors_at(plan, start, end, at)
    rows = plan.ops[np.isin(plan.ops[:, 0], op.DYADS), op.DISC]
    if not len(rows):
        return 1.0
    usual = np.abs(plan.vectors[rows, 0])
    return float(np.min(V[rows, 0] / np.where(usual > 0, usual, 1.0)))


def vectors_at(plan: Plan, start: Floats, end: Floats, at: float) -> Floats:
    """The vectors there; past a break each point is as near as it comes."""
    return _vectors(plan, start, end, min(at, 1.0))


def _vectors(plan: Plan, start: Floats, end: Floats, at: float) -> Floats:
    """The same, also a little past the ends of the path."""
    return _run(plan, start, end, at, relaxed=True)[0]


def _run(plan: Plan, start: Floats, end: Floats, at: float, *, relaxed: bool) -> tuple[Floats, int]:
    V = plan.vectors.copy()
    inputs = input_table(plan)
    inputs[0, : len(plan.inputs)] = start + at * (end - start) if at != 1.0 else end
    with np.errstate(all="ignore"):
        run = op.run_ops.at(STEPS_A_SAMPLE * SAMPLES * len(plan.ops))
        broken = run(plan.ops, 0, len(plan.ops), V, V, V, inputs, 0, relaxed)
    return V, int(broken)
