"""What is this machine? Parts, joints, mobility, in words; more with --json."""

from __future__ import annotations

import argparse

from detent.app import source
from detent.app.answer import Answer
from detent.draw.report import Section
from detent.judge.explain import explain
from detent.record.explanation import Explanation

OFFERS = ("report",)


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a document, or the name of an example")


def run(args: argparse.Namespace) -> Answer:
    found = explain(source.load(args.file))
    return Answer(
        data=found,
        text=found.words,
        title=found.title or args.file,
        sections=lambda: _sections(found),
    )


def _sections(found: Explanation) -> list[Section]:
    joints = [(j.name, j.type, " and ".join(j.parts), j.why) for j in found.joints]
    made = [Section("Joints", rows=joints, head=("name", "type", "between", "why"))] if joints else []
    made.append(Section("Mobility", text=found.mobility.why))
    if found.assumptions:
        made.append(Section("Assumptions", rows=[(a,) for a in found.assumptions], head=("taken as given",)))
    return made
