"""Which contact modes are possible? Separating, sticking and sliding, in every combination.

A mode has one sign per contact (0 touching, + separating), a bar, and one sign per
dividing plane (- 0 +; . where the contact separates). A velocity V has, for each
moving part, that of its point at the world's origin, then its angular velocity; a
load W the force, then its moment about the origin. Lengths are in the document's units.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from typing import Any

from detent.app import inputs
from detent.app.cli import INTERRUPTED
from detent.app.interrupts import without_lost_interrupts
from detent.contact.contacts import Contacts
from detent.contact.modes.enumerate import KINDS, Budget
from detent.draw.words import modes as words
from detent.draw.words.answer import Answer
from detent.draw.words.one_mode import one
from detent.foundation.errors import ModelError
from detent.model.document.ask import AskModes
from detent.model.document.mechanism import Mechanism

OFFERS = ("plot", "csv", "report")


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a document, or the name of an example")
    which = parser.add_argument_group("which modes")
    which.add_argument("--kind", choices=KINDS, help="all, or without sticking and sliding")
    which.add_argument("--of", metavar="SIGNS", help="only those of one contacting/separating mode, as 00+0")
    which.add_argument("--planes", type=int, metavar="N", help="dividing planes where a contact gives none")
    which.add_argument("--nonlinear", action="store_true", help="round friction cone: sticks or slides only")
    which.add_argument(
        "--where", action="append", default=[], metavar="N=STATE",
        help="only modes with contact N touching, separating, sticking or sliding; may be repeated",
    )  # fmt: skip
    how = parser.add_argument_group("how")
    how.add_argument("--exact", action="store_true", help="decide every sign in exact integers")
    how.add_argument("--count", action="store_true", help="count, without listing")
    how.add_argument(
        "--stream", action="store_true",
        help="print one line of JSON per contacting/separating mode as it is found",
    )  # fmt: skip
    how.add_argument("--memory", type=int, default=2048, metavar="MIB", help="for a listing (2048)")
    how.add_argument("--seconds", type=float, metavar="S", help="give up after this time")
    one = parser.add_argument_group("one mode")
    one.add_argument("--mode", metavar="MODE", help="its velocities, neighbours and forces")
    one.add_argument(
        "--goal", metavar="V,…", help="the velocity of --mode, or of its boundary, nearest to this one"
    )
    one.add_argument(
        "--wrench", metavar="W,…", help="can the forces of --mode balance this load? It is the whole load"
    )
    one.add_argument(
        "--grasp",
        metavar="W,…",
        help="do all contacts hold this load, for sure? It is the whole load: gravity of FILE is not added",
    )
    one.add_argument(
        "--load",
        metavar="W,…",
        help="which modes this load brings about; gravity and masses of FILE are added",
    )
    one.add_argument("--velocity", metavar="V,…", help="velocity at which --load acts (default: at rest)")
    one.add_argument(
        "--tolerance", type=float, metavar="T", help="speeds below this share of --velocity are zero (1e-9)"
    )
    one.add_argument("--gif", metavar="FILE", help="a small motion of --mode, animated")
    one.add_argument("--friction", type=float, metavar="MU", help="for all contacts")


def run(args: argparse.Namespace) -> Answer:
    mechanism = inputs.joined(inputs.load(args.file), add=False)
    answer = _answer(mechanism, args)
    return answer if answer.plot else replace(answer, plot=lambda kind: _plot(mechanism, kind))


def _take_load(mechanism: Mechanism, args: argparse.Namespace) -> None:
    """The load and the velocity that a document asks about, unless a flag asks about something else."""
    from detent.mechanics.inertia import by_freedom

    asked = mechanism.ask.modes if mechanism.ask is not None else None
    if asked is None or asked.load is None:
        return
    otherwise = (args.kind, args.stream, args.count, args.mode, args.grasp, args.nonlinear)
    if args.load is None and not any(otherwise):
        args.load = by_freedom(mechanism, asked.load)
    if args.load is not None and args.velocity is None and asked.velocity:
        args.velocity = by_freedom(mechanism, asked.velocity)


def _plot(mechanism: Mechanism, kind: str) -> bytes:
    """The contacts where they are, with their normals."""
    from detent.contact.touching.document import contacts_of
    from detent.draw.chart.modes import with_contacts, with_normals_named
    from detent.draw.machine.machine import machine_scene
    from detent.draw.paper import picture

    shown = with_contacts(mechanism, contacts_of(mechanism))
    return picture.write(with_normals_named(machine_scene(shown), shown), kind)


def _answer(mechanism: Mechanism, args: argparse.Namespace) -> Answer:
    from detent.contact.touching.document import contacts_of

    contacts = contacts_of(mechanism, planes=args.planes)
    title = mechanism.title or args.file
    limits = Budget(memory=args.memory << 20, seconds=args.seconds, watch=_progress(args))
    asked = mechanism.ask.modes if mechanism.ask is not None else None
    _take_load(mechanism, args)
    if asked is not None:
        _ask(asked, args)
    args.kind = args.kind or "all"
    _refuse_idle_flags(args)
    if args.stream:
        return _stream(contacts, args, limits)
    if args.count:
        return _count(contacts, args, limits, title)
    modes = _modes(contacts, args, limits)
    for condition in args.where:
        modes = modes.where(_condition(condition))
    if args.grasp:
        from detent.judge.modes import held

        load = _numbers(args.grasp, "--grasp")
        verdict = held(mechanism, modes, load, friction=args.friction)
        return words.grasped(verdict, title, _near(mechanism, modes))
    if args.load:
        return _moved(mechanism, modes, args, title)
    if args.mode:
        goal = _numbers(args.goal, "--goal") if args.goal else None
        wrench = _numbers(args.wrench, "--wrench") if args.wrench else None
        if args.gif:
            _write_gif(mechanism, modes[args.mode], args.gif)
        return one(mechanism, modes[args.mode], goal, wrench, args.friction, title)
    if args.nonlinear:
        return words.rounded(modes, title)
    return words.listed(modes, title, _near(mechanism, modes))


def _near(mechanism: Mechanism, modes: Any) -> list[Any]:
    from detent.contact.touching.near import misses_beside

    return misses_beside(mechanism, len(modes.contacts))


def _ask(asked: AskModes, args: argparse.Namespace) -> None:
    """What the document asks for, where no flag asks for something else."""
    args.exact = args.exact or asked.exact
    other = args.grasp or args.load or args.stream or args.count
    divided = (
        args.of
        or args.nonlinear
        or "|" in (args.mode or "")
        or any(each.endswith(("=sticking", "=sliding")) for each in args.where)
    )
    if not other and not divided:
        args.kind = args.kind or asked.kind
    if not other and not args.mode and args.kind != "contacting_separating":
        args.nonlinear = args.nonlinear or asked.cone == "nonlinear"


# What an answer leaves no use for: (it is asked for, by these flags, and what to do instead).
_IDLE: tuple[tuple[str, tuple[str, ...], str], ...] = (
    ("stream", ("count", "where", "nonlinear", "mode", "grasp", "load", "gif"), "stream all modes, or list"),
    (
        "count",
        ("where", "nonlinear", "mode", "grasp", "load", "gif"),
        "count all modes, or list: a list is counted",
    ),
    ("grasp", ("of", "where", "nonlinear", "mode", "load", "gif"), "a grasp is judged among all modes"),
    ("load", ("nonlinear", "mode", "gif"), "a load is asked of all modes, or of --of and --where"),
    ("nonlinear", ("mode",), "name a mode of the divided cone, without --nonlinear"),
)
_NEEDS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("goal", ("mode",)),
    ("wrench", ("mode",)),
    ("gif", ("mode",)),
    ("velocity", ("load",)),
    ("tolerance", ("velocity",)),
    ("friction", ("wrench", "grasp", "load")),
)


def _refuse_idle_flags(args: argparse.Namespace) -> None:
    """A flag that the answer would not use is a misunderstanding, not a detail."""

    def is_given(flag: str) -> bool:
        return getattr(args, flag) not in (None, False, [])

    for flag, value in vars(args).items():
        if isinstance(value, str) and not value.strip():
            raise ModelError.at(f"--{flag}", "is empty", "give it a value, or leave it out")
    for asked, idle, remedy in _IDLE:
        for flag in idle if is_given(asked) else ():
            if is_given(flag):
                raise ModelError.at(f"--{flag}", f"means nothing together with --{asked}", remedy)
    for flag, needed in _NEEDS:
        if is_given(flag) and not any(map(is_given, needed)):
            others = " or ".join(f"--{each}" for each in needed)
            raise ModelError.at(
                f"--{flag}", f"means nothing without {others}", f"add {others}, or leave it out"
            )
    if args.kind != "all" and (
        narrow := [f for f in ("stream", "grasp", "load", "nonlinear", "of") if is_given(f)]
    ):
        raise ModelError.at(
            "--kind", f"{args.kind} leaves out what --{narrow[0]} asks for", "leave one of them out"
        )


def _modes(contacts: Contacts, args: argparse.Namespace, limits: Budget) -> Any:
    from detent.contact.modes.mode import modes
    from detent.contact.modes.sliding import sliding_modes

    if args.of:
        return sliding_modes(contacts, args.of, exact=args.exact, limits=limits)
    return modes(contacts, kind=args.kind, exact=args.exact, limits=limits)


def _count(contacts: Contacts, args: argparse.Namespace, limits: Budget, title: str) -> Answer:
    """Stopped by Ctrl-C, what is counted by then is the answer, and says so."""
    from detent.contact.modes.counting import count_contacting_separating, running_count

    if args.kind == "contacting_separating":
        number = count_contacting_separating(contacts, exact=args.exact, limits=limits)
        return words.counted(
            contacts, {"contacting_separating": number, "all": None}, title, exact=args.exact
        )
    lattice, total, every = 0, 0, 0
    try:
        with without_lost_interrupts():
            for lattice, total, every in running_count(  # noqa: B007 - the last ones are the answer
                contacts, touching=args.of, exact=args.exact, limits=limits
            ):
                pass
    except KeyboardInterrupt:
        partly = words.partly_counted(contacts, total, lattice, every, title, exact=args.exact)
        return replace(partly, code=INTERRUPTED)
    counts = {"contacting_separating": lattice, "all": total}
    return words.counted(contacts, counts, title, exact=args.exact, of=args.of)


def _stream(contacts: Contacts, args: argparse.Namespace, limits: Budget) -> Answer:
    """Lines go out as they come, so that a pipe can read on and Ctrl-C loses nothing."""
    from detent.app.progress import print_a_piece
    from detent.contact.modes.streaming import stream_texts
    from detent.record.base import encode

    total, lattice, code = 0, 0, 0
    try:
        with without_lost_interrupts():
            for touching, texts in stream_texts(contacts, touching=args.of, exact=args.exact, limits=limits):
                total += len(texts)
                lattice += 1
                if not args.quiet:
                    print_a_piece(encode({"mode": touching, "count": len(texts), "modes": texts}))
    except KeyboardInterrupt:
        code = INTERRUPTED
    counts = {"contacting_separating": lattice, "all": total}
    data = {"counts": counts} if not code else {"counts": counts, "complete": False}
    in_the_way = contacts.beside.in_the_way.removeprefix("; ")
    return Answer(data=data, text=encode(data), code=code, notes=[in_the_way] if in_the_way else [])


def _moved(mechanism: Mechanism, modes: Any, args: argparse.Namespace, title: str) -> Answer:
    from detent.judge.modes import moved_by
    from detent.numeric.arrangement.complex import EQUAL

    load = _numbers(args.load, "--load")
    if len(load) != modes.contacts.degrees:
        problem = f"has {len(load)} numbers, not {modes.contacts.degrees}"
        raise ModelError.at("--load", problem, "give one number per degree of freedom")
    answer = moved_by(
        mechanism,
        modes,
        load,
        velocity=_numbers(args.velocity, "--velocity") if args.velocity else None,
        friction=args.friction,
        tolerance=EQUAL if args.tolerance is None else args.tolerance,
    )
    return words.moved(answer, title, whole=not (args.of or args.where), near=_near(mechanism, modes))


def _write_gif(mechanism: Mechanism, mode: Any, path: str) -> None:
    from detent.app import output
    from detent.draw.chart.modes import motion_gif

    output.ending(path, ("gif",), "--gif")
    output.write(path, motion_gif(mechanism, mode))


def _condition(text: str) -> tuple[int, Any]:
    from detent.contact.modes.mode import STATES

    contact, _, state = text.partition("=")
    if not contact.strip().isdigit() or state not in STATES:
        raise ModelError.at(
            "--where", f"{text!r} is not a condition", f"write N=STATE with {', '.join(STATES)}"
        )
    return int(contact), state


def _numbers(text: str | list[float], flag: str) -> list[float]:
    """What a flag gives as text; what the document gives stays as it is."""
    from detent.contact.checks import vector_of

    if isinstance(text, list):
        return text
    try:
        numbers = [float(x) for x in text.split(",")]
    except ValueError:
        raise ModelError.at(flag, f"{text!r} is not a list of numbers", "write them with commas") from None
    vector_of(numbers, len(numbers), flag)  # finite, and no larger than can be squared
    return numbers


def _progress(args: argparse.Namespace) -> Any:
    """What the search for modes says of itself, where somebody may look."""
    if args.quiet or not sys.stderr.isatty():
        return None
    from detent.foundation.progress import reached

    return lambda done, total, cells: reached(done, total, f"{cells} modes so far")
