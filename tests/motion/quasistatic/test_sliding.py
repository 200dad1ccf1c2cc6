"""How contacts slide: against a stick on a floor by hand, and against places measured on a hook."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

import detent

STICK = """
format = "detent/1"
units = "1"
[parts.root]
shape.outline = [[-1, 9], [1, 9], [1, 12], [-1, 12]]
[parts.stick]
shape.segment = [[0, 9], [6, 1]]
[parts.floor]
fixed = true
shape.outline = [[-20, -3], [20, -3], [20, 0], [-20, 0]]
[joints.hinge]
type = "revolute"
between = ["root", "stick"]
at = [0, 9]
spring.stiffness = 1
[drives.push]
part = "root"
legs = [{ velocity = [0, -2], for = 2 }, { back = true }]
[touching]
friction = "7/10"
ignore = ["root:stick", "root:floor"]
"""


def _rows(leg: detent.record.LegStory) -> list[tuple[float, float, float, int]]:
    hinge = leg.force.hinges["hinge"]
    columns = (leg.force.times, hinge.sliding_speed, hinge.to_sticking, hinge.sector)
    return [row for row in zip(*columns, strict=True) if row[1] is not None]


def test_a_stick_on_a_floor_slides_as_by_hand() -> None:
    """With the hinge h above the floor, 10 cos(phi): it slides at 2 cot(phi), and sticks from tan(phi) on."""
    mating = detent.mate(detent.loads(STICK))
    assert [leg.end.cause for leg in mating.legs] == ["done", "done"]
    own = math.atan(0.7)
    for leg, back in zip(mating.legs, (False, True), strict=True):
        rows = _rows(leg)
        assert len(rows) > 10
        for t, speed, to_sticking, sector in rows:
            phi = math.acos((9 - 2 * min(t, 4 - t)) / 10)
            assert speed == pytest.approx(2 / math.tan(phi) * (-1 if back else 1), rel=1e-9)
            assert to_sticking == pytest.approx((math.pi - phi if back else phi) - own, rel=1e-9)
            assert sector == (4 if back else 2)


@pytest.mark.parametrize(("friction", "cause"), [("7/10", "done"), ("4/5", "stick")])
def test_it_sticks_where_the_angle_to_sticking_has_gone(friction: str, cause: str) -> None:
    """At the first contact tan(phi) is 3/4."""
    leg = detent.mate(detent.loads(STICK).with_("touching.friction", Fraction(friction))).legs[0]
    assert leg.end.cause == cause
    rows = _rows(leg)
    first = rows[0][2]
    assert (first < 0) == (cause == "stick")
    assert rows[-1][3] == (1 if cause == "stick" else 2)


def test_a_face_of_the_pawl_slides_over_a_corner_as_its_places_do() -> None:
    """The second contact of the hook: the receiver's corner (-30, 0) along the pawl's face from (-21, 50)."""
    mating = detent.mate(detent.load("diode_d").with_("ask.mate.directions", None))
    run, leg = mating.run.evidence, mating.legs[0]
    _, change, release, *_ = leg.events

    def place(t: float) -> np.ndarray:
        """The corner on the pawl as it is drawn."""
        a = run.angle("hinge", t)
        from_hinge = np.array([-30 + 25, 0 - (100 - t)])
        turn = np.array([[math.cos(a), math.sin(a)], [-math.sin(a), math.cos(a)]])
        return turn @ from_hinge

    way = np.array([-12.0, 3.0]) / math.hypot(12, 3)
    rows = [row for row in _rows(leg) if change.time + 0.05 < row[0] < release.time - 0.05]
    assert len(rows) > 5
    for t, speed, _, sector in rows:
        moved = (place(t + 1e-5) - place(t - 1e-5)) / 2e-5
        assert abs(moved @ way) == pytest.approx(np.hypot(*moved), rel=1e-6)  # along the face
        assert speed == pytest.approx(-float(moved @ way), rel=1e-5)
        assert sector == 4


def test_the_table_has_them_and_nothing_where_nothing_carries() -> None:
    mating = detent.mate(detent.loads(STICK))
    columns = mating.columns()
    rests = columns["hinge.sector"] == 0
    assert rests.any()
    assert np.isnan(columns["hinge.sliding_speed"][rests]).all()
    assert not np.isnan(columns["hinge.to_sticking [rad]"][~rests]).any()
