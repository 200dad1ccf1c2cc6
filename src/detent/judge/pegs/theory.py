"""Whitney's peg in a hole: contact forces of a planar peg on springs, as closed forms.

Whitney 1982 (quasi-static, planar, rigid, small angles). The hole's frame: x across, z into the hole, rims at
x = -R and R. The peg has the half width r; its axis points to the tip along (sin th, cos th). Its support
acts at the compliance centre, L_g above the tip: a force -K_x (x_c - x_c0) and a moment -K_th (th - th0),
while z_c is driven; eps0 = x_c0 + L_g th0 is where the unloaded tip is. A contact on the chamfer, which
rises by `angle` from the face, pushes the peg by f (-B, -A), one at the right rim by f (-1, -mu); depths l
are of the tip below the rims. To first order in eps0, th0 and c. Lengths and forces in any consistent set.

The force on a chamfer has the lever r / tan a, which the usual formula leaves out: as the peg tilts, its
corner also goes down by r times the tilt. `chamfer_force(lever=False)` is the usual form.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.polynomial import Polynomial


@dataclass(frozen=True)
class Peg:
    """A peg above its hole."""

    hole: float  # R, half width or radius of the hole
    clearance: float  # c = (R - r) / R
    friction: float
    angle: float | None  # of the chamfer from the face [rad]; None: no chamfer
    centre: float  # L_g, of the compliance above the tip
    lateral: float  # K_x
    tilt: float  # K_th
    error: float  # eps0
    lean: float  # th0 [rad]

    @property
    def radius(self) -> float:
        """Of the peg."""
        return self.hole * (1 - self.clearance)

    @property
    def play(self) -> float:
        """How far the peg may be off the middle: c R."""
        return self.clearance * self.hole

    @property
    def mirrored(self) -> Peg:
        """The same, seen from behind."""
        return replace(self, error=-self.error, lean=-self.lean)


@dataclass(frozen=True)
class Pressed:
    """One contact: its normal force (of a chamfer f), what it takes along and across, the tilt."""

    normal: float
    along: float  # F_z, against the push
    across: float  # F_x, towards the middle of the hole
    lean: float


@dataclass(frozen=True)
class PressedTwice:
    """Two contacts: at the rim (f1) and at the tip on the other side (f2)."""

    rim: float
    tip: float
    along: float
    lean: float

    @property
    def across(self) -> float:
        return self.rim - self.tip

    @property
    def valid(self) -> bool:
        """Whether both contacts push."""
        return self.rim >= 0 and self.tip >= 0


def on_chamfer(peg: Peg) -> tuple[float, float]:
    """A and B: what a unit force on the chamfer takes along and across the hole."""
    assert peg.angle is not None
    sine, cosine = math.sin(peg.angle), math.cos(peg.angle)
    return cosine + peg.friction * sine, sine - peg.friction * cosine


def chamfer_softness(peg: Peg, *, lever: bool = True) -> float:
    """How far the corner gives way along the face by a unit force; not positive where friction locks it."""
    a, b = on_chamfer(peg)
    assert peg.angle is not None
    arm = peg.centre - (peg.radius / math.tan(peg.angle) if lever else 0.0)
    return b / peg.lateral + (peg.centre * b - peg.radius * a) * arm / peg.tilt


def chamfer_force(peg: Peg, travel: float, *, lever: bool = True) -> Pressed:
    """At a travel of the centre since the corner met the chamfer; without `lever` the usual form."""
    a, b = on_chamfer(peg)
    assert peg.angle is not None
    force = travel / math.tan(peg.angle) / chamfer_softness(peg, lever=lever)
    lean = peg.lean + force * (peg.radius * a - peg.centre * b) / peg.tilt
    return Pressed(force, a * force, b * force, lean)


def chamfer_travel(peg: Peg) -> float:
    """Travel from where the corner meets the chamfer to where it reaches the rim; infinite where friction
    locks.
    """
    a, b = on_chamfer(peg)
    assert peg.angle is not None
    softness = b / peg.lateral + peg.centre * (peg.centre * b - peg.radius * a) / peg.tilt
    if softness <= 0 or b <= 0:
        return math.inf
    force = (peg.error - peg.play) / softness
    return force * math.tan(peg.angle) * chamfer_softness(peg)


def one_point(peg: Peg, depth: float) -> Pressed:
    """The right rim on the peg's side; for a peg that leans in, its corner on the wall: the same at depth
    0.
    """
    lever = peg.centre - depth - peg.friction * peg.radius
    pressed = peg.error - peg.play - depth * peg.lean
    force = peg.lateral * peg.tilt * pressed / rim_softness(peg, depth)
    return Pressed(force, peg.friction * force, force, peg.lean - force * lever / peg.tilt)


def flat_force(peg: Peg) -> Pressed:
    """The peg's side flat on the wall."""
    force = peg.lateral * (peg.error - peg.centre * peg.lean - peg.play)
    return Pressed(force, peg.friction * force, force, 0.0)


def rim_softness(peg: Peg, depth: float) -> float:
    """K_th times how far the rim's contact gives way by a force of K_x; friction locks where it is not
    positive.
    """
    arm = peg.centre - depth
    return peg.tilt + peg.lateral * arm * (arm - peg.friction * peg.radius)


def rim_locks(peg: Peg) -> tuple[float, ...]:
    """Depths between which friction locks one contact at the rim; none for a support that tilts stiffly
    enough.
    """
    side = peg.friction * peg.radius
    rest = side * side / 4 - peg.tilt / peg.lateral
    if rest <= 0:
        return ()
    middle, half = peg.centre - side / 2, math.sqrt(rest)
    return tuple(depth for depth in (middle - half, middle + half) if depth > 0)


