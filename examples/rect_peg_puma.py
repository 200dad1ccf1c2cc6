"""Why does a robot jam a peg on one side of its hole and not on the other?

Meitinger & Pfeiffer's section 6.2: pushed back by the hole, the arm gives way towards its base as well. With
the peg off to one side that brings it in; with the peg off to the other it presses it against the wall, until
a second contact inside the hole locks it.
"""

from __future__ import annotations

from pathlib import Path

import detent

document = detent.load(Path(__file__).with_suffix(".toml"))
ends = {}
for y, z in ((4, 0), (-4, 0), (0, 4), (0, -4)):
    leg = detent.mate(document.with_("parts.plate.pose.at", [z, -y, 304])).legs[0]
    second = leg.second_contact
    order, peak = " then ".join(leg.contact_order[-2:]), leg.force.peak_chamfer
    print(f"dy {y:+d}, dz {z:+d} mm: chamfer {peak:.0f} N, at last {order}")
    print(f"  second contact {second.depth:.1f} mm deep at {second.time:.2f} s")
    print(f"  {leg.end.cause} at {leg.end.depth:.1f} mm")
    ends[y, z] = leg.end.cause
    assert leg.penetration_um < 0.1
    assert 50 < second.depth < 70
assert ends == {(4, 0): "done", (-4, 0): "done", (0, 4): "done", (0, -4): "jam"}
