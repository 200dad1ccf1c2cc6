"""A slow, obvious enumeration: one linear program a partial sign vector, nothing shared with Detent."""

import numpy as np
from scipy.optimize import linprog

MARGIN = 1e-7


def feasible(zero, positive):
    """Is there v with zero v = 0 and positive v > 0? The largest margin, capped at one, decides."""
    d = (zero if len(zero) else positive).shape[1]
    if not len(positive):
        return True
    cost = np.r_[np.zeros(d), -1.0]
    upper = np.hstack([-positive, np.ones((len(positive), 1))])
    equal = np.hstack([zero, np.zeros((len(zero), 1))]) if len(zero) else None
    bounds = [(-1e3, 1e3)] * d + [(0, 1)]
    done = linprog(
        cost,
        A_ub=upper,
        b_ub=np.zeros(len(positive)),
        A_eq=equal,
        b_eq=None if equal is None else np.zeros(len(zero)),
        bounds=bounds,
        method="highs",
    )
    assert done.status == 0
    return -done.fun > MARGIN


def modes_by_programs(contacts):
    """Every mode as text; branches that no velocity takes are cut."""
    c = contacts.floats
    d = c.degrees
    unit = lambda rows: rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-300)  # noqa: E731
    normal, tangent, held = unit(c.normal), [unit(t) for t in c.tangent], c.held
    texts_found = []

    def contact_signs(i, signs, zero, positive):
        if not feasible(zero, positive):
            return
        if i == len(c):
            sliding_signs(0, 0, signs, "", zero, positive)
            return
        contact_signs(i + 1, signs + "0", np.vstack([zero, normal[i]]), positive)
        contact_signs(i + 1, signs + "+", zero, np.vstack([positive, normal[i]]))

    def sliding_signs(i, j, signs, planes, zero, positive):
        if not feasible(zero, positive):
            return
        if i == len(c):
            texts_found.append(f"{signs}|{planes}")
        elif j == len(tangent[i]):
            sliding_signs(i + 1, 0, signs, planes, zero, positive)
        elif signs[i] == "+":
            sliding_signs(i, j + 1, signs, planes + ".", zero, positive)
        else:
            row = tangent[i][j]
            sliding_signs(i, j + 1, signs, planes + "0", np.vstack([zero, row]), positive)
            sliding_signs(i, j + 1, signs, planes + "+", zero, np.vstack([positive, row]))
            sliding_signs(i, j + 1, signs, planes + "-", zero, np.vstack([positive, -row]))

    contact_signs(0, "", held.reshape(-1, d), np.zeros((0, d)))
    return sorted(texts_found)
