"""A solid cut into pieces is the same solid: seams let nothing through, and are no features."""

from __future__ import annotations

import copy
import os
import random
from typing import Any

import pytest

from detent.judge import mate
from detent.model.reading import mechanism
from detent.motion.quasistatic.machine import fastener
from tests.motion.pieces import pieces
from tests.motion.quasistatic.test_mechanics import Document, read, same, story
from tests.prove.fasteners import random_fastener

COUNT = 400 if os.environ.get("DETENT_PROVE") == "full" else 16
FIRST_SEED = 72_000


def cut(design: Document, rng: random.Random, parts: tuple[str, ...]) -> Document:
    """The outlines of some parts, each cut into pieces."""
    design = copy.deepcopy(design)
    for name in parts:
        shape = design["parts"][name]["shape"]
        outlines = shape.get("union", [shape])
        design["parts"][name]["shape"] = {"union": [p for o in outlines for p in pieces(o["outline"], rng)]}
    return design


def with_segment(design: Document, rng: random.Random) -> Document:
    design = copy.deepcopy(design)
    end = [rng.randint(-6, 6), rng.randint(-8, -3)]
    design["parts"]["p"]["shape"] = {"segment": [[0, 0], end]}
    return design


@pytest.mark.parametrize("seed", range(FIRST_SEED, FIRST_SEED + COUNT))
def test_a_fastener_cut_into_convex_pieces_has_the_story_of_the_whole(seed: int) -> None:
    rng = random.Random(seed)
    design = random_fastener(seed)
    assert same(story(design), story(cut(design, rng, ("p", "receiver"))))
    blade = with_segment(design, rng)
    assert same(story(blade), story(cut(blade, rng, ("receiver",))))


@pytest.mark.parametrize("seed", range(FIRST_SEED, FIRST_SEED + COUNT))
def test_a_seam_on_the_way_of_the_tip_is_no_gap(seed: int) -> None:
    rng = random.Random(seed)
    design = with_segment(random_fastener(seed), rng)
    tip = design["parts"]["p"]["shape"]["segment"][1]
    way = design["drives"]["push"]["legs"][0]["velocity"]
    outlines = [o["outline"] for o in design["parts"]["receiver"]["shape"]["union"]]
    split = copy.deepcopy(design)
    split["parts"]["receiver"]["shape"] = {
        "union": [half for o in outlines for half in pieces(o, rng, along=(tip, way))]
    }
    assert same(story(design), story(split))


@pytest.mark.parametrize(
    "name",
    ["diode_triangle_ABC", "fig7d_friction_mu_2_5", "ratchet_rack", "fig15_diagonal_two_vertices_land"],
)
def test_a_reference_fastener_cut_into_pieces_has_its_story(name: str) -> None:
    design = read(name)
    solid = tuple(
        part
        for part, table in design["parts"].items()
        if "shape" in table and "segment" not in table["shape"]
    )
    assert same(story(design), story(cut(design, random.Random(7), solid)))


BLOCK = [[-20, -40], [20, -40], [20, -10], [-20, -10]]
LEFT, RIGHT = [[-20, -40], [0, -40], [0, -10], [-20, -10]], [[0, -40], [20, -40], [20, -10], [0, -10]]


def blade(shape: Document, *obstacles: Any, friction: Any = 0, second: bool = False) -> Document:
    """A segment pawl, or a segment as the root, pushed down onto a block that has a seam below it."""
    document: Document = {
        "format": "detent/1",
        "units": "1",
        "parts": {
            "root": {},
            "p": {"shape": shape},
            "receiver": {"fixed": True, "shape": {"union": [{"outline": o} for o in obstacles]}},
        },
        "joints": {
            "hinge": {"type": "revolute", "between": ["root", "p"], "at": [0, 0], "spring": {"stiffness": 1}}
        },
        "drives": {"push": {"part": "root", "legs": [{"velocity": [0, -1], "for": 25}]}},
        "touching": {"friction": friction},
    }
    if second:
        document["parts"]["receiver"]["shape"] = {"outline": obstacles[0]}
        document["parts"]["other"] = {"fixed": True, "shape": {"outline": obstacles[1]}}
    return document


@pytest.mark.parametrize("second", [False, True])
def test_a_blade_does_not_pass_through_the_seam_of_two_blocks(second: bool) -> None:
    """Pressed straight down it stands on the block, free to fall to either side: balanced."""
    shape = {"segment": [[0, 0], [0, -8]]}
    whole, split = story(blade(shape, BLOCK)), story(blade(shape, LEFT, RIGHT, second=second))
    assert [event[:2] for event in whole] == [("jam", 2.0), ("jam", 2.0)]
    assert same(whole, split)


