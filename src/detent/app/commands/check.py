"""Are these documents sound? Prints every problem with its place and its remedy.

Exit code 0: no problem. 2: problems, printed. 3: a file that this version cannot read.
With several files --json gives {ok, files: [...]}, one entry per file in their order.
"""

from __future__ import annotations

import argparse
import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from detent.app import inputs
from detent.app.cli import UNSUPPORTED
from detent.app.parsing import WRONG
from detent.draw.words.answer import Answer
from detent.foundation.errors import ModelError, Problem, UnsupportedError
from detent.foundation.progress import reached
from detent.foundation.units import unit_names
from detent.io import formats
from detent.model.document.mechanism import Mechanism
from detent.model.document.part import is_robot
from detent.model.machine import graph, timing
from detent.model.machine.drawn import joint_gaps, shape_checks
from detent.model.machine.drawn.drawn_beyond import drawn_beyond_limits
from detent.model.machine.drawn.repeated import repeated_joints
from detent.model.machine.mass import part_weight
from detent.model.machine.seen_along import seen_along_axis
from detent.model.reading.angles import odd_angles

if TYPE_CHECKING:
    from detent.model.machine.drawn.beside_joints import BesideJoint


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", metavar="FILE", nargs="+", help="documents, or names of examples")


def run(args: argparse.Namespace) -> Answer:
    if args.files.count("-") > 1:
        raise ModelError.at("-", "the standard input can be read only once", "name it once")
    if len(args.files) == 1:
        return _check(args.files[0])
    answers = []
    for number, file in enumerate(args.files):
        reached(number, len(args.files), file)
        answers.append(_checked(file))
    entries = [{"file": file, **answer.data} for file, answer in zip(args.files, answers, strict=True)]
    codes = {answer.code for answer in answers}
    return Answer(
        data={"ok": codes == {0}, "files": entries},
        text="\n".join(answer.text for answer in answers if answer.code or not args.quiet),
        code=next((code for code in (WRONG, UNSUPPORTED) if code in codes), 0),
    )


def _checked(file: str) -> Answer:
    """One file among others: what cannot be read does not keep the others from being read."""
    try:
        return _check(file, named=True)
    except UnsupportedError as error:
        problem = replace(error.problem, file=error.problem.file or file)
        return _problems((problem,), code=UNSUPPORTED)


def _check(file: str, *, named: bool = False) -> Answer:
    """One document; `named` calls it by its file, not by its title."""
    try:
        mechanism = inputs.load(file)
    except ModelError as error:
        return _problems(error.problems)
    try:
        joined = inputs.joined(mechanism)
    except ModelError as error:
        return _problems(_placed(list(error.problems), file))
    problems = [
        *_out_of_reach(mechanism),
        *shape_checks.problems(mechanism, inputs.joined),
        *timing.problems(mechanism.drives),
    ]
    if problems:
        return _problems(_placed(problems, file))
    near: list[Any] = []
    if sum(part.shape is not None for part in mechanism.parts.values()) > 1:
        from detent.contact.touching.near import ALMOST, pair_gaps, sunk

        pairs = pair_gaps(mechanism, within=ALMOST)
        if problems := sunk(pairs):
            return _problems(_placed(problems, file))
        at_joints = {frozenset(graph.parts_of(joint)) for joint in joined.joints.values()}  # by their play
        given = {frozenset(contact.between) for contact in mechanism.contacts}
        told = at_joints | given
        near = [each for each in pairs if each.misses and {each.first, each.second} not in told]
    gaps = joint_gaps.gaps(mechanism) if mechanism.joints else []
    if (gaps or joined.start) and (problems := _cannot_close(joined)):
        return _problems(_placed(problems, file))
    closing = _closing(joined, mechanism.units) if gaps else ""
    notes = [
        *_empty(mechanism),
        *odd_angles(joined),  # whose slides are known as such, also those that shapes make
        *joint_gaps.odd_links(mechanism),
        *repeated_joints(joined),
        *drawn_beyond_limits(joined),
        *timing.sizes_of_speeds(mechanism.drives),
        *graph.loose_parts(joined),
        *_locked(joined),
        *(each.words for each in _beside_joints(joined)),
        *(f"{each.words}: they do not touch" for each in near),
        *(f"{each} as drawn" for each in _off_shapes(mechanism)),
    ]
    refused = {"mate": _refused_by_mate(mechanism), "run": _refused_by_run(mechanism)}
    counts = ", ".join(_count(getattr(mechanism, noun), noun) for noun in ("parts", "joints", "drives"))
    return Answer(
        data={
            "ok": True,
            "problems": [],
            "gaps": [vars(gap) for gap in gaps],
            "notes": notes,
            "refused": {
                verb: [problem.to_json() for problem in problems]
                for verb, problems in refused.items()
                if problems
            },
        },
        text="\n".join(
            [
                f"{(not named and mechanism.title) or file}: sound ({counts})",
                *(_gap_words(gap, mechanism.units, closing) for gap in gaps),
                *(f"  {note}" for note in notes),
                *(
                    f"  `detent {verb}` would refuse it: {problem}"
                    for verb, problems in refused.items()
                    for problem in problems
                ),
            ]
        ),
    )


