"""On which side of a threshold a load lies, from a millionth to a millionth of a millionth of it.

Slides and tips have closed forms; a load at the threshold itself still sticks. Ranges of normal forces are
compared with programs of SciPy.
"""

import itertools
import math
import os
import random
from fractions import Fraction

import numpy as np
import pytest
from scipy.optimize import linprog

import detent
from detent.contact import Contacts, contacts_of
from detent.contact.forces import consistent_modes
from detent.contact.modes import modes
from detent.judge import moved_by

SHARES = [10.0**-k for k in range(6, 13)]
FULL = os.environ.get("DETENT_PROVE") == "full"


def moment(arm, force):
    return float(arm[0] * force[1] - arm[1] * force[0])


def block(mu, width, height, mass, push, at, *, turned=(1, 0), weight=10):
    """A block on a floor, pushed at a height; the floor may be turned by a rational rotation."""
    c, s = (Fraction(x) for x in turned)
    size = 1 / (c * c + s * s)  # of the rotation's square

    def world(x, y):
        return [c * x - s * y, s * x + c * y]

    normal = world(0, 1)
    contacts = Contacts.from_points(
        [world(0, 0), world(Fraction(width), 0)], [normal, normal], friction=float(mu)
    )
    centre = np.array(world(Fraction(width) / 2, Fraction(height) / 2), float)
    m, scale = float(mass), 1 / math.sqrt(size)
    x, y = centre
    inertia = 0.3 * m
    matrix = np.array([[m, 0, -m * y], [0, m, m * x], [-m * y, m * x, inertia + m * (x * x + y * y)]])
    along, up = np.array(world(1, 0), float) / scale, np.array(normal, float) / scale
    pull = -m * weight * up
    hand = np.array(world(0, Fraction(at)), float)
    force = push * along
    load = [*(force + pull), moment(hand, force) + moment(centre, pull)]
    return [motion.text for motion in consistent_modes(modes(contacts), matrix, np.zeros(3), load)]


@pytest.mark.parametrize("share", SHARES)
@pytest.mark.parametrize(("turned", "mass"), [((1, 0), 2.0), ((3, 4), 2.0), ((-5, 12), 0.37)])
def test_a_block_slides_beyond_its_friction_and_not_before(share, turned, mass):
    slides = 0.3 * mass * 10
    for sign, mode in ((1, "00|++"), (-1, "00|--")):
        push = sign * slides
        assert block(0.3, 2, 1, mass, push * (1 + share), Fraction(1, 10), turned=turned) == [mode]
        assert block(0.3, 2, 1, mass, push * (1 - share), Fraction(1, 10), turned=turned) == ["00|00"]


@pytest.mark.parametrize("share", SHARES)
def test_a_block_tips_beyond_its_moment_and_not_before(share):
    tips = 2.0 * 10 * 1 / 4  # its weight, half its width, pushed at a height of 4
    assert block(0.9, 2, 1, 2.0, tips * (1 + share), 4) == ["+0|.0"]
    assert block(0.9, 2, 1, 2.0, tips * (1 - share), 4) == ["00|00"]


@pytest.mark.parametrize("seed", range(400 if FULL else 60))
def test_a_load_at_a_threshold_sticks_and_beside_it_does_not(seed):
    """Ties by construction: rational friction, sizes and masses, so that the threshold itself is met."""
    draw = random.Random(seed)
    mu = Fraction(draw.randint(1, 9), 10)
    mass, width = Fraction(draw.randint(1, 40), 8), draw.randint(1, 5)
    weight = draw.choice([Fraction(981, 100), Fraction(10), Fraction(1, 3)])
    slides = mu * mass * weight
    at = Fraction(draw.randint(1, 30), 10)
    tips = mass * weight * Fraction(width, 2) / at
    threshold, beyond = (slides, "00|++") if slides < tips else (tips, "+0|.0")
    if slides == tips:
        return
    share = 10.0 ** -draw.randint(6, 12)
    answers = [
        block(mu, width, 1, mass, float(threshold) * (1 + each), at, weight=float(weight))
        for each in (-share, 0.0, share)
    ]
    assert answers == [["00|00"], ["00|00"], [beyond]]


