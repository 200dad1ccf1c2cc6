"""Which pattern repeats? Gelsey's Algorithm 12 (1995), at marks: states at minima of the kinetic energy.

A hypothesis is a number of marks M: from each mark to the M-th after it, the machine takes the same time and
changes its state by the same amount. The smallest M wins whose last `confirm` + 1 patterns agree. Departures
from the paper, with the reason:

- Changes are kept per phase, one for each of the M marks: amplitudes that fall change the two extremes of a
  balance in opposite directions, and one change for all rejects the true pattern.
- A change agrees within `state` times the range of its variable over the pattern, speeds included; the paper
  leaves open what its .02 is a fraction of.
- A hypothesis that fell is tested again on later marks alone: what disturbed it may have been a transient.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from detent.judge.outlook.patterns.unit_words import PLAIN, UnitWords

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

# Of a radian, or the size: a coordinate that moves less stands still, whatever its range; and one that moves
# more is moved by something, and does not come to rest just now.
STILL, _MOVED = 1e-6, 1e-3


@dataclass(frozen=True)
class Marks:
    """Times, and independent coordinates and speeds then."""

    times: Floats  # (n,)
    at: Floats  # (n, m)
    speeds: Floats  # (n, m)

    def __len__(self) -> int:
        return len(self.times)

    def after(self, count: int) -> Marks:
        """Without the first ones."""
        return Marks(self.times[count:], self.at[count:], self.speeds[count:])


@dataclass(frozen=True)
class SearchSettings:
    """Parameters of Algorithm 12, with the paper's values."""

    confirm: int = 2
    ignore: int = 4
    energy: float = 1e-5  # of the greatest kinetic energy: lower minima count
    time: float = 0.01  # of a pattern's duration
    state: float = 0.02  # of a variable's range
    steps: int = 20_000  # of simulation, at most

    def bound(self, minima: int) -> int:
        """Minima after which a pattern of so many is found, where it is there from the start."""
        return self.ignore + minima * (self.confirm + 1)


@dataclass(frozen=True)
class Hypothesis:
    """A pattern of so many marks that the last patterns agree on."""

    marks: Marks  # all that were used
    minima: int
    last: int  # the mark at which the last pattern ends
    confirmed: int  # patterns that agree with the last one
    turn: int = 1  # patterns after which wheels that it turns look the same

    @property
    def duration(self) -> float:
        return float(self.marks.times[self.last] - self.marks.times[self.last - self.minima])

    @property
    def begin(self) -> float:
        """When the last pattern began."""
        return float(self.marks.times[self.last - self.minima])

    @property
    def since(self) -> float:
        """When the first pattern that agrees began."""
        return float(self.marks.times[self.last - self.minima * (self.confirmed + 1)])

    @property
    def kept(self) -> int:
        """The first mark that a pattern ends at or after: of it the paper tells the change."""
        return self.last - self.minima * (self.confirmed + 1) + 1

    def changes(self) -> Floats:
        """(M, m): of each phase, the one that ends the pattern last."""
        at, end = self.marks.at, self.last + 1
        changes: Floats = at[end - self.minima : end] - at[end - 2 * self.minima : end - self.minima]
        return changes

    @property
    def mean(self) -> Floats:
        """Per pattern, over those after which wheels look the same."""
        back = self.last - self.turn * self.minima
        mean: Floats = (self.marks.at[self.last] - self.marks.at[back]) / self.turn
        return mean

    @property
    def change(self) -> Floats:
        """Over the last pattern."""
        change: Floats = self.marks.at[self.last] - self.marks.at[self.last - self.minima]
        return change


@dataclass(frozen=True)
class Fallen:
    """A hypothesis that was refused: at which mark, and why."""

    minima: int
    time: float
    why: str


@dataclass(frozen=True)
class Search:
    """What the marks say: the pattern, if any, and those that fell."""

    found: Hypothesis | None
    fallen: tuple[Fallen, ...]
    tried: int  # marks looked at


