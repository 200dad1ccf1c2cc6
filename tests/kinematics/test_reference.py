"""Reference documents: plans, positions and limits that two unrelated programs agree on."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import detent
from detent.judge import explain
from detent.kinematics.equations import close, drawn_poses, residual_and_jacobian, rows_of
from detent.model.machine import plane_linkage_of
from detent.motion import Kinematic, move

FOLDER = Path(__file__).parents[1] / "data" / "reference" / "linkages"
ALL = sorted(f.name for f in FOLDER.glob("*.expected.json"))


def load(expected: str):
    wanted = json.loads((FOLDER / expected).read_text())
    return detent.load(FOLDER / wanted["document"]), wanted


@pytest.mark.parametrize("name", [n for n in ALL if "fig22" not in n])
def test_plan_and_mobility_are_those_of_the_reference(name):
    mechanism, wanted = load(name)
    explanation = explain(mechanism)
    assert explanation.mobility.gruebler == wanted["explain"]["mobility"]["gruebler"]
    assert explanation.mobility.actual == wanted["explain"]["mobility"]["actual"]
    assert explanation.plan_summary == wanted["explain"]["plan_summary"]
    assert len(explanation.joints) == wanted["explain"]["joint_count"]


@pytest.mark.parametrize("name", [n for n in ALL if "Chain" not in n and "fig22" not in n])
@pytest.mark.parametrize("solver", ["plan", "newton_svd"])
def test_markers_go_where_the_reference_has_them(name, solver):
    mechanism, wanted = load(name)
    motion = move(mechanism, method=Kinematic(solver=solver))
    np.testing.assert_allclose(motion.inputs, wanted["move"]["inputs"], atol=1e-14)
    size = plane_linkage_of(mechanism).size
    for marker, track in wanted["move"]["markers"].items():
        error = np.abs(np.asarray(motion.markers[marker]) - track).max() / size
        assert error <= wanted["move"]["tolerance"], marker


def test_the_break_of_two_degrees_is_found_between_samples_four_degrees_apart():
    mechanism, wanted = load("fig22-break.expected.json")
    motion = move(mechanism)
    np.testing.assert_allclose(motion.limits, wanted["move"]["limits"], atol=np.radians(1e-9))
    assert motion.stop == wanted["move"]["stop"]
    assert motion.certified.startswith("proved")
    assert motion.inputs[-1] == pytest.approx(wanted["move"]["limits"][0], abs=1e-11)


def test_a_chain_with_free_motion_closes_in_every_frame():
    mechanism, _ = load("Chain-4.expected.json")
    motion = move(mechanism)
    system = plane_linkage_of(mechanism)
    rows = rows_of(system)
    assert motion.stop == "done"
    for i in range(len(motion.inputs)):
        poses = np.array([motion.poses[part][i] for part in system.parts])
        assert np.abs(residual_and_jacobian(rows, poses)[0]).max() <= 1e-12 * system.size


def test_newton_closes_a_drawing_that_is_a_little_off():
    mechanism, _ = load("fig22-break.expected.json")
    system = plane_linkage_of(mechanism)
    closure = close(rows_of(system), drawn_poses(system))
    assert closure.closed
    assert np.abs(closure.poses - drawn_poses(system)).max() < 0.01
