"""The motion of a pattern, repeated: where bodies are in its n-th repetition, and how far they go at most.

The coordinates of a repetition are those of the pattern with what each one leaves elsewhere added n times:
right for parts on an axis, on a slide and on other parts that move. How far a body goes between two instants
is bounded by the hull of the steps' control points, as in the simulation itself.
"""

from __future__ import annotations

import math
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from detent.mechanics.tree_columns import TURN, X, Y
from detent.mechanics.tree_kernels import PIN, WELD, PlaneState, place_tree, plane_state
from detent.motion.rigid import layout
from detent.motion.rigid.bounds import SPEED, bound_motion
from detent.motion.rigid.layout import view
from detent.motion.running.along import RunSteps

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from detent.judge.outlook.patterns.simulating import SimulatedCourse

    Floats = NDArray[np.float64]

# rad, or of the size: a part that is back but for so much is back.
_BACK = 1e-6
MOST_PATTERNS = 2000
_WORK = 1e7  # elementary steps: the kernel is compiled by the run already


class PatternMotion:
    """A pattern that a course shows: since when, how long, what it changes coordinates by, and its number."""

    def __init__(
        self, course: SimulatedCourse, begin: float, lasts: float, net: Floats, number: float = 0.0
    ) -> None:
        self.course, self.begin, self.lasts, self.net, self.number = course, begin, lasts, net, number
        self.tree, self.system = course.first.tree, course.first.tree.system
        ends = course.along.steps[:, 0] + course.along.steps[:, 1] * course.along.steps[:, 2]
        inside = np.flatnonzero((ends > begin) & (course.along.steps[:, 0] < begin + lasts))
        self.steps, self.points = course.along.steps[inside], course.along.points[inside]

    def poses(self, after: Floats, n: float) -> Floats:
        """(k, N, 3): x, y, angle [m, rad] at instants after the begin, in the n-th repetition."""
        shifted = RunSteps(self.tree, self.steps, self.points + n * self.net)
        return shifted.placed(self.begin + after)[0][:, :, :3]

    @cached_property
    def shifts(self) -> Floats:
        """(N, 3): what a pattern moves and turns bodies by [m, rad]."""
        return self._placed(1.0) - self._placed(0.0)

    def moves(self, body: int) -> bool:
        """Whether a pattern leaves a body elsewhere."""
        return bool((np.abs(self.shifts[body]) > _BACK * self._scales).any())

    def slides(self, body: int) -> bool:
        """Whether a pattern leaves a body elsewhere without turning it."""
        return self.moves(body) and abs(float(self.shifts[body, 2])) <= _BACK

    @property
    def _scales(self) -> Floats:
        return np.array([self.system.size, self.system.size, 1.0])

    def _placed(self, n: float) -> Floats:
        state = plane_state(self.tree.machine)
        y = self.points[0, 0] + n * self.net
        place_tree(self.tree.machine, y, np.zeros(self.tree.freedoms), state)
        placed: Floats = state.bodies[:, [X, Y, TURN]].copy()
        return placed

    def period(self, bodies: list[int]) -> float:
        """Patterns after which bodies stand as now, whole turns apart; infinite where they never do."""
        now = self._placed(0.0)[bodies]
        for n in range(1, MOST_PATTERNS + 1):
            off = self._placed(float(n))[bodies] - now
            off[:, 2] = [math.remainder(turn, 2 * math.pi) for turn in off[:, 2]]
            if (np.abs(off) <= _BACK * n * self._scales).all():
                return n
        return math.inf

    def is_bounded(self, body: int) -> bool:
        """Whether `travel` holds for all repetitions: not of a slide that is carried on along a part that
        turns."""
        machine = self.tree.machine
        row = {int(link[0]): k for k, link in enumerate(machine.links)}
        while body in row:
            link = machine.links[row[body]]
            parent, kind = int(link[1]), int(link[2])
            carried = kind not in (PIN, WELD) and abs(float((machine.follow[link[3]] * self.net).sum())) > 0.0
            if carried and not self.system.bodies[parent].fixed:
                return False
            body = parent
        return True

    def travel(self, body: int, after: Floats) -> Floats:
        """(k - 1,) [m] From one instant to the next: how far any of a body's features goes, at most."""
        ways: Floats = np.diff(np.interp(self.begin + after, self._travelled[0], self._travelled[1][body]))
        return ways

    @cached_property
    def _travelled(self) -> tuple[Floats, Floats]:
        """Ends of steps, and by body the bound on the way up to each."""
        run, tree = self.course.first, self.tree
        blocks = run.blocks
        slots = layout.STATE, layout.SPANS, layout.COORDINATES, layout.MEASURED
        state = PlaneState(*(view(blocks, slot) for slot in slots))
        points, bounds = view(blocks, layout.POINTS), view(blocks, layout.BOUNDS)
        way = np.zeros((len(self.system.bodies), len(self.steps) + 1))
        times = np.append(self.steps[:, 0], self.steps[-1, 0] + self.steps[-1, 1] * self.steps[-1, 2])
        for k, (_, length, share) in enumerate(self.steps):
            place_tree(tree.machine, self.points[k, 0], np.zeros(tree.freedoms), state)
            points[:] = self.points[k]
            bound_motion.at(_WORK)(*blocks, length)
            way[:, k + 1] = way[:, k] + length * share * bounds[:, SPEED]
        return times, way
