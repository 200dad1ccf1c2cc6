"""A cantilever hook in millimetres, from drawing to strain: does it go in, hold, and last?

The push over the way in and out, the largest strain beside what ABS allows once and again and again, and
the same from the formulas of snap-fit calculators, which take the hook as drawn: they miss that it leans.
"""

from __future__ import annotations

import math
from pathlib import Path

import detent
from detent.motion import Quasistatic

machine = detent.load(Path(__file__).with_name("cantilever_hook.toml"))
mating = detent.mate(machine)
print(mating.words)

into, out = mating.legs
(bent,) = into.bending
print(f"in {into.force.peak:.2f} N, out {out.force.peak:.2f} N, strain {100 * bent.strain:.2f} %")
assert mating.insertion.answer == "yes"
assert abs(into.force.peak - 2.885) < 0.005
assert abs(bent.strain - 0.0074) < 1e-5
assert bent.safety_repeated is not None
assert bent.safety_repeated > 1

# By hand: undercut y, length to the nose's peak, thickness t and width b of the arm, secant modulus E.
y, length, t, b, E, mu, ramp = 1.1, 20 + 1.6, 2, 6, 1902, 0.2, math.atan2(1.6, 2.8)
strain = 1.5 * t * y / length**2
across = b * t**2 * E * strain / (6 * length)
by_hand = across * (mu + math.tan(ramp)) / (1 - mu * math.tan(ramp))
(classic,) = mating.classic
print(f"by hand {by_hand:.2f} N and {100 * strain:.2f} %")
assert classic.mating is not None
assert abs(classic.mating / by_hand - 1) < 1e-3
print(*classic.outside)

# Decided exactly, on the hinge that stands for the arm.
exact = detent.mate(machine, method=Quasistatic())
print(f"on the hinge {float(exact.legs[0].force.peak):.2f} N")
assert abs(float(exact.legs[0].force.peak) - 2.699) < 0.005
