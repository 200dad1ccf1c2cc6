"""A machine over time: its joints, their speeds, the forces of its contacts, its energy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from detent.draw.chart.plot import Panel, PlotAxis, Series, Spot, plot_scene
from detent.draw.chart.stacked import stacked
from detent.draw.scene.scene import Scene
from detent.foundation.errors import ModelError
from detent.foundation.names import did_you_mean
from detent.foundation.units import unit_names
from detent.record.compared import Compared
from detent.record.running import Running

_LOOKS = 4  # to a step, of a phase portrait
MOST_LINES = 6  # in a panel: more cannot be distinguished


def chart_of_running(running: Running, *, of: Sequence[str] = ()) -> Scene:
    """Coordinates, speeds, energy and contact forces over time; of some joints where they are named."""
    names = unit_names(running.units)
    panels = _joints({"": running}, of)
    if not of:
        panels.append(_energy(running, names.energy.strip()))
        panels.append(_forces(running, names.force.strip()))
        panels.append(_reactions(running, names.force.strip()))
    return plot_scene([panel for panel in panels if panel.series], _time(running), title=running.title)


def chart_of_both(compared: Compared, *, of: Sequence[str] = ()) -> Scene:
    """Coordinates and speeds over time, by both contact models."""
    panels = _joints({" rigid": compared.rigid, " penalty": compared.penalty}, of)
    return plot_scene(
        [panel for panel in panels if panel.series], _time(compared.rigid), title=compared.title
    )


def _time(running: Running) -> PlotAxis:
    return PlotAxis("time", unit_names(running.units).time.strip())


def _joints(runs: Mapping[str, Running], of: Sequence[str]) -> list[Panel]:
    """Positions and speeds of joints; of several runs, each with its label behind the joint's name."""
    running = next(iter(runs.values()))
    second = unit_names(running.units).time.strip()
    for name in of:
        if name not in running.states:
            raise ModelError.at("--of", f"there is no joint {name!r}", did_you_mean(name, running.states))
    shown, most = list(of) or list(running.states), MOST_LINES // len(runs)
    panels: list[Panel] = []
    for unit in dict.fromkeys(running.state_units.get(name, "") for name in shown):
        joints = [name for name in shown if running.state_units.get(name, "") == unit]
        turns = unit == "rad"
        few = f", {most} of {len(joints)}" if len(joints) > most else ""
        for what in ("position", "speed"):
            label = "°" if turns else unit
            if what == "speed":
                label = f"{label}/{second}" if label and second else "° per time" if turns else ""
            series = tuple(
                Series(f"{name}{behind}", each.times, np.degrees(column) if turns else column)
                for name in joints[:most]
                for behind, each in runs.items()
                for column in [(each.states if what == "position" else each.velocities)[name]]
            )
            shown_by = [(each, each.velocities[name]) for name in joints[:most] for each in runs.values()]
            spots = [spot for each, column in shown_by for spot in _boundless(each, [column])]
            panels.append(
                Panel(PlotAxis(f"{what}{few}", label), series, tuple(spots) if what == "speed" else ())
            )
    return panels


def phase_of_running(running: Running, *, of: Sequence[str] = ()) -> Scene:
    """Speeds over coordinates, a plot for each: what swings goes round, what rests comes to a point."""
    _refuse_unknown(running, of)
    second = unit_names(running.units).time.strip()
    shown = list(of) or list(running.states)
    states, speeds = running.states, running.velocities
    if running.has_run:  # rows may be too far apart for a blow
        along = running.run.evidence.along
        states, speeds = along.coordinates_at(along.looks(_LOOKS))
    plots = []
    for k, name in enumerate(shown[:MOST_LINES]):
        unit = running.state_units.get(name, "")
        turns = unit == "rad"
        label, factor = ("°", 180 / np.pi) if turns else (unit, 1.0)
        per = f"{label}/{second}" if label and second else "° per time" if turns else ""
        line = Series("", factor * states[name], factor * speeds[name])
        few = f" ({MOST_LINES} of {len(shown)} coordinates)" if len(shown) > MOST_LINES else ""
        title = f"{running.title}{few}" if k == 0 else ""
        axes = PlotAxis(f"{name}", label), PlotAxis(f"speed of {name}", per)
        plots.append(plot_scene([Panel(axes[1], (line,))], axes[0], title=title))
    return stacked(plots)


def _refuse_unknown(running: Running, of: Sequence[str]) -> None:
    for name in of:
        if name not in running.states:
            raise ModelError.at("--of", f"there is no joint {name!r}", did_you_mean(name, running.states))


def _energy(running: Running, unit: str) -> Panel:
    """Where the energy went: what is stored no more, and what took it."""
    if not running.energy:
        return Panel(PlotAxis("energy", unit), ())
    spent = running.energy["stored"][0] - running.energy["stored"]
    series = [Series("no longer stored", running.times, spent)]
    series += [
        Series(name, running.times, running.energy[name])
        for name in ("dissipated", "impact", "input")
        if running.energy[name].any()
    ]
    return Panel(PlotAxis("energy", unit), tuple(series), _boundless(running, list(running.energy.values())))


def _forces(running: Running, unit: str) -> Panel:
    strongest = sorted(running.forces, key=lambda name: -float(running.forces[name].max()))[:MOST_LINES]
    count = len(running.forces)
    label = f"force, {MOST_LINES} of {count} contacts" if count > MOST_LINES else "contact force"
    return Panel(
        PlotAxis(label, unit),
        tuple(Series(name, running.times, running.forces[name]) for name in strongest),
        _boundless(running, [running.forces[name] for name in strongest]),
    )


def _boundless(running: Running, columns: Sequence[Any]) -> tuple[Spot, ...]:
    """An arrow where forces, or speeds, grow without bound, up or down."""
    at = {
        (float(running.times[k]), float(column[k]))
        for column in columns
        for k in np.flatnonzero(np.isinf(column))
    }
    return tuple(Spot(time, side, "no bound") for time, side in sorted(at))


def _reactions(running: Running, unit: str) -> Panel:
    """How strong the forces in joints are; gaps where statics leaves them open."""
    sizes = {name: np.hypot(rows[:, 0], rows[:, 1]) for name, rows in running.reactions.items()}
    told = [name for name, size in sizes.items() if np.nan_to_num(size).any()]
    strongest = sorted(told, key=lambda name: -float(np.nanmax(sizes[name])))[:MOST_LINES]
    label = f"force, {MOST_LINES} of {len(told)} joints" if len(told) > MOST_LINES else "force in joints"
    lines = tuple(Series(name, running.times, sizes[name]) for name in strongest)
    return Panel(PlotAxis(label, unit), lines, _boundless(running, [sizes[name] for name in strongest]))
