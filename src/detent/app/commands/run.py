"""What does it do over time? Its joints, contacts, forces, energy and events.

By default parts are rigid: they neither overlap nor pull, and hit each other with impulses. --method penalty
lets them yield where they touch; --method both says where the two first differ. --until says how long;
every other flag shows the run in another way. What a robot, a carrier or an elastic joint leads along legs
is stepped as `detent mate` steps it, and told as there.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import TYPE_CHECKING

from detent.app import films, inputs, output, overlays
from detent.draw.paper.report import Section
from detent.draw.words.answer import Answer
from detent.foundation.errors import ModelError, UnsupportedError
from detent.foundation.units import unit_names

if TYPE_CHECKING:
    from detent.draw.scene.scene import Scene
    from detent.model.document.mechanism import Mechanism
    from detent.record.compared import Compared
    from detent.record.running import Running

OFFERS = ("plot", "csv", "report")


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a document, or the name of an example")
    parser.add_argument(
        "--until", metavar="T", type=float, help="how long it runs [s]; else as the document asks"
    )
    parser.add_argument(
        "--method", choices=("rigid", "penalty", "both"), help="how parts touch; rigid unless said"
    )
    parser.add_argument(
        "--every", metavar="DT", type=float, help="time between rows [s]; 600 rows unless said"
    )
    parser.add_argument(
        "--accuracy",
        metavar="A",
        type=float,
        help="relative accuracy of a step; 1e-6 unless said, 2e-5 of penalty",
    )
    parser.add_argument("--of", metavar="JOINT", action="append", default=[], help="plot these joints only")
    parser.add_argument("--phase", metavar="FILE", help="plot each coordinate against its speed (.svg, .png)")
    parser.add_argument(
        "--at",
        metavar="T",
        type=float,
        action="append",
        default=[],
        help="say what is locked, what drives what, and every force at this instant [s]",
    )
    parser.add_argument(
        "--free-body", metavar="FILE", help="draw parts at the instants --at, with what acts on each (.png)"
    )
    parser.add_argument(
        "--part", metavar="PART", action="append", default=[], help="of --free-body: these parts only"
    )
    parser.add_argument(
        "--strip", metavar="FILE", help="show the machine at its moments, a sentence each (.png)"
    )
    parser.add_argument(
        "--forces", action="store_true", help="show forces of contacts in the film and the strip"
    )
    parser.add_argument("--film", metavar="FILE", help="show the motion (.gif, or .html that plays it)")
    overlays.add_flags(parser, fit=False)


def run(args: argparse.Namespace) -> Answer:
    from detent.draw.words.run import words
    from detent.judge.running import run as ran
    from detent.motion.methods import method_to_run

    document = inputs.load(args.file)
    led = _led(document, args)
    if led is not None:
        return led
    mechanism, view = inputs.in_layers(document, shapes_stop=True)
    _refuse_idle(args)
    if args.method == "both":
        return _both(mechanism, args)
    method = method_to_run(mechanism, args.method, args.accuracy)
    running = ran(mechanism, method=method, until=args.until, every=args.every, at=args.at)
    running = inputs.with_view(running, view)
    _show(mechanism, running, args)
    answer = Answer(
        data=running,
        text=words(running),
        title=mechanism.title or args.file,
        csv=running.to_csv,
        plot=lambda kind: _plot(running, args.of, kind),
        sections=lambda: _sections(running, args.of),
    )
    laid = overlays.laid_over(args, mechanism, lambda _: running)
    return overlays.with_measured(answer, laid, lambda: _scene(running, args.of))


def _led(document: Mechanism, args: argparse.Namespace) -> Answer | None:
    """What a robot, a carrier or an elastic joint mates: stepped over time as `detent mate` steps it."""
    from detent.app import stepped_mating
    from detent.judge.stepped_run import stepped_run
    from detent.motion.methods import method_to_run

    mechanism = inputs.led_by_legs(document)
    if mechanism is None:
        return None
    for flag in ("accuracy", "of", "phase", "at", "free_body", "part", "forces"):
        if getattr(args, flag):
            problem = "is of a machine of touching parts; a mating that is led along legs is told by itself"
            remedy = "leave it out; --csv, --plot, --film, --strip and --report are written"
            raise UnsupportedError(problem, remedy, f"--{flag.replace('_', '-')}")
    if args.method == "both":
        raise UnsupportedError("what is led along legs is stepped in one way", "leave it out", "--method")
    method = None if args.method is None else method_to_run(mechanism, args.method)
    mating = stepped_run(mechanism, method=method, until=args.until, every=args.every)
    title = mechanism.title or args.file
    laid = overlays.laid_over(args, mechanism, lambda _: mating)
    answer = stepped_mating.of_stepped(mechanism, mating, title, args)
    return overlays.with_measured(answer, laid, lambda: stepped_mating.scene_of(mating, title))


def _refuse_idle(args: argparse.Namespace) -> None:
    """Flags that say something of another one that is not there."""
    if args.of and not (args.plot or args.report or args.phase):
        raise ModelError.at("--of", "names joints of a plot", "add --plot FILE")
    if args.free_body and not args.at:
        raise ModelError.at("--free-body", "needs to know when", "add --at T")
    if args.part and not args.free_body:
        raise ModelError.at("--part", "names parts of free-body drawings", "add --free-body FILE")
    if args.forces and not (args.film or args.strip):
        raise ModelError.at("--forces", "are shown in films and strips", "add --film FILE or --strip FILE")
    if args.overlay and args.method == "both":
        raise ModelError.at("--overlay", "is laid over one model", "give --method rigid, or penalty")
    if args.at and args.method == "both":
        raise ModelError.at("--at", "asks for one model", "give --method rigid, or penalty")
    # A name that cannot be written is refused before the run, not after it.
    for flag, kinds in _PICTURES.items():
        if path := getattr(args, flag):
            output.ending(path, kinds, f"--{flag.replace('_', '-')}")


_PICTURES = {"strip": ("png",), "film": films.KINDS, "free_body": ("png",), "phase": ("svg", "png")}


def _show(mechanism: Mechanism, running: Running, args: argparse.Namespace) -> None:
    """Writes the pictures that are asked for."""
    from detent.app import run_pictures

    if args.strip:
        output.write(args.strip, run_pictures.strip_of(mechanism, running, forces=args.forces))
    if args.film:
        kind = output.ending(args.film, films.KINDS, "--film")
        film = run_pictures.film_of(mechanism, running, kind, forces=args.forces)
        output.write(args.film, film)
    if args.free_body:
        output.write(args.free_body, run_pictures.free_bodies(mechanism, running, args.part))
    if args.phase:
        from detent.draw.chart.running import phase_of_running
        from detent.draw.paper import picture

        kind = output.ending(args.phase, ("svg", "png"), "--phase")
        output.write(args.phase, picture.write(phase_of_running(running, of=args.of), kind))


def _both(mechanism: Mechanism, args: argparse.Namespace) -> Answer:
    """Both contact models, and where they first differ; the film and the strip are the rigid one's."""
    from detent.draw.words.compared import words
    from detent.judge.comparing import compare_models
    from detent.motion.methods import penalty_of, rigid_of

    rigid, penalty = rigid_of(mechanism), penalty_of(mechanism)
    if args.accuracy is not None:
        rigid = replace(rigid, accuracy=args.accuracy)
        penalty = replace(penalty, accuracy=args.accuracy)
    compared = compare_models(mechanism, until=args.until, every=args.every, rigid=rigid, penalty=penalty)
    _show(mechanism, compared.rigid, args)
    return Answer(
        data=compared,
        text=words(compared),
        title=mechanism.title or args.file,
        csv=compared.to_csv,
        plot=lambda kind: _plot_both(compared, args.of, kind),
        sections=lambda: _sections_of_both(compared, args.of),
    )


