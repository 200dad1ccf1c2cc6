"""What statics leaves open is told with its bounds: forces and accelerations, at thresholds too."""

import json
import random
from decimal import Decimal

import numpy as np
import pytest
from scipy.optimize import linprog

import detent
from detent.app import main
from detent.contact import balance, contacts_of
from detent.judge import moved_by

MU = Decimal("0.3")


def channel(push, units="m", mu=float(MU)):
    """A block of 2 kg between two walls and on a floor, pushed upward."""
    scale = {"m": 1, "mm": 1000}[units]
    sides = [((0, 1), (1, 0)), ((2, 1), (-1, 0)), ((1, 0), (0, 1))]
    return detent.from_dict(
        {
            "format": "detent/1",
            "units": units,
            "gravity": [0, -9.81],
            "parts": {
                "walls": {"fixed": True},
                "block": {"mass": 2, "center": [scale, scale], "inertia": 1},
            },
            "contacts": [
                {
                    "between": ["walls", "block"],
                    "point": [scale * x for x in point],
                    "normal": normal,
                    "friction": mu,
                }
                for point, normal in sides
            ],
            "ask": {"modes": {"load": {"block": [0, push, scale * push]}}},
        }
    )


@pytest.mark.parametrize("units", ["m", "mm"])
def test_a_squeeze_that_is_open_leaves_the_acceleration_open(units):
    push, scale = 25.0, {"m": 1, "mm": 1000}[units]
    machine = channel(push, units)
    answer = moved_by(machine, detent.modes(contacts_of(machine)), [0, push, scale * push])
    (slides,) = [each for each in answer.consistent if each.mode == "00+|-+."]
    of_block = slides.acceleration_of_centre["block"]
    left = push - 2 * 9.81  # what 2 mu N may take away, down to nothing
    assert not of_block.determined
    assert np.allclose(of_block.linear_range, [[0, 0], [0, scale * left / 2]])
    assert np.allclose(of_block.angular_range, [[0, 0]])
    assert 0 < of_block.linear[1] < scale * left / 2
    assert "one of many" in answer.words
    assert "between (0, 0) and" in answer.words


def test_an_acceleration_that_is_determined_has_no_range():
    machine = channel(25.0, mu=0.0)  # the squeeze is open, and brakes nothing
    answer = moved_by(machine, detent.modes(contacts_of(machine)), [0, 25.0, 25.0])
    (rises,) = answer.consistent
    assert rises.determined[:2] == (False, False)
    assert rises.acceleration_of_centre["block"].determined
    assert rises.acceleration_of_centre["block"].linear[1] == pytest.approx((25 - 2 * 9.81) / 2)


def box_in_space(units="mm"):
    return detent.from_dict(
        {
            "format": "detent/1",
            "units": units,
            "dimension": 3,
            "gravity": [0, 0, -9.81],
            "touching": {"friction": 0.4},
            "parts": {
                "floor": {
                    "fixed": True,
                    "shape": {"block": [400, 400, 20], "moves": [{"move": [-200, -200, -20]}]},
                },
                "box": {
                    "shape": {"block": [80, 60, 40]},
                    "pose": {"at": [-40, -30, 0]},
                    "mass": 3,
                    "center": [40, 30, 20],
                    "principal": [1.3e-3, 2e-3, 2.5e-3],
                },
            },
        }
    )


@pytest.fixture(scope="module")
def standing():
    machine = box_in_space()
    return machine, detent.modes(contacts_of(machine))


@pytest.mark.parametrize("beyond", [-1e-9, -1e-11, 0, 1e-11, 1e-10, 1e-5])
def test_ranges_in_space_hold_at_the_threshold_of_sliding(standing, beyond):
    machine, modes = standing
    weight = 3 * 9.81
    answer = moved_by(machine, modes, [0.4 * weight * (1 + beyond), 0, 0, 0, 0, 0])
    for each in answer.consistent:
        assert not any(each.determined)  # four corners, three equations
        for value, (low, high) in zip(each.normal, each.normal_range, strict=True):
            assert 0 <= low <= value + 1e-9 * weight <= high + 2e-9 * weight
        # A push along the floor, at the height of the friction: the corners of a diagonal share the weight.
        assert np.allclose(each.normal_range, [[0, weight / 2]] * 4, atol=2e-4 * weight)
        assert each.acceleration_of_centre["box"].determined


def force_range(points, normals, mu, load):
    """By linear programs, with normal and friction forces as unknowns."""
    count = len(points)
    columns, cone = [], []
    for i, ((x, y), normal) in enumerate(zip(points, normals, strict=True)):
        n = np.array(normal) / np.hypot(*normal)
        for fx, fy in (n, (-n[1], n[0])):
            columns.append([fx, fy, x * fy - y * fx])
        for sign in (1, -1):
            row = np.zeros(2 * count)
            row[2 * i], row[2 * i + 1] = -mu, sign
            cone.append(row)
    ends = []
    for i in range(count):
        cost = np.eye(2 * count)[2 * i]
        for sign in (1, -1):
            found = linprog(
                sign * cost,
                A_ub=cone,
                b_ub=np.zeros(len(cone)),
                A_eq=np.array(columns).T,
                b_eq=-np.array(load),
                bounds=[(0, None), (None, None)] * count,
            )
            ends.append(sign * found.fun if found.status == 0 else np.inf)
    return np.reshape(ends, (-1, 2))


