"""Proofs that no limit was stepped over: what they enclose, what they must refuse."""

from __future__ import annotations

import math

import numpy as np
import pytest

from detent.foundation import number
from detent.kinematics import make_plan
from detent.kinematics.equations import closed_pose
from detent.kinematics.paths import drive_path_of, vectors_at
from detent.kinematics.proofs import (
    CLOSES,
    OPEN,
    N,
    certify,
    cover,
    drive_models,
    models_of,
    prove,
    run_models,
    sensitivity,
)
from detent.library import linkages, mechedit
from detent.model.document import Drive
from detent.model.machine import plane_linkage_of
from detent.motion import move
from tests.kinematics.random_linkages import random_linkage

OFF = 1e-7  # [rad] how far inputs are set off their polynomial


def planned(mechanism, **options):
    system = plane_linkage_of(mechanism)
    course = drive_path_of(mechanism, system)
    return make_plan(system, closed_pose(system, mechanism.start), course.inputs, **options), course


def turned_through(mechanism, joint, first_deg, last_deg, steps):
    drive = Drive(joint=joint, from_deg=number(first_deg), to_deg=number(last_deg), steps=steps)
    return move(mechanism, drives={"d": drive})


def widest_share(plan, start, end, rng, width):
    """The largest part of its box that a true vector uses, with inputs set off as far as they may be."""
    worst, proved = 0.0, 0
    for _ in range(4):
        lo = rng.uniform(0, 1 - width)
        models = models_of(plan.vectors)
        inputs, off = drive_models(start, end, lo, lo + width)
        with np.errstate(all="ignore"):
            _, verdict = run_models(
                plan.ops, 0, len(plan.ops), models.P, models.E, inputs, off + OFF, models.S, models.B
            )
        if verdict != CLOSES:
            continue
        proved += 1
        for s in (*rng.uniform(-1, 1, 4), -1.0, 1.0):
            at = start + (lo + 0.5 * width * (1 + s)) * (end - start)
            goal = at + OFF * rng.choice([-1.0, 1.0], len(at))
            V = vectors_at(plan, goal, goal, 0.0)
            rounding = 1e-14 * (1 + np.abs(V))
            for row in plan.ops[:, 1]:
                gap = V[row] - models.P[row, :, :N] @ s ** np.arange(N)
                gap = np.maximum(np.abs(gap) - rounding[row], 0) * np.sign(gap)
                fx, fy, along, across = models.E[row]
                worst = max(worst, abs(gap[0] * fx + gap[1] * fy) / along)
                worst = max(worst, abs(gap[1] * fx - gap[0] * fy) / across if across else 0.0)
    return worst, proved


@pytest.mark.parametrize(
    "mechanism",
    [
        linkages.four_bar(),
        linkages.slider_crank(),
        linkages.slider_crank(offset=0.3),
        linkages.quick_return(),
        linkages.scotch_yoke(),
        linkages.jansen_leg(),
        linkages.pantograph(),
        mechedit.stress(10),
    ],
)
@pytest.mark.parametrize("width", [0.05, 1e-3])
def test_every_vector_stays_in_its_box_and_nearly_fills_it(mechanism, width):
    plan, course = planned(mechanism)
    worst, proved = widest_share(plan, course.goals[0], course.goals[-1], np.random.default_rng(5), width)
    assert proved
    assert worst <= 1.0
    assert width > 0.01 or worst > 0.9  # on a short piece a box is what the inputs are off, and no more


@pytest.mark.parametrize("seed", range(6))
def test_vectors_of_random_linkages_stay_in_their_boxes(seed):
    plan, course = planned(random_linkage(seed))
    worst, _ = widest_share(plan, course.goals[0], course.goals[-1], np.random.default_rng(seed), 0.02)
    assert worst <= 1.0


@pytest.mark.parametrize(
    "mechanism",
    [mechedit.six_bar("B"), mechedit.eight_bar(), mechedit.ten_bar(), mechedit.duplex(), mechedit.stress(50)],
)
def test_the_mechanisms_of_fig_30_are_proved_over_their_range(mechanism):
    assert move(mechanism).certified.startswith("proved:")


