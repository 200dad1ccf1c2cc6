"""A ratchet wheel turned on by one tooth is the same wheel; its picture says so.

The part of the wheel that moves when it turns by 1/12 of a circle is measured,
and the machine is drawn at both positions.
"""

from __future__ import annotations

import math
from pathlib import Path

import shapely

import detent
from detent.draw import machine_scene, stage_of
from detent.draw.machine import flat
from detent.draw.paper import svg

machine = detent.load(Path(__file__).with_name("ratchet.toml"))


def wheel(turn: float) -> shapely.Geometry:
    stage = stage_of(machine, {"wheel": (0.0, 0.0, turn)})
    return shapely.unary_union([slab.region for slab in flat.slabs(stage) if slab.part == "wheel"])


still, tooth, half = (wheel(k * math.radians(30)) for k in (0.0, 1.0, 0.5))
print(f"wheel: area {still.area:.4f} square units")
changed = [shapely.symmetric_difference(still, other).area for other in (tooth, half)]
print(f"changed by a whole tooth: {changed[0]:.1e}, by half of one: {changed[1]:.3f}")
assert changed[0] < 0.02  # the disc is a polygon of 128 sides, which 12 does not divide
assert changed[1] > 10
assert detent.explain(machine).mobility.gruebler == 2

picture = svg.write(machine_scene(machine, {"wheel": (0.0, 0.0, math.radians(15))}))
assert picture.count("data-of") > 5
