"""A pawl that one leg takes onto a ramp and the next takes off again has passed nothing.

Its tip, a right angle that points at a wall, stands 1 over the wall's face. Pushed down beside the wall it
begins to bend after 9, is bent most between its tops at about 9.925 and 19.925, and lets go after 21.
"""

from __future__ import annotations

import math
from typing import Any

import pytest

import detent

TIP = [[-1, 20], [-1, -2], [0, -2], [2, 0], [0, 2], [0, 20]]
WALL = [[1, -20], [20, -20], [20, -10], [1, -10]]
# On the face of the wall the tip is 1 from the hinge's line: there it is bent most.
TOP = math.degrees(math.atan2(2, 20) - math.asin(1 / math.hypot(2, 20)))


def _mated(*legs: tuple[tuple[float, float], float], exact: bool = True, **ask: Any) -> detent.Mating:
    made = {
        "units": "mm",
        "parts": {
            "root": {},
            "p": {"shape": {"outline": TIP}},
            "o": {"fixed": True, "shape": {"outline": WALL}},
        },
        "joints": {
            "h": {"type": "revolute", "between": ["root", "p"], "at": [0, 20]} | {"spring": {"stiffness": 1}}
        },
        "drives": {"push": {"part": "root", "legs": [{"velocity": v, "for": t} for v, t in legs]}},
        "touching": {"friction": "1/10"},
        "ask": {"mate": ask},
    }
    return detent.mate(detent.from_dict(made), method=detent.Quasistatic(exact=exact))


DOWN, OFF = (0, -1), (-1, 0)


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize(
    ("depth", "aside", "answer", "standing"),
    [
        (9.5, 3, "not yet", "at_rest"),
        (9.5, 0.3, "not yet", "falling"),
        (15, 3, "not yet", "at_rest"),
        (15, 0.5, "not yet", "falling"),
        (20.9, 3, "yes", "at_rest"),
        (22, 3, "yes", "at_rest"),
    ],
)
def test_what_is_led_off_the_ramp_again_is_not_in(
    depth: float, aside: float, answer: str, standing: str, exact: bool
) -> None:
    mating = _mated((DOWN, depth), (OFF, aside), exact=exact)
    inserted = mating.insertion
    assert inserted is not None
    (pawl,) = inserted.pawls
    assert (inserted.answer, pawl.standing, inserted.last_leg) == (answer, standing, 2)
    assert pawl.over_a_top is (answer == "yes")
    assert ("p is past o" in inserted.why) is (answer == "yes")
    assert ("off again the same way, past nothing" in inserted.why) is (answer == "not yet")
    if depth == 15:
        assert math.degrees(pawl.largest_angle) == pytest.approx(-TOP, rel=1e-9)


def test_the_ramp_that_it_goes_onto_again_is_the_same_one() -> None:
    """Off by 0.3 and down by 0.1 it is bent less than before, and the top is still ahead."""
    mating = _mated((DOWN, 9.5), (OFF, 0.3), (DOWN, 0.1))
    inserted = mating.insertion
    assert inserted is not None
    assert (inserted.answer, inserted.pawls[0].standing) == ("not yet", "climbing")
    assert abs(inserted.pawls[0].angle) < abs(inserted.pawls[0].largest_angle)
    assert "the push ends on the ramp" in inserted.why


def test_a_top_that_several_legs_in_one_direction_go_over_is_one() -> None:
    mating = _mated((DOWN, 9.5), ((0, -3), 5))
    assert mating.insertion is not None
    assert (mating.insertion.answer, mating.insertion.pawls[0].over_a_top) == ("yes", True)


def test_where_the_root_is_as_deep_as_asked_it_is_in_all_the_same() -> None:
    mating = _mated((DOWN, 9.5), (OFF, 3), depth=9)
    assert mating.insertion is not None
    assert mating.insertion.answer == "yes"
    assert "p is past o" not in mating.insertion.why
