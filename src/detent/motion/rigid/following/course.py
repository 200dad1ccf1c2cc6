"""Along slow drives, from one change of contacts to the next.

Between changes the closed contacts stay closed, and each position is solved for (`balance`). The straight
line from one position to the next is searched for what comes to touch (`rigid.search`), so that nothing is
stepped over. Where contacts change, those that touch are gathered anew, what nothing holds any more snaps to
where it balances, and the drives go on if they can.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from detent.contact.at_state import find_contacts
from detent.foundation.progress import reached
from detent.motion.rigid import layout
from detent.motion.rigid.changes import past_its_end
from detent.motion.rigid.following.balance import TOUCH, Balance, Balanced, Tendency
from detent.motion.rigid.layout import view
from detent.motion.rigid.search import APART, SPEED, apart, bound_motion, first_touch
from detent.motion.rigid.touching import gather
from detent.numeric.contact_problem import OPEN, STICK
from detent.numeric.roots import bisect

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

HALVINGS = 36  # of a step in which something changes
STILL = 1e-8  # of a radian, or of the size: what would move less is in balance
SNAP = 1e-6  # what moved more at one place of the drives has snapped
AHEAD = 1e-6  # of a stride: how far drives go to see which way contacts change
MOST_MOVES = 4000  # of one snap
MOST_NODES = 200_000
MOST_IDLE = 60  # changes at one place of the drives
SHORTEST = 1e-11  # of a position
_DEEP = 1e-3  # of the size: overlaps that are looked for
_NEAR = 10.0  # times the distance at which features touch


@dataclass(frozen=True)
class Happening:
    """What happened at a place: contacts closed before and after, by number; how far each coordinate jumped."""

    place: float
    before: tuple[int, ...]
    after: tuple[int, ...]
    from_: Floats | None = None  # coordinates before a snap
    to: Floats | None = None


@dataclass
class Course:
    """Positions that were computed, what happened on the way, and how it ended."""

    balance: Balance
    stride: float
    places: list[float] = field(default_factory=list)
    nodes: list[Any] = field(default_factory=list)
    forces: list[dict[int, float]] = field(default_factory=list)  # of contacts, at each node
    drive_forces: list[Floats] = field(default_factory=list)
    happened: list[Happening] = field(default_factory=list)
    cause: str = "done"
    detail: str = ""
    blocked_by: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        b = self.balance
        self.f, self.i = b.blocks
        self.touch = TOUCH * b.size
        self.asleep = view(b.blocks, layout.ASLEEP)
        self.travel = view(b.blocks, layout.TRAVEL)[0]
        self.points = view(b.blocks, layout.POINTS)
        self.bounds = view(b.blocks, layout.BOUNDS)
        self.pairs = view(b.blocks, layout.PAIRS)
        self.listed = view(b.blocks, layout.LISTED)
        self.touching = view(b.blocks, layout.TOUCHING)
        self.closed: list[int] = []
        self.status: list[int] = []
        self.normal = np.zeros(0)
        self.held = np.zeros(0)
        self.away = np.zeros(b.freedoms)  # which way it last went
        self.candidates = len(b.possible)

    # the search

    def first_touch(self, y: Floats, to: Floats) -> float:
        """The share of a straight way at which something new touches; 2 where nothing does."""
        b = self.balance
        for p in range(6):
            self.points[p] = (y + (to - y) * (p / 5)) * b.scales
        b.put(y, to - y)
        bound_motion.at(b.work)(self.f, self.i, 1.0)
        closed = [c for c in self.closed if c < self.candidates]
        self.touching[0, : len(closed)] = closed
        return float(first_touch.at(b.work)(self.f, self.i, 1.0, len(closed)))

    def went(self) -> None:
        """Counts the travel of the way that was searched last."""
        for k, (a, c) in enumerate(self.pairs):
            self.travel[k] += self.bounds[a, SPEED] + self.bounds[c, SPEED]

    def wake(self, y: Floats) -> None:
        """Candidates that touched without acting, and are apart now, are looked for again."""
        muted = np.flatnonzero(self.asleep[1])
        if not len(muted):
            return
        self.balance.put(y)
        acting = set(self.closed)
        for c in muted:
            if c not in acting:
                distance = apart.at(self.balance.work)(self.f, self.i, int(c))
                if distance > APART * self.touch:
                    self.asleep[0, c] = self.travel[self.listed[c, 3]] + distance
                    self.asleep[1, c] = 0.0

    def overlaps(self, y: Floats, closed: Sequence[int]) -> bool:
        """Whether a feature or a coordinate has gone too far, or a closed contact has left its feature."""
        b = self.balance
        b.put(y)
        for k, stop in enumerate(b.stops):
            past = stop.sign * (stop.end - b.state.joints[0, stop.coordinate]) / b._unit(stop.coordinate)
            if past > _NEAR * TOUCH and self.candidates + k not in closed:
                return True
        for c in closed:
            if c < self.candidates and past_its_end.at(b.work)(self.f, self.i, c, self.touch)[0]:
                return True
        chosen, values = b.possible.scratch
        features, notch, identity, listed, pairs = b.possible.arrays
        count = find_contacts.at(b.work)(
            features, notch, identity, listed, pairs, b.state.bodies,
            0.0, _DEEP * b.size, 20 * self.touch, 0.0,
            chosen, values,
        )  # fmt: skip
        deep = values[:count, 0] < -_NEAR * self.touch
        return bool(set(chosen[:count][deep].tolist()) - set(closed))

    def near(self, y: Floats, way: Floats, without: set[int]) -> list[int]:
        """What touches at a state, but for what leaves the end of its edge on its way."""
        b = self.balance
        size = float(np.abs(way).max(initial=0.0))
        b.put(y, way / size if size > 0 else None)
        count = gather.at(b.work)(self.f, self.i, 1e-7 * b.size)
        found = [int(c) for c in self.touching[0, :count] if int(c) not in without]
        for k, stop in enumerate(b.stops):
            left = stop.sign * (b.state.joints[0, stop.coordinate] - stop.end) / b._unit(stop.coordinate)
            if left <= _NEAR * TOUCH:
                found.append(self.candidates + k)
        return found

    # the course

    def run(self) -> None:
        """Follows the drives to their end, or to where they are stopped."""
        b = self.balance
        y, place, end = np.zeros(b.freedoms), 0.0, float(len(b.plan.goals) - 1)
        y = self.start(y)
        self.write(place, y)
        y, going = self.settle(y, place, first=True)
        idle = 0
        while going and place < end and len(self.nodes) < MOST_NODES:
            rates = b.plan.rates(place)
            units = np.array([b._unit(k) for k in b.plan.coordinates])
            fast = float(np.abs(rates / units).max(initial=0.0))
            corner = math.floor(place + SHORTEST) + 1.0
            h = min(corner - place, self.stride / fast if fast > 0 else math.inf)
            y_new, place_new, changed = self.step(y, place, h)
            if place + h == corner and place_new == place + h:
                place_new = corner
            idle = idle + 1 if place_new - place < 1e-10 else 0
            self.away, y, place = y_new - y, y_new, place_new
            at_corner = place == corner and corner < end and not np.allclose(rates, b.plan.rates(place), rtol=1e-9)
            if idle > 2 and self.closed:
                y, place, passed = self.pass_fold(y, place)
                idle = 0 if passed else idle
                changed = changed and not passed
            if idle > MOST_IDLE:
                self.cause, self.detail = "interrupted", "changes follow each other too closely to go on"
                return
            if changed or at_corner:
                y, going = self.settle(y, place)
            reached(len(self.nodes), detail=f"position {place:.4g} of {end:g}")

    def start(self, y: Floats) -> Floats:
        """Closes loops and puts drives where they begin."""
        found = self.balance.solve(y, 0.0, [], [], np.zeros(0), rho=None)
        return found.y if found.solved else y

    def write(self, place: float, y: Floats) -> None:
        """Keeps a position, with the forces there."""
        self.places.append(place)
        self.nodes.append(y.copy())
        self.forces.append(dict(zip(self.closed, self.normal.tolist(), strict=False)))
        self.drive_forces.append(self.held.copy())

    def balanced(self, y: Floats, place: float, h: float) -> Balanced | None:
        """The position after h; None where there is none near."""
        found = self.balance.solve(y, place + h, self.closed, self.status, self.normal)
        if not found.solved or np.abs(found.y - y).max(initial=0.0) > 4 * self.stride:
            return None
        return found

    def holds(self, found: Balanced | None, place: float) -> bool:
        """Whether the same contacts act at a position, and nothing has gone too far."""
        if found is None or self.overlaps(found.y, self.closed):
            return False
        if not self.closed:
            return True
        on = self.onward(found.y, place, self.closed, found.normal)
        return on.solved and on.status.tolist() == self.status

    def onward(self, y: Floats, place: float, touching: Sequence[int], force: Floats | None) -> Tendency:
        """Which way it goes with its drives."""
        b = self.balance
        units = np.array([b._unit(k) for k in b.plan.coordinates])
        # At the end of a piece, its own rates hold.
        inside = place - 1e-9 if place == math.floor(place) and place > 0 and force is not None else place
        fast = float(np.abs(b.plan.rates(inside) / units).max(initial=0.0))
        ahead = AHEAD * self.stride / fast if fast > 0 else 0.0
        return self._tendency(y, place, inside, touching, ahead, force)

    def _tendency(
        self, y: Floats, place: float, inside: float, touching: Sequence[int], ahead: float, force: Floats | None
    ) -> Tendency:
        return self.balance.tendency(y, place, touching, ahead=ahead, force=force, rated_at=inside)

    def step(self, y: Floats, place: float, h: float) -> tuple[Floats, float, bool]:
        """One step of the drives, as long as nothing changes: where it leads, and whether something does."""
        whole, changed = h, False
        found = self.balanced(y, place, h)
        while found is None and h > SHORTEST:
            h /= 4
            found = self.balanced(y, place, h)
        if found is None:
            return y, place, True
        if h < whole * 1e-6:
            changed = True
        for _ in range(60):
            share = self.first_touch(y, found.y)
            if share >= 1.0 - 1e-9:
                if self.holds(found, place + h):
                    break
                h, _ = bisect(
                    lambda t: self.holds(self.balanced(y, place, t), place + t), 0.0, h, most=HALVINGS
                )
            else:
                h = self.touching_at(y, place, h * share, y + (found.y - y) * share)
            changed = True
            cut = self.balanced(y, place, h) if h > SHORTEST * 1e-3 else None
            if cut is None:
                return y, place, True
            found = cut
        self.went()
        self.normal, self.held = found.normal, found.held
        self.write(place + h, found.y)
        self.wake(found.y)
        return found.y, place + h, changed

    def touching_at(self, y: Floats, place: float, h: float, there: Floats) -> float:
        """How far drives go until what touches on the straight way, after h, touches on the real one."""
        nearest = self.nearest(there)
        if nearest is None:
            return h
        before, t, free = (0.0, self.distance(y, nearest)), h, 0.0
        for _ in range(12):
            found = self.balanced(y, place, t)
            if found is None:
                break
            d = self.distance(found.y, nearest)
            if d >= -0.1 * self.touch:
                free = max(free, t)
            if abs(d) <= 0.1 * self.touch or d == before[1]:
                break
            aim = t - d * (t - before[0]) / (d - before[1])
            if not 0.0 < aim < 2.0 * h:
                break
            before, t = (t, d), aim
        return free or h

    def nearest(self, y: Floats) -> int | None:
        """Of what does not touch yet, what is nearest; a muted candidate only where it sinks."""
        b = self.balance
        b.put(y)
        closed = set(self.closed)
        distances = [
            (float(apart.at(b.work)(self.f, self.i, c)), c)
            for c in range(self.candidates)
            if c not in closed and self.asleep[1, c] == 0.0
        ]
        return min(distances)[1] if distances and min(distances)[0] <= _NEAR * self.touch else None

    def distance(self, y: Floats, candidate: int) -> float:
        """Of two features; where they have sunk in, minus how deep."""
        b = self.balance
        b.put(y)
        away = float(apart.at(b.work)(self.f, self.i, candidate))
        if away > 0.0:
            return away
        return min(0.0, float(b.rows_at(y, 0.0, [candidate]).gap[0]) * b.size)

    # changes

    def settle(
        self, y: Floats, place: float, *, first: bool = False, begin: Floats | None = None
    ) -> tuple[Floats, bool]:
        """At a place where something changes: what touches, what snaps, and whether the drives can go on."""
        before, begin = tuple(self.closed), y if begin is None else begin
        way, without = self.away, set[int]()
        for _ in range(MOST_MOVES):
            touching = self.near(y, way, without)
            on = self.onward(y, place, touching, None)
            if on.solved:
                kept = self.near(y, on.change, without)
                without |= set(touching) - set(kept)
                touching = kept
            alone = self.balance.tendency(y, place, touching, ahead=0.0)
            if not alone.solved or np.abs(alone.change).max(initial=0.0) <= STILL:
                break
            self.closed = [c for c, s in zip(touching, alone.status, strict=True) if s != OPEN]
            self.status = [int(s) for s in alone.status if s != OPEN]
            y_new = self.move(y, place, alone)
            way, y = y_new - y, y_new
        else:
            self.cause, self.detail = "apart", "what nothing holds goes on and on: it has no equilibrium"
            return y, False
        on = self.onward(y, place, touching, None)
        moved = float(np.abs(y - begin).max(initial=0.0))
        chosen = [k for k, s in enumerate(on.status) if s != OPEN] if on.solved else range(len(touching))
        self.closed = [touching[k] for k in chosen]
        self.status = [int(on.status[k]) if on.solved else STICK for k in chosen]
        self.normal = alone.force[list(chosen)] if len(touching) else np.zeros(0)
        if first:
            self.happened.append(Happening(place, (), tuple(self.closed), begin, y) if moved > SNAP else Happening(place, (), tuple(self.closed)))
        else:
            snapped = moved > SNAP
            self.happened.append(
                Happening(place, before, tuple(self.closed), begin if snapped else None, y if snapped else None)
            )
        self.write(place, y)
        if on.solved:
            return y, True
        self.blocked_by = tuple(self.balance.blocking(y, place, touching))
        self.cause = "jam" if self.blocked_by or touching else "limit"
        if not self.blocked_by:
            rubs = bool((self.balance.rows_at(y, place, touching).friction > 0).any()) if touching else False
            self.detail = (
                "friction holds it" if rubs else "the joints do not follow the drive" if not touching else "no way on was found"
            )
            if not rubs and touching:
                self.cause = "interrupted"
            if rubs:
                self.blocked_by = tuple(self.closed)
        return y, False

    def pass_fold(self, y: Floats, place: float) -> tuple[Floats, float, bool]:
        """Where no step leads on: a contact that the drives open is let go, just beyond, and what it held snaps."""
        b = self.balance
        units = np.array([b._unit(k) for k in b.plan.coordinates])
        fast = float(np.abs(b.plan.rates(place) / units).max(initial=0.0))
        rows = b.rows_at(y, place, self.closed)
        opening = rows.normal @ (b.led(y, place + 1e-6) - y)
        for k in np.argsort(-opening):
            if opening[k] <= 0.0 or fast == 0.0:
                break
            for power in range(-10, -4):
                beyond = place + 10.0**power / fast
                led = b.led(y, beyond)
                if self.overlaps(led, self.closed):
                    continue
                kept = [(c, s) for j, (c, s) in enumerate(zip(self.closed, self.status, strict=True)) if j != k]
                let_go, before = self.closed[k], (list(self.closed), list(self.status))
                self.closed, self.status = [c for c, _ in kept], [s for _, s in kept]
                alone = b.tendency(led, beyond, self.closed, ahead=0.0)
                if alone.solved and np.abs(alone.change).max(initial=0.0) > SNAP:
                    landed = self.move(led, beyond, alone)
                    if self.distance(landed, let_go) > APART * self.touch:
                        self.closed, self.status = before
                        y, _ = self.settle(landed, beyond, begin=led)
                        return y, beyond, True
                self.closed, self.status = before
        return y, place, False

    def move(self, y: Floats, place: float, alone: Tendency) -> Floats:
        """A piece of a snap, at one place of the drives: as far as a stride, or to what it touches."""
        b = self.balance
        rows = b.rows_at(y, place, self.closed)
        rho: float | None = None
        strong = float(np.abs(rows.force).max(initial=0.0))
        for _ in range(80):
            found = b.solve(y, place, self.closed, self.status, np.zeros(len(self.closed)), rho=rho)
            far = float(np.abs(found.y - y).max(initial=0.0))
            if found.solved and far <= self.stride:
                share = self.first_touch(y, found.y)
                if share < 1.0:
                    self.went()
                    return y + (found.y - y) * share
                if not self.overlaps(found.y, self.closed) or far < 1e-7:
                    self.went()
                    self.wake(found.y)
                    return found.y
            rho = strong * 1e-3 if rho is None else rho * 4
        return y + alone.change * min(1.0, 1e-7 / float(np.abs(alone.change).max()))
