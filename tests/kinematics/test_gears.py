"""Gears wherever they stand: on a drive, on what a dyad has placed, on a moving arm, or closing the loop."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

import detent
from detent.model.document import Mechanism
from detent.model.reading import convert
from detent.motion.live import prepare
from tests.kinematics.oracle import Oracle

CLOSE = 1e-10  # of the size


def machine(parts: dict[str, dict], pins: dict[str, tuple[str, str]], **more: object) -> Mechanism:
    joints = {name: {"type": "revolute", "between": list(ends)} for name, ends in pins.items()}
    for name, (first, second, ratio) in more.pop("gears", {}).items():
        joints[name] = {"type": "gear", "between": [first, second], "ratio": ratio}
    part_tables = {name: {"markers": marks, "fixed": name == "ground"} for name, marks in parts.items()}
    return convert.mechanism({"parts": part_tables, "joints": joints, **more})


def drive(joint: str, to_deg: float, steps: int) -> dict[str, dict]:
    return {"drive": {"joint": joint, "from_deg": 0, "to_deg": to_deg, "steps": steps}}


def five_bar(ratio: str, driven: str, to_deg: float = 360, steps: int = 24) -> Mechanism:
    """Two cranks on the ground, geared, and two couplers that meet; the tracing point is theirs."""
    return machine(
        {
            "ground": {"A": [0, 0], "E": [4, 0]},
            "left": {"A": [0, 0], "B": [0.3, 1.2]},
            "coupler": {"B": [0.3, 1.2], "C": [2.5, 4.5], "trace": [2.0, 5.5]},
            "other": {"C": [2.5, 4.5], "D": [4.6, 1.0]},
            "right": {"D": [4.6, 1.0], "E": [4, 0]},
        },
        {
            "A": ("ground.A", "left.A"),
            "B": ("left.B", "coupler.B"),
            "C": ("coupler.C", "other.C"),
            "D": ("other.D", "right.D"),
            "E": ("right.E", "ground.E"),
        },
        gears={"mesh": ("left", "right", ratio)},
        drives=drive(driven, to_deg, steps),
    )


FOUR_BAR = {
    "ground": {"A": [0, 0], "D": [4, 0], "F": [6, 0.5], "H": [9, 0]},
    "crank": {"A": [0, 0], "B": [0.8, 0.6]},
    "coupler": {"B": [0.8, 0.6], "C": [3.4, 2.9]},
    "rocker": {"C": [3.4, 2.9], "D": [4, 0], "K": [4.4, 1.7]},
}
PINS = {
    "A": ("ground.A", "crank.A"),
    "B": ("crank.B", "coupler.B"),
    "C": ("coupler.C", "rocker.C"),
    "D": ("rocker.D", "ground.D"),
}


def behind_the_rocker(steps: int = 36) -> Mechanism:
    """The rocker's gear turns a wheel, that wheel another, and the last one a second four-bar."""
    parts = {
        **FOUR_BAR,
        "wheel": {"F": [6, 0.5], "P": [6.3, 0.9]},
        "last": {"F": [6, 0.5], "G": [6.2, 1.3]},
        "rod": {"G": [6.2, 1.3], "I": [8.5, 1.8]},
        "arm": {"I": [8.5, 1.8], "H": [9, 0]},
    }
    pins = {
        **PINS,
        "F": ("ground.F", "wheel.F"),
        "F2": ("ground.F", "last.F"),
        "G": ("last.G", "rod.G"),
        "I": ("rod.I", "arm.I"),
        "H": ("ground.H", "arm.H"),
    }
    gears = {"one": ("rocker", "wheel", "-3/2"), "two": ("wheel", "last", "-7/10")}
    return machine(parts, pins, gears=gears, drives=drive("A", 360, steps))


def on_the_rocker() -> Mechanism:
    """A planet on the rocker's end rolls on a sun that is the ground, about the rocker's pin."""
    parts = {**FOUR_BAR, "planet": {"K": [4.4, 1.7], "Q": [4.9, 1.7]}}
    pins = {**PINS, "K": ("rocker.K", "planet.K")}
    return machine(parts, pins, gears={"roll": ("ground", "planet", "-2")}, drives=drive("A", 720, 60))


def hypocycloid() -> Mechanism:
    """A driven arm, a planet on it in a fixed ring of twice its radius: the Cardan circle."""
    return machine(
        {"ground": {"O": [0, 0]}, "arm": {"O": [0, 0], "P": [1, 0]}, "planet": {"P": [1, 0], "R": [2, 0]}},
        {"O": ("ground.O", "arm.O"), "P": ("arm.P", "planet.P")},
        gears={"ring": ("ground", "planet", 2)},
        drives=drive("O", 360, 36),
    )


