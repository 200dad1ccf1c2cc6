"""What a pawl does just after an instant: the order of floors and ceilings there.

Donald & Pai 1992, sections 8.2-8.4, decide the successor of an event by signs
of gamma_i x gamma_j (eq. 32), which is neither necessary nor sufficient. Here
the contact curves through the point are ordered just after it, and of each
sector between them one rational point is asked whether the polygons overlap
there: complete, whatever meets at the instant.

The state takes the free part nearest to rest and lies on its edge nearest to
rest. Free is closed: an exact fit fits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from flint import ctx

from detent.geometry.exact.polygon import blocked
from detent.motion.quasistatic.slice.curves import ContactCurve, FeaturePair, Form, cleared
from detent.motion.quasistatic.slice.table import Slice, SlicePoint
from detent.numeric.polynomial.algebraic import FIRST_BITS, Real, between, compare, real, real_roots
from detent.numeric.polynomial.balls import GUARD_BITS


@dataclass(frozen=True)
class ContactArc:
    """A stretch of sliding: along a curve, or at a constant angle where the curve is None."""

    curve: ContactCurve | None
    place: SlicePoint  # where it begins
    heading: int  # sign of du along it; 0 at a constant angle
    side: int  # of rest
    contacts: tuple[FeaturePair, ...]

    @cached_property
    def names(self) -> tuple[str, ...]:
        return _names(self.contacts)

    @cached_property
    def loaded(self) -> tuple[FeaturePair, ...]:
        """The contacts that can hold the pawl against its spring: r x n has the sign of the angle.

        Of an exact fit the others only touch; of a segment's two sides one is meant.
        """
        if len(self.contacts) == 1:
            return self.contacts
        holding = tuple(pair for pair in self.contacts if self._holds(pair))
        return holding or self.contacts

    def _holds(self, pair: FeaturePair) -> bool:
        return sign_near(across_form(pair), self, self.place, 1) == self.side


def across_form(pair: FeaturePair) -> Form:
    """r x n, with the sign of the angle while the contact carries load."""
    return cleared(*pair.lever[0])


def sign_near(form: Form, arc: ContactArc, place: SlicePoint, ahead: int) -> int:
    """Sign of a form along an arc, just after (1) or just before (-1) one of its places."""
    value = form.at(place.t, place.u).sign()
    if value:
        return value
    if arc.curve is None:
        return ahead * place.u.of(form.slope).sign()
    denominator = place.u.of(arc.curve.q).sign()
    return denominator * _sign_beside(form.along(arc.curve), place.u, ahead * arc.heading)


def _sign_beside(poly: Any, u: Real, direction: int) -> int:
    """Sign of a polynomial just above (1) or below (-1) a number, by its first derivative not zero."""
    factor = 1
    while not poly.is_zero():
        sign = u.of(poly).sign()
        if sign:
            return sign * factor
        poly = poly.derivative()
        factor *= direction
    return 0


def _names(pairs: Iterable[FeaturePair]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(pair.name for pair in pairs))


@dataclass(frozen=True)
class Rest:
    """Relaxed and unloaded."""


@dataclass(frozen=True)
class Snap:
    """Free towards rest."""


@dataclass(frozen=True)
class Jam:
    reason: Literal["closed", "balanced"]
    touching: tuple[str, ...]
    sides: tuple[ContactArc, ...] = ()  # of a balanced one: the way to each side


Outcome = ContactArc | Rest | Snap | Jam


def continuation(slice_: Slice, place: SlicePoint, barred: frozenset[int] = frozenset()) -> Outcome:
    """How the state goes on just after a free, relaxed place.

    `barred` are the sides of rest that a limit of the angle closes at rest itself:
    pushed from rest with both sides free, the pawl takes the one that is left, if one is.
    """
    touching = slice_.touching(place)
    if not touching:
        return Rest() if place.side == 0 else Snap()
    return _Neighbourhood(slice_, place, touching, barred).outcome()


@dataclass(frozen=True)
class _Branch:
    """A contact curve leaving the place; `sample` lies on it."""

    curve: ContactCurve | None
    heading: int
    t: Any
    u: Any


class _Neighbourhood:
    """The sectors just after a place, from below to above in u."""

    def __init__(
        self, slice_: Slice, place: SlicePoint, touching: list[FeaturePair], barred: frozenset[int]
    ) -> None:
        self.slice, self.place, self.touching, self.barred = slice_, place, touching, barred
        self.leaves = _distinct_leaves(touching)
        self.curves: dict[Any, tuple[ContactCurve, list[FeaturePair]]] = {}
        self.flats: list[FeaturePair] = []
        t, u = place.t, place.u
        for pair in touching:
            if pair.flat.degree() > 0 and u.of(pair.flat).sign() == 0:
                self.flats.append(pair)
            curve = pair.curve
            if curve is not None and (u.of(curve.p) + t * u.of(curve.q)).sign() == 0:
                self.curves.setdefault(curve.key, (curve, []))[1].append(pair)

    def outcome(self) -> Outcome:
        below, above = self._half(-1), self._half(1)
        if self.place.side == 0:
            return self._from_rest(below, above)
        middle: list[Any] = [self._flat_branch(above)] if self.flats else []
        # Without a line at constant angle the innermost sectors are one.
        rising = [*below, *middle, *(above[::-1] if middle else above[::-1][1:])]
        scan = rising if self.place.side > 0 else rising[::-1]
        if scan[0]():
            return Snap()
        return self._first_free(scan, self.place.side) or self._jam()

    def _from_rest(self, below: list[Any], above: list[Any]) -> Outcome:
        if self._free(above[-1].t, real(0)):
            return Rest()
        up = self._first_free(above[::-1], 1)
        down = self._first_free(below[::-1], -1)
        if up is not None and down is not None:
            sides = tuple(arc for arc in (up, down) if arc.side not in self.barred)
            # With both closed it comes to a limit, whichever side is asked.
            return Jam("balanced", _names(self.touching), sides) if len(sides) == 2 else (*sides, up)[0]
        return up or down or self._jam()

    def _jam(self) -> Jam:
        return Jam("closed", _names(self.touching))

    def _first_free(self, scan: list[Any], side: int) -> ContactArc | None:
        """The first branch with free space beyond it, or free itself as an exact fit."""
        for k in range(1, len(scan), 2):
            branch, beyond = scan[k], scan[k + 1]
            contacts = self._contacts(branch)
            # An exact fit: between two contacts, or at a constant angle where the normal passes
            # through the hinge and either rotation leads into the wall.
            fits = len(contacts) > 1 or (branch.curve is None and len(contacts) > 0)
            if beyond() or (fits and self._free(branch.t, branch.u)):
                return ContactArc(branch.curve, self.place, branch.heading, side, contacts)
        return None

    def _contacts(self, branch: _Branch) -> tuple[FeaturePair, ...]:
        """The pairs that touch along a branch, just after the place."""
        if branch.curve is None:
            return tuple(pair for pair in self.flats if self._stays(pair))
        pairs = self.curves[branch.curve.key][1]
        return tuple(pair for pair in pairs if pair.touches(real(branch.t), real(branch.u)))

    def _stays(self, pair: FeaturePair) -> bool:
        t, u = self.place.t, self.place.u
        for form in (pair.start, pair.end):
            if form.at(t, u).sign() == 0 and u.of(form.slope).sign() < 0:
                return False
        return True

    def _flat_branch(self, half: list[Any]) -> _Branch:
        return _Branch(None, 0, half[-1].t, self.place.u)

    def _half(self, heading: int) -> list[Any]:
        """Sectors and branches above (1) or below (-1) the place, outermost first."""
        u = self._edge(heading)
        bits = FIRST_BITS
        while True:
            leaving = sorted(
                (
                    (time, curve)
                    for curve, _ in self.curves.values()
                    if (time := curve.time(u)) > self.place.t
                ),
                key=lambda entry: entry[0].poly[0],
            )
            last = self._beyond([time for time, _ in leaving], u)
            if float(last) <= self.slice.span[1] and self._alone(u, last, bits):
                break
            u = real(_toward(self.place.u, u))
            bits += 8
        times = [self.place.t, *(time for time, _ in leaving), real(last)]
        half: list[Any] = []
        for k, (time, curve) in enumerate(leaving):
            half += [self._sector(times[k], time, u), _Branch(curve, heading, time.poly[0], u.poly[0])]
        half.append(self._sector(times[-2], times[-1], u, at=last))
        return half

    def _sector(self, low: Real, high: Real, u: Real, at: Any = None) -> _Sector:
        t = between(low, high) if at is None else at
        return _Sector(t, lambda: self._free(t, u.poly[0]))

    def _free(self, t: Any, u: Any) -> bool:
        if isinstance(u, Real) and u.rational is not None:
            u = u.rational
        for leaf, obstacle in self.leaves:
            if blocked(leaf, self.slice.posed(leaf, t, self.place.half, u), obstacle):
                return False
        return True

    def _edge(self, heading: int) -> Real:
        """A rational u beside the place, nearer than anything that happens to its curves."""
        u = self.place.u
        nearest: Real = real(between(u, u + 1) if heading > 0 else between(u - 1, u))
        curves = list(self.curves.values())
        polys = []
        for k, (curve, pairs) in enumerate(curves):
            polys += [curve.folds, curve.q]
            polys += [form.along(curve) for pair in pairs for form in (pair.start, pair.end)]
            polys += [curve.p * other.q - other.p * curve.q for other, _ in curves[:k]]
        for poly in polys:
            for root in real_roots(poly):
                beyond = compare(root, u)
                if beyond == heading and compare(nearest, root) == heading:
                    nearest = root
        return real(between(u, nearest) if heading > 0 else between(nearest, u))

    def _beyond(self, times: list[Real], u: Real) -> Any:
        """A rational time a little later than all branches at this u."""
        if times:
            latest = times[-1]
            return between(latest, latest + (latest - self.place.t))
        width = u - self.place.u
        return between(self.place.t, self.place.t + (width if width.sign() > 0 else -width))

    def _alone(self, u: Real, last: Any, bits: int) -> bool:
        """Whether no other pair touches anywhere between the place and (last, u)."""
        known = set(map(id, self.touching))
        leaves = {(id(leaf), id(obstacle.points)) for leaf, obstacle in self.leaves}
        times, angles = (float(self.place.t), float(last)), (float(self.place.u), float(u))
        near = self.slice.table(self.place.half).within(times, angles)
        with ctx.workprec(bits + GUARD_BITS):
            wide_t = self.place.t.ball(bits).union(real(last).ball(bits))
            wide_u = self.place.u.ball(bits).union(u.ball(bits))
            return not any(
                pair.may_touch(wide_t, wide_u)
                for pair in near
                if id(pair) not in known and (id(pair.pawl), id(pair.obstacle.points)) in leaves
            )


@dataclass(frozen=True)
class _Sector:
    """Space between two branches; called, it says whether it is free."""

    t: Any
    free: Callable[[], bool]

    def __call__(self) -> bool:
        return self.free()


def _toward(start: Real, u: Real) -> Any:
    """A rational eight times nearer, or so."""
    step = (u - start) * real(1) / 8
    return between(start, start + step) if step.sign() > 0 else between(start + step, start)


def _distinct_leaves(touching: list[FeaturePair]) -> list[tuple[Any, Any]]:
    # A boundary shared by parts of different friction is one tuple of points.
    seen = {(id(pair.pawl), id(pair.obstacle.points)): (pair.pawl, pair.obstacle) for pair in touching}
    return list(seen.values())
