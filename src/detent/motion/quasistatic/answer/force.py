"""Forces along a stretch of sliding, in closed form, with their peaks.

Donald & Pai 1992, section 7 and appendix A. The spring turns the pawl with
-k theta, the contact pushes with lambda f, f = n - mu sign(slip) T, and
lambda (r x f) = k theta. What pushes the pawl is passed on to the root through
the hinge. Along a type B stretch the peak is at an end (proposition A.1); a
type A stretch may peak inside, since there r contains the time.

Forces are functions of one complex parameter, so that their derivatives come
out of one evaluation beside the real axis, without cancellation.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, pairwise
from typing import Any

import numpy as np

from detent.mechanics.springs import LinearSpring, TorqueTable
from detent.motion.quasistatic.answer.stretch_path import StretchPath, Values
from detent.motion.quasistatic.exact.continuation import ContactArc
from detent.motion.quasistatic.exact.pawl import SlidingStretch
from detent.motion.quasistatic.exact.sticking import slip_sign
from detent.motion.quasistatic.exact.stops import stick_form
from detent.motion.quasistatic.slice.curves import FeaturePair
from detent.motion.quasistatic.slice.table import Slice, SlicePoint
from detent.numeric.roots import bracketed_root, sign_changes

# A step beside the real axis so small that its square is lost: the derivative is then exact.
BESIDE = 1e-30
# Where a stretch is looked at for peaks inside; each kind of force is a quotient of
# low degree times an arc tangent, with at most a few extrema.
LOOKS = 48
# Of a stretch: so near to an end at which torque and lever vanish together, the force
# is its limit to six digits, to twelve on the line through two such places, and rounding
# has left about ten.
NEARBY = 2.0**-20
# Of the velocity: a force whose part along it is less is across the push.
ACROSS = 1e-12
# A force that tends to a limit is the same at twice that distance; one without bound
# grows at least as the root of the distance.
GROWS = 1.2


@dataclass(frozen=True)
class Loads:
    """Forces at some places of a stretch; infinite where a threshold is met."""

    contact: Values  # size of the contact force [N]
    resisting: Values  # force on the root against the push [N]
    on_root: tuple[Values, Values]  # [N]
    hinge_torque: Values  # of the spring [N m]


class Loaded(StretchPath):
    """The forces of a stretch as functions of its parameter; one contact carries all."""

    def __init__(
        self,
        slice_: Slice,
        spring: LinearSpring | TorqueTable,
        stretch: SlidingStretch,
        metres: float,
        pair: FeaturePair,
    ) -> None:
        super().__init__(stretch)
        self.stretch = stretch
        self.pair = pair
        self.slice = slice_
        self.metres = metres
        self.spring = spring
        self.side = self.arc.side
        self.hinge = np.array([float(c) for c in slice_.hinge])
        self.velocity = np.array([float(c) for c in slice_.velocity])
        towards = stretch.towards
        if towards is None:
            towards = slip_sign(self.arc, self.pair, stretch.begin, 1) if self.pair.friction != 0 else 0
        self.drag = float(self.pair.friction) * self.side * towards  # -mu sign(slip)
        self._inside: dict[str, tuple[float, float] | None] = {}
        self._geometry()

    @cached_property
    def unbounded(self) -> tuple[bool, bool]:
        """Whether a threshold is met, loaded, where the stretch begins and where it ends."""
        if self.stretch.unbounded is not None:
            return self.stretch.unbounded
        return self._threshold(self.stretch.begin, 1), self._threshold(self.stretch.end, -1)

    def _threshold(self, place: SlicePoint, ahead: int) -> bool:
        if place.side == 0:
            return False
        towards = 0
        if self.pair.friction != 0:
            towards = slip_sign(self.arc, self.pair, place, ahead)
        return stick_form(self.pair, self.side, towards).at(place.t, place.u).sign() <= 0

    def at(self, parameter: Values) -> Loads:
        """The forces at a parameter inside the stretch."""
        t, theta = self.time(parameter), self.angle(parameter)
        x, y = self._lever(t, np.cos(theta), np.sin(theta))
        fx, fy = self.direction(parameter)
        with np.errstate(divide="ignore", invalid="ignore"):
            # Zero over zero where an unloaded contact is at its threshold: callers leave that out.
            size = -self.spring.force(theta) / ((x * fy - y * fx) * self.metres)
        speed = math.hypot(*self.velocity)
        resisting = -size * (fx * self.velocity[0] + fy * self.velocity[1]) / speed
        return Loads(
            contact=size * math.sqrt(1 + self.drag * self.drag),
            resisting=resisting,
            on_root=(size * fx, size * fy),
            hinge_torque=self.spring.force(theta),
        )

    def resisting_midway(self) -> float:
        """The force against the push in the middle of the stretch."""
        return float(self.at(sum(self.ends) / 2).resisting)

    def direction(self, parameter: Values) -> tuple[Values, Values]:
        """f = n + drag T, T the normal rotated by 90 degrees."""
        theta = self.angle(parameter)
        nx, ny = self._normal(np.cos(theta), np.sin(theta))
        return nx - self.drag * ny, ny + self.drag * nx

    @property
    def steady(self) -> bool:
        """Whether the force is constant, as that of a vertex at a constant angle is."""
        return self.arc.curve is None and self.pair.kind == "B"

    def end_values(self, which: str) -> tuple[float, float]:
        """The contact force or resisting force where the stretch begins and ends; may be infinite."""
        first, last = self.ends
        return (
            self._end_value(which, 0, last, self.stretch.begin),
            self._end_value(which, 1, first, self.stretch.end),
        )

    @cached_property
    def _at_ends(self) -> Loads:
        with np.errstate(divide="ignore", invalid="ignore"):  # an end at rest is looked at elsewhere
            return self.at(np.array(self.ends))

    @property
    def open_ends(self) -> tuple[bool, bool]:
        """Where the formulas give no number: without bound, or zero over zero at rest."""
        begin, end = self.stretch.begin.side == 0, self.stretch.end.side == 0
        return begin or self.unbounded[0], end or self.unbounded[1]

    def curve(self) -> tuple[list[float], list[float]] | None:
        """p and q of its curve in doubles."""
        return None if self.arc.curve is None else (self._p, self._q)

    def inside(self, which: str) -> tuple[float, float] | None:
        """The largest local maximum inside the stretch, and its parameter."""
        if which not in self._inside:
            first, last = self.ends
            self.tell_inside(which, [] if first == last else self._tops(which, first, last))
        return self._inside[which]

    def tell_inside(self, which: str, between: list[tuple[float, float]]) -> None:
        """Between which parameters it has local maxima: the largest of them is kept."""
        best: tuple[float, float] | None = None
        for a, b in between:
            where = self._extremum(which, a, b)
            value = float(getattr(self.at(where), which))
            if best is None or value > best[0]:
                best = value, where
        self._inside[which] = best

    def _end_value(self, which: str, end: int, other: float, place: SlicePoint) -> float:
        parameter = self.ends[end]
        if place.side == 0:
            return self._at_rest(which, parameter, other, place)
        if not self.unbounded[end]:
            return float(getattr(self._at_ends, which)[end])
        if which == "contact" or parameter == other:
            return math.inf  # held where it begins: nothing of the stretch is near
        if self._across(parameter):
            # All along the stretch, however large it grows, or only there, where it has a limit.
            return 0.0 if self.arc.curve is None else self._limit(which, parameter, other)
        near = parameter + (other - parameter) / LOOKS
        return math.copysign(math.inf, float(self.at(near).resisting))

    def _across(self, parameter: float) -> bool:
        """Whether the contact pushes across the root's motion there."""
        fx, fy = self.direction(parameter)
        along = float(fx * self.velocity[0] + fy * self.velocity[1])
        return abs(along) < ACROSS * math.hypot(*self.velocity)

    def _at_rest(self, which: str, parameter: float, other: float, place: SlicePoint) -> float:
        """The force at rest: none, but where the lever vanishes with the torque, what it tends to."""
        if self.stretch.proved:
            return 0.0
        ahead = 1 if place is self.stretch.begin else -1
        towards = slip_sign(self.arc, self.pair, place, ahead) if self.pair.friction != 0 else 0
        if parameter == other or stick_form(self.pair, self.side, towards).at(place.t, place.u).sign() != 0:
            return 0.0
        return self._limit(which, parameter, other)

    def _limit(self, which: str, parameter: float, other: float) -> float:
        """What a force tends to at an end where it is zero over zero; infinite if it grows without bound."""
        step = (other - parameter) * NEARBY
        near, farther = (float(getattr(self.at(parameter + k * step), which)) for k in (1, 2))
        return 2 * near - farther if abs(near) < GROWS * abs(farther) else math.copysign(math.inf, near)

    def _tops(self, which: str, first: float, last: float) -> list[tuple[float, float]]:
        """Looks between which the force turns from rising to falling."""
        looks = np.linspace(first, last, LOOKS + 1)
        # Without bound, or zero over zero at rest: the ends themselves are looked at elsewhere.
        begin, end = self.open_ends
        looks = looks[int(begin) : len(looks) - int(end)]
        rising = np.sign(last - first) * self._slope(which, looks)
        turns = np.flatnonzero((rising[:-1] > 0) & (rising[1:] <= 0))
        return [(float(looks[k]), float(looks[k + 1])) for k in turns]

    def _slope(self, which: str, parameter: Values) -> Values:
        return getattr(self.at(np.asarray(parameter) + 1j * BESIDE), which).imag / BESIDE

    def _extremum(self, which: str, a: float, b: float) -> float:
        def slope(x: float) -> float:
            return float(self._slope(which, x))

        if slope(b) == 0:
            return b
        return bracketed_root(slope, a, b, xtol=4e-16 * max(abs(a), abs(b), 1e-3), rtol=4 * 2.0**-52)

    def _geometry(self) -> None:
        kind, k, j = self.pair.which
        pawl, obstacle = self.pair.pawl, self.pair.obstacle
        a, b = (_floats(pawl.points[i]) for i in (k, pawl.after[k]))
        w, z = (_floats(obstacle.points[i]) for i in (j, obstacle.after[j]))
        ex, ey = (b - a) if kind == "A" else (z - w)
        length = math.hypot(ex, ey)
        self.point = a if kind == "B" else w - self.hinge
        self.outward = (ey / length, -ex / length)

    def _lever(self, t: Values, cosine: Values, sine: Values) -> tuple[Values, Values]:
        x, y = self.point
        if self.pair.kind == "A":
            return x - t * self.velocity[0], y - t * self.velocity[1]
        return cosine * x - sine * y, sine * x + cosine * y

    def _normal(self, cosine: Values, sine: Values) -> tuple[Values, Values]:
        x, y = self.outward
        if self.pair.kind == "B":
            return x, y
        return -(cosine * x - sine * y), -(sine * x + cosine * y)