POINTS, NORMALS = [(0, 0), (60, 0), (60, 10), (60, 40)], [(0, 2), (0, 1), (-1, 0), (-3, 0)]


@pytest.mark.parametrize("load", [(5, -9.81, -394.3), (0, -9.81, -294.3), (1, -2, -40)])
def test_a_balance_says_what_statics_leaves_open(load):
    modes = detent.modes(detent.Contacts.from_points(POINTS, NORMALS, friction=0.25))
    held = balance(modes["0000|0000"], load)
    assert held.possible
    assert np.allclose(held.normal_range, force_range(POINTS, NORMALS, 0.25, load), rtol=1e-6, atol=1e-6)
    assert not any(held.determined)
    two = detent.modes(detent.Contacts.from_points(POINTS[:2], NORMALS[:2], friction=0.25))
    held = balance(two["00|00"], (0, -10, -200))
    assert held.determined == (True, True)
    assert np.allclose(held.normal, [20 / 3, 10 / 3])


def test_a_balance_of_no_load_may_squeeze():
    modes = detent.modes(detent.Contacts.from_points([[0, 0], [2, 0]], [[1, 0], [-1, 0]], friction=0.5))
    held = balance(modes["00|00"], [0, 0, 0])
    assert held.normal == (0, 0)
    assert held.normal_range == ((0, np.inf), (0, np.inf))


def test_a_load_at_the_decimal_threshold_sticks_and_one_beyond_it_slides():
    chance = random.Random(11)
    for _ in range(25):
        mass, mu = (Decimal(chance.randint(low, high)) / 100 for low, high in ((1, 999), (5, 95)))
        g = chance.choice([Decimal("9.81"), Decimal("9.80665"), Decimal("1.62")])
        machine = detent.from_dict(
            {
                "format": "detent/1",
                "units": chance.choice(["m", "mm", "in", "1"]),
                "gravity": [0, float(-g)],
                "touching": {"friction": float(mu)},
                "parts": {
                    "ground": {"fixed": True},
                    "box": {"mass": float(mass), "center": [30, 10], "inertia": 1},
                },
                "contacts": [
                    {"between": ["ground", "box"], "point": [x, 0], "normal": [0, 1]} for x in (0, 60)
                ],
            }
        )
        modes = detent.modes(contacts_of(machine))
        for beyond in ("-1e-12", "0", "1e-12"):
            push = float(mass * g * mu * (1 + Decimal(beyond)))
            answer = moved_by(machine, modes, [push, 0, 0])
            wanted = "00|++" if Decimal(beyond) > 0 else "00|00"
            assert [each.mode for each in answer.consistent] == [wanted], (mass, mu, g, beyond)


@pytest.mark.parametrize("gap", ["1e-5", "0.001"])
def test_a_near_miss_is_named_under_a_load(tmp_path, capsys, gap):
    path = tmp_path / "near.toml"
    path.write_text(
        """format = "detent/1"
units = "mm"
gravity = [0, -9.81]
touching.friction = 0.5
parts.table = { fixed = true, shape.outline = [[-100, -10], [100, -10], [100, 0], [-100, 0]] }
parts.wall = { fixed = true, shape.outline = [[70, 0], [80, 0], [80, 50], [70, 50]] }
[parts.box]
shape.outline = [[0, 0], [60, 0], [60, 40], [0, 40]]
pose = { at = [LEFT, UP] }
mass = 1
center = [30, 20]
inertia = 4e-4
"""
    )
    drawn = path.read_text()
    path.write_text(drawn.replace("LEFT", "0").replace("UP", gap))
    assert main(["modes", str(path), "--load", "0,0,0"]) == 0
    assert f"nothing touches; nearest: table and box, {float(gap):.3g} mm apart" in capsys.readouterr().out
    path.write_text(drawn.replace("LEFT", f"{10 - float(gap):.6f}").replace("UP", "0"))
    for flags in (["--load", "0,0,0"], ["--grasp", "0,-1,-40"]):
        assert main(["modes", str(path), *flags]) == 0
        assert f"wall and box, {float(gap):.3g} mm apart: not a contact" in capsys.readouterr().err
    assert main(["modes", str(path), "--load", "0,0,0", "--json"]) == 0
    (near,) = json.loads(capsys.readouterr().out)["nearest"]
    assert (near["first"], near["second"]) == ("wall", "box")
    assert near["gap"] == pytest.approx(float(gap))
