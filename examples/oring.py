"""An O-ring in its groove is wider than the bore it is pushed into: by how much?

A ring of 3.15 mm section on a groove of 10 mm radius reaches 13.15 mm; the bore
has 13 mm. The 0.15 mm between them are what the rubber gives.
"""

from __future__ import annotations

from pathlib import Path

import detent
from detent.draw import stage_of
from detent.geometry import Torus, leaves

machine = detent.load(Path(__file__).with_name("oring.toml"))
ring = next(leaves(stage_of(machine).solids["ring"])).primitive
assert isinstance(ring, Torus)
bore = machine.parts["bore"].shape
assert bore is not None
hole = bore.children[1].cylinder
assert hole is not None
interference = float(ring.radius + ring.tube - hole.radius)
print(f"interference {interference:g} {machine.units}")
assert abs(interference - 0.15) < 1e-12
