"""Robots about their working point: (7) against the full equations, vibrations against closed forms."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from detent.io import native
from detent.library import LinearRobot, RobotInDocument, robot_of
from detent.model.reading import convert
from tests.conftest import REFERENCE

ANGLES = [4.6, -157.2, 27.5, 0, -50.3, 4.6]
DOWN = [0, 0, -9.81]


def puma(gravity: Any = DOWN, **settings: Any) -> RobotInDocument:
    settings = {"working_point_deg": ANGLES, **settings}
    parts = {"robot": {"library": "puma560", "set": settings}}
    document = {"dimension": 3, "parts": parts, **({"gravity": gravity} if gravity else {})}
    return robot_of(convert.mechanism(document))


def carrier(**settings: Any) -> RobotInDocument:
    own = {"stiffness": [3e4, 2e4, 6e4, 400, 500, 600], "mass": 5, "principal": [0.05, 0.06, 0.07]}
    parts = {"robot": {"library": "carrier", "set": {**own, **settings}}}
    return robot_of(convert.mechanism({"dimension": 3, "parts": parts}))


def derivative(function: Any, at: Any, step: float = 1e-5) -> Any:
    """By differences of fourth order, a column per coordinate."""

    def along(way: Any) -> Any:
        near, far = (function(at + k * step * way) - function(at - k * step * way) for k in (1, 2))
        return (8 * near - far) / (12 * step)

    return np.array([along(way) for way in np.eye(len(at))]).T


@pytest.mark.parametrize("point", [ANGLES, [-8.4, -152.8, 17.9, 0, -44.9, -8.4], [30, -60, 40, 50, 60, 70]])
def test_the_linear_matrices_are_derivatives_of_the_full_equations(point: list[float]) -> None:
    model = puma(working_point_deg=point).model
    linear, rest, still = model.linear, model.rest, np.zeros(9)
    assert linear.mass == pytest.approx(model.mass(rest), abs=1e-12)
    assert linear.damping == pytest.approx(derivative(lambda v: model.resisting(rest, v), still), abs=1e-5)
    assert linear.stiffness == pytest.approx(derivative(lambda q: model.resisting(q, still), rest), abs=1e-3)
    weight = linear.stiffness[3:, 3:] - np.diag([*model.gear_stiffness, 0, 0, 0])
    of_weight = derivative(lambda q: model.arm.gravity_torque(q, model.gravity), model.angles)
    assert weight == pytest.approx(of_weight, abs=1e-7)


def test_the_controlled_robot_rests_at_its_working_point_and_nowhere_near() -> None:
    model = puma().model
    still = np.zeros(9)
    assert model.rest[3:] == pytest.approx(np.radians(ANGLES) * [1, -1, -1, 1, -1, 1])
    torques = model.control(model.rest, still)
    assert model.acceleration(model.rest, still, torques) == pytest.approx(still, abs=1e-8)
    moved = model.rest + 1e-4
    assert np.abs(model.acceleration(moved, still, model.control(moved, still))).max() > 0.1


def test_the_gears_are_wound_up_by_the_weight() -> None:
    model = puma().model
    wound = model.rest[:3] - model.rest[3:6]
    assert model.gear_stiffness * wound == pytest.approx(model.compensation[:3])
    assert puma(gravity=None).model.rest[:3] == pytest.approx(model.angles[:3])


def test_power_of_the_actuators_becomes_energy_and_heat() -> None:
    """d/dt (kinetic + weight + gears) = actuators' power - gears' damping, at a random moment."""
    model = puma().model
    rng = np.random.default_rng(3)
    at, rates, torques = model.rest + rng.normal(0, 0.1, 9), rng.normal(0, 1, 9), rng.normal(0, 20, 6)

    def energy(q: Any, v: Any) -> float:
        twist = q[:3] - q[3:6]
        stored = model.arm.potential(q[3:], model.gravity) + 0.5 * model.gear_stiffness @ twist**2
        return float(0.5 * v @ model.mass(q) @ v + stored)

    acceleration = model.acceleration(at, rates, torques)
    step = 1e-6
    ahead, behind = (energy(at + s * rates, rates + s * acceleration) for s in (step, -step))
    heat = model.gear_damping @ (rates[:3] - rates[3:6]) ** 2
    power = (model.actuated @ torques) @ rates - heat
    assert (ahead - behind) / (2 * step) == pytest.approx(power, rel=1e-6)


def test_dampings_are_ratios_of_the_arms_own_inertia_with_payload() -> None:
    model = puma(gear_damping_ratio=0.05, gain_damping_ratio=0.4).model
    own = np.diag(model.arm.mass_matrix(model.angles))
    assert own[0] > np.diag(model.bare.mass_matrix(model.angles))[0] + 1  # 2.5 kg at 0.76 m
    gears = 2 * 0.05 * np.sqrt(model.gear_stiffness * own[:3])
    assert np.diag(model.linear.damping)[:3] == pytest.approx(gears)
    assert model.linear.gain_damping == pytest.approx(
        2 * 0.4 * np.sqrt(model.gains * (own + model.reflected))
    )


def test_the_papers_robot_vibrates_between_11_and_99_hertz() -> None:
    vibrations = puma().model.linear.vibrations
    frequencies = [v.frequency for v in vibrations if v.frequency is not None]
    assert len(frequencies) == 9
    assert frequencies == sorted(frequencies)
    assert frequencies[0] == pytest.approx(10.6, abs=0.05)
    assert frequencies[-1] == pytest.approx(99.3, abs=0.05)


def test_vibrations_solve_their_equation_and_poles_theirs() -> None:
    linear = puma().model.linear
    for vibration in linear.vibrations:
        assert vibration.frequency is not None
        square = (2 * np.pi * vibration.frequency) ** 2
        left = linear.controlled_stiffness @ vibration.shape
        assert left == pytest.approx(
            square * linear.mass @ vibration.shape, rel=1e-7, abs=1e-6 * abs(left).max()
        )
    for pole in linear.poles:
        matrix = pole**2 * linear.mass + pole * linear.controlled_damping + linear.controlled_stiffness
        values = np.linalg.svd(matrix, compute_uv=False)
        assert values[-1] < 1e-9 * values[0]
    assert linear.stable


def test_the_damping_ratio_of_a_shape_is_exact_where_damping_is_proportional() -> None:
    springs = [3e4, 2e4, 6e4, 400, 500, 600]
    linear = carrier(damping=[2e-4 * k for k in springs]).model.linear
    for vibration in linear.vibrations:
        assert vibration.frequency is not None
        assert vibration.damping_ratio == pytest.approx(2e-4 * np.pi * vibration.frequency)
    poles = sorted(abs(linear.poles))[::2]
    assert poles == pytest.approx([2 * np.pi * (v.frequency or 0) for v in linear.vibrations])


def test_a_robot_whose_controller_is_too_weak_for_its_weight_is_not_stable() -> None:
    """Upright, joint 2 is an inverted pendulum: gains below the weight's gradient do not hold it."""
    upright = [0, -90, 90, 0, -20, 0]
    falling = -puma(working_point_deg=upright).model.arm.gravity_gradient(
        puma(working_point_deg=upright).model.angles, np.array([0, 0, -9.81])
    )[1, 1]
    assert falling > 50
    for factor, stable in ((0.8, False), (1.3, True)):
        gains = [1.5e5, factor * falling, 1.8e5, 2e3, 2e3, 2e3]
        linear = puma(working_point_deg=upright, position_gain=gains).model.linear
        assert linear.stable is stable
        assert (linear.vibrations[0].frequency is None) is not stable


