"""What both languages must know of a document: where things stand, and what an edit makes of it.

The page reads documents to draw them, and shows an edit before the server has answered. Here both are held
beside Python's, on every example and on documents that say things in rarer ways.
"""

from __future__ import annotations

import cmath
import math
from functools import cache
from typing import Any

import pytest

import detent.app.server.editing as server
from detent.app import inputs
from detent.foundation import DetentError, ModelError
from detent.kinematics.equations import coordinate, drawn_poses
from detent.model.document import Mechanism
from detent.model.editing import PlaceParts, edited
from detent.model.machine import plane_linkage_of
from detent.model.reading import convert
from tests.model.test_editing import named
from tests.web.node import edited as by_the_page

CLOSE = 1e-12  # of the size: both compute in doubles

RARE = {
    "a pin and a slide at points of the world": {
        "units": "mm",
        "parts": {
            "ground": {"fixed": True, "pose": {"at": [1, 2], "turn_deg": 20}},
            "crank": {"pose": {"at": [3, 1], "turn": 0.3}, "markers": {"B": [4, 3]}},
            "slider": {"pose": {"at": [8, -2], "along": [3, 4]}, "markers": {"P": [1, 1]}},
        },
        "joints": {
            "A": {"type": "revolute", "between": ["ground", "crank"], "at": [3, 1]},
            "S": {"type": "prismatic", "between": ["ground", "slider"], "at": [8, 0], "along": [2, "1/3"]},
            "Y": {"type": "prismatic", "between": ["crank", "slider"], "at": [7, 5], "along": "y"},
        },
    },
    "parts that stand on markers": {
        "units": "in",
        "parts": {
            "base": {"fixed": True, "markers": {"A": {"at": [1, 1], "turn_deg": 30}}},
            "arm": {
                "pose": {"on": "base.A", "at": [0, "1/2"], "turn_deg": 45},
                "markers": {"B": {"at": [5, 0], "along": [0, -1]}},
            },
            "hand": {
                "pose": {"on": "arm.B", "turn": -0.25},
                "markers": {"P": [0, 0], "Q": {"at": [2, 1], "turn": 3}},
            },
        },
        "joints": {
            "A": {
                "type": "revolute",
                "between": ["base.A", "arm"],
                "at": ["1.5", 2],
                "limits": {"min_deg": -90, "max_deg": 120},
            },
            "B": {"type": "prismatic", "between": ["arm.B", "hand.P"], "limits": {"min": -1, "max": 4}},
        },
        "drives": {"pull": {"marker": "hand.Q", "path": [[3, 4], [3, 5]]}},
        "start": {"A": {"at_deg": 5, "speed_deg": 3}, "B": {"at": 0}},
        "ask": {"move": {"loads": {"hand.Q": [0, -1]}}},
    },
}


@cache
def documents() -> dict[str, Mechanism]:
    examples = {name: inputs.load(name) for name in inputs.examples()}
    rare = {name: convert.mechanism(data) for name, data in RARE.items()}
    return {**examples, **rare, "named everywhere": named()}


@cache
def readings() -> dict[str, dict[str, Any]]:
    """One run of the page's code for all documents."""
    answers = by_the_page([convert.plain(mechanism) for mechanism in documents().values()])
    return dict(zip(documents(), answers, strict=True))


def frame(x: float, y: float, turn: float) -> tuple[complex, complex]:
    return complex(x, y), cmath.exp(1j * turn)


def same(ours: tuple[complex, float], theirs: list[float], size: float) -> None:
    at, direction = frame(*theirs)
    assert abs(ours[0] - at) <= CLOSE * size
    assert abs(cmath.exp(1j * ours[1]) - direction) <= CLOSE


NAMES = [*inputs.examples(), *RARE, "named everywhere"]
PLANE = [name for name in NAMES if documents()[name].dimension == 2]


@pytest.mark.parametrize("name", PLANE)
def test_the_page_sees_parts_and_joints_where_python_does(name):
    mechanism, page = documents()[name], readings()[name]
    system = plane_linkage_of(mechanism)
    metre, size = system.metres_per_unit, system.size / system.metres_per_unit
    for part, (origin, turn) in zip(system.parts, system.drawn, strict=True):
        same((origin / metre, turn), page["poses"][part], size)
    poses = drawn_poses(system)
    for pair in system.pairs:
        for mark, theirs in zip((pair.a, pair.b), page["ends"][pair.name], strict=True):
            origin, turn = system.drawn[mark.part]
            world = origin + mark.at * cmath.exp(1j * turn)
            if pair.kind not in ("angle", "gear"):
                same((world / metre, turn + mark.turn), theirs, size)
        ours, theirs = coordinate(pair, poses), page["coordinates"][pair.name]
        if pair.kind == "prismatic":
            assert theirs == pytest.approx(ours / metre, abs=CLOSE * size)
        elif pair.kind == "revolute":
            assert math.remainder(ours - theirs, math.tau) == pytest.approx(0, abs=CLOSE)


