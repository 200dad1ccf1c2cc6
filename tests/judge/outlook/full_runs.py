"""Whole lives of machines, simulated in full, beside which outlooks are put."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

import detent
from detent.motion import Rigid

TOOTH = np.radians(36.0)


@dataclass(frozen=True)
class FullRun:
    """Minima of the kinetic energy of a run, and coordinates then."""

    times: np.ndarray
    joints: dict[str, np.ndarray]
    evidence: object

    def pattern_ends(self, name: str) -> np.ndarray:
        """A joint at the end of each pattern of two."""
        return self.joints[name][1::2]

    @property
    def last_regular(self) -> int:
        """Patterns of two from the start, up to the first that does not turn the wheel by one tooth."""
        steps = np.diff(self.pattern_ends("ewheel"))
        odd = np.flatnonzero(np.abs(steps + TOOTH) > 0.02 * TOOTH)
        return int(odd[0]) + 1 if len(odd) else len(steps) + 1


@cache
def outlook(name: str, *changes: tuple[str, float], patterns: int | None = None) -> detent.Outlook:
    return detent.outlook(machine(name, *changes), patterns=patterns)


@cache
def machine(name: str, *changes: tuple[str, float]):
    mechanism = detent.load(name)
    for path, value in changes:
        mechanism = mechanism.with_(path, value)
    return mechanism


@cache
def full_run(name: str, until: float, *changes: tuple[str, float]) -> FullRun:
    run = detent.predict(machine(name, *changes), method=Rigid(accuracy=1e-7), until=until).evidence
    times = np.array(run.energy_minima)
    return FullRun(times, run.along.at(times).coordinates, run)
