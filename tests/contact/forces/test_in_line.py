"""Contacts that are in line but for the rounding of their numbers: motions and grasps, wherever drawn."""

import math

import numpy as np
import pytest

import detent
from detent.contact import Contacts, consistent_modes

RADIUS, INERTIA, MU = 0.05, 0.00125, 0.3
FINGERS = [math.radians(angle) for angle in (100, 215, 330)]


def in_hand(center, angles=FINGERS):
    """A disc between fingers; sines and cosines do not meet in one point exactly."""
    normals = [(-math.cos(a), -math.sin(a)) for a in angles]
    points = [(center[0] - RADIUS * x, center[1] - RADIUS * y) for x, y in normals]
    return Contacts.from_points(points, normals, friction=MU)


def disc_inertia(center):
    x, y = center
    return np.array([[1, 0, -y], [0, 1, x], [-y, x, INERTIA + x * x + y * y]])


@pytest.mark.parametrize("center", [(0.0, 0.0), (0.37, 0.81), (12.3, -7.7)])
def test_a_disc_that_nothing_squeezes_spins_between_fingers(center):
    found = detent.modes(in_hand(center))
    motions = {
        motion.text: motion
        for motion in consistent_modes(found, disc_inertia(center), np.zeros(3), [0, 0, 0.1])
    }
    assert set(motions) == {"000|000", "000|+++"}
    spinning = motions["000|+++"]
    assert spinning.acceleration[2] == pytest.approx(0.1 / INERTIA)
    assert spinning.acceleration_range([0, 0, 1]) == pytest.approx((0, 0.1 / INERTIA), abs=1e-6)
    assert spinning.to_rounding


def test_its_weight_brakes_it_by_the_friction_of_two_fingers():
    weight, torque = 9.81, 0.5
    normals = np.array([(-math.cos(a), -math.sin(a)) for a in FINGERS])
    # Friction of the fingers on a disc that turns to the left: against p x, with p = -n radius.
    frictions = np.array([(-y, x) for x, y in normals]) * MU
    lower = np.linalg.solve((normals + frictions)[1:].T, [0, weight])
    found = detent.modes(in_hand((0, 0)))
    load = [0, -weight, torque]
    motion = next(
        m for m in consistent_modes(found, disc_inertia((0, 0)), np.zeros(3), load) if m.text == "000|+++"
    )
    assert (lower > 0).all()
    fastest = (torque - MU * RADIUS * lower.sum()) / INERTIA
    assert motion.acceleration_range([0, 0, 1])[1] == pytest.approx(fastest, rel=1e-6)
    assert [motion.normal_range[i][0] for i in (1, 2)] == pytest.approx(lower.tolist(), rel=1e-6)


@pytest.mark.parametrize("center", [(0.0, 0.0), (0.37, 0.81), (37.0, 81.0)])
def test_a_grasp_has_one_verdict_at_any_angle_and_wherever_the_origin_is(center):
    pythagorean = [math.pi / 2, math.atan2(-3, 4), math.atan2(-3, -4)]
    for angles in (FINGERS, pythagorean):
        verdict = detent.grasp(detent.modes(in_hand(center, angles)), [0, 0, 0.1])
        assert verdict.answer == "not stable"
        assert "000|+++" in verdict.evidence[1].statement


def corner(rotation, shift):
    """A box on a floor and along a wall, about to tip over an edge that runs into the wall."""
    x, y, z = 0.11, 0.0365, 0.026
    floor = [((a * x, b * y, 0), (0, 0, 1)) for a in (-1, 1) for b in (-1, 1)]
    wall = [((-x, b * y, z), (1, 0, 0)) for b in (-1, 1)]
    weight = rotation @ (0, 0, -40.0)
    push = rotation @ (0, 12.0, 0)
    at = rotation @ (0, 0, 0.15) + shift
    center = rotation @ (0.01, 0.002, 0.026) + shift
    moment = np.cross(center, weight) + np.cross(at, push)
    return {
        "dimension": 3,
        "parts": {
            "room": {"fixed": True},
            "box": {"mass": 4, "center": center.tolist(), "principal": [0.02] * 3},
        },
        "contacts": [
            {
                "between": ["room", "box"],
                "point": (rotation @ p + shift).tolist(),
                "normal": (rotation @ np.array(n, float)).tolist(),
                "friction": 0.45,
            }
            for p, n in (*floor, *wall)
        ],
    }, {"box": [*(weight + push).tolist(), *moment.tolist()]}


def test_a_rotated_box_tips_along_its_wall_as_the_drawn_one_does():
    # A dividing plane that is off a face by 2.6e-4 makes floats doubt; integers take every digit at its word.
    wall = np.array([0.3545684033371794, 0.6401240930617327, 0.6815587963168092])
    floor = np.array([-0.9350300493926406, 0.24291977152093558, 0.2582804509385348])
    rotation = np.array([wall, np.cross(floor, wall), floor]).T
    answers = []
    for turned, shift in ((np.eye(3), np.zeros(3)), (rotation, np.array([21.5, 12.5, -19.7]))):
        document, load = corner(turned, shift)
        mechanism = detent.from_dict(document)
        answers.append((detent.modes(mechanism), detent.moved_by(mechanism, load)))
    (_, drawn), (found, turned_answer) = answers
    assert found.enumeration.flagged
    tipping = ("separating", "sticking", "separating", "sticking", "sliding", "sliding")
    fastest = []
    for answer in (drawn, turned_answer):
        assert [each.states for each in answer.consistent] == [("sticking",) * 6, tipping]
        fastest.append(np.linalg.norm(answer.consistent[1].acceleration_of_centre["box"].angular))
    assert fastest[1] == pytest.approx(fastest[0], rel=1e-5)
    assert "in line to 1e-9" in turned_answer.scope.covers
