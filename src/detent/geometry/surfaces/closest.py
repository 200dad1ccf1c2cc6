"""Nearest points of two patches: tangent planes parallel, points opposite each other; all branches sought.

Meitinger & Pfeiffer 1998, eqs. 23 to 25: n_B.u_A = n_B.v_A = r_D.u_A = r_D.v_A = 0 with r_D from A to B, by
Newton with the analytic derivatives. Printed, their signs of g and n disagree: with both normals out of the
material g = n_A.r_D = -n_B.r_D, and (24) is right with that. An edge gives fewer equations: its tangent
across the other's normal, or for two edges r_D across both. A is the lower part of the paper, its 2.

What is guaranteed: each answer solves the equations to rounding and lies on both patches. That none is
missed is not, for surfaces of any kind: starts are all local minima of the equations' residual and of the
distance on a grid over both patches.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from detent.geometry.surfaces.jet import Floats, Forms, Jet, tangent_axes
from detent.geometry.surfaces.patch import Patch

GRID = 12  # starts along each parameter
_MOST = 40  # Newton steps
_STEP = 0.25  # of a span: the most that a step moves a parameter
_SOLVED = 1e-12  # of the sizes of both: residual of a solution, each equation made a sine or a length
_ONE = 1e-7  # of the sizes: solutions nearer than this are one
_TINY = 1e-9  # of the sizes: gaps below which two surfaces count as touching


@dataclass(frozen=True, eq=False)
class ContactEquations:
    """(23) at given parameters, with what they are made of; everything in A's frame."""

    patch_A: Patch  # noqa: N815
    patch_B: Patch  # noqa: N815
    jet_A: Jet  # noqa: N815
    jet_B: Jet  # noqa: N815

    @cached_property
    def forms_A(self) -> Forms:
        return Forms(self.jet_A, self.patch_A.side)

    @cached_property
    def forms_B(self) -> Forms:
        return Forms(self.jet_B, self.patch_B.side)

    @cached_property
    def distance(self) -> Floats:
        """r_D: from the point of A to that of B."""
        return self.jet_B.r - self.jet_A.r

    @cached_property
    def values(self) -> Floats:
        """One per unknown; those with r_D last."""
        a, b, d = self.jet_A, self.jet_B, self.distance
        dimensions = self.patch_A.dimension, self.patch_B.dimension
        if dimensions == (2, 2):
            n = self.forms_B.normal
            return np.array([n @ a.u, n @ a.v, d @ a.u, d @ a.v])
        if dimensions == (1, 2):
            return np.array([self.forms_B.normal @ a.u, d @ b.u, d @ b.v])
        if dimensions == (2, 1):
            return np.array([self.forms_A.normal @ b.u, d @ a.u, d @ a.v])
        return np.array([d @ a.u, d @ b.u])

    @cached_property
    def jacobian(self) -> Floats:
        """Of the values by (u_B, v_B, u_A, v_A), an edge without its v; exact away from solutions, too."""
        a, b, d = self.jet_A, self.jet_B, self.distance
        dimensions = self.patch_A.dimension, self.patch_B.dimension
        by_distance_A = [
            [b.u @ a.u, b.v @ a.u, d @ a.uu - a.u @ a.u, d @ a.uv - a.v @ a.u],
            [b.u @ a.v, b.v @ a.v, d @ a.uv - a.u @ a.v, d @ a.vv - a.v @ a.v],
        ]
        by_distance_B = [
            [d @ b.uu + b.u @ b.u, d @ b.uv + b.v @ b.u, -a.u @ b.u, -a.v @ b.u],
            [d @ b.uv + b.u @ b.v, d @ b.vv + b.v @ b.v, -a.u @ b.v, -a.v @ b.v],
        ]
        if dimensions == (2, 2):
            n, (nu, nv) = self.forms_B.normal, self.forms_B.normal_rates
            rows = [
                [nu @ a.u, nv @ a.u, n @ a.uu, n @ a.uv],
                [nu @ a.v, nv @ a.v, n @ a.uv, n @ a.vv],
                *by_distance_A,
            ]
            return np.array(rows)
        if dimensions == (1, 2):
            n, (nu, nv) = self.forms_B.normal, self.forms_B.normal_rates
            return np.array([[nu @ a.u, nv @ a.u, n @ a.uu, 0.0], *by_distance_B])[:, :3]
        if dimensions == (2, 1):
            n, (nu, nv) = self.forms_A.normal, self.forms_A.normal_rates
            first = [n @ b.uu, 0.0, nu @ b.u, nv @ b.u]
            return np.array([first, *by_distance_A])[:, [0, 2, 3]]
        return np.array([by_distance_A[0], by_distance_B[0]])[:, [0, 2]]

    @property
    def scale(self) -> Floats:
        """What makes the values sines and lengths."""
        a, b = self.jet_A, self.jet_B
        u_A, v_A, u_B, v_B = (max(float(np.linalg.norm(x)), 1e-300) for x in (a.u, a.v, b.u, b.v))
        return {
            (2, 2): np.array([u_A, v_A, u_A, v_A]),
            (1, 2): np.array([u_A, u_B, v_B]),
            (2, 1): np.array([u_B, u_A, v_A]),
            (1, 1): np.array([u_A, u_B]),
        }[self.patch_A.dimension, self.patch_B.dimension]

    def residual(self, size: float) -> float:
        """The largest value, as a sine or as a share of the size."""
        values = np.abs(self.values / self.scale)
        sines = len(values) - 2
        return float(max([*values[:sines], *values[sines:] / size]))

    @cached_property
    def normal(self) -> Floats:
        """Unit, from A to B: of a surface; of two edges across both, towards B."""
        if self.patch_A.dimension == 2:
            return self.forms_A.normal
        if self.patch_B.dimension == 2:
            return -self.forms_B.normal
        across = np.cross(self.jet_A.u, self.jet_B.u)
        length = np.linalg.norm(across)
        if length <= 1e-9 * np.linalg.norm(self.jet_A.u) * np.linalg.norm(self.jet_B.u):
            across = self.distance  # parallel edges
            length = np.linalg.norm(across)
        if not length > 0:
            return np.zeros(3)  # edges that run into each other: no direction parts them
        across = across / length
        return np.asarray(-across if across @ self.distance < 0 else across)

    @property
    def gap(self) -> float:
        return float(self.normal @ self.distance)

    @property
    def kind(self) -> Literal["least", "saddle", "greatest"]:
        """Of the distance near there: nearest points are `least`.

        By curvatures K, above zero where material bulges, which a touch or an overlap does not spoil: over
        B's tangent plane the distance grows as K_B + K_A / (1 + g K_A).
        """
        if self.patch_A.dimension == self.patch_B.dimension == 1:
            signs = np.linalg.eigvalsh(self._squared_distance)
        else:
            bulge_A, bulge_B, axes = self._bulges()
            lifted = np.eye(len(axes)) + self.gap * bulge_A
            height = bulge_B + np.linalg.solve(lifted, bulge_A)
            signs = np.linalg.eigvalsh((height + height.T) / 2)
            if np.linalg.eigvalsh((lifted + lifted.T) / 2).min() <= 0:
                signs = np.array([-1.0, 1.0])  # beyond a centre of curvature
        return "least" if signs.min() > 0 else "greatest" if signs.max() <= 0 else "saddle"

    def _bulges(self) -> tuple[Floats, Floats, Floats]:
        """Curvatures of A and B on the same axes; with an edge on the edge's own direction."""
        normal = self.normal
        if self.patch_A.dimension == self.patch_B.dimension == 2:
            axes = tangent_axes(normal)
            return self.forms_A.curvature(axes), self.forms_B.curvature(axes), axes
        edge = self.jet_B if self.patch_B.dimension == 1 else self.jet_A
        squared = edge.u @ edge.u
        bend = np.array([[normal @ edge.uu / squared]])
        along = edge.u / np.sqrt(squared)
        axes = np.array([along, np.cross(normal, along)])
        # An edge is infinitely sharp across itself, so that only its own direction is left.
        if self.patch_B.dimension == 1:
            whole = self.forms_A.curvature(axes)
            level = np.linalg.solve(np.eye(2) + self.gap * whole, whole)
            return np.zeros((1, 1)), bend + level[:1, :1], axes[:1]
        whole = self.forms_B.curvature(axes)
        level = np.linalg.solve(np.eye(2) + self.gap * whole, whole)
        return np.zeros((1, 1)), level[:1, :1] - bend, axes[:1]

    @property
    def _squared_distance(self) -> Floats:
        """Hessian of half the squared distance of two edges."""
        a, b, d = self.jet_A, self.jet_B, self.distance
        mixed = -(b.u @ a.u)
        return np.array([[b.u @ b.u + d @ b.uu, mixed], [mixed, a.u @ a.u - d @ a.uu]])

    @property
    def unknowns(self) -> list[int]:
        """Which of (u_B, v_B, u_A, v_A) there are."""
        on_B = [0, 1] if self.patch_B.dimension == 2 else [0]
        return on_B + ([2, 3] if self.patch_A.dimension == 2 else [2])


