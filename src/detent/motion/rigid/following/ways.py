"""Where steps of the drives lead: what balances after them, how contacts act there, touches on the way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from detent.motion.rigid.following.balance import TOUCH, SlowMachine
from detent.motion.rigid.following.folds import Fold, fold_near
from detent.motion.rigid.following.slow_rows import Balanced, Tendency
from detent.motion.rigid.following.surroundings import Surroundings
from detent.numeric.contact_problem import BACKWARD, FORWARD, OPEN

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

AHEAD = 1e-6  # of a stride: how far drives go to see which way contacts change
STRAIGHT = 0.1  # of the distance at which features touch: so near is a straight way to the real one


class Ways(Surroundings):
    """Ways of the drives from a state on which the contacts `closed` act as `status` says."""

    def __init__(self, balance: SlowMachine, stride: float) -> None:
        super().__init__(balance)
        self.stride = stride
        self.status: list[int] = []
        self.normal = np.zeros(0)
        self.turned: dict[int, int] = {}  # contacts that begin to slide the other way, and which

    def balanced(self, y: Floats, place: float, h: float) -> Balanced | None:
        """The position after h; None where there is none near."""
        found = self.balance.solve(y, place + h, self.closed, self.status, self.normal)
        if not found.solved or np.abs(found.y - y).max(initial=0.0) > 4 * self.stride:
            return None
        return found

    def holds(self, found: Balanced | None, place: float) -> bool:
        """Whether the same contacts act at a position, and nothing has gone too far."""
        if found is None or self.beyond(found.y, self.closed):
            return False
        if not self.closed:
            return True
        on = self.onward(found.y, place, self.closed, found.normal, arriving=True, status=self.status)
        return on.solved and on.status.tolist() == self.status

    def opened(self, y: Floats, place: float, after: float) -> set[int]:
        """Contacts that no longer push, just beyond where contacts change.

        Those that begin to slide the other way join `turned`. A contact that slides may seem to stick where
        its force or its speed vanishes; so it is looked a little farther on.
        """
        self.turned = {}
        for farther in (0.0, 1e-9, 1e-8, 1e-7):
            found = self.balanced(y, place, after + farther)
            if found is None:
                break
            on = self.onward(found.y, place + after + farther, self.closed, found.normal, arriving=True)
            opened = {c for c, s in zip(self.closed, on.status, strict=True) if on.solved and s == OPEN}
            if opened:
                return opened
            if on.solved:
                both = zip(self.closed, self.status, on.status, strict=True)
                self.turned = {c: int(s) for c, was, s in both if {was, int(s)} == {FORWARD, BACKWARD}}
        return set()

    def onward(
        self,
        y: Floats,
        place: float,
        touching: Sequence[int],
        force: Floats | None = None,
        *,
        arriving: bool = False,
        status: Sequence[int] | None = None,
    ) -> Tendency:
        """Which way it goes with its drives; `arriving` as they came, else as they go on."""
        b = self.balance
        rated_at = place - 1e-9 if arriving else place
        fast = b.fastest(rated_at)
        ahead = AHEAD * self.stride / fast if fast > 0 else 0.0
        return b.tendency(y, place, touching, ahead=ahead, force=force, rated_at=rated_at, status=status)

    def cut(self, y: Floats, place: float, h: float, to: Floats, share: float) -> tuple[float, bool]:
        """How far drives go where something touches on the straight way after h, and whether it really does.

        A straight way leaves the real one, and may touch what that does not. So a touch counts where both are
        one, or where nothing else touches on the straight way to it; else the step is halved.
        """
        there, at = y + (to - y) * share, self.balanced(y, place, h * share)
        if at is not None and np.abs(at.y - there).max(initial=0.0) <= STRAIGHT * TOUCH:
            return h * share, True
        touch = self.touching_at(y, place, h * share, there)
        if touch is not None and touch <= h:
            found = self.balanced(y, place, touch)
            if found is not None and self.first_touch(y, found.y) >= 1.0 - 1e-6:
                return touch, True
        return h / 2, False

    def touching_at(self, y: Floats, place: float, h: float, there: Floats) -> float | None:
        """How far drives go until what touches on the straight way, after h, touches on the real one.

        None where it does not near there.
        """
        nearest = self.nearest(there)
        if nearest is None:
            return None
        before, t = (0.0, self.distance(y, nearest)), h
        for _ in range(12):
            found = self.balanced(y, place, t)
            if found is None:
                break
            d = self.distance(found.y, nearest)
            if abs(d) <= 0.1 * self.touch:
                return t
            if d == before[1]:
                break
            aim = t - d * (t - before[0]) / (d - before[1])
            if not 0.0 < aim < 2.0 * h:
                break
            before, t = (t, d), aim
        return None

    def fold_ahead(self, y: Floats, place: float, h: float) -> Fold | None:
        """Where the closed contacts lead no farther."""
        fold = fold_near(self.balance, y, place, self.closed, self.status) if self.closed else None
        if fold is None or not place < fold.place <= place + h:
            return None
        far = np.abs(fold.y - y).max() > 8 * self.stride or self.beyond(fold.y, self.closed)
        return None if far else fold
