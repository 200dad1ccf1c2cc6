"""One rigid mating many times, its fixed parts elsewhere each time: steps over the processors that there are.

Features, candidates and the leader's equations are those of the machine; a run differs by poses alone, and is
the one that it would be by itself. Threads take runs one after the other: compiled steps hold no lock.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import replace
from typing import TypeVar

from detent.foundation.progress import reached
from detent.library.robots.serial_arm import Floats
from detent.motion.rigid.mating.machine import ContactMachine
from detent.motion.rigid.mating.mating_run import RigidMatingRun, rigid_run_of

Told = TypeVar("Told")

_LOOKS_UP = 0.2  # [s] how often it is told how far the work is


def processors() -> int:
    """Those that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def standing(machine: ContactMachine, poses: Floats) -> ContactMachine:
    """The machine with its bodies drawn at other poses (bodies, 3, 4)."""
    return replace(machine, poses=poses)


def each_run(
    machine: ContactMachine,
    until: float,
    poses: Sequence[Floats],
    told: Callable[[int, RigidMatingRun], Told],
) -> list[Told]:
    """What `told` makes of each run, in the order of poses; what it is given is dropped afterwards."""
    if not len(poses):
        return []
    stopped = threading.Event()

    def run(number: int) -> Told:
        return told(number, rigid_run_of(standing(machine, poses[number]), until))

    # The first by itself: it compiles what the others use.
    answers = [run(0)]
    count = min(processors(), len(poses) - 1)
    if not count:
        return answers
    shares = [range(1 + k, len(poses), count) for k in range(count)]
    found: dict[int, Told] = {}

    def work(numbers: range) -> None:
        for number in numbers:
            if stopped.is_set():
                return
            found[number] = run(number)

    with ThreadPoolExecutor(count) as pool:
        futures = [pool.submit(work, numbers) for numbers in shares]
        try:
            for _ in _until_done(futures):
                reached(1 + len(found), len(poses))
        finally:
            stopped.set()
    return [*answers, *(found[number] for number in range(1, len(poses)))]


def _until_done(futures: Sequence[Future[None]]) -> Iterator[None]:
    """Once in a while, and where one ends; what a thread could not do is raised here."""
    waiting = set(futures)
    while waiting:
        yield
        done, waiting = wait(waiting, _LOOKS_UP, FIRST_COMPLETED)
        for future in done:
            future.result()
