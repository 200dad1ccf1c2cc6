"""A barb with a wall beside it: of four degrees of directions none takes it out, and that is a proof."""

from pathlib import Path

import detent

barb = detent.load(Path(__file__).with_suffix(".toml"))
mating = detent.mate(barb.with_("ask.mate.fan", {"from_deg": 160, "to_deg": 164}))
diode = mating.diode
print(f"{diode.kind}, total: {diode.total} ({diode.total_is})")
assert (diode.kind, diode.total, diode.total_is) == ("kinematic", True, "proved")
