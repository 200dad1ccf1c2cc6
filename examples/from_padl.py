"""Read Gelsey's own input (PADL-2 with its .phys file) and ask it for volumes.

The two files are Figs. 12 and 13 of the 1995 paper, with the parenthesis that
the printed figure lacks. What is read equals the escapement written by hand.
"""

from pathlib import Path

import detent
from detent.geometry import moments
from detent.model import part_solid

here = Path(__file__).parent
machine = detent.load(here / "from_padl.padl")
by_hand = detent.load(here / "escapement.toml")
assert (machine.parts, machine.shapes, machine.joints) == (by_hand.parts, by_hand.shapes, by_hand.joints)

for name in machine.parts:
    solid = part_solid(machine, name)
    assert solid is not None
    found = moments.moments(solid)
    x, y, z = found.centre
    print(f"{name}: volume {found.volume:.6g}, centre ({x:.4g}, {y:.4g}, {z:.4g})")

wheel = part_solid(machine, "ewheel")
assert wheel is not None
assert abs(moments.moments(wheel).volume - 82.072923) < 1e-6
