"""Asks mutated documents in a process of its own, and says what went wrong.

A call goes wrong when it ends in a traceback, in an exit code that is not ours, in a warning, in JSON that is
not JSON, in other bytes the second time, after 10 s of processor time without progress on the terminal, or
with more than 1 GB of memory. This process has compiled what all verbs need, so a call may add as much as a
process of its own would have left beside the kernels of one verb. Python calls have no terminal: for them a
minute is too long, else five.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import resource
import signal
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tests.prove import memory

QUIET = 10.0  # [s] of processor time without a sign of progress
LONG = float(os.environ.get("DETENT_LONG", "60"))  # [s] of processor time of a Python call
MEMORY = 1e9  # [byte]
OF_ONE = 4e8  # [byte] of a process of its own with the kernels of one verb
ROOM = 6 << 30  # [byte] of addresses: keeps a runaway from taking the machine with it
TWICE = 0.05  # share of command lines asked twice
# Which kernels ran is told, and the second time they may be compiled.
SPEED = re.compile(r",\"speed_ran\":\"\w+\"")
CODES = (0, 2, 3)


_most = [0.0]  # [byte] of any call so far


class Slow(BaseException):
    """No `except Exception` swallows it."""


class Terminal(io.StringIO):
    """A terminal that remembers when something was last shown on it."""

    def __init__(self) -> None:
        super().__init__()
        self.shown = time.process_time()

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        self.shown = time.process_time()
        return super().write(text)


def serve(pipe: Any, seed: int) -> None:
    """Answer each index with what went wrong; the pipe hears of every call before it begins."""
    resource.setrlimit(resource.RLIMIT_AS, (ROOM, ROOM))
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile("w+") as leak:
        os.dup2(leak.fileno(), 1)  # what a library in C writes past Python
        os.dup2(leak.fileno(), 2)
        while (index := pipe.recv()) is not None:
            where = Path(folder) / str(index)
            where.mkdir()
            for name, words, wrong, seconds in one(
                seed, index, where, lambda told: pipe.send(("asks", told))
            ):
                pipe.send(("asked", (index, name, words, wrong, seconds)))
            if leak.tell():
                leak.seek(0)
                text = leak.read()
                leak.seek(0)
                leak.truncate()
                pipe.send(("asked", (index, "leak", [], [f"written past Python: {text[:300]}"], 0.0)))
            _empty(where)
            pipe.send(("done", (index, _most[0])))


def one(
    seed: int, index: int, where: Path, tell: Callable[[str], Any]
) -> Iterator[tuple[str, Any, list[str], float]]:
    """All that one document is asked: the name, the words, what went wrong, and the processor time."""
    from detent.foundation import ModelError
    from detent.io import native
    from tests.prove.verbs import asking, documents

    name, text, chance = documents.mutated(seed, index)
    path = where / name
    path.write_text(text)
    read = None
    tell("read")
    with watched([]) as wrong, contextlib.suppress(ModelError):
        read = native.loads_json(text) if name.endswith("json") else native.loads_toml(text)
    yield "read", [], wrong, 0.0
    for label, what in asking.questions(path, read, chance):
        tell(label if callable(what) else " ".join(what))
        began = time.process_time()
        if callable(what):
            with watched([]) as wrong:
                asking.call(what)
            yield label, [], wrong, time.process_time() - began
        else:
            wrong, answered = command(what)
            took = time.process_time() - began
            if not wrong and chance.random() < TWICE and "--seconds" not in what:
                wrong, second = command(what)
                if SPEED.sub("", second) != SPEED.sub("", answered):
                    wrong.append(_differs(answered, second))
            yield label, [word.replace(str(where) + "/", "") for word in what], wrong, took


def _differs(first: str, second: str) -> str:
    at = next((i for i, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), 0)
    return f"the second time it says {second[at - 40 : at + 40]!r}, not {first[at - 40 : at + 40]!r}"


@contextlib.contextmanager
def watched(wrong: list[str], terminal: Terminal | None = None) -> Iterator[list[str]]:
    """Exceptions, warnings, time and memory of what runs in here go to a list."""
    began = time.process_time()
    if terminal is not None:
        terminal.shown = began

    def over(_: int, frame: Any) -> None:
        now = time.process_time()
        silent = terminal is not None and now - terminal.shown >= QUIET
        compiling = any("numba" in line.filename for line in traceback.extract_stack(frame))
        longest = LONG if terminal is None else 5 * LONG  # somebody watches its progress
        if (silent or now - began >= longest) and not compiling:
            raise Slow

    signal.signal(signal.SIGPROF, over)
    _forget_peak()
    before = memory.now()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        signal.setitimer(signal.ITIMER_PROF, QUIET, 1.0)
        try:
            yield wrong
        except Slow:
            wrong.append(f"slow: {time.process_time() - began:.0f} s, {_place()}")
        except BaseException as problem:
            wrong.append(f"{type(problem).__name__}: {str(problem)[:200]} at {_place()}")
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
    warned = {f"{w.category.__name__}: {w.message} at {_short(w.filename)}:{w.lineno}" for w in caught}
    wrong += sorted(warned)
    held = OF_ONE + memory.peak() - before
    _most[0] = max(_most[0], held)
    if held > MEMORY:
        wrong.append(f"memory: {held / 1e6:.0f} MB")


def _place() -> str:
    """Where an exception arose: the last two lines of the product, and the last of all."""
    lines = traceback.extract_tb(sys.exc_info()[2])
    product = [line for line in lines if "detent/" in line.filename][-2:]
    last = lines[-1:] if lines and lines[-1] not in product else []
    return " < ".join(f"{_short(line.filename)}:{line.lineno}" for line in [*last, *product[::-1]])


def _short(filename: str) -> str:
    return filename.rpartition("detent/")[2] if "detent/" in filename else filename.rpartition("/")[2]


def command(words: list[str]) -> tuple[list[str], str]:
    """Runs one command line; what went wrong, and all that it printed."""
    from detent.app import main

    out, err = io.StringIO(), Terminal()
    code: Any = None
    with watched([], err) as wrong, contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(words)
    text, notes = out.getvalue(), err.getvalue()
    if wrong:
        return wrong, text
    if code not in CODES:
        wrong.append(f"exit code {code}: {notes[-200:]}")
    if "Traceback" in notes or "Warning" in notes:
        wrong.append(f"on the terminal: {notes[-300:]}")
    if code in (2, 3) and not (notes.strip() or text.strip()):
        wrong.append(f"exit code {code} without a word")
    misspelt = (
        code == 2 and not text and notes.startswith("usage:")
    )  # the parser of the flags speaks to people
    if "--json" in words and "--stream" not in words and not misspelt:
        wrong += _not_json(text)
    return wrong, text + notes.rpartition("\r")[2].removeprefix("\x1b[2K")  # without the line of progress


def _not_json(text: str) -> list[str]:
    def refuse(constant: str) -> Any:
        raise ValueError(f"{constant} is not JSON")

    try:
        json.loads(text, parse_constant=refuse)
    except ValueError as problem:
        return [f"JSON: {problem}"]
    return []


def _forget_peak() -> None:
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")


def _empty(folder: Path) -> None:
    for path in folder.iterdir():
        path.unlink()
    folder.rmdir()
