"""The command line: `detent VERB FILE`.

Only the verb that was asked for is imported, and only when it runs; `--help`
imports nothing. Exit codes: 0 answered (a jam is an answer), 2 the model or the
command is wrong, 3 this method cannot do it, 130 interrupted, 1 our defect.
"""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING, Any, NoReturn

import detent

if TYPE_CHECKING:
    from detent.draw.words.answer import Answer

OK, DEFECT, WRONG, UNSUPPORTED, INTERRUPTED = 0, 1, 2, 3, 130

# In the order in which a newcomer meets them.
VERBS: dict[str, str] = {
    "open": "show me: the workbench in the browser",
    "examples": "list the shipped examples, or copy one here",
    "check": "is this document sound? every problem with its place and remedy",
    "explain": "what is this machine? parts, joints, mobility, in words",
    "mate": "does it go together, with what force, and come apart?",
    "move": "how does it move? positions, limits, speeds, forces along its drives",
    "draw": "show it: a picture, a film, a page that plays",
    "modes": "which contact modes are possible? separating, sticking, sliding",
    "convert": "read one format, write another",
    "schema": "the JSON Schema of the document",
    "warmup": "compile the kernels now, so that later runs start fast",
    "cache": "where compiled kernels are kept, how large, how to clear them",
}

_EPILOG = """\
FILE is a document (.toml or .json) or the name of a shipped example.

first steps:
  detent examples                 what is there
  detent check escapement         is it sound?
  detent explain escapement       what is it?
  detent VERB --help              all flags of one verb
"""


class _Parser(argparse.ArgumentParser):
    """argparse, with our exit code and a remedy."""

    def error(self, message: str) -> NoReturn:
        self.print_usage(sys.stderr)
        self.exit(WRONG, f"detent: {message}; see `{self.prog} --help`\n")


def main(argv: list[str] | None = None) -> int:
    """Run one command; returns its exit code."""
    argv = list(sys.argv[1:] if argv is None else argv)
    _forgiving_output()
    # Our matrices are small: a second thread costs more in waiting than it brings, above all under load.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    verb = argv[0] if argv and argv[0] in VERBS else None
    if verb is None:
        return _top(argv)
    from detent.app.interrupts import without_lost_interrupts

    try:
        with without_lost_interrupts():
            return _run(verb, argv[1:])
    except KeyboardInterrupt:
        print("detent: interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # The reader of a pipe went away, as in `detent schema | head`.
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115
        return OK
    except OSError as problem:  # a full disk, a closed output
        print(f"detent: the answer cannot be written: {problem.strerror or problem}", file=sys.stderr)
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115
        return DEFECT


def _forgiving_output() -> None:
    """A terminal that cannot show a sign shows another; a closed output swallows the answer."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def _top(argv: list[str]) -> int:
    parser = _Parser(
        prog="detent",
        description="Detent predicts what a machine will do from the shape of its parts.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"detent {detent.__version__}")
    verbs = parser.add_subparsers(title="verbs", metavar="VERB")
    for name, words in VERBS.items():
        verbs.add_parser(name, help=words, add_help=False)
    if argv and not argv[0].startswith("-"):
        from detent.foundation.names import did_you_mean

        remedy = did_you_mean(argv[0], VERBS, otherwise="`detent --help` lists them")
        print(f"detent: there is no verb {argv[0]!r}; {remedy}", file=sys.stderr)
        return WRONG
    try:
        parser.parse_args(argv)
    except SystemExit as stop:
        return int(stop.code or 0)
    parser.print_help()
    return OK


def _run(verb: str, argv: list[str]) -> int:
    from importlib import import_module

    command: Any = import_module(f"detent.app.commands.{verb}")
    parser = _Parser(
        prog=f"detent {verb}",
        description=command.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.configure(parser)
    _common_flags(parser, command)
    try:
        args = parser.parse_args(_with_values(argv))
    except SystemExit as stop:
        return int(stop.code or 0)
    from detent.foundation.errors import ModelError, UnsupportedError

    try:
        return _deliver(command.run(args), args)
    except ModelError as error:
        return _fail(error.problems, args, WRONG)
    except UnsupportedError as error:
        return _fail((error.problem,), args, UNSUPPORTED)


def _with_values(argv: list[str]) -> list[str]:
    """A list such as -5,0,0 belongs to the flag before it; the parser alone would take it for a flag."""
    arguments: list[str] = []
    for word in argv:
        flag = arguments[-1] if arguments else ""
        if word[:1] == "-" and word[1:2].isdigit() and flag.startswith("--") and "=" not in flag:
            arguments[-1] = f"{flag}={word}"
        else:
            arguments.append(word)
    return arguments


def _common_flags(parser: argparse.ArgumentParser, command: Any) -> None:
    output = parser.add_argument_group("output")
    output.add_argument("--json", action="store_true", help="print the answer as JSON")
    output.add_argument(
        "--quiet", action="store_true", help="print no answer, only errors; the exit code tells"
    )
    offers = getattr(command, "OFFERS", ())
    if "plot" in offers:
        output.add_argument("--plot", metavar="FILE", help="draw the answer (.svg or .png)")
    if "csv" in offers:
        output.add_argument("--csv", metavar="FILE", help="write the answer's table")
    if "report" in offers:
        output.add_argument(
            "--report", metavar="FILE", help="write a report (.html): answer, evidence, assumptions"
        )


def _deliver(answer: Answer, args: argparse.Namespace) -> int:
    from detent.app import output
    from detent.foundation.errors import UnsupportedError

    if (plot := getattr(args, "plot", None)) is not None:
        kind = output.ending(plot, ("svg", "png"), "--plot")
        if answer.plot is None:
            raise UnsupportedError("this answer has no picture", "ask without --plot")
        output.write(plot, answer.plot(kind))
    if (csv := getattr(args, "csv", None)) is not None:
        if answer.csv is None:
            raise UnsupportedError("this answer has no table", "ask without --csv")
        output.write(csv, answer.csv().encode())
    if (report := getattr(args, "report", None)) is not None:
        from detent.draw.paper.report import render

        output.ending(report, ("html",), "--report")
        sections = answer.sections() if answer.sections else []
        output.write(report, render(answer.title, answer.text, sections).encode())
    _print(answer, args)
    return answer.code


def _print(answer: Answer, args: argparse.Namespace) -> None:
    if args.json:
        from detent.record.base import encode

        print(encode(answer.data))
    elif not args.quiet:
        print(_printable(answer.text))
    if not args.quiet:
        for note in answer.notes:
            print(note, file=sys.stderr)
    sys.stdout.flush()


def _printable(text: str) -> str:
    """The text without control characters, which a document could use to paint the terminal."""
    return "".join(c if c.isprintable() or c in "\n\t" else "\N{REPLACEMENT CHARACTER}" for c in text)


def _fail(problems: Any, args: argparse.Namespace, code: int) -> int:
    if args.json:
        from detent.record.base import encode

        print(encode({"ok": False, "problems": [p.to_json() for p in problems]}))
    else:
        for problem in problems:
            print(f"detent: {_printable(str(problem))}", file=sys.stderr)
    return code
