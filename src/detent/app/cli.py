"""The command line: `detent VERB FILE`.

Only the verb that was asked for is imported, and only when it runs; `--help`
imports nothing. Exit codes: 0 answered (a jam is an answer), 2 the model or the
command is wrong, 3 this method cannot do it, 130 interrupted, 1 our defect.
"""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING, Any

from detent.app import parsing
from detent.app.parsing import PLANNED, VERBS, WRONG

if TYPE_CHECKING:
    from detent.draw.words.answer import Answer
    from detent.foundation.errors import Problem

OK, DEFECT, UNSUPPORTED, INTERRUPTED = 0, 1, 3, 130


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
    parser = parsing.top_parser()
    if argv and argv[0] in PLANNED:
        return _planned(argv)
    if argv and not argv[0].startswith("-"):
        from detent.foundation.names import did_you_mean

        remedy = did_you_mean(argv[0], VERBS, otherwise="`detent --help` lists them")
        print(f"detent: there is no verb {_printable(argv[0])!r}; {remedy}", file=sys.stderr)
        return WRONG
    try:
        parser.parse_args(argv)
    except SystemExit as stop:
        return int(stop.code or 0)
    parser.print_help()
    return OK


def _planned(argv: list[str]) -> int:
    """A verb whose keys documents may have already."""
    from detent.foundation.errors import Problem

    verb = f"`detent {argv[0]}` ({PLANNED[argv[0]]})"
    problem = Problem(
        "",
        f"{verb} is planned; its keys are checked, nothing computes them yet",
        "`detent move`, `detent mate`, `detent run` and `detent modes` answer today",
    )
    return _fail((problem,), argparse.Namespace(json="--json" in argv), UNSUPPORTED)


def _run(verb: str, argv: list[str]) -> int:
    from detent.app import output

    command = parsing.command_of(verb)
    parser = parsing.parser_of(verb)
    try:
        args = parser.parse_args(parsing.with_values(argv))
    except SystemExit as stop:
        return int(stop.code or 0)
    from detent.app.progress import shown
    from detent.foundation.errors import ModelError, UnsupportedError

    try:
        to_stdout = output.flag_to_stdout(args)
        with shown(_subject(verb, args), None if _is_silent(command, args) else sys.stderr):
            if hasattr(args, "units"):
                from detent.app import inputs

                inputs.drawing_units.set(args.units)
            answer: Answer = command.run(args)
            _write_files(verb, answer, args)
        _print(answer, args, to_stdout=to_stdout)
        return answer.code
    except ModelError as error:
        return _fail(_placed(error.problems, args), args, WRONG)
    except UnsupportedError as error:
        return _fail(_placed((error.problem,), args), args, UNSUPPORTED)


def _placed(problems: tuple[Problem, ...], args: argparse.Namespace) -> tuple[Problem, ...]:
    """With the file and line of what is in the one document of the command."""
    file = getattr(args, "file", None)
    if not isinstance(file, str) or file == "-" or getattr(args, "beside", None):
        return problems
    from detent.app import inputs
    from detent.foundation.errors import ModelError, UnsupportedError
    from detent.io import formats

    try:
        found = formats.placed(list(problems), inputs.find(file))
    except (ModelError, UnsupportedError, OSError):
        return problems
    pairs = zip(problems, found, strict=True)
    return tuple(p if p.file or there.line is None else there for p, there in pairs)


def _subject(verb: str, args: argparse.Namespace) -> str:
    """What progress calls the whole: the verb and its file."""
    file = getattr(args, "file", None)
    return _printable(f"{verb} {file}" if isinstance(file, str) else verb)


def _is_silent(command: Any, args: argparse.Namespace) -> bool:
    """Where a line of progress would disturb: asked not to, or a command that serves."""
    return bool(args.quiet or not getattr(command, "SHOWS_PROGRESS", True))


def _write_files(verb: str, answer: Answer, args: argparse.Namespace) -> None:
    from detent.app import output
    from detent.foundation.errors import UnsupportedError
    from detent.foundation.progress import doing

    if (plot := getattr(args, "plot", None)) is not None:
        kind = output.ending(plot, ("svg", "png"), "--plot")
        if answer.plot is None:
            raise UnsupportedError("this answer has no picture", "ask without --plot")
        with doing(f"drawing {plot}"):
            output.write(plot, answer.plot(kind))
    if (csv := getattr(args, "csv", None)) is not None:
        if answer.csv is None:
            raise UnsupportedError("this answer has no table", "ask without --csv")
        output.write(csv, answer.csv().encode())
    if (report := getattr(args, "report", None)) is not None:
        from detent.draw.paper.report import ReportSummary, render
        from detent.draw.words.layout import labelled

        output.ending(report, ("html",), "--report")
        with doing(f"pictures of {report}"):
            sections = answer.sections() if answer.sections else []
        rows = labelled(answer.text, answer.title)
        data = answer.data
        scope = data.get("scope") if isinstance(data, dict) else getattr(data, "scope", None)
        question = answer.question or parsing.question_of(verb)
        summary = ReportSummary(question, rows, answer.text, scope, answer.notes)
        output.write(report, render(answer.title, summary, sections).encode())


def _print(answer: Answer, args: argparse.Namespace, *, to_stdout: str | None) -> None:
    """The answer; its words go to stderr where `to_stdout`, a flag, has written something to stdout."""
    if args.json:
        from detent.record.base import encode

        print(encode(answer.data))
    elif answer.text and (not args.quiet or answer.code in (WRONG, UNSUPPORTED)):
        # What is wrong is not kept back by --quiet.
        print(_printable(answer.text), file=sys.stderr if to_stdout else sys.stdout)
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
