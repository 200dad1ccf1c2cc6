"""How does it move? Positions, limits, speeds and forces along its drives.

Without flags the document's drives are followed. A linkage that cannot follow
its drive stops at the limit, and says where it is; that is an answer.
"""

from __future__ import annotations

import argparse
import math

from msgspec.structs import replace

from detent.app import films, inputs, output
from detent.draw.paper.report import Section
from detent.draw.words.answer import Answer
from detent.draw.words.move import turning as drive_turns
from detent.draw.words.move import words
from detent.foundation.errors import ModelError
from detent.foundation.exact import Number, number
from detent.model.document.drive import Drive
from detent.model.document.mechanism import Mechanism
from detent.model.machine.timing import gives_torque, positions
from detent.motion.kinematic.method import Kinematic
from detent.motion.methods import method_of
from detent.motion.prediction import move
from detent.record.motion import Motion

OFFERS = ("plot", "csv", "report")


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a document, or the name of an example")
    parser.add_argument("--drive", metavar="JOINT", help="drive this joint, not the document's drives")
    parser.add_argument(
        "--from", dest="first", type=float, metavar="COORDINATE", help="degrees, or units of travel"
    )
    parser.add_argument("--to", type=float, metavar="COORDINATE", help="degrees, or units of travel")
    parser.add_argument("--steps", type=int, metavar="N", help="intervals between positions (36)")
    parser.add_argument(
        "--method",
        choices=("kinematic", "newton_svd"),
        help="newton_svd: a plain Newton solver, for comparison",
    )
    parser.add_argument(
        "--breaking", choices=("limiting", "searching", "stretching"), help="what happens at a limit"
    )
    parser.add_argument(
        "--assemblies", action="store_true", help="list every way in which the links can be assembled"
    )
    parser.add_argument(
        "--load", action="append", default=[], metavar="MARKER=FX,FY", help="a force [N] on a marker"
    )
    parser.add_argument(
        "--chart",
        metavar="FILE",
        help="rotations, speeds, accelerations, transmission angles over the drive (.svg or .png)",
    )
    parser.add_argument(
        "--of", action="append", default=[], metavar="MARKER", help="chart this marker; may be repeated"
    )
    parser.add_argument("--film", metavar="FILE", help="show the motion (.gif, or .html that plays it)")


def run(args: argparse.Namespace) -> Answer:
    mechanism = inputs.load(args.file)
    drives = _drives(mechanism, args)
    motion = move(mechanism, method=_method(mechanism, args), drives=drives, loads=_loads(args))
    turning = drive_turns(mechanism, drives or mechanism.drives)
    _known_markers(motion, args.of)
    if args.chart:
        kind = output.ending(args.chart, ("svg", "png"), "--chart")
        output.write(args.chart, _chart(mechanism, motion, turning, args.of, kind))
    if args.film:
        kind = output.ending(args.film, films.KINDS, "--film")
        output.write(args.film, films.film_of(mechanism, films.fine(motion.run), kind))
    return Answer(
        data=motion,
        text=words(motion, mechanism, turning),
        title=motion.title or args.file,
        csv=motion.to_csv,
        plot=lambda kind: _plot(mechanism, motion, kind),
        sections=lambda: _sections(mechanism, motion, turning, args.of),
    )


def _method(mechanism: Mechanism, args: argparse.Namespace) -> Kinematic:
    asked = method_of(mechanism, "move")
    return Kinematic(
        breaking=args.breaking or asked.breaking,
        solver={"kinematic": "plan", "newton_svd": "newton_svd", None: asked.solver}[args.method],
        assemblies=args.assemblies or asked.assemblies,
    )


def _drives(mechanism: Mechanism, args: argparse.Namespace) -> dict[str, Drive] | None:
    if args.drive is None:
        if args.first is None and args.to is None and args.steps is None:
            return None
        return _changed_drive(mechanism, args)
    from detent.foundation.names import did_you_mean

    if args.drive not in mechanism.joints:
        raise ModelError.at(
            "--drive", f"there is no joint {args.drive!r}", did_you_mean(args.drive, mechanism.joints)
        )
    first, last = (
        _coordinate(args.first or 0, "--from"),
        _coordinate(360 if args.to is None else args.to, "--to"),
    )
    steps = args.steps or 36
    if mechanism.joints[args.drive].type == "prismatic":
        return {args.drive: Drive(joint=args.drive, from_=first, to=last, steps=steps)}
    return {args.drive: Drive(joint=args.drive, from_deg=first, to_deg=last, steps=steps)}


