"""A rest that is many rotations from the drawing: the pawl unwinds freely, then all is as without them."""

from __future__ import annotations

from typing import Any

import pytest

import detent


def _pressed(rest_deg: float) -> detent.Mechanism:
    """A line-segment pawl, hinged above a flat receiver and pressed down on it."""
    parts: dict[str, Any] = {
        "root": {},
        "segment": {"shape": {"segment": [[0, 12], [6, 4]]}},
        "receiver": {"fixed": True, "shape": {"outline": [[-60, -40], [60, -40], [60, 0], [-60, 0]]}},
    }
    spring = {"stiffness": 1, "rest_deg": rest_deg}
    hinge = {"type": "revolute", "between": ["root", "segment"], "at": [0, 12], "spring": spring}
    push = {"part": "root", "legs": [{"velocity": [0, -1], "for": 9}]}
    return detent.from_dict({"parts": parts, "joints": {"hinge": hinge}, "drives": {"push": push}})


@pytest.mark.parametrize("rotations", [1, -2, 999])
def test_whole_rotations_of_the_rest_change_nothing_but_the_angle(rotations: int) -> None:
    near, far = detent.mate(_pressed(-60)), detent.mate(_pressed(-60 + 360 * rotations))
    assert far.insertion.answer == near.insertion.answer
    assert far.legs[0].force.peak.value == pytest.approx(near.legs[0].force.peak.value, rel=1e-9)
    contacts = [[e for e in each.legs[0].events if e.kind == "contact"] for each in (near, far)]
    assert len(contacts[0]) == len(contacts[1]) == 1
    assert contacts[1][0].time == pytest.approx(contacts[0][0].time, rel=1e-12)


@pytest.mark.parametrize("rotations", [1_001, 10**15])
def test_more_rotations_than_a_double_tells_are_refused(rotations: int) -> None:
    with pytest.raises(detent.ModelError, match=r"joints\.hinge\.spring: its rest is .* rotations from"):
        detent.mate(_pressed(-60 + 360.0 * rotations))
