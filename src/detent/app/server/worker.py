"""A process that looks into documents for the server: `python -m detent.app.server.worker`.

It reads questions from its standard input and writes answers to its standard
output, as `wire` packs them. It takes its limits before it reads anything: an
address space, files no larger than an answer, and an alarm per question, which
ends it even where the server has gone and nobody else would.
"""

from __future__ import annotations

import os
import signal
import sys
from typing import Any, BinaryIO

from detent.app.server import limits, wire
from detent.app.server.pool import remember

# The server ends a late child first, and can say why; the alarm is for when there is no server any more [s].
_GRACE = 5.0


def main() -> int:
    _take_limits()
    questions, answers = _streams()
    from detent.app.server import questions as room

    known: dict[str, tuple[room.GivenDocument, int]] = {}
    while (frame := wire.read(questions)) is not None:
        head, body = frame
        _alarm(head["seconds"] + _GRACE)
        source = known[head["key"]][0] if head["known"] else room.GivenDocument(body)
        _write(answers, *_answer(room, head["question"], source, answers))
        _alarm(0.0)
        if head["key"]:
            remember(known, head["key"], source, len(source.text))
    return 0


def _answer(room: Any, question: dict[str, Any], source: Any, answers: BinaryIO) -> tuple[object, bytes]:
    from detent.foundation.errors import ModelError, UnsupportedError

    def progress(words: str) -> None:
        _write(answers, {"event": "progress", "words": words}, b"")

    try:
        answer, body = room.answer(question, source, progress)
        return {"answer": answer}, body
    except ModelError as error:
        return {"problems": [problem.to_json() for problem in error.problems]}, b""
    except UnsupportedError as error:
        return {"problems": [error.problem.to_json()]}, b""
    except (MemoryError, RecursionError):
        return _refused("this needs more memory than a computation may have", "make it smaller"), b""
    except Exception as defect:  # the server must live on; the person sees what to report
        import traceback

        traceback.print_exc()
        words = f"{type(defect).__name__}: {defect}"
        return _refused(f"a defect of ours, {words[:500]}", "please report it with the document"), b""


def _refused(problem: str, remedy: str) -> dict[str, object]:
    return {"problems": [{"at": "", "problem": problem, "remedy": remedy}]}


def _write(stream: BinaryIO, head: object, body: bytes) -> None:
    stream.write(wire.pack(head, body))
    stream.flush()


def _streams() -> tuple[BinaryIO, BinaryIO]:
    """The pipes to the server; whatever a library prints goes to the error stream instead."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return sys.stdin.buffer, answers


def _take_limits() -> None:
    if sys.platform == "win32":
        return
    import resource

    for kind, most in (
        (resource.RLIMIT_AS, limits.CHILD_BYTES),
        (resource.RLIMIT_FSIZE, limits.CHILD_FILE_BYTES),
        (resource.RLIMIT_CORE, 0),
    ):
        _, hard = resource.getrlimit(kind)
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (most, most))


def _alarm(seconds: float) -> None:
    """Unless it is cancelled, the default action ends the process."""
    if sys.platform != "win32":
        signal.setitimer(signal.ITIMER_REAL, seconds)


if __name__ == "__main__":
    sys.exit(main())
