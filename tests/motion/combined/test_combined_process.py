"""A rectangular bolt and a bolt with an O-ring on one robot: Meitinger & Pfeiffer, section 7.

An integration of its own is the oracle: SciPy, the ring's closed form, a stiff one-sided spring for the rigid
contact. What was seen stands in the paper and, with the same chosen data, in an independent program: peaks
about 217 N, a larger overshoot at position 1, a stronger impact at position 2.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import detent
from detent.motion import Combined, Compliant, Rigid, method_of
from detent.motion.combined import combine
from detent.motion.compliant.led import energy_of
from tests.motion.combined.tasks import before_a_floor, beside_a_hole
from tests.motion.led.test_against_own_equations import own_run


@pytest.fixture(scope="module")
def positions() -> Any:
    return detent.better_position(
        detent.load("robot_combined_far"), {"near": detent.load("robot_combined_near")}
    )


def test_the_position_near_the_base_is_better_as_the_paper_has_it(positions: Any) -> None:
    far, near = positions.positions
    assert positions.better == "near"
    assert [far.answer, near.answer] == ["yes", "yes"]
    assert far.peak_push == pytest.approx(near.peak_push, rel=0.15)
    assert (far.peak_push, near.peak_push) == pytest.approx((217, 217), abs=2)
    assert far.dip_entering < 1.2 * near.dip_entering < 0
    assert far.overshoot_entering > 1.5 * near.overshoot_entering
    for each in (far, near):
        assert 0 < each.overshoot_leaving < each.overshoot_entering
    assert near.impact < far.impact < 0  # the arm is stiffer there
    assert "impact" in positions.words


def test_the_chamfer_meets_the_hole_when_the_drawing_says() -> None:
    """After 15.0 mm: 13.2 above the face and 1.8 of a chamfer of 2, 0.4 mm beside a play of 0.2."""
    mating = detent.mate(detent.load("robot_combined_near").with_("ask.mate.until", 0.45))
    (leg,) = mating.legs
    first = leg.impacts[0]
    assert leg.events[0].travel == pytest.approx(15.0, abs=0.01)  # the gripper leads a little
    assert 0.33 < first.time < 0.38
    assert first.change == pytest.approx(first.after - first.before)
    assert first.impulse[0] < 0  # up, against the insertion
    series = mating.columns()
    assert series["push [N]"] == pytest.approx(series["push_giving_way [N]"] + series["push_rigid [N]"])
    # Impulses are in the means, nothing is counted twice: over time both are the momentum.
    time, rigid = series["time [s]"], series["push_rigid [N]"]
    run = mating.run.evidence.rigid.steps
    whole = -run.totals[:, :3].sum(axis=0) @ mating.run.evidence.plan.legs[0].direction
    assert np.trapezoid(rigid, time) == pytest.approx(whole, rel=0.02)


def test_energy_balances_through_ring_and_impacts() -> None:
    run = combine(detent.load("robot_combined_near"), until=1.0)
    account = energy_of(run)
    assert account.mating[-1] > 1.5
    assert np.abs(account.unbalanced).max() < 1e-4 * account.mating[-1]
    assert run.rigid.steps.totals[:, 7].min() > -1e-7


def test_the_ring_alone_is_stepped_as_by_the_compliant_method() -> None:
    """The bolt far from its hole's walls: two methods, one motion."""
    machine = beside_a_hole(30.0)
    both = detent.predict(machine, method=Combined()).evidence
    alone = detent.predict(machine, method=Compliant()).evidence
    times = np.linspace(0.0, 1.0, 400)
    (q, v, _), (p, w, _) = both.steps.at(times), alone.steps.at(times)
    assert np.abs(v - w).max() < 2e-3 * np.abs(w).max()
    assert np.abs(q - p).max() < 2e-4 * np.abs(p).max()
    changes = [
        [t for k, t in enumerate(run.steps.times[1:]) if run.steps.contacts[k] != run.steps.contacts[k + 1]]
        for run in (both, alone)
    ]
    assert changes[0] == pytest.approx(changes[1], abs=2e-4)


def test_a_stiff_floor_comes_to_the_rigid_one() -> None:
    """It is met while the ring is in its bore; the floor's spring and damper do not pull."""
    run = combine(before_a_floor(30.0), until=1.0)
    first = run.impacts[0]
    assert 0.5 < first.time < 0.9
    times = np.linspace(0.02, 0.99, 400)
    q, v, _ = run.steps.at(times)
    for stiffness in (1e7, 1e9):
        way, speed = own_run(times, 30e-3, stiffness)
        settled = np.abs(times - first.time) > 20 * np.sqrt(5 / stiffness)
        pressed = 60_000 * 0.025 / stiffness  # by the springs, at the end
        assert np.abs(q[:, 2] - way)[settled].max() < 1.2 * pressed + 2e-6
        assert np.abs(v[:, 2] - speed)[settled].max() < 20 * pressed + 3e-4
    assert run.steps.coordinates[-1, 2] == pytest.approx(30e-3, abs=1e-7)
    rigid = run.history(np.array([0.98]))
    assert rigid.touching is not None
    way, speed = run.system.course.asked(0.98)
    push = 60_000 * (way[0, 2] - 30e-3) + 500 * speed[0, 2] + rigid.laws[0, 2]
    assert -rigid.touching[0, 2] == pytest.approx(push, rel=1e-6)


def test_which_method_follows_what() -> None:
    both = detent.load("robot_combined_near")
    assert isinstance(method_of(both.with_("ask.mate.method", None), "mate"), Combined)
    assert isinstance(method_of(detent.load("robot_oring_near"), "mate"), Compliant)
    left_out = detent.mate(both, method=Compliant()).scope.left_out
    assert any("rigid" in each for each in left_out)
    with pytest.raises(detent.UnsupportedError, match="combined"):
        detent.mate(both, method=Rigid())
    with pytest.raises(detent.UnsupportedError, match="flat faces"):
        detent.mate(detent.load("robot_oring_near"), method=Combined())
