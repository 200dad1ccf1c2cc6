"""Rows, rates, inertia and springs at a state, against differences of positions and against energies."""

import math

import numpy as np
import pytest

from detent import Builder, ModelError, UnsupportedError
from detent.geometry import quaternion_of
from detent.mechanics import (
    bias_at,
    constraint_rows_at,
    coordinate_at,
    joint_table,
    kinetic_energy,
    mass_matrix_at,
    spring_forces,
    velocity_vector,
    weight_at,
)
from detent.model import State, compile_system

IN_SPACE = [
    "revolute",
    "prismatic",
    "cylindrical",
    "planar",
    "spherical",
    "fixed",
    "in_line",
    "angle",
    "gear",
]
IN_PLANE = ["revolute", "prismatic", "fixed", "in_line", "angle", "gear"]


def two_bodies(kind, dimension, **more):
    """Two moving parts, joined at a point and an axis that are nothing special."""
    point, axis = ([0.3, -0.2, 0.5], [1, 2, 2]) if dimension == 3 else ([0.3, -0.2], [3, 4])
    poses = [
        {"at": [0.1, 0.2, 0.3][:dimension], "turn": 0.4},
        {"at": [-0.4, 0.1, 0.2][:dimension], "turn": -0.7},
    ]
    if dimension == 3:
        poses[0]["about"], poses[1]["about"] = [1, 2, 2], [2, -1, 2]
    machine = Builder(dimension=dimension, units="mm", **more.pop("document", {}))
    for name, pose in zip("ab", poses, strict=True):
        machine = machine.part(name, pose=pose, **more.pop("parts", {}).get(name, {}))
    keys = {"along": axis, **more}
    if kind not in ("gear", "angle"):
        keys["at"] = point
    if kind == "gear":
        keys["ratio"] = -1.5
    if kind == "angle":
        keys.setdefault("value", 0.2)
        if dimension == 2:
            del keys["along"]
    return compile_system(machine.joint("J", kind, "a", "b", **keys).build())


def state_after(system, poses, velocities, time):
    """Each body moved steadily for a time: no acceleration of its origin, none of its rotation."""
    rows = []
    for pose, velocity in zip(poses, velocities, strict=True):
        if system.dimension == 2:
            rows.append(pose + time * velocity)
            continue
        start = State(pose[None], np.zeros((1, 6))).matrices[0]
        rows.append(
            [*(pose[:3] + time * velocity[:3]), *quaternion_of(turned(velocity[3:] * time) @ start[:3, :3])]
        )
    return State(np.array(rows), np.array(velocities), time)


def turned(vector):
    angle = np.linalg.norm(vector)
    if angle == 0:
        return np.eye(3)
    x, y, z = vector / angle
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + math.sin(angle) * cross + (1 - math.cos(angle)) * cross @ cross


def moving(system, seed):
    """A state near the drawing, with random velocities."""
    generator = np.random.default_rng(seed)
    poses = system.drawn.poses
    speeds = generator.normal(size=system.drawn.velocities.shape)
    near = state_after(system, poses, 0.1 * generator.normal(size=speeds.shape), 1.0)
    return State(near.poses, speeds)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("kind", "dimension"), [*((k, 3) for k in IN_SPACE), *((k, 2) for k in IN_PLANE)])
def test_rows_and_velocity_products_are_the_derivatives_of_what_is_open(kind, dimension, seed):
    system = two_bodies(kind, dimension)
    state = moving(system, seed)
    rows = constraint_rows_at(system, state)
    step = 1e-4
    before, after = (
        constraint_rows_at(system, state_after(system, state.poses, state.velocities, t)).values
        for t in (-step, step)
    )
    first = (after - before) / (2 * step)
    second = (after - 2 * rows.values + before) / step**2
    # A gear's axis goes with its carrier: free bodies tilt it, which its angles about it do not follow.
    if (kind, dimension) != ("gear", 3):
        assert rows.matrix @ velocity_vector(system, state) == pytest.approx(first, abs=1e-6)
        assert rows.rates == pytest.approx(second, abs=1e-5)


