"""A mating as plots: what the push must overcome, what the springs give, events marked."""

from __future__ import annotations

import math
from itertools import groupby
from typing import Any

from detent.draw.chart.plot import Panel, PlotAxis, PlotMark, Series, Spot, plot_scene
from detent.draw.machine.machine import machine_scene
from detent.draw.paper import svg
from detent.draw.paper.report import Section
from detent.draw.scene.scene import Scene
from detent.foundation.units import UnitNames, unit_names
from detent.model.document.mechanism import Mechanism
from detent.record.mating import LegStory, Mating, with_arcs

FASTEST = 5.0  # of the push: beyond, sliding speeds are not drawn


def mating_scene(mating: Mating, title: str) -> Scene:
    """Force against the push, torque of each hinge's spring and its angle over time, a line per leg or hinge.

    Each leg's peak is a point with its value, or an arrow where the force has no bound. Below, how each
    hinge's contact slides: how far from sticking, how fast, in which sector.
    """
    legs = [leg for leg in mating.legs if leg.force.times]
    force = tuple(
        Series(f"leg {number}", leg.force.times, leg.force.on_drive) for number, leg in enumerate(legs, 1)
    )
    hinges = list(dict.fromkeys(name for leg in legs for name in leg.force.hinges))
    torque = tuple(
        _over_legs(legs, name, "torque", f"spring of {name}, counter-clockwise") for name in hinges
    )
    angle = tuple(_over_legs(legs, name, "angle", name) for name in hinges)
    units = unit_names(mating.units)
    panels = [
        Panel(PlotAxis("force against the push", units.force.strip()), force, tuple(_peaks(legs, units)))
    ]
    if torque:
        panels.append(Panel(PlotAxis("torque on the root", units.torque.strip()), torque))
        panels.append(Panel(PlotAxis("angle of the hinge", "rad"), angle))
    if any(sector for leg in legs for hinge in leg.force.hinges.values() for sector in hinge.sector):
        panels += _sliding(legs, hinges, units)
    marks = [mark for leg in mating.legs for mark in _marks(leg)]
    return plot_scene(panels, PlotAxis("time", units.time.strip()), title=title, marks=marks)


def _marks(leg: LegStory) -> list[PlotMark]:
    """The events of a leg; of those along an arc the first and the last."""
    marks: list[PlotMark] = []
    for arc, run in groupby(with_arcs(leg.events), key=lambda entry: entry[1]):
        events = [event for event, _ in run]
        if arc:
            marks += [PlotMark(events[0].time, "onto the arc"), PlotMark(events[-1].time, "off the arc")]
        else:
            marks += [PlotMark(event.time, event.kind) for event in events]
    return marks


def _peaks(legs: list[LegStory], units: UnitNames) -> list[Spot]:
    """Each leg's peak, and every instant at which a force has no bound, up or down."""
    peaks: list[Spot] = []
    boundless: dict[float, float] = {}
    for leg in legs:
        peak = leg.force.peak
        if peak.unbounded and peak.time is not None:
            boundless[peak.time] = math.inf
        elif peak.time is not None and peak > 0:
            peaks.append(Spot(peak.time, peak.value, f"{peak:.4g}{units.force}"))
        for stretch in leg.force.stretches:
            if stretch.contact_force.at_ends.unbounded:
                against = stretch.resisting.at_ends == math.inf
                boundless.setdefault(stretch.contact_force.at_ends_time, math.inf if against else -math.inf)
    return [*(Spot(time, direction, "without bound") for time, direction in boundless.items()), *peaks]


def sections(mechanism: Mechanism, mating: Mating, title: str) -> list[Section]:
    """For a report: the machine as drawn, and its forces."""
    pictures = [Section("Picture", svg=svg.write(machine_scene(mechanism)))]
    if any(leg.force.times for leg in mating.legs):
        pictures.append(Section("Forces", svg=svg.write(mating_scene(mating, title))))
    return pictures


def _sliding(legs: list[LegStory], hinges: list[str], units: UnitNames) -> list[Panel]:
    """How far from sticking, how fast and in which sector contacts slide."""
    to_sticking = tuple(_over_legs(legs, name, "to_sticking", name) for name in hinges)
    sectors = tuple(_over_legs(legs, name, "sector", name, dots=True) for name in hinges)
    speed = tuple(_over_legs(legs, name, "sliding_speed", name) for name in hinges)
    # Beside a fold it grows without bound, and would leave all else flat.
    pushed = max(abs(leg.force.travel[-1] - leg.force.travel[0]) / _lasts(leg) for leg in legs)
    seen = tuple(Series(each.name, each.x, _within(each.y, FASTEST * pushed)) for each in speed)
    return [
        Panel(PlotAxis("to sticking", "rad"), to_sticking),
        Panel(PlotAxis(f"sliding, to {FASTEST:g} times the push", units.speed.strip()), seen),
        Panel(PlotAxis("sector (1, 3 stick)"), sectors, names=("1", "2", "3", "4")),
    ]


def _lasts(leg: LegStory) -> float:
    return (leg.force.times[-1] - leg.force.times[0]) or math.inf


def _within(values: Any, most: float) -> list[float]:
    return [each if abs(each) <= most else math.nan for each in values]


def _over_legs(legs: list[LegStory], hinge: str, which: str, name: str, *, dots: bool = False) -> Series:
    """Of a hinge over all legs, with a gap between them."""
    times: list[float] = []
    values: list[float] = []
    for leg in legs:
        if hinge in leg.force.hinges:
            times += [*leg.force.times, leg.force.times[-1]]
            given = getattr(leg.force.hinges[hinge], which)
            values += [*(math.nan if each is None else each for each in given), math.nan]
    if which == "sector":  # none where nothing carries
        values = [each or math.nan for each in values]
    return Series(name, times, values, dots)
