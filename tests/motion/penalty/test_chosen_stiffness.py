"""The stiffness that the method chooses: stiffer only where that keeps parts from sinking into each other."""

from __future__ import annotations

import random

import numpy as np
import pytest

import detent
from detent.motion import Penalty, Rigid

# A pointed tooth slides along a pallet to its point and passes it: how deep the two points are in each other
# then follows from their shape, whatever the stiffness.
POINTS = detent.loads("""
format = "detent/1"
units = "mm"
[parts.frame]
fixed = true
[parts.wheel]
shape = { outline = [[20, -1.5], [30, 0], [20, 1.5]], moves = [{ turn_deg = 144 }] }
inertia = 5e-6
[parts.anchor]
shape.outline = [[-21.175, 18.491], [-33.556, 15.06], [-30.743, 22.336], [-26.544, 23.01]]
inertia = 2e-4
[joints.wheel]
type = "revolute"
between = ["frame", "wheel"]
at = [0, 0]
spring = { stiffness = 5e-4, rest_deg = -5700 }
damping = 2e-5
[joints.anchor]
type = "revolute"
between = ["frame", "anchor"]
at = [0, 51]
spring = { stiffness = 0.02, rest = 0 }
damping = 1e-4
[touching]
friction = 0.1
[start]
anchor = { speed = 1.5 }
wheel = { at_deg = 2 }
""")


def test_points_that_pass_each_other_do_not_make_parts_ever_stiffer():
    evidence = detent.predict(POINTS, method=Penalty(), until=0.021).evidence
    allowed = 1e-3 * evidence.tree.system.size
    assert evidence.deepest > allowed
    for times in (20, 400):
        stiff = Penalty(times * evidence.stiffness, times * evidence.damping)
        assert detent.predict(POINTS, method=stiff, until=0.021).evidence.deepest > 0.7 * evidence.deepest
    assert evidence.choices == 1
    assert "none that was tried keeps overlaps below 0.001 of the size" in evidence.notes[0]


def test_up_to_where_they_pass_the_overlap_is_kept_small():
    evidence = detent.predict(POINTS, method=Penalty(), until=0.015).evidence
    assert 0 < evidence.deepest <= 1e-3 * evidence.tree.system.size
    assert "chosen so that parts overlap little" in evidence.notes[0]


# Machine, time, the joint that tells what it does, how near its turn and its range are to the rigid model's
# [rad, the unit of a slide], and how many steps there may be: for published machines what Gelsey's took.
MACHINES = [
    ("escapement", 37, {"ewheel": 6e-3, "lever": 3e-3, "bwheel": 0.03}, 3942),
    ("missing_tooth", 60, {"ewheel": 6e-3, "lever": 3e-3, "bwheel": 0.03}, 6400),
    ("large_tooth", 40, {"ewheel": 6e-3, "lever": 3e-3, "bwheel": 0.03}, 4300),
    ("double_escapement", 39, {"ewheel": 6e-3, "upper": 0.03, "left": 0.03}, 5073),
    ("ratchet", 20, {"wheel": 4e-3, "pawl": 3e-3}, 594),
    ("ratchet_free", 10, {"wheel": 0.2}, 2000),  # the pawl's hops are not told as near
    ("rotary_to_rocking", 20, {"wheel": 0.02, "arm": 4e-3}, 4000),
    ("crank_engine", 3, {"crank": 1e-3, "frame_piston": 1e-3}, 1000),
    ("chiming_clock", 60, {"ewheel": 6e-3, "gear": 2e-3, "clapper": 0.02}, 8000),
    ("time_bomb", 70, {"ewheel": 6e-3, "lever": 3e-3, "bwheel": 0.03}, 8000),
    ("geneva", 8, {"wheel": 3e-3, "driver": 1e-9}, 8000),
]


@pytest.mark.parametrize(("machine", "until", "near", "steps"), MACHINES, ids=[row[0] for row in MACHINES])
def test_machines_do_what_they_do_by_the_rigid_model(machine, until, near, steps):
    soft, hard = (detent.predict(machine, method=method, until=until) for method in (Penalty(), Rigid()))
    assert soft.trajectory.stop.cause == hard.trajectory.stop.cause == "done"
    assert soft.evidence.deepest <= 1e-3 * soft.evidence.tree.system.size
    assert soft.evidence.steps <= steps
    for joint, tolerance in near.items():
        turns = [run.trajectory.coordinates[joint] for run in (soft, hard)]
        assert turns[0][-1] == pytest.approx(turns[1][-1], abs=tolerance), joint
        assert turns[0].min() == pytest.approx(turns[1].min(), abs=tolerance), joint
        assert turns[0].max() == pytest.approx(turns[1].max(), abs=tolerance), joint


