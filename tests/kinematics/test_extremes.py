"""Extremes between positions: against closed forms, and however few positions are asked for."""

import math
from itertools import pairwise

import numpy as np
import pytest
from msgspec.structs import replace

import detent
from detent.kinematics.paths import extremes_between, grid
from detent.library import linkages
from detent.model.document import Drive


def test_tops_between_the_places_are_found_to_rounding():
    # sin has its top at pi/2 and its bottom at 3 pi/2, which no place of the grid is.
    places = grid(6.0, places=24)
    found, line = extremes_between(lambda t: np.stack([np.sin(t), t], axis=1), places)
    assert found.greatest == pytest.approx(1.0, abs=1e-12)
    assert found.least == pytest.approx(-1.0, abs=1e-12)
    assert found.greatest_at == pytest.approx(math.pi / 2, abs=1e-5)
    assert (line.least, line.greatest, line.least_at, line.greatest_at) == (0.0, 6.0, 0.0, 6.0)


@pytest.mark.parametrize(
    "before", [0.05, 0.125, 0.2]
)  # of a step of the grid: the top's distance from the end
@pytest.mark.parametrize("direction", [1, -1])
def test_a_top_beside_an_end_is_found_although_the_other_end_is_as_high(before, direction):
    # A whole period, which ends as high as it begins, or by rounding a little higher.
    places = grid(8.0, places=32)
    top = before if direction > 0 else 8.0 - before

    def wave(t):
        return (np.cos(2 * math.pi * (t - top) / 8.0) + direction * 1e-14 * t)[:, None]

    (found,) = extremes_between(wave, places)
    assert found.greatest == pytest.approx(1.0, abs=1e-10)
    assert found.greatest_at == pytest.approx(top, abs=1e-3)


@pytest.mark.parametrize("shift", [0.0, 0.123456, 1 / 3, 0.77])
def test_kinks_between_the_places_are_found_to_rounding(shift):
    """An amount that passes 0, and an angle folded at 90 degrees, with sides that are bent."""

    def kinked(t):
        angle = np.abs(math.pi / 2 + 0.8 * np.sin(0.17 * (t - 5 - shift)))
        return np.stack([np.abs(np.exp(0.1 * (t - 7 - shift)) - 1), np.minimum(angle, math.pi - angle)], 1)

    amount, angle = extremes_between(kinked, grid(36.0))
    assert amount.least == pytest.approx(0.0, abs=1e-9)
    assert amount.least_at == pytest.approx(7 + shift, abs=1e-8)
    assert angle.greatest == pytest.approx(math.pi / 2, abs=1e-9)


def test_what_is_not_a_number_does_not_count():
    (found,) = extremes_between(lambda t: np.where(t < 1, np.nan, 2 - t)[:, None], grid(3.0))
    assert found.greatest == pytest.approx(1.0, abs=1e-6)
    assert found.least == -1.0


def test_a_rocker_swings_as_far_as_its_closed_form_says_with_any_steps():
    ground, crank, coupler, rocker = 4.0, 1.0, 3.5, 3.0
    machine = linkages.four_bar(ground, crank, coupler, rocker)

    def angle(reach: float) -> float:
        return math.acos((rocker**2 + ground**2 - reach**2) / (2 * rocker * ground))

    swing = angle(coupler + crank) - angle(coupler - crank)

    def rocker_swing(steps: int) -> float:
        (name,) = machine.drives
        drive = Drive(joint=machine.drives[name].joint, from_deg=0, to_deg=360, steps=steps)
        run = detent.predict(machine, drives={name: drive}).evidence
        part = run.system.parts.index("rocker")
        (found,) = extremes_between(lambda t: run.poses_at(t)[:, part, 2], grid(run.end))
        return found.greatest - found.least

    for steps in (3, 8, 72):
        assert rocker_swing(steps) == pytest.approx(swing, abs=1e-10)


def test_what_is_printed_as_a_bound_is_one_with_any_steps():
    # From -100 to 100 degrees in 3 steps: the least transmission angle lies between two positions.
    ground, crank, coupler, rocker = 4.0, 1.0, 3.5, 3.0
    machine = linkages.four_bar(ground, crank, coupler, rocker)
    (name,) = machine.drives
    drive = Drive(joint=machine.drives[name].joint, from_deg=-100, to_deg=100, steps=3)
    motion = detent.move(replace(machine, drives={name: drive}))
    near = ground - crank
    least = math.acos((coupler**2 + rocker**2 - near**2) / (2 * coupler * rocker))
    assert min(motion.transmission["coupler, rocker"]) > least + 1e-3  # no position has it
    found = motion.extremes["transmission coupler, rocker"]
    assert found.least == pytest.approx(least, abs=1e-10)
    assert motion.extremes["turn crank"].certainty == "proved"


