"""Ctrl-C, wherever it falls.

Python raises KeyboardInterrupt in whatever runs just then. In a callback from C
(numba's compiler makes some) or in a destructor it cannot get out: Python prints
it and goes on, and the work goes on with it, or fails later for a reason that
tells nobody anything, or comes out as a SystemError (numba's dispatcher). Inside
`without_lost_interrupts()` such an interrupt is raised again a moment later, and an
error that comes before, or because of one, counts as the interrupt it came from.
"""

from __future__ import annotations

import _thread
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

# [s] Until a lost interrupt is raised again: callbacks last microseconds, a person waits a tenth of a second.
AGAIN = 0.1


@contextmanager
def without_lost_interrupts() -> Iterator[None]:
    """Let no Ctrl-C get lost in here."""
    before = sys.unraisablehook
    timers: list[threading.Timer] = []

    def lost(what: Any) -> None:
        if not issubclass(what.exc_type, KeyboardInterrupt):
            before(what)
            return
        timers.append(threading.Timer(AGAIN, _thread.interrupt_main))
        timers[-1].daemon = True
        timers[-1].start()

    sys.unraisablehook = lost
    try:
        yield
    except Exception as consequence:
        if timers or _began_with_interrupt(consequence):
            raise KeyboardInterrupt from consequence
        raise
    finally:
        for timer in timers:
            timer.cancel()
        sys.unraisablehook = before


def _began_with_interrupt(error: BaseException | None) -> bool:
    """Whether an interrupt is among what led to an error."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        if isinstance(error, KeyboardInterrupt):
            return True
        seen.add(id(error))
        error = error.__cause__ or error.__context__
    return False