def search(
    marks: Marks,
    ranges: Ranges,
    names: tuple[str, ...],
    settings: SearchSettings,
    refused: dict[int, str] | None = None,
    first: int = 0,
) -> Search:
    """The smallest pattern that the last marks agree on, at the first mark where one does.

    `refused` are numbers of marks that other checks have refused, with their reasons; marks before `first`
    have been looked at already.
    """
    kept = marks.after(max(settings.ignore - 1, 0))
    fallen: dict[int, Fallen] = {}
    refused = refused or {}
    for last in range(max(first - max(settings.ignore - 1, 0), 0), len(kept)):
        for minima in range(1, last // (settings.confirm + 1) + 1):
            if minima in refused:
                fallen.setdefault(minima, Fallen(minima, float(kept.times[last]), refused[minima]))
                continue
            why = disagreement(kept, minima, last, settings.confirm, ranges, names, settings)
            if why is None:
                return Search(Hypothesis(kept, minima, last, settings.confirm), _in_order(fallen), len(marks))
            fallen[minima] = Fallen(minima, float(kept.times[last]), why)
    return Search(None, _in_order(fallen), len(marks))


def _in_order(fallen: dict[int, Fallen]) -> tuple[Fallen, ...]:
    return tuple(fallen[minima] for minima in sorted(fallen))


@dataclass(frozen=True)
class Ranges:
    """States at the ends of steps, from which the range of a variable over a time is read."""

    times: Floats
    at: Floats
    speeds: Floats
    scales: Floats  # of each coordinate: a radian, or the size
    words: UnitWords = PLAIN  # of reasons

    def over(self, begin: float, end: float) -> tuple[Floats, Floats]:
        """Of coordinates and of speeds."""
        first, last = np.searchsorted(self.times, [begin, end], side="left")
        inside = slice(first, last + int(last < len(self.times) and self.times[last] == end))
        if inside.start >= inside.stop:
            return np.zeros(self.at.shape[1]), np.zeros(self.at.shape[1])
        return np.ptp(self.at[inside], axis=0), np.ptp(self.speeds[inside], axis=0)


def disagreement(
    marks: Marks,
    minima: int,
    last: int,
    confirm: int,
    ranges: Ranges,
    names: tuple[str, ...],
    settings: SearchSettings,
) -> str | None:
    """Why the last patterns of so many marks do not agree with the very last; None where they do."""
    times, say = marks.times, ranges.words
    duration = float(times[last] - times[last - minima])
    if duration <= 0.0:
        return f"marks at {say.at(times[last])} are too near each other to be told apart"
    width, fast = ranges.over(float(times[last - minima]), float(times[last]))
    still = STILL * ranges.scales
    allowed = np.concatenate(
        [
            np.maximum(settings.state * width, still),
            np.maximum(settings.state * fast, still / duration),
        ]
    )
    state = np.hstack([marks.at, marks.speeds])
    # So far back that no more than `confirm` + 1 patterns are used: the bound of the algorithm holds.
    for mark in range(last, last - minima * (confirm - 1) - 1, -1):
        lasted = float(times[mark - minima] - times[mark - 2 * minima])
        lasts = float(times[mark] - times[mark - minima])
        if abs(lasted - lasts) > settings.time * duration:
            return f"took {say.at(lasted)} up to {say.at(times[mark - minima])}, then {say.at(lasts)}"
        before = state[mark - minima] - state[mark - 2 * minima]
        after = state[mark] - state[mark - minima]
        off = np.abs(after - before)
        worst = int(np.argmax(off / allowed))
        if off[worst] > allowed[worst]:
            k, is_speed = worst % len(names), worst >= len(names)
            told = [
                (say.speed if is_speed else say.change)(k, float(each[worst])) for each in (before, after)
            ]
            what = f"the speed of {names[k]}" if is_speed else names[k]
            return f"{what} changed by {told[0]} up to {say.at(times[mark - minima])}, then by {told[1]}"
    return _moves_at_times(times[last - (confirm + 1) * minima : last + 1 : minima], ranges, names)


def _moves_at_times(ends: Floats, ranges: Ranges, names: tuple[str, ...]) -> str | None:
    """Whether something moves in some patterns, is back at their ends, and rests in others: that is none of
    what repeats."""
    widths = np.array([ranges.over(*pair)[0] for pair in pairwise(ends)]) / ranges.scales
    odd = np.flatnonzero((widths.min(axis=0) <= STILL) & (widths.max(axis=0) > _MOVED))
    if not len(odd):
        return None
    k = int(odd[0])
    moves, rests = (
        ranges.words.at(float(ends[n + 1])) for n in (widths[:, k].argmax(), widths[:, k].argmin())
    )
    return f"{names[k]} moves in the pattern up to {moves}, and rests in that up to {rests}"
