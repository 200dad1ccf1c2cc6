"""Ties by construction, with the answers by hand."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import detent
from detent.model.reading import mechanism
from detent.numeric.polynomial import DOUBT, HALVINGS, NO_ROOT, first_fall
from detent.record import LegStory
from tests.prove.fasteners import document


def _legs(pawl: Any, wall: Any, friction: str, *legs: Any) -> tuple[LegStory, ...]:
    def text(points: Any) -> Any:
        return [[str(Fraction(c)) for c in point] for point in points]

    return detent.mate(mechanism(document(text(pawl), [text(wall)], friction, list(legs)))).legs


def test_what_passes_its_hinge_lets_the_pawl_go_at_that_instant() -> None:
    """An edge through the hinge, turned parallel to the push by a spike 31 below it, at 1 per second."""
    pawl = [(-8, -15), (7, -27), (9, 1), (4, Fraction(15, 2))]
    spike = [(0, -31), (-10, -59), (-8, -59)]
    (leg,) = _legs(pawl, spike, "0", {"velocity": [0, -1], "for": 90})
    kinds = [(event.kind, event.time) for event in leg.events]
    assert kinds[1:3] == [("change", 14.0), ("snap", 31.0)]  # the tip is 17 from the hinge
    held = leg.force.stretches[1]
    assert (held.contact_force.at_ends, held.contact_force.at_ends_time) == (math.inf, 31.0)
    assert held.resisting.at_ends == 0.0  # across the push, whatever its size


@pytest.mark.parametrize("side", [1, -1])
def test_a_slip_that_reverses_at_a_quarter_turn_is_an_event_and_nothing_else_happens_there(side: int) -> None:
    """A tip straight ahead of its hinge on a floor of slope 1/2: level with the hinge after 30 + 12/2 s."""
    pawl = [(0, -12), (side * 5, -13), (side * 8, -10), (side * 4, -11)]
    floor = [(-side * 60, 0), (-side * 60, -90), (side * 60, -90), (side * 60, -60)]
    (leg,) = _legs(pawl, floor, "1/9", {"velocity": [0, -1], "for": 40})
    assert [event.kind for event in leg.events] == ["contact", "reversal"]
    turn = leg.events[1]
    assert (turn.time, turn.coordinate) == (36.0, side * math.pi / 2)
    assert [(s.from_, s.to) for s in leg.force.stretches] == [(18.0, 36.0), (36.0, 40.0)]


def test_a_quarter_turn_does_not_divide_a_stretch() -> None:
    """The same without friction: one stretch, whose peak is that of the formula k theta / lever."""
    pawl = [(0, -12), (5, -13), (8, -10), (4, -11)]
    floor = [(-60, 0), (-60, -90), (60, -90), (60, -60)]
    (leg,) = _legs(pawl, floor, "0", {"velocity": [0, -1], "for": 40})
    (stretch,) = leg.force.stretches
    assert (stretch.from_, stretch.to) == (18.0, 40.0)
    angles = np.linspace(0.0, leg.end.coordinates["hinge"], 200_001)[1:]
    normal = np.array([1, 2]) / math.sqrt(5)
    lever = 12 * np.sin(angles) * normal[1] + 12 * np.cos(angles) * normal[0]
    assert leg.force.peak == pytest.approx((angles / lever * normal[1]).max(), rel=1e-9)


def test_a_barb_at_dead_centre_slides_along_its_wall_and_friction_carries_the_spring() -> None:
    """r = (5, 0), the wall's normal (1, 0): r x f = 5 mu; the face ends 49 below the start."""
    pawl = [(4, -3), (7, -9), (13, -6), (11, -2)]
    wall = [(5, -21), (-35, 19), (-35, -49), (5, -49)]
    down = {"velocity": [0, -1], "for": 58}
    (leg,) = _legs(pawl, wall, "1/8", down)
    assert [(event.kind, event.time) for event in leg.events][-2:] == [("change", 21.0), ("snap", 49.0)]
    theta, mu = math.atan2(3, 4), 1 / 8
    carried = leg.force.stretches[-1].contact_force.at_ends
    assert carried == pytest.approx(theta / (5 * mu) * math.hypot(1, mu), rel=1e-12)


