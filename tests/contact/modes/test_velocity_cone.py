"""The cone of a mode: generators and half-spaces describe the same velocities; projections are nearest."""

from fractions import Fraction

import numpy as np
import pytest

from detent.contact import Contacts
from detent.contact.modes import cone, modes
from detent.foundation import ModelError
from tests.contact.families import FAMILIES, draw
from tests.contact.scenes import box_against_walls

SLACK = 1e-9


def some(found, count=25):
    """Modes spread over the set."""
    return [found[i] for i in range(0, len(found), max(1, len(found) // count))]


@pytest.mark.parametrize("family", FAMILIES)
def test_rays_and_lineality_lie_in_the_closed_cone_and_their_sum_inside(family):
    for mode in some(modes(draw(family, 5))):
        velocity_cone = cone(mode)
        for ray in velocity_cone.rays:
            assert np.abs(velocity_cone.zero @ ray).max(initial=0) < SLACK
            assert (velocity_cone.positive @ ray).min(initial=0) > -SLACK
        for line in velocity_cone.lineality:
            assert (
                np.abs(np.vstack([velocity_cone.zero, velocity_cone.positive]) @ line).max(initial=0) < SLACK
            )
        if len(velocity_cone.positive):
            assert velocity_cone.holds(velocity_cone.rays.sum(axis=0))
        assert velocity_cone.holds(velocity_cone.witness)


@pytest.mark.parametrize("family", FAMILIES)
def test_rays_and_lineality_span_all_that_the_equations_leave(family):
    """Dimension counted twice: from the generators, and from the rows that are zero."""
    for mode in some(modes(draw(family, 6))):
        velocity_cone = cone(mode)
        d = velocity_cone.zero.shape[1]
        zero = np.linalg.matrix_rank(velocity_cone.zero, tol=1e-9) if len(velocity_cone.zero) else 0
        spanned = np.vstack([velocity_cone.rays, velocity_cone.lineality])
        assert (np.linalg.matrix_rank(spanned, tol=1e-9) if len(spanned) else 0) == d - zero


def test_samples_belong_to_the_mode_and_are_not_all_the_same():
    for mode in some(modes(box_against_walls(1))):
        velocity_cone = cone(mode)
        samples = velocity_cone.sample(5, seed=3)
        assert all(velocity_cone.holds(v) for v in samples) or mode.dimension == 0
        assert (samples == velocity_cone.sample(5, seed=3)).all()
        if mode.dimension > 1:
            assert np.ptp(samples, axis=0).max() > 1e-3


@pytest.mark.parametrize("family", FAMILIES)
def test_a_projection_is_the_nearest_velocity_of_the_closed_cone(family):
    """What is left of the goal points away from every generator and is square to the answer."""
    random = np.random.default_rng(0)
    for mode in some(modes(draw(family, 7))):
        velocity_cone = cone(mode)
        goal = random.normal(size=velocity_cone.zero.shape[1])
        metric = np.diag(random.uniform(0.5, 2.0, len(goal)))
        for weight in (None, metric):
            near = velocity_cone.project(goal, metric=weight)
            left = (goal - near) @ (np.eye(len(goal)) if weight is None else weight)
            assert abs(left @ near) < 1e-7
            assert (velocity_cone.rays @ left).max(initial=0) < 1e-7
            assert np.abs(velocity_cone.lineality @ left).max(initial=0) < 1e-7
            assert (velocity_cone.positive @ near).min(initial=0) > -1e-9
            assert np.abs(velocity_cone.zero @ near).max(initial=0) < 1e-9


def test_a_box_asked_to_dive_slides_instead():
    mode_set = modes(box_against_walls(1))
    near = cone(mode_set["0000|++++++++"]).project([1.0, 1.0, -1.0, 0, 0, 0])
    assert np.allclose(near, [1, 1, 0, 0, 0, 0])


@pytest.mark.parametrize("speed", [1e-18, 1e-9, 1e9])
@pytest.mark.parametrize("metric", [np.eye(6), np.diag([1e-6, 1.0, 1e6, 1e-6, 1.0, 1e6])])
def test_the_nearest_velocity_scales_with_its_goal(speed, metric):
    velocity_cone = cone(modes(box_against_walls(1))["0000|++++++++"])
    goal = np.array([1.0, 1.0, -1.0, 0.3, 0.2, 0.1])
    near = velocity_cone.project(goal, metric=metric)
    assert np.allclose(velocity_cone.project(speed * goal, metric=metric), speed * near, rtol=1e-9, atol=0)


def test_a_goal_of_the_wrong_length_is_refused():
    with pytest.raises(ModelError, match="has 2 numbers, not 6"):
        cone(modes(box_against_walls(1))["0000|00000000"]).project([1.0, 2.0])


def test_a_hinged_body_keeps_its_hinge_in_every_cone():
    hinge = [[1, 0, 0], [0, 1, 0]]
    mode_set = modes(Contacts.from_points([(1, 0)], [(0, 1)], held=hinge))
    assert mode_set.texts == ["+|.", "0|0"]
    velocity_cone = cone(mode_set["+|."])
    assert np.allclose(np.abs(velocity_cone.rays), [[0, 0, 1]])


@pytest.mark.parametrize("tilt", [Fraction(1, 10**8), Fraction(1, 10**10), Fraction(1, 10**11)])
def test_the_cones_of_modes_that_integers_decided_are_exact(tilt):
    """Two contacts that are nearly one: rest is a point, however thin the cones around it are."""
    mode_set = modes(Contacts.from_rows([[1, 0], [1, tilt]]))
    assert mode_set.enumeration.exact
    rays = {text: sorted(cone(mode_set[text]).rays.tolist()) for text in mode_set.texts}
    assert rays == {
        "00|": [],
        "0+|": [[0.0, 1.0]],
        "+0|": [pytest.approx([float(tilt), -1.0])],
        "++|": [[0.0, 1.0], pytest.approx([float(tilt), -1.0])],
    }
    assert not any(len(cone(mode_set[text]).lineality) for text in mode_set.texts)
    assert cone(mode_set["00|"]).project([0.0, 1.0]).tolist() == [0.0, 0.0]
    assert cone(mode_set["++|"]).project([1.0, 0.0]) == pytest.approx([1.0, 0.0])


@pytest.mark.parametrize("family", FAMILIES)
def test_cones_in_integers_are_those_in_floats(family):
    contacts = draw(family, 4)
    plain, exactly = modes(contacts), modes(contacts, exact=True)
    for text in plain.texts[:: max(1, len(plain) // 20)]:
        one, other = cone(plain[text]), cone(exactly[text])
        assert (len(one.rays), len(one.lineality)) == (len(other.rays), len(other.lineality))
        apart = np.abs(one.rays[:, None] - other.rays[None]).max(axis=2)
        assert (apart.min(axis=1, initial=1.0) < 1e-7).all()
        assert np.allclose(one.lineality.T @ one.lineality, other.lineality.T @ other.lineality)
