"""Dragging and long sweeps give the positions of an independent solver, and stop where it stops."""

from __future__ import annotations

import math

import msgspec
import numpy as np
import pytest

from detent.library import linkages, mechedit
from detent.motion.live import prepare
from tests.kinematics.closed_forms import four_bar_limits
from tests.kinematics.documents import closure, with_inputs
from tests.kinematics.inputs import document_inputs
from tests.kinematics.oracle import BrokenError, Oracle
from tests.kinematics.random_linkages import DYADS, random_linkage

# Positions of a solved linkage, as a share of its size.
CLOSE = 1e-10

CASES = {
    "4-bar": lambda: linkages.four_bar(),
    "slider-crank": lambda: linkages.slider_crank(offset=0.3),
    "quick return": linkages.quick_return,
    "Scotch yoke": linkages.scotch_yoke,
    "Jansen": linkages.jansen_leg,
    "Stress-10": lambda: mechedit.stress(10),
    "6-bar (b)": lambda: mechedit.six_bar("B"),
    "8-bar": mechedit.eight_bar,
    "10-bar": mechedit.ten_bar,
    "Duplex": mechedit.duplex,
}


def wanted_inputs(name: str, count: int) -> np.ndarray:
    return np.radians(np.linspace(0, 45 if name == "6-bar (b)" else 360, count))


def worst(live, points: np.ndarray, expected: dict, size: float) -> float:
    """Largest distance of a point (x, y of each in turn) from the marker it carries."""
    at = np.asarray(points).reshape(-1, 2)
    return max(
        float(np.abs(at[i] - expected[name]).max()) / size
        for i, names in enumerate(live.points)
        for name in names
    )


@pytest.mark.parametrize("name", CASES)
def test_long_sweeps_and_single_steps_agree_with_an_independent_solver(name):
    mechanism = CASES[name]()
    live, oracle = prepare(mechanism), Oracle(mechanism)
    inputs = wanted_inputs(name, 1801)
    swept = live.sweep(inputs)
    assert swept.shape == (len(live.points), 2, 1801)
    stepped = [live.to(x) for x in inputs[:: 5 if name == "6-bar (b)" else 10]]
    every = 1800 // (len(stepped) - 1)
    for i in range(0, 1801, 150):
        expected = oracle.to(inputs[i])
        assert worst(live, swept[:, :, i], expected, oracle.size) < CLOSE
        if i % every == 0:
            assert worst(live, stepped[i // every], expected, oracle.size) < CLOSE


@pytest.mark.parametrize("count", [13, 301, 1801, 21601])
def test_a_sweep_does_not_depend_on_how_many_frames_it_has(count):
    for make in (mechedit.six_bar, mechedit.duplex):
        live = prepare(make())
        coarse = live.sweep(wanted_inputs("", 7))
        fine = live.sweep(wanted_inputs("", count))
        assert np.abs(fine[:, :, :: (count - 1) // 6] - coarse).max() < CLOSE


def test_inputs_that_stand_still_and_then_leap_are_followed():
    live = prepare(mechedit.duplex())
    wanted = wanted_inputs("", 7)
    leaping = live.sweep(np.repeat(wanted, 40))
    assert np.abs(leaping[:, :, ::40] - live.sweep(wanted)).max() < CLOSE


def test_a_chain_closes_in_every_frame_of_a_sweep():
    mechanism = mechedit.chain(6)
    live = prepare(mechanism)
    swept = live.sweep(np.radians(np.linspace(0, 360, 181)))
    markers = {name: swept[i].T for i, names in enumerate(live.points) for name in names}
    for name, part in mechanism.parts.items():
        for key, at in part.markers.items():
            markers.setdefault(f"{name}.{key}", np.tile([float(x) for x in at], (181, 1)))
    assert closure(mechanism, markers) < CLOSE


@pytest.mark.parametrize(("nudge", "frames"), [(-1e-7, 900), (+1e-7, 899)])
def test_a_sweep_ends_with_the_last_frame_before_the_limit(nudge, frames):
    limit = four_bar_limits(3, 2.5, 1, 2)[1] - math.radians(40)
    live = prepare(mechedit.fig15())
    traced = live.trace(np.linspace(0, limit + nudge, 900).reshape(-1, 1))
    assert traced.done == frames
    if nudge > 0:
        assert traced.reached[0] == pytest.approx(limit, abs=1e-8)


def test_dragging_beyond_a_limit_stops_there_and_comes_back_on_the_same_branch():
    limit = four_bar_limits(3, 2.5, 1, 2)[1] - math.radians(40)
    live = prepare(mechedit.fig15())
    before = live.to(0.2)
    live.to(limit + 0.3)
    assert live.stepper.failed != -1
    assert live.stepper.reached[0] == pytest.approx(limit, abs=1e-6)
    assert live.to(0.2) == pytest.approx(before, abs=1e-9)
    assert live.stepper.failed == -1


def test_two_drives_are_dragged_together():
    mechanism = linkages.five_bar()
    live, oracle = prepare(mechanism), Oracle(mechanism)
    for t in np.linspace(0, 3, 25):
        assert worst(live, live.to(t, -0.7 * t), oracle.to(t, -0.7 * t), oracle.size) < CLOSE


def test_points_are_given_in_the_units_of_the_document():
    plain = linkages.slider_crank()
    small = msgspec.structs.replace(plain, units="mm")
    assert prepare(small).to(1.0) == pytest.approx(prepare(plain).to(1.0), rel=1e-12)
    np.testing.assert_allclose(
        prepare(small).sweep(np.linspace(0, 3, 40)), prepare(plain).sweep(np.linspace(0, 3, 40))
    )


@pytest.mark.parametrize("seed", range(12))
def test_random_linkages_are_swept_as_they_are_moved_one_by_one(seed):
    mechanism = random_linkage(seed, groups=1 + seed % 4, kinds=DYADS if seed % 2 else (*DYADS, "triad"))
    start = prepare(mechanism).goals[0, 0]
    inputs = start + np.linspace(0, 0.2, 300)
    live = prepare(with_inputs(mechanism, inputs))
    traced = live.trace(inputs.reshape(-1, 1))
    assert traced.done > 1
    for i in range(0, traced.done, 37):
        assert live.to(inputs[i]) == pytest.approx(
            traced.points[:, :, i].reshape(len(live.points), 2).ravel().tolist(), abs=1e-9
        )


def test_a_dead_point_of_a_dyad_inside_a_cut_stops_neither_a_sweep_nor_a_drag():
    mechanism = random_linkage(6, groups=3, kinds=(*DYADS, "triad"))
    live, oracle = prepare(mechanism), Oracle(mechanism)
    inputs = np.linspace(live.goals[0, 0], oracle_limit(mechanism) - 0.01, 200)
    swept, to = live.sweep(inputs), live.to
    assert swept.shape[2] == 200
    for i in range(0, 200, 20):
        expected = oracle.to(inputs[i])
        assert worst(live, swept[:, :, i], expected, oracle.size) < CLOSE
        assert worst(live, to(inputs[i]), expected, oracle.size) < CLOSE
        assert live.stepper.failed == -1


def oracle_limit(mechanism) -> float:
    oracle = Oracle(mechanism)
    with pytest.raises(BrokenError):
        oracle.to(document_inputs(mechanism)[-1][0])
    return oracle.limit()
