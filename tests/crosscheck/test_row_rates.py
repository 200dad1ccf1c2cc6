"""Velocity products: of contact modes as drawn, and of mechanics and contacts at a state, shifted."""

import numpy as np
import pytest

from detent import Builder
from detent.app import inputs
from detent.contact import candidates, contact_rows, contacts_at, contacts_of
from detent.contact.forces import row_rates_of
from detent.mechanics import constraint_rows_at, state_of
from detent.model import compile_system

SQUARE = [[-1, 0], [1, 0], [1, 2], [-1, 2]]


def box_on_a_floor(units):
    return (
        Builder(units=units)
        .part("floor", fixed=True, shape={"outline": [[-9, -1], [9, -1], [9, 0], [-9, 0]]})
        .part("box", pose={"at": [2, 0]}, shape={"outline": SQUARE})
        .build()
    )


def disc_in_a_corner(units):
    return (
        Builder(units=units)
        .part("floor", fixed=True, shape={"outline": [[-9, -1], [9, -1], [9, 0], [-9, 0]]})
        .part("wall", fixed=True, shape={"outline": [[3, 0], [4, 0], [4, 9], [3, 9]]})
        .part("disc", pose={"at": [1, 2]}, shape={"circle": 2})
        .build()
    )


def two_boxes_that_move(units):
    return (
        Builder(units=units)
        .part("lower", shape={"outline": [[-9, -1], [9, -1], [9, 0], [-9, 0]]})
        .part("upper", pose={"at": [2, 0]}, shape={"outline": SQUARE})
        .build()
    )


def shifted(system, state, matrix, rates):
    """To accelerations of points at the world's origin: the shift adds c = w x v of each part's origin."""
    added = np.zeros(system.degrees)
    for body, column in enumerate(system.columns):
        if column >= 0:
            speed = state.spatial[body]
            turning = np.r_[np.cross(speed[3:], speed[:3]), np.zeros(3)]
            added[column : column + system.freedoms] = turning[[0, 1, 5]]
    return (matrix @ added + rates) / system.metres_per_unit


@pytest.mark.parametrize("units", ["m", "mm"])
@pytest.mark.parametrize("scene", [box_on_a_floor, disc_in_a_corner, two_boxes_that_move])
@pytest.mark.parametrize("seed", range(3))
def test_contacts_as_drawn_and_at_a_state_have_the_same_velocity_products(scene, units, seed):
    mechanism = scene(units)
    contacts = contacts_of(mechanism)
    velocity = np.random.default_rng(seed).normal(size=contacts.degrees)
    products, flat = row_rates_of(mechanism, contacts, velocity.tolist())
    assert not flat
    system = compile_system(mechanism, drives_hold=False)
    state = state_of(system, velocity)
    near = contacts_at(system, candidates(system), state, within=1e-9 * system.size, depth=1e-9 * system.size)
    rows = contact_rows(system, near, state)
    expected = shifted(system, state, rows.matrix, rows.rates)
    for site, product in zip(contacts.sites, products.normal, strict=True):
        at = np.array(site.point) * system.metres_per_unit
        same = [
            k
            for k in range(len(near))
            if np.allclose(near.point[k][:2], at, atol=1e-9)
            and np.allclose(near.normal[k][:2], site.unit_normal)
        ]
        assert len(same), site
        assert product / np.hypot(*site.normal) == pytest.approx(expected[same[0]], abs=1e-9)


@pytest.mark.parametrize("name", ["four_bar", "six_bar_a", "pantograph"])
def test_joints_as_drawn_and_at_a_state_have_the_same_velocity_products(name):
    """At velocities that the joints allow: a direction may then go with either part."""
    mechanism = inputs.load(name)
    system = compile_system(mechanism, drives_hold=False)
    contacts = contacts_of(mechanism)
    held = np.asarray(contacts.held, float)
    velocity = np.linalg.svd(held)[2][np.linalg.matrix_rank(held) :].sum(axis=0)
    assert np.abs(velocity).max() > 0.1
    products, _ = row_rates_of(mechanism, contacts, velocity.tolist())
    state = state_of(system, velocity)
    rows = constraint_rows_at(system, state)
    assert products.held == pytest.approx(shifted(system, state, rows.matrix, rows.rates), abs=1e-9)
