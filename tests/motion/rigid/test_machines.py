"""Machines of the gallery by the rigid method: what each does, and what none of them may do."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest

import detent
from detent.contact import contact_of
from detent.mechanics import place_tree
from detent.motion import Rigid
from detent.numeric import point_on_step

# How long each runs here.
MACHINES = {
    "escapement": 16.0,
    "ratchet": 20.0,
    "ratchet_free": 5.0,
    "rotary_to_rocking": 10.0,
    "double_escapement": 24.0,
    "missing_tooth": 150.0,
    "large_tooth": 60.0,
    "time_bomb": 70.0,
    "chiming_clock": 110.0,
    "crank_engine": 1.0,
    "geneva": 8.0,
}


@cache
def running(name: str):
    return detent.run(name, method=Rigid(), until=MACHINES[name])


@pytest.mark.parametrize("name", MACHINES)
def test_it_runs_to_the_end(name):
    assert running(name).stop.cause == "done"
    assert running(name).stop.time == MACHINES[name]


@pytest.mark.parametrize("name", MACHINES)
def test_energy_never_rises_without_input(name):
    energy = running(name).energy
    own = energy["stored"] - energy["input"]
    scale = np.ptp(energy["stored"]) + np.ptp(energy["input"])
    assert np.diff(own).max() <= 1e-6 * scale
    balance = own + energy["dissipated"] + energy["impact"]
    assert np.ptp(balance) <= 1e-4 * scale
    for taken in ("dissipated", "impact"):
        assert np.diff(energy[taken]).min() >= -1e-9 * scale


@pytest.mark.parametrize("name", MACHINES)
def test_parts_that_touch_do_not_overlap(name):
    """Gaps of contacts that act, in the middle and at the end of every step, are above -1e-8 of the size."""
    run = running(name).run.evidence
    possible, state = run.possible, run.along.state
    y, v = np.zeros((2, run.points.shape[2]))
    found, pose_AB, deepest = np.zeros((1, 10)), np.zeros(4), 0.0
    for (_, h, share), points, acting in zip(run.steps, run.points, run.touching, strict=True):
        for s in (share / 2, share):
            point_on_step(points, h, s, y, v)
            place_tree(run.tree.machine, y, v, state)
            for c in acting[(acting >= 0) & (acting < len(possible))]:
                contact_of(
                    possible.features.data,
                    possible.listed,
                    possible.pairs,
                    state.bodies,
                    c,
                    pose_AB,
                    found,
                    0,
                )
                deepest = min(deepest, found[0, 0])
    assert deepest > -1e-8 * run.system.size


def degrees(name, joint):
    return np.degrees(running(name).states[joint])


def at_rest(name, joint):
    """Since when a joint has not moved."""
    column = running(name).states[joint]
    moved = np.flatnonzero(np.abs(column - column[-1]) > 1e-6)
    return running(name).times[moved[-1] + 1] if len(moved) else 0.0


def test_ratchet_is_blocked_one_way_and_free_the_other():
    assert at_rest("ratchet", "wheel") < 2
    assert 0 < degrees("ratchet", "wheel")[-1] < 30
    free = degrees("ratchet_free", "wheel")
    assert free[-1] < -360
    assert (np.diff(free) <= 0).all()
    clicks = {e.after for e in running("ratchet_free").events if e.kind == "impact"}
    assert len(clicks) >= 5  # corners of teeth that the pawl has dropped on


def test_a_pawl_that_a_fast_tooth_throws_up_flies_until_it_drops_on_another():
    """Between teeth it is a damped oscillator: 5 b'' + 5 b' + 20 (b + 0.3) = 0."""
    run, flights = running("ratchet_free"), 0
    times, pawl = run.times, run.states["pawl"]
    ends = [e.time for e in run.events if e.kind in ("impact", "release")]
    for begin, end in zip(ends[1::2], ends[2::2], strict=False):
        t = times[(times > begin) & (times < end)] - begin
        free = np.exp(-t / 2)[:, None] * np.stack([f(math.sqrt(3.75) * t) for f in (np.cos, np.sin)], axis=1)
        flown = pawl[(times > begin) & (times < end)] + 0.3
        fitted = free @ np.linalg.lstsq(free, flown, rcond=None)[0]
        assert flown == pytest.approx(fitted, abs=1e-5)
        flights += len(t) > 10
    assert flights >= 5


@pytest.mark.parametrize(("name", "most"), [("ratchet", 60), ("geneva", 300)])
def test_features_beside_those_that_touch_do_not_shorten_steps(name, most):
    """Edges at a corner that rests on a disc, arcs at a corner that a pin rolls over."""
    assert len(running(name).run.evidence.steps) <= most


def test_rocking_arm_swings_as_far_as_slot_and_play_allow():
    """The pin, 2 from its axle, moves across the slot by its play of 0.03 to each side; axles are 6 apart."""
    farthest = math.asin(2 / 6) + math.asin(0.03 / math.sqrt(6**2 - 2**2))
    low, high = running("rotary_to_rocking").ranges["arm"]
    assert high == pytest.approx(farthest, abs=2e-4)
    assert low == pytest.approx(-farthest, abs=2e-4)
    assert running("rotary_to_rocking").states["wheel"][-1] > 6 * math.pi


def test_double_escapement_is_synchronous():
    both = running("double_escapement")
    assert np.abs(both.states["upper"] - both.states["left"]).max() < 1e-9
    minima = np.array(both.energy_minima)
    wheel = np.interp(minima, both.times, degrees("double_escapement", "ewheel"))
    assert wheel[2:] - wheel[:-2] == pytest.approx(-36, abs=1e-6)


