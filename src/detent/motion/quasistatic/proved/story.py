"""Rows of tracking as what the sweep would have noted: events, stretches, places.

Places are algebraic numbers that the enclosures of the rows tell already; each knows the polynomial
of which it is the only root there.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any, Literal, Protocol

from detent.motion.quasistatic.exact.continuation import ContactArc, Outcome, Rest
from detent.motion.quasistatic.exact.pawl import Moved, PawlEvent, PawlRun, SlidingStretch
from detent.motion.quasistatic.exact.stops import slip_form, stick_form
from detent.motion.quasistatic.proved.tracking import (
    CHANGE,
    CHARTED,
    CONTACT,
    ENDED,
    JAM_CROSSING,
    JAM_FOLD,
    RELEASE,
    REVERSAL,
    SNAP,
    STUCK,
)
from detent.motion.quasistatic.slice.curves import FeaturePair, Form, angles_at
from detent.motion.quasistatic.slice.table import SlicePoint
from detent.numeric.polynomial.algebraic import Real, real
from detent.numeric.polynomial.enclosed import EnclosedValue, enclosed_root

Key = tuple[int, int, int]  # kind, pawl's row, obstacle's row


class PairsOfRows(Protocol):
    """The exact pairs behind the rows of the tables."""

    until: Real

    def pair(self, key: Key, half: int) -> FeaturePair: ...

    def contacts(self, key: Key, half: int) -> tuple[FeaturePair, ...]: ...

    def keeps_angle(self, key: Key) -> bool: ...


class ProvedStory:
    """Rows of tracking as what the sweep would have noted, one after the other."""

    def __init__(
        self,
        steps: PairsOfRows,
        pawl_run: PawlRun,
        place: SlicePoint,
        arc: ContactArc | None,
        carried: tuple[str, ...] | None,
        goes_on: bool,
    ) -> None:
        self.steps, self.run, self.place, self.arc = steps, pawl_run, place, arc
        self.carried, self.goes_on = carried, goes_on
        self.begin = place  # of the present stretch
        self.unsure = False  # whether nothing is known of the place yet

    def left(self) -> Moved:
        outcome: Outcome | None = Rest() if self.arc is None else self.arc
        if self.unsure:
            outcome = None
        return (self.place, outcome), self.carried, self.goes_on

    def take(self, row: Any) -> None:
        """One row: an event, a stretch, or both."""
        what = int(row[0])
        self.unsure = False
        key: Key = (int(row[6]), int(row[7]), int(row[8]))
        place = self._place(row)
        if self.arc is not None and what != CONTACT:
            begin = self.begin
            at_once = what == STUCK and row[13] == 1
            if at_once:
                self.run.stretches.append(SlidingStretch(self.arc, begin, begin, goes_on=self.goes_on))
            else:
                # At a fold and where it sticks the force has no bound; elsewhere a proved step slides.
                folds = what == JAM_FOLD or (what == SNAP and row[13] == 0)
                held = folds or (what == STUCK and row[13] == 0)
                self._stretch(begin, place, int(row[16]), held)
            self.goes_on = False
            place = begin if at_once else place
        before = self.carried or ()
        if what == CONTACT:
            self._on(key, place, row)
            self._happen("contact", place, after=self._names())
        elif what == CHANGE:
            self._on(key, place, row)
            if before != self._names():
                self._happen("change", place, before=before, after=self._names())
        elif what == RELEASE:
            self._happen("release", place, before=before)
            self._off(place)
        elif what == SNAP:
            self._snap(row, key, place, before)
        elif what in (JAM_CROSSING, JAM_FOLD):
            self._jam(what, key, place, before)
        elif what == STUCK:
            assert self.arc is not None
            self._happen("stick", place, before=self.arc.names)
            self._finish(place, "stick")
        elif what == REVERSAL:
            assert self.arc is not None
            self._happen("reversal", place, before=self.arc.names, after=self.arc.names)
            self.begin = place
        elif what == CHARTED:
            self.goes_on = True
            heading = int(row[10])
            self._on(key, SlicePoint(place.t, place.half + heading, real(-heading)), row)
        else:
            self._finish(place, "done")

    def _names(self) -> tuple[str, ...]:
        assert self.arc is not None
        return self.arc.names

    def _on(self, key: Key, place: SlicePoint, row: Any) -> None:
        """Take up a contact."""
        contacts, side = self.steps.contacts(key, place.half), int(row[9])
        curve = contacts[0].curve
        if self.steps.keeps_angle(key):
            self.arc = ContactArc(None, place, 0, side, contacts)
        else:
            self.arc = ContactArc(curve, place, int(row[15]), side, contacts)
        self.place = self.begin = place
        self.carried = self.arc.names

    def _off(self, place: SlicePoint) -> None:
        self.arc, self.place, self.begin, self.carried = None, place, place, ()

    def _stretch(self, begin: SlicePoint, end: SlicePoint, towards: int, held: bool) -> None:
        assert self.arc is not None
        stretch = SlidingStretch(self.arc, begin, end, goes_on=self.goes_on)
        if len(self.arc.contacts) == 1:  # of a segment's sides it depends on which carries
            stretch = replace(stretch, towards=towards, unbounded=(False, held), proved=True)
        self.run.stretches.append(stretch)

    def _happen(self, kind: Any, place: SlicePoint, **details: Any) -> None:
        self.run.events.append(PawlEvent(kind, place, **details))

    def _finish(self, place: SlicePoint, cause: Literal["done", "jam", "stick"]) -> None:
        self.run.end, self.run.cause = place, cause

    def _jam(self, what: int, key: Key, place: SlicePoint, before: tuple[str, ...]) -> None:
        assert self.arc is not None
        met = [*self.arc.contacts]
        if what == JAM_CROSSING:
            met += self.steps.contacts(key, place.half)
        touching = tuple(dict.fromkeys(each.name for each in sorted(met, key=lambda each: each.order)))
        self._happen("jam", place, before=before, touching=touching, reason="closed")
        self._finish(place, "jam")

    def _snap(self, row: Any, key: Key, place: SlicePoint, before: tuple[str, ...]) -> None:
        if key[0] < 0:
            landed = SlicePoint(place.t, 0, real(0))
            self._happen("snap", place, before=before, after=(), landed=landed)
            self._off(landed)
            return
        half = int(row[10])
        low, high = float(row[11]), float(row[12])
        stopped_by = self.steps.pair(key, half)
        landed_u = Real.later((low, high), _angle_at(stopped_by.gap, place.t, low, high))
        landed = SlicePoint(place.t, half, landed_u)
        self._on(key, landed, row)
        self._happen("snap", place, before=before, after=self._names(), landed=landed)
        # Told before the contact is taken up.
        return

    def _place(self, row: Any) -> SlicePoint:
        """The exact place of a row, enclosed as it is there."""
        what, half = int(row[0]), int(row[3])
        t, u = (float(row[1]), float(row[2])), (float(row[4]), float(row[5]))
        key: Key = (int(row[6]), int(row[7]), int(row[8]))
        if what == ENDED:
            return self._at_the_end(half, t, u)
        if self.arc is None:
            gap = self.steps.pair(key, 0).gap
            return SlicePoint(_linear_time(gap, real(0), t), 0, real(0))
        curve = self.arc.curve
        form = self._form(row, what, half, key)
        if curve is None:
            return SlicePoint(_linear_time(form, self.begin.u, t), half, self.begin.u)
        if what in (RELEASE, CHARTED):
            at = real(0 if what == RELEASE else int(row[10]))
            return SlicePoint(curve.time(at), half, at)
        polynomial = (lambda: curve.folds) if form is None else partial(form.along, curve)
        root = enclosed_root(polynomial, *u)
        return SlicePoint(_time_on(curve, root, t), half, root)

    def _form(self, row: Any, what: int, half: int, key: Key) -> Form | None:
        """What is zero at the place of a row; None for a fold."""
        assert self.arc is not None
        own = self.arc.loaded[0]
        corner = row[13] == 1 and what in (CHANGE, SNAP, JAM_CROSSING)
        if corner:
            return own.end if row[14] == 1 else own.start
        if what in (CHANGE, JAM_CROSSING):
            return self.steps.pair(key, half).gap
        if what == REVERSAL or (what == STUCK and row[13] == 2):
            return slip_form(own)
        if what == STUCK:
            return stick_form(own, self.arc.side, int(row[16]))
        return None

    def _at_the_end(self, half: int, t: tuple[float, float], u: tuple[float, float]) -> SlicePoint:
        until = self.steps.until
        if self.arc is None:
            return SlicePoint(until, 0, real(0))
        curve = self.arc.curve
        if curve is None:
            return SlicePoint(until, half, self.begin.u)
        if until.rational is not None:
            time = until.rational
            common = curve.p * time.q + curve.q * time.p
            return SlicePoint(until, half, enclosed_root(lambda: common, *u))
        angle = Real.later(u, _angle_at(Form(curve.p, curve.q), until, *u))
        return SlicePoint(_time_on(curve, angle, t), half, angle)


def _linear_time(form: Form | None, u: Real, bounds: tuple[float, float]) -> Real:
    """When a form is zero at a constant angle."""
    assert form is not None

    def exact() -> Real:
        return -u.of(form.constant) / u.of(form.slope)

    return Real.later(bounds, EnclosedValue(lambda bits: exact().ball(bits), exact))


def _time_on(curve: Any, u: Real, bounds: tuple[float, float]) -> Real:
    """t = -p/q, as an element of the field of u once it is asked for exactly."""

    def ball(bits: int) -> Any:
        at = u.ball(bits)
        return -curve.p(at) / curve.q(at)

    return Real.later(bounds, EnclosedValue(ball, lambda: curve.time(u)))


def _angle_at(gap: Form, t: Real, low: float, high: float) -> EnclosedValue:
    """The u between two doubles at which a gap is zero at a time t."""

    least, most = real(Fraction(low)), real(Fraction(high))

    def exact() -> Real:
        for u in angles_at(gap.constant, gap.slope, t):
            if least <= u <= most:
                return u
        raise AssertionError("no root in its enclosure")

    return EnclosedValue(lambda bits: exact().ball(bits), exact)
