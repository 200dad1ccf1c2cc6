"""The least and greatest of a quantity along a drive path, also between its positions.

A quantity is whatever can be computed at any place of the path: an angle, a torque, a gap. It is looked at on
a grid that has every position on it and places between them, and wherever three neighbours say that
a top or a bottom lies between them it is looked for there, all of them at once, until only rounding is left:
at the top of a parabola, and where both sides meet in a kink (a folded angle, an amount that passes 0).
`evaluate` gets many places together, because a linkage with cuts or blocks is followed from its
start to reach one.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from detent.kinematics.equations.rows import Floats

# Places looked at first, along a whole path at least, and between two positions at least.
PLACES, BETWEEN = 240, 2
# Inner places of a bracket that are looked at in a round: shares of it, and beside its guesses.
SHARES, BESIDE = (0.25, 0.75), 0.06
SHARPER = 4.0  # times as bent as beside it: a kink, where a top of any smooth quantity is bent alike
WAVERS = 1e-12  # of the largest value: below this, what may be gained is rounding
MOST_TOPS = 24  # looked at closely in a round, those that may reach farthest; of rounding there are many more
ROUNDS = 6  # each halves a bracket, and leaves a tenth of it where a guess fits

Evaluate = Callable[[Floats], Floats]  # places (n) to quantities (n, k); not a number where there is none


@dataclass(frozen=True)
class Extreme:
    """The least and greatest value of one quantity, and the places where it has them."""

    least: float
    greatest: float
    least_at: float
    greatest_at: float


def grid(last: float, *, between: int = BETWEEN, places: int = PLACES) -> Floats:
    """Every position up to a place of the drive path, that place, and as many between as are looked at."""
    whole = math.floor(last)
    parts = max(between, math.ceil(places / max(last, 1.0)))
    at = np.concatenate([np.linspace(0.0, whole, parts * whole + 1), np.linspace(whole, last, parts + 1)])
    return np.unique(at)


def extremes_between(
    evaluate: Evaluate, places: Floats, *, rounds: int = ROUNDS, least_gain: float = 0.0
) -> list[Extreme]:
    """The extremes of each quantity between the first and the last of some places in order.

    What changes direction twice between two neighbours can be missed: the places must be dense enough for
    the quantity. Where a quantity is not finite it does not count. `least_gain` is what a quantity must
    gain to be looked at more closely: rounding of what it was computed from.
    """
    values = _evaluated(evaluate, places)
    at, seen = [places] * values.shape[1], [values[:, k] for k in range(values.shape[1])]
    for _ in range(rounds):
        brackets = [_brackets(at[k], seen[k], least_gain) for k in range(len(at))]
        inner = [_inside(b) for b in brackets]
        wanted = np.unique(np.concatenate(inner)) if inner else np.zeros(0)
        if not len(wanted):
            break
        more = _evaluated(evaluate, wanted)
        for k in range(len(at)):
            mine = np.isin(wanted, inner[k])
            joined = np.concatenate([at[k], wanted[mine]])
            at[k], order = np.unique(joined, return_index=True)
            seen[k] = np.concatenate([seen[k], more[mine, k]])[order]
    return [_extreme(at[k], seen[k]) for k in range(len(at))]


def _evaluated(evaluate: Evaluate, places: Floats) -> Floats:
    values = np.asarray(evaluate(places), dtype=float)
    return values.reshape(len(places), -1)


def _brackets(at: Floats, values: Floats, least_gain: float) -> list[tuple[float, float, list[float]]]:
    """Neighbours of each top and bottom where a better value may lie between, and guesses where it is."""
    known = np.flatnonzero(np.isfinite(values))
    if len(known) < 3:
        return []
    at, values = at[known], values[known]
    last = len(at) - 1
    return [
        (
            float(at[max(i - 1, 0)]),
            float(at[min(i + 1, last)]),
            [_vertex(at, values, min(max(i, 1), last - 1)), *_kinks(at, values, i)],
        )
        for sign in (1.0, -1.0)
        for i in _tops(at, sign * values, least_gain)
    ]


def _kinks(at: Floats, values: Floats, i: int) -> list[float]:
    """Where lines through two samples on either side meet, between a sample and each of its neighbours."""
    guesses = []
    for left in (i - 1, i):  # the kink may lie in the gap after it
        if left < 1 or left + 2 >= len(at):
            continue
        bent = max(_bend(at, values, left), _bend(at, values, left + 1))
        if bent <= SHARPER * max(_bend(at, values, left - 1), _bend(at, values, left + 2)):
            continue
        x, v = at[left - 1 : left + 3], values[left - 1 : left + 3]
        before, after = (v[1] - v[0]) / (x[1] - x[0]), (v[3] - v[2]) / (x[3] - x[2])
        meet = x[1] + (v[2] - v[1] - after * (x[2] - x[1])) / (before - after) if before != after else x[1]
        if x[1] < meet < x[2]:
            guesses.append(float(meet))
    return guesses


def _bend(at: Floats, values: Floats, i: int) -> float:
    """How fast the slope changes at a sample, by its neighbours; none at an end."""
    if not 1 <= i <= len(at) - 2:
        return 0.0
    before, after = np.diff(values[i - 1 : i + 2]) / np.diff(at[i - 1 : i + 2])
    return abs(float(after - before)) / float(at[i + 1] - at[i - 1])


def _vertex(at: Floats, values: Floats, i: int) -> float:
    """Where the parabola through a sample and its neighbours is level; the sample where it is a line."""
    before, after = float(at[i - 1] - at[i]), float(at[i + 1] - at[i])
    low, high = float(values[i - 1] - values[i]), float(values[i + 1] - values[i])
    above, below = low * after * after - high * before * before, low * after - high * before
    return float(at[i]) + (0.5 * above / below if below else 0.0)


def _tops(at: Floats, v: Floats, least_gain: float) -> list[int]:
    """Samples from which a value above the greatest may be reached, by the parabola through three of them."""
    best = float(v.max())
    rounding = max(WAVERS * float(np.abs(v).max()), least_gain)
    inner = np.flatnonzero((v[1:-1] >= v[:-2]) & (v[1:-1] >= v[2:])) + 1
    left, here, right = v[inner - 1], v[inner], v[inner + 1]
    bend = 2 * here - left - right
    rise = np.divide((right - left) ** 2, 8 * bend, out=np.zeros_like(bend), where=bend > 0)
    # A quantity that stays the same wavers by rounding: those waves are not tops.
    reach = here + 2 * rise + bend
    may = inner[reach > best + rounding]
    if len(may) > MOST_TOPS:
        may = inner[np.argsort(-reach, kind="stable")[:MOST_TOPS]]
    ends = [
        i
        for i, beside in ((0, 1), (len(v) - 1, len(v) - 2))
        if v[i] + 2 * _rise_inside(at, v, i, beside) > best + rounding
    ]
    return sorted({*may.tolist(), *ends})


def _rise_inside(at: Floats, v: Floats, end: int, beside: int) -> float:
    """How far the parabola at an end rises above it, where its top lies between the end and its neighbour."""
    top = _vertex(at, v, beside)
    if not min(at[end], at[beside]) < top < max(at[end], at[beside]):
        return 0.0
    three = slice(beside - 1, beside + 2)
    before, after = np.diff(v[three]) / np.diff(at[three])
    bend = float((before - after) / (at[beside + 1] - at[beside - 1]))
    return bend * (top - float(at[end])) ** 2


def _inside(brackets: list[tuple[float, float, list[float]]]) -> Floats:
    eps = 4 * np.finfo(float).eps
    inside: list[float] = []
    near = (-BESIDE, -(BESIDE**2), 0.0, BESIDE**2, BESIDE)
    for low, high, guesses in brackets:
        width = high - low
        if width > eps * max(abs(low), abs(high), 1.0):
            beside = [top + share * width for top in guesses for share in near]
            inside += [low + share * width for share in SHARES]
            inside += [place for place in beside if low < place < high]
    return np.unique(np.array(inside))


def widened(extreme: Extreme, at: Floats, values: Floats) -> Extreme:
    """The extremes with those of more places."""
    more = _extreme(at, values)
    low = more if more.least < extreme.least or math.isnan(extreme.least) else extreme
    high = more if more.greatest > extreme.greatest or math.isnan(extreme.greatest) else extreme
    return Extreme(low.least, high.greatest, low.least_at, high.greatest_at)


def _extreme(at: Floats, values: Floats) -> Extreme:
    known = np.flatnonzero(np.isfinite(values))
    if not len(known):
        return Extreme(math.nan, math.nan, math.nan, math.nan)
    least, greatest = known[np.argmin(values[known])], known[np.argmax(values[known])]
    return Extreme(*(float(x) for x in (values[least], values[greatest], at[least], at[greatest])))
