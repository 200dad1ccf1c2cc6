"""Complementarity of few contacts with Coulomb friction in the plane, by trying and mending their statuses.

    w = K x + b,   x = (normal forces, tangential forces), w = (normal, tangential) accelerations

    open    no force, and its normal acceleration is not negative
    stick   w_n = w_t = 0, and |x_t| <= mu x_n
    slide   w_n = 0, x_t = -sign mu x_n, sign the direction of sliding: given where it slides already
            (`sliding` +1 or -1), else one of both, and then w_t must not point the other way

`rows` is 2 n, or n where no contact rubs: then there are no tangential rows. The same with impulses and
velocities: there no direction is given. Statuses begin where the last problem ended, so that one solution of
a small linear system mostly suffices; where mending goes in circles, Lemke's pivots take over, and where they
find nothing, all combinations of few contacts are tried. No solution is an answer too: Painleve's paradox.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from detent.numeric.dense import solve_dense_in
from detent.numeric.kernels import kernel
from detent.numeric.lemke import solve_complementarity

OPEN, STICK, FORWARD, BACKWARD = 0, 1, 2, 3
# Of what counts as rounding: a row of a contact that sticks, and is not met, by so much more.
_UNMET = 1e3
# All combinations of this many contacts are tried, 4 to this power.
MOST_TRIED = 6
# In small accelerations: contacts that depend on each other and differ by more contradict each other.
INCONSISTENT = 1e4
# Of the greatest acceleration without forces: what pivots leave is rounding.
_LEFT = 1e-7
# Of the greatest number of the matrix.
_YIELDS = 1e-8


def _sample() -> tuple[Any, ...]:
    K = np.array([[2.0, 0.5, 0.3, 0.0], [0.5, 1.5, 0.0, 0.2], [0.3, 0.0, 1.0, 0.1], [0.0, 0.2, 0.1, 1.2]])
    b = np.array([-1.0, 0.5, 0.2, -0.1])
    return K, b, np.array([0.3, 0.0]), np.array([0.0, 0.0]), 2, 4, np.array([1, 0]), np.zeros(4), np.zeros(4)


def _room(n: int) -> tuple[Any, Any]:
    """Room to solve a problem of n contacts in: for a matrix and two columns, and for orders of unknowns."""
    return np.zeros((2 * n + 2, 2 * n)), np.zeros((2, 2 * n), np.int64)


@kernel(sample=lambda: (*_sample(), *_room(2), 1e-9, 1e-9), bare=True)
def try_statuses(K, b, mu, sliding, n, rows, status, x, w, room, order, small_x, small_w):  # type: ignore[no-untyped-def]
    """Solves for these statuses; returns the contact that is most wrong, or -1, and its status to try."""
    m, unknown, matrix, right = 0, order[0], room, room[len(room) - 2]
    for i in range(n):
        if status[i] != OPEN:
            unknown[m] = i
            m += 1
    for i in range(n):
        if status[i] == STICK and mu[i] > 0.0:
            unknown[m] = n + i
            m += 1
    for r in range(m):
        row = unknown[r]
        right[r] = -b[row]
        for c in range(m):
            column = unknown[c]
            matrix[r, c] = K[row, column]
            if column < n and status[column] >= FORWARD and mu[column] > 0.0:
                away = -1.0 if status[column] == FORWARD else 1.0
                matrix[r, c] += away * mu[column] * K[row, n + column]
    rank = solve_dense_in(matrix, right, m, order[1], room[len(room) - 1])
    for i in range(rows):
        x[i] = 0.0
    for r in range(m):
        x[unknown[r]] = right[r]
    for i in range(n):
        if status[i] >= FORWARD and mu[i] > 0.0:
            x[n + i] = (-1.0 if status[i] == FORWARD else 1.0) * mu[i] * x[i]
    for i in range(rows):
        w[i] = b[i]
        for j in range(rows):
            w[i] += K[i, j] * x[j]
    worst, at, wanted = 1.0, -1, OPEN
    for i in range(n):
        slides = sliding[i]
        if status[i] == OPEN:
            if w[i] < -worst * small_w:
                worst, at = -w[i] / small_w, i
                wanted = STICK if slides == 0.0 else (FORWARD if slides > 0.0 else BACKWARD)
            continue
        if x[i] < -worst * small_x:
            worst, at, wanted = -x[i] / small_x, i, OPEN
        if mu[i] == 0.0:
            continue
        if status[i] == STICK:
            over = abs(x[n + i]) - mu[i] * x[i]
            if over > worst * small_x:
                worst, at, wanted = over / small_x, i, BACKWARD if x[n + i] > 0.0 else FORWARD
            # Where rows say the same twice, forces may not meet them: what was to stick slides.
            if abs(w[n + i]) > worst * _UNMET * small_w:
                worst, at = abs(w[n + i]) / (_UNMET * small_w), i
                wanted = FORWARD if w[n + i] > 0.0 else BACKWARD
        elif slides == 0.0:
            against = -w[n + i] if status[i] == FORWARD else w[n + i]
            if against > worst * small_w:
                worst, at, wanted = against / small_w, i, STICK
    if at < 0 and rank < m:
        return left_closing(w, x, status, n, INCONSISTENT * small_w)
    return at, wanted


@kernel(sample=lambda: (np.array([0.0, -1.0]), np.array([0.0, 1.0]), np.array([1, 1]), 2, 1e-9), bare=True)
def left_closing(w, x, status, n, small):  # type: ignore[no-untyped-def]
    """Of contacts that depend on each other: one to open, where forces cannot keep all of them; or -1."""
    least, other, bad = np.inf, -1, -1
    for i in range(n):
        if status[i] == OPEN:
            continue
        if w[i] > small:
            return i, OPEN
        if w[i] < -small:
            bad = i
        elif x[i] < least:
            least, other = x[i], i
    if bad < 0:
        return -1, OPEN
    return (other if other >= 0 else bad), OPEN


@kernel(
    sample=lambda: (np.array([[2.0, -0.5], [-0.5, 1.5]]), np.array([-1.0, 0.1]), 0.1, np.zeros(2)), bare=True
)
def strike_one(K, b, mu, x):  # type: ignore[no-untyped-def]
    """Fills the impulses of one contact that rubs, by its speeds before; False where it is not told so.

    Coulomb's law along the impact (Routh 1905): while the normal impulse grows, friction acts against the
    sliding of that instant. Where sliding ends before the impact does, the contact sticks if friction can
    hold it, else it slides back. The law of `try_statuses`, by the sliding after the impact alone, takes the
    friction of all of it to be that of its end.
    """
    if b[0] >= 0.0 or b[1] == 0.0:
        return False
    friction = -mu if b[1] > 0.0 else mu
    turns = K[1, 0] + K[1, 1] * friction  # of the speed along, per normal impulse
    if b[1] * turns >= 0.0:
        return False  # it slides on
    first = -b[1] / turns
    closing = b[0] + (K[0, 0] + K[0, 1] * friction) * first
    if closing >= 0.0:
        return False
    holds = -K[1, 0] / K[1, 1]
    held = min(max(holds, -mu), mu)
    opens = K[0, 0] + K[0, 1] * held
    if opens <= 0.0:
        return False
    second = -closing / opens
    x[0], x[1] = first + second, friction * first + held * second
    return True


@kernel(sample=_sample)
def solve_by_pivots(K, b, mu, sliding, n, rows, status, x, w):  # type: ignore[no-untyped-def]
    """The same as a linear complementarity problem; fills forces, accelerations and statuses.

    Of a contact that may stick the unknowns are its normal force, its tangential forces forward and back, and
    a speed of sliding (Stewart & Trinkle 1996); one that slides has its normal force alone.
    """
    size_b, size_K, total = 0.0, 0.0, n
    for i in range(rows):
        size_b, size_K = max(size_b, abs(b[i])), max(size_K, abs(K[i, i]))
    first = np.zeros(n, np.int64)  # of its tangential unknowns
    for i in range(n):
        if mu[i] > 0.0 and sliding[i] == 0.0:
            first[i] = total
            total += 3
    spread, M, q, z = np.zeros((rows, total)), np.zeros((total, total)), np.zeros(total), np.zeros(total)
    for i in range(n):  # forces by unknowns
        spread[i, i] = 1.0
        if first[i]:
            spread[n + i, first[i]], spread[n + i, first[i] + 1] = 1.0, -1.0
        elif mu[i] > 0.0:
            spread[n + i, i] = -mu[i] if sliding[i] > 0.0 else mu[i]
    moved = np.zeros((rows, total))
    for r in range(rows):
        for k in range(rows):
            for c in range(total):
                moved[r, c] += K[r, k] * spread[k, c] / size_K
    for i in range(n):
        M[i], q[i] = moved[i], b[i] / size_b
        if first[i]:
            forward, back, speed = first[i], first[i] + 1, first[i] + 2
            M[forward], q[forward] = moved[n + i], b[n + i] / size_b
            M[back], q[back] = -moved[n + i], -b[n + i] / size_b
            M[forward, speed], M[back, speed] = M[forward, speed] + 1.0, M[back, speed] + 1.0
            M[speed, i], M[speed, forward], M[speed, back] = mu[i], -1.0, -1.0
    if not solve_complementarity(M, q, z):
        # Rows that depend on each other can contradict each other by rounding: they yield by as little.
        for i in range(n):
            M[i, i] += _YIELDS
        if not solve_complementarity(M, q, z):
            return False
    for r in range(rows):
        x[r] = 0.0
        for c in range(total):
            x[r] += spread[r, c] * z[c] * size_b / size_K
    for r in range(rows):
        w[r] = b[r]
        for c in range(rows):
            w[r] += K[r, c] * x[c]
    for i in range(n):
        if w[i] < -_LEFT * size_b:
            return False
        status[i] = OPEN
        if z[i] > 0.0 or w[i] <= _LEFT * size_b:
            status[i] = STICK
            if sliding[i] != 0.0:
                status[i] = FORWARD if sliding[i] > 0.0 else BACKWARD
            elif first[i] and abs(w[n + i]) > _LEFT * size_b:
                status[i] = FORWARD if w[n + i] > 0.0 else BACKWARD
    return True


@kernel(sample=_sample)
def solve_contact_problem(K, b, mu, sliding, n, rows, status, x, w):  # type: ignore[no-untyped-def]
    """Fills forces x and accelerations w, and the statuses; returns whether there is a solution."""
    room, order = np.zeros((2 * n + 2, 2 * n)), np.zeros((2, 2 * n), np.int64)
    return solve_contact_problem_in(K, b, mu, sliding, n, rows, status, x, w, room, order)


@kernel(sample=lambda: (*_sample(), *_room(2)), bare=True)
def solve_contact_problem_in(K, b, mu, sliding, n, rows, status, x, w, room, order):  # type: ignore[no-untyped-def]
    """The same in given room: for a matrix of 2 n unknowns and two columns, and for two orders of them."""
    size_b, size_K = 0.0, 0.0
    for i in range(rows):
        size_b = max(size_b, abs(b[i]))
        size_K = max(size_K, abs(K[i, i]))
    if size_b == 0.0 or size_K == 0.0:
        for i in range(rows):
            x[i], w[i] = 0.0, b[i]
        return True
    small_w = 1e-11 * size_b
    small_x = 1e-11 * size_b / size_K
    for i in range(n):
        if sliding[i] != 0.0 and status[i] != OPEN:
            status[i] = FORWARD if sliding[i] > 0.0 else BACKWARD
    for _ in range(10 + 6 * n):
        at, wanted = try_statuses(K, b, mu, sliding, n, rows, status, x, w, room, order, small_x, small_w)
        if at < 0:
            return True
        status[at] = wanted
    if solve_by_pivots(K, b, mu, sliding, n, rows, status, x, w):
        return True
    if n > MOST_TRIED:
        return False
    for number in range(4**n):
        rest, fits = number, True
        for i in range(n):
            status[i] = rest % 4
            rest //= 4
            if sliding[i] != 0.0 and status[i] != OPEN:
                fits = fits and status[i] == (FORWARD if sliding[i] > 0.0 else BACKWARD)
            elif mu[i] == 0.0:
                fits = fits and status[i] <= STICK
        if fits:
            at = try_statuses(K, b, mu, sliding, n, rows, status, x, w, room, order, small_x, small_w)[0]
            if at < 0:
                return True
    return False
