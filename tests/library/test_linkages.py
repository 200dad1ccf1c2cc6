"""Classic linkages: they close as drawn, run their whole drive, and do what they are known for."""

from __future__ import annotations

import math

import numpy as np
import pytest

from detent.foundation import ModelError
from detent.library import linkages, mechedit
from tests.kinematics.inputs import document_inputs
from tests.kinematics.oracle import Oracle

RUNNING = {
    "four_bar": linkages.four_bar,
    "hoeken": linkages.hoeken,
    "slider_crank": linkages.slider_crank,
    "quick_return": linkages.quick_return,
    "scotch_yoke": linkages.scotch_yoke,
    "jansen_leg": linkages.jansen_leg,
    "jansen_leg of other lengths": lambda: linkages.jansen_leg({"m": 14, "j": 51}),
    "watt": linkages.watt,
    "stephenson": linkages.stephenson,
    "peaucellier": linkages.peaucellier,
    "pantograph": linkages.pantograph,
    "five_bar": linkages.five_bar,
    "fig13": mechedit.fig13,
    "fig14b": mechedit.fig14b,
    "6-bar driven at C": lambda: mechedit.six_bar("C"),
    **{name: make for name, make in mechedit.PERFORMANCE_TABLE.items() if not name.startswith("Stress-")},
    "Stress-10": lambda: mechedit.stress(10),
}

# Fig. 30: mobile links, active joints; with the corrected last row (its two counts are swapped in print).
PRINTED = {
    "4-bar": (2, 3), "6-bar (a)": (4, 6), "Stress-10": (8, 12), "Stress-20": (18, 27), "Stress-30": (28, 42),
    "Stress-40": (38, 57), "Stress-50": (48, 72), "6-bar (b)": (4, 6), "8-bar": (6, 9), "10-bar": (8, 12),
    "Duplex": (10, 15), "Chain-4": (3, 4), "Chain-6": (5, 6), "Chain-8": (7, 8), "Chain-10": (9, 10),
    "Chain-15": (14, 15),
}  # fmt: skip


@pytest.mark.parametrize("name", RUNNING)
def test_a_library_linkage_is_closed_as_drawn_and_runs_its_whole_drive(name):
    mechanism = RUNNING[name]()
    drawn = Oracle(mechanism)
    assert np.abs(drawn.pose).max() < 1e-12 * drawn.size  # closing it moved nothing
    for inputs in document_inputs(mechanism)[::4]:
        drawn.to(*inputs)
        assert drawn.residual() < 1e-13
        assert np.linalg.svd(drawn.jacobian(), compute_uv=False)[-1] > 1e-5


@pytest.mark.parametrize("name", PRINTED)
def test_the_performance_table_has_its_printed_counts(name):
    mechanism = mechedit.PERFORMANCE_TABLE[name]()
    mobile = sum(not part.fixed for part in mechanism.parts.values()) - 1
    active = len(mechanism.joints) - 1
    assert (mobile, active) == PRINTED[name]


def test_six_bars_and_legs_have_the_lengths_asked_for():
    def far(mechanism, part, one, other):
        markers = mechanism.parts[part].markers
        return math.dist([float(x) for x in markers[one]], [float(x) for x in markers[other]])

    watt = linkages.watt(6.5, 1.5, 5.2, 4.8, arm=(0, -3), second_ground=(12, 1), rod=6, output=4.5)
    assert far(watt, "rocker", "D", "E") == pytest.approx(3)
    assert far(watt, "rocker", "C", "E") == pytest.approx(math.hypot(4.8, 3))
    assert [far(watt, "rod", "E", "F"), far(watt, "output", "G", "F")] == pytest.approx([6, 4.5])
    six = linkages.stephenson(tracer=(1, 2), rod=5.5)
    assert far(six, "coupler", "B", "E") == pytest.approx(math.sqrt(5))
    assert far(six, "rod", "E", "F") == pytest.approx(5.5)
    leg = linkages.jansen_leg({"m": 14, "h": 60})
    assert [far(leg, "crank", "O", "X"), far(leg, "foot", "Y", "F")] == pytest.approx([14, 60])
    with pytest.raises(ModelError, match="there is no such length"):
        linkages.jansen_leg({"z": 1})


