"""Two snap hooks that face each other: what goes in, what comes out, and what does the plastic say?

The same hook as in snap_hook.toml, and its mirror image. Meitinger & Pfeiffer: the force doubles, and across
the push nothing is left.
"""

from __future__ import annotations

from pathlib import Path

import detent

here = Path(__file__).parent
both = detent.mate(detent.load(here / "two_sided_snap.toml"))
one = detent.mate(detent.load(here / "snap_hook.toml"))
into, out = (leg.force for leg in both.legs)
print(f"in with {into.peak_push:.1f} N, out with {out.peak_push:.1f} N; across {into.peak_lift:.1g} N")
assert abs(into.peak_push / one.legs[0].force.peak_push - 2) < 1e-6
assert into.peak_lift < 1e-9 < one.legs[0].force.peak_lift

bent = both.legs[0].bending[0]
print(
    f"{bent.joint}: a strain of {100 * bent.strain:.2f} %, safety {bent.safety_repeated:.2f} again and again"
)
assert bent.safety_once > bent.safety_repeated > 1
