"""How many degrees of freedom it has, and what is redundant: Gruebler's count against the Jacobian.

Gruebler's count takes every equation as independent. The true mobility is the
nullity of the Jacobian, unknowns minus rank, at the closed pose. The two differ
where equations repeat (Brunkhart 1994, Figs. 13 and 14): each dependent row is
then explained by the smallest set of joints that repeat each other, a circuit
of the row space. A mobility that holds at this pose only (Fig. 14a, a dead
point) is distinguished by counting again at a pose nearby; where there is none,
by second order: two bars in line between two walls give way for an instant, and
move nowhere.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from detent.kinematics.equations.newton import RANK, close, column_scale, moved_by
from detent.kinematics.equations.rows import (
    ClosureRows,
    Floats,
    names_of_rows,
    residual_and_jacobian,
    rows_of,
)
from detent.model.machine.plane_linkage import PlaneLinkage

# Beyond this many unknowns the search for dependent rows would take minutes.
LARGEST = 600
# How far to move, of the size, when asking whether a degree of freedom is there nearby as well.
NEARBY = 1e-3
# Of the largest bend: less is rounding of differences over such a step.
BENT = 1e-6


@dataclass(frozen=True)
class Redundancy:
    """Joints of which one repeats what the others already hold, at this pose or throughout."""

    joints: tuple[str, ...]
    everywhere: bool
    why: str


@dataclass(frozen=True)
class MobilityAnalysis:
    actual: int | None  # None where the system is too large to count, or whether it moves is not decided
    redundant: tuple[Redundancy, ...]
    why: str


def mobility(system: PlaneLinkage, poses: Floats) -> MobilityAnalysis:
    """The true mobility at a closed pose, and the joints that repeat each other."""
    rows = rows_of(system)
    if rows.unknowns > LARGEST:
        return MobilityAnalysis(
            None,
            (),
            f"{rows.unknowns} unknowns: the rank is counted up to {LARGEST}",
        )
    jacobian = _scaled(rows, poses)
    rank, circuits = dependent_rows(jacobian)
    names = names_of_rows(rows)
    here = rows.unknowns - rank
    lasting, near = "always", rank  # the rank where it moves
    if circuits and here:
        nearby = _nearby(rows, poses, jacobian)
        if nearby is None:
            stiff = _stiff(rows, poses, jacobian)
            lasting, near = ("stiff", rows.unknowns) if stiff else ("undecided", rank)
        elif nearby > rank:
            lasting, near = "instant", nearby
    actual = None if lasting == "undecided" else rows.unknowns - near
    groups = dict.fromkeys(tuple(dict.fromkeys(names[i] for i in circuit)) for circuit in circuits)
    redundant = tuple(Redundancy(joints, lasting == "always", _why(joints, lasting)) for joints in groups)
    return MobilityAnalysis(actual, redundant, _difference(rows, rank, near, lasting))


def dependent_rows(matrix: Floats) -> tuple[int, list[list[int]]]:
    """The rank, and for each row that depends on others a minimal dependent set with it.

    Rows are visited in order; the coefficients of a dependent row over an
    independent set are unique, so the rows with a coefficient form a circuit.
    """
    if not matrix.size:
        return 0, []
    largest = float(np.linalg.norm(matrix, 2))
    basis: list[Floats] = []
    chosen: list[int] = []
    circuits: list[list[int]] = []
    for i, row in enumerate(matrix):
        rest = row.copy()
        for _ in range(2):  # twice is enough for orthogonality to rounding
            for q in basis:
                rest -= (q @ rest) * q
        if float(np.linalg.norm(rest)) > RANK * max(largest, float(np.linalg.norm(row))):
            basis.append(rest / np.linalg.norm(rest))
            chosen.append(i)
            continue
        weights = np.linalg.lstsq(matrix[chosen].T, row, rcond=None)[0] if chosen else np.zeros(0)
        heavy = np.abs(weights) > np.sqrt(RANK) * max(1.0, float(np.max(np.abs(weights), initial=0.0)))
        circuits.append([*(k for k, keep in zip(chosen, heavy, strict=True) if keep), i])
    return len(chosen), circuits


def _scaled(rows: ClosureRows, poses: Floats) -> Floats:
    jacobian = residual_and_jacobian(rows, poses)[1] * column_scale(rows)
    return np.asarray(jacobian)


def _nearby(rows: ClosureRows, poses: Floats, jacobian: Floats) -> int | None:
    """The rank at a closed pose nearby; None where there is nowhere to go."""
    _, s, vt = np.linalg.svd(jacobian)
    rank = int(np.sum(s > RANK * s[0]))
    free = vt[rank:]
    best: int | None = None
    for direction in free:
        for sign in (1.0, -1.0):
            step = sign * NEARBY * rows.system.size * column_scale(rows) * direction
            near = close(rows, moved_by(rows, poses, step))
            if not near.closed or np.allclose(near.poses, poses, atol=NEARBY * rows.system.size / 100):
                continue
            s_near = np.linalg.svd(_scaled(rows, near.poses), compute_uv=False)
            rank_near = int(np.sum(s_near > RANK * s_near[0]))
            best = rank_near if best is None else max(best, rank_near)
    return best


def _stiff(rows: ClosureRows, poses: Floats, jacobian: Floats) -> bool:
    """Whether second order rules out every motion that the rows allow at this pose.

    Along q + e u + e² w rows stay closed to second order only where every stress v of them (v J = 0) has
    v H[u, u] = 0, with H[u, u] how the rows bend along u. One v that gives all u one sign forbids them.
    """
    u, s, vt = np.linalg.svd(jacobian)
    rank = int(np.sum(s > RANK * s[0]))
    motions, stresses = vt[rank:] * column_scale(rows), u[:, rank:]
    step = NEARBY * rows.system.size
    closed = residual_and_jacobian(rows, poses)[0]

    def bends(motion: Floats) -> Floats:
        ahead, behind = (
            residual_and_jacobian(rows, moved_by(rows, poses, sign * step * motion))[0] for sign in (1, -1)
        )
        return np.asarray(stresses.T @ (ahead + behind - 2 * closed) / step**2)

    single = np.array([bends(motion) for motion in motions])
    forms = np.array([[bends(a + b) for b in motions] for a in motions])
    forms = (forms - single[:, None] - single[None, :]) / 2
    for k in range(stresses.shape[1]):
        signs = np.linalg.eigvalsh(forms[:, :, k])
        if (
            abs(float(np.sign(signs).sum())) == len(signs)
            and np.abs(signs).min() > BENT * np.abs(forms).max()
        ):
            return True
    return False


def _why(joints: tuple[str, ...], lasting: str) -> str:
    listed = ", ".join(joints)
    return {
        "always": f"of the joints {listed} one repeats what the others hold; it works only as drawn exactly",
        "instant": f"at this pose the joints {listed} repeat each other (a dead or change point); "
        "nearby they do not",
        "stiff": f"at this pose the joints {listed} repeat each other: it gives way for an instant, "
        "and moves nowhere",
        "undecided": f"at this pose the joints {listed} repeat each other; no pose nearby was found "
        "that closes",
    }[lasting]


def _difference(rows: ClosureRows, rank: int, nearby: int, lasting: str) -> str:
    """Why the mobility is not Gruebler's count: equations that repeat others throughout, or at this pose."""
    here, always, once = rows.unknowns - rank, rows.equations - nearby, nearby - rank
    if not always + once:
        return "every joint equation is independent, so Gruebler's count is the mobility"
    said = []
    if once:
        said.append(f"{_repeats(once)} others at this pose alone, with {here} for an instant")
    if always:
        freedoms = "degree of freedom" if always == 1 else "degrees of freedom"
        said.append(
            f"{_repeats(always)} others, so the mechanism has {always} more {freedoms} than Gruebler counts"
        )
    if lasting == "undecided":
        said = [f"{_repeats(always)} others at this pose; whether it moves from there is not decided"]
    return "; ".join(said)


def _repeats(count: int) -> str:
    return "1 joint equation repeats" if count == 1 else f"{count} joint equations repeat"
