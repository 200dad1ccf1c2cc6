"""What a child answers about a document: one function per question, thin over the rooms that know.

Each takes the question (plain data, as the page sent it) and the document, and
gives plain data, plus bytes where a file was asked for. Problems are raised as
everywhere else; the child puts them into the answer.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any

from detent.foundation.errors import DetentError, ModelError, UnsupportedError
from detent.io.native import document
from detent.model.document.mechanism import Mechanism
from detent.model.machine.drawn import joint_gaps

if TYPE_CHECKING:
    from detent.judge.explanation import Explained

Progress = Callable[[str], None]  # what it is at, in words
Fields = dict[str, Any]


class GivenDocument:
    """A document as it came, understood when first asked about."""

    def __init__(self, text: bytes) -> None:
        self.text = text

    @cached_property
    def mechanism(self) -> Mechanism:
        """The Mechanism; its problems are those of a document, at their paths."""
        try:
            text = self.text.decode()
        except UnicodeDecodeError:
            raise ModelError.at("", "is not UTF-8 text", "save it as UTF-8") from None
        return document.loads_json(text, file="document")

    @cached_property
    def judged(self) -> Explained:
        """Its joints, also those that its shapes make, and what follows from them."""
        from detent.judge.explanation import explained

        return explained(self.mechanism)

    @cached_property
    def seen(self) -> Mechanism:
        """As it is shown: a machine in space along the axis that its joints share, as it runs."""
        from detent.model.machine.seen_along import seen_along_axis

        if self.mechanism.dimension == 2:
            return self.mechanism
        try:
            return seen_along_axis(self.judged.resolved)
        except DetentError:  # what is wrong with its joints is said by the explanation
            return self.mechanism

    @cached_property
    def checked(self) -> dict[str, Any]:
        """Its problems, or how far the drawing is from closing."""
        try:
            mechanism = self.mechanism
        except ModelError as error:
            return {"problems": [problem.to_json() for problem in error.problems], "gaps": []}
        gaps = joint_gaps.gaps(mechanism) if mechanism.joints else []
        return {"problems": [], "gaps": [vars(gap) for gap in gaps]}


def answer(question: Fields, source: GivenDocument, progress: Progress) -> tuple[object, bytes]:
    """The answer to any question, and the bytes of a file."""
    return QUESTIONS[question["do"]](question, source, progress)


def check(question: Fields, source: GivenDocument, progress: Progress) -> tuple[object, bytes]:
    """Problems at their paths, or how far the drawing is from closing."""
    return dict(source.checked), b""


def explain(question: Fields, source: GivenDocument, progress: Progress) -> tuple[object, bytes]:
    """Parts, joints, mobility, redundancy, plan, in words and numbers."""
    return {"explanation": _explained(source)}, b""


def picture(question: Fields, source: GivenDocument, progress: Progress) -> tuple[object, bytes]:
    """Outlines of each part in its own frame, its markers, and its pose as drawn."""
    from detent.app.server.outlines import outlines

    return outlines(source.seen), b""


def edit(question: Fields, source: GivenDocument, progress: Progress) -> tuple[object, bytes]:
    """All that the page wants to know after a change."""
    from detent.app.server.outlines import outlines

    reply = dict(source.checked)
    if reply["problems"]:
        return reply, b""
    # A sound document may still have no outline, or no plan; the rest of the answer remains.
    unanswered: dict[str, Any] = {}
    wanted: dict[str, Callable[[], dict[str, Any]]] = {
        "explanation": lambda: {"explanation": _explained(source)},
        "picture": lambda: {**outlines(source.seen), "turned": _is_turned(source)},
        "drives": lambda: _drivable(source.mechanism),
    }
    for what, make in wanted.items():
        try:
            reply |= make()
        except ModelError as error:
            unanswered[what] = [problem.to_json() for problem in error.problems]
        except UnsupportedError as error:
            unanswered[what] = [error.problem.to_json()]
    return {**reply, "unanswered": unanswered} if unanswered else reply, b""


def _drivable(mechanism: Mechanism) -> dict[str, Any]:
    """Whether the drives can begin; nothing of what is not a linkage, or not driven."""
    from detent.app.server.linkage import out_of_reach

    why = out_of_reach(mechanism) if mechanism.drives else ""
    return {"out_of_reach": why} if why else {}


def warm(question: Fields, source: GivenDocument, progress: Progress) -> tuple[object, bytes]:
    """Nothing is asked; what an edit needs is imported."""
    from detent.app.server import editing, outlines
    from detent.draw.words import explain as judge

    return {"ready": [editing.__name__, outlines.__name__, judge.__name__]}, b""


def read(question: Fields, source: GivenDocument, progress: Progress) -> tuple[object, bytes]:
    """A file's bytes as a document, whatever format its name says."""
    from detent.app.server import transfer

    return transfer.read(question["name"], source.text, question.get("units"))