def changed(inertias: dict[str, float], dampings: dict[str, float], units: str = "1") -> detent.Mechanism:
    """The published escapement with other inertias and dampers, by factors; springs as they are."""
    data = detent.load("escapement").to_dict()
    for part, factor in inertias.items():
        data["parts"][part]["inertia"] *= factor
    for joint, factor in dampings.items():
        data["joints"][joint]["damping"] *= factor
    return detent.from_dict({**data, "units": units})


PARTS = ("lever", "bwheel", "ewheel")


@pytest.mark.parametrize("seed", [1, 4, 6, 9])
def test_other_escapements_do_what_they_do_by_the_rigid_model(seed):
    """Inertias up to three times as large or small, dampers up to twice; some tick, some stop at once."""
    chance = random.Random(seed)
    machine = changed(
        {part: 10 ** chance.uniform(-0.5, 0.5) for part in PARTS},
        {part: 10 ** chance.uniform(-0.3, 0.3) for part in PARTS},
    )
    ends = [
        detent.predict(machine, method=method, until=30).trajectory.coordinates["ewheel"][-1]
        for method in (Penalty(), Rigid())
    ]
    assert ends[0] == pytest.approx(ends[1], abs=6e-3)


def test_the_choice_does_not_depend_on_units():
    """Millimetres, a twentieth of the time, a billionth of the inertia: the same steps and turns."""
    faster, lighter = 0.05, 1e-9
    data = changed(dict.fromkeys(PARTS, lighter), dict.fromkeys(PARTS, lighter / faster), "mm").to_dict()
    for part in ("bwheel", "ewheel"):
        data["joints"][part]["spring"]["stiffness"] *= lighter / faster**2
    runs = [
        detent.predict("escapement", method=Penalty(), until=16),
        detent.predict(detent.from_dict(data), method=Penalty(), until=16 * faster),
    ]
    assert runs[1].evidence.steps == pytest.approx(runs[0].evidence.steps, rel=0.02)
    wheels = [run.trajectory.coordinates["ewheel"] for run in runs]
    assert wheels[1] == pytest.approx(wheels[0], abs=1e-3)


def test_two_balance_wheels_stay_in_step():
    balances = detent.predict("double_escapement", method=Penalty(), until=39).trajectory.coordinates
    assert np.abs(balances["upper"] - balances["left"]).max() < 0.01
    assert np.ptp(balances["upper"]) > 4.0


def test_a_rebound_is_never_faster_than_is_said():
    """A drop test: a ball on a slide falls 1 m, at 4.5 m/s, and comes back at stiffness / damping at most."""
    ball = detent.loads("""
format = "detent/1"
gravity = [0, -10]
[parts]
floor = { fixed = true, shape.outline = [[-1, -1], [1, -1], [1, 0], [-1, 0]] }
ball = { shape.circle = 0.1, pose.at = [0, 1.1], mass = 2, center = [0, 0], inertia = 0.01 }
[joints.slide]
type = "prismatic"
between = ["floor", "ball"]
at = [0, 1.1]
along = [0, 1]
""")
    for method, rebounds in ((Penalty(), True), (Penalty(1e6, 1e7), False), (Penalty(1e7, 0.0), False)):
        run = detent.predict(ball, method=method, until=0.9)
        fastest = run.trajectory.speeds["slide"].max()
        bound = run.evidence.stiffness / max(run.evidence.damping, 1e-9)
        assert fastest <= bound * (1 + 1e-6)
        if rebounds:  # of its own choice: nothing that is seen
            assert bound < 0.05
            assert run.trajectory.coordinates["slide"][-1] == pytest.approx(-1.0, abs=2e-3)
    assert fastest == pytest.approx(20**0.5, rel=0.01)  # without damping all of it comes back
    assert "as fast as the blow" in "".join(run.trajectory.notes)
