"""A led mating as plots: speed with contact and without, force over time and travel; two positions beside."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from detent.draw.chart.plot import Panel, PlotAxis, PlotMark, Series, Spot, plot_scene
from detent.draw.chart.stacked import stacked
from detent.draw.scene.scene import Scene
from detent.foundation.units import unit_names
from detent.record.led.mating import LedMating
from detent.record.led.positions import BetterPosition
from detent.record.table import with_unit


def whole_plot(mating: LedMating, title: str) -> Scene:
    """Over time, and below that over the way."""
    return stacked([over_time(mating, title), over_travel(mating, "")])


def over_time(mating: LedMating, title: str) -> Scene:
    """Speed along the first leg with contact and without, the force on what is held, the motors' torques."""
    units, columns = unit_names(mating.units), by_name(mating)
    time = columns["time"]
    speed, free = _along(mating, columns, ""), _along(mating, columns, "_free")
    force = Panel(
        PlotAxis("force on the held", units.force.strip()),
        tuple(Series(f"F{axis}", time, columns[f"F{axis}"]) for axis in "xyz"),
        tuple(
            Spot(leg.force.peak_at_time, leg.force.peak_task[int(np.argmax(np.abs(leg.force.peak_task)))],
                 f"{leg.force.peak:.4g}{units.force}")
            for leg in mating.legs if leg.force.peak > 0
        ),
    )  # fmt: skip
    lines = (Series("with contact", time, speed), Series("without", time, free))
    panels = [Panel(PlotAxis("speed along leg 1", units.speed.strip()), lines), force]
    if "push_rigid" in columns:
        apart = (
            Series("what gives way", time, columns["push_giving_way"]),
            Series("rigid contacts", time, columns["push_rigid"]),
        )
        panels.append(Panel(PlotAxis("push", units.force.strip()), apart))
    if changes := torque_changes(mating):
        panels.append(Panel(PlotAxis("torque change", units.torque.strip()), changes))
    return plot_scene(panels, PlotAxis("time", units.time.strip()), title=title, marks=_marks(mating))


def torque_changes(mating: LedMating) -> tuple[Series, ...]:
    """Of each motor, from what it gives at the start; motors have columns of their angles too."""
    columns, unit = mating.columns(), unit_names(mating.units).torque.strip()
    time = by_name(mating)["time"]
    motors = [name for name in (f"motor {k}" for k in range(1, 10)) if with_unit(name, unit) in columns]
    return tuple(
        Series(name, time, columns[with_unit(name, unit)] - columns[with_unit(name, unit)][0])
        for name in motors
    )


def over_travel(mating: LedMating, title: str) -> Scene:
    """The push and the forces across it over the gripper's travel."""
    units, columns = unit_names(mating.units), by_name(mating)
    travel = columns["travel"]
    spots = tuple(
        Spot(leg.force.peak_at_travel, leg.force.peak, f"{leg.force.peak:.4g}{units.force}")
        for leg in mating.legs
        if leg.force.peak > 0
    )
    across = np.array([columns[f"F{axis}"] for axis in "xyz"])
    main = int(np.argmax(np.abs(_first(mating))))
    others = tuple(Series(f"F{axis}", travel, across[k]) for k, axis in enumerate("xyz") if k != main)
    panels = [
        Panel(PlotAxis("push", units.force.strip()), (Series("push", travel, columns["push"]),), spots),
        Panel(PlotAxis("across", units.force.strip()), others),
    ]
    return plot_scene(panels, PlotAxis("travel", units.length.strip()), title=title)


def beside(matings: Mapping[str, LedMating], title: str) -> Scene:
    """Several positions in one plot: departures from free motion, and the push, over time."""
    units = unit_names(next(iter(matings.values())).units)
    off, push = [], []
    for name, mating in matings.items():
        columns = by_name(mating)
        departs = _along(mating, columns, "") - _along(mating, columns, "_free")
        off.append(Series(name, columns["time"], departs))
        push.append(Series(name, columns["time"], columns["push"]))
    panels = [
        Panel(PlotAxis("departs by", units.speed.strip()), tuple(off)),
        Panel(PlotAxis("push", units.force.strip()), tuple(push)),
    ]
    return plot_scene(panels, PlotAxis("time", units.time.strip()), title=title)


def over_positions(answer: BetterPosition, title: str) -> Scene:
    """What decides, over the radii that were tried."""
    units = unit_names(answer.units)
    told = [each for each in answer.positions if not each.why_not and each.radius is not None]
    radius = [each.radius for each in told]
    lines = (
        Series("overshoot entering", radius, [each.overshoot_entering for each in told]),
        Series("dip entering", radius, [-each.dip_entering for each in told]),
        Series("largest, as tried", radius, [each.largest_deviation for each in told], dots=True),
    )
    axis = PlotAxis("departs by", units.speed.strip())
    return plot_scene(
        [Panel(axis, lines)], PlotAxis("radius of the wrist", units.length.strip()), title=title
    )


def by_name(mating: LedMating) -> dict[str, Any]:
    """The columns without their units; of two with one name the last."""
    return {name.partition(" [")[0]: column for name, column in mating.columns().items()}


def _first(mating: LedMating) -> Any:
    """The first leg's direction along the task's axes."""
    direction = mating.run.evidence.plan.legs[0].direction
    return mating.run.evidence.leader.task_axes.T @ direction


def _along(mating: LedMating, columns: Mapping[str, Any], ending: str) -> Any:
    return sum(c * columns[f"v{axis}{ending}"] for c, axis in zip(_first(mating), "xyz", strict=True))


def _marks(mating: LedMating) -> list[PlotMark]:
    """Where what touches changes."""
    return [PlotMark(event.time, event.kind) for leg in mating.legs for event in leg.events][:8]
