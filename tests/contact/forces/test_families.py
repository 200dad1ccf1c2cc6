"""Motions of a mode that form a family: forces that statics leaves open turn the sliding itself."""

import numpy as np
import pytest
from scipy.optimize import root

import detent
from detent.contact import contacts_of
from detent.judge import moved_by

MASS, WEIGHT, MU = 0.06, 0.06 * 9.81, 0.3
SIZE = np.array([0.04, 0.03, 0.05])
CENTRE = SIZE / 2
INERTIA = MASS / 12 * ((SIZE**2).sum() - SIZE**2)
CORNERS = np.array([[0, 0, 0], [0.04, 0, 0], [0.04, 0.03, 0], [0, 0.03, 0]])


def block(corners, units="mm"):
    scale = {"mm": 1000, "m": 1}[units]
    return detent.from_dict(
        {
            "format": "detent/1",
            "units": units,
            "dimension": 3,
            "gravity": [0, 0, -9.81],
            "touching": {"friction": MU},
            "parts": {
                "table": {"fixed": True},
                "block": {
                    "mass": MASS,
                    "center": (scale * CENTRE).tolist(),
                    "principal": INERTIA.tolist(),
                },
            },
            "contacts": [
                {"between": ["table", "block"], "point": (scale * point).tolist(), "normal": [0, 0, 1]}
                for point in corners
            ],
            "ask": {"modes": {"planes": 2}},
        }
    )


def pushed(corners, force, point, units="mm"):
    machine = block(corners, units)
    scale = {"mm": 1000, "m": 1}[units]
    load = [*force, *(scale * np.cross(point, force))]
    return moved_by(machine, detent.modes(contacts_of(machine)), load)


def missed(unknown, corners, force, point, last):
    """Newton and Euler of a block that stays on its table, friction against each corner's acceleration."""
    x, y, turn, *normal = unknown
    total, moment = force - [0, 0, WEIGHT], np.cross(point - CENTRE, force)
    for corner, each in zip(corners, [*normal, *last], strict=True):
        arm = corner - CENTRE
        slip = np.array([x - turn * arm[1], y + turn * arm[0]])
        push = np.array([*(-MU * each * slip / np.hypot(*slip)), each])
        total, moment = total + push, moment + np.cross(arm, push)
    rotates = (moment - [0, 0, INERTIA[2] * turn]) / SIZE[2]
    return [total[0] - MASS * x, total[1] - MASS * y, total[2], *rotates]


def family(corners, force, point):
    """Motions by the normal force of the last corner, each from the one before."""
    motions, start = [], np.array([1.0, 0.3, 40.0, 0.1, 0.2, 0.2])
    for last in np.linspace(0, 0.3, 31):
        found = root(missed, start, (corners, force, point, [last]), tol=1e-13)
        if found.success and min(found.x[3:]) >= 0:
            motions.append([*found.x[:3], *found.x[3:], last])
            start = found.x
    return np.array(motions)


@pytest.mark.parametrize("units", ["mm", "m"])
def test_a_block_that_slides_and_spins_on_four_corners_has_the_ranges_of_its_family(units):
    corners, force, point = CORNERS[[0, 1, 3, 2]], np.array([0.2, 0, 0]), np.zeros(3)
    (slides,) = pushed(corners, force, point, units).consistent
    motions = family(corners, force, point)
    assert len(motions) > 20
    of_block = slides.acceleration_of_centre["block"]
    scale = {"mm": 1000, "m": 1}[units]
    told = np.array(
        [*of_block.linear_range[:2], scale * np.array(of_block.angular_range[2]), *slides.normal_range]
    )
    family_ends = np.array([motions.min(axis=0), motions.max(axis=0)]).T
    family_ends[:3] *= scale
    width = np.ptp(family_ends, axis=1)
    assert not any(slides.determined)
    assert not of_block.determined
    assert (told[:, 0] <= family_ends[:, 0] + 1e-5 * width).all()
    assert (told[:, 1] >= family_ends[:, 1] - 1e-5 * width).all()
    assert (np.ptp(told, axis=1) < 2 * width).all()


def test_on_three_corners_the_same_push_has_one_motion():
    corners, force, point = CORNERS[[0, 1, 3]], np.array([0.2, 0.03, 0]), np.array([0, 0.01, 0])
    (slides,) = pushed(corners, force, point).consistent
    assert all(slides.determined)
    of_block = slides.acceleration_of_centre["block"]
    assert of_block.determined
    unknown = [of_block.linear[0] / 1000, of_block.linear[1] / 1000, of_block.angular[2], *slides.normal]
    assert np.abs(missed(unknown, corners, force, point, [])).max() < 1e-6


