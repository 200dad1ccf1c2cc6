"""The answer of `detent mate` for a person: the verdict, then a report leg by leg."""

from __future__ import annotations

import math
from itertools import groupby
from typing import Any

from detent.draw.words.compliant import bending_lines, classic_lines
from detent.draw.words.holding.classes import below_words, class_words, fan_words, friction_words
from detent.draw.words.holding.margin import margin_lines
from detent.draw.words.holding.pulls import (
    DIGITS,
    ENDS,
    MatingUnits,
    directions_tried,
    force_words,
    further_out,
    over_a_top,
    pulled,
    still_climbing,
    with_the_way_back,
)
from detent.draw.words.holding.uncertain import uncertain_lines
from detent.draw.words.small import SAME_CONTACTS
from detent.foundation.names import listed
from detent.foundation.units import outward, unit_names
from detent.record.amount import Amount
from detent.record.event import Event
from detent.record.mating import IN_GOAL, LEADS_AWAY, LegStory, Mating, with_arcs

# Of a peak, with --exact: as many as of the times of events.
PEAK_DIGITS = 30


def words(mating: Mating, title: str, *, certificates: bool = False) -> str:
    """The report for a person."""
    units = MatingUnits(mating)
    lines = [title, *_verdict(mating, units)]
    for number, leg in enumerate(mating.legs, 1):
        lines.append(f"leg {number}, from {units.said(leg.start, units.time)}")
        lines.append(_header(leg, units))
        lines += _events(leg, units, certificates)
        where = ", ".join(
            f"{joint} {math.degrees(angle):.6g}°" for joint, angle in leg.end.coordinates.items()
        )
        lines.append(f"{_when(leg.end.time, leg.end.travel, units)}  ends: {leg.end.cause} ({where})")
        peak = leg.force.peak
        lines.append(f"  peak force against the push: {units.at(peak, _travel(leg, peak.time))}")
        lines += [
            f"  {line}"
            for bent in leg.bending or ()
            for line in bending_lines(bent, unit_names(mating.units))
        ]
        lines += _proved_peaks(mating, number, units) if certificates else _bounds(leg, units)
    found = float(mating.legs[0].force.peak) if mating.legs else None
    lines += classic_lines(mating.classic or (), found, unit_names(mating.units))
    return "\n".join([*lines, *_scope(mating)])


def _proved_peaks(mating: Mating, leg: int, units: MatingUnits) -> list[str]:
    """To how many digits it is known how much each pawl resists the push at most."""
    evidence = mating.run.evidence if mating.legs[leg - 1].end.exact is not None else None
    if evidence is None:
        return []
    return [
        f"{'':17}exactly, of {part} alone: "
        f"{evidence.largest_force(leg, part, digits=PEAK_DIGITS).digits(PEAK_DIGITS)} {units.force}".rstrip()
        for part in mating.legs[leg - 1].force.peak_by_part
    ]


def _bounds(leg: LegStory, units: MatingUnits) -> list[str]:
    """The largest forces of each pawl, to as many digits as were asked for."""
    return [
        f"    proved, of {part} alone: {each.resisting.digits} {units.force}".rstrip()
        + f" against the push, {each.contact_force.digits} {units.force}".rstrip()
        + " at its contact"
        for part, each in (leg.force.bounds or {}).items()
    ]


def _scope(mating: Mating) -> list[str]:
    scope = mating.scope
    lines = [scope.words, *(f"  left out: {each}" for each in scope.left_out)]
    return [*lines, *(f"  assumed: {each}" for each in scope.assumed)]


def _verdict(mating: Mating, units: MatingUnits) -> list[str]:
    """The designer's three questions first: does it go in, with what force, does it hold?"""
    if mating.insertion is None or not mating.legs:
        return []
    inserted, last = mating.insertion, mating.insertion.last_leg
    alone = last == 1 and not inserted.further_legs
    travel = units.said(inserted.travel, units.length, "a travel of ") + " along leg 1" * (last > 1)
    how = " after" if inserted.answer == "yes" else "; it ends after"
    of_legs = "" if alone else "in leg 1, " if last == 1 else f"in legs 1 to {last}, "
    lines = [f"  goes in    {of_legs}{inserted.answer}: {inserted.why}{how} {travel}"]
    numbers = [*range(1, last + 1), *inserted.further_legs]
    for number, leg in (
        (number, mating.legs[number - 1]) for number in numbers if number <= len(mating.legs)
    ):
        question = "force" if number == 1 else ""
        of_leg = "" if alone else f"in leg {number}, "
        until = ", until it is blocked" if leg.end.cause == "blocked" else ""
        apart = ", each pawl by itself" if inserted.answer == "undecided" else ""
        lines.append(f"  {question:<9}  {of_leg}{_at_most(leg, units)}{until}{apart}")
    if holds := holds_words(mating):
        lines.append(f"  holds      {holds}")
    if mating.uncertain:
        lines += uncertain_lines(mating.uncertain, units)
    if mating.margin:
        lines += margin_lines(mating.margin, units)
    return lines


