"""What acts on a coordinate that a found joint lacks is refused, as of the same joint written by hand."""

from __future__ import annotations

import pytest

import detent
from detent.foundation import ModelError
from detent.infer import infer

# A tongue in a groove that is open along z: it slides along x and z and turns about y.
TONGUE = """
format = "detent/1"
units = "mm"
dimension = 3
[parts.frame]
fixed = true
shape.difference = [{ block = [200, 60, 40] }, { block = [200, 10, 40], moves = [{ move = [0, 25, 0] }] }]
[parts.tongue]
shape = { block = [220, 10, 40], moves = [{ move = [-10, 25, 0] }] }
density = 2700
[joints.s]
between = ["frame", "tongue"]
"""
BY_HAND = 'type = "planar"\nat = [0, 25, 0]\nalong = [0, 1, 0]\n'
FOUND = 'type = "infer"\n'
PIN = """
format = "detent/1"
units = "mm"
dimension = 3
[parts.frame]
fixed = true
shape.union = [
  { block = [40, 40, 5], moves = [{ move = [-20, -20, -5] }] },
  { cylinder = { radius = 4, height = 10 } },
]
[parts.collar]
shape.difference = [{ cylinder = { radius = 10, height = 10 } }, { cylinder = { radius = 4, height = 10 } }]
density = 7800
[joints.s]
type = "infer"
between = ["frame", "collar"]
"""


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("spring", "{ stiffness = 500, rest = 0.3 }"),
        ("damping", "3"),
        ("limits", "{ min = -5, max = 5 }"),
        ("friction", "{ coefficient = 0.2 }"),
    ],
)
def test_the_joint_that_is_found_is_refused_what_the_one_written_is(key, value):
    with pytest.raises(ModelError) as by_hand:
        detent.loads(TONGUE + BY_HAND + f"{key} = {value}\n")
    mechanism = detent.loads(TONGUE + FOUND + f"{key} = {value}\n")
    [question] = infer(mechanism).open
    with pytest.raises(ModelError) as found:
        detent.run(mechanism, until=0.1)
    [problem], [of_hand] = found.value.problems, by_hand.value.problems
    assert problem.at == question.at == of_hand.at == f"joints.s.{key}"
    assert problem.problem == question.problem
    assert of_hand.problem in problem.problem
    assert of_hand.remedy in problem.remedy


def test_without_them_it_runs():
    mechanism = detent.loads(TONGUE + FOUND)
    assert infer(mechanism).open == ()
    assert detent.run(mechanism, until=0.1).stop.cause == "done"


def test_friction_of_a_pin_that_is_found_needs_its_radius():
    with pytest.raises(ModelError, match="radius"):
        detent.run(detent.loads(PIN + "friction = { coefficient = 0.2 }"), until=0.1)
    rubbing = detent.loads(PIN + "friction = { coefficient = 0.2, radius = 4 }")
    assert infer(rubbing).open == ()
    assert detent.run(rubbing, until=0.1).stop.cause == "done"
