"""The System of plane and space, and the plane linkage as its view."""

import math
from fractions import Fraction

import numpy as np
import pytest
from msgspec.structs import replace

from detent import Builder, ModelError, UnsupportedError, predict
from detent.app import inputs
from detent.foundation import Number
from detent.geometry import matrix_of, quaternion_of
from detent.kinematics import make_plan
from detent.kinematics.equations import closed_pose, drawn_poses
from detent.mechanics import Bodies, constraint_rows_at, held_rows, shift_of
from detent.model import Drive, State, compile_system, plane_linkage_of, plane_view
from detent.model.document import JOINT_TYPES
from detent.model.machine import InferredJoint, with_joints
from tests.model.test_placed import planetary


def four_bar(dimension, **more):
    """The same four-bar linkage, drawn in the plane and in space."""
    points = {"A": [0, 0], "B": [1, 2], "C": [5, 3], "D": [4, 0]}
    if dimension == 3:
        points = {name: [*point, 7] for name, point in points.items()}
    links = {"crank": "AB", "coupler": "BC", "rocker": "CD"}
    machine = Builder(dimension=dimension).part("ground", fixed=True, markers={k: points[k] for k in "AD"})
    for name, ends in links.items():
        machine = machine.part(name, markers={k: points[k] for k in ends})
    for name, first, second in zip("ABCD", ["ground", *links], [*links, "ground"], strict=True):
        machine = machine.joint(name, more.get(name, "revolute"), f"{first}.{name}", f"{second}.{name}")
    return machine.build()


def test_a_machine_in_space_that_moves_in_one_plane_is_the_same_linkage():
    flat, spatial = plane_linkage_of(four_bar(2)), plane_view(compile_system(four_bar(3)))
    assert spatial.pairs == flat.pairs
    assert spatial.drawn == flat.drawn
    assert spatial.size == flat.size
    plan = make_plan(spatial, closed_pose(spatial), ())
    assert len(plan.system.moving) == 3


def test_a_tilted_slide_in_space_keeps_its_direction_in_the_plane():
    def slide(dimension):
        along = [3, 4] if dimension == 2 else [3, 4, 0]
        zero = [0] * dimension
        return (
            Builder(dimension=dimension)
            .part("rail", fixed=True, markers={"A": {"at": zero, "along": along}})
            .part("block", markers={"A": {"at": zero, "along": along}})
            .joint("A", "prismatic", "rail.A", "block.A", limits={"min": -1, "max": 2})
            .build()
        )

    flat, spatial = plane_linkage_of(slide(2)).pairs[0], plane_view(compile_system(slide(3))).pairs[0]
    assert spatial.a.turn == pytest.approx(flat.a.turn)
    assert (spatial.kind, spatial.low, spatial.high, spatial.offset) == ("prismatic", -1.0, 2.0, 0.0)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"A": "cylindrical"}, "no meaning for a linkage of the plane"),
        ({"A": "spherical", "D": "spherical"}, "can leave the plane"),
    ],
)
def test_what_can_leave_the_plane_is_refused(change, words):
    with pytest.raises(UnsupportedError, match=words):
        plane_view(compile_system(four_bar(3, **change)))


def test_a_tilted_part_is_refused():
    machine = Builder(dimension=3).part("a", pose={"turn_deg": 30, "about": "x"}).build()
    with pytest.raises(UnsupportedError, match="tilted out of the plane"):
        plane_view(compile_system(machine))


PIVOTS = {"lever": (1, 2, 0), "bwheel": (3, -1, 0), "ewheel": (Fraction(1, 3), 5, 0)}


