"""Rich display in notebooks, given to the model and the records from above.

`register()` hangs `_repr_svg_` and `_repr_html_` on their classes, so that those
rooms import nothing upward. The package calls it when a notebook host is loaded
and never on the command line. What cannot be drawn is shown as words.
"""

from __future__ import annotations

import html
from typing import Any

import numpy as np

from detent.contact.modes.mode import ModeSet
from detent.draw.chart import plot
from detent.draw.paper import svg
from detent.foundation.errors import ModelError, UnsupportedError
from detent.foundation.names import clipped
from detent.model.document.mechanism import Mechanism
from detent.record.base import Record, builtins
from detent.record.trajectory import Trajectory
from detent.record.verdict import Verdict

_SHOWN = 200  # characters of one value in a table

MOST_PANELS = 6  # more joints than this make a column that nobody scrolls through


def register() -> None:
    """Give mechanisms and records their display; doing so twice changes nothing."""
    shown: list[tuple[type, str, Any]] = [
        (Mechanism, "_repr_svg_", _mechanism),
        (ModeSet, "_repr_svg_", _modes),
        (Record, "_repr_html_", _record),
        (Trajectory, "_repr_svg_", _trajectory),
        (Trajectory, "_repr_html_", None),
        (Verdict, "_repr_html_", _verdict),
    ]
    for kind, name, function in shown:
        setattr(kind, name, function)


def trajectory_scene(trajectory: Trajectory, *, title: str = "") -> Any:
    """Joint coordinates over time, one panel per joint, events marked."""
    panels = [
        plot.Panel(plot.PlotAxis(name), (plot.Series(name, trajectory.times, column),))
        for name, column in list(trajectory.coordinates.items())[:MOST_PANELS]
    ]
    marks = [plot.PlotMark(event.time, event.kind) for event in trajectory.events]
    unit = "s" if trajectory.times_are == "time" else ""
    return plot.plot_scene(panels, plot.PlotAxis(trajectory.times_are, unit), title=title, marks=marks)


def _mechanism(mechanism: Mechanism) -> str | None:
    from detent.draw.machine.machine import machine_scene

    try:
        return svg.write(machine_scene(mechanism), size=560)
    except (ModelError, UnsupportedError):
        return None


def _modes(modes: ModeSet) -> str | None:
    from detent.draw.chart.modes import lattice

    return svg.write(lattice(modes)) if len(modes) else None


def _trajectory(trajectory: Trajectory) -> str | None:
    if not trajectory.coordinates or not np.asarray(trajectory.times).size:
        return None
    return svg.write(trajectory_scene(trajectory))


def _verdict(verdict: Verdict) -> str:
    rows = [
        f"<tr><td>{html.escape(e.statement)}</td>"
        f"<td>{'' if e.value is None else f'{e.value:.6g} {html.escape(e.unit)}'}</td></tr>"
        for e in verdict.evidence
    ]
    reason = f"<p>{html.escape(verdict.reason)}</p>" if verdict.reason else ""
    return (
        f"<p>{html.escape(verdict.question)}<br><b>{html.escape(verdict.answer)}</b> "
        f"({html.escape(verdict.confidence)})</p>{reason}<table>{''.join(rows)}</table>"
    )


def _record(record: Record) -> str:
    """Its words where it has some, else its fields."""
    words = getattr(record, "words", "")
    if words:
        return f"<pre>{html.escape(str(words))}</pre>"
    rows = "".join(
        f"<tr><th>{html.escape(key)}</th><td>{html.escape(clipped(str(value), _SHOWN))}</td></tr>"
        for key, value in builtins(record).items()
    )
    return f"<table>{rows}</table>"