def test_a_ladder_of_a_hundred_and_twenty_links_is_proved():
    plan, course = planned(mechedit.stress(120))
    pieces = cover(plan, course.goals[0], course.goals[-1])
    assert pieces.complete
    assert np.all(pieces.verdict == CLOSES)


@pytest.mark.parametrize("half_gap_deg", [1, 1e-3])
def test_a_narrow_gap_between_samples_is_found(half_gap_deg):
    motion = move(mechedit.fig22(half_gap_deg))
    assert motion.certified.startswith("proved:")
    assert motion.stop == "limit"
    assert math.degrees(motion.limits[0]) == pytest.approx(140 - half_gap_deg, abs=1e-8)


def six_bar_limit_deg():
    motion = turned_through(mechedit.six_bar("B"), "B", 0, 360, 72)
    assert motion.stop == "limit"
    return math.degrees(motion.limits[-1])


def test_a_branch_is_proved_up_to_its_limit_and_not_beyond():
    limit = six_bar_limit_deg()
    motion = turned_through(mechedit.six_bar("B"), "B", 0, limit + 5, 8)
    assert motion.certified.startswith("proved up to ")
    upto = float(motion.certified.split()[3].rstrip("°:"))
    assert limit - 0.01 < upto < limit
    short = turned_through(mechedit.six_bar("B"), "B", 0, limit - 0.01, 8)
    assert short.certified.startswith("proved:")


def test_a_course_whose_frames_lie_on_another_branch_is_not_proved():
    plan, course = planned(mechedit.six_bar("B"))
    frames = np.concatenate([[0.5], plan.vectors[plan.first_point : plan.last_point].ravel()])[None]
    proof = prove.prove_branch(plan, course.goals[:1], course.goals[0], course.goals[-1], frames)
    assert not proof.complete


def test_a_tube_that_does_not_contract_proves_nothing(monkeypatch):
    """Jacobians of unknown size: Krawczyk's inequality cannot hold."""
    plan, course = planned(mechedit.eight_bar())
    none = np.zeros((0, 1 + 2 * (plan.last_point - plan.first_point)))
    ends = course.goals[:1], course.goals[0], course.goals[-1]
    assert prove.prove_branch(plan, *ends, none).complete
    jacobian = prove._jacobian
    monkeypatch.setattr(prove, "_jacobian", lambda *a: (jacobian(*a)[0], jacobian(*a)[1] + 1e3))
    assert prove.prove_branch(plan, *ends, none).upto == 0.0


def test_a_cut_and_a_block_of_the_same_linkage_are_both_proved():
    for cuts in (True, False):
        plan, course = planned(mechedit.six_bar("B"), cuts=cuts)
        none = np.zeros((0, 1 + 2 * (plan.last_point - plan.first_point)))
        proof = prove.prove_branch(plan, course.goals[:1], course.goals[0], course.goals[-1], none)
        assert proof.complete, cuts


def test_a_chain_with_freedoms_is_proved_to_close_throughout():
    assert "can close" in move(mechedit.chain(4)).certified


def test_undecided_places_are_halved_to_points():
    plan, course = planned(mechedit.fig22())
    pieces = cover(plan, course.goals[0], course.goals[-1])
    widths = pieces.hi - pieces.lo
    assert np.all(widths[pieces.verdict == OPEN] < 1e-9)
    assert pieces.lo[0] == 0.0
    assert pieces.hi[-1] == 1.0
    np.testing.assert_array_equal(pieces.lo[1:], pieces.hi[:-1])


def test_a_search_that_may_not_go_on_says_so(monkeypatch):
    plan, course = planned(mechedit.fig22())
    monkeypatch.setattr(certify, "MOST_WORK", 100)
    assert not cover(plan, course.goals[0], course.goals[-1]).complete


def test_a_derivative_left_out_is_noticed(monkeypatch):
    """What a point is off must pass through its dyad: without that, true vectors leave their boxes."""
    plan, course = planned(linkages.four_bar())
    whole = sensitivity.pieces.plain
    monkeypatch.setenv("DETENT_SPEED", "plain")
    from detent.kinematics.proofs import taylor_ops

    monkeypatch.setattr(taylor_ops, "pieces", lambda *a: min(whole(*a), 0))
    worst, _ = widest_share(plan, course.goals[0], course.goals[-1], np.random.default_rng(5), 1e-3)
    assert worst > 10
