"""Settings of library parts: typed, in the document's units; what cannot be is refused with its place."""

from __future__ import annotations

from typing import Any

import jsonschema
import pytest

from detent.foundation import ModelError
from detent.io.native import schema
from detent.library import link_frames, robot_of, settings_of
from detent.model.reading import convert

ANGLES = [4.6, -157.2, 27.5, 0, -50.3, 4.6]
CARRIER = {"stiffness": [3e4, 3e4, 6e4, 4521, 4521, 4521], "mass": 5, "principal": [0.05, 0.05, 0.05]}
PAYLOAD = {"mass": 2, "center": [0, 0, 0.1], "principal": [0.01, 0.01, 0.006]}


def machine(library: str, settings: dict[str, Any], **document: Any) -> Any:
    part = {"library": library, "set": settings}
    return convert.mechanism({"dimension": 3, "parts": {"it": part}, **document})


@pytest.mark.parametrize(
    ("library", "settings", "place", "problem"),
    [
        ("puma560", {"working_point_deg": [1, 2, 3]}, "working_point_deg", "expected 6 numbers, found 3"),
        ("puma560", {"working_point_deg": [0, 0, 0, 0, [], 0]}, "working_point_deg.4", "number"),
        ("puma560", {"working_point_deg": "ready"}, "working_point_deg", "expected 6 numbers"),
        ("puma560", {"working_pont_deg": ANGLES}, "working_pont_deg", "did you mean 'working_point_deg'"),
        ("puma560", {"gear_stifness": [1, 1, 1]}, "gear_stifness", "did you mean 'gear_stiffness'"),
        ("puma560", {"gear_stiffness": [3e4, 0, 3e4]}, "gear_stiffness.1", "above zero, found 0"),
        ("puma560", {"gear_stiffness": [1, 2, 3, 4]}, "gear_stiffness", "expected 3 numbers, found 4"),
        ("puma560", {"position_gain": [1, 1, 1, 1, 1, -1]}, "position_gain.5", "above zero, found -1"),
        ("puma560", {"torque_limit": [97, 186, 89, 24, 0, 21]}, "torque_limit.4", "above zero, found 0"),
        ("puma560", {"torque_limit": 97}, "torque_limit", "expected 6 numbers"),
        ("puma560", {"gear_damping_ratio": -0.1}, "gear_damping_ratio", "at least zero"),
        ("puma560", {"gear_damping_ratio": "soft"}, "gear_damping_ratio", "number"),
        ("puma560", {"gripper": -0.1}, "gripper", "at least zero"),
        ("puma560", {"working_point_deg": ANGLES, "wrist": [1, 1, 1]}, "wrist", "given twice"),
        ("puma560", {"working_point_deg": ANGLES, "elbow": "above"}, "elbow", "none is given"),
        ("puma560", {"wrist": [-0.7, 0, 0.6], "elbow": "abov"}, "elbow", "did you mean 'above'"),
        ("puma560", {"wrist": [-0.7, 0, 0.6], "tool_axis": [0, 0, 0]}, "tool_axis", "zero vector"),
        ("puma560", {"payload": {**PAYLOAD, "mass": 0}}, "payload.mass", "above zero"),
        ("puma560", {"payload": {"mass": 1}}, "payload.center", "is missing"),
        (
            "puma560",
            {"payload": {**PAYLOAD, "principal": [1, 1, 3]}},
            "payload.principal",
            "which no body has",
        ),
        ("carrier", {}, "stiffness", "is missing"),
        ("carrier", {**CARRIER, "stiffness": [1, 1, 1]}, "stiffness", "expected 6 numbers, found 3"),
        ("carrier", {**CARRIER, "stiffness": [1, 1, 1, 1, 1, 0]}, "stiffness.5", "above zero"),
        ("carrier", {**CARRIER, "mass": 0}, "mass", "above zero"),
        ("carrier", {**CARRIER, "damping": [1] * 6, "damping_ratio": 1}, "damping_ratio", "given twice"),
        ("oring", {"inner_diameter": 3}, "section", "is missing"),
        ("oring", {"section": []}, "section", "number"),
        ("oring", {"section": 1, "groove_radius": -5}, "groove_radius", "above zero"),
        (
            "oring",
            {"section": 1, "inner_diameter": 20, "groove_radius": 9},
            "groove_radius",
            "is 2 (in the document's unit of length) wider than its groove",
        ),
        (
            "oring",
            {"section": 1, "inner_diameter": 20, "presure": [1, 2]},
            "presure",
            "did you mean 'pressure'",
        ),
    ],
)
def test_a_wrong_setting_is_refused_where_it_is_written(
    library: str, settings: dict[str, Any], place: str, problem: str
) -> None:
    with pytest.raises(ModelError) as refused:
        machine(library, settings)
    assert any(
        found.at == f"parts.it.set.{place}" and problem in str(found) for found in refused.value.problems
    ), refused.value


@pytest.mark.parametrize(
    ("settings", "sound"),
    [
        ({"working_point_deg": ANGLES, "payload": PAYLOAD, "gripper": 0.1}, True),
        ({"wrist": [-0.7, 0, "1/2"], "elbow": "below"}, True),
        ({"working_pont_deg": ANGLES}, False),
        ({"working_point_deg": ANGLES[:5]}, False),
        ({"payload": {"mass": 1}}, False),
    ],
)
def test_the_schema_knows_the_settings_too(settings: dict[str, Any], sound: bool) -> None:
    document = {
        "format": "detent/1",
        "dimension": 3,
        "parts": {"it": {"library": "puma560", "set": settings}},
    }
    assert jsonschema.Draft202012Validator(schema.schema()).is_valid(document) is sound


