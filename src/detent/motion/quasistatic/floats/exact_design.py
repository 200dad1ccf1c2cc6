"""One design by the exact sweep: what `designs` asks where the tracker doubts."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from detent.geometry.exact.polygon import ExactLeaf, blocked
from detent.mechanics.springs import LinearSpring
from detent.motion.quasistatic.answer.force import loaded_stretches
from detent.motion.quasistatic.exact.pawl import PawlRun, run
from detent.motion.quasistatic.floats.simple import CAUSES
from detent.motion.quasistatic.slice.table import Slice, SlicePoint
from detent.numeric.polynomial.algebraic import real
from detent.numeric.rational import flint_of

OVERLAP = 6  # how a design ends that cannot begin
CODES = {cause: code for code, cause in CAUSES.items() if cause != "doubt"}


def decided_exactly(
    pawl: Any, wall: Any, hinge: Any, velocity: Any, until: float, mu: float, stiffness: float
) -> list[float]:
    """One design by the exact sweep; doubles are rationals too."""
    x, y = _exact(hinge)
    leaves = [_leaf(name, [_exact(p) for p in points]) for name, points in (("pawl", pawl), ("wall", wall))]
    if blocked(leaves[0], leaves[0].points, leaves[1]):
        return [OVERLAP, 0.0, 0.0, 0, 0.0, 0.0, 0.0, 0.0]
    pawl_leaf = leaves[0].moved(lambda point: (point[0] - x, point[1] - y))
    obstacles = ((leaves[1], _exact((mu, 0.0))[0]),)
    slice_ = Slice([pawl_leaf], obstacles, (x, y), _exact(velocity), (0.0, until * 9 / 8))
    pawl_run = run(slice_, SlicePoint(real(0), 0, real(0)), real(Fraction(until)))
    assert pawl_run.end is not None
    places = [place for h in pawl_run.events for place in (h.place, h.landed) if place is not None]
    largest = max(abs(place.angle()) for place in (pawl_run.end, *places))
    ended = [
        CODES[pawl_run.cause],
        float(pawl_run.end.t),
        pawl_run.end.angle(),
        len(pawl_run.events),
        largest,
    ]
    if stiffness <= 0:
        return [*ended, 0.0, 0.0, 0.0]
    spring = LinearSpring(stiffness)
    peak = _exact_peak(slice_, spring, pawl_run)
    if pawl_run.cause != "done":
        return [*ended, peak, 0.0, 0.0]
    end, (vx, vy), lasts = pawl_run.end, _exact(velocity), flint_of(Fraction(until))
    hinge_then = (x + vx * lasts, y + vy * lasts)
    slice_back = Slice([pawl_leaf], obstacles, hinge_then, (-vx, -vy), (0.0, until * 9 / 8))
    out = run(slice_back, SlicePoint(real(0), end.half, end.u), real(Fraction(until)))
    return [*ended, peak, CODES[out.cause], _exact_peak(slice_back, spring, out)]


def _exact_peak(slice_: Slice, spring: LinearSpring, pawl_run: PawlRun) -> float:
    """The largest force against the push; without bound where the run ends against the pawl."""
    if pawl_run.cause != "done":
        return math.inf
    values = [0.0]
    for stretch in pawl_run.stretches:
        for loaded in loaded_stretches(slice_, spring, stretch, 1.0):
            inside = loaded.inside("resisting")
            values += [*loaded.end_values("resisting"), *(inside[:1] if inside is not None else ())]
    return max(values)


def _leaf(name: str, points: list[Any]) -> ExactLeaf:
    """Without vertices on a straight edge, which are not features."""
    kept = tuple(
        (x, y)
        for (a, b), (x, y), (c, d) in zip(points[-1:] + points, points, points[1:] + points[:1], strict=False)
        if (x - a) * (d - b) != (y - b) * (c - a)
    )
    return ExactLeaf(name, 0, kept, tuple(range(len(kept))))


def _exact(point: Any) -> tuple[Any, Any]:
    x, y = (flint_of(Fraction(float(c))) for c in point)
    return x, y
