"""A machine about any axis is the machine about z, seen along its axis: the same joints, contacts, motion."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import detent
from detent.contact import candidate
from detent.foundation import UnsupportedError
from detent.model import Mechanism
from detent.model.machine import place, seen_along_axis
from tests.infer.shapes import block, less, machine, pin, pin_x, union

TURNED: dict[str, dict[str, Any]] = {
    "about x": {"turn_deg": 90, "about": "y"},
    "about a rational direction": {"turn_deg": 25, "about": [1, 2, 2], "at": [5, 6, 7]},
    "about an irrational direction": {"turn_deg": 25, "about": [1, 1, 0]},
}


def turned(mechanism: Mechanism, pose: dict[str, Any]) -> Mechanism:
    for part in mechanism.parts:
        mechanism = mechanism.with_(f"parts.{part}.pose", pose)
    return mechanism


@pytest.mark.parametrize("way", TURNED)
def test_a_turned_crank_moves_as_the_upright_one(way: str):
    crank = detent.load("crank")
    here, there = detent.move(crank), detent.move(turned(crank, TURNED[way]))
    assert there.stop == "done"
    assert any(note.startswith("seen along") for note in there.notes)
    assert not any(note.startswith("seen along") for note in here.notes)
    for part in ("crankshaft", "rod", "piston"):
        one, other = (np.diff(np.unwrap(motion.poses[part][:, 2])) for motion in (here, there))
        assert one == pytest.approx(other, abs=1e-12)
        steps = [np.hypot(*np.diff(motion.poses[part][:, :2], axis=0).T) for motion in (here, there)]
        assert steps[0] == pytest.approx(steps[1], abs=1e-9)
    one, other = detent.explain(crank), detent.explain(turned(crank, TURNED[way]))
    assert one.mobility.actual == other.mobility.actual == 1
    assert [step["step"] for step in one.plan] == [step["step"] for step in other.plan]
    assert "seen       along" in other.words


@pytest.fixture(scope="module")
def upright() -> detent.Running:
    return detent.run("escapement", until=2.5)


@pytest.mark.parametrize("way", ["about x", "about an irrational direction"])
def test_a_turned_escapement_ticks_as_the_upright_one(way: str, upright: detent.Running):
    there = detent.run(turned(detent.load("escapement"), TURNED[way]), until=2.5)
    assert there.steps == upright.steps
    assert [(e.kind, e.subjects, e.after) for e in there.events] == [
        (e.kind, e.subjects, e.after) for e in upright.events
    ]
    for joint, column in upright.states.items():
        assert there.states[joint] == pytest.approx(column, abs=1e-8)
    assert there.scope.assumed[-1].startswith("seen along")


def pendulum(axis: str) -> Mechanism:
    """A bar of 2 kg on a pin, its centre 0.3 m off it; drawn about z, or in place about x."""
    along, about = ([0, 0, 1], [0, "-9.81", 0]) if axis == "z" else ([1, 0, 0], [0, 0, "-9.81"])
    make = pin if axis == "z" else pin_x
    bar = union(block((0, 0, 0), (600, 20, 10))) if axis == "z" else union(block((0, 0, 0), (10, 600, 20)))
    center, principal = [300, 0, 0], ["0.01", "0.01", "0.06"]
    if axis == "x":
        center, principal = [0, 300, 0], ["0.06", "0.01", "0.01"]
    return detent.from_dict(
        {
            "dimension": 3,
            "units": "mm",
            "gravity": about,
            "parts": {
                "post": {"fixed": True, "shape": make(5, -30, -20)},
                "bar": {"shape": bar, "mass": 2, "center": center, "principal": principal},
            },
            "joints": {
                "hinge": {"type": "revolute", "between": ["post", "bar"], "at": [0, 0, 0], "along": along}
            },
        }
    )


def test_masses_and_gravity_are_seen_along_the_axis_too():
    """At rest, level: the bar begins to fall at m g l / (I + m l²)."""
    upright, across = (detent.run(pendulum(axis), until=0.5, every=0.05) for axis in "zx")
    first = -2 * 9.81 * 0.3 / (0.06 + 2 * 0.3**2)
    assert across.states["hinge"][1] == pytest.approx(first * 0.05**2 / 2, rel=1e-2)
    assert across.states["hinge"] == pytest.approx(upright.states["hinge"], abs=1e-9)


def test_parts_whose_frames_lie_on_their_sides():
    """A piston drawn along its own z and posed along x, in a machine about z."""
    plate = less(block((0, -20, -20), (50, 20, 20)), pin_x(10, 0, 50))
    data = machine(frame=plate, piston=pin(10, 0, 60)).to_dict()
    data["parts"]["piston"]["pose"] = {"turn_deg": 90, "about": "y"}
    data["joints"] = {
        "slide": {"type": "prismatic", "between": ["frame", "piston"], "at": [0, 0, 0], "along": [1, 0, 0]}
    }
    data["drives"] = {"slide": {"joint": "slide", "from": 0, "to": 30, "steps": 3}}
    motion = detent.move(detent.from_dict(data))
    assert motion.poses["piston"][:, 0] == pytest.approx([0, 10, 20, 30])
    assert motion.notes == ()


@pytest.mark.parametrize("along", [[1, 1, 0], [3, 4, 0], [2, -1, 0], [1, 2, 3]])
def test_a_slide_in_any_direction(along: list[int]):
    data = machine(frame=block((-50, -50, -5), (50, 50, 0)), car=block((0, 0, 0), (5, 5, 5))).to_dict()
    data["joints"] = {
        "slide": {"type": "prismatic", "between": ["frame", "car"], "at": [0, 0, 0], "along": along}
    }
    data["drives"] = {"slide": {"joint": "slide", "from": 0, "to": 30, "steps": 3}}
    motion = detent.move(detent.from_dict(data))
    assert np.hypot(*motion.poses["car"][:, :2].T) == pytest.approx([0, 10, 20, 30])
    if along[2] == 0:
        assert motion.poses["car"][-1, :2] == pytest.approx(30 * np.array(along[:2]) / np.hypot(*along[:2]))


def test_a_machine_without_a_shared_axis_is_refused_by_name():
    plate = less(block((-30, -30, 0), (30, 30, 10)), pin(5, 0, 10))
    wheel, arm = union(pin(5, 0, 10), block((-20, -4, 10), (20, 4, 20))), block((20, -4, 10), (40, 4, 20))
    data = machine(frame=plate, wheel=wheel, arm=arm).to_dict()
    data["joints"] = {
        "turn": {"type": "revolute", "between": ["frame", "wheel"], "at": [0, 0, 0]},
        "tilt": {"type": "revolute", "between": ["wheel", "arm"], "at": [20, 0, 15], "along": [0, 1, 0]},
    }
    data["drives"] = {"turn": {"joint": "turn", "from_deg": 0, "to_deg": 90, "steps": 3}}
    document = detent.from_dict(data)
    with pytest.raises(UnsupportedError, match="arm turns about y, and turn turns about z") as refused:
        detent.move(document)
    assert refused.value.problem.at == "joints.tilt"


def test_a_part_that_does_not_lie_in_layers_is_named():
    plate = less(block((-30, -30, 0), (30, 30, 10)), pin(5, 0, 10))
    ball = union(pin(5, 0, 20), {"sphere": 12, "moves": [{"move": [0, 0, 30]}]})
    data = machine(frame=plate, knob=ball).to_dict()
    data["parts"]["knob"] |= {"inertia": 1}
    data["joints"] = {"turn": {"type": "revolute", "between": ["frame", "knob"], "at": [0, 0, 0]}}
    with pytest.raises(UnsupportedError, match="a sphere does not have the same section") as refused:
        detent.run(detent.from_dict(data), until=1)
    assert refused.value.problem.at.startswith("parts.knob.shape")


def test_the_view_is_exact():
    """Every part keeps its place, and a rotation is written as moves without rounding."""
    crank = detent.infer.resolved(turned(detent.load("crank"), TURNED["about a rational direction"]))
    seen = seen_along_axis(crank)
    assert all(place(seen).frame(part).upright for part in seen.parts)
    axes = {joint.axis_in_world for joint in place(seen).joints.values() if joint.joint.type == "revolute"}
    assert all(axis[:2] == (0, 0) for axis in axes)
    assert seen_along_axis(seen) is seen


def test_without_envelopes_every_answer_is_the_same(monkeypatch: pytest.MonkeyPatch, upright: detent.Running):
    """Rings leave out pairs of features that can never touch, and nothing else."""
    counted = len(upright.run.evidence.possible)
    whole = candidate._rings

    def unbounded(*args: Any) -> Any:
        return np.tile([0.0, np.inf], (len(whole(*args)), 1))

    monkeypatch.setattr(candidate, "_rings", unbounded)
    free = detent.run("escapement", until=2.5)
    assert len(free.run.evidence.possible) > 1.3 * counted
    assert [(e.kind, e.time, e.after) for e in free.events] == [
        (e.kind, e.time, e.after) for e in upright.events
    ]
    for joint, column in upright.states.items():
        assert np.array_equal(free.states[joint], column)
