"""Weights, springs, dampers, torques and inertia in the forces of `move`, and where forces have no number.

Oracles: the change of energy along the path, free bodies balanced in the test, closed forms of cranks and
parallelograms, and the limit of forces from positions nearby.
"""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from detent.model.reading import convert
from detent.motion import move

G = 9.81


def crank_rocker(drive=None, gravity=None, coupler=None, joints=None, **more):
    """7-2-6-5 in millimetres, its coupler's centre off the line of its pins."""
    parts = {
        "ground": {"fixed": True, "markers": {"A": [0, 0], "D": [7, 0]}},
        "crank": {"markers": {"A": [0, 0], "B": [2, 0]}},
        "coupler": {
            "pose": {"at": [2, 0], "turn_deg": 55},
            "markers": {"B": [0, 0], "C": [6, 0], "P": [3, 2]},
            **(coupler or {}),
        },
        "rocker": {"pose": {"at": [7, 0], "turn_deg": 105}, "markers": {"D": [0, 0], "C": [5, 0]}},
    }
    pins = {
        "A": ["ground.A", "crank.A"],
        "B": ["crank.B", "coupler.B"],
        "C": ["coupler.C", "rocker.C"],
        "D": ["ground.D", "rocker.D"],
    }
    table = {
        name: {"type": "revolute", "between": ends, **(joints or {}).get(name, {})}
        for name, ends in pins.items()
    }
    drives = {"turn": drive or {"joint": "A", "from_deg": 0, "to_deg": 360, "steps": 72}} | more.pop(
        "drives", {}
    )
    document = {"units": "mm", "parts": parts, "joints": table, "drives": drives, **more}
    if gravity is not None:
        document["gravity"] = gravity
    return convert.mechanism(document)


def fine(at, step=1e-4):
    """Three positions about one, so that a difference gives a derivative."""
    return {"joint": "A", "inputs": [at - step, at, at + step]}


def relative_angle(motion, second, first):
    return np.asarray(motion.poses[second])[:, 2] - np.asarray(motion.poses[first])[:, 2]


@pytest.mark.parametrize("at", [0.4, 1.9, 3.3, 5.1])
def test_a_drive_gives_the_energy_that_weights_and_springs_take(at):
    mechanism = crank_rocker(
        fine(at),
        gravity=[1.5, -G],
        coupler={"mass": 2, "center": [3, 2]},
        joints={"C": {"spring": {"stiffness": 5, "rest_deg": 20}}},
    )
    motion = move(mechanism)
    centre = np.asarray(motion.markers["coupler.P"]) / 1000
    bent = relative_angle(motion, "rocker", "coupler")
    energy = -2 * (centre @ [1.5, -G]) + 2.5 * (bent - math.radians(20)) ** 2
    assert motion.forces["drive turn"][1] == pytest.approx((energy[2] - energy[0]) / 2e-4, rel=1e-6)


def test_a_drive_without_positions_is_a_torque_on_its_joint():
    """On the rocker's pin, and against a load of the same work."""
    mechanism = crank_rocker(fine(1.2), drives={"help": {"joint": "D", "torque": 0.25}})
    motion = move(mechanism)
    assert motion.drives == ("turn",)
    rocker = np.asarray(motion.poses["rocker"])[:, 2]
    rate = (rocker[2] - rocker[0]) / 2e-4
    assert motion.forces["drive turn"][1] == pytest.approx(-0.25 * rate, rel=1e-7)