def flat_from(peg: Peg) -> float:
    """The depth from which the side is flat on the wall, where the peg leans out before."""
    held = flat_force(peg).normal
    if held <= 0:
        return math.inf
    return peg.centre - peg.friction * peg.radius - peg.lean * peg.tilt / held


def two_point(peg: Peg, depth: float) -> PressedTwice:
    """The right rim on the side and the left corner of the tip on the wall, at any depth: see `valid`."""
    lean = -2 * peg.play / depth
    centred = -peg.play - peg.centre * lean
    pull = peg.lateral * (centred - (peg.error - peg.centre * peg.lean))
    moment = peg.tilt * (lean - peg.lean)
    rim = (moment - pull * (peg.centre - peg.friction * peg.radius)) / depth
    tip = rim + pull
    return PressedTwice(rim, tip, peg.friction * (rim + tip), lean)


def two_point_depths(peg: Peg) -> tuple[float, ...]:
    """Depths at which one contact at the rim has the tilt of two, l |th| = c D: where two begin and end."""
    return tuple(depth for depth in tip_loose_depths(peg) if _pushes_at_rim(one_point(peg, depth)))


def _pushes_at_rim(met: Pressed) -> bool:
    return met.normal > 0 and met.lean < 0


def tip_loose_depths(peg: Peg) -> tuple[float, ...]:
    """Depths at which the tip of two contacts pushes no more (f2 = 0), whatever the rim does."""
    import numpy as np

    # (l f(l) (L_g - l - mu r) - l K_th th0) / K_th = c D times the denominator of f: a cubic in l.
    side, scale = peg.friction * peg.radius, abs(peg.centre) + peg.radius
    depth = np.polynomial.Polynomial([0.0, scale])
    arm, lever = peg.centre - depth, peg.centre - side - depth
    soft = peg.tilt + peg.lateral * arm * lever
    pressed = peg.error - peg.play - peg.lean * depth
    cubic = peg.lateral * depth * pressed * lever - (2 * peg.play + peg.lean * depth) * soft
    roots: Any = cubic.trim().roots() if peg.play > 0 else ()
    # A double root comes out as a pair that is complex by the root of the rounding.
    real = [root.real for root in roots if abs(root.imag) < 1e-7 and root.real > 0]
    return tuple(sorted(scale * float(_polished(cubic, root)) for root in real))


def _polished(cubic: Polynomial, root: float) -> float:
    """The root by Newton's steps, to rounding."""
    slope = cubic.deriv()
    for _ in range(3):
        steep = slope(root)
        step = cubic(root) / steep if steep else 0.0
        if abs(step) > 1e-6 * abs(root):  # near a double root, where steps lead away
            break
        root -= step
    return root


def two_point_peaks(peg: Peg) -> tuple[float, ...]:
    """The depth at which F_z of two contacts is extreme: it is a square of 1 / l."""
    lever = peg.centre - peg.friction * peg.radius
    pull = 2 * peg.play * peg.centre * peg.lateral  # X = pull / l + still
    still = -peg.lateral * (peg.play + peg.error - peg.centre * peg.lean)
    square = -2 * peg.play * peg.tilt - pull * lever
    linear = 2 * (-peg.tilt * peg.lean - still * lever) + pull
    if square == 0 or linear == 0 or -linear / (4 * square) <= 0:
        return ()
    return (-4 * square / linear,)


def one_point_peaks(peg: Peg) -> tuple[float, ...]:
    """Depths at which F_z of one contact at the rim is extreme, in whatever order."""
    import numpy as np

    side = peg.friction * peg.radius
    arm = np.polynomial.Polynomial([peg.centre, -1.0])
    soft = peg.tilt + peg.lateral * arm * (arm - side)
    pressed = np.polynomial.Polynomial([peg.error - peg.play, -peg.lean])
    slope = (pressed.deriv() * soft - pressed * soft.deriv()).trim()
    roots: Any = slope.roots()
    return tuple(float(root.real) for root in roots if root.imag == 0 and root.real > 0)


@dataclass(frozen=True)
class Wedging:
    """Whether two contacts may lock whatever pushes or pulls: where they are at l / d < mu."""

    greatest_lean: (
        float  # c / mu: leaning less, two contacts come deeper than mu d; infinite without friction
    )
    depth: float  # mu d: down to it two contacts may lock
    share: float | None  # l / d where two contacts begin; None where they never do
    possible: bool


def wedging(peg: Peg, begins: float | None) -> Wedging:
    """Of a peg whose two contacts begin at a depth, or never."""
    depth = 2 * peg.friction * peg.radius
    share = None if begins is None else begins / (2 * peg.radius)
    most = peg.clearance / peg.friction if peg.friction > 0 else math.inf
    return Wedging(most, depth, share, share is not None and share < peg.friction)


def tilt_per_error(peg: Peg) -> float:
    """How far the peg tilts per length that its tip is pushed sideways, without friction [1/length]."""
    return peg.centre / (peg.tilt / peg.lateral + peg.centre**2)


def estimated_two_point(peg: Peg) -> float:
    """The usual estimate of where two contacts begin: the tilt at the rim, without friction, kept."""
    lean = tilt_per_error(peg) * (peg.error - peg.play) - peg.lean
    return 2 * peg.play / lean if lean > 0 else math.inf


def wedging_index(peg: Peg) -> float:
    """That tilt over c / mu: above 1 two contacts begin where they may lock."""
    lean = tilt_per_error(peg) * (peg.error - peg.play) - peg.lean
    return abs(lean) * peg.friction / peg.clearance
