"""Faces, edges and corners of solids with flat faces: closed, whole, and named once."""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np
import pytest

from detent.foundation import UnsupportedError
from detent.geometry import Polyhedron, Solid, mesh, polyhedron
from detent.model.machine import part_solid
from detent.model.reading import convert

BLOCK = {"block": [4, 3, 2]}


def solid_of(shape: dict[str, Any]) -> Solid:
    solid = part_solid(convert.mechanism({"dimension": 3, "parts": {"a": {"shape": shape}}}), "a")
    assert solid is not None
    return solid


def boundary_of(shape: dict[str, Any]) -> Polyhedron:
    return polyhedron.polyhedron(solid_of(shape))


def moved(shape: dict[str, Any], *by: Any) -> dict[str, Any]:
    return {**shape, "moves": [*shape.get("moves", []), {"move": list(by)}]}


def area_and_volume(boundary: Polyhedron) -> tuple[float, float]:
    """From the borders of faces alone (Stokes, then Gauss): wrong where a border is missing."""
    area = volume = 0.0
    for number, face in enumerate(boundary.faces):
        across = np.zeros(3)
        for edge in (boundary.edges[k] for k in face.edges):
            start, end = edge.ends if edge.faces[0] == number else edge.ends[::-1]
            across += np.cross(start, end) / 2
        assert np.linalg.norm(np.cross(across, face.normal)) < 1e-9 * np.linalg.norm(across)
        area += across @ face.normal
        volume += (across @ face.normal) * (face.normal @ boundary.edges[face.edges[0]].ends[0]) / 3
    return area, volume


def random_shape(rng: random.Random) -> dict[str, Any]:
    """Blocks and prisms on a coarse lattice, so that faces are flush and edges run on; some are tilted."""

    def piece() -> dict[str, Any]:
        kind = rng.random()
        shape: dict[str, Any] = {"block": [rng.randint(1, 4) / 2 for _ in range(3)]}
        if kind < 0.3:
            outline = [[0, 0], [3, 0], [3, 1], [1, 1], [1, 2], [0, 2]]
            shape = {"prism": {"outline": outline, "height": rng.randint(1, 3) / 2}}
        elif kind < 0.5:
            shape["edges"] = [{"face": rng.choice(["+x", "-y", "+z"]), "chamfer": rng.choice([0.1, -0.1])}]
        shape["moves"] = [{"move": [rng.randint(0, 3) / 2 for _ in range(3)]}]
        if rng.random() < 0.3:
            shape["moves"].append({"turn_deg": rng.choice([30, 90, 17]), "about": rng.choice("xyz")})
        return shape

    operation = rng.choice(["union", "union", "difference", "intersection"])
    shape = {operation: [piece() for _ in range(rng.randint(2, 4))]}
    return {"union": [shape, piece()]} if rng.random() < 0.3 else shape


@pytest.mark.parametrize("seed", range(60))
def test_the_faces_of_a_solid_enclose_its_volume_and_have_its_area(seed: int) -> None:
    """manifold3d puts the primitives together as meshes, which shares nothing with planes and regions.

    Its area counts both sides of a sheet of no thickness, where it leaves one; none of these shapes has one.
    """
    solid = solid_of(random_shape(random.Random(seed)))
    whole = mesh.manifold(solid)
    boundary = polyhedron.polyhedron(solid)
    if whole.volume() < 1e-9:
        assert not boundary.faces
        return
    area, volume = area_and_volume(boundary)
    assert volume == pytest.approx(whole.volume(), rel=1e-9)
    assert area == pytest.approx(whole.surface_area(), rel=1e-9)
    for edge in boundary.edges:
        # Each edge lies in the planes of its faces, and points into them.
        for face, into in zip(edge.faces, edge.into, strict=True):
            normal = boundary.faces[face].normal
            assert abs(normal @ (edge.ends[1] - edge.ends[0])) < 1e-9
            assert abs(normal @ into) < 1e-9
        first, second = (boundary.faces[face].normal for face in edge.faces)
        assert (second @ edge.into[0] < 0) == edge.convex
        assert (first @ edge.into[1] < 0) == edge.convex


@pytest.mark.parametrize("cut", ["1/3", 0.7, 1.9])
def test_a_block_of_two_pieces_has_the_faces_edges_and_corners_of_a_whole_one(cut: Any) -> None:
    left = {"block": [cut, 3, 2]}
    rest = {
        "block": [4 - cut if not isinstance(cut, str) else "11/3", 3, 2],
        "moves": [{"move": [cut, 0, 0]}],
    }
    pieces, whole = boundary_of({"union": [left, rest]}), boundary_of(BLOCK)
    assert (len(pieces.faces), len(pieces.edges), len(pieces.corners)) == (6, 12, 8)
    corners = [sorted(np.round([c.at for c in each.corners], 12).tolist()) for each in (pieces, whole)]
    assert corners[0] == corners[1]
    # What runs on has the name of the first leaf; the far end has that of the second.
    assert {face.name for face in pieces.faces} == {"0.f0", "0.f2", "0.f3", "0.f4", "0.f5", "1.f1"}


