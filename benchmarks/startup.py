"""What a command costs before it does anything: processor time beside `import numpy`.

Processor seconds of whole child processes, taking turns, the best of each. The house keeps
`detent --help` within 0.6 and `detent check` of a four-bar within 1.3 of a bare `import numpy`.
"""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
COMMANDS = {
    "import numpy": ["-c", "import numpy"],
    "detent --help": ["-m", "detent", "--help"],
    "detent check four_bar": ["-m", "detent", "check", "four_bar"],
    "detent explain four_bar": ["-m", "detent", "explain", "four_bar"],
}


def run(repeats: int) -> list[Shares]:
    best = {name: float("inf") for name in COMMANDS}
    for _ in range(repeats):
        for name, argv in COMMANDS.items():
            best[name] = min(best[name], processor_seconds(argv))
    return [Shares(best)]


class Shares:
    """A table of ratios to `import numpy`: smaller is better."""

    def __init__(self, best: dict[str, float]) -> None:
        self.best = best

    def text(self) -> str:
        base = self.best["import numpy"]
        width = max(map(len, self.best))
        lines = [f"{'start-up':<{width}}  CPU ms  of import numpy"]
        lines += [f"{n:<{width}}  {1e3 * s:6.1f}  {s / base:15.2f}" for n, s in self.best.items()]
        return "\n".join(lines)


def processor_seconds(argv: list[str]) -> float:
    """User and system time of one child."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *argv], cwd=ROOT, stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
