"""The 6-bar of Brunkhart 1994, driven at A: two dyads, no unknown left to numbers."""

from pathlib import Path

import numpy as np

import detent

machine = detent.load(Path(__file__).with_suffix(".toml"))
found = detent.explain(machine)
motion = detent.move(machine)
swing = np.degrees(motion.poses["V"][:, 2])

print(f"mobility {found.mobility.actual}; {found.plan_summary}")
print(f"link V swings from {swing.min():.3f} to {swing.max():.3f} degrees")
assert found.plan_summary == {"dyads": 2, "unknowns_left": 0, "equations_left": 0}
assert motion.stop == "done"