def loaded_stretches(
    slice_: Slice, spring: LinearSpring | TorqueTable, stretch: SlidingStretch, metres: float
) -> list[Loaded]:
    """A stretch with its load on the contact that resists the push most, of those that can slide.

    Statics leaves the shares of several open: what the root feels lies between the loads on each alone,
    so that the largest is the bound. Where another comes to resist most, the stretch is divided.
    """
    candidates = [Loaded(slice_, spring, stretch, metres, pair) for pair in _sliding(stretch)]
    if len(candidates) == 1:
        return candidates
    divided: list[Loaded] = []
    places = [stretch.begin, *map(stretch.place_at, _crossings(candidates)), stretch.end]
    for begin, end in pairwise(places):
        piece = replace(stretch, begin=begin, end=end, goes_on=stretch.goes_on and not divided)
        loads = [Loaded(slice_, spring, piece, metres, each.pair) for each in candidates]
        most = max(loads, key=Loaded.resisting_midway)
        if divided and divided[-1].pair is most.pair:
            piece = replace(divided.pop().stretch, end=end)
            most = Loaded(slice_, spring, piece, metres, most.pair)
        divided.append(most)
    return divided


def _crossings(candidates: list[Loaded]) -> list[float]:
    """Parameters at which two contacts of a stretch resist the push alike, in its order."""
    first, last = candidates[0].ends
    if first == last:
        return []
    # At a constant angle the reciprocal of each is linear in time, so that two cross once at most.
    looks = np.linspace(first, last, 2 if candidates[0].arc.curve is None else LOOKS + 1)
    crossings = []
    for one, other in combinations(candidates, 2):

        def excess(parameter: Values, one: Loaded = one, other: Loaded = other) -> Values:
            return one.at(parameter).resisting - other.at(parameter).resisting

        crossings += [
            bracketed_root(excess, float(looks[k]), float(looks[k + 1])) for k in sign_changes(excess(looks))
        ]
    return sorted({c for c in crossings if c not in (first, last)}, reverse=last < first)


