"""Where the root of a fastener counts as apart, and whether the plan itself takes it there again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from msgspec import UNSET, UnsetType

from detent.geometry.exact.polygon import inside
from detent.geometry.vector import dot
from detent.judge.insertion import insertion_legs, legs_backwards
from detent.model.document.ask import AskMate
from detent.model.machine.touching import TouchingPairs
from detent.motion.quasistatic.exact.legs import LegRun
from detent.motion.quasistatic.fastener_run import FastenerRun
from detent.numeric.polynomial.algebraic import Real, real, square_root
from detent.numeric.rational import flint_of
from detent.record.amount import Force
from detent.record.mating import WayBack

DEFAULT_GOAL = "root positions x with (x - start).(-v) >= 0, v the {}'s velocity"


@dataclass(frozen=True)
class Apart:
    """Where the root counts as apart."""

    words: str
    legs: tuple[LegRun, ...]  # that bring it in; the last ends in the assembled state
    pairs: TouchingPairs
    travel: Any = None
    outline: Any = None
    asked: str = ""  # what the document gives, in words

    @property
    def insertion(self) -> tuple[Any, Any]:
        """The velocity of the first leg."""
        return self.legs[0].line.velocity

    @property
    def place(self) -> tuple[Any, Any] | None:
        """The root's shift in the assembled state; None where that is an irrational place."""
        last = self.legs[-1]
        t, shift, v = last.end.rational, last.line.shift, last.line.velocity
        return None if t is None else (shift[0] + v[0] * t, shift[1] + v[1] * t)

    def reached(self, direction: tuple[Any, Any]) -> Real | None:
        """The time at which a straight run enters the goal; None when it leads away."""
        v = self.insertion
        if self.outline is not None:
            assert self.place is not None
            return _entering(self.outline, self.place, direction)
        towards = -dot(direction, v)
        if towards <= 0:
            return None
        if self.travel is not None:
            return square_root(self.travel * self.travel * dot(v, v) / (towards * towards))
        return _along(self.legs[-1], v) * real(1 / towards)

    def after(self, leg: LegRun) -> bool | None:
        """Whether the root is there at the end of a leg; None where that is an irrational place."""
        v, t = self.insertion, leg.end.rational
        if self.outline is not None:
            (x, y), (vx, vy) = leg.line.shift, leg.line.velocity
            return None if t is None else inside((x + vx * t, y + vy * t), self.outline)
        now = _along(leg, v)
        if self.travel is None:
            return bool(now.sign() <= 0)
        back = _along(self.legs[-1], v) - now
        enough = back * back - real(self.travel * self.travel * dot(v, v))
        return bool(back.sign() > 0 and enough.sign() >= 0)


def _along(leg: LegRun, v: tuple[Any, Any]) -> Real:
    """How far the root is at the end of a leg along a velocity, times its size."""
    return real(dot(leg.line.shift, v)) + leg.end * real(dot(leg.line.velocity, v))


def counts_as_apart(ask: AskMate, legs: tuple[LegRun, ...], unit: str, pairs: TouchingPairs) -> Apart:
    """What the document gives, else back where the drawing is."""
    if ask.goal is not None:
        outline = [(flint_of(p[0]), flint_of(p[1])) for p in ask.goal.outline]
        words = "the root's displacement inside the given outline"
        return Apart(words, legs, pairs, outline=outline, asked="the goal asked for")
    if ask.apart is not None:
        far = f"{float(ask.apart):.12g}{unit}"
        words = f"travelled {far} against the insertion"
        return Apart(words, legs, pairs, travel=flint_of(ask.apart), asked=f"the {far} asked for")
    return Apart(DEFAULT_GOAL.format("insertion" if len(legs) == 1 else "first leg"), legs, pairs)


def way_back(evidence: FastenerRun, goal: Apart) -> WayBack | UnsetType:
    """What the plan's own legs backwards come to; of an insertion in one leg a straight pull tells that."""
    first = len(insertion_legs(evidence))
    legs = legs_backwards(evidence)
    if first == 1 or not legs:
        return UNSET
    reached = next((k for k, leg in enumerate(legs) if goal.after(leg)), None)
    taken = legs if reached is None else legs[: reached + 1]
    stories = evidence.stories[first : first + len(taken)]
    return WayBack(
        legs=tuple(range(first + 1, first + len(taken) + 1)),
        apart=reached is not None,
        cause=taken[-1].cause if reached is None else "apart",
        force=Force(max(story.force.peak for story in stories)),
    )


def _entering(outline: Any, start: tuple[Any, Any], direction: tuple[Any, Any]) -> Real | None:
    """When a ray enters a polygon."""
    if inside(start, outline):
        return real(0)
    times = []
    for k, (ax, ay) in enumerate(outline):
        bx, by = outline[(k + 1) % len(outline)]
        across = direction[0] * (by - ay) - direction[1] * (bx - ax)
        if across == 0:
            continue
        wx, wy = ax - start[0], ay - start[1]
        t = (wx * (by - ay) - wy * (bx - ax)) / across
        s = (wx * direction[1] - wy * direction[0]) / across
        if t > 0 and 0 <= s <= 1:
            times.append(t)
    return real(min(times)) if times else None
