"""What comes in the way? The first contact ahead of pairs of parts that never touch in the pattern.

Gelsey's Algorithms 16 and 17 (1995) ask when a block that rotates meets a cylinder that stands still. Here
any two parts are asked, both may move: the states of one pattern are taken along, pattern after pattern, with
the parts that it leaves elsewhere turned by so much more, and features are advanced conservatively: between
two instants features that are farther apart than they travel cannot meet. A part on a fixed axis is
back after a whole turn; what it has not met by then it never meets.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from detent.contact.candidate import DISC_DISC, FIRST, FORMULA, PAIR, SECOND
from detent.contact.features import FIRST_X, LAST_X, RADIUS, SIDE, WIDE
from detent.contact.joint_axes import still_axes
from detent.judge.outlook.patterns.finding import body_motion, touched_pairs

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
# What a path is longer than the straight way between its ends, at most, in so short a time.
_LONGER_WAY = 1.5
# rad: a part that is turned by a whole turn but for so much is back.
_BACK = 1e-6
_MOST_PATTERNS = 2000


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


def contacts_ahead(course: SimulatedCourse, cycles: Cycles, most: float) -> Ahead:
    """The first touch of each pair that has not touched, within so many patterns."""
    first = course.first
    system, possible, pattern = first.tree.system, first.possible, cycles.pattern
    begin, lasts = pattern.begin, pattern.duration
    touched = touched_pairs(course, pattern.since, begin + lasts)
    moved = body_motion(course, pattern, cycles.net)
    listed = possible.listed
    pairs = [
        pair
        for pair in range(len(possible.pairs))
        if pair not in touched
        and any(int(body) in moved for body in possible.pairs[pair])
        and (listed[:, PAIR] == pair).any()
    ]
    found, skipped, looked = [], [], 0
    motion = _PatternMotion(course, begin, lasts, moved)
    for pair in pairs:
        names = tuple(system.bodies[int(body)].name for body in possible.pairs[pair])
        bodies = [int(body) for body in possible.pairs[pair]]
        if any(motion.way(body) is None for body in bodies if body in moved):
            skipped.append(f"{names[0]}:{names[1]}")
            continue
        count = int(min(motion.period(bodies), most, _MOST_PATTERNS))
        looked = max(looked, count)
        touch = _first(possible, pair, motion, count, lasts)
        if touch is not None:
            found.append(NewContact(pair, (names[0], names[1]), *touch))
    found.sort(key=lambda each: (each.pattern, each.after))
    return Ahead(tuple(found), looked, len(pairs) - len(skipped), tuple(skipped))


def period_of(course: SimulatedCourse, cycles: Cycles, contact: NewContact) -> float:
    """Patterns after which the parts of a new contact stand as before."""
    pattern = cycles.pattern
    moved = body_motion(course, pattern, cycles.net)
    motion = _PatternMotion(course, pattern.begin, pattern.duration, moved)
    return motion.period([int(body) for body in course.first.possible.pairs[contact.pair]])


class _PatternMotion:
    """Poses of bodies at instants of a pattern, and of its n-th repetition."""

    def __init__(self, course: SimulatedCourse, begin: float, lasts: float, moved: dict[int, float]) -> None:
        self.course, self.begin, self.lasts, self.moved = course, begin, lasts, moved
        self.system = course.first.tree.system
        self._kept: dict[bytes, Floats] = {}

    def way(self, body: int) -> Any:
        """The fixed axis in the world about which a pattern turns a body; None where it has none."""
        if self.moved.get(body, 0.0) == 0.0:
            return None
        for other in range(len(self.system.bodies)):
            if self.system.bodies[other].fixed and still_axes(self.system, (other, body)) is not None:
                pose = self.poses(np.array([0.0]))[0, body]
                axes = still_axes(self.system, (other, body))
                assert axes is not None
                c, s = math.cos(pose[2]), math.sin(pose[2])
                d = axes[0][1]
                return np.array([pose[0] + c * d[0] - s * d[1], pose[1] + s * d[0] + c * d[1]])
        return None

    def period(self, bodies: list[int]) -> float:
        """Patterns after which bodies stand as now, whole turns apart."""
        for n in range(1, _MOST_PATTERNS + 1):
            turns = [n * self.moved.get(body, 0.0) for body in bodies]
            if all(abs(math.remainder(turn, 2 * math.pi)) <= _BACK * n for turn in turns):
                return n
        return math.inf

    def poses(self, after: Floats) -> Floats:
        """(k, N, 3): x, y, angle [m, rad] at instants after the begin of the base pattern."""
        key = after.tobytes()
        if key not in self._kept:
            self._kept[key] = self.course.along.placed(self.begin + after)[0][:, :, :3]
        return self._kept[key]

    def repeated(self, body: int, poses: Floats, n: int) -> Floats:
        """Poses of a body in the n-th repetition."""
        rotation = self.moved.get(body, 0.0)
        if rotation == 0.0 or n == 0:
            return poses[:, body]
        axis, turn = self.way(body), n * rotation
        c, s = math.cos(turn), math.sin(turn)
        off = poses[:, body, :2] - axis
        at = axis + np.column_stack([c * off[:, 0] - s * off[:, 1], s * off[:, 0] + c * off[:, 1]])
        return np.column_stack([at, poses[:, body, 2] + turn])


def _first(
    possible: Candidates, pair: int, motion: _PatternMotion, count: int, lasts: float
) -> tuple[int, float] | None:
    rows = possible.listed[possible.listed[:, PAIR] == pair]
    after = np.linspace(0.0, lasts, _LOOKS + 1)
    for n in range(1, count + 1):
        touch = _touch(possible, rows, pair, motion, n, after, _FINEST * lasts)
        if touch is not None:
            return n, touch
    return None


def _touch(
    possible: Candidates, rows: Any, pair: int, motion: _PatternMotion, n: int, after: Floats, finest: float
) -> float | None:
    """When features come nearer than they travel, in intervals cut ever finer."""
    a, b = (int(body) for body in possible.pairs[pair])
    poses = motion.poses(after)
    of = {body: motion.repeated(body, poses, n) for body in (a, b)}
    apart = _distance(possible, rows, of)
    travel = sum(_travel(possible, body, of[body]) for body in (a, b))
    near = np.flatnonzero(apart[:-1] <= _LONGER_WAY * travel)
    for k in near:
        if after[k + 1] - after[k] <= finest:
            return float(after[k])
        inner = np.linspace(after[k], after[k + 1], _CUTS + 1)
        touch = _touch(possible, rows, pair, motion, n, inner, finest)
        if touch is not None:
            return touch
    return None


def _travel(possible: Candidates, body: int, poses: Floats) -> Floats:
    """From one instant to the next: how far any of a body's features goes."""
    features = possible.features
    data = features.data[features.of_body[body]]
    reach = float((np.hypot(data[:, 0], data[:, 1]) + np.maximum(data[:, RADIUS], 0.0)).max())
    edges = features.kind[features.of_body[body]] == 0
    reach = max(reach, float(np.hypot(data[edges, 2], data[edges, 3]).max(initial=0.0)))
    steps = np.diff(poses, axis=0)
    # About the instant's own origin; a body on an axis far from its origin is counted with that way.
    way: Floats = np.hypot(steps[:, 0], steps[:, 1]) + reach * np.abs(steps[:, 2])
    return way


