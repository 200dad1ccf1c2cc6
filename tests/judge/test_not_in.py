"""A lid with a prong and a stop: what is said where it is not in, and from where angles count.

The prong touches the box after 8, is bent most from about 10 on, and is at rest again after 19. The lid
itself stands on the stop after 22.
"""

from __future__ import annotations

import math
from typing import Any

import pytest

import detent

PRONG = [[0, 30], [2, 30], [2, 6], [4, 4], [2, 0], [0, 0]]
BOX = [[3, -14], [14, -14], [14, -6], [3, -6]]
STOP = [[-6, 8], [-4, 8], [-4, -14], [-6, -14]]


def _lid(far: float, rest: float = 0, swapped: bool = False, **ask: Any) -> detent.Mechanism:
    between = ["prong", "lid"] if swapped else ["lid", "prong"]
    spring = {"stiffness": 0.4, "rest_deg": -rest if swapped else rest}
    return detent.from_dict(
        {
            "units": "mm",
            "parts": {
                "lid": {"shape": {"outline": [[-6, 30], [20, 30], [20, 34], [-6, 34]]}},
                "prong": {"shape": {"outline": PRONG}},
                "box": {"fixed": True, "shape": {"union": [{"outline": BOX}, {"outline": STOP}]}},
            },
            "joints": {"hinge": {"type": "revolute", "between": between, "at": [1, 30], "spring": spring}},
            "drives": {"push": {"part": "lid", "legs": [{"velocity": [0, -4], "distance": far}]}},
            "touching": {"friction": 0.3, "ignore": ["lid:prong"]},
            "ask": {"mate": ask},
        }
    )


@pytest.mark.parametrize("method", [detent.Quasistatic(), detent.Quasistatic(exact=False)])
@pytest.mark.parametrize(
    ("far", "depth", "answer"),
    [
        (40, 22, "yes"),
        (40, "22.000000000001", "no"),  # a longer push does not help: it stands on its stop
        (40, 100, "no"),
        (21, 22, "not yet"),  # a longer push does
        (21, 21, "yes"),
    ],
)
def test_a_root_blocked_short_of_its_depth_does_not_go_in(
    far: int, depth: float | str, answer: str, method: detent.Quasistatic
) -> None:
    inserted = detent.mate(_lid(far, depth=depth), method=method).insertion
    assert inserted is not None
    assert (inserted.answer, inserted.travel) == (answer, min(far, 22))
    assert ("lid itself is blocked" in inserted.why) == (far == 40)
    assert ("short of the" in inserted.why) == (answer == "no")


@pytest.mark.parametrize(
    ("far", "answer"), [(5, "nothing touched"), (9, "not yet"), (12, "not yet"), (18.5, "yes"), (40, "yes")]
)
def test_what_holds_it_is_told_where_it_is_in_and_else_said_not_to_be(far: float, answer: str) -> None:
    asked = {"from_deg": 80, "to_deg": 100, "steps": 2}
    mating = detent.mate(_lid(far, directions=asked))
    assert mating.insertion is not None
    assert mating.diode is not None
    assert mating.insertion.answer == answer
    assert ("3 of 3 directions tried" in mating.words) == (answer == "yes")
    notes = [note for note in mating.notes if "what holds it is not told" in note]
    assert len(notes) == (answer != "yes")


@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize("rest", [0, 0.5, -1])
def test_angles_of_pawls_count_from_the_springs_rest_and_coordinates_from_the_drawing(
    rest: float, swapped: bool
) -> None:
    """On the flat the corner that is drawn at (3, -26) from the hinge lies 2 to the side of it."""
    mating = detent.mate(_lid(12, rest, swapped))
    assert mating.insertion is not None
    (pawl,) = mating.insertion.pawls
    sense = -1 if swapped else 1
    coordinate = math.asin(2 / math.hypot(3, 26)) - math.atan2(3, 26)
    assert sense * mating.legs[0].end.coordinates["hinge"] == pytest.approx(coordinate)
    assert sense * pawl.angle == pytest.approx(coordinate - math.radians(rest))
    assert pawl.largest_angle == pytest.approx(pawl.angle)
    bent = math.degrees(coordinate) - rest
    assert f"prong is bent {sense * bent:.3g}°" in mating.words
