"""Many designs at once, in float-filter mode: the tracker on each, the exact sweep where it doubts.

A design is one pawl and one obstacle, both polygons counter-clockwise, pushed
along one straight leg from rest. Everything a design needs, its table of pairs
included, is built inside the compiled loop.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from detent.contact.polygon import Leaf
from detent.motion.quasistatic.pawl import run
from detent.motion.quasistatic.simple import CAUSES, ROOM, track
from detent.motion.quasistatic.slice import Place, Slice
from detent.motion.quasistatic.tracker import DOUBT, FULL
from detent.numeric.algebraic import real
from detent.numeric.kernel import kernel

CODES = {cause: code for code, cause in CAUSES.items() if cause != "doubt"}


@kernel(
    sample=lambda: (
        np.zeros((3, 5)),
        np.zeros(3, dtype=np.bool_),
        np.array([[0.0, 0.0], [2.0, 0.0], [0.0, 1.0]]),
    )
)
def edges_of(rows: Any, sharp: Any, points: Any) -> None:
    """Rows of a closed polygon as the tracker reads them, and which vertices stick out."""
    n = len(points)
    for k in range(n):
        m = k + 1 if k + 1 < n else 0
        dx, dy = points[m, 0] - points[k, 0], points[m, 1] - points[k, 1]
        length = math.sqrt(dx * dx + dy * dy)
        rows[k, 0], rows[k, 1] = points[k, 0], points[k, 1]
        rows[k, 2], rows[k, 3], rows[k, 4] = dx / length, dy / length, length
    for k in range(n):
        p = k - 1 if k > 0 else n - 1
        sharp[k] = rows[p, 2] * rows[k, 3] - rows[p, 3] * rows[k, 2] > 0


def _sample() -> tuple[Any, ...]:
    pawl = np.array([[[-4.0, -10.0], [0.0, -10.0], [1.0, 0.0], [-1.0, 1.0]]])
    wall = np.array([[[-3.0, -4.0], [6.0, -4.0], [6.0, 4.0], [-3.0, 3.0]]])
    push = np.array([[0.0, 20.0]]), np.array([[0.0, -1.0]]), np.array([0.1]), np.array([60.0])
    return pawl, wall, *push, np.zeros((1, 4))


@kernel(sample=_sample)
def track_designs(
    pawls: Any, walls: Any, hinges: Any, velocities: Any, frictions: Any, untils: Any, ends: Any
) -> int:
    """Track each design; `ends` gets how it ended, when, at what angle, and how many events.

    Returns how many the tracker doubts.
    """
    n, m = pawls.shape[1], walls.shape[1]
    pawl, wall = np.empty((n, 5)), np.empty((m, 5))
    sharp, pointed = np.empty(n, dtype=np.bool_), np.empty(m, dtype=np.bool_)
    before, after = np.empty(m, dtype=np.int64), np.empty(m, dtype=np.int64)
    for j in range(m):
        before[j] = j - 1 if j > 0 else m - 1
        after[j] = j + 1 if j + 1 < m else 0
    events = np.empty((ROOM, 6))
    at_rest = np.array([-1, 0, 0, 0])
    doubts = 0
    for i in range(len(pawls)):
        edges_of(pawl, sharp, pawls[i])
        edges_of(wall, pointed, walls[i])
        size = 0.0
        for k in range(n):
            size = max(size, abs(pawl[k, 0]), abs(pawl[k, 1]))
        for j in range(m):
            size = max(size, abs(wall[j, 0]), abs(wall[j, 1]))
        status, count = track(
            pawl,
            sharp,
            wall,
            before,
            after,
            pointed,
            hinges[i],
            velocities[i],
            frictions[i],
            untils[i],
            size,
            0.0,
            0.0,
            at_rest,
            events,
        )
        ends[i, 0], ends[i, 3] = status, count
        ends[i, 1], ends[i, 2] = events[count, 0], events[count, 2]
        if status in (DOUBT, FULL):
            doubts += 1
    return doubts


@dataclass(frozen=True)
class Ends:
    """How each design ended; `exact` counts those that the exact sweep had to decide."""

    causes: list[str]
    times: Any
    angles: Any
    exact: int


def decide(
    pawls: Any, walls: Any, hinges: Any, velocities: Any, frictions: Any, untils: Any, *, work: float = 0.0
) -> Ends:
    """Every design decided: by the tracker, or exactly where that doubts."""
    ends = np.zeros((len(pawls), 4))
    track_designs.at(work)(pawls, walls, hinges, velocities, frictions, untils, ends)
    doubtful = np.flatnonzero((ends[:, 0] == DOUBT) | (ends[:, 0] == FULL))
    for i in doubtful:
        ends[i] = _exactly(pawls[i], walls[i], hinges[i], velocities[i], frictions[i], untils[i])
    causes = [CAUSES[int(code)] for code in ends[:, 0]]
    return Ends(causes, ends[:, 1], ends[:, 2], len(doubtful))


def _exactly(pawl: Any, wall: Any, hinge: Any, velocity: Any, mu: float, until: float) -> list[float]:
    """One design by the exact sweep; doubles are rationals too."""
    leaves = [
        Leaf(name, 0, tuple(_exact(p) for p in points), tuple(range(len(points))))
        for name, points in (("pawl", pawl), ("wall", wall))
    ]
    obstacles = ((leaves[1], _exact((mu, 0.0))[0]),)
    slice_ = Slice(leaves[:1], obstacles, _exact(hinge), _exact(velocity), (0.0, until * 9 / 8))
    story = run(slice_, Place(real(0), 0, real(0)), real(Fraction(until)))
    assert story.end is not None
    return [CODES[story.cause], float(story.end.t), story.end.angle(), len(story.happenings)]


def _exact(point: Any) -> tuple[Any, Any]:
    from flint import fmpq

    x, y = (Fraction(float(c)) for c in point)
    return fmpq(x.numerator, x.denominator), fmpq(y.numerator, y.denominator)