@dataclass(frozen=True, eq=False)
class Closest:
    """Points of two patches opposite each other, in A's frame; the normal points from A to B."""

    equations: ContactEquations
    on_A: tuple[float, float]  # (u, v)  # noqa: N815
    on_B: tuple[float, float]  # noqa: N815
    gap: float  # less than zero where they overlap
    kind: Literal["least", "saddle", "greatest"]

    @property
    def normal(self) -> Floats:
        return self.equations.normal

    @property
    def point_A(self) -> Floats:
        return self.equations.jet_A.r

    @property
    def point_B(self) -> Floats:
        return self.equations.jet_B.r


def equations_at(
    patch_A: Patch, patch_B: Patch, pose_AB: Floats, on_A: tuple[float, float], on_B: tuple[float, float]
) -> ContactEquations:
    return ContactEquations(patch_A, patch_B, patch_A.at(*on_A), patch_B.at(*on_B).moved(pose_AB))


def closest_from(
    patch_A: Patch, patch_B: Patch, pose_AB: Floats, on_A: tuple[float, float], on_B: tuple[float, float],
    size: float | None = None,
) -> Closest | None:  # fmt: skip
    """The solution that Newton reaches from a start; None where it reaches none on both patches."""
    size = size or _size(patch_A, patch_B)
    spans = np.array([*_lengths(patch_B), *_lengths(patch_A)])
    x = np.array([*on_B, *on_A])
    for _ in range(_MOST):
        there = equations_at(patch_A, patch_B, pose_AB, (x[2], x[3]), (x[0], x[1]))
        if not _regular(there):
            return None
        residual = there.residual(size)
        step = np.zeros(4)
        try:
            step[there.unknowns] = np.linalg.solve(there.jacobian, -there.values)
        except np.linalg.LinAlgError:
            return None
        share = max(float(np.max(np.abs(step) / spans)), 1e-300)
        if residual <= _SOLVED and share < 1e-6:
            return _held(there, x)
        x = x + step * min(1.0, _STEP / share)
        if not np.all(np.isfinite(x)) or _far_out(patch_A, patch_B, x, spans):
            return None
    return None


