"""A block led against a plate: closed forms of forces, friction's threshold, impacts, no overlap."""

import numpy as np
import pytest

import detent
from detent.motion import Rigid
from tests.motion.rigid.mating import block_over_plate


def steps_of(**given):
    return detent.predict(block_over_plate(**given), method=Rigid()).evidence.steps


def forces(steps):
    """(k, 3) mean force of each step on the block [N]."""
    return (steps.totals[:-1, :3] - steps.totals[:-1, 3:6]) / steps.lasted[:, None]


def test_a_block_pressed_flat_shares_the_push_of_its_spring():
    steps = steps_of(distance=10)  # the plate is 1 mm away: 9 mm of 30 N/mm are left
    np.testing.assert_allclose(forces(steps)[-1], [-270, 0, 0], atol=1e-6)
    corners = steps.impulses[-2, :4, 0] / steps.lasted[-1]
    np.testing.assert_allclose(corners, 67.5, atol=0.02)
    assert steps.counts[-1] == 4


@pytest.mark.parametrize(("share", "slides"), [(0.98, False), (1.02, True)])
def test_a_block_led_aslant_sticks_up_to_its_friction(share, slides):
    # Once it touches, the spring is drawn along the leg: sideways over down is the leg's slope.
    stiff = {"stiffness": (3e4,) * 3 + (2e7,) * 3, "damping": (60,) * 3 + (400,) * 3}  # it does not tilt
    steps = steps_of(velocity=(20, 20 * 0.2 * share, 0), friction=0.2, distance=8, **stiff)
    way = steps.states[-1, 1] - steps.at(0.15)[0][0, 1]  # its impact, at 0.09 s, lets it slide a little
    assert (way > 1e-5) == slides
    assert slides or abs(way) < 1e-8
    force = forces(steps)[-1]
    assert abs(force[1]) <= 0.2 * abs(force[0]) * (1 + 1e-9)


def test_an_impact_rebounds_by_restitution_and_takes_the_momentum():
    steps = steps_of(restitution=0.5, damping=(0.01,) * 6)
    first = int(np.flatnonzero(steps.blows[:, :, 0].sum(axis=1) > 0)[0])
    before, after = steps.closing[first, 0], steps.speeds[first, 0]
    assert before > 0.01
    assert after == pytest.approx(-0.5 * before, rel=1e-6)
    assert steps.totals[first, 3] == pytest.approx(-2 * 1.5 * before, rel=1e-6)  # of 2 kg


def test_no_step_overlaps_and_no_contact_pulls():
    steps = steps_of(hole=(20.4, 20.6), at=(1.0, 0.7), chamfer=2, distance=25, restitution=0.3)
    assert steps.totals[:, 7].min() > -1e-8  # [m]: a tenth of what is asked
    assert (steps.impulses[:, :, 0] >= -1e-12).all()
    across = np.linalg.norm(steps.impulses[:, :, 1:], axis=2) ** 2 - steps.impulses[:, :, 0] ** 2
    assert (np.sqrt(np.clip(across, 0, None)) <= 0.2 * steps.impulses[:, :, 0] * (1 + 1e-6) + 1e-9).all()
    deep = steps.states[-1, 0]
    assert deep > 0.024  # it went in


def test_steps_of_another_length_tell_the_same():
    machine = block_over_plate(hole=(20.4, 20.6), at=(1.0, 0.0), chamfer=2, distance=25)
    coarse = detent.predict(machine, method=Rigid()).evidence.steps
    halved = detent.predict(machine.with_("ask.mate.step", 0.00025), method=Rigid()).evidence.steps
    np.testing.assert_allclose(coarse.at([0.4, 1.2])[0], halved.at([0.4, 1.2])[0], atol=6e-7)
    np.testing.assert_allclose(
        coarse.totals[:, :3].sum(axis=0), halved.totals[:, :3].sum(axis=0), rtol=5e-4, atol=1e-4
    )


def test_forces_on_a_plateau_have_no_noise():
    steps = steps_of(
        hole=(20.4, 20.6), at=(1.0, 0.0), chamfer=2, distance=25, stiffness=(3e4,) * 3 + (2e7,) * 3
    )
    late = (steps.times[:-1] > 0.9) & (steps.times[:-1] < 1.0)
    force = forces(steps)[late]
    assert abs(force[:, 1]).min() > 10
    assert np.abs(np.diff(force, 2, axis=0)).max() < 1e-6  # [N], of some 25
