"""A crank-rocker: how far the rocker swings, beside the closed form.

The rocker stands still where crank and coupler lie in line, so the triangle of ground, rocker and
coupler plus or minus crank gives both ends of its swing.
"""

import math
from pathlib import Path

import numpy as np

import detent

machine = detent.load(Path(__file__).with_suffix(".toml"))
motion = detent.move(machine)
angles = np.unwrap(motion.poses["III"][:, 2])
swing = np.ptp(angles)

ground, crank, coupler, rocker = 4, 1, 3.5, 3
ends = [
    math.acos((ground**2 + rocker**2 - reach**2) / (2 * ground * rocker))
    for reach in (coupler + crank, coupler - crank)
]
exact = ends[0] - ends[1]
print(
    f"the rocker swings {math.degrees(swing):.3f} degrees in 37 positions, {math.degrees(exact):.3f} exactly"
)
assert motion.stop == "done"
assert 0 <= exact - swing < math.radians(0.5)  # samples do not hit the ends
