"""Does it go together, with what force, and does it come apart?

The plan's legs are followed exactly: every event is decided by algebra, not by
a tolerance. --exact prints each event's certificate: the polynomial of which
its time is a root, and an interval that holds no other. --fast decides by a
float filter; what that leaves undecided is decided exactly, and counted.
Of parts that give way, O-rings and hooks on elastic joints, it computes the
push over the way; --plot draws it. Rigid parts that a robot or an elastic
joint leads (method = "rigid") are stepped over time: contacts, forces, jams.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from detent.app import inputs, led_mating, output, overlays, stepped_mating
from detent.draw.paper.report import Section
from detent.draw.words.answer import Answer
from detent.draw.words.mate import holds_words, words
from detent.foundation.errors import ModelError, UnsupportedError
from detent.foundation.units import measured, unit_names
from detent.judge.led.positions import TRIED
from detent.judge.mating import AnyMating, mate
from detent.judge.region.borders import TILTS
from detent.judge.region.peg_region import LINES
from detent.model.document.mechanism import Mechanism
from detent.motion.quasistatic.method import Quasistatic
from detent.record.compliant_mating import CompliantMating
from detent.record.led.mating import LedMating
from detent.record.led.rigid import RigidMating
from detent.record.mating import LegStory, Mating
from detent.record.run import Run
from detent.record.table import with_unit

if TYPE_CHECKING:
    from detent.draw.scene.scene import Scene

OFFERS = ("plot", "csv", "report")
AS_EVER = True  # of --region without a number


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a document, or the name of an example")
    decided = parser.add_mutually_exclusive_group()
    decided.add_argument(
        "--exact", action="store_true", help="decide exactly, print each event's certificate"
    )
    decided.add_argument(
        "--fast",
        action="store_true",
        help="decide by a float filter, and exactly only what that leaves undecided (counted)",
    )
    parser.add_argument(
        "--slice",
        metavar="FILE",
        help="draw the slice of configuration space with the path in it (.svg or .png)",
    )
    parser.add_argument("--strip", metavar="FILE", help="show the machine at each event (.png)")
    parser.add_argument("--film", metavar="FILE", help="show the motion (.gif, or .html that plays it)")
    places = parser.add_mutually_exclusive_group()
    places.add_argument(
        "--beside",
        metavar="FILE",
        action="append",
        help="led by a robot: which working position is better, this one or that of FILE, or at radius=R",
    )
    places.add_argument(
        "--search",
        metavar="N",
        type=int,
        nargs="?",
        const=TRIED,
        help=f"led by a robot: the best of N working positions, {TRIED} unless said",
    )
    places.add_argument(
        "--region",
        metavar="N",
        type=int,
        nargs="?",
        const=AS_EVER,
        help="of rings, hooks and rigid pegs: which offsets and tilts of the counterpart go in, offsets at N "
        f"tilts, {TILTS} unless said; of pegs maps of N by N, {LINES} unless said",
    )
    parser.add_argument(
        "--most-push", metavar="F", type=float, help="with --region: more push than so many newtons is not in"
    )
    overlays.add_flags(parser, fit=True)


def run(args: argparse.Namespace) -> Answer:
    mechanism = inputs.joined(inputs.load(args.file), add=False)
    method = Quasistatic(exact=args.exact) if args.exact or args.fast else None
    if args.most_push is not None and args.region is None:
        raise ModelError.at("--most-push", "bounds the region that goes in alone", "ask for it with --region")
    if args.beside or args.search is not None or args.region is not None:
        if args.overlay is not None:
            problem = "a measured curve is laid over one mating, not over several"
            remedy = "ask for one of them, without --beside, --search and --region"
            raise ModelError.at("--overlay", problem, remedy)
        return (
            _region(mechanism, args) if args.region is not None else led_mating.of_positions(mechanism, args)
        )
    laid = overlays.laid_over(args, mechanism, lambda machine: mate(machine, method=method))
    if laid is not None and laid.mechanism is not None:
        mechanism = laid.mechanism
    mating = mate(mechanism, method=method)
    return overlays.with_measured(
        _answer(mechanism, mating, args), laid, lambda: _scene(mating, mechanism.title)
    )


def _region(mechanism: Mechanism, args: argparse.Namespace) -> Answer:
    """Which offsets and tilts go in."""
    from detent.draw.chart.region import region_scene
    from detent.draw.machine.machine import machine_scene
    from detent.draw.paper import picture, svg
    from detent.draw.words.region import head_and_rows, words
    from detent.judge.region.borders import region_that_goes_in

    for flag in ("film", "strip", "slice"):
        if getattr(args, flag):
            problem = "shows one mating, and a region is of many"
            raise UnsupportedError(problem, "--plot draws the region", f"--{flag}")
    title = mechanism.title or args.file
    limit = {} if args.most_push is None else {"most_push": args.most_push}
    lines = None if args.region is AS_EVER else args.region
    answer = region_that_goes_in(mechanism, lines, **limit)

    def sections() -> list[Section]:
        head, rows = head_and_rows(answer)
        return [
            Section("Picture", svg=svg.write(machine_scene(mechanism))),
            Section("Which offsets and tilts go in", svg=svg.write(region_scene(answer, title))),
            Section("Borders", rows=rows, head=head),
        ]

    return Answer(
        data=answer,
        text=words(answer, title),
        title=title,
        csv=answer.to_csv,
        plot=lambda kind: picture.write(region_scene(answer, title), kind),
        sections=sections,
        notes=[f"note: {note}" for note in answer.notes],
    )


def _answer(mechanism: Mechanism, mating: AnyMating, args: argparse.Namespace) -> Answer:
    title = mechanism.title or args.file
    if isinstance(mating, Mating):
        mechanism = mating.run.evidence.mechanism  # on hinges, where those of beams were asked for
    if isinstance(mating, (LedMating, RigidMating)):
        return stepped_mating.of_stepped(mechanism, mating, title, args)
    if isinstance(mating, CompliantMating):
        return _compliant(mechanism, mating, title, args)
    if args.slice or args.film or args.strip:
        _write_pictures(mechanism, mating.run, title, args)
    return Answer(
        data=mating,
        text=words(mating, title, certificates=args.exact),
        title=title,
        csv=mating.to_csv,
        plot=lambda kind: _plot(mating, title, kind),
        sections=lambda: [*_pictures(mechanism, mating, title), *_sections(mating)],
        notes=[f"note: {note}" for note in mating.notes],
    )


def _compliant(mechanism: Mechanism, mating: CompliantMating, title: str, args: argparse.Namespace) -> Answer:
    """Of parts that give way, whose configurations have no slice."""
    from detent.draw.chart import compliant
    from detent.draw.words.compliant import words as compliant_words

    if args.slice:
        problem = "parts that give way have no slice of configurations"
        raise UnsupportedError(problem, "--plot draws the force over the way", "--slice")
    if args.film or args.strip:
        _write_pictures(mechanism, mating.run, title, args)
    return Answer(
        data=mating,
        text=compliant_words(mating, title),
        title=title,
        csv=mating.to_csv,
        plot=lambda kind: _plot(mating, title, kind),
        sections=lambda: [
            *compliant.sections(mechanism, mating, title),
            *_strains(mating),
            *_assumptions(mating),
        ],
        notes=[f"note: {note}" for note in mating.notes],
    )


def _write_pictures(mechanism: Mechanism, run: Run, title: str, args: argparse.Namespace) -> None:
    """The slice, the film and the strip, whichever are asked for."""
    if args.slice:
        from detent.draw.chart.slice import slice_scene
        from detent.draw.paper import picture

        kind = output.ending(args.slice, ("svg", "png"), "--slice")
        scene = slice_scene(run.evidence.fastener, run.evidence.plan.legs, title)
        output.write(args.slice, picture.write(scene, kind))
    stepped_mating.write_film_and_strip(mechanism, run, args)


def _plot(mating: Mating | CompliantMating, title: str, kind: str) -> bytes:
    from detent.draw.paper import picture

    return picture.write(_scene(mating, title), kind)


def _scene(mating: AnyMating, title: str) -> Scene:
    from detent.draw.chart.compliant import compliant_scene
    from detent.draw.chart.mating import mating_scene

    if isinstance(mating, (LedMating, RigidMating)):
        return stepped_mating.scene_of(mating, title)
    return (
        compliant_scene(mating, title) if isinstance(mating, CompliantMating) else mating_scene(mating, title)
    )


def _pictures(mechanism: Mechanism, mating: Mating, title: str) -> list[Section]:
    from detent.draw.chart.mating import sections
    from detent.draw.chart.slice import slice_scene
    from detent.draw.paper import svg

    evidence = mating.run.evidence
    slices = slice_scene(evidence.fastener, evidence.plan.legs)
    return [*sections(mechanism, mating, title), Section("Slice", svg=svg.write(slices))]


def _sections(mating: Mating) -> list[Section]:
    sections = [_leg_section(number, leg, mating.units) for number, leg in enumerate(mating.legs, 1)]
    if holds := holds_words(mating):
        sections.append(Section("Does it hold?", text=holds))
    return [*sections, *_strains(mating), *_assumptions(mating)]


def _strains(mating: Mating | CompliantMating) -> list[Section]:
    return stepped_mating.bending_section(mating.units, [leg.bending or () for leg in mating.legs])


def _assumptions(mating: Mating | CompliantMating) -> list[Section]:
    if not mating.notes:
        return []
    return [Section("Assumptions", rows=[(note,) for note in mating.notes], head=("taken as given",))]


def _leg_section(number: int, leg: LegStory, units: str) -> Section:
    rows: list[tuple[str, ...]] = [
        (
            f"{e.time:.9g}",
            f"{e.travel:.9g}",
            e.kind,
            e.joint or "",
            " to ".join(
                measured(coordinate, e.coordinate_unit)
                for coordinate in (e.coordinate, e.coordinate_after)
                if coordinate is not None
            ),
            " ".join(e.before),
            " ".join(e.after),
        )
        for e in leg.events
    ]
    rows.append((f"{leg.end.time:.9g}", f"{leg.end.travel:.9g}", leg.end.cause, "", "", "", ""))
    names = unit_names(units)
    time, travel = with_unit("time", names.time.strip()), with_unit("travel", names.length.strip())
    head = (time, travel, "event", "joint", "at", "before", "after")
    return Section(f"Leg {number}", rows=rows, head=head)