def balanced(motion, i, loads, spring=0.0):
    """Pins and drive from three equations a moving part, written out for the crank-rocker."""
    at = {name: np.asarray(track[i]) / 1000 for name, track in motion.markers.items()}
    at |= {"ground.A": np.zeros(2), "ground.D": np.array([0.007, 0])}
    moving = ["crank", "coupler", "rocker"]
    ends = {
        "A": ("ground.A", "crank.A"),
        "B": ("crank.B", "coupler.B"),
        "C": ("coupler.C", "rocker.C"),
        "D": ("ground.D", "rocker.D"),
    }
    matrix, right = np.zeros((9, 9)), np.zeros(9)

    def rows(part):
        k = 3 * moving.index(part)
        return slice(k, k + 3)

    for k, (first, second) in enumerate(ends.values()):
        for marker, sign in ((first, -1.0), (second, 1.0)):
            part, point = marker.partition(".")[0], at[marker]
            if part in moving:
                matrix[rows(part), 2 * k : 2 * k + 2] += sign * np.array(
                    [[1, 0], [0, 1], [-point[1], point[0]]]
                )
    matrix[2, 8] = 1.0
    for marker, force in loads.items():
        point = at[marker]
        right[rows(marker.partition(".")[0])] -= [*force, point[0] * force[1] - point[1] * force[0]]
    right[8] -= spring  # torque of the spring in C on the rocker, and against it on the coupler
    right[5] += spring
    return np.linalg.solve(matrix, right)


@pytest.mark.parametrize("i", range(0, 72, 9))
def test_pins_balance_weights_springs_and_loads_of_every_free_body(i):
    mechanism = crank_rocker(
        gravity=[0, -G],
        coupler={"mass": 2, "center": [3, 2]},
        joints={"C": {"spring": {"stiffness": 0.5, "rest": 0.3}}},
    )
    motion = move(mechanism, loads={"rocker.C": (3.0, -1.0)})
    torque = -0.5 * (relative_angle(motion, "rocker", "coupler")[i] - 0.3)
    wanted = balanced(motion, i, {"coupler.P": (0.0, -2 * G), "rocker.C": (3.0, -1.0)}, torque)
    for k, pin in enumerate("ABCD"):
        assert motion.forces[pin][i] == pytest.approx(wanted[2 * k : 2 * k + 2], rel=1e-9, abs=1e-9)
    assert motion.forces["drive turn"][i] == pytest.approx(wanted[8], rel=1e-9, abs=1e-12)


def whirling(**crank):
    return convert.mechanism(
        {
            "units": "mm",
            "parts": {
                "ground": {"fixed": True, "markers": {"A": [0, 0]}},
                "crank": {"markers": {"A": [0, 0]}, "mass": 3, "center": [40, 30], "inertia": 0.002, **crank},
            },
            "joints": {"A": {"type": "revolute", "between": ["ground.A", "crank.A"], "damping": 0.02}},
            "drives": {"d": {"joint": "A", "from_deg": 0, "to_deg": 360, "steps": 8, "speed": 7}},
        }
    )


def test_a_whirling_mass_pulls_at_its_pivot_and_its_damper_takes_all_the_torque():
    motion = move(whirling())
    for q, torque, pull in zip(motion.inputs, motion.forces["drive d"], motion.forces["A"], strict=True):
        out = np.array([math.cos(q), math.sin(q)]) * 0.04 + np.array([-math.sin(q), math.cos(q)]) * 0.03
        assert pull == pytest.approx(-3 * 7**2 * out, abs=1e-9)  # on the crank, inwards
        assert torque == pytest.approx(0.02 * 7, abs=1e-12)


@pytest.mark.parametrize("steps", [1, 3, 120])
def test_where_a_drive_turns_back_its_extremes_hold_both_sides(steps):
    # Upright at the turn: the weight has no lever there, so the least torque is the damper's, just after it.
    up = np.linspace(-90.0, 0.0, steps + 1)
    back = whirling(mass=1, center=[0, 100], inertia=0).with_("gravity", [0, -G])
    back = back.with_("joints.A.damping", 0.2).with_(
        "drives.d", {"joint": "A", "inputs_deg": [*up.tolist(), *up[-2::-1].tolist()], "speed": 1.5}
    )
    peak = move(back).force_peaks["drive d"]
    assert peak["least"] == pytest.approx(-0.2 * 1.5, abs=1e-8)
    assert peak["least_at"] == pytest.approx(0.0, abs=1e-6)
    assert peak["most"] == pytest.approx(0.2 * 1.5 + G * 0.1, abs=1e-8)


