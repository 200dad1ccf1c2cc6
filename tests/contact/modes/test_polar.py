"""The paper's own route, polar hull and zonotope, beside the cell complex; and where it fails."""

import itertools

import numpy as np
import pytest

from detent.contact import Contacts
from detent.contact.modes import (
    face_lattice,
    float_space,
    modes,
    polar_modes,
    row_space,
    sliding_modes,
    zonotope_modes,
)
from detent.foundation import UnsupportedError
from tests.conftest import campaign
from tests.contact.families import FAMILIES, draw
from tests.contact.scenes import box_against_walls, box_on_box, hand_with_ball, peg_in_hole, planar_fan

SMALL = 700  # modes; zonotopes of more take seconds


def lattice_by_cells(contacts):
    return set(modes(contacts, kind="contacting_separating").texts)


def all_by_zonotopes(contacts):
    return {f"{t}|{z}" for t in lattice_by_cells(contacts) for z in zonotope_modes(contacts, t)}


@pytest.mark.parametrize(
    ("scene", "count"),
    [
        (box_against_walls(1), 10),
        (box_against_walls(2), 46),
        (box_against_walls(3), 136),
        (box_against_walls(4), 10),
        (box_against_walls(5), 2),
        (peg_in_hole(4), 1),
        (box_on_box(1), 10),
        (box_on_box(2), 184),
        (planar_fan(20), 42),
    ],
)
def test_the_polar_hull_of_a_scene_has_the_faces_that_the_complex_has(scene, count):
    texts = polar_modes(scene)
    assert len(texts) == count
    assert texts == lattice_by_cells(scene)


@pytest.mark.parametrize("family", FAMILIES)
def test_polar_hulls_and_zonotopes_of_random_contacts_give_the_cells(family):
    for seed in range(campaign(3, 12)):
        contacts = draw(family, seed).floats
        assert polar_modes(contacts) == lattice_by_cells(contacts)
        mode_set = modes(contacts)
        if len(mode_set) <= SMALL:
            assert all_by_zonotopes(contacts) == set(mode_set.texts)


def test_zonotopes_give_all_modes_of_a_box_on_the_ground():
    scene = box_against_walls(1)
    assert all_by_zonotopes(scene) == set(modes(scene).texts)


def test_kaibel_and_pfetschs_lattice_of_a_cube_and_of_a_simplex():
    corners = list(itertools.product((0, 1), repeat=3))
    facets = [
        frozenset(i for i, corner in enumerate(corners) if corner[axis] == side)
        for axis in range(3)
        for side in (0, 1)
    ]
    assert len(face_lattice(facets, 8) | {frozenset(range(8))}) == 1 + 8 + 12 + 6 + 1
    simplex = [frozenset(range(5)) - {i} for i in range(5)]
    assert len(face_lattice(simplex, 5) | {frozenset(range(5))}) == 2**5


def test_failure_facets_as_qhull_cuts_them_give_faces_that_no_box_in_a_corner_has():
    """Box-3's polar is degenerate: its facets come in simplices, whose walls are no faces of it.

    The printed 190 has this cause. `polar_modes` puts the points of one plane together first.
    """
    from scipy.spatial import ConvexHull

    scene = box_against_walls(3)
    rows = float_space(scene).normal
    points = rows / (rows @ rows.sum(axis=0))[:, None]
    centred = points - points.mean(axis=0)
    flat = centred @ row_space(centred)[0]
    cut = [frozenset(map(int, simplex)) for simplex in ConvexHull(flat).simplices]
    every = frozenset(range(len(rows)))
    as_cut = face_lattice(cut, len(rows)) | {frozenset(), every}
    assert len(as_cut) != 136
    true = {frozenset(i for i, s in enumerate(text) if s == "0") for text in lattice_by_cells(scene)}
    assert as_cut - true


def test_failure_planes_of_separating_contacts_left_out_allow_modes_that_no_velocity_has():
    """The option of the paper's algorithm 2: it makes 228 modes of Box-2 many more."""
    scene = box_against_walls(2)
    allowed = 0
    for text in lattice_by_cells(scene):
        touching = scene
        for i in reversed([i for i, sign in enumerate(text) if sign == "+"]):
            touching = touching.without(i)
        allowed += len(sliding_modes(touching, "0" * len(touching))) if len(touching) else 1
    assert len(modes(scene)) == 228
    assert allowed > 228


def test_failure_a_redundant_contact_is_no_vertex_of_the_hull():
    """Between two others on a line it lies inside their hull, so hull vertices alone do not know its sign."""
    from scipy.spatial import ConvexHull

    line = Contacts.from_points([(-1, 0), (0, 0), (1, 0)], [(0, 1)] * 3)
    rows = float_space(line).normal
    points = rows / (rows @ rows.sum(axis=0))[:, None]
    centred = points - points.mean(axis=0)
    along = (centred @ row_space(centred)[0]).ravel()
    assert 0 < np.argsort(along).tolist().index(1) < 2
    assert polar_modes(line) == lattice_by_cells(line) == {"000", "0++", "++0", "+++"}
    # The same in the plane: the middle one of a square's contacts is not one of the hull's vertices.
    floor = [(x, y, 0) for x in (-1, 1) for y in (-1, 1)] + [(0, 0, 0)]
    square = Contacts.from_points(floor, [(0, 0, 1)] * 5)
    assert 4 not in ConvexHull(np.array(floor, float)[:, :2]).vertices
    assert polar_modes(square) == lattice_by_cells(square)


def test_failure_zonotopes_of_many_planes_are_refused():
    with pytest.raises(UnsupportedError, match="candidate points"):
        zonotope_modes(hand_with_ball(), "0" * 12)
