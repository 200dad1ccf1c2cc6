"""Following pawls by proved steps, and by algebra where doubles do not decide: the same run, sooner.

What `tracking` proved becomes the same events and stretches that the exact sweep makes. Their places are
algebraic numbers that the enclosures tell already; polynomials are factored only when asked. A step that is
not proved is left to the sweep, from exactly that place, and tracking goes on after it.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Any, Literal

import numpy as np

from detent.motion.quasistatic.exact.continuation import ContactArc, Outcome, Rest
from detent.motion.quasistatic.exact.legs import Follow
from detent.motion.quasistatic.exact.pawl import Ahead, Moved, PawlEvent, PawlRun, SlidingStretch, run
from detent.motion.quasistatic.exact.stops import slip_form, stick_form
from detent.motion.quasistatic.machine.fasteners import Fastener
from detent.motion.quasistatic.machine.limits import AngleLimit
from detent.motion.quasistatic.proved.arrays import nearest, rows, times_near
from detent.motion.quasistatic.proved.terms import COLUMNS, Pairs, ProvedPush, ProvedRoom, ProvedState
from detent.motion.quasistatic.proved.tracking import (
    CHANGE,
    CHARTED,
    CONTACT,
    DOUBT,
    ENDED,
    FINISHED,
    JAM_CROSSING,
    JAM_FOLD,
    RELEASE,
    REVERSAL,
    SNAP,
    STUCK,
    prove,
)
from detent.motion.quasistatic.slice.curves import FeaturePair, Form, angles_at, pair
from detent.motion.quasistatic.slice.table import Slice, SlicePoint
from detent.numeric.polynomial.algebraic import Real, real
from detent.numeric.polynomial.enclose import DEPTH
from detent.numeric.polynomial.enclosed import EnclosedValue, enclosed_root

# Elementary steps that tracking spends on one pair over a push, roughly.
STEPS = 400
ROWS = 64  # of room at first; more is made when it is full
MOST_KNOWN = 8
Key = tuple[int, int, int]


def certified(fastener: Fastener) -> Follow:
    """Follow pawls by proved steps and the exact sweep."""

    def follow(index: int, slice_: Slice, before: PawlRun, start: Real, until: Real) -> PawlRun:
        end = before.end
        assert end is not None
        place = SlicePoint(start if start.rational is not None else end.t, end.half, end.u)
        limits = fastener.pawls[index].limits
        return run(slice_, place, until, limits, ahead(slice_, place, until, limits))

    return follow


def ahead(slice_: Slice, start: SlicePoint, until: Real, limits: tuple[AngleLimit, ...]) -> Ahead | None:
    """Proved steps on a push; None of boundaries that several frictions share, or that have no inside."""
    if not slice_.pawl or not slice_.obstacles:
        return None
    if not all(leaf.closed and all(leaf.facing) for leaf, _ in slice_.obstacles):
        return None
    return ProvedSteps(slice_, start, until, limits)


class ProvedSteps:
    """One pawl on one push in doubles, and what was proved of it as places, arcs and events."""

    def __init__(self, slice_: Slice, start: SlicePoint, until: Real, limits: tuple[AngleLimit, ...]) -> None:
        self.slice, self.until = slice_, until
        pawl = [(leaf, k) for leaf in slice_.pawl for k in range(leaf.count)]
        walls = [(leaf, mu, j) for leaf, mu in slice_.obstacles for j in range(leaf.count)]
        self.pawl, self.walls = pawl, walls
        x, y = slice_.hinge
        turned = rows([leaf.points[k] for leaf, k in pawl], [_edge(leaf, k) for leaf, k in pawl])
        edges = [_edge(leaf, j) for leaf, _, j in walls]
        fixed = rows(
            [(leaf.points[j][0] - x, leaf.points[j][1] - y) for leaf, _, j in walls],
            edges,
            [mu for _, mu, _ in walls],
        )
        odd = turned.copy()
        odd[:, :4] *= -1
        vx, vy = slice_.velocity
        velocity = np.array([nearest(vx), nearest(vy)])
        links, wall_links = _links(slice_.pawl), _links([leaf for leaf, _ in slice_.obstacles])
        level = np.array([int(ex * vy == ey * vx) for ex, ey in edges])
        self.push = ProvedPush(
            *(turned, odd, links, fixed, wall_links, level, velocity),
            np.array(until.bounds),
            np.array([(limit.half, nearest(limit.u)) for limit in limits]).reshape(-1, 2),
        )
        n, m = len(pawl), len(walls)
        self.work = STEPS * n * m
        keys, spans = np.zeros((2 * n * m, 3), dtype=np.int64), np.zeros((2 * n * m, 2))
        arrays = keys, spans, turned, fixed, links, wall_links, *velocity
        count = times_near.at(20 * n * m)(*arrays, start.t.bounds[0], until.bounds[1])
        order = np.argsort(spans[:count, 0], kind="stable")
        self.pairs = Pairs(
            *(keys[order], spans[order]), np.zeros(count, dtype=np.int64), np.zeros(2, dtype=np.int64)
        )
        self.room = ProvedRoom(np.zeros((DEPTH + 4, 2)), np.zeros((ROWS, COLUMNS)))
        self._pairs: dict[tuple[Key, bool], FeaturePair] = {}
        self._first = {id(leaf): row for row, (leaf, k) in enumerate(pawl) if k == 0}
        self._first |= {id(leaf): row for row, (leaf, _, j) in enumerate(walls) if j == 0}

    def advance(
        self,
        pawl_run: PawlRun,
        place: SlicePoint,
        outcome: Outcome | None,
        carried: tuple[str, ...] | None,
        goes_on: bool,
    ) -> Moved | None:
        """Take the steps from a state that are proved; None once the run is at its end.

        An outcome that is None is a pawl at rest that nothing is known of.
        """
        state = self._state(place, outcome)
        if state is None:
            return (place, outcome), carried, goes_on
        arc = outcome if isinstance(outcome, ContactArc) else None
        steps = _Steps(self, pawl_run, place, arc, carried, goes_on)
        if outcome is None:
            steps.unsure = True
        while True:
            status, count = prove.at(self.work)(self.push, self.pairs, state, self.room)
            done = self.room.rows[:count]
            if status == DOUBT:
                # An arc is taken up again from where it begins.
                while len(done) and done[-1, 0] == REVERSAL:
                    done = done[:-1]
            for row in done:
                steps.take(row)
            if status == FINISHED:
                return None
            if status == DOUBT:
                return steps.left()
            self.room = ProvedRoom(self.room.spans, np.zeros((4 * len(self.room.rows), COLUMNS)))

    def _state(self, place: SlicePoint, outcome: Outcome | None) -> ProvedState | None:
        """A state of the sweep in doubles; None where it is not one that is tracked."""
        where = np.array([*place.t.bounds, *place.u.bounds])
        if place.u.rational is not None:
            where[2:] = nearest(place.u.rational)
            if where[2] != 0 and abs(where[2]) != 1:
                where[2:] = place.u.bounds
        now, zeros = np.zeros(8, dtype=np.int64), np.zeros((MOST_KNOWN, 3), dtype=np.int64)
        now[0], now[1] = place.half, -1
        if outcome is None or isinstance(outcome, Rest):
            if place.side:
                return None
            touching = [] if outcome is None else self.slice.touching(place)
        elif isinstance(outcome, ContactArc):
            keys = {self._key(contact) for contact in outcome.loaded}
            if len(keys) != 1:
                return None
            (own,) = outcome.loaded
            now[1:5] = *self._key(own), outcome.side
            at = [form.at(place.t, place.u).sign() == 0 for form in (own.start, own.end)]
            now[5] = 1 if at[0] else 2 if at[1] else 0
            touching = [each for each in self.slice.touching(place) if self._key(each) != self._key(own)]
        else:
            return None
        if len(touching) > MOST_KNOWN:
            return None
        now[7] = len(touching)
        for row, each in zip(zeros, touching, strict=False):
            row[:] = self._key(each)
        # A new search: what was far may be near again after a step back in the list.
        self.pairs.count[:] = 0
        return ProvedState(where, now, zeros)

    def _key(self, feature_pair: FeaturePair) -> Key:
        kind, k, j = feature_pair.which
        pawl, wall = self._first[id(feature_pair.pawl)], self._first[id(feature_pair.obstacle)]
        return int(kind == "B"), pawl + k, wall + j

    def pair(self, key: Key, half: int) -> FeaturePair:
        """The exact pair of a row of the tables."""
        index = key, bool(half % 2)
        if index not in self._pairs:
            kind, k, j = key
            (leaf, vertex), (wall, mu, row) = self.pawl[k], self.walls[j]
            which: Any = ("B" if kind == 1 else "A", vertex, row)
            self._pairs[index] = pair(
                which, leaf, wall, self.slice.hinge, self.slice.velocity, mu, bool(half % 2)
            )
        return self._pairs[index]

    def contacts(self, key: Key, half: int) -> tuple[FeaturePair, ...]:
        """A pair with the other side of a segment's edge, as the sweep has them."""
        kind, k, j = key
        twin = int(self.push.links[k, 1])
        if kind == 0 and self.push.links[twin, 1] == k:
            return tuple(self.pair((0, side, j), half) for side in sorted((k, twin)))
        return (self.pair(key, half),)


