"""What `move` answers besides positions: forces, bad input, several drives, gears, policies."""

from __future__ import annotations

import numpy as np
import pytest

import detent
from detent.foundation import ModelError, UnsupportedError, number
from detent.library import linkages, mechedit
from detent.model.document import Drive, Mechanism
from detent.model.reading import Builder, convert
from detent.motion import Kinematic, move


@pytest.mark.parametrize(
    ("mechanism", "marker"),
    [
        (linkages.four_bar(), "coupler.C"),
        (linkages.slider_crank(), "rod.B"),
        (mechedit.six_bar("A"), "IV.D"),
        (mechedit.duplex(), "triangle_2.Q"),
    ],
)
def test_what_the_drive_must_give_is_what_virtual_work_says(mechanism, marker):
    force = np.array([3.0, -7.0])
    motion = move(mechanism, loads={marker: tuple(force)})
    name = motion.drives[0]
    for i, speed in enumerate(motion.velocities[marker]):
        torque = motion.forces[f"drive {name}"][i]
        assert torque + force @ np.array(speed) == pytest.approx(0.0, abs=1e-8)


def test_pins_of_a_loaded_bar_balance_the_load():
    motion = move(linkages.four_bar(), loads={"coupler.C": (3.0, -7.0)})
    for i in range(len(motion.inputs)):
        b, c = np.array(motion.forces["B"][i]), np.array(motion.forces["C"][i])
        # coupler: second part of B, first of C
        np.testing.assert_allclose(b - c + np.array([3.0, -7.0]), 0.0, atol=1e-9)


def geared() -> Builder:
    return (
        Builder(format="detent/1")
        .part("ground", fixed=True, markers={"A": [0, 0], "B": [3, 0]})
        .part("w1", markers={"A": [0, 0], "X": [1, 0]})
        .part("w2", markers={"B": [3, 0], "Y": [3, 1]})
        .joint("A", "revolute", "ground.A", "w1.A")
        .joint("B", "revolute", "ground.B", "w2.B")
        .joint("mesh", "gear", "w1", "w2", ratio="-1/3")
        .drive("d", joint="A", from_deg=0, to_deg=720, steps=16)
    )


def test_a_gear_turns_by_its_ratio_through_any_number_of_turns():
    motion = move(geared().build())
    w1, w2 = motion.poses["w1"][:, 2], motion.poses["w2"][:, 2]
    np.testing.assert_allclose(w2, -w1 / 3, atol=1e-12)


def test_a_ram_between_two_links_moves_them():
    mechanism = (
        Builder(format="detent/1")
        .part("ground", fixed=True, markers={"A": [0, 0], "B": [3, 0]})
        .part("arm", markers={"A": [0, 0], "C": [1, 2]})
        .part("cylinder", markers={"B": [3, 0], "S": {"at": [3, 0], "along": [-1, 1]}})
        .part("rod", markers={"C": [1, 2], "T": {"at": [1, 2], "along": [-1, 1]}})
        .joint("A", "revolute", "ground.A", "arm.A")
        .joint("B", "revolute", "ground.B", "cylinder.B")
        .joint("S", "prismatic", "cylinder.S", "rod.T")
        .joint("C", "revolute", "rod.C", "arm.C")
        .drive("ram", joint="S", from_=2.5, to=4.5, steps=10)
        .build()
    )
    motion = move(mechanism)
    assert motion.stop == "done"
    apart = np.hypot(*(motion.markers["arm.C"] - np.array([3, 0])).T)
    np.testing.assert_allclose(apart, motion.inputs, atol=1e-12)


def test_a_pin_in_a_slot_leads_the_lever_through_its_point():
    mechanism = (
        Builder(format="detent/1")
        .part("ground", fixed=True, markers={"A": [0, 0], "B": [3, 0]})
        .part("crank", markers={"A": [0, 0], "P": [1, 0]})
        .part("lever", markers={"B": {"at": [3, 0], "along": [-1, 0]}})
        .joint("A", "revolute", "ground.A", "crank.A")
        .joint("B", "revolute", "ground.B", "lever.B")
        .joint("slot", "in_line", "lever.B", "crank.P")
        .drive("d", joint="A", from_deg=0, to_deg=360, steps=36)
        .build()
    )
    motion = move(mechanism)
    pin = motion.markers["crank.P"] - np.array([3, 0])
    expected = np.unwrap(np.arctan2(pin[:, 1], pin[:, 0])) - np.pi
    np.testing.assert_allclose(motion.poses["lever"][:, 2], expected, atol=1e-12)


