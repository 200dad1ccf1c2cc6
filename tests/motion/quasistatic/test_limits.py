"""Angle limits of a pawl: where a stretch begins exactly at one, it is felt at once."""

from __future__ import annotations

import math
from typing import Any

import pytest

from detent.judge import mate
from detent.model.reading import mechanism
from detent.record import Mating
from tests.prove.fasteners import document

Document = dict[str, Any]
# The flank from (5, 0) to (10, 12) meets the pawl's corner (1, 5) after 6.08333 of travel.
MET = 5 + 5 * 5 / 12 - 1


def wiper(**joint: Any) -> Document:
    """A hanging pawl pushed against a ramp, which turns it clockwise."""
    return {
        "format": "detent/1",
        "units": "1",
        "parts": {
            "root": {},
            "pawl": {"shape": {"outline": [[-1, 20], [1, 20], [1, 5], [-1, 5]]}},
            "ob": {"fixed": True, "shape": {"outline": [[5, 0], [30, 0], [10, 12]]}},
        },
        "joints": {
            "h": {
                "type": "revolute",
                "between": ["root", "pawl"],
                "at": [0, 19],
                "spring": {"stiffness": 1},
            }
            | joint
        },
        "drives": {"push": {"part": "root", "legs": [{"velocity": [1, 0], "for": 40}]}},
    }


def told(made: Document) -> Mating:
    return mate(mechanism(made))


def test_a_pawl_at_rest_on_its_limit_stops_at_the_first_contact_that_pushes_beyond() -> None:
    leg = told(wiper(limits={"min_deg": 0})).legs[0]
    assert [event.kind for event in leg.events] == ["contact", "limit"]
    assert (leg.end.cause, leg.end.coordinates["h"]) == ("limit", 0)
    assert leg.end.time == pytest.approx(MET, rel=1e-15)
    assert leg.force.peak.unbounded is True


def test_a_limit_on_the_other_side_of_rest_is_not_felt() -> None:
    free, limited = told(wiper()).legs[0], told(wiper(limits={"max_deg": 0})).legs[0]
    assert [event.kind for event in limited.events] == [event.kind for event in free.events]
    assert limited.end.cause == free.end.cause


@pytest.mark.parametrize("between", [["root", "pawl"], ["pawl", "root"]])
def test_rest_and_limit_a_quarter_turn_away_are_one_angle(between: list[str]) -> None:
    """Drawn hanging, at rest it points left; pushed down onto a block it would turn up."""
    sense = 1 if between[0] == "root" else -1
    end = "min_deg" if sense > 0 else "max_deg"
    design = wiper(between=between, spring={"stiffness": 1, "rest_deg": -90 * sense})
    design["joints"]["h"]["limits"] = {end: -90 * sense}
    design["parts"]["ob"]["shape"]["outline"] = [[-30, -20], [-8, -20], [-8, -10], [-30, -10]]
    design["drives"]["push"]["legs"] = [{"velocity": [0, -1], "for": 30}]
    leg = told(design).legs[0]
    assert (leg.end.cause, leg.end.time) == ("limit", 28)
    assert leg.end.coordinates["h"] == pytest.approx(-sense * math.pi / 2, abs=1e-15)
    del design["joints"]["h"]["limits"]
    assert told(design).legs[0].end.time > leg.end.time


@pytest.mark.parametrize("degrees", [-90, -20, 20, 90])
def test_a_limit_ends_the_motion_at_its_angle_in_any_chart(degrees: int) -> None:
    """A quarter turn is where two charts meet."""
    sign, end = (1, "max_deg") if degrees > 0 else (-1, "min_deg")
    machine = document(
        [[0, 0], [6 * sign, -8], [6 * sign, -7]],
        [[[4 * sign, -60], [60 * sign, -60], [60 * sign, -12], [4 * sign, -12]]],
        0,
        [{"velocity": [0, -1], "for": 40}],
    )
    free = told(machine).legs[0]
    assert max(abs(event.coordinate) for event in free.events) > math.pi / 2
    machine["joints"]["hinge"]["limits"] = {end: degrees}
    leg = told(machine).legs[0]
    assert leg.end.cause == "limit"
    assert leg.end.coordinates["hinge"] == pytest.approx(math.radians(degrees), abs=1e-15)


def test_a_leg_that_begins_on_a_limit_ends_at_once_when_pushed_beyond() -> None:
    design = wiper(limits={"min_deg": -20})
    reached = told(design).legs[0].end
    time = "/".join(str(-c if c < 0 else c) for c in map(int, reached.exact.polynomial))  # type: ignore[union-attr]
    legs = design["drives"]["push"]["legs"]
    legs[:] = [{"velocity": [1, 0], "for": time}, {"velocity": [1, 0], "for": 1}]
    first, second = told(design).legs
    assert first.end.coordinates == reached.coordinates
    assert (first.end.cause, second.end.cause) == ("done", "limit")
    assert second.end.time == pytest.approx(reached.time, rel=1e-15)
    legs[1] = {"velocity": [-1, 0], "for": 1}
    back = told(design).legs[1]
    assert back.end.cause == "done"
    assert back.end.coordinates["h"] > reached.coordinates["h"]


