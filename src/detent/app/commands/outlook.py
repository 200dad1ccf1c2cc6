"""What will it do in the long run? What repeats, how it drifts, what comes on top of it, when it ends.

A few moments are simulated by the rigid model, a pattern is looked for, and the simulation is restarted at
predicted states to see how the pattern changes and when it ends. --at and --pattern ask for states far ahead.
--plot draws extremes, durations, processes and the end against the number of the pattern, then one pattern;
--csv has a row for each measured pattern, mark, end, rest and moment.
"""

from __future__ import annotations

import argparse
from math import inf
from typing import TYPE_CHECKING, Any, get_args

from detent.app import inputs
from detent.draw.paper.report import ASSUMPTIONS, Section
from detent.draw.words.answer import Answer
from detent.foundation.errors import ModelError
from detent.record.outlook import OutlookVerdict

if TYPE_CHECKING:
    from detent.model.document.ask import ExpectAsk
    from detent.record.outlook import Outlook

OFFERS = ("plot", "csv", "report")
_ABOVE_ZERO = ("minima", "patterns", "duration", "within")


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a document, or the name of an example")
    parser.add_argument(
        "--until", metavar="T", type=float, help="the horizon asked about [s], not what is simulated"
    )
    parser.add_argument(
        "--at", metavar="T", type=float, action="append", default=[], help="the state at this time [s]"
    )
    parser.add_argument(
        "--pattern",
        metavar="N",
        type=int,
        action="append",
        default=[],
        help="the state after so many patterns, counted from the start by their marks",
    )
    parser.add_argument(
        "--patterns",
        metavar="N",
        type=int,
        help="how many patterns may be simulated in all; unless said 50 by restarts",
    )
    parser.add_argument(
        "--expect",
        metavar="KEY=VALUE",
        action="append",
        default=[],
        help="minima, duration [s], patterns (at least), verdict or a joint's change; met, or why not",
    )
    parser.add_argument(
        "--beside", metavar="FILE", help="a sound machine: where does this one first depart from it?"
    )
    parser.add_argument(
        "--observed",
        metavar="CSV",
        help="what a machine did that is built so, a table with `time` and joints, or with `tick`: where"
        " does it first depart, and at which contact?",
    )


def run(args: argparse.Namespace) -> Answer:
    from detent.draw.words.outlook import words
    from detent.judge.outlook.outlook import outlook_of

    mechanism, _ = inputs.in_layers(inputs.load(args.file), shapes_stop=True)
    if args.patterns is not None and args.patterns < 1:
        raise ModelError.at("--patterns", f"{args.patterns} is none", "give one at least")
    beside = None
    if args.beside is not None:
        beside, _ = inputs.in_layers(inputs.load(args.beside), shapes_stop=True)
    answer = outlook_of(
        mechanism,
        until=args.until,
        at=args.at,
        pattern=args.pattern,
        patterns=args.patterns,
        expect=_expected(args.expect),
        beside=beside,
        observed=inputs.observed(args.observed),
    )
    return Answer(
        data=answer,
        text=words(answer),
        title=mechanism.title or args.file,
        csv=answer.to_csv if answer.has_table else None,
        plot=lambda kind: _plot(answer, kind),
        sections=lambda: _sections(answer),
    )


def _plot(answer: Outlook, kind: str) -> bytes:
    from detent.draw.chart.outlook import chart_of_outlook
    from detent.draw.paper import picture

    return picture.write(chart_of_outlook(answer), kind)


def _sections(answer: Outlook) -> list[Section]:
    """The picture, then every table whole; `labelled` lines stand in the answer already."""
    from detent.draw.chart.outlook import can_be_drawn, chart_of_outlook
    from detent.draw.paper import svg
    from detent.draw.words.outlook import tables

    sections = []
    if can_be_drawn(answer):
        sections.append(Section("The long run", svg=svg.write(chart_of_outlook(answer))))
    for table in tables(answer):
        title = table.label[:1].upper() + table.label[1:]
        sections.append(Section(title, text=table.said, rows=table.rows, head=table.head))
    assumed = [(each,) for each in answer.scope.assumed]
    return [*sections, Section(ASSUMPTIONS, rows=assumed, head=("taken as given",))]


def _expected(given: list[str]) -> ExpectAsk | None:
    """What `--expect` says, as the document would."""
    from detent.model.document.ask import ExpectAsk

    if not given:
        return None
    numbers: dict[str, Any] = {"change": {}}
    for each in given:
        key, _, value = each.partition("=")
        if key in numbers["change"] or (key != "change" and key in numbers):
            raise ModelError.at("--expect", f"{key} is given twice", "keep one of them")
        try:
            if key == "verdict":
                numbers[key] = get_args(OutlookVerdict)[get_args(OutlookVerdict).index(value)]
            elif key in ("minima", "patterns"):
                numbers[key] = int(value)
            elif key in ("duration", "within"):
                numbers[key] = float(value)
            else:
                numbers["change"][key] = float(value)
        except ValueError:
            remedy = "give minima=2, duration=7.4, patterns=200, verdict=repeats, or a joint's change"
            raise ModelError.at("--expect", f"{each!r} says nothing that can be expected", remedy) from None
        if key in _ABOVE_ZERO and not 0 < numbers[key] < inf:
            raise ModelError.at("--expect", f"{key} must be above zero, found {value}", f"give {key}=1, say")
    return ExpectAsk(**numbers)
