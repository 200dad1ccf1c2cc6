"""A drag and a sweep go only where the linkage can go: what lies between two inputs is seen."""

from __future__ import annotations

import math

import numpy as np
import pytest

from detent.library import linkages, mechedit, meet, pinned, polar
from detent.motion import move
from detent.motion.live import prepare
from tests.kinematics.closed_forms import four_bar_limits

CLOSE = 1e-10
TURN = 2 * math.pi


def parallelograms(count: int, at_deg: float = 40):
    """Equal cranks on ground pins three apart, each coupled to the next: all come in line at once."""
    tip = polar(1, at_deg)
    points = {f"G{k}": (3.0 * k, 0.0) for k in range(count + 1)}
    points |= {f"T{k}": (3.0 * k + tip[0], tip[1]) for k in range(count + 1)}
    parts = {"ground": [f"G{k}" for k in range(count + 1)]}
    parts |= {f"crank{k}": [f"G{k}", f"T{k}"] for k in range(count + 1)}
    parts |= {f"bar{k}": [f"T{k}", f"T{k + 1}"] for k in range(count)}
    drive = {"from_deg": 0, "to_deg": 360, "steps": 36}
    return pinned("parallelograms", points, parts).drive("crank", joint="G0", **drive).build()


def hung(height: float):
    """A parallelogram that carries a dyad (1.6 and 2.2) to a pin above its second crank."""
    tip = polar(1, 40)
    c, g = (tip[0] + 3, tip[1]), (3.0, height)
    points = {"A": (0.0, 0.0), "D": (3.0, 0.0), "G": g, "B": tip, "C": c}
    points["E"] = meet(c, 1.6, g, 2.2, left=True, name="E")
    parts = {"ground": ["A", "D", "G"], "crank": ["A", "B"], "coupler": ["B", "C"]}
    parts |= {"rocker": ["D", "C"], "hanger": ["C", "E"], "arm": ["G", "E"]}
    drive = {"from_deg": 0, "to_deg": 360, "steps": 36}
    return pinned("hung", points, parts).drive("crank", joint="A", **drive).build()


def apart_squared(lengths, theta):
    ground, crank = lengths[:2]
    return ground**2 + crank**2 - 2 * ground * crank * math.cos(theta)


def first_limit(lengths, start, goal):
    """Where the crank of a four-bar stops on its way, by the triangle that coupler and rocker must form."""
    ground, crank, coupler, rocker = lengths
    stops = []
    for far in ((coupler + rocker) ** 2, (coupler - rocker) ** 2):
        cosine = (ground**2 + crank**2 - far) / (2 * ground * crank)
        if abs(cosine) < 1:
            for base in (math.acos(cosine), -math.acos(cosine)):
                first = math.floor((min(start, goal) - base) / TURN)
                stops += [base + TURN * (first + k) for k in range(int(abs(goal - start) / TURN) + 3)]
    between = [x for x in stops if min(start, goal) < x < max(start, goal) and abs(x - start) > 1e-12]
    return min(between, key=lambda x: abs(x - start), default=None)


@pytest.mark.parametrize("half_gap", [1.0, 1e-2, 1e-4])
def test_a_gap_between_two_inputs_stops_a_drag_whatever_the_step(half_gap):
    mechanism = mechedit.fig22(half_gap)
    limits = move(mechanism).limits
    live = prepare(mechanism)
    live.to(limits[0] - 0.05)
    assert live.limit is None
    live.to(limits[1] + 0.05)
    assert live.limit is not None
    assert live.limit.kind == "limit"
    assert live.limit.parts
    assert live.limit.input == pytest.approx(limits[0], abs=1e-9)
    assert live.stepper.reached[0] == live.limit.input
    live.to(limits[0] - 1e-9)
    assert live.limit is None


def test_without_a_gap_the_same_step_is_taken():
    live = prepare(
        linkages.four_bar(4, 1, 2.0001, 3)
    )  # the reach is a little more than the five that it needs
    for x in np.radians([150.0, 210.0, 500.0, -400.0]):
        live.to(x)
        assert live.limit is None


