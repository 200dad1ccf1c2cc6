"""Forces at dead points where several links come in line, or parts have inertia: closed forms."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import detent


def pins(*joints: str) -> dict[str, Any]:
    """Revolute joints from "A ground crank": the marker of both has the joint's name, without its digits."""
    named = [joint.split() for joint in joints]
    return {
        name: {"type": "revolute", "between": [f"{part}.{name.rstrip('0123456789')}" for part in parts]}
        for name, *parts in named
    }


def jack(loads: dict[str, list[float]], **drive: Any) -> detent.Motion:
    """A rhombus of sides of 100 mm whose head slides up: two knees straighten at once, at 200 mm."""
    up = {"at": [0, 120], "along": [0, 1]}
    return detent.move(
        detent.from_dict(
            {
                "units": "mm",
                "parts": {
                    "base": {"fixed": True, "markers": {"A": [0, 0], "up": {"at": [0, 0], "along": [0, 1]}}},
                    "l1": {"markers": {"A": [0, 0], "L": [-80, 60]}},
                    "r1": {"markers": {"A": [0, 0], "R": [80, 60]}},
                    "l2": {"markers": {"L": [-80, 60], "T": [0, 120]}},
                    "r2": {"markers": {"R": [80, 60], "T": [0, 120]}},
                    "head": {"markers": {"T": up}},
                },
                "joints": {
                    **pins("A1 base l1", "A2 base r1", "L l1 l2", "R r1 r2", "T1 l2 head", "T2 r2 head"),
                    "guide": {"type": "prismatic", "between": ["base.up", "head.T"]},
                },
                "drives": {"lift": {"joint": "guide", "from": 120, "to": 210, "steps": 9, **drive}},
                "ask": {"move": {"loads": loads}},
            }
        )
    )


def test_two_knees_that_straighten_at_once_leave_no_lever() -> None:
    motion = jack({"l1.L": [-100, 0], "r1.R": [100, 0]})
    assert motion.stop == "limit"
    heights = motion.inputs[:-1]
    # Virtual work: 2 * 100 N on knees at x = sqrt(100² - (h / 2)²).
    np.testing.assert_allclose(
        motion.forces["drive lift"][:-1], 50 * heights / np.sqrt(100**2 - heights**2 / 4), rtol=1e-9
    )
    for name in ("drive lift", "A1", "A2", "L", "R", "T1", "T2"):
        assert motion.force_peaks[name]["unbounded"], name
        assert "most" not in motion.force_peaks[name]
    assert motion.force_peaks["guide"]["most"] == pytest.approx(0.0, abs=1e-9)  # both sides are alike
    assert "unbounded at 200 mm" in motion.words


def test_a_load_that_the_knees_do_not_carry_is_finite_where_they_straighten() -> None:
    motion = jack({"head.T": [0, -500]})
    np.testing.assert_allclose(motion.forces["drive lift"], 500.0, rtol=1e-9)
    assert motion.force_peaks["drive lift"]["most"] == pytest.approx(500.0)
    assert "500 N throughout" in motion.words


def test_a_slide_does_not_spin_though_its_pins_are_at_one_point() -> None:
    assert "only spins" not in jack({"head.T": [0, -500]}).words


