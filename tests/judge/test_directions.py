"""Families of directions in which a fastener is pulled: each once, with its force, not too many."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import detent


def _asked(steps: int, to_deg: int) -> detent.Mechanism:
    directions = {"from_deg": 0, "to_deg": to_deg, "steps": steps}
    return detent.load("snap_holds").with_("ask.mate.directions", directions)


def test_a_circle_gone_round_twice_is_tried_once() -> None:
    """By 10 degrees: 36 directions, which rounding of 350 and 710 degrees must not tell apart."""
    once, twice = (detent.mate(_asked(36 * k, 360 * k)).diode for k in (1, 2))
    assert once is not None
    assert twice is not None
    assert len(once.directions) == len(twice.directions) == 36
    assert [each.apart for each in once.directions] == [each.apart for each in twice.directions]


def test_too_many_directions_are_refused_before_they_are_made() -> None:
    with pytest.raises(detent.UnsupportedError, match=r"ask\.mate\.directions\.steps: 10000001 directions"):
        detent.mate(_asked(10_000_000, 90))


# A hook on a hinge at the origin, pushed down past the corners of a case, and pulled from where it then is.
TIP, CORNER, ASSEMBLED = np.array([2.6, -12.8]), np.array([1.8, -22.0]), np.array([0.0, -11.0])
STIFFNESS, FRICTION = 0.05, 0.15


def _hook(**ask: Any) -> detent.Mechanism:
    """Beside it a wall, against which it is bent again where it is pulled far to the left."""
    outlines = {
        "hook": [[-1, 0], [1, 0], [1, -12], [2.6, -12.8], [1, -16], [-1, -16]],
        "case": [[1.8, -22], [8, -22], [8, -19], [1.8, -19]],
        "wall": [[-8, -26], [-6, -26], [-6, -10], [-8, -10]],
    }
    parts = {name: {"fixed": name != "hook", "shape": {"outline": o}} for name, o in outlines.items()}
    spring = {"spring": {"stiffness": STIFFNESS}}
    return detent.from_dict(
        {
            "units": "mm",
            "parts": {"plug": {}, **parts},
            "joints": {"h": {"type": "revolute", "between": ["plug", "hook"], "at": [0, 0], **spring}},
            "drives": {"push": {"part": "plug", "legs": [{"velocity": [0, -5], "distance": 11}]}},
            "touching": {"friction": FRICTION},
            "ask": {"mate": {"apart": 11, **ask}},
        }
    )


def _pull_over_the_tip(degrees: float) -> float:
    """Where the corner comes to the tip of the back of the hook: balance of moments about the hinge [N]."""
    towards = np.array([math.cos(math.radians(degrees)), math.sin(math.radians(degrees))])
    gap = CORNER - ASSEMBLED
    along = gap @ towards
    travel = along - math.copysign(math.sqrt(along**2 - gap @ gap + TIP @ TIP), along)
    arm = gap - travel * towards
    angle = math.atan2(arm[1], arm[0]) - math.atan2(TIP[1], TIP[0])
    c, s = math.cos(angle), math.sin(angle)
    # On the back, which falls from (1, -12) to the tip; friction pulls the hook towards its tip.
    leaning = np.array([-1.0, -2.0]) + FRICTION * np.array([2.0, -1.0])
    force = np.array([[c, -s], [s, c]]) @ leaning
    moment = arm[0] * force[1] - arm[1] * force[0]
    return float(-force @ towards * 1000 * STIFFNESS * angle / moment)


def test_a_direction_says_the_force_with_which_it_takes_it_apart() -> None:
    diode = detent.mate(_hook(directions={"from_deg": 60, "to_deg": 100, "steps": 4})).diode
    assert diode is not None
    for degrees, escape in zip((60, 70, 80, 90, 100), diode.directions, strict=True):
        assert escape.apart
        assert escape.force == pytest.approx(_pull_over_the_tip(degrees), rel=1e-6)
    assert diode.reverse.force == diode.directions[3].force
    assert diode.force
    assert diode.force.extraction == diode.reverse.force


@pytest.mark.parametrize("ratio", [2, 0.9])
def test_directions_that_take_less_than_the_verdict_says_are_said_to(ratio: float) -> None:
    """Straight back it takes 2.08 times the force in, towards 100 degrees 1.13 times."""
    mating = detent.mate(_hook(ratio=ratio, directions={"from_deg": 80, "to_deg": 100, "steps": 2}))
    assert mating.diode is not None
    assert mating.diode.kind == "force"
    # What suffices is told rounded up.
    least, most = (math.ceil(_pull_over_the_tip(degrees) * 1e6) / 1e6 for degrees in (100, 80))
    forces = f"3 of 3 directions tried take it apart, with {least:.6f} N (towards 100°) to {most:.6f} N"
    assert f"{forces} (towards 80°)" in mating.words
    assert ("1 of them with less than 2 times the force in" in mating.words) == (ratio == 2)
    assert "climbs" not in mating.words


def test_a_direction_that_ends_on_a_climb_is_said_to() -> None:
    """Towards 135 degrees the hook is 11 mm to the left where it counts as apart: against the wall."""
    mating = detent.mate(_hook(directions={"from_deg": 90, "to_deg": 135, "steps": 1}))
    assert mating.diode is not None
    assert [bool(escape.climbing) for escape in mating.diode.directions] == [False, True]
    assert "in 1 of them hook still climbs there, and further out it may take a larger force" in mating.words


@pytest.mark.parametrize("turns", [0, -360])
def test_directions_are_told_as_they_were_asked_for(turns: int) -> None:
    """The hook pushed up is pulled down: by 270° where the family says so, by -90° where it says that."""
    data = _hook().to_dict()
    for part in data["parts"].values():
        for point in part.get("shape", {}).get("outline", []):
            point[1] = -point[1]
    data["drives"]["push"]["legs"][0]["velocity"][1] = 5
    data["ask"]["mate"]["directions"] = {"from_deg": 255 + turns, "to_deg": 285 + turns, "steps": 2}
    mating = detent.mate(detent.from_dict(data))
    assert mating.diode is not None
    angles = [math.degrees(each.angle) for each in mating.diode.directions]
    assert angles == pytest.approx([255 + turns, 270 + turns, 285 + turns])
    pulls = zip(angles, mating.diode.directions, strict=True)
    forces = sorted((float(each.force), round(angle)) for angle, each in pulls)
    (_, least), (_, most) = forces[0], forces[-1]
    assert f"(towards {least}°) to " in mating.words
    assert f" (towards {most}°)" in mating.words
