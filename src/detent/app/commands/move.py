"""How does it move? Positions, limits, speeds and forces along its drives.

Without flags the document's drives are followed. A linkage that cannot follow
its drive stops at the limit, and says where it is; that is an answer.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Mapping
from typing import get_args

from msgspec.structs import replace

from detent.app import films, inputs, output
from detent.draw.paper.report import Section
from detent.draw.words.answer import Answer
from detent.draw.words.move import at_input, range_words, words
from detent.foundation.errors import ModelError, UnsupportedError
from detent.foundation.exact import Number, number
from detent.foundation.names import clipped, did_you_mean
from detent.model.document.ask import Breaking
from detent.model.document.drive import Drive
from detent.model.document.mechanism import Mechanism
from detent.model.machine.timing import gives_torque
from detent.motion.kinematic.method import Kinematic
from detent.motion.methods import kinematic_of, method_of
from detent.motion.prediction import move
from detent.motion.rigid.following.method import Following
from detent.record.motion import Motion

OFFERS = ("plot", "csv", "report")


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a document, or the name of an example")
    parser.add_argument("--drive", metavar="JOINT", help="drive this joint instead of the document's drives")
    parser.add_argument(
        "--from",
        dest="first",
        type=float,
        metavar="COORDINATE",
        help="degrees, or units of travel; of the document's one drive, unless --drive says another joint",
    )
    parser.add_argument("--to", type=float, metavar="COORDINATE", help="degrees, or units of travel")
    parser.add_argument("--steps", type=int, metavar="N", help="intervals between positions (36)")
    parser.add_argument(
        "--method",
        choices=("kinematic", "newton_svd"),
        help="newton_svd: a plain Newton solver, for comparison",
    )
    parser.add_argument(
        "--contact",
        action="store_true",
        help="follow contact, slowly: what is touched is pushed on, or stops the drive",
    )
    parser.add_argument("--breaking", choices=get_args(Breaking), help="what happens at a limit")
    parser.add_argument(
        "--assemblies", action="store_true", help="list every way in which the links can be assembled"
    )
    parser.add_argument(
        "--load",
        action="append",
        default=[],
        metavar="MARKER=FX,FY",
        help="a force [N] on a marker; in space FX,FY,FZ",
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
    if args.of and not (args.chart or args.report):
        raise ModelError.at(
            "--of", "means nothing without --chart or --report", "add one of them, or leave it out"
        )
    mechanism, view = inputs.in_layers(_loaded(inputs.load(args.file), args))
    drives = _drives(mechanism, args)
    motion = move(mechanism, method=_method(mechanism, args), drives=drives)
    motion = inputs.with_view(motion, view)
    _known_markers(motion, args.of)
    _refuse_unmoved(motion, {"--chart": args.chart, "--film": args.film})
    if args.chart:
        kind = output.ending(args.chart, ("svg", "png"), "--chart")
        output.write(args.chart, _chart(mechanism, motion, args.of, kind))
    if args.film:
        kind = output.ending(args.film, films.KINDS, "--film")
        output.write(args.film, films.film_of(mechanism, films.fine(motion.run), kind))
    return Answer(
        data=motion,
        text=words(motion, mechanism),
        title=motion.title or args.file,
        csv=motion.to_csv,
        plot=lambda kind: _plot(mechanism, motion, kind),
        sections=lambda: _sections(mechanism, motion, args.of),
    )


def _method(mechanism: Mechanism, args: argparse.Namespace) -> Kinematic | Following:
    if args.contact or (args.method is None and isinstance(method_of(mechanism, "move"), Following)):
        unfit = {"--method": args.method, "--breaking": args.breaking, "--assemblies": args.assemblies}
        for flag, value in unfit.items():
            if value:
                raise ModelError.at(flag, "is of moving joints alone", "leave it or --contact out")
        return Following()
    asked = kinematic_of(mechanism)
    return Kinematic(
        breaking=args.breaking or asked.breaking,
        solver={"kinematic": "plan", "newton_svd": "newton_svd", None: asked.solver}[args.method],
        assemblies=args.assemblies or asked.assemblies,
    )


def _drives(mechanism: Mechanism, args: argparse.Namespace) -> dict[str, Drive] | None:
    """The drives that the flags ask for; None for those of the document as they are."""
    flags = {"--from": args.first, "--to": args.to, "--steps": args.steps}
    used = [flag for flag, value in flags.items() if value is not None]
    if args.steps is not None and args.steps < 1:
        raise ModelError.at("--steps", f"is {args.steps}", "give the number of intervals, at least 1")
    if args.drive is None:
        return _changed_drive(mechanism, args, used[0]) if used else None
    if args.drive not in mechanism.joints:
        raise ModelError.at(
            "--drive", f"there is no joint {args.drive!r}", did_you_mean(args.drive, mechanism.joints)
        )
    is_angle = mechanism.joints[args.drive].type != "prismatic"
    if args.to is None and not is_angle:
        raise ModelError.at("--to", f"is missing: {args.drive} is a slide, with no full turn", "add it")
    first = _coordinate(args.first or 0, "--from")
    last = _coordinate(360 if args.to is None else args.to, "--to")
    return {args.drive: _driven(args.drive, is_angle, first, last, args.steps or 36)}


def _changed_drive(mechanism: Mechanism, args: argparse.Namespace, flag: str) -> dict[str, Drive]:
    """The document's one drive of a joint, with another range or other steps; its speed and torques stay."""
    torques = {name: drive for name, drive in mechanism.drives.items() if gives_torque(drive)}
    drives = {name: d for name, d in mechanism.drives.items() if d.joint is not None and name not in torques}
    if len(drives) != 1:
        count = f"{len(drives)} drives move a joint" if drives else "no drive of the document moves a joint"
        joints = ", ".join(clipped(name, 20) for name in list(mechanism.joints)[:8])
        raise ModelError.at(flag, f"of which joint? {count}", f"add --drive JOINT: {joints}")
    ((name, drive),) = drives.items()
    assert drive.joint is not None
    is_angle = mechanism.joints[drive.joint].type != "prismatic"
    first, last = (_degrees(drive, key) if is_angle else getattr(drive, key) for key in ("from_", "to"))
    if args.first is not None:
        first = _coordinate(args.first, "--from")
    if args.to is not None:
        last = _coordinate(args.to, "--to")
    if first is None or last is None:
        raise ModelError.at(flag, f"drive {name} lists its positions", "give --from, --to and --steps")
    changed = _driven(drive.joint, is_angle, first, last, args.steps or drive.steps or 36)
    return {**torques, name: replace(changed, speed=drive.speed, speed_deg=drive.speed_deg)}


