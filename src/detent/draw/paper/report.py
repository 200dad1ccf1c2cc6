"""The HTML report: one self-contained page a colleague can open.

Picture, verdict, evidence, assumptions, versions, in that order; whatever a
verb does not have is left out, never empty.
"""

from __future__ import annotations

import html
import platform
from collections.abc import Sequence
from dataclasses import dataclass

import detent


@dataclass(frozen=True)
class Section:
    """One heading of a report: words, a table, a picture as SVG; any of them."""

    title: str
    text: str = ""
    rows: Sequence[tuple[str, ...]] = ()
    head: tuple[str, ...] = ()
    svg: str = ""


def render(title: str, answer: str, sections: list[Section]) -> str:
    """The page. The same answer gives the same bytes: no date, no path of a machine."""
    body = "\n".join(_section(section) for section in [*sections, _versions()])
    return _PAGE.format(title=html.escape(title), answer=html.escape(answer), body=body)


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
  figure {{ margin: 0; background: white; border-radius: 6px; }}
  figure svg {{ display: block; margin: 0 auto; max-width: 100%; height: auto; }}
</style>
<h1>{title}</h1>
<pre>{answer}</pre>
{body}
</html>
"""
