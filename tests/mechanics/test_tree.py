"""Bodies in joint coordinates: against differences, kinetic energy, and the rows of all joints."""

import math

import numpy as np
import pytest

from detent import Builder, ModelError
from detent.geometry import quaternion_of
from detent.mechanics import (
    constraint_rows_at,
    coordinate_at,
    energies,
    kinetic_energy,
    loop_rows,
    loop_tables,
    mass_and_force,
    place_tree,
    plane_state,
    tree_of,
)
from detent.model import State, compile_system

# Columns of a placed body.
POSE, VELOCITY, PRODUCTS = [0, 1, 4], [5, 6, 7], [8, 9]
ANGLE = 3  # a closing row that holds an angle
WAY = 7  # the sign of a coordinate that is read off a closing row


class Document:
    """One machine, in the plane or lying across z in space with parts turned and pins that point down."""

    def __init__(self, dimension):
        self.dimension = dimension
        self.builder = Builder(units="mm", dimension=dimension, gravity=self.vector(3, -9))

    def vector(self, x, y, z=0.0):
        return [x, y, z][: self.dimension]

    def fixed(self, name):
        self.builder = self.builder.part(name, fixed=True)
        return self

    def part(self, name, x, y, turn, mass, center, inertia):
        table = {"mass": mass, "center": self.vector(*center, 3)}
        if self.dimension == 2:
            table |= {"pose": {"at": [x, y], "turn": turn}, "inertia": inertia}
        else:
            table |= {
                "pose": {"at": [x, y, 7], "turn": turn, "about": [0, 0, 1]},
                "principal": [0.8 * inertia, 0.9 * inertia, inertia],
            }
        self.builder = self.builder.part(name, **table)
        return self

    def pin(self, name, a, b, x, y, down=False, **more):
        if self.dimension == 3:
            more["along"] = [0, 0, -1 if down else 1]
        self.builder = self.builder.joint(name, "revolute", a, b, at=self.vector(x, y), **more)
        return self

    def slide(self, name, a, b, x, y, along, **more):
        self.builder = self.builder.joint(
            name, "prismatic", a, b, at=self.vector(x, y), along=self.vector(*along), **more
        )
        return self

    def joint(self, name, kind, a, b, **more):
        if self.dimension == 3 and kind == "gear":
            more["along"] = [0, 0, 1]
        self.builder = self.builder.joint(name, kind, a, b, **more)
        return self

    def system(self):
        return compile_system(self.builder.build(), drives_hold=False)


def four_bar(dimension):
    return (
        Document(dimension)
        .fixed("ground")
        .part("crank", 10, 5, 0.3, 0.2, (4, 1), 3e-5)
        .part("coupler", 40, 30, -0.8, 0.5, (2, -6), 2e-4)
        .part("rocker", 60, 10, 1.1, 0.3, (-3, 5), 1e-4)
        .pin("A", "ground", "crank", 0, 0, spring={"stiffness": 0.4, "rest": 0.2}, damping=0.01)
        .pin("B", "coupler", "crank", 20, 15, down=True)
        .pin("C", "coupler", "rocker", 55, 40)
        .pin("D", "ground", "rocker", 65, -5, damping=0.02)
    )


def slider(dimension):
    return (
        Document(dimension)
        .fixed("ground")
        .part("crank", 3, 4, 0.3, 0.2, (4, 1), 3e-5)
        .part("rod", 30, 12, 0.9, 0.4, (-5, 2), 1e-4)
        .part("block", 62, 3, -0.4, 0.7, (1, 1), 5e-5)
        .pin("A", "ground", "crank", 0, 0, down=True)
        .pin("B", "crank", "rod", 15, 20)
        .slide("S", "block", "ground", 60, 5, (4, 3), spring={"stiffness": 50.0, "rest": 3.0})
        .pin("C", "rod", "block", 60, 5)
    )


def slotted(dimension):
    """A slide on an arm that turns, a weld on the slide, and a slide that closes the loop."""
    machine = Document(dimension)
    return (
        machine.fixed("ground")
        .part("arm", 3, 4, 0.3, 0.2, (4, 1), 3e-5)
        .part("stone", 25, 12, 0.9, 0.4, (-5, 2), 1e-4)
        .part("hand", 30, 18, -0.2, 0.1, (3, 2), 2e-5)
        .part("bar", 40, 20, 0.5, 0.3, (1, -2), 4e-5)
        .pin("A", "ground", "arm", 0, 0)
        .slide("S", "arm", "stone", 20, 10, (4, 3), damping=2.0)
        .joint("W", "fixed", "stone", "hand", at=machine.vector(28, 14))
        .pin("B", "hand", "bar", 35, 20)
        .slide("T", "bar", "ground", 45, 22, (-5, 12))
    )


