"""Where a body may be on its way through a box of pushes, and what it may come to."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field


class OpenError(Exception):
    """Too much stays open in a box of pushes."""


class SpentError(OpenError):
    """The work that was allowed is done."""


@dataclass
class Work:
    """Steps of all that is followed, with a bound: the same on every machine, as no time is."""

    most: int = sys.maxsize
    steps: int = 0

    def step(self, count: int = 1) -> None:
        """Counts one, or a piece of work as large as so many."""
        if self.spent:
            raise SpentError(f"{self.most} steps are taken")
        self.steps += count

    @property
    def spent(self) -> bool:
        return self.steps >= self.most


@dataclass
class PossibleEnds:
    """What pushes of a box may come to."""

    done: bool = False  # the end of the way
    stopped: set[str] = field(default_factory=set)  # jam, stick, limit, blocked
    blocked: list[tuple[float, float]] = field(default_factory=list)  # bounds of times, of the root
    ways: set[tuple[str, ...]] = field(default_factory=set)  # pairs that carried, one after the other


@dataclass(frozen=True)
class OnCurve:
    """A pawl along the curve of a pair, from a time, at an angle there for the push in the middle."""

    pair: int
    t: float
    angle: float
    side: int
    heading: int  # of the angle, where it goes on by the angle
    by_angle: bool
    way: tuple[str, ...]
    wider: float = 1.0  # than the least, a box that follows at once


@dataclass(frozen=True)
class AtRest:
    t: float
    way: tuple[str, ...]
    wider: float = 1.0


State = OnCurve | AtRest
