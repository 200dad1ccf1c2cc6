"""Where two contact models first differ: on runs whose touches and coordinates are known."""

from __future__ import annotations

import math

import numpy as np
import pytest

import detent
from detent.judge import compare_models, touches
from detent.motion import Penalty
from detent.record import Event, Running


def weight(**touching: float) -> detent.Mechanism:
    """A weight on a slide, half a metre above a post."""
    return detent.from_dict(
        {
            "units": "m",
            "gravity": [0, -9.81],
            "parts": {
                "frame": {
                    "fixed": True,
                    "shape": {"outline": [[-0.1, -0.2], [0.1, -0.2], [0.1, 0], [-0.1, 0]]},
                    "markers": {"slide": {"at": [0, 0.5], "along": [0, 1]}},
                },
                "weight": {
                    "shape": {"outline": [[0, 0.5], [0.2, 0.8], [-0.2, 0.8]]},
                    "mass": 2,
                    "center": [0, 0.7],
                    "inertia": 0.1,
                    "markers": {"slide": {"at": [0, 0.5], "along": [0, 1]}},
                },
            },
            "joints": {"slide": {"type": "prismatic", "between": ["frame.slide", "weight.slide"]}},
            "touching": touching,
        }
    )


def test_a_soft_post_is_found_where_the_weight_has_sunk_by_the_tolerance():
    """On k = 400 N/m it goes 0.05 m and more below the post, 2 % of its way is 0.011 to 0.013 m."""
    compared = compare_models(weight(), until=0.6, penalty=Penalty(stiffness=400.0, damping=0.0))
    apart = compared.states_apart["slide"]
    lands = (2 * 0.5 / 9.81) ** 0.5
    assert compared.alike == 1
    assert lands < apart.time < lands + 0.02
    assert apart.rigid == pytest.approx(-0.5, abs=1e-6)
    assert 0.02 * 0.5 < apart.rigid - apart.penalty < 0.03 * 0.8
    assert compared.columns()["rigid slide [m]"].shape == compared.columns()["time [s]"].shape


def test_what_stands_still_in_both_models_is_not_apart():
    """A block that falls straight onto a floor neither goes aside nor turns, but for rounding."""
    floor = {"fixed": True, "shape": {"outline": [[-200, -20], [300, -20], [300, 0], [-200, 0]]}}
    block = {
        "shape": {"outline": [[0, 1], [40, 1], [40, 21], [0, 21]]},
        "mass": 0.2,
        "center": [20, 11],
        "inertia": 3.3e-5,
    }
    data = {"units": "mm", "gravity": [0, -9.81], "parts": {"floor": floor, "block": block}}
    compared = compare_models(detent.from_dict(data), until=0.1)
    assert set(compared.states_apart) == {"block.y"}
    assert "not block.x, block.angle" in compared.words


def test_a_rebound_that_one_model_does_not_have_is_another_touch():
    """Rigid, it stays where it lands; a post without damping throws it back to where it came from."""
    compared = compare_models(weight(), until=1.0, penalty=Penalty(stiffness=1e6, damping=0.0))
    lands, on_post = (2 * 0.5 / 9.81) ** 0.5, math.pi * (2 / 1e6) ** 0.5
    assert compared.alike == 1
    assert compared.touch_apart is not None
    none, again = compared.touch_apart
    assert none is None
    assert again is not None
    assert again.time == pytest.approx(3 * lands + on_post, abs=1e-3)
    assert again.parts == ("frame", "weight")
    assert "rigid none" in compared.words


def test_rebounds_of_rigid_parts_are_touches():
    """Half the speed comes back: after landing it is away for as long as it fell."""
    ran = detent.run(weight(restitution=0.5), until=0.9)
    lands = (2 * 0.5 / 9.81) ** 0.5
    times = [each.time for each in touches(ran, 0.9, 0.01)]
    assert times == pytest.approx([lands, 2 * lands, 2.5 * lands, 2.75 * lands], rel=1e-6)


def running(*events: Event) -> Running:
    return Running(times=np.zeros(1), states={}, velocities={}, events=events)


def touch(time: float, contact: str, kind: str = "contact") -> Event:
    named = {"before" if kind == "release" else "after": (contact,)}
    return Event(time=time, kind=kind, subjects=("b", "a"), **named)  # type: ignore[arg-type]


def test_a_pair_touches_once_while_any_of_its_contacts_lasts():
    told = running(
        touch(1, "a/v:b/e"), touch(2, "a/w:b/e"), touch(3, "a/v:b/e", "release"), touch(4, "a/v:b/e")
    )
    assert [each.time for each in touches(told, 10.0, 0.5)] == [1]


@pytest.mark.parametrize(("soon", "count"), [(0.9, 2), (1.1, 1)])
def test_touches_that_follow_each_other_soon_count_as_one(soon, count):
    told = running(touch(1, "a/v:b/e"), touch(3, "a/v:b/e", "release"), touch(4, "a/v:b/e"))
    assert len(touches(told, 10.0, soon)) == count
