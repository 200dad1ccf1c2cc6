"""What `explain` says of a robot, against figures of two unrelated programs, and in words."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import detent
from detent.foundation import ModelError
from tests.conftest import REFERENCE

NAME = "puma_rect_working_point"


@pytest.fixture(scope="module")
def explained() -> Any:
    return detent.explain(str(REFERENCE / "assembly" / f"{NAME}.toml"))


@pytest.fixture(scope="module")
def expected() -> Any:
    document = json.loads((REFERENCE / "assembly" / f"{NAME}.expected.json").read_text())
    return document["explain"]["robots"]["robot"]


def test_wrist_inertia_and_weight_are_as_two_programs_have_them(explained: Any, expected: Any) -> None:
    robot = json.loads(explained.to_json())["robots"]["robot"]
    for key, digits in (
        ("wrist", 6e-6),
        ("tool_axis", 1e-4),
        ("mass_matrix", 6e-6),
        ("gravity_torque", 6e-5),
    ):
        assert np.array(robot[key]) == pytest.approx(np.array(expected[key]), abs=digits), key


def test_the_gears_compliance_is_as_two_programs_have_it(explained: Any, expected: Any) -> None:
    found = explained.robots["robot"]["compliance"]
    assert set(found) == set(expected["compliance"])
    for case, entry in expected["compliance"].items():
        for key in ("Czx_over_Cxx", "Cyx_over_Cxx", "C"):
            assert np.array(found[case][key]) == pytest.approx(np.array(entry[key]), abs=6e-5), (case, key)


def test_pushed_along_minus_x_the_gripper_goes_along_minus_z_and_hardly_along_y(explained: Any) -> None:
    """Meitinger & Pfeiffer's section 6.2: so z is not symmetric, and y nearly is."""
    (along_x, along_y, _) = explained.robots["robot"]["gripper"]["coupling"]
    assert along_x["force"] == "-x"
    assert along_x["moves"]["x"] == pytest.approx(-1)
    assert -0.8 < along_x["moves"]["z"] < -0.4
    assert abs(along_x["moves"]["y"]) < 0.1
    assert abs(along_y["moves"]["x"]) < 0.1
    words = "a force along -x moves it along -x by 18.69 µm/N, and along -z by 0.62 of that; hardly along y"
    assert words in explained.words


def test_words_have_the_frames_the_vibrations_and_every_default(explained: Any) -> None:
    for words in (
        "x -z of the world, y +y of the world, z +x of the world",
        "10.6 to 99.3 Hz",
        "4.6°, -157.2°, 27.5°, 0°, -50.3°, 4.6° (VAL; righty, above, flip)",
        "payload 2.5 kg",
        "gear_damping_ratio 0.03 (chosen for Detent, not measured)",
        "position_gain 150000, 225000, 180000, 2000, 2000, 2000 N m/rad (chosen",
        "gain_damping_ratio 0.7",
        "friction in joints and gears",
    ):
        assert words in explained.words
    assert "gear_stiffness" not in explained.words  # the document gives it
    assert "nothing is fixed" not in explained.words  # a robot stands on its base


def test_matrices_have_nine_coordinates(explained: Any) -> None:
    robot = explained.robots["robot"]
    assert robot["coordinates"] == (*(f"motor {k}" for k in (1, 2, 3)), *(f"joint {k}" for k in range(1, 7)))
    for key in ("M", "P", "Q"):
        assert np.array(robot[key]).shape == (9, 9)
    assert np.array(robot["B"]).shape == (9, 6)
    assert np.array(robot["gripper"]["stiffness"]) @ np.array(
        robot["gripper"]["compliance"]
    ) == pytest.approx(np.eye(6), abs=1e-9)


def robot(settings: dict[str, Any], **document: Any) -> Any:
    part = {"library": "puma560", "set": settings}
    return detent.from_dict({"dimension": 3, "parts": {"arm": part}, **document})


def test_a_working_point_by_its_wrist_is_that_of_its_angles(explained: Any) -> None:
    by_angles = explained.robots["robot"]
    machine = robot({"wrist": list(by_angles["wrist"])}, gravity=[0, 0, -9.81])
    by_wrist = detent.explain(machine).robots["arm"]
    assert by_wrist["working_point_deg"] == pytest.approx(by_angles["working_point_deg"], abs=1e-2)
    assert by_wrist["wrist"] == pytest.approx(by_angles["wrist"], abs=1e-12)
    words = " ".join(by_wrist["assumed"])
    for default in ("tool_axis 0, 0, -1", "across 0, 1, 0", "righty, above, flip", "gear_stiffness"):
        assert default in words


def test_a_singular_working_point_is_told() -> None:
    answer = detent.explain(robot({"working_point_deg": [0, -157.2, 27.5, 0, 0, 0]}))
    assert answer.robots["arm"]["singular"] == ("the hand is straight, axes 4 and 6 are one",)
    assert answer.robots["arm"]["gripper"]["stiffness"] is None
    assert "singular: the hand is straight" in answer.words
    assert "no gravity" in answer.words


def test_an_angle_beyond_the_joints_range_is_told() -> None:
    answer = detent.explain(robot({"working_point_deg": [170, -157.2, 27.5, 0, -50, 0]}))
    assert "beyond what its joints reach: joint 1 at 170° of -160° to 160°" in answer.words


def test_a_wrist_out_of_reach_is_refused() -> None:
    with pytest.raises(ModelError, match=r"^parts.arm.set.wrist: "):
        detent.explain(robot({"wrist": [2, 0, 0]}))


def test_what_is_held_without_mass_is_said() -> None:
    parts = {"arm": {"library": "puma560"}, "peg": {"pose": {"on": "arm.flange"}}}
    joints = {"grip": {"type": "fixed", "between": ["arm.flange", "peg"]}}
    answer = detent.explain(detent.from_dict({"dimension": 3, "parts": parts, "joints": joints}))
    assert "parts.peg.mass: is missing" in answer.robots["arm"]["why_not"]
    assert "not looked at further: parts.peg.mass" in answer.words


def test_a_carrier_is_told_along_the_worlds_axes() -> None:
    settings = {"stiffness": [3e4, 2e4, 6e4, 400, 500, 600], "mass": 5, "principal": [0.05, 0.06, 0.07]}
    part = {"library": "carrier", "set": settings, "pose": {"turn_deg": 90}}
    answer = detent.explain(detent.from_dict({"dimension": 3, "parts": {"carrier": part}}))
    gripper = answer.robots["carrier"]["gripper"]
    assert np.diag(gripper["stiffness"]) == pytest.approx([2e4, 3e4, 6e4, 500, 400, 600])
    assert "damping_ratio 0.6" in answer.words
