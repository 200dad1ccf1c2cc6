"""Friction in space to Coulomb's law: round cones, and sliding that begins in its true direction."""

import math

import numpy as np
import pytest
from scipy.optimize import linprog

from detent.contact import Contacts
from detent.contact.forces import RowRates, consistent_modes, equations_of_motion, present, reach
from detent.contact.modes import modes


def tangents(*degrees):
    return [[(math.cos(math.radians(a)), math.sin(math.radians(a)), 0.0) for a in degrees]]


DIVISIONS = [tangents(0, 90), tangents(20, 80), tangents(0, 60, 120), tangents(5, 10, 100, 170)]


@pytest.mark.parametrize("division", DIVISIONS)
@pytest.mark.parametrize("angle", np.linspace(0, 2 * math.pi, 12, endpoint=False) + 0.03)
def test_a_pushed_point_sticks_up_to_mu_and_then_follows_the_push_whatever_the_sectors(division, angle):
    """Two-sided at the round cone's edge in every direction; the acceleration is what is left of the push."""
    mode_set = modes(Contacts.from_points([(0, 0, 0)], [(0, 0, 1)], tangents=division))
    along = np.array([math.cos(angle), math.sin(angle), 0, 0, 0, 0])
    for push in (0.3, 0.5 - 1e-5, 0.5 + 1e-5, 0.7, 5.0):
        load = push * along - np.eye(6)[2]
        (only,) = consistent_modes(mode_set, np.eye(6), np.zeros(6), load, friction=0.5)
        assert only.state(0) == ("sticking" if push < 0.5 else "sliding")
        assert only.acceleration == pytest.approx(max(0.0, push - 0.5) * along, abs=3e-6)
        assert only.normal == pytest.approx((1.0,))


def test_a_turntable_throws_off_what_lies_beyond_mu_g_over_its_spin_squared():
    """Drift in the tangent plane counts like a push, from whichever tangents it is reckoned."""
    for division in DIVISIONS:
        rows = np.array(division[0])[:, :2]
        mode_set = modes(Contacts.from_points([(0, 0, 0)], [(0, 0, 1)], tangents=division))
        for pull, state in ((0.4 - 1e-5, "sticking"), (0.4 + 1e-5, "sliding")):
            outward = pull * np.array([math.cos(1.1), math.sin(1.1)])
            drift = RowRates(tangent=[(rows @ outward).tolist()])
            load = -np.eye(6)[2]
            (only,) = consistent_modes(mode_set, np.eye(6), np.zeros(6), load, friction=0.4, drift=drift)
            assert only.state(0) == state


@pytest.mark.parametrize("division", DIVISIONS)
def test_what_a_contact_could_reach_holds_every_friction_of_its_state(division):
    """Friction against each direction of sliding is a mean of the vectors of its sector."""
    mode_set = modes(Contacts.from_points([(0, 0, 0)], [(0, 0, 1)], tangents=division))
    free = np.zeros(6)
    equations = equations_of_motion(
        mode_set, np.eye(6), free, [0.5], present(mode_set, None, 1e-9), RowRates()
    )
    for degree in range(0, 360, 5):
        along = np.array([math.cos(math.radians(degree + 0.5)), math.sin(math.radians(degree + 0.5)), 0.0])
        signs = np.sign(np.array(division[0]) @ along).astype(np.int8)
        axes = equations.slip(0).rows[:, :3]
        for state in (signs, 0 * signs):
            vectors = reach(equations, 0, state)
            best = linprog(
                np.zeros(len(vectors)),
                A_eq=np.vstack([vectors.T, np.ones(len(vectors))]),
                b_eq=np.r_[-(axes @ along), 1.0],
            )
            assert best.status == 0


def inertia(centre):
    x, y, z = centre
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.block([[np.eye(3), -cross], [cross, 0.4 * np.eye(3) - cross @ cross]])


def stool(seed):
    """A body on three feet at random places, its centre above them, under a random push."""
    random = np.random.default_rng(seed)
    turns = 2 * math.pi * np.arange(3) / 3 + random.uniform(-0.4, 0.4, 3)
    feet = [(math.cos(a), math.sin(a), 0.0) for a in turns]
    centre = np.array([0.0, 0.0, random.uniform(0.05, 1.2)])
    push = np.r_[random.uniform(-0.8, 0.8, 2), -1.0]
    load = np.r_[push, np.cross(centre, push)] + np.r_[0, 0, 0, 0, 0, random.uniform(-0.6, 0.6)]
    return feet, inertia(centre), load, float(random.uniform(0.1, 0.5))


def by_projection(feet, mass, load, mu):
    """Cone by cone, friction projected on its disc, until nothing changes."""
    inverse = np.linalg.inv(mass)
    rows = [np.hstack([np.eye(3), -np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])]) for x, y, z in feet]
    force = np.zeros((len(feet), 3))
    for _ in range(20000):
        before = force.copy()
        for i, own in enumerate(rows):
            a = inverse @ (load + sum(r.T @ f for r, f in zip(rows, force, strict=True)))
            step = 1.0 / np.linalg.eigvalsh(own @ inverse @ own.T)[-1]
            wanted = force[i] - step * (own @ a)
            wanted[2] = max(0.0, wanted[2])
            size = math.hypot(wanted[0], wanted[1])
            if size > mu * wanted[2]:
                wanted[:2] *= mu * wanted[2] / size
            force[i] = wanted
        if np.abs(force - before).max() < 1e-13:
            break
    return inverse @ (load + sum(r.T @ f for r, f in zip(rows, force, strict=True))), force, rows


def test_a_stool_begins_to_slide_as_projected_iterations_say():
    """Three feet make normal forces unique; with moderate friction so is the motion."""
    states = set()
    for seed in range(16, 40):
        feet, mass, load, mu = stool(seed)
        mode_set = modes(Contacts.from_points(feet, [(0, 0, 1)] * 3, planes=2))
        (only,) = consistent_modes(mode_set, mass, np.zeros(6), load, friction=mu)
        a, force, rows = by_projection(feet, mass, load, mu)
        assert only.acceleration == pytest.approx(a, abs=2e-5), seed
        assert only.normal == pytest.approx(tuple(force[:, 2]), abs=2e-5), seed
        states.add(only.text.partition("|")[0] + only.state(0))
        for i, row in enumerate(rows):
            slip = row @ a
            if only.state(i) == "sliding":  # straight against the sliding
                expected = -mu * force[i, 2] * slip[:2] / np.hypot(*slip[:2])
                assert force[i, :2] == pytest.approx(expected, abs=1e-5)
    assert {"000sticking", "000sliding"} <= states
    assert len(states) > 2  # some feet lift too


def test_a_push_at_a_corner_of_the_old_polygon_is_one_motion_and_not_two():
    """Between a sector's chord and its arc both sticking and sliding would seem possible."""
    mode_set = modes(Contacts.from_points([(0, 0, 0)], [(0, 0, 1)], planes=2))
    for push in (0.36, 0.4, 0.45, 0.49):
        load = [push * math.cos(math.pi / 4), push * math.sin(math.pi / 4), -1, 0, 0, 0]
        (only,) = consistent_modes(mode_set, np.eye(6), np.zeros(6), load, friction=0.5)
        assert only.text == "0|00"
