"""What keeps rows of a plane machine at given rates: forces of joints that close loops, and of drives."""

from __future__ import annotations

import numpy as np

from detent.numeric.dense import solve_dense, solve_factored
from detent.numeric.kernels import kernel


@kernel(sample=lambda: (np.eye(2), np.array([[1.0, 0.5, 0.1, 0.2]]), np.ones((2, 2)), 1, np.ones(2), 1.0))
def hold(mass, held, inverse, rows, free, rated):  # type: ignore[no-untyped-def]
    """Adds to accelerations, and to those of unit forces, what keeps the held rows."""
    count, freedoms = len(held), len(free)
    across, matrix, right = np.zeros((count, freedoms)), np.zeros((count, count)), np.zeros(count)
    for r in range(count):
        for k in range(freedoms):
            across[r, k] = held[r, k]
        solve_factored(mass, across[r])
    for c in range(-1, rows):
        target = free if c < 0 else inverse[c]
        for r in range(count):
            right[r] = -rated * held[r, freedoms + 1] if c < 0 else 0.0
            for k in range(freedoms):
                right[r] -= held[r, k] * target[k]
            for q in range(count):
                matrix[r, q] = 0.0
                for k in range(freedoms):
                    matrix[r, q] += held[r, k] * across[q, k]
        solve_dense(matrix, right, count)
        for r in range(count):
            for k in range(freedoms):
                target[k] += across[r, k] * right[r]
