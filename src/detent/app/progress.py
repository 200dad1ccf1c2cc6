"""Progress on a terminal: one line, shown only for work that lasts, gone before the answer is printed.

What it says comes from `detent.foundation.progress`; a verb that says nothing there
still shows its name and the time. A pipe, a file, --quiet: nothing at all.
"""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TextIO

from detent.foundation import progress

AFTER = 1.5  # [s] shorter work is over before its line could be read
EVERY = 0.25  # [s]
_CLEAR = "\r\x1b[2K"


class ProgressLine:
    """The line on one stream: `show` replaces it, `clear` takes it away."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream
        self.shown = ""
        self.turn = threading.RLock()  # of whoever writes: the watcher, or an answer that comes in pieces

    def show(self, words: str, seconds: float) -> None:
        time_words = f" … {seconds:.0f} s"
        width = max(shutil.get_terminal_size().columns - len(time_words) - 1, 10)
        # The end, where the innermost phase is, changes: it stays.
        line = (words if len(words) <= width else "…" + words[1 - width :]) + time_words
        with self.turn:
            if line != self.shown:
                self._write(_CLEAR + line)
                self.shown = line

    def clear(self) -> None:
        with self.turn:
            if self.shown:
                self._write(_CLEAR)
                self.shown = ""

    def _write(self, text: str) -> None:
        try:
            self.stream.write(text)
            self.stream.flush()
        except (OSError, ValueError):  # a terminal that went away does not end the work
            self.shown = ""


_lines: list[ProgressLine] = []  # on a terminal now


def print_a_piece(text: str) -> None:
    """Print a line of an answer while the work goes on; the line of progress makes way, and comes again."""
    if not _lines:
        print(text, flush=True)
        return
    with _lines[-1].turn:
        _lines[-1].clear()
        print(text, flush=True)


@contextmanager
def watched(what: str, tell: Callable[[str, float], None]) -> Iterator[None]:
    """Tell once in a while what the work inside is at, and for how many seconds; nothing of short work."""
    done, began = threading.Event(), time.monotonic()

    def watch() -> None:
        pause = AFTER
        while not done.wait(pause):
            tell(progress.now(), time.monotonic() - began)
            pause = EVERY

    watcher = threading.Thread(target=watch, daemon=True)
    with progress.doing(what):
        watcher.start()
        try:
            yield
        finally:
            done.set()
            watcher.join()


@contextmanager
def shown(what: str, stream: TextIO | None) -> Iterator[None]:
    """Show on `stream`, if it is a terminal, what the work inside is at."""
    if stream is None or not stream.isatty():
        with progress.doing(what):
            yield
        return
    line = ProgressLine(stream)
    _lines.append(line)
    try:
        with watched(what, line.show):
            yield
    finally:
        _lines.remove(line)
        line.clear()