def epicyclic(drives: dict[str, dict], **gears: tuple[str, str, object]) -> Mechanism:
    """A sun and an arm on one axis of the ground, and a planet on the arm."""
    return machine(
        {
            "ground": {"O": [0, 0]},
            "arm": {"O": [0, 0], "P": [1, 0]},
            "sun": {"O": [0, 0], "S": [0.3, 0]},
            "planet": {"P": [1, 0], "R": [1.5, 0]},
        },
        {"O": ("ground.O", "arm.O"), "sun": ("ground.O", "sun.O"), "P": ("arm.P", "planet.P")},
        gears=gears,
        drives=drives,
    )


SUN = {"sun": {"joint": "sun", "from_deg": 0, "to_deg": 720, "steps": 36}}
BOTH = {
    "arm": {"joint": "O", "from_deg": 0, "to_deg": 90, "steps": 18},
    "sun": {"joint": "sun", "from_deg": 0, "to_deg": 30, "steps": 18},
}

CASES = {
    "epicyclic": epicyclic(SUN, mesh=("sun", "planet", -1), ring=("ground", "planet", 3)),
    "five-bar on its drive": five_bar("-1/2", "A", 720),
    "five-bar closed by the gear": five_bar("-1", "B", 40),
    "five-bar of ratio 3/5 from its middle": five_bar("3/5", "C", 30),
    "train behind a rocker": behind_the_rocker(),
    "planet on a rocker": on_the_rocker(),
    "hypocycloid": hypocycloid(),
}


@pytest.mark.parametrize("name", CASES)
def test_a_geared_linkage_is_where_the_oracle_has_it(name):
    mechanism = CASES[name]
    motion = detent.move(mechanism)
    assert len(motion.inputs) > 5
    oracle = Oracle(mechanism, step=math.radians(5))
    upto = len(motion.inputs) - (
        motion.stop == "limit"
    )  # on a limit places are blurred to the root of rounding
    for i, at in enumerate(motion.inputs[:upto]):
        for marker, (x, y) in oracle.to(float(at)).items():
            if marker in motion.markers:
                got = motion.markers[marker][i]
                assert math.hypot(got[0] - x, got[1] - y) <= CLOSE * oracle.size, (marker, at)


@pytest.mark.parametrize("name", CASES)
def test_speeds_of_a_geared_linkage_are_the_differences_of_its_places(name):
    motion = detent.move(CASES[name])
    oracle = Oracle(CASES[name], step=math.radians(5))
    at = len(motion.inputs) // 2
    for inputs in motion.inputs[: at + 1]:
        oracle.to(float(inputs))
    for marker, (vx, vy) in oracle.velocities().items():
        if marker in motion.velocities:
            assert motion.velocities[marker][at] == pytest.approx((vx, vy), abs=1e-6)


def test_the_point_of_a_planet_of_half_the_ring_goes_straight():
    motion = detent.move(hypocycloid())
    t = np.asarray(motion.inputs)
    assert np.asarray(motion.markers["planet.R"]) == pytest.approx(
        np.stack([2 * np.cos(t), 0 * t], axis=1), abs=1e-12
    )


def test_an_epicyclic_gear_turns_its_arm_at_a_quarter_of_the_sun():
    """Ring of three times the sun: arm = sun / (1 + 3), planet = -2 arm (Willis)."""
    motion = detent.move(CASES["epicyclic"])
    sun = np.asarray(motion.inputs)
    assert motion.poses["arm"][:, 2] == pytest.approx(sun / 4, abs=1e-9)
    assert motion.poses["planet"][:, 2] == pytest.approx(-sun / 2, abs=1e-9)


def test_a_differential_adds_what_its_sun_and_its_arm_do():
    """planet - arm = -2 (sun - arm): at 90 and 30 degrees 90 + 120."""
    motion = detent.move(epicyclic(BOTH, mesh=("sun", "planet", -2)))
    assert math.degrees(motion.poses["planet"][-1, 2]) == pytest.approx(210, abs=1e-9)


def test_the_turns_of_a_train_are_the_product_of_its_ratios_however_coarse_the_steps():
    for steps in (12, 36, 360):
        motion = detent.move(behind_the_rocker(steps))
        turn = {name: motion.poses[name][:, 2] for name in ("rocker", "wheel", "last")}
        assert turn["wheel"] == pytest.approx(-1.5 * turn["rocker"], abs=1e-9)
        assert turn["last"] == pytest.approx(-0.7 * turn["wheel"], abs=1e-9)


def test_a_train_is_dragged_as_it_is_swept():
    mechanism = behind_the_rocker()
    live, found = prepare(mechanism), detent.move(mechanism)
    for i in (5, 12, 30):
        flat = live.to(float(found.inputs[i]))
        for k, names in enumerate(live.points):
            if names[0] in found.markers:
                assert flat[2 * k : 2 * k + 2] == pytest.approx(found.markers[names[0]][i], abs=1e-9)


def test_the_plan_says_which_gear_gives_which_turn():
    plan = json.loads(detent.explain(behind_the_rocker()).to_json())["plan"]
    steps = [line["step"] for line in plan]
    assert any("one gears rocker, wheel" in step for step in steps)
    assert any("two gears wheel, last" in step for step in steps)


