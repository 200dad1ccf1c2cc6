"""What does it do over time? Its joints, contacts, forces, energy and events.

By default parts are rigid: they neither overlap nor pull, and hit each other with impulses. --method penalty
lets them yield where they touch; --method both says where the two first differ. --until says how long;
every other flag shows the run in another way.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import TYPE_CHECKING

from detent.app import films, inputs, output
from detent.draw.paper.report import Section
from detent.draw.words.answer import Answer
from detent.foundation.errors import ModelError

if TYPE_CHECKING:
    from detent.model.document.mechanism import Mechanism
    from detent.motion.penalty.method import Penalty
    from detent.motion.rigid.method import Rigid
    from detent.record.compared import Compared
    from detent.record.running import Running

OFFERS = ("plot", "csv", "report")
FRAMES = 240  # of a film


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
    parser.add_argument("--strip", metavar="FILE", help="show the machine at its events (.png)")
    parser.add_argument("--film", metavar="FILE", help="show the motion (.gif, or .html that plays it)")


def run(args: argparse.Namespace) -> Answer:
    from detent.draw.words.run import words
    from detent.judge.running import run as ran

    mechanism = inputs.joined(inputs.load(args.file))
    if args.of and not (args.plot or args.report):
        raise ModelError.at("--of", "names joints of a plot", "add --plot FILE")
    if args.method == "both":
        return _both(mechanism, args)
    running = ran(mechanism, method=_method(mechanism, args), until=args.until, every=args.every)
    _show(mechanism, running, args)
    return Answer(
        data=running,
        text=words(running),
        title=mechanism.title or args.file,
        csv=running.to_csv,
        plot=lambda kind: _plot(running, args.of, kind),
        sections=lambda: _sections(running, args.of),
    )


def _show(mechanism: Mechanism, running: Running, args: argparse.Namespace) -> None:
    """Writes the pictures that are asked for."""
    if args.strip:
        from detent.draw.film.strip import strip

        output.ending(args.strip, ("png",), "--strip")
        output.write(args.strip, strip(mechanism, running.run.trajectory))
    if args.film:
        kind = output.ending(args.film, films.KINDS, "--film")
        output.write(args.film, films.film_of(mechanism, running.run.finer(FRAMES), kind))


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


def _method(mechanism: Mechanism, args: argparse.Namespace) -> Rigid | Penalty:
    """As the document asks, but for what the flags say."""
    from detent.motion.methods import method_of, penalty_of, rigid_of

    method = method_of(mechanism, "run")
    if args.method is not None and args.method != method.name:
        method = rigid_of(mechanism) if args.method == "rigid" else penalty_of(mechanism)
    return method if args.accuracy is None else replace(method, accuracy=args.accuracy)


def _plot(running: Running, of: list[str], kind: str) -> bytes:
    from detent.draw.chart.running import chart_of_running
    from detent.draw.paper import picture

    return picture.write(chart_of_running(running, of=of), kind)


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
        _, events, assumed = _sections(running, of)
        sections += [replace(each, title=f"{each.title}, {label}") for each in (events, assumed)]
    return sections


def _sections(running: Running, of: list[str]) -> list[Section]:
    from detent.draw.chart.running import chart_of_running
    from detent.draw.paper import svg

    rows: list[tuple[str, ...]] = [
        (
            f"{event.time:.9g}",
            event.kind,
            ":".join(event.subjects),
            (event.after or event.before)[0],
            "" if event.impulse is None else f"{event.impulse:.6g}",
        )
        for event in running.events
    ]
    return [
        Section("Over time", svg=svg.write(chart_of_running(running, of=of))),
        Section("Events", rows=rows, head=("time", "event", "parts", "contact", "impulse")),
        Section("Assumptions", rows=[(note,) for note in running.scope.assumed], head=("taken as given",)),
    ]
