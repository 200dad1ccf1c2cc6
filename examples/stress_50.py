"""Stress-50: 24 dyads in a row, solved in closed form; every bar keeps its length."""

from pathlib import Path

import numpy as np

import detent

machine = detent.load(Path(__file__).with_suffix(".toml"))
found = detent.explain(machine)
motion = detent.move(machine)

worst = 0.0
for name, part in machine.parts.items():
    if not part.fixed:
        a, b = (motion.markers[f"{name}.{key}"] for key in part.markers)
        length = np.hypot(*(b - a).T)
        worst = max(worst, float(np.ptp(length)))
print(f"{found.plan_summary['dyads']} dyads; no bar stretches by more than {worst:.1e}")
assert found.plan_summary == {"dyads": 24, "unknowns_left": 0, "equations_left": 0}
assert worst < 1e-10
