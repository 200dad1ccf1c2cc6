"""When a machine comes nearly to rest: minima of its kinetic energy (Gelsey 1995, Algorithm 12)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from detent.motion.running.step_kernels import sample_kinetic
from detent.numeric.roots import bisect

if TYPE_CHECKING:
    from detent.motion.running.along import RunSteps

# Of the greatest kinetic energy: a minimum below this counts, as the seed has it.
BELOW = 1e-5
_LOOKS = 4
# Parts into which an interval is cut in each round, and rounds: 1e-8 of it is left, as near as rounding of an
# energy tells its minimum.
_SHARES, _ROUNDS = 16, 9
_AT_ONCE = 20_000  # minima that are located together
_LOOK_WORK = 1e4  # elementary steps of placing a machine once


def energy_minima(steps: RunSteps, below: float = BELOW, top: float = 0.0) -> tuple[float, ...]:
    """Times of the minima of the kinetic energy below a share of its greatest value, here or `top` [J].

    Where several have only small energies between them, that is rest, and the least counts. Steps in which
    nothing moves but by rounding have no energy, and so no minima.
    """
    count = len(steps.steps)
    if not count:
        return ()
    samples = np.zeros((count * _LOOKS, 2))
    arrays = steps.machine, steps.state, steps.steps, steps.points
    sample_kinetic.at(_LOOK_WORK * len(samples))(*arrays, _LOOKS, samples)
    times, kinetic = samples.T
    kinetic[np.repeat(steps.still, _LOOKS)] = 0.0
    limit = below * max(float(kinetic.max()), top)
    if limit == 0.0:
        return ()
    inner = np.flatnonzero((kinetic[1:-1] < kinetic[:-2]) & (kinetic[1:-1] <= kinetic[2:])) + 1
    # A minimum between two looks may be much lower than both: all are located, then judged.
    inner = inner[kinetic[inner] <= 1e3 * limit]
    parts = [inner[k : k + _AT_ONCE] for k in range(0, len(inner), _AT_ONCE)]
    found = [_least_between(steps, times[part - 1], times[part + 1]) for part in parts]
    least = np.concatenate([np.zeros(0), *found])
    for k, at in enumerate(inner):
        if kinetic[at + 1] == 0.0:  # it stays at rest: since when, not some time later
            least[k] = bisect(
                lambda time: kinetic_energies(steps, np.array([time]))[0] > 0.0,
                float(times[at - 1]),
                float(times[at + 1]),
            )[1]
    energies = kinetic_energies(steps, least)
    minima = [
        (float(t), float(energy), int(k))
        for t, energy, k in zip(least, energies, inner, strict=True)
        if energy <= limit
    ]
    return tuple(_apart(minima, kinetic, 10 * limit))


def kinetic_energies(steps: RunSteps, times: Any) -> Any:
    """The kinetic energy at times in any order; none in steps in which nothing moves but by rounding."""
    order = np.argsort(times, kind="stable")
    kinetic = np.zeros(len(times))
    kinetic[order] = steps.kinetic_at(times[order])
    at = np.maximum(np.searchsorted(steps.steps[:, 0], times, side="right") - 1, 0)
    kinetic[steps.still[at]] = 0.0
    return kinetic


def _least_between(steps: RunSteps, low: Any, high: Any) -> Any:
    """Times of the least kinetic energy in intervals, all narrowed together: one call for a round."""
    low, high = low.copy(), high.copy()
    shares = np.linspace(0.0, 1.0, _SHARES + 1)
    for _ in range(_ROUNDS):
        times = low[:, None] + (high - low)[:, None] * shares
        at = kinetic_energies(steps, times.ravel()).reshape(times.shape).argmin(axis=1)
        rows = np.arange(len(low))
        low, high = times[rows, np.maximum(at - 1, 0)], times[rows, np.minimum(at + 1, _SHARES)]
    return 0.5 * (low + high)


def _apart(minima: list[tuple[float, float, int]], kinetic: Any, limit: float) -> list[float]:
    """One of each run of minima between which the energy stays below a limit."""
    groups: list[list[tuple[float, float, int]]] = []
    for entry in minima:
        if groups and kinetic[groups[-1][-1][2] : entry[2] + 1].max() <= limit:
            groups[-1].append(entry)
        else:
            groups.append([entry])
    return [min(group, key=lambda entry: entry[1])[0] for group in groups]
