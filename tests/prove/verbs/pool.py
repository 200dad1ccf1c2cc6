"""A child that answers for document after document; when it dies or hangs, another goes on after it."""

from __future__ import annotations

import multiprocessing
import os
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.prove.verbs import child

# [s] of the child's processor time for one call: a loop in C hears no signal, and kernels are compiled.
PATIENCE = 400.0
EVERY = 5.0  # [s] between looks at it


@dataclass
class Outcome:
    """What a campaign found: how many calls of each verb, how long they took, and what went wrong."""

    calls: Counter[str] = field(default_factory=Counter)
    seconds: Counter[str] = field(default_factory=Counter)
    slowest: list[tuple[float, int, Any]] = field(default_factory=list)
    wrong: list[tuple[int, str, Any, list[str]]] = field(default_factory=list)
    memory: float = 0.0

    def hears(self, index: int, name: str, words: Any, wrong: list[str], seconds: float) -> None:
        verb = name.split()[0]
        self.calls[verb] += 1
        self.seconds[verb] += seconds
        self.slowest = sorted(
            [*self.slowest, (seconds, index, words or name)], reverse=True, key=lambda s: s[0]
        )[:12]
        if wrong:
            self.wrong.append((index, name, words, wrong))


def run(seed: int, indices: range, told: Any = None) -> Outcome:
    """Ask all these documents."""
    outcome = Outcome()
    spawn = multiprocessing.get_context("spawn")
    process, pipe = None, None
    for index in indices:
        if process is None:
            pipe, other = spawn.Pipe()
            process = spawn.Process(target=child.serve, args=(other, seed), daemon=True)
            process.start()
            other.close()
        before = len(outcome.wrong)
        useful = _one(pipe, process.pid, index, outcome)
        if not useful or any("memory" in each for *_, wrong in outcome.wrong[before:] for each in wrong):
            process.kill()  # what holds memory would hold it for the next ones too
            process.join()
            process = None
        if told is not None:
            for each in outcome.wrong[before:]:
                told(each)
    if process is not None:
        pipe.send(None)
        process.join()
    return outcome


def _spent(pid: int) -> float:
    """[s] of processor time of a process; of waiting, where the system does not tell."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return time.monotonic()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _one(pipe: Any, pid: int, index: int, outcome: Outcome) -> bool:
    """One document; False: the child is of no more use."""
    pipe.send(index)
    asking, heard = "start", _spent(pid)
    try:
        while True:
            if not pipe.poll(EVERY):
                if _spent(pid) - heard > PATIENCE:
                    outcome.hears(index, asking, [], ["hangs"], 0.0)
                    return False
                continue
            heard = _spent(pid)
            kind, what = pipe.recv()
            if kind == "asks":
                asking = what
            elif kind == "asked":
                outcome.hears(*what)
            else:
                outcome.memory = max(outcome.memory, what[1])
                return True
    except (EOFError, ConnectionError):
        outcome.hears(index, asking, [], ["the process died"], 0.0)
        return False
