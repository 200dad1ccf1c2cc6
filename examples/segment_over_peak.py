"""A line-segment pawl over a peak: the contact force peaks inside a stretch, and has no bound at the fold."""

from pathlib import Path

import detent

leg = detent.mate(detent.load(Path(__file__).with_suffix(".toml"))).legs[0]
inside = leg.force.stretches[1].contact_force.inside
print(f"peak {inside.value:.8f} N at {inside.time:.6f} s, inside the stretch")
assert abs(inside.value - 0.09802353181953923) < 1e-12
assert leg.force.peak_by_part["segment"].contact_force.unbounded
