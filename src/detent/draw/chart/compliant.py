"""A compliant mating as a plot: the push over the travel, leg by leg, with its peaks and events."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from msgspec import structs

from detent.draw.chart.pegs import peg_scene
from detent.draw.chart.plot import Panel, PlotAxis, PlotMark, Series, Spot, plot_scene
from detent.draw.machine.machine import machine_scene
from detent.draw.paper import svg
from detent.draw.paper.report import Section
from detent.draw.scene.scene import Scene
from detent.foundation.units import unit_names
from detent.model.document.mechanism import Mechanism
from detent.record.compliant_mating import CompliantMating

if TYPE_CHECKING:
    from detent.record.table import ColumnArray

_ACROSS = "lateral"  # what a column of rings is called that has a panel of its own where it is not zero


def compliant_scene(mating: CompliantMating, title: str) -> Scene:
    """The push over the travel, and what rings beside the axis are pressed with; each leg a line."""
    if mating.connections and mating.connections[0].get("kind") == "peg":
        return _peg(mating, title)
    units = unit_names(mating.units)
    columns = mating.columns()
    names = list(columns)
    travel, push = columns[names[2]], columns[names[3]]
    legs = columns["leg"]
    numbers = sorted(set(legs.tolist()))
    panels = [
        Panel(
            PlotAxis("push", units.force.strip()),
            tuple(Series(f"leg {k}", travel[legs == k], push[legs == k]) for k in numbers),
            tuple(_peaks(mating)),
        )
    ]
    for name in names:
        head = name.partition(" ")[0]
        if head.rpartition(".")[2] == _ACROSS and np.nanmax(np.abs(columns[name])) > 0:
            of_legs = (Series(f"leg {k}", travel[legs == k], columns[name][legs == k]) for k in numbers)
            panels.append(Panel(PlotAxis(head, units.force.strip()), tuple(of_legs)))
    marks = [
        PlotMark(event.travel, event.kind)
        for leg in mating.legs[:1]
        for event in leg.events
        if event.travel is not None
    ]
    return plot_scene(panels, PlotAxis("travel", units.length.strip()), title=title, marks=marks)


def _peg(mating: CompliantMating, title: str) -> Scene:
    """Whitney's pictures, and the force as the carrier leads the peg."""
    jamming = mating.legs[0].jamming
    told = {**mating.connections[0], "jamming": None if jamming is None else structs.asdict(jamming)}
    travel, push, depth = (_column(mating, name) for name in ("travel", "push", "depth"))
    jumps = [k for k in range(1, len(travel)) if travel[k] == travel[k - 1] and depth[k] > depth[k - 1]]
    led = []
    if jumps:
        x, y = ([each for k in jumps for each in (*of[k - 1 : k + 1], math.nan)] for of in (depth, push))
        led.append(Series("jump, as led by the carrier", x, y))
    return peg_scene(told, mating.units, title, led)


def _column(mating: CompliantMating, name: str) -> ColumnArray:
    return next(column for head, column in mating.columns().items() if head.split(" ")[0] == name)


def _peaks(mating: CompliantMating) -> list[Spot]:
    spots = []
    for leg in mating.legs:
        peak = leg.force.peak
        words = "without bound" if math.isinf(peak) else f"{peak:.4g}{unit_names(mating.units).force}"
        if peak > 0:
            spots.append(Spot(leg.force.peak_at_travel, peak, words))
    return spots


def sections(mechanism: Mechanism, mating: CompliantMating, title: str) -> list[Section]:
    """For a report: the machine as drawn, and its force over the way."""
    return [
        Section("Picture", svg=svg.write(machine_scene(mechanism))),
        Section("Force over the way", svg=svg.write(compliant_scene(mating, title))),
    ]
