"""`detent mate` of rigid parts that a robot, a carrier or an elastic joint leads."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from detent.draw.words.answer import Answer
from detent.foundation.errors import UnsupportedError

if TYPE_CHECKING:
    from detent.draw.paper.report import Section
    from detent.model.document.mechanism import Mechanism
    from detent.record.led.rigid import RigidMating


def of_rigid(mechanism: Mechanism, mating: RigidMating, title: str, args: argparse.Namespace) -> Answer:
    """Words, the table over time, plots."""
    from detent.draw.chart.rigid import whole_plot
    from detent.draw.paper import picture
    from detent.draw.words.led.rigid import words

    if args.slice or args.exact or args.fast:
        flag = "--slice" if args.slice else "--exact" if args.exact else "--fast"
        problem = "a rigid mating is computed over time"
        raise UnsupportedError(problem, "--plot draws its forces and its jamming diagram", flag)
    return Answer(
        data=mating,
        text=words(mating, title),
        title=title,
        csv=mating.to_csv,
        plot=lambda kind: picture.write(whole_plot(mating, title), kind),
        sections=lambda: _sections(mechanism, mating, title),
        notes=[f"note: {note}" for note in mating.notes],
    )


def _sections(mechanism: Mechanism, mating: RigidMating, title: str) -> list[Section]:
    from detent.draw.chart.rigid import jamming_diagram, over_time
    from detent.draw.machine.sides import seen_from
    from detent.draw.paper import svg
    from detent.draw.paper.report import Section

    sections = [
        Section("From the side", svg=svg.write(seen_from(mechanism, "side"))),
        Section("Forces over time", svg=svg.write(over_time(mating, title))),
    ]
    for number, leg in enumerate(mating.legs, 1):
        if leg.jamming is not None:
            drawn = svg.write(jamming_diagram(leg.jamming, mating.units))
            sections.append(Section(f"Jamming diagram of leg {number}", svg=drawn))
    return sections