def _degrees(drive: Drive, key: str) -> Number | None:
    """An end of a drive's range in degrees, as written where it was."""
    written: Number | None = getattr(drive, f"{key.rstrip('_')}_deg")
    radians: Number | None = getattr(drive, key)
    return written if written is not None or radians is None else number(math.degrees(radians))


def _driven(joint: str, is_angle: bool, first: Number, last: Number, steps: int) -> Drive:
    if is_angle:
        return Drive(joint=joint, from_deg=first, to_deg=last, steps=steps)
    return Drive(joint=joint, from_=first, to=last, steps=steps)


def _coordinate(value: float, flag: str) -> Number:
    try:
        return number(value)
    except ValueError as problem:
        raise ModelError.at(flag, str(problem), "give degrees, or units of travel") from None


def _loaded(mechanism: Mechanism, args: argparse.Namespace) -> Mechanism:
    """The machine with the forces that --load gives, in the document's axes, in place of its own."""
    if not args.load:
        return mechanism
    widest = mechanism.dimension
    loads: dict[str, tuple[Number, ...]] = {}
    for text in args.load:
        name, _, numbers = text.partition("=")
        try:
            force = tuple(number(piece.strip()) for piece in numbers.split(","))
        except ValueError:
            force = ()
        if not 2 <= len(force) <= widest:
            form = "MARKER=FX,FY" if widest == 2 else "MARKER=FX,FY,FZ"
            example = ",".join(["coupler.T=0,-10", "0"][: widest - 1])
            raise ModelError.at("--load", f"{text!r} is not a load", f"write {form}, as {example}")
        if name in loads:
            raise ModelError.at("--load", f"{name} is given two forces", "add them up, and give their sum")
        loads[name] = force
    return mechanism.with_("ask.move.loads", loads)


def _known_markers(motion: Motion, names: list[str]) -> None:
    for name in names:
        if name not in motion.markers:
            raise ModelError.at("--of", f"there is no marker {name!r}", did_you_mean(name, motion.markers))


def _refuse_unmoved(motion: Motion, pictures: Mapping[str, str | None]) -> None:
    """Charts and films are of positions."""
    flag = next((flag for flag, file in pictures.items() if file), None)
    if flag is None or len(motion.inputs):
        return
    where = "; ".join(f"range: {words}" for words in range_words(motion))
    problem = f"the first position of {', '.join(motion.drives)} cannot be reached, so nothing moves"
    remedy = f"ask without {flag}, or begin elsewhere" + (f" ({where})" if where else "")
    raise UnsupportedError(problem, remedy, at=flag)


def _plot(mechanism: Mechanism, motion: Motion, kind: str) -> bytes:
    from detent.draw.chart.motion import motion_scene
    from detent.draw.paper import picture

    return picture.write(motion_scene(mechanism, motion), kind)


def _chart(mechanism: Mechanism, motion: Motion, markers: list[str], kind: str) -> bytes:
    from detent.draw.chart.motion import chart_of_motion
    from detent.draw.paper import picture

    return picture.write(chart_of_motion(mechanism, motion, markers=markers), kind)


def _sections(mechanism: Mechanism, motion: Motion, markers: list[str]) -> list[Section]:
    sections = [Section("Picture", svg=_plot(mechanism, motion, "svg").decode())]
    if len(motion.inputs) > 1:
        sections.append(Section("Charts", svg=_chart(mechanism, motion, markers, "svg").decode()))
    if motion.limit_points:
        rows = [
            (at_input(p.input, motion, 12), p.kind, ", ".join(p.parts), p.detail) for p in motion.limit_points
        ]
        sections.append(Section("Limits", rows=rows, head=(motion.coordinates[0], "kind", "parts", "why")))
    return sections
