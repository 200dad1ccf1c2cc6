"""Soundness: shapes that cannot be, and parts drawn into each other."""

from __future__ import annotations

import math
import re
import subprocess
import sys
from typing import Any

import pytest

from detent.app import cli
from detent.foundation import ModelError, Problem
from detent.io import native
from detent.model.machine.drawn import shape_checks
from detent.model.reading import convert
from tests.conftest import reference_documents


def problems(**data: Any) -> list[Problem]:
    return shape_checks.problems(convert.mechanism(data))


def part(shape: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"shape": shape, **more}


def test_a_document_without_shapes_costs_no_geometry() -> None:
    code = (
        "import sys; from detent.model.machine.drawn import shape_checks; "
        "from detent.model.reading import convert;"
        "assert shape_checks.problems(convert.mechanism({'parts': {'a': {}}})) == [];"
        "assert not {'numpy', 'shapely', 'manifold3d'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("file", reference_documents(), ids=lambda f: f.stem)
def test_every_reference_document_is_sound(file: Any) -> None:
    assert shape_checks.problems(native.load(file)) == []


def test_a_crossing_is_named_by_its_edges_and_its_place() -> None:
    (problem,) = problems(units="mm", parts={"pawl": part({"outline": [[0, 0], [4, 4], [4, 0], [0, 4]]})})
    assert problem.at == "parts.pawl.shape.outline"
    assert problem.problem == "edges 0 and 2 cross at (2, 2) mm"
    (problem,) = problems(
        dimension=3,
        shapes={"s": {"union": [{"prism": {"outline": [[0, 0], [4, 4], [4, 0], [0, 4]], "height": 1}}]}},
        parts={"p": part({"use": "s"})},
    )
    assert problem.at == "shapes.s.union.0.prism.outline"


def test_an_outline_without_area_is_found() -> None:
    (problem,) = problems(parts={"p": part({"outline": [[0, 0], [1, 1], [3, 3]]})})
    assert problem.problem == "has no area: all its vertices lie on one line"


@pytest.mark.parametrize(("radius", "sound"), [("0.999", True), ("1", False), ("1.001", False)])
def test_a_hole_may_be_almost_as_large_as_its_part(radius: str, sound: bool) -> None:
    listed = problems(parts={"p": part({"difference": [{"circle": 1}, {"circle": radius}]})})
    assert (listed == []) == sound
    if not sound:
        assert listed[0].at == "parts.p.shape"
        assert "leaves nothing" in listed[0].problem


@pytest.mark.parametrize(("depth", "sound"), [("0.99", True), ("1", False)])
def test_a_pocket_may_be_almost_as_deep_as_its_part(depth: str, sound: bool) -> None:
    pocket = {"difference": [{"block": [2, 2, 1]}, {"block": [2, 2, depth]}]}
    listed = problems(dimension=3, parts={"p": part({"union": [pocket, {"block": [1, 1, 9]}]})})
    assert (listed == []) == sound
    if not sound:
        assert listed[0].at == "parts.p.shape.union.0"


def test_shapes_with_nothing_in_common_leave_nothing() -> None:
    apart = {"intersection": [{"sphere": 1}, {"sphere": 1, "moves": [{"move": [3, 0, 0]}]}]}
    (problem,) = problems(dimension=3, parts={"p": part(apart)})
    assert "nothing in common" in problem.problem


def test_a_flat_shape_in_space_has_no_thickness() -> None:
    (problem,) = problems(dimension=3, parts={"p": part({"union": [{"sphere": 1}, {"circle": 2}]})})
    assert (problem.at, problem.problem) == ("parts.p.shape.union.1", "a disc has no thickness in space")


def test_a_chamfer_larger_than_its_block_is_found() -> None:
    peg = {"block": [10, 4, 4], "edges": [{"face": "+x", "chamfer": 2}]}
    (problem,) = problems(dimension=3, parts={"p": part(peg)})
    assert "leaves nothing of a side" in problem.problem
    assert (
        problems(dimension=3, parts={"p": part({**peg, "edges": [{"face": "+x", "chamfer": "1.9"}]})}) == []
    )


def test_edges_are_broken_on_flat_faces_only() -> None:
    (problem,) = problems(
        dimension=3, parts={"p": part({"sphere": 1, "edges": [{"face": "+z", "round": 1}]})}
    )
    assert "no flat face" in problem.problem


def test_repeats_that_explode_are_a_problem_with_its_count() -> None:
    shapes: dict[str, Any] = {"a": {"circle": 1, "repeat": {"count": 100000}}}
    shapes["b"] = {"use": "a", "repeat": {"count": 100000}}
    listed = problems(shapes=shapes, parts={"p": part({"use": "b"})})
    assert listed[0].at == "shapes.a"
    assert "100000 primitive shapes" in listed[0].problem


def two(distance: float, **more: Any) -> list[Problem]:
    right = part({"circle": 1}, pose={"at": [distance, 0]})
    return problems(parts={"left": part({"circle": 1}), "right": right}, **more)


@pytest.mark.parametrize(("distance", "sound"), [(2.001, True), (2.0, True), (1.99, False), (0.5, False)])
def test_discs_overlap_as_soon_as_their_centres_are_nearer_than_their_radii(
    distance: float, sound: bool
) -> None:
    listed = two(distance)
    assert (listed == []) == sound
    if not sound:
        assert listed[0].at == "parts.right"
        assert f"near ({distance / 2:.6g}, " in listed[0].problem
        depth = float(listed[0].problem.split()[-3])
        assert depth == pytest.approx(2 - distance, rel=0.05)


def test_ignored_pairs_and_pairs_on_one_axis_may_be_drawn_into_each_other() -> None:
    assert two(0.5, touching={"ignore": ["right:left"]}) == []
    hinge = {"type": "revolute", "between": ["left", "right"], "at": [0.25, 0]}
    assert two(0.5, joints={"hinge": hinge}) == []
    slide = {"type": "prismatic", "between": ["left", "right"], "at": [0.25, 0], "along": [1, 0]}
    assert len(two(0.5, joints={"slide": slide})) == 1


def test_parts_in_different_layers_do_not_overlap() -> None:
    disc = {"cylinder": {"radius": 1, "height": 1}}
    parts = {"low": part(disc), "high": part(disc, pose={"at": [0, 0, 1]})}
    assert problems(dimension=3, parts=parts) == []
    parts["high"] = part(disc, pose={"at": [0, 0, "0.9"]})
    (problem,) = problems(dimension=3, parts=parts)
    assert problem.problem.endswith("at least 0.1 m deep")


def test_a_pin_that_fills_its_hole_does_not_overlap() -> None:
    plate = {
        "difference": [
            {"block": [4, 4, 1], "moves": [{"move": [-2, -2, 0]}]},
            {"cylinder": {"radius": 1, "height": 1}},
        ]
    }
    pin = part({"cylinder": {"radius": 1, "height": 3}}, pose={"turn_deg": 1})
    assert problems(dimension=3, parts={"plate": part(plate), "pin": pin}) == []


def test_tilted_solids_are_compared_in_space() -> None:
    bar = {"block": [10, 1, 1], "moves": [{"move": [-5, "-0.5", "-0.5"]}]}
    across = part(bar, pose={"turn_deg": 45, "about": [0, 1, 1], "at": [0, 0, 0.9]})
    (problem,) = problems(dimension=3, parts={"one": part(bar), "other": across})
    assert "overlaps part 'one'" in problem.problem
    away = part(bar, pose={"turn_deg": 45, "about": [0, 1, 1], "at": [0, 0, 8]})
    assert problems(dimension=3, parts={"one": part(bar), "other": away}) == []


def test_check_prints_them_and_exits_with_two(tmp_path: Any, capsys: Any) -> None:
    file = tmp_path / "bow.toml"
    file.write_text('format = "detent/1"\n[parts.p]\nshape.outline = [[0, 0], [4, 4], [4, 0], [0, 4]]\n')
    assert cli.main(["check", str(file)]) == 2
    assert "bow.toml:3: parts.p.shape.outline: edges 0 and 2 cross at (2, 2) m" in capsys.readouterr().out


def test_a_long_outline_is_looked_through_and_a_longer_one_refused_by_its_count() -> None:
    """A rim of long thin spikes is sound; with two of them exchanged it is not, and the place is reported."""
    count = 20_000
    rim = [
        [
            round((10 + i % 2) * math.cos(math.tau * i / count), 9),
            round((10 + i % 2) * math.sin(math.tau * i / count), 9),
        ]
        for i in range(count)
    ]
    assert problems(parts={"rim": part({"outline": rim})}) == []
    rim[500], rim[510] = rim[510], rim[500]
    (problem,) = problems(parts={"rim": part({"outline": rim})})
    i, j = (int(word) for word in problem.problem.split()[1:4:2])
    assert 499 <= i < j <= 511
    with pytest.raises(ModelError, match=r"parts\.rim\.shape\.outline: a list of 100000 points"):
        problems(parts={"rim": part({"outline": rim * 5})})


def test_three_links_on_one_pin_are_drawn_into_each_other_by_custom() -> None:
    """Two joints join three links at one point; the pair without a joint of its own is left out too."""
    bar = {"outline": [[-1, "-0.2"], [1, "-0.2"], [1, "0.2"], [-1, "0.2"]]}
    parts = {name: part(bar, pose={"turn_deg": 40 * k}) for k, name in enumerate("abc")}
    joints = {
        "ab": {"type": "revolute", "between": ["a", "b"], "at": [0, 0]},
        "bc": {"type": "revolute", "between": ["b", "c"], "at": [0, 0]},
    }
    assert problems(parts=parts, joints=joints) == []
    joints["bc"]["at"] = [0.5, 0]
    (problem,) = problems(parts=parts, joints=joints)
    assert problem.at == "parts.c"
    assert "overlaps part 'a'" in problem.problem


@pytest.mark.parametrize(
    ("breaks", "sound"),
    [
        ([{"face": "+z", "chamfer": 1}], True),
        ([{"face": "+z", "chamfer": "1.001"}], False),
        ([{"face": "+z", "round": "0.5"}, {"face": "-z", "round": "0.5"}], True),
        ([{"face": "+z", "round": "0.5"}, {"face": "-z", "round": "0.501"}], False),
    ],
)
def test_edges_are_broken_no_deeper_than_the_part_is_high(breaks: Any, sound: bool) -> None:
    shape = {"cylinder": {"radius": 5, "height": 1}, "edges": breaks}
    listed = problems(dimension=3, parts={"p": part(shape)})
    assert (listed == []) == sound
    assert sound or "broken" in listed[0].problem


def test_a_plate_of_thousands_of_holes_and_combs_of_thousands_of_teeth_are_judged() -> None:
    plate = {"outline": [[-10, -10], [4000, -10], [4000, 10], [-10, 10]]}
    holes = {"circle": "0.4", "repeat": {"count": 3900, "step": [1, 0]}}
    assert problems(parts={"p": part({"difference": [plate, holes]})}) == []
    comb = {"circle": "0.3", "repeat": {"count": 2000, "step": [1, 0]}}
    other = {**comb, "moves": [{"move": ["0.55", 0]}]}
    (problem,) = problems(parts={"a": part(comb), "b": part(other)})
    depth = float(re.search(r"at least ([\d.]+) m deep", problem.problem)[1])
    assert 0.14 < depth <= 0.15  # a tooth overlaps its neighbours by 0.05 and by 0.15


@pytest.mark.parametrize(("lift", "count"), [("1", 0), ("999/1000", 1)])
def test_tilted_blocks_overlap_only_when_they_are_in_each_other(lift: str, count: int) -> None:
    """What rounding leaves between faces that only touch is a sliver, however large the box around it."""
    pose = {"at": [1, 2, 3], "turn_deg": 17, "about": "y"}
    side = part({"block": [1, 1, 1], "moves": [{"move": [1, 0, 0]}]}, pose=pose)
    high = part({"block": [1, 1, 1], "moves": [{"move": ["1/2", "1/4", lift]}]}, pose=pose)
    assert len(problems(dimension=3, units="1", parts={"side": side, "high": high})) == count
