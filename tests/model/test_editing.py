"""Operations that reach everything that names something: rename, remove, toggle, paste."""

from __future__ import annotations

import json
import math
import random
from string import Template
from typing import Any

import pytest
from msgspec import structs

import detent
import detent.model.editing.placing as placing
from detent.app import inputs
from detent.foundation import ModelError, UnsupportedError, number
from detent.model.document import Mechanism
from detent.model.editing import (
    Paste,
    Remove,
    RemoveMarker,
    RemovePart,
    Rename,
    ToggleJoint,
    edited,
)
from detent.model.machine import place
from detent.model.machine.drawn import joint_gaps
from detent.model.reading import convert

# A machine that names each thing wherever a document can: $part, $marker, $joint, $drive.
NAMED = Template(
    json.dumps(
        {
            "format": "detent/1",
            "units": "mm",
            "parts": {
                "ground": {"fixed": True, "markers": {"A": [0, 0]}, "shape": {"circle": 1}},
                "$part": {"markers": {"A": [0, 0], "$marker": [4, 3]}, "mass": 1, "inertia": 1},
                "coupler": {"markers": {"B": [4, 3], "C": [9, 3]}, "mass": 1, "inertia": 1},
                "hung": {
                    "pose": {"on": "$part.$marker", "at": [1, 0], "turn_deg": 30},
                    "markers": {"P": [0, 1]},
                },
            },
            "joints": {
                "$joint": {
                    "type": "revolute",
                    "between": ["ground.A", "$part.A"],
                    "limits": {"min_deg": -90, "max_deg": 90},
                    "spring": {"stiffness": 2, "rest_deg": 10},
                },
                "other": {"type": "revolute", "between": ["$part.$marker", "coupler.B"]},
            },
            "drives": {
                "$drive": {"joint": "$joint", "from_deg": 0, "to_deg": 30, "steps": 3},
                "along": {"marker": "$part.$marker", "path": [[4, 3], [4, 4]]},
                "pushed": {"part": "$part", "legs": [{"velocity": [1, 0], "distance": 1}]},
            },
            "start": {"$joint": {"at_deg": 5}, "other": {"speed": 0}},
            "touching": {
                "friction": 0.5,
                "ignore": ["ground:$part", "ground:coupler"],
                "pairs": {"$part:coupler": {"friction": 0.1}, "ground:hung": {"friction": 0.2}},
            },
            "contacts": [
                {"between": ["ground", "$part"], "point": [0, 0], "normal": [0, 1]},
                {"between": ["ground", "hung"], "point": [1, 0], "normal": [0, 1]},
            ],
            "ask": {
                "move": {"loads": {"$part.$marker": [0, -1], "coupler.C": [1, 0]}},
                "modes": {"load": {"$part": [0, 0, 0]}, "velocity": {"$part": [0, 0, 1]}},
            },
            "study": {
                "ask": "move",
                "vary": {
                    "parts.$part.markers.$marker.0": {"values": [4, 5]},
                    "parts.$part.mass": {"values": [1, 2]},
                    "joints.$joint.limits.max_deg": {"values": [80, 90]},
                    "start.$joint.at_deg": {"values": [1]},
                    "drives.$drive.to_deg": {"values": [20]},
                    "touching.pairs.$part:coupler.friction": {"values": [0.2]},
                    "ask.move.loads.$part.$marker.0": {"values": [1]},
                    "ask.modes.load.$part.0": {"values": [1]},
                    "contacts.0.point.0": {"values": [1]},
                    "contacts.1.point.0": {"values": [2]},
                    "parts.coupler.mass": {"values": [3]},
                },
            },
            "view": {"traces": ["$part.$marker", "coupler.C"], "background": "$part.png"},
        }
    ).replace('"background": "$part.png"', '"background": "crank.png"')
)
OLD = {"part": "crank", "marker": "B", "joint": "pivot", "drive": "motor"}
PATHS = {
    "part": "parts.crank",
    "marker": "parts.crank.markers.B",
    "joint": "joints.pivot",
    "drive": "drives.motor",
}


def named(**names: str) -> Mechanism:
    return convert.mechanism(json.loads(NAMED.substitute({**OLD, **names})))


def sound(mechanism: Mechanism) -> dict[str, Any]:
    """A document that is read again without a problem, as plain data."""
    convert.checked(mechanism)
    return convert.plain(mechanism)


@pytest.mark.parametrize("kind", OLD)
def test_a_new_name_stands_wherever_the_old_one_stood_and_nowhere_else(kind):
    """The oracle writes the same document with the other name from the beginning."""
    operation = Rename(PATHS[kind], "fresh-1")
    assert convert.canonical(edited(named(), operation)) == convert.canonical(named(**{kind: "fresh-1"}))


