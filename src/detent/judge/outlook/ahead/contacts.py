"""What comes in the way? The first contact ahead of pairs of parts that never touch in the pattern.

Gelsey's Algorithms 16 and 17 (1995) ask when a block that rotates meets a cylinder that stands still. Here
any two parts are asked, both may move: the states of one pattern are taken along, pattern after pattern, with
what it leaves elsewhere added, and features are advanced conservatively: between two instants features
that are farther apart, at both of them together, than they may travel cannot meet. So along the pattern, as
it is repeated, no contact is missed; how it drifts is looked at where it was measured. A part on an
axis is back after whole turns; what it has not met by then it never meets.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from detent.contact.candidate import PAIR
from detent.judge.outlook.ahead.distances import distances, rounds_apart
from detent.judge.outlook.ahead.motion import MOST_PATTERNS, PatternMotion
from detent.judge.outlook.patterns.finding import touched_pairs

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from detent.contact.candidate import Candidates
    from detent.judge.outlook.patterns.cycles import Cycles
    from detent.judge.outlook.patterns.simulating import SimulatedCourse

    Floats = NDArray[np.float64]

# Instants of a pattern that are looked at first, and parts into which one between two of them is cut.
_LOOKS, _CUTS = 48, 4
# Of a pattern: an interval in which features still come nearer than they travel counts as a touch.
_FINEST = 1e-4


@dataclass(frozen=True)
class NewContact:
    """Parts that meet first in a pattern (counted from the base), about so long after its begin."""

    pair: int
    parts: tuple[str, str]
    pattern: int
    after: float


@dataclass(frozen=True)
class Ahead:
    """New contacts in their order, over how many patterns was looked, and which pairs could not be."""

    contacts: tuple[NewContact, ...]
    patterns: int
    pairs: int
    not_looked_at: tuple[str, ...] = ()


def base_motion(course: SimulatedCourse, cycles: Cycles) -> PatternMotion:
    """The motion of the last pattern that the search confirmed."""
    return PatternMotion(course, cycles.pattern.begin, cycles.pattern.duration, cycles.net)


def contacts_ahead(motion: PatternMotion, since: float, most: float) -> Ahead:
    """The first touch of each pair that has not touched, within so many patterns from the base.

    `since` is when the patterns of the course that are alike began.
    """
    course = motion.course
    system, possible = course.first.tree.system, course.first.possible
    touched = touched_pairs(course, since, motion.begin + motion.lasts)
    pairs = [
        pair
        for pair in range(len(possible.pairs))
        if pair not in touched
        and any(motion.moves(int(body)) for body in possible.pairs[pair])
        and (possible.listed[:, PAIR] == pair).any()
    ]
    found, skipped, looked = [], [], 0
    for pair in pairs:
        bodies = [int(body) for body in possible.pairs[pair]]
        names = tuple(system.bodies[body].name for body in bodies)
        if not all(motion.is_bounded(body) for body in bodies):
            skipped.append(f"{names[0]}:{names[1]}")
            continue
        period, ahead = motion.period(bodies), most - motion.number
        count = int(min(period, ahead, MOST_PATTERNS))
        if min(period, ahead) > MOST_PATTERNS and not _leaves(possible, pair, motion):
            skipped.append(f"{names[0]}:{names[1]} after {MOST_PATTERNS} patterns")
        looked = max(looked, count)
        rows = possible.listed[possible.listed[:, PAIR] == pair]
        touch = first_touch(possible, rows, pair, motion, range(1, count + 1))
        if touch is not None:
            pattern = int(motion.number) + touch[0]
            found.append(NewContact(pair, (names[0], names[1]), pattern, touch[1]))
    found.sort(key=lambda each: (each.pattern, each.after))
    return Ahead(tuple(found), looked, len(pairs) - len(skipped), tuple(skipped))


def next_contact(motion: PatternMotion, contact: NewContact, beyond: int, last: float) -> NewContact | None:
    """The next touch of the same parts, in a pattern beyond one and up to another, both from the base.

    Patterns at whose begin they already touch along the motion belong to the meeting before.
    """
    possible, pair = motion.course.first.possible, contact.pair
    rows = possible.listed[possible.listed[:, PAIR] == pair]
    base = int(motion.number)
    end = int(min(last, beyond + MOST_PATTERNS)) - base
    number = beyond + 1 - base
    while number <= end:
        found = first_touch(possible, rows, pair, motion, range(number, end + 1))
        if found is None:
            return None
        if found[0] > number or found[1] > 0.0:
            return NewContact(pair, contact.parts, base + found[0], found[1])
        number += 1
    return None


def drifted_motion(cycles: Cycles, number: float) -> PatternMotion:
    """The motion of a pattern that was measured after a restart."""
    return PatternMotion(*cycles.shown[number], cycles.net, number)


def period_of(course: SimulatedCourse, cycles: Cycles, contact: NewContact) -> float:
    """Patterns after which the parts of a new contact stand as before."""
    bodies = [int(body) for body in course.first.possible.pairs[contact.pair]]
    return base_motion(course, cycles).period(bodies)


def _leaves(possible: Candidates, pair: int, motion: PatternMotion) -> bool:
    """Whether bodies are carried so far apart, by then, that they cannot meet any more."""
    a, b = (int(body) for body in possible.pairs[pair])
    after = np.array([0.0])
    apart = []
    for n in (MOST_PATTERNS - 1.0, float(MOST_PATTERNS)):
        poses = motion.poses(after, n)[0]
        apart.append(math.dist(poses[a, :2], poses[b, :2]))
    return apart[1] > apart[0] and apart[1] > 4 * motion.system.size


def first_touch(
    possible: Candidates, rows: Any, pair: int, motion: PatternMotion, numbers: range
) -> tuple[int, float] | None:
    """Of candidates of a pair: in which repetition they first touch, and when after its begin."""
    after = np.linspace(0.0, motion.lasts, _LOOKS + 1)
    for n in numbers:
        touch = _touch(possible, rows, pair, motion, n, after, _FINEST * motion.lasts)
        if touch is not None:
            return n, touch
    return None


def _touch(
    possible: Candidates, rows: Any, pair: int, motion: PatternMotion, n: int, after: Floats, finest: float
) -> float | None:
    """When features come nearer than they may travel, in intervals cut ever finer."""
    poses = motion.poses(after, n)
    bodies = [int(body) for body in possible.pairs[pair]]
    travel = sum(motion.travel(body, after) for body in bodies)
    around = rounds_apart(possible, [(body, poses[:, body]) for body in bodies])
    if (around[:-1] + around[1:] > travel).all():
        return None
    apart = distances(possible, rows, {body: poses[:, body] for body in bodies})
    for k in np.flatnonzero(apart[:-1] + apart[1:] <= travel):
        if after[k + 1] - after[k] <= finest:
            return float(after[k])
        inner = np.linspace(after[k], after[k + 1], _CUTS + 1)
        touch = _touch(possible, rows, pair, motion, n, inner, finest)
        if touch is not None:
            return touch
    return None