@pytest.mark.parametrize("at", [0.7, 2.6, 4.4])
def test_power_of_the_drive_is_what_moving_energy_and_dampers_take(at):
    speed, mass, inertia = 30.0, 2.0, 3e-5
    mechanism = crank_rocker(
        {**fine(at), "speed": speed},
        gravity=[0, -G],
        coupler={"mass": mass, "center": [3, 2], "inertia": inertia},
        joints={"D": {"damping": 0.004}},
    )
    motion = move(mechanism)
    centre = np.asarray(motion.velocities["coupler.P"]) / 1000
    angle = np.asarray(motion.poses["coupler"])[:, 2]
    rocker = np.asarray(motion.poses["rocker"])[:, 2]
    kinetic = 0.5 * mass * (centre**2).sum(axis=1)
    wider = move(crank_rocker({**fine(at, 2e-4), "speed": speed}, coupler={"mass": mass, "center": [3, 2]}))
    wide = np.asarray(wider.poses["coupler"])[:, 2]
    spin = speed * (angle[2] - angle[0]) / 2e-4
    bend = speed**2 * (wide[2] - 2 * wide[1] + wide[0]) / 4e-8
    power = speed * (kinetic[2] - kinetic[0]) / 2e-4 + inertia * spin * bend
    power += mass * G * centre[1, 1] + 0.004 * (speed * (rocker[2] - rocker[0]) / 2e-4) ** 2
    assert motion.forces["drive turn"][1] * speed == pytest.approx(power, rel=2e-6)


def double_rocker(inputs):
    """Two links of 60 and 50 on a base of 70, joined by 30: in line at acos(1/4), drawn at 1.2."""
    b = 60 * np.exp(1.2j)
    reach = abs(70 - b)
    angle = math.acos((30**2 + reach**2 - 50**2) / (2 * 30 * reach))
    c = b + 30 * (70 - b) / reach * np.exp(1j * angle)
    parts = {
        "ground": {"fixed": True, "markers": {"A": [0, 0], "D": [70, 0]}},
        "left": {"markers": {"A": [0, 0], "B": [b.real, b.imag]}},
        "coupler": {"markers": {"B": [b.real, b.imag], "C": [c.real, c.imag]}},
        "right": {"markers": {"C": [c.real, c.imag], "D": [70, 0]}},
    }
    ends = {
        "A": ("ground", "left"),
        "B": ("left", "coupler"),
        "C": ("coupler", "right"),
        "D": ("ground", "right"),
    }
    joints = {
        name: {"type": "revolute", "between": [f"{first}.{name}", f"{second}.{name}"]}
        for name, (first, second) in ends.items()
    }
    drives = {"d": {"joint": "A", "inputs": inputs}}
    return convert.mechanism({"units": "mm", "parts": parts, "joints": joints, "drives": drives})


@pytest.fixture
def limit():
    return math.acos(1 / 4) - 1.2


def test_forces_grow_without_bound_towards_a_limit_and_have_none_at_it(limit):
    shares = [1e-2, 1e-4, 1e-6, 1e-8]
    motion = move(
        double_rocker([0.0, *(limit * (1 - s) for s in shares), 2 * limit]), loads={"coupler.C": (0, -10)}
    )
    torques = motion.forces["drive d"]
    side = int(np.sign(torques[-2]))
    assert torques[-1] == side * np.inf
    assert motion.force_peaks["drive d"] == {
        "unbounded": True,
        "at": pytest.approx(limit, abs=1e-12),
        "all_at": (pytest.approx(limit, abs=1e-12),),
        "toward": (side,),
    }
    # The angle between the links goes as the root of the way left, and the torque as one over it.
    ratios = np.array(torques[2:5]) / np.array(torques[1:4])
    assert ratios[1:] == pytest.approx([10, 10], rel=0.05)
    for pin in "ABCD":
        before, there = motion.forces[pin][-2:]
        assert list(there) == list(np.sign(before) * np.inf)
        assert motion.force_peaks[pin]["unbounded"]
    assert motion.to_csv().splitlines()[-1].endswith("inf,-inf" if there[1] < 0 else "inf,inf")
    told = json.loads(motion.to_json())["forces"]
    assert told["drive d"][-1] == {"unbounded": True}
    assert told["D"][-1] == [{"unbounded": True}] * 2