@pytest.mark.parametrize("kind", OLD)
def test_a_rename_is_taken_back_to_the_byte_and_moves_nothing(kind):
    before = named()
    answer = detent.edit(before, Rename(PATHS[kind], "fresh"))
    assert answer.done
    assert answer.moved == ()
    assert convert.canonical(detent.edit(answer.mechanism, answer.inverse).mechanism) == convert.canonical(
        before
    )


@pytest.mark.parametrize(
    ("path", "to", "words"),
    [
        ("parts.crnk", "arm", "parts.crnk: there is no part 'crnk'; did you mean 'crank'?"),
        ("parts.crank.markers.X", "Y", "parts.crank.markers.X: there is no marker 'X'; known here: A, B"),
        ("joints.pivt", "q", "joints.pivt: there is no joint 'pivt'; did you mean 'pivot'?"),
        ("drives.moto", "q", "drives.moto: there is no drive 'moto'; did you mean 'motor'?"),
        ("parts.crank", "coupler", "parts.crank: there is a part 'coupler' already; choose another name"),
        (
            "parts.crank.markers.A",
            "B",
            "parts.crank.markers.A: there is a marker 'B' already; choose another name",
        ),
        (
            "parts.crank",
            "1x",
            "parts.crank: '1x' is not a name; a name is an ASCII letter, then ASCII letters, digits, _ or -",
        ),
        (
            "parts.crank",
            "a.b",
            "parts.crank: 'a.b' is not a name; a name is an ASCII letter, then ASCII letters, digits, _ or -",
        ),
        ("shapes.s", "t", "shapes.s: names no part, marker, joint or drive; write parts.NAME"),
        ("parts", "t", "parts: names no part, marker, joint or drive; write parts.NAME"),
    ],
)
def test_a_rename_that_cannot_be_names_place_problem_and_remedy(path, to, words):
    with pytest.raises(ModelError) as error:
        detent.edit(named(), Rename(path, to))
    assert str(error.value).startswith(words)


def test_a_rename_to_the_same_name_changes_nothing():
    assert edited(named(), Rename("parts.crank", "crank")) == named()


@pytest.mark.parametrize("operation", [RemovePart("crank"), Remove(("parts.crank",))])
def test_a_part_takes_along_all_that_names_it_and_what_stood_on_it_stays(operation):
    before, after = named(), edited(named(), operation)
    plain = sound(after)
    assert "crank" not in json.dumps({**plain, "view": plain["view"]["traces"]})
    assert list(plain["parts"]) == ["ground", "coupler", "hung"]
    assert "joints" not in plain
    assert "drives" not in plain
    assert "start" not in plain
    assert plain["touching"]["ignore"] == ["ground:coupler"]
    assert list(plain["touching"]["pairs"]) == ["ground:hung"]
    assert plain["ask"]["move"]["loads"] == {"coupler.C": [1, 0]}
    assert plain["ask"]["modes"]["load"] == {}
    assert [c["between"] for c in plain["contacts"]] == [["ground", "hung"]]
    assert plain["study"]["vary"] == {
        "contacts.0.point.0": {"values": [2]},
        "parts.coupler.mass": {"values": [3]},
    }
    assert plain["view"]["traces"] == ["coupler.C"]
    was, now = place(before).known["hung"], place(after).known["hung"]
    assert [float(c) for c in now.origin] == pytest.approx([float(c) for c in was.origin], abs=1e-15)
    assert now.matrix == pytest.approx(was.matrix, abs=1e-15)


def test_a_marker_takes_along_its_joints_drives_loads_and_traces():
    plain = sound(edited(named(), RemoveMarker("crank.B")))
    assert list(plain["joints"]) == ["pivot"]
    assert list(plain["drives"]) == ["motor", "pushed"]
    assert list(plain["ask"]["move"]["loads"]) == ["coupler.C"]
    assert plain["view"]["traces"] == ["coupler.C"]
    assert "parts.crank.markers.B.0" not in plain["study"]["vary"]


