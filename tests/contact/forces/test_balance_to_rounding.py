"""A load that differs from a balanced one by rounding is balanced, by whatever door it is asked about."""

import json
import math

import numpy as np
import pytest

import detent
from detent.app import main
from detent.contact import Contacts, balance, consistent_modes

ROUNDING = [1e-300, 1e-17, -1e-17]


def floor(friction, angle=0.0):
    """Two feet on a floor in the plane that falls at an angle, and the load straight into it."""
    c, s = math.cos(angle), math.sin(angle)
    points = [(0.0, 0.0), (c, s)]
    contacts = Contacts.from_points(points, [(-s, c)] * 2, friction=friction)
    center = 0.5 * c - 0.3 * s, 0.5 * s + 0.3 * c
    force = 5 * s, -5 * c
    return detent.modes(contacts), [*force, center[0] * force[1] - center[1] * force[0]], center


def bar(unit=1.0, origin=0.0, friction=0.5):
    """A bar on two pegs along x, which roll: no force of them acts about the line through both."""
    points = [((x - origin) / unit, 0, 0) for x in (0, 1)]
    return detent.modes(Contacts.from_points(points, [(0, 0, 1)] * 2, friction=friction))


def doors(mode_set, load, mass):
    """What each door says of a load: the verdict, the balance, the motions."""
    rest = next(mode for mode in mode_set if not mode.signs.any())
    motions = consistent_modes(mode_set, mass, np.zeros(len(load)), load)
    return detent.grasp(mode_set, load).answer, balance(rest, load).possible, [m.text for m in motions]


@pytest.mark.parametrize("rounding", ROUNDING)
@pytest.mark.parametrize("friction", [0.0, 0.5])
def test_rounding_along_a_floor_moves_nothing(friction, rounding):
    mode_set, load, _ = floor(friction)
    answer = doors(mode_set, [rounding, *load[1:]], np.eye(3))
    assert answer == ("stable", True, ["00|00"])


@pytest.mark.parametrize(("along", "holds"), [(4e-15, True), (1e-13, False)])
def test_a_frictionless_floor_holds_no_more_than_what_a_load_is_not_known_to(along, holds):
    mode_set, load, _ = floor(0.0)
    answer = doors(mode_set, [along, *load[1:]], np.eye(3))
    assert answer == (("stable", True, ["00|00"]) if holds else ("no equilibrium", False, ["00|++"]))


@pytest.mark.parametrize("degrees", range(5, 90, 10))
def test_a_load_straight_into_a_frictionless_floor_is_held_at_any_angle(degrees):
    mode_set, load, (x, y) = floor(0.0, math.radians(degrees))
    mass = np.array([[1, 0, -y], [0, 1, x], [-y, x, 1 + x * x + y * y]])
    assert doors(mode_set, load, mass) == ("stable", True, ["00|00"])


@pytest.mark.parametrize("unit", [1.0, 0.001])
@pytest.mark.parametrize("origin", [0.0, 7.0])
@pytest.mark.parametrize(("moment", "holds"), [(0.0, True), (1e-17, True), (5e-8, True), (5e-7, False)])
def test_a_moment_that_no_force_acts_against_is_weighed_against_the_whole_load(unit, origin, moment, holds):
    mode_set = bar(unit, origin)
    # Of 1 N in the middle; a moment in newtons times the unit.
    load = [0, 0, -1, moment / unit, (0.5 - origin) / unit, 0]
    rest = next(mode for mode in mode_set if not mode.signs.any())
    assert balance(rest, load).possible is holds
    assert (detent.grasp(mode_set, load).answer == "no equilibrium") is not holds


BAR = """
format = "detent/1"
dimension = 3
[parts.pegs]
fixed = true
[parts.bar]
mass = 1
center = [0.5, 0, 0]
principal = [0.01, 0.1, 0.1]
[[contacts]]
between = ["pegs", "bar"]
point = [0, 0, 0]
normal = [0, 0, 1]
friction = 0.5
[[contacts]]
between = ["pegs", "bar"]
point = [1, 0, 0]
normal = [0, 0, 1]
friction = 0.5
"""


@pytest.mark.parametrize("rounding", ROUNDING)
def test_the_command_line_says_of_a_grasp_what_it_says_of_forces_and_how_near(rounding, tmp_path, capsys):
    path = tmp_path / "bar.toml"
    path.write_text(BAR)
    load = f"0,0,-1,{rounding},0.5,0"
    answers = []
    for asked in ([f"--grasp={load}"], ["--mode", "00|0000", f"--wrench={load}"]):
        main(["modes", str(path), *asked, "--json"])
        answers.append(json.loads(capsys.readouterr().out))
    grasp, one = answers
    assert (grasp["answer"], one["balance"]["possible"]) == ("stable", True)
    for answer in answers:
        assert "to 2e-07 of it, in floating point" in answer["scope"]["covers"]


def test_an_answer_says_where_rationals_decide():
    mode_set, load, _ = floor(0.5)
    assert "to 1e-14 of it, in rationals" in detent.grasp(mode_set, load).scope.covers