def test_missing_tooth_makes_sixteen_beats_a_revolution():
    """Ten teeth make twenty; each pallet misses one tooth, and with it two."""
    run = running("missing_tooth")
    minima = np.array(run.energy_minima)
    wheel = np.interp(minima, run.times, degrees("missing_tooth", "ewheel"))
    # The first that are a whole revolution later.
    later = [np.flatnonzero(np.abs(wheel - w + 360) < 1e-3) for w in wheel[2:10]]
    assert {int(found[0]) - k for k, found in enumerate(later, 2)} == {16}


def test_large_tooth_jams():
    """At the angle at which the penalty method has it too; the balance goes on knocking against the lever."""
    wheel = degrees("large_tooth", "ewheel")
    assert wheel[-1] == pytest.approx(-140.097, abs=1e-2)
    assert np.abs(wheel[running("large_tooth").times > 30] - wheel[-1]).max() < 1  # of 36 per pattern


def test_time_bomb_stops_where_its_pegs_meet():
    """Pegs of radius 0.4, at 4.3 from the axle below it and at (4.2, -1)."""
    far, own = math.hypot(4.2, 1), 4.3
    between = math.degrees(math.acos((far**2 + own**2 - 0.8**2) / (2 * far * own)))
    stop = -(270 + math.degrees(math.atan2(1, 4.2)) - between)
    assert degrees("time_bomb", "ewheel")[-1] == pytest.approx(stop, abs=1e-6)
    assert 50 < at_rest("time_bomb", "ewheel") < 65


def test_chiming_clock_strikes():
    explained = detent.explain("chiming_clock")
    assert len(explained.elementary) == 5
    assert ["ewheel", "gear"] in [sorted(parts) for parts in explained.subsystems]
    run = running("chiming_clock")
    assert run.states["gear"] == pytest.approx(-run.states["ewheel"] / 12, abs=1e-12)
    strikes = [e.time for e in run.events if e.kind == "impact" and set(e.subjects) == {"frame", "clapper"}]
    assert len(strikes) >= 1
    assert run.ranges["clapper"][0] < -0.05
    assert run.states["clapper"][-1] == pytest.approx(0, abs=1e-9)


def test_crank_engine_turns_with_the_stroke_of_its_crank():
    run = running("crank_engine")
    turn = run.states["crank"]
    assert turn[-1] > 2 * math.pi
    at = math.atan2(16, 12) + turn
    piston = 20 * np.cos(at) + np.sqrt(65**2 - (20 * np.sin(at)) ** 2) - 75
    assert run.states["frame_piston"] == pytest.approx(piston, abs=1e-8 * 155)  # of the machine's size


def test_geneva_wheel_moves_by_quarters():
    """With its pin in a slot the wheel follows atan2(a sin, c - a cos) within its play; else it is locked."""
    run = running("geneva")
    turn = (np.degrees(-run.states["driver"]) + 180) % 360 - 180  # 0: the pin is on the far side
    pin = np.abs(turn) - 180
    wheel = np.degrees(run.states["wheel"])
    locked = np.abs(turn) < 120
    assert np.abs(wheel[locked] - 90 * np.round(wheel[locked] / 90)).max() < 1.5
    moving = np.abs(pin) < 40
    angle = np.radians(pin[moving] * np.sign(turn[moving]))
    ideal = np.degrees(np.arctan2(20 * np.sin(angle), 28.3 - 20 * np.cos(angle)))
    off = (wheel[moving] - 45 - ideal + 45) % 90 - 45
    assert np.abs(off).max() < 1.5
    assert wheel[-1] == pytest.approx(360, abs=1)


def mirrored(name):
    """The mirror image in the plane x = 0: springs are relaxed on the other side."""
    tables = detent.load(name).to_dict()
    for part in tables["parts"].values():
        shape = part["shape"]
        part["shape"] = {"union": [shape], "moves": [{"mirror": [1, 0, 0]}]}
    for joint in tables["joints"].values():
        for key in ("rest", "rest_deg"):
            if "spring" in joint and key in joint["spring"]:
                joint["spring"][key] = -joint["spring"][key]
    return detent.from_dict(tables)


@pytest.mark.parametrize("name", ["ratchet_free", "escapement"])
def test_the_mirror_image_runs_the_other_way(name):
    image = detent.run(mirrored(name), method=Rigid(), until=5.0)
    same = detent.run(name, method=Rigid(), until=5.0)
    for joint, column in same.states.items():
        assert image.states[joint] == pytest.approx(-column, abs=1e-4)
    assert len(image.events) == len(same.events)


@pytest.mark.parametrize("name", ["ratchet", "double_escapement"])
def test_heavier_parts_take_longer(name):
    """Inertias by four, damping by two, the same springs: all takes twice as long."""
    tables = detent.load(name).to_dict()
    for part in tables["parts"].values():
        if "inertia" in part:
            part["inertia"] = 4 * part["inertia"]
    for joint in tables["joints"].values():
        joint["damping"] = 2 * joint["damping"]
    slow = detent.run(detent.from_dict(tables), method=Rigid(), until=10.0)
    fast = detent.run(name, method=Rigid(), until=5.0)
    for joint, column in fast.states.items():
        assert slow.states[joint] == pytest.approx(column, abs=1e-4)
    assert [e.kind for e in slow.events] == [e.kind for e in fast.events]
    assert [e.time for e in slow.events] == pytest.approx([2 * e.time for e in fast.events], abs=1e-4)
