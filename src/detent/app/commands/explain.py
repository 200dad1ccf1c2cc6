"""What is this machine? Parts, joints, mobility, in words; more with --json."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from detent.app import inputs
from detent.draw.words.answer import Answer
from detent.draw.words.explain import in_words
from detent.model.document.mechanism import Mechanism
from detent.record.explanation import Explanation

if TYPE_CHECKING:
    from detent.draw.paper.report import Section

OFFERS = ("plot", "report")


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a document, or the name of an example")


def run(args: argparse.Namespace) -> Answer:
    mechanism = inputs.load(args.file)
    found = in_words(mechanism)
    return Answer(
        data=found,
        text=found.words,
        title=found.title or args.file,
        plot=lambda kind: _picture(mechanism, kind),
        sections=lambda: _sections(found, mechanism),
    )


def _picture(mechanism: Mechanism, kind: str) -> bytes:
    from detent.draw.machine.machine import machine_scene
    from detent.draw.paper import picture

    return picture.write(machine_scene(mechanism), kind)


def _sections(found: Explanation, mechanism: Mechanism) -> list[Section]:
    from detent.draw.paper.report import Section

    joints = [(j.name, j.type, " and ".join(j.parts), j.why) for j in found.joints]
    made = [Section("Picture", svg=_picture(mechanism, "svg").decode())] if mechanism.parts else []
    if joints:
        made.append(Section("Joints", rows=joints, head=("name", "type", "between", "why")))
    made.append(Section("Mobility", text=found.mobility.why))
    if found.assumptions:
        made.append(Section("Assumptions", rows=[(a,) for a in found.assumptions], head=("taken as given",)))
    return made