def write(question: Fields, source: GivenDocument, progress: Progress) -> tuple[object, bytes]:
    """The bytes of an export."""
    from detent.app.server import transfer

    return transfer.write(question, source.mechanism, progress)


def grab(question: Fields, source: GivenDocument, progress: Progress) -> tuple[object, bytes]:
    """The plan that follows a pull, for the page's executor."""
    from detent.app.server import grabbing

    return grabbing.grab(question, source.mechanism), b""


def stretch(question: Fields, source: GivenDocument, progress: Progress) -> tuple[object, bytes]:
    """How far a grab's driven coordinate goes, proved."""
    from detent.app.server import grabbing

    return grabbing.stretch(question, source.mechanism), b""


def drag(question: Fields, source: GivenDocument, progress: Progress) -> tuple[object, bytes]:
    """A pull followed here, for what has no plan."""
    from detent.app.server import grabbing

    return grabbing.drag(question, source.mechanism), b""


def run(question: Fields, source: GivenDocument, progress: Progress) -> tuple[object, bytes]:
    """The machine over time."""
    from detent.app.server import running

    return running.run(question, source.mechanism, progress), b""


def outlook(question: Fields, source: GivenDocument, progress: Progress) -> tuple[object, bytes]:
    """The machine in the long run."""
    from detent.app.server import running

    return running.outlook(question, source.mechanism, progress), b""


def operate(question: Fields, source: GivenDocument, progress: Progress) -> tuple[object, bytes]:
    """Edits of the page's hand; or, by `operation`, one that must be solved."""
    if "operation" in question:
        from detent.app.server import grabbing

        return grabbing.solve(question, source.mechanism), b""
    from detent.app.server import editing

    return editing.apply(question.get("operations"), source.mechanism), b""


def _is_turned(source: GivenDocument) -> bool:
    """Whether it is shown along another axis than z: places in the document are not those of the view."""
    from detent.model.machine.seen_along import axis_seen_along

    return source.seen is not source.mechanism and axis_seen_along(source.judged.resolved) is not None


def _explained(source: GivenDocument) -> Any:
    from detent.draw.words.explain import in_words
    from detent.draw.words.layout import labelled
    from detent.record.base import builtins

    explanation = in_words(source.mechanism, judged=source.judged)
    told = labelled(explanation.words, title=explanation.words.partition("\n")[0])
    return {**builtins(explanation), "told": told}


def _moving(name: str) -> Callable[[Fields, GivenDocument, Progress], tuple[object, bytes]]:
    """A question of `linkage`, imported when it is asked."""

    def ask(question: Fields, source: GivenDocument, progress: Progress) -> tuple[object, bytes]:
        from detent.app.server import linkage

        return getattr(linkage, name)(question, source.mechanism), b""

    return ask


QUESTIONS: dict[str, Callable[[Fields, GivenDocument, Progress], tuple[object, bytes]]] = {
    "check": check,
    "explain": explain,
    "picture": picture,
    "edit": edit,
    "warm": warm,
    "course": _moving("course"),
    "play": _moving("play"),
    "curves": _moving("curves"),
    "analyse": _moving("analyse"),
    "run": run,
    "outlook": outlook,
    "grab": grab,
    "stretch": stretch,
    "drag": drag,
    "operate": operate,
    "read": read,
    "write": write,
}
