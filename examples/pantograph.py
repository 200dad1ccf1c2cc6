"""A pantograph with two drives: the pen goes twice as far as the point, always in line with O."""

from pathlib import Path

import numpy as np

import detent

machine = detent.load(Path(__file__).with_suffix(".toml"))
motion = detent.move(machine)
point, pen = motion.markers["at.T"], motion.markers["second.P"]

print(f"pen minus twice the point: {np.abs(pen - 2 * point).max():.1e}, over {np.ptp(pen, axis=0).round(3)}")
assert np.abs(pen - 2 * point).max() < 1e-12
