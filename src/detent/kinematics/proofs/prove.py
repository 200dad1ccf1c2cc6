"""A branch that Newton follows: does it go on throughout, and is it the only one near?

On each piece of the drive path the unknowns are polynomials p(s) through solved frames.
Around them lies a tube, p + Y t with |t| <= w, where Y inverts the Jacobian J at the
middle. Taylor models give r >= |F(p)| and J over the tube; if r + |1 - J Y| w < w
then t -> t - F(p + Y t) maps the tube into itself and contracts (Krawczyk 1969): for
every position of the drive there is one root in the tube, J is regular at it, and no
limit was passed; rounding is part of every bound (`numeric/krawczyk.py`). At a border
the root, enclosed anew at that one position, must lie in both tubes, and every frame
must lie in its tube. With fewer equations than unknowns Y is the pseudoinverse, and
what is proved is that the linkage closes throughout.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from detent.kinematics.equations.rows import Floats
from detent.kinematics.execution.batch import knot_states
from detent.kinematics.execution.frame import input_table, tables_of
from detent.kinematics.planning.tables import Plan
from detent.kinematics.proofs.certify import STEPS_AN_OP, Models, drive_models, models_of
from detent.kinematics.proofs.proof_rows import ProofRows, ProofStage, proof_rows
from detent.kinematics.proofs.sensitivity import run_tangents
from detent.kinematics.proofs.taylor import N
from detent.kinematics.proofs.taylor_ops import CLOSES, run_models
from detent.numeric.krawczyk import above, gamma, image, lies_in, product_above

FIRST_PARTS = 8
HALVINGS = 18  # of a piece before it is given up: 5e-7 of the drive path
# Operations on models, and derivatives of them: some seconds.
MOST_WORK = 40_000
STEPS_A_FRAME = 60  # elementary steps (see numeric.kernel) of Newton on one operation
# A tube is this much wider than the first estimate of how far the root may be from its polynomial.
TUBE = 8.0
LARGEST = 300  # unknowns of a block whose Jacobian is inverted as a whole
NARROWEST = 1e-13  # tube, of the size

# Ends included, so that neighbours share a node.
NODES = -np.cos(np.pi * np.arange(N) / (N - 1))
TO_POLYNOMIAL = np.linalg.inv(np.vander(NODES, N, increasing=True))


@dataclass(frozen=True)
class FollowedBranch:
    """How far along a leg (0 to 1) the branch is proved to go on, from its start."""

    upto: float
    complete: bool


@dataclass(frozen=True)
class _Tube:
    """The unknowns of one stage on a piece that is proved: where they are at its ends, and how surely."""

    middle: Floats
    ends: tuple[Floats, Floats]
    blur: Floats  # rounding of the ends
    root: Floats  # how far the root may be from the polynomial
    J: Floats  # at the middle
    Y: Floats  # the tube is p + Y t with |t| <= width
    width: float


def has_freedoms(plan: Plan) -> bool:
    """Whether a block has fewer equations than unknowns, so that the linkage moves least in it."""
    return bool(np.any(plan.blocks[:, 5] < plan.blocks[:, 4]))


def prove_branch(
    plan: Plan, before: Floats, start: Floats, end: Floats, frames: Floats, *, share: float = 1.0
) -> FollowedBranch:
    """Prove a leg from `start` to `end`; `before` are goals between the drawing and there.

    `frames` has one row per frame on the leg: its share of the leg, then x, y of each marker point.
    `share` of the whole drive path is this leg: it begins with so many pieces and may cost so much.
    """
    if int(plan.blocks[:, 4].max(initial=0)) > LARGEST:
        return FollowedBranch(0.0, False)
    rows = proof_rows(plan)
    if has_freedoms(plan):
        frames = frames[:0]  # least motion depends on the steps made: they are others here
    models = models_of(rows.vectors)
    parts = math.ceil(share * FIRST_PARTS)
    spent, weight = 0, 2 * sum(s.hi - s.lo + sum(len(m) for m in s.moves) for s in rows.stages)
    at, last = 0.0, None
    state = None if weight * parts > share * MOST_WORK else states_along(plan, plan.drawn, plan.state, before)
    edges = np.linspace(1.0, 0.0, parts + 1).tolist()
    waiting = [(lo, hi, 0) for hi, lo in pairwise(edges)]  # the next one last
    while waiting and state is not None:
        lo, hi, depth = waiting.pop()
        spent += weight
        nodes = start + np.clip(0.5 * (lo + hi) + 0.5 * (hi - lo) * NODES, 0.0, 1.0)[:, None] * (end - start)
        q = states_along(plan, nodes[0], state[-1], nodes)
        tubes = None
        if q is not None:
            tubes = _piece(plan, rows, models, start, end, lo, hi, q, frames)
            if tubes is not None and last is not None:
                dots = _piece(plan, rows, models, start, end, lo, lo, np.repeat(q[:1], N, axis=0), frames[:0])
                if dots is None or not all(_meet(*m) for m in zip(last, dots, tubes, strict=True)):
                    tubes = None
        if tubes is not None:
            at, last, state = hi, tubes, q
        elif depth == HALVINGS or spent > share * MOST_WORK:
            break
        else:
            middle = 0.5 * (lo + hi)
            waiting += [(middle, hi, depth + 1), (lo, middle, depth + 1)]
    return FollowedBranch(at, at == 1.0)


def _meet(left: _Tube, dot: _Tube, right: _Tube) -> bool:
    """Whether the root at a border lies in the tubes on both sides, where it is the only one."""
    if dot.J.shape[0] < dot.J.shape[1]:
        return True  # a linkage with degrees of freedom left has no single root
    for tube, end in ((left, left.ends[1]), (right, right.ends[0])):
        apart = above(np.abs(end - dot.middle) + tube.blur + dot.root, 3)
        if not lies_in(apart, tube.J, tube.Y, tube.width):
            return False
    return True


def states_along(plan: Plan, here: Floats, state: Floats, knots: Floats) -> Floats | None:
    """The state at each knot, one after the other; None where one is not reached."""
    states = np.zeros((len(knots), len(plan.state)))
    V, G = plan.vectors.copy(), np.zeros_like(plan.vectors)
    run = knot_states.at(STEPS_A_FRAME * max(len(plan.ops), int(plan.blocks[:, 4].sum())) * len(knots))
    with np.errstate(all="ignore"):
        count = run(
            tables_of(plan),
            V,
            G,
            input_table(plan),
            state.copy(),
            len(plan.inputs),
            here.copy(),
            knots,
            states,
        )
    return states if count == len(knots) else None


def _piece(
    plan: Plan,
    rows: ProofRows,
    models: Models,
    start: Floats,
    end: Floats,
    lo: float,
    hi: float,
    q: Floats,
    frames: Floats,
) -> list[_Tube] | None:
    """The tubes of all stages on one piece; None where one is not proved."""
    drives, rounding = drive_models(start, end, lo, hi)
    inputs = np.zeros((len(drives) + q.shape[1], N + 1))
    inputs[: len(drives)] = drives
    inputs[len(drives) :, :N] = (TO_POLYNOMIAL @ q).T
    off = np.zeros(len(inputs))
    off[: len(drives)] = rounding
    tubes: list[_Tube] = []
    for stage in rows.stages:
        if not stage.sources:
            if not _run(rows, models, stage, inputs, off):
                return None
            continue
        tube = _tube(rows, models, stage, inputs, off, plan.system.size)
        if tube is None:
            return None
        tubes.append(tube)
    return tubes if _hold(plan, models, lo, hi, frames) else None


def _run(rows: ProofRows, models: Models, stage: ProofStage, inputs: Floats, off: Floats) -> bool:
    run = run_models.at(STEPS_AN_OP * len(rows.ops) * FIRST_PARTS)
    with np.errstate(all="ignore"):
        outcome = run(rows.ops, stage.lo, stage.hi, models.P, models.E, inputs, off, models.S, models.B)
    return bool(outcome[1] == CLOSES)


def _tube(
    rows: ProofRows, models: Models, stage: ProofStage, inputs: Floats, off: Floats, size: float
) -> _Tube | None:
    """Krawczyk's test for one stage; leaves `off` and the models of its vectors as wide as the tube."""
    sources = list(stage.sources)
    off[sources] = 0.0
    if not _run(rows, models, stage, inputs, off):
        return None
    gap = np.array(
        [
            np.abs(models.P[row, axis, :N]).sum() + models.E[row, 2] + models.E[row, 3]
            for row, axis in stage.closing
        ]
    )
    gap = above(gap, N + 2)
    J, _ = _jacobian(models, stage)
    Y = np.asarray(np.linalg.pinv(J), dtype=np.float64)
    width = np.full(len(gap), TUBE * float(gap.max(initial=0.0)) + NARROWEST * size)
    off[sources] = product_above(np.abs(Y), width)
    if not _run(rows, models, stage, inputs, off):
        return None
    middle, radius = _jacobian(models, stage)
    if not np.all(np.isfinite(radius)):
        return None
    moved = image(gap, middle, radius, Y, width)
    if not np.all(moved < width):
        return None
    p = inputs[sources, :N]
    ends = p @ (-1.0) ** np.arange(N), p.sum(axis=1)
    blur = above(gamma(N) * np.abs(p).sum(axis=1), N + 1)
    root = product_above(np.abs(Y), moved)
    return _Tube(p[:, 0].copy(), ends, blur, root, J, Y, float(width.max(initial=0.0)))


