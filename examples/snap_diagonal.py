"""A diagonal push on which an edge lands flush: one contact expires as another begins."""

from pathlib import Path

import detent

leg = detent.mate(detent.load(Path(__file__).with_suffix(".toml"))).legs[0]
landing = leg.events[1]
print(f"{landing.before[0]} gives way to {landing.after[0]} at {landing.coordinate:.6f} rad")
assert [event.kind for event in leg.events] == ["contact", "change", "change", "snap"]
assert abs(landing.coordinate + 0.4636476090008061) < 1e-12