def test_what_is_deleted_at_once_leaves_nothing_useless():
    """A link of one marker left, and the ground's markers that held only it."""
    data = {
        "parts": {
            "a": {"markers": {"A": [0, 0], "B": [1, 0]}},
            "b": {"markers": {"A": [1, 0], "B": [2, 0], "C": [2, 1]}},
            "ground": {"fixed": True, "markers": {"A": [0, 0], "B": [2, 0], "spare": [5, 5]}},
        },
        "joints": {
            "A": {"type": "revolute", "between": ["ground.A", "a.A"]},
            "B": {"type": "revolute", "between": ["a.B", "b.A"]},
            "C": {"type": "revolute", "between": ["ground.B", "b.B"]},
        },
    }
    mechanism = convert.mechanism(data)
    plain = sound(edited(mechanism, Remove(("parts.a.markers.B",))))
    assert list(plain["parts"]) == ["b", "ground"]
    assert list(plain["parts"]["ground"]["markers"]) == ["B"]
    assert list(sound(edited(mechanism, Remove(("parts.b.markers.C",))))["parts"]["b"]["markers"]) == [
        "A",
        "B",
    ]
    assert "parts" not in sound(edited(mechanism, Remove(("parts.a", "parts.b"))))
    assert list(sound(edited(mechanism, Remove(("joints.B",))))["joints"]) == ["A", "C"]


def test_a_ground_that_a_joint_names_without_a_marker_stays():
    data = {
        "parts": {"ground": {"fixed": True}, "a": {"markers": {"P": [1, 0]}}, "b": {}},
        "joints": {"A": {"type": "revolute", "between": ["ground", "a"], "at": [0, 0]}},
    }
    assert list(sound(edited(convert.mechanism(data), Remove(("parts.b",))))["parts"]) == ["ground", "a"]


def test_a_pin_with_limits_in_degrees_becomes_a_slide_that_can_be_read():
    plain = sound(edited(named(), ToggleJoint("pivot")))
    assert plain["joints"]["pivot"] == {"type": "prismatic", "between": ["ground.A", "crank.A"]}
    assert list(plain["drives"]) == ["along", "pushed"]
    assert "joints.pivot.limits.max_deg" not in plain["study"]["vary"]


@pytest.mark.parametrize("along", [(1, 0), (0, 1), (3, -4)])
def test_a_slide_looks_where_it_was_told_on_both_parts_and_holds_as_drawn(along):
    mechanism = convert.mechanism(
        {
            "parts": {
                "a": {"markers": {"A": [0, 0], "B": [4, 3]}, "pose": {"at": [1, 1], "turn_deg": 40}},
                "b": {"markers": {"B": [0, 0]}, "pose": {"on": "a.B", "turn_deg": -115}},
            },
            "joints": {"J": {"type": "revolute", "between": ["a.B", "b.B"]}},
        }
    )
    slide = edited(mechanism, ToggleJoint("J", along=along))
    line = [float(c) for c in place(slide).joints["J"].axis_in_world]
    assert line[:2] == pytest.approx([c / math.hypot(*along) for c in along])
    assert joint_gaps.gaps(slide) == []
    assert slide.joints["J"].along is None
    back = edited(slide, ToggleJoint("J"))
    assert back.joints == mechanism.joints


def test_a_slide_given_by_a_point_takes_its_line_along():
    data = {
        "parts": {"ground": {"fixed": True}, "a": {}},
        "joints": {"A": {"type": "revolute", "between": ["ground", "a"], "at": [1, 2]}},
    }
    mechanism = edited(convert.mechanism(data), ToggleJoint("A", along=(0, 2)))
    assert sound(mechanism)["joints"]["A"]["along"] == [0, 2]
    assert "along" not in sound(edited(mechanism, ToggleJoint("A")))["joints"]["A"]


def test_copies_move_together_under_names_of_their_own():
    mechanism = edited(named(), Paste(("crank", "hung", "ground"), (10, -2)))
    plain = sound(mechanism)
    assert list(plain["parts"])[-3:] == ["ground2", "crank2", "hung2"]
    assert plain["joints"]["A"]["between"] == ["ground2.A", "crank2.A"]
    assert list(plain["joints"]) == ["pivot", "other", "A"]
    poses = place(mechanism).known
    for name in ("crank", "hung", "ground"):
        was, now = poses[name], poses[f"{name}2"]
        moved = [float(b - a) for a, b in zip(was.origin, now.origin, strict=True)]
        assert moved == pytest.approx([10, -2, 0])
        assert now.matrix[:3, :3] == pytest.approx(was.matrix[:3, :3])


def test_a_joint_at_a_point_of_the_world_is_copied_to_where_the_copies_are():
    data = {
        "parts": {"ground": {"fixed": True}, "a": {}},
        "joints": {"A": {"type": "revolute", "between": ["ground", "a"], "at": [1, 2]}},
    }
    mechanism = edited(convert.mechanism(data), Paste(("ground", "a"), ("0.5", 3)))
    assert sound(mechanism)["joints"]["B"] == {
        "type": "revolute",
        "between": ["ground2", "a2"],
        "at": [1.5, 5],
    }


