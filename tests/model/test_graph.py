"""Gruebler's count, against counts worked by hand and the published ones."""

import json

import pytest

from detent.io import native
from detent.model.machine import graph
from detent.model.reading import Builder
from tests.conftest import REFERENCE

COUNTED = [p for p in sorted((REFERENCE / "linkages").glob("*.expected.json")) if "gruebler" in p.read_text()]


@pytest.mark.parametrize("path", COUNTED, ids=lambda p: p.stem)
def test_grueblers_count_equals_the_reference(path):
    expected = json.loads(path.read_text())
    mechanism = native.load(path.parent / expected["document"])
    assert graph.gruebler(mechanism).mobility == expected["explain"]["mobility"]["gruebler"]


def chain(dimension, joint, links):
    builder = Builder(dimension=dimension).part("base", fixed=True)
    previous = "base"
    for i in range(links):
        builder.part(f"l{i}").joint(f"j{i}", joint, previous, f"l{i}", at=[i, 0])
        previous = f"l{i}"
    return builder.build()


@pytest.mark.parametrize(
    ("dimension", "joint", "each"),
    [
        (2, "revolute", 1),
        (2, "prismatic", 1),
        (2, "fixed", 0),
        (2, "in_line", 2),
        (2, "elastic", 3),
        (3, "revolute", 1),
        (3, "cylindrical", 2),
        (3, "planar", 3),
        (3, "spherical", 3),
        (3, "fixed", 0),
    ],
)
def test_an_open_chain_has_the_freedoms_of_its_joints(dimension, joint, each):
    if joint == "elastic":
        builder = Builder().part("base", fixed=True).part("l0")
        builder.joint("j", "elastic", "base", "l0", at=[0, 0], stiffness=[1, 1, 1])
        assert graph.gruebler(builder.build()).mobility == each
        return
    assert graph.gruebler(chain(dimension, joint, 4)).mobility == 4 * each


def test_a_joint_between_fixed_parts_takes_nothing():
    builder = Builder().part("a", fixed=True).part("b", fixed=True).part("c")
    builder.joint("j", "fixed", "a", "b", at=[0, 0]).joint("k", "revolute", "a", "c", at=[0, 0])
    assert graph.gruebler(builder.build()).mobility == 1


def test_mobility_is_not_counted_while_a_joint_is_to_be_inferred():
    mechanism = Builder(dimension=3).part("a", fixed=True).part("c").joint("k", "infer", "a", "c").build()
    assert graph.gruebler(mechanism).mobility is None


def test_moving_parts_are_grouped_without_passing_through_the_ground():
    builder = Builder().part("g", fixed=True)
    for name in "abcd":
        builder.part(name)
    builder.joint("ga", "revolute", "g", "a", at=[0, 0]).joint("ab", "revolute", "a", "b", at=[1, 0])
    builder.joint("gc", "revolute", "g", "c", at=[2, 0])
    assert graph.groups(builder.build()) == [("a", "b"), ("c",), ("d",)]
