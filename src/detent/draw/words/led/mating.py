"""The answer of `detent mate` where a robot or a carrier leads: does it go in, what force, how it moves."""

from __future__ import annotations

from detent.draw.words.compliant import bending_lines
from detent.draw.words.led.torques import energy_words, limit_words
from detent.foundation.names import listed
from detent.foundation.units import UnitNames, unit_names
from detent.record.event import Event
from detent.record.led.mating import Deviation, LedLeg, LedMating

_EVENTS = 40  # told of a leg


def words(mating: LedMating, title: str) -> str:
    """The report for a person."""
    units = unit_names(mating.units)
    held = listed(list(mating.held)) or "what it holds"
    leads = {"arm": "robot", "carrier": "carrier", "elastic joint": "elastic joint"}[mating.leads]
    by = "in full" if mating.dynamics == "full" else "linear about the working point"
    lines = [
        title,
        f"  goes in    {mating.insertion.answer}: {mating.insertion.why}",
        f"  led by     {leads} {mating.robot}, {by}; it holds {held}",
        f"  disturbed  by {mating.largest_deviation:.4g}{units.speed} at most along the legs, "
        f"of {mating.fastest:.4g}{units.speed} asked",
    ]
    for number, leg in enumerate(mating.legs, 1):
        lines.append(f"leg {number}, from {leg.start:.4g}{units.time}")
        lines += [f"  {line}" for line in _leg(leg, units)]
    lines += [*limit_words(mating.passed_limits, units), energy_words(mating.energy, units)]
    scope = mating.scope
    lines += [scope.words, *(f"  left out: {each}" for each in scope.left_out)]
    return "\n".join([*lines, *(f"  assumed: {each}" for each in scope.assumed)])


def _leg(leg: LedLeg, units: UnitNames) -> list[str]:
    lines = []
    for event in leg.events[:_EVENTS]:
        lines.append(f"{_at(event.time, event.travel, units)}  {event.kind:<8} {_change(event)}")
    if len(leg.events) > _EVENTS:
        lines.append(f"and {len(leg.events) - _EVENTS} more changes of contacts, in `events`")
    told = f" ({leg.end.detail})" if leg.end.detail else ""
    lines.append(f"{_at(leg.end.time, leg.end.travel, units)}  ends: {leg.end.cause}{told}")
    force = leg.force
    where = f"at {force.peak_at_time:.4g}{units.time}, a travel of {force.peak_at_travel:.5g}{units.length}"
    lines.append(f"largest push   {force.peak:.5g}{units.force} {where}")
    if force.peak_giving_way is not None and force.peak_rigid is not None:
        lines.append(
            f"of it alone    {force.peak_giving_way:.4g}{units.force} at most of what gives way, "
            f"{force.peak_rigid:.4g}{units.force} of rigid contacts, as means over 5 ms"
        )
    x, y, z = (f"{c:z.4g}" for c in force.peak_task)
    lines.append(f"on what is held then  ({x}, {y}, {z}){units.force} in the task frame")
    if force.pull_in < -5e-5 * max(force.peak, 0.0):
        lines.append(f"least push     {force.pull_in:.5g}{units.force}")
    lines.append(
        f"across         {force.lateral:.4g}{units.force} at most; moment at the gripper "
        f"{force.moment:.4g}{units.torque}"
    )
    lines += [line for bent in leg.bending for line in bending_lines(bent, units)]
    lines.append(f"work           {force.work:.5g}{units.energy} up to {leg.until:.5g}{units.time}")
    if leg.impacts:
        hardest = max(leg.impacts, key=lambda each: abs(each.change))
        x, y, z = (f"{c:z.3g}" for c in hardest.impulse)
        lines.append(
            f"impacts        {len(leg.impacts)}; hardest at {hardest.time:.4g}{units.time}: along the leg "
            f"from {hardest.before:.4g} to {hardest.after:.4g}{units.speed}, by ({x}, {y}, {z}) N s"
        )
    for name, phase in (("meeting", leg.meeting), ("entering", leg.entering), ("leaving", leg.leaving)):
        if phase is not None:
            lines.append(f"{name:<14} {_phase(phase, units)}")
    return lines


def _change(event: Event) -> str:
    """From what to what; where some goes on touching, what comes and what goes."""
    before, after = set(event.before), set(event.after)
    if not before & after:
        return f"{listed(list(event.before)) or 'nothing'} -> {listed(list(event.after)) or 'nothing'}"
    came = [f"+ {each}" for each in event.after if each not in before]
    return ", ".join([*came, *(f"- {each}" for each in event.before if each not in after)])


def _phase(phase: Deviation, units: UnitNames) -> str:
    """How the gripper's velocity departs from the run without contact."""
    said = []
    if phase.dip < 0:
        said.append(f"dips by {-phase.dip:.4g}{units.speed} at {phase.dip_at:.4g}{units.time}")
    if phase.overshoot > 0:
        said.append(
            f"overshoots by {phase.overshoot:.4g}{units.speed} at {phase.overshoot_at:.4g}{units.time}"
        )
    any_way = f"{phase.largest_of_any:.4g}{units.speed} in any direction"
    return f"{listed(said) or 'not disturbed along the leg'}; {any_way}"


def _at(time: float, travel: float | None, units: UnitNames) -> str:
    way = "" if travel is None else f"{travel:z10.3f}{units.length}"
    return f"{time:8.4f}{units.time}{way}"
