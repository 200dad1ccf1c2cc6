"""Vertex-edge pairs as curves in the slice of configuration space that a push spans.

Donald & Pai 1992, eqs. 3-4 and 26-29. The hinge moves along p0 + v t, the pawl
turns by theta = k pi + 2 atan(u), |u| <= 1 (two charts, so that no angle is
special). Cleared of 1 + u^2, a gap is P(u) + t Q(u) with quadratics P and Q;
so is the position of the vertex along the edge. Type A has the vertex on the
obstacle and the edge on the pawl, type B the reverse: one formula each, since
the pose is inverted.

Eliminating t between two curves leaves a quartic in u and a unique t for each
root. The seed eliminates u, and must then find out which branch it met.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
from flint import fmpq_poly, fmpz_poly

from detent.geometry.exact.polygon import ExactLeaf, Point
from detent.geometry.rings import outline_rings
from detent.numeric.polynomial.algebraic import Real, compare, real, real_roots

Kind = Literal["A", "B"]

# Elementary steps that the rings of one vertex and its edge take.
_RING_STEPS = 50
Poly = Any  # python-flint's fmpz_poly


@dataclass(frozen=True)
class Form:
    """constant(u) + t slope(u), cleared of denominators: only its sign means something."""

    constant: Poly
    slope: Poly

    def at(self, t: Real, u: Real) -> Real:
        return u.of(self.constant) + t * u.of(self.slope)

    def along(self, curve: ContactCurve) -> Poly:
        """Its numerator along a curve t = -P/Q; its sign is that of this times Q's."""
        return self.constant * curve.q - self.slope * curve.p


