"""What the command line understands: its verbs, their flags, and what it says to those it does not know.

A verb's flags are defined in its file of `detent.app.commands`, and read from there by
`--help` and by the completion of shells.
"""

from __future__ import annotations

import argparse
import re
import sys
from importlib import import_module
from typing import Any, NoReturn

import detent
from detent.foundation.names import nearest

WRONG = 2  # the exit code of a command that cannot be understood

# In the order in which a newcomer meets them.
VERBS: dict[str, str] = {
    "open": "show me: the workbench in the browser",
    "examples": "list the shipped examples, or copy one here",
    "check": "are these documents sound? every problem with its place and remedy",
    "explain": "what is this machine? parts, joints, mobility, in words",
    "mate": "does it go together, with what force, and come apart?",
    "move": "how does it move? positions, limits, speeds, forces along its drives",
    "run": "what does it do over time? motion, contacts, forces, energy",
    "outlook": "what will it do in the long run? what repeats, drifts, ends, and why",
    "draw": "show it: a picture, a film, a page that plays",
    "modes": "which contact modes are possible? separating, sticking, sliding",
    "convert": "read one format, write another",
    "schema": "the JSON Schema of the document",
    "completion": "a script that lets your shell complete verbs, flags and names",
    "warmup": "compile the kernels now, so that later runs start fast",
    "cache": "where compiled kernels are kept, how large, how to clear them",
}
# Words of the document whose verbs are not there yet.
PLANNED: dict[str, str] = {
    "study": "how does the answer vary?",
}

_EPILOG = """\
FILE is a document (.toml or .json) or the name of a shipped example; - is the standard input or output.

first steps:
  detent examples                 what is there
  detent explain four_bar         what is it?
  detent move four_bar            how does it move?
  detent mate snap_t              does it go together, with what force?
  detent VERB --help              all flags of one verb

planned, not there yet: {planned}
"""


class _Once(argparse.Action):
    """A flag that has one value: argparse alone would drop the first of two without a word."""

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: Any, values: Any, option_string: str | None = None
    ) -> None:
        assert isinstance(parser, Parser)
        if option_string is not None and self.dest in parser.given:
            raise argparse.ArgumentError(self, "is given twice, and has one value; give it once")
        parser.given.add(self.dest)
        setattr(namespace, self.dest, values)


class Parser(argparse.ArgumentParser):
    """argparse, with our exit code and a remedy."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.given: set[str] = set()
        for kind in (None, "store"):
            self.register("action", kind, _Once)

    def parse_known_args(self, *args: Any, **more: Any) -> Any:
        self.given.clear()
        return super().parse_known_args(*args, **more)

    def error(self, message: str) -> NoReturn:
        self.print_usage(sys.stderr)
        self.exit(WRONG, f"detent: {message}; {self._remedy(message)}\n")

    def _remedy(self, message: str) -> str:
        """The flag or the choice that was meant, else where they are listed."""
        known: list[str] = []
        meant = None
        if flag := re.match(r"unrecognized arguments: (--?[\w-]+)", message):
            meant, known = flag[1], [name for name in self._option_string_actions if name.startswith("--")]
        elif choice := re.search(r"invalid choice: '([^']*)' \(choose from (.*)\)", message):
            meant, known = choice[1], re.findall(r"[\w-]+", choice[2])
        closest = nearest(meant, known) if meant else None
        return f"did you mean {closest!r}?" if closest else f"see `{self.prog} --help`"


def question_of(verb: str) -> str:
    """The question that a verb answers, as a person would put it."""
    question = VERBS[verb].partition("?")[0]
    return question[:1].upper() + question[1:] + "?"


def top_parser() -> Parser:
    """`detent` without a verb: the list of verbs and the first steps."""
    parser = Parser(
        prog="detent",
        description="Detent predicts what a machine will do from the shape of its parts.",
        epilog=_EPILOG.format(planned=", ".join(PLANNED)),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"detent {detent.__version__}")
    verbs = parser.add_subparsers(title="verbs", metavar="VERB")
    for name, words in VERBS.items():
        verbs.add_parser(name, help=words, add_help=False)
    return parser


def command_of(verb: str) -> Any:
    """The file of a verb, imported when it is asked for."""
    return import_module(f"detent.app.commands.{verb}")


def parser_of(verb: str) -> Parser:
    """All flags of one verb."""
    command = command_of(verb)
    parser = Parser(
        prog=f"detent {verb}",
        description=command.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.configure(parser)
    _common_flags(parser, command)
    return parser


def _common_flags(parser: argparse.ArgumentParser, command: Any) -> None:
    output = parser.add_argument_group("output")
    output.add_argument("--json", action="store_true", help="print the answer as JSON")
    output.add_argument(
        "-q",
        "--quiet",
        action="store_true",
        help="print no answer, only errors; the exit code tells (with --json: no notes, no progress)",
    )
    if any(action.dest in ("file", "files") for action in parser._actions):
        from detent.foundation.units import METRES, other_units, spelt

        parser.add_argument(
            "--units",
            metavar="UNIT",
            type=spelt,
            choices=(*METRES, *other_units()),
            help="unit of a drawing that does not say its own: mm, m, in, 1, cm, ft, µm, …",
        )
    offers = getattr(command, "OFFERS", ())
    if "plot" in offers:
        output.add_argument(
            "--plot", metavar="FILE", help="draw the answer (.svg or .png; - for SVG to stdout)"
        )
    if "csv" in offers:
        output.add_argument("--csv", metavar="FILE", help="write the answer's table (- for stdout)")
    if "report" in offers:
        output.add_argument(
            "--report", metavar="FILE", help="write a report (.html): answer, evidence, assumptions"
        )


def with_values(argv: list[str]) -> list[str]:
    """A list such as -5,0,0 belongs to the flag before it; the parser alone would take it for a flag."""
    arguments: list[str] = []
    for word in argv:
        flag = arguments[-1] if arguments else ""
        if word[:1] == "-" and word[1:2].isdigit() and flag.startswith("--") and "=" not in flag:
            arguments[-1] = f"{flag}={word}"
        else:
            arguments.append(word)
    return arguments
