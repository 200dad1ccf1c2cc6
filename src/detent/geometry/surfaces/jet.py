"""A surface at (u, v) with its derivatives, and its first and second fundamental forms.

Meitinger & Pfeiffer 1998, eqs. 14 to 22: the tangents span the tangent plane, the normal is outward, L, M, N
are components of the second derivatives along it. A curve is a patch whose `v` does nothing: G = 0, and it
has no normal of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class Jet(NamedTuple):
    """A point of a surface with its first and second derivatives, each (3,)."""

    r: Floats
    u: Floats
    v: Floats
    uu: Floats
    uv: Floats
    vv: Floats

    def moved(self, pose: Floats) -> Jet:
        """Seen from where the 4 x 4 pose puts the surface."""
        turn = pose[:3, :3]
        r, *others = (turn @ each for each in self)
        return Jet(r + pose[:3, 3], *others)


class Weingarten(NamedTuple):
    """dn/du = alpha u + beta v and dn/dv = alpha_v u + beta_v v, eq. 20."""

    alpha: float
    beta: float
    alpha_v: float
    beta_v: float


class Christoffel(NamedTuple):
    """Gauss' formulas (21), (22): second derivatives on the tangents; `of_uv` are Gamma^1_12, Gamma^2_12."""

    of_uu: tuple[float, float]
    of_uv: tuple[float, float]
    of_vv: tuple[float, float]


@dataclass(frozen=True, eq=False)
class Forms:
    """The fundamental forms of a surface at a point; `side` is -1 where u x v points into the material."""

    jet: Jet
    side: float = 1.0

    @cached_property
    def first(self) -> tuple[float, float, float]:
        """E, F, G of eq. 17."""
        u, v = self.jet.u, self.jet.v
        return float(u @ u), float(u @ v), float(v @ v)

    @property
    def area(self) -> float:
        """sqrt(E G - F^2): zero where the surface is degenerate."""
        return float(np.linalg.norm(np.cross(self.jet.u, self.jet.v)))

    @cached_property
    def normal(self) -> Floats:
        """Unit, out of the material, eq. 18."""
        across = np.cross(self.jet.u, self.jet.v)
        return np.asarray(self.side * across / np.linalg.norm(across))

    @cached_property
    def second(self) -> tuple[float, float, float]:
        """L, M, N of eq. 19; a bulge of the material has them negative."""
        n = self.normal
        return float(n @ self.jet.uu), float(n @ self.jet.uv), float(n @ self.jet.vv)

    @cached_property
    def weingarten(self) -> Weingarten:
        (e, f, g), (el, em, en) = self.first, self.second
        area = e * g - f * f
        return Weingarten(
            (f * em - g * el) / area,
            (f * el - e * em) / area,
            (f * en - g * em) / area,
            (f * em - e * en) / area,
        )

    @cached_property
    def normal_rates(self) -> tuple[Floats, Floats]:
        """dn/du, dn/dv."""
        w, jet = self.weingarten, self.jet
        return w.alpha * jet.u + w.beta * jet.v, w.alpha_v * jet.u + w.beta_v * jet.v

    @property
    def christoffel(self) -> Christoffel:
        e, f, g = self.first
        metric = np.array([[e, f], [f, g]])
        jet = self.jet
        found = [
            np.linalg.solve(metric, np.array([jet.u @ each, jet.v @ each]))
            for each in (jet.uu, jet.uv, jet.vv)
        ]
        uu, uv, vv = ((float(a), float(b)) for a, b in found)
        return Christoffel(uu, uv, vv)

    def curvature(self, axes: Floats) -> Floats:
        """(2, 2) [1/length] of the material's bulge on two tangent axes (2, 3), orthonormal."""
        (e, f, g), (el, em, en) = self.first, self.second
        tangents = np.array([self.jet.u, self.jet.v])
        on_axes = np.linalg.solve(np.array([[e, f], [f, g]]), tangents @ axes.T)
        return np.asarray(-on_axes.T @ np.array([[el, em], [em, en]]) @ on_axes)


def tangent_axes(normal: Any) -> Floats:
    """(2, 3) unit axes across a normal, right-handed with it."""
    first = np.eye(3)[int(np.argmin(np.abs(normal)))]
    across = first - (first @ normal) * normal
    across = across / np.linalg.norm(across)
    return np.array([across, np.cross(normal, across)])
