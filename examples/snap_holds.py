"""A hook that cams out without friction and holds with 2/5: a friction diode, decided exactly."""

from pathlib import Path

import detent

story = detent.mate(detent.load(Path(__file__).with_suffix(".toml")))
print(f"diode: {story.diode.kind}; reversed it ends in a {story.diode.reverse.cause}")
assert story.diode.kind == "friction"
assert story.diode.reverse_without_friction.apart
