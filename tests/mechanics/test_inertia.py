"""Inertia and weight of a document's parts, against energies added up point by point."""

import itertools

import numpy as np
import pytest

from detent.contact.forces import consistent_modes
from detent.contact.modes import modes
from detent.contact.touching import contacts_of
from detent.foundation import ModelError
from detent.io.native import loads
from detent.mechanics import (
    bias,
    bias_at,
    knows_masses,
    mass_matrix,
    mass_matrix_at,
    shift_of,
    state_of,
    weight,
    weight_at,
)
from detent.model import Builder, compile_system

GAUSS = (0.5 - 0.5 / np.sqrt(3), 0.5 + 0.5 / np.sqrt(3))


def in_space(units="m", part="density = 600"):
    return loads(f"""
        format = "detent/1"
        dimension = 3
        units = "{units}"
        gravity = [0.3, 0, -9.81]
        [parts.ground]
        fixed = true
        [parts.brick]
        shape.block = [0.4, 0.2, 0.1]
        pose = {{ at = [1, 2, 3], turn_deg = 90, about = "x" }}
        {part}
        [parts.ball]
        mass = 3
        center = [0, 0.5, 0]
        principal = [0.1, 0.2, 0.3]
    """)


@pytest.mark.parametrize(("units", "unit"), [("m", 1.0), ("mm", 1e-3), ("in", 0.0254)])
def test_the_energy_of_a_brick_is_that_of_its_points(units, unit):
    """Two points of Gauss an axis add up squares of velocities exactly."""
    matrix = mass_matrix(in_space(units))
    random = np.random.default_rng(0)
    for v in random.normal(size=(5, 6)):
        energy = 0.0
        for share in itertools.product(GAUSS, repeat=3):
            x, y, z = np.array([0.4, 0.2, 0.1]) * share
            point = np.array([1 + x, 2 - z, 3 + y])  # turned a quarter about x
            velocity = unit * (v[:3] + np.cross(v[3:], point))
            energy += 600 * 0.008 * unit**3 / 8 * velocity @ velocity / 2
        assert v @ matrix[:6, :6] @ v / 2 == pytest.approx(energy / unit, rel=1e-9)
    assert not matrix[:6, 6:].any()


def test_weight_does_the_work_of_gravity_on_the_centres():
    random = np.random.default_rng(1)
    for units, unit in (("m", 1.0), ("mm", 1e-3)):
        load = weight(in_space(units))
        v = random.normal(size=12)
        brick = v[:3] + np.cross(v[3:6], [1.2, 1.95, 3.1])
        ball = v[6:9] + np.cross(v[9:], [0, 0.5, 0])
        pull = np.array([0.3, 0, -9.81])
        assert load @ v == pytest.approx(pull @ (600 * 0.008 * unit**3 * brick + 3 * ball), rel=1e-9)


@pytest.mark.parametrize(
    ("part", "said"),
    [
        ("", "parts.brick.mass: is missing.*`principal`"),
        ("inertia = 2", "parts.brick.mass: is missing"),
        ("mass = 2", "parts.brick.center: is missing"),
        ("mass = 2\ncenter = [0, 0, 0]", "parts.brick.principal: is missing"),
    ],
)
def test_a_part_without_its_mass_is_named(part, said):
    machine = in_space(part=part)
    assert knows_masses(machine) is bool(part)
    with pytest.raises(ModelError, match=said):
        mass_matrix(machine)


def lever(gravity="", mass=""):
    return loads(f"""
        format = "detent/1"
        {gravity}
        [parts.frame]
        fixed = true
        [parts.lever]
        markers = {{ A = [0, 0] }}
        inertia = 4
        {mass}
        [joints.pivot]
        type = "revolute"
        between = ["frame", "lever"]
        at = [2, 0]
        [[contacts]]
        between = ["frame", "lever"]
        point = [3, 0]
        normal = [0, 1]
        friction = 0
    """)


def test_a_lever_on_its_pivot_needs_no_mass_but_for_its_weight():
    """Inertia about the pivot is all: a moment of 2 about it, seen from the origin, turns it by 2 / 4."""
    machine = lever()
    mode_set = modes(contacts_of(machine))
    (only,) = consistent_modes(mode_set, mass_matrix(machine), np.zeros(3), [0.0, 0.0, 2.0])
    assert only.text.startswith("+")
    assert only.acceleration == pytest.approx([0, -1.0, 0.5], abs=1e-7)
    with pytest.raises(ModelError, match=r"parts\.lever\.mass: is missing, and gravity pulls"):
        weight(lever("gravity = [0, -9.81]"))


def test_a_floating_part_needs_inertia_in_every_degree_of_freedom():
    mode_set = modes(contacts_of(lever()))
    with pytest.raises(ModelError, match="mass: is not positive definite"):
        consistent_modes(mode_set, np.zeros((3, 3)), np.zeros(3), np.zeros(3))


@pytest.mark.parametrize("dimension", [2, 3])
def test_the_convention_of_modes_is_that_of_mechanics_shifted(dimension):
    """T' M T / u, T' weight / u and T' (h + M c) / u, with c = w x v of each part's own origin."""
    inertia = {"inertia": 0.3} if dimension == 2 else {"principal": [0.1, 0.2, 0.3]}
    part = {"mass": 2, "center": [20, -10, 5][:dimension], **inertia}
    machine = Builder(dimension=dimension, units="mm", gravity=[1, -9, 2][:dimension])
    for name, at in (("a", [100, 50, 30]), ("b", [-40, 20, 10])):
        machine = machine.part(name, pose={"at": at[:dimension], "turn": 0.4}, **part)
    mechanism = machine.build()
    system = compile_system(mechanism)
    unit, size = system.metres_per_unit, system.freedoms
    velocity = np.random.default_rng(3).normal(size=system.degrees)
    state = state_of(system, velocity)
    T, M = shift_of(system, state), mass_matrix_at(system, state)
    assert mass_matrix(mechanism) == pytest.approx(T.T @ M @ T / unit)
    assert weight(mechanism) == pytest.approx(T.T @ weight_at(system, state) / unit)
    turning = np.concatenate(
        [
            np.r_[np.cross(v[3:], v[:3]), np.zeros(3)][[0, 1, 5] if size == 3 else slice(None)]
            for v in state.spatial
        ]
    )
    assert bias(mechanism, velocity) == pytest.approx(T.T @ (bias_at(system, state) + M @ turning) / unit)
