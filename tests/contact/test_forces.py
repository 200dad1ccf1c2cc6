"""Forces of a mode, modes under given loads, and grasps, against thresholds known by hand."""

import math

import numpy as np
import pytest

from detent.contact.dynamics import consistent_modes
from detent.contact.friction import balance, force_cone
from detent.contact.grasp import grasp
from detent.contact.mode import modes
from detent.contact.row import Contacts
from detent.foundation.errors import ModelError, UnsupportedError
from tests.contact.scenes import box_against_walls

MASS = np.diag([2.0, 2.0, 0.7])


def block(half=1.0, height=0.1):
    """A block on a floor in the plane, seen from its centre of mass."""
    return modes(Contacts.from_points([(-half, -height), (half, -height)], [(0, 1), (0, 1)]))


def weight(slope, mass=2.0, g=9.81):
    return mass * g * np.array([-math.sin(slope), -math.cos(slope), 0.0])


@pytest.mark.parametrize("slope", [0.1, 0.4, 1.0])
@pytest.mark.parametrize(("nudge", "holds"), [(+1e-6, True), (-1e-6, False)])
def test_a_block_can_stick_exactly_up_to_the_friction_angle(slope, nudge, holds):
    rest = block()["00|00"]
    assert balance(rest, weight(slope), friction=math.tan(slope) + nudge).possible is holds


@pytest.mark.parametrize("slope", [0.1, 0.4, 1.0])
@pytest.mark.parametrize(("nudge", "sticks"), [(+1e-4, True), (-1e-4, False)])
def test_a_block_on_a_slope_has_one_mode_and_it_changes_at_the_friction_angle(slope, nudge, sticks):
    mu = math.tan(slope) + nudge
    found = consistent_modes(block(), MASS, np.zeros(3), weight(slope), friction=mu)
    assert [m.mode.text for m in found] == ["00|00" if sticks else "00|--"]


def test_a_sliding_block_accelerates_by_what_friction_leaves():
    slope, mu = 0.5, 0.2
    (only,) = consistent_modes(block(), MASS, np.zeros(3), weight(slope), friction=mu)
    expected = -9.81 * (math.sin(slope) - mu * math.cos(slope))
    assert only.acceleration == pytest.approx([expected, 0, 0], abs=1e-6)
    assert sum(only.normal) == pytest.approx(2 * 9.81 * math.cos(slope), rel=1e-6)


@pytest.mark.parametrize(("height", "tips"), [(0.99, False), (1.01, True)])
def test_a_tall_block_tips_when_its_weight_leaves_the_base(height, tips):
    """At 45 degrees and with ample friction, the weight leaves the base at height = half width."""
    found = consistent_modes(block(1.0, height), MASS, np.zeros(3), weight(math.pi / 4), friction=10.0)
    assert all((m.mode.text.partition("|")[0] == "0+") == tips for m in found)
    assert len(found) == 1


def test_bias_forces_count_against_applied_ones():
    load = weight(0.3)
    applied = consistent_modes(block(), MASS, np.zeros(3), load, friction=0.1)
    biased = consistent_modes(block(), MASS, -load, np.zeros(3), friction=0.1)
    assert [m.mode.text for m in applied] == [m.mode.text for m in biased]


def between_walls():
    """A disc between two upright walls."""
    return modes(Contacts.from_points([(-1, 0), (1, 0)], [(1, 0), (-1, 0)]))


def test_a_disc_between_walls_may_stick_or_fall_and_both_are_said():
    """Wedged or not, gravity alone does not say: the modes are several."""
    load = np.array([0.0, -1.0, 0.0])
    found = {
        m.mode.text for m in consistent_modes(between_walls(), np.eye(3), np.zeros(3), load, friction=0.5)
    }
    assert "00|00" in found
    assert len(found) > 1
    without = consistent_modes(between_walls(), np.eye(3), np.zeros(3), load, friction=0.0)
    assert [m.mode.text for m in without] == ["00|+-"]  # tangents (0, -1) and (0, 1): it falls


def test_a_grasp_that_only_friction_between_walls_holds_is_not_stable():
    verdict = grasp(between_walls(), [0.0, -1.0, 0.0], friction=0.5)
    assert verdict.answer == "not stable"
    assert any("00|+-" in e.statement for e in verdict.evidence)


def test_a_box_on_the_ground_is_stable_and_lifted_it_is_in_no_equilibrium():
    found = modes(box_against_walls(1))
    assert grasp(found, [0, 0, -1, 0, 0, 0], friction=0.5).answer == "stable"
    assert grasp(found, [0, 0, 1, 0, 0, 0], friction=0.5).answer == "no equilibrium"


def test_friction_is_normal_force_times_its_coefficient_whatever_the_length_of_the_normal():
    for length in (1, 5):
        found = modes(Contacts.from_points([(0, 0, 0)], [(0, 0, length)], planes=4))
        for mode in found.where((0, "touching")):
            for row in force_cone(mode, friction=0.3).generators:
                assert row[2] == pytest.approx(1.0)
                assert math.hypot(row[0], row[1]) == pytest.approx(0.3)


def test_sliding_friction_opposes_every_velocity_of_its_sector():
    found = modes(Contacts.from_points([(0, 0, 0)], [(0, 0, 1)], planes=3))
    for mode in found.where((0, "sliding")):
        for row in force_cone(mode, friction=1.0).generators:
            assert row[:2] @ mode.velocity[:2] < 0


@pytest.mark.parametrize("turn", range(8))
def test_friction_takes_energy_from_sliding_in_every_direction_of_the_plane(turn):
    c, s = math.cos(turn * math.pi / 4), math.sin(turn * math.pi / 4)
    found = modes(Contacts.from_points([(s, -c), (2 * c, s)], [(c, s), (-s, c)]))
    for mode in found:
        generators = force_cone(mode, friction=0.7)
        for row, owner in zip(generators.generators, generators.owner, strict=True):
            if mode.state(int(owner)) == "sliding":
                assert row @ mode.velocity < 0


def test_forces_without_a_coefficient_are_refused():
    with pytest.raises(UnsupportedError, match="no friction coefficient"):
        balance(block()["00|00"], weight(0.1))


def test_a_load_or_a_mass_of_the_wrong_size_is_refused():
    with pytest.raises(ModelError, match="has 2 numbers, not 3"):
        balance(block()["00|00"], [1.0, 2.0], friction=1.0)
    with pytest.raises(ModelError, match="symmetric 3 x 3"):
        consistent_modes(block(), np.eye(2), np.zeros(3), np.zeros(3), friction=1.0)
    with pytest.raises(ModelError, match="positive definite"):
        consistent_modes(block(), np.diag([1.0, 1.0, 0.0]), np.zeros(3), np.zeros(3), friction=1.0)
