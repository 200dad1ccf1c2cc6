"""The two-pawl T of `snap_t` with friction 3/10: it goes in, and friction holds it on the way out."""

from pathlib import Path

import detent

story = detent.mate(detent.load(Path(__file__).with_suffix(".toml")))
print(f"in: {story.legs[0].end.cause}; diode: {story.diode.kind}; out: {story.diode.reverse.cause}")
assert story.diode.kind == "friction"
assert story.diode.reverse.cause == "stick"
assert story.diode.reverse_without_friction.apart
