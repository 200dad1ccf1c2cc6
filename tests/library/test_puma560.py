"""The PUMA 560 against another way of computing it: screws about its axes as drawn at zero, and energies.

The oracle shares neither frames nor formulas with the product: axes, centres and inertias are written in
the base's frame for all angles at zero, motions are products of exponentials, velocities and gradients come
from complex steps, Coriolis torques from Lagrange's equations.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from detent.library import (
    ALL_CONFIGURATIONS,
    ARM,
    RANGES,
    RECTANGULAR_PEG,
    REFLECTED,
    ROUND_PEG,
    SENSE,
    ArmConfiguration,
    NotReachedError,
    angles_reaching,
    configuration_of,
    link_frames,
    straight_joints,
)

HEIGHT, SIDE = 0.67183, -0.15005
ELBOW, WRIST = 0.4318, (0.4318 + 0.0203, SIDE, HEIGHT + 0.4318)
# A direction and a point of each joint's axis with all angles at zero.
AXES = (
    ((0, 0, 1), (0, 0, 0)),
    ((0, -1, 0), (0, 0, HEIGHT)),
    ((0, -1, 0), (ELBOW, 0, HEIGHT)),
    ((0, 0, 1), WRIST),
    ((0, -1, 0), WRIST),
    ((0, 0, 1), WRIST),
)
# Mass, centre, moments about it, there.
BODIES = (
    (0.0, (0, 0, 0), (0, 0, 0.35)),
    (17.4, (ELBOW - 0.3638, -0.2275, HEIGHT + 0.006), (0.13, 0.539, 0.524)),
    (4.8, (ELBOW, SIDE - 0.0141, HEIGHT + 0.07), (0.066, 0.086, 0.0125)),
    (0.82, (WRIST[0], SIDE, WRIST[2] + 0.019), (1.8e-3, 1.8e-3, 1.3e-3)),
    (0.34, WRIST, (0.3e-3, 0.4e-3, 0.3e-3)),
    (0.09, (WRIST[0], SIDE, WRIST[2] + 0.032), (0.15e-3, 0.15e-3, 0.04e-3)),
)
GRAVITY = np.array([0.3, -0.2, -9.81])
TINY = 1e-30


def skew(w: Any) -> Any:
    return np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])


def moved(angles: Any) -> list[Any]:
    """Rotation and translation of each body after all turns up to its own; complex angles allowed."""
    rotation, shift = np.eye(3, dtype=complex), np.zeros(3, complex)
    found = []
    for angle, (axis, point) in zip(angles, AXES, strict=True):
        cross = skew(axis)
        turn = np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross
        at = np.array(point)
        rotation, shift = rotation @ turn, shift + rotation @ (at - turn @ at)
        found.append((rotation, shift))
    return found


def energy(angles: Any, rates: Any) -> float:
    """Kinetic energy, from velocities of centres and rotations by a complex step in time."""
    total = 0.0
    for (rotation, shift), (mass, center, moments) in zip(
        moved(np.asarray(angles) + 1j * TINY * np.asarray(rates)), BODIES, strict=True
    ):
        velocity = (rotation @ np.array(center) + shift).imag / TINY
        spin = rotation.real.T @ rotation.imag / TINY  # of the body, in its own axes
        w = np.array([spin[2, 1], spin[0, 2], spin[1, 0]])
        total += 0.5 * mass * velocity @ velocity + 0.5 * w @ (np.array(moments) * w)
    return float(total)


def inertia(angles: Any) -> Any:
    """The matrix of that energy, by its values at unit rates and their sums."""
    unit = np.eye(6)
    alone = [energy(angles, unit[i]) for i in range(6)]
    return np.array(
        [[energy(angles, unit[i] + unit[j]) - alone[i] - alone[j] for j in range(6)] for i in range(6)]
    )


def potential(angles: Any) -> Any:
    parts = zip(moved(angles), BODIES, strict=True)
    return -sum(mass * GRAVITY @ (r @ np.array(center) + s) for (r, s), (mass, center, _) in parts)


def weight(angles: Any) -> Any:
    """The gradient of the potential, by complex steps."""
    return np.array([potential(angles + 1j * TINY * e).imag / TINY for e in np.eye(6)])


@pytest.fixture(params=range(6))
def angles(request: pytest.FixtureRequest) -> Any:
    if request.param == 0:
        return np.radians(RECTANGULAR_PEG) * SENSE
    return np.random.default_rng(request.param).uniform(-3, 3, 6)


def test_links_are_where_turns_about_the_axes_bring_them(angles: Any) -> None:
    rotation, shift = moved(angles)[-1]
    flange = ARM.frames(angles)[-1]
    assert flange[:3, 3] == pytest.approx((rotation @ np.array(WRIST) + shift).real, abs=1e-12)
    assert flange[:3, :3] == pytest.approx(rotation.real, abs=1e-12)  # its axes are the base's at zero


def test_the_jacobian_is_the_velocity_of_a_point_of_the_tool(angles: Any) -> None:
    at = np.array([0.05, -0.02, 0.3])
    jacobian = ARM.jacobian(angles, at)
    for k, unit in enumerate(np.eye(6)):
        rotation, shift = moved(angles + 1j * TINY * unit)[-1]
        velocity = (rotation @ (np.array(WRIST) + at) + shift).imag / TINY
        spin = rotation.imag @ rotation.real.T / TINY
        assert jacobian[:3, k] == pytest.approx(velocity, abs=1e-12)
        assert jacobian[3:, k] == pytest.approx([spin[2, 1], spin[0, 2], spin[1, 0]], abs=1e-12)


def test_the_mass_matrix_is_that_of_the_kinetic_energy(angles: Any) -> None:
    matrix = ARM.mass_matrix(angles)
    assert matrix == pytest.approx(inertia(angles), abs=1e-9)
    assert matrix == pytest.approx(matrix.T, abs=1e-15)
    assert np.linalg.eigvalsh(matrix + np.diag(REFLECTED)).min() > 0.1


def test_turning_the_whole_arm_changes_neither_energy_nor_inertia(angles: Any) -> None:
    turned = angles + np.array([1.234, 0, 0, 0, 0, 0])
    assert ARM.mass_matrix(turned) == pytest.approx(ARM.mass_matrix(angles), abs=1e-12)


def test_the_weight_is_the_gradient_of_the_potential(angles: Any) -> None:
    assert ARM.gravity_torque(angles, GRAVITY) == pytest.approx(weight(angles), abs=1e-9)
    assert ARM.potential(angles, GRAVITY) == pytest.approx(potential(angles).real, abs=1e-9)


def test_the_weights_gradient_is_its_derivative(angles: Any) -> None:
    step = 1e-5
    columns = [(weight(angles + step * e) - weight(angles - step * e)) / (2 * step) for e in np.eye(6)]
    gradient = ARM.gravity_gradient(angles, GRAVITY)
    assert gradient == pytest.approx(np.array(columns).T, abs=1e-7)
    assert gradient == pytest.approx(gradient.T, abs=1e-15)


def test_bias_is_lagranges(angles: Any) -> None:
    """d/dt (M q') - grad T + grad V at q'' = 0."""
    rates = np.array([0.7, -1.1, 1.9, -2.3, 1.3, 2.9])
    step = 1e-4

    def along(direction: Any) -> Any:
        """dM along a direction, fourth order."""
        near = inertia(angles + step * direction) - inertia(angles - step * direction)
        far = inertia(angles + 2 * step * direction) - inertia(angles - 2 * step * direction)
        return (8 * near - far) / (12 * step)

    gradient = np.array([0.5 * rates @ along(e) @ rates for e in np.eye(6)])
    expected = along(rates) @ rates - gradient + weight(angles)
    assert ARM.bias(angles, rates, GRAVITY) == pytest.approx(expected, abs=1e-8)
    assert ARM.bias(angles, np.zeros(6), GRAVITY) == pytest.approx(weight(angles), abs=1e-9)


def test_the_hands_motors_are_as_heavy_as_was_measured() -> None:
    """Armstrong, Khatib and Burdick, drives of joints 4 to 6, each within 8 %."""
    assert REFLECTED[3:] == pytest.approx([0.2, 0.179, 0.193], rel=0.08)


@pytest.mark.parametrize("point", [RECTANGULAR_PEG, ROUND_PEG])
def test_the_papers_working_points_come_back_from_their_wrists(point: tuple[float, ...]) -> None:
    flange = link_frames(np.radians(point))[-1]
    assert configuration_of(np.radians(point)) == ArmConfiguration()
    found = angles_reaching(flange[:3, 3], flange[:3, :3])
    assert np.degrees(found) == pytest.approx(point, abs=1e-10)


@pytest.mark.parametrize("seed", range(40))
def test_all_eight_solutions_bring_the_flange_back(seed: int) -> None:
    rng = np.random.default_rng(seed)
    angles = np.radians([rng.uniform(*ends) for ends in RANGES])
    assert not straight_joints(angles)
    flange = link_frames(angles)[-1]
    solutions = [angles_reaching(flange[:3, 3], flange[:3, :3], each) for each in ALL_CONFIGURATIONS]
    for solution, configuration in zip(solutions, ALL_CONFIGURATIONS, strict=True):
        assert link_frames(solution)[-1] == pytest.approx(flange, abs=1e-9)
        assert configuration_of(solution) == configuration
    own = solutions[ALL_CONFIGURATIONS.index(configuration_of(angles))]
    assert np.sin((own - angles) / 2) == pytest.approx(np.zeros(6), abs=1e-8)


def test_an_arm_nearly_straight_is_reached_and_a_straight_one_refused() -> None:
    straight = np.radians([10, -120, 0, 0, -40, 0])
    # The forearm is in line with the upper arm where joint 3 makes up for its offset.
    straight[2] = np.pi / 2 - np.arctan2(0.0203, 0.4318)
    assert "upper arm and forearm are in line" in straight_joints(straight)
    flange = link_frames(straight)[-1]
    with pytest.raises(NotReachedError, match="straight: a singular working point"):
        angles_reaching(flange[:3, 3], flange[:3, :3])
    straight[2] += 1e-3
    flange = link_frames(straight)[-1]
    found = angles_reaching(flange[:3, 3], flange[:3, :3], configuration_of(straight))
    assert link_frames(found)[-1] == pytest.approx(flange, abs=1e-9)
