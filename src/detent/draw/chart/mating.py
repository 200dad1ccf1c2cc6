"""A mating as plots: what the push must overcome, what the springs give, events marked."""

from __future__ import annotations

import math
from itertools import groupby

from detent.draw.chart.plot import Panel, PlotAxis, PlotMark, Series, Spot, plot_scene
from detent.draw.machine.machine import machine_scene
from detent.draw.paper import svg
from detent.draw.paper.report import Section
from detent.draw.scene.scene import Scene
from detent.foundation.units import UnitNames, unit_names
from detent.model.document.mechanism import Mechanism
from detent.record.mating import LegStory, Mating, with_arcs


def mating_scene(mating: Mating, title: str) -> Scene:
    """Force against the push, torque of each hinge's spring and its angle over time, a line per leg or hinge.

    Each leg's peak is a point with its value, or an arrow where the force has no bound.
    """
    legs = [leg for leg in mating.legs if leg.force.times]
    force = tuple(
        Series(f"leg {number}", leg.force.times, leg.force.on_drive) for number, leg in enumerate(legs, 1)
    )
    hinges = list(dict.fromkeys(name for leg in legs for name in leg.force.hinges))
    torque = tuple(
        _over_legs(legs, name, "torque", f"spring of {name}, counter-clockwise: k times its angle from rest")
        for name in hinges
    )
    angle = tuple(_over_legs(legs, name, "angle", name) for name in hinges)
    units = unit_names(mating.units)
    panels = [
        Panel(PlotAxis("force against the push", units.force.strip()), force, tuple(_peaks(legs, units)))
    ]
    if torque:
        panels.append(Panel(PlotAxis("torque on the root", units.torque.strip()), torque))
        panels.append(Panel(PlotAxis("angle of the hinge", "rad"), angle))
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


def _over_legs(legs: list[LegStory], hinge: str, which: str, name: str) -> Series:
    """Of a hinge over all legs, with a gap between them."""
    times: list[float] = []
    values: list[float] = []
    for leg in legs:
        if hinge in leg.force.hinges:
            times += [*leg.force.times, leg.force.times[-1]]
            values += [*getattr(leg.force.hinges[hinge], which), float("nan")]
    return Series(name, times, values)
