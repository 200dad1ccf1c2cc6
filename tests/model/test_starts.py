"""A start by the two parts of a joint is the start of that joint."""

from __future__ import annotations

import math

import pytest

import detent
from detent.foundation import ModelError
from detent.model.editing import operation


def _swing(start: dict, *, joint: bool = True):
    """A block of inertia 2 on a pin with a spring of 8: it swings at 2 rad/s."""
    pin = {"cylinder": {"radius": 0.2, "height": 3}}
    hole = {"difference": [{"block": [2, 2, 1], "moves": [{"move": [-1, -1, 0]}]}, pin]}
    data = {
        "format": "detent/1",
        "dimension": 3,
        "parts": {"f": {"fixed": True, "shape": pin}, "a": {"shape": hole, "inertia": 2}},
        "start": start,
    }
    if joint:
        spring = {"stiffness": 8, "rest": 0}
        data["joints"] = {"p": {"type": "revolute", "between": ["f", "a"], "at": [0, 0, 0], "spring": spring}}
    return detent.from_dict(data)


@pytest.mark.parametrize("key", ["p", "f:a", "a:f"])
def test_parts_name_their_joint(key):
    """x = x0 cos 2t + v0/2 sin 2t."""
    run = detent.run(_swing({key: {"at_deg": 30, "speed_deg": 10}}), until=1)
    assert run.states["p"][-1] == pytest.approx(math.radians(30 * math.cos(2) + 5 * math.sin(2)), rel=1e-5)


def test_a_joint_that_is_found_is_started_by_its_parts():
    """Nothing pulls: it turns on at its speed."""
    run = detent.run(_swing({"f:a": {"at_deg": 30, "speed_deg": 10}}, joint=False), until=1)
    assert run.states["f_a"][-1] == pytest.approx(math.radians(40))


@pytest.mark.parametrize(
    ("start", "words"),
    [
        ({"f:b": {"at": 1}}, "there is no part 'b'"),
        ({"a:a": {"at": 1}}, "not joined to itself"),
        ({"q": {"at": 1}}, "there is no joint 'q'"),
        ({"p": {"at": 1}, "f:a": {"at": 1}}, "given twice"),
    ],
)
def test_what_is_no_pair_is_said(start, words):
    with pytest.raises(ModelError, match=words):
        _swing(start)


def test_parts_without_a_joint_are_said():
    table = _swing({}).to_dict()
    table["parts"]["b"] = {"shape": {"block": [1, 1, 1], "moves": [{"move": [5, 5, 0]}]}, "inertia": 1}
    table["joints"]["q"] = {"type": "revolute", "between": ["f", "b"], "at": [5, 5, 0]}
    table["start"] = {"a:b": {"at": 1}}
    with pytest.raises(ModelError, match="no pin or slide joins a and b"):
        detent.run(detent.from_dict(table), until=1)


def test_editing_takes_the_parts_along():
    mechanism = _swing({"f:a": {"at": 1}})
    renamed = detent.edit(mechanism, operation.Rename("parts.a", "arm")).mechanism
    assert list(renamed.start) == ["f:arm"]
    without = detent.edit(mechanism, operation.RemoveJoint("p")).mechanism
    assert not without.start