def test_a_leg_that_sticks_at_once_has_no_bound_on_either_force() -> None:
    """Pulled back from dead centre friction holds the barb: no bound on contact and drive; torque k theta."""
    pawl = [(4, -3), (7, -9), (13, -6), (11, -2)]
    wall = [(5, -21), (-35, 19), (-35, -49), (5, -49)]
    into, out = _legs(pawl, wall, "1/8", {"velocity": [0, -1], "for": 30}, {"back": True})
    assert (into.end.cause, out.end.cause, out.end.time) == ("done", "stick", 30.0)
    (stretch,) = out.force.stretches
    assert stretch.contact_force.at_ends == stretch.resisting.at_ends == math.inf
    assert out.force.on_drive == (math.inf,)
    assert out.force.hinges["hinge"].torque == pytest.approx([math.atan2(3, 4)])
    assert out.force.times[0] >= into.force.times[-1]


@pytest.mark.parametrize("least", [0.0, 1e-9])
@pytest.mark.parametrize("root", [0.1, 0.25, 0.3125, 0.7, 0.999, 1.0])
def test_a_double_root_is_a_doubt_and_two_roots_beside_it_are_not(root: float, least: float) -> None:
    stack, spans = np.zeros((HALVINGS + 2, 5)), np.zeros((HALVINGS + 2, 2))

    def fall(poly: np.polynomial.Polynomial) -> float:
        return first_fall(np.resize(np.append(poly.coef, [0.0] * 5), 5), 1.0, stack, spans, least)

    u = np.polynomial.Polynomial([0, 1])
    touching = (u - root) ** 2 * (1 + u**2)
    assert fall(touching) == DOUBT
    assert fall(-touching) in (DOUBT, NO_ROOT)
    assert fall(touching + 1e-3) == NO_ROOT
    below = (u - root) ** 2 - 1e-4
    assert fall(below) == pytest.approx(root - 1e-2, abs=1e-12)


def test_a_limit_in_degrees_that_an_event_lies_at_is_said() -> None:
    """No rational half-tangent has 20 degrees."""
    made = document(
        [["4", "-3"], ["8", "-1"], ["7", "3"]],
        [[["-9", "-20"], ["5", "-20"], ["5", "-30"], ["-9", "-30"]]],
        "0",
        [],
    )
    made["drives"]["push"]["legs"] = [{"velocity": [0, -1], "for": 19}]
    made["joints"]["hinge"]["limits"] = {"max_deg": "20", "min_deg": "-90"}
    answer = detent.mate(mechanism(made))
    assert any("only quarter turns are exact" in note for note in answer.notes)


def test_a_snap_is_decided_however_short_the_plan_lasts() -> None:
    """The same machine 1e22 times smaller at the same speed: all times are as many times shorter."""
    pawl = [[-25, 20], [-19, 23], [-19, 82], [-25, 82]]
    bar = [[-30, 0], [30, 0], [30, 10], [-30, 10]]
    snaps = []
    for scale in (1, Fraction(1, 10**22)):
        outlines = [[[str(c * scale) for c in point] for point in outline] for outline in (pawl, bar)]
        legs = [{"velocity": [1, -0.4], "for": str(140 * scale)}]
        design = document(outlines[0], [outlines[1]], 0, legs)
        design["joints"]["hinge"]["at"] = [str(-20 * scale), str(80 * scale)]
        (leg,) = detent.mate(mechanism(design)).legs
        snaps.append([(e.kind, e.time / float(scale), e.coordinate) for e in leg.events])
    assert [kind for kind, *_ in snaps[0]] == [kind for kind, *_ in snaps[1]]
    assert "snap" in [kind for kind, *_ in snaps[0]]
    assert np.array([rest for _, *rest in snaps[1]]) == pytest.approx(
        np.array([rest for _, *rest in snaps[0]])
    )
