"""Parts beside a joint that carries a load, or beside a part that moves, stay at rest without a force."""

import numpy as np
import pytest

import detent

SCENES = range(12)
JOINTS = ("fixed", "revolute", "prismatic")


def machine_beside_a_part(seed, joint, far=30):
    """A part lies loose on the ground without gravity; beside it a joint carries another, somewhere."""
    random = np.random.default_rng(seed)
    dimension = 2 + seed % 2
    units, size = [("m", 1), ("mm", 1000), ("in", 40)][seed % 3]
    middle = float(random.choice([0, far]) * size)
    at = [round(middle + size * x, 3) for x in random.uniform(-1, 1, dimension)]
    axis = [[3.0, 4.0], [0.3, -0.2, 1.0]][dimension - 2]
    feet = [[[-1, 0], [1, 0]], [[-1, -1, 0], [1, -1, 0], [0, 1, 0]]][dimension - 2]
    inertia = {"inertia": 0.2} if dimension == 2 else {"principal": [0.2, 0.2, 0.2]}

    def placed(point):
        return [middle + size * x for x in point]

    document = {
        "dimension": dimension,
        "units": units,
        "parts": {
            "ground": {"fixed": True},
            "loose": {"mass": 0.37, "center": placed([0.1, 0.4, 0.3][:dimension]), **inertia},
            "carried": {"mass": 4.1, "center": placed([0.7, 0.2, -0.3][:dimension]), **inertia},
        },
        "joints": {"carries": {"type": joint, "between": ["ground", "carried"], "at": at}},
        "contacts": [
            {
                "between": ["ground", "loose"],
                "point": placed(foot),
                "normal": [0, 1] if dimension == 2 else [0, 0, 1],
                "friction": [0, 0.3][seed // 2 % 2],
            }
            for foot in feet
        ],
    }
    if joint == "prismatic" or (joint == "revolute" and dimension == 3):
        document["joints"]["carries"]["along"] = axis
    return document, np.array(at), np.array(axis), random


def with_moment(point, force):
    moment = np.cross(point, force) if len(point) > 2 else [point[0] * force[1] - point[1] * force[0]]
    return [float(x) for x in (*force, *moment)]


def rests(motion):
    (mode,) = motion.consistent
    assert set(mode.states) == {"sticking"}
    assert not mode.on_the_edge
    assert mode.normal == (0.0,) * len(mode.states)
    assert np.abs(mode.acceleration_of_centre["loose"].linear).max() == 0
    return mode


@pytest.mark.parametrize("joint", JOINTS)
@pytest.mark.parametrize("seed", SCENES)
def test_a_load_on_a_joint_does_not_move_the_part_beside_it(seed, joint):
    document, at, axis, random = machine_beside_a_part(seed, joint)
    force = random.uniform(-30, 30, len(at))
    if joint == "prismatic":  # across the slide
        force = force - axis * (axis @ force) / (axis @ axis)
    load = with_moment(at, force)
    if joint == "fixed":
        load[-1] += 7.3
    mechanism = detent.from_dict(document)
    rests(detent.moved_by(mechanism, {"carried": load}))
    whole = [0.0] * len(load) + load  # of all parts, in their order
    assert detent.grasp(detent.modes(mechanism), whole).answer == "stable"


@pytest.mark.parametrize("seed", SCENES)
def test_a_crank_that_turns_does_not_move_the_part_beside_it(seed):
    document, at, axis, random = machine_beside_a_part(seed, "revolute")
    spin = random.uniform(1, 5) * (axis if len(at) == 3 else np.array([0, 0, 1.0]))
    pivot = np.append(at, [0.0] * (3 - len(at)))
    velocity = [float(x) for x in (*np.cross(pivot, spin)[: len(at)], *spin[-1 if len(at) == 2 else 0 :])]
    still = {"loose": [0.0] * len(velocity)}
    mode = rests(detent.moved_by(detent.from_dict(document), still, velocity={"carried": velocity}))
    arm = np.append(document["parts"]["carried"]["center"], [0.0] * (3 - len(at))) - pivot
    towards_pivot = np.cross(spin, np.cross(spin, arm))[: len(at)]
    assert mode.acceleration_of_centre["carried"].linear == pytest.approx(towards_pivot, rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("joint", JOINTS[1:])
@pytest.mark.parametrize("seed", SCENES)
def test_a_loaded_part_moves_alone_however_far_from_the_origin(seed, joint):
    document, at, axis, random = machine_beside_a_part(seed, joint, far=1000)
    metres = {"m": 1, "mm": 0.001, "in": 0.0254}[document["units"]]
    carried = document["parts"]["carried"]
    force = random.uniform(-30, 30, len(at))
    load = with_moment(carried["center"], force)
    mode = rests(detent.moved_by(detent.from_dict(document), {"carried": load}))
    if joint == "prismatic":
        expected = axis * (axis @ force) / (axis @ axis) / carried["mass"]
    else:
        missing = [0.0] * (3 - len(at))
        along = axis / np.linalg.norm(axis) if len(at) == 3 else np.array([0, 0, 1.0])
        lever = np.cross(along, np.append(carried["center"] - at, missing) * metres)
        turns = lever @ np.append(force, missing) / (0.2 + carried["mass"] * (lever @ lever))
        expected = (turns * lever)[: len(at)]
    linear = np.array(mode.acceleration_of_centre["carried"].linear) * metres
    assert linear == pytest.approx(expected, rel=1e-5, abs=1e-6)
