"""Discs as shapes of fasteners: a roller over a round pin, against the closed forms of two circles."""

from __future__ import annotations

import math

import pytest

import detent
from detent.model.reading import mechanism

ROLLER, PIN, ARM = 3.0, 5.0, 30.0
INSIDE = 8.3e-5 * (ROLLER + PIN)  # how far the chords of both leave their circles together


def test_a_roller_passes_a_pin_as_circles_do() -> None:
    """The centres come together from 20 ahead and 6 aside; the arm is pushed aside until they are level."""
    arm = {
        "union": [
            {"outline": [[-1, 2], [-1, -ARM], [1, -ARM], [1, 2]]},
            {"circle": ROLLER, "moves": [{"move": [0, -ARM]}]},
        ]
    }
    pin = {"circle": PIN, "moves": [{"move": [6, -50]}]}
    hinge = {"type": "revolute", "between": ["root", "arm"], "at": [0, 0], "spring": {"stiffness": 1}}
    push = {"part": "root", "legs": [{"velocity": [0, -1], "for": 60}]}
    mating = detent.mate(
        mechanism(
            {
                "format": "detent/1",
                "units": "1",
                "parts": {"root": {}, "arm": {"shape": arm}, "pin": {"fixed": True, "shape": pin}},
                "joints": {"hinge": hinge},
                "drives": {"push": push},
            }
        )
    )
    (leg,) = mating.legs
    touch = 20 - math.sqrt((ROLLER + PIN) ** 2 - 6**2)
    # Chords lie inside their circles: they touch later, by what lies between along the push.
    assert 0 <= leg.events[0].time - touch <= INSIDE * 8 / math.sqrt(8**2 - 6**2)
    farthest = -math.asin((ROLLER + PIN - 6) / ARM)
    reached = min(leg.force.hinges["hinge"].angle)
    assert 0 <= reached - farthest <= 1.1 * INSIDE / ARM
    assert [arc.changes for arc in leg.along_arcs] == [sum(e.kind == "change" for e in leg.events)]
    assert any("arcs of arm and pin are their chords" in each for each in mating.scope.assumed)
    assert sum("256 chords to a circle" in note for note in mating.notes) == 2
    assert leg.end.cause == "done"
    assert leg.end.coordinates["hinge"] == pytest.approx(0)
