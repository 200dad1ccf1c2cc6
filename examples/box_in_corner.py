"""What a planner asks of contact modes: modes of one kind, their cone, the nearest velocity.

A box stands on the ground against a wall. It is to slide along the wall and must
not leave it: the modes with all contacts touching, and the velocity nearest to a goal.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import detent
from detent.contact import cone, sliding_modes

modes = detent.modes(detent.load(Path(__file__).with_name("box_in_corner.toml")))
print(modes)
assert len(modes) == 228

# All contacts touch: the box only slides along the wall, or rests.
held = sliding_modes(modes.contacts, "0" * 8)
assert len(held) == 3
for mode in held:
    near = cone(mode).project([1.0, -0.5, -2.0, 0.0, 0.0, 0.3])
    print(mode.text, np.round(near, 6))

# Rest has neighbours in other ways of touching; the box can leave the wall and stay on the ground.
around = modes.star(modes["00000000|" + "0" * 16])
assert len(around) == len(modes)
lifted = modes.where(*[(i, "touching") for i in range(4)], *[(i, "separating") for i in range(4, 8)])
assert {mode.text[:8] for mode in lifted} == {"0000++++"}
print(f"{len(lifted)} modes leave the wall and stay on the ground")
