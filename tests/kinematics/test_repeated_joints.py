"""Joints that repeat others close where the linkage has them close, and only there."""

from __future__ import annotations

import math

import pytest

import detent

BARS = """
format = "detent/1"
[parts.frame]
fixed = true
markers = {{ A = [0, 0], B = [1, 0], C = [2, 0] }}
[parts.a]
markers = {{ A = [0, 0], P = [0, {one}] }}
[parts.b]
markers = {{ B = [1, 0], Q = [1, {two}] }}
[parts.c]
markers = {{ C = [2, 0], R = [2, {three}] }}
[parts.plate]
markers = {{ P = [0, {one}], Q = [1, {two}], R = [2, {three}] }}
[joints]
A = {{ type = "revolute", between = ["frame.A", "a.A"] }}
B = {{ type = "revolute", between = ["frame.B", "b.B"] }}
C = {{ type = "revolute", between = ["frame.C", "c.C"] }}
P = {{ type = "revolute", between = ["a.P", "plate.P"] }}
Q = {{ type = "revolute", between = ["b.Q", "plate.Q"] }}
R = {{ type = "revolute", between = ["c.R", "plate.R"] }}
[drives.d]
joint = "A"
from_deg = 0
to_deg = {to}
steps = {steps}
"""


def _bars(one, two, three, to=20, steps=4):
    return detent.loads(BARS.format(one=one, two=two, three=three, to=to, steps=steps))


def test_three_parallel_bars_of_unequal_length_have_no_range():
    motion = detent.move(_bars(1, 1.5, 0.7))
    assert motion.stop == "break"
    assert motion.range is None
    assert not motion.words.count("  range")


def test_three_bars_of_one_length_move_and_nothing_of_them_is_called_proved():
    motion = detent.move(_bars(1, 1, 1, to=80))
    assert motion.stop == "done"
    assert motion.scope.certainty == "computed"
    assert "which repeat each other" in motion.words


def test_bars_that_close_at_the_positions_asked_for_alone_break_between_them():
    motion = detent.move(_bars(1, 1.5, 0.7, to=360, steps=1))  # as drawn at both ends
    assert motion.stop == "break"
    assert len(motion.inputs) == 1


@pytest.mark.parametrize(("limit", "ends"), [(5, 5.0), (30, 30.0)])
def test_the_range_of_bars_of_one_length_ends_at_a_limit_of_the_third(limit, ends):
    machine = _bars(1, 1, 1, to=80).with_("joints.C.limits", {"min_deg": -10, "max_deg": limit})
    found = detent.move(machine).range
    assert math.degrees(found["to"]) == pytest.approx(ends, abs=1e-9)
    assert not found["proved"]
