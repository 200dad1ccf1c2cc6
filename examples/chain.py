"""Chain-15: thirteen freedoms are left when its first link is driven; it moves least, and stays closed."""

from pathlib import Path

import numpy as np

import detent

machine = detent.load(Path(__file__).with_suffix(".toml"))
found = detent.explain(machine)
motion = detent.move(machine)

gaps = [
    np.abs(motion.markers[f"L{i}.P{i}"] - motion.markers[f"L{i + 1}.P{i}"]).max()
    for i in range(1, len(machine.parts) - 1)
]
print(f"mobility {found.mobility.actual}; {found.plan_summary}; widest gap {max(gaps):.1e}")
assert found.mobility.actual == 13
assert found.plan_summary == {"dyads": 0, "unknowns_left": 38, "equations_left": 26}
assert max(gaps) < 1e-10