def test_inferred_joints_make_the_machine_that_was_written_with_them():
    """The escapement with joints as inference gives them: rows and springs as by hand, a plane linkage."""
    published = inputs.load("escapement")
    bare = compile_system(published)
    with pytest.raises(UnsupportedError, match="still to be found"):
        plane_view(bare)
    inferred = [
        InferredJoint(name, "revolute", joint.between, PIVOTS[name], (0, 0, 1), "their arcs share an axis")
        for name, joint in published.joints.items()
    ]
    whole = with_joints(bare, inferred)
    joints = {
        name: replace(joint, type="revolute", at=tuple(map(Number, PIVOTS[name])), along="z")
        for name, joint in published.joints.items()
    }
    by_hand = compile_system(replace(published, joints=joints))
    rows, expected = (constraint_rows_at(system, system.drawn) for system in (whole, by_hand))
    assert rows.matrix == pytest.approx(expected.matrix, abs=1e-12)
    assert [j.name for j in whole.joints] == [j.name for j in by_hand.joints]
    assert whole.joint("bwheel").stiffness == by_hand.joint("bwheel").stiffness == 15.0
    assert whole.joint("lever").why == "their arcs share an axis"
    view = plane_view(whole)
    assert drawn_poses(view).shape == (len(published.parts), 3)
    assert [pair.kind for pair in view.pairs] == ["revolute"] * 3


def test_springs_limits_and_damping_are_in_si():
    machine = (
        Builder(units="mm", gravity=[0, -9.81])
        .part("rail", fixed=True, markers={"A": [0, 0]})
        .part("block", markers={"A": [0, 0]})
        .joint(
            "A",
            "prismatic",
            "rail.A",
            "block.A",
            spring={"stiffness": 200, "rest": 5},
            damping=3,
            limits={"min": -10},
        )
        .build()
    )
    system = compile_system(machine)
    joint = system.joint("A")
    assert (joint.stiffness, joint.rest, joint.damping) == (200.0, 0.005, 3.0)
    assert (joint.low, joint.high) == (-0.01, math.inf)
    assert system.gravity.tolist() == [0.0, -9.81, 0.0]
    assert system.metres_per_unit == 0.001


def test_pairs_have_the_fixed_part_first_and_leave_out_the_ignored():
    square = {"outline": [[0, 0], [1, 0], [1, 1], [0, 1]]}
    machine = Builder().part("a", shape=square).part("wall", fixed=True, shape=square).part("b", shape=square)
    machine = (
        machine.part("floor", fixed=True, shape=square).touching(ignore=["b:floor"], friction=0.3).build()
    )
    system = compile_system(machine)
    names = [tuple(system.bodies[i].name for i in pair) for pair in system.pairs]
    assert names == [("wall", "a"), ("a", "b"), ("floor", "a"), ("wall", "b")]
    assert system.touching.friction("a", "b") == pytest.approx(0.3)
    assert system.touching.restitution("a", "b") is None


@pytest.mark.parametrize("seed", range(20))
def test_a_rotation_comes_back_from_its_quaternion(seed):
    rotation = np.linalg.qr(np.random.default_rng(seed).normal(size=(3, 3)))[0]
    rotation *= np.sign(np.linalg.det(rotation))
    quaternion = quaternion_of(rotation)
    assert quaternion[0] >= 0
    assert matrix_of([0, 0, 0, *quaternion])[:3, :3] == pytest.approx(rotation, abs=1e-14)


@pytest.mark.parametrize("name", JOINT_TYPES)
def test_the_count_of_a_joint_type_is_the_number_of_its_rows(name):
    """Gruebler's count, and the rows of mechanics, from the one table."""
    for dimension in (2, 3):
        held = JOINT_TYPES[name].constraints(dimension)
        if held is None or (dimension == 2 and name == "spherical"):
            continue
        keys = {"ratio": 1} if name == "gear" else {"value": 0} if name == "angle" else {}
        keys |= {"stiffness": [1] * (3 if dimension == 2 else 6)} if name == "elastic" else {}
        if name not in ("gear", "angle"):
            keys["at"] = [0] * dimension
        machine = (
            Builder(dimension=dimension).part("a", fixed=True).part("b").joint("J", name, "a", "b", **keys)
        )
        system = compile_system(machine.build())
        matrix = constraint_rows_at(system, system.drawn).matrix
        assert len(matrix) == held
        assert np.linalg.matrix_rank(matrix) == held if held else True


