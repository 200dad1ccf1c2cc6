"""Joints that close loops: springs, dampers, starts and coordinates, whichever joint closes the loop.

A slider-crank has one freedom: its equation of motion follows from energies as functions of the crank's
angle, integrated here by SciPy.
"""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import detent

CRANK, ROD = 0.03, 0.1
INERTIA, ROD_MASS, ROD_INERTIA, PISTON = 2e-4, 0.1, 1e-4, 0.2
STIFFNESS, REST, DAMPING = 400.0, -0.02, 3.0  # of the slide


def slider_crank(order: tuple[str, ...], **start: dict[str, float]) -> detent.Mechanism:
    """Crank and rod in line along x as drawn; the slide has a spring and a damper."""
    joints = {
        "main": {"type": "revolute", "between": ["frame.O", "crank.O"]},
        "big": {"type": "revolute", "between": ["crank.A", "rod.A"]},
        "small": {"type": "revolute", "between": ["rod.B", "piston.B"]},
        "slide": {
            "type": "prismatic",
            "between": ["frame.S", "piston.S"],
            "spring": {"stiffness": STIFFNESS, "rest": REST},
            "damping": DAMPING,
        },
    }
    end = CRANK + ROD
    return detent.from_dict(
        {
            "units": "m",
            "parts": {
                "frame": {"fixed": True, "markers": {"O": [0, 0], "S": {"at": [end, 0], "along": [1, 0]}}},
                "crank": {
                    "markers": {"O": [0, 0], "A": [CRANK, 0]},
                    "mass": 0.1,
                    "center": [0, 0],
                    "inertia": INERTIA,
                },
                "rod": {
                    "markers": {"A": [CRANK, 0], "B": [end, 0]},
                    "mass": ROD_MASS,
                    "center": [CRANK + ROD / 2, 0],
                    "inertia": ROD_INERTIA,
                },
                "piston": {
                    "markers": {"B": [end, 0], "S": {"at": [end, 0], "along": [1, 0]}},
                    "mass": PISTON,
                    "center": [end, 0],
                    "inertia": 1e-5,
                },
            },
            "joints": {name: joints[name] for name in order},
            "start": start,
        }
    )


def piston_at(angle: float) -> float:
    """Past the drawing."""
    return CRANK * math.cos(angle) + math.sqrt(ROD**2 - (CRANK * math.sin(angle)) ** 2) - CRANK - ROD


def rates(angle: float) -> tuple[float, float, complex]:
    """By the crank's angle: of the piston, of the rod's rotation, of the rod's centre."""
    h = 1e-6

    def rod(a: float) -> float:
        return -math.asin(CRANK * math.sin(a) / ROD)

    def centre(a: float) -> complex:
        return CRANK * complex(math.cos(a), math.sin(a)) + ROD / 2 * complex(
            math.cos(rod(a)), math.sin(rod(a))
        )

    return (
        (piston_at(angle + h) - piston_at(angle - h)) / (2 * h),
        (rod(angle + h) - rod(angle - h)) / (2 * h),
        (centre(angle + h) - centre(angle - h)) / (2 * h),
    )


def inertia_at(angle: float) -> float:
    piston, rod, centre = rates(angle)
    return INERTIA + PISTON * piston**2 + ROD_INERTIA * rod**2 + ROD_MASS * abs(centre) ** 2


def expected(angle: float, speed: float, until: float) -> tuple[float, float]:
    """J a'' + J' a'^2 / 2 = -(k (s - rest) + d s') ds/da, to the end."""

    def slope(_: float, state: np.ndarray) -> list[float]:
        a, w = state
        h = 1e-5
        change = (inertia_at(a + h) - inertia_at(a - h)) / (2 * h)
        along = rates(a)[0]
        pull = STIFFNESS * (piston_at(a) - REST) + DAMPING * along * w
        return [w, (-pull * along - 0.5 * change * w * w) / inertia_at(a)]

    end = solve_ivp(slope, (0, until), [angle, speed], rtol=1e-9, atol=1e-11).y[:, -1]
    return float(end[0]), float(end[1])


ORDERS = [*itertools.permutations(("main", "big", "small", "slide"))][::5]


