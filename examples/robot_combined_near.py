"""At which of two places should a robot push a rectangular bolt and a bolt with an O-ring into a block?

Meitinger & Pfeiffer, section 7. The rectangular bolt meets its hole first, an impact that slows the gripper;
it is harder near the base, where the robot is stiffer. Then the ring is squeezed into its bore: far from the
base the robot gives way, and shoots ahead when the ring slips in. So the place near the base is better.
"""

from __future__ import annotations

from pathlib import Path

import detent

folder = Path(__file__).parent
far, near = (detent.load(folder / f"robot_combined_{place}.toml") for place in ("far", "near"))
answer = detent.better_position(far, {"near": near})
for position in answer.positions:
    print(
        f"{position.name}: push {position.peak_push:.0f} N, impact {position.impact or 0:.0f} mm/s; "
        f"dips by {-position.dip_entering:.0f}, overshoots by {position.overshoot_entering:.0f} mm/s"
    )
print(f"better: {answer.better}")
first, second = answer.positions
assert answer.better == "near"
assert first.overshoot_entering > 1.5 * second.overshoot_entering
assert first.impact is not None
assert second.impact is not None
assert abs(second.impact) > abs(first.impact)