def closest_points(
    patch_A: Patch, patch_B: Patch, pose_AB: Floats, *, grid: int = GRID
) -> tuple[Closest, ...]:
    """Every solution found, the least gap first; `pose_AB` is 4 x 4, B's place in A's frame."""
    pose = np.asarray(pose_AB, float)
    size = _size(patch_A, patch_B)
    found: list[Closest] = []
    for on_A, on_B in _starts(patch_A, patch_B, pose, grid):
        one = closest_from(patch_A, patch_B, pose, on_A, on_B, size)
        if one is not None and not any(_same(one, other, size) for other in found):
            found.append(one)
    return tuple(sorted(found, key=lambda each: (each.kind != "least", each.gap)))


def _held(there: ContactEquations, x: Floats) -> Closest | None:
    on_B, on_A = there.patch_B.wrapped(x[0], x[1]), there.patch_A.wrapped(x[2], x[3])
    if not (there.patch_A.holds(*on_A) and there.patch_B.holds(*on_B)):
        return None
    surfaces = there.patch_A.dimension == there.patch_B.dimension == 2
    if surfaces and there.forms_A.normal @ there.forms_B.normal > 0:
        return None  # seen through the material
    return Closest(there, on_A, on_B, there.gap, there.kind)


def _same(one: Closest, other: Closest, size: float) -> bool:
    apart = max(np.abs(one.point_A - other.point_A).max(), np.abs(one.point_B - other.point_B).max())
    return bool(apart <= _ONE * size)


def _regular(there: ContactEquations) -> bool:
    return all(
        patch.dimension == 1 or forms.area > 1e-12 * max(forms.first[0], forms.first[2])
        for patch, forms in ((there.patch_A, there.forms_A), (there.patch_B, there.forms_B))
    )


def _lengths(patch: Patch) -> tuple[float, float]:
    (u0, u1), (v0, v1) = patch.u, patch.v
    return u1 - u0, (v1 - v0) if patch.dimension == 2 else 1.0