@pytest.mark.parametrize("share", [*SHARES[::2], 0.0, *(-each for each in SHARES[::3])])
@pytest.mark.parametrize("direction", [0.0, 0.3])
def test_in_space_every_load_near_a_threshold_has_an_answer(share, direction):
    """Clear, or on the edge and then with the modes on both sides of it."""
    corners = [[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]]
    contacts = Contacts.from_points(corners, [[0, 0, 1]] * 4, friction=0.3)
    cross = np.array([[0, -0.5, 0], [0.5, 0, 0], [0, 0, 0]])
    matrix = np.block([[2 * np.eye(3), -2 * cross], [2 * cross, np.eye(3) - 2 * cross @ cross]])
    push = 6 * (1 + share) * np.array([math.cos(direction), math.sin(direction), 0])
    load = [*(push - [0, 0, 20]), *np.cross([0, 0, 0.2], push)]
    motions = consistent_modes(modes(contacts), matrix, np.zeros(6), load)
    texts = {motion.text for motion in motions}
    slides = "0000|+0+0+0+0" if direction == 0 else "0000|++++++++"
    assert texts <= {"0000|00000000", slides}
    assert texts
    if abs(share) > 5e-7:
        assert (slides if share > 0 else "0000|00000000") in texts


@pytest.mark.parametrize(
    ("sides", "mu", "share"),
    [
        ((200, 150, 20), 0.2, -1e-2),
        ((100, 100, 100), 0.2, -3e-3),
        ((240, 120, 60), 0.4, -1e-4),
        ((200, 150, 20), 0.2, 1e-5),
    ],
)
def test_a_brick_is_spun_beyond_the_couple_of_its_friction_and_not_before(sides, mu, share):
    """Whatever each corner carries, friction holds mu x weight x their one distance from the middle."""
    a, b, c = sides
    box = {
        "units": "mm",
        "dimension": 3,
        "gravity": [0, 0, -9.81],
        "parts": {
            "table": {
                "fixed": True,
                "shape": {"block": [600, 600, 20], "moves": [{"move": [-300, -300, -20]}]},
            },
            "brick": {
                "shape": {"block": [a, b, c], "moves": [{"move": [-a / 2, -b / 2, 0]}]},
                "mass": 3,
                "center": [0, 0, c / 2],
                "principal": [(b * b + c * c) / 4e6, (a * a + c * c) / 4e6, (a * a + b * b) / 4e6],
            },
        },
        "touching": {"friction": mu},
    }
    brick = detent.from_dict(box)
    couple = mu * 3 * 9.81 * math.hypot(a, b) / 2
    answer = detent.moved_by(brick, {"brick": [0, 0, 0, 0, 0, couple * (1 + share)]})
    mode = "0000|00000000" if share < 0 else "0000|+-++-+--"
    assert (answer.answer, [each.mode for each in answer.consistent]) == ("one", [mode])


def ranges_by_scipy(points, normals, mu, load):
    """Least and largest normal force of sticking contacts in the plane that balance a load."""
    columns, owner = [], []
    for i, (p, n) in enumerate(zip(points, normals, strict=True)):
        n = np.array(n, float) / np.hypot(*n)
        for side in (1, -1):
            force = n + side * mu * np.array([n[1], -n[0]])
            columns.append([*force, p[0] * force[1] - p[1] * force[0]])
            owner.append(i)
    matrix = np.array(columns).T
    ranges = []
    for i in range(len(points)):
        cost = (np.array(owner) == i).astype(float)
        ends = []
        for sign in (1, -1):
            solved = linprog(sign * cost, A_eq=matrix, b_eq=-np.array(load, float), bounds=(0, None))
            if solved.status == 2:
                return None
            ends.append(sign * solved.fun if solved.status == 0 else math.inf)
        ranges.append(tuple(ends))
    return ranges


