"""Where the energy of a rigid mating went, and what it asks of motors: balance, work of friction, limits."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import detent
from detent.motion.rigid.mating import RigidMatingRun, energy_of_mating
from detent.record import RigidMating


@cache
def mated(name: str, motor_2: float | None = None) -> RigidMating:
    mechanism = detent.load(name)
    if motor_2 is not None:
        mechanism = mechanism.with_("parts.robot.set.torque_limit", [1e4, motor_2, 1e4, 1e4, 1e4, 1e4])
    mating = detent.mate(mechanism)
    assert isinstance(mating, RigidMating)
    return mating


@pytest.mark.parametrize("name", ["rect_peg_carrier", "rect_peg_puma"])
def test_what_came_in_is_stored_or_was_taken(name: str) -> None:
    energy = mated(name).energy
    assert energy.unbalanced < 1e-4 * energy.input
    taken = energy.stored + energy.dissipated + energy.mating
    assert taken == pytest.approx(energy.input, abs=energy.unbalanced * (1 + 1e-9))
    assert 0 < energy.impacts < 0.02 * energy.mating


def test_on_the_plateau_contacts_take_the_force_times_the_way() -> None:
    mating = mated("rect_peg_carrier")
    run = mating.run.evidence
    assert isinstance(run, RigidMatingRun)
    account = energy_of_mating(run)
    columns = mating.columns()
    times = [
        float(np.interp(depth, columns["depth [mm]"][:-50], columns["time [s]"][:-50])) for depth in (21, 29)
    ]
    first, last = np.interp(times, account.times, account.mating)
    plateau = mating.legs[0].force.plateau
    assert plateau is not None
    assert last - first == pytest.approx(-plateau[0] * 8e-3, rel=2e-3)


def test_a_motor_is_told_to_pass_its_limit_from_just_below_what_it_is_asked_for() -> None:
    largest = mated("rect_peg_puma").largest_torques["motor 2"]
    assert mated("rect_peg_puma").passed_limits == ()
    assert mated("rect_peg_puma", 1.001 * largest).passed_limits == ()
    (passed,) = mated("rect_peg_puma", 0.999 * largest).passed_limits
    assert passed.motor == "motor 2"
    assert passed.largest == largest
    second = mated("rect_peg_puma").legs[0].second_contact.time
    assert second is not None
    assert passed.first > second  # it jams: the drive pushes on
    assert "motor 2" in mated("rect_peg_puma", 0.999 * largest).words
