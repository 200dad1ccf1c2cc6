"""Gaps of vertex-edge pairs as coefficients in u and t, compiled.

The same curves as `slice.curves`, in doubles and lengths, for the tracker: a
pair is (kind, k, j), kind 0 type A (pawl's edge k, obstacle's vertex j), kind 1
type B (pawl's vertex k, obstacle's edge j). Rows of `pawl` and `walls` are a
vertex, the direction of the edge that starts there, that edge's length, and the
friction of the obstacle; rows of their `links` are the vertices before and after,
and whether the vertex sticks out.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from detent.geometry.rings import fixed_edge_ring, outline_rings
from detent.numeric.kernels import kernel


@kernel(sample=lambda: (0, 0, 0, *sample_shapes(), 0.0, 0.0, 1.0, 1.0))
def gap_terms(
    kind: int, k: int, j: int, turned: Any, walls: Any, hx: float, hy: float, vx: float, vy: float
) -> Any:
    """P and Q of a pair's gap, three coefficients each; `turned` is the pawl as it lies about the hinge."""
    if kind == 1:
        return terms_along(walls[j, 3], -walls[j, 2], kind, k, j, turned, walls, hx, hy, vx, vy)
    return terms_along(turned[k, 3], -turned[k, 2], kind, k, j, turned, walls, hx, hy, vx, vy)


@kernel(sample=lambda: (0, 0, 0, *sample_shapes(), 0.0, 0.0, 1.0, 1.0))
def place_terms(
    kind: int, k: int, j: int, turned: Any, walls: Any, hx: float, hy: float, vx: float, vy: float
) -> Any:
    """The same of the vertex's place along the edge from its start."""
    if kind == 1:
        return terms_along(walls[j, 2], walls[j, 3], kind, k, j, turned, walls, hx, hy, vx, vy)
    return terms_along(turned[k, 2], turned[k, 3], kind, k, j, turned, walls, hx, hy, vx, vy)


@kernel(sample=lambda: (0.6, 0.8, 0, 0, 0, *sample_shapes(), 0.0, 0.0, 1.0, 1.0))
def terms_along(
    dx: float,
    dy: float,
    kind: int,
    k: int,
    j: int,
    turned: Any,
    walls: Any,
    hx: float,
    hy: float,
    vx: float,
    vy: float,
) -> tuple[float, float, float, float, float, float]:
    """P and Q of how far the vertex is from the edge's start along d, which turns with the edge."""
    ax, ay, wx, wy = turned[k, 0], turned[k, 1], walls[j, 0], walls[j, 1]
    pawl_along, speed = dx * ax + dy * ay, dx * vx + dy * vy
    if kind == 1:
        h = dx * (hx - wx) + dy * (hy - wy)
        return pawl_along + h, 2 * (ax * dy - ay * dx), h - pawl_along, speed, 0.0, speed
    qx, qy = wx - hx, wy - hy
    along = dx * qx + dy * qy
    return (
        along - pawl_along,
        2 * (dx * qy - dy * qx),
        -pawl_along - along,
        -speed,
        -2 * (dx * vy - dy * vx),
        speed,
    )


@kernel(sample=lambda: (0, 0, 0, *sample_shapes(), 0.0, 0.0, 1.0, 1.0, 0.1, 0.2))
def place_along(
    kind: int,
    k: int,
    j: int,
    turned: Any,
    walls: Any,
    hx: float,
    hy: float,
    vx: float,
    vy: float,
    u: float,
    t: float,
) -> Any:
    """Where the vertex is along the edge after a rotation of 2 atan(u) and a time t, as a length."""
    c0, c1, c2, s0, s1, s2 = place_terms(kind, k, j, turned, walls, hx, hy, vx, vy)
    return (c0 + t * s0 + u * (c1 + t * s1 + u * (c2 + t * s2))) / (1 + u * u)


@kernel(sample=lambda: (0, 0, 0, *sample_shapes()))
def edge_length(kind: int, k: int, j: int, turned: Any, walls: Any) -> Any:
    return walls[j, 4] if kind == 1 else turned[k, 4]


@kernel(sample=lambda: (np.zeros((4, 5)), sample_shapes()[0], 0.3))
def rotate(out: Any, pawl: Any, angle: float) -> None:
    c, s = math.cos(angle), math.sin(angle)
    for k in range(len(pawl)):
        out[k, 0] = c * pawl[k, 0] - s * pawl[k, 1]
        out[k, 1] = s * pawl[k, 0] + c * pawl[k, 1]
        out[k, 2] = c * pawl[k, 2] - s * pawl[k, 3]
        out[k, 3] = s * pawl[k, 2] + c * pawl[k, 3]
        out[k, 4] = pawl[k, 4]


