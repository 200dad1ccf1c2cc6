"""How far does a slide go that each pattern carries on? To its last tooth, or until it leaves its guide.

A rack shows what it touches the same outline, pattern after pattern, as long as what touches in the pattern
has a next: its features, moved back by what the rack has moved, are features of the rack. Features of the
rack that are not the next of any may stay clear, or come in the way. Both are looked for, and the machine is
simulated where one of them first happens.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from detent.contact.candidate import FIRST, PAIR, SECOND
from detent.contact.features import EDGE, RADIUS
from detent.contact.joint_axes import shared_lines
from detent.judge.outlook.ahead.contacts import first_touch
from detent.judge.outlook.ahead.motion import MOST_PATTERNS
from detent.judge.outlook.patterns.finding import touched_candidates

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from detent.contact.candidate import Candidates
    from detent.judge.outlook.ahead.motion import PatternMotion

    Floats = NDArray[np.float64]

# Of the size: what is nearer is the same place.
_SAME = 1e-7
_LOOKS = 24


@dataclass(frozen=True)
class OutlineChange:
    """The first pattern (counted from the base) in which a slide shows another outline, and to what."""

    pattern: int
    parts: tuple[str, str]
    what: str


def outline_change(motion: PatternMotion, first: int, most: float) -> OutlineChange | None:
    """Of slides that a pattern carries on and that touch in it, from a pattern on."""
    course = motion.course
    possible, system = course.first.possible, course.first.tree.system
    touched = touched_candidates(course, motion.begin, motion.begin + motion.lasts)
    pairs = sorted({int(possible.listed[candidate, PAIR]) for candidate in touched})
    found = None
    for pair in pairs:
        bodies = [int(body) for body in possible.pairs[pair]]
        for body in bodies:
            if not motion.slides(body):
                continue
            mine = [c for c in touched if int(possible.listed[c, PAIR]) == pair]
            outline = _SlidingOutline(motion, pair, body, mine)
            last = most if found is None else found.pattern - 1
            for n in range(first, int(min(last, MOST_PATTERNS)) + 1):
                what = outline.differs(n)
                if what:
                    names = system.bodies[bodies[0]].name, system.bodies[bodies[1]].name
                    found = OutlineChange(n, names, what)
                    break
    return found


class _SlidingOutline:
    """Features of a slide that can meet what it touches."""

    def __init__(self, motion: PatternMotion, pair: int, body: int, touched: list[int]) -> None:
        self.motion, self.pair, self.body, self.touched = motion, pair, body, touched
        self.possible: Candidates = motion.course.first.possible
        listed = self.possible.listed
        self.rows = listed[listed[:, PAIR] == pair]
        self.mine = self._of_body(self.rows)
        angle = float(motion.poses(np.array([0.0]), 0.0)[0, body, 2])
        c, s = math.cos(angle), math.sin(angle)
        dx, dy = motion.shifts[body, :2]
        self.step = np.array([c * dx + s * dy, -s * dx + c * dy])
        self.near = _SAME * motion.system.size
        after = np.linspace(0.0, motion.lasts, _LOOKS + 1)
        self.after, self.looks = after, motion.poses(after, 0.0)
        others = [int(b) for b in self.possible.pairs[pair] if int(b) != body]
        self.margin = float(max(motion.travel(b, after).max() for b in (body, *others)))
        self.boxes = self._boxes()

    def _of_body(self, rows: Any) -> Any:
        features = np.unique(rows[:, [FIRST, SECOND]])
        return features[self.possible.features.body[features] == self.body]

    def differs(self, n: int) -> str:
        """Why the n-th repetition is not like the pattern; empty where it is."""
        for candidate in self.touched:
            feature = self._of_body(self.possible.listed[[candidate]])[0]
            if not self._has(feature, -n * self.step):
                return f"{self.possible.name(candidate)} has no next: it was the last"
        new = [feature for feature in self.mine if not self._has(feature, n * self.step)]
        rows = self._near(np.array(new, dtype=int), n)
        if len(rows) and first_touch(self.possible, rows, self.pair, self.motion, range(n, n + 1)):
            names = self.motion.system.bodies[self.body].name
            return f"another outline of {names} comes up"
        return ""

    def _has(self, feature: int, by: Floats) -> bool:
        """Whether a feature, moved, is one of the slide's; an edge along the way need only go on."""
        features = self.possible.features
        data, kind = features.data, features.kind
        moved = data[feature].copy()
        moved[:2] += by
        if kind[feature] == EDGE:
            moved[2:4] += by
        alike = self.mine[kind[self.mine] == kind[feature]]
        if (np.abs(data[alike] - moved).max(axis=1) <= self.near).any():
            return True
        if kind[feature] != EDGE:
            return False
        along = moved[2:4] - moved[:2]
        length = float(np.hypot(*along))
        way = self.step / np.hypot(*self.step)
        if abs(along[0] * way[1] - along[1] * way[0]) > 1e-9 * length:
            return False
        for other in alike:
            a, b = data[other, :2], data[other, 2:4]
            off = max(abs(way[0] * (e - moved[:2])[1] - way[1] * (e - moved[:2])[0]) for e in (a, b))
            spans = [sorted(float(way @ e) for e in ends) for ends in ((a, b), (moved[:2], moved[2:4]))]
            if off <= self.near and min(spans[0][1], spans[1][1]) > max(spans[0][0], spans[1][0]):
                return True
        return False

    def _boxes(self) -> Any:
        """(F, 4) of all features of the pair: the box that each is in over the pattern."""
        features = self.possible.features
        boxes = {}
        for feature in np.unique(self.rows[:, [FIRST, SECOND]]):
            poses = self.looks[:, int(features.body[feature])]
            data = features.data[feature]
            ends = [data[:2], data[2:4]] if features.kind[feature] == EDGE else [data[:2]]
            wide = (0.0 if features.kind[feature] == EDGE else float(data[RADIUS])) + self.margin
            c, s = np.cos(poses[:, 2]), np.sin(poses[:, 2])
            x = np.concatenate([poses[:, 0] + c * e[0] - s * e[1] for e in ends])
            y = np.concatenate([poses[:, 1] + s * e[0] + c * e[1] for e in ends])
            boxes[int(feature)] = np.array([x.min() - wide, y.min() - wide, x.max() + wide, y.max() + wide])
        return boxes

    def _near(self, new: Any, n: int) -> Any:
        """Candidates of new features whose boxes meet, the slide moved on."""
        shift = n * np.tile(self.motion.shifts[self.body, :2], 2)
        fresh, kept = set(new.tolist()), []
        for row in self.rows:
            one, other = int(row[FIRST]), int(row[SECOND])
            mine, its = (one, other) if self.possible.features.body[one] == self.body else (other, one)
            if mine in fresh:
                a, b = self.boxes[mine] + shift, self.boxes[its]
                if (a[:2] <= b[2:]).all() and (b[:2] <= a[2:]).all():
                    kept.append(row)
        return np.array(kept).reshape(-1, self.rows.shape[1])