def _far_out(patch_A: Patch, patch_B: Patch, x: Floats, spans: Floats) -> bool:
    """Whether Newton left a patch by more than a whole span of it: it comes back seldom."""
    for k, (patch, axis) in enumerate(((patch_B, 0), (patch_B, 1), (patch_A, 0), (patch_A, 1))):
        low, high = (patch.u, patch.v)[axis]
        if not patch.closed[axis] and not low - spans[k] <= x[k] <= high + spans[k]:
            return True
    return False


def _size(patch_A: Patch, patch_B: Patch) -> float:
    points = [patch.at(*place).r for patch in (patch_A, patch_B) for place, _, _ in _gridded(patch, 3)]
    return float(max(np.ptp(np.array(points), axis=0).max(), 1e-300))


def _gridded(patch: Patch, grid: int) -> list[tuple[tuple[float, float], int, int]]:
    """Parameters over a patch, with their places in the grid; bounds included, a seam once."""
    axes = []
    for (low, high), closed in zip((patch.u, patch.v), patch.closed, strict=True):
        axes.append(np.linspace(low, high, grid, endpoint=not closed) if high > low else np.array([low]))
    return [((float(u), float(v)), i, j) for (i, u), (j, v) in itertools.product(*map(enumerate, axes))]


def _starts(
    patch_A: Patch, patch_B: Patch, pose: Floats, grid: int
) -> list[tuple[tuple[float, float], tuple[float, float]]]:
    """Pairs of grid points where the residual or the distance has a local minimum, over both or one patch."""
    from scipy.ndimage import minimum_filter

    places_A, places_B = _gridded(patch_A, grid), _gridded(patch_B, grid)
    r_A, t_A, n_A = _table(patch_A, places_A, np.eye(4))
    r_B, t_B, n_B = _table(patch_B, places_B, pose)
    distance = r_B[None] - r_A[:, None]
    length = np.linalg.norm(distance, axis=-1)
    away = distance / np.maximum(length, 1e-300)[..., None]
    off = np.zeros(length.shape)
    # Sines of what should be square, of the distance weighed by its share of the size.
    weight = length / max(float(length.max()), 1e-300)
    for k in range(t_A.shape[1]):
        off += (weight * np.einsum("abx,ax->ab", away, t_A[:, k])) ** 2
    for k in range(t_B.shape[1]):
        off += (weight * np.einsum("abx,bx->ab", away, t_B[:, k])) ** 2
    if n_A is not None and n_B is not None:
        off += 1.0 + n_A @ n_B.T
    elif n_A is not None:
        off += (n_A @ t_B[:, 0].T) ** 2
    elif n_B is not None:
        off += (t_A[:, 0] @ n_B.T) ** 2
    lasts = [[1 + last for last in places[-1][1:]] for places in (places_A, places_B)]

    def lowest(table: Floats, *on: int) -> list[int]:
        """Local minima of a table over the grid of A (0), of B (1) or of both."""
        shape = [length for patch in on for length in lasts[patch]]
        closed = [each for patch in on for each in (patch_A, patch_B)[patch].closed]
        grid = table.reshape(shape)
        least = minimum_filter(grid, size=3, mode=["wrap" if each else "nearest" for each in closed])
        return np.flatnonzero(grid <= least).tolist()

    pairs = {divmod(k, len(places_B)) for table in (off, length) for k in lowest(table, 0, 1)}
    best_B, best_A = off.argmin(axis=1), off.argmin(axis=0)
    pairs |= {(k, int(best_B[k])) for k in lowest(off.min(axis=1), 0)}
    pairs |= {(int(best_A[k]), k) for k in lowest(off.min(axis=0), 1)}
    ordered = sorted(pairs, key=lambda pair: (off[pair], pair))
    return [(places_A[i][0], places_B[k][0]) for i, k in ordered]


def _table(
    patch: Patch, places: list[tuple[tuple[float, float], int, int]], pose: Floats
) -> tuple[Floats, Floats, Floats | None]:
    """Points, unit tangents (n, 1 or 2, 3) and normals at grid points."""
    jets = [patch.at(*place).moved(pose) for place, _, _ in places]
    points = np.array([jet.r for jet in jets])
    tangents = np.array([[jet.u, jet.v][: patch.dimension] for jet in jets])
    tangents = tangents / np.maximum(np.linalg.norm(tangents, axis=-1), 1e-300)[..., None]
    if patch.dimension == 1:
        return points, tangents, None
    normals = np.array([Forms(jet, patch.side).normal for jet in jets])
    return points, tangents, normals
