"""The HTML report: one self-contained page a colleague can open.

The answer as a table (question, answer, certainty, assumptions, what is left out), then pictures,
evidence, versions. Whatever a verb does not have is left out, never empty.
"""

from __future__ import annotations

import html
import platform
from collections.abc import Sequence
from dataclasses import dataclass

import detent
from detent.record.scope import Scope

_SAID_BY_SCOPE = ("certainty", "assumed", "left out")  # in an answer's words too
ASSUMPTIONS = "Assumptions"  # a section of this title becomes a row of the answer


@dataclass(frozen=True)
class Section:
    """One heading of a report: words, a table, a picture as SVG; any of them."""

    title: str
    text: str = ""
    rows: Sequence[tuple[str, ...]] = ()
    head: tuple[str, ...] = ()
    svg: str = ""


@dataclass(frozen=True)
class ReportSummary:
    """What a report opens with: the question, its answer, how far that holds."""

    question: str
    answer: Sequence[tuple[str, str]]  # label and value of each thing said
    words: str  # all of it, as it is printed
    scope: Scope | None = None
    notes: Sequence[str] = ()


def render(title: str, summary: ReportSummary, sections: list[Section]) -> str:
    """The page. The same answer gives the same bytes: no date, no path of a machine."""
    assumed = [row[0] for section in sections if section.title == ASSUMPTIONS for row in section.rows]
    evidence = [section for section in sections if section.title != ASSUMPTIONS]
    body = "\n".join(_section(section) for section in [*evidence, _versions()])
    return _PAGE.format(
        title=html.escape(title),
        answer=_answer(summary, assumed),
        words=html.escape(summary.words),
        body=body,
    )


def _answer(summary: ReportSummary, assumed: Sequence[str]) -> str:
    """The answer as a table: one row per thing said, then what it rests on and leaves out."""
    scope = summary.scope
    rows = [("question", [summary.question])]
    rows += [(label, value.splitlines()) for label, value in summary.answer]
    if scope is not None:
        rows = [row for row in rows if row[0] not in _SAID_BY_SCOPE]
        rows.append(("certainty", [scope.words]))
    known = dict.fromkeys([*(scope.assumed if scope is not None else ()), *assumed])
    if known:
        rows.append(("assumed", list(known)))
    if scope is not None and scope.left_out:
        rows.append(("left out", list(scope.left_out)))
    notes = [note for note in summary.notes if note.removeprefix("assumed: ") not in known]
    if notes:
        rows.append(("notes", notes))
    return "".join(f"<tr><th>{html.escape(label)}</th><td>{_lines(lines)}</td></tr>" for label, lines in rows)


def _lines(lines: Sequence[str]) -> str:
    return "<br>".join(html.escape(line) for line in lines)


def _section(section: Section) -> str:
    pieces = [f"<h2>{html.escape(section.title)}</h2>"]
    if section.svg:
        pieces.append(f"<figure>{section.svg}</figure>")
    if section.text:
        pieces.append(f"<p>{html.escape(section.text)}</p>")
    if section.rows:
        pieces.append(_table(section))
    return "\n".join(pieces)


def _table(section: Section) -> str:
    head = "".join(f"<th>{html.escape(cell)}</th>" for cell in section.head)
    rows = ("".join(f"<td>{html.escape(cell)}</td>" for cell in row) for row in section.rows)
    return f"<table><tr>{head}</tr>" + "".join(f"<tr>{row}</tr>" for row in rows) + "</table>"


def _versions() -> Section:
    from importlib.metadata import PackageNotFoundError, version

    rows: list[tuple[str, ...]] = [("detent", detent.__version__), ("Python", platform.python_version())]
    for name in ("numpy", "scipy", "numba", "msgspec"):
        try:
            rows.append((name, version(name)))
        except PackageNotFoundError:
            continue
    return Section("Versions", rows=rows, head=("what", "version"))


_PAGE = """\
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
  :root {{ color-scheme: light dark; }}
  body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 52rem; margin: 2rem auto; padding: 0 1rem; }}
  pre {{ white-space: pre-wrap; padding: 1rem; border: 1px solid #8888; border-radius: 6px; }}
  table {{ border-collapse: collapse; display: block; overflow-x: auto; }}
  td, th {{ text-align: left; padding: .25rem .75rem; border-bottom: 1px solid #8888; vertical-align: top; }}
  .answer th {{ white-space: nowrap; font-weight: 600; width: 7rem; }}
  .answer {{ display: table; width: 100%; border-top: 1px solid #8888; margin: 1rem 0 2rem; }}
  details {{ margin-top: 2rem; }}
  figure {{ margin: 0; background: white; border-radius: 6px; }}
  figure svg {{ display: block; margin: 0 auto; max-width: 100%; height: auto; }}
</style>
<h1>{title}</h1>
<table class="answer">{answer}</table>
{body}
<details><summary>The answer in words</summary><pre>{words}</pre></details>
</html>
"""
