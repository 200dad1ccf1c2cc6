"""The same 6-bar driven at B, where no closed form suffices: it stops where V's swing ends.

Driven at A the linkage carries link V through a swing; driven at B, V can go no further than that.
"""

from pathlib import Path

import msgspec
import numpy as np

import detent
from detent.foundation import number
from detent.model import Drive
from detent.motion import prepare

machine = detent.load(Path(__file__).with_suffix(".toml"))
found = detent.explain(machine)
beyond = Drive(joint="B", inputs_deg=tuple(number(x) for x in range(61)))
motion = detent.move(msgspec.structs.replace(machine, drives={"V": beyond}))

other = detent.load(Path(__file__).with_name("six_bar_a.toml"))
live = prepare(other)
swept = live.sweep(np.radians(np.arange(0, 360, 0.01)))
d = next(swept[i] for i, markers in enumerate(live.points) if "V.D" in markers)
drawn = [float(x) for x in other.parts["V"].markers["D"]]
turned = np.arctan2(d[1] - 4, d[0] - 5) - np.arctan2(drawn[1] - 4, drawn[0] - 5)

print(f"{found.plan_summary}; driven at B it stops at {np.degrees(motion.stopped_at):.6f} degrees")
print(f"driven at A, link V reaches {np.degrees(turned.max()):.6f} degrees")
assert found.plan_summary == {"dyads": 0, "unknowns_left": 6, "equations_left": 6}
assert motion.stop == "limit"
assert abs(motion.stopped_at - turned.max()) < 1e-7