@pytest.mark.parametrize("name", NAMES)
def test_whatever_the_page_asks_for_is_done_soundly_and_looks_as_it_was_shown(name):
    """An addition is shown as the very document that comes back; every answer is read without a problem."""
    mechanism, page = documents()[name], readings()[name]
    refused = []
    for asked in page["asked"]:
        try:
            document = server.apply(asked["operations"], mechanism)["document"]
        except DetentError as problem:
            refused.append(f"{asked['label']}: {problem}")
            continue
        convert.mechanism(document)
        for joint in document.get("joints", {}).values():
            marked = all("." in end for end in joint["between"])
            assert not (marked and joint["type"] == "prismatic" and "along" in joint)
        if all(each["do"] in ("add_part", "join", "ground", "drive") for each in asked["operations"]):
            shown = convert.plain(convert.mechanism(asked["shown"]))
            assert approximately(document, shown), asked["label"]
    if mechanism.dimension == 2:
        assert not [words for words in refused if "no other form" not in words]


def approximately(ours: Any, theirs: Any) -> bool:
    """Equal but for the last digits of numbers that both computed."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        return list(ours) == list(theirs) and all(approximately(ours[key], theirs[key]) for key in ours)
    if isinstance(ours, list) and isinstance(theirs, list):
        return len(ours) == len(theirs) and all(map(approximately, ours, theirs))
    if isinstance(ours, float | int) and isinstance(theirs, float | int):
        return math.isclose(ours, theirs, rel_tol=1e-10, abs_tol=1e-10)
    return bool(ours == theirs)


@pytest.mark.parametrize("name", PLANE)
def test_parts_that_a_hand_put_elsewhere_are_where_python_puts_them(name):
    """Where joints or parts stand in the world, the page asks the server for markers and poses first."""
    mechanism, page = documents()[name], readings()[name]
    moved = {part: pose for part, pose in page["moved"].items() if not mechanism.parts[part].fixed}
    ours = edited(mechanism, PlaceParts(moved))
    marked = server.apply([{"do": "place", "poses": {}}], mechanism)["document"]
    again = by_the_page_placed(marked, moved) if tied(mechanism) else page["placed"]
    assert approximately(convert.plain(convert.mechanism(again)), convert.plain(ours))


def tied(mechanism: Mechanism) -> bool:
    return (
        bool(mechanism.start)
        or any(j.at is not None or j.along is not None for j in mechanism.joints.values())
        or any(p.pose is not None and p.pose.on is not None for p in mechanism.parts.values())
    )


def by_the_page_placed(marked: dict[str, Any], moved: dict[str, list[float]]) -> dict[str, Any]:
    """The page's setter on a document whose joints have markers: poses of parts, and nothing else."""
    answer = by_the_page([marked])[0]
    assert {part: answer["moved"][part] for part in moved} == {
        part: pytest.approx(pose) for part, pose in moved.items()
    }
    return answer["placed"]


def test_a_part_that_a_drive_or_touching_names_is_renamed_there_too():
    renamed = server.apply([{"do": "rename", "path": "parts.crank", "to": "arm"}], named())["document"]
    assert convert.mechanism(renamed) == named(part="arm")


def test_an_operation_that_is_none_is_refused_with_its_place():
    for operations, at in (
        ([], "operations"),
        ("remove", "operations"),
        ([{"do": "remov"}], "operations"),
        ([7], "operations"),
        ([{"do": "rename", "path": 7, "to": "a"}], "path"),
        ([{"do": "remove", "paths": "parts.a"}], "paths"),
        ([{"do": "paste", "parts": ["crank"], "by": [1]}], "by"),
        ([{"do": "place", "poses": []}], "poses"),
        ([{"do": "add_part", "name": "x", "part": {"markerz": {}}}], "parts.x.markerz"),
        ([{"do": "drive", "name": "x", "drive": {"joint": "pivot", "from": "a"}}], "drives.x.from"),
    ):
        with pytest.raises(ModelError) as error:
            server.apply(operations, named())
        assert error.value.problems[0].at == at
