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
        own = cone(mode)
        for ray in own.rays:
            assert np.abs(own.zero @ ray).max(initial=0) < SLACK
            assert (own.positive @ ray).min(initial=0) > -SLACK
        for line in own.lineality:
            assert np.abs(np.vstack([own.zero, own.positive]) @ line).max(initial=0) < SLACK
        if len(own.positive):
            assert own.holds(own.rays.sum(axis=0))
        assert own.holds(own.witness)


@pytest.mark.parametrize("family", FAMILIES)
def test_rays_and_lineality_span_all_that_the_equations_leave(family):
    """Dimension counted twice: from the generators, and from the rows that are zero."""
    for mode in some(modes(draw(family, 6))):
        own = cone(mode)
        d = own.zero.shape[1]
        zero = np.linalg.matrix_rank(own.zero, tol=1e-9) if len(own.zero) else 0
        spanned = np.vstack([own.rays, own.lineality])
        assert (np.linalg.matrix_rank(spanned, tol=1e-9) if len(spanned) else 0) == d - zero


def test_samples_belong_to_the_mode_and_are_not_all_the_same():
    for mode in some(modes(box_against_walls(1))):
        own = cone(mode)
        made = own.sample(5, seed=3)
        assert all(own.holds(v) for v in made) or mode.dimension == 0
        assert (made == own.sample(5, seed=3)).all()
        if mode.dimension > 1:
            assert np.ptp(made, axis=0).max() > 1e-3


@pytest.mark.parametrize("family", FAMILIES)
def test_a_projection_is_the_nearest_velocity_of_the_closed_cone(family):
    """What is left of the goal points away from every generator and is square to the answer."""
    random = np.random.default_rng(0)
    for mode in some(modes(draw(family, 7))):
        own = cone(mode)
        goal = random.normal(size=own.zero.shape[1])
        metric = np.diag(random.uniform(0.5, 2.0, len(goal)))
        for weight in (None, metric):
            near = own.project(goal, metric=weight)
            left = (goal - near) @ (np.eye(len(goal)) if weight is None else weight)
            assert abs(left @ near) < 1e-7
            assert (own.rays @ left).max(initial=0) < 1e-7
            assert np.abs(own.lineality @ left).max(initial=0) < 1e-7
            assert (own.positive @ near).min(initial=0) > -1e-9
            assert np.abs(own.zero @ near).max(initial=0) < 1e-9


def test_a_box_asked_to_dive_slides_instead():
    found = modes(box_against_walls(1))
    near = cone(found["0000|++++++++"]).project([1.0, 1.0, -1.0, 0, 0, 0])
    assert np.allclose(near, [1, 1, 0, 0, 0, 0])


@pytest.mark.parametrize("speed", [1e-18, 1e-9, 1e9])
@pytest.mark.parametrize("metric", [np.eye(6), np.diag([1e-6, 1.0, 1e6, 1e-6, 1.0, 1e6])])
def test_the_nearest_velocity_scales_with_its_goal(speed, metric):
    own = cone(modes(box_against_walls(1))["0000|++++++++"])
    goal = np.array([1.0, 1.0, -1.0, 0.3, 0.2, 0.1])
    near = own.project(goal, metric=metric)
    assert np.allclose(own.project(speed * goal, metric=metric), speed * near, rtol=1e-9, atol=0)


def test_a_goal_of_the_wrong_length_is_refused():
    with pytest.raises(ModelError, match="has 2 numbers, not 6"):
        cone(modes(box_against_walls(1))["0000|00000000"]).project([1.0, 2.0])


def test_a_hinged_body_keeps_its_hinge_in_every_cone():
    hinge = [[1, 0, 0], [0, 1, 0]]
    found = modes(Contacts.from_points([(1, 0)], [(0, 1)], held=hinge))
    assert found.texts == ["+|.", "0|0"]
    own = cone(found["+|."])
    assert np.allclose(np.abs(own.rays), [[0, 0, 1]])


@pytest.mark.parametrize("tilt", [Fraction(1, 10**8), Fraction(1, 10**10), Fraction(1, 10**11)])
def test_the_cones_of_modes_that_integers_decided_are_exact(tilt):
    """Two contacts that are nearly one: rest is a point, however thin the cones around it are."""
    found = modes(Contacts.from_rows([[1, 0], [1, tilt]]))
    assert found.found.exact
    rays = {text: sorted(cone(found[text]).rays.tolist()) for text in found.texts}
    assert rays == {
        "00|": [],
        "0+|": [[0.0, 1.0]],
        "+0|": [pytest.approx([float(tilt), -1.0])],
        "++|": [[0.0, 1.0], pytest.approx([float(tilt), -1.0])],
    }
    assert not any(len(cone(found[text]).lineality) for text in found.texts)
    assert cone(found["00|"]).project([0.0, 1.0]).tolist() == [0.0, 0.0]
    assert cone(found["++|"]).project([1.0, 0.0]) == pytest.approx([1.0, 0.0])


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
