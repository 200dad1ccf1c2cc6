"""At which of two places should a robot push a bolt with an O-ring into its bore?

Meitinger & Pfeiffer's section 7 asks it of two positions: the force is the same, but far from its base the
robot gives way, and shoots ahead when the ring slips into the bore. So the place near the base is better.
"""

from __future__ import annotations

from pathlib import Path

import detent

folder = Path(__file__).parent
far, near = (detent.load(folder / f"robot_oring_{place}.toml") for place in ("far", "near"))
answer = detent.better_position(far, {"near": near})
for position in answer.positions:
    print(
        f"{position.name}: radius {position.radius:.0f} mm, push {position.peak_push:.0f} N, overshoots by "
        f"{position.overshoot_entering:.0f} mm/s entering and {position.overshoot_leaving:.0f} leaving"
    )
print(f"better: {answer.better}")
assert answer.better == "near"
assert abs(answer.positions[0].peak_push - 217) < 2
assert answer.ratio is not None
assert answer.ratio > 2