def test_a_load_that_does_no_work_at_the_limit_asks_a_finite_force(limit):
    there = move(double_rocker([0.0, 2 * limit]))
    (bx, by), (cx, cy) = (there.markers[f"coupler.{m}"][-1] for m in "BC")
    along = np.array([cx - bx, cy - by]) / math.hypot(cx - bx, cy - by)
    lefts = [1e-5, 1e-7, 1e-9]
    inputs = [0.0, *(limit * (1 - s) for s in lefts), 2 * limit]
    motion = move(double_rocker(inputs), loads={"coupler.C": tuple(20 * along)})
    torques = motion.forces["drive d"]
    assert np.isfinite(torques[-1])
    assert "unbounded" not in motion.force_peaks["drive d"]
    errors = np.abs(np.array(torques[1:4]) - torques[-1])
    assert errors[2] < 2e-4 * abs(torques[-1])
    assert errors[:2] / errors[1:] == pytest.approx([10, 10], rel=0.2)  # as the root of the way left
    assert any("no work" in note for note in motion.notes)


def parallelogram(drive, extra=False):
    ends = {"A": ("ground", "crank"), "B": ("crank", "bar"), "C": ("bar", "out"), "D": ("ground", "out")}
    parts = {
        "ground": {"fixed": True, "markers": {"A": [0, 0], "D": [100, 0], "E": [50, 0]}},
        "crank": {"markers": {"A": [0, 0], "B": [30, 40]}},
        "bar": {"markers": {"B": [30, 40], "C": [130, 40], "F": [80, 40], "P": [60, 55]}},
        "out": {"markers": {"C": [130, 40], "D": [100, 0]}},
    }
    if extra:
        parts["extra"] = {"markers": {"E": [50, 0], "F": [80, 40]}}
        ends |= {"E": ("ground", "extra"), "F": ("bar", "extra")}
    joints = {
        name: {"type": "revolute", "between": [f"{first}.{name}", f"{second}.{name}"]}
        for name, (first, second) in ends.items()
    }
    return convert.mechanism({"units": "mm", "parts": parts, "joints": joints, "drives": {"d": drive}})


FLAT = math.pi - math.atan2(40, 30)  # from the drawing, to where all links are in line


def test_at_a_change_point_the_drive_is_finite_and_pins_are_not():
    inputs = [0.0, FLAT - 1e-3, FLAT - 1e-5, FLAT, FLAT + 1e-5, FLAT + 1e-3, 2.5]
    motion = move(parallelogram({"joint": "A", "inputs": inputs}), loads={"bar.P": (2.0, -10.0)})
    for q, torque in zip(inputs, motion.forces["drive d"], strict=True):
        angle = q + math.atan2(40, 30)  # the bar goes round in a circle of 50 without turning
        work = 0.05 * (2.0 * -math.sin(angle) - 10.0 * math.cos(angle))
        assert torque == pytest.approx(-work, rel=1e-6)
    assert abs(motion.forces["B"][3][0]) == np.inf
    assert motion.forces["B"][3][1] == pytest.approx(10.0 - 10.0 * 0.6, abs=50)
    assert motion.force_peaks["B"]["unbounded"]
    assert abs(motion.forces["B"][2][0]) == pytest.approx(100 * abs(motion.forces["B"][1][0]), rel=0.05)


def test_components_that_stay_finite_at_a_change_point_are_the_limits_of_their_neighbours():
    inputs = [0.0, FLAT - 1e-4, FLAT, FLAT + 1e-4, 2.5]
    motion = move(parallelogram({"joint": "A", "inputs": inputs}), loads={"bar.P": (2.0, -10.0)})
    for pin in "ABCD":
        before, at, after = motion.forces[pin][1:4]
        for left, here, right in zip(before, at, after, strict=True):
            if np.isfinite(here):
                assert here == pytest.approx((left + right) / 2, rel=1e-3, abs=1e-3)


