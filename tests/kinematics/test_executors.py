"""The stepper, the blocked sweep and the frame-by-frame sweep give the same frames, at both speeds."""

from __future__ import annotations

import numpy as np
import pytest

from detent.kinematics import make_plan
from detent.kinematics.equations import closed_pose
from detent.kinematics.execution import ALL_CLOSED, Stepper, Sweeper, sweep
from detent.kinematics.paths import drive_path_of
from detent.library import linkages, mechedit
from detent.model.machine import plane_linkage_of


def planned(mechanism):
    system = plane_linkage_of(mechanism)
    course = drive_path_of(mechanism, system)
    return make_plan(system, closed_pose(system), course.inputs), course


CLOSED = {
    "four-bar": linkages.four_bar,
    "slider-crank": linkages.slider_crank,
    "Scotch yoke": linkages.scotch_yoke,
    "quick return": linkages.quick_return,
    "Stress-20": lambda: mechedit.stress(20),
    "five-bar": linkages.five_bar,
}
FOLLOWED = {
    "6-bar (b)": lambda: mechedit.six_bar("B"),
    "Duplex": mechedit.duplex,
    "Chain-6": lambda: mechedit.chain(6),
}


def points_of(plan, goals):
    frames = sweep(plan, goals)
    return frames, frames.values[:, plan.first_point : plan.last_point]


def stepper_of(plan):
    return Stepper(plan, np.arange(plan.first_point, plan.last_point))


def sweeper_of(plan):
    return Sweeper(plan, np.arange(plan.first_point, plan.last_point))


@pytest.mark.parametrize("name", [*CLOSED, *FOLLOWED])
def test_lanes_give_the_frames_of_the_plain_sweep(name):
    plan, course = planned({**CLOSED, **FOLLOWED}[name]())
    goals = np.linspace(course.goals[0], course.goals[-1], 300)
    _, slow = points_of(plan, goals)
    fast = sweeper_of(plan)(goals)
    assert fast.failed == ALL_CLOSED
    np.testing.assert_allclose(fast.points.transpose(2, 0, 1), slow, atol=1e-11 * plan.system.size)


def test_lanes_stop_where_the_plain_sweep_stops():
    plan, _ = planned(mechedit.fig15())
    goals = np.linspace(0.0, 1.0, 1000)[:, None]
    frames, _ = points_of(plan, goals)
    fast = sweeper_of(plan)(goals)
    assert frames.failed != ALL_CLOSED
    assert fast.done == len(frames.inputs)


@pytest.mark.parametrize("name", [*CLOSED, *FOLLOWED])
def test_the_stepper_gives_the_frames_of_the_sweep(name):
    plan, course = planned({**CLOSED, **FOLLOWED}[name]())
    goals = course.goals[:12]
    _, slow = points_of(plan, goals)
    stepper = stepper_of(plan)
    for goal, frame in zip(goals, slow, strict=True):
        np.testing.assert_allclose(stepper.to(*goal), frame.ravel(), atol=1e-11 * plan.system.size)


def test_a_step_beyond_the_limit_goes_as_far_as_it_can_and_a_step_back_goes_on():
    plan, _ = planned(mechedit.fig15())
    stepper = stepper_of(plan)
    good = stepper.to(0.4)
    stepper.to(0.5)
    assert stepper.failed != ALL_CLOSED
    assert stepper.reached[0] == pytest.approx(0.442889195, abs=1e-6)
    again = stepper.to(0.4)
    assert stepper.failed == ALL_CLOSED
    np.testing.assert_allclose(again, good, atol=1e-14)


@pytest.mark.parametrize("step_deg", [1, 7, 45])
def test_the_branch_does_not_depend_on_the_step(step_deg):
    for name in ("6-bar (b)", "Duplex"):
        plan, course = planned(FOLLOWED[name]())
        end = course.goals[-1, 0]
        fine = sweep(plan, np.linspace(0, end, 400)[:, None]).values[-1]
        goals = np.append(np.arange(0, end, np.radians(step_deg)), end)[:, None]
        coarse = sweep(plan, goals)
        assert coarse.failed == ALL_CLOSED
        np.testing.assert_allclose(coarse.values[-1], fine, atol=1e-10 * plan.system.size)


def test_the_order_of_joints_changes_nothing():
    import msgspec

    mechanism = mechedit.stress(10)
    turned = msgspec.structs.replace(mechanism, joints=dict(reversed(list(mechanism.joints.items()))))
    first, second = (planned(m)[0] for m in (mechanism, turned))
    goals = np.linspace(0, 6, 20)[:, None]
    a, b = sweep(first, goals).values, sweep(second, goals).values
    for name in first.points:
        np.testing.assert_allclose(a[:, first.points[name]], b[:, second.points[name]], atol=1e-12)
