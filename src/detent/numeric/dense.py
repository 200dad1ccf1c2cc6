"""Small dense systems inside compiled loops."""

from __future__ import annotations

import math

import numpy as np

from detent.numeric.kernels import kernel

# Of the largest entry of a matrix: a pivot below this is rounding, and its unknown stays zero.
SINGULAR = 1e-11


@kernel(sample=lambda: (np.array([[4.0, 1.0, 0.0], [1.0, 3.0, 0.0], [0.0, 0.0, 0.0]]), np.ones(3), 3))
def solve_dense(matrix, right, n):  # type: ignore[no-untyped-def]
    """Solves the leading n by n system in place, complete pivoting; `right` becomes the solution.

    Unknowns that the equations leave open are zero. Returns the rank.
    """
    return solve_dense_in(matrix, right, n, np.zeros(n, np.int64), np.zeros(n))


@kernel(
    sample=lambda: (
        np.array([[4.0, 1.0, 0.0], [1.0, 3.0, 0.0], [0.0, 0.0, 0.0]]), np.ones(3), 3,
        np.zeros(3, np.int64), np.zeros(3),
    ), bare=True
)  # fmt: skip
def solve_dense_in(matrix, right, n, columns, solution):  # type: ignore[no-untyped-def]
    """The same in room that is given: for the order of the columns, and for the solution."""
    largest = 0.0
    for i in range(n):
        columns[i], solution[i] = i, 0.0
        for j in range(n):
            largest = max(largest, abs(matrix[i, j]))
    rank = n
    for k in range(n):
        at_row, at_column, best = k, k, -1.0
        for i in range(k, n):
            for j in range(k, n):
                if abs(matrix[i, j]) > best:
                    at_row, at_column, best = i, j, abs(matrix[i, j])
        if best <= SINGULAR * largest:
            rank = k
            break
        if at_row != k:
            for j in range(n):
                matrix[k, j], matrix[at_row, j] = matrix[at_row, j], matrix[k, j]
            right[k], right[at_row] = right[at_row], right[k]
        if at_column != k:
            for i in range(n):
                matrix[i, k], matrix[i, at_column] = matrix[i, at_column], matrix[i, k]
            columns[k], columns[at_column] = columns[at_column], columns[k]
        for i in range(k + 1, n):
            factor = matrix[i, k] / matrix[k, k]
            if factor != 0.0:
                for j in range(k + 1, n):
                    matrix[i, j] -= factor * matrix[k, j]
                right[i] -= factor * right[k]
    for k in range(rank - 1, -1, -1):
        total = right[k]
        for j in range(k + 1, rank):
            total -= matrix[k, j] * solution[columns[j]]
        solution[columns[k]] = total / matrix[k, k]
    for k in range(n):
        right[k] = solution[k]
    return rank


@kernel(sample=lambda: (np.array([[4.0, 1.0], [1.0, 3.0]]),), bare=True)
def factor(mass):  # type: ignore[no-untyped-def]
    """Cholesky's factor in place, lower; False where the matrix is not positive definite."""
    n = len(mass)
    for k in range(n):
        whole = mass[k, k]
        for j in range(k):
            mass[k, k] -= mass[k, j] * mass[k, j]
        if mass[k, k] <= SINGULAR * whole:
            return False
        mass[k, k] = math.sqrt(mass[k, k])
        for i in range(k + 1, n):
            for j in range(k):
                mass[i, k] -= mass[i, j] * mass[k, j]
            mass[i, k] /= mass[k, k]
    return True


@kernel(sample=lambda: (np.array([[2.0, 0.0], [0.5, 1.5]]), np.ones(2)), bare=True)
def solve_factored(lower, right):  # type: ignore[no-untyped-def]
    """Solves with Cholesky's factor, in place."""
    n = len(lower)
    for k in range(n):
        for j in range(k):
            right[k] -= lower[k, j] * right[j]
        right[k] /= lower[k, k]
    for k in range(n - 1, -1, -1):
        for j in range(k + 1, n):
            right[k] -= lower[j, k] * right[j]
        right[k] /= lower[k, k]


@kernel(sample=lambda: (np.array([[0.0, 1.0], [2.0, 3.0]]), np.zeros(2, np.int64)), bare=True)
def factor_general(matrix, order):  # type: ignore[no-untyped-def]
    """Gauss's factors in place, rows exchanged as `order` says; False where the matrix is singular."""
    n = len(matrix)
    for k in range(n):
        at = k
        for i in range(k + 1, n):
            if abs(matrix[i, k]) > abs(matrix[at, k]):
                at = i
        order[k] = at
        if not abs(matrix[at, k]) > 0.0:
            return False
        if at != k:
            for j in range(n):
                matrix[k, j], matrix[at, j] = matrix[at, j], matrix[k, j]
        for i in range(k + 1, n):
            matrix[i, k] /= matrix[k, k]
            for j in range(k + 1, n):
                matrix[i, j] -= matrix[i, k] * matrix[k, j]
    return True


@kernel(sample=lambda: (np.array([[2.0, 3.0], [0.0, 1.0]]), np.array([1, 1]), np.ones(2)), bare=True)
def solve_general(factors, order, right):  # type: ignore[no-untyped-def]
    """Solves with Gauss's factors, in place."""
    n = len(factors)
    for k in range(n):
        at = order[k]
        if at != k:
            right[k], right[at] = right[at], right[k]
    for k in range(n):
        for j in range(k):
            right[k] -= factors[k, j] * right[j]
    for k in range(n - 1, -1, -1):
        for j in range(k + 1, n):
            right[k] -= factors[k, j] * right[j]
        right[k] /= factors[k, k]