def test_parts_from_another_document_bring_what_they_are_made_of():
    source = convert.mechanism(
        {
            "units": "mm",
            "materials": {"steel": {"density": 7800}, "lead": {"density": 11000}},
            "shapes": {"hole": {"circle": 1}, "plate": {"union": [{"use": "hole"}]}, "other": {"circle": 2}},
            "parts": {"p": {"material": "steel", "shape": {"use": "plate"}}},
        }
    )
    empty = convert.mechanism({"units": "mm"})
    plain = sound(edited(empty, Paste(("p",), (0, 0), source)))
    assert list(plain["materials"]) == ["steel"]
    assert list(plain["shapes"]) == ["hole", "plate"]
    clash = convert.mechanism({"units": "mm", "shapes": {"hole": {"circle": 3}}})
    with pytest.raises(ModelError, match="is another one where the parts come from"):
        edited(clash, Paste(("p",), (0, 0), source))
    with pytest.raises(ModelError, match="units: is mm where the parts come from, m here"):
        edited(convert.mechanism({}), Paste(("p",), (0, 0), source))
    with pytest.raises(ModelError, match="there is no part 'q'"):
        edited(empty, Paste(("q",), (0, 0), source))


def stands_in_the_world(name):
    """Not on a point that a library part brings: of such parts only some edits are possible, the others are
    refused."""
    on = [part.pose.on for part in inputs.load(name).parts.values() if part.pose is not None]
    return not any(marker and inputs.load(name).parts[marker.split(".")[0]].library for marker in on)


@pytest.mark.parametrize("name", [name for name in inputs.examples() if stands_in_the_world(name)])
def test_whatever_is_removed_renamed_or_toggled_in_an_example_it_stays_sound(name):
    mechanism = inputs.load(name)
    rng = random.Random(name)
    for part, body in mechanism.parts.items():
        sound(edited(mechanism, Remove((f"parts.{part}",))))
        sound(edited(mechanism, Rename(f"parts.{part}", "renamed")))
        sound(edited(mechanism, Paste((part,), (1, 2))))
        for marker in body.markers:
            sound(edited(mechanism, Remove((f"parts.{part}.markers.{marker}",))))
            sound(edited(mechanism, Rename(f"parts.{part}.markers.{marker}", "renamed")))
    for joint, pair in mechanism.joints.items():
        sound(edited(mechanism, Remove((f"joints.{joint}",))))
        sound(edited(mechanism, Rename(f"joints.{joint}", "renamed")))
        if pair.type in ("revolute", "prismatic"):
            along = tuple(rng.uniform(-1, 1) for _ in range(2))
            sound(edited(mechanism, ToggleJoint(joint, along)))
    for drive in mechanism.drives:
        sound(edited(mechanism, Remove((f"drives.{drive}",))))
        sound(edited(mechanism, Rename(f"drives.{drive}", "renamed")))
    sound(edited(mechanism, Paste(tuple(mechanism.parts), (1, 2))))


def test_a_part_put_on_a_marker_keeps_its_place_when_written_in_the_world():
    """In space, at rotations near none and near half a turn as well."""
    rng = random.Random(7)
    for k in range(100):
        axis = [rng.gauss(0, 1) for _ in range(3)]
        angle = [rng.uniform(0, math.pi), 1e-9, math.pi - 1e-9, math.pi, 0.0][k % 5]
        data = {
            "dimension": 3,
            "parts": {
                "a": {"pose": {"at": [1, 2, 3], "turn": angle, "about": axis}, "markers": {"m": [1, 0, 0]}},
                "b": {"pose": {"on": "a.m"}},
            },
        }
        mechanism = convert.mechanism(data)
        frame = place(mechanism).known["b"]
        parts = {**mechanism.parts}
        parts["b"] = structs.replace(parts["b"], pose=placing.world_pose(mechanism, "b"))
        again = place(structs.replace(mechanism, parts=parts)).known["b"]
        for e in ([1, 0, 0], [0, 1, 0], [0, 0, 1]):
            direction = tuple(map(number, e))
            assert [float(c) for c in again.direct(direction)] == pytest.approx(
                [float(c) for c in frame.direct(direction)], abs=1e-8
            )


def test_a_robot_that_carries_a_part_is_not_removed_from_under_it() -> None:
    """Where the flange puts the part is not known to an edit: it says so and changes nothing."""
    parts = {"robot": {"library": "puma560"}, "peg": {"pose": {"on": "robot.flange"}}}
    machine = convert.mechanism({"dimension": 3, "parts": parts})
    with pytest.raises(UnsupportedError, match="known to a library part only"):
        detent.edit(machine, RemovePart("robot"))