def _changed_drive(mechanism: Mechanism, args: argparse.Namespace) -> dict[str, Drive]:
    """The document's one drive of a joint with another range or other steps; its torques stay."""
    moving = {name: drive for name, drive in mechanism.drives.items() if not gives_torque(drive)}
    joints = {name: drive for name, drive in moving.items() if drive.joint in mechanism.joints}
    flag = next(
        f for f, x in (("--from", args.first), ("--to", args.to), ("--steps", args.steps)) if x is not None
    )
    if len(joints) != 1 or len(moving) != 1:
        what = "has no drive of a joint" if not joints else "has several drives"
        raise ModelError.at(flag, f"the document {what}", "say which joint: --drive JOINT")
    ((name, drive),) = joints.items()
    slides = mechanism.joints[str(drive.joint)].type == "prismatic"
    length = 1.0 if slides else math.degrees(1.0)
    known = positions(drive, length=1.0)
    first = _end_of(args.first, "--from", known[:1], length)
    last = _end_of(args.to, "--to", known[-1:], length)
    steps = args.steps or drive.steps or max(len(known) - 1, 1)
    ends = {"from_": first, "to": last} if slides else {"from_deg": first, "to_deg": last}
    none = {"from_": None, "to": None, "from_deg": None, "to_deg": None, "inputs": None, "inputs_deg": None}
    return {**mechanism.drives, name: replace(drive, **{**none, **ends, "steps": steps})}


def _end_of(value: float | None, flag: str, known: tuple[float, ...], length: float) -> Number:
    """A flag's coordinate, else the drive's own, in degrees or document units."""
    if value is not None:
        return _coordinate(value, flag)
    return number(round(known[0] * length, 12)) if known else number(0)


def _coordinate(value: float, flag: str) -> Number:
    try:
        return number(value)
    except ValueError as problem:
        raise ModelError.at(flag, str(problem), "give degrees, or units of travel") from None


def _loads(args: argparse.Namespace) -> dict[str, tuple[float, float]] | None:
    if not args.load:
        return None
    loads: dict[str, tuple[float, float]] = {}
    for text in args.load:
        name, _, numbers = text.partition("=")
        pieces = numbers.split(",")
        try:
            loads[name] = (float(number(pieces[0])), float(number(pieces[1])))
        except (ValueError, IndexError):
            raise ModelError.at(
                "--load", f"{text!r} is not a load", "write MARKER=FX,FY, as coupler.T=0,-10"
            ) from None
    return loads


def _known_markers(motion: Motion, names: list[str]) -> None:
    from detent.foundation.names import did_you_mean

    for name in names:
        if name not in motion.markers:
            raise ModelError.at("--of", f"there is no marker {name!r}", did_you_mean(name, motion.markers))


def _plot(mechanism: Mechanism, motion: Motion, kind: str) -> bytes:
    from detent.draw.chart.motion import motion_scene
    from detent.draw.paper import picture

    return picture.write(motion_scene(mechanism, motion), kind)


def _chart(mechanism: Mechanism, motion: Motion, turning: bool, markers: list[str], kind: str) -> bytes:
    from detent.draw.chart.motion import chart_of_motion
    from detent.draw.paper import picture

    return picture.write(chart_of_motion(mechanism, motion, turning=turning, markers=markers), kind)


def _sections(mechanism: Mechanism, motion: Motion, turning: bool, markers: list[str]) -> list[Section]:
    sections = [Section("Picture", svg=_plot(mechanism, motion, "svg").decode())]
    if len(motion.inputs) > 1:
        sections.append(Section("Charts", svg=_chart(mechanism, motion, turning, markers, "svg").decode()))
    if motion.limit_points:
        rows = [(repr(p.input), p.kind, ", ".join(p.parts), p.detail) for p in motion.limit_points]
        unit = "rad" if turning else motion.units
        sections.append(Section("Limits", rows=rows, head=(f"drive [{unit}]", "kind", "parts", "why")))
    return sections
