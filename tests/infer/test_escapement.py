"""The published escapement (Gelsey 1995, Figs. 1, 12, 13): three revolute pairs, six state variables."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import detent
from detent.infer import infer, resolved
from detent.model import Mechanism

ROOT = Path(__file__).parents[2]
REFERENCE = ROOT / "tests/data/reference/machines"
MACHINES = {
    "example": ROOT / "examples/escapement.toml",
    "reference": REFERENCE / "escapement.toml",
    "PADL": ROOT / "examples/from_padl.padl",
}


@pytest.fixture(scope="module", params=MACHINES)
def escapement(request: pytest.FixtureRequest) -> Mechanism:
    return detent.load(MACHINES[request.param])


def test_three_revolute_pairs_about_the_published_axes(escapement: Mechanism):
    joints = {joint.name: joint for joint in infer(escapement).joints}
    expected = {"lever": (0, "15/2"), "bwheel": (0, 20), "ewheel": (0, 0)}
    for name, (x, y) in expected.items():
        joint = joints[name]
        assert joint.type == "revolute"
        assert joint.parts == ("frame", name)
        assert tuple(str(c) for c in joint.point[:2]) == (str(x), str(y))
        assert joint.direction == (0, 0, 1)
        assert joint.why.startswith(f"a pin of frame, diameter 1, in a hole of {name}")


def test_the_axial_freedom_is_dropped_and_said(escapement: Mechanism):
    found = infer(escapement)
    assert {drop.joint for drop in found.dropped} == {"lever", "bwheel", "ewheel"}
    assert "dropped" in detent.explain(escapement).words


def test_what_can_touch_is_what_the_reference_says(escapement: Mechanism):
    expected = json.loads((REFERENCE / "escapement.expected.json").read_text())["explain"]
    pairs = {frozenset(pair) for pair in detent.explain(escapement).interactions}
    assert pairs == {frozenset(pair) for pair in expected["interactions"]}


def test_explain_has_the_reference_s_joints(escapement: Mechanism):
    expected = json.loads((REFERENCE / "escapement.expected.json").read_text())["explain"]
    joints = {joint.parts: joint for joint in detent.explain(escapement).joints}
    for joint in expected["joints"]:
        found = joints[tuple(joint["parts"])]
        assert found.type == joint["type"]
        assert found.inferred == joint["inferred"]
        assert list(found.axis["at"][:2]) == joint["axis"]["at"]
        assert list(found.axis["along"]) == joint["axis"]["along"]


def test_three_subsystems_and_six_state_variables(escapement: Mechanism):
    explanation = detent.explain(escapement)
    assert explanation.mobility.gruebler == explanation.mobility.actual == 3
    assert len(explanation.subsystems) == 3
    assert len(explanation.state_variables) == 6


def test_springs_and_damping_stay_on_the_joints(escapement: Mechanism):
    machine = resolved(escapement)
    assert machine.joints["bwheel"].spring == escapement.joints["bwheel"].spring
    assert machine.joints["ewheel"].damping == 20


def test_gravity_along_the_axis_keeps_the_freedom():
    heavy = detent.load("escapement").with_("gravity", [0, 0, -10])
    assert {joint.type for joint in infer(heavy).joints} == {"cylindrical"}
    across = detent.load("escapement").with_("gravity", [0, -10, 0])
    assert {joint.type for joint in infer(across).joints} == {"revolute"}


@pytest.mark.parametrize("name", ["ratchet_ccw", "rotary_to_rocking"])
def test_machines_with_joints_given_by_hand(name: str):
    found = infer(detent.load(REFERENCE / f"{name}.toml"))
    assert all(joint.given for joint in found.joints)
    assert len(found.interactions) == 1
    assert len(found.state_variables) == 4