def test_repeated_links_leave_joints_undetermined_and_the_drive_determined():
    """Null space of the balance, by the test's own matrix: reactions along the bars that cancel."""
    drive = {"joint": "A", "from_deg": 10, "to_deg": 40, "steps": 3}
    loads = {"bar.P": (2.0, -10.0)}
    one, two = (move(parallelogram(drive, extra), loads=loads) for extra in (False, True))
    assert two.forces["drive d"] == pytest.approx(one.forces["drive d"], rel=1e-12)
    for pin in "ABCDEF":
        assert np.isnan(two.forces[pin]).all()
        assert two.force_peaks[pin]["undetermined"] == two.force_components[pin]
    assert all(np.isfinite(one.forces[pin]).all() for pin in "ABCD")


def hanging(load, at=-math.pi / 2):
    """A crank that is driven, and a link that hangs on it and is not."""
    parts = {
        "ground": {"fixed": True, "markers": {"A": [0, 0]}},
        "crank": {"markers": {"A": [0, 0], "B": [50, 0]}},
        "link": {"pose": {"at": [50, 0], "turn": at}, "markers": {"B": [0, 0], "T": [80, 0]}},
    }
    joints = {
        "A": {"type": "revolute", "between": ["ground.A", "crank.A"]},
        "B": {"type": "revolute", "between": ["crank.B", "link.B"]},
    }
    drives = {"d": {"joint": "A", "inputs": [0.0]}}
    return move(
        convert.mechanism({"units": "mm", "parts": parts, "joints": joints, "drives": drives}),
        loads={"link.T": load},
    )


def test_a_link_that_is_not_held_has_forces_only_where_it_happens_to_balance():
    balanced_one, moved = hanging((0.0, -10.0)), hanging((1.0, -10.0))
    assert balanced_one.forces["drive d"] == pytest.approx([0.5])
    assert balanced_one.forces["B"][0] == pytest.approx([0.0, 10.0])
    assert moved.forces == {}
    assert any("no balance exists: link is not held" in note for note in moved.notes)


def test_a_slide_and_a_weld_tell_the_moment_that_they_carry():
    """A carriage on a mast: its guide carries no force across, but the moment of what hangs beside it."""
    parts = {
        "mast": {"fixed": True, "markers": {"S": {"at": [0, 0], "turn_deg": 90}}},
        "carriage": {
            "markers": {"S": {"at": [0, 500], "turn_deg": 90}, "W": [100, 500]},
            "mass": 100,
            "center": [200, 500],
            "inertia": 10,
        },
        "fork": {"markers": {"W": [100, 500], "T": [1000, 500]}},
    }
    joints = {
        "S": {"type": "prismatic", "between": ["mast.S", "carriage.S"]},
        "W": {"type": "fixed", "between": ["carriage.W", "fork.W"]},
    }
    machine = {"units": "mm", "gravity": [0, -9.81], "parts": parts, "joints": joints}
    drives = {"lift": {"joint": "S", "from": 500, "to": 900, "steps": 2}}
    motion = move(convert.mechanism({**machine, "drives": drives}), loads={"fork.T": (0.0, -5000.0)})
    assert motion.force_peaks["S"]["most"] == pytest.approx(0, abs=1e-9)
    assert motion.force_peaks["S"]["moment_most"] == pytest.approx(100 * 9.81 * 0.2 + 5000 * 1.0)
    assert motion.force_peaks["W"]["moment_most"] == pytest.approx(5000 * 0.9)
    assert "S up to 0 N and 5196.2 N m, W up to 5000 N and 4500 N m" in motion.words