def geared(dimension):
    return (
        Document(dimension)
        .fixed("ground")
        .part("sun", 3, 4, 0.3, 0.2, (4, 1), 3e-5)
        .part("wheel", 40, 3, 0.9, 0.4, (-5, 2), 1e-4)
        .part("finger", 50, 30, -0.2, 0.1, (3, 2), 2e-5)
        .pin("A", "ground", "sun", 0, 0, down=True)
        .pin("B", "ground", "wheel", 40, 0)
        .pin("C", "wheel", "finger", 50, 10)
        .joint("G", "gear", "sun", "wheel", ratio=-2.5)
    )


def loose(dimension):
    """A part that nothing holds, with an arm on it."""
    assert dimension == 2
    return (
        Document(dimension)
        .fixed("ground")
        .part("body", 3, 4, 0.3, 0.2, (4, 1), 3e-5)
        .part("arm", 25, 12, 0.9, 0.4, (-5, 2), 1e-4)
        .pin("A", "arm", "body", 10, 5, spring={"stiffness": 0.3, "rest": 1.0})
    )


MACHINES = [
    *((each, d) for each in (four_bar, slider, slotted, geared) for d in (2, 3)),
    (loose, 2),
]
SEEDS = pytest.mark.parametrize("seed", range(2))


@pytest.fixture(params=MACHINES, ids=[f"{each.__name__}-{d}" for each, d in MACHINES], scope="module")
def tree(request):
    machine, dimension = request.param
    return tree_of(machine(dimension).system())


def random_state(tree, seed):
    generator = np.random.default_rng(seed)
    free = [tree.names[k].endswith((".x", ".y")) or tree.names[k] in "ST" for k in tree.independent]
    scale = np.where(free, 0.01, 0.7)
    return generator.normal(size=tree.freedoms) * scale, generator.normal(size=tree.freedoms) * scale * 3


def placed(tree, y, v):
    state = plane_state(tree.machine)
    place_tree(tree.machine, y, v, state)
    return state


def in_world(tree, state):
    """The same state as all bodies' poses and velocities."""
    system = tree.system
    if system.dimension == 2:
        return State(state.bodies[:, POSE], state.bodies[:, VELOCITY])
    poses, velocities = [], []
    for body, row in enumerate(state.bodies):
        c, s = math.cos(row[4]), math.sin(row[4])
        turned = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]) @ system.drawn.matrices[body][:3, :3]
        poses.append([row[0], row[1], system.drawn.poses[body, 2], *quaternion_of(turned)])
        velocities.append([row[5], row[6], 0, 0, 0, row[7]])
    return State(np.array(poses), np.array(velocities))


def wide(system, rows):
    """(3 N, m) of x, y and rotation, on the columns of a System."""
    every = np.zeros((system.degrees, rows.shape[1]))
    across = [0, 1, 2] if system.dimension == 2 else [0, 1, 5]
    for body, column in enumerate(system.columns):
        if column >= 0:
            every[column + np.array(across)] = rows[3 * body : 3 * body + 3]
    return every


@SEEDS
def test_velocities_and_velocity_products_are_differences_of_poses(tree, seed):
    y, v = random_state(tree, seed)
    h = 1e-4
    before, now, after = (placed(tree, y + t * v, v).bodies for t in (-h, 0.0, h))
    assert now[:, VELOCITY] == pytest.approx((after - before)[:, POSE] / (2 * h), rel=1e-6, abs=1e-6)
    second = (after - 2 * now + before)[:, POSE] / h**2
    assert now[:, PRODUCTS] == pytest.approx(second[:, :2], rel=1e-5, abs=1e-5)
    assert second[:, 2] == pytest.approx(0, abs=1e-6)
    assert np.hypot(now[:, 2], now[:, 3]) == pytest.approx(1)
    assert np.abs(now[:, PRODUCTS]).max() > 1e-3, "the machine moves too little to say something"


@SEEDS
def test_spans_are_differences_of_poses_along_each_coordinate(tree, seed):
    y, v = random_state(tree, seed)
    h = 1e-6
    spans = placed(tree, y, v).spans
    for k, unit in enumerate(np.eye(tree.freedoms)):
        before, after = (placed(tree, y + t * unit, v).bodies[:, POSE] for t in (-h, h))
        assert spans[:, k] == pytest.approx(((after - before) / (2 * h)).ravel(), rel=1e-6, abs=1e-8)


@SEEDS
def test_joints_of_the_tree_stay_closed_and_read_their_coordinates(tree, seed):
    """Against the rows of all joints: a tree joint that opened, or a pin's sign, would show."""
    y, v = random_state(tree, seed)
    state = placed(tree, y, v)
    world = in_world(tree, state)
    rows = constraint_rows_at(tree.system, world)
    opened = {joint.name for joint in tree.closing}
    for name, value, row in zip(rows.names, rows.values, rows.matrix, strict=True):
        if name.split(".")[0] not in opened:
            assert value == pytest.approx(0, abs=1e-12), name
            assert row @ wide(tree.system, state.spans) == pytest.approx(0, abs=1e-12), name
    for k, name in enumerate(tree.coordinates):
        if "." not in name:
            reading = coordinate_at(tree.system, world, tree.system.joint(name))
            assert math.remainder(reading.value - state.joints[0, k], 2 * math.pi) == pytest.approx(
                0, abs=1e-9
            )
            assert reading.speed == pytest.approx(state.joints[1, k])


