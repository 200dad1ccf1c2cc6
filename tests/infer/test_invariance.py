"""The same machine, drawn elsewhere and otherwise, has the same joints."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import detent
from detent.infer import Inference, infer
from detent.model import Mechanism

PLACES: dict[str, dict[str, Any]] = {
    "shifted": {"at": [100, -50, 7]},
    "turned": {"turn_deg": 37},
    "turned over a rational angle": {"along": [3, 4, 0], "at": [0, 0, 11]},
    "tilted": {"turn_deg": 25, "about": [1, 2, 2], "at": [5, 6, 7]},
    "on its side": {"turn_deg": 90, "about": "x"},
}


def placed(mechanism: Mechanism, pose: dict[str, Any]) -> Mechanism:
    for part in mechanism.parts:
        mechanism = mechanism.with_(f"parts.{part}.pose", pose)
    return mechanism


def graph(found: Inference) -> set[tuple[Any, ...]]:
    return {(joint.name, joint.type, joint.acts_as, joint.parts) for joint in found.joints}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("name", ["crank", "slide"])
def test_a_machine_drawn_elsewhere_has_the_same_joints(name: str, place: str):
    drawn = detent.load(name)
    pose = PLACES[place]
    here, there = infer(drawn), infer(placed(drawn, pose))
    assert graph(here) == graph(there)
    frame = _matrix(placed(drawn, pose))
    for joint in here.joints:
        other = there.joint(joint.name)
        assert joint.point is not None
        assert joint.direction is not None
        assert other.point is not None
        assert other.direction is not None
        along = frame[:, :3] @ np.array([float(c) for c in joint.direction])
        axis = np.array([float(c) for c in other.direction])
        assert abs(along @ axis) == pytest.approx(np.linalg.norm(along) * np.linalg.norm(axis))
        if joint.type != "prismatic":
            point = frame[:, :3] @ np.array([float(c) for c in joint.point]) + frame[:, 3]
            off = np.cross(np.array([float(c) for c in other.point]) - point, along / np.linalg.norm(along))
            assert off == pytest.approx(0, abs=1e-6)


def test_the_escapement_on_its_side_has_the_same_graph_and_the_same_contacts():
    drawn = detent.load("escapement")
    here, there = infer(drawn), infer(placed(drawn, PLACES["on its side"]))
    assert graph(here) == graph(there)
    assert here.interactions == there.interactions
    assert len(there.dropped) == 3


def test_parts_with_poses_of_their_own():
    """Each part drawn about its own axis and placed: the joints are where the pins are placed."""
    pin, plate = {"cylinder": {"radius": 2, "height": 10}}, {"block": [40, 20, 4]}
    hole = {"cylinder": {"radius": 2, "height": 4}}
    data = {
        "dimension": 3,
        "units": "mm",
        "parts": {
            "base": {
                "fixed": True,
                "shape": {"difference": [plate, {**hole, "moves": [{"move": [10, 10, 0]}]}]},
            },
            "post": {"shape": pin, "pose": {"at": [10, 10, -3]}},
        },
    }
    joint = infer(detent.from_dict(data)).joints[0]
    assert joint.type == "revolute"
    assert joint.point == (10, 10, 0)


def _matrix(mechanism: Mechanism) -> Any:
    from detent.model.machine import place

    return place(mechanism).frame(next(iter(mechanism.parts))).matrix