def test_a_blade_that_lies_along_a_seam_at_the_start_is_inside() -> None:
    design = blade({"segment": [[0, -12], [0, -20]]}, LEFT, RIGHT)
    with pytest.raises(Exception, match=r"overlaps 'receiver' as drawn.*8 of its length inside"):
        mate(mechanism(design))


def test_a_root_that_is_a_blade_is_stopped_by_a_seam() -> None:
    shape = {"segment": [[30, 0], [32, 0]]}
    design = blade(shape, LEFT, RIGHT)
    design["parts"]["root"]["shape"] = {"segment": [[0, 5], [0, -1]]}
    end = mate(mechanism(design)).legs[0].end
    assert (end.cause, end.time) == ("blocked", 9.0)


def test_a_blade_slides_over_seams_without_an_event() -> None:
    """Towards the side the tip slides along the top, over two seams, and falls off its end."""
    design = blade({"segment": [[0, 0], [5, -9]]}, BLOCK)
    design["drives"]["push"]["legs"] = [{"velocity": [0, -1], "for": 6}]
    thirds = [[[a, -40], [b, -40], [b, -10], [a, -10]] for a, b in ((-20, 6), (6, 7), (7, 20))]
    split = copy.deepcopy(design)
    split["parts"]["receiver"]["shape"] = {"union": [{"outline": o} for o in thirds]}
    assert same(story(design), story(split))


def test_where_two_blocks_touch_only_in_a_corner_each_keeps_its_corner() -> None:
    low, high = [[-20, -40], [0, -40], [0, -20], [-20, -20]], [[0, -20], [20, -20], [20, -10], [0, -10]]
    (leaf, _) = fastener(mechanism(blade({"segment": [[0, 0], [0, -8]]}, low, high))).pawls[0].obstacles[0]
    assert leaf.count == 8
    assert all(leaf.convex)


def test_a_pocket_between_four_walls_is_hollow() -> None:
    walls = [
        [[-9, -30], [9, -30], [9, -28], [-9, -28]],
        [[-9, -28], [-7, -28], [-7, -12], [-9, -12]],
        [[7, -28], [9, -28], [9, -12], [7, -12]],
        [[-9, -12], [9, -12], [9, -10], [-9, -10]],
    ]
    (leaf, _) = fastener(mechanism(blade({"segment": [[0, 0], [0, -8]]}, *walls))).pawls[0].obstacles[0]
    assert len(leaf.rings) == 2
    assert leaf.region.area == 18 * 20 - 14 * 16
    assert not leaf.holds((0, -20))
    assert leaf.holds((0, -11))


def test_blocks_of_different_friction_are_one_solid_with_two_frictions() -> None:
    """A seam closes between parts too; what the tip slides on decides how it rubs."""
    design = blade({"segment": [[0, 0], [3, -12]]}, LEFT, RIGHT, second=True)
    design["drives"]["push"]["legs"] = [{"velocity": ["1/2", -1], "for": 1}]
    design["touching"] = {"friction": 0, "pairs": {"p:other": {"friction": 4}}}
    shifted = copy.deepcopy(design)
    shifted["touching"]["pairs"] = {"p:receiver": {"friction": 4}}
    for document, stuck in ((design, True), (shifted, False)):
        faced = fastener(mechanism(document)).pawls[0].obstacles
        assert len(faced) == 2
        assert faced[0][0].points is faced[1][0].points
        document["parts"]["p"]["shape"] = {"segment": [[0, 0], [3, -10]]}
        assert (mate(mechanism(document)).legs[0].end.cause == "stick") is stuck


BARS = [
    [[-8, -28], [-5, -28], [-5, -12], [-8, -12]],
    [[5, -28], [8, -28], [8, -12], [5, -12]],
    [[-5, -28], [5, -28], [5, -25], [-5, -25]],
    [[-5, -15], [5, -15], [5, -12], [-5, -12]],
]
POST = [[-1, -21], [1, -21], [1, -19], [-1, -19]]


def frame(bars: list[Any]) -> Document:
    design = blade({"union": [{"outline": bar} for bar in bars]}, POST)
    design["drives"]["push"]["legs"] = [{"velocity": [1, 0], "for": 6}, {"back": True}]
    return design


def test_a_frame_of_four_bars_around_a_post_touches_it_from_inside() -> None:
    """The post stands free in the opening; only the bar on the left comes to touch it."""
    (leaf,) = fastener(mechanism(frame(BARS))).pawls[0].leaves
    assert len(leaf.rings) == 2
    told = story(frame(BARS))
    assert told[0][:2] == ("contact", 4.0)
    assert same(told, story(frame(BARS[:1])))


def test_a_post_inside_a_bar_of_the_frame_overlaps_it() -> None:
    design = frame(BARS)
    design["parts"]["receiver"]["shape"] = {"outline": [[-7, -21], [-6, -21], [-6, -19], [-7, -19]]}
    with pytest.raises(Exception, match="overlaps 'receiver' as drawn"):
        mate(mechanism(design))
