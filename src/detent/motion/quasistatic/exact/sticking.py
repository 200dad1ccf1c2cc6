"""Does a loaded contact stick? The test of Donald & Pai 1992, section 7, with its ties.

A contact slides while r x f has the sign of the angle, and sticks once it has
not: at the threshold the force is without bound, so a loaded threshold sticks.
A threshold met at rest carries no load, and there the sign just after decides.
Several contacts slide if one of them can.
"""

from __future__ import annotations

from detent.motion.quasistatic.exact.continuation import ContactArc, sign_near
from detent.motion.quasistatic.exact.stops import slip_form, stick_form
from detent.motion.quasistatic.slice.curves import FeaturePair
from detent.motion.quasistatic.slice.table import SlicePoint


def sticks_at_start(arc: ContactArc) -> bool:
    """Whether the arc sticks where it begins, with the slip it would have."""
    return all(_sticks_from(arc, pair, arc.place) for pair in arc.loaded)


def sticks_at(arc: ContactArc, place: SlicePoint) -> bool:
    """Whether the arc sticks at a later place of it, with the slip it arrives with."""
    return all(_sticks_before(arc, pair, place) for pair in arc.loaded)


def sticks_after(arc: ContactArc, place: SlicePoint) -> bool:
    """Whether it sticks with the slip that it goes on with."""
    return all(_sticks_from(arc, pair, place) for pair in arc.loaded)


def reverses(arc: ContactArc, place: SlicePoint) -> bool:
    """Whether the slip of its contacts changes direction here."""
    return any(
        pair.friction != 0 and slip_sign(arc, pair, place, -1) * slip_sign(arc, pair, place, 1) < 0
        for pair in arc.loaded
    )


def slip_sign(arc: ContactArc, pair: FeaturePair, place: SlicePoint, ahead: int) -> int:
    """Sign of r . v just after (ahead = 1) or just before (-1) a place of an arc.

    At a constant angle that of -side (v . T), which is the same but where r x n is zero or has the
    other sign: there r . v says nothing, and the contact slides all the same.
    """
    if arc.curve is None:
        return _sliding_sign(pair, place, arc.side)
    return sign_near(slip_form(pair), arc, place, ahead)


def _sticks_from(arc: ContactArc, pair: FeaturePair, place: SlicePoint) -> bool:
    if pair.friction == 0:
        return False
    form = stick_form(pair, arc.side, slip_sign(arc, pair, place, 1))
    if place.side == 0:
        return sign_near(form, arc, place, 1) < 0
    return form.at(place.t, place.u).sign() <= 0


def _sticks_before(arc: ContactArc, pair: FeaturePair, place: SlicePoint) -> bool:
    if pair.friction == 0 or place.side == 0:
        return False
    form = stick_form(pair, arc.side, slip_sign(arc, pair, place, -1))
    return form.at(place.t, place.u).sign() <= 0


def _sliding_sign(pair: FeaturePair, place: SlicePoint, side: int) -> int:
    """-side times the sign of v . T, for an edge parallel to the motion."""
    # Of an obstacle's edge T is its direction, and the place along it grows with v . T. Of the pawl's,
    # d/dt of r x n is -(v x n) = v . T with T = n rotated by 90 degrees.
    rate = pair.start.slope if pair.kind == "B" else pair.lever[0][1]
    return -side * place.u.of(rate).sign()
