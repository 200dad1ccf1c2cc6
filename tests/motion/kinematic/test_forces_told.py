"""What is said of forces: the side to which one grows, samples called so, what `inertia` alone means."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import detent
from detent.draw.chart import motion as chart
from tests.motion.kinematic.test_beginning import FOUR_BAR, LINKS, linkage

MASSES = {"crank": (0.5, 0.3), "coupler": (2.9, 2.6), "out": (7.8, 2.2)}


def heavy(first: float, steps: int, speed: bool) -> detent.Mechanism:
    """Driven to where its last two links are in line."""
    drive = {"joint": "A", "from_deg": first, "to_deg": 343, "steps": steps}
    drives = {"d": drive | ({"speed_deg": 900} if speed else {})}
    mechanism = linkage(LINKS, drives=drives, gravity=[0, -9.81])
    for name, centre in MASSES.items():
        for key, value in {"mass": 0.6, "center": centre, "inertia": 1e-3}.items():
            mechanism = mechanism.with_(f"parts.{name}.{key}", value)
    return mechanism


@pytest.mark.parametrize("speed", [False, True])
def test_a_force_without_bound_is_shown_on_the_side_to_which_it_grows(
    speed: bool, monkeypatch: pytest.MonkeyPatch
):
    """At speed it still pulls at the last position of coarse steps; nearer to the dead point it pushes."""
    coarse, fine = (detent.move(heavy(first, n, speed)) for first, n in ((-17, 12), (173, 400)))
    before = [float(np.array(motion.forces["drive d"], dtype=float)[-2]) for motion in (coarse, fine)]
    assert before[0] < 0
    assert (before[1] > 0) == speed
    side = 1 if speed else -1
    assert coarse.force_peaks["drive d"]["toward"] == (side,)
    drawn: list[Any] = []
    monkeypatch.setattr(chart, "plot_scene", lambda panels, *_, **__: drawn.extend(panels))
    chart.chart_of_motion(heavy(-17, 12, speed), coarse)
    (panel,) = [panel for panel in drawn if panel.y.name == "drive"]
    assert [spot.y for spot in panel.spots] == [side * math.inf]


def test_forces_of_a_followed_contact_are_samples():
    """An eccentric of throw e lifts a flat follower: its torque is F(angle) e cos(angle)."""
    e, radius, k, mass, g = 8e-3, 20e-3, 400.0, 0.6, 9.81
    document: dict[str, Any] = {
        "units": "mm",
        "gravity": [0, -g],
        "parts": {
            "frame": {"fixed": True, "markers": {"A": [0, 0], "T": {"at": [5, 0], "along": [0, 1]}}},
            "cam": {"markers": {"A": [0, 0]}, "shape": {"circle": 20, "moves": [{"move": [8, 0]}]}},
            "follower": {
                "pose": {"at": [0, 28]},
                "markers": {"Q": {"at": [5, 0], "along": [0, 1]}},
                "shape": {"outline": [[-40, 0], [40, 0], [40, 5], [-40, 5]]},
                "mass": mass,
                "center": [0, 2.5],
                "inertia": 1e-3,
            },
        },
        "joints": {
            "A": {"type": "revolute", "between": ["frame.A", "cam.A"]},
            "T": {
                "type": "prismatic",
                "between": ["frame.T", "follower.Q"],
                "spring": {"stiffness": k, "rest": 5},
            },
        },
        "drives": {"m": {"joint": "A", "from_deg": 0, "to_deg": 360, "steps": 8}},
    }
    motion = detent.move(detent.from_dict(document), contact=True)
    angle = np.linspace(0, 2 * math.pi, 200001)
    most = np.max((mass * g + k * (radius + e * np.sin(angle) - 5e-3)) * e * np.cos(angle))
    peak = motion.force_peaks["drive m"]
    assert peak["most"] == pytest.approx(most, rel=1e-3)
    assert max(peak["most"], -peak["least"]) < most * (1 + 1e-6)
    assert peak["sampled"]
    line = next(line for line in motion.words.splitlines() if "drive m" in line)
    assert line.endswith("at its steps; between them it may be a little more")


def test_inertia_alone_is_about_a_fixed_pin_wherever_the_loop_is_cut():
    """The rocker's mass at its own pivot moves nothing: with and without it the run is the same."""
    other = {"mass": 0.3, "center": (2, 1), "inertia": 1e-3}
    made = linkage(FOUR_BAR, start={"A": {"speed_deg": 200}})
    for name in ("crank", "coupler"):
        for key, value in other.items():
            made = made.with_(f"parts.{name}.{key}", value)
    alone = made.with_("parts.rocker.inertia", 0.02)
    weighed = alone.with_("parts.rocker.mass", 5).with_("parts.rocker.center", [5, 0])
    runs = [detent.run(each, until=0.5) for each in (alone, weighed)]
    for joint in "ABCD":
        assert runs[0].states[joint] == pytest.approx(runs[1].states[joint], abs=1e-4)