@SEEDS
def test_mass_gives_the_kinetic_energy_of_all_bodies(tree, seed):
    y, v = random_state(tree, seed)
    state = placed(tree, y, v)
    mass, force = np.zeros((tree.freedoms, tree.freedoms)), np.zeros(tree.freedoms)
    mass_and_force(tree.machine, state, mass, force)
    expected = kinetic_energy(tree.system, in_world(tree, state))
    assert 0.5 * v @ mass @ v == pytest.approx(expected, rel=1e-12)
    assert energies(tree.machine, state)[0] == pytest.approx(expected, rel=1e-12)
    assert mass == pytest.approx(mass.T)


@SEEDS
def test_forces_are_those_of_lagrange(tree, seed):
    """d/dt dT/dv - dT/dy = -dV/dy - damping, at zero accelerations: the force with its minus sign."""
    y, v = random_state(tree, seed)
    n, h = tree.freedoms, 1e-5

    def at(y):
        state, mass, force = placed(tree, y, v), np.zeros((n, n)), np.zeros(n)
        mass_and_force(tree.machine, state, mass, force)
        kinetic, stored, height, *_ = energies(tree.machine, state)
        return mass, kinetic - stored - height, force, state

    _, _, force, state = at(y)
    momentum = (at(y + h * v)[0] - at(y - h * v)[0]) @ v / (2 * h)
    slope = [(at(y + h * unit)[1] - at(y - h * unit)[1]) / (2 * h) for unit in np.eye(n)]
    spans = np.concatenate([tree.machine.follow, tree.machine.measure[:, WAY, None] * state.measured[:, :n]])
    damping = spans.T @ (tree.machine.joints[:, 3] * state.joints[1])
    assert force == pytest.approx(slope - momentum - damping, rel=1e-6, abs=1e-8)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("machine", "dimension"), [(m, d) for m in (four_bar, slider, slotted) for d in (2, 3)]
)
def test_closing_rows_are_those_of_mechanics(machine, dimension, seed):
    """Their factors, how far they are open and their rates, at states where they are open and where not."""
    tree = tree_of(machine(dimension).system())
    y, v = random_state(tree, seed)
    state = placed(tree, y * (seed > 0), v)
    loops = loop_tables(tree)
    n = tree.freedoms
    held = np.zeros((len(loops.joints), n + 2))
    loop_rows(loops.joints, loops.numbers, state.bodies, state.spans, held)
    rows = constraint_rows_at(tree.system, in_world(tree, state))
    spans = wide(tree.system, state.spans)
    products = np.zeros((3 * len(state.bodies), 1))
    for body, row in enumerate(state.bodies):
        products[3 * body : 3 * body + 2, 0] = row[PRODUCTS]
    (name,) = (joint.name for joint in tree.closing)
    same = [k for k, label in enumerate(rows.names) if label.split(".")[0] == name]
    expected = np.column_stack(
        [
            rows.matrix[same] @ spans,
            rows.values[same],
            rows.rates[same] + (rows.matrix[same] @ wide(tree.system, products))[:, 0],
        ]
    )
    # Rows that keep bodies in the plane have nothing to say about motion in it.
    expected = expected[np.abs(expected[:, :n]).max(axis=1) > 1e-12]
    assert len(expected) == len(held)
    if dimension == 3:
        held = np.array(
            [as_in_space(row, kind, v) for row, kind in zip(held, loops.joints[:, 2], strict=True)]
        )
        # Axes across a slide point either way.
        held *= np.sign((held[:, :n] * expected[:, :n]).sum(axis=1))[:, None]
    assert held == pytest.approx(expected, rel=1e-9, abs=1e-12)


def as_in_space(row, kind, v):
    """A held angle is open by its sine in space, not by itself."""
    if kind != ANGLE:
        return row
    turning, angle = row[:-2], row[-2]
    speed = turning @ v
    return np.array([*(math.cos(angle) * turning), math.sin(angle), -math.sin(angle) * speed**2])


def test_inertia_alone_is_about_a_pin():
    def wheel():
        return Builder(units="mm").part("ground", fixed=True).part("wheel", inertia=3e-5)

    pinned = wheel().joint("A", "revolute", "ground", "wheel", at=[5, 2]).build()
    tree = tree_of(compile_system(pinned))
    mass, force = np.zeros((1, 1)), np.zeros(1)
    mass_and_force(tree.machine, placed(tree, np.zeros(1), np.ones(1)), mass, force)
    assert mass[0, 0] == pytest.approx(3e-5)
    with pytest.raises(ModelError, match="about a pin"):
        tree_of(compile_system(wheel().build()))