def guide_left(motion: PatternMotion) -> tuple[float, tuple[str, str]]:
    """After how many patterns a slide leaves the guide that its shape shows, and which; infinite: never.

    A guide are edges along the slide on one line with edges of the other part, as long as some face each
    other.
    """
    system, features = motion.system, motion.course.first.possible.features
    poses = motion.poses(np.array([motion.lasts]), 0.0)[0]
    first: tuple[float, tuple[str, str]] = (math.inf, ("", ""))
    for joint in system.joints:
        pair = joint.a.body, joint.b.body
        moving = [body for body in pair if motion.slides(body)]
        if joint.type.name != "prismatic" or len(moving) != 1:
            continue
        other = pair[0] if moving[0] == pair[1] else pair[1]
        if not system.bodies[other].fixed or not shared_lines(system, pair):
            continue
        step = motion.shifts[moving[0], :2]
        way, far = step / np.hypot(*step), float(np.hypot(*step))
        mine, its = (_edges_along(features, body, poses[body], way) for body in (moving[0], other))
        lasts = 0.0
        for offset, low, _ in mine:
            for line, _, end in its:
                if abs(offset - line) <= 10 * _SAME * system.size and end > low:
                    lasts = max(lasts, (end - low) / far)
        if lasts > 0.0 and lasts < first[0]:
            first = lasts, (system.bodies[other].name, system.bodies[moving[0]].name)
    return first


def _edges_along(features: Any, body: int, pose: Floats, way: Floats) -> list[tuple[float, float, float]]:
    """Edges of a body along a direction: how far across it they lie, from where to where along it."""
    c, s = math.cos(pose[2]), math.sin(pose[2])
    found = []
    for feature in features.of_body.get(body, ()):
        if features.kind[feature] != EDGE:
            continue
        a, b = (
            np.array([pose[0] + c * e[0] - s * e[1], pose[1] + s * e[0] + c * e[1]])
            for e in (features.data[feature, :2], features.data[feature, 2:4])
        )
        across = np.array([-way[1], way[0]])
        if abs(float(across @ (b - a))) <= _SAME * float(np.hypot(*(b - a))):
            low, high = sorted((float(way @ a), float(way @ b)))
            found.append((float(across @ a), low, high))
    return found
