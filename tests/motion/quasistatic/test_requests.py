"""What a fastener's document asks is answered, noted or refused; nothing is dropped in silence."""

from __future__ import annotations

import copy
import math
from typing import Any

import numpy as np
import pytest

import detent
from detent.foundation import ModelError, UnsupportedError
from detent.model.reading import mechanism
from detent.motion.quasistatic.answer import trajectory
from detent.motion.quasistatic.exact import run_plan
from detent.motion.quasistatic.machine import fastener
from tests.motion.quasistatic.test_limits import Document, told, wiper


def test_two_hinges_on_one_pawl_are_refused() -> None:
    design = wiper()
    design["joints"]["h2"] = design["joints"]["h"] | {"at": [0, 12]}
    with pytest.raises(ModelError, match=r"'h' and 'h2' both hinge 'pawl' to 'root'; keep one"):
        told(design)


def hung(gap: tuple[int, int], order: tuple[int, int]) -> Document:
    """The wiper joined by markers, its pawl drawn away from the hinge by a gap."""
    design = wiper()
    x, y = gap
    design["parts"]["root"]["markers"] = {"A": [0, 19]}
    design["parts"]["pawl"] |= {"markers": {"A": [0, 19]}, "pose": {"at": [x, y]}}
    del design["joints"]["h"]["at"]
    design["joints"]["h"]["between"] = [["root.A", "pawl.A"][k] for k in order]
    return design


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_an_open_hinge_is_closed_onto_the_root_and_the_answer_says_so(order: tuple[int, int]) -> None:
    closed, opened = told(hung((0, 0), order)), told(hung((3, -4), order))
    assert not any("open" in note for note in closed.notes)
    assert any("h: drawn 5 open" in note for note in opened.notes)
    assert opened.legs == closed.legs


def test_a_film_shows_an_open_hinge_closed() -> None:
    ways = []
    for gap in ((0, 0), (3, -4)):
        model = mechanism(hung(gap, (0, 1)))
        read = fastener(model)
        ways.append(trajectory(model, read, run_plan(read)).poses["pawl"])
    assert np.allclose(*ways, atol=1e-12)


@pytest.mark.parametrize(
    ("at", "value", "words"),
    [
        (
            ("drives", "turn"),
            {"joint": "h", "from_deg": 0, "to_deg": 9, "steps": 3},
            "drives.turn: .*one drive",
        ),
        (("ask",), {"mate": {"method": "penalty"}}, "ask.mate.method: .*'penalty'; .*quasistatic"),
        (("ask",), {"mate": {"until": 3}}, "ask.mate.until"),
    ],
)
def test_what_the_method_does_not_answer_is_refused(at: tuple[str, ...], value: Any, words: str) -> None:
    design = wiper()
    table = design
    for key in at[:-1]:
        table = table[key]
    table[at[-1]] = value
    with pytest.raises(UnsupportedError, match=words):
        told(design)


def test_the_method_may_be_asked_for_by_name() -> None:
    assert told(wiper() | {"ask": {"mate": {"method": "quasistatic"}}}).legs == told(wiper()).legs


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"gravity": [0, -9.81]}, "gravity is left out"),
        ({"start": {"h": {"at_deg": 0, "speed": 2}}}, "h: its speed at the start is left out"),
    ],
)
def test_what_is_left_out_is_noted(change: Document, words: str) -> None:
    assert any(words in note for note in told(wiper() | change).notes)
    assert not any("left out" in note for note in told(wiper() | {"gravity": [0, 0]}).notes)


@pytest.mark.parametrize(("degrees", "sound"), [(10, True), (10.001, False), (-5, True), (-5.001, False)])
def test_a_start_lies_within_its_limits(degrees: float, sound: bool) -> None:
    design = wiper(limits={"min_deg": -5, "max_deg": 10}) | {"start": {"h": {"at_deg": degrees}}}
    if sound:
        assert told(design).legs
        return
    with pytest.raises(ModelError, match=r"start.h: it starts at .* outside of its limits"):
        told(design)


def test_what_is_drawn_lies_within_its_limits() -> None:
    design = wiper(limits={"min_deg": 5}, spring={"stiffness": 1, "rest_deg": 6})
    with pytest.raises(ModelError, match=r"joints.h.limits: it starts at 0 degrees"):
        told(design)


@pytest.mark.parametrize("length", ["1e13", "1e16", "1e40"])
def test_a_leg_out_of_all_proportion_is_long_or_refused_but_never_endless(length: str) -> None:
    design = wiper()
    legs = design["drives"]["push"]["legs"]
    legs[:] = [{"velocity": [1, 0], "for": length}, {"back": True}]
    if float(length) < 1e12 * 31:
        short = wiper()
        short["drives"]["push"]["legs"].append({"back": True})
        for far, near in zip(told(design).legs, told(short).legs, strict=True):
            assert [event.kind for event in far.events] == [event.kind for event in near.events]
        return
    with pytest.raises(ModelError, match=r"drives.push.legs.0: it goes .* times the machine's size of 31"):
        told(design)


def test_a_slow_leg_may_last_as_long_as_it_likes() -> None:
    slow = wiper()
    slow["drives"]["push"]["legs"] = [{"velocity": ["1e-16", 0], "for": "4e17"}]
    usual, found = told(wiper()).legs[0], told(slow).legs[0]
    assert [event.kind for event in found.events] == [event.kind for event in usual.events]
    for a, b in zip(found.events, usual.events, strict=True):
        assert math.isclose(a.time * 1e-16, b.time, rel_tol=1e-12)


