"""Theo Jansen's leg: how long the foot bears, and how flat it runs meanwhile."""

from pathlib import Path

import numpy as np

import detent
from detent.motion import prepare

machine = detent.load(Path(__file__).with_suffix(".toml"))
live = prepare(machine)
swept = live.sweep(np.radians(np.arange(0, 360, 0.5)))
x, y = next(swept[i] for i, markers in enumerate(live.points) if "foot.F" in markers)

bearing = y < y.min() + 1  # within one unit of the lowest point
print(f"stride {np.ptp(x):.2f}, lift {np.ptp(y):.2f}; it bears for {bearing.mean():.0%} of the turn")
assert abs(np.ptp(x) - 67.82) < 0.1
assert bearing.mean() > 0.4
