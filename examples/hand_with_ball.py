"""A hand holds a ball: every way to touch, and every way to slide while all links touch.

All modes together are 753,790,592: `detent modes hand_with_ball --count` counts them, nobody lists them.
"""

from __future__ import annotations

from pathlib import Path

import detent

machine = detent.load(Path(__file__).with_name("hand_with_ball.toml"))
touching = detent.modes(machine, kind="contacting_separating")
print(f"{len(touching)} ways to touch, in {touching.rank} dimensions")
assert len(touching) == 2 ** len(touching.contacts) == 4096
assert touching.rank == 17

sliding = detent.modes(machine, touching="0" * 12)
print(f"{len(sliding)} ways to slide with all links on the ball")
assert len(sliding) == 340_707  # in general position it would be 342,243; a round ball is not
