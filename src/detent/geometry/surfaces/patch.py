"""Patches: plane, cylinder, cone, sphere, torus, edges, and anything else that gives r(u, v).

A patch is bounded in u and v; either may close on itself. Its normal leaves the material: `inside` turns that
of a hole's wall round. Lengths are the caller's. Own surfaces are functions of (u, v) that return r and its
first and second derivatives; they are checked by finite differences as they are made. A patch whose tangents
do not span a plane anywhere within its bounds, as with a zero radius, is refused.

    from detent.geometry import closest_points, surface_patch
    def saddle(u, v):  # r, r_u, r_v, r_uu, r_uv, r_vv
        zero = (0, 0, 0)
        return (u, v, u * v), (1, 0, v), (0, 1, u), zero, (0, 0, 1), zero
    patch = surface_patch(saddle, u=(-1, 1), v=(-1, 1), name="saddle")
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from detent.foundation.errors import ModelError
from detent.geometry.surfaces.jet import Forms, Jet

Span = tuple[float, float]
_AROUND = (0.0, math.tau)
_DIFFERENCE = 1e-4  # of a span, by which the derivatives of own surfaces are checked: the error is its square
_AGREE = 1e-5  # of the largest derivative: how near differences must come
_FLAT = 1e-9  # of E G: below it the tangents span no plane
_WHERE = (0.02, 0.37, 0.5, 0.81, 0.98)  # shares of a span at which a patch is looked at
_NOTHING = np.zeros(3)


@dataclass(frozen=True, eq=False)
class Patch:
    """A bounded piece of a surface, or of a curve (dimension 1, `v` does nothing)."""

    name: str
    at: Callable[[float, float], Jet]
    u: Span
    v: Span = (0.0, 0.0)
    closed: tuple[bool, bool] = (False, False)
    side: float = 1.0
    dimension: int = 2

    def forms(self, u: float, v: float) -> Forms:
        return Forms(self.at(u, v), self.side)

    def wrapped(self, u: float, v: float) -> tuple[float, float]:
        """The same point with the parameters that close on themselves within their spans."""
        (u0, u1), (v0, v1) = self.u, self.v
        if self.closed[0]:
            u = u0 + (u - u0) % (u1 - u0)
        if self.closed[1]:
            v = v0 + (v - v0) % (v1 - v0)
        return u, v

    def holds(self, u: float, v: float, slack: float = 1e-9) -> bool:
        """Whether parameters lie within the bounds, to a share of each span."""
        for x, (low, high), closed in ((u, self.u, self.closed[0]), (v, self.v, self.closed[1])):
            room = slack * (high - low)
            if not closed and not low - room <= x <= high + room:
                return False
        return True


def surface_patch(
    function: Callable[[float, float], Sequence[Any]],
    *,
    u: Span,
    v: Span,
    name: str = "surface",
    closed: tuple[bool, bool] = (False, False),
    inside: bool = False,
) -> Patch:
    """A patch of an own function of (u, v): r, r_u, r_v, r_uu, r_uv, r_vv, each of three numbers.

    Its derivatives are checked against differences at 25 places (a sample) to 1e-5, and its normal.
    """

    def at(u: float, v: float) -> Jet:
        return Jet(*(np.asarray(each, float) for each in function(u, v)))

    patch = Patch(name, at, u, v, closed, -1.0 if inside else 1.0)
    _check_spans(patch)
    values = function(*_places(patch)[12])
    if len(values) != 6 or any(np.shape(each) != (3,) for each in values):
        problem = f"it returns {[np.shape(each) for each in values]}, not six vectors of three numbers"
        raise ModelError.at(f"surface {name}", problem, "return r, r_u, r_v, r_uu, r_uv, r_vv")
    _check_derivatives(patch)
    return _spanning(patch)


def curve_edge(
    function: Callable[[float], Sequence[Any]], *, u: Span, name: str = "curve", closed: bool = False
) -> Patch:
    """An edge of an own function of u: r, r_u, r_uu; a surface that has no width."""

    def at(u: float, v: float) -> Jet:
        r, first, second = (np.asarray(each, float) for each in function(u))
        return Jet(r, first, _NOTHING, second, _NOTHING, _NOTHING)

    patch = Patch(name, at, u, closed=(closed, False), dimension=1)
    _check_spans(patch)
    _check_derivatives(patch)
    for place, _ in _places(patch):
        if not np.linalg.norm(at(place, 0.0).u) > 0:
            raise ModelError.at(
                f"curve {name}", f"it stands still at u = {place:g}", "let r_u be nowhere zero"
            )
    return patch


def plane_patch(origin: Any, first: Any, second: Any, u: Span, v: Span, *, name: str = "plane") -> Patch:
    """origin + u first + v second; material lies behind first x second."""
    r, a, b = (np.asarray(each, float) for each in (origin, first, second))
    patch = Patch(name, lambda u, v: Jet(r + u * a + v * b, a, b, _NOTHING, _NOTHING, _NOTHING), u, v)
    return _spanning(patch)


def revolved_patch(
    meridian: Callable[[float], Sequence[float]],
    v: Span,
    *,
    name: str = "revolved",
    closed: bool = False,
    inside: bool = False,
    u: Span = _AROUND,
) -> Patch:
    """About z: `meridian` gives radius, height and their first and second derivatives by v.

    (rho, z, rho', z', rho'', z''); material lies to the left of growing v, with rho to the right and z up.
    """

    def at(u: float, v: float) -> Jet:
        rho, z, rho1, z1, rho2, z2 = meridian(v)
        c, s = math.cos(u), math.sin(u)
        return Jet(
            np.array([rho * c, rho * s, z]),
            np.array([-rho * s, rho * c, 0.0]),
            np.array([rho1 * c, rho1 * s, z1]),
            np.array([-rho * c, -rho * s, 0.0]),
            np.array([-rho1 * s, rho1 * c, 0.0]),
            np.array([rho2 * c, rho2 * s, z2]),
        )

    around = abs(u[1] - u[0] - math.tau) < 1e-12
    return _spanning(Patch(name, at, u, v, (around, closed), -1.0 if inside else 1.0))


def cylinder_patch(
    radius: float, low: float, high: float, *, name: str = "cylinder", inside: bool = False
) -> Patch:
    """About z between two heights; v is the height."""
    _positive(name, radius=radius)
    return revolved_patch(lambda v: (radius, v, 0.0, 1.0, 0.0, 0.0), (low, high), name=name, inside=inside)


def cone_patch(base: float, top: float, height: float, *, name: str = "cone", inside: bool = False) -> Patch:
    """About z from radius `base` at z = 0 to `top`; v is the height. Its apex is left out."""
    _positive(name, height=height)
    if not (base >= 0 and top >= 0 and max(base, top) > 0):
        raise ModelError.at(
            f"surface {name}", f"radii {base:g} and {top:g}", "give one above zero, none below"
        )
    slope = (top - base) / height
    room = 1e-6 * height  # what is left out about an apex
    span = (room if base == 0 else 0.0, height - room if top == 0 else height)
    return revolved_patch(
        lambda v: (base + slope * v, v, slope, 1.0, 0.0, 0.0), span, name=name, inside=inside
    )


def sphere_patch(
    radius: float, v: Span = (-1.3, 1.3), *, name: str = "sphere", inside: bool = False
) -> Patch:
    """About the origin; v is the latitude (15). Poles are no part of a patch: turn a second one over them."""
    _positive(name, radius=radius)

    def meridian(v: float) -> tuple[float, ...]:
        c, s = radius * math.cos(v), radius * math.sin(v)
        return c, s, -s, c, -c, -s

    if not -math.pi / 2 < v[0] < v[1] < math.pi / 2:
        problem = f"latitudes {v[0]:g} to {v[1]:g} reach a pole, where the parameters are degenerate"
        raise ModelError.at(
            f"surface {name}", problem, "stay within +-pi/2, and turn a second patch over the pole"
        )
    return revolved_patch(meridian, v, name=name, inside=inside)


def torus_patch(
    radius: float, tube: float, v: Span | None = None, *, name: str = "torus", inside: bool = False
) -> Patch:
    """A tube about the circle of this radius in z = 0; v goes round the tube from where it is widest.

    All of the tube without `v`; (65) measures `radius` + `tube` instead, and lacks a factor r in z = r sin v.
    """
    _positive(name, radius=radius, tube=tube)

    def meridian(v: float) -> tuple[float, ...]:
        c, s = tube * math.cos(v), tube * math.sin(v)
        return radius + c, s, -s, c, -c, -s

    whole = v is None
    span = v or (-math.pi, math.pi)
    passes_inside = any(span[0] <= k * math.pi <= span[1] for k in (-3, -1, 1, 3))
    innermost = -1.0 if passes_inside else min(math.cos(span[0]), math.cos(span[1]))
    if radius + tube * innermost <= 0:
        problem = (
            f"its tube of {tube:g} about a circle of {radius:g} crosses the axis, where it is degenerate"
        )
        raise ModelError.at(f"surface {name}", problem, "make the tube thinner, or bound v away from there")
    return revolved_patch(meridian, span, name=name, closed=whole, inside=inside)


def circle_edge(radius: float, height: float = 0.0, *, name: str = "circle") -> Patch:
    """A round edge about z."""
    _positive(name, radius=radius)

    def at(u: float) -> tuple[Any, ...]:
        c, s = radius * math.cos(u), radius * math.sin(u)
        return (c, s, height), (-s, c, 0.0), (-c, -s, 0.0)

    return curve_edge(at, u=_AROUND, name=name, closed=True)


def line_edge(start: Any, end: Any, *, name: str = "line") -> Patch:
    """A straight edge; u goes from 0 to 1."""
    a, b = np.asarray(start, float), np.asarray(end, float)
    return curve_edge(lambda u: (a + u * (b - a), b - a, _NOTHING), u=(0.0, 1.0), name=name)


def _positive(name: str, **sizes: float) -> None:
    for what, size in sizes.items():
        if not (size > 0 and math.isfinite(size)):
            problem = f"its {what} is {size:g}, so it is no surface but a point or a line"
            raise ModelError.at(
                f"surface {name}",
                problem,
                f"give a {what} above zero, or an edge: circle_edge, line_edge, curve_edge",
            )


def _check_spans(patch: Patch) -> None:
    spans = {"u": patch.u, "v": patch.v} if patch.dimension == 2 else {"u": patch.u}
    for which, (low, high) in spans.items():
        if not (math.isfinite(low) and math.isfinite(high) and low < high):
            problem = f"{which} goes from {low:g} to {high:g}"
            raise ModelError.at(f"surface {patch.name}", problem, "give finite bounds, the lower first")


def _places(patch: Patch) -> list[tuple[float, float]]:
    (u0, u1), (v0, v1) = patch.u, patch.v
    return [(u0 + a * (u1 - u0), v0 + b * (v1 - v0)) for a in _WHERE for b in _WHERE]


def _spanning(patch: Patch) -> Patch:
    """The patch, where its tangents span a plane: at its corners, too."""
    _check_spans(patch)
    corners = [(u, v) for u in patch.u for v in patch.v]
    for u, v in [*_places(patch), *corners]:
        forms = patch.forms(u, v)
        e, _, g = forms.first
        if not forms.area**2 > _FLAT * _FLAT * max(e, g) ** 2:
            problem = f"it is degenerate at u = {u:.6g}, v = {v:.6g}: its tangents span no plane"
            remedy = "bound the patch away from there, or give it a radius above zero"
            raise ModelError.at(f"surface {patch.name}", problem, remedy)
    return patch


def _check_derivatives(patch: Patch) -> None:
    (u0, u1), (v0, v1) = patch.u, patch.v
    steps = (_DIFFERENCE * (u1 - u0), _DIFFERENCE * (v1 - v0))
    names = ("r_u", "r_v", "r_uu", "r_uv", "r_vv")
    for u, v in _places(patch):
        here = patch.at(u, v)
        h, k = steps
        along_u = [(a - b) / (2 * h) for a, b in zip(patch.at(u + h, v), patch.at(u - h, v), strict=True)]
        found = [along_u[0], _NOTHING, along_u[1], _NOTHING, _NOTHING]
        if patch.dimension == 2:
            along_v = [(a - b) / (2 * k) for a, b in zip(patch.at(u, v + k), patch.at(u, v - k), strict=True)]
            found = [along_u[0], along_v[0], along_u[1], along_v[1], along_v[2]]
        for name, given, other in zip(names, here[1:], found, strict=True):
            # Measured by what the derivative does over the whole span.
            if not np.abs(given - other).max() <= _AGREE * max(np.abs(given).max(), np.abs(here[1:]).max()):
                problem = f"its {name} at u = {u:.6g}, v = {v:.6g} is {given.round(6).tolist()}"
                problem += f", by differences of what it returns {other.round(6).tolist()}"
                raise ModelError.at(f"surface {patch.name}", problem, f"correct {name}")