def test_normal_forces_have_the_ranges_that_programs_of_scipy_give():
    draw = random.Random(7)
    determined = open_ended = 0
    for number in range(40):
        count = draw.randint(1, 4)
        points = [[draw.randint(-3, 3), draw.randint(-3, 3)] for _ in range(count)]
        normals = [draw.choice([(1, 0), (0, 1), (1, 1), (-1, 1), (3, 4), (-1, 0)]) for _ in range(count)]
        if number % 2:  # on a floor
            points, normals = [[x, 0] for x, _ in points], [(0, 1)] * count
        mu, load = draw.choice([0.2, 0.5, 1.0]), [draw.randint(-3, 3), -5, draw.randint(-4, 4)]
        wanted = ranges_by_scipy(points, normals, mu, load)
        motions = consistent_modes(
            modes(Contacts.from_points(points, normals, friction=mu)), np.eye(3), np.zeros(3), load
        )
        rest = [m for m in motions if not m.signs.any() and not m.acceleration.any()]
        assert (wanted is not None) == bool(rest)
        if wanted is None:
            continue
        for (low, high), (least, most) in zip(rest[0].normal_range, wanted, strict=True):
            assert low == pytest.approx(least, abs=1e-6)
            assert high == pytest.approx(most, abs=1e-6)
            determined += high - low < 1e-9
            open_ended += math.isinf(high)
    assert determined
    assert open_ended


def test_a_ball_in_a_groove_is_squeezed_by_an_unknown_amount():
    """Between the two normal forces at which both contacts are about to slide, up or down."""
    s = math.sqrt(0.5)
    contacts = Contacts.from_points([[s, s], [-s, s]], [[-1, 1], [1, 1]], friction=0.5)
    ball = np.array([[1, 0, -math.sqrt(2)], [0, 1, 0], [-math.sqrt(2), 0, 2.5]])
    (rest,) = consistent_modes(modes(contacts), ball, np.zeros(3), [0, -9.81, 0])
    for ends in rest.normal_range:
        assert ends == pytest.approx((9.81 * s / 1.5, 9.81 * s / 0.5))
    smooth = consistent_modes(modes(contacts), ball, np.zeros(3), [0, -9.81, 0], friction=0)
    for motion, contact in itertools.product(smooth, range(2)):
        assert motion.normal_range[contact] == pytest.approx((9.81 * s, 9.81 * s))


@pytest.mark.parametrize("units", ["m", "mm", "in", "1"])
@pytest.mark.parametrize(("off", "state"), [(-1e-9, "sticking"), (0.0, "sticking"), (1e-9, "separating")])
def test_a_hinged_lid_leaves_its_stop_where_the_moment_equals_that_of_its_weight(units, off, state):
    """At the threshold the joint carries all: only rounding is left, and the lid rests without a force."""
    per_metre = {"m": 1, "mm": 1000, "in": 10000 / 254, "1": 1}[units]
    machine = detent.from_dict(
        {
            "format": "detent/1",
            "units": units,
            "gravity": [0, -9.81],
            "parts": {"box": {"fixed": True}, "lid": {"mass": 1.5, "center": [6, 0.5], "inertia": 0.02}},
            "joints": {"hinge": {"type": "revolute", "between": ["box", "lid"], "at": [0, 0.5]}},
            "contacts": [{"between": ["box", "lid"], "point": [10, 0], "normal": [0, 1], "friction": 0.3}],
        }
    )
    of_weight = 6 * 1.5 * 9.81
    answer = moved_by(machine, detent.modes(contacts_of(machine)), [0, 0, of_weight * (1 + off)])
    (rests,) = answer.consistent
    assert rests.states == (state,)
    inertia = 0.02 + 1.5 * (6 / per_metre) ** 2
    turns = max(0.0, off * of_weight / per_metre / inertia)
    assert rests.acceleration_of_centre["lid"].angular[0] == pytest.approx(turns, rel=1e-4)
