"""Along slow drives, from one change of contacts to the next.

Between changes the closed contacts stay closed, and each position is solved for (`balance`). The straight
line from one position to the next is searched for what comes to touch (`rigid.search`), so that nothing is
stepped over. Where contacts change, those that touch are gathered anew, what nothing holds any more snaps to
where it balances, and the drives go on if they can.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from detent.foundation.progress import reached
from detent.kinematics.planning.limit_rows import cannot_begin
from detent.motion.rigid.following.balance import SlowMachine
from detent.motion.rigid.following.blocking import blocking
from detent.motion.rigid.following.folds import Fold
from detent.motion.rigid.following.slow_rows import Tendency
from detent.motion.rigid.following.ways import Ways
from detent.motion.rigid.search import APART
from detent.numeric.contact_problem import OPEN, STICK
from detent.numeric.roots import bisect

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

HALVINGS = 36  # of a step in which something changes
STILL = 1e-8  # of a radian, or of the size: what would move less is in balance
SNAP = 1e-6  # what moved more at one place of the drives has snapped
MOST_MOVES = 4000  # of one snap
MOST_NODES = 200_000
CRAWL = 400  # positions that together get nowhere
MOST_IDLE = 60  # changes at one place of the drives
SHORTEST = 1e-11  # of a position
MOST_CUTS = 100  # of one step
LOCKED = 1e6  # times springs and weights: drives that need more come to where no force moves them
NEAR_FOLD = 3e-4  # so near to it the way bends by 1e-8 of the size; nearer, a small way ahead leads beyond it


@dataclass(frozen=True)
class Happening:
    """What happened at a place: contacts closed before and after, by number; where a snap led."""

    place: float
    before: tuple[int, ...]
    after: tuple[int, ...]
    from_: Floats | None = None  # coordinates before a snap
    to: Floats | None = None


class Course(Ways):
    """Positions that were computed, what happened on the way, and how it ended."""

    def __init__(self, balance: SlowMachine, stride: float, lead: int = 0) -> None:
        super().__init__(balance, stride)
        self.lead = lead
        self.places: list[float] = []
        self.nodes: list[Any] = []
        self.drive_forces: list[Floats] = []
        self.open_forces: list[NDArray[np.bool_]] = []
        self.acted: list[tuple[list[int], list[int]]] = []  # contacts, and how they act
        self.happened: list[Happening] = []
        self.folds: list[Fold] = []
        self.cause, self.detail = "done", ""
        self.blocked_by: tuple[int, ...] = ()
        self.drawn_beyond: tuple[str, ...] = ()  # joints whose limits the drawing lies beyond
        self.beyond_limits: tuple[str, ...] = ()  # those that the first position lies beyond
        self.locked = False  # by friction: without it there is a way on
        self.held, self.divided = np.zeros(0), np.zeros(0, np.bool_)
        self.away = np.zeros(balance.freedoms)  # which way it last went
        self.opening: set[int] = set()  # contacts that open where the last step ended

    def run(self, y: Floats) -> None:
        """Follows the drives from a state to their end, or to where they are stopped."""
        b = self.balance
        place, end = 0.0, float(len(b.plan.goals) - 1)
        y = b.led(y, place)
        self.write(place, y)
        self.drawn_beyond = self.names_of_stops(self.outside)
        y, going = self.settle(y, place, first=True)
        going = going and (self.lead > 0 or self.begins_within())
        idle = 0
        while going and place < end and len(self.nodes) < MOST_NODES:
            rates = b.plan.rates(place)
            fast = b.fastest(place)
            corner = math.floor(place + SHORTEST) + 1.0
            h = min(corner - place, self.stride / fast if fast > 0 else math.inf)
            y_new, place_new, changed = self.step(y, place, h)
            if place + h == corner and place_new == place + h:
                place_new = corner
            idle = idle + 1 if place_new - place < 1e-10 else 0
            self.away, y, place = y_new - y, y_new, place_new
            at_corner = (
                place == corner and corner < end and not np.allclose(rates, b.plan.rates(place), rtol=1e-9)
            )
            at_fold = bool(self.folds) and self.folds[-1].place == place
            if (idle > 2 or at_fold) and self.closed:
                y, place, passed = self.pass_fold(y, place)
                idle = 0 if passed else idle
                changed = changed and not passed
            crawls = len(self.places) > CRAWL and place - self.places[-CRAWL] < 0.1 * h
            if idle > MOST_IDLE or crawls:
                self.give_up(y, place)
                return
            if changed or at_corner:
                y, going = self.settle(y, place)
            if place == self.lead:
                going = going and self.begins_within()
            reached(len(self.nodes), detail=f"position {place:.4g} of {end:g}")

    def begins_within(self) -> bool:
        """Whether joints are within their limits at the first position; it ends there where they are not."""
        if not self.outside:
            return True
        self.beyond_limits = self.names_of_stops(self.outside)
        self.cause, self.detail = "limit", cannot_begin(self.beyond_limits)
        return False

    def give_up(self, y: Floats, place: float) -> None:
        """Where steps get nowhere: friction has locked it if its forces grew without bound."""
        rows = self.balance.rows_at(y, place, self.closed)
        carried = max(
            (float(np.abs(held[np.isfinite(held)]).max(initial=0.0)) for held in self.drive_forces[-CRAWL:]),
            default=0,
        )
        grew = carried > LOCKED * float(np.abs(rows.force).max(initial=0.0)) > 0.0
        if grew and bool((rows.friction > 0).any()):
            self.cause, self.locked, self.blocked_by = "jam", True, tuple(self.closed)
        else:
            self.cause, self.detail = "interrupted", "changes follow each other too closely to go on"

    def write(self, place: float, y: Floats) -> None:
        """Keeps a position, with the forces there."""
        self.places.append(place)
        self.nodes.append(y.copy())
        self.come_within(y)
        self.drive_forces.append(self.held.copy())
        self.open_forces.append(self.divided.copy())
        self.acted.append((list(self.closed), list(self.status)))

    def step(self, y: Floats, place: float, h: float) -> tuple[Floats, float, bool]:
        """One step of the drives, as long as nothing changes: where it leads, and whether something does."""
        whole, changed, folds = h, False, False
        found = self.balanced(y, place, h)
        while found is None and h > SHORTEST:
            h /= 4
            fold = self.fold_ahead(y, place, whole) if h < 0.1 * whole else None
            if fold is not None:
                if np.abs(fold.y - y).max() <= NEAR_FOLD:
                    return self.to_fold(fold)
                h, folds = 0.75 * (fold.place - place), True
            found = self.balanced(y, place, h)
        if found is None:
            return y, place, True
        if h < whole * 1e-6 and not folds:
            changed = True
        for _ in range(MOST_CUTS):
            share, ends = self.first_touch(y, found.y), True
            if share < 1.0 - 1e-9:
                h, ends = self.cut(y, place, h, found.y, share)
                changed, self.opening = ends, set[int]()
                found = self.balanced(y, place, h)
            if not self.holds(found, place + h):
                changed, ends = True, False
                h, after = bisect(
                    lambda t: self.holds(self.balanced(y, place, t), place + t), 0.0, h, most=HALVINGS
                )
                self.opening = self.opened(y, place, after)
                found = self.balanced(y, place, h) if h > SHORTEST * 1e-3 else None
            if found is None:
                return y, place, True
            if ends:
                break
        else:
            return y, place, True
        self.went()
        self.normal, self.held, self.divided = found.normal, found.held, found.divided
        self.write(place + h, found.y)
        self.wake(found.y)
        return found.y, place + h, changed

    def to_fold(self, fold: Fold) -> tuple[Floats, float, bool]:
        """The step that ends there."""
        self.held, self.divided = fold.held, np.zeros(len(fold.held), np.bool_)
        self.folds.append(fold)
        self.write(fold.place, fold.y)
        return fold.y, fold.place, True

    def settle(
        self, y: Floats, place: float, *, first: bool = False, begin: Floats | None = None
    ) -> tuple[Floats, bool]:
        """At a place where something changes: what touches, what snaps, and whether the drives can go on."""
        before, begin = tuple(self.closed), y if begin is None else begin
        way, without = self.away, set[int]()
        for _ in range(MOST_MOVES):
            touching = self.staying(y, place, way, without)
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
        on = self.onward(y, place, touching, alone.force)
        moved = float(np.abs(y - begin).max(initial=0.0))
        opening, self.opening = self.opening if moved <= SNAP else set[int](), set[int]()
        chosen = [
            k for k, s in enumerate(on.status) if not on.solved or (s != OPEN and touching[k] not in opening)
        ]
        self.closed = [touching[k] for k in chosen]
        turned, self.turned = self.turned if moved <= SNAP else {}, {}
        self.status = [turned.get(touching[k], int(on.status[k])) if on.solved else STICK for k in chosen]
        self.normal = alone.force[list(chosen)] if len(touching) else np.zeros(0)
        if first:
            self.happened.append(
                Happening(place, (), tuple(self.closed), begin, y)
                if moved > SNAP
                else Happening(place, (), tuple(self.closed))
            )
        else:
            snapped = moved > SNAP
            self.happened.append(
                Happening(
                    place, before, tuple(self.closed), begin if snapped else None, y if snapped else None
                )
            )
        if on.solved:
            here = self.balance.solve(y, place, self.closed, self.status, self.normal)
            if here.solved and np.abs(here.y - y).max(initial=0.0) <= SNAP:
                self.held, self.divided = here.held, here.divided
        self.write(place, y)
        if on.solved:
            return y, True
        self.blocked_by = tuple(blocking(self.balance, y, place, touching))
        self.cause = "jam" if self.blocked_by or touching else "limit"
        if not self.blocked_by:
            rubs = bool((self.balance.rows_at(y, place, touching).friction > 0).any()) if touching else False
            if rubs:
                self.locked, self.blocked_by = True, tuple(self.closed)
            elif touching:
                self.cause, self.detail = "interrupted", "no way on was found"
            else:
                self.detail = "the joints do not follow the drive"
        return y, False

    def staying(self, y: Floats, place: float, way: Floats, without: set[int]) -> list[int]:
        """What touches, but for contacts that act and leave the end of their edge: they join `without`."""
        touching = self.near(y, np.zeros_like(y), without)
        leaving = set(touching) - set(self.near(y, way, without)) if way.any() else set[int]()
        for _ in range(len(touching) + 1):
            on = self.onward(y, place, touching)
            if not on.solved:
                break
            acting = {c for c, s in zip(touching, on.status, strict=True) if s != OPEN}
            gone = acting - set(self.near(y, on.change, without))
            if not gone:
                break
            without |= gone
            touching = [c for c in touching if c not in gone]
        else:
            touching = [c for c in touching if c not in leaving]
        return touching

    def pass_fold(self, y: Floats, place: float) -> tuple[Floats, float, bool]:
        """Where no step leads on: a contact that drives open is let go just beyond; what it held snaps."""
        b = self.balance
        fast = b.fastest(place)
        rows = b.rows_at(y, place, self.closed)
        opening = rows.normal @ (b.led(y, place + 1e-6) - y)
        for k in np.argsort(-opening).tolist():
            if opening[k] <= 0.0 or fast == 0.0:
                break
            closed, status, let_go = list(self.closed), list(self.status), self.closed[k]
            for power in range(-8, -4):  # far enough that what touched there has parted
                beyond = place + 10.0**power / fast
                led = b.led(y, beyond)
                if self.beyond(led, closed):
                    continue
                self.closed, self.status = closed[:k] + closed[k + 1 :], status[:k] + status[k + 1 :]
                alone = b.tendency(led, beyond, self.closed, ahead=0.0)
                snaps = alone.solved and np.abs(alone.change).max(initial=0.0) > SNAP
                landed = self.move(led, beyond, alone) if snaps else led
                self.closed, self.status = closed, status
                if snaps and self.distance(landed, let_go) > APART * self.touch:
                    y, _ = self.settle(landed, beyond, begin=led)
                    self.happened[-1] = replace(self.happened[-1], place=place)
                    return y, beyond, True
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
                if not self.beyond(found.y, self.closed) or far < 1e-7:
                    self.went()
                    self.wake(found.y)
                    return found.y
            rho = strong * 1e-3 if rho is None else rho * 4
        return y + alone.change * min(1.0, 1e-7 / float(np.abs(alone.change).max()))
