"""Gaps of vertex-edge pairs as coefficients in u and t, compiled.

The same curves as `contact.slice`, in doubles and lengths, for the tracker: a
pair is (kind, k, j), kind 0 type A (pawl's edge k, obstacle's vertex j), kind 1
type B (pawl's vertex k, obstacle's edge j). Rows of `pawl` and `walls` are a
vertex, the direction of the edge that starts there, and that edge's length.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from detent.numeric.kernel import kernel


@kernel(sample=lambda: (np.zeros(12), 0, 0, 0, *sample_shapes(), np.zeros(2), np.ones(2)))
def gap_coefficients(
    out: Any, kind: int, k: int, j: int, turned: Any, walls: Any, hinge: Any, velocity: Any
) -> None:
    """P and Q of a pair's gap, and of its place along the edge, into out[0:3], [3:6], [6:9], [9:12].

    `turned` is the pawl as it lies, relative to the hinge.
    """
    vx, vy = velocity[0], velocity[1]
    ax, ay = turned[k, 0], turned[k, 1]
    if kind == 1:
        ex, ey = walls[j, 2], walls[j, 3]
        nx, ny = ey, -ex
        dx, dy = hinge[0] - walls[j, 0], hinge[1] - walls[j, 1]
        along, h, speed = nx * ax + ny * ay, nx * dx + ny * dy, nx * vx + ny * vy
        out[0], out[1], out[2] = along + h, 2 * (ax * ny - ay * nx), h - along
        out[3], out[4], out[5] = speed, 0.0, speed
        along, h, speed = ex * ax + ey * ay, ex * dx + ey * dy, ex * vx + ey * vy
        out[6], out[7], out[8] = along + h, 2 * (ax * ey - ay * ex), h - along
        out[9], out[10], out[11] = speed, 0.0, speed
    else:
        ex, ey = turned[k, 2], turned[k, 3]
        nx, ny = ey, -ex
        qx, qy = walls[j, 0] - hinge[0], walls[j, 1] - hinge[1]
        d, along = nx * ax + ny * ay, nx * qx + ny * qy
        out[0], out[1], out[2] = along - d, 2 * (nx * qy - ny * qx), -d - along
        out[3], out[4], out[5] = -(nx * vx + ny * vy), -2 * (nx * vy - ny * vx), nx * vx + ny * vy
        d, along = ex * ax + ey * ay, ex * qx + ey * qy
        out[6], out[7], out[8] = along - d, 2 * (ex * qy - ey * qx), -d - along
        out[9], out[10], out[11] = -(ex * vx + ey * vy), -2 * (ex * vy - ey * vx), ex * vx + ey * vy


@kernel(sample=lambda: (np.arange(12.0), 0.1, 0.2))
def place_along(c: Any, u: float, t: float) -> Any:
    """Where the vertex stands along the edge from its start, as a length."""
    constant = c[6] + u * (c[7] + u * c[8])
    slope = c[9] + u * (c[10] + u * c[11])
    return (constant + t * slope) / (1 + u * u)


@kernel(sample=lambda: (0, 0, 0, *sample_shapes()))
def edge_length(kind: int, k: int, j: int, turned: Any, walls: Any) -> Any:
    return walls[j, 4] if kind == 1 else turned[k, 4]


@kernel(sample=lambda: (np.zeros((4, 5)), sample_shapes()[0], 0.3))
def turn(out: Any, pawl: Any, angle: float) -> None:
    c, s = math.cos(angle), math.sin(angle)
    for k in range(len(pawl)):
        out[k, 0] = c * pawl[k, 0] - s * pawl[k, 1]
        out[k, 1] = s * pawl[k, 0] + c * pawl[k, 1]
        out[k, 2] = c * pawl[k, 2] - s * pawl[k, 3]
        out[k, 3] = s * pawl[k, 2] + c * pawl[k, 3]
        out[k, 4] = pawl[k, 4]


@kernel(sample=lambda: (np.zeros(5), np.ones(3), np.ones(3), np.ones(3), np.ones(3)))
def product_difference(out: Any, a: Any, b: Any, c: Any, d: Any) -> None:
    """a b - c d of quadratics."""
    out[0] = a[0] * b[0] - c[0] * d[0]
    out[1] = a[0] * b[1] + a[1] * b[0] - c[0] * d[1] - c[1] * d[0]
    out[2] = a[0] * b[2] + a[1] * b[1] + a[2] * b[0] - c[0] * d[2] - c[1] * d[1] - c[2] * d[0]
    out[3] = a[1] * b[2] + a[2] * b[1] - c[1] * d[2] - c[2] * d[1]
    out[4] = a[2] * b[2] - c[2] * d[2]


@kernel(sample=lambda: (1.0, -3.0, 1.0))
def first_positive_root(c0: float, c1: float, c2: float) -> float:
    """The smallest u > 0 with c0 + c1 u + c2 u^2 = 0; infinity where there is none."""
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


@kernel(sample=lambda: (0.0, 0.0, 3.0, 4.0, 1.0, 2.0))
def distance_to_segment(px: float, py: float, ax: float, ay: float, bx: float, by: float) -> float:
    """From a point to the segment from a to b."""
    dx, dy = bx - ax, by - ay
    square = dx * dx + dy * dy
    s = 0.0 if square == 0 else max(0.0, min(1.0, ((px - ax) * dx + (py - ay) * dy) / square))
    x, y = px - ax - s * dx, py - ay - s * dy
    return math.sqrt(x * x + y * y)


@kernel(
    sample=lambda: (
        *(np.zeros((64, 3), dtype=np.int64), *sample_shapes(), np.ones(4, dtype=np.bool_)),
        *(np.ones(4, dtype=np.bool_), np.array([1, 2, 3, 0]), np.zeros(2), np.array([0.0, -9.0]), 1e-9),
    )
)
def reachable_pairs(
    out: Any, pawl: Any, walls: Any, sharp: Any, pointed: Any, after: Any, first: Any, last: Any, slack: float
) -> int:
    """The pairs that can touch at all while the hinge goes from first to last; returns how many.

    A vertex keeps its distance from the hinge: rings that do not overlap never meet.
    """
    count = 0
    n, m = len(pawl), len(walls)
    rings = np.empty((m, 4))  # of each wall's vertex and of the edge from it: least and most
    for j in range(m):
        wx, wy = walls[j, 0], walls[j, 1]
        zx, zy = walls[after[j], 0], walls[after[j], 1]
        rings[j, 0] = distance_to_segment(wx, wy, first[0], first[1], last[0], last[1])
        rings[j, 1] = max(math.hypot(wx - first[0], wy - first[1]), math.hypot(wx - last[0], wy - last[1]))
        s1 = (zx - wx) * (first[1] - wy) - (zy - wy) * (first[0] - wx)
        s2 = (zx - wx) * (last[1] - wy) - (zy - wy) * (last[0] - wx)
        least = 0.0
        if s1 * s2 > 0:
            least = min(
                distance_to_segment(first[0], first[1], wx, wy, zx, zy),
                distance_to_segment(last[0], last[1], wx, wy, zx, zy),
            )
        rings[j, 2] = least
    for j in range(m):
        rings[j, 3] = max(rings[j, 1], rings[after[j], 1])
        rings[j, 2] = min(rings[j, 2], rings[j, 0], rings[after[j], 0])
    for k in range(n):
        k2 = k + 1 if k + 1 < n else 0
        far = math.hypot(pawl[k, 0], pawl[k, 1])
        outer = max(far, math.hypot(pawl[k2, 0], pawl[k2, 1]))
        inner = distance_to_segment(0.0, 0.0, pawl[k, 0], pawl[k, 1], pawl[k2, 0], pawl[k2, 1])
        for j in range(m):
            if pointed[j] and rings[j, 0] <= outer + slack and rings[j, 1] >= inner - slack:
                out[count, 0], out[count, 1], out[count, 2] = 0, k, j
                count += 1
            if sharp[k] and rings[j, 2] <= far + slack and rings[j, 3] >= far - slack:
                out[count, 0], out[count, 1], out[count, 2] = 1, k, j
                count += 1
    return count


def with_edges(points: Any, after: Any) -> Any:
    """Rows of a vertex, the direction of the edge from it, and the edge's length."""
    ends = points[after]
    length = np.hypot(*(ends - points).T)
    return np.column_stack([points, (ends - points) / length[:, None], length])


def sample_shapes() -> tuple[Any, Any]:
    """A pawl and an obstacle."""
    after = np.array([1, 2, 3, 0])
    pawl = np.array([[-4.0, -10.0], [0.0, -10.0], [1.0, 0.0], [-1.0, 1.0]])
    walls = np.array([[-3.0, -4.0], [6.0, -4.0], [6.0, 4.0], [-3.0, 3.0]])
    return with_edges(pawl, after), with_edges(walls, after)
