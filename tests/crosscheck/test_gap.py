"""One gap: the exact curves, the compiled coefficients and the levers of a push against `geometry.gap`.

A pawl turns about a hinge that moves along p0 + v t; at random times t and charts u its gaps
are those of the vertex-edge kernel at that pose, in exact numbers and in doubles.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from flint import fmpq

from detent.geometry import Gap, exchanged, inverted, vertex_edge
from detent.geometry.exact import ExactLeaf
from detent.motion.quasistatic.floats import (
    FloatCurve,
    Push,
    TrackerState,
    friction_terms,
    gap_terms,
    place_along,
    room,
    round_links,
    state,
    with_edges,
)
from detent.motion.quasistatic.slice import FeaturePair, pair

SEEDS = range(40)
CHARTS = (False, True)  # the pawl as drawn, and after half a turn
KINDS = ("A", "B")


def rational(rng: random.Random, size: int = 5) -> Any:
    return fmpq(rng.randint(-1000 * size, 1000 * size), rng.randint(900, 1100))


def polygon(rng: random.Random, part: str) -> ExactLeaf:
    """Around the origin, of three to six vertices."""
    angles = sorted(rng.uniform(0, math.tau) for _ in range(rng.randint(3, 6)))
    points = []
    for angle in angles:
        radius = rng.uniform(1, 4)
        points.append(tuple(fmpq(round(1000 * radius * f), 1000) for f in (math.cos(angle), math.sin(angle))))
    return ExactLeaf(part, 0, tuple(points), tuple(range(len(points))))


@dataclass(frozen=True)
class Case:
    """A pair of features, when and where it is looked at, and its gap by `geometry.gap`."""

    which: tuple[Any, int, int]
    pawl: ExactLeaf
    obstacle: ExactLeaf
    hinge: Any
    velocity: Any
    turned: bool
    t: Any
    u: Any
    length: float  # of the edge
    gap: Gap  # in the world, from the obstacle to the pawl

    @property
    def exact(self) -> FeaturePair:
        return pair(self.which, self.pawl, self.obstacle, self.hinge, self.velocity, fmpq(1, 10), self.turned)

    @property
    def past_hinge(self) -> tuple[float, float]:
        """From the hinge to the contact."""
        x, y = (float(h) + float(self.t) * float(v) for h, v in zip(self.hinge, self.velocity, strict=True))
        return self.gap.x - x, self.gap.y - y

    def times(self, constant: Any, slope: Any) -> float:
        """Polynomials in u, constant + t slope, over 1 + u^2."""
        return float((constant(self.u) + self.t * slope(self.u)) / (1 + self.u * self.u))


def gap_in_world(kind: str, pose_WP: np.ndarray, own: Any, wall: Any) -> tuple[Gap, float]:
    if kind == "B":
        edge, vertex = np.array([*wall[0], *wall[1]], float), np.array(own[0], float)
        return vertex_edge(pose_WP, edge, vertex), math.dist(*map(tuple, (edge[:2], edge[2:])))
    edge, vertex = np.array([*own[0], *own[1]], float), np.array(wall[0], float)
    pose_PW = inverted(pose_WP)
    seen = exchanged(pose_PW, vertex_edge(pose_PW, edge, vertex))
    return seen, math.dist(*map(tuple, (edge[:2], edge[2:])))


def case(kind: str, turned: bool, seed: int, *, touching: bool = False) -> Case:
    rng = random.Random(f"{kind} {turned} {seed}")
    pawl, obstacle = polygon(rng, "pawl"), polygon(rng, "wall")
    hinge, velocity = (rational(rng), rational(rng)), (rational(rng, 1), rational(rng, 1))
    which: Any = (kind, rng.randrange(pawl.count), rng.randrange(obstacle.count))
    u = fmpq(rng.randint(-1000, 1000), 1000)
    t = rational(rng, 1)
    if touching:
        form = pair(which, pawl, obstacle, hinge, velocity, fmpq(0), turned).gap
        t = -form.constant(u) / form.slope(u)
    angle = 2 * math.atan(float(u)) + (math.pi if turned else 0.0)
    x, y = (float(h + t * v) for h, v in zip(hinge, velocity, strict=True))
    pose_WP = np.array([x, y, math.cos(angle), math.sin(angle)])
    _, k, j = which
    own = [tuple(map(float, pawl.points[i])) for i in (k, pawl.after[k])]
    wall = [tuple(map(float, obstacle.points[i])) for i in (j, obstacle.after[j])]
    seen, length = gap_in_world(kind, pose_WP, own, wall)
    return Case(which, pawl, obstacle, hinge, velocity, turned, t, u, length, seen)


def scale_of(form: Any, value: float, at: Case) -> float:
    """What a cleared form is multiplied by."""
    return at.times(form.constant, form.slope) / value


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("turned", CHARTS)
@pytest.mark.parametrize("seed", SEEDS)
def test_the_exact_gap_and_the_ends_of_its_edge_are_those_of_the_kernel(
    kind: str, turned: bool, seed: int
) -> None:
    """Forms are cleared of denominators: each is a positive constant times the length, whatever t and u."""
    here = case(kind, turned, seed)
    exact = here.exact
    size = here.length * (1 + abs(here.gap.gap) + abs(here.gap.share) * here.length)
    wanted = {
        "gap": here.gap.gap,
        "start": here.gap.share * here.length,
        "end": (1 - here.gap.share) * here.length,
    }
    for name, value in wanted.items():
        form = getattr(exact, name)
        # The scale from the same form at another place, so that it is not fitted to this one.
        other = moved(here, seed)
        there = {
            "gap": other.gap.gap,
            "start": other.gap.share * other.length,
            "end": (1 - other.gap.share) * other.length,
        }[name]
        scale = scale_of(form, there, other)
        assert scale > 0
        assert here.times(form.constant, form.slope) / scale == pytest.approx(
            value, rel=1e-12, abs=1e-12 * size
        )


def moved(at: Case, seed: int) -> Case:
    """The same pair at another time and angle, where gap and place are not small."""
    rng = random.Random(f"moved {seed}")
    for _ in range(100):
        u, t = fmpq(rng.randint(-1000, 1000), 1000), rational(rng, 2)
        angle = 2 * math.atan(float(u)) + (math.pi if at.turned else 0.0)
        x, y = (float(h + t * v) for h, v in zip(at.hinge, at.velocity, strict=True))
        kind, k, j = at.which
        own = [tuple(map(float, at.pawl.points[i])) for i in (k, at.pawl.after[k])]
        wall = [tuple(map(float, at.obstacle.points[i])) for i in (j, at.obstacle.after[j])]
        pose = np.array([x, y, math.cos(angle), math.sin(angle)])
        seen, length = gap_in_world(kind, pose, own, wall)
        if min(abs(seen.gap), abs(seen.share), abs(1 - seen.share)) > 0.3:
            return Case(at.which, at.pawl, at.obstacle, at.hinge, at.velocity, at.turned, t, u, length, seen)
    raise AssertionError("no place apart from the edge was found")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("turned", CHARTS)
@pytest.mark.parametrize("seed", SEEDS)
def test_the_exact_lever_is_the_arm_of_the_kernel_where_the_pair_touches(
    kind: str, turned: bool, seed: int
) -> None:
    here = case(kind, turned, seed, touching=True)
    assert abs(here.gap.gap) < 1e-12 * (1 + abs(float(here.t)))
    x, y = here.past_hinge
    vx, vy = (float(v) for v in here.velocity)
    size = here.length * (1 + math.hypot(x, y)) * (1 + math.hypot(vx, vy))
    across, along, work = (here.times(*form) for form in here.exact.lever)
    assert across / here.length == pytest.approx(here.gap.arm_B, abs=1e-12 * size)
    assert along / here.length == pytest.approx(x * here.gap.nx + y * here.gap.ny, abs=1e-12 * size)
    assert work == pytest.approx(x * vx + y * vy, abs=1e-12 * size)


def rows(at: Case) -> tuple[np.ndarray, np.ndarray]:
    """Pawl, as it lies in its chart, and obstacle as the compiled coefficients read them."""
    pawl = with_edges(at.pawl.doubles, round_links([True] * at.pawl.count))
    half = pawl.copy()
    half[:, :4] *= -1 if at.turned else 1
    return half, with_edges(at.obstacle.doubles, round_links([True] * at.obstacle.count), 0.1)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("turned", CHARTS)
@pytest.mark.parametrize("seed", SEEDS)
def test_the_compiled_coefficients_are_the_gap_and_the_place_of_the_kernel(
    kind: str, turned: bool, seed: int
) -> None:
    here = case(kind, turned, seed)
    pawl, walls = rows(here)
    _, k, j = here.which
    place = (KINDS.index(kind), k, j, pawl, walls, *map(float, (*here.hinge, *here.velocity)))
    c0, c1, c2, s0, s1, s2 = gap_terms(*place)
    t, u = float(here.t), float(here.u)
    gap = (c0 + t * s0 + u * (c1 + t * s1 + u * (c2 + t * s2))) / (1 + u * u)
    size = 10 + abs(here.gap.gap) + abs(here.gap.share) * here.length
    assert gap == pytest.approx(here.gap.gap, rel=1e-12, abs=1e-13 * size)
    assert place_along(*place, u, t) == pytest.approx(here.gap.share * here.length, abs=1e-13 * size)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("side", [-1, 1])
@pytest.mark.parametrize("heading", [-1.0, 1.0])
@pytest.mark.parametrize("seed", range(15))
def test_the_friction_terms_of_a_traced_arc_are_the_arms_of_the_kernel(
    kind: str, side: int, heading: float, seed: int
) -> None:
    """From a pose that touches, along the curve: the lever of the pushed pawl and the slip r . v."""
    begin = case(kind, False, seed, touching=True)
    pawl, walls = rows(begin)
    _, k, j = begin.which
    t0, start = float(begin.t), 2 * math.atan(float(begin.u))
    hinge, velocity = (np.array([float(c) for c in pair]) for pair in (begin.hinge, begin.velocity))
    c, s = math.cos(start), math.sin(start)
    turned = pawl.copy()
    for first in (0, 2):
        turned[:, first] = c * pawl[:, first] - s * pawl[:, first + 1]
        turned[:, first + 1] = s * pawl[:, first] + c * pawl[:, first + 1]
    links = round_links([True] * begin.pawl.count), round_links([True] * begin.obstacle.count)
    push = Push(pawl, links[0], walls, links[1], hinge, velocity, 10.0, 5.0)
    tracked: TrackerState = state()
    tracked.now[:] = t0, start
    tracked.pair[:4] = KINDS.index(kind), k, j, side
    scratch = room(len(pawl), len(walls))
    scratch.turned[:] = turned[:, : scratch.turned.shape[1]]
    now = hinge + t0 * velocity
    _, p1, p2, q0, q1, q2 = gap_terms(KINDS.index(kind), k, j, scratch.turned, walls, *now, *velocity)
    curve = FloatCurve(heading * p1, p2, q0, heading * q1, q2)
    towards = friction_terms(push, tracked, scratch, curve, heading, 0)
    own = [pawl[i, :2] for i in (k, links[0][k, 1])]
    wall = [walls[i, :2] for i in (j, links[1][j, 1])]
    for u in (0.0, 0.05, 0.3):
        denominator = q0 + u * (heading * q1 + u * q2)
        elapsed = -u * (heading * p1 + u * p2) / denominator
        angle = start + heading * 2 * math.atan(u)
        at = now + elapsed * velocity
        seen, _ = gap_in_world(kind, np.array([*at, math.cos(angle), math.sin(angle)]), own, wall)
        assert abs(seen.gap) < 1e-9 * (1 + np.linalg.norm(at))
        r = np.array([seen.x, seen.y]) - at
        slide = side * seen.arm_B + 0.1 * towards * (r @ (seen.nx, seen.ny))
        slip = towards * (r @ velocity)
        factor = (1 + u * u) * (denominator if kind == "A" else 1.0)
        size = abs(factor) * (1 + np.linalg.norm(r)) * (1 + np.linalg.norm(velocity))
        assert np.polyval(scratch.quartics[1][::-1], u) == pytest.approx(slide * factor, abs=1e-9 * size)
        factor = denominator if kind == "A" else 1 + u * u
        size = abs(factor) * (1 + np.linalg.norm(r)) * (1 + np.linalg.norm(velocity))
        assert np.polyval(scratch.quartics[2][::-1], u) == pytest.approx(slip * factor, abs=1e-9 * size)
