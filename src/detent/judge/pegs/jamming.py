"""The jamming diagram: which loads of the support move a peg in at two contacts or fewer.

Whitney 1982; Simunovic 1975. The load is taken at the tip: F_x and F_z, and M, which turns the axis' lower
end towards +x. With lam = l / (mu d) the peg slides in where (F_x / F_z, M / (r F_z)) lies inside

    |F_x / F_z| < 1 / mu,    |M / (r F_z) + mu (1 + lam) F_x / F_z| < lam

and jams outside. A peg that is led slides with the load on the border that its contacts allow: at one
contact a vertex, at two a point of the side between the vertices of the two.
"""

from __future__ import annotations

from detent.judge.pegs.theory import Peg

Vertex = tuple[float, float]


def slenderness(peg: Peg, depth: float) -> float:
    """lam = l / (mu d)."""
    return depth / (2 * peg.friction * peg.radius)


def vertices(friction: float, lam: float) -> tuple[Vertex, Vertex, Vertex, Vertex]:
    """Of (F_x / F_z, M / (r F_z)): right rim alone, left corner, left rim, right corner."""
    steep, high = 1 / friction, 2 * lam + 1
    return (steep, -high), (-steep, 1.0), (-steep, high), (steep, -1.0)


def slides(friction: float, lam: float, load: Vertex, *, slack: float = 0.0) -> bool:
    """Whether a load lies inside, or on the border up to `slack` of the parallelogram's size."""
    across, turning = load
    first = abs(across) * friction
    second = abs(turning + friction * (1 + lam) * across) / lam if lam else float(abs(across) > 0)
    return max(first, second) <= 1 + slack


def load_at_tip(peg: Peg, depth: float, pushes: tuple[float, float, float, float]) -> Vertex | None:
    """(F_x / F_z, M / (r F_z)) that contacts ask of the support; None where nothing touches.

    `pushes` are normal forces at the right rim, the left corner, the left rim, the right corner.
    """
    right_rim, left_corner, left_rim, right_corner = pushes
    along = peg.friction * sum(pushes)
    if along <= 0:
        return None
    r, side = peg.radius, peg.friction * peg.radius
    across = right_rim + right_corner - left_rim - left_corner
    turning = (left_rim - right_rim) * (depth + side) + (left_corner - right_corner) * side
    return across / along, turning / (r * along)
