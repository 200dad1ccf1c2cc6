"""What is wrong with a linkage is said with its place, its measure and a remedy, by every verb alike."""

from __future__ import annotations

import copy
import json

import pytest

import detent
from detent.app import cli
from detent.foundation import ModelError
from detent.library import LIBRARY_SOLIDS
from detent.model.document import LIBRARY
from detent.model.reading import convert

GOOD = {
    "format": "detent/1",
    "parts": {
        "ground": {"fixed": True, "markers": {"A": [0, 0], "D": [4, 0]}},
        "crank": {"markers": {"A": [0, 0], "B": [1, 0]}},
        "coupler": {"markers": {"B": [1, 0], "C": [4, 3]}},
        "rocker": {"markers": {"C": [4, 3], "D": [4, 0]}},
    },
    "joints": {
        "A": {"type": "revolute", "between": ["ground.A", "crank.A"]},
        "B": {"type": "revolute", "between": ["crank.B", "coupler.B"]},
        "C": {"type": "revolute", "between": ["coupler.C", "rocker.C"]},
        "D": {"type": "revolute", "between": ["rocker.D", "ground.D"]},
    },
    "drives": {"crank": {"joint": "A", "from_deg": 0, "to_deg": 360, "steps": 12}},
}


def changed(**changes: object) -> dict:
    design = copy.deepcopy(GOOD)
    for path, value in changes.items():
        *way, last = path.split("__")
        table = design
        for key in way:
            table = table[key]
        table[last] = value
    return design


def asked(tmp_path, capsys, verb: str, document: dict) -> tuple[int, dict]:
    file = tmp_path / "linkage.json"
    file.write_text(json.dumps(document))
    code = cli.main([verb, str(file), "--json"])
    said = capsys.readouterr()
    return code, json.loads(said.out or said.err)


WRONG = {
    "joints.C.between.0": changed(joints__C={"type": "revolute", "between": ["coupler.X", "rocker.C"]}),
    "joints.C.between": changed(joints__C={"type": "revolute", "between": ["coupler.B", "coupler.C"]}),
    "joints.N.value": changed(joints__N={"type": "angle", "between": ["crank.B", "coupler.B"]}),
    "parts.crank.library": changed(parts__crank__library="nosuch"),
    "parts.crank.pose.about": changed(parts__crank__pose={"turn_deg": 30, "about": "x"}),
    "parts.crank.shape.sphere": changed(parts__crank__shape={"sphere": 1}),
    "drives.crank.joint": changed(
        parts__post={"fixed": True, "markers": {"Q": [0, 0]}},
        joints__Q={"type": "revolute", "between": ["ground.A", "post.Q"]},
        drives__crank={"joint": "Q", "from_deg": 0, "to_deg": 9, "steps": 3},
    ),
    "drives.crank": changed(drives__crank={"part": "ground", "legs": [{"velocity": [1, 0], "for": 1}]}),
}


@pytest.mark.parametrize("verb", ["check", "explain", "move"])
@pytest.mark.parametrize("place", WRONG)
def test_a_mistake_is_named_with_its_place_and_a_remedy(tmp_path, capsys, verb, place):
    code, said = asked(tmp_path, capsys, verb, WRONG[place])
    assert code == 2
    problems = {problem["at"]: problem for problem in said["problems"]}
    assert place in problems
    assert problems[place]["problem"]
    assert problems[place]["remedy"]


@pytest.mark.parametrize("verb", ["check", "move"])
def test_a_loop_that_cannot_close_is_named_with_what_stays_open(tmp_path, capsys, verb):
    """A coupler of 16 between links that reach 1 + 4 + 3: eight stay open."""
    code, said = asked(
        tmp_path, capsys, verb, changed(parts__coupler={"markers": {"B": [1, 0], "C": [17, 0]}})
    )
    assert code == 2
    problem = said["problems"][0]
    assert problem["at"].startswith("joints.")
    assert (
        "coupler is 16 m from B to C, the others reach 8 m, and at least 8 m stays open" in problem["problem"]
    )
    loop = {"A", "B", "C", "D"} - {problem["at"].removeprefix("joints.")}
    assert all(name in problem["problem"] for name in loop)
    assert problem["remedy"]