def test_jansens_foot_is_flat_while_it_bears():
    foot = Oracle(linkages.jansen_leg()).sweep(np.radians(np.arange(0, 361, 5)))["foot.F"]
    low = foot[foot[:, 1] < foot[:, 1].min() + 0.5]
    assert np.ptp(low[:, 0]) > 45  # of a stride of 68
    assert np.ptp(foot[:, 1]) > 20


def test_peaucelliers_point_runs_on_a_straight_line():
    mechanism = linkages.peaucellier(5, 2, 2)
    c = Oracle(mechanism).sweep([x for (x,) in document_inputs(mechanism)])["bc.C"]
    assert np.abs(c[:, 0] - 21 / 4).max() < 1e-12
    assert np.ptp(c[:, 1]) > 3.8


def test_the_slot_added_to_peaucelliers_cell_takes_no_freedom():
    assert Oracle(linkages.peaucellier()).mobility() == 1
    guided = Oracle(linkages.peaucellier(guided=True))
    assert guided.mobility() == 1
    assert guided.jacobian(driven=False).shape == (21, 21)


@pytest.mark.parametrize("ratio", [0.25, 0.5, 0.8])
def test_a_pantograph_draws_to_scale(ratio):
    mechanism = linkages.pantograph(4, ratio)
    oracle = Oracle(mechanism)
    for inputs in document_inputs(mechanism)[::5]:
        points = oracle.to(*inputs)
        assert np.array(points["at.T"]) == pytest.approx(ratio * np.array(points["second.P"]), abs=1e-13)


def test_a_scotch_yoke_moves_by_a_cosine():
    mechanism = linkages.scotch_yoke(2, at_deg=30)
    theta = np.array([x for (x,) in document_inputs(mechanism)])
    travel = Oracle(mechanism).sweep(theta)["yoke.T"][:, 0]
    assert np.abs(travel - 2 * np.cos(theta + math.radians(30))).max() < 1e-13


def test_a_quick_return_returns_quickly():
    # The arm is at its end where the crank is square to it: the strokes take (180 ± 2 asin(1/2)) degrees.
    inputs = np.radians(np.arange(0, 361, 1))
    ram = Oracle(linkages.quick_return(1, 2)).sweep(inputs)["ram.D"][:, 0]
    forward = (np.diff(ram) < 0).mean() * 360
    assert forward == pytest.approx(240, abs=4)


def test_hoekens_tracer_is_nearly_straight_for_half_of_the_turn():
    path = Oracle(linkages.hoeken(1)).sweep(np.radians(np.arange(0, 361, 5) - 40))["coupler.T"]
    straight = path[18:55]  # the crank from 90 to 270 degrees
    assert np.ptp(straight[:, 1]) < 0.02
    assert np.ptp(straight[:, 0]) > 3.9


def test_the_kites_freedoms_double_where_it_folds():
    oracle = Oracle(mechedit.fig14a())
    assert oracle.mobility() == 1
    oracle.to(math.radians(-60))  # the crank's end lies on D
    assert oracle.mobility() == 2


def test_the_third_leg_of_the_table_is_redundant_by_one():
    oracle = Oracle(mechedit.fig14b())
    joints, parts = len(oracle.mechanism.joints), len(oracle.mechanism.parts)
    assert 3 * (parts - 1) - 2 * joints == 0
    assert oracle.mobility() == 1


def test_lengths_that_cannot_close_are_refused_with_their_numbers():
    with pytest.raises(ModelError, match="do not meet over a distance"):
        linkages.four_bar(10, 1, 2, 2)
    with pytest.raises(ModelError, match="even number"):
        mechedit.stress(11)