class _Steps:
    """Rows of tracking as what the sweep would have noted, one after the other."""

    def __init__(
        self,
        steps: ProvedSteps,
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
            self._stretch(begin, begin if at_once else place)
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
        if key[0] == 1 and self.steps.push.level[key[2]]:
            self.arc = ContactArc(None, place, 0, side, contacts)
        else:
            self.arc = ContactArc(curve, place, int(row[15]), side, contacts)
        self.place = self.begin = place
        self.carried = self.arc.names

    def _off(self, place: SlicePoint) -> None:
        self.arc, self.place, self.begin, self.carried = None, place, place, ()

    def _stretch(self, begin: SlicePoint, end: SlicePoint) -> None:
        assert self.arc is not None
        self.run.stretches.append(SlidingStretch(self.arc, begin, end, goes_on=self.goes_on))
        self.goes_on = False

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
            return stick_form(own, self.arc.side, int(row[11]))
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


def _edge(leaf: Any, k: int) -> tuple[Any, Any]:
    (ax, ay), (bx, by) = leaf.points[k], leaf.points[leaf.after[k]]
    return bx - ax, by - ay


def _links(leaves: Any) -> Any:
    links: list[tuple[int, int, bool]] = []
    for leaf in leaves:
        first = len(links)
        links += [
            (first + before, first + after, out)
            for before, after, out in zip(leaf.before, leaf.after, leaf.convex, strict=True)
        ]
    return np.array(links, dtype=np.int64).reshape(-1, 3)


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
