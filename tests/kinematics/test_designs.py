"""Many designs of one linkage at once, against each one alone and against an independent solver."""

from __future__ import annotations

import math

import numpy as np
import pytest

import detent
from detent.foundation import ModelError
from detent.kinematics.operations import LANES
from detent.kinematics.paths import sweep_designs
from detent.library import linkages, mechedit
from detent.motion import move
from tests.kinematics.closed_forms import four_bar_limits, piston
from tests.kinematics.oracle import Oracle

FOUR = np.array([4.0, 1.0, 3.5, 3.0])


def four_bars(count, spread=0.02):
    """Four-bars whose lengths and drawn angle all differ."""
    rng = np.random.default_rng(3)
    linkages_ = []
    for _ in range(count):
        ground, crank, coupler, rocker = FOUR * (1 + spread * rng.uniform(-1, 1, 4))
        angle = float(rng.uniform(20, 60))
        linkages_.append(linkages.four_bar(ground, crank, coupler, rocker, at_deg=angle, tracer=(1.0, 0.5)))
    return linkages_


def same_as_alone(designs, every=1):
    """Markers and positions reached of every design (or every few), as when it is moved by itself."""
    batch = sweep_designs(designs)
    for d in range(0, len(designs), every):
        alone = move(designs[d])
        count = int(np.sum(np.isclose(alone.inputs, batch.inputs[: len(alone.inputs), 0], atol=1e-12)))
        assert batch.done[d] == count
        for name, track in alone.markers.items():
            np.testing.assert_allclose(batch.markers[name][d, :count], track[:count], atol=1e-11)
    return batch


