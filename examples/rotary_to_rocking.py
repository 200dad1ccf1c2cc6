"""A pin that turns rocks a slotted arm: how far, and as a page that plays.

The pin stands 2 units from its pivot, the arm's pivot lies 6 below: so the arm
swings asin(2 / 6) to each side, and the pin never leaves or cuts its slot.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import shapely

import detent
from detent.draw import posed, stage_of
from detent.draw.film import gif, player
from detent.draw.machine import flat
from detent.record import Trajectory

machine = detent.load(Path(__file__).with_name("rotary_to_rocking.toml"))
turn = np.linspace(0, 2 * math.pi, 73)
pin = 2 * np.stack([-np.sin(turn), np.cos(turn)], axis=1)  # drawn straight above its pivot
swing = np.arctan2(-pin[:, 0], pin[:, 1] + 6)
print(f"swing: {math.degrees(swing.max()):.4f} deg to each side")
assert math.isclose(swing.max(), math.asin(2 / 6), rel_tol=1e-3)

# The arm turns about (0, -6): its frame's origin moves on a circle about that point.
arm = np.stack([-6 * np.sin(swing), 6 * np.cos(swing) - 6, swing], axis=1)
wheel = np.stack([0 * turn, 0 * turn, turn], axis=1)
run = Trajectory(times=np.linspace(0, 4, 73), poses={"wheel": wheel, "arm": arm})

stage = stage_of(machine)
for k in range(0, 73, 6):
    now = posed(stage, {name: rows[k] for name, rows in run.poses.items()})
    parts = {slab.part: slab.region for slab in flat.slabs(now)}
    assert shapely.intersection(parts["wheel"], parts["arm"]).area == 0
    assert shapely.distance(parts["wheel"], parts["arm"]) < 0.031

page = player.page(gif.film(machine, run))
print(f"player: {len(page)} bytes, nothing fetched")
assert "<script src" not in page