def test_a_pawl_that_comes_back_to_rest_on_its_limit_goes_on() -> None:
    design = wiper(limits={"max_deg": 0})
    design["drives"]["push"]["legs"] = [{"velocity": [1, 0], "for": 8}, {"back": True}]
    back = told(design).legs[1]
    assert [event.kind for event in back.events] == ["release"]
    assert back.end.cause == "done"


def test_two_rounded_limits_end_a_leg_at_the_one_that_is_reached() -> None:
    """Turned by a quarter the pawl's side would lie along the push: the corner is at no finite time there."""
    design = wiper(limits={"min_deg": -20, "max_deg": 25})
    design["parts"]["ob"]["shape"]["outline"] = [[5, 0], [30, 0], [30, 12], [5, 12]]
    mating = told(design)
    end = mating.legs[0].end
    # The corner, 7 below the hinge, lies on the pawl's side 1 from it: (5 - t) cos 20 + 7 sin 20 = 1.
    tilt = math.radians(20)
    assert end.time == pytest.approx(5 - (1 - 7 * math.sin(tilt)) / math.cos(tilt), rel=1e-14)
    assert (end.cause, end.coordinates["h"]) == ("limit", pytest.approx(math.radians(-20), abs=1e-15))
    assert not any("lies at its limit" in note for note in mating.notes)


def pressed_blade(friction: Any = 0, **joint: Any) -> Mating:
    """A blade of length 8 pressed straight down onto a floor 10 below its hinge."""
    machine = document(
        [[0, 0], [1, 0], [0, 1]], [[[-30, -40], [30, -40], [30, -10], [-30, -10]]], friction, []
    )
    machine["parts"]["p"]["shape"] = {"segment": [[0, 0], [0, -8]]}
    machine["drives"]["push"]["legs"] = [{"velocity": [0, -1], "for": 4}]
    machine["joints"]["hinge"] |= joint
    return told(machine)


@pytest.mark.parametrize("between", [["root", "p"], ["p", "root"]])
@pytest.mark.parametrize(("end", "side"), [("min_deg", 1), ("max_deg", -1)])
def test_a_limit_at_rest_decides_where_a_balanced_pawl_goes(end: str, side: int, between: list[str]) -> None:
    """Free on both sides it jams; with one side closed at rest it turns to the other, to acos(6/8)."""
    assert [(e.kind, e.reason) for e in pressed_blade().legs[0].events] == [("jam", "balanced")]
    leg = pressed_blade(between=between, limits={end: 0}).legs[0]
    assert [event.kind for event in leg.events] == ["contact"]
    assert leg.end.cause == "done"
    assert leg.end.coordinates["hinge"] == pytest.approx(side * math.acos(6 / 8), rel=1e-14)


def test_limits_beyond_rest_leave_a_balanced_pawl_balanced_and_at_rest_on_both_sides_stop_it() -> None:
    for limits in ({"min_deg": -1}, {"max_deg": 1}):
        leg = pressed_blade(limits=limits).legs[0]
        assert [(e.kind, e.reason, e.time) for e in leg.events] == [("jam", "balanced", 2.0)]
    leg = pressed_blade(limits={"min_deg": 0, "max_deg": 0}).legs[0]
    assert [event.kind for event in leg.events] == ["contact", "limit"]
    assert (leg.end.cause, leg.end.time) == ("limit", 2.0)


@pytest.mark.parametrize("lean", [0, 1, -1])
@pytest.mark.parametrize("fast", [False, True])
def test_a_pawl_on_a_knife_edge_sticks_where_friction_holds_its_neighbours_on_both_sides(
    lean: int, fast: bool
) -> None:
    """A tip 8 below the hinge and off it by e sticks while |e| is below 8 mu: so it does at e = 0."""
    for tip in ("-1/1000", 0, "1/1000"):
        machine = document(
            [[-1, 0], [1, 0], [tip, -8]], [[[-30, -40], [30, -40], [30, -10], [-30, -10]]], "1/5", []
        )
        machine["drives"]["push"]["legs"] = [{"velocity": [lean, -4], "for": 1}]
        machine["ask"] = {"mate": {"exact": not fast}}
        mating = told(machine)
        assert [event.kind for event in mating.legs[0].events] == ["contact", "stick"]
        assert mating.legs[0].end.time == 0.5
        assert "friction holds p fast" in mating.insertion.why
        assert "knife" not in mating.words


def test_a_pawl_that_a_limit_sends_to_one_side_still_sticks_where_friction_holds_it() -> None:
    """The load passes through the hinge: any friction at all holds the tip."""
    leg = pressed_blade("1/1000", limits={"min_deg": 0}).legs[0]
    assert [event.kind for event in leg.events] == ["contact", "stick"]
    assert leg.end.time == 2.0


def test_a_note_doubts_a_limit_only_where_something_else_happens_at_it() -> None:
    """The pawl is turned to -1.12 and goes back: a limit before that is just met, one there is a tie."""
    top = min(event.coordinate or 0.0 for event in told(wiper()).legs[0].events)
    for least, cause, tie in (
        (top / 2, "limit", False),
        (top + 3e-9, "limit", False),
        (top + 3e-10, "limit", True),
        (top - 3e-10, "done", True),
        (top - 3e-9, "done", False),
    ):
        limited = told(wiper(limits={"min": least}))
        assert limited.legs[0].end.cause == cause
        assert any("which comes first may differ" in note for note in limited.notes) is tie
