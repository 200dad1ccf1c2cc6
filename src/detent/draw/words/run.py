"""The answer of `detent run` for a person: where it went, what touched, where the energy went."""

from __future__ import annotations

import math
from typing import Any

from detent.draw.words.instant import lines as instant_lines
from detent.draw.words.layout import Tabled, coordinate, force_words, named, table_lines
from detent.foundation.names import listed
from detent.foundation.units import unit_names
from detent.record.event import Event
from detent.record.running import Running

MOST_EVENTS = 12  # in words; all of them are in the table and in JSON
MOST_CONTACTS = 8
SAME = 1e-9  # of a force: what differs by less is as great
# Of the greatest energy: a smaller one is rounding, and told as 0.
_ENERGY_ROUNDING = 1e-12


def tables(running: Running) -> list[Tabled]:
    """Joints, contacts, reactions: those that there are."""
    return [_joints(running), *_contacts(running), *_reactions(running)]


def words(running: Running) -> str:
    """The answer for a person."""
    time, energy = unit_names(running.units).time, unit_names(running.units).energy
    assert running.stop is not None
    lines = [named(running.title, "machine")]
    model = running.method.partition(",")[0]
    lines.append(f"  ran        {running.stop.time:.6g}{time} by the {model} model, in {running.steps} steps")
    lines.append(
        f"  stop       {running.stop.cause}{': ' + running.stop.detail if running.stop.detail else ''}"
    )
    joints, *others = tables(running)
    lines += [*joints.lines, *_events(running, time)]
    lines += [line for table in others for line in table.lines]
    lines += [line for instant in running.instants for line in instant_lines(instant, running.units)]
    lines += _energy(running, energy)
    if running.energy_minima:
        shown = ", ".join(f"{t:.6g}" for t in running.energy_minima[:6])
        more = f" and {len(running.energy_minima) - 6} more" if len(running.energy_minima) > 6 else ""
        lines.append(f"  near rest  at {shown}{more}{time}")
    lines.append(f"  certainty  {running.scope.words}")
    lines += [f"  left out   {', '.join(running.scope.left_out)}"] if running.scope.left_out else []
    lines += [f"  assumed    {'; '.join(running.scope.assumed)}"] if running.scope.assumed else []
    lines += [f"  open       {note}" for note in running.notes if note not in running.scope.assumed]
    return "\n".join(lines)


def _energy(running: Running, unit: str) -> list[str]:
    if not running.energy:
        return []
    sizes = [abs(float(value)) for column in running.energy.values() for value in column]
    greatest = max((size for size in sizes if math.isfinite(size)), default=0.0)

    def told(value: float) -> str:
        if math.isinf(value):
            return "without bound"
        return f"{0.0 if abs(value) <= _ENERGY_ROUNDING * greatest else value:.6g}{unit}"

    ends = {name: told(float(column[-1])) for name, column in running.energy.items()}
    return [
        f"  energy     {told(float(running.energy['stored'][0]))} stored {_first(running)},"
        f" {ends['stored']} {_last(running)}; {ends['dissipated']} dissipated,"
        f" {ends['impact']} lost in impacts, {ends['input']} put in"
        f"{'' if running.times[0] == 0.0 else ', from 0 on'}"
    ]


def _joints(running: Running) -> Tabled:
    rows: list[tuple[str, ...]] = [
        (
            name,
            joint_amount(running, name, float(column[-1])),
            f"{joint_amount(running, name, low)} to {joint_amount(running, name, high)}",
        )
        for name, column in running.states.items()
        for low, high in [running.ranges[name]]
    ]
    return Tabled("joints", "", ("name", _last(running), "range (at 8 places per step)"), rows)


def _first(running: Running) -> str:
    """When the first row is: times that are asked for may begin after the run does."""
    first = float(running.times[0])
    return "at first" if first == 0.0 else f"at {first:.6g}{unit_names(running.units).time}"


def _last(running: Running) -> str:
    """When the last row is: times that are asked for may end before the run does."""
    assert running.stop is not None
    last = float(running.times[-1])
    if last >= running.stop.time * (1 - 1e-9):
        return "at the end"
    return f"at {last:.6g}{unit_names(running.units).time}"


