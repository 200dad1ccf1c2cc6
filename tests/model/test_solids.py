"""From shapes as written to solids: moves, copies, parity, exact outlines, counts."""

from __future__ import annotations

import math
from fractions import Fraction
from pathlib import Path

import pytest

from detent.foundation import ModelError, UnsupportedError
from detent.geometry import leaves, region
from detent.io import native
from detent.model.document import Mechanism
from detent.model.machine import place, solids
from detent.model.reading import convert

F = Fraction
REFERENCE = Path(__file__).parents[1] / "data" / "reference"
DOCUMENTS = sorted(
    file
    for file in REFERENCE.rglob("*")
    if file.suffix in (".toml", ".json") and ".expected" not in file.name
)


def machine(**data: object) -> Mechanism:
    return convert.mechanism(data)


def one(shape: dict[str, object], **data: object) -> Mechanism:
    return machine(parts={"p": {"shape": shape}}, **data)


@pytest.mark.parametrize("file", DOCUMENTS, ids=lambda f: f.stem)
def test_every_shape_of_the_reference_covers_some_of_the_plane(file: Path) -> None:
    mechanism = native.load(file)
    for name, part in mechanism.parts.items():
        solid = solids.part_solid(mechanism, name)
        assert (solid is None) == (part.shape is None)
        if solid is not None:
            assert all(not r.region.is_empty for r in region.leaf_regions(solid))
            assert not region.from_above(solid).is_empty


def test_the_escapement_has_its_layers_and_parity() -> None:
    mechanism = native.load(REFERENCE / "machines" / "escapement.toml")
    wheel = solids.part_solid(mechanism, "ewheel")
    assert wheel is not None
    teeth = [leaf for leaf in leaves(wheel) if leaf.symmetric]
    assert [leaf.symmetric[0].index for leaf in teeth] == list(range(10))
    assert all(leaf.symmetric[0].full and leaf.symmetric[0].count == 10 for leaf in teeth)
    assert [leaf.index for leaf in leaves(wheel) if leaf.hollow] == [11]
    balance = solids.part_solid(mechanism, "bwheel")
    assert balance is not None
    low, high = region.layers(balance)
    assert (low.bottom, low.top, high.bottom, high.top) == (-1, 0, 0, 1)
    # A disc of 4 with a hole of 0.5, then the pin alone; chords fall short of the arc by 1e-4.
    assert low.region.area == pytest.approx(math.pi * (16 - 0.25), rel=2e-4)
    assert high.region.area == pytest.approx(math.pi * 0.25, rel=2e-4)


def test_a_hole_cut_from_a_hole_is_solid_again() -> None:
    inner = {"difference": [{"circle": 2}, {"circle": 1}]}
    solid = solids.part_solid(one({"difference": [{"circle": 3}, inner]}), "p")
    assert solid is not None
    assert [leaf.hollow for leaf in leaves(solid)] == [False, True, False]
    assert region.from_above(solid).area == pytest.approx(math.pi * (9 - 4 + 1), rel=2e-4)


def test_moves_apply_left_to_right_about_the_axes_of_the_frame() -> None:
    corner = {"outline": [[0, 0], [2, 0], [0, 1]]}
    shape = {**corner, "moves": [{"move": [1, 0]}, {"turn_deg": 90}, {"mirror": "x"}, {"along": [0, -1]}]}
    solid = solids.part_solid(one(shape), "p")
    assert solid is not None
    exact = solids.exact_outline(next(leaves(solid)))
    # (x, y): (x+1, y), then (-y, x), then (-x, y), then (y, -x), by hand.
    assert set(exact.points) == {(1, 0), (3, 0), (1, -1)}
    assert exact.approximated == ()


def test_an_exact_outline_names_the_rational_it_took_for_a_turn() -> None:
    solid = solids.part_solid(one({"outline": [[0, 0], [1, 0], [0, 1]], "moves": [{"turn_deg": 30}]}), "p")
    assert solid is not None
    exact = solids.exact_outline(next(leaves(solid)))
    assert [rotation.asked for rotation in exact.approximated] == ["30 deg"]
    x, y = exact.points[1]
    assert x * x + y * y == 1
    assert float(y) == pytest.approx(0.5, abs=2e-16)


