"""The crank mechanism (Gelsey 1995, Fig. 3): movable axes, and a cylindrical pair that acts as a slide."""

from __future__ import annotations

import math

import numpy as np
import pytest

import detent
from detent.infer import infer, resolved, symmetries
from detent.model import Mechanism
from detent.model.machine import part_solid
from tests.infer.shapes import machine, pin


@pytest.fixture(scope="module")
def crank() -> Mechanism:
    return detent.load("crank")


def test_five_symmetries_of_the_crankshaft(crank: Mechanism):
    solid = part_solid(crank, "crankshaft")
    assert solid is not None
    found = symmetries(solid)
    assert sum(s.kind == "prismatic" for s in found) == 3
    rotational = [s for s in found if s.kind == "rotational"]
    assert [s.point for s in rotational] == [(0, 0, 0), (24, 18, 0)]
    assert len(rotational[0].leaves) == 2  # two journals on one axis
    prismatic = next(s for s in found if s.kind == "prismatic" and s.direction == (0, 0, 1))
    assert prismatic.leaves == (0, 1, 2, 3, 4)  # all of it


def test_three_revolute_pairs_and_a_cylindrical_one(crank: Mechanism):
    joints = {joint.parts: joint for joint in infer(crank).joints}
    types = {parts: joint.type for parts, joint in joints.items()}
    assert types == {
        ("frame", "crankshaft"): "revolute",
        ("crankshaft", "rod"): "revolute",
        ("rod", "piston"): "revolute",
        ("frame", "piston"): "cylindrical",
    }
    assert joints["frame", "piston"].acts_as == "prismatic"
    assert joints["frame", "piston"].direction == (1, 0, 0)
    assert joints["crankshaft", "rod"].point[:2] == (24, 18)
    words = detent.explain(crank).words
    assert "cylindrical, acts as prismatic" in words


def test_it_has_one_freedom(crank: Mechanism):
    explanation = detent.explain(crank)
    assert explanation.mobility.actual == 1
    assert explanation.state_variables == ("angle of crank", "speed of crank")


def test_the_planner_moves_it_as_the_closed_form_says(crank: Mechanism):
    motion = detent.move(crank)
    assert motion.stop == "done"
    angle = np.ravel(motion.inputs) + math.atan2(18, 24)
    x = 30 * np.cos(angle) + np.sqrt(82**2 - (30 * np.sin(angle)) ** 2)
    assert motion.poses["piston"][:, 0] == pytest.approx(x - 104, abs=1e-9)
    assert motion.poses["piston"][:, 1:] == pytest.approx(0, abs=1e-9)


def test_without_shoulders_the_travel_along_the_pins_is_dropped(crank: Mechanism):
    """The webs cut away to leave gaps: the rod could slide on its pin, but nothing pushes it."""
    loose = crank
    for path in ("parts.crankshaft.shape.union.2.block", "parts.crankshaft.shape.union.3.block"):
        loose = loose.with_(path, [46, 18, 4])
    loose = loose.with_("parts.crankshaft.shape.union.2.moves.0.move", [-8, -9, 5])
    loose = loose.with_("parts.crankshaft.shape.union.3.moves.0.move", [-8, -9, -9])
    found = infer(loose)
    assert {joint.acts_as or joint.type for joint in found.joints} == {"revolute", "prismatic"}
    assert [drop.joint for drop in found.dropped] == ["crankshaft_rod"]
    assert detent.move(loose).stop == "done"


def test_a_piston_alone_stays_cylindrical():
    from tests.infer.shapes import block, less, pin_x

    block_ = less(block((0, -20, -20), (50, 20, 20)), pin_x(10, 0, 50))
    found = infer(machine(more={"gravity": [-9, 0, 0]}, frame=block_, piston=pin_x(10, 10, 40)))
    assert found.joints[0].type == "cylindrical"
    assert found.joints[0].acts_as == ""


def test_written_joints_give_the_same_graph_mobility_and_motion(crank: Mechanism):
    machine_ = resolved(crank)
    written = detent.from_dict(machine_.to_dict())
    assert resolved(written) is written
    one, other = detent.move(crank), detent.move(written)
    for part in ("crankshaft", "rod", "piston"):
        assert np.array_equal(one.poses[part], other.poses[part])
    assert detent.explain(written).mobility.actual == 1
    assert all(joint.compared in ("agrees", "") for joint in detent.explain(written).joints)


def test_a_pin_of_a_wheel_alone_has_two_symmetries():
    wheel = machine(frame=pin(1, 0, 1), wheel=pin(2, 0, 1))
    solid = part_solid(wheel, "wheel")
    assert solid is not None
    assert [s.kind for s in symmetries(solid)] == ["prismatic", "rotational"]
