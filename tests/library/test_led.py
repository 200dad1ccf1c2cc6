"""An arm led along a straight path: the trapezoid, closed forms of (7), and (5) beside it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from detent.foundation import ModelError
from detent.library import (
    ElasticArm,
    LinkBody,
    SerialArm,
    StraightPath,
    is_singular,
    joint_rates,
    lead,
    robot_of,
)
from detent.model.reading import convert

DOWN = (1.0, 0.0, 0.0)  # the task's x


def arm(**settings: Any) -> ElasticArm:
    settings = {"working_point_deg": [4.6, -157.2, 27.5, 0, -50.3, 4.6], **settings}
    parts = {"robot": {"library": "puma560", "set": settings}}
    model = robot_of(convert.mechanism({"dimension": 3, "gravity": [0, 0, -9.81], "parts": parts})).model
    assert isinstance(model, ElasticArm)
    return model


@pytest.mark.parametrize(
    ("distance", "top", "duration"),
    [(0.08, 0.025, 3.3), (0.0025, 0.025, 0.2), (0.001, (0.001 * 0.25) ** 0.5, 2 * (0.001 / 0.25) ** 0.5)],
)
def test_a_trapezoid_goes_its_distance_and_a_short_one_is_a_triangle(
    distance: float, top: float, duration: float
) -> None:
    path = StraightPath(DOWN, distance, 0.025, 0.25)
    assert path.duration == pytest.approx(duration)
    times = np.linspace(-0.1, duration + 0.1, 200_001)
    way, speed = path.at(times)
    assert speed.max() == pytest.approx(top, rel=1e-3)
    assert speed.max() <= top * (1 + 1e-12)
    assert way[-1] == pytest.approx(distance, rel=1e-12)
    assert np.abs(np.gradient(speed, times)).max() <= 0.25 * (1 + 1e-6)
    assert way == pytest.approx(
        np.concatenate([[0], np.cumsum((speed[1:] + speed[:-1]) / 2 * np.diff(times))]), abs=1e-9
    )


def test_what_remains_is_what_gears_and_weight_leave() -> None:
    """At constant speed, and at the end, the gripper goes as the stiffnesses divide what is asked."""
    model = arm()
    path = StraightPath(DOWN, 0.08, 0.025, 0.25)
    run = lead(model, path, until=path.duration + 4, every=0.01)
    linear = model.linear
    joints = np.linalg.solve(linear.jacobian[:, 3:], [1, 0, 0, 0, 0, 0])
    share = linear.jacobian @ np.linalg.solve(
        linear.controlled_stiffness, linear.actuated @ (linear.gains * joints)
    )
    assert run.displacement[-1] == pytest.approx(0.08 * share[:3], abs=1e-10)
    assert run.velocity[170] == pytest.approx(0.025 * share, abs=1e-7)
    assert share[0] != pytest.approx(1, abs=1e-5)  # the weight's gradient is not compensated


def test_the_linear_run_is_exact_whatever_its_rows() -> None:
    model = arm()
    path = StraightPath((1.0, 0.5, -0.2), 0.01, 0.05, 0.7)
    coarse, fine = (lead(model, path, until=0.4, every=every) for every in (0.1, 0.001))
    assert coarse.coordinates == pytest.approx(fine.coordinates[::100], abs=1e-12)
    linear = model.linear
    joints = np.linalg.solve(
        linear.jacobian[:, 3:], [*(np.array(path.along) / np.linalg.norm(path.along)), 0, 0, 0]
    )

    def rates(time: float, state: Any) -> Any:
        way, speed = path.at(time)
        off, v = state[:9], state[9:]
        push = linear.gains * (joints * way - linear.actuated.T @ off)
        push = push + linear.gain_damping * (joints * speed - linear.actuated.T @ v)
        load = linear.actuated @ push - linear.stiffness @ off - linear.damping @ v
        return np.concatenate([v, np.linalg.solve(linear.mass, load)])

    other = solve_ivp(rates, (0, 0.4), np.zeros(18), method="Radau", rtol=1e-9, atol=1e-13, max_step=0.002)
    assert coarse.coordinates[-1] == pytest.approx(other.y[:9, -1], abs=1e-9)


def test_full_and_linear_agree_the_better_the_shorter_the_path() -> None:
    model = arm()
    apart = []
    for scale in (1.0, 0.5):
        path = StraightPath(DOWN, 0.02 * scale, 0.1 * scale, 1.0 * scale)
        linear, full = (
            lead(model, path, until=0.3, every=0.02, dynamics=kind) for kind in ("linear", "full")
        )
        apart.append(np.abs(full.velocity - linear.velocity).max())
        assert full.displacement[-1] == pytest.approx(linear.displacement[-1], abs=1e-3 * path.distance)
        assert apart[-1] < 0.02 * path.speed
    assert apart[1] == pytest.approx(apart[0] / 4, rel=0.25)  # what is neglected is of second order


def test_the_gripper_swings_beyond_the_speed_asked_for_by_its_elastic_gears() -> None:
    path = StraightPath(DOWN, 0.08, 0.025, 0.25)
    soft, stiff = (
        lead(arm(gear_stiffness=[k * 3e4, k * 4.5e4, k * 3.6e4]), path).velocity[:, 0].max() for k in (1, 100)
    )
    assert soft > 1.1 * path.speed
    assert stiff < soft


def test_a_path_out_of_reach_is_refused_with_its_place() -> None:
    with pytest.raises(ModelError, match=r"path: leaves the robot's reach .* mm from its start"):
        lead(arm(), StraightPath((0, 0, -1), 0.5, 0.1, 1), dynamics="full")


def test_no_path_leads_from_a_singular_point() -> None:
    model = arm(working_point_deg=[0, -157.2, 27.5, 0, 0, 0])
    with pytest.raises(ModelError, match="singular working point"):
        lead(model, StraightPath(DOWN, 0.01, 0.1, 1))


@pytest.mark.parametrize("key", ["distance", "speed", "ramp"])
def test_a_path_without_extent_is_refused(key: str) -> None:
    with pytest.raises(ModelError, match=rf"^{key}: must be above zero"):
        StraightPath(DOWN, **{"distance": 1.0, "speed": 1.0, "ramp": 1.0, key: 0.0})


def seven_joints() -> ElasticArm:
    """As of arms with an elbow to spare: the wrist can stand still while the elbow goes round."""
    twists = [-np.pi / 2, np.pi / 2, -np.pi / 2, np.pi / 2, -np.pi / 2, np.pi / 2, 0.0]
    links = tuple(zip(twists, [0.0] * 7, [0.34, 0.0, 0.4, 0.0, 0.4, 0.0, 0.13], strict=True))
    bodies = tuple(LinkBody(k + 1, 3.0, (0.0, 0.02, -0.1), np.eye(3) * 0.02) for k in range(7))
    return ElasticArm(
        SerialArm(links, bodies), SerialArm(links, bodies), np.array([0.3, 0.6, -0.4, 1.2, 0.5, -0.8, 0.2]),
        np.full(7, 0.3), np.array([0.0, 0.0, -9.81]), np.array([3e4, 4e4, 2e4]), 0.03, np.full(7, 2e4), 0.7,
        0.1, np.eye(3),
    )  # fmt: skip


def test_an_arm_with_a_joint_to_spare_is_led_by_the_least_rates() -> None:
    model = seven_joints()
    jacobian = model.linear.jacobian[:, 3:]
    wanted = np.array([0.0, 0.0, 1.0, 0.0, 0.0, 0.0])
    rates = joint_rates(jacobian, wanted)
    assert jacobian @ rates == pytest.approx(wanted, abs=1e-12)
    idle = np.linalg.svd(jacobian)[2][-1]  # moves the elbow alone
    assert jacobian @ idle == pytest.approx(np.zeros(6), abs=1e-12)
    assert rates @ idle == pytest.approx(0, abs=1e-12)
    path = StraightPath((0.0, 0.0, 1.0), 0.02, 0.05, 0.5)
    linear, full = (
        lead(model, path, until=path.duration + 1.5, every=0.01, dynamics=each) for each in ("linear", "full")
    )
    share = model.linear.jacobian @ np.linalg.solve(
        model.linear.controlled_stiffness, model.linear.actuated @ (model.linear.gains * rates)
    )
    assert linear.displacement[-1] == pytest.approx(0.02 * share[:3], abs=1e-8)
    assert full.displacement == pytest.approx(linear.displacement, abs=4e-4)


def test_an_arm_with_fewer_than_six_joints_leads_along_no_path_at_will() -> None:
    assert is_singular(np.eye(6)[:, :5])
    assert not is_singular(np.eye(6, 7))