def test_a_disc_has_no_exact_outline() -> None:
    solid = solids.part_solid(one({"circle": 1}), "p")
    assert solid is not None
    with pytest.raises(UnsupportedError, match="disc"):
        solids.exact_outline(next(leaves(solid)))


def test_copies_by_step_and_by_turn_stand_where_counted() -> None:
    rack = one({"circle": "1/4", "repeat": {"count": 4, "step": [1, 0], "without": [2]}})
    solid = solids.part_solid(rack, "p")
    assert solid is not None
    assert [float(leaf.frame.origin[0]) for leaf in leaves(solid)] == [0, 1, 3]
    fan = one(
        {"circle": 1, "moves": [{"move": [5, 0]}], "repeat": {"count": 3, "turn_deg": 90, "at": [5, 5]}}
    )
    solid = solids.part_solid(fan, "p")
    assert solid is not None
    assert [leaf.frame.origin[:2] for leaf in leaves(solid)] == [(5, 0), (10, 5), (5, 10)]
    assert not any(leaf.symmetric[0].full for leaf in leaves(solid))


def test_repeats_that_explode_are_refused_by_their_count() -> None:
    shapes: dict[str, object] = {"s0": {"circle": 1, "repeat": {"count": 1000}}}
    for i in range(1, 40):
        shapes[f"s{i}"] = {"use": f"s{i - 1}", "repeat": {"count": 1000}}
    bomb = machine(shapes=shapes, parts={"p": {"shape": {"use": "s39"}}})
    with pytest.raises(ModelError, match=r"parts\.p\.shape: .*about 10\^120 primitive shapes"):
        solids.part_solid(bomb, "p")


def test_scale_brings_a_millimetre_document_to_metres_exactly() -> None:
    mechanism = one({"outline": [[0, 0], ["1/3", 0], [0, 1]], "moves": [{"move": [2, 0]}]}, units="mm")
    solid = solids.part_solid(mechanism, "p", scale=F(1, 1000))
    assert solid is not None
    assert solids.exact_outline(next(leaves(solid))).points[1] == (F(7, 3000), 0)


def test_a_pose_on_a_marker_follows_that_part() -> None:
    mechanism = machine(
        parts={
            "base": {
                "pose": {"at": [10, 0], "turn_deg": 90},
                "markers": {"tip": {"at": [2, 0], "along": [0, 1]}},
            },
            "tool": {"pose": {"on": "base.tip", "at": [1, 0], "along": [1, 0]}},
        }
    )
    placed = place(mechanism).frame("tool")
    # The tip is at (10, 2) and points along -x of the world; one further on is (9, 2).
    assert placed.origin == (9, 2, 0)
    assert placed.direct((F(1), F(0), F(0))) == (-1, 0, 0)


def test_in_space_a_directed_marker_has_its_axis_along_z() -> None:
    mechanism = machine(
        dimension=3,
        parts={
            "arm": {"markers": {"flange": {"at": [0, 0, 5], "along": [1, 0, 0]}}},
            "peg": {"pose": {"on": "arm.flange", "at": [0, 0, 2]}},
        },
    )
    assert place(mechanism).frame("peg").origin == (2, 0, 5)


@pytest.mark.parametrize(("far", "refused"), [(1e30, True), (-1e30, True), (1e9, False)])
def test_a_corner_so_far_out_that_other_sides_are_lost_is_refused_with_its_place(
    far: float, refused: bool
) -> None:
    outline = [[far, -60], [10, -60], [10, -3], [-10, -3]]
    drawn = machine(format="detent/1", units="mm", parts={"plate": {"shape": {"outline": outline}}})
    if refused:
        with pytest.raises(ModelError, match=r"parts\.plate\.shape.*lost to rounding"):
            solids.part_solid(drawn, "plate")
    else:
        assert solids.part_solid(drawn, "plate") is not None