def test_faces_of_a_block_are_numbered_around_its_base_then_bottom_and_top() -> None:
    normals = {face.name: np.round(face.normal).tolist() for face in boundary_of(BLOCK).faces}
    assert normals == {
        "0.f0": [0, -1, 0],
        "0.f1": [1, 0, 0],
        "0.f2": [0, 1, 0],
        "0.f3": [-1, 0, 0],
        "0.f4": [0, 0, -1],
        "0.f5": [0, 0, 1],
    }


@pytest.mark.parametrize("mirrored", [False, True])
def test_sides_keep_the_numbers_of_the_outline_as_written(mirrored: bool) -> None:
    """Clockwise, with a vertex on a straight side: side 3, from (0, 0) on, is in the plane x = 0."""
    outline = [[2, 2], [2, 0], [1, 0], [0, 0], [0, 2]]
    shape: dict[str, Any] = {"prism": {"outline": outline, "height": 1}}
    if mirrored:
        shape["moves"] = [{"mirror": "x"}]
    normals = {face.name: np.round(face.normal).tolist() for face in boundary_of(shape).faces}
    away = 1 if mirrored else -1
    assert normals["0.f3"] == [away, 0, 0]
    assert normals["0.f4"] == [0, 1, 0]
    assert normals["0.f0"] == [-away, 0, 0]
    assert "0.f1" not in normals or "0.f2" not in normals  # they run on
    assert normals["0.f5"] == [0, 0, -1]
    assert normals["0.f6"] == [0, 0, 1]


def test_the_mouth_of_a_hole_has_convex_edges_and_no_corner_that_touches() -> None:
    """Four corners at the mouth turn inwards, four at the bottom are dents: no plane touches them alone."""
    plate = {"difference": [{"block": [6, 6, 2]}, {"block": [2, 2, 1], "moves": [{"move": [2, 2, 1]}]}]}
    boundary = boundary_of(plate)
    assert (len(boundary.faces), len(boundary.edges), len(boundary.corners)) == (11, 24, 16)
    assert sum(edge.convex for edge in boundary.edges) == 12 + 4
    touching = [corner for corner in boundary.corners if len(corner.directions)]
    assert len(touching) == 8
    assert all(name.startswith("0.") and "1." not in name for name in (c.name for c in touching))
    walls = {face.name for face in boundary.faces} - {f"0.f{k}" for k in range(6)}
    assert walls == {"1.f0", "1.f1", "1.f2", "1.f3", "1.f4"}


def test_blocks_that_share_an_edge_only_keep_an_edge_each() -> None:
    """Two cubes along a line: the edge between them is there twice, once around each cube's material."""
    cube = {"block": [1, 1, 1]}
    boundary = boundary_of({"union": [cube, moved(cube, 1, 1, 0)]})
    assert (len(boundary.faces), len(boundary.edges), len(boundary.corners)) == (12, 24, 16)
    assert all(edge.convex for edge in boundary.edges)
    assert all(len(corner.directions) == 3 for corner in boundary.corners)


def test_a_flared_face_keeps_the_number_of_its_face_where_only_the_flare_is_left() -> None:
    """A hole as wide as the block leaves the rim of the flare alone, on the level of the top."""
    flared = {"block": [4, 3, 2], "edges": [{"face": "+z", "chamfer": -0.5}]}
    rim = boundary_of({"difference": [flared, {"block": [4, 3, 9], "moves": [{"move": [0, 0, -1]}]}]})
    up = [face.name for face in rim.faces if face.normal[2] > 0.99]
    assert up == ["0.f5"]
    assert len(rim.corners) == 12


def test_a_chamfer_has_a_face_per_side_and_faces_at_half_a_right_angle() -> None:
    boundary = boundary_of({"block": [4, 3, 2], "edges": [{"face": "+x", "chamfer": 0.25}]})
    chamfers = [face for face in boundary.faces if int(face.name[3:]) > 5]
    assert sorted(face.name for face in chamfers) == ["0.f6", "0.f7", "0.f8", "0.f9"]
    assert all(face.normal[0] == pytest.approx(math.sqrt(0.5)) for face in chamfers)
    assert len(boundary.corners) == 12


@pytest.mark.parametrize(
    ("shape", "what"),
    [
        ({"sphere": 1}, "a sphere"),
        ({"cylinder": {"radius": 1, "height": 1}}, "a cylinder"),
        ({"cone": {"radius": [1, 0], "height": 1}}, "a cone"),
        ({"torus": {"radius": 2, "tube": 1}}, "a torus"),
        ({"block": [1, 1, 1], "edges": [{"face": "+z", "round": 0.1}]}, "a rounded edge"),
    ],
)
def test_curved_faces_are_refused_by_name(shape: dict[str, Any], what: str) -> None:
    whole = {"difference": [{"block": [9, 9, 9]}, shape]}
    with pytest.raises(UnsupportedError, match=rf"parts\.a\.shape\.difference\.1: contacts of {what}"):
        boundary_of(whole)


def test_a_solid_whose_faces_are_lost_in_its_size_is_refused() -> None:
    """Copies millions of times their own width apart: a double does not hold both."""
    copies = {"difference": [{"block": [2, 2, 2]}, moved({"block": [1, 1, 1]}, 0.5, 0.5, 1)]}
    with pytest.raises(UnsupportedError, match="lost in rounding"):
        boundary_of(copies | {"repeat": {"count": 40, "step": [4e6, 0, 0.01]}})
