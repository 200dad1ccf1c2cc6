"""A scene moved, turned, or drawn in another unit has the same modes: floats see it from its middle."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from detent.contact import Contacts
from detent.contact.modes import (
    cone,
    count_modes,
    modes,
    sliding_modes,
    stream_texts,
    with_contact,
    without_contact,
)

# Unit of length (of a box with a side of one), and where its middle is, in sides.
PLACES = [
    (1.0, (0.0, 0.0, 0.0)),
    (1e-3, (0.0, 0.0, 0.0)),
    (1e-3, (300.0, -20.0, 50.0)),
    (1e3, (3.0, -2.0, 5.0)),
    (25.4, (100.0, 50.0, -70.0)),
    (1e5, (0.0, 0.0, 0.0)),
]
SPIN = (0.3, -0.8, 0.5)


def box_in_corner(unit, middle, spin=SPIN):
    """Four contacts on the ground, four on a wall (Box-2 of the paper), all turned about the middle."""
    half = 0.5
    ground = [[x, y, -half] for x in (-half, half) for y in (-half, half)]
    wall = [[x, half, z] for x in (-half, half) for z in (-half, half)]
    turn = Rotation.from_rotvec(spin).as_matrix()
    points = unit * (np.array(ground + wall) @ turn.T + middle)
    normals = np.array([[0.0, 0.0, 1.0]] * 4 + [[0.0, -1.0, 0.0]] * 4) @ turn.T
    tangents = np.array([np.eye(3)[[0, 1]]] * 4 + [np.eye(3)[[2, 0]]] * 4) @ turn.T
    return Contacts.from_points(points, normals, tangents=tangents)


@pytest.fixture(scope="module")
def as_printed():
    return modes(box_in_corner(1.0, (0.0, 0.0, 0.0), spin=(0.0, 0.0, 0.0))).texts


@pytest.mark.parametrize(("unit", "middle"), PLACES)
def test_a_box_in_a_corner_has_its_228_modes_in_any_unit_and_place_however_turned(unit, middle, as_printed):
    contacts = box_in_corner(unit, middle)
    mode_set = modes(contacts)
    assert mode_set.texts == as_printed
    assert len(mode_set) == 228
    assert not mode_set.enumeration.flagged
    assert count_modes(contacts) == {"contacting_separating": 46, "all": 228}
    assert sorted(text for _, texts in stream_texts(contacts) for text in texts) == as_printed


@pytest.mark.parametrize(("unit", "middle"), PLACES)
def test_velocities_handed_out_are_those_of_the_contacts_as_given(unit, middle):
    contacts = box_in_corner(unit, middle)
    mode_set = modes(contacts)
    reach = unit * np.r_[np.ones(3), 1 / unit * np.ones(3)]  # turns and speeds of one size
    for mode in mode_set:
        velocity_cone = cone(mode)
        rows = np.concatenate([contacts.normal, *contacts.tangent])
        sides = rows[np.abs(mode.signs) == 1] * mode.signs[np.abs(mode.signs) == 1, None]
        still = rows[mode.signs == 0]
        for v in (mode.velocity, *velocity_cone.rays, *velocity_cone.lineality, *velocity_cone.sample(2)):
            # A speed is a sum of a row's entries times the velocity's; rounding is a share of those.
            small = 1e-12 * np.abs(rows).max(axis=0) @ np.abs(v)
            assert np.abs(still @ v).max(initial=0.0) <= small
            assert (sides @ v).min(initial=0.0) >= -small
        assert (sides @ mode.velocity).min(initial=np.inf) > 0
        near = velocity_cone.project(mode.velocity)
        assert near / reach == pytest.approx(
            mode.velocity / reach, abs=1e-9 * np.abs(mode.velocity / reach).max()
        )


@pytest.mark.parametrize(("unit", "middle"), PLACES)
def test_one_way_of_touching_and_one_contact_more_or_less_agree_with_all_modes(unit, middle):
    contacts = box_in_corner(unit, middle)
    mode_set = modes(contacts)
    assert sliding_modes(contacts, "0000++++").texts == mode_set.of("0000++++").texts
    fewer = modes(contacts.without(7))
    assert without_contact(mode_set, 7).texts == fewer.texts
    again = with_contact(fewer, contacts.only([7]))
    assert again.texts == mode_set.texts
    assert (
        with_contact(without_contact(again, 0), contacts.only([0])).texts
        == modes(contacts.only([*range(1, 8), 0])).texts
    )


@pytest.mark.parametrize("unit", [1e-3, 1.0, 1e4])
@pytest.mark.parametrize("middle", [(0.0, 0.0), (400.0, -90.0)])
def test_two_bodies_far_apart_on_one_plane_touch_as_they_would_by_themselves(unit, middle):
    turn = Rotation.from_rotvec((0.0, 0.0, 0.4)).as_matrix()[:2, :2]
    points = unit * (np.array([[0.0, 0.0], [1.0, 0.0], [90.0, 0.0], [91.0, 0.0]]) @ turn.T + middle)
    contacts = Contacts.from_points(
        points, np.array([[0.0, 1.0]] * 4) @ turn.T, bodies=[(-1, 0), (-1, 0), (-1, 1), (-1, 1)]
    )
    assert len(modes(contacts)) == 10 * 10  # a box on the ground in the plane has 10


def test_two_contacts_all_but_on_one_spot_are_flagged_and_decided_exactly():
    mode_set = modes(Contacts.from_points([[0.0, 0.0], [1e-8, 0.0]], [[0.0, 1.0]] * 2))
    assert mode_set.enumeration.flagged
    assert mode_set.enumeration.exact
    assert len(mode_set) == 10