@pytest.mark.parametrize("kind", IN_SPACE)
def test_nothing_is_open_as_drawn(kind):
    system = two_bodies(kind, 3, **({"value": 0} if kind == "angle" else {}))
    values = constraint_rows_at(system, system.drawn).values
    if kind != "angle":
        assert values == pytest.approx(np.zeros(len(values)), abs=1e-12)


def test_the_rotation_of_gears_in_space_follows_the_ratio_about_their_axis():
    """About a common axis the rotations are the plane's: worked by hand."""
    system = two_bodies("gear", 3)
    axis = np.array([1, 2, 2]) / 3
    speeds = np.zeros((2, 6))
    speeds[0, 3:], speeds[1, 3:] = 2.0 * axis, -3.0 * axis
    state = State(system.drawn.poses, speeds)
    row = constraint_rows_at(system, state)
    assert row.matrix @ velocity_vector(system, state) == pytest.approx([-3.0 + 1.5 * 2.0])
    later = constraint_rows_at(system, state_after(system, state.poses, state.velocities, 0.1))
    assert later.values == pytest.approx([0.0], abs=1e-12)


@pytest.mark.parametrize(
    ("kind", "dimension"), [("revolute", 3), ("prismatic", 3), ("revolute", 2), ("prismatic", 2)]
)
def test_a_coordinate_and_its_rates_are_derivatives(kind, dimension):
    system = two_bodies(kind, dimension)
    state = moving(system, 4)
    joint = system.joints[0]
    at = coordinate_at(system, state, joint)
    step = 1e-4
    before, after = (
        coordinate_at(system, state_after(system, state.poses, state.velocities, t), joint).value
        for t in (-step, step)
    )
    assert at.speed == pytest.approx((after - before) / (2 * step), rel=1e-6)
    assert at.row @ velocity_vector(system, state) == pytest.approx(at.speed)
    assert at.rate == pytest.approx((after - 2 * at.value + before) / step**2, abs=1e-5)


def heavy(dimension, **more):
    inertia = {"inertia": 0.3} if dimension == 2 else {"principal": [0.1, 0.2, 0.3]}
    center = [20, -10, 5][:dimension]
    part = {"mass": 2, "center": center, **inertia}
    machine = Builder(dimension=dimension, units="mm", gravity=[0, -9, 1][:dimension])
    return compile_system(
        machine.part("a", pose={"at": [100, 50, 30][:dimension], "turn": 0.4}, **part, **more).build()
    )


@pytest.mark.parametrize("dimension", [2, 3])
def test_mass_bias_and_weight_are_those_of_a_body_about_its_centre(dimension):
    """Newton and Euler about the centre, written for the part's own origin."""
    system = heavy(dimension)
    generator = np.random.default_rng(1)
    velocity = generator.normal(size=system.freedoms)
    acceleration = generator.normal(size=system.freedoms)
    state = State(system.drawn.poses, velocity[None])
    force = mass_matrix_at(system, state) @ acceleration + bias_at(system, state)
    rotation = state.matrices[0, :3, :3]
    arm = rotation @ np.array([0.02, -0.01, 0.005 if dimension == 3 else 0])
    spin, alpha = state.spatial[0, 3:], State(state.poses, acceleration[None]).spatial[0]
    of_centre = alpha[:3] + np.cross(alpha[3:], arm) + np.cross(spin, np.cross(spin, arm))
    inertia = rotation @ np.diag([0.1, 0.2, 0.3] if dimension == 3 else [0, 0, 0.3]) @ rotation.T
    moment = inertia @ alpha[3:] + np.cross(spin, inertia @ spin) + np.cross(arm, 2 * of_centre)
    expected = np.concatenate([2 * of_centre, moment])
    assert force == pytest.approx(expected[[0, 1, 5]] if dimension == 2 else expected)
    pull = np.concatenate([2 * system.gravity, np.cross(arm, 2 * system.gravity)])
    assert weight_at(system, state) == pytest.approx(pull[[0, 1, 5]] if dimension == 2 else pull)
    centre_speed = state.spatial[0, :3] + np.cross(spin, arm)
    energy = 0.5 * 2 * centre_speed @ centre_speed + 0.5 * spin @ inertia @ spin
    assert kinetic_energy(system, state) == pytest.approx(energy)


