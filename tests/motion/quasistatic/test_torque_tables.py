"""Hinges with a table of torques: the motion is that of any spring that grows, forces are the table's."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import detent
from tests.motion.quasistatic.test_sliding import STICK

STIFFENING = [[0, 0], [0.1, 0.05], [0.2, 0.3], [0.5, 2]]


def _with(torque: Any, **more: Any) -> detent.Mechanism:
    table = {"type": "revolute", "between": ["root", "stick"], "at": [0, 9], "spring": {"torque": torque}}
    return detent.loads(STICK).with_("joints.hinge", table | more)


def test_a_straight_table_is_a_stiffness() -> None:
    linear, table = detent.mate(detent.loads(STICK)), detent.mate(_with([[-1, -1], [0, 0], [1, 1]]))
    for one, other in zip(linear.legs, table.legs, strict=True):
        assert [event.kind for event in one.events] == [event.kind for event in other.events]
        assert other.force.on_drive == pytest.approx(one.force.on_drive, rel=1e-12)
        assert other.force.peak == pytest.approx(one.force.peak, rel=1e-12)


@pytest.mark.parametrize("turned", [False, True])
def test_forces_are_those_of_the_table_at_each_angle(turned: bool) -> None:
    """Hinged the other way round the joint counts the other way, and the table is that of the other side."""
    linear = detent.mate(detent.loads(STICK)).legs[0].force
    table = [[-0.5, -7], *STIFFENING]  # much stiffer on the side that it does not turn to
    table = [[-a, -t] for a, t in table[::-1]] if turned else table
    other = {"between": ["stick", "root"]} if turned else {}
    mating = detent.mate(_with(table, **other))
    found = mating.legs[0].force
    angles, torques = np.array(STIFFENING).T
    looked = 0
    for t, push, angle in zip(found.times, found.on_drive, found.hinges["hinge"].angle, strict=True):
        if push == 0:
            continue
        of_one = np.interp(t, linear.times, linear.on_drive)
        a = abs(angle)
        assert push == pytest.approx(of_one / a * np.interp(a, angles, torques), rel=2e-3)
        looked += 1
    assert looked > 10
    # At the end the hinge is 5 above the floor: the stick, of 10, has turned from atan(3/4) to 60 degrees.
    turn = math.pi / 3 - math.atan(0.75)
    lever = 10 * (math.sin(math.pi / 3) - 0.7 * math.cos(math.pi / 3))
    assert found.on_drive[-1] == pytest.approx(np.interp(turn, angles, torques) / lever, rel=1e-12)
    assert any("goes on so beyond -28.6479° and 28.6479° from rest" in each for each in mating.scope.assumed)


def test_the_energy_stored_is_the_area_under_the_table() -> None:
    stored = detent.mate(_with(STIFFENING)).run.trajectory.energy["stored"]
    turn = math.pi / 3 - math.atan(0.75)
    angles = np.linspace(0, turn, 200_001)
    torques = np.interp(angles, *np.array(STIFFENING).T)
    assert max(stored) == pytest.approx(np.trapezoid(torques, angles), rel=1e-8)


@pytest.mark.parametrize(
    ("torque", "problem"),
    [
        (
            [[0, 0], [0.1, 1], [0.2, 1]],
            r"joints\.hinge\.spring\.torque\.2: the torque does not grow from 1 to 1",
        ),
        ([[0, 0], [0.2, 1], [0.1, 2]], "the angle does not grow from 0.2 to 0.1"),
        ([[0.1, 1], [0.2, 2]], "has no row 0, 0"),
        ([[0, 0]], "fewer than two rows"),
    ],
)
def test_a_table_that_is_no_spring_is_refused(torque: Any, problem: str) -> None:
    with pytest.raises(detent.ModelError, match=problem):
        detent.mate(_with(torque))


def test_what_does_not_follow_tables_says_so() -> None:
    with pytest.raises(detent.ModelError, match=r"spring\.stiffness: is missing"):
        detent.loads(STICK.replace("spring.stiffness = 1", "spring.rest = 0"))
    with pytest.raises(detent.ModelError, match="stands beside `stiffness`"):
        _with([[0, 0], [1, 1]]).with_("joints.hinge.spring.stiffness", 1)
    with pytest.raises(detent.foundation.UnsupportedError, match="by `mate`"):
        detent.run(_with([[0, 0], [1, 1]]).with_("ask.run.until", 1))
    with pytest.raises(detent.foundation.UnsupportedError, match="between no proved numbers"):
        detent.mate(_with([[0, 0], [1, 1]]).with_("ask.mate.force_digits", 9))