def _distance(possible: Candidates, rows: Any, of: dict[int, Floats]) -> Floats:
    """At each instant: the least distance of candidates, arcs with no more than they span."""
    features, least = possible.features, None
    for row in rows:
        one, other = int(row[FIRST]), int(row[SECOND])
        poses_one, poses_other = of[int(features.body[one])], of[int(features.body[other])]
        if row[FORMULA] == DISC_DISC:
            distance = _discs(features.data[one], poses_one, features.data[other], poses_other)
        else:
            distance = _edge_disc(features.data[one], poses_one, features.data[other], poses_other)
        least = distance if least is None else np.minimum(least, distance)
    assert least is not None
    return least


def _point(poses: Floats, x: float, y: float) -> Floats:
    c, s = np.cos(poses[:, 2]), np.sin(poses[:, 2])
    return np.column_stack([poses[:, 0] + c * x - s * y, poses[:, 1] + s * x + c * y])


def _to_segment(points: Floats, a: Floats, b: Floats) -> tuple[Floats, Floats]:
    """Distance of points from segments, and the nearest points."""
    way = b - a
    share = np.clip(((points - a) * way).sum(axis=1) / np.maximum((way**2).sum(axis=1), 1e-300), 0.0, 1.0)
    foot = a + share[:, None] * way
    return np.hypot(*(points - foot).T), foot