def test_compliance_is_what_a_small_force_does_and_the_inverse_of_stiffness() -> None:
    model = puma().model
    linear = model.linear
    assert linear.gripper_stiffness is not None
    assert linear.compliance @ linear.gripper_stiffness == pytest.approx(np.eye(6), abs=1e-9)
    wrench = np.array([1e-2, -2e-2, 1e-2, 1e-3, 2e-3, -1e-3])  # along the task's axes
    in_base = np.kron(np.eye(2), model.task_frame) @ wrench
    at = model.rest.copy()
    for _ in range(5):  # Newton on the full equations at rest
        still = np.zeros(9)
        load = model.actuated @ model.control(at, still) - model.resisting(at, still)
        at = at + np.linalg.solve(linear.controlled_stiffness, load + model.gripper_jacobian(at).T @ in_base)
    before, after = (model.gripper_frame(q) for q in (model.rest, at))
    gone = model.task_frame.T @ (after[:3, 3] - before[:3, 3])
    turned = after[:3, :3] @ before[:3, :3].T
    about = 0.5 * np.array(
        [turned[2, 1] - turned[1, 2], turned[0, 2] - turned[2, 0], turned[1, 0] - turned[0, 1]]
    )
    expected = linear.compliance @ wrench
    assert gone == pytest.approx(expected[:3], abs=1e-4 * abs(expected[:3]).max())
    assert model.task_frame.T @ about == pytest.approx(expected[3:], abs=1e-4 * abs(expected[3:]).max())


