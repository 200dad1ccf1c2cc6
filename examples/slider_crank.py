"""A slider-crank: the stroke is twice the crank, and the piston is where the closed form has it."""

import math
from pathlib import Path

import numpy as np

import detent

machine = detent.load(Path(__file__).with_suffix(".toml"))
motion = detent.move(machine)
theta = np.asarray(motion.inputs) + math.radians(40)  # the crank stands at 40 degrees as drawn
x = motion.markers["piston.S"][:, 0]

exact = np.cos(theta) + np.sqrt(9 - np.sin(theta) ** 2)
print(f"farthest from the closed form: {np.abs(x - exact).max():.1e}; stroke {np.ptp(x):.4f}")
assert np.abs(x - exact).max() < 1e-12