def test_an_o_ring_needs_one_of_its_two_radii() -> None:
    with pytest.raises(ModelError, match=r"^parts.it.set: says neither inner_diameter nor groove_radius"):
        machine("oring", {"section": 1})


@pytest.mark.parametrize("groove", [10, "10.0001"])
def test_a_ring_as_wide_as_its_groove_or_narrower_is_sound(groove: object) -> None:
    machine("oring", {"section": 3, "inner_diameter": 20, "groove_radius": groove})


def test_a_marker_that_the_robot_does_not_bring_is_refused() -> None:
    joints = {"grip": {"type": "fixed", "between": ["it.flang", "peg"]}}
    parts = {"it": {"library": "puma560"}, "peg": {}}
    with pytest.raises(ModelError, match=r"joints.grip.between.0: part 'it' has no marker 'flang'.*'flange'"):
        convert.mechanism({"dimension": 3, "parts": parts, "joints": joints})


@pytest.mark.parametrize("key", ["mass", "density", "shape"])
def test_a_robot_has_its_own_shape_and_mass(key: str) -> None:
    value: object = {"sphere": 1} if key == "shape" else 3
    with pytest.raises(ModelError, match=rf"^parts.it.{key}: "):
        convert.mechanism({"dimension": 3, "parts": {"it": {"library": "puma560", key: value}}})


def test_a_robot_is_no_part_of_the_plane() -> None:
    with pytest.raises(
        ModelError, match=r"parts.it.library: 'puma560' is a part in space; set dimension = 3"
    ):
        machine("puma560", {}, dimension=2)


def test_lengths_are_in_the_documents_units_and_all_else_is_not() -> None:
    payload = {"mass": 2, "center": [10, 0, 100], "principal": [0.01, 0.01, 0.006]}
    in_mm = machine("puma560", {"payload": payload, "gripper": 150, "wrist": [-700, 100, 500]}, units="mm")
    in_metres = machine(
        "puma560",
        {"payload": {**payload, "center": [0.01, 0, 0.1]}, "gripper": 0.15, "wrist": [-0.7, 0.1, 0.5]},
    )
    one, two = (robot_of(each).model for each in (in_mm, in_metres))
    assert one.linear.mass == pytest.approx(two.linear.mass, rel=1e-12)
    assert one.linear.compliance == pytest.approx(two.linear.compliance, rel=1e-12)
    assert one.gripper == two.gripper == pytest.approx(0.15)


def test_settings_are_read_as_their_own_table_and_kept_as_written() -> None:
    document = machine("puma560", {"working_point_deg": ANGLES, "gear_damping_ratio": "1/30"})
    assert convert.mechanism(convert.plain(document)) == document
    assert float(settings_of(document, "it").gear_damping_ratio) == 1 / 30
    assert settings_of(document, "it").position_gain is None


def test_a_setting_may_be_varied_by_its_path() -> None:
    document = machine("puma560", {"working_point_deg": ANGLES, "gear_stiffness": [3e4, 4.5e4, 3.6e4]})
    stiffer = document.with_("parts.it.set.gear_stiffness", [6e4, 9e4, 7.2e4])
    ratio = robot_of(stiffer).model.linear.stiffness[0, 0] / robot_of(document).model.linear.stiffness[0, 0]
    assert ratio == pytest.approx(2)


@pytest.mark.parametrize(
    ("wrist", "words"),
    [
        ([-0.1, 0, 0.6], "comes no nearer than 0.15005 m"),
        ([-1.2, 0, 0.6], "move it nearer"),
        ([-((0.15005**2 + 9e-8) ** 0.5), 0, 0.67183], "the arm straight: a singular"),
    ],
)
def test_a_wrist_out_of_reach_is_refused_with_how_far_it_is(wrist: list[float], words: str) -> None:
    document = machine("puma560", {"wrist": wrist})
    with pytest.raises(ModelError, match=rf"^parts.it.set.wrist: .*{words}"):
        robot_of(document)


def test_the_edge_of_reach_is_told_from_both_sides() -> None:
    """At the shoulder's height the wrist reaches as far as both arms are long, and beside the column."""
    reach = (0.4318 + (0.4318**2 + 0.0203**2) ** 0.5) ** 2 + 0.15005**2
    robot_of(machine("puma560", {"wrist": [-((reach - 1e-6) ** 0.5), 0, 0.67183]}))
    with pytest.raises(ModelError, match="move it nearer"):
        robot_of(machine("puma560", {"wrist": [-((reach + 1e-5) ** 0.5), 0, 0.67183]}))


def test_a_straight_hand_is_a_singular_working_point() -> None:
    forearm = link_frames([0.1, -2.0, 1.1, 0, 0, 0])[-1]
    wrist, axis, across = (forearm[:3, k].tolist() for k in (3, 2, 1))
    with pytest.raises(ModelError, match="axes 4 and 6 are one: a singular working point"):
        robot_of(machine("puma560", {"wrist": wrist, "tool_axis": axis, "across": across}))


def test_a_flange_cannot_have_y_along_z() -> None:
    with pytest.raises(ModelError, match=r"^parts.it.set.across: the flange's y would point along its z"):
        robot_of(machine("puma560", {"wrist": [-0.7, 0, 0.6], "across": [0, 0, 1]}))
