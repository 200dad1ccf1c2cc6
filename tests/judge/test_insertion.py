"""What one push came to: in, not yet, nothing touched; what counts as in, and what is said beside it."""

from __future__ import annotations

import json
import math
import pickle
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import detent
from detent.app import main
from detent.mechanics import pseudo_rigid_hinge
from detent.model import Beam
from detent.model.reading import mechanism
from detent.record import Amount
from tests.prove.fasteners import Document, document

# A barb that comes to a chamfer after 16, to its end after 21, past the face after 49, and snaps to rest.
BARB = [["4", "-3"], ["7", "-9"], ["13", "-6"], ["11", "-2"]]
WALL = [["5", "-21"], ["-35", "19"], ["-35", "-49"], ["5", "-49"]]


def _document(lasts: float, **changes: Any) -> Document:
    return document(BARB, [WALL], "1/8", [{"velocity": [0, -1], "for": lasts}]) | changes


@pytest.mark.parametrize(
    ("lasts", "answer", "standing", "words"),
    [
        (10, "nothing touched", "untouched", "is receiver where it should be? In the end p is 2.82843 away"),
        (16, "nothing touched", "untouched", "the push ends just where p comes to receiver"),
        (20, "not yet", "climbing", "the push ends on the ramp: p is bent"),
        (30, "not yet", "level", "the push ends on the flat: p is bent 36.9°"),
        (58, "yes", "at_rest", "p is past receiver and back at rest"),
    ],
)
def test_the_verdict_says_where_the_push_ended(lasts: int, answer: str, standing: str, words: str) -> None:
    inserted = detent.mate(mechanism(_document(lasts))).insertion
    assert inserted is not None
    assert (inserted.answer, inserted.pawls[0].standing, inserted.travel) == (answer, standing, lasts)
    assert words in inserted.why


@pytest.mark.parametrize(("depth", "answer"), [(29, "yes"), (30, "yes"), (31, "not yet")])
def test_a_depth_that_is_given_wins(depth: int, answer: str) -> None:
    inserted = detent.mate(mechanism(_document(30, ask={"mate": {"depth": depth}}))).insertion
    assert inserted is not None
    assert inserted.answer == answer


def test_what_sticks_is_not_in_and_both_forces_say_so() -> None:
    """A tip at (3, -4) on a level floor holds from friction 3/4 on."""
    tip, floor = [[3, -4], [7, -2], [5, 3]], [[-30, -30], [30, -30], [30, -20], [-30, -20]]
    made = document(tip, [floor], "4/5", [{"velocity": [0, -1], "for": 30}])
    mating = detent.mate(mechanism(made))
    assert mating.insertion is not None
    assert mating.insertion.answer == "no"
    assert mating.legs[0].force.on_drive[-1] == math.inf
    assert json.loads(mating.to_json())["legs"][0]["force"]["on_drive"][-1] == {"unbounded": True}


def test_a_peak_is_a_number() -> None:
    peak = Amount(math.inf, time=3.0)
    assert peak > 3
    assert max(peak, Amount(2.0)) is peak
    assert pickle.loads(pickle.dumps(peak)).time == 3.0
    assert np.array([peak, Amount(2.5)]).tolist() == [math.inf, 2.5]


def test_the_table_has_legs_travel_units_and_no_time_that_goes_back(tmp_path: Path) -> None:
    made = _document(30, units="mm")
    made["drives"]["push"]["legs"].append({"back": True})
    path, out = tmp_path / "a.json", tmp_path / "a.csv"
    path.write_text(json.dumps(made))
    assert main(["mate", str(path), "--csv", str(out), "--quiet"]) == 0
    header, *rows = [line.split(",") for line in out.read_text().splitlines()]
    assert header[:4] == ["leg", "time [s]", "travel [mm]", "on_drive [N]"]
    times = [float(row[1]) for row in rows]
    assert times == sorted(times)
    assert rows[-1][0] == "2"
    assert float(rows[-1][3]) == math.inf


