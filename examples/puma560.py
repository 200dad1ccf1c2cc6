"""A robot pushes a peg straight down: where does the reaction move its gripper?

In Meitinger & Pfeiffer's section 6.2 offsets along z and -z behave differently, those along y alike. The
robot's compliance says why: a push back along -x takes the gripper along -z as well, and hardly along y.
"""

from __future__ import annotations

from pathlib import Path

import detent

robot = detent.explain(Path(__file__).with_name("puma560.toml")).robots["robot"]
push = robot["gripper"]["coupling"][0]
print(
    f"a force along {push['force']} moves the gripper by", {a: round(s, 2) for a, s in push["moves"].items()}
)
assert -0.8 < push["moves"]["z"] < -0.4
assert abs(push["moves"]["y"]) < 0.1

frequencies = [vibration["frequency"] for vibration in robot["vibrations"]]
print(f"it vibrates between {frequencies[0]:.1f} and {frequencies[-1]:.1f} Hz")
assert abs(frequencies[0] - 10.6) < 0.05
assert abs(frequencies[-1] - 99.3) < 0.05
