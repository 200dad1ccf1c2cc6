"""`detent mate`: which working position of a robot or a carrier is better."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from detent.app import inputs, stepped_mating
from detent.draw.words.answer import Answer
from detent.foundation.errors import ModelError
from detent.foundation.units import metres

if TYPE_CHECKING:
    from detent.draw.paper.report import Section
    from detent.draw.scene.scene import Scene
    from detent.model.document.mechanism import Mechanism
    from detent.record.led.mating import LedMating
    from detent.record.led.positions import BetterPosition

RADIUS = "radius="  # of `--beside`: the same task at another radius of the wrist


def of_positions(mechanism: Mechanism, args: argparse.Namespace) -> Answer:
    """Which working position is better: of documents, of radii, or of a search."""
    from detent.draw.chart.led import beside, over_positions
    from detent.draw.paper import picture
    from detent.draw.words.led.positions import words
    from detent.judge.led.positions import compared, searched

    title = mechanism.title or args.file
    if args.search is not None:
        answer = searched(mechanism, args.search)
        matings: dict[str, LedMating] = {}
    else:
        machines = {args.file: mechanism} | {name: _other(mechanism, name) for name in args.beside}
        if len(machines) < 1 + len(args.beside):
            raise ModelError.at("--beside", "names one position twice", "give each once")
        answer, matings = compared(machines)

    def draw() -> Scene:
        return beside(matings, title) if matings else over_positions(answer, title)

    return Answer(
        data=answer,
        text=words(answer, title),
        title=title,
        csv=answer.to_csv,
        plot=lambda kind: picture.write(draw(), kind),
        sections=lambda: _report(mechanism, answer, draw()),
        notes=[f"note: {note}" for note in answer.notes],
    )


def _other(mechanism: Mechanism, name: str) -> Mechanism:
    """A document by its name, or the task at another radius of the wrist."""
    from detent.judge.led.positions import arm_that_leads, at_radius

    if not name.startswith(RADIUS):
        return inputs.joined(inputs.load(name), add=False)
    try:
        radius = float(name.removeprefix(RADIUS))
    except ValueError:
        radius = 0.0
    if not 0 < radius < 1e9:
        raise ModelError.at("--beside", f"{name!r} is no radius", "write radius=450, in the document's units")
    return at_radius(mechanism, arm_that_leads(mechanism), radius * metres(mechanism.units))


def _report(mechanism: Mechanism, answer: BetterPosition, drawn: Scene) -> list[Section]:
    from detent.draw.paper import svg
    from detent.draw.paper.report import Section
    from detent.draw.words.led.positions import head_and_rows

    head, rows = head_and_rows(answer)
    return [
        Section("Which position is better", svg=svg.write(drawn)),
        Section("Positions", rows=rows, head=head),
        *stepped_mating.views(mechanism, "side", "front"),
    ]