@pytest.mark.parametrize("seed", range(40))
def test_leaps_of_a_four_bar_end_where_its_triangle_no_longer_closes(seed):
    rng = np.random.default_rng(seed)
    while True:
        lengths = rng.uniform(1, 4, 4)
        start = rng.uniform(-math.pi, math.pi)
        ground, crank, coupler, rocker = lengths
        apart = math.sqrt(apart_squared(lengths, start))
        if abs(coupler - rocker) + 0.05 < apart < coupler + rocker - 0.05:
            break
    crossed = bool(seed % 2)
    mechanism = linkages.four_bar(*lengths, at_deg=math.degrees(start), crossed=crossed)
    live, here, ahead = prepare(mechanism), start, 0.0  # which way is blocked
    for goal in start + rng.uniform(-12, 12, 12):
        flat = live.to(goal - start)
        stop = here if ahead * (goal - here) > 0 else first_limit(lengths, here, goal)
        ahead = 0.0 if stop is None else math.copysign(1.0, goal - here)
        here = goal if stop is None else stop
        assert (live.limit is None) == (stop is None)
        assert live.stepper.reached[0] == pytest.approx(here - start, abs=1e-10)
        b = crank * math.cos(here), crank * math.sin(here)
        assert flat[:2] == pytest.approx(b, abs=1e-9)
        if stop is None:
            c = meet(b, coupler, (ground, 0.0), rocker, left=not crossed, name="C")
            assert flat[2:] == pytest.approx(c, abs=1e-9)


def test_the_other_range_of_a_double_rocker_is_not_entered():
    turn = math.radians(40)
    low, high = (x - turn for x in four_bar_limits(3, 2.5, 1, 2)[:2])
    for goal in (math.pi - turn + 1.0, TURN - turn - high, 4.0):
        live = prepare(mechedit.fig15())
        live.to(goal)
        assert live.limit is not None
        assert live.limit.input == pytest.approx(high, abs=1e-11)
        live.to(-goal)
        assert live.limit is not None
        assert live.limit.input < low + 1e-9


@pytest.mark.parametrize("count", [1, 2, 3])
def test_parallelograms_stay_parallelograms_through_every_turn(count):
    live = prepare(parallelograms(count))
    rng = np.random.default_rng(count)
    change = math.radians(140)
    goals = np.concatenate(
        [rng.uniform(-40, 40, 30), change + np.array([-1e-3, -1e-5, -1e-9, 0.0, 1e-9, 1e-5, 1e-3, math.pi])]
    )
    swept = live.sweep(goals)
    for i, goal in enumerate(goals):
        at = np.reshape(live.to(goal), (-1, 2))
        assert live.limit is None
        for k, names in enumerate(live.points):
            crank = int(names[0].rsplit("T")[1])
            wanted = polar(1, 40 + math.degrees(goal), about=(3.0 * crank, 0.0))
            assert at[k] == pytest.approx(wanted, abs=CLOSE)
            assert swept[k, :, i] == pytest.approx(wanted, abs=CLOSE)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_move_keeps_parallelograms_too_and_names_where_they_come_in_line(count):
    motion = move(parallelograms(count))
    assert motion.stop == "done"
    assert [p.kind for p in motion.limit_points] == ["change", "change"]
    assert [math.degrees(p.input) for p in motion.limit_points] == pytest.approx([140, 320], abs=1e-6)
    turns = np.radians(40) + motion.inputs
    for k in range(1, count + 1):
        wanted = np.stack([3 * k + np.cos(turns), np.sin(turns)], axis=1)
        assert np.abs(motion.markers[f"crank{k}.T{k}"] - wanted).max() < CLOSE


@pytest.mark.parametrize(("height", "stops_deg"), [(2.79, None), (3.2, 170.0)])
def test_a_limit_behind_a_change_point_is_that_of_the_branch_gone_on(height, stops_deg):
    # At its lowest the tip is `height` + 1 below the pin, and the dyad reaches 3.8. Folded back at the change
    # point the parallelogram would never come so low.
    mechanism = hung(height)
    motion, live = move(mechanism), prepare(mechanism)
    live.to(math.radians(300))
    if stops_deg is None:
        assert motion.stop == "done"
        assert len(motion.inputs) == 37
        assert live.limit is None
        return
    sine = (1 + height**2 - 3.8**2) / (2 * height)
    assert stops_deg == pytest.approx(180 - math.degrees(math.asin(sine)) - 40)
    assert motion.stop == "limit"
    assert math.degrees(motion.stopped_at) == pytest.approx(stops_deg, abs=1e-9)
    assert live.limit is not None
    assert math.degrees(live.limit.input) == pytest.approx(stops_deg, abs=1e-9)
    assert live.limit.parts == ("hanger", "arm")


