"""What long work is at just now, for whoever watches.

Work says what it does with `doing("leg 2 of 3")` around it, and how far it is with
`reached(done, total)`. Both cost next to nothing, and nobody has to listen: work never
prints. The command line reads `now()` once in a while and shows it on a terminal.

    with doing("following the drive"):
        for k, position in enumerate(positions):
            reached(k, len(positions))
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


class _Phase:
    """One thing that is being done, inside those that began before it."""

    def __init__(self, what: str) -> None:
        self.what = what
        self.detail = ""


_phases: list[_Phase] = []


@contextmanager
def doing(what: str) -> Iterator[None]:
    """Name what happens inside."""
    phase = _Phase(what)
    _phases.append(phase)
    try:
        yield
    finally:
        _phases.remove(phase)


def reached(done: int, total: int | None = None, detail: str = "") -> None:
    """How far the innermost phase is: `done` of `total`, where that is known; `detail` in words."""
    if _phases:
        words = (f"{done} of {total}" if total else f"{done}", detail)
        _phases[-1].detail = ", ".join(filter(None, words))


def now() -> str:
    """What is being done, from the whole to its innermost phase; empty when nothing is."""
    return ": ".join(" ".join(filter(None, (phase.what, phase.detail))) for phase in tuple(_phases))
