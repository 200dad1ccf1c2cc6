"""`detent mate` and `detent run` of parts that are led, stepped over time: compliant or rigid."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Literal

from detent.app import films, output
from detent.draw.words.answer import Answer
from detent.foundation.errors import UnsupportedError
from detent.judge.stepped_run import SteppedMating
from detent.record.led.mating import LedMating

if TYPE_CHECKING:
    from detent.draw.paper.report import Section
    from detent.draw.scene.scene import Scene
    from detent.model.document.mechanism import Mechanism
    from detent.record.compliant_mating import HookBending
    from detent.record.led.rigid import RigidMating
    from detent.record.run import Run


def of_stepped(mechanism: Mechanism, mating: SteppedMating, title: str, args: argparse.Namespace) -> Answer:
    """Its film and strip written where they are asked for, and the answer."""
    if isinstance(mating, LedMating):
        answer = of_led(mechanism, mating, title, args)
    else:
        answer = of_rigid(mechanism, mating, title, args)
    write_film_and_strip(mechanism, mating.run, args)
    return answer


def write_film_and_strip(mechanism: Mechanism, run: Run, args: argparse.Namespace) -> None:
    """Whichever are asked for."""
    if args.strip:
        from detent.draw.film.strip import strip

        output.ending(args.strip, ("png",), "--strip")
        output.write(args.strip, strip(mechanism, run.trajectory))
    if args.film:
        kind = output.ending(args.film, films.KINDS, "--film")
        output.write(args.film, films.film_of(mechanism, run.trajectory, kind))


def scene_of(mating: SteppedMating, title: str) -> Scene:
    """Forces over time."""
    if isinstance(mating, LedMating):
        from detent.draw.chart.led import over_time

        return over_time(mating, title)
    from detent.draw.chart.rigid import over_time as rigid_over_time

    return rigid_over_time(mating, title)


def of_led(mechanism: Mechanism, mating: LedMating, title: str, args: argparse.Namespace) -> Answer:
    """Of compliant parts, with or without rigid ones beside them."""
    from detent.draw.chart.led import over_time, over_travel, whole_plot
    from detent.draw.words.led.mating import words

    _refuse_slices(args, "a mating that a robot leads", "its speed and its forces")

    def sections() -> list[Section]:
        return [
            *views(mechanism, "side", "front"),
            _drawn("Speed and force over time", over_time(mating, title)),
            _drawn("Force over the way", over_travel(mating, title)),
            *bending_section(mating.units, [leg.bending for leg in mating.legs]),
        ]

    return _answer(mating, title, words(mating, title), lambda: whole_plot(mating, title), sections)


def bending_section(units: str, legs: Sequence[Sequence[HookBending]]) -> list[Section]:
    """What bent beams endure, leg by leg, beside what their material allows."""
    from detent.draw.paper.report import Section
    from detent.draw.words.compliant import bending_table

    rows = bending_table(units, legs)
    return [Section("What the beams endure", rows=rows[1:], head=rows[0])] if rows[1:] else []


def of_rigid(mechanism: Mechanism, mating: RigidMating, title: str, args: argparse.Namespace) -> Answer:
    """Of rigid parts, a round peg among them."""
    from detent.draw.chart.rigid import has_traces, jamming_diagram, over_time, whole_plot
    from detent.draw.chart.rounds import traces
    from detent.draw.words.led.rigid import words

    _refuse_slices(args, "a rigid mating", "its forces, its contacts and its jamming diagram")

    def sections() -> list[Section]:
        diagrams = [
            _drawn(f"Jamming diagram of leg {number}", jamming_diagram(leg.jamming, mating.units))
            for number, leg in enumerate(mating.legs, 1)
            if leg.jamming is not None
        ]
        paths = []
        if has_traces(mating):
            paths = [_drawn("Where contacts lay on both parts, unrolled", traces(mating))]
        over = _drawn("Forces over time", over_time(mating, title))
        return [*views(mechanism, "side"), over, *paths, *diagrams]

    return _answer(mating, title, words(mating, title), lambda: whole_plot(mating, title), sections)


def views(mechanism: Mechanism, *sides: Literal["side", "front"]) -> list[Section]:
    """The machine from each of these sides."""
    from detent.draw.machine.sides import seen_from

    return [_drawn(f"From the {side}", seen_from(mechanism, side)) for side in sides]


def _drawn(heading: str, scene: Scene) -> Section:
    from detent.draw.paper import svg
    from detent.draw.paper.report import Section

    return Section(heading, svg=svg.write(scene))


def _refuse_slices(args: argparse.Namespace, what: str, drawn: str) -> None:
    """What is stepped over time has no slice of configurations, and one way of computing."""
    asked = [flag for flag in ("slice", "exact", "fast") if getattr(args, flag, None)]
    if asked:
        flag = f"--{asked[0]}"
        raise UnsupportedError(f"{what} is computed over time", f"--plot draws {drawn}", flag)


def _answer(
    mating: SteppedMating,
    title: str,
    text: str,
    draw: Callable[[], Scene],
    sections: Callable[[], list[Section]],
) -> Answer:
    from detent.draw.paper import picture

    return Answer(
        data=mating,
        text=text,
        title=title,
        csv=mating.to_csv,
        plot=lambda kind: picture.write(draw(), kind),
        sections=sections,
        notes=[f"note: {note}" for note in mating.notes],
    )