def _plot(running: Running, of: list[str], kind: str) -> bytes:
    from detent.draw.paper import picture

    return picture.write(_scene(running, of), kind)


def _scene(running: Running, of: list[str]) -> Scene:
    from detent.draw.chart.running import chart_of_running

    return chart_of_running(running, of=of)


def _plot_both(compared: Compared, of: list[str], kind: str) -> bytes:
    from detent.draw.chart.running import chart_of_both
    from detent.draw.paper import picture

    return picture.write(chart_of_both(compared, of=of), kind)


def _sections_of_both(compared: Compared, of: list[str]) -> list[Section]:
    from detent.draw.chart.running import chart_of_both
    from detent.draw.paper import svg

    both = Section("Over time", svg=svg.write(chart_of_both(compared, of=of)))
    sections = [both]
    for label, running in (("rigid", compared.rigid), ("penalty", compared.penalty)):
        of_one = _sections(running, of)[1:]
        sections += [replace(each, title=f"{each.title}, {label}") for each in of_one]
    return sections


def _sections(running: Running, of: list[str]) -> list[Section]:
    from detent.draw.chart.running import chart_of_running
    from detent.draw.paper import svg
    from detent.draw.words.run import forces_looked_at, impulse_unit

    names, blow = unit_names(running.units), impulse_unit(running.units)
    rows: list[tuple[str, ...]] = [
        (
            f"{event.time:.9g}{names.time}",
            event.kind,
            ":".join(event.subjects),
            ", ".join(event.after or event.before),
            "" if event.impulse is None else f"{event.impulse:.6g}{impulse_unit(running.units, event)}",
        )
        for event in running.events
    ]
    worn = [
        (
            total.contact,
            str(total.count),
            f"{total.peak_force:.6g}{names.force}",
            f"{total.peak_at:.6g}{names.time}",
            f"{total.peak_impulse:.6g}{blow}",
            f"{total.impulse:.6g}{blow}",
            f"{total.sliding:.6g}{names.length}",
        )
        for total in running.contacts
    ]
    head = ("contact", "begins", "greatest force", "at", "greatest blow", "impulse in all", "slid under load")
    return [
        Section("Over time", svg=svg.write(chart_of_running(running, of=of))),
        Section("Events", rows=rows, head=("time", "event", "parts", "contact", "impulse")),
        Section(f"Contacts: what they went through; {forces_looked_at(running)}", rows=worn, head=head),
        Section("Assumptions", rows=[(note,) for note in running.scope.assumed], head=("taken as given",)),
    ]
