"""When a machine comes nearly to rest: minima of its kinetic energy (Gelsey 1995, Algorithm 12)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from detent.motion.running.step_kernels import kinetic_at, sample_kinetic

if TYPE_CHECKING:
    from detent.motion.running.along import RunSteps

# Of the greatest kinetic energy: a minimum below this counts, as the seed has it.
BELOW = 1e-5
_LOOKS = 4
_GOLDEN = 0.3819660112501051


def energy_minima(steps: RunSteps, below: float = BELOW) -> tuple[float, ...]:
    """Times of the minima of the kinetic energy below a share of its greatest value; where several such minima have only small
    energies between them, that is rest, and the least counts."""
    count = len(steps.steps)
    if not count:
        return ()
    samples = np.zeros((count * _LOOKS, 2))
    arrays = steps.machine, steps.state, steps.steps, steps.points
    work = 100.0 * len(samples)
    sample_kinetic.at(work)(*arrays, _LOOKS, samples)
    times, kinetic = samples.T
    limit = below * float(kinetic.max())
    if limit == 0.0:
        return ()
    inner = np.flatnonzero((kinetic[1:-1] < kinetic[:-2]) & (kinetic[1:-1] <= kinetic[2:])) + 1
    # A minimum between two looks may be much lower than both: all are located, then judged.
    evaluate = kinetic_at.at(work)
    minima: list[tuple[float, float, int]] = []
    for k in inner[kinetic[inner] <= 1e3 * limit]:
        low, high = float(times[k - 1]), float(times[k + 1])
        t, least = _least(lambda t: float(evaluate(*arrays, t)), low, high)
        if least <= limit:
            minima.append((t, least, int(k)))
    return tuple(_apart(minima, kinetic, 10 * limit))


def _least(function, low: float, high: float) -> tuple[float, float]:  # type: ignore[no-untyped-def]
    """The minimum of a function by golden section."""
    one, two = low + _GOLDEN * (high - low), high - _GOLDEN * (high - low)
    at_one, at_two = function(one), function(two)
    for _ in range(50):
        if at_one < at_two:
            high, two, at_two = two, one, at_one
            one = low + _GOLDEN * (high - low)
            at_one = function(one)
        else:
            low, one, at_one = one, two, at_two
            two = high - _GOLDEN * (high - low)
            at_two = function(two)
    return (one, at_one) if at_one < at_two else (two, at_two)


def _apart(minima, kinetic, limit: float) -> list[float]:  # type: ignore[no-untyped-def]
    """One of each run of minima between which the energy stays below a limit."""
    groups: list[list[tuple[float, float, int]]] = []
    for entry in minima:
        if groups and kinetic[groups[-1][-1][2] : entry[2] + 1].max() <= limit:
            groups[-1].append(entry)
        else:
            groups.append([entry])
    return [min(group, key=lambda entry: entry[1])[0] for group in groups]
