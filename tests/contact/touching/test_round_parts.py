"""Balls and cylinders in space that all but touch, or are sunk a little: far below what meshes see."""

import math

import numpy as np
import pytest

import detent
from detent.app import main
from detent.contact.touching import near_misses, pair_gaps

TABLE = {"fixed": True, "shape": {"block": [100, 100, 10], "moves": [{"move": [-50, -50, -10]}]}}


def scene(**parts):
    return detent.from_dict({"units": "mm", "dimension": 3, "parts": parts})


def ball(*at, radius=10):
    return {"shape": {"sphere": radius}, "pose": {"at": list(at)}}


@pytest.mark.parametrize("gap", [-2e-3, -1e-4, 1e-4, 2e-3])
@pytest.mark.parametrize("turn", [0, 33])
def test_ball_on_a_table_that_leans(gap, turn):
    """Above a plane through the origin, turned about x: the gap is that along its normal."""
    angle = math.radians(turn)
    at = [float((10 + gap) * x) for x in (0.0, -math.sin(angle), math.cos(angle))]
    table = {**TABLE, "pose": {"turn_deg": turn, "about": [1, 0, 0]}}
    (found,) = pair_gaps(scene(table=table, ball=ball(*at)), within=1e-3)
    assert found.gap == pytest.approx(gap, rel=1e-6)
    assert (found.misses, found.sunk) == (gap > 0, gap < 0)


@pytest.mark.parametrize(
    ("shape", "nearest"),
    [
        ({"sphere": 10}, 10.0),
        ({"cylinder": {"radius": 7, "height": 4}}, 4.0),
        ({"cone": {"radius": [12, 0], "height": 9}}, 9.0),
        ({"union": [{"block": [4, 4, 4]}, {"sphere": 8}]}, 8.0),
    ],
)
def test_ball_on_top_of_solids(shape, nearest):
    """Straight above the origin, on a pole, a lid, a tip, and the higher of two that are one."""
    for gap in (-5e-4, 5e-4):
        machine = scene(below={"fixed": True, "shape": shape}, ball=ball(0, 0, nearest + 10 + gap))
        (found,) = pair_gaps(machine, within=1e-3)
        assert found.gap == pytest.approx(gap, rel=1e-6)


def test_ball_beside_an_edge_a_corner_a_rim_and_a_ring():
    """Distances to a line, a point and circles."""
    block = {"fixed": True, "shape": {"block": [20, 20, 20]}}
    way = 5.001 / math.sqrt(2)
    (edge,) = pair_gaps(scene(block=block, ball=ball(20 + way, 20 + way, 7, radius=5)), within=1e-3)
    way = 5.001 / math.sqrt(3)
    (corner,) = pair_gaps(scene(block=block, ball=ball(*[20 + way] * 3, radius=5)), within=1e-3)
    rod = {"fixed": True, "shape": {"cylinder": {"radius": 6, "height": 9}}}
    way = 5.001 / math.sqrt(2)
    (rim,) = pair_gaps(scene(rod=rod, ball=ball(0, -6 - way, 9 + way, radius=5)), within=1e-3)
    ring = {"fixed": True, "shape": {"torus": {"radius": 9, "tube": 2}}}
    (round_it,) = pair_gaps(scene(ring=ring, ball=ball(0, 9, 7.001, radius=5)), within=1e-3)
    assert np.allclose([each.gap for each in (edge, corner, rim, round_it)], 1e-3, rtol=1e-6)


def test_flat_parts_are_told_beside_a_ball():
    """A ball in the scene has no contacts found: those that flat parts almost make are told all the same."""
    box = {"shape": {"block": [10, 10, 10]}, "pose": {"at": [20, 0, 1e-4]}}
    machine = scene(table=TABLE, box=box, ball=ball(-20, 0, 10.5))
    assert [(each.first, each.second) for each in near_misses(machine)] == [("table", "box")]


def test_a_ball_that_is_ignored_or_joined_is_not_told():
    at = {"markers": {"J": [0, 0, 10.001]}}
    parts = {"table": {**TABLE, **at}, "ball": {**ball(0, 0, 10.001), "markers": {"J": [0, 0, 0]}}}
    joined = {"j": {"type": "fixed", "between": ["table.J", "ball.J"]}}
    for more in ({"joints": joined}, {"touching": {"ignore": ["table:ball"]}}):
        machine = detent.from_dict({"units": "mm", "dimension": 3, "parts": parts, **more})
        assert near_misses(machine) == []


def test_check_names_a_sunk_ball(tmp_path, capsys):
    detent.save(scene(table=TABLE, ball=ball(0, 0, 9.9999)), tmp_path / "sunk.toml")
    assert main(["check", str(tmp_path / "sunk.toml")]) == 2
    assert (
        "parts.ball: overlaps part 'table' as drawn, near (0, 0, 0), 0.0001 mm deep"
        in capsys.readouterr().out
    )


def cylinder(*at, radius=10, height=40, turn=90):
    """Along y, from the place on."""
    moves = [{"turn_deg": turn, "about": "x"}, {"move": list(at)}]
    return {"shape": {"cylinder": {"radius": radius, "height": height}, "moves": moves}}


@pytest.mark.parametrize("gap", [-4e-3, -1e-4, 1e-4, 4e-3])
def test_a_lying_cylinder_on_a_table_on_a_rail_and_across_another_one(gap):
    """On a plane, on a strip that is narrower than it is long, across a rod, and beside one along it."""
    roller = cylinder(0, 20, 10 + gap)
    rail = {"fixed": True, "shape": {"block": [30, 0.5, 10], "moves": [{"move": [-15, 3.3, -10]}]}}
    along = {"fixed": True, **cylinder(-16 - gap, 25, 10 + gap, radius=6)}
    across = {
        "fixed": True,
        "shape": {
            "cylinder": {"radius": 3, "height": 60},
            "moves": [{"turn_deg": 90, "about": "y"}, {"move": [-30, 4.7, -3]}],
        },
    }
    for name, other in {"table": TABLE, "rail": rail, "along": along, "across": across}.items():
        (found,) = pair_gaps(scene(other=other, roller=roller), within=1e-3)
        assert found.gap == pytest.approx(gap, rel=1e-5), name
        assert (found.misses, found.sunk) == (gap > 0, gap < 0)


def test_a_cylinder_that_stands_or_abuts_is_not_sunk():
    standing = {"shape": {"cylinder": {"radius": 10, "height": 40}}}
    wall = {"fixed": True, "shape": {"block": [30, 10, 30], "moves": [{"move": [-15, 20, -5]}]}}
    for parts in ({"table": TABLE, "pin": standing}, {"wall": wall, "roller": cylinder(0, 20, 10)}):
        assert not any(each.sunk for each in pair_gaps(scene(**parts), within=1e-3))


@pytest.mark.parametrize("depth", [2e-3, 4.9e-3])
def test_check_names_a_sunk_cylinder(tmp_path, capsys, depth):
    """By less than 5e-4 of its radius, which its mesh does not show."""
    detent.save(scene(table=TABLE, roller=cylinder(0, 20, 10 - depth)), tmp_path / "sunk.toml")
    assert main(["check", str(tmp_path / "sunk.toml")]) == 2
    said = capsys.readouterr().out
    assert "parts.roller: overlaps part 'table' as drawn" in said
    assert f"{depth:.3g} mm deep" in said
