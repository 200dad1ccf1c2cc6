"""What is near a machine that moves by straight pieces: what touches, what comes to touch on the way."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from detent.motion.rigid import layout
from detent.motion.rigid.bounds import SPEED, bound_motion
from detent.motion.rigid.changes import past_its_end
from detent.motion.rigid.following.balance import TOUCH, SlowMachine
from detent.motion.rigid.layout import view
from detent.motion.rigid.search import apart, depth_of, first_touch, parted_by
from detent.motion.rigid.touching import gather

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

# Shares of a way at which it is looked whether what rests sinks in.
_LOOKS = (1e-4, 3e-4, 1e-3, 3e-3, 1e-2, 3e-2, 0.1, 0.3, 0.6, 1.0)
_NEAR = 10.0  # times the distance at which features touch


class Surroundings:
    """The rigid method's search, along straight ways in the coordinates of the joints.

    `closed` are the contacts that act, by number of candidate; behind the candidates stand stops of joints.
    """

    def __init__(self, balance: SlowMachine) -> None:
        self.balance = balance
        self.f, self.i = balance.blocks
        self.touch = TOUCH * balance.size
        self.asleep = view(balance.blocks, layout.ASLEEP)
        self.travel = view(balance.blocks, layout.TRAVEL)[0]
        self.points = view(balance.blocks, layout.POINTS)
        self.bounds = view(balance.blocks, layout.BOUNDS)
        self.pairs = view(balance.blocks, layout.PAIRS)
        self.listed = view(balance.blocks, layout.LISTED)
        self.touching = view(balance.blocks, layout.TOUCHING)
        self.candidates = len(balance.possible)
        self.closed: list[int] = []
        self.outside = set(
            range(len(balance.stops))
        )  # stops that no position was within yet: they hold nothing

    def first_touch(self, y: Floats, to: Floats) -> float:
        """The share of a straight way at which something new touches; 2 where nothing does."""
        b = self.balance
        for p in range(6):
            self.points[p] = (y + (to - y) * (p / 5)) * b.scales
        b.put(y, to - y)
        bound_motion.at(b.work)(self.f, self.i, 1.0)
        closed = [c for c in self.closed if c < self.candidates]
        self.touching[0, : len(closed)] = closed
        resting = self.resting(y, to)
        kept = self.asleep[:, resting].copy()
        self.asleep[0, resting], self.asleep[1, resting] = np.inf, 0.0
        share = float(first_touch.at(b.work)(self.f, self.i, 1.0, len(closed)))
        self.asleep[:, resting] = kept
        return share

    def resting(self, y: Floats, to: Floats) -> list[int]:
        """What touches without acting and does not sink in on a straight way, looked at from its beginning.

        As the edges beside a corner that a disc rolls over, which end where it touches.
        """
        acting = set(self.closed)
        muted = [int(c) for c in np.flatnonzero(self.asleep[1]) if int(c) not in acting]
        depth, b = depth_of.at(self.balance.work), self.balance
        for share in _LOOKS:
            if not muted:
                break
            b.put(y + (to - y) * share)
            muted = [c for c in muted if depth(self.f, self.i, c) <= 2.0 * self.touch]
        b.put(y, to - y)
        return muted

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
                distance = parted_by.at(self.balance.work)(self.f, self.i, int(c), self.touch)
                if distance > 0.0:
                    self.asleep[0, c] = self.travel[self.listed[c, 3]] + distance
                    self.asleep[1, c] = 0.0

    def beyond(self, y: Floats, closed: Sequence[int]) -> bool:
        """Whether a coordinate is past its stop, or a closed contact has left its feature."""
        b = self.balance
        b.put(y)
        if any(
            left < -_NEAR * TOUCH and self.candidates + k not in closed for k, left in self._room_at_stops()
        ):
            return True
        for c in closed:
            if c < self.candidates and past_its_end.at(b.work)(self.f, self.i, c, self.touch)[0]:
                return True
        return False

    def near(self, y: Floats, way: Floats, without: set[int]) -> list[int]:
        """What touches at a state, but for what leaves the end of its edge on its way."""
        b = self.balance
        size = float(np.abs(way).max(initial=0.0))
        b.put(y, way / size if size > 0 else None)
        count = gather.at(b.work)(self.f, self.i, 1e-7 * b.size)
        found = [int(c) for c in self.touching[0, :count] if int(c) not in without]
        return found + [self.candidates + k for k, left in self._room_at_stops() if left <= _NEAR * TOUCH]

    def come_within(self, y: Floats) -> None:
        """Stops hold from where their joint is first within them: a drawing may lie beyond."""
        if not self.outside:
            return
        self.balance.put(y)
        beyond = {k for k, left in self._room_at_stops(self.outside) if left < -_NEAR * TOUCH}
        self.outside = beyond

    def names_of_stops(self, numbers: Iterable[int]) -> tuple[str, ...]:
        """The joints that stops belong to."""
        return tuple(dict.fromkeys(self.balance.stops[k].joint for k in sorted(numbers)))

    def _room_at_stops(self, of: Iterable[int] | None = None) -> list[tuple[int, float]]:
        """How far joints are from stops as bodies are placed, by number; of those that hold, or of these."""
        b = self.balance
        numbers = [k for k in range(len(b.stops)) if k not in self.outside] if of is None else of
        return [
            (k, stop.sign * (b.state.joints[0, stop.coordinate] - stop.end) / b.unit(stop.coordinate))
            for k, stop in ((k, b.stops[k]) for k in numbers)
        ]

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
        depth = float(depth_of.at(b.work)(self.f, self.i, candidate))
        return -depth if depth > 0.0 else float(apart.at(b.work)(self.f, self.i, candidate))