def holds_words(mating: Mating) -> str:
    """What holds it; empty where it is not in, so that there is nothing to hold."""
    inside = mating.insertion is not None and mating.insertion.answer == "yes"
    return diode_words(mating) if mating.diode is not None and inside else ""


def _at_most(leg: LegStory, units: MatingUnits) -> str:
    """The peak force of a leg, as the bound that it is; less than nothing draws it on all the way."""
    peak = leg.force.peak
    travel = _travel(leg, peak.time)
    if peak < 0:
        least = units.at(Amount(outward(-peak, -1, digits=DIGITS), time=peak.time), travel)
        return f"none against the push, the springs draw it on with at least {least}"
    return f"{'' if peak.unbounded else 'at most '}{units.at(peak, travel)}, against the push"


def _travel(leg: LegStory, time: float | None) -> float | None:
    """The travel at a time of a leg: legs are straight, at a constant speed."""
    times, travel = leg.force.times, leg.force.travel
    if time is None or not times:
        return None
    if times[-1] == times[0]:
        return travel[0]
    return travel[0] + (travel[-1] - travel[0]) * (time - times[0]) / (times[-1] - times[0])


def _events(leg: LegStory, units: MatingUnits, certificates: bool) -> list[str]:
    """A line for each event; those along an arc that is drawn as chords are one."""
    lines: list[str] = []
    for arc, run in groupby(with_arcs(leg.events), key=lambda entry: entry[1]):
        events = [event for event, _ in run]
        if not arc or certificates:
            lines += [line for event in events for line in _event_lines(event, units, certificates)]
            continue
        first, last = events[0], events[-1]
        angles = f"{_degrees(first.coordinate)} to {_degrees(last.coordinate)}"
        turned = max(events[1:-1], key=lambda event: _off_chord(event, first, last))
        if _off_chord(turned, first, last) > 0:
            angles += f" by way of {_degrees(turned.coordinate)}"
        lines.append(
            f"{_when(first.time, first.travel, units)}  slides along the arc, {first.joint} at {angles}, "
            f"{len(events)} changes from {' and '.join(first.before)} to {' and '.join(last.after)}, "
            f"until {units.where(last.time, last.travel)}"
        )
    return lines


def _off_chord(event: Event, first: Event, last: Event) -> float:
    """How far the angle of an event lies outside of those at the two ends of an arc."""
    angle, ends = event.coordinate or 0.0, sorted((first.coordinate or 0.0, last.coordinate or 0.0))
    return max(angle - ends[1], ends[0] - angle)


def _when(time: float, travel: float | None, units: MatingUnits) -> str:
    far = "" if travel is None else f"  {travel:z10.{units.travel_places}f} {units.length}".rstrip()
    return f"  {time:12.{units.time_places}f} {units.time}".rstrip() + far


def _header(leg: LegStory, units: MatingUnits) -> str:
    """Over the columns of a leg's events."""
    when = f"  {'time':>12}{_blank(units.time)}"
    travel = "on leg 1" if units.across else "travel"
    far = "" if leg.end.travel is None else f"  {travel:>10}{_blank(units.length)}"
    return f"{when}{far}  {'event':<8}  joint at angle, contacts before -> after"


def _blank(unit: str) -> str:
    return " " * (len(unit) + 1) if unit else ""


def _degrees(angle: float | None) -> str:
    return f"{math.degrees(angle or 0.0):+z.5f}°"


