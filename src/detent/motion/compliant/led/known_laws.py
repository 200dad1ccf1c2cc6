"""Force laws that a compiled step can call: a row of numbers, its kind first."""

from __future__ import annotations

from typing import Any

import numpy as np

from detent.numeric.kernels import kernel

NO_LAW, PAD = range(2)


def KINDS_SAMPLE() -> Any:
    return np.array([[float(PAD), 1e5, 0.2, 2e-3]])


@kernel(sample=lambda: (KINDS_SAMPLE()[0], np.full(6, 1e-4), np.full(6, 0.01), np.zeros(6)), bare=True)
def known_load(numbers, at, velocity, load):  # type: ignore[no-untyped-def]
    """Force and moment at the law's reference point, on its own axes, into `load`; the branch."""
    for k in range(6):
        load[k] = 0.0
    if numbers[0] == PAD and at[0] > 0.0:
        press = numbers[1] * at[0]
        load[0] = -press
        sliding = np.sqrt(velocity[1] ** 2 + velocity[2] ** 2)
        if sliding > 0.0:
            grip = numbers[2] * press * np.tanh(sliding / numbers[3]) / sliding
            load[1], load[2] = -grip * velocity[1], -grip * velocity[2]
        return 1
    return 0