class FloatCurve(NamedTuple):
    """t = -(p1 u + p2 u^2) / (q0 + q1 u + q2 u^2): where a pair that touches at u = 0 goes on touching."""

    p1: float
    p2: float
    q0: float
    q1: float
    q2: float


@kernel(sample=lambda: (*[float(c) for c in range(6)], FloatCurve(1.0, 2.0, 3.0, 4.0, 5.0)))
def along_curve(
    c0: float, c1: float, c2: float, s0: float, s1: float, s2: float, curve: FloatCurve
) -> tuple[float, float, float, float, float]:
    """C + t S along a curve, times its denominator: a quartic in u."""
    p1, p2, q0, q1, q2 = curve
    return (
        c0 * q0,
        c0 * q1 + c1 * q0 - p1 * s0,
        c0 * q2 + c1 * q1 + c2 * q0 - p1 * s1 - p2 * s0,
        c1 * q2 + c2 * q1 - p1 * s2 - p2 * s1,
        c2 * q2 - p2 * s2,
    )


@kernel(sample=lambda: (1.0, -3.0, 1.0))
def first_positive_root(c0: float, c1: float, c2: float) -> float:
    """The smallest u > 0 with c0 + c1 u + c2 u^2 = 0; infinity without such a root."""
    best = math.inf
    if c2 == 0.0:
        if c1 != 0.0 and -c0 / c1 > 0:
            best = -c0 / c1
        return best
    square = c1 * c1 - 4 * c2 * c0
    if square < 0:
        return best
    q = -(c1 + math.copysign(math.sqrt(square), c1)) / 2
    if q != 0.0:
        for u in (q / c2, c0 / q):
            if 0 < u < best:
                best = u
    return best


@kernel(
    sample=lambda: (
        *(np.zeros((64, 3), dtype=np.int64), *sample_shapes(), sample_links(), sample_links()),
        *(np.zeros((4, 4)), 0.0, 0.0, 0.0, -9.0, 1e-9),
    )
)
def reachable_pairs(
    out: Any,
    pawl: Any,
    walls: Any,
    links: Any,
    wall_links: Any,
    rings: Any,
    fx: float,
    fy: float,
    lx: float,
    ly: float,
    slack: float,
) -> int:
    """The pairs that can touch at all while the hinge goes from f to l; returns how many.

    A vertex keeps its distance from the hinge: rings that do not overlap never meet
    (`geometry.rings`). `rings` is scratch, for those of the walls.
    """
    outline_rings(rings, walls, wall_links, fx, fy, lx, ly)
    count = 0
    n, m = len(pawl), len(walls)
    for k in range(n):
        after = links[k, 1]
        far = math.sqrt(pawl[k, 0] ** 2 + pawl[k, 1] ** 2)
        inner, outer = fixed_edge_ring(pawl[k, 0], pawl[k, 1], pawl[after, 0], pawl[after, 1], 0.0, 0.0)
        sharp = links[k, 2] == 1
        for j in range(m):
            if wall_links[j, 2] == 1 and rings[j, 0] <= outer + slack and rings[j, 1] >= inner - slack:
                out[count, 0], out[count, 1], out[count, 2] = 0, k, j
                count += 1
            if sharp and rings[j, 2] <= far + slack and rings[j, 3] >= far - slack:
                out[count, 0], out[count, 1], out[count, 2] = 1, k, j
                count += 1
    return count


def with_edges(points: Any, links: Any, friction: Any = 0.0) -> Any:
    """Rows as the kernels read them."""
    ends = points[links[:, 1]]
    length = np.hypot(*(ends - points).T)
    level = np.broadcast_to(friction, len(points))
    return np.column_stack([points, (ends - points) / length[:, None], length, level])


def round_links(sticking: Any, first: int = 0) -> Any:
    """Links of one polygon whose rows begin at `first`."""
    count = len(sticking)
    rows = np.arange(count)
    return np.column_stack([first + (rows - 1) % count, first + (rows + 1) % count, sticking]).astype(
        np.int64
    )


def sample_links() -> Any:
    return round_links([True] * 4)


def sample_shapes() -> tuple[Any, Any]:
    """A pawl and an obstacle."""
    pawl = np.array([[-4.0, -10.0], [0.0, -10.0], [1.0, 0.0], [-1.0, 1.0]])
    walls = np.array([[-3.0, -4.0], [6.0, -4.0], [6.0, 4.0], [-3.0, 3.0]])
    return with_edges(pawl, sample_links()), with_edges(walls, sample_links(), 0.1)
