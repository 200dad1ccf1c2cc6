"""A triangular pawl between three obstacles: in by a snap, out never. A kinematic diode."""

from pathlib import Path

import detent

story = detent.mate(detent.load(Path(__file__).with_suffix(".toml")))
jam = story.legs[1].events[-1]
print(f"way out: {jam.kind} ({jam.reason}) at {jam.time:.6f} s; diode: {story.diode.kind}")
assert story.diode.kind == "kinematic"
assert jam.touching == ("receiver/2.v1:triangle/0.e2", "receiver/1.e3:triangle/0.v1")
