"""Is this document sound? Prints every problem with its place and its remedy.

Exit code 0: no problem. 2: problems, printed.
"""

from __future__ import annotations

import argparse
from typing import Any

from detent.app import inputs
from detent.draw.words.answer import Answer
from detent.foundation.errors import ModelError, Problem, UnsupportedError
from detent.io import formats
from detent.model.document.mechanism import Mechanism
from detent.model.machine import joint_gaps, shape_checks, timing


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a document, or the name of an example")


def run(args: argparse.Namespace) -> Answer:
    try:
        mechanism = inputs.load(args.file)
    except ModelError as error:
        return _problems(error.problems)
    if problems := [*shape_checks.problems(mechanism), *timing.problems(mechanism.drives)]:
        return _problems(
            tuple(problems) if args.file == "-" else formats.placed(problems, inputs.find(args.file))
        )
    near: list[Any] = []
    if sum(part.shape is not None for part in mechanism.parts.values()) > 1:
        from detent.contact.touching.near import near_misses, sunk_problems

        if problems := sunk_problems(mechanism):
            return _problems(
                tuple(problems) if args.file == "-" else formats.placed(problems, inputs.find(args.file))
            )
        near = near_misses(mechanism)
    gaps = joint_gaps.gaps(mechanism) if mechanism.joints else []
    if gaps and (problems := _cannot_close(mechanism)):
        return _problems(
            tuple(problems) if args.file == "-" else formats.placed(problems, inputs.find(args.file))
        )
    notes = [
        *joint_gaps.odd_links(mechanism),
        *(f"{each.words}: they do not touch" for each in near),
    ]
    counts = ", ".join(_count(getattr(mechanism, noun), noun) for noun in ("parts", "joints", "drives"))
    return Answer(
        data={"ok": True, "problems": [], "gaps": [vars(gap) for gap in gaps], "notes": notes},
        text="\n".join(
            [
                f"{mechanism.title or args.file}: sound ({counts})",
                *map(_gap_words, gaps),
                *(f"  {note}" for note in notes),
            ]
        ),
    )


def _cannot_close(mechanism: Mechanism) -> list[Problem]:
    """The loop that no pose closes; nothing where the drawing can be closed, or is not a linkage."""
    from detent.kinematics.equations.start import closed_pose
    from detent.model.machine.plane_linkage import plane_linkage_of

    try:
        closed_pose(plane_linkage_of(mechanism), mechanism.start)
    except ModelError as error:
        return list(error.problems)
    except UnsupportedError:
        return []
    return []


def _gap_words(gap: joint_gaps.JointGap) -> str:
    angle = f" and {gap.angle:.3g} rad" if gap.angle else ""
    return (
        f"  joint {gap.joint} is drawn {gap.distance:.3g}{angle} open; it is closed from there when it moves"
    )


def _problems(problems: tuple[Problem, ...]) -> Answer:
    return Answer(
        data={"ok": False, "problems": [problem.to_json() for problem in problems]},
        text="\n".join(str(problem) for problem in problems),
        code=2,
    )


def _count(things: Any, noun: str) -> str:
    return f"{len(things)} {noun if len(things) != 1 else noun.removesuffix('s')}"
