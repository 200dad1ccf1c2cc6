"""The smallest change of one number that alters a mating, in words."""

from __future__ import annotations

import math

from detent.draw.words.holding.pulls import MatingUnits
from detent.foundation.names import listed
from detent.record.holding.margin import Margin, SmallestChange

NAMES = {
    "friction": "friction",
    "direction": "the direction of the push",
    "coordinate": "one coordinate",
}


def margin_lines(margin: Margin, units: MatingUnits) -> list[str]:
    """A line for each kind of parameter, then what was looked at."""
    lines: list[str] = []
    for each in margin.changes:
        what = "another verdict" if each.alters == "verdict" else "another order"
        lines.append(f"  {'' if lines else 'margin':<9}  {_change(each, units)}: {what}: {each.after}")
        lines.append(f"{'':13}instead of {each.before}")
    if margin.none:
        far = [f"{NAMES[kind]} up to {_by(kind, margin.last_step[kind], units)}" for kind in margin.none]
        lines.append(f"  {'' if lines else 'margin':<9}  nothing is altered by {listed(far)}")
    lines += [f"{'':13}left out: {each}" for each in margin.left_out]
    lines.append(
        f"{'':13}of {margin.parameters} numbers, one at a time, by {margin.predictions} exact predictions "
        "in steps that grow sixteenfold: what alters and is as before again between two steps is not seen"
    )
    return lines


def _change(each: SmallestChange, units: MatingUnits) -> str:
    return f"{each.parameter} by {_by(each.kind, each.other, units)}"


def _by(kind: str, by: float, units: MatingUnits) -> str:
    if kind == "direction":
        return f"{math.degrees(by):+.9g}°"
    return f"{by:+.9g}" if kind == "friction" else units.said(by, units.length)
