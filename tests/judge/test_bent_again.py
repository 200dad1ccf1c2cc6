"""A pawl that ends bent behind a top it has passed: a preloaded snap fit, a ratchet on its next tooth."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import detent
from detent.model.reading import mechanism
from tests.prove.fasteners import Document, document

# About the hinge at the origin: the arm's lower face 1.5 below it, the nose's corners 3 below it.
HOOK = [[-2, 0], [22, 0], [26, -0.5], [22, -3], [20, -3], [18, -1.5], [-2, -1.5]]
FRONT = 30


def _bar(front: float, top: float) -> list[list[float]]:
    return [[front, -12], [front + 4, -12], [front + 4, top], [front, top]]


def _document(
    distance: float, *bars: list[list[float]], friction: float = 0.2, stop: bool = False
) -> Document:
    made = document(HOOK, bars, friction, [{"velocity": [1, 0], "distance": distance}, {"back": True}])
    if stop:  # a root that comes to a wall after 17
        made["parts"]["root"]["shape"] = {"outline": [[-9, 4], [-2, 4], [-2, 8], [-9, 8]]}
        made["parts"]["receiver"]["shape"]["union"].append({"outline": [[15, 4], [19, 4], [19, 8], [15, 8]]})
    return made


def _nose_on(height: float) -> float:
    """How far the hook is bent with a corner of its nose on a level face."""
    return max(math.atan2(3, x) - math.asin(-height / math.hypot(x, 3)) for x in (20, 22))


def _arm_on(x: float, height: float) -> float:
    """How far it is bent with the lower face of its arm on a corner that is x ahead of the hinge."""
    away = math.hypot(x, height)
    return math.asin(1.5 / away) - math.asin(-height / away)


def _inserted(made: Document, **how: Any) -> Any:
    inserted = detent.mate(mechanism(made), **how).insertion
    assert inserted is not None
    return inserted


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize("stop", [False, True])
def test_a_hook_that_stays_preloaded_is_in(exact: bool, stop: bool) -> None:
    """Its arm lies on the edge of the bar, 0.1 into the room that it would need at rest."""
    made = _document(18, _bar(FRONT, -1.4), stop=stop)
    inserted = _inserted(made, method=detent.Quasistatic(exact=exact))
    travel = 17 if stop else 18
    assert (inserted.answer, inserted.pawls[0].standing, inserted.travel) == ("yes", "climbing", travel)
    assert inserted.pawls[0].angle == pytest.approx(_arm_on(FRONT - travel, -1.4), rel=1e-9)
    assert inserted.pawls[0].largest_angle == pytest.approx(_nose_on(-1.4), rel=1e-9)
    assert ("root itself is blocked" in inserted.why) is stop
    assert f"p is past a top of {math.degrees(_nose_on(-1.4)):.3g}° and on the next ramp" in inserted.why
    assert "holds      " in detent.mate(mechanism(made)).words


def test_without_friction_its_spring_pushes_it_back_but_not_out() -> None:
    """On the way back the force turns from a push of the spring into a pull against the top."""
    back = detent.mate(mechanism(_document(18, _bar(FRONT, -1.4), friction=0))).legs[1].force
    force = np.array([float(each) for each in back.on_drive])
    assert force[0] < 0
    resists = np.argmax(force > 0)
    assert resists > 0
    assert back.travel[resists] > FRONT - 20  # the bar is still behind the nose


@pytest.mark.parametrize("exact", [True, False])
def test_what_is_bent_more_than_at_the_top_behind_it_is_not_in(exact: bool) -> None:
    """A low bar, then the nose on the corner of a high one: less bent, then more than on the first."""
    answers = []
    for distance in np.arange(20, 25, 0.5):
        made = _document(float(distance), _bar(FRONT, -2.2), _bar(FRONT + 16, -0.6))
        inserted = _inserted(made, method=detent.Quasistatic(exact=exact))
        pawl = inserted.pawls[0]
        if pawl.standing == "climbing":
            more = pawl.angle > _nose_on(-2.2)
            assert inserted.answer == ("not yet" if more else "yes")
            assert ("the push ends on the ramp" in inserted.why) is more
            answers.append(inserted.answer)
    assert answers == sorted(answers, reverse=True)
    assert set(answers) == {"yes", "not yet"}


def test_a_flat_behind_a_higher_top_is_in_and_the_top_itself_is_not() -> None:
    """Two level bars, the second lower: on the second it is past the first."""
    flats = [
        _inserted(_document(distance, _bar(FRONT, -1.8), _bar(FRONT + 4, -2.2))) for distance in (11, 15)
    ]
    assert [(each.answer, each.pawls[0].standing) for each in flats] == [
        ("not yet", "level"),
        ("yes", "level"),
    ]
    assert "on the flat behind it" in flats[1].why
