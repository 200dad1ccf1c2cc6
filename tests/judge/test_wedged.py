"""What is pushed tight between leaning walls friction can hold, from the lean of the walls on."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.optimize import linprog

import detent

LEAN = 1 / 25  # of both walls against the push: 2 in 50


def _pin(friction: float, aside: float = 0.0, exact: bool = True) -> detent.Mating:
    """A pin, 5 wide, on a hinge 30 above its end, pushed down into a slot that narrows from 8 to 4."""
    right = [[aside + 2, -60], [15, -60], [15, -10], [aside + 4, -10]]
    left = [[aside - 2, -60], [-15, -60], [-15, -10], [aside - 4, -10]]
    made = {
        "units": "mm",
        "parts": {
            "root": {},
            "p": {"shape": {"outline": [["-5/2", 30], ["-5/2", 0], ["5/2", 0], ["5/2", 30]]}},
            "o": {"fixed": True, "shape": {"union": [{"outline": left}, {"outline": right}]}},
        },
        "joints": {
            "h": {"type": "revolute", "between": ["root", "p"], "at": [0, 30]} | {"spring": {"stiffness": 1}}
        },
        "drives": {"push": {"part": "root", "legs": [{"velocity": [0, -1], "distance": 55}, {"back": True}]}},
        "touching": {"friction": friction},
    }
    return detent.mate(detent.from_dict(made), method=detent.Quasistatic(exact=exact))


def _said(mating: detent.Mating) -> bool:
    return any("wedged" in line and "bound nothing" in line for line in mating.scope.assumed)


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize(("friction", "holds"), [(0.0, False), (0.0399, False), (0.0401, True), (0.4, True)])
def test_a_pin_in_the_middle_is_held_from_the_lean_of_the_walls_on(
    friction: float, holds: bool, exact: bool
) -> None:
    mating = _pin(friction, exact=exact)
    assert [leg.end.cause for leg in mating.legs] == ["jam", "done"]
    assert mating.legs[0].end.travel == pytest.approx(47.5, rel=1e-12)  # where the slot is 5 wide
    assert _said(mating) is holds
    assert ("p is wedged there by o" in mating.words) is holds


def _self_stress(mating: detent.Mating, friction: float) -> bool:
    """Forces in the cones of both lower corners without a moment about the hinge, that resist a pull upwards.

    By a linear program, from the end of the first leg alone.
    """
    end = mating.legs[0].end
    angle = end.coordinates["h"]
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    columns = []
    for corner, side in (([-2.5, -30], 1), ([2.5, -30], -1)):
        arm, normal = turn @ corner, np.array([side, LEAN])
        tangent = np.array([-normal[1], normal[0]])
        for force in (normal + friction * tangent, normal - friction * tangent):
            columns.append([force[1], arm[0] * force[1] - arm[1] * force[0]])
    up, moment = np.array(columns).T
    best = linprog(up, A_eq=[moment], b_eq=[0], bounds=[(0, 1)] * 4)
    return bool(best.fun < -1e-12)


@pytest.mark.parametrize("friction", [0.02, 0.038, 0.042, 0.06, 0.1, 0.3])
@pytest.mark.parametrize("aside", [0.5, 1.0])
def test_a_pin_beside_the_middle_is_held_where_a_program_finds_forces(friction: float, aside: float) -> None:
    mating = _pin(friction, aside)
    assert mating.legs[0].end.cause == "jam"
    assert _said(mating) is _self_stress(mating, friction)


def _taper(friction: Any, **pairs: Any) -> detent.Mating:
    """A root that is a taper of 1 in 40, blocked in its bore; a pawl beside it has gone over a wall."""
    bore = [[2.5, -60], [8, -60], [8, -20], [3.5, -20]]
    made = {
        "parts": {
            "root": {"shape": {"outline": [[-2, -20], [2, -20], [3, 20], [-3, 20]]}},
            "p": {"shape": {"outline": [[10, 20], [10, -2], [11, -2], [13, 0], [11, 2], [11, 20]]}},
            "bore": {
                "fixed": True,
                "shape": {"union": [{"outline": bore}, {"outline": [[-x, y] for x, y in bore]}]},
            },
            "wall": {"fixed": True, "shape": {"outline": [[12, -20], [20, -20], [20, -10], [12, -10]]}},
        },
        "joints": {
            "h": {"type": "revolute", "between": ["root", "p"], "at": [11, 20]} | {"spring": {"stiffness": 1}}
        },
        "drives": {"push": {"part": "root", "legs": [{"velocity": [0, -1], "for": 70}]}},
        "touching": {"friction": friction, "ignore": ["root:p"], "pairs": pairs},
    }
    return detent.mate(detent.from_dict(made))


@pytest.mark.parametrize(
    ("friction", "pairs", "holds"),
    [
        (0.0249, {}, False),
        (0.0251, {}, True),
        (0.0251, {"root:bore": {"friction": 0.0249}}, False),
        (0.0249, {"bore:root": {"friction": 0.0251}}, True),
    ],
)
def test_a_root_that_is_a_taper_is_held_from_its_slope_on(friction: Any, pairs: Any, holds: bool) -> None:
    mating = _taper(friction, **pairs)
    assert mating.legs[0].end.cause == "blocked"
    assert mating.diode is not None
    assert mating.diode.reverse.apart
    assert (mating.diode.wedged == ("root",)) is holds
    assert ("root, wedged, may be held by friction besides, with any force" in mating.words) is holds
    assert _said(mating) is holds


def test_a_root_on_a_flat_stop_is_not_wedged() -> None:
    """However rough: the root of the T stands on the bar."""
    for friction in (0.2, 0.9):
        mating = detent.mate(detent.load("snap_t").with_("touching.friction", friction))
        assert not any("wedged" in line for line in mating.scope.assumed)
