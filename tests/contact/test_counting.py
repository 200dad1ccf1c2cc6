"""Counted or listed, the number of modes is the same."""

import numpy as np
import pytest

from detent.contact.counting import count_modes
from detent.contact.mode import modes
from detent.numeric.arrangement_count import NOT_GENERAL, faces_inside
from tests.contact.families import FAMILIES, draw
from tests.contact.scenes import box_against_walls, box_on_box


@pytest.mark.parametrize("family", FAMILIES)
def test_the_count_is_the_length_of_the_list(family):
    for seed in range(20, 22):
        contacts = draw(family, seed).floats
        found = modes(contacts)
        assert count_modes(contacts) == {
            "contacting_separating": found.found.contacting_separating,
            "all": len(found),
        }


@pytest.mark.parametrize(("scene", "total"), [(box_against_walls(2), 228), (box_on_box(1), 9996)])
def test_the_paper_s_scenes_are_counted(scene, total):
    assert count_modes(scene)["all"] == total


def test_integers_count_the_same():
    assert count_modes(box_against_walls(1), exact=True) == {"contacting_separating": 10, "all": 196}


def test_progress_names_every_contacting_separating_mode():
    seen = []
    count_modes(box_against_walls(1), watch=lambda *step: seen.append(step))
    assert [done for done, _, _ in seen] == list(range(1, 11))
    assert seen[-1] == (10, 10, 196)


def test_a_half_space_cut_by_planes_in_general_position_has_half_of_their_faces_and_more():
    """In the open half-plane x > 0, k lines through the origin leave k rays and k + 1 sectors."""
    for k in (1, 2, 5):
        slopes = np.linspace(-1, 1, k) if k > 1 else np.array([0.3])
        lines = np.stack([slopes, np.ones(k)], axis=1)
        rows = lines / np.linalg.norm(lines, axis=1, keepdims=True)
        count = faces_inside(np.array([[1.0, 0.0]]), rows, np.eye(2)[:1], np.eye(2)[1:], 1e-9)
        assert count == 2 * k + 1


def test_planes_that_meet_in_too_small_a_space_are_not_in_general_position():
    """Three planes of space that share a line inside the cone."""
    rows = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.6, 0.8]])
    count = faces_inside(np.array([[1.0, 0.0, 0.0]]), rows, np.eye(3)[:1], np.eye(3)[1:], 1e-9)
    assert count == NOT_GENERAL
