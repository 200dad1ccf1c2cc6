"""What the first leg may come to where its start is uncertain, in words."""

from __future__ import annotations

import math

from msgspec import UNSET

from detent.draw.words.holding.pulls import MatingUnits
from detent.foundation.names import listed
from detent.record.holding.uncertain import FirstContact, UncertainOutcome, UncertainStart

MOST_TOLD = 3
NAMES = {
    "done": "it runs to its end",
    "blocked": "the root is blocked",
    "jam": "it jams",
    "stick": "friction holds it",
    "limit": "it comes to a limit",
}


def uncertain_lines(asked: UncertainStart, units: MatingUnits) -> list[str]:
    """A line for each outcome, then one for each first contact."""
    low, high = asked.offset
    tilt = f", leaning by up to {math.degrees(asked.tilt[1]):.6g}°" if asked.tilt[1] else ""
    ends = f"{units.said(low, units.length)} to {units.said(high, units.length)}"
    starts = f"starts from {ends} across the push{tilt}"
    lines = [f"  uncertain  {starts}:"]
    for each in asked.outcomes:
        lines.append(f"    {each.said:<12} {NAMES[each.outcome]}{_if(each, asked)}")
    left = 1 - asked.share_proved
    if left > 1e-12:
        spent = asked.steps is not UNSET and asked.most_steps is not UNSET and asked.steps >= asked.most_steps
        done = f"; the work ended at {asked.most_steps} steps (`most_steps`)" if spent else ""
        tried = f"; exact predictions from {asked.tried} places" if asked.tried else ""
        open_ = f"{100 * left:.3g} % of them stay open, in {len(asked.slivers)} boxes"
        lines.append(f"    {open_}{done}{tried}")
    if asked.turned:
        turned = f"{math.degrees(asked.turned):.6g}°"
        lines.append(f"    let go up to {turned} to either side every pawl swings to rest, clear of all")
    for plan in asked.plans:
        leaning = f" leaning {math.degrees(plan.tilt):.4g}°" if asked.tilt[1] else ""
        lines.append(
            f"    of {plan.tried} starts tried {plan.starts} end {listed(list(plan.legs))} in all legs, "
            f"as from "
            f"{plan.offset:.6g} across, {plan.advance:.6g} along the push{leaning}"
        )
    return [*lines, *(_contact(each, units) for each in asked.first_contacts)]


def _if(each: UncertainOutcome, asked: UncertainStart) -> str:
    if each.said != "possibly" or not each.where:
        return ""
    places = []
    for where in each.where[:MOST_TOLD]:
        place = f"{where.offset[0]:.6g} to {where.offset[1]:.6g}"
        if asked.tilt[1]:
            place += f" leaning {math.degrees(where.tilt[0]):.6g} to {math.degrees(where.tilt[1]):.6g}°"
        places.append(place)
    more = f" and {len(each.where) - MOST_TOLD} more boxes" if len(each.where) > MOST_TOLD else ""
    return f", if it starts at {listed(places)}{more}: {100 * each.share:.4g} %"


def _contact(each: FirstContact, units: MatingUnits) -> str:
    low, high = each.offset
    how = "slides" if not each.sticks else "sticks" if not each.slides else "slides or sticks"
    first, last = each.time
    return (
        f"    touches first at {each.contact}, from starts at {low:.6g} to {high:.6g}, "
        f"{units.said(first, units.time, 'time ')} to {units.said(last, units.time)}, and {how}"
    )
