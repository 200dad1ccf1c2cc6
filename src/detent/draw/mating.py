"""A mating as plots: what the push must overcome, what the springs give, events marked."""

from __future__ import annotations

from detent.draw import svg
from detent.draw.machine import scene_of
from detent.draw.plot import Axis, Mark, Panel, Series
from detent.draw.plot import scene_of as plot_of
from detent.draw.report import Section
from detent.draw.scene import Scene
from detent.model.mechanism import Mechanism
from detent.record.mating import LegStory, Mating


def scene_of_mating(found: Mating, title: str) -> Scene:
    """Force against the push and torque of each hinge's spring over time, a line a leg or a hinge."""
    legs = [leg for leg in found.legs if leg.force.times]
    force = tuple(
        Series(f"leg {number}", leg.force.times, leg.force.on_drive) for number, leg in enumerate(legs, 1)
    )
    hinges = list(dict.fromkeys(name for leg in legs for name in leg.force.hinges))
    torque = tuple(_torque(legs, name) for name in hinges)
    panels = [Panel(Axis("force against the push", "N"), force)]
    if torque:
        panels.append(Panel(Axis("torque of the spring", "N m"), torque))
    marks = [Mark(event.time, event.kind) for leg in found.legs for event in leg.events]
    return plot_of(panels, Axis("time", "s"), title=title, marks=marks)


def sections(mechanism: Mechanism, found: Mating, title: str) -> list[Section]:
    """For a report: the machine as drawn, and its forces."""
    made = [Section("Picture", svg=svg.write(scene_of(mechanism)))]
    if any(leg.force.times for leg in found.legs):
        made.append(Section("Forces", svg=svg.write(scene_of_mating(found, title))))
    return made


def _torque(legs: list[LegStory], hinge: str) -> Series:
    """Over all legs, with a gap between them."""
    times: list[float] = []
    values: list[float] = []
    for leg in legs:
        if hinge in leg.force.hinges:
            times += [*leg.force.times, leg.force.times[-1]]
            values += [*leg.force.hinges[hinge].torque, float("nan")]
    return Series(hinge, times, values)
