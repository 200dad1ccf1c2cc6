"""Contacts of a pattern: who pushes whom, with what energy; beside energies of parts, taken from the run."""

from __future__ import annotations

import numpy as np
import pytest

import detent
from tests.judge.outlook.full_runs import full_run, outlook

# Inertia, damping, stiffness and rest [rad] of each joint of the published escapement.
PARTS = {
    "lever": (10.0, 5.0, 0.0, 0.0),
    "bwheel": (20.0, 6.0, 15.0, np.radians(90.0)),
    "ewheel": (200.0, 20.0, 20.0, np.radians(-10000.0)),
}


def got(contacts, part):
    """What a part gets of all contacts of a pattern."""
    given = sum(touch.given for touch in contacts if touch.pushed == part)
    return given - sum(touch.given + touch.lost for touch in contacts if touch.pusher == part)


@pytest.mark.parametrize("part", PARTS)
def test_what_a_part_gets_is_what_it_stores_and_damps(part):
    """By sums over the run: kinetic energy, that of its spring, and damping times the square of its speed."""
    pattern, life = outlook("escapement").pattern, full_run("escapement", 2300.0)
    begin = life.times[7]
    times = np.linspace(begin, begin + pattern.duration, 200_001)
    columns = life.evidence.along.at(times)
    inertia, damping, stiffness, rest = PARTS[part]
    at, speed = columns.coordinates[part], columns.speeds[part]
    energy = 0.5 * inertia * speed**2 + 0.5 * stiffness * (at - rest) ** 2
    damped = damping * np.trapezoid(speed**2, times)
    scale = outlook("escapement").pattern.energy.lost
    assert got(pattern.contacts, part) == pytest.approx(energy[-1] - energy[0] + damped, abs=1e-5 * scale)


@pytest.mark.parametrize(
    "name", ["escapement", "missing_tooth", "rotary_to_rocking", "geneva", "chiming_clock"]
)
def test_energies_of_a_pattern_balance(name):
    energy = outlook(name).pattern.energy
    assert abs(energy.elsewhere) <= 1e-5 * max(abs(energy.stored), abs(energy.driven))


def test_what_contacts_lose_is_what_blows_take_without_friction():
    pattern, life = outlook("escapement").pattern, full_run("escapement", 2300.0)
    begin, end = life.times[7], life.times[9]
    lost = np.diff(life.evidence.in_impacts(np.array([begin, end]))[0])[0]
    assert sum(touch.lost for touch in pattern.contacts) == pytest.approx(lost, rel=1e-6)


def test_the_balance_pushes_the_lever_out_of_its_lock_and_is_pushed_on_by_the_wheel():
    """Twice a pattern: it unlocks, then the wheel gives more by the lever than it took."""
    contacts = outlook("escapement").pattern.contacts
    unlocks = [touch for touch in contacts if (touch.pusher, touch.pushed) == ("bwheel", "lever")]
    drives = [touch for touch in contacts if (touch.pusher, touch.pushed) == ("lever", "bwheel")]
    assert len(unlocks) == 2
    assert sum(touch.given for touch in drives) > 5 * sum(touch.given for touch in unlocks)
    assert any("pushes" in line and "bwheel" in line for line in outlook("escapement").words.splitlines())


def test_friction_at_contacts_is_lost_there():
    mechanism = detent.load("escapement").with_("touching.friction", 0.02)
    energy = detent.outlook(mechanism, patterns=8).pattern.energy
    assert energy.lost > 0
    assert abs(energy.elsewhere) <= 1e-5 * abs(energy.stored)


RUBBING_WHEEL = """
format = "detent/1"
units = "mm"
gravity = [0, -9.81]
[parts.frame]
fixed = true
[parts.wheel]
mass = 2
center = [0, 0]
inertia = 1e-2
shape.circle = 60
[joints.axle]
type = "revolute"
between = ["frame", "wheel"]
at = [0, 0]
friction = { coefficient = 0.05, radius = 4 }
[start]
axle = { speed = 100 }
"""


def test_friction_in_a_joint_is_an_entry_of_its_own():
    """Its weight times coefficient and radius, over a turn."""
    answer = detent.outlook(detent.loads(RUBBING_WHEEL))
    energy = answer.pattern.energy
    assert energy.rubbed == pytest.approx(0.05 * 0.004 * 2 * 9.81 * 2 * np.pi, rel=1e-5)
    assert abs(energy.elsewhere) <= 1e-6 * energy.rubbed
    assert "by friction in joints" in answer.words
    assert "by friction in joints" not in outlook("escapement").words


def test_what_joints_rub_off_in_blows_is_theirs():
    """A pin that rubs takes its part of each blow: what is stored, damped and lost leaves just that."""
    rubbing = detent.load("escapement")
    for joint in ("lever", "bwheel", "ewheel"):
        rubbing = rubbing.with_(f"joints.{joint}.friction", {"coefficient": 0.1, "radius": 0.1})
    energy = detent.outlook(rubbing, patterns=8).pattern.energy
    assert energy.rubbed > 2.0
    assert abs(energy.elsewhere) <= 1e-6 * abs(energy.stored)


SLED = """
format = "detent/1"
units = "mm"
gravity = [0, -9.81]
parts.frame.fixed = true
parts.arm = { mass = 0.5, center = [0, 0], inertia = 2e-3 }
parts.sled = { mass = 0.3, center = [0, 0], inertia = 1e-4 }
joints.axle = { type = "revolute", between = ["frame", "arm"], at = [0, 0] }
drives.motor = { joint = "axle", speed_deg = 720 }

[joints.guide]
type = "prismatic"
between = ["arm", "sled"]
at = [0, 0]
along = [1, 0]
damping = 0.2
limits = { min = -20, max = 20 }
"""


def test_a_blow_at_a_limit_takes_the_energy_with_which_the_part_arrives():
    """A sled falls from stop to stop of an arm that turns: half its mass times the square of its speed."""
    answer = detent.outlook(detent.loads(SLED))
    energy = answer.pattern.energy
    life = detent.predict(detent.loads(SLED), method=detent.Rigid(accuracy=1e-7), until=2.0)
    blows = [event.time for event in life.trajectory.events if event.kind == "limit"][-2:]
    before = life.evidence.along.at(np.array(blows) - 1e-7).speeds["guide"] / 1000
    assert energy.stopped == pytest.approx(0.5 * 0.3 * (before**2).sum(), rel=1e-5)
    assert abs(energy.elsewhere) <= 1e-6 * energy.driven
    assert "in blows at limits" in answer.words
    assert "in blows at limits" not in outlook("escapement").words
