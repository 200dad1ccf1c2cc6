"""Following pawls by proved steps, and by algebra where doubles do not decide: the same run, sooner.

What `tracking` proved becomes the same events and stretches that the exact sweep makes. Their places are
algebraic numbers that the enclosures tell already; polynomials are factored only when asked. A step that is
not proved is left to the sweep, from exactly that place, and tracking goes on after it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from detent.motion.quasistatic.exact.continuation import ContactArc, Outcome, Rest
from detent.motion.quasistatic.exact.legs import Follow
from detent.motion.quasistatic.exact.pawl import Moved, PawlRun, StepsAhead, run
from detent.motion.quasistatic.machine.fasteners import Fastener
from detent.motion.quasistatic.machine.limits import AngleLimit
from detent.motion.quasistatic.proved.arrays import nearest, rows, times_near
from detent.motion.quasistatic.proved.corner import heading_of
from detent.motion.quasistatic.proved.story import Key, ProvedStory
from detent.motion.quasistatic.proved.terms import COLUMNS, Pairs, ProvedPush, ProvedRoom, ProvedState
from detent.motion.quasistatic.proved.tracking import (
    DOUBT,
    FINISHED,
    REVERSAL,
    STUCK,
    prove,
)
from detent.motion.quasistatic.slice.curves import FeaturePair, pair
from detent.motion.quasistatic.slice.table import Slice, SlicePoint
from detent.numeric.polynomial.algebraic import Real
from detent.numeric.polynomial.enclose import DEPTH

# Elementary steps that tracking spends on one pair per feature that it comes to, roughly.
STEPS = 20
ROWS = 64  # of room at first; more is made when it is full
MOST_KNOWN = 8


def certified(fastener: Fastener) -> Follow:
    """Follow pawls by proved steps and the exact sweep."""

    def follow(index: int, slice_: Slice, before: PawlRun, start: Real, until: Real) -> PawlRun:
        end = before.end
        assert end is not None
        place = SlicePoint(start if start.rational is not None else end.t, end.half, end.u)
        limits = fastener.pawls[index].limits
        return run(slice_, place, until, limits, ahead(slice_, place, until, limits, _carrying(before)))

    return follow


def _carrying(before: PawlRun) -> FeaturePair | None:
    """The contact that carried a pawl where a run of it was done, if it was the only one."""
    if before.cause != "done" or not before.stretches or before.end is None or not before.end.side:
        return None
    contacts = before.stretches[-1].arc.loaded
    return contacts[0] if len(contacts) == 1 else None


def ahead(
    slice_: Slice,
    start: SlicePoint,
    until: Real,
    limits: tuple[AngleLimit, ...],
    carrying: FeaturePair | None,
) -> StepsAhead | None:
    """Proved steps on a push; None of boundaries that several frictions share, or that have no inside."""
    if not slice_.pawl or not slice_.obstacles:
        return None
    if not all(leaf.closed and all(leaf.facing) for leaf, _ in slice_.obstacles):
        return None
    return ProvedSteps(slice_, start, until, limits, carrying)


class ProvedSteps:
    """One pawl on one push in doubles, and what was proved of it as places, arcs and events."""

    def __init__(
        self,
        slice_: Slice,
        start: SlicePoint,
        until: Real,
        limits: tuple[AngleLimit, ...],
        carrying: FeaturePair | None,
    ) -> None:
        self.slice, self.until, self.carrying = slice_, until, carrying
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
        self.work = STEPS * n * m * (n + m)
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

        An outcome that is None is a pawl of which nothing is known but, away from rest, what carried it.
        """
        begun = outcome
        if outcome is None and place.side:
            begun = self._carried_at(place)
        state = None if begun is None and place.side else self._state(place, begun, outcome is None)
        if state is None:
            return (place, outcome), carried, goes_on
        arc = begun if isinstance(begun, ContactArc) else None
        if outcome is None and arc is not None:
            carried = arc.names  # the contact that it begins with is no event
        steps = ProvedStory(self, pawl_run, place, arc, carried, goes_on)
        steps.unsure = outcome is None
        while True:
            status, count = prove.at(self.work)(self.push, self.pairs, state, self.room)
            done = self.room.rows[:count]
            if status == DOUBT:
                # An arc is taken up again from where it begins.
                while len(done) and done[-1, 0] == REVERSAL:
                    done = done[:-1]
            if steps.unsure and place.side and len(done) and done[0, 0] == STUCK:
                # Held at once, by this contact; whether another lets it slide is not known yet.
                return steps.left()
            for row in done:
                steps.take(row)
            if status == FINISHED:
                return None
            if status == DOUBT:
                return steps.left()
            self.room = ProvedRoom(self.room.spans, np.zeros((4 * len(self.room.rows), COLUMNS)))

    def _carried_at(self, place: SlicePoint) -> ContactArc | None:
        """How a pawl goes on that one contact carried where a run before ended, if it still does alone."""
        if self.carrying is None or id(self.carrying.obstacle) not in self._first:
            return None
        key = self._key(self.carrying)
        contacts = self.contacts(key, place.half)
        if self.keeps_angle(key):
            return ContactArc(None, place, 0, place.side, contacts)
        if contacts[0].curve is None:
            return None
        arc = ContactArc(contacts[0].curve, place, 1, place.side, contacts)
        state = self._state(place, arc, True)
        heading = heading_of(self.push, state)[0] if state is not None else 0
        return None if heading == 0 else replace(arc, heading=int(heading))

    def _state(self, place: SlicePoint, outcome: Outcome | None, alone: bool) -> ProvedState | None:
        """A state of the sweep in doubles, `alone` with one contact at most; None of one not tracked."""
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
            touching = [] if alone else self.slice.touching(place)
        elif isinstance(outcome, ContactArc):
            keys = {self._key(contact) for contact in outcome.loaded}
            if len(keys) != 1:
                return None
            (own,) = outcome.loaded
            now[1:5] = *self._key(own), outcome.side
            if alone:
                return ProvedState(where, now, zeros)
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

    def keeps_angle(self, key: Key) -> bool:
        """Whether a contact keeps the pawl's angle: a vertex on a wall parallel to the motion."""
        return bool(key[0] == 1 and self.push.level[key[2]])

    def contacts(self, key: Key, half: int) -> tuple[FeaturePair, ...]:
        """A pair with the other side of a segment's edge, as the sweep has them."""
        kind, k, j = key
        twin = int(self.push.links[k, 1])
        if kind == 0 and self.push.links[twin, 1] == k:
            return tuple(self.pair((0, side, j), half) for side in sorted((k, twin)))
        return (self.pair(key, half),)


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
