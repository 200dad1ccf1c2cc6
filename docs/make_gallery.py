"""Write docs/gallery.md, a page per example and their pictures from examples/; `make docs` runs this first.

The gallery is cards, by the question that a document asks; a card leads to its page: the picture, the note,
the command with its answer and, where there is one, the program beside it. Matings of parts that yield have
their force over the way and their motion; one task at two working positions has a report that compares them.
Documents that ask for their outlook have a second card with the verdict, and the outlook on their page.
Nothing of it is committed.
"""

from __future__ import annotations

import ast
import io
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path

from msgspec.structs import replace

from detent.app import main as detent_command
from detent.app import question_of, verb_for
from detent.draw import machine_scene
from detent.draw.paper import svg
from detent.io.native import document
from detent.motion import method_of

DOCS = Path(__file__).resolve().parent
EXAMPLES = DOCS.parent / "examples"
PICTURES = DOCS / "_gallery"
PAGES = DOCS / "gallery"
MOST_LINES, MOST_AHEAD = 30, 60  # of an answer, and of an outlook; the command prints the rest
# One task at two working positions.
BESIDE = {"robot_oring_far": "robot_oring_near", "robot_combined_far": "robot_combined_near"}
VERBS = ("move", "mate", "run", "outlook", "modes", "explain")  # in the order of their questions

HEAD = """\
# Gallery

Every machine here is shipped: use its name as a FILE, or copy it with `detent examples NAME`.
A picture leads to its page: what it is, the command that asks it, the answer.
"""


@dataclass(frozen=True)
class Entry:
    """One example: where it is shown, and under which question."""

    name: str
    title: str
    verb: str
    picture: str | None
    line: str  # what its card says


def main() -> None:
    PICTURES.mkdir(exist_ok=True)
    PAGES.mkdir(exist_ok=True)
    entries = [entry for path in sorted(EXAMPLES.glob("*.toml")) for entry in _entries(path)]
    groups = [(verb, [entry for entry in entries if entry.verb == verb]) for verb in VERBS]
    pieces = [HEAD, *(_cards(question_of(verb), cards) for verb, cards in groups if cards)]
    programs = [_program(p) for p in sorted(EXAMPLES.glob("*.py")) if not p.with_suffix(".toml").exists()]
    if programs:
        pieces.append("## Programs\n\n" + "\n".join(f"- [{e.title}](gallery/{e.name}.md)" for e in programs))
    pieces.append("```{toctree}\n:hidden:\n:glob:\n\ngallery/*\n```")
    (DOCS / "gallery.md").write_text("\n\n".join(pieces) + "\n")


def _cards(question: str, entries: list[Entry]) -> str:
    return "\n".join([f"## {question}", "", "::::{container} cards", *map(_card, entries), "::::"])


def _card(entry: Entry) -> str:
    """A picture and a name, both links to the page, and one line."""
    name = entry.title.partition(":")[0]
    lines = [":::{container} card"]
    if entry.picture is not None:
        lines += [f"[![{name}]({entry.picture})](gallery/{entry.name}.md)", ""]
    lines += [f"**[{name}](gallery/{entry.name}.md)**", ""]
    if entry.line:
        lines += [entry.line, ""]
    return "\n".join([*lines, f"`detent {entry.verb} {entry.name}`", ":::"])


