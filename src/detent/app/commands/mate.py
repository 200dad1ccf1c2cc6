"""Does it go together, with what force, and does it come apart?

The plan's legs are followed exactly: every event is decided by algebra, not by
a tolerance. --exact prints each event's certificate: the polynomial of which
its time is a root, and an interval that holds no other. --fast decides by a
float filter; what that leaves undecided is decided exactly, and counted.
"""

from __future__ import annotations

import argparse

from detent.app import filmed, source, written
from detent.app.answer import Answer
from detent.app.commands.mate_words import diode_words, words
from detent.draw.report import Section
from detent.judge.mate import asked, mate
from detent.model.mechanism import Mechanism
from detent.motion.quasistatic.method import Quasistatic
from detent.record.mating import LegStory, Mating
from detent.record.trajectory import table_csv

OFFERS = ("plot", "csv", "report")


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


def run(args: argparse.Namespace) -> Answer:
    mechanism = source.load(args.file)
    method = Quasistatic(exact=args.exact) if args.exact or args.fast else asked(mechanism)
    found = mate(mechanism, method=method)
    title = mechanism.title or args.file
    if args.slice or args.film or args.strip:
        _write_pictures(mechanism, method, title, args)
    return Answer(
        data=found,
        text=words(found, title, certificates=args.exact),
        title=title,
        csv=lambda: _csv(found),
        plot=lambda kind: _plot(found, title, kind),
        sections=lambda: [*_pictures(mechanism, method, found, title), *_sections(found)],
        notes=list(found.notes),
    )


def _write_pictures(mechanism: Mechanism, method: Quasistatic, title: str, args: argparse.Namespace) -> None:
    """The slice, the film and the strip, whichever are asked for."""
    from detent.motion.quasistatic.fastener import fastener
    from detent.motion.quasistatic.runs import Runs

    made = fastener(mechanism)
    plan = Runs(made, method).plan
    if args.slice:
        from detent.draw import picture
        from detent.draw.slice import scene_of

        kind = written.ending(args.slice, ("svg", "png"), "--slice")
        written.write(args.slice, picture.write(scene_of(made, plan.legs, title), kind))
    if args.film or args.strip:
        from detent.draw.strip import strip
        from detent.motion.quasistatic.path import trajectory

        run = trajectory(mechanism, made, plan)
        if args.strip:
            written.ending(args.strip, ("png",), "--strip")
            written.write(args.strip, strip(mechanism, run))
        if args.film:
            kind = written.ending(args.film, filmed.KINDS, "--film")
            written.write(args.film, filmed.film_of(mechanism, run, kind))


def _plot(found: Mating, title: str, kind: str) -> bytes:
    from detent.draw import picture
    from detent.draw.mating import scene_of_mating

    return picture.write(scene_of_mating(found, title), kind)


def _pictures(mechanism: Mechanism, method: Quasistatic, found: Mating, title: str) -> list[Section]:
    from detent.draw import svg
    from detent.draw.mating import sections
    from detent.draw.slice import scene_of
    from detent.motion.quasistatic.fastener import fastener
    from detent.motion.quasistatic.runs import Runs

    made = fastener(mechanism)
    return [
        *sections(mechanism, found, title),
        Section("Slice", svg=svg.write(scene_of(made, Runs(made, method).plan.legs))),
    ]


def _csv(found: Mating) -> str:
    """Forces over time: the push, the root, each hinge."""
    import numpy as np

    columns: dict[str, list[float]] = {
        "time": [],
        "on_drive": [],
        "root_x": [],
        "root_y": [],
        "root_torque": [],
    }
    for leg in found.legs:
        columns["time"] += leg.force.times
        columns["on_drive"] += leg.force.on_drive
        for k, name in enumerate(("root_x", "root_y", "root_torque")):
            columns[name] += [row[k] for row in leg.force.on_root]
        for joint, hinge in leg.force.hinges.items():
            columns.setdefault(f"{joint}.x", []).extend(force[0] for force in hinge.force)
            columns.setdefault(f"{joint}.y", []).extend(force[1] for force in hinge.force)
            columns.setdefault(f"{joint}.torque", []).extend(hinge.torque)
    return table_csv({name: np.array(values, dtype=float) for name, values in columns.items()})


def _sections(found: Mating) -> list[Section]:
    made = [_leg_section(number, leg) for number, leg in enumerate(found.legs, 1)]
    if found.diode is not None:
        made.append(Section("Coming apart", text=diode_words(found)))
    if found.notes:
        made.append(Section("Assumptions", rows=[(note,) for note in found.notes], head=("taken as given",)))
    return made


def _leg_section(number: int, leg: LegStory) -> Section:
    rows: list[tuple[str, ...]] = [
        (f"{e.time:.9g}", e.kind, e.joint, f"{e.coordinate:.9g}", " ".join(e.before), " ".join(e.after))
        for e in leg.events
    ]
    rows.append((f"{leg.end.time:.9g}", leg.end.cause, "", "", "", ""))
    return Section(
        f"Leg {number}", rows=rows, head=("time [s]", "event", "joint", "angle [rad]", "before", "after")
    )
