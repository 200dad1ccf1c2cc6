"""How parts move with the inputs: x, y and angle of each part, differentiated once and twice by each input.

    rates = part_rates(plan, sweep(plan, goals))
    rates.first[f, p]     # (3, inputs): velocity of part p in frame f is first @ input rates
    rates.second[f, p]    # (3, inputs, inputs), symmetric: the rest of its acceleration

The derivatives are those of the plan's own operations by the chain rule, in closed form, through cuts and
through blocks; nothing is differenced. Mixed second derivatives come from moving two inputs at once:
the second derivative along e_i + e_j is f_ii + 2 f_ij + f_jj. Inputs that are lengths move by the linkage's
size meanwhile, so that no input's digits drown another's.

A frame is used as it is: the branch and the guesses are read off its vectors, so that frames behind a change
point need no plan of their own. At a change point, a dead centre or any other position where the inputs do
not determine the rates nothing is finite: every moving part's rates are not a number, and `regular`
is False. Where a block keeps degrees of freedom its bodies move least, as they do when it is followed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from detent.kinematics.equations.rows import Floats
from detent.kinematics.execution.bodies import block_rates
from detent.kinematics.execution.frame import _frame_sample, differentiate, input_table, tables_of
from detent.kinematics.execution.sweeping import Frames
from detent.kinematics.operations.dyads import ROUNDING
from detent.kinematics.operations.ops import CIRCLE_LINE, CIRCLES, TANGENT, TURN, run_ops
from detent.kinematics.planning.blocks import FREE, GEAR, SLIDING
from detent.kinematics.planning.poses import part_poses
from detent.kinematics.planning.tables import BLOCK, CUT, Plan
from detent.numeric.kernels import kernel

# A point faster than this [sizes per radian, or per size], or rates that leave a block's rows open by more
# [sizes]: a dead centre, nearer than 1e-7 rad, where rates have lost all but a few digits.
FASTEST, OPEN_RATE = 1e7, 1e-6
STEPS_AN_OP = 25  # elementary steps (see numeric.kernels) of one operation with its derivatives


@dataclass(frozen=True)
class PartRates:
    """Poses of all parts in each frame, and their derivatives by the inputs [m, rad]."""

    parts: tuple[str, ...]
    poses: Floats  # (frames, parts, 3): x, y, angle
    first: Floats  # (frames, parts, 3, inputs)
    second: Floats  # (frames, parts, 3, inputs, inputs), symmetric in the last two
    regular: NDArray[np.bool_]  # (frames,): False where the inputs do not determine the rates

    def velocities(self, rates: ArrayLike) -> Floats:
        """Of each part (frames, parts, 3), the inputs moving at `rates`, one row or one per frame."""
        return np.asarray(np.einsum("fpki,fi->fpk", self.first, self._per_frame(rates)))

    def accelerations(self, rates: ArrayLike, accelerations: ArrayLike | None = None) -> Floats:
        """Of each part (frames, parts, 3), the inputs moving at `rates`, themselves accelerated."""
        v = self._per_frame(rates)
        bend: Floats = np.einsum("fpkij,fi,fj->fpk", self.second, v, v)
        return bend if accelerations is None else bend + self.velocities(accelerations)

    def _per_frame(self, rates: ArrayLike) -> Floats:
        return np.broadcast_to(np.asarray(rates, dtype=float), (len(self.poses), self.first.shape[-1]))


def part_rates(plan: Plan, frames: Frames) -> PartRates:
    """Each part's pose in each frame, and its first and second derivatives by each input."""
    count, inputs = len(frames.inputs), len(plan.inputs)
    wanted = np.array([(a.W, a.P, a.Q) for a in plan.anchors], dtype=np.int64).reshape(-1)
    first, second = (
        np.zeros((count, len(wanted), inputs, 2)),
        np.zeros((count, len(wanted), inputs, inputs, 2)),
    )
    regular = np.ones(count, dtype=np.bool_)
    scale = plan.spans
    work = STEPS_AN_OP * max(len(plan.ops), 1) * count * inputs * inputs * (1 if plan.closed_form else 20)
    tables = tables_of(plan)
    with np.errstate(all="ignore"):  # at a dead centre derivatives have no bound
        differentiate_frames.at(work)(
            tables,
            np.ascontiguousarray(frames.values),
            np.ascontiguousarray(frames.inputs, dtype=float).reshape(count, inputs),
            input_table(plan),
            np.zeros_like(plan.state),
            scale,
            wanted,
            first,
            second,
            regular,
        )
    first[~regular], second[~regular] = np.nan, np.nan
    return _of_parts(plan, frames.values, first, second, regular)