def _spanned(disc: Floats, poses: Floats, direction: Floats) -> Any:
    """Whether an arc reaches into directions of the world; a corner and a whole circle do."""
    if disc[WIDE] == 2.0 or disc[RADIUS] == 0.0:
        return np.ones(len(poses), bool)
    c, s = np.cos(poses[:, 2]), np.sin(poses[:, 2])
    local = np.column_stack(
        [c * direction[:, 0] + s * direction[:, 1], -s * direction[:, 0] + c * direction[:, 1]]
    )
    first, last = disc[FIRST_X : FIRST_X + 2], disc[LAST_X : LAST_X + 2]
    after = first[0] * local[:, 1] - first[1] * local[:, 0] >= 0
    before = local[:, 0] * last[1] - local[:, 1] * last[0] >= 0
    return (after | before) if disc[WIDE] == 1.0 else (after & before)


def _ends(disc: Floats, poses: Floats) -> list[Floats]:
    """The ends of an arc, in the world."""
    return [_point(poses, *(disc[:2] + disc[RADIUS] * disc[k : k + 2])) for k in (FIRST_X, LAST_X)]


def _edge_disc(edge: Floats, poses_e: Floats, disc: Floats, poses_d: Floats) -> Floats:
    a, b = _point(poses_e, edge[0], edge[1]), _point(poses_e, edge[2], edge[3])
    centre = _point(poses_d, disc[0], disc[1])
    distance, foot = _to_segment(centre, a, b)
    spanned = _spanned(disc, poses_d, foot - centre)
    least = np.where(spanned, distance - disc[RADIUS], np.inf)
    if disc[RADIUS] > 0.0 and disc[WIDE] != 2.0:
        for end in _ends(disc, poses_d):
            least = np.minimum(least, _to_segment(end, a, b)[0])
        for corner in (a, b):
            inside = _spanned(disc, poses_d, corner - centre)
            gap = np.abs(np.hypot(*(corner - centre).T) - disc[RADIUS])
            least = np.minimum(least, np.where(inside, gap, np.inf))
    return np.asarray(least)


def _discs(one: Floats, poses_o: Floats, other: Floats, poses_t: Floats) -> Floats:
    """Two arcs: a lower bound, each by itself taken as no more than it spans."""
    p, q = _point(poses_o, one[0], one[1]), _point(poses_t, other[0], other[1])
    between = np.hypot(*(q - p).T)
    hollow = one[SIDE] < 0  # what is in it, or far outside, is that far from its edge
    whole = np.abs(one[RADIUS] - between) - other[RADIUS] if hollow else between - one[RADIUS] - other[RADIUS]
    bounds = [whole]
    for disc, poses, centre, away, radius in (
        (one, poses_o, p, q, other[RADIUS]),
        (other, poses_t, q, p, one[RADIUS]),
    ):
        if disc[RADIUS] == 0.0 or disc[WIDE] == 2.0 or (hollow and disc is other):
            continue
        spanned = _spanned(disc, poses, away - centre)
        ends = np.min([np.hypot(*(end - away).T) for end in _ends(disc, poses)], axis=0) - radius
        bounds.append(np.where(spanned, whole, np.maximum(ends, whole)))
    return np.asarray(np.max(bounds, axis=0))