@dataclass(frozen=True)
class ContactCurve:
    """t = -p(u)/q(u), p and q coprime: the part of a contact that is not a straight line."""

    p: Poly
    q: Poly

    @cached_property
    def key(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Equal for equal curves."""
        return tuple(map(int, self.p.coeffs())), tuple(map(int, self.q.coeffs()))

    @cached_property
    def folds(self) -> Poly:
        """Zero where dt/du is."""
        return self.p * self.q.derivative() - self.p.derivative() * self.q

    def time(self, u: Real) -> Real:
        return -u.of(self.p) / u.of(self.q)


@dataclass(frozen=True, eq=False)
class FeaturePair:
    """One vertex and one edge, of a pawl and an obstacle."""

    name: str
    kind: Kind
    pawl: ExactLeaf
    obstacle: ExactLeaf
    gap: Form  # positive outside the edge
    start: Form  # not negative beyond the edge's start
    end: Form  # not negative before its end
    lever: tuple[Any, Any, Any]  # r x n, r . n, r . v as (constant, slope) of rational polynomials
    friction: Any
    which: tuple[Kind, int, int]  # kind, the pawl's feature, the obstacle's
    order: tuple[Any, ...]  # in which touching pairs are named: type A first, along the pawl

    def touches(self, t: Real, u: Real) -> bool:
        """Whether the vertex lies on the closed edge."""
        return (
            self.gap.at(t, u).sign() == 0
            and self.start.at(t, u).sign() >= 0
            and self.end.at(t, u).sign() >= 0
        )

    def may_touch(self, t: Any, u: Any) -> bool:
        """False only where it touches nowhere in two balls, by arithmetic of the precision that is set."""
        if not (self.gap.constant(u) + t * self.gap.slope(u)).contains(0):
            return False
        ends = (form.constant(u) + t * form.slope(u) for form in (self.start, self.end))
        return not any(end < 0 for end in ends)

    @cached_property
    def flat(self) -> Poly:
        """Zero at angles where the pair stays in contact whatever t is."""
        if self.gap.slope.is_zero():
            return self.gap.constant
        return self.gap.constant.gcd(self.gap.slope)

    @cached_property
    def cofactor(self) -> Form | None:
        """The gap apart from such angles; None where it does not depend on t at all."""
        if self.gap.slope.is_zero():
            return None
        p, q = self.gap.constant, self.gap.slope
        if self.flat.degree() > 0:
            p, q = divmod(p, self.flat)[0], divmod(q, self.flat)[0]
        return Form(p, q)

    @cached_property
    def instant(self) -> Real | None:
        """Where the gap is (t - t0) times a factor of the angle: t0, at which the vertex is at the hinge."""
        if self.cofactor is None or self.curve is not None:
            return None
        return real(0).of(self.cofactor.constant) / -real(0).of(self.cofactor.slope)

    @cached_property
    def curve(self) -> ContactCurve | None:
        """The contact apart from such angles; None where there is nothing else but an instant."""
        if self.cofactor is None:
            return None
        p, q = self.cofactor.constant, self.cofactor.slope
        if max(p.degree(), q.degree()) < 1:
            return None
        content = p.content().gcd(q.content())
        if q.leading_coefficient() < 0:
            content = -content
        return ContactCurve(_divided(p, content), _divided(q, content))


def reachable(
    pawl: ExactLeaf, obstacle: ExactLeaf, hinge: Point, velocity: Point, span: tuple[float, float]
) -> list[tuple[Kind, int, int]]:
    """The pairs of two leaves that can touch while t runs over a span; in doubles, none is missed.

    A feature keeps its distances from the hinge, so rings about the hinge that do
    not overlap never meet. Only vertices that stick out can touch.
    """
    start, speed = (np.array([float(c) for c in vector]) for vector in (hinge, velocity))
    first, last = start + span[0] * speed, start + span[1] * speed
    pawl_rings = _rings(pawl, np.zeros(2), np.zeros(2))
    walls = _rings(obstacle, first, last)
    sizes = (np.abs(points).max() for points in (pawl.doubles, obstacle.doubles, first, last))
    # Above any rounding, and far below the size of a feature.
    slack = 1e-9 * sum(sizes)
    type_a = _overlap(pawl_rings[:, 2:], walls[:, :2], slack) & np.array(obstacle.convex)
    type_b = _overlap(pawl_rings[:, :2], walls[:, 2:], slack)
    type_b &= np.array(pawl.convex)[:, None] & np.array(obstacle.facing)
    return [("A", int(k), int(j)) for k, j in np.argwhere(type_a)] + [
        ("B", int(k), int(j)) for k, j in np.argwhere(type_b)
    ]


def _rings(leaf: ExactLeaf, first: Any, last: Any) -> Any:
    rings = np.zeros((leaf.count, 4))
    links = np.array([leaf.before, leaf.after], dtype=np.int64).T.copy()
    outline_rings.at(_RING_STEPS * leaf.count)(rings, leaf.doubles, links, *first, *last)
    return rings


def _overlap(pawl_rings: Any, walls: Any, slack: float) -> Any:
    """Which rings of the pawl (rows) and of the obstacle (columns) have a distance in common."""
    return (walls[:, 0] <= pawl_rings[:, 1:] + slack) & (walls[:, 1] >= pawl_rings[:, :1] - slack)


def pair(
    which: tuple[Kind, int, int],
    pawl: ExactLeaf,
    obstacle: ExactLeaf,
    hinge: Point,
    velocity: Point,
    friction: Any,
    turned: bool,
) -> FeaturePair:
    """One pair: ("A", pawl's edge, obstacle's vertex) or ("B", pawl's vertex, obstacle's edge)."""
    kind, k, j = which
    half = -1 if turned else 1
    a, b = (_times(half, pawl.points[i]) for i in (k, pawl.after[k]))
    w, z = (obstacle.points[i] for i in (j, obstacle.after[j]))
    if kind == "A":
        name = f"{obstacle.vertex_name(j)}:{pawl.edge_name(k)}"
        q0 = (w[0] - hinge[0], w[1] - hinge[1])
        edge = (b[0] - a[0], b[1] - a[1])
        normal = (edge[1], -edge[0])
        gap = turning_edge(normal, q0, -_dot(normal, a), velocity)
        start = turning_edge(edge, q0, -_dot(edge, a), velocity)
        end = turning_edge(_times(-1, edge), q0, _dot(edge, b), velocity)
        lever = _lever_a(normal, q0, velocity, _dot(normal, a))
    else:
        name = f"{obstacle.edge_name(j)}:{pawl.vertex_name(k)}"
        edge = (z[0] - w[0], z[1] - w[1])
        normal = (edge[1], -edge[0])
        gap = turning_vertex(normal, a, _dot(normal, hinge) - _dot(normal, w), velocity)
        start = turning_vertex(edge, a, _dot(edge, hinge) - _dot(edge, w), velocity)
        end = turning_vertex(_times(-1, edge), a, _dot(edge, z) - _dot(edge, hinge), velocity)
        lever = _lever_b(normal, a, velocity)
    if kind == "A":
        (pawl_leaf, pawl_feature), (wall_leaf, wall_feature) = pawl.edge_origin(k), obstacle.vertex_origin(j)
    else:
        (pawl_leaf, pawl_feature), (wall_leaf, wall_feature) = pawl.vertex_origin(k), obstacle.edge_origin(j)
    order = (kind, pawl_leaf.index, pawl_feature, wall_leaf.part, wall_leaf.index, wall_feature)
    forms = integral(*gap), integral(*start), integral(*end)
    return FeaturePair(name, kind, pawl, obstacle, *forms, lever, friction, which, order)


def turning_vertex(m: Point, a: Point, h: Any, v: Point) -> tuple[list[Any], list[Any]]:
    """m . (R a + v t) + h, times 1 + u^2: constant and slope, coefficients upward."""
    along, speed = _dot(m, a), _dot(m, v)
    return [along + h, 2 * _cross(a, m), h - along], [speed, 0 * speed, speed]


def turning_edge(m: Point, q: Point, h: Any, v: Point) -> tuple[list[Any], list[Any]]:
    """R m . (q - v t) + h, times 1 + u^2."""
    along, speed = _dot(m, q), _dot(m, v)
    return [along + h, 2 * _cross(m, q), h - along], [-speed, -2 * _cross(m, v), speed]


def integral(constant: list[Any], slope: list[Any]) -> Form:
    """Scaled by a positive number to integer coefficients."""
    return cleared(fmpq_poly(constant), fmpq_poly(slope))


def cleared(constant: Any, slope: Any) -> Form:
    """The same for rational polynomials."""
    common = constant.denom() * slope.denom()
    return Form((constant * common).numer(), (slope * common).numer())


def _lever_b(n: Point, a: Point, v: Point) -> tuple[Any, Any, Any]:
    """r x n, r . n and r . v for r = R a and a fixed edge; n points to the pawl."""
    return (
        _rational([_cross(a, n), -2 * _dot(a, n), -_cross(a, n)], [0]),
        _rational([_dot(a, n), 2 * _cross(a, n), -_dot(a, n)], [0]),
        _rational([_dot(a, v), 2 * _cross(a, v), -_dot(a, v)], [0]),
    )


def _lever_a(n: Point, q: Point, v: Point, d: Any) -> tuple[Any, Any, Any]:
    """The same for r = q - v t and an edge of the pawl, whose normal R n points away from the pawl.

    On the curve R n . r = d, so that r . n needs no t.
    """
    across, along = _cross(q, n), _dot(q, n)
    across_v, along_v = _cross(v, n), _dot(v, n)
    w, s = _dot(q, v), _dot(v, v)
    return (
        _rational([-across, -2 * along, across], [across_v, 2 * along_v, -across_v]),
        _rational([-d, 0, -d], [0]),
        _rational([w, 0, w], [-s, 0, -s]),
    )


def _rational(constant: list[Any], slope: list[Any]) -> tuple[Any, Any]:
    return fmpq_poly(constant), fmpq_poly(slope)


def _divided(poly: Poly, by: Any) -> Poly:
    return fmpz_poly([c // by for c in poly.coeffs()])


def _dot(a: Point, b: Point) -> Any:
    return a[0] * b[0] + a[1] * b[1]


def _cross(a: Point, b: Point) -> Any:
    return a[0] * b[1] - a[1] * b[0]


def _times(factor: int, a: Point) -> Point:
    return factor * a[0], factor * a[1]


def angles_at(constant: Any, slope: Any, t: Real) -> Iterator[Real]:
    """The real u with constant(u) + t slope(u) = 0."""
    minimal = t.minimal()
    degree = minimal.degree()
    norm = sum((int(minimal[k]) * (-constant) ** k * slope ** (degree - k) for k in range(degree + 1)), 0)
    if norm == 0:
        return
    for u in real_roots(norm):
        if (
            degree == 1
            or (u.of(constant) + t * u.of(slope) if u.root is None else _gap(u, constant, slope, t)) == 0
        ):
            yield u


def _gap(u: Real, constant: Any, slope: Any, t: Real) -> Real:
    """Zero exactly when t is the time that u asks for; compared, not computed in a common field."""
    divisor = u.of(slope)
    if divisor.sign() == 0:
        return u.of(constant)
    return real(compare(-u.of(constant) / divisor, t))