def test_a_block_that_only_slides_has_one_acceleration_and_open_forces():
    """The friction acts where the weight and the push at its height press, and so does the push."""
    direction = np.array([2, 1, 0]) / np.sqrt(5)
    force = 0.2 * direction
    # Pressed at p, with friction through p against the sliding: the block tilts forward by height x friction.
    pressed = CENTRE + (CENTRE[2] * MU) * direction
    slides = next(
        each
        for each in pushed(CORNERS, force, [*pressed[:2], 0]).consistent
        if set(each.states) == {"sliding"}
    )
    moment = np.cross(np.r_[pressed[:2] - CENTRE[:2], -CENTRE[2]], force)
    assert abs(moment[2]) < 1e-15
    assert not any(slides.determined)
    of_block = slides.acceleration_of_centre["block"]
    assert of_block.determined
    assert np.allclose(of_block.linear, 1000 * (0.2 - MU * WEIGHT) / MASS * direction, rtol=1e-4, atol=0.1)
    assert np.allclose(of_block.angular, 0, atol=1e-2)


@pytest.mark.parametrize("up", [False, True])
def test_a_squeeze_without_bound_leaves_the_braking_without_bound(up):
    """A plate that slides between two fingers: they may squeeze it as hard as they like."""
    plate = {"mass": 0.2, "center": [30, 20], "inertia": 1e-4}
    machine = detent.from_dict(
        {
            "format": "detent/1",
            "units": "mm",
            "gravity": [0, -9.81],
            "touching": {"friction": 0.4},
            "parts": {"hand": {"fixed": True}, "plate": plate},
            "contacts": [
                {"between": ["hand", "plate"], "point": [x, 20], "normal": [n, 0]}
                for x, n in ((0, 1), (60, -1))
            ],
        }
    )
    velocity = [0, 5.0 if up else -5.0, 0]
    (slides,) = moved_by(
        machine, detent.modes(contacts_of(machine)), [3.0, 0, -60], velocity=velocity
    ).consistent
    assert slides.normal_range == ((0, np.inf), (3, np.inf))
    of_plate = slides.acceleration_of_centre["plate"]
    assert not of_plate.determined
    least = -9810 + (-1 if up else 1) * 1000 * 0.4 * 3 / 0.2  # the load presses one finger by itself
    wanted = (-np.inf, least) if up else (least, np.inf)
    assert of_plate.linear_range[1] == pytest.approx(wanted)


@pytest.mark.parametrize("beyond", [1e-4, 1e-5])
def test_a_block_pushed_obliquely_just_beyond_the_threshold_slides(beyond):
    """All corners begin to slide across their dividing planes, with hardly any acceleration to tell where."""
    direction = np.array([np.cos(0.7), np.sin(0.7), 0])
    push = MU * WEIGHT * (1 + beyond)
    answer = pushed(CORNERS, push * direction, [*(CENTRE + CENTRE[2] * MU * direction)[:2], 0])
    assert answer.answer == "one"
    (slides,) = answer.consistent
    assert set(slides.states) == {"sliding"}
    of_block = slides.acceleration_of_centre["block"]
    assert of_block.determined
    assert np.allclose(of_block.linear, 1000 * MU * 9.81 * beyond * direction, atol=1e-6 * 9810)


@pytest.mark.parametrize(
    ("force", "point"),
    [
        ([0.101, 0.068, 0], [0.017, -0.026, 0]),
        ([0.068, -0.094, 0], [0.018, -0.027, 0]),
        ([-0.135, -0.085, 0], [0.04, 0.018, 0]),
    ],
)
def test_a_family_that_ends_where_a_corner_sticks_is_not_on_an_edge(force, point):
    """Far from any threshold the corner may stick, and all may slide: a motion of each is a proof."""
    force, point = np.array(force), np.array(point)
    answer = pushed(CORNERS, force, point)
    assert answer.answer == "several"
    assert not any(each.on_the_edge for each in answer.consistent)
    (slides,) = (each for each in answer.consistent if set(each.states) == {"sliding"})
    of_block = slides.acceleration_of_centre["block"]
    x, y, turn = of_block.linear[0] / 1000, of_block.linear[1] / 1000, of_block.angular[2]
    unknown = [x, y, turn, *slides.normal[:3]]
    assert np.abs(missed(unknown, CORNERS, force, point, slides.normal[3:])).max() < 1e-5 * WEIGHT
    assert min(np.hypot(x - turn * c[1], y + turn * c[0]) for c in CORNERS - CENTRE) > 1e-4
