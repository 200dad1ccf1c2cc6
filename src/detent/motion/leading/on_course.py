"""The path of a mating at a time, for compiled steps."""

from __future__ import annotations

from typing import Any

import numpy as np

from detent.numeric.kernels import kernel


def sample_course() -> tuple[Any, ...]:
    """Up to a speed, and on."""
    times = np.array([0.0, 0.02])
    way, speed, gain = np.zeros((2, 3)), np.zeros((2, 3)), np.zeros((2, 3))
    gain[0, 0], speed[1, 0], way[1, 0] = 1.0, 0.02, 2e-4
    return times, way, speed, gain


@kernel(sample=lambda: (sample_course(), 0.01, 0, np.zeros(3), np.zeros(3)), bare=True)
def course_at(course, time, piece, way, speed):  # type: ignore[no-untyped-def]
    """Way and speed of the path at a time of a piece."""
    times, at, moving, gain = course
    since = time - times[piece]
    for k in range(3):
        way[k] = at[piece, k] + since * (moving[piece, k] + 0.5 * since * gain[piece, k])
        speed[k] = moving[piece, k] + since * gain[piece, k]
