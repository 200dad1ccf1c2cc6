"""What beams and plates do between parts: as springs where they give way, refused where they are rigid."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import detent
from detent.foundation import UnsupportedError
from detent.mechanics import spring_forces
from detent.model import State, compile_system

BEAM = {"length": 40, "height": 4, "width": 20, "modulus": 2.7e9}
BENDING = 2.7e9 * 0.02 * 0.004**3 / 12


def leaf_spring(along: list[float]) -> detent.Mechanism:
    """A table on a slide along y that a beam holds too: it is led without turning."""
    guide = {"markers": {"s": {"at": [0, 0], "along": [0, 1]}}}
    leaf = {"type": "elastic", "between": ["base", "table"], "at": [0, 0], "along": along, "beam": BEAM}
    return detent.from_dict(
        {
            "units": "mm",
            "parts": {"base": {"fixed": True} | guide, "table": guide},
            "joints": {"slide": {"type": "prismatic", "between": ["base.s", "table.s"]}, "leaf": leaf},
            "drives": {"push": {"joint": "slide", "from": 0, "to": 1, "steps": 1}},
        }
    )


def test_a_beam_whose_tip_is_led_without_turning_pushes_back_by_12_e_i_over_l_cubed() -> None:
    machine = leaf_spring([1, 0])
    moved = detent.move(machine)
    assert moved.forces["drive push"] == pytest.approx([0, 12 * BENDING / 0.04**3 * 0.001], rel=1e-9)
    assert abs(moved.forces["slide"][-1][1]) == pytest.approx(6 * BENDING / 0.04**2 * 0.001, rel=1e-9)
    (left_out,) = [words for words in moved.scope.left_out if words.startswith("joints.leaf")]
    assert left_out == "joints.leaf: what it carries along x, where it is rigid"


def test_a_beam_that_is_pulled_along_itself_is_refused_as_rigid() -> None:
    with pytest.raises(
        UnsupportedError, match=r"joints\.leaf: is rigid along x, where this state moves it by"
    ) as no:
        detent.move(leaf_spring([0, 1]))
    assert "hold that direction by another joint" in str(no.value)


@pytest.mark.parametrize("turned", [False, True])
def test_a_plate_pushes_down_its_energy(turned: bool) -> None:
    plate = {"sides": [32, 66], "thickness": 3, "modulus": 2.7e9, "clamped": ["x=0", "y=0"], "at": [27, 48]}
    plate |= {"knots": [[18.2], [20.8, 47.9]]}
    hook = {"mass": 1, "center": [0, 0, 0], "principal": [1, 1, 1]}
    joint = {"type": "elastic", "between": ["base", "hook"], "at": [5, 6, 7], "plate": plate}
    machine = detent.from_dict(
        {
            "units": "mm",
            "dimension": 3,
            "parts": {"base": {"fixed": True}, "hook": hook},
            "joints": {"s": joint | ({"along": "y"} if turned else {})},
        }
    )
    system = compile_system(machine)
    axes = system.joint("s").a.matrix[:, :3]
    at = np.array([5e-3, 6e-3, 7e-3])

    def energy(w: float, tilt_x: float, tilt_y: float) -> tuple[float, np.ndarray]:
        turn = axes @ [tilt_x, tilt_y, 0]
        angle = np.linalg.norm(turn)
        axis = turn / angle if angle else np.array([1.0, 0, 0])
        cross = np.cross(axis, np.eye(3)).T
        matrix = np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross
        origin = at + axes @ [0, 0, w] - matrix @ at  # the hook's point goes by w along the plate's normal
        poses = system.drawn.poses.copy()
        body = system.index["hook"]
        poses[body, :3] = origin
        poses[body, 3:] = [np.cos(angle / 2), *(np.sin(angle / 2) * axis)]
        acts = spring_forces(system, State(poses, np.zeros_like(system.drawn.velocities)))
        return acts.stored, acts.force

    stiffness = np.array(detent.explain(machine).elastic["s"]["stiffness"])
    for moved in ([1e-3, 0, 0], [0, 2e-3, 0], [0, 0, 3e-3]):
        stored, force = energy(*moved)
        assert stored == pytest.approx(0.5 * np.array(moved) @ stiffness @ moved, rel=1e-4)
        load = stiffness @ moved
        assert force[:3] == pytest.approx(-(axes @ [0, 0, load[0]]), rel=1e-2, abs=1e-6)


BOX_ON_A_LEAF = {
    "gravity": [0, -9.81],
    "parts": {
        "base": {"fixed": True, "shape": {"outline": [[0, 0], [9, 0], [9, -1], [0, -1]]}},
        "box": {
            "shape": {"outline": [[1, 0], [3, 0], [3, 2], [1, 2]]},
            "mass": 1,
            "center": [2, 1],
            "inertia": 1,
        },
    },
    "touching": {"friction": 0.1},
}


@pytest.mark.parametrize("method", [detent.Rigid(), detent.Penalty()], ids=["rigid", "penalty"])
@pytest.mark.parametrize("support", [{"beam": BEAM}, {"stiffness": [1e3, 1e3, 10]}])
def test_a_run_over_time_does_not_let_go_of_what_an_elastic_joint_holds(method: Any, support: Any) -> None:
    joint = {"type": "elastic", "between": ["base", "box"], "at": [2, 2]} | support
    machine = detent.from_dict(BOX_ON_A_LEAF | {"joints": {"leaf": joint}})
    with pytest.raises(UnsupportedError, match=r"joints\.leaf: bends in all directions"):
        detent.run(machine, until=0.1, method=method)


def test_modes_name_the_directions_that_a_beam_holds_and_they_do_not_count() -> None:
    joint = {"type": "elastic", "between": ["base", "box"], "at": [2, 2]}
    rigid = "directions in which joint leaf is rigid"
    for support, named in (({"beam": BEAM}, True), ({"stiffness": [1e3, 1e3, 10]}, False)):
        machine = detent.from_dict(BOX_ON_A_LEAF | {"joints": {"leaf": joint | support}})
        assert (rigid in detent.modes(machine).contacts.beside.left_out) is named
