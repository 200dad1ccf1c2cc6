"""What a run of steps keeps: states, what touched there, impulses over steps, blows of impacts."""

from __future__ import annotations

from typing import Any

import numpy as np

from detent.motion.rigid.mating.stages import CARRIED, MOST
from detent.numeric.kernels import kernel


def room_for_steps(rows: int, freedoms: int, kept: int) -> tuple[Any, ...]:
    """Times, coordinates, speeds after impacts, speeds before, totals; then contacts of `kept` rows.

    Totals are the whole impulse of a row, that of its blow alone, the largest normal force of its step, and
    the deepest gap that it began with, before parts were put back onto each other.
    """
    return (
        np.zeros(rows),
        np.zeros((rows, freedoms)),
        np.zeros((rows, freedoms)),
        np.zeros((rows, freedoms)),
        np.zeros((rows, 8)),
        np.zeros(kept, np.int64),
        np.zeros((kept, MOST), np.int64),
        np.zeros((kept, MOST), np.int64),
        np.zeros((kept, MOST, 7)),
        np.zeros((kept, MOST, 4)),
        np.zeros((kept, MOST, 4)),
    )


@kernel(
    sample=lambda: (
        0, 0.1, np.zeros(6), np.zeros(6), -1e-9, 1, np.zeros(MOST, np.int64), np.ones(MOST, np.int64),
        np.zeros((MOST, CARRIED)), np.ones((MOST, 4)), room_for_steps(3, 6, 3),
    ), bare=True, separate=True
)  # fmt: skip
def keep_state(k, now, q, v, deepest, n, chosen, status, carried, blow, output):  # type: ignore[no-untyped-def]
    """Writes a state with what touches there, and the blow that it begins with."""
    times, states, speeds, totals, counts = output[0], output[1], output[2], output[4], output[5]
    ids, statuses, contacts, impulses, blows = output[6], output[7], output[8], output[9], output[10]
    at = min(k, len(counts) - 1)
    times[k] = now
    for i in range(len(q)):
        states[k, i], speeds[k, i] = q[i], v[i]
    for c in range(8):
        totals[k, c] = 0.0
    totals[k, 7] = deepest
    counts[at] = n
    for i in range(n):
        ids[at, i], statuses[at, i] = chosen[i], status[i]
        for c in range(7):
            contacts[at, i, c] = carried[i, c]
        for c in range(4):
            blows[at, i, c], impulses[at, i, c] = blow[i, c], 0.0
        for c in range(3):
            totals[k, c] += blow[i, 1 + c]
            totals[k, 3 + c] += blow[i, 1 + c]


@kernel(
    sample=lambda: (
        0, 1e-3, 1, np.ones(MOST, np.int64), np.ones((MOST, 4)), room_for_steps(3, 6, 3),
    ), bare=True, separate=True
)  # fmt: skip
def keep_step(k, step, n, status, pushed, output):  # type: ignore[no-untyped-def]
    """Writes what contacts did over a step, and their statuses at its end."""
    totals, counts, statuses, impulses = output[4], output[5], output[7], output[9]
    at = min(k, len(counts) - 1)
    for i in range(n):
        statuses[at, i] = status[i]
        for c in range(4):
            impulses[at, i, c] = pushed[i, c]
        for c in range(3):
            totals[k, c] += pushed[i, 1 + c]
        totals[k, 6] = max(totals[k, 6], pushed[i, 0] / step)