def test_at_a_singular_point_a_direction_gives_way_to_nothing() -> None:
    linear = puma(working_point_deg=[0, -157.2, 27.5, 0, 0, 0]).model.linear
    assert linear.gripper_stiffness is None
    assert np.linalg.eigvalsh(linear.compliance)[0] < 1e-12 * np.linalg.eigvalsh(linear.compliance)[-1]


def test_a_held_part_is_the_payload() -> None:
    held = robot_of(native.load(REFERENCE / "assembly" / "rect_peg_puma_mu01_y4_z0.toml"))
    alone = robot_of(native.load(REFERENCE / "assembly" / "puma_rect_working_point.toml"))
    assert held.held == ("peg",)
    assert not any("payload" in words for words in held.assumed)
    assert any("payload 2.5 kg" in words for words in alone.assumed)
    assert held.model.linear.mass == pytest.approx(alone.model.linear.mass, abs=1e-7)


def test_a_payload_of_the_settings_adds_to_what_is_held() -> None:
    light = puma(payload={"mass": 1, "center": [0, 0, 0.1], "principal": [0, 0, 0]}).model
    bare = light.bare.mass_matrix(light.angles)
    jacobian = light.bare.jacobian(light.angles, (0, 0, 0.1))[:3]
    assert light.arm.mass_matrix(light.angles) == pytest.approx(bare + jacobian.T @ jacobian, abs=1e-12)


def test_a_robot_on_a_wall_feels_gravity_from_the_side() -> None:
    upright = puma(gravity=[9.81, 0, 0]).model
    part = {
        "library": "puma560",
        "set": {"working_point_deg": ANGLES},
        "pose": {"turn_deg": 90, "about": "y", "at": [1, 2, 3]},
    }
    wall = robot_of(convert.mechanism({"dimension": 3, "gravity": DOWN, "parts": {"robot": part}}))
    assert wall.model.compensation == pytest.approx(upright.compensation, abs=1e-9)


def test_a_carrier_vibrates_as_each_mass_on_its_spring() -> None:
    linear = carrier(damping_ratio=0.3).model.linear
    expected = np.sqrt(np.array([3e4, 2e4, 6e4, 400, 500, 600]) / [5, 5, 5, 0.05, 0.06, 0.07]) / (2 * np.pi)
    assert [v.frequency for v in linear.vibrations] == pytest.approx(sorted(expected))
    assert [v.damping_ratio for v in linear.vibrations] == pytest.approx([0.3] * 6)


def test_a_carriers_gripper_gives_way_by_its_arm() -> None:
    linear: LinearRobot = carrier(gripper=0.3).model.linear
    compliance = linear.compliance
    assert compliance[0, 0] == pytest.approx(1 / 3e4 + 0.3**2 / 500)
    assert compliance[1, 1] == pytest.approx(1 / 2e4 + 0.3**2 / 400)
    assert compliance[2, 2] == pytest.approx(1 / 6e4)
    assert compliance[0, 4] == pytest.approx(0.3 / 500)


def test_what_a_carrier_holds_adds_its_mass_where_it_is() -> None:
    payload = {"mass": 2, "center": [0, 0, 0.1], "principal": [0, 0, 0]}
    mass = carrier(payload=payload).model.linear.mass
    assert mass[0, 0] == 7
    assert mass[4, 4] == pytest.approx(0.06 + 2 * 0.01)
    assert mass[0, 4] == pytest.approx(0.2)
    assert mass == pytest.approx(mass.T)
