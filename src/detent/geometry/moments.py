"""Volume, centre and inertia of a solid.

All moments to second order sit in one symmetric 4 x 4 matrix, the integral of
[1, x, y, z] [1, x, y, z]ᵀ over the solid; placing the solid multiplies it from
both sides. A single primitive has its closed form. A stack of layers is
integrated along the true edges and arcs of its sections (Green's theorem).
Anything else is integrated over two meshes of different fineness; as the error
of a chord falls with the square of the fineness, one step of Richardson's
extrapolation removes most of it, and the step's size bounds what is left.

Everything is integrated about the middle of the solid, so that a solid far from
the origin keeps its digits. A flat solid counts as one metre thick, from z = 0 up.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal

from detent.geometry import mesh, region
from detent.geometry.feature import Boundary, boundary
from detent.geometry.frame import shift
from detent.geometry.profile import FINENESS
from detent.geometry.solid import Block, Cone, Cylinder, Leaf, Solid, Sphere, Torus, leaves, placed

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

# Gauss points to a quarter of an arc; integrands are trigonometric of fourth degree.
_GAUSS = 12


@dataclass(frozen=True)
class Moments:
    """Moments to second order, how they were found, and how far off they may be (relative).

    The matrix is about `origin`, a point in the middle of the solid.
    """

    matrix: Array
    method: Literal["closed form", "sections", "mesh"]
    error: float
    origin: tuple[float, float, float] = (0.0, 0.0, 0.0)

    @property
    def volume(self) -> float:
        return float(self.matrix[0, 0])

    @property
    def centre(self) -> Array:
        import numpy as np

        centre: Array = self._lever + np.array(self.origin)
        return centre

    @property
    def _lever(self) -> Array:
        """From the origin to the centre."""
        lever: Array = self.matrix[0, 1:] / self.matrix[0, 0]
        return lever

    @property
    def inertia(self) -> Array:
        """Inertia tensor about the centre, for unit density, in the solid's axes."""
        import numpy as np

        about = self.matrix[1:, 1:] - np.outer(self._lever, self.matrix[0, 1:])
        tensor: Array = np.trace(about) * np.eye(3) - about
        return tensor


@dataclass(frozen=True)
class Mass:
    """What density makes of moments."""

    mass: float  # [kg]
    centre: tuple[float, float, float]  # [m]
    inertia: tuple[tuple[float, float, float], ...]  # about the centre [kg m²]


def mass(solid: Solid, density: float) -> Mass | None:
    """Mass, centre and inertia; lengths in metres, density in kg/m³. None where nothing is enclosed."""
    volume_moments = moments(solid)
    if not volume_moments.volume > 0:
        return None
    tensor = (density * volume_moments.inertia).tolist()
    x, y, z = volume_moments.centre.tolist()
    return Mass(density * volume_moments.volume, (x, y, z), tuple((a, b, c) for a, b, c in tensor))


def moments(solid: Solid) -> Moments:
    """Moments by the most exact method that there is for this solid."""
    return _about_middle(solid, _best_moments)


def mesh_moments(solid: Solid, *, fineness: int = FINENESS) -> Moments:
    """Moments over meshes, extrapolated to smooth surfaces."""
    return _about_middle(solid, lambda near: _meshed(near, fineness))


def _about_middle(solid: Solid, method: Callable[[Solid], Moments]) -> Moments:
    middle = region.middle(solid)
    near = placed(solid, shift(tuple(-c for c in middle)))
    x, y, z = map(float, middle)
    return replace(method(near), origin=(x, y, z))


def _best_moments(solid: Solid) -> Moments:
    if isinstance(solid, Leaf) and not solid.breaks:
        centred = _closed_form(solid)
        if centred is not None:
            return Moments(_placed(centred, solid.frame.matrix), "closed form", 0.0)
    if region.stackable(solid):
        return Moments(_stack(solid), "sections", 0.0)
    return _meshed(solid, FINENESS)


