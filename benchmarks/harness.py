"""How everything here is measured: contenders take turns in one run, and the best time of each counts.

Taking turns exposes all to the same load of the machine; the best of at least nine discards what
others on it took. On a busy machine even the best contains their turns: a table whose contenders are all
of one thread may show the ratio of processor time beside, in brackets. A peer that is not installed is
named as such in the table, never left out.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib import metadata

MIN_REPEATS = 9
# One measurement lasts at least this long, so that the clock's grain and one interrupt do not matter.
MIN_SECONDS = 0.02


@dataclass(frozen=True)
class Contender:
    """`call` does `units` of work (frames, modes, steps); `call` None means: not to be had here, and why."""

    name: str
    call: Callable[[], object] | None
    units: float = 1
    why: str = ""


@dataclass(frozen=True)
class Row:
    """One case: the best seconds per unit of each contender, by name; None where there is none."""

    case: str
    seconds: dict[str, float | None]
    why: dict[str, str]
    busy: dict[str, float] = field(default_factory=dict)  # the same of processor time


@dataclass
class Table:
    """Cases by contenders; the first contender is ours, the others' cells are ratios to it."""

    title: str
    unit: str
    rows: list[Row] = field(default_factory=list)
    busy: bool = False  # whether to show processor time beside

    def text(self) -> str:
        names = list(dict.fromkeys(name for row in self.rows for name in row.seconds))
        head = [self.title, *(f"{n} [{self.unit}/s]" if i == 0 else f"vs {n}" for i, n in enumerate(names))]
        lines = [head]
        for row in self.rows:
            own = row.seconds.get(names[0])
            cells = [row.case, "-" if own is None else f"{1 / own:,.4g}"]
            for name in names[1:]:
                peer = row.seconds.get(name)
                if peer is None or own is None:
                    cells.append(row.why.get(name, "-") or "-")
                else:
                    beside = f" ({row.busy[name] / row.busy[names[0]]:.1f}x)" if self.busy else ""
                    cells.append(f"{peer / own:.1f}x{beside}")
            lines.append(cells)
        return aligned(lines)


@dataclass
class Figures:
    """Measured figures by case that are no race: cells as they are printed."""

    head: list[str]
    rows: list[list[str]] = field(default_factory=list)

    def text(self) -> str:
        return aligned([self.head, *self.rows])


def aligned(lines: Sequence[Sequence[str]]) -> str:
    """Cells in columns, the first to the left."""
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if i == 0 else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )


def race(case: str, contenders: Sequence[Contender], repeats: int = MIN_REPEATS) -> Row:
    """Each contender's best time per unit, over `repeats` rounds in which they take turns."""
    entered = [c for c in contenders if c.call is not None]
    loops = {c.name: _loops(c) for c in entered}
    best: dict[str, float | None] = {c.name: None for c in contenders}
    busy: dict[str, float] = {}
    collecting = gc.isenabled()
    gc.disable()
    try:
        for _ in range(max(repeats, MIN_REPEATS)):
            for c in entered:
                work, since = loops[c.name] * c.units, time.process_time()
                taken = _time(c, loops[c.name]) / work
                busy[c.name] = min(busy.get(c.name, taken), (time.process_time() - since) / work)
                before = best[c.name]
                best[c.name] = taken if before is None else min(before, taken)
    finally:
        if collecting:
            gc.enable()
    return Row(case, best, {c.name: c.why for c in contenders if c.call is None}, busy)


def _loops(c: Contender) -> int:
    """How often to call so that one measurement is long enough; the first call warms up."""
    _time(c, 1)
    once = max(_time(c, 1), 1e-9)
    return max(1, round(MIN_SECONDS / once))


def _time(c: Contender, loops: int) -> float:
    assert c.call is not None
    start = time.perf_counter()
    for _ in range(loops):
        c.call()
    return time.perf_counter() - start


def version(distribution: str) -> str | None:
    """The version of an installed distribution; None where it is not installed."""
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return None


def peer(distribution: str, module: str | None = None) -> tuple[str, bool]:
    """A peer's name with its version, and whether it can be used here."""
    found = version(distribution)
    if found is None:
        return distribution, False
    try:
        __import__(module or distribution.replace("-", "_"))
    except ImportError:
        return f"{distribution} {found}", False
    return f"{distribution} {found}", True


def versions(distributions: Sequence[str] = ("detent", "numpy", "numba", "scipy")) -> str:
    return ", ".join(f"{name} {version(name) or 'not installed'}" for name in distributions)
