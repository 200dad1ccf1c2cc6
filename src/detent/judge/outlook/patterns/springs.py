"""Springs that a pattern winds or unwinds: what runs down, and how far it has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from detent.judge.outlook.patterns.hypotheses import STILL
from detent.mechanics.tree_kernels import REST, STIFFNESS, place_tree, plane_state

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from detent.mechanics.tree import Tree

    Floats = NDArray[np.float64]


# Of the tension at first: less is slack, a pattern that ends there has lasted as long as its spring drove it.
SLACK = 0.1
RELAXED = 1e-6  # of its tension at first: a spring with less has none


@dataclass(frozen=True)
class RunningSpring:
    """A spring that a pattern winds or unwinds: its tension at the base, and its change per pattern."""

    joint: str
    tension: float  # [N m, N]
    change: float

    @property
    def slack_after(self) -> float:
        """Patterns from the base until it is slack; infinite for one that is being wound."""
        return -self.tension / self.change if self.tension * self.change < 0 else float("inf")

    def share_at(self, number: float) -> float:
        """Of its tension at the base."""
        return 1.0 + number * self.change / self.tension if self.tension else 0.0


def joint_values(tree: Tree, y: Floats) -> Floats:
    """Coordinates of all joints, at rest."""
    state = plane_state(tree.machine)
    place_tree(tree.machine, y, np.zeros(tree.freedoms), state)
    values: Floats = state.joints[0].copy()
    return values


def tension_left(tree: Tree, begun: Floats, spring: RunningSpring, number: float) -> float:
    """Of a spring's tension where a course began: the share that it has after a pattern."""
    return (spring.tension + number * spring.change) / spring_at_first(tree, begun, spring)


def spring_at_first(tree: Tree, begun: Floats, spring: RunningSpring) -> float:
    """A spring's tension where a course began; that at the base where it was wound since."""
    k = tree.coordinates.index(spring.joint)
    row = tree.machine.joints[k]
    first = float(row[STIFFNESS] * (joint_values(tree, begun)[k] - row[REST]))
    return first if abs(first) > abs(spring.tension) else spring.tension


def tensions_left(tree: Tree, begun: Floats, now: Floats) -> dict[str, float]:
    """Of the tension that springs had where a course began, the share that is left, of each that has any.

    A spring that is relaxed, as that of a pendulum at rest, is left out.
    """
    values = [joint_values(tree, y) for y in (begun, now)]
    shares: dict[str, float] = {}
    for k, name in enumerate(tree.coordinates):
        row = tree.machine.joints[k]
        first, last = (float(each[k] - row[REST]) for each in values)
        if row[STIFFNESS] > 0 and abs(last) > RELAXED * abs(first) > 0:
            shares[name] = last / first
    return shares


def ran_down(tree: Tree, states: Floats) -> dict[str, float]:
    """Of springs that came to be slack over some states in order, what is left of their first tension.

    One that swung about its rest has not run down: it was slack many times.
    """
    values = np.array([joint_values(tree, y) for y in states])
    shares: dict[str, float] = {}
    for k, name in enumerate(tree.coordinates):
        row = tree.machine.joints[k]
        tension = values[:, k] - row[REST]
        if row[STIFFNESS] > 0 and abs(tension[0]) > STILL:
            left = tension / tension[0]
            if abs(left[-1]) < SLACK and left.min() > -SLACK:
                shares[name] = float(left[-1])
    return shares


def springs_of(tree: Tree, at: Floats, net: Floats) -> list[RunningSpring]:
    """Springs that the net change of a pattern winds or unwinds, from where it is looked at."""
    coordinates = [joint_values(tree, y) for y in (at, at + net)]
    found = []
    for k, name in enumerate(tree.coordinates):
        row, change = tree.machine.joints[k], float(coordinates[1][k] - coordinates[0][k])
        if row[STIFFNESS] > 0 and abs(change) > STILL:
            tension = row[STIFFNESS] * (coordinates[0][k] - row[REST])
            found.append(RunningSpring(name, float(tension), float(row[STIFFNESS] * change)))
    return found