def _of_parts(
    plan: Plan, values: Floats, first: Floats, second: Floats, regular: NDArray[np.bool_]
) -> PartRates:
    """From anchors to poses: direction u = (Q - P) / d, origin W - u w; u' = i angle' u."""
    poses = part_poses(plan, values)
    names = plan.system.parts
    z, z1, z2 = (table[..., 0] + 1j * table[..., 1] for table in (values, first, second))
    out1 = np.zeros((len(values), len(names), 3, first.shape[2]))
    out2 = np.zeros((*out1.shape, first.shape[2]))
    for part, anchor in enumerate(plan.anchors):
        if plan.system.fixed[part]:
            continue
        W, P, Q = 3 * part, 3 * part + 1, 3 * part + 2
        u = (z[:, anchor.Q] - z[:, anchor.P]) / anchor.d
        u1, u2 = (z1[:, Q] - z1[:, P]) / anchor.d, (z2[:, Q] - z2[:, P]) / anchor.d
        for out, at, along in ((out1, z1[:, W], u1), (out2, z2[:, W], u2)):
            origin = at - along * anchor.w
            turning = along / u.reshape(-1, *[1] * (along.ndim - 1))
            out[:, part] = np.stack([origin.real, origin.imag, turning.imag], axis=1)
    table = np.stack([poses[name] for name in names], axis=1) if names else np.zeros((len(values), 0, 3))
    return PartRates(names, table, out1, out2, regular)


def _frames_sample() -> tuple[Any, ...]:
    tables, V, _, inputs, state, _ = _frame_sample()
    values = np.stack([V, V])
    run_ops.plain(tables[0], 0, 3, values[0], V * 0, V * 0, inputs, 0, False)
    out = np.zeros((2, 3, 1, 2)), np.zeros((2, 3, 1, 1, 2)), np.ones(2, dtype=np.bool_)
    rows = np.array([5, 6, 4], dtype=np.int64)
    return tables, values, np.array([[0.7], [0.7]]), inputs, state, np.ones(1), rows, *out


@kernel(sample=_frames_sample)
def differentiate_frames(tables, values, goals, inputs, state, scale, wanted, first, second, regular):  # type: ignore[no-untyped-def]
    """Fill derivatives of the wanted rows by every input, frame by frame, and which frames have any."""
    driven, size = goals.shape[1], tables[8]
    for f in range(goals.shape[0]):
        V = values[f].copy()
        V1, V2 = np.zeros_like(V), np.zeros_like(V)
        branch_tables = on_branch(tables, V, state, driven)
        inputs[:] = 0.0
        for k in range(driven):
            inputs[0, k] = goals[f, k]
        regular[f] = determined(branch_tables, V, inputs, state, driven)
        for i in range(driven):
            for j in range(i, -1, -1):  # by one input alone first: mixed derivatives need those
                if not regular[f]:
                    break
                inputs[1:] = 0.0
                inputs[1, i], inputs[1, j] = scale[i], scale[j]
                differentiate(branch_tables, V, V1, V2, inputs, state, driven)
                regular[f] = rates_close(branch_tables, V, V1, V2)
                for r in range(wanted.shape[0]):
                    for c in range(2):
                        fast, bend = V1[wanted[r], c], V2[wanted[r], c]
                        if not (abs(fast) <= FASTEST * size and math.isfinite(bend)):
                            regular[f] = False
                        if i == j:
                            first[f, r, i, c] = fast / scale[i]
                            second[f, r, i, i, c] = bend / (scale[i] * scale[i])
                            continue
                        alone = second[f, r, i, i, c] * scale[i] * scale[i]
                        alone += second[f, r, j, j, c] * scale[j] * scale[j]
                        second[f, r, i, j, c] = 0.5 * (bend - alone) / (scale[i] * scale[j])
                        second[f, r, j, i, c] = second[f, r, i, j, c]


def _branch_sample() -> tuple[Any, ...]:
    tables, V, _, inputs, state, driven = _frame_sample()
    run_ops.plain(tables[0], 0, 3, V, V * 0, V * 0, inputs, 0, False)
    return tables, V, state, driven


