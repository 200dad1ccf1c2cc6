"""Numbers handed to verbs and methods: of any kind that holds one, and told by name where they do not."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

import detent
from detent.foundation import number
from detent.motion import Following, Penalty, Rigid

# Of one value: 1/2, which all of them have exactly.
HALVES = [Fraction(1, 2), Decimal("0.5"), number("1/2"), np.float32(0.5), np.array(0.5)]
SWING = detent.loads("""
format = "detent/1"
[parts]
frame = { fixed = true, shape.outline = [[-1, -2], [1, -2], [1, -1.5], [-1, -1.5]] }
arm = { shape.outline = [[-0.1, -1.4], [0.1, -1.4], [0.1, 0], [-0.1, 0]], inertia = 1 }
[joints.pin]
type = "revolute"
between = ["frame", "arm"]
at = [0, 0]
spring = { stiffness = 2, rest = 1 }
[start]
pin = { at = 0, speed = 1 }
""")
NO_NUMBERS = ["0.5", True, [0.5], 1j, 10**400, Decimal("NaN")]


@pytest.mark.parametrize("half", HALVES)
def test_every_kind_of_number_is_taken_and_gives_the_same_run(half):
    small = number("1e-5") * number(half.item() if hasattr(half, "item") else half)
    for given, plain in (
        (Rigid(accuracy=small), Rigid(accuracy=float(small))),
        (Penalty(1000 * number("1/2"), half, accuracy=small), Penalty(500.0, 0.5, accuracy=float(small))),
    ):
        assert given == plain
        runs = [
            detent.run(SWING, method=given, until=half, every=half, at=[half]),
            detent.run(SWING, method=plain, until=0.5, every=0.5, at=[0.5]),
        ]
        assert runs[0].to_json() == runs[1].to_json()
        assert detent.run(SWING, method=given, until=half, times=[half]).times.tolist() == [0.5]
        assert detent.predict(SWING, method=given, until=half).trajectory.times[-1] == 0.5
    assert Following(stride=half).stride == 0.5


def test_the_document_gives_its_own_number_back():
    asked = SWING.with_("ask.run.until", "1/2")
    for method in (Rigid(), Penalty()):
        assert detent.run(asked, until=asked.ask.run.until, method=method).stop.time == 0.5


@pytest.mark.parametrize("wrong", NO_NUMBERS)
def test_what_is_no_number_is_refused_by_name_and_with_a_remedy(wrong):
    for at, ask in (
        ("until", lambda: detent.run(SWING, until=wrong)),
        ("until", lambda: detent.predict(SWING, method=Penalty(), until=wrong)),
        ("until", lambda: detent.outlook(SWING, until=wrong)),
        ("every", lambda: detent.run(SWING, until=1, every=wrong)),
        ("times", lambda: detent.run(SWING, until=1, times=[wrong])),
        ("at", lambda: detent.run(SWING, until=1, at=[wrong])),
        ("accuracy", lambda: Rigid(accuracy=wrong)),
        ("penalty.stiffness", lambda: Penalty(stiffness=wrong)),
        ("penalty.damping", lambda: Penalty(1.0, damping=wrong)),
        ("penalty.accuracy", lambda: Penalty(accuracy=wrong)),
        ("stride", lambda: Following(stride=wrong)),
    ):
        with pytest.raises(detent.WrongTypeError) as told:
            ask()
        (problem,) = told.value.problems
        assert problem.at.partition("[")[0] == at
        assert problem.remedy.startswith("give ")


def test_numbers_that_say_nothing_are_refused_where_the_method_is_written():
    for make in (
        lambda: Rigid(accuracy=1),
        lambda: Penalty(stiffness=0),
        lambda: Penalty(stiffness=1, damping=-1),
        lambda: Penalty(accuracy=float("nan")),
        lambda: Following(stride=0.6),
        lambda: Penalty(features="outlines"),
    ):
        with pytest.raises(detent.ModelError, match="give"):
            make()
    assert Penalty(stiffness=1, damping=0).damping == 0.0
