"""Chains move least: elimination pin by pin against the pseudo-inverse, and drags of any rhythm."""

from __future__ import annotations

import numpy as np
import pytest

from detent.foundation import ModelError
from detent.kinematics import make_plan
from detent.kinematics.equations import closed_pose
from detent.kinematics.execution import (
    CLOSED,
    KEPT,
    block_rows,
    chain_gaps,
    chain_step,
    close_chain,
    eliminate,
    is_chain,
    place_bodies,
    row_columns,
)
from detent.kinematics.paths import drive_path_of
from detent.kinematics.planning import PINNED, WIDTH
from detent.library import mechedit
from detent.model.machine import plane_linkage_of
from detent.motion.live import prepare
from tests.kinematics.oracle import Oracle


def block_of_chain(n):
    mechanism = mechedit.chain(n)
    system = plane_linkage_of(mechanism)
    plan = make_plan(system, closed_pose(system), drive_path_of(mechanism, system).inputs)
    _, _, lo, hi, unknowns, rows, _, band = plan.blocks[0]
    assert is_chain(unknowns, rows, hi - lo, band)
    return plan


def jacobian(plan, V, q):
    n, m = plan.blocks[0, 4], plan.blocks[0, 5]
    slots, columns = np.zeros((m, 2 * WIDTH)), np.zeros((m, 4), dtype=np.int64)
    J, r = np.zeros((m, n)), np.zeros(m)
    place_bodies(V, V, V, plan.bodies, q, q, q, 0)
    block_rows(V, plan.bodies, plan.equations, plan.ratios, plan.reach, q, plan.system.size, r, slots)
    row_columns(plan.bodies, plan.equations, columns)
    for i, (a, b, c, d) in enumerate(columns):
        J[i, a:b] += slots[i, : b - a]
        J[i, c:d] += slots[i, WIDTH : WIDTH + d - c]
    return J, r


@pytest.mark.parametrize("n", [4, 5, 9, 15])
def test_a_step_of_a_chain_is_the_shortest_that_closes_its_linear_equations(n):
    plan, rng = block_of_chain(n), np.random.default_rng(n)
    V, q = plan.vectors.copy(), plan.state + 0.1 * rng.standard_normal(len(plan.state))
    J, r = jacobian(plan, V, q)
    W, x = np.zeros((len(plan.equations), KEPT)), np.zeros(len(q))
    gap = chain_gaps(V, plan.bodies, plan.equations, plan.reach, W)
    assert gap == pytest.approx(np.abs(r).max(), rel=1e-12)
    assert eliminate(plan.equations, W)
    longest = chain_step(plan.bodies, plan.equations, W, x)
    np.testing.assert_allclose(x, -np.linalg.pinv(J) @ r, atol=1e-11)
    assert longest == np.abs(x).max()


@pytest.mark.parametrize("off", [1e-9, 1e-4, 0.1])
def test_a_chain_closes_from_near_and_from_far(off):
    plan, rng = block_of_chain(8), np.random.default_rng(3)
    V, q = plan.vectors.copy(), plan.state + off * rng.standard_normal(len(plan.state))
    assert close_chain(V, plan.bodies, plan.equations, plan.reach, q, plan.system.size) == CLOSED
    assert np.abs(jacobian(plan, V.copy(), q)[1]).max() < 1e-12 * plan.system.size


def straightened(plan):
    """Turns that lay every link along the x axis."""
    V, q = plan.vectors, plan.state.copy()
    for i, (kind, first, *_, b, _, _) in enumerate(plan.bodies):
        local = [V[b]] if kind == PINNED else []
        for e in plan.equations:
            local += [V[e[2 + 3 * side]] for side in range(2) if e[1 + 3 * side] == i]
        (x, y), (u, v) = local
        q[first if kind == PINNED else first + 2] = -np.arctan2(v - y, u - x)
    return q


@pytest.mark.parametrize(("bent", "regular"), [(0.0, False), (0.01, True)])
def test_only_a_chain_in_line_is_left_to_the_method_that_can_drop_a_row(bent, regular):
    plan = block_of_chain(6)
    V, q = plan.vectors.copy(), straightened(plan)
    q[plan.bodies[0, 1]] += bent
    place_bodies(V, V, V, plan.bodies, q, q, q, 0)
    W = np.zeros((len(plan.equations), KEPT))
    chain_gaps(V, plan.bodies, plan.equations, plan.reach, W)
    assert eliminate(plan.equations, W) is regular


@pytest.mark.parametrize("name", ["6-bar (b)", "Duplex"])
def test_a_drag_of_any_rhythm_stays_on_the_positions_of_an_independent_solver(name):
    mechanism = mechedit.PERFORMANCE_TABLE[name]()
    live, oracle, rng = prepare(mechanism), Oracle(mechanism), np.random.default_rng(11)
    at, limit = 0.0, 0.7
    for step in rng.choice([1e-7, 1e-3, 0.003, 0.02, -0.02, -0.004, 0.2, 0.0], size=120):
        at = min(max(at + step * rng.uniform(0.5, 1.5), 0.0), limit)
        shown = np.reshape(live.to(at), (-1, 2))
        expected = oracle.to(at)
        for i, names in enumerate(live.points):
            for marker in names:
                assert np.abs(shown[i] - expected[marker]).max() < 1e-10 * oracle.size


def test_an_input_that_is_no_number_is_refused_and_the_drag_goes_on():
    live = prepare(mechedit.six_bar("B"))
    before = live.to(0.1)
    with pytest.raises(ModelError, match="finite"):
        live.to(float("nan"))
    assert live.to(0.1) == pytest.approx(before, abs=1e-12)


def test_a_pin_of_a_chain_is_one_point():
    live = prepare(mechedit.chain(6))
    assert ("L2.P2", "L3.P2") in live.points
    assert len(live.points) == 5