@kernel(sample=_branch_sample)
def on_branch(tables, V, state, driven):  # type: ignore[no-untyped-def]
    """The tables with the signs of a frame's roots, and in `state` its guesses and its blocks' unknowns."""
    ops, segments, bodies, equations, blocks, ratios, reach, slopes, size = tables
    signed = ops.copy()
    for i in range(ops.shape[0]):
        o, a, b, c = ops[i, 1], ops[i, 2], ops[i, 3], ops[i, 4]
        if ops[i, 0] == TURN and a >= driven:
            state[a - driven] = (math.atan2(V[o, 1], V[o, 0]) - V[b, 1]) / V[b, 0]
        if ops[i, 8] == 0:
            continue
        dx, dy = V[b, 0] - V[a, 0], V[b, 1] - V[a, 1]
        root = 0.0
        if ops[i, 0] == CIRCLES:
            root = dx * (V[o, 1] - V[a, 1]) - dy * (V[o, 0] - V[a, 0])
        elif ops[i, 0] == CIRCLE_LINE:
            root = (V[o, 0] - V[a, 0]) * V[c, 0] + (V[o, 1] - V[a, 1]) * V[c, 1]
        elif ops[i, 0] == TANGENT:
            root = V[o, 0] * dx + V[o, 1] * dy
        if root != 0.0:
            signed[i, 8] = 1 if root > 0.0 else -1
    for k in range(blocks.shape[0]):
        for body in range(blocks[k, 0], blocks[k, 1]):
            f, o, U = blocks[k, 6] + bodies[body, 1], bodies[body, 2], bodies[body, 3]
            if bodies[body, 0] == SLIDING:
                a, line, c = bodies[body, 4], bodies[body, 5], bodies[body, 6]
                x = V[o, 0] - V[a, 0] + V[U, 0] * V[c, 0] - V[U, 1] * V[c, 1]
                y = V[o, 1] - V[a, 1] + V[U, 0] * V[c, 1] + V[U, 1] * V[c, 0]
                state[f] = x * V[line, 0] + y * V[line, 1]
                continue
            if bodies[body, 0] == FREE:
                state[f], state[f + 1] = V[o, 0], V[o, 1]
                f += 2
            state[f] = math.atan2(V[U, 1], V[U, 0])
    return signed, segments, bodies, equations, blocks, ratios, reach, slopes, size


def _determined_sample() -> tuple[Any, ...]:
    tables, V, _, inputs, state, driven = _frame_sample()
    return tables, V, inputs, state, driven


@kernel(sample=_determined_sample)
def determined(tables, V, inputs, state, driven):  # type: ignore[no-untyped-def]
    """Whether every operation closes at a frame with a root that is more than rounding."""
    ops, segments = tables[0], tables[1]
    for s in range(segments.shape[0]):
        if segments[s, 0] == CUT:
            source = segments[s, 3]
            inputs[0, source] = state[source - driven]
        lo, hi = (0, 0) if segments[s, 0] == BLOCK else (segments[s, 1], segments[s, 2])
        if run_ops(ops, lo, hi, V, V, V, inputs, 0, False) >= 0:
            return False
    for i in range(ops.shape[0]):
        if ops[i, 8] == 0:
            continue
        a, b, c, k = ops[i, 2], ops[i, 3], ops[i, 4], ops[i, 5]
        dx, dy = V[b, 0] - V[a, 0], V[b, 1] - V[a, 1]
        terms = dx * dx + dy * dy
        if ops[i, 0] == CIRCLES:
            terms *= V[c, 0]
        elif ops[i, 0] == CIRCLE_LINE:
            terms = V[k, 0]
        if V[ops[i, 7], 0] <= ROUNDING * terms:
            return False
    return True


def _close_sample() -> tuple[Any, ...]:
    tables, V, G, _, _, _ = _frame_sample()
    return tables, V, G, G * 0


@kernel(sample=_close_sample)
def rates_close(tables, V, V1, V2):  # type: ignore[no-untyped-def]
    """Whether the rates of all blocks' bodies keep their equations: not at a dead centre of a block."""
    _, _, bodies, equations, blocks, ratios, _, _, size = tables
    for k in range(blocks.shape[0]):
        block_bodies, rows = bodies[blocks[k, 0] : blocks[k, 1]], equations[blocks[k, 2] : blocks[k, 3]]
        rate = np.zeros(blocks[k, 5])
        block_rates(V, V1, V2, block_bodies, rows, size, rate, 1)
        for e in range(rows.shape[0]):
            if rows[e, 0] != GEAR:
                continue
            ratio = ratios[blocks[k, 2] + e, 0]
            for j in range(3):
                body = rows[e, 4] if j == 0 else (rows[e, 1] if j == 1 else rows[e, 8])
                weight = 1.0 if j == 0 else (-ratio if j == 1 else ratio - 1.0)
                if body >= 0:
                    U = block_bodies[body, 3]
                    rate[rows[e, 7]] += size * weight * (V[U, 0] * V1[U, 1] - V[U, 1] * V1[U, 0])
        for i in range(rate.shape[0]):
            if not abs(rate[i]) <= OPEN_RATE * size:
                return False
    return True