def _event_lines(event: Event, units: MatingUnits, certificates: bool) -> list[str]:
    angle = _degrees(event.coordinate)
    if event.coordinate_after is not None:
        angle += f" to {_degrees(event.coordinate_after)}"
    change = f"{' and '.join(event.before) or 'nothing'} -> {' and '.join(event.after) or 'nothing'}"
    if event.kind == "jam":
        change = f"{event.reason}: {' and '.join(event.touching or ())}"
        if event.reason == "balanced":
            change += "; a knife edge: both sides are open, and the least change decides for one"
    elif event.kind in SAME_CONTACTS:
        change = " and ".join(event.before)
    when = _when(event.time, event.travel, units)
    lines = [f"{when}  {event.kind:<8}  {event.joint} at {angle}  {change}"]
    exact = event.exact
    if certificates and exact is not None:
        counted = exact.of or (f"after {exact.after} {units.time}".rstrip() if exact.after else "")
        lines.append(f"{'':17}exactly: t = {exact.digits} ({counted})")
        lines.append(f"{'':17}root of {_polynomial(exact.polynomial)} in [{', '.join(exact.interval)}]")
    return lines


def _polynomial(coefficients: tuple[Any, ...]) -> str:
    terms = []
    for power, coefficient in enumerate(coefficients):
        value = int(coefficient)
        if value:
            symbol = "" if power == 0 else "t" if power == 1 else f"t^{power}"
            size = str(abs(value)) if abs(value) != 1 or not symbol else ""
            terms.append(f"{'-' if value < 0 else '+'} {' '.join(p for p in (size, symbol) if p)}")
    return " ".join(reversed(terms)).removeprefix("+ ")


def diode_words(mating: Mating) -> str:
    """Whether it holds, against what, and what was tried."""
    diode = mating.diode
    assert diode is not None
    units = MatingUnits(mating)
    last = 1 if mating.insertion is None else mating.insertion.last_leg
    back, comes_out = "straight back", "comes out"
    if last > 1:
        back, comes_out = "back against leg 1", "comes out against leg 1"
    if diode.asked:
        comes_out += f" as far as {diode.asked},"
    elif diode.further_out:
        comes_out += " as far as where it began,"
    if diode.force:
        out, into = diode.force.extraction, diode.force.insertion
        way_out = f"{comes_out} with {force_words(out, units)}"
        if out < 0:
            least = force_words(outward(-out, -1, digits=DIGITS), units)
            way_out = f"{comes_out} by itself, the springs push it with at least {least}"
        way_in = f"in {force_words(into, units)}" if into >= 0 else "the springs draw it in"
        forces = f"{way_out} ({way_in})"
        if diode.reverse.top:
            forces = f"pulled {back} it {over_a_top(diode.reverse.top, units)}, and {forces}"
        text = f"no, {forces}"
        if diode.kind == "force":
            weak = diode.reverse.top and diode.reverse.top.force < diode.force.bound * into
            text = f"by force only{', but not in place' if weak else ''}: {forces}"
            text += f", {diode.force.bound:g} times the force in, or more" if into > 0 else ""
        if diode.wedged:
            text += f"; {listed(list(diode.wedged))}, wedged, may be held by friction besides, with any force"
        text += still_climbing(diode.reverse) + further_out(diode, units)
    elif diode.reverse.apart:
        text = f"no, comes out {back}"
    elif diode.kind == "undecided":
        if diode.reverse.cause == IN_GOAL:
            return f"not answered: it {IN_GOAL}; draw the goal on its way out"
        if diode.reverse.cause in ENDS:  # it holds, and what it does without friction is open
            way, other = pulled(diode.reverse, units), diode.reverse_without_friction.cause
            text = f"yes, whether by friction is open: pulled {back} it {way}; without friction it {other}"
        else:
            remedy = "; draw the goal on its way out" if diode.reverse.cause == LEADS_AWAY else ""
            text = f"not answered: pulled {back} it {diode.reverse.cause}{remedy}"
    else:
        why = "even without friction" if diode.kind == "kinematic" else "by friction"
        smooth = diode.reverse_without_friction
        if diode.reverse.top:
            why += ", but not in place"
        elif diode.kind == "kinematic" and smooth.top:
            why = f"in place by friction alone (without it: {pulled(smooth, units)})"
        text = f"yes, {why}: pulled {back} it {pulled(diode.reverse, units)}"
    if told := fan_words(diode, units):
        text += f"; {told}"
    if diode.directions:
        text += f"; {directions_tried(diode, units)}"
    elif not diode.fan:
        text += "; no other direction was tried"
    if diode.way_back:
        text = with_the_way_back(text, diode.way_back, units)
    if of_friction := friction_words(diode):
        text += f"; {of_friction}"
    if below := below_words(diode, units):
        text += f"; {below}"
    if of_class := class_words(diode):
        text += f"; {of_class}"
    further = mating.insertion is not None and mating.insertion.further_legs
    return f"as leg {last} leaves it: {text}" if further or last > 1 else text