def joint_amount(running: Running, joint: str, value: float) -> str:
    """A coordinate with its unit, angles in degrees."""
    return coordinate(value, running.state_units.get(joint, ""), running.size)


def _events(running: Running, time: str) -> list[str]:
    if not running.events:
        return ["  events     none: nothing touched"]
    counts: dict[str, int] = {}
    for event in running.events:
        counts[event.kind] = counts.get(event.kind, 0) + 1
    counted = [f"{count} {kind}{'s' if count > 1 else ''}" for kind, count in counts.items()]
    silent = "; releases are not listed here" if "release" in counts else ""
    lines = [f"  events     {listed(counted)}{silent}"]
    shown = [event for event in running.events if event.kind != "release"][:MOST_EVENTS]
    rows = [
        (f"{event.time:.6g}", event.kind, ":".join(event.subjects), _contact(event, running.units))
        for event in shown
    ]
    lines += table_lines(
        (f"at [{time.strip()}]" if time.strip() else "at", "event", "parts", "contact"), rows
    )
    left = sum(event.kind != "release" for event in running.events) - len(shown)
    return lines + ([f"    and {left} more"] if left else [])


def impulse_unit(units: str, event: Event | None = None) -> str:
    """What stands behind an impulse in words: of a contact, or of an event."""
    if not unit_names(units).force:
        return ""
    turns = event is not None and event.kind == "limit" and event.coordinate_unit == "rad"
    return " N m s" if turns else " N s"  # of a pin's stop, a torque's


def _contact(event: Event, units: str) -> str:
    unit = impulse_unit(units, event)
    impulse = "" if event.impulse is None else f", impulse {event.impulse:.4g}{unit}"
    names = event.after or event.before
    more = f" and {len(names) - 1} more" if len(names) > 1 else ""
    return f"{names[0] if names else ''}{more}{impulse}"


def _contacts(running: Running) -> list[Tabled]:
    if not running.contacts:
        return []
    names = unit_names(running.units)
    impulse = impulse_unit(running.units)
    hardest = sorted(running.contacts, key=lambda total: -total.impulse)[:MOST_CONTACTS]
    rows: list[tuple[str, ...]] = [
        (
            total.contact,
            str(total.count),
            force_words(total.peak_force, names.force),
            f"{total.peak_impulse:.4g}{impulse}",
            force_words(total.impulse, impulse),
            f"{total.sliding:.4g}{names.length}",
        )
        for total in hardest
    ]
    head = ("contact", "begins", "greatest force", "greatest blow", "impulse in all", "slid under load")
    more = len(running.contacts) - len(hardest)
    which = ", those with the greatest impulses" if more else ""
    return [Tabled("contacts", f"{len(running.contacts)}{which}; {forces_looked_at(running)}", head, rows)]


def forces_looked_at(running: Running) -> str:
    """Where a run looked at forces of contacts, of which it tells the greatest."""
    places = "both ends" if running.method.startswith("penalty") else "6 places"
    return f"forces at {places} of steps"


def _reactions(running: Running) -> list[Tabled]:
    """By joint: the greatest force and moment at the rows."""
    import numpy as np

    if not running.reactions:
        return []
    names = unit_names(running.units)
    rows: list[tuple[str, ...]] = []
    for name, numbers in running.reactions.items():
        is_open = np.isnan(numbers)
        if is_open.all():
            rows.append((name, "open", "open", ""))
            continue
        sizes = np.hypot(numbers[:, 0], numbers[:, 1])
        moments = np.abs(numbers[:, 2])
        # Of what stays as great, the first row: which of them is greatest is rounding.
        first = int(np.argmax(sizes >= np.nanmax(sizes) * (1 - SAME))) if not np.isnan(sizes).all() else None
        at = "" if first is None else f"{running.times[first]:.6g}{names.time}"
        rows.append((name, _greatest(sizes, names.force), _greatest(moments, names.torque), at))
    head = ("joint", "greatest force", "greatest moment", "force at")
    return [Tabled("reactions", "at the rows, on the second part of each joint", head, rows)]


def _greatest(column: Any, unit: str) -> str:
    import numpy as np

    if np.isnan(column).all():
        return "open"
    greatest = float(np.nanmax(column))
    return force_words(greatest, unit) + (", open at some" if np.isnan(column).any() else "")