def test_a_goal_out_of_all_proportion_is_refused() -> None:
    with pytest.raises(ModelError, match=r"ask.mate: it goes"):
        told(wiper() | {"ask": {"mate": {"apart": "1e16"}}})


def test_a_hinged_pawl_is_not_fixed() -> None:
    design = wiper()
    design["parts"]["pawl"]["fixed"] = True
    with pytest.raises(ModelError, match="a hinged pawl cannot be fixed"):
        told(design)


def test_the_root_is_driven_and_not_a_pawl() -> None:
    design = wiper()
    design["drives"]["push"]["part"] = "pawl"
    with pytest.raises(ModelError, match="the drive must be on the root that carries the hinges"):
        told(design)
    design["parts"]["other"] = copy.deepcopy(design["parts"]["pawl"])
    design["joints"]["g"] = design["joints"]["h"] | {"between": ["root", "other"]}
    with pytest.raises(UnsupportedError, match="the drive must be on the root that carries the hinges"):
        told(design)


@pytest.mark.parametrize("welded_to", ["receiver", "root"])
def test_a_weld_is_refused_with_what_to_draw_instead(welded_to: str) -> None:
    """Done as the remedy says, it is answered."""
    plate = [[60, 40], [70, 40], [70, 50]]
    plain = detent.load("snap_holds").to_dict()
    weld = {"type": "fixed", "between": [welded_to, "plate"], "at": [60, 40]}
    welded = plain | {
        "parts": plain["parts"] | {"plate": {"shape": {"outline": plate}}},
        "joints": plain["joints"] | {"weld": weld},
    }
    instead = {"receiver": "write fixed = true for 'plate'", "root": "draw 'plate' as a piece of 'root'"}
    with pytest.raises(UnsupportedError, match=instead[welded_to]):
        detent.mate(detent.from_dict(welded))
    if welded_to == "receiver":
        parts = plain["parts"] | {"plate": {"shape": {"outline": plate}, "fixed": True}}
        assert detent.mate(detent.from_dict(plain | {"parts": parts})).legs == detent.mate("snap_holds").legs


def test_a_part_that_nothing_holds_may_be_an_obstacle_to_fix() -> None:
    loose = detent.load("snap_holds").to_dict()
    loose["parts"]["receiver"].pop("fixed")
    with pytest.raises(UnsupportedError, match="write fixed = true where it is an obstacle"):
        detent.mate(detent.from_dict(loose))


def _with_pawls(*carriers: str) -> dict[str, Any]:
    """A push of root into receiver, with a pawl hinged to each of these."""
    made = detent.load("snap_holds").to_dict()
    hinge = made["joints"].pop("hinge")
    made["parts"].pop("pawl")
    made["touching"].pop("ignore")
    places = {"root": (-25, 80), "receiver": (60, 40)}
    for carrier in carriers:
        x, y = places[carrier]
        made["parts"][f"on_{carrier}"] = {"shape": {"outline": [[x, y], [x + 5, y], [x, y - 60]]}}
        made["joints"][f"at_{carrier}"] = hinge | {"between": [carrier, f"on_{carrier}"], "at": [x, y]}
    made["drives"]["push"]["legs"] = [{"velocity": [0, -1], "for": 10}]
    return made


def _turned_round(made: dict[str, Any]) -> dict[str, Any]:
    """The other half fixed, and this one pushed the opposite way."""
    turned = copy.deepcopy(made)
    turned["parts"]["root"]["fixed"] = True
    turned["parts"]["receiver"].pop("fixed")
    turned["drives"] = {"push": {"part": "receiver", "legs": [{"velocity": [0, 1], "for": 10}]}}
    return turned


def _refused(made: dict[str, Any]) -> str:
    with pytest.raises(UnsupportedError) as found:
        detent.mate(detent.from_dict(made))
    return str(found.value)


def test_a_fastener_is_turned_round_only_where_that_is_answered() -> None:
    """With pawls on the fixed half alone the remedy does it; with pawls on both it would lead in a circle."""
    fixed = _with_pawls("receiver")
    assert "fix 'root' instead of 'receiver', and push 'receiver' the opposite way" in _refused(fixed)
    assert detent.mate(detent.from_dict(_turned_round(fixed))).legs
    both = _with_pawls("root", "receiver")
    for made, half in ((both, "receiver"), (_turned_round(both), "root")):
        words = _refused(made)
        assert "pawls on both halves are not followed together" in words
        assert f"write fixed = true for 'on_{half}' and leave out joint 'at_{half}'" in words
        assert "opposite way" not in words
    both["joints"].pop("at_receiver")
    both["parts"]["on_receiver"]["fixed"] = True
    assert detent.mate(detent.from_dict(both)).legs


def test_an_obstacle_on_a_sprung_slide_is_not_turned_round() -> None:
    made = _with_pawls("root")
    made["parts"]["receiver"].pop("fixed")
    made["parts"]["ground"] = {"fixed": True}
    spring = {"stiffness": 1}
    made["joints"]["slide"] = {"type": "prismatic", "between": ["ground", "receiver"], "at": [0, 0]}
    made["joints"]["slide"] |= {"along": [1, 0], "spring": spring}
    words = _refused(made)
    assert "write fixed = true for 'receiver' and leave out joint 'slide'" in words
    assert "opposite way" not in words
    made["joints"].pop("slide")
    made["parts"]["receiver"]["fixed"] = True
    assert detent.mate(detent.from_dict(made)).legs
