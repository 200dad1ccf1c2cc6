"""Gears: pitch circles that touch or overlap in one layer; the ratio by teeth, else by diameters."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import detent
from detent.foundation import ModelError
from detent.infer import infer, resolved
from detent.model import Mechanism
from tests.infer.shapes import block, less, machine, pin, union


def wheel(radius: object, at: tuple[float, float], low: float = 0, **label: Any) -> dict[str, Any]:
    disc = {"cylinder": {"radius": radius, "height": 4, **label}, "moves": [{"move": [*at, low]}]}
    return less(disc, pin(1, low, low + 4, at))


def train(
    *wheels: tuple[str, object, float, dict[str, Any]], more: dict[str, Any] | None = None
) -> Mechanism:
    """Wheels along x on the pins of a plate."""
    plate = union(block((-50, -50, -2), (200, 50, 0)), *(pin(1, -1, 8, (x, 0)) for _, _, x, _ in wheels))
    return machine(
        more=more, frame=plate, **{name: wheel(r, (x, 0), **label) for name, r, x, label in wheels}
    )


def test_the_ratio_by_teeth_comes_before_that_by_diameters():
    found = infer(train(("a", 10, 0, {"teeth": 20}), ("b", 20, 30, {"teeth": 41})))
    gear = found.joint("a_b")
    assert gear.ratio == Fraction(-20, 41)
    assert "20 and 41 teeth" in gear.why


def test_the_ratio_by_diameters():
    gear = infer(train(("a", 10, 0, {"gear": True}), ("b", "25", 35, {"teeth": 50}))).joint("a_b")
    assert gear.ratio == Fraction(-2, 5)


@pytest.mark.parametrize(("apart", "meshes"), [(30, True), ("29.9", True), ("30.1", False)])
def test_they_mesh_where_they_touch_or_overlap(apart: object, meshes: bool):
    found = infer(train(("a", 10, 0, {"teeth": 20}), ("b", 20, float(apart), {"teeth": 40})))
    assert any(joint.type == "gear" for joint in found.joints) == meshes


@pytest.mark.parametrize(("apart", "meshes"), [("30.9", True), ("31.1", False)])
def test_teeth_of_a_depth_reach_farther(apart: str, meshes: bool):
    deep = {"teeth": 20, "depth": 1}
    found = infer(train(("a", 10, 0, deep), ("b", 20, float(apart), {"teeth": 40, "depth": 1})))
    assert any(joint.type == "gear" for joint in found.joints) == meshes


def test_gears_in_other_layers_do_not_mesh():
    found = infer(train(("a", 10, 0, {"teeth": 20}), ("b", 20, 30, {"teeth": 40, "low": 4})))
    assert not any(joint.type == "gear" for joint in found.joints)


def test_a_ring_turns_the_same_way():
    ring = less(
        {"cylinder": {"radius": 40, "height": 4}},
        {"cylinder": {"radius": 30, "height": 4, "teeth": 60}},
    )
    hub = union(
        block((-50, -50, -2), (50, 50, 0)), pin(1, -1, 8, (20, 0)), less(pin(45, 0, 4), pin(40, 0, 4))
    )
    found = infer(machine(frame=hub, ring=ring, pinion=wheel(10, (20, 0), teeth=20)))
    assert found.joint("ring_pinion").ratio == 3


def test_a_train_is_one_freedom_and_turns_as_its_ratios_say():
    drive = {
        "joints": {"a": {"type": "infer", "between": ["frame", "a"]}},
        "drives": {"a": {"joint": "a", "from_deg": 0, "to_deg": 90, "steps": 9}},
    }
    wheels = [("a", 10, 0, {"teeth": 20}), ("b", 20, 30, {"teeth": 40}), ("c", 5, 55, {"gear": True})]
    document = train(*wheels, more=drive)
    found = infer(document)
    assert found.mobility == 1
    assert found.subsystems == (("a", "b", "c"),)
    assert found.elementary == ("a", "b", "c")
    assert len(found.state_variables) == 2
    assert found.interactions == ()
    motion = detent.move(document)
    turned = {part: motion.poses[part][:, 2] for part in "abc"}
    assert turned["b"] == pytest.approx(-turned["a"] / 2)
    assert turned["c"] == pytest.approx(2 * turned["a"])
    assert np.ptp(turned["a"]) == pytest.approx(np.pi / 2)


def test_a_gear_joint_takes_its_ratio_from_the_teeth():
    mesh = {"type": "gear", "between": ["b", "a"]}
    wheels = [("a", 10, 0, {"teeth": 20}), ("b", 20, 30, {"teeth": 40})]
    assert resolved(train(*wheels, more={"joints": {"mesh": mesh}})).joints["mesh"].ratio == -2


def test_a_gear_joint_without_gears_is_refused_by_name():
    mesh = {"type": "gear", "between": ["b", "a"]}
    document = train(("a", 10, 0, {}), ("b", 20, 35, {}), more={"joints": {"mesh": mesh}})
    assert "ratio" in str(infer(document).open)
    with pytest.raises(ModelError, match=r"joints.mesh.ratio"):
        detent.move(document)


def test_a_ratio_given_by_hand_wins_and_is_compared():
    mesh = {"type": "gear", "between": ["a", "b"], "ratio": "-1/3"}
    wheels = [("a", 10, 0, {"teeth": 20}), ("b", 20, 30, {"teeth": 40})]
    gear = infer(train(*wheels, more={"joints": {"mesh": mesh}})).joint("mesh")
    assert gear.ratio == Fraction(-1, 3)
    assert gear.compared == "the shapes give a ratio of -1/2"


def test_padl_s_gear_label(tmp_path: Path):
    file = tmp_path / "m.padl"
    file.write_text(
        "generic m(m)\n"
        "disc = cyl(d=20,h=4)\n"
        "attr disc : gear = 1\n"
        "a = (disc dif cyl(d=2,h=4)) at (movx=0)\n"
        "b = (disc dif cyl(d=2,h=4)) at (movx=20)\n"
        "f = ((blo(x=60,y=40) at (movx=-20,movy=-20,movz=-1)) un (cyl(d=2,h=6) at (movz=-1)) un "
        "(cyl(d=2,h=6) at (movx=20,movz=-1))) at (movx=0)\n"
        "attr f : frame = 1\n"
        "m = a asb b asb f\n"
    )
    found = infer(detent.load(file))
    assert found.joint("a_b").ratio == -1


@pytest.mark.parametrize("ratio", [None, "-1/2"])
def test_a_written_gear_leaves_the_axles_to_the_shapes(ratio):
    """A gear holds no part: both wheels still turn on their pins, as one degree of freedom."""
    table = {"type": "gear", "between": ["a", "b"]} | ({} if ratio is None else {"ratio": ratio})
    wheels = (("a", 10, 0, {"teeth": 20}), ("b", 20, 30, {"teeth": 40}))
    mechanism = train(*wheels, more={"joints": {"mesh": table}})
    found = infer(mechanism)
    assert {joint.name: joint.type for joint in found.joints} == {
        "mesh": "gear",
        "frame_a": "revolute",
        "frame_b": "revolute",
    }
    assert found.joint("mesh").ratio == Fraction(-1, 2)
    assert found.mobility == 1
    assert set(resolved(mechanism).joints) == {"mesh", "frame_a", "frame_b"}
