"""An O-ring in its groove is wider than the bore it is pushed into: what does that take?

A ring of 3.15 mm section on a groove of 10 mm radius reaches 13.15 mm; the bore has 13 mm. The push is
largest on the rim, where the ring is compressed and the wall leans against it, and constant within the
cylinder: 2 pi r0 mu p_i / (1 - mu²), with the line load p_i = c1 a + c2 a² of the squeeze a = 0.15 mm.
"""

from __future__ import annotations

import math
from pathlib import Path

import detent

answer = detent.mate(Path(__file__).with_name("oring.toml"), method=detent.Compliant())
print(answer.words)

(ring,) = answer.connections
assert math.isclose(ring["squeeze [mm]"], 0.15)
line_load = 16.0 * 0.15 + 43.0 * 0.15**2  # [N/mm]
closed = math.tau * 10 * 0.3 * line_load / (1 - 0.3**2)
force = answer.legs[0].force
assert math.isclose(force.plateau or 0.0, closed, rel_tol=1e-9)
assert math.isclose(force.peak, 81.867, rel_tol=1e-4)

for friction in (0.1, 0.3, 0.5):
    changed = detent.load("oring").with_("touching.friction", friction)
    leg = detent.mate(changed, method=detent.Compliant()).legs[0]
    print(f"friction {friction}: peak {leg.force.peak:.4g} N, in the bore {leg.force.plateau:.4g} N")