def test_explain_names_the_joints_that_contradict_each_other(tmp_path, capsys):
    _, said = asked(
        tmp_path, capsys, "explain", changed(parts__coupler={"markers": {"B": [1, 0], "C": [17, 0]}})
    )
    assert set(said["redundant"][0]["joints"]) == {"A", "B", "C", "D"}


def test_a_loop_beside_the_open_one_is_not_blamed(tmp_path, capsys):
    """A dyad E, F, G on the crank closes for any angle; only A, B, C, D contradict each other."""
    machine = changed(
        parts__coupler={"markers": {"B": [1, 0], "C": [17, 0]}},
        parts__tie={"markers": {"E": [0.5, 0], "F": [1, 1]}},
        parts__stay={"markers": {"F": [1, 1], "G": [2, 0]}},
        joints__E={"type": "revolute", "between": ["crank.E", "tie.E"]},
        joints__F={"type": "revolute", "between": ["tie.F", "stay.F"]},
        joints__G={"type": "revolute", "between": ["ground.G", "stay.G"]},
    )
    machine["parts"]["crank"]["markers"]["E"] = [0.5, 0]
    machine["parts"]["ground"]["markers"]["G"] = [2, 0]
    _, said = asked(tmp_path, capsys, "explain", machine)
    assert set(said["redundant"][0]["joints"]) == {"A", "B", "C", "D"}


def test_links_without_length_and_links_of_one_point_are_pointed_out(tmp_path, capsys):
    _, said = asked(tmp_path, capsys, "check", changed(parts__crank={"markers": {"A": [0, 0], "B": [0, 0]}}))
    assert said["notes"] == ["crank has no length: its joints A, B are at one place"]
    one_point = changed(parts__coupler={"markers": {"B": [1, 0]}})
    del one_point["joints"]["C"]
    _, said = asked(tmp_path, capsys, "check", one_point)
    assert said["notes"] == ["coupler is one point, on joint B: nothing constrains its rotation"]


def test_a_crank_without_length_turns_and_moves_nothing():
    motion = detent.move(convert.mechanism(changed(parts__crank={"markers": {"A": [0, 0], "B": [0, 0]}})))
    assert motion.stop == "done"
    assert abs(motion.poses["rocker"][:, 2]).max() == pytest.approx(abs(motion.poses["rocker"][0, 2]))


def test_a_drive_on_what_the_joints_hold_is_refused():
    stuck = changed(joints__X={"type": "fixed", "between": ["ground.A", "crank.A"]})
    with pytest.raises(ModelError, match="cannot move"):
        detent.move(convert.mechanism(stuck))


def test_all_edges_that_cannot_be_broken_are_named_at_once(tmp_path, capsys):
    block = {"block": [1, 1, 1], "edges": [{"face": "+x", "chamfer": 5}, {"face": "-z", "round": 3}]}
    other = {"union": [{"block": [1, 1, 1], "edges": [{"face": "+y", "chamfer": 4}]}, {"block": [2, 2, 2]}]}
    document = {"format": "detent/1", "dimension": 3, "parts": {"a": {"shape": block}, "b": {"shape": other}}}
    _, said = asked(tmp_path, capsys, "check", document)
    assert [p["at"] for p in said["problems"]] == ["parts.a.shape"] * 2 + ["parts.b.shape.union.0"]


def test_parts_drawn_each_in_its_own_frame_are_assembled():
    """Nothing closes as drawn, all links lie on each other: joints are closed one after the other."""
    in_own_frames = changed(
        parts__coupler={"markers": {"B": [0, 0], "C": [4.2, 0]}},
        parts__rocker={"markers": {"C": [0, 0], "D": [3, 0]}},
    )
    motion = detent.move(convert.mechanism(in_own_frames))
    assert motion.stop == "done"


def test_the_library_parts_that_documents_may_name_are_those_that_are_drawn():
    assert set(LIBRARY_SOLIDS) == set(LIBRARY)