@pytest.mark.parametrize("order", ORDERS)
def test_a_spring_acts_whichever_joint_closes_the_loop(order):
    machine = slider_crank(order, main={"at": 0.4, "speed": 12.0})
    running = detent.run(machine, until=0.15, every=0.05)
    angle, speed = expected(0.4, 12.0, 0.15)
    assert running.states["main"][0] == pytest.approx(0.4, abs=1e-9)
    assert running.velocities["main"][0] == pytest.approx(12.0, rel=1e-9)
    assert running.states["main"][-1] == pytest.approx(angle, abs=1e-4)
    assert running.velocities["main"][-1] == pytest.approx(speed, abs=1e-2)
    for main, slide in zip(running.states["main"], running.states["slide"], strict=True):
        assert slide == pytest.approx(piston_at(main), abs=1e-7)
    energy = running.energy
    balance = energy["stored"] + energy["dissipated"] + energy["impact"] - energy["input"]
    assert balance == pytest.approx(np.full(len(balance), energy["stored"][0]), abs=1e-5)
    assert energy["dissipated"][-1] > 1e-3


def test_a_loop_in_which_something_acts_on_every_joint_counts_them_all():
    """Dampers on all four pins: the closing one takes its share; power is the sum over joints."""
    pins = {"A": (0, 0), "B": (0, 0.04), "C": (0.1, 0.09), "D": (0.12, 0)}
    between = {"A": ("g", "a"), "B": ("a", "b"), "C": ("b", "c"), "D": ("g", "c")}
    parts = {
        name: {
            "markers": {pin: list(pins[pin]) for pin, pair in between.items() if name in pair},
            **({"fixed": True} if name == "g" else {"mass": 0.2, "center": [0.05, 0.04], "inertia": 1e-3}),
        }
        for name in "gabc"
    }
    machine = detent.from_dict(
        {
            "units": "m",
            "parts": parts,
            "joints": {
                pin: {"type": "revolute", "between": [f"{n}.{pin}" for n in pair], "damping": 0.002}
                for pin, pair in between.items()
            },
            "start": {"A": {"speed": 5.0}},
        }
    )
    running = detent.run(machine, until=0.4, every=0.0005)
    assert set(running.velocities) == set("ABCD")
    power = 0.002 * sum(column**2 for column in running.velocities.values())
    taken = np.trapezoid(power, running.times)
    assert running.energy["dissipated"][-1] == pytest.approx(taken, rel=1e-5)
    gone = running.energy["stored"][0] - running.energy["stored"][-1]
    assert gone == pytest.approx(taken, rel=1e-4)


def test_a_start_that_no_loop_reaches_is_refused_by_name():
    machine = slider_crank(("main", "big", "small", "slide"), slide={"at": 0.05})
    with pytest.raises(detent.ModelError, match=r"start\.slide.*cannot start there"):
        detent.run(machine, until=0.1)


def test_speeds_that_joints_do_not_allow_together_are_refused():
    machine = slider_crank(
        ("main", "big", "small", "slide"), main={"at": 1.0, "speed": 1.0}, slide={"speed": 1.0}
    )
    with pytest.raises(detent.ModelError, match="do not allow these speeds together"):
        detent.run(machine, until=0.1)


def test_a_driven_joint_written_last_is_no_loop_closer():
    machine = slider_crank(("big", "small", "slide", "main")).with_(
        "drives", {"turn": {"joint": "main", "speed": 20.0}}
    )
    running = detent.run(machine, until=0.2, every=0.05)
    assert running.states["main"] == pytest.approx(20.0 * running.times, abs=1e-6)


def test_a_piston_needs_no_inertia_wherever_its_loop_is_cut():
    def engine(inertia: str):
        return detent.loads(
            f"""
            format = "detent/1"
            units = "mm"
            [parts.frame]
            fixed = true
            [parts.crank]
            inertia = 1e-4
            [parts.rod]
            mass = 0.1
            center = [60, 0]
            inertia = 1e-4
            [parts.piston]
            mass = 0.3
            center = [120, 0]
            {inertia}
            [joints]
            A = {{ type = "revolute", between = ["frame", "crank"], at = [0, 0] }}
            B = {{ type = "revolute", between = ["crank", "rod"], at = [30, 0] }}
            C = {{ type = "revolute", between = ["rod", "piston"], at = [120, 0] }}
            S = {{ type = "prismatic", between = ["frame", "piston"], at = [120, 0], along = [1, 0] }}
            [start]
            A = {{ speed = 20 }}
            """
        )

    method = detent.Rigid(accuracy=1e-9)
    documents = engine("inertia = 7e-4"), engine("")
    given, bare = (detent.run(each, until=0.3, method=method) for each in documents)
    for name, column in given.states.items():
        assert bare.states[name] == pytest.approx(column, abs=1e-8)
    assert np.ptp(bare.energy["stored"]) < 1e-6 * bare.energy["stored"][0]
    turned = np.abs(bare.states["A"] + bare.states["B"] + bare.states["C"])
    assert turned.max() < 1e-7  # the piston