def test_a_folded_peaucellier_cell_has_a_finite_drive_and_unbounded_links() -> None:
    """R = (120, 120 tan(t / 2)) by inversion, so that a force (-10, 3) on it takes 0.18 / cos²(t / 2) N m."""
    at = {"O": [0, 0], "Q": [30, 0], "P": [60, 0], "U": [90, 40], "V": [90, -40], "R": [120, 0]}
    links = {
        "ground": "OQ",
        "crank": "QP",
        "a1": "OU",
        "a2": "OV",
        "s1": "PU",
        "s2": "PV",
        "t1": "UR",
        "t2": "VR",
    }
    motion = detent.move(
        detent.from_dict(
            {
                "units": "mm",
                "parts": {
                    name: {"fixed": name == "ground", "markers": {mark: at[mark] for mark in marks}}
                    for name, marks in links.items()
                },
                "joints": pins(
                    "Q ground crank",
                    "O1 ground a1",
                    "O2 ground a2",
                    "P1 crank s1",
                    "P2 crank s2",
                    "U1 a1 s1",
                    "U2 a1 t1",
                    "V1 a2 s2",
                    "V2 a2 t2",
                    "R t1 t2",
                ),
                "drives": {"swing": {"joint": "Q", "from_deg": -40, "to_deg": 120, "steps": 16}},
                "ask": {"move": {"loads": {"t1.R": [-10, 3]}}},
            }
        )
    )
    torque = -0.18 / np.cos(motion.inputs / 2) ** 2
    np.testing.assert_allclose(motion.forces["drive swing"], torque, rtol=1e-7)  # at the limit too
    assert motion.force_peaks["drive swing"]["least"] == pytest.approx(torque[-1], rel=1e-7)
    for name in ("O1", "O2", "P1", "P2", "U1", "U2", "V1", "V2", "R"):
        assert motion.force_peaks[name]["unbounded"], name


def slider_crank(**rod: Any) -> detent.Motion:
    """Driven at its piston to where crank and rod are in line, at sqrt(120² - 12²) mm, at constant speed."""
    x = math.sqrt(90**2 - 18**2)
    return detent.move(
        detent.from_dict(
            {
                "units": "mm",
                "parts": {
                    "frame": {
                        "fixed": True,
                        "markers": {"O": [0, 0], "way": {"at": [0, 12], "along": [1, 0]}},
                    },
                    "crank": {"markers": {"O": [0, 0], "P": [0, 30]}},
                    "rod": {"markers": {"P": [0, 30], "Q": [x, 12]}, **rod},
                    "piston": {
                        "markers": {"Q": {"at": [x, 12], "along": [1, 0]}},
                        "mass": 0.5,
                        "center": [x, 12],
                    },
                },
                "joints": {
                    **pins("O frame crank", "P crank rod", "Q rod piston"),
                    "slide": {"type": "prismatic", "between": ["frame.way", "piston.Q"]},
                },
                "drives": {"push": {"joint": "slide", "from": 90, "to": 130, "steps": 8, "speed": 100}},
                "ask": {"move": {"loads": {"piston.Q": [-100, 0]}}},
            }
        )
    )


def test_a_mass_at_constant_speed_adds_nothing_at_a_dead_point() -> None:
    motion = slider_crank()
    assert motion.stop == "limit"
    np.testing.assert_allclose(motion.forces["drive push"], 100.0, rtol=1e-9)
    assert motion.force_peaks["drive push"]["most"] == pytest.approx(100.0)
    for name in ("O", "P", "Q", "slide"):
        assert motion.force_peaks[name]["most"] == pytest.approx(0.0, abs=1e-6)


def test_a_mass_that_is_thrown_through_a_dead_point_has_no_bound() -> None:
    motion = slider_crank(mass=0.1, center=[40, 20], inertia=1e-4)
    for name in ("drive push", "O", "P", "Q", "slide"):
        assert motion.force_peaks[name]["unbounded"], name


