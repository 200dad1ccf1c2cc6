"""The few sentences of an outlook say what its numbers say, and nothing that they do not."""

from __future__ import annotations

from math import pi, radians

import pytest
from msgspec.structs import replace

import detent
from detent.draw.words import labelled
from detent.record import Drift, Outlook, Pattern, Superimposed, ValidUntil

UNITS = {"wheel": "rad", "balance": "rad", "hammer": "rad", "bolt": "mm"}
PATTERN = Pattern(
    minima=2,
    duration=0.5,
    change={"wheel": radians(-36), "balance": radians(0.4), "hammer": 1e-9, "bolt": 0.0},
)
DRIFT = Drift(
    columns=("pattern", "duration", "balance least", "balance greatest", "hammer least", "hammer greatest"),
    rows=((5, 0.5, -pi, pi, 0, 0), (90, 0.6, -pi / 2, pi / 2, 0, 0.1)),
)
END = ValidUntil(patterns=90, time=46.0, cause="slack", interval=(88, 92), then="at rest since 50")
STRIKE = Superimposed(
    between=("wheel", "hammer"),
    period_patterns=12,
    period=6.0,
    duration=0.1,
    first=3.0,
    joints=("hammer",),
    change={},
)


def outlook(**fields):
    made = {"verdict": "repeats", "reason": "until the spring of wheel is slack", "pattern": PATTERN}
    made |= {"amplitude": {"balance": pi, "bolt": 2.0}, "state_units": UNITS, "units": "mm"}
    return Outlook(**{**made, **fields})


def in_short(answer):
    return dict(labelled(answer.words, answer.title))["in short"].replace("\n", " ")


def test_every_clause_has_its_numbers():
    said = in_short(outlook(drift=DRIFT, valid_until=END, superimposed=(STRIKE,)))
    assert said == (
        "Every 0.5 s the same comes again: wheel goes on by -36°, balance swings by ±180° and bolt swings"
        " by ±2 mm. From pattern 5 to 90 the swing of balance goes from ±180° to ±90° and a pattern takes"
        " 0.6 s instead of 0.5 s. On top of it, every 12 patterns (6 s), wheel meets hammer and moves hammer,"
        " first at 3 s. Its last pattern is number 90 (estimated between 88 and 92); it ends at 46 s: the"
        " spring of wheel is slack; then at rest since 50."
    )


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        (
            {"reason": "nothing drives it down"},
            "bolt swings by ±2 mm. It has no end that was found: nothing drives it down.",
        ),
        (
            {
                "verdict": "at_rest",
                "pattern": None,
                "state": {"wheel": 0.0},
                "since": 2.0,
                "reason": "it locks",
            },
            "It stands still since 2 s: it locks.",
        ),
        (
            {"verdict": "undecided", "pattern": None, "reason": "no two patterns are alike"},
            "What it does in the long run is left open: no two patterns are alike.",
        ),
        (
            {"verdict": "ends", "pattern": None, "reason": "the run ends at 2 s: blocked, wedged"},
            "It stops: the run ends at 2 s: blocked, wedged.",
        ),
    ],
)
def test_without_an_end_it_says_so(fields, said):
    assert in_short(outlook(**fields)).endswith(said)


@pytest.mark.parametrize(
    ("verdict", "begins"),
    [
        ("repeats", "Every 0.5 s the same comes again: "),
        ("at_rest", "At first the same came again every 0.5 s: "),
        ("undecided", "From 1.5 s on nearly the same came again every 0.5 s, 3 times: "),
    ],
)
def test_that_the_same_comes_again_is_said_of_what_is_known_to_repeat_alone(verdict, begins):
    pattern = replace(PATTERN, since=1.5, confirmed=2)
    assert in_short(outlook(verdict=verdict, pattern=pattern)).startswith(begins)


def test_of_a_real_clock_they_are_the_numbers_of_its_tables():
    answer = detent.outlook("time_bomb")
    end = answer.valid_until
    assert f"number {end.patterns}; it ends at {end.time:.5g}" in in_short(answer)
    assert "ewheel goes on by -36°" in in_short(answer)  # a tenth of a turn, one tooth of ten


PENDULUM = """
format = "detent/1"
title = "A pendulum that rubs in its pin"
units = "mm"
gravity = [0, -9.81]
parts.frame.fixed = true
parts.bob = { mass = 2, center = [0, -300], inertia = 0.01 }
start.pivot.at_deg = 25
ask.run.until = 12

[joints.pivot]
type = "revolute"
between = ["frame", "bob"]
at = [0, 0]
friction = { coefficient = 0.25, radius = 12 }
"""


def test_a_swing_that_fades_goes_nowhere():
    said = in_short(detent.outlook(detent.loads(PENDULUM)))
    assert "pivot swings by ±" in said
    assert "goes on" not in said


def test_what_is_left_open_has_no_last_pattern():
    said = in_short(outlook(verdict="undecided", reason="it repeats up to 90 at least", valid_until=END))
    assert "It was followed up to pattern 90, over at 46 s." in said
    assert "last pattern" not in said
