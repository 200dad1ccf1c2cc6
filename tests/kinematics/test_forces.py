"""Forces of a loaded linkage: by virtual work, and by free bodies balanced from scratch."""

from __future__ import annotations

import numpy as np
import pytest

from detent.library import linkages, mechedit
from detent.model.reading import convert
from detent.motion import move
from tests.kinematics.inputs import document_inputs
from tests.kinematics.oracle import Oracle

LOADS = {
    "4-bar": (linkages.four_bar, {"coupler.C": (3.0, -7.0)}),
    "slider-crank": (lambda: linkages.slider_crank(offset=0.2), {"piston.S": (-11.0, 2.0)}),
    "Jansen": (linkages.jansen_leg, {"foot.F": (4.0, 90.0), "shoulder.V": (-5.0, 1.0)}),
    "6-bar (b)": (lambda: mechedit.six_bar("B"), {"II.G": (2.0, 5.0), "I.E": (-1.0, 1.0)}),
    "Duplex": (mechedit.duplex, {"triangle_2.R": (2.0, -3.0)}),
}


@pytest.mark.parametrize("name", LOADS)
def test_the_drive_gives_the_work_that_the_loads_take(name):
    make, loads = LOADS[name]
    mechanism = make()
    motion, oracle = move(mechanism, loads=loads), Oracle(mechanism)
    for i, (x,) in list(enumerate(document_inputs(mechanism)))[::7]:
        oracle.to(x)
        speeds = oracle.velocities()
        work = sum(np.dot(force, speeds[marker]) for marker, force in loads.items())
        assert motion.forces["drive crank"][i] == pytest.approx(-work, rel=1e-8, abs=1e-8)


def free_bodies(oracle: Oracle, loads: dict) -> tuple[dict[str, np.ndarray], float]:
    """Force on the second part of every pin, and the driving torque, from three equations a moving part."""
    mechanism = oracle.mechanism
    moving = [name for name, part in mechanism.parts.items() if not part.fixed]
    at = {name: np.array(point) for name, point in oracle.markers().items()}
    joints = list(mechanism.joints)
    matrix, right = np.zeros((3 * len(moving), 2 * len(joints) + 1)), np.zeros(3 * len(moving))

    def push(part: str, point: np.ndarray, column: int | None, force: np.ndarray) -> None:
        if part in moving:
            row = 3 * moving.index(part)
            moment = point[0] * force[1] - point[1] * force[0]
            if column is None:
                right[row : row + 3] -= [*force, moment]
            else:
                matrix[row : row + 3, column] += [*force, moment]

    for k, name in enumerate(joints):
        first, second = mechanism.joints[name].between
        for axis in (0, 1):
            unit = np.eye(2)[axis]
            push(second.partition(".")[0], at[second], 2 * k + axis, unit)
            push(first.partition(".")[0], at[second], 2 * k + axis, -unit)
    first, second = (end.partition(".")[0] for end in mechanism.joints[oracle.drives[0]].between)
    for part, sign in ((second, 1), (first, -1)):
        if part in moving:
            matrix[3 * moving.index(part) + 2, -1] += sign
    for marker, force in loads.items():
        push(marker.partition(".")[0], at[marker], None, np.array(force))
    solution = np.linalg.solve(matrix, right)
    return {name: solution[2 * k : 2 * k + 2] for k, name in enumerate(joints)}, float(solution[-1])


@pytest.mark.parametrize("name", ["4-bar", "Jansen", "6-bar (b)", "Duplex"])
def test_pins_carry_what_balances_every_free_body(name):
    make, loads = LOADS[name]
    mechanism = make()
    motion, oracle = move(mechanism, loads=loads), Oracle(mechanism)
    for i, (x,) in list(enumerate(document_inputs(mechanism)))[::11]:
        oracle.to(x)
        pins, torque = free_bodies(oracle, loads)
        assert motion.forces["drive crank"][i] == pytest.approx(torque, rel=1e-8, abs=1e-8)
        for joint, force in pins.items():
            assert np.asarray(motion.forces[joint][i])[:2] == pytest.approx(force, rel=1e-8, abs=1e-7)


def test_of_a_wedge_between_slides_the_forces_are_told_and_the_moments_are_not():
    # A wedge of 30° on a level slide lifts a weight on an upright one. Three slides repeat one equation.
    slope, weight = np.radians(30), 2 * 9.81
    level, upright, wedge = ({"at": [0, 0], "turn_deg": turn} for turn in (0, 90, 150))
    mechanism = convert.mechanism(
        {
            "gravity": [0, -9.81],
            "parts": {
                "ground": {"fixed": True, "markers": {"X": level, "Y": upright}},
                "wedge": {"markers": {"X": level, "W": wedge}},
                "lift": {"markers": {"Y": upright, "W": wedge}, "mass": 2, "center": [0, 0], "inertia": 1},
            },
            "joints": {
                "X": {"type": "prismatic", "between": ["ground.X", "wedge.X"]},
                "Y": {"type": "prismatic", "between": ["ground.Y", "lift.Y"]},
                "W": {"type": "prismatic", "between": ["wedge.W", "lift.W"]},
            },
            "drives": {"push": {"joint": "X", "from": 0, "to": 1, "steps": 2}},
        }
    )
    motion = move(mechanism)
    for joint, force in {
        "X": weight,
        "Y": weight * np.tan(slope),
        "W": weight / np.cos(slope),
    }.items():
        assert motion.force_peaks[joint]["most"] == pytest.approx(force)
        assert f"{joint} up to {force:.6g} N (its moment not determined by statics)" in motion.words
