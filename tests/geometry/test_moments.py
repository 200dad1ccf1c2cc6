"""Volume, centre and inertia against closed forms and against meshes."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from detent.geometry import envelope, feature, leaves, mesh, moments, region
from detent.io import native
from detent.model.machine import mass_from_shape, solids
from detent.model.reading import convert
from tests.conftest import REFERENCE

F = Fraction


def made(shape: dict[str, Any]) -> Any:
    mechanism = convert.mechanism({"dimension": 3, "parts": {"p": {"shape": shape}}})
    return solids.part_solid(mechanism, "p")


PRIMITIVES = {
    "block": ({"block": [2, 3, 4]}, 24, (1, 1.5, 2), (24 * 25 / 12, 24 * 20 / 12, 24 * 13 / 12)),
    "cylinder": (
        {"cylinder": {"radius": 2, "height": 3}},
        12 * math.pi,
        (0, 0, 1.5),
        (12 * math.pi * (12 + 9) / 12, 12 * math.pi * (12 + 9) / 12, 12 * math.pi * 2),
    ),
    "sphere": ({"sphere": 2}, 32 / 3 * math.pi, (0, 0, 0), (32 / 3 * math.pi * 1.6,) * 3),
    "cone": (
        {"cone": {"radius": [3, 0], "height": 4}},
        12 * math.pi,
        (0, 0, 1),
        (12 * math.pi * 3 / 80 * (4 * 9 + 16), 12 * math.pi * 3 / 80 * (4 * 9 + 16), 12 * math.pi * 0.3 * 9),
    ),
    "torus": (
        {"torus": {"radius": 3, "tube": 1}},
        6 * math.pi**2,
        (0, 0, 0),
        (6 * math.pi**2 * (36 + 5) / 8, 6 * math.pi**2 * (36 + 5) / 8, 6 * math.pi**2 * (9 + 0.75)),
    ),
    "prism": (
        {"prism": {"outline": [[0, 0], [3, 0], [0, 3]], "height": 2}},
        9,
        (1, 1, 1),
        (9 * (0.5 + 4 / 12), 9 * (0.5 + 4 / 12), 9 * 1.0),
    ),
}


@pytest.mark.parametrize("kind", PRIMITIVES)
def test_primitives_have_their_textbook_moments(kind: str) -> None:
    shape, volume, centre, inertia = PRIMITIVES[kind]
    moments_ = moments.moments(made(shape))
    assert moments_.volume == pytest.approx(volume, rel=1e-13)
    assert moments_.centre == pytest.approx(centre, abs=1e-13)
    assert np.diag(moments_.inertia) == pytest.approx(inertia, rel=1e-12)


@pytest.mark.parametrize("kind", PRIMITIVES)
def test_the_mesh_of_a_tilted_primitive_agrees_with_its_closed_form(kind: str) -> None:
    shape = PRIMITIVES[kind][0] | {
        "moves": [{"move": [1, 2, 3]}, {"turn_deg": 37, "about": [1, 2, 3]}, {"mirror": [1, 1, 0]}]
    }
    solid = made(shape)
    exact = moments.moments(solid)
    meshed = moments.mesh_moments(solid)
    if kind != "prism":
        assert exact.method == "closed form"
    assert meshed.matrix == pytest.approx(exact.matrix, rel=1e-6, abs=1e-7 * np.abs(exact.matrix).max())


@pytest.mark.parametrize("part", ["ewheel", "lever", "bwheel", "frame"])
def test_sections_integrate_to_the_mesh_of_the_escapement(part: str) -> None:
    mechanism = native.load(REFERENCE / "machines" / "escapement.toml")
    solid = solids.part_solid(mechanism, part)
    assert solid is not None
    exact, meshed = moments.moments(solid), moments.mesh_moments(solid)
    assert exact.method == "sections"
    assert meshed.volume == pytest.approx(exact.volume, rel=1e-7)
    # A chord falls short unevenly where teeth cut the arc; the step of the extrapolation bounds that.
    assert np.abs(meshed.matrix - exact.matrix).max() <= meshed.error * np.abs(exact.matrix).max()


def test_a_plate_with_a_hole_has_the_moments_of_the_difference() -> None:
    plate = {"block": [4, 4, 1], "moves": [{"move": [-2, -2, 0]}]}
    hole = {"cylinder": {"radius": 1, "height": 3}, "moves": [{"move": [0, 0, -1]}]}
    moments_ = moments.moments(made({"difference": [plate, hole]}))
    assert moments_.volume == pytest.approx(16 - math.pi, rel=1e-14)
    assert moments_.inertia[2, 2] == pytest.approx(16 * 32 / 12 - math.pi / 2, rel=1e-13)


def test_a_rounded_bore_has_the_volume_of_its_profile() -> None:
    """A hole of radius 13 flared by a round of 3 at both mouths, by Pappus and by the mesh."""
    bore = native.load(REFERENCE / "assembly" / "oring_bore.toml")
    solid = solids.part_solid(bore, "bore")
    assert solid is not None
    nook = 9 * (1 - math.pi / 4)  # between the round and the corner it replaces
    nook_centre = 13 + _nook_centroid(3)
    wanted = 60 * 60 * 16 - math.pi * 13**2 * 16 - 2 * math.tau * nook_centre * nook
    assert moments.moments(solid).volume == pytest.approx(wanted, rel=1e-5)


def _nook_centroid(r: float) -> float:
    """Distance from the wall of the centroid of the square r x r less its quarter disc."""
    square, quarter = r * r, math.pi * r * r / 4
    # The quarter disc's centre stands r out from the wall, so its material is 4r/3pi nearer.
    return (square * r / 2 - quarter * (r - 4 * r / (3 * math.pi))) / (square - quarter)


def test_a_chamfered_peg_loses_four_wedges_and_keeps_its_corners_sharp() -> None:
    mechanism = native.load(REFERENCE / "assembly" / "rect_peg_carrier_stiff_y4_z0.toml")
    peg = solids.part_solid(mechanism, "peg")
    assert peg is not None
    a, b, c, d = 120, 45.4, 45.2, 4
    frustum = d / 3 * (b * c + (b - 2 * d) * (c - 2 * d) + math.sqrt(b * c * (b - 2 * d) * (c - 2 * d)))
    exact = (a - d) * b * c + d * (b * c + (b - 2 * d) * (c - 2 * d) + 4 * (b - d) * (c - d)) / 6
    assert moments.moments(peg).volume == pytest.approx(exact, rel=1e-12)
    assert frustum == pytest.approx(exact - (a - d) * b * c, rel=1e-4)


def test_density_gives_mass_in_si_whatever_the_units() -> None:
    disc = {"shape": {"cylinder": {"radius": 20, "height": 5}}, "density": 7850}
    mechanism = convert.mechanism({"units": "mm", "dimension": 3, "parts": {"disc": disc}})
    shape_mass = mass_from_shape(mechanism, "disc")
    assert shape_mass is not None
    mass = 7850 * math.pi * 0.02**2 * 0.005
    assert shape_mass.mass == pytest.approx(mass, rel=1e-13)
    assert shape_mass.centre == pytest.approx((0, 0, 0.0025))
    assert shape_mass.inertia[2][2] == pytest.approx(mass * 0.02**2 / 2, rel=1e-13)


def test_two_overlapping_discs_are_bounded_by_two_true_arcs() -> None:
    lens = {"circle": 1, "moves": [{"move": [1, 0]}]}
    union = made({"union": [{"circle": 1}, lens]})
    bounds = feature.boundary(union)
    assert not bounds.edges
    assert sorted(arc.sweep for arc in bounds.arcs) == pytest.approx([math.radians(240)] * 2)
    assert [v.convex for v in bounds.vertices] == [False, False]
    overlap = 2 * math.pi / 3 - math.sqrt(3) / 2
    assert moments.plane_moments(bounds)[0, 0] == pytest.approx(2 * math.pi - overlap, rel=1e-14)
    common = feature.boundary(made({"intersection": [{"circle": 1}, lens]}))
    assert moments.plane_moments(common)[0, 0] == pytest.approx(overlap, rel=1e-14)
    assert [v.convex for v in common.vertices] == [True, True]


def test_a_buried_face_is_no_feature() -> None:
    """Two blocks side by side: eight edges, two of them buried, collinear ones kept by leaf."""
    pair = made(
        {
            "union": [
                {"outline": [[0, 0], [2, 0], [2, 2], [0, 2]]},
                {"outline": [[2, 0], [4, 0], [4, 2], [2, 2]]},
            ]
        }
    )
    bounds = feature.boundary(pair)
    assert {e.name for e in bounds.edges} == {"0.e0", "0.e2", "0.e3", "1.e0", "1.e1", "1.e2"}
    assert {v.name for v in bounds.vertices} == {"0.v0", "0.v3", "1.v1", "1.v2"}


def test_features_are_named_as_written_even_when_clockwise_with_spare_vertices() -> None:
    rough = made({"outline": [[0, 0], [0, 2], [1, 2], [2, 2], [2, 0], [2, 0]]})
    bounds = feature.boundary(rough)
    assert {v.name: v.at for v in bounds.vertices} == {
        "0.v0": (0, 0),
        "0.v1": (0, 2),
        "0.v3": (2, 2),
        "0.v4": (2, 0),
    }
    assert moments.plane_moments(bounds)[0, 0] == pytest.approx(4)


def test_a_segment_bounds_both_ways_and_ends_in_two_vertices() -> None:
    bounds = feature.boundary(made({"segment": [[0, 0], [1, 0]]}))
    assert [(e.a, e.b) for e in bounds.edges] == [((0, 0), (1, 0)), ((1, 0), (0, 0))]
    assert {(v.name, v.at) for v in bounds.vertices} == {("0.v0", (0, 0)), ("0.v1", (1, 0))}


def test_boundaries_enclose_the_section_that_shapely_computes() -> None:
    mechanism = native.load(REFERENCE / "machines" / "escapement.toml")
    for part, z in [("ewheel", 0.5), ("lever", 0.5), ("bwheel", -0.5), ("frame", -1.5)]:
        solid = solids.part_solid(mechanism, part)
        assert solid is not None
        area = moments.plane_moments(feature.boundary(solid, z))[0, 0]
        assert region.section(solid, z, fineness=4096).area == pytest.approx(area, rel=1e-6)


def test_a_turning_part_covers_a_ring() -> None:
    mechanism = native.load(REFERENCE / "machines" / "escapement.toml")
    wheel, balance = (solids.part_solid(mechanism, n) for n in ("ewheel", "bwheel"))
    assert wheel is not None
    assert balance is not None
    (ring,) = envelope.turning(wheel, (0.0, 0.0))
    assert (ring.inner, ring.outer) == pytest.approx((0.5, math.hypot(3.2, 5.4)), rel=1e-13)
    low, high = envelope.turning(balance, (0.0, 20.0))
    assert (low.inner, low.outer) == pytest.approx((0.5, 4.0))
    assert (high.inner, high.outer) == pytest.approx((2.5, 3.5))


def test_a_swept_region_holds_every_pose_and_little_more() -> None:
    shape = region.from_above(made({"outline": [[1, 0], [3, 0], [3, 1]]}))
    poses = [(0.0, 0.0, 0.1 * k) for k in range(11)]
    covered = envelope.swept(shape, poses)
    import shapely

    for k in range(101):
        c, s = math.cos(0.01 * k), math.sin(0.01 * k)
        turned = shapely.transform(shape, lambda xy, c=c, s=s: xy @ np.array([[c, s], [-s, c]]))
        assert turned.difference(covered).area < 1e-12
    fine = envelope.swept(shape, [(0.0, 0.0, 0.01 * k) for k in range(101)])
    # The coarse one is grown by the height of an arc of 0.1 rad at the far corner, all round at most.
    bulge = math.hypot(3, 1) * (1 - math.cos(0.05))
    assert 0 < covered.area - fine.area < bulge * covered.length


@pytest.mark.parametrize("shape", [PRIMITIVES[k][0] for k in PRIMITIVES])
def test_a_section_of_the_mesh_is_the_section_of_the_primitive(shape: dict[str, Any]) -> None:
    solid = made(shape)
    low, high = region.heights(next(leaves(solid)))
    z = low + 0.3 * (high - low)
    assert mesh.slice_at(solid, z, fineness=1024).area == pytest.approx(
        region.section(solid, z).area, rel=2e-4
    )


def test_a_tilted_cylinder_is_cut_in_an_ellipse() -> None:
    tilted = made(
        {
            "cylinder": {"radius": 1, "height": 20},
            "moves": [{"move": [0, 0, -10]}, {"turn_deg": 60, "about": "x"}],
        }
    )
    assert region.section(tilted, 0.0).area == pytest.approx(2 * math.pi, rel=3e-4)


def test_blocks_that_share_a_face_have_no_area_in_common() -> None:
    """What remains of lower dimension is dropped, also deeper in a tree, where it once broke the overlay."""
    left, right = {"block": [1, 1, 1]}, {"block": [1, 1, 1], "moves": [{"move": [1, 0, 0]}]}
    corner = {"block": [1, 1, 1], "moves": [{"move": [1, 1, 0]}]}
    touching = {"intersection": [{"union": [left, corner]}, right]}
    assert region.section(made({"intersection": [touching, {"block": [9, 9, 1]}]}), 0.5).is_empty


def test_a_segment_is_cut_by_areas_and_kept_beside_them() -> None:
    wire, disc = {"segment": [[-2, 0], [2, 0]]}, {"circle": 1}
    assert region.section(made({"difference": [wire, disc]}), 0.0).length == pytest.approx(2)
    assert region.section(made({"intersection": [wire, disc]}), 0.0).length == pytest.approx(2)
    both = region.section(made({"union": [wire, disc]}), 0.0)
    assert both.area == pytest.approx(math.pi, rel=2e-4)
    assert both.length == pytest.approx(2 + math.tau, rel=2e-4)


@pytest.mark.parametrize("far", [0, 10**4, 10**7, 10**9])
@pytest.mark.parametrize(
    "shape",
    [
        {"prism": {"outline": [[0, 0], [1, 0], [1, 1]], "height": 1}},
        {"union": [{"cylinder": {"radius": 1, "height": 1}}, {"block": [1, 1, 1]}]},
        {"difference": [{"block": [1, 1, 1]}, {"block": ["1/2", "1/2", 1]}]},
        {"difference": [{"sphere": 1}, {"block": [1, 1, 1]}]},
    ],
)
def test_a_solid_far_from_the_origin_keeps_its_digits(shape, far):
    """Against the same solid at home: volume and inertia do not depend on the place."""
    home = moments.moments(made(shape))
    away = moments.moments(made({**shape, "moves": [{"move": [far, -far, 0]}]}))
    assert away.volume == pytest.approx(home.volume, rel=1e-6)
    assert away.inertia == pytest.approx(home.inertia, rel=1e-5, abs=1e-6)
    assert away.centre == pytest.approx(home.centre + np.array([far, -far, 0]), rel=1e-9, abs=1e-6)
