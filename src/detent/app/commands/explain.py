"""What is this machine? Parts, joints, mobility, in words; more with --json."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from detent.app import inputs
from detent.app.verbs import explain
from detent.draw.words.answer import Answer
from detent.model.document.mechanism import Mechanism
from detent.record.explanation import Explanation

if TYPE_CHECKING:
    from detent.draw.paper.report import Section

OFFERS = ("plot", "report")


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a document, or the name of an example")
    parser.add_argument(
        "--at", metavar="TIME", type=float, help="run it to this time [s], and say what then moves with what"
    )


def run(args: argparse.Namespace) -> Answer:
    mechanism = inputs.load(args.file)
    explanation = explain(mechanism, at=args.at)
    return Answer(
        data=explanation,
        text=explanation.words,
        title=explanation.title or args.file,
        plot=lambda kind: _pegs(explanation, mechanism, kind) or _picture(mechanism, kind),
        sections=lambda: _sections(explanation, mechanism),
    )


def _picture(mechanism: Mechanism, kind: str) -> bytes:
    from detent.draw.machine.machine import machine_scene
    from detent.draw.paper import picture

    return picture.write(machine_scene(inputs.in_layers(mechanism)[0]), kind)


def _pegs(explanation: Explanation, mechanism: Mechanism, kind: str) -> bytes | None:
    """Whitney's pictures of the pegs that are told, one below the other; None where there are none."""
    told = [each for each in explanation.pegs.values() if "why_not" not in each]
    if not told:
        return None
    from detent.draw.chart.pegs import peg_scene
    from detent.draw.chart.stacked import stacked
    from detent.draw.paper import picture

    return picture.write(
        stacked([peg_scene(each, mechanism.units, explanation.title or each["peg"]) for each in told]), kind
    )


def _sections(explanation: Explanation, mechanism: Mechanism) -> list[Section]:
    from detent.draw.paper.report import Section

    joints = [(j.name, j.type, " and ".join(j.parts), j.why) for j in explanation.joints]
    sections = [Section("Picture", svg=_picture(mechanism, "svg").decode())] if mechanism.parts else []
    if (svg := _pegs(explanation, mechanism, "svg")) is not None:
        sections.append(Section("Peg and hole", svg=svg.decode()))
    if joints:
        sections.append(Section("Joints", rows=joints, head=("name", "type", "between", "why")))
    sections.append(Section("Mobility", text=explanation.mobility.why))
    sections += [section for name in explanation.robots for section in _of_robot(explanation, name)]
    if explanation.assumptions:
        sections.append(
            Section("Assumptions", rows=[(a,) for a in explanation.assumptions], head=("taken as given",))
        )
    return sections


def _of_robot(explanation: Explanation, name: str) -> list[Section]:
    """The matrices of a robot's equations of motion, which words leave out."""
    from detent.draw.paper.report import Section

    robot = explanation.robots[name]
    if "why_not" in robot:
        return [Section(f"Robot {name}", text=robot["why_not"])]
    names = tuple(robot["coordinates"])
    told = {"M": "inertia", "P": "damping", "Q": "stiffness, weight included"}
    return [
        Section(
            f"Robot {name}: {key} of M q'' + P q' + Q q = B u, {what}",
            rows=[(row, *(f"{x:.4g}" for x in line)) for row, line in zip(names, robot[key], strict=True)],
            head=("", *names),
        )
        for key, what in told.items()
    ]
