"""A two-pawl T under a bar: events to thirty digits, and what friction changes about coming apart."""

from pathlib import Path

import detent
from detent.model import mechanism, plain

machine = detent.load(Path(__file__).with_suffix(".toml"))
story = detent.mate(machine)
change = story.legs[0].events[1]
print(f"{change.kind} at {change.exact.digits} s, a root of {change.exact.polynomial}")
print(f"in: {story.diode.force.insertion:.4f} N, out: {story.diode.force.extraction:.4f} N")
assert change.exact.polynomial == (5609, -180, 1)
assert story.diode.reverse.apart

rough = plain(machine) | {"touching": {"friction": "3/10", "ignore": machine.touching.ignore}}
held = detent.mate(mechanism(rough))
print(f"with friction 3/10 it goes in, and reversed it ends in a {held.diode.reverse.cause}")
assert held.legs[0].end.cause == "blocked"
assert held.diode.kind == "friction"
