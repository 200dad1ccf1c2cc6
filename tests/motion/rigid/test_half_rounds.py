"""Round ends of teeth and bars are half circles: they touch whatever comes, however they are turned."""

from __future__ import annotations

from itertools import pairwise

import pytest

import detent

# Six round teeth lift a stiff, sprung tine and let it fall back onto its stop, one after the other.
DRUM = """
format = "detent/1"
units = "mm"
[parts.frame]
fixed = true
markers = { D = [0, 0], T = [60, 12] }
[parts.drum]
shape.union = [
  { circle = 16 },
  { outline = [[15, -1.5], [20, -1.5], [20, 1.5], [15, 1.5]], repeat = { count = 6 } },
  { circle = 1.5, moves = [{ move = [20, 0] }], repeat = { count = 6 } },
]
markers = { D = [0, 0] }
inertia = 4e-5
[parts.tine]
shape.outline = [[18, 10], [60, 10], [60, 14], [18, 11]]
markers = { T = [60, 12] }
inertia = 2e-6
[joints.axle]
type = "revolute"
between = ["frame.D", "drum.D"]
[joints.root]
type = "revolute"
between = ["frame.T", "tine.T"]
spring = { stiffness = 0.05, rest_deg = 2 }
damping = 1e-4
limits = { max = 0 }
[drives.motor]
joint = "axle"
speed_deg = 600
"""


def test_every_round_tooth_of_a_drum_lifts_the_tine():
    """One touch each 60°, of one tooth after the other, as the teeth are alike."""
    running = detent.run(detent.loads(DRUM), until=1.2)
    first = [event for event in running.events if any(".a0:tine/0.e0" in name for name in event.after)]
    teeth = [int(event.after[0].split("/")[1].split(".")[0]) for event in first]
    assert teeth == [7, 12, 11, 10, 9, 8] * 2
    times = [event.time for event in first]
    assert [b - a for a, b in pairwise(times)] == pytest.approx([0.1] * 11, abs=1e-6)
