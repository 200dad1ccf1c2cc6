"""A shaper's quick return: the cutting stroke takes 240 degrees of the crank, the return 120.

The arm is at its ends when the crank stands square on it; with a crank of half the distance between the
centres those two places lie 2 acos(1/2) = 120 degrees apart.
"""

from pathlib import Path

import numpy as np

import detent
from detent.motion import prepare

machine = detent.load(Path(__file__).with_suffix(".toml"))
live = prepare(machine)
turn = np.radians(np.arange(0, 360, 0.05))
swept = live.sweep(turn)
ram = next(swept[i, 0] for i, markers in enumerate(live.points) if "ram.D" in markers)

cutting = 360 * np.mean(np.diff(ram, append=ram[0]) < 0)
print(f"cutting stroke: {cutting:.2f} degrees of the crank; stroke {np.ptp(ram):.4f}")
assert abs(cutting - 240) < 0.2