def _meshed(solid: Solid, fineness: int) -> Moments:
    import numpy as np

    coarse = _over_triangles(*mesh.triangles(solid, fineness=fineness // 2))
    fine = _over_triangles(*mesh.triangles(solid, fineness=fineness))
    step = (fine - coarse) / 3
    error = float(np.abs(step).max() / max(np.abs(fine).max(), np.finfo(float).tiny))
    return Moments(fine + step, "mesh", error)


def _closed_form(leaf: Leaf) -> Array | None:
    """About the primitive's own frame; None where sections do better."""
    p = leaf.primitive
    if isinstance(p, Block):
        a, b, c = map(float, p.sides)
        return a * b * c * _outer_box(a, b, c)
    if isinstance(p, Cylinder | Cone):
        ends = (p.radius, p.radius) if isinstance(p, Cylinder) else (p.base, p.top)
        return _cone(float(ends[0]), float(ends[1]), float(p.height))
    if isinstance(p, Sphere):
        r = float(p.radius)
        return _diagonal(4 / 3 * math.pi * r**3, r * r / 5, r * r / 5)
    if isinstance(p, Torus):
        big, small = float(p.radius), float(p.tube)
        volume = 2 * math.pi**2 * big * small**2
        return _diagonal(volume, big * big / 2 + 3 * small * small / 8, small * small / 4)
    return None


def _outer_box(a: float, b: float, c: float) -> Array:
    import numpy as np

    half = np.array([1.0, a / 2, b / 2, c / 2])
    return np.outer(half, half) + np.diag([0.0, a * a / 12, b * b / 12, c * c / 12])


def _cone(base: float, top: float, height: float) -> Array:
    """Radius linear in z: powers of it integrate exactly with few Gauss points."""
    import numpy as np

    nodes, weights = np.polynomial.legendre.leggauss(_GAUSS)
    z = height * (nodes + 1) / 2
    r2 = (base + (top - base) * z / height) ** 2
    area = math.pi * r2 * weights * height / 2
    matrix = np.zeros((4, 4))
    matrix[0, 0], matrix[0, 3], matrix[3, 3] = area.sum(), (area * z).sum(), (area * z * z).sum()
    matrix[3, 0] = matrix[0, 3]
    matrix[1, 1] = matrix[2, 2] = (area * r2 / 4).sum()
    return matrix


def _diagonal(volume: float, across: float, along: float) -> Array:
    import numpy as np

    return volume * np.diag([1.0, across, across, along])


def _placed(matrix: Array, frame: Array) -> Array:
    import numpy as np

    whole = np.eye(4)
    whole[1:, 0], whole[1:, 1:] = frame[:, 3], frame[:, :3]
    placed: Array = whole @ matrix @ whole.T
    return placed


def _stack(solid: Solid) -> Array:
    import numpy as np

    cuts = sorted({z for leaf in leaves(solid) if not leaf.flat for z in region.heights(leaf)})
    total = np.zeros((4, 4))
    for low, high in pairwise(cuts or [0.0, 1.0]):
        plane = plane_moments(boundary(solid, (low + high) / 2))
        h, z1, z2 = high - low, (high**2 - low**2) / 2, (high**3 - low**3) / 3
        total[:3, :3] += h * plane
        total[3, :3] += z1 * plane[0]
        total[:3, 3] += z1 * plane[0]
        total[3, 3] += z2 * plane[0, 0]
    return total


def plane_moments(bounds: Boundary) -> Array:
    """Area and moments of a section, 3 x 3, from its true edges and arcs."""
    import numpy as np

    nodes, weights = np.polynomial.legendre.leggauss(_GAUSS)
    share, weight = (nodes + 1) / 2, weights / 2
    total = np.zeros((3, 3))
    for edge in bounds.edges:
        a, d = np.array(edge.a), np.subtract(edge.b, edge.a)
        total += _green(a + share[:, None] * d, np.broadcast_to(d, (_GAUSS, 2)), weight)
    for arc in bounds.arcs:
        pieces = max(1, math.ceil(arc.sweep / (math.pi / 2)))
        step = arc.sweep / pieces
        for k in range(pieces):
            angle = arc.start + step * (k + share)
            ray = arc.radius * np.column_stack([np.cos(angle), np.sin(angle)])
            along = step * np.column_stack([-ray[:, 1], ray[:, 0]])
            total += (-1.0 if arc.hollow else 1.0) * _green(ray + arc.centre, along, weight)
    return total


def _green(points: Array, along: Array, weight: Array) -> Array:
    """Contribution of one piece of boundary to the moments of what lies on its left."""
    import numpy as np

    (x, y), (dx, dy) = points.T, along.T
    area = weight @ (x * dy - y * dx) / 2
    sx, sy = weight @ (x * x * dy) / 2, -weight @ (y * y * dx) / 2
    xx, yy, xy = weight @ (x**3 * dy) / 3, -weight @ (y**3 * dx) / 3, weight @ (x * x * y * dy) / 2
    return np.array([[area, sx, sy], [sx, xx, xy], [sy, xy, yy]])


def _over_triangles(points: Array, faces: Array) -> Array:
    """Tetrahedra from the origin to each triangle, signed."""
    import numpy as np

    corners = points[faces]
    volume6 = np.einsum("ij,ij->i", corners[:, 0], np.cross(corners[:, 1], corners[:, 2]))
    total = corners.sum(axis=1)
    matrix = np.zeros((4, 4))
    matrix[0, 0] = volume6.sum() / 6
    matrix[0, 1:] = matrix[1:, 0] = volume6 @ total / 24
    squares = np.einsum("i,ij,ik->jk", volume6, total, total)
    squares += np.einsum("i,inj,ink->jk", volume6, corners, corners)
    matrix[1:, 1:] = squares / 120
    return matrix