def test_a_gear_finds_its_carrier_among_pins_found_from_shapes():
    """A planetary gear with inferred pins is the one with written pins: planet / arm = 1 - ratio."""
    written = planetary(-2)
    by_hand = compile_system(written)
    bare = replace(written, joints={name: j for name, j in written.joints.items() if j.type != "revolute"})
    pins = {"S": ("ground", "sun", (0, 0)), "R": ("ground", "arm", (0, 0)), "P": ("arm", "planet", (3, 0))}
    found = [
        InferredJoint(name, "revolute", (a, b), at, (0, 0, 1), "a pin in a bore")
        for name, (a, b, at) in pins.items()
    ]
    whole = with_joints(compile_system(bare), found)
    assert whole.joint("mesh").carrier == by_hand.joint("mesh").carrier == whole.index["arm"]


def test_drawn_states_are_not_changed_by_what_is_made_of_them():
    system = compile_system(four_bar(2))
    before = system.drawn.matrices.copy()
    moving = system.drawn.with_velocities(np.ones_like(system.drawn.velocities))
    assert moving is not system.drawn
    assert not system.drawn.velocities.any()
    assert np.array_equal(system.drawn.matrices, before)


@pytest.mark.parametrize("kind", ["prismatic", "in_line"])
def test_a_block_drawn_along_its_line_has_the_same_rows_exactly_and_in_doubles(kind):
    """Three units out on the rail: a line's row acts at the block's own point where the block may turn."""
    machine = (
        Builder()
        .part("rail", markers={"A": {"at": [0, 0], "along": [1, 0]}})
        .part("block", markers={"A": {"at": [3, 0], "along": [1, 0]}})
        .joint("A", kind, "rail.A", "block.A")
        .build()
    )
    exact = np.array([[float(x) for x in row] for row in held_rows(Bodies.of(machine))])
    system = compile_system(machine)
    rows = constraint_rows_at(system, system.drawn).matrix @ shift_of(system, system.drawn)
    both = np.concatenate([exact, rows])
    assert np.linalg.matrix_rank(both) == len(exact) == len(rows)


@pytest.mark.parametrize(
    ("poses", "velocities", "words"),
    [
        ([[0, 0]], [[0, 0, 0]], r"state\.poses: has the shape"),
        ([[0, 0, 0]], [[0, 0]], r"state\.velocities: has the shape"),
        ([[0, 0, math.nan]], [[0, 0, 0]], "not a finite number"),
        ([[0, 0, 0, 1, 0, 0, 1]], [[0] * 6], "not of length one"),
    ],
)
def test_rows_that_are_not_those_of_bodies_are_refused(poses, velocities, words):
    with pytest.raises(ModelError, match=words):
        State(poses, velocities)


def test_a_state_of_another_machine_is_refused():
    system = compile_system(four_bar(2))
    with pytest.raises(ModelError, match="1 bodies in 2 dimensions, and the machine has 4 in 2"):
        constraint_rows_at(system, State(np.zeros((1, 3)), np.zeros((1, 3))))


def test_a_slide_of_the_plane_cannot_run_along_z():
    machine = Builder().part("f", fixed=True).part("a")
    with pytest.raises(ModelError, match=r"joints\.A\.along: a slide cannot leave the plane"):
        machine.joint("A", "prismatic", "f", "a", at=[0, 0], along="z").build()


def test_drives_given_in_python_are_checked_as_those_of_a_file():
    mechanism = inputs.load("four_bar")
    for drive, words in (
        (Drive(joint="Z", inputs=(Number(1),)), "there is no joint"),
        ({}, "not a table of drives"),
    ):
        with pytest.raises(ModelError, match=words):
            predict(mechanism, drives={"d": drive})
