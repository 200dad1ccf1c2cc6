"""Peaucellier's cell draws a straight line exactly; a slot along that line holds nothing more.

With arms of 5 and a rhombus of side 2, OA * OC = 21; A runs on a circle through O of radius 2, so C runs
on x = 21 / 4.
"""

from pathlib import Path

import numpy as np

import detent

machine = detent.load(Path(__file__).with_suffix(".toml"))
found = detent.explain(machine)
c = detent.move(machine).markers["bc.C"]

print(f"mobility by count {found.mobility.gruebler}, in truth {found.mobility.actual}")
print(f"C runs {np.ptp(c[:, 1]):.3f} along the line and {np.abs(c[:, 0] - 5.25).max():.1e} off it")
assert (found.mobility.gruebler, found.mobility.actual) == (0, 1)
assert np.abs(c[:, 0] - 5.25).max() < 1e-10