def test_of_many_joints_those_that_carry_most_are_named():
    """Nine weights on nine cranks, the heaviest drawn last."""
    count = 9
    parts = {"ground": {"fixed": True, "markers": {f"O{k}": [k, 0] for k in range(count)}}}
    for k in range(count):
        parts[f"crank{k}"] = {"markers": {"O": [k, 0]}, "mass": k + 1, "center": [k, 0], "inertia": 1}
    joints = {f"J{k}": {"type": "revolute", "between": [f"ground.O{k}", f"crank{k}.O"]} for k in range(count)}
    drives = {f"d{k}": {"joint": f"J{k}", "from": 0, "to": 1, "steps": 1} for k in range(count)}
    machine = {"gravity": [0, -10], "parts": parts, "joints": joints, "drives": drives}
    (line,) = [x for x in move(convert.mechanism(machine)).words.splitlines() if x.startswith("  joints")]
    assert "J8 up to 90 N" in line
    assert "J0 up to" not in line
    assert line.endswith("and 1 more")


@pytest.mark.parametrize(("low", "high"), [(0, 115), (100, 400)])
def test_a_stop_at_a_joints_own_limit_is_named_with_it(low, high):
    """A dead point and a stop are different answers."""
    joints = {"D": {"limits": {"min_deg": low, "max_deg": high}}}
    motion = move(crank_rocker({"joint": "A", "from_deg": 0, "to_deg": 360, "steps": 4}, joints=joints))
    point = next(p for p in motion.limit_points if p.kind == "limit")
    side, at = ("lower", low) if low else ("upper", high)
    assert point.joint == "D"
    assert f"D is at its {side} limit, {at}°" in next(
        x for x in motion.words.splitlines() if x.startswith("  limit")
    )


def test_a_drawing_with_a_joint_beyond_its_limits_has_no_range():
    """Its surroundings are where the drive may not go; begun inside, the range ends at the limit."""
    joints = {"D": {"limits": {"min_deg": 110, "max_deg": 400}}}
    drawn, inside = (
        move(crank_rocker({"joint": "A", "from_deg": a, "to_deg": 200, "steps": 4}, joints=joints))
        for a in (0, 120)
    )
    assert not len(drawn.inputs)
    assert drawn.range is None
    assert any("D is beyond its limits there" in note for note in drawn.notes)
    at_limit = move(crank_rocker({"joint": "A", "inputs": [inside.range["from"]]}))
    assert math.degrees(at_limit.poses["rocker"][0, 2]) == pytest.approx(110, abs=1e-9)


@pytest.mark.parametrize(("turns", "told"), [(1, "90° and 270°"), (5, "90°, 270°, 450°, ")])
def test_every_dead_point_without_a_bound_is_told_where_it_is(turns, told):
    """A parallelogram that is drawn upright comes in line after a quarter turn, and then after every half."""
    points = {"A": [0, 0], "B": [0, 20], "C": [40, 20], "D": [40, 0], "P": [20, 40]}
    parts = {"ground": "AD", "crank": "AB", "coupler": "BCP", "rocker": "CD"}
    pins = {"A": "ground crank", "B": "crank coupler", "C": "coupler rocker", "D": "ground rocker"}
    data = {
        "units": "mm",
        "parts": {name: {"markers": {p: points[p] for p in own}} for name, own in parts.items()},
        "joints": {
            pin: {"type": "revolute", "between": [f"{part}.{pin}" for part in pair.split()]}
            for pin, pair in pins.items()
        },
        "drives": {"d": {"joint": "A", "from_deg": 10, "to_deg": 10 + 360 * turns, "steps": 18 * turns}},
    }
    data["parts"]["ground"]["fixed"] = True
    motion = move(convert.mechanism(data), loads={"coupler.P": (3, -10)})
    at = [math.radians(90 + 180 * k) for k in range(2 * turns)]
    assert motion.force_peaks["B"]["all_at"] == pytest.approx(at, abs=1e-6)  # of which some are positions
    assert f"unbounded at {told}" in motion.words
    assert (" and 2 more: A, B, C, D" in motion.words) == (turns == 5)
