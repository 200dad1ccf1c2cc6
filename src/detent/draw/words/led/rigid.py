"""The answer of `detent mate` for rigid parts: in or jammed, contacts in their order, forces, impulses."""

from __future__ import annotations

import math

from msgspec import UNSET

from detent.draw.words.led.rounds import leg_words
from detent.draw.words.led.torques import energy_words, limit_words
from detent.foundation.names import listed
from detent.foundation.units import UnitNames, unit_names
from detent.record.led.rigid import Blow, FoundContact, RigidLeg, RigidMating
from detent.record.led.rounds import RoundBlow

_EVENTS = 12  # told; the rest are counted


def words(mating: RigidMating, title: str) -> str:
    """The report for a person."""
    units = unit_names(mating.units)
    held = listed(list(mating.held)) or "what it holds"
    leads = {"arm": "robot", "carrier": "carrier", "elastic joint": "elastic joint"}[mating.leads]
    lines = [
        title,
        f"  goes in    {mating.insertion.answer}: {mating.insertion.why}",
        f"  led by     {leads} {mating.robot}, linear about the drawing; it holds {held}",
    ]
    if isinstance(mating.clearance, float):
        told = f"{mating.clearance:.4g}{units.length} between diameters"
        lines.append(f"  round      {mating.peg} in {mating.hole}, {told}")
    elif mating.clearance:
        plays = [f"{play:.4g}{units.length} along {axis}" for axis, play in mating.clearance.items()]
        lines.append(f"  clearance  {listed(plays)}")
    for number, leg in enumerate(mating.legs, 1):
        over = f"forces are means over {1e3 * leg.force.averaged_s:g} ms"
        lines.append(f"leg {number}, from {leg.start:.4g}{units.time}; {over}")
        lines += [f"  {line}" for line in _leg(leg, units)]
    if mating.largest_torques:
        torques = [f"{name} {torque:.4g}" for name, torque in mating.largest_torques.items()]
        lines.append(f"torques      {listed(torques)}{units.torque} at most")
    lines += [*limit_words(mating.passed_limits, units), energy_words(mating.energy, units)]
    solved = listed([f"{count} {how}" for how, count in mating.solved.items()])
    lines.append(
        f"steps        {mating.steps} of {mating.step:g}{units.time} at most; contact problems: {solved}"
    )
    scope = mating.scope
    lines += [scope.words, *(f"  left out: {each}" for each in scope.left_out)]
    return "\n".join([*lines, *(f"  assumed: {each}" for each in scope.assumed)])


def _leg(leg: RigidLeg, units: UnitNames) -> list[str]:
    lines = _flat(leg, units) if leg.pairs is UNSET else leg_words(leg)
    force = leg.force
    if force.peak_chamfer is not None:
        lines.append(f"chamfer peak {force.peak_chamfer:.5g}{units.force} along the way in")
    for name, three in (("plateau", force.plateau), ("at the end", force.end)):
        if three is not None:
            x, y, z = (f"{c:z.5g}" for c in three)
            lines.append(f"{name:<12} ({x}, {y}, {z}){units.force} in the task frame")
    lines.append(f"largest      {force.extreme:.5g}{units.force} along the way in")
    if leg.impulses:
        largest = max(leg.impulses, key=_size)
        lines.append(
            f"impacts      {len(leg.impulses)}; the largest takes {_size(largest):.3g}{units.force} s at "
            f"{largest.time:.4g}{units.time}"
        )
    lines.append(f"overlap      {leg.penetration_um:.2g} um at most, at ends of steps")
    if leg.jamming is not None and leg.jamming.leaves is not None:
        lines.append(f"jamming      its load leaves the diagram {leg.jamming.leaves:.4g}{units.length} deep")
    end = leg.end
    told = f" ({end.detail})" if end.detail else ""
    at = f"{end.cause} at {end.time:.4g}{units.time}, tip {end.depth:.5g}{units.length} deep"
    return [*lines, f"ends         {at}{told}"]


def _flat(leg: RigidLeg, units: UnitNames) -> list[str]:
    """Events and contacts of flat faces."""
    lines = []
    for event in leg.events[:_EVENTS]:
        blow = "" if event.impulse is None else f", {event.impulse:.3g}{units.force} s"
        where = f"{event.travel:z10.3f}{units.length}" if event.travel is not None else ""
        lines.append(f"{event.time:8.4f}{units.time}{where}  {event.kind:<8} {event.detail}{blow}")
    if len(leg.events) > _EVENTS:
        lines.append(f"... and {len(leg.events) - _EVENTS} more events")
    lines.append(f"contacts     {', then '.join(leg.contact_order) or 'none'}")
    for name, contact in (("first", leg.first_contact), ("second", leg.second_contact)):
        if isinstance(contact, FoundContact):
            lines.append(f"{name:<12} {_contact(contact, units)}")
    return lines


def _size(blow: Blow | RoundBlow) -> float:
    if isinstance(blow, Blow):
        return math.hypot(*blow.impulse)
    return math.hypot(blow.along, blow.across)


def _contact(contact: FoundContact, units: UnitNames) -> str:
    if contact.time is None or contact.depth is None:
        return "none"
    where = f"{contact.time:.4g}{units.time}, tip {contact.depth:.4g}{units.length} deep"
    return f"{' '.join(contact.named)} at {where}"