def test_check_says_what_mate_would_refuse(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = _document(30)
    del made["joints"]["hinge"]["spring"]
    path = tmp_path / "a.json"
    path.write_text(json.dumps(made))
    assert main(["check", str(path)]) == 0
    assert "`detent mate` would refuse it" in capsys.readouterr().out


def test_materials_and_weight_are_named_as_left_out() -> None:
    made = _document(30, materials={"pom": {"density": 1400, "modulus": 2.7e9, "strain_once": 0.06}})
    made["parts"]["p"]["material"] = "pom"
    left_out = " ".join(detent.mate(mechanism(made)).scope.left_out)
    assert "materials.pom.density, modulus, strain_once" in left_out
    assert "1 m thick" in left_out


def test_rebound_is_named_as_left_out_by_its_key() -> None:
    of_pair = {"p:receiver": {"friction": 0.1, "restitution": 0.5}}
    left_out = detent.mate(mechanism(_document(10, touching={"pairs": of_pair}))).scope.left_out
    assert [line for line in left_out if "restitution" in line] == [
        "touching.pairs.p:receiver.restitution: nothing hits at speed"
    ]


def test_a_beam_has_the_hinge_of_the_pseudo_rigid_body() -> None:
    """An even beam in closed form; a taper beside a fine sum of x^2 / E I(x)."""
    even = pseudo_rigid_hinge(Beam(length=40, height=4, width=20), 2.7e9, 1e-3)
    bending = 2.7e9 * 0.02 * 0.004**3 / 12
    assert even.stiffness == pytest.approx(0.85 * 2.65 * bending / 0.04, rel=1e-12)
    assert even.from_root == pytest.approx(6)
    taper = pseudo_rigid_hinge(Beam(length=40, height=(5, 2.7), width=20), 2.7e9, 1e-3)
    x = (np.arange(200_000) + 0.5) / 200_000 * 0.04  # from the tip
    height = 0.0027 + 0.0023 * x / 0.04
    compliance = (x**2 / (2.7e9 * 0.02 * height**3 / 12)).sum() * 0.04 / 200_000
    assert taper.tip_stiffness == pytest.approx(1 / compliance, rel=1e-8)


def test_the_hinge_of_a_beam_says_how_far_it_stands_for_it() -> None:
    """Beside F L^3 / 3 E I and F L^2 / 2 E I of an even beam, and a fine sum of x / E I(x) of a taper."""
    even = pseudo_rigid_hinge(Beam(length=40, height=4, width=20), 2.7e9, 1e-3)
    bending = 2.7e9 * 0.02 * 0.004**3 / 12
    arm = 0.85 * 0.04
    assert even.deflection == pytest.approx(arm**2 / even.stiffness / (0.04**3 / 3 / bending), rel=1e-12)
    assert even.rotation == pytest.approx(arm / even.stiffness / (0.04**2 / 2 / bending), rel=1e-12)
    taper = pseudo_rigid_hinge(Beam(length=40, height=(5, 2.7), width=20), 2.7e9, 1e-3)
    x = (np.arange(200_000) + 0.5) / 200_000 * 0.04  # from the tip
    height = 0.0027 + 0.0023 * x / 0.04
    rotates = (x / (2.7e9 * 0.02 * height**3 / 12)).sum() * 0.04 / 200_000
    assert taper.rotation == pytest.approx(arm / taper.stiffness / rotates, rel=1e-8)
    with pytest.raises(detent.UnsupportedError, match="4 % less far than the beam's, and rotates 37 % less"):
        detent.predict("snap_hook", method=detent.Quasistatic())


@pytest.mark.parametrize(("apart", "climbs"), [(2, True), (2.1, True), (2.2, False), (7, False)])
def test_apart_before_the_top_is_told_as_far_as_it_is_asked(apart: float, climbs: bool) -> None:
    """A hook whose return is at 45 degrees: pulled 7 - 4.87632 mm back it is on its land, the way in says."""
    hook = [[0, 0], [0, -12], [1.2, -12], [2.2, -10.268], [2.2, -9.5], [1.2, -8.5], [1.2, 0]]
    case = [[1.4, -14.5], [6, -14.5], [6, -13], [1.4, -13]]
    joint = {"type": "revolute", "between": ["door", "hook"], "at": [0.6, -1.8]}
    legs = [{"velocity": [0, -1], "distance": 7}, {"back": True}]
    machine = detent.from_dict(
        {
            "units": "mm",
            "parts": {
                "door": {"shape": {"outline": [[-3, 0], [3, 0], [3, 3], [-3, 3]]}},
                "hook": {"shape": {"outline": hook}},
                "case": {"fixed": True, "shape": {"outline": case}},
            },
            "joints": {"root": joint | {"spring": {"stiffness": 0.09}}},
            "drives": {"push": {"part": "door", "legs": legs}},
            "ask": {"mate": {"depth": 4, "apart": apart}},
            "touching": {"friction": 0.2, "ignore": ["door:hook"]},
        }
    )
    mating = detent.mate(machine)
    assert mating.diode is not None
    assert (mating.diode.reverse.climbing == ("hook",)) == climbs
    (holds,) = [line for line in mating.words.splitlines() if line.startswith("  holds")]
    assert f"comes out as far as the {apart:g} mm asked for, with" in holds
    assert ("hook climbs there and has not passed its top" in holds) == climbs


def _clip(velocity: list[float], length: dict[str, float], **ask: Any) -> Document:
    """A hook that goes over a bar and comes back with a force; pushed along a velocity."""
    hook = [[-2, 0], [22, 0], [26, -0.5], [22, -3], [20, -3], [18, -1.5], [-2, -1.5]]
    bar = [[30, -12], [34, -12], [34, -2.9], [30, -2.9]]
    made = document(hook, [bar], "3/20", [{"velocity": velocity, **length}])
    return made | {"units": "mm", "ask": {"mate": ask}}


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize("ask", [{}, {"apart": 12}])
def test_a_distance_along_a_slanted_line_also_has_a_way_back(exact: bool, ask: dict[str, Any]) -> None:
    """The end is at a square root; the same pull from a rational time beside it has the same force."""
    method = detent.Quasistatic(exact=exact)
    slanted = detent.mate(mechanism(_clip([10, -0.3], {"distance": 18}, **ask)), method=method).diode
    beside = detent.mate(mechanism(_clip([10, -0.3], {"for": 1.7991908}, **ask)), method=method).diode
    assert slanted is not None
    assert slanted.force
    assert beside is not None
    assert beside.force
    assert slanted.kind == beside.kind
    assert slanted.force.extraction == pytest.approx(beside.force.extraction, rel=1e-9)
    assert slanted.reverse.time == pytest.approx(beside.reverse.time, rel=1e-6)


def test_directions_that_an_irrational_place_leaves_untried_are_said() -> None:
    family = {"from_deg": 0, "to_deg": 315, "steps": 7}
    mating = detent.mate(mechanism(_clip([10, -0.3], {"distance": 18}, directions=family)))
    assert mating.diode is not None
    assert mating.diode.total is None
    assert any("other directions are not tried" in note and "for = 1.799190" in note for note in mating.notes)


@pytest.mark.parametrize(
    ("square", "words"),
    [(100, "pulled straight back it leads away from the goal"), (10, "it lies in the goal as assembled")],
)
def test_a_goal_off_the_way_out_is_not_a_hold(square: float, words: str) -> None:
    """The hook comes out by itself with a force, so that no goal may make of it one that holds."""
    outline = [[square, -20], [square + 20, -20], [square + 20, 20], [square, 20]]
    mating = detent.mate(mechanism(_clip([10, 0], {"distance": 18}, goal={"outline": outline})))
    assert mating.diode is not None
    assert (mating.diode.kind, mating.diode.relative) == ("undecided", False)
    assert f"holds      not answered: {words}" in mating.words
    out = detent.mate(mechanism(_clip([10, 0], {"distance": 18}))).diode
    assert out is not None
    assert out.force
    assert out.force.extraction > 0


@pytest.mark.parametrize(
    ("depth", "words"), [(8, "as deep as the 8 mm asked for"), (9, "less than the 9 mm")]
)
def test_a_depth_is_said_with_its_unit_and_how_the_pawl_stands(depth: int, words: str) -> None:
    inserted = detent.mate(mechanism(_clip([10, 0], {"distance": 8.5}, depth=depth))).insertion
    assert inserted is not None
    assert words in inserted.why
    assert "p is bent" in inserted.why


def test_a_depth_just_missed_is_said_with_the_digits_it_was_asked_with() -> None:
    inserted = detent.mate(mechanism(_clip([10, 0], {"distance": 8.5}, depth=8.5000001))).insertion
    assert inserted is not None
    assert (inserted.answer, inserted.goal) == ("not yet", "a travel of 8.5000001 mm or more")
    assert inserted.why.startswith("less than the 8.5000001 mm asked for")


def test_springs_that_push_it_out_again_are_said_to() -> None:
    """Without friction the way back has the forces of the way in, least where the pull ends: 0.3 before."""
    pushed, ended = _clip([10, 0], {"distance": 8.5}, depth=8, apart=0.3), _clip([10, 0], {"distance": 8.2})
    for made in (pushed, ended):
        made["touching"]["friction"] = 0
    mating, before = detent.mate(mechanism(pushed)), detent.mate(mechanism(ended)).legs[0]
    assert mating.diode is not None
    assert mating.diode.force
    least = before.force.on_drive[-1]
    assert mating.diode.force.extraction == pytest.approx(-least, rel=1e-12)
    said = (
        r"comes out as far as the 0.3 mm asked for, by itself, the springs push it with at least (\S+) N \(in"
    )
    printed = re.search(said, mating.words)
    assert printed is not None
    assert least * (1 - 1e-5) <= float(printed[1]) <= least * (1 + 1e-9)


def test_a_hook_that_the_springs_draw_in_is_not_compared_with_the_force_in() -> None:
    """It begins past the top, with its return flank on the corner of the bar, and slides down that."""
    made = _clip([10, 0], {"distance": 0.5})
    made["parts"]["receiver"]["shape"] = {"outline": [[10, -12], [19.2, -12], [19.2, -2], [10, -2]]}
    made["start"] = {"hinge": {"at_deg": 8}}
    mating = detent.mate(mechanism(made))
    assert mating.diode is not None
    assert mating.diode.force
    assert mating.diode.force.insertion < 0 < mating.diode.force.extraction
    assert "N (the springs draw it in); p climbs there and has not passed its top" in mating.words


def test_units_of_their_own_have_no_seconds_in_certificates(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.json"
    for units, after in (("mm", "(after 0 s)"), ("1", "(after 0)")):
        path.write_text(json.dumps(_clip([10, 0], {"distance": 8}) | {"units": units}))
        assert main(["mate", str(path), "--exact"]) == 0
        assert after in capsys.readouterr().out


def test_a_part_pushed_onto_fixed_pawls_is_told_how_to_turn_it_round() -> None:
    made = _clip([10, 0], {"distance": 18})
    made["parts"]["root"], made["parts"]["receiver"] = (
        {"fixed": True},
        {"shape": made["parts"]["receiver"]["shape"]},
    )
    made["drives"]["push"]["part"] = "receiver"
    with pytest.raises(
        detent.UnsupportedError, match="fix 'receiver' instead of 'root', and push 'root' the opp"
    ):
        detent.mate(mechanism(made))


def test_the_report_gives_travel_its_unit(tmp_path: Path) -> None:
    path, out = tmp_path / "a.json", tmp_path / "a.html"
    path.write_text(json.dumps(_clip([10, 0], {"distance": 8})))
    assert main(["mate", str(path), "--report", str(out), "--quiet"]) == 0
    assert "travel [mm]" in out.read_text()


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize("distance", ["1.1", "4.7", "5.9", "1/3"])
def test_a_push_of_just_the_depth_asked_for_is_in(distance: str, exact: bool) -> None:
    """Along a slanted line the travel is a product of roots, which in doubles may fall short."""
    method = detent.Quasistatic(exact=exact)
    for depth, answer in ((distance, "yes"), (f"{Fraction(distance) + Fraction(1, 10**12)}", "not yet")):
        asked = mechanism(_clip([1, -2], {"distance": distance}, depth=depth))  # type: ignore[dict-item]
        inserted = detent.mate(asked, method=method).insertion
        assert inserted is not None
        assert inserted.answer == answer


@pytest.mark.parametrize(("depth", "answer"), [("15.9", "yes"), ("16", "yes"), ("16.1", "no")])
def test_a_depth_counts_where_friction_holds_it_too(depth: str, answer: str) -> None:
    """The tip sticks where it meets the floor, after 16: that is as deep as 16, and short of more."""
    tip, floor = [[3, -4], [7, -2], [5, 3]], [[-30, -30], [30, -30], [30, -20], [-30, -20]]
    made = document(tip, [floor], "4/5", [{"velocity": [0, -1], "for": 30}])
    inserted = detent.mate(mechanism(made | {"ask": {"mate": {"depth": depth}}})).insertion
    assert inserted is not None
    assert (inserted.answer, inserted.travel) == (answer, 16)
    assert "friction holds p fast" in inserted.why


def test_of_a_land_flush_with_a_wall_the_contact_that_resists_most_bounds_the_force() -> None:
    """Bent by 2 atan(1/20) the land from 8 to 12 below the hinge is parallel to the wall, 3 beside the hinge.

    Whatever the shares of its two ends, the push feels friction times k theta over the levers y + 3 mu in
    between, 7.4 and 11.4: at most what the upper end alone gives.
    """
    cosine, sine = Fraction(399, 401), Fraction(40, 401)
    bent = [(-1, 0), (1, 0), (1, -7), (3, -8), (3, -12), (-1, -16), (-1, -12)]
    land = [[str(cosine * x - sine * y), str(sine * x + cosine * y)] for x, y in bent]
    wall = [[3, -18], [20, -18], [20, -40], [3, -40]]
    mating = detent.mate(mechanism(document(land, [wall], "1/5", [{"velocity": [0, -5], "for": 3}])))
    flush = [
        f for t, f in zip(mating.legs[0].force.times, mating.legs[0].force.on_drive, strict=True) if t > 2
    ]
    assert flush
    assert flush == pytest.approx([0.2 * 2 * math.atan(1 / 20) / 7.4] * len(flush), rel=1e-9)
    assert any("statics leaves their shares open" in line for line in mating.scope.assumed)


def test_a_force_of_nothing_has_no_sign() -> None:
    assert str(float(Amount(-0.0))) == "0.0"


SQUARE = {"outline": [[0, 0], [1, 0], [1, 1]]}


@pytest.mark.parametrize(
    ("ask", "at"),
    [
        ({"directions": {"from_deg": 0, "to": 3, "steps": 2}}, "ask.mate.directions"),
        ({"directions": {"from_deg": 0, "to_deg": 90, "values": [1]}}, "ask.mate.directions.values"),
        ({"apart": 12, "goal": SQUARE}, "ask.mate.apart"),
    ],
)
def test_a_question_asked_in_two_ways_is_refused(ask: dict[str, Any], at: str) -> None:
    """One of the two would be left out without a word."""
    with pytest.raises(detent.ModelError) as refused:
        mechanism(_clip([10, 0], {"distance": 18}, **ask))
    assert at in [problem.at for problem in refused.value.problems]


def test_a_full_circle_of_directions_tries_each_once() -> None:
    family = {"from_deg": 0, "to_deg": 360, "steps": 8}
    diode = detent.mate(mechanism(_clip([10, 0], {"distance": 18}, directions=family, apart=12))).diode
    assert diode is not None
    assert len(diode.directions) == len({escape.direction for escape in diode.directions}) == 8
    assert diode.goal == "travelled 12 mm against the insertion"


def test_directions_that_lead_away_from_the_goal_are_counted_apart_from_those_that_are_stopped() -> None:
    """Of eight directions three have a part straight back, against a push along x."""
    family = {"from_deg": 0, "to_deg": 315, "steps": 7}
    mating = detent.mate(mechanism(_clip([10, 0], {"distance": 18}, directions=family)))
    assert mating.diode is not None
    free = sum(escape.apart for escape in mating.diode.directions)
    assert f"; {free} of 8 directions tried take it apart, with 0 N (towards 135°) to" in mating.words
    assert "; 5 lead away from the goal\n" in mating.words


@pytest.mark.parametrize(
    ("outline", "words"),
    [([[0, 0], [9, 9], [9, 0], [0, 9]], "edges 0 and 2 cross"), ([[0, 0], [1, 1], [2, 2]], "has no area")],
)
def test_a_goal_without_area_or_with_edges_that_cross_is_refused(
    outline: list[list[float]], words: str
) -> None:
    with pytest.raises(detent.ModelError, match=f"ask.mate.goal.outline: {words}"):
        detent.mate(mechanism(_clip([10, 0], {"distance": 18}, goal={"outline": outline})))