@pytest.mark.parametrize(
    ("kind", "dimension", "keys"),
    [
        ("revolute", 2, {"spring": {"stiffness": 3, "rest": 0.4}}),
        ("prismatic", 2, {"spring": {"stiffness": 30, "rest": 4}}),
        ("revolute", 3, {"spring": {"stiffness": 3, "rest_deg": 10}}),
        ("prismatic", 3, {"spring": {"stiffness": 30, "rest": 4}}),
    ],
)
def test_a_spring_pushes_down_its_energy(kind, dimension, keys):
    system = two_bodies(kind, dimension, **keys)
    state = moving(system, 2)
    still = State(state.poses, np.zeros_like(state.velocities))
    force = spring_forces(system, still).force
    step = 1e-6
    before, after = (
        spring_forces(system, state_after(system, state.poses, state.velocities, t)).stored
        for t in (-step, step)
    )
    assert force @ velocity_vector(system, state) == pytest.approx(-(after - before) / (2 * step), rel=1e-6)


def test_a_damper_takes_what_its_force_does():
    system = two_bodies("revolute", 2, damping=0.7)
    state = moving(system, 3)
    acts = spring_forces(system, state)
    assert acts.force @ velocity_vector(system, state) == pytest.approx(-acts.dissipated)
    assert acts.dissipated > 0


@pytest.mark.parametrize("dimension", [2, 3])
def test_an_elastic_joint_pushes_down_its_energy_and_balances(dimension):
    freedoms = 3 if dimension == 2 else 6
    matrix = np.diag(np.arange(1.0, freedoms + 1)) + 0.1
    system = two_bodies("elastic", dimension, stiffness=matrix.tolist())
    generator = np.random.default_rng(0)
    nudge = 1e-5 * generator.normal(size=system.drawn.velocities.shape)
    near = state_after(system, system.drawn.poses, nudge, 1.0)
    acts = spring_forces(system, State(near.poses, np.zeros_like(nudge)))
    speeds = generator.normal(size=nudge.shape)
    step = 1e-7
    before, after = (
        spring_forces(
            system, State(state_after(system, near.poses, speeds, t).poses, np.zeros_like(speeds))
        ).stored
        for t in (-step, step)
    )
    assert acts.force @ speeds.ravel() == pytest.approx(-(after - before) / (2 * step), rel=1e-3)
    # Both bodies moved as one feel nothing: forces and moments balance.
    force = acts.force.reshape(2, -1)
    width = dimension
    assert force[:, :width].sum(axis=0) == pytest.approx(np.zeros(width), abs=1e-15)


def test_a_driven_body_has_no_columns_and_its_speed_enters_the_rates():
    machine = (
        Builder()
        .part("root", markers={"A": [1, 0]})
        .part("pawl", markers={"A": [1, 0]})
        .joint("A", "revolute", "root.A", "pawl.A")
        .drive("push", part="root", legs=[{"velocity": [1, 0], "for": 1}])
        .build()
    )
    system = compile_system(machine)
    assert system.columns.tolist() == [-1, 0]
    assert compile_system(machine, drives_hold=False).degrees == 6
    state = State(system.drawn.poses, np.array([[0.0, 0, 2.0], [0, 0, 0]]))
    rates = constraint_rows_at(system, state).rates
    assert rates == pytest.approx([4.0, 0.0])  # the root's point is drawn inwards by 2 x 2 x 1


def test_what_is_not_known_is_said():
    machine = Builder(dimension=3).part("a").part("b").joint("J", "infer", "a", "b").build()
    with pytest.raises(UnsupportedError, match="still to be found from shapes"):
        joint_table(compile_system(machine))
    system = compile_system(Builder().part("a").build())
    with pytest.raises(ModelError, match=r"parts\.a\.mass"):
        mass_matrix_at(system, system.drawn)
    spherical = two_bodies("spherical", 3)
    with pytest.raises(UnsupportedError, match="has no one coordinate"):
        coordinate_at(spherical, spherical.drawn, spherical.joints[0])
