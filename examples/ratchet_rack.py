"""A pawl over the five teeth of a rack: each tooth the same, a whole number of seconds apart."""

import itertools
from pathlib import Path

import detent

leg = detent.mate(detent.load(Path(__file__).with_suffix(".toml"))).legs[0]
tips = [event.time for event in leg.events[1::2]]
gaps = [b - a for a, b in itertools.pairwise(tips)]
print(f"tips at {', '.join(f'{t:.4f}' for t in tips)} s")
assert all(abs(gap - 10) < 1e-12 for gap in gaps)
