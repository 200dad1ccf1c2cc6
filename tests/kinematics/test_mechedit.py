"""The sixteen mechanisms of MechEdit's table against an independent solver and the printed counts."""

from __future__ import annotations

import os

import numpy as np
import pytest

from detent.judge import explain
from detent.library import mechedit
from detent.model.machine import plane_linkage_of
from detent.motion import move
from tests.kinematics.inputs import document_inputs
from tests.kinematics.oracle import Oracle

# Brunkhart 1994, Fig. 30: unknowns and equations passed to the numerical solver by the mixed one.
COUNTS = {
    "4-bar": (0, 0),
    "6-bar (a)": (0, 0),
    "Stress-10": (0, 0),
    "Stress-20": (0, 0),
    "Stress-30": (0, 0),
    "Stress-40": (0, 0),
    "Stress-50": (0, 0),
    "6-bar (b)": (6, 6),
    "8-bar": (12, 12),
    "10-bar": (14, 14),
    "Duplex": (20, 20),
    "Chain-4": (5, 4),
    "Chain-6": (11, 8),
    "Chain-8": (17, 12),
    "Chain-10": (23, 16),
    "Chain-15": (38, 26),
}


def made(name: str):
    kind, _, number = name.partition("-")
    if kind == "Stress":
        return mechedit.stress(int(number))
    if kind == "Chain":
        return mechedit.chain(int(number))
    return {
        "4-bar": mechedit.four_bar,
        "6-bar (a)": mechedit.six_bar,
        "6-bar (b)": lambda: mechedit.six_bar("B"),
        "8-bar": mechedit.eight_bar,
        "10-bar": mechedit.ten_bar,
        "Duplex": mechedit.duplex,
    }[name]()


@pytest.mark.parametrize("name", COUNTS)
def test_what_is_left_to_numbers_is_what_the_table_prints(name):
    summary = explain(made(name)).plan_summary
    assert summary is not None
    assert (summary["unknowns_left"], summary["equations_left"]) == COUNTS[name]


# The independent solver takes minutes for the long ones; `make prove` has them all.
FULL = os.environ.get("DETENT_PROVE") == "full"
LONG = ("Stress-20", "Stress-30", "Stress-40", "Stress-50")


@pytest.mark.parametrize("name", [n for n in COUNTS if "Chain" not in n and (FULL or n not in LONG)])
def test_positions_agree_with_an_independent_solver(name):
    mechanism = made(name)
    motion = move(mechanism)
    assert motion.stop == "done"
    oracle = Oracle(mechanism)
    size = plane_linkage_of(mechanism).size
    worst = 0.0
    for i, inputs in enumerate(document_inputs(mechanism)):
        for marker, at in oracle.to(*inputs).items():
            if marker in motion.markers:
                worst = max(worst, float(np.abs(motion.markers[marker][i] - at).max()))
    assert worst <= 1e-10 * size


@pytest.mark.parametrize("name", ["4-bar", "6-bar (a)", "6-bar (b)", "8-bar", "10-bar", "Duplex"])
def test_velocities_are_those_of_an_independent_solver_and_accelerations_their_differences(name):
    mechanism = made(name)
    motion = move(mechanism)
    oracle = Oracle(mechanism)
    inputs = document_inputs(mechanism)
    size = plane_linkage_of(mechanism).size
    step = 1e-4
    for i in (3, 11, 20):
        (at,) = inputs[i]
        before, after = (_rates(oracle, at + d) for d in (-step, step))
        here = _rates(oracle, at)
        for marker, track in motion.velocities.items():
            assert np.abs(np.array(track[i]) - here[marker]).max() <= 1e-9 * size, marker
            bend = (np.array(after[marker]) - before[marker]) / (2 * step)
            assert np.abs(np.array(motion.accelerations[marker][i]) - bend).max() <= 1e-5 * size, marker


def _rates(oracle: Oracle, at: float):
    oracle.to(at)
    return oracle.velocities()
