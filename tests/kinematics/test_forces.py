"""Forces of a loaded linkage: by virtual work, and by free bodies balanced from scratch."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest
from msgspec.structs import replace

from detent import Mechanism, from_dict
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
        said = rf"\b{joint} up to (\S+) N \(its moment not determined by statics\)"
        printed = re.search(said, motion.words)
        assert printed is not None
        assert force * (1 - 1e-9) <= float(printed[1]) <= force * (1 + 1e-5)


CRANK, ROD, OFFSET, SPEED = 0.03, 0.11, 0.02, 12.0  # [m], [rad/s]


def crank_with_masses(**of_rod: float) -> Mechanism:
    """A slider-crank whose block has a mass and a centre, and no moment of inertia: it never rotates."""
    at = (math.sqrt(ROD**2 - OFFSET**2) + CRANK, -OFFSET)
    return from_dict(
        {
            "parts": {
                "ground": {
                    "fixed": True,
                    "markers": {"A": [0, 0], "S": {"at": [0, -OFFSET], "along": [1, 0]}},
                },
                "crank": {"markers": {"A": [0, 0], "B": [CRANK, 0]}},
                "rod": {"markers": {"B": [CRANK, 0], "C": at}, **of_rod},
                "block": {"markers": {"C": at}, "mass": 0.5, "center": at},
            },
            "joints": {
                "A": {"type": "revolute", "between": ["ground.A", "crank.A"]},
                "B": {"type": "revolute", "between": ["crank.B", "rod.B"]},
                "C": {"type": "revolute", "between": ["rod.C", "block.C"]},
                "S": {"type": "prismatic", "between": ["ground.S", "block.C"]},
            },
            "drives": {"turn": {"joint": "A", "from_deg": 0, "to_deg": 360, "steps": 8, "speed": SPEED}},
        }
    )


def travel(angle: np.ndarray) -> np.ndarray:
    return CRANK * np.cos(angle) + np.sqrt(ROD**2 - (OFFSET + CRANK * np.sin(angle)) ** 2)


def test_a_slider_with_a_mass_needs_no_moment_of_inertia():
    """The torque is the rate of the block's energy of motion over the speed."""
    motion = move(crank_with_masses())
    step = 1e-4
    near = motion.inputs[:, None] + step * np.arange(-3, 4)
    places = travel(near)
    energy = 0.25 * (SPEED * (places[:, 2:] - places[:, :-2]) / (2 * step)) ** 2
    torque = (energy[:, 3] - energy[:, 1]) / (2 * step)
    assert motion.forces["drive turn"] == pytest.approx(torque, abs=1e-5 * np.abs(torque).max())
    assert not [words for words in motion.scope.left_out if words.startswith("parts.")]


def test_a_part_that_rotates_counts_with_its_mass_and_its_moment_of_inertia_is_named():
    centre = {"mass": 0.3, "center": (CRANK + 0.05, -0.01)}
    point, whole = move(crank_with_masses(**centre)), move(crank_with_masses(**centre, inertia=0))
    assert point.forces["drive turn"] == pytest.approx(whole.forces["drive turn"], rel=1e-12)
    named = [words for words in point.scope.left_out if words.startswith("parts.")]
    assert named == ["parts.rod: its moment of inertia (parts.rod.inertia is missing)"]


def test_a_gears_moment_is_told_with_the_wheel_that_it_acts_on():
    """The slow wheel has three times the moment of the fast one."""
    wheels = {name: {"markers": {"O": [x, 0], "T": [x, 1]}} for name, x in (("fast", 0), ("slow", 4))}
    axes = {
        name: {"type": "revolute", "between": [f"ground.{name}", f"{name}.O"]} for name in ("fast", "slow")
    }
    machine = from_dict(
        {
            "parts": {"ground": {"fixed": True, "markers": {"fast": [0, 0], "slow": [4, 0]}}, **wheels},
            "joints": {**axes, "mesh": {"type": "gear", "between": ["fast", "slow"], "ratio": "-1/3"}},
            "drives": {"turn": {"joint": "fast", "from_deg": 0, "to_deg": 1080, "steps": 12}},
        }
    )
    motion = move(machine, loads={"slow.T": (6.0, 0.0)})
    assert motion.force_peaks["drive turn"]["most"] == pytest.approx(2)
    assert "mesh up to 6 N m on slow" in motion.words


def landing_gear(*, weight: float = 1.0, rod: float = 0.0) -> Mechanism:
    """A leg on a brace of two links, which an actuator stretches until they are in line; inches."""
    pinned = {
        "A": ("plane.A", "leg.A"), "C": ("leg.C", "low.C"), "E": ("low.E", "up.E"),
        "D": ("plane.D", "up.D"), "K": ("plane.K", "barrel.K"), "Z": ("rod.Z", "up.Z"),
    }  # fmt: skip
    joints = {name: {"type": "revolute", "between": list(ends)} for name, ends in pinned.items()}
    joints["act"] = {"type": "prismatic", "between": ["barrel.a", "rod.b"]}
    return from_dict(
        {
            "units": "in",
            "gravity": [0, -9.81],
            "parts": {
                "plane": {"fixed": True, "markers": {"A": [0, 0], "D": [20, 2], "K": [14, 9]}},
                "leg": {"markers": {"A": [0, 0], "C": [2, -14]}, "mass": 30 * weight, "center": [1, -22]},
                "low": {"markers": {"C": [2, -14], "E": [11, -7.5]}},
                "up": {"markers": {"E": [11, -7.5], "D": [20, 2], "Z": [16, -1]}},
                "barrel": {"markers": {"K": [14, 9], "a": {"at": [14, 9], "along": [2, -10]}}},
                "rod": {
                    "markers": {"Z": [16, -1], "b": {"at": [16, -1], "along": [2, -10]}},
                    **({"mass": rod, "center": [16, -1]} if rod else {}),
                },
            },
            "joints": joints,
            "drives": {"actuator": {"joint": "act", "from": 10.2, "to": 14, "steps": 19}},
        }
    )


@pytest.mark.parametrize("weight", [1e-6, 1.0, 1e6])
def test_rounding_beside_a_dead_point_is_no_force(weight):
    """An actuator without mass is a two-force member: nothing acts across it, however large its force."""
    peaks = move(landing_gear(weight=weight)).force_peaks
    assert peaks["drive actuator"]["unbounded"]
    assert (peaks["act"]["most"], peaks["act"]["moment_most"]) == (0.0, 0.0)


def test_a_small_force_beside_a_large_one_is_no_rounding():
    """A rod with 1e-9 of the leg's mass: at its pin its weight is all on the pin; off it, it acts across."""
    motion = move(landing_gear(rod=30e-9))
    assert max(abs(x) for row in motion.forces["act"] for x in row) == 0.0
    off = [move(_off_its_pin(mass)).forces["act"] for mass in (30e-9, 60e-9)]
    once, twice = (np.array(rows[:-1], dtype=float) for rows in off)
    assert np.abs(once).min() > 0.0
    assert twice == pytest.approx(2 * once, rel=1e-3)


def _off_its_pin(mass: float) -> Mechanism:
    machine = landing_gear(rod=mass)
    rod = replace(machine.parts["rod"], center=(15.7, 0.5))
    return replace(machine, parts={**machine.parts, "rod": rod})
