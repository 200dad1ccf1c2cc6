"""Springs wind up: whole turns of a pawl count, wherever the document writes them."""

from __future__ import annotations

import copy
import math
from typing import Any

import pytest

from detent.judge import mate
from detent.model.reading import mechanism

Document = dict[str, Any]


def wound(pose_deg: int, rest_deg: int = 0, start_deg: int | None = None) -> Document:
    """A bar hinged at its end, its frame turned as written, pressed down onto a floor from the side.

    Drawn pointing down and to the right; the floor holds it as far round as its spring is wound.
    """
    # A bar along the part's own x, turned by pose_deg.
    bar = {"outline": [[0, 0], [10, 0], [10, 1], [0, 1]]}
    document: Document = {
        "format": "detent/1",
        "units": "1",
        "parts": {
            "root": {"markers": {"pin": [0, 0]}},
            "pawl": {"shape": bar, "markers": {"pin": [0, 0]}, "pose": {"turn_deg": pose_deg}},
            "floor": {
                "fixed": True,
                "shape": {"outline": [[-40, -60], [40, -60], [40, -12], [-40, -12]]},
            },
        },
        "joints": {
            "hinge": {
                "type": "revolute",
                "between": ["root.pin", "pawl.pin"],
                "spring": {"stiffness": 2, "rest_deg": rest_deg},
            }
        },
        "drives": {"push": {"part": "root", "legs": [{"velocity": [0, -1], "for": 4}]}},
    }
    if start_deg is not None:
        document["start"] = {"hinge": {"at_deg": start_deg}}
    return document


@pytest.mark.parametrize(("pose", "rest"), [(270, 270), (-90, -90), (630, 630), (-450, -450)])
def test_a_pawl_drawn_at_its_rest_is_relaxed_whatever_the_turns(pose: int, rest: int) -> None:
    """All are one picture, a bar hanging down, at rest."""
    told = mate(mechanism(wound(pose, rest)))
    first = told.legs[0].events[0]
    assert (first.kind, first.time) == ("contact", 2.0)
    assert first.coordinate == pytest.approx(math.radians(rest), abs=1e-14)


@pytest.mark.parametrize("turns", [1, -1, 2])
def test_whole_turns_in_the_pose_wind_the_spring(turns: int) -> None:
    """Held by nothing, it unwinds at once to rest: the snap begins where the pose was written."""
    told = mate(mechanism(wound(-90 + 360 * turns, -90)))
    first = told.legs[0].events[0]
    assert (first.kind, first.time) == ("snap", 0.0)
    assert first.coordinate == pytest.approx(math.radians(-90 + 360 * turns), abs=1e-13)
    assert first.coordinate_after == pytest.approx(math.radians(-90), abs=1e-13)


def test_a_turn_in_the_pose_a_turn_of_the_start_and_a_turn_of_the_rest_are_one_winding() -> None:
    """Three ways to write it, one story; coordinates differ by what was written."""
    by_pose = mate(mechanism(wound(270, -90))).legs[0]
    by_start = mate(mechanism(wound(-90, -90, 270))).legs[0]
    by_rest = mate(mechanism(wound(-90, -450))).legs[0]
    assert [e.kind for e in by_pose.events] == [e.kind for e in by_start.events]
    assert [e.coordinate for e in by_pose.events] == [e.coordinate for e in by_start.events]
    assert [e.kind for e in by_pose.events] == [e.kind for e in by_rest.events]
    assert [e.coordinate - math.tau for e in by_pose.events] == pytest.approx(
        [e.coordinate for e in by_rest.events], abs=1e-13
    )


def test_the_torque_of_a_wound_spring_counts_its_turns() -> None:
    """A stop beside the bar holds it a whole turn from rest: its spring turns the root on with k 2 pi."""
    design = wound(-90 + 360, -90)
    # The bar hangs down, from x = 0 to 1; unwinding turns it clockwise, to the left, into this wall.
    design["parts"]["floor"]["shape"] = {"outline": [[-9, -60], [0, -60], [0, -5], [-9, -5]]}
    design["drives"]["push"]["legs"] = [{"velocity": [0, -1], "for": 1}]
    leg = mate(mechanism(design)).legs[0]
    assert leg.force.hinges["hinge"].torque[0] == pytest.approx(2 * math.tau, rel=1e-14)


def test_the_first_parts_turns_count_backwards_and_directions_have_none() -> None:
    design = wound(-90, -90)
    turned = copy.deepcopy(design)
    turned["parts"]["root"]["pose"] = {"turn_deg": 360}
    assert mate(mechanism(turned)).legs[0].events[0].coordinate == pytest.approx(
        math.radians(-450), abs=1e-13
    )
    along = copy.deepcopy(design)
    along["parts"]["pawl"]["pose"] = {"along": [0, -1]}
    assert mate(mechanism(along)).legs[0].events == mate(mechanism(design)).legs[0].events
