"""Which documents are matings of parts that give way, and the legs of their plan in SI."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import detent
from detent.library import StraightPath
from detent.motion import Compliant, Quasistatic, method_of
from detent.motion.leading import plan_of
from tests.motion.compliant.rings import document


def pushed(*legs: dict[str, Any], **drive: Any) -> Any:
    machine = document(legs=[{"velocity": [0, 0, 1], "distance": 1}]).to_dict()
    machine["drives"]["push"] |= {"legs": list(legs)} | drive
    return detent.from_dict(machine)


@pytest.mark.parametrize("name", [None, "quasistatic", "compliant"])
def test_what_gives_way_is_followed_whichever_of_its_methods_a_document_names(name):
    asked = document().with_("ask.mate", {} if name is None else {"method": name})
    assert method_of(asked, "mate") == Compliant()
    assert detent.predict(asked).trajectory.method == "compliant"
    assert method_of(detent.load("snap_hook"), "mate") == Compliant()


def test_pawls_on_hinges_stay_exact_and_other_methods_are_refused():
    assert method_of(detent.load("snap_t"), "mate") == Quasistatic()
    with pytest.raises(detent.UnsupportedError, match="mating is decided by the compliant method"):
        detent.mate(document().with_("ask.mate", {"method": "penalty"}))
    with pytest.raises(detent.UnsupportedError, match="by the quasistatic method, not by 'compliant'"):
        detent.mate(detent.load("snap_t").with_("ask.mate", {"method": "compliant"}))
    with pytest.raises(detent.UnsupportedError, match="neither an O-ring nor a hook"):
        detent.mate("snap_t", method=Compliant())


@pytest.mark.parametrize(("distance", "ramp"), [(20, 4), (0.5, 4), (1, 4), (20, None)])
def test_a_leg_takes_the_time_of_its_trapezoid(distance, ramp):
    """The path of the robots, which gives the way at a time, undoes the time at a way."""
    leg = {"velocity": [0, 0, 2], "distance": distance} | ({} if ramp is None else {"ramp": ramp})
    (straight,) = plan_of(pushed(leg)).legs
    ways = np.linspace(0, 1e-3 * distance, 101)
    path = StraightPath((0, 0, 1), 1e-3 * distance, 2e-3, 1e9 if ramp is None else 1e-3 * ramp)
    assert path.at(straight.time_at(ways))[0] == pytest.approx(ways, abs=1e-9)
    assert straight.duration == pytest.approx(path.duration, rel=1e-6)


@pytest.mark.parametrize(("lasts", "length"), [(10, 2 * (10 - 0.5)), (0.5, 4 * 0.25**2)])
def test_a_leg_that_lasts_a_time_goes_as_far_as_its_ramps_let_it(lasts, length):
    (leg,) = plan_of(pushed({"velocity": [0, 0, 2], "for": lasts, "ramp": 4})).legs
    assert leg.length == pytest.approx(1e-3 * length)
    assert leg.duration == pytest.approx(lasts)


def test_legs_follow_each_other_and_a_leg_back_retraces_the_one_before():
    plan = plan_of(pushed({"velocity": [0, 0, 2], "distance": 20}, {"back": True}))
    there, back = plan.legs
    assert back.start == there.duration == 10
    assert back.displacement(back.length)[0] == pytest.approx(np.zeros(3))
    assert plan.travel(back, np.array([0, 5e-3])) == pytest.approx([20e-3, 15e-3])


def test_a_marker_gives_the_legs_its_own_axes():
    machine = pushed({"velocity": [0, 0, 1], "distance": 20}).to_dict()
    machine["parts"]["ring"]["markers"] = {"nose": {"at": [0, 0, 0], "along": [0, 1, 0]}}
    machine["drives"]["push"] = {"marker": "ring.nose", "legs": machine["drives"]["push"]["legs"]}
    plan = plan_of(detent.from_dict(machine))
    assert plan.part == "ring"
    assert plan.legs[0].direction == pytest.approx([0, 1, 0])


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda d: d["drives"].pop("push"), "no drive pushes a part"),
        (
            lambda d: d.update(joints={"j": {"type": "fixed", "between": ["ring", "bore"], "at": [0, 0, 0]}}),
            "what is pushed stands still",
        ),
        (lambda d: d["drives"].update(more=d["drives"]["push"]), "'push' does already"),
        (lambda d: d["drives"]["push"].update(legs=[{"velocity": [0, 0, 1], "for": 0}]), "above zero"),
        (
            lambda d: d["parts"].update(other={"library": "oring", "set": d["parts"]["ring"]["set"]}),
            "neither",
        ),
    ],
)
def test_a_plan_that_cannot_be_is_refused(change, words):
    machine = document().to_dict()
    change(machine)
    with pytest.raises((detent.ModelError, detent.UnsupportedError), match=words):
        detent.mate(detent.from_dict(machine), method=Compliant())
