"""The stiffness that the method chooses: stiffer only where that keeps parts from sinking into each other."""

from __future__ import annotations

import detent
from detent.motion import Penalty

# A pointed tooth slides along a pallet to its point and passes it: how deep the two points are in each other
# then follows from their shape, whatever the stiffness.
POINTS = detent.loads("""
format = "detent/1"
units = "mm"
[parts.frame]
fixed = true
[parts.wheel]
shape = { outline = [[20, -1.5], [30, 0], [20, 1.5]], moves = [{ turn_deg = 144 }] }
inertia = 5e-6
[parts.anchor]
shape.outline = [[-21.175, 18.491], [-33.556, 15.06], [-30.743, 22.336], [-26.544, 23.01]]
inertia = 2e-4
[joints.wheel]
type = "revolute"
between = ["frame", "wheel"]
at = [0, 0]
spring = { stiffness = 5e-4, rest_deg = -5700 }
damping = 2e-5
[joints.anchor]
type = "revolute"
between = ["frame", "anchor"]
at = [0, 51]
spring = { stiffness = 0.02, rest = 0 }
damping = 1e-4
[touching]
friction = 0.1
[start]
anchor = { speed = 1.5 }
wheel = { at_deg = 2 }
""")


def test_points_that_pass_each_other_do_not_make_parts_ever_stiffer():
    evidence = detent.predict(POINTS, method=Penalty(), until=0.021).evidence
    allowed = 1e-3 * evidence.tree.system.size
    assert evidence.deepest > allowed
    for times in (20, 400):
        stiff = Penalty(times * evidence.stiffness, times * evidence.damping)
        assert detent.predict(POINTS, method=stiff, until=0.021).evidence.deepest > 0.7 * evidence.deepest
    assert evidence.choices == 1
    assert "none that was tried keeps overlaps below 0.001 of the size" in evidence.notes[0]


def test_up_to_where_they_pass_the_overlap_is_kept_small():
    evidence = detent.predict(POINTS, method=Penalty(), until=0.015).evidence
    assert 0 < evidence.deepest <= 1e-3 * evidence.tree.system.size
    assert "chosen so that parts overlap little" in evidence.notes[0]
