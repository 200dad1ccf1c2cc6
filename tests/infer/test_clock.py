"""A chiming clock (after Gelsey 1995, Fig. 26): an escapement, a train to a slow gear, a clapper it lifts."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

import detent
from detent.infer import infer
from detent.model import Mechanism
from tests.infer.shapes import block, less, moved, pin, union


def cut(shape: Any, at: list[float], low: float, high: float) -> Any:
    """With a hole for the frame's pin."""
    return less(shape, moved(pin("0.5", low, high), {"move": [*at, 0]}))


@pytest.fixture(scope="module")
def clock() -> Mechanism:
    """The published escapement on longer pins, a pinion on its wheel, a large gear, a clapper on a spring."""
    data = detent.load("escapement").to_dict()
    wheel = data["shapes"]["ewheel"]["difference"]
    wheel[0]["union"].append(moved({"cylinder": {"radius": 1, "height": 1, "teeth": 8}}, {"move": [0, 0, 1]}))
    wheel[1] = pin("0.5", 0, 2)
    gear = {"cylinder": {"radius": 6, "height": 1, "teeth": 48}, "moves": [{"move": [7, 0, 1]}]}
    lifter = block((11.5, 3, 2), (13.5, 3.6, 3))
    data["shapes"]["gear"] = cut(union(gear, lifter), [7, 0], 1, 2)
    data["shapes"]["clapper"] = cut(
        union(
            moved({"cylinder": {"radius": 1, "height": 1}}, {"move": [14, 6, 2]}),
            block((13.5, -4, 2), (14.5, 6, 3)),
        ),
        [14, 6],
        2,
        3,
    )
    posts = [
        moved(pin("0.5", -2, top), {"move": [*at, 0]}) for at, top in (([0, 0], 2), ([7, 0], 2), ([14, 6], 3))
    ]
    chime = block((15, -5, 2), (16, -3, 3))
    data["shapes"]["frame"] = union(data["shapes"]["frame"], *posts, chime)
    for part, inertia in (("gear", 50), ("clapper", 4)):
        data["parts"][part] = {"shape": {"use": part}, "inertia": inertia}
        data["joints"][part] = {"type": "infer", "between": ["frame", part], "damping": 1}
    data["joints"]["clapper"]["spring"] = {"stiffness": 5, "rest_deg": 60}
    return detent.from_dict(data)


def test_five_elementary_subsystems_in_four_of_one_freedom(clock: Mechanism):
    found = infer(clock)
    assert set(found.elementary) == {"lever", "bwheel", "ewheel", "gear", "clapper"}
    assert {frozenset(names) for names in found.subsystems} == {
        frozenset({"ewheel", "gear"}),
        frozenset({"lever"}),
        frozenset({"bwheel"}),
        frozenset({"clapper"}),
    }
    assert found.mobility == 4
    assert len(found.state_variables) == 8
    assert found.joint("ewheel_gear").ratio == Fraction(-1, 6)


def test_the_lifter_reaches_the_clapper_and_the_pinion_is_no_contact(clock: Mechanism):
    pairs = set(infer(clock).interactions)
    assert ("gear", "clapper") in pairs
    assert ("frame", "clapper") in pairs
    assert ("ewheel", "gear") not in pairs
    assert {("lever", "bwheel"), ("lever", "ewheel"), ("frame", "lever")} <= pairs
    assert not {("bwheel", "clapper"), ("bwheel", "gear")} & pairs
    words = detent.explain(clock).words
    assert "subsystems 4: " in words
    assert "elementary 5: " in words


def test_it_ticks_and_the_slow_gear_follows(clock: Mechanism):
    running = detent.run(clock, until=1.5)
    assert running.states["gear"] == pytest.approx(-running.states["ewheel"] / 6, abs=1e-12)
    assert any(set(event.subjects) == {"ewheel", "lever"} for event in running.events)
