"""What a load does to a box depends neither on the unit of length nor on where the origin is."""

import math

import numpy as np
import pytest

from detent.contact import Contacts
from detent.contact.forces import balance, consistent_modes
from detent.contact.modes import modes

MASS, SIDE, HEIGHT, GRAVITY = 3.0, 2.0, 1.0, 9.81


def box_on_slope(slope, unit, corner):
    """Contacts, M and tau of a box on a plane, tilted about y; `corner` is the box's, in metres."""
    low = [(x, y, 0.0) for x in (0.0, SIDE) for y in (0.0, SIDE)]
    points = [[(c + p) / unit for c, p in zip(corner, point, strict=True)] for point in low]
    contacts = Contacts.from_points(points, [[0, 0, 1]] * 4)
    x, y, z = np.add(corner, (SIDE / 2, SIDE / 2, HEIGHT / 2))
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    inertia = MASS / 12 * np.diag([SIDE**2 + HEIGHT**2, SIDE**2 + HEIGHT**2, 2 * SIDE**2])
    metric = np.block([[MASS * np.eye(3), -MASS * cross], [MASS * cross, inertia - MASS * cross @ cross]])
    weight = MASS * GRAVITY * np.array([math.sin(slope), 0.0, -math.cos(slope)])
    load = np.r_[weight, np.cross([x, y, z], weight)]
    # A velocity (v, w) in metres is (v / unit, w) in the unit; forces do the same work on both.
    change = np.r_[np.full(3, unit), np.ones(3)]
    return contacts, metric * change * change[:, None], load * change


@pytest.mark.parametrize("unit", [1.0, 0.001, 0.0254, 1000.0])
@pytest.mark.parametrize("corner", [(0.0, 0.0, 0.0), (-300.0, 70.0, 20.0)])
@pytest.mark.parametrize(("nudge", "expected"), [(1e-4, "0000|00000000"), (-1e-4, "0000|+0+0+0+0")])
def test_a_box_slides_down_at_the_same_friction_in_any_unit_and_anywhere(unit, corner, nudge, expected):
    slope = math.radians(20.0)
    contacts, mass, load = box_on_slope(slope, unit, corner)
    friction = math.tan(slope) + nudge
    motions = consistent_modes(modes(contacts), mass, np.zeros(6), load, friction=friction)
    assert [motion.text for motion in motions] == [expected]
    (motion,) = motions
    down = max(0.0, GRAVITY * (math.sin(slope) - friction * math.cos(slope)))
    assert motion.acceleration[0] * unit == pytest.approx(down, abs=1e-6 * GRAVITY)
    # Normal forces are newtons where work is joules: N x unit is what the rows carry.
    assert sum(motion.normal) / unit == pytest.approx(MASS * GRAVITY * math.cos(slope), rel=1e-6)


@pytest.mark.parametrize("unit", [1.0, 0.001, 0.0254, 1000.0])
@pytest.mark.parametrize("corner", [(0.0, 0.0, 0.0), (-300.0, 70.0, 20.0)])
@pytest.mark.parametrize(("nudge", "holds"), [(1e-5, True), (-1e-5, False)])
def test_forces_hold_a_box_up_to_the_same_friction_in_any_unit_and_anywhere(unit, corner, nudge, holds):
    slope = math.radians(20.0)
    contacts, _, load = box_on_slope(slope, unit, corner)
    rest = modes(contacts)["0000|00000000"]
    assert balance(rest, load, friction=math.tan(slope) + nudge).possible is holds


@pytest.mark.parametrize("turn", [0.0, math.pi / 2, 0.7])
def test_two_smooth_fingers_bear_no_weight_however_the_sines_of_their_normals_round(turn):
    c, s = math.cos(turn), math.sin(turn)
    contacts = Contacts.from_points([[-c, -s], [c, s]], [[c, s], [math.cos(turn + math.pi), -s]], friction=0)
    rest = modes(contacts)["00|00"]
    assert not balance(rest, [-s, c, 0.0]).possible