@pytest.mark.parametrize("count", [1, 5, LANES + 12])
def test_four_bars_of_different_lengths_move_as_each_alone(count):
    batch = same_as_alone(four_bars(count), every=1 + count // 6)
    assert len(batch.whole) == count
    assert set(batch.breaks) == {""}


def test_designs_agree_with_an_independent_solver():
    designs = four_bars(3)
    batch = sweep_designs(designs)
    for d, design in enumerate(designs):
        oracle = Oracle(design).sweep([float(x) for x in batch.inputs[:, 0]])
        for name, track in oracle.items():
            if name in batch.markers:
                np.testing.assert_allclose(batch.markers[name][d], track, atol=1e-10)


def test_a_design_that_breaks_stops_where_its_closed_form_says_and_the_others_go_on():
    designs = [linkages.four_bar(4, crank, 3.5, 3) for crank in (1.0, 3.0, 1.2, 2.9)]
    batch = same_as_alone(designs)
    assert list(batch.whole) == [0, 2]
    assert batch.breaks[0] == ""
    assert batch.breaks[1].startswith("it cannot follow its drive further: dyad RRR")
    limits = four_bar_limits(4, 3.0, 3.5, 3)
    turned = math.radians(40) + batch.inputs[:, 0]  # the crank's angle: it is drawn at 40 degrees
    last, beyond = turned[batch.done[1] - 1], turned[batch.done[1]]
    assert any(last <= abs(limit) < beyond or last <= 2 * math.pi - abs(limit) < beyond for limit in limits)
    assert np.isnan(batch.markers["coupler.C"][1, batch.done[1] :]).all()
    assert np.isfinite(batch.markers["coupler.C"][1, : batch.done[1]]).all()


def test_a_design_whose_joints_cannot_close_is_a_result_and_the_others_go_on():
    """A coupler longer than all the others together leaves a loop open: no position, and why."""
    closed = linkages.four_bar(4, 1, 3.5, 3)
    designs = [closed, closed.with_("parts.coupler.markers.C", [60, 0]), closed]
    batch = sweep_designs(designs)
    assert batch.done.tolist() == [len(batch.inputs), 0, len(batch.inputs)]
    assert np.isnan(batch.markers["coupler.C"][1]).all()
    np.testing.assert_array_equal(batch.markers["coupler.C"][0], batch.markers["coupler.C"][2])
    with pytest.raises(ModelError) as alone:
        move(designs[1])
    assert alone.value.problems[0].problem in batch.breaks[1]
    assert "its joints do not close" in batch.words


def test_sliders_with_offsets_of_their_own_follow_the_closed_form():
    sizes = [(1.0, 3.0, 0.1 * k) for k in range(7)]
    batch = sweep_designs([linkages.slider_crank(c, r, offset=o) for c, r, o in sizes])
    theta = math.radians(40) + batch.inputs[:, 0]
    for d, (crank, rod, offset) in enumerate(sizes):
        track = batch.markers["rod.B"][d] if "rod.B" in batch.markers else batch.markers["piston.S"][d]
        ends = [m[d] for name, m in batch.markers.items() if name.startswith("piston")]
        assert any(
            np.allclose(e[:, 0], piston(crank, rod, offset, theta), atol=1e-12) for e in [track, *ends]
        )


def test_designs_with_a_cut_move_as_each_alone():
    same_as_alone([mechedit.six_bar("B"), mechedit.six_bar("B")])


def test_designs_on_different_branches_are_told_apart():
    designs = [linkages.four_bar(), linkages.four_bar(crossed=True)]
    batch = same_as_alone(designs)
    assert np.abs(batch.markers["coupler.C"][0] - batch.markers["coupler.C"][1]).max() > 1


def test_no_design_jumps_a_limit_between_two_positions():
    # Cranks at 40, 160, 280 and 400 degrees. One of 2.55 can stand there, but not between 165.5 and 194.5.
    drive = {"from_deg": 0, "to_deg": 360, "steps": 3}
    batch = same_as_alone([linkages.four_bar(4, crank, 3.5, 3, drive=drive) for crank in (1.0, 2.55)])
    low, high = 160, 280
    assert any(low < math.degrees(limit) % 360 < high for limit in four_bar_limits(4, 2.55, 3.5, 3))
    assert batch.done.tolist() == [4, 2]
    assert batch.breaks[0] == ""
    assert "dyad" in batch.breaks[1]


def test_stops_of_joints_end_a_design_where_they_are():
    free = linkages.four_bar()
    (name,) = free.drives
    joint = free.drives[name].joint
    stopped = [free.with_(f"joints.{joint}.limits", {"min_deg": -10, "max_deg": most}) for most in (95, 205)]
    counted = free.with_(f"joints.{joint}.limits", {"max_deg": 175})  # limited on one side
    batch = same_as_alone([free, *stopped, counted])
    assert batch.done.tolist() == [37, 10, 21, 18]
    assert all(reason.startswith("it cannot follow its drive further: ") for reason in batch.breaks[1:])
    assert all(joint in reason for reason in batch.breaks[1:])


def test_a_design_goes_straight_on_at_a_change_point():
    # A parallelogram, in 7 steps past both of its change points: its rocker turns as its crank does.
    crank = 10.0
    designs = [
        linkages.four_bar(40, crank, 40, crank, at_deg=37, drive={"from_deg": 0, "to_deg": 360, "steps": 7})
    ]
    batch = same_as_alone(designs)
    turned = math.radians(37) + batch.inputs[:, 0]
    expected = np.stack([40 + crank * np.cos(turned), crank * np.sin(turned)], axis=1)
    np.testing.assert_allclose(batch.markers["coupler.C"][0], expected, atol=1e-9)


def test_places_are_in_the_unit_of_the_documents_and_the_table_says_so():
    inch = [linkages.four_bar(crank=crank).with_("units", "in") for crank in (1.0, 1.1)]
    batch = detent.move_designs(inch)
    np.testing.assert_allclose(batch.markers["coupler.C"][1], move(inch[1]).markers["coupler.C"], atol=1e-12)
    assert "coupler.C.0.1 [in]" in batch.batch.to_csv().splitlines()[0]


@pytest.mark.parametrize(
    ("path", "value", "at"),
    [
        ("drives.{drive}.to_deg", 180, r"designs\[1\]\.drives"),
        ("drives.{drive}.steps", 12, r"designs\[1\]\.drives"),
        ("units", "mm", r"designs\[1\]\.units"),
    ],
)
def test_a_design_with_drives_or_units_of_its_own_is_refused(path, value, at):
    one = linkages.four_bar()
    (drive,) = one.drives
    with pytest.raises(ModelError, match=at):
        sweep_designs([one, one.with_(path.format(drive=drive), value)])


def test_designs_are_a_verb_and_must_be_of_one_linkage():
    batch = detent.move_designs(four_bars(3))
    assert batch.markers["coupler.T"].shape == (3, 37, 2)
    with pytest.raises(ModelError, match="no design"):
        sweep_designs([])
    with pytest.raises(ModelError, match="has no marker"):
        sweep_designs([linkages.four_bar(), linkages.slider_crank()])


def test_what_holds_of_a_linkage_is_said_of_its_designs():
    """Freedoms that nothing drives, and what is not told of any design, are named as `move` names them."""
    five_bar = detent.load("five_bar")
    (first, *_) = five_bar.drives
    loose = detent.from_dict(five_bar.to_dict() | {"drives": {first: five_bar.to_dict()["drives"][first]}})
    pushed = loose.with_("ask.move.loads", {next(iter(detent.move(five_bar).markers)): [1, 0]})
    batch = detent.move_designs([loose, pushed]).batch
    (note,) = (note for note in detent.move(loose).notes if "not driven" in note)
    (said,) = batch.notes
    names = note.partition(": ")[2].partition(" are ")[0]
    assert said == f"{names} are not driven, and moved as little as possible, which no machine does"
    assert said in batch.words
    assert batch.scope.left_out == ("contact", "ask.move.loads (forces are not told)")
    assert detent.move_designs([five_bar]).batch.notes == ()
