"""Forces of the published escapement: who drives whom, and what its contacts went through by both models."""

from __future__ import annotations

import numpy as np
import pytest

import detent
from detent.motion import Penalty

UNTIL = 12.0


@pytest.fixture(scope="module")
def rigid():
    return detent.run("escapement", until=UNTIL, every=0.01)


def test_while_the_wheel_drives_lever_and_balance_it_turns_them_as_published(rigid):
    """Gelsey 1995, Fig. 10: the balance's net torque is positive, the lever's and the wheel's negative."""
    forces, speeds = rigid.forces, rigid.velocities
    by_wheel = sum(column for name, column in forces.items() if "lever/" in name and "ewheel/" in name)
    by_lever = sum(column for name, column in forces.items() if "lever/" in name and "bwheel/" in name)
    drives = (by_wheel > 0) & (by_lever > 0) & (speeds["bwheel"] > 0) & (speeds["ewheel"] < 0)
    drives &= speeds["lever"] < 0
    assert drives.sum() > 5
    assert (rigid.torques["bwheel"][drives] > 0).all()
    assert (rigid.torques["lever"][drives] < 0).all()
    assert (rigid.torques["ewheel"][drives] < 0).all()


def test_net_torques_are_inertias_times_how_speeds_change(rigid):
    """By differences of speeds at rows between which nothing happens."""
    times = rigid.times
    events = np.array([event.time for event in rigid.events])
    quiet = np.array(
        [not ((events > a) & (events < b)).any() for a, b in zip(times, times[2:], strict=False)]
    )
    for joint, inertia in (("lever", 10), ("bwheel", 20), ("ewheel", 200)):
        rate = (rigid.velocities[joint][2:] - rigid.velocities[joint][:-2]) / (times[2:] - times[:-2])
        torque = rigid.torques[joint][1:-1]
        error = np.abs(inertia * rate - torque)[quiet]
        assert np.median(error) < 1e-6 * np.abs(torque).max()
        assert np.percentile(error, 90) < 1e-2 * np.abs(torque).max()


def test_both_models_pass_the_same_momentum_through_each_contact(rigid):
    """Blows and pushes of the rigid model add up to what the penalty's forces come to over time."""
    soft = detent.run("escapement", until=UNTIL, method=Penalty(stiffness=1e6, damping=1e7))
    total = {total.contact: total for total in soft.contacts}
    strong = [each for each in rigid.contacts if each.impulse > 100]
    assert len(strong) >= 5
    for each in strong:
        near = 0.02 if each.impulse > 1000 else 0.08  # an implicit step may pass over a blow
        assert total[each.contact].impulse == pytest.approx(each.impulse, rel=near)
        assert total[each.contact].sliding == pytest.approx(each.sliding, abs=0.02)
        assert total[each.contact].peak_force > each.peak_force, "a blow is a great force there"


def test_a_peak_is_found_between_rows():
    """However few rows are asked for."""
    few = detent.run("escapement", until=3, times=[3.0])
    many = detent.run("escapement", until=3, every=0.001)
    peaks = {total.contact: total.peak_force for total in few.contacts}
    for total in many.contacts:
        assert peaks[total.contact] == total.peak_force
        assert many.forces[total.contact].max(initial=0.0) <= total.peak_force * 1.02 + 1e-9


def test_every_part_is_in_balance_with_its_forces(rigid):
    """Its torque is what spring, damper and contacts put on it: the joint's moment, and arms times forces."""
    loads = rigid.run.evidence.loads(rigid.times)
    moving = loads.moving
    names = [body.name for body in moving.tree.system.bodies]
    for joint in ("lever", "bwheel", "ewheel"):
        body = names.index(joint)
        total = rigid.reactions[joint][:, 2].copy()
        for load in loads.contacts:
            if body in load.bodies:
                sign = 1 if load.bodies[1] == body else -1
                arms = load.points - moving.pivot(body)
                total += sign * (arms[:, 0] * load.forces[:, 1] - arms[:, 1] * load.forces[:, 0])
        assert total == pytest.approx(rigid.torques[joint], abs=1e-6 * np.abs(total).max())