def _entries(path: Path) -> list[Entry]:
    """The page of an example, and its cards: of its question, and of its outlook where it asks for that."""
    mechanism = document.load(path)
    title, name = mechanism.title or path.stem, path.stem
    verb, picture = verb_for(mechanism), None
    lines = [f"# {title}", ""]
    if mechanism.rows is None:  # rows have no place in space
        (PICTURES / f"{name}.svg").write_text(svg.write(machine_scene(mechanism), size=640))
        lines += [f"![{title}](../_gallery/{name}.svg)", ""]
        picture = f"_gallery/{name}_small.svg"
        (DOCS / picture).write_text(svg.write(machine_scene(replace(mechanism, title="")), size=320))
    if mechanism.note:
        lines += [mechanism.note, ""]
    cards = []
    asks_ahead = mechanism.ask is not None and mechanism.ask.outlook is not None
    for asked in dict.fromkeys([verb, *(["outlook"] if asks_ahead else [])]):
        answer = _answer(asked, name)
        lines += [f"## {question_of(asked)}", "", *_shown(asked, name, answer)]
        if asked == "mate" and method_of(mechanism, "mate").name in ("compliant", "rigid"):
            plot, film = f"{PICTURES.name}/{name}_force.svg", f"{PICTURES.name}/{name}.gif"
            written = ["--plot", str(DOCS / plot), "--film", str(DOCS / film)]
            assert detent_command(["mate", name, "--quiet", *written]) == 0
            lines += [f"![Forces](../{plot})", "", f"![The motion](../{film})", ""]
            lines += _better(name)
        line = _verdict(answer) if asked == "outlook" else title.partition(":")[2].strip()
        cards.append(Entry(name, title, asked, picture, line))
    lines += ["## The document", ""]
    lines += [f"```{{literalinclude}} ../../examples/{name}.toml", ":language: toml", "```", ""]
    if path.with_suffix(".py").exists():
        lines += ["## In Python", "", *_listing(name)]
    (PAGES / f"{name}.md").write_text("\n".join(lines))
    return cards


def _better(name: str) -> list[str]:
    """Which working position is better, as a report, where the same task is here at another one."""
    other = BESIDE.get(name)
    if other is None:
        return []
    plot, report = f"{PICTURES.name}/{name}_beside.svg", f"{PICTURES.name}/{name}_beside.html"
    answer = _answer(
        "mate", name, "--beside", other, "--plot", str(DOCS / plot), "--report", str(DOCS / report)
    )
    return [
        "## Which working position is better?",
        "",
        *_listed(f"mate {name} --beside {other} --report better.html", answer, MOST_LINES),
        f"![Departures from free motion, and the push](../{plot})",
        "",
        f"{{download}}`The report, with tables and pictures <../{report}>`",
        "",
    ]


def _answer(verb: str, name: str, *flags: str) -> list[str]:
    """What the command prints."""
    out, notes = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(notes):
        code = detent_command([verb, name, *flags])
    assert code == 0, (verb, name, notes.getvalue())
    return out.getvalue().splitlines()


def _verdict(answer: list[str]) -> str:
    """The verdict of an outlook, as its words have it."""
    line = next(line for line in answer if line.startswith("  verdict "))
    return line.removeprefix("  verdict ").strip()


def _shown(verb: str, name: str, answer: list[str]) -> list[str]:
    """The command and its answer."""
    most = MOST_AHEAD if verb == "outlook" else MOST_LINES
    picture = []
    if verb == "outlook" and (plot := _plotted(name)):
        picture = [f"![The long run of {name}](../{plot})", ""]
    return [*_listed(f"{verb} {name}", answer, most), *picture]


def _listed(command: str, answer: list[str], most: int) -> list[str]:
    shown = answer if len(answer) <= most else [*answer[: most - 1], "…"]
    return ["```console", f"$ detent {command}", *shown, "```", ""]


def _plotted(name: str) -> str:
    """The picture of an outlook, where it has one."""
    path = f"{PICTURES.name}/{name}_outlook.svg"
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        code = detent_command(["outlook", name, "--plot", str(DOCS / path), "--quiet"])
    return path if code == 0 else ""


def _program(path: Path) -> Entry:
    """A program that brings no document of ours: its first sentence is its title."""
    title = (ast.get_docstring(ast.parse(path.read_text())) or path.stem).splitlines()[0]
    (PAGES / f"{path.stem}.md").write_text("\n".join([f"# {title}", "", *_listing(path.stem)]))
    return Entry(path.stem, title, "", None, "")


def _listing(name: str) -> list[str]:
    return [f"```{{literalinclude}} ../../examples/{name}.py", ":language: python", "```", ""]


if __name__ == "__main__":
    main()