def _off_shapes(mechanism: Mechanism) -> tuple[str, ...]:
    """Contacts given where the shapes are not."""
    if not mechanism.contacts:
        return ()
    from detent.contact.touching.off_shapes import given_off_shapes

    return given_off_shapes(mechanism)


def _beside_joints(mechanism: Mechanism) -> list[BesideJoint]:
    """Parts that a pin joins, and that are drawn into each other elsewhere."""
    if not mechanism.joints or sum(part.shape is not None for part in mechanism.parts.values()) < 2:
        return []
    from detent.model.machine.drawn.beside_joints import beside_joints
    from detent.model.machine.solids import part_solid

    solids = {name: part_solid(mechanism, name) for name in mechanism.parts}
    return list(beside_joints(mechanism, {name: each for name, each in solids.items() if each is not None}))


def _out_of_reach(mechanism: Mechanism) -> list[Problem]:
    """Of robots: places that they cannot be at, though each setting by itself is sound."""
    if not any(map(is_robot, mechanism.parts.values())):
        return []
    from detent.library.robot_in_document import out_of_reach

    return out_of_reach(mechanism)


def _placed(problems: list[Problem], file: str) -> tuple[Problem, ...]:
    """With the lines of the file that they are in; the standard input cannot be read again."""
    return tuple(problems) if file == "-" else formats.placed(problems, inputs.find(file))


def _refused_by_mate(mechanism: Mechanism) -> tuple[Problem, ...]:
    """Why `mate` would refuse a document that asks for it, by `ask.mate` or by a drive with legs."""
    asks = mechanism.ask is not None and mechanism.ask.mate is not None
    if not asks and not any(drive.legs for drive in mechanism.drives.values()):
        return ()
    from detent.judge.mating import refusals

    return refusals(mechanism)


def _refused_by_run(mechanism: Mechanism) -> tuple[Problem, ...]:
    """Why `run` would refuse a document by what it says itself: a mass without its place."""
    problems: list[Problem] = []
    for name, part in mechanism.parts.items():
        if part.fixed or part.mass is None or part.center is not None:
            continue
        try:
            part_weight(mechanism, name)
        except ModelError as error:
            problems += error.problems
    return tuple(problems)


def _locked(joined: Mechanism) -> list[str]:
    """That joints let no part move, where they were meant to."""
    if all(joint.type == "fixed" for joint in joined.joints.values()):
        return []
    count = graph.gruebler(joined).mobility
    if count is None or count > 0:  # as many freedoms are left, at least
        return []
    from detent.judge.linkage import linkage_of

    linkage = linkage_of(joined)
    if linkage.actual != 0 or not linkage.closes:
        return []
    return ["no part can move: the joints hold every part in its place (`detent explain` says more)"]


def _empty(mechanism: Mechanism) -> list[str]:
    if mechanism.parts or mechanism.contacts or mechanism.rows is not None:
        return []
    return ["it is empty: add [parts.NAME] tables, or begin with a copy, as `detent examples four_bar`"]


def _cannot_close(mechanism: Mechanism) -> list[Problem]:
    """The loop that no pose closes, or a start that joints do not allow; nothing of what is no linkage."""
    from detent.kinematics.equations.start import closed_pose
    from detent.model.machine.plane_linkage import plane_linkage_of
    from detent.model.machine.starts import start_by_joint

    try:
        closed_pose(plane_linkage_of(mechanism), start_by_joint(mechanism))
    except ModelError as error:
        return list(error.problems)
    except UnsupportedError:
        return []
    return []


def _closing(mechanism: Mechanism, units: str) -> str:
    """What comes of a drawing that is open: it is closed from there, or has no freedom once it is."""
    from detent.judge.linkage import linkage_of

    linkage = linkage_of(seen_along_axis(mechanism))
    if linkage.actual != 0 or not linkage.displaced:
        return "it is closed from there when it moves"
    far = max(away for _, away, _ in linkage.displaced)
    turn = max(abs(turn) for _, _, turn in linkage.displaced)
    away = f"up to {far:.3g}{unit_names(units).length} and {math.degrees(turn):.3g}°"
    return f"closed, it has no freedom left, with its parts {away} from where they are drawn"


def _gap_words(gap: joint_gaps.JointGap, units: str, closing: str) -> str:
    angle = f" and {math.degrees(gap.angle):.3g}°" if gap.angle else ""
    length = f"{gap.distance:.3g}{unit_names(units).length}"
    return f"  joint {gap.joint} is drawn {length}{angle} open; {closing}"


def _problems(problems: tuple[Problem, ...], code: int = WRONG) -> Answer:
    return Answer(
        data={"ok": False, "problems": [problem.to_json() for problem in problems]},
        text="\n".join(str(problem) for problem in problems),
        code=code,
    )


def _count(things: Any, noun: str) -> str:
    return f"{len(things)} {noun if len(things) != 1 else noun.removesuffix('s')}"
