"""What a notebook shows of a machine or an answer: its picture, where there is one, and its words.

Machines and answers ask for it themselves (`foundation/shown.py`), so that those rooms import nothing
upward and nothing is loaded before something is shown. What cannot be drawn is shown as words.
"""

from __future__ import annotations

import html
from collections.abc import Callable
from typing import Any

import numpy as np

from detent.draw.chart import plot
from detent.draw.paper import svg
from detent.draw.scene.scene import Scene
from detent.foundation.errors import ModelError, UnsupportedError
from detent.foundation.shown import Shown
from detent.model.document.mechanism import Mechanism
from detent.record.trajectory import Trajectory
from detent.record.verdict import Verdict

SIZE = 560  # [px] the longer side of a machine's picture
MOST_PANELS = 6  # more joints than this make a column that nobody scrolls through


def bundle(shown: Shown) -> dict[str, str]:
    """By kind of content: the line for a prompt, and a page with picture and words."""
    drawn = picture(shown)
    page = [] if drawn is None else [drawn]
    if isinstance(shown, Verdict):
        page.append(_verdict(shown))
    else:
        page.append(f"<pre>{html.escape(_words(shown))}</pre>")
    return {"text/plain": repr(shown), "text/html": "\n".join(page)}


def picture(shown: Shown) -> str | None:
    """The SVG of a machine or an answer, if it can be drawn."""
    for kind in type(shown).__mro__:
        if (draw := _PICTURES.get(kind.__name__)) is not None:
            try:
                scene = draw(shown)
            except (ModelError, UnsupportedError):
                return None
            return None if scene is None else svg.write(scene, size=SIZE)
    return None


def _words(shown: Shown) -> str:
    try:
        return shown.words
    except (ModelError, UnsupportedError) as problem:  # of a document that no method understands
        return f"{shown!r}\n{problem}"


def trajectory_scene(trajectory: Trajectory) -> Scene:
    """Joint coordinates over time, one panel per joint, angles in degrees; events marked."""
    panels = []
    for name, column in list(trajectory.coordinates.items())[:MOST_PANELS]:
        unit = trajectory.coordinate_units.get(name, "")
        label, shown = ("°", np.degrees(column)) if unit == "rad" else (unit, column)
        panels.append(plot.Panel(plot.PlotAxis(name, label), (plot.Series(name, trajectory.times, shown),)))
    marks = [plot.PlotMark(event.time, event.kind) for event in trajectory.events]
    along = plot.PlotAxis(trajectory.times_are, trajectory.unit_of_times)
    return plot.plot_scene(panels, along, marks=marks)


def _mechanism(mechanism: Mechanism) -> Scene:
    from detent.draw.machine.machine import machine_scene

    return machine_scene(mechanism)


def _motion(motion: Any) -> Scene | None:
    from detent.draw.chart.motion import motion_scene

    return motion_scene(motion.run.evidence.mechanism, motion) if motion.has_run else None


def _mating(mating: Any) -> Scene | None:
    from detent.draw.chart.mating import mating_scene

    if not any(len(leg.force.times) for leg in mating.legs):
        return None
    return mating_scene(mating, mating.run.evidence.mechanism.title if mating.has_run else "")


def _compliant(mating: Any) -> Scene | None:
    from detent.draw.chart.compliant import compliant_scene

    title = mating.run.evidence.mechanism.title if mating.has_run else ""
    return compliant_scene(mating, title) if mating.series.rows else None


def _led(mating: Any) -> Scene | None:
    from detent.draw.chart.led import over_time

    return over_time(mating, mating.run.evidence.mechanism.title) if mating.has_run else None


def _rigid(mating: Any) -> Scene | None:
    from detent.draw.chart.rigid import whole_plot

    return whole_plot(mating, mating.run.evidence.mechanism.title) if mating.has_run else None


def _region(answer: Any) -> Scene | None:
    from detent.draw.chart.region import region_scene

    return region_scene(answer, "") if answer.together or answer.alone or answer.maps else None


def _running(running: Any) -> Scene | None:
    from detent.draw.chart.running import chart_of_running

    return chart_of_running(running) if running.states and len(running.times) else None


def _outlook(outlook: Any) -> Scene | None:
    from detent.draw.chart.outlook import can_be_drawn, chart_of_outlook

    return chart_of_outlook(outlook) if can_be_drawn(outlook) else None


def _compared(compared: Any) -> Scene | None:
    from detent.draw.chart.running import chart_of_both

    return chart_of_both(compared) if compared.rigid.states and len(compared.rigid.times) else None


def _trajectory(trajectory: Trajectory) -> Scene | None:
    if not trajectory.coordinates or not np.asarray(trajectory.times).size:
        return None
    return trajectory_scene(trajectory)


def _modes(modes: Any) -> Scene | None:
    from detent.draw.chart.modes import lattice

    return lattice(modes) if len(modes) else None


def _contacts(contacts: Any) -> Scene | None:
    from detent.draw.chart.modes import with_contacts, with_normals_named
    from detent.draw.machine.machine import scene_at
    from detent.draw.machine.stage import stage_of

    empty = _nothing_but(contacts)
    if empty is None:
        return None
    alone = with_contacts(empty, contacts)
    return with_normals_named(scene_at(stage_of(alone)), alone)


def _mode(mode: Any) -> Scene | None:
    from detent.draw.chart.modes import picture as mode_picture

    empty = _nothing_but(mode.modes.contacts)
    return None if empty is None else mode_picture(empty, mode)


def _nothing_but(contacts: Any) -> Mechanism | None:
    """A machine without parts, to draw contacts in; None where they are rows without a place."""
    sites = contacts.sites
    if not sites or not all(site.point for site in sites):
        return None
    return Mechanism(format="detent/1", dimension=3 if len(sites[0].point) == 3 else 2)


_PICTURES: dict[str, Callable[[Any], Scene | None]] = {
    "Compared": _compared,
    "CompliantMating": _compliant,
    "Contacts": _contacts,
    "Edited": lambda edited: _mechanism(edited.mechanism),
    "LedMating": _led,
    "Mating": _mating,
    "RigidMating": _rigid,
    "Mechanism": _mechanism,
    "Mode": _mode,
    "ModeSet": _modes,
    "Motion": _motion,
    "Outlook": _outlook,
    "RegionThatGoesIn": _region,
    "Run": lambda run: _trajectory(run.trajectory),
    "Running": _running,
    "Trajectory": _trajectory,
}


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