def test_a_marker_is_led_along_a_path_where_the_linkage_has_two_freedoms():
    drive = Drive(marker="left_rod.C", path=((number(2), number(3)), (number("2.5"), number(3))), steps=5)
    mechanism = linkages.five_bar()
    names = [n for n in compile_names(mechanism) if n.endswith(".C")]
    motion = move(
        mechanism, drives={"lead": Drive(marker=names[0], path=_near(mechanism, names[0]), steps=5)}
    )
    track = motion.markers[names[0]]
    np.testing.assert_allclose(track, motion.inputs, atol=1e-12)
    assert drive.steps == len(track) - 1


def compile_names(mechanism):
    return [f"{part}.{mark}" for part, body in mechanism.parts.items() for mark in body.markers]


def _near(mechanism, name):
    part, _, mark = name.partition(".")
    x, y = mechanism.parts[part].markers[mark][:2]
    return ((x, y), (number(float(x) + 0.1), number(float(y) - 0.1)))


def test_a_drive_on_what_cannot_move_is_refused():
    mechanism = (
        Builder(format="detent/1")
        .part("ground", fixed=True, markers={"A": [0, 0], "B": [3, 0]})
        .part("one", markers={"A": [0, 0], "C": [1, 2]})
        .part("two", markers={"B": [3, 0], "C": [1, 2]})
        .joint("A", "revolute", "ground.A", "one.A")
        .joint("B", "revolute", "ground.B", "two.B")
        .joint("C", "revolute", "one.C", "two.C")
        .drive("d", joint="A", from_deg=0, to_deg=10, steps=1)
        .build()
    )
    with pytest.raises(ModelError, match="cannot move"):
        move(mechanism)


def test_a_loop_that_cannot_close_says_by_how_much_and_where():
    mechanism = (
        Builder(format="detent/1")
        .part("ground", fixed=True, markers={"A": [0, 0], "B": [10, 0]})
        .part("one", markers={"A": [0, 0], "C": [1, 0]})
        .part("two", markers={"B": [10, 0], "C": [9, 0]})
        .joint("A", "revolute", "ground.A", "one.A")
        .joint("B", "revolute", "ground.B", "two.B")
        .joint("C", "revolute", "one.C", "two.C")
        .drive("d", joint="A", from_deg=0, to_deg=10, steps=1)
        .build()
    )
    with pytest.raises(ModelError, match="cannot close"):
        move(mechanism)


def test_nothing_driven_and_a_pushed_part_are_told_what_to_do():
    with pytest.raises(ModelError, match="nothing is driven"):
        move(linkages.four_bar(), drives={})
    pushed = Drive(part="crank")
    with pytest.raises(UnsupportedError, match="drives joints"):
        move(linkages.four_bar(), drives={"push": pushed})


def test_the_plain_solver_of_the_seed_gives_the_same_positions():
    mechanism = linkages.quick_return()
    plan, plain = move(mechanism), move(mechanism, method=Kinematic(solver="newton_svd"))
    for name, track in plan.markers.items():
        np.testing.assert_allclose(plain.markers[name], track, atol=1e-10)


def _pulled_five_bar() -> Mechanism:
    """The meeting point of a five-bar follows a closed path of four straight stretches."""
    return convert.mechanism(
        {
            "parts": {
                "ground": {"fixed": True, "markers": {"A": [0, 0], "E": [4, 0]}},
                "l1": {"markers": {"A": [0, 0], "B": [-0.5, 2]}},
                "l2": {"markers": {"B": [-0.5, 2], "C": [2, 4]}},
                "l3": {"markers": {"C": [2, 4], "D": [4.5, 2]}},
                "l4": {"markers": {"D": [4.5, 2], "E": [4, 0]}},
            },
            "joints": {
                name: {"type": "revolute", "between": ends}
                for name, ends in {
                    "A": ["ground.A", "l1.A"],
                    "B": ["l1.B", "l2.B"],
                    "C": ["l2.C", "l3.C"],
                    "D": ["l3.D", "l4.D"],
                    "E": ["l4.E", "ground.E"],
                }.items()
            },
            "drives": {
                "pull": {
                    "marker": "l2.C",
                    "path": [[2, 4], [3, 3.5], [2, 3], [1, 3.5], [2, 4]],
                    "steps": 40,
                }
            },
        }
    )


