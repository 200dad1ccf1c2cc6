"""The answer of `detent mate` for rigid parts: in or jammed, contacts in their order, forces, impulses."""

from __future__ import annotations

from detent.draw.words.led.torques import energy_words, limit_words
from detent.foundation.names import listed
from detent.foundation.units import UnitNames, unit_names
from detent.record.led.rigid import FoundContact, RigidLeg, RigidMating

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
    plays = [f"{play:.4g}{units.length} along {axis}" for axis, play in mating.clearance.items()]
    if plays:
        lines.append(f"  clearance  {listed(plays)}")
    for number, leg in enumerate(mating.legs, 1):
        lines.append(f"leg {number}, from {leg.start:.4g}{units.time}")
        lines += [f"  {line}" for line in _leg(leg, units)]
    if mating.largest_torques:
        told = [f"{name} {torque:.4g}" for name, torque in mating.largest_torques.items()]
        lines.append(f"torques      {listed(told)}{units.torque} at most")
    lines += [*limit_words(mating.passed_limits, units), energy_words(mating.energy, units)]
    solved = listed([f"{count} {how}" for how, count in mating.solved.items()])
    lines.append(
        f"steps        {mating.steps} of {mating.step:g}{units.time} at most; contact problems: {solved}"
    )
    scope = mating.scope
    lines += [scope.words, *(f"  left out: {each}" for each in scope.left_out)]
    return "\n".join([*lines, *(f"  assumed: {each}" for each in scope.assumed)])


def _leg(leg: RigidLeg, units: UnitNames) -> list[str]:
    lines = []
    for event in leg.events[:_EVENTS]:
        blow = "" if event.impulse is None else f", {event.impulse:.3g}{units.force} s"
        where = f"{event.travel:z10.3f}{units.length}" if event.travel is not None else ""
        lines.append(f"{event.time:8.4f}{units.time}{where}  {event.kind:<8} {event.detail}{blow}")
    if len(leg.events) > _EVENTS:
        lines.append(f"... and {len(leg.events) - _EVENTS} more events")
    end = leg.end
    told = f" ({end.detail})" if end.detail else ""
    lines.append(
        f"{end.time:8.4f}{units.time}  ends: {end.cause}, tip {end.depth:.5g}{units.length} deep{told}"
    )
    lines.append(f"contacts       {', then '.join(leg.contact_order) or 'none'}")
    lines.append(f"first contact  {_contact(leg.first_contact, units)}")
    lines.append(f"second contact {_contact(leg.second_contact, units)}")
    force = leg.force
    mean = f", means over {1e3 * force.averaged_s:g} ms"
    if force.peak_chamfer is not None:
        lines.append(f"chamfer peak   {force.peak_chamfer:.5g}{units.force} along the way in{mean}")
    for name, three in (("plateau", force.plateau), ("at the end", force.end)):
        if three is not None:
            x, y, z = (f"{c:z.5g}" for c in three)
            lines.append(f"{name:<14} ({x}, {y}, {z}){units.force} in the task frame")
    lines.append(f"largest        {force.extreme:.5g}{units.force} along the way in")
    if leg.impulses:
        largest = max(leg.impulses, key=lambda blow: sum(c * c for c in blow.impulse))
        size = sum(c * c for c in largest.impulse) ** 0.5
        lines.append(
            f"impacts        {len(leg.impulses)}; the largest takes {size:.3g}{units.force} s at "
            f"{largest.time:.4g}{units.time}"
        )
    lines.append(f"overlap        {leg.penetration_um:.2g} um at most, at ends of steps")
    if leg.jamming is not None and leg.jamming.leaves is not None:
        lines.append(
            f"jamming        its load leaves the diagram {leg.jamming.leaves:.4g}{units.length} deep"
        )
    return lines


def _contact(contact: FoundContact, units: UnitNames) -> str:
    if contact.time is None or contact.depth is None:
        return "none"
    where = f"{contact.time:.4g}{units.time}, tip {contact.depth:.4g}{units.length} deep"
    return f"{' '.join(contact.named)} at {where}"
