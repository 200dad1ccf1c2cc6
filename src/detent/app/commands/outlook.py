"""What will it do in the long run? What repeats, how it drifts, what comes on top of it, when it ends.

A few moments are simulated by the rigid model, a pattern is looked for, and the simulation is restarted at
predicted states to see how the pattern changes and when it ends. --at and --pattern ask for states far ahead.
"""

from __future__ import annotations

import argparse

from detent.app import inputs
from detent.draw.words.answer import Answer
from detent.foundation.errors import ModelError


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
        help="the state after so many patterns, counted from the start",
    )
    parser.add_argument(
        "--patterns", metavar="N", type=int, help="how many patterns may be simulated; 50 unless said"
    )


def run(args: argparse.Namespace) -> Answer:
    from detent.draw.words.outlook import words
    from detent.judge.outlook.outlook import outlook_of

    mechanism, _ = inputs.in_layers(inputs.load(args.file), shapes_stop=True)
    if args.patterns is not None and args.patterns < 1:
        raise ModelError.at("--patterns", f"{args.patterns} is none", "give one at least")
    answer = outlook_of(mechanism, until=args.until, at=args.at, pattern=args.pattern, patterns=args.patterns)
    return Answer(data=answer, text=words(answer), title=mechanism.title or args.file)