def test_speeds_along_a_path_are_those_of_each_stretch():
    """By the share of the way; the path comes back to its start, so that no mean rate would do."""
    motion = detent.move(_pulled_five_bar())
    share = 1 / 40
    for at in (5, 16, 27, 33):
        for marker in ("l2.C", "l1.B", "l3.D"):
            track = np.asarray(motion.markers[marker])
            slope = (-track[at + 2] + 8 * track[at + 1] - 8 * track[at - 1] + track[at - 2]) / (12 * share)
            assert motion.velocities[marker][at] == pytest.approx(slope, abs=1e-4)
    assert np.isfinite(motion.centres["l2"][5]).all()


def test_the_table_of_a_driven_marker_has_both_its_coordinates():
    rows = [line.split(",") for line in detent.move(_pulled_five_bar()).to_csv().splitlines()]
    assert rows[0][:2] == ["pull.x [m]", "pull.y [m]"]
    assert [float(x) for x in rows[11][:2]] == pytest.approx([3.0, 3.5])


def test_a_driven_marker_can_be_filmed():
    from detent.app import driven

    assert len(driven(_pulled_five_bar()).times) > 40


@pytest.mark.parametrize("length", [0, 0.5])
def test_a_link_without_length_is_named_as_what_holds_the_drive(length):
    mechanism = (
        Builder(format="detent/1")
        .part("ground", fixed=True, markers={"A": [0, 0], "D": [4, 0]})
        .part("crank", markers={"A": [0, 0], "B": [2, 1]})
        .part("coupler", markers={"B": [2, 1], "C": [2 + length, 1]})
        .part("rocker", markers={"D": [4, 0], "C": [2 + length, 1]})
        .joint("A", "revolute", "ground.A", "crank.A")
        .joint("B", "revolute", "crank.B", "coupler.B")
        .joint("C", "revolute", "coupler.C", "rocker.C")
        .joint("D", "revolute", "ground.D", "rocker.D")
        .drive("d", joint="A", from_deg=0, to_deg=2, steps=1)
        .build()
    )
    if length:
        assert move(mechanism).stop == "done"
        return
    with pytest.raises(ModelError, match="coupler has no length: B and C"):
        move(mechanism)


def test_a_limit_at_a_link_without_length_says_so():
    """Crank and link are drawn in line, so the drive is free at first order; then the rest holds it."""
    mechanism = (
        Builder(format="detent/1")
        .part("ground", fixed=True, markers={"A": [0, 0], "D": [4, 0], "F": [8, 0]})
        .part("crank", markers={"A": [0, 0], "B": [1, 1]})
        .part("link", markers={"B": [1, 1], "C": [3, 3]})
        .part("rocker", markers={"D": [4, 0], "C": [3, 3]})
        .part("nothing", markers={"C": [3, 3], "E": [3, 3]})
        .part("last", markers={"E": [3, 3], "F": [8, 0]})
        .joint("A", "revolute", "ground.A", "crank.A")
        .joint("B", "revolute", "crank.B", "link.B")
        .joint("C", "revolute", "link.C", "rocker.C")
        .joint("D", "revolute", "ground.D", "rocker.D")
        .joint("C2", "revolute", "rocker.C", "nothing.C")
        .joint("E", "revolute", "nothing.E", "last.E")
        .joint("F", "revolute", "ground.F", "last.F")
        .drive("d", joint="A", from_deg=0, to_deg=2, steps=1)
        .build()
    )
    motion = move(mechanism)
    assert motion.stop == "limit"
    assert any("nothing has no length: C2 and E" in note for note in motion.notes)


@pytest.mark.parametrize("at_deg", [0, 180])
def test_a_slider_crank_drawn_in_line_turns_through(at_deg):
    """Drawn at its dead points: the piston goes as the closed form says, and nothing stops it."""
    motion = move(linkages.slider_crank(at_deg=at_deg))
    assert motion.stop == "done"
    theta = np.radians(at_deg) + motion.inputs
    expected = np.cos(theta) + np.sqrt(9 - np.sin(theta) ** 2)
    ends = [track[:, 0] for name, track in motion.markers.items() if name.startswith("piston")]
    assert any(np.allclose(end, expected, atol=1e-12) for end in ends)