def test_a_drive_between_arm_and_planet_turns_both_by_what_the_ring_gives():
    """Ring - arm = 2/5 (planet - arm) (Willis): the wheel that the gear turns has a driven joint inside."""
    steps = {"from_deg": 0, "steps": 20}
    mechanism = machine(
        {
            "ground": {"O": [0, 0]},
            "arm": {"O": [0, 0], "P": [3, 0]},
            "planet": {"P": [3, 0], "T": [2, 0]},
            "ring": {"O": [0, 0], "R": [5, 0]},
        },
        {"O": ("ground.O", "arm.O"), "P": ("arm.P", "planet.P"), "ring": ("ground.O", "ring.O")},
        gears={"mesh": ("planet", "ring", "2/5")},
        drives={
            "planet": {"joint": "P", "to_deg": 720, **steps},
            "ring": {"joint": "ring", "to_deg": -90, **steps},
        },
    )
    motion = detent.move(mechanism)
    planet, ring = np.asarray(motion.inputs).T
    arm = ring - 0.4 * planet
    assert motion.poses["arm"][:, 2] == pytest.approx(arm, abs=1e-12)
    assert motion.poses["planet"][:, 2] == pytest.approx(arm + planet, abs=1e-12)
    assert motion.markers["planet.P"] == pytest.approx(motion.markers["arm.P"], abs=1e-12)


@pytest.mark.parametrize("sun", ["fixed", "welded", "the frame itself"])
@pytest.mark.parametrize("ring_on", ["ground", "sun"])
def test_a_sun_that_is_one_body_with_the_frame_is_rolled_on(sun, ring_on):
    """Planet = 3 arm, ring = 3/2 arm (Willis, teeth 20, 10, 40), however the sun is held to the frame."""
    first = "ground" if sun == "the frame itself" else "sun"
    ring_on = first if ring_on == "sun" else "ground"
    parts = {
        "ground": {"markers": {"O": [0, 0]}, "fixed": True},
        "arm": {"markers": {"O": [0, 0], "P": [30, 0]}},
        "planet": {"markers": {"P": [30, 0], "T": [40, 0]}},
        "ring": {"markers": {"O": [0, 0], "R": [50, 0]}},
    }
    joints = {
        "O": {"type": "revolute", "between": ["ground.O", "arm.O"]},
        "P": {"type": "revolute", "between": ["arm.P", "planet.P"]},
        "ring": {"type": "revolute", "between": [f"{ring_on}.O", "ring.O"]},
        "inner": {"type": "gear", "between": [first, "planet"], "ratio": -2},
        "outer": {"type": "gear", "between": ["planet", "ring"], "ratio": "1/4"},
    }
    if first == "sun":
        parts["sun"] = {"markers": {"O": [0, 0]}, "fixed": sun == "fixed"}
    if sun == "welded":
        joints["weld"] = {"type": "fixed", "between": ["ground.O", "sun.O"]}
    mechanism = convert.mechanism({"parts": parts, "joints": joints, "drives": drive("O", 720, 5)})
    motion = detent.move(mechanism)
    arm = np.radians(np.linspace(0, 720, 6))
    assert motion.poses["planet"][:, 2] == pytest.approx(3 * arm, abs=1e-9)
    assert motion.poses["ring"][:, 2] == pytest.approx(1.5 * arm, abs=1e-9)


def test_a_planetary_train_is_proved_through_any_number_of_rotations():
    """The planet's pin is a line in the arm's rotation, so nothing is followed step by step."""
    motion = detent.move(hypocycloid().with_("drives.drive.to_deg", 360 * 500))
    assert motion.certified.startswith("proved:")
    assert motion.poses["planet"][-1, 2] == pytest.approx(-math.tau * 500, rel=1e-12)


def test_the_plan_says_through_which_gear_a_pin_is_driven():
    steps = [line["step"] for line in detent.explain(hypocycloid()).plan]
    assert "P is driven through ring: it fixes" in steps


def test_forces_between_teeth_are_left_out_by_the_name_of_the_gear():
    """Moments do the work that the loads ask for; what teeth push at the pins is not in them, and is said."""
    train = five_bar("-1", "A")
    assert "teeth" not in detent.move(train).words
    loaded = detent.move(train.with_("ask.move.loads", {"coupler.trace": [3, -2]}))
    (teeth,) = [words for words in loaded.scope.left_out if "teeth" in words]
    assert "mesh" in teeth
    assert teeth in loaded.words
    pairs = zip(loaded.forces["mesh"], loaded.forces["E"], loaded.forces["D"], strict=True)
    for (
        moment,
        ground_pin,
        coupler_pin,
    ) in pairs:  # the wheel is held by two pins alone: their forces are opposite
        assert abs(moment[0]) > 0.0
        assert np.hypot(*ground_pin) == pytest.approx(np.hypot(*coupler_pin), abs=1e-9)
    four_bar = detent.load("four_bar").with_("ask.move.loads", {"II.C": [3, -2]})
    assert "teeth" not in detent.move(four_bar).words
