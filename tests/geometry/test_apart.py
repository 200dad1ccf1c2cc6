"""Solids told apart by their primitives: whatever is called apart has no common volume, by meshes."""

from __future__ import annotations

import random
from typing import Any

import pytest

from detent.geometry import Solid, are_apart, leaves, mesh, near_part
from detent.model.machine import solids
from detent.model.reading import convert


def _shape(chance: random.Random) -> dict[str, Any]:
    def primitive() -> dict[str, Any]:
        size = chance.uniform(0.2, 1.0)
        return chance.choice(
            [{"sphere": size}, {"block": [size, 2 * size, 0.5]}, {"cylinder": {"radius": size, "height": 1}}]
        ) | {"moves": [{"turn_deg": chance.uniform(0, 360), "about": chance.choice("xyz")}, _moved(chance)]}

    kind = chance.choice(["one", "union", "difference", "intersection"])
    return primitive() if kind == "one" else {kind: [primitive(), primitive()]}


def _moved(chance: random.Random) -> dict[str, Any]:
    return {"move": [chance.uniform(-1.2, 1.2) for _ in range(3)]}


def _pair(seed: int) -> tuple[Solid, Solid]:
    chance = random.Random(seed)
    parts = {name: {"shape": _shape(chance)} for name in ("a", "b")}
    mechanism = convert.mechanism({"dimension": 3, "parts": parts})
    one, other = (solids.part_solid(mechanism, name) for name in parts)
    assert one is not None
    assert other is not None
    return one, other


@pytest.mark.parametrize("block", range(4))
def test_what_is_apart_shares_no_volume(block: int) -> None:
    told = 0
    for seed in range(50 * block, 50 * block + 50):
        one, other = _pair(seed)
        common = mesh.manifold(one, fineness=24) ^ mesh.manifold(other, fineness=24)
        if are_apart(one, other, slack=0.0):
            told += 1
            assert common.volume() < 1e-9
    assert told > 5


@pytest.mark.parametrize(("gap", "apart"), [(-1e-6, False), (1e-6, True)])
def test_balls_are_told_apart_where_their_boxes_meet(gap: float, apart: bool) -> None:
    """Radii 2 and 3, centres along (3, 4, 12)/13: two-sided at the distance 5."""
    far = [(5 + gap) * c / 13 for c in (3, 4, 12)]
    parts = {"a": {"shape": {"sphere": 2}}, "b": {"shape": {"sphere": 3, "moves": [{"move": far}]}}}
    mechanism = convert.mechanism({"dimension": 3, "parts": parts})
    one, other = (solids.part_solid(mechanism, name) for name in parts)
    assert one is not None
    assert other is not None
    assert are_apart(one, other, slack=0.0) is apart
    assert are_apart(one, other, slack=1e-5)


def test_what_a_union_leaves_out_far_from_another_solid_is_not_part_of_what_they_share() -> None:
    """Rings of balls against random solids: the volume in common is that of the whole union, by meshes."""
    shed = 0
    for seed in range(30):
        chance = random.Random(seed)
        ball = {"sphere": 0.3, "moves": [{"move": [1.5, 0, 0]}], "repeat": {"count": 12}}
        parts = {"a": {"shape": {"union": [ball, _shape(chance)]}}, "b": {"shape": _shape(chance)}}
        mechanism = convert.mechanism({"dimension": 3, "parts": parts})
        one, other = (solids.part_solid(mechanism, name) for name in parts)
        assert one is not None
        assert other is not None
        if are_apart(one, other, slack=0.0):
            continue
        near = near_part(one, other, slack=0.0)
        shed += len([*leaves(one)]) - len([*leaves(near)])
        whole, part, theirs = (mesh.manifold(each, fineness=24) for each in (one, near, other))
        assert (part ^ theirs).volume() == pytest.approx((whole ^ theirs).volume(), rel=1e-9, abs=1e-12)
    assert shed > 50