def _jacobian(models: Models, stage: ProofStage) -> tuple[Floats, Floats]:
    """Middles and radii of the closing rows' derivatives by the unknowns."""
    run = run_tangents.at(STEPS_AN_OP * FIRST_PARTS * sum(len(ops) for ops in stage.moves))
    shape = len(stage.closing), len(stage.sources)
    middle, radius = np.zeros(shape), np.zeros(shape)
    D = np.zeros((len(models.P), 3))
    for j, (source, ops) in enumerate(zip(stage.sources, stage.moves, strict=True)):
        with np.errstate(all="ignore"):
            run(ops, 0, len(ops), models.P, models.E, D, source, models.B)
        for i, (row, axis) in enumerate(stage.closing):
            middle[i, j], radius[i, j] = D[row, axis], D[row, 2]
        D[ops[:, 1]] = 0.0
    return middle, radius


def _hold(plan: Plan, models: Models, lo: float, hi: float, frames: Floats) -> bool:
    """Whether the frames of a piece lie where its models say."""
    points = slice(plan.first_point, plan.last_point)
    allowed = plan.system.tolerance.length + 2 * models.E[points, 2:].sum(axis=1).max(initial=0.0)
    for frame in frames[(frames[:, 0] >= lo) & (frames[:, 0] <= hi)]:
        s = (frame[0] - 0.5 * (lo + hi)) / (0.5 * (hi - lo))
        at = models.P[points, :, :N] @ s ** np.arange(N)
        if np.abs(at.ravel() - frame[1:]).max(initial=0.0) > allowed:
            return False
    return True
