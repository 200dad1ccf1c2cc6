"""When a machine comes nearly to rest: minima of its kinetic energy (Gelsey 1995, Algorithm 12)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from detent.motion.running.step_kernels import kinetic_at, sample_kinetic
from detent.numeric.roots import bisect, golden_minimum

if TYPE_CHECKING:
    from detent.motion.running.along import RunSteps

# Of the greatest kinetic energy: a minimum below this counts, as the seed has it.
BELOW = 1e-5
_LOOKS = 4


def energy_minima(steps: RunSteps, below: float = BELOW) -> tuple[float, ...]:
    """Times of the minima of the kinetic energy below a share of its greatest value.

    Where several have only small energies between them, that is rest, and the least counts. Steps in which
    nothing moves but by rounding have no energy, and so no minima.
    """
    count = len(steps.steps)
    if not count:
        return ()
    samples = np.zeros((count * _LOOKS, 2))
    arrays = steps.machine, steps.state, steps.steps, steps.points
    work = 100.0 * len(samples)
    sample_kinetic.at(work)(*arrays, _LOOKS, samples)
    times, kinetic = samples.T
    kinetic[np.repeat(steps.still, _LOOKS)] = 0.0
    limit = below * float(kinetic.max())
    if limit == 0.0:
        return ()
    inner = np.flatnonzero((kinetic[1:-1] < kinetic[:-2]) & (kinetic[1:-1] <= kinetic[2:])) + 1
    evaluate = kinetic_at.at(work)

    def energy(t: float) -> float:
        step = max(int(np.searchsorted(steps.steps[:, 0], t, side="right")) - 1, 0)
        return 0.0 if steps.still[step] else float(evaluate(*arrays, t))

    # A minimum between two looks may be much lower than both: all are located, then judged.
    minima: list[tuple[float, float, int]] = []
    for k in inner[kinetic[inner] <= 1e3 * limit]:
        t = golden_minimum(energy, float(times[k - 1]), float(times[k + 1]))
        if kinetic[k + 1] == 0.0:  # it stays at rest: since when, not some time later
            t = bisect(lambda time: energy(time) > 0.0, float(times[k - 1]), float(times[k + 1]))[1]
        least = energy(t)
        if least <= limit:
            minima.append((t, least, int(k)))
    return tuple(_apart(minima, kinetic, 10 * limit))


def _apart(minima: list[tuple[float, float, int]], kinetic: Any, limit: float) -> list[float]:
    """One of each run of minima between which the energy stays below a limit."""
    groups: list[list[tuple[float, float, int]]] = []
    for entry in minima:
        if groups and kinetic[groups[-1][-1][2] : entry[2] + 1].max() <= limit:
            groups[-1].append(entry)
        else:
            groups.append([entry])
    return [min(group, key=lambda entry: entry[1])[0] for group in groups]