def test_inertia_alone_of_a_part_on_no_fixed_pin_is_named_and_not_counted():
    drive = {"joint": "A", "from_deg": 0, "to_deg": 90, "steps": 9, "speed_deg": 900}
    without = linkage(FOUR_BAR, drives={"d": drive}).with_("parts.rocker.inertia", 0.02)
    given = without.with_("parts.coupler.inertia", 0.01)
    one, other = detent.move(without), detent.move(given)
    assert np.array_equal(np.array(one.forces["drive d"]), np.array(other.forces["drive d"]))
    assert "parts.coupler: its inertia (parts.coupler.mass is missing)" in other.scope.left_out
    assert any("rocker balanced about the pin" in word for word in other.scope.assumed)
    with pytest.raises(detent.ModelError, match=r"parts\.coupler\.mass: is missing: `inertia` alone"):
        detent.run(given.with_("parts.crank.inertia", 0.01), until=0.1)


@pytest.mark.parametrize("mass", [None, 0.8])
def test_gravity_that_finds_no_mass_is_named(mass: float | None):
    """An arm of 200 mm with 5 N at its tip: its torque is of the tip, and of its weight, if any."""
    arm: dict[str, Any] = {"markers": {"A": [0, 0], "B": [200, 0]}}
    arm |= {} if mass is None else {"mass": mass, "center": [100, 0]}
    document = {
        "units": "mm",
        "gravity": [0, -9.81],
        "parts": {"frame": {"fixed": True, "markers": {"A": [0, 0]}}, "arm": arm},
        "joints": {"A": {"type": "revolute", "between": ["frame.A", "arm.A"]}},
        "drives": {"turn": {"joint": "A", "from_deg": 0, "to_deg": 60, "steps": 6}},
        "ask": {"move": {"loads": {"arm.B": [0, -5]}}},
    }
    motion = detent.move(detent.from_dict(document))
    assert motion.force_peaks["drive turn"]["most"] == pytest.approx(5 * 0.2 + (mass or 0.0) * 9.81 * 0.1)
    named = [entry for entry in motion.scope.left_out if entry.startswith("gravity")]
    assert named == ([] if mass else ["gravity (the document gives no moving part a mass)"])
    still = detent.from_dict(document | {"gravity": [0, 0]})
    assert not [entry for entry in detent.move(still).scope.left_out if entry.startswith("gravity")]


@pytest.mark.parametrize("speed", [False, True])
def test_parts_without_mass_are_named_where_speed_asks_for_their_inertia(speed: bool):
    drive = {"joint": "A", "from_deg": 0, "to_deg": 60, "steps": 6} | ({"speed_deg": 90} if speed else {})
    machine = linkage(LINKS, drives={"d": drive}).with_("ask.move.loads", {"out.F": [1, 0]})
    assumed = detent.move(machine).scope.assumed
    names = "crank, coupler, rocker, link and out"
    assert (f"{names} without mass: the document gives none" in assumed) == speed