@pytest.mark.parametrize(("nearest", "frames"), [(0.99, 1), (1.01, 2)])
def test_a_sweep_ends_before_a_gap_between_two_of_its_frames(nearest, frames):
    live = prepare(mechedit.fig22())  # drawn at 40 degrees; no closing from 179 to 181
    traced = live.trace(np.radians([[138.0], [140 - nearest], [140 + nearest], [142.0]]))
    assert traced.done == frames
    assert traced.points.shape[2] == frames
    assert math.degrees(traced.reached[0]) == pytest.approx(139.0, abs=1e-9)


def two_cranks(reach: float):
    """Cranks of 1 on pins 4 apart, coupled by two bars that reach so far together."""
    b, d = polar(1, 60), polar(1, 120, about=(4.0, 0.0))
    points = {"A": (0.0, 0.0), "E": (4.0, 0.0), "B": b, "D": d}
    points["C"] = meet(b, 0.5 * reach, d, 0.5 * reach, left=True, name="C")
    parts = {
        "ground": ["A", "E"],
        "left": ["A", "B"],
        "up": ["B", "C"],
        "down": ["C", "D"],
        "right": ["E", "D"],
    }
    drive = {"from_deg": 0, "to_deg": 1, "steps": 1}
    linkage = pinned("two cranks", points, parts)
    return linkage.drive("left", joint="A", **drive).drive("right", joint="E", **drive).build()


def widest(one: np.ndarray, other: np.ndarray, samples: int = 20_001) -> np.ndarray:
    """How far the tips of two cranks are apart on the straight way between two pairs of turns."""
    t = np.linspace(0, 1, samples)[:, None]
    at = one + t * (other - one) + np.radians([60.0, 120.0])
    left, right = np.exp(1j * at[:, 0]), 4 + np.exp(1j * at[:, 1])
    return np.abs(left - right)


@pytest.mark.parametrize("seed", range(12))
def test_two_drives_stop_where_their_bars_come_in_line_on_the_way(seed):
    rng = np.random.default_rng(seed)
    reach = rng.uniform(4.5, 5.9)
    live, here = prepare(two_cranks(reach)), np.zeros(2)
    for _ in range(8):
        goal = rng.uniform(-4, 4, 2)
        apart = widest(here, goal)
        over = np.flatnonzero(apart > reach)
        if len(over) and apart.max() < reach + 1e-3:
            continue  # so close that samples do not say
        live.to(*goal)
        assert (live.limit is None) == (len(over) == 0)
        reached = live.stepper.reached.copy()
        wanted = goal if not len(over) else here + over[0] / 20_000 * (goal - here)
        assert reached == pytest.approx(wanted, abs=1e-3)
        if len(over):
            assert widest(reached, reached, 1)[0] == pytest.approx(reach, abs=1e-9)
            back = 0.5 * (here + reached)
            live.to(*back)
            assert live.limit is None
            reached = back
        here = reached


def test_a_sweep_of_two_drives_sees_the_gap_between_its_frames():
    live = prepare(two_cranks(5.0))
    turns = np.linspace(0, math.pi, 400)
    goals = np.stack([turns, -turns], axis=1)
    closes = np.flatnonzero(np.abs(np.exp(1j * (goals[:, 0] + np.radians(60)))
                                   - 4 - np.exp(1j * (goals[:, 1] + np.radians(120)))) > 5.0)  # fmt: skip
    assert live.sweep(goals).shape[2] == closes[0]
    over = np.array([goals[0], [TURN, -TURN]])  # a full turn, through the gap, to where it began
    assert live.trace(over).done == 1
    free = prepare(two_cranks(6.01))
    assert free.trace(over).done == 2