def test_links_that_pass_a_right_angle_transmit_at_90_degrees():
    # Where the diagonal is the root of 3.5² + 3² = 21.25: between 3 and 5, which it goes through.
    motion = detent.move(linkages.four_bar(4.0, 1.0, 3.5, 3.0))
    found = motion.extremes["transmission coupler, rocker"]
    assert found.greatest == pytest.approx(math.pi / 2, abs=1e-10)


def test_links_in_line_transmit_at_zero_exactly():
    machine = linkages.four_bar(70, 60, 30, 50)  # the crank cannot go round
    motion = detent.move(machine)
    assert motion.stop == "limit"
    assert motion.transmission["coupler, rocker"][-1] == 0.0
    assert motion.extremes["transmission coupler, rocker"].least == 0.0


def test_a_quantity_that_stays_the_same_is_not_looked_at_again_and_again():
    """Constant, or constant but for rounding, beside one that bends: a few brackets, not all places."""
    looked_at = []

    def quantities(at):
        looked_at.append(len(at))
        wavering = 5.0 + 1e-15 * np.sin(1e4 * at)
        return np.column_stack([np.zeros_like(at), wavering, np.sin(at)])

    still, wavering, bent = extremes_between(quantities, np.linspace(0.0, 3.0, 241))
    assert sum(looked_at) < 2 * 241
    assert (still.least, still.greatest) == (0.0, 0.0)
    assert wavering.greatest == pytest.approx(5.0, rel=1e-12)
    assert bent.greatest == pytest.approx(1.0, rel=1e-12)


@pytest.mark.parametrize(
    "course", [{"to_deg": 40, "steps": 3}, {"inputs_deg": [0, 15, 40, 5]}], ids=["straight", "back"]
)
def test_peaks_of_a_followed_linkage_at_speed_are_those_of_many_positions(course):
    # Driven at B a closed form does not suffice; masses and a damper make forces depend on the speed.
    drive = {"from_deg": 0, **course} if "to_deg" in course else course
    plain = detent.load("six_bar_b").to_dict() | {"units": "m"}
    plain["parts"]["II"] |= {"mass": 2, "center": [2, 2], "inertia": 0.5}
    plain["joints"]["G"]["damping"] = 4

    def moved(more: dict):
        return detent.move(
            detent.from_dict(plain | {"drives": {"d": {"joint": "B", "speed": 2, **drive, **more}}})
        )

    motion = moved({})
    if "to_deg" in course:
        dense = moved({"steps": 400})
    else:
        corners = drive["inputs_deg"]
        way = [np.linspace(a, b, 101)[1:] for a, b in pairwise(corners)]
        dense = moved({"inputs_deg": [corners[0], *np.concatenate(way).tolist()]})
    peak, forces = motion.force_peaks["drive d"], dense.forces["drive d"]
    assert peak["least"] == pytest.approx(forces.min(), rel=1e-3)
    assert peak["most"] == pytest.approx(forces.max(), rel=1e-3)
    rounding = 1e-9 * np.abs(forces).max()
    assert peak["least"] <= motion.forces["drive d"].min() + rounding
    assert peak["most"] >= motion.forces["drive d"].max() - rounding


@pytest.mark.parametrize(("crank", "steps"), [(3.0, 36), (2.795, 3), (3.198, 4), (3.289, 6)])
def test_a_part_that_is_carried_to_a_limit_rotates_as_far_as_the_limit(crank, steps):
    # Coupler and rocker come in line, where both rotate ever faster: their angles there are known. Rounding
    # decides whether the last place that is looked at is just before the limit or just beyond it.
    ground, coupler, rocker = 4.0, 3.5, 3.0
    machine = linkages.four_bar(ground, crank, coupler, rocker, drive={"from_deg": 0, "to_deg": 200})
    (name,) = machine.drives
    motion = detent.move(machine.with_(f"drives.{name}.steps", steps))
    turn = math.acos((ground**2 + crank**2 - (coupler + rocker) ** 2) / (2 * ground * crank))
    assert motion.stopped_at == pytest.approx(turn - math.radians(40), abs=1e-9)
    along = math.atan2(crank * math.sin(turn), crank * math.cos(turn) - ground)  # from D to B and beyond
    drawn = machine.to_dict()["parts"]["rocker"]["markers"]
    (x, y), (u, v) = (map(float, drawn[end]) for end in ("D", "C"))
    rotated = along - math.atan2(v - y, u - x)
    found = motion.extremes["turn rocker"]
    assert max(found.greatest, -found.least) == pytest.approx(abs(rotated), abs=1e-7)


