"""`detent mate` of a round peg that is led into a round hole, rigid on rigid."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from detent.draw.words.answer import Answer
from detent.foundation.errors import UnsupportedError

if TYPE_CHECKING:
    from detent.draw.paper.report import Section
    from detent.model.document.mechanism import Mechanism
    from detent.record.led.rounds import RoundMating


def of_round(mechanism: Mechanism, mating: RoundMating, title: str, args: argparse.Namespace) -> Answer:
    """Words, the table over time, plots."""
    from detent.draw.chart.rounds import whole_plot
    from detent.draw.paper import picture
    from detent.draw.words.led.rounds import words

    if args.slice or args.exact or args.fast:
        flag = "--slice" if args.slice else "--exact" if args.exact else "--fast"
        problem = "a rigid mating is computed over time"
        raise UnsupportedError(problem, "--plot draws its forces and the traces of its contacts", flag)
    return Answer(
        data=mating,
        text=words(mating, title),
        title=title,
        csv=mating.to_csv,
        plot=lambda kind: picture.write(whole_plot(mating, title), kind),
        sections=lambda: _sections(mechanism, mating, title),
        notes=[f"note: {note}" for note in mating.notes],
    )


def _sections(mechanism: Mechanism, mating: RoundMating, title: str) -> list[Section]:
    from detent.draw.chart.rounds import forces_over_time, traces
    from detent.draw.machine.sides import seen_from
    from detent.draw.paper import svg
    from detent.draw.paper.report import Section

    sections = [
        Section("From the side", svg=svg.write(seen_from(mechanism, "side"))),
        Section("Forces over time", svg=svg.write(forces_over_time(mating, title))),
    ]
    if any(leg.traces for leg in mating.legs):
        drawn = svg.write(traces(mating))
        sections.append(Section("Where contacts lay on both parts, unrolled", svg=drawn))
    return sections