@pytest.mark.parametrize("steps", [8, 9, 36])
def test_joints_of_a_turning_parallelogram_share_the_pull_of_its_coupler(steps: int) -> None:
    """In circular translation m r w² acts at the middle, half through each arm, at change points too."""
    motion = detent.move(
        detent.from_dict(
            {
                "units": "mm",
                "parts": {
                    "ground": {"fixed": True, "markers": {"A": [0, 0], "D": [60, 0]}},
                    "crank": {"markers": {"A": [0, 0], "B": [0, 20]}},
                    "coupler": {
                        "markers": {"B": [0, 20], "C": [60, 20]},
                        "mass": 0.5,
                        "center": [30, 20],
                        "inertia": 1e-4,
                    },
                    "rocker": {"markers": {"D": [60, 0], "C": [60, 20]}},
                },
                "joints": pins("A ground crank", "B crank coupler", "C coupler rocker", "D ground rocker"),
                "drives": {"turn": {"joint": "A", "from_deg": 0, "to_deg": 360, "steps": steps, "speed": 10}},
            }
        )
    )
    for name in "ABCD":
        assert not motion.force_peaks[name].get("undetermined"), name
        assert motion.force_peaks[name]["most"] == pytest.approx(0.5, rel=2e-5)
        np.testing.assert_allclose(np.linalg.norm(motion.forces[name], axis=1), 0.5, rtol=1e-5)
    np.testing.assert_allclose(motion.forces["drive turn"], 0.0, atol=1e-8)


def test_a_narrow_peak_is_found_in_many_rotations() -> None:
    """30-70-40-60.001: nearly a change point. The coupler carries 10 N times rocker over lever of it."""
    crank, coupler, rocker, ground = 30.0, 70.0, 40.0, 60.001

    def carried(angle: np.ndarray) -> np.ndarray:
        pin = crank * np.exp(1j * angle)
        way = ground - pin
        fold = np.arccos((coupler**2 + abs(way) ** 2 - rocker**2) / (2 * coupler * abs(way)))
        along = way / abs(way) * np.exp(1j * fold)
        arm = pin + coupler * along - ground
        return np.abs(10 * arm.real / (arm.conjugate() * along).imag)

    near = np.concatenate([np.linspace(-0.2, 0.2, 400_001), np.linspace(0.2, 2 * np.pi - 0.2, 10_001)])
    start = math.radians(73)
    pin = crank * np.exp(1j * start)
    way = ground - pin
    fold = math.acos((coupler**2 + abs(way) ** 2 - rocker**2) / (2 * coupler * abs(way)))
    joint = pin + coupler * way / abs(way) * np.exp(1j * fold)
    b, c = [pin.real, pin.imag], [joint.real, joint.imag]
    motion = detent.move(
        detent.from_dict(
            {
                "units": "mm",
                "parts": {
                    "ground": {"fixed": True, "markers": {"A": [0, 0], "D": [ground, 0]}},
                    "crank": {"markers": {"A": [0, 0], "B": b}},
                    "coupler": {"markers": {"B": b, "C": c}},
                    "rocker": {"markers": {"D": [ground, 0], "C": c}},
                },
                "joints": pins("A ground crank", "B crank coupler", "C coupler rocker", "D ground rocker"),
                "drives": {"turn": {"joint": "A", "from_deg": 0, "to_deg": 3600, "steps": 2}},
                "ask": {"move": {"loads": {"rocker.C": [0, -10]}}},
            }
        )
    )
    assert motion.force_peaks["B"]["most"] == pytest.approx(float(carried(near).max()), rel=1e-7)


@pytest.mark.parametrize("known", [{"density": 7800}, {"mass": 15.6, "center": [50, 0], "inertia": 0.0135}])
def test_inertia_is_named_as_left_out_however_mass_is_given(known: dict[str, Any]) -> None:
    motion = detent.move(
        detent.from_dict(
            {
                "units": "mm",
                "gravity": [0, -9.81],
                "parts": {
                    "base": {"fixed": True, "markers": {"A": [0, 0]}},
                    "arm": {
                        "markers": {"A": [0, 0]},
                        "shape": {"outline": [[0, -10], [100, -10], [100, 10], [0, 10]]},
                        **known,
                    },
                },
                "joints": pins("A base arm"),
                "drives": {"turn": {"joint": "A", "from_deg": 0, "to_deg": 90, "steps": 3}},
            }
        )
    )
    assert "inertia (no drive has a speed)" in motion.scope.left_out
    assert motion.force_peaks["drive turn"]["most"] == pytest.approx(15.6 * 9.81 * 0.05)