def _sliding(stretch: SlidingStretch) -> list[FeaturePair]:
    """The contacts that can slide all along a stretch; if none, where it begins; if none there, the first."""
    arc = stretch.arc
    if len(arc.contacts) == 1:
        return [arc.contacts[0]]
    begins = [pair for pair in arc.loaded if _slides(arc, pair, stretch.begin, 1)]
    return _all_along(stretch) or begins or [arc.loaded[0]]


def some_would_stick(stretch: SlidingStretch) -> bool:
    """Whether of several contacts that carry one would stick by itself, where another slides all along."""
    loaded = stretch.arc.loaded
    return len(loaded) > 1 and 0 < len(_all_along(stretch)) < len(loaded)


def _all_along(stretch: SlidingStretch) -> list[FeaturePair]:
    arc = stretch.arc
    ends = ((stretch.begin, 1), (stretch.end, -1))
    return [pair for pair in arc.loaded if all(_slides(arc, pair, place, ahead) for place, ahead in ends)]


def _slides(arc: ContactArc, pair: FeaturePair, place: SlicePoint, ahead: int) -> bool:
    towards = slip_sign(arc, pair, place, ahead) if pair.friction != 0 else 0
    return stick_form(pair, arc.side, towards).at(place.t, place.u).sign() > 0


def _floats(point: Any) -> Any:
    return np.array([float(point[0]), float(point[1])])
