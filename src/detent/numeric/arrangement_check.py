"""Self-checks of a cell complex; a failure is our defect, never the user's.

Every cell of dimension k but the smallest is bounded by cells of dimension k - 1;
each ridge of a cell lies between exactly two of its boundary cells; and the cells
of its closure satisfy Euler's relation: their signed number is zero, because a
closed cone that is no linear space can be pushed off its apex.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from detent.numeric.arrangement import EQUAL, GAP, Complex
from detent.numeric.arrangement_kernels import UNSEEN, gather, sample_complex
from detent.numeric.kernel import kernel

# Euler's relation costs the size of each closure; beyond this many cells it is
# checked on an even sample of about this many, the other two checks on all.
EULER_CELLS = 500


def assert_sound(made: Complex, *, every: bool = False) -> None:
    """All checks; Euler's relation on `every` closed cell, or on an even sample of a large complex."""
    step = 1 if every else max(1, len(made) // EULER_CELLS)
    work = 30 * len(made.cells) + 200 * min(len(made), EULER_CELLS)
    mark = np.random.default_rng(len(made)).integers(1, 2**62, len(made))
    broken = first_broken_cell.at(work)(made.dim, made.start, made.cells, mark, step)
    assert broken < 0, f"cell {broken} of {len(made)} is not bounded as a cell is"


def unfaithful(made: Complex) -> int:
    """How many signs the witnesses do not give back: in floats a doubt, in integers a defect."""
    if made.witness.dtype == object:
        return _unfaithful_integers(made)
    work = made.sign.size * made.rows.shape[1]
    count: int = unfaithful_floats.at(work)(made.sign, made.rows, made.witness, EQUAL, GAP[1])
    return count


def _unfaithful_integers(made: Complex) -> int:
    wrong = 0
    for k, row in enumerate(made.rows):
        seen = np.flatnonzero(made.sign[:, k] != UNSEEN)
        found = np.sign(made.witness[seen] @ row).astype(np.int8)
        wrong += int(np.count_nonzero(found != made.sign[seen, k]))
    return wrong


def _sample_unfaithful() -> tuple[Any, ...]:
    sign = np.array([[0, 2], [1, -1]], np.int8)
    return sign, np.eye(2), np.array([[0.0, 1.0], [0.6, -0.8]]), 1e-9, 1e-7


@kernel(sample=_sample_unfaithful)
def unfaithful_floats(sign, rows, witness, least, most):  # type: ignore[no-untyped-def]
    """Signs that a witness does not clearly give back: at least `least` off a plane, or at most `most`."""
    wrong = 0
    for c in range(sign.shape[0]):
        for k in range(sign.shape[1]):
            s = sign[c, k]
            if s == UNSEEN:
                continue
            v = 0.0
            for j in range(rows.shape[1]):
                v += rows[k, j] * witness[c, j]
            if (s == 0 and abs(v) > most) or (s != 0 and s * v < least):
                wrong += 1
    return wrong


def _sample() -> tuple[Any, ...]:
    c = sample_complex()
    start, cells = gather(c["count"], c["head"], c["node_cell"], c["node_next"])
    return c["dim"][:3].copy(), start, cells, np.arange(3), 1


@kernel(sample=_sample)
def first_broken_cell(dim, start, cells, mark, step):  # type: ignore[no-untyped-def]
    """The first cell that fails a check, -1 where none does; Euler's relation on every `step`-th.

    That ridges come in pairs is seen by adding their random marks bit by bit: a pair cancels.
    """
    n = dim.shape[0]
    seen = np.full(n, -1, np.int32)
    stack = np.empty(n, np.int32)
    for c in range(n):
        if c > 0 and start[c] == start[c + 1]:
            return c
        odd = np.int64(0)
        for i in range(start[c], start[c + 1]):
            g = cells[i]
            if dim[g] != dim[c] - 1:
                return c
            for j in range(start[g], start[g + 1]):
                odd ^= mark[cells[j]]
        if odd != 0:
            return c
        if c % step == 0 and c > 0:
            total = 0
            top = 0
            stack[top] = c
            top += 1
            seen[c] = c
            while top > 0:
                top -= 1
                e = stack[top]
                total += 1 - 2 * (dim[e] % 2)
                for i in range(start[e], start[e + 1]):
                    g = cells[i]
                    if seen[g] != c:
                        seen[g] = c
                        stack[top] = g
                        top += 1
            if total != 0:
                return c
    return -1
