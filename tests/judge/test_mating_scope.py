"""What chords leave open of an arc: against a smooth nose, computed by itself."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from scipy.optimize import brentq

import detent

HINGE, CENTRE, RADIUS, STIFFNESS = np.array([1.2, 1.1]), np.array([16.0, 3.0]), 2.0, 0.85
CORNERS = np.array([20.0, 4.0]), np.array([22.0, 4.0])  # of the frame: that it meets on the way in, and out


def _hook(friction: float, chords: int = 64) -> dict[str, Any]:
    angles = np.linspace(0, np.pi, chords + 1)
    nose = [[round(16 + 2 * np.cos(a), 9), round(3 + 2 * np.sin(a), 9)] for a in angles]
    return {
        "units": "mm",
        "parts": {
            "plug": {},
            "hook": {"shape": {"outline": [[0, 0], [18, 0], *nose, [14, 2.2], [0, 2.2]]}},
            "frame": {"fixed": True, "shape": {"outline": [[20, 4], [22, 4], [22, 9], [20, 9]]}},
        },
        "joints": {
            "root": {"type": "revolute", "between": ["plug", "hook"], "at": [1.2, 1.1]}
            | {"spring": {"stiffness": STIFFNESS}}
        },
        "drives": {"push": {"part": "plug", "legs": [{"velocity": [2, 0], "distance": 10}, {"back": True}]}},
        "touching": {"friction": friction},
    }


def _smooth_force(travel: float, corner: Any, ahead: int, friction: float) -> float:
    """Of a circle on the arm that slides over a corner: statics of the arm, with Coulomb's friction [N]."""
    hinge = HINGE + np.array([travel, 0.0])

    def centre(angle: float) -> Any:
        c, s = np.cos(angle), np.sin(angle)
        return hinge + np.array([[c, -s], [s, c]]) @ (CENTRE - HINGE)

    def gap(angle: float) -> float:
        return float(np.hypot(*(centre(angle) - corner))) - RADIUS

    if gap(0.0) >= 0:
        return 0.0
    angle = brentq(gap, -0.1, 0.0, xtol=1e-14)
    normal, arm = (centre(angle) - corner) / RADIUS, corner - hinge
    tangent = np.array([-normal[1], normal[0]])
    rate = -ahead * normal[0] / (arm[0] * normal[1] - arm[1] * normal[0])
    slip = (np.array([ahead, 0]) + rate * np.array([-arm[1], arm[0]])) @ tangent
    force = normal - friction * np.sign(slip) * tangent
    about_hinge = arm[0] * force[1] - arm[1] * force[0]
    assert about_hinge * angle > 0  # it slides
    return float(-ahead * 1000 * STIFFNESS * angle / about_hinge * force[0])


@pytest.mark.parametrize("friction", [0.2, 0.35])
def test_the_force_of_a_smooth_nose_is_within_what_its_chords_leave_open(friction: float) -> None:
    drawn = detent.mate(detent.from_dict(_hook(friction)))
    (line,) = [line for line in drawn.scope.assumed if "chords" in line]
    assert line in drawn.words
    turn, other = (float(n) for n in re.findall(r"up to (?:about )?([0-9.]+)", line))
    assert turn == pytest.approx(180 / 64, rel=1e-2)
    less = detent.mate(detent.from_dict(_hook(round(friction - other, 6))))
    ways = (2.3, 4.5, CORNERS[0], 1), (7.7, 5.5, CORNERS[1], -1)
    for before, after, (begin, end, corner, ahead) in zip(less.legs, drawn.legs, ways, strict=True):
        travels = np.linspace(begin, end, 500)
        smooth = max(_smooth_force(travel, corner, ahead, friction) for travel in travels)
        assert before.force.peak < smooth * (1 + 1e-3)
        assert smooth * 1.01 < after.force.peak  # chords alone are off by more than a per cent


def test_edges_of_a_design_are_not_chords() -> None:
    """Three corners of a nose are corners; a bevel of 45 degrees is one."""
    assert any("chords" in line for line in detent.mate(detent.from_dict(_hook(0.2, 16))).scope.assumed)
    for chords in (4, 8):
        assert not any(
            "chords" in line for line in detent.mate(detent.from_dict(_hook(0.2, chords))).scope.assumed
        )


def test_back_at_the_start_the_travel_is_zero() -> None:
    document = _hook(0.2, 4)
    document["drives"]["push"]["legs"][0] = {"velocity": [-1.5, -2], "distance": 14.189}
    assert "-0.0000" not in detent.mate(detent.from_dict(document)).words


WOULD_STICK = "a contact that alone would stick carries nothing where another can slide"


def _land(friction: float) -> dict[str, Any]:
    """An arm whose land, drawn flush with a wall to its right, slides up it and is sprung past its end."""
    return {
        "parts": {
            "plug": {},
            "arm": {"shape": {"outline": [[-1, -1], [0, 1], [8, -3], [8, -6], [7.5, -12], [6, -12]]}},
            "wall": {"fixed": True, "shape": {"outline": [[8, -30], [12, -30], [12, 5], [8, 5]]}},
        },
        "joints": {
            "h": {"type": "revolute", "between": ["plug", "arm"], "at": [0, 0]}
            | {"spring": {"stiffness": 1, "rest_deg": 1}}
        },
        "drives": {"push": {"part": "plug", "legs": [{"velocity": [0, 1], "for": 18}]}},
        "touching": {"friction": friction},
    }


@pytest.mark.parametrize("friction", [0.37, 0.38])
def test_what_is_assumed_of_a_pull_out_is_said_without_a_leg_out(friction: float) -> None:
    """On the way down the land's upper end, 8 beside the hinge and 3 below it, would stick from 3/8 on."""
    mating = detent.mate(detent.from_dict(_land(friction)))
    assert mating.diode is not None
    assert mating.diode.reverse.apart
    assert any(WOULD_STICK in line for line in mating.scope.assumed) == (friction > 3 / 8)


def test_an_answer_is_proved_only_where_its_pulls_are_too() -> None:
    """The float filter leaves a plan that starts away from rest to exact arithmetic, but not the pull out."""
    hook = _hook(0.2, chords=3)
    hook["joints"]["root"]["spring"]["rest_deg"] = 0.5
    filtered, exact = (
        detent.mate(detent.from_dict(hook), method=detent.Quasistatic(exact=exact)) for exact in (False, True)
    )
    assert filtered.counts == {"runs": 3, "exact": 1}
    assert (filtered.scope.certainty, exact.scope.certainty) == ("computed", "proved")
    assert filtered.diode is not None
    assert exact.diode is not None
    assert filtered.diode.kind == exact.diode.kind
