"""A five-bar with two drives: C stays 3 from the ends of both cranks, and returns when both have."""

from pathlib import Path

import numpy as np

import detent

machine = detent.load(Path(__file__).with_suffix(".toml"))
motion = detent.move(machine)
c = motion.markers["left_coupler.C"]
arms = [np.hypot(*(c - motion.markers[end]).T) for end in ("left.B", "right.D")]

print(f"C is {arms[0].min():.12f} to {arms[0].max():.12f} from B; it spans {np.ptp(c, axis=0).round(4)}")
assert motion.stop == "done"
assert max(np.abs(arm - 3).max() for arm in arms) < 1e-12
assert np.abs(c[0] - c[-1]).max() < 1e-12