@pytest.mark.parametrize("steps", [3, 8])
def test_a_force_that_peaks_at_a_change_point_is_told_without_rounding(steps):
    """A parallelogram of 20 by 50 mm under 5 N: by virtual work 5 N 20 mm sin, greatest with all in line."""
    machine = detent.from_dict(
        {
            "units": "mm",
            "parts": {
                "ground": {"fixed": True, "markers": {"A": [0, 0], "D": [50, 0]}},
                "crank": {"markers": {"A": [0, 0], "B": [0, 20]}},
                "coupler": {"markers": {"B": [0, 20], "C": [50, 20]}},
                "rocker": {"markers": {"D": [50, 0], "C": [50, 20]}},
            },
            "joints": {
                "A": {"type": "revolute", "between": ["ground.A", "crank.A"]},
                "B": {"type": "revolute", "between": ["crank.B", "coupler.B"]},
                "C": {"type": "revolute", "between": ["coupler.C", "rocker.C"]},
                "D": {"type": "revolute", "between": ["ground.D", "rocker.D"]},
            },
            "drives": {"turn": {"joint": "A", "from_deg": 0, "to_deg": 360, "steps": steps}},
            "ask": {"move": {"loads": {"coupler.C": [0, -5]}}},
        }
    )
    motion = detent.move(machine)
    peak = motion.force_peaks["drive turn"]
    assert peak["least"] == pytest.approx(-0.1, abs=1e-10)
    assert peak["most"] == pytest.approx(0.1, abs=1e-10)
    assert peak["least_at"] == pytest.approx(math.pi / 2, abs=1e-9)
    assert "between -0.1 and 0.1 N m" in motion.words


@pytest.mark.parametrize("steps", [1, 7])
@pytest.mark.parametrize("units", ["mm", "in", "m"])
def test_a_slide_goes_as_far_as_its_closed_form_says(units, steps):
    """An offset slider-crank: the roots of (rod ± crank)² − offset²; a block between two pins stays."""
    crank, offset = 1.5, -0.75
    rod = math.hypot(4.5, offset)
    least, greatest = (math.sqrt((rod + sign * crank) ** 2 - offset**2) for sign in (-1, 1))
    machine = detent.from_dict(
        {
            "units": units,
            "parts": {
                "bed": {"fixed": True, "markers": {"O": [0, 0], "way": [0, offset]}},
                "crank": {"markers": {"O": [0, 0], "B": [crank, 0]}},
                "rod": {"markers": {"B": [crank, 0], "C": [6, offset], "groove": [3, 0]}},
                "ram": {"markers": {"C": [6, offset]}},
                "block": {"markers": {"B": [crank, 0]}},
            },
            "joints": {
                "O": {"type": "revolute", "between": ["bed.O", "crank.O"]},
                "B": {"type": "revolute", "between": ["crank.B", "rod.B"]},
                "C": {"type": "revolute", "between": ["rod.C", "ram.C"]},
                "way": {"type": "prismatic", "between": ["bed.way", "ram.C"]},
                "hold": {"type": "revolute", "between": ["crank.B", "block.B"]},
                "groove": {"type": "prismatic", "between": ["rod.groove", "block.B"]},
            },
            "drives": {"turn": {"joint": "O", "from_deg": 30, "to_deg": -330, "steps": steps}},
        }
    )
    motion = detent.move(machine)
    found = motion.extremes["slide way"]
    assert (found.least, found.greatest) == pytest.approx((least, greatest), abs=1e-9)
    assert f"way {greatest - least:.6g} {units} ({least:.6g} to {greatest:.6g})" in motion.words
    assert "groove not at all" in motion.words
