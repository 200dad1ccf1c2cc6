"""A round peg in its hole, held by four contacts at each end: what may it still do?

It can slide in and out and turn about its axis; with two dividing planes at each
contact the signs of those two speeds make nine contact modes.
"""

from __future__ import annotations

from pathlib import Path

import detent
from detent.draw import machine_scene

machine = detent.load(Path(__file__).with_name("peg_in_hole.toml"))
found = detent.modes(machine)
print(f"{len(machine.contacts)} contacts: {len(found)} modes, rank {found.rank}")
assert len(found) == 9
assert found.rank == 2

scene = machine_scene(machine)
normals = [item for item in scene.items if type(item).__name__ == "Arrow"]
assert len(normals) == 8
