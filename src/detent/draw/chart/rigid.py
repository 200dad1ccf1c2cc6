"""A rigid mating as plots: force over time, contact forces, torques; its load on the jamming diagram."""

from __future__ import annotations

import numpy as np

from detent.draw.chart import rounds
from detent.draw.chart.plot import Panel, PlotAxis, PlotMark, Series, plot_scene
from detent.draw.chart.rounds import traces
from detent.draw.chart.stacked import stacked
from detent.draw.scene.scene import Scene
from detent.foundation.units import unit_names
from detent.record.compliant_mating import JammingPath
from detent.record.led.rigid import FoundContact, RigidMating


def whole_plot(mating: RigidMating, title: str) -> Scene:
    """Over time, and below that traces of round contacts, and the jamming diagram of the first leg."""
    scenes = [over_time(mating, title)]
    if has_traces(mating):
        scenes.append(traces(mating))
    if mating.legs[0].jamming is not None:
        scenes.append(jamming_diagram(mating.legs[0].jamming, mating.units))
    return stacked(scenes)


def over_time(mating: RigidMating, title: str) -> Scene:
    """The tip's depth, the force on what is held, each contact's, the motors' torques from the start on."""
    return rounds.over_time(mating, title) if mating.is_round else _flat_over_time(mating, title)


def has_traces(mating: RigidMating) -> bool:
    """Whether contacts of a round peg went somewhere."""
    return mating.is_round and any(leg.traces for leg in mating.legs)


def _flat_over_time(mating: RigidMating, title: str) -> Scene:
    units, columns = unit_names(mating.units), mating.columns()
    plain = {name.partition(" [")[0]: column for name, column in columns.items()}
    time, force = plain["time"], units.force.strip()
    depth = Panel(PlotAxis("tip's depth", units.length.strip()), (Series("depth", time, plain["depth"]),))
    whole = Panel(
        PlotAxis("force on the held", force),
        tuple(Series(f"F{axis}", time, plain[f"F{axis}"]) for axis in "xyz"),
    )
    by_pair: dict[str, np.ndarray] = {}
    for name, column in plain.items():
        if name.startswith("N "):
            pair = name[2:].partition(" ")[0]
            by_pair[pair] = by_pair.get(pair, 0.0) + column
    panels = [depth, whole]
    if by_pair:
        lines = tuple(Series(pair, time, column) for pair, column in by_pair.items())
        panels.append(Panel(PlotAxis("normal forces", force), lines))
    motors = tuple(
        Series(name, time, column - column[0]) for name, column in plain.items() if name.startswith("motor")
    )
    if motors:
        panels.append(Panel(PlotAxis("torque change", units.torque.strip()), motors))
    return plot_scene(panels, PlotAxis("time", units.time.strip()), title=title, marks=_marks(mating))


def jamming_diagram(path: JammingPath, units: str) -> Scene:
    """The parallelograms at the first and the last depth, and the load's path: outside it jams."""
    length = unit_names(units).length
    rows = np.array(path.path, float)
    lines = [
        Series(
            f"slides at {depth:.3g}{length}",
            np.array([x for x, _ in [*corners, corners[0]]]),
            np.array([y for _, y in [*corners, corners[0]]]),
        )
        for depth, corners in zip(path.depth, path.vertices, strict=True)
    ]
    lines.append(Series("load at the tip", rows[:, 1], rows[:, 2]))
    return plot_scene([Panel(PlotAxis("M / (r F_z)", ""), tuple(lines))], PlotAxis("F_x / F_z", ""), lines="")


def _marks(mating: RigidMating) -> list[PlotMark]:
    """The first and the second contact."""
    marks = []
    for leg in mating.legs:
        for contact in (leg.first_contact, leg.second_contact):
            if isinstance(contact, FoundContact) and contact.time is not None:
                marks.append(PlotMark(contact.time, " ".join(contact.named)))
    return marks[:8]
