"""A linkage in space moves as its twin in the plane: forces, loads, coordinates about its pins' axes."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import detent
from detent.app import main
from detent.motion import prepare

# Where x, y and z of the plane's twin lie in the document in space: about z, x and y.
WAYS = {"z": (0, 1, 2), "x": (1, 2, 0), "y": (2, 0, 1)}
POINTS = {"A": (0, 0), "B": (10, 20), "C": (50, 45), "D": (60, 0)}
PARTS = {"frame": "AD", "crank": "AB", "rod": "BC", "rocker": "DC"}
JOINTS = {"A": ("frame", "crank"), "B": ("crank", "rod"), "C": ("rod", "rocker"), "D": ("frame", "rocker")}
CENTRES = {"crank": (5, 10), "rod": (30, 33), "rocker": (54, 20)}


def in_space(way: str, vector: tuple[float, ...]) -> list[float]:
    made = [0.0, 0.0, 0.0]
    for k, value in zip(WAYS[way], vector, strict=False):
        made[k] = float(value)
    return made


def four_bar(way: str = "", *, down: str = "", speed: bool = True) -> dict[str, Any]:
    """In the plane, or in space about an axis; pins in `down` point against it."""

    def vector(*numbers: float) -> list[float]:
        return in_space(way, numbers) if way else [float(x) for x in numbers]

    def marker(point: str) -> Any:
        if not way:
            return vector(*POINTS[point])
        return {"at": vector(*POINTS[point]), "along": vector(0, 0, -1 if point in down else 1)}

    moments = {"principal": [1e-4, 1e-4, 1e-4]} if way else {"inertia": 1e-4}
    parts: dict[str, Any] = {
        name: {"markers": {point: marker(point) for point in points}} for name, points in PARTS.items()
    }
    parts["frame"]["fixed"] = True
    for name, centre in CENTRES.items():
        parts[name] |= {"mass": 0.4, "center": vector(*centre), **moments}
    joints: dict[str, Any] = {
        name: {"type": "revolute", "between": [f"{part}.{name}" for part in pair]}
        for name, pair in JOINTS.items()
    }
    joints["A"]["spring"] = {"stiffness": 0.2, "rest_deg": 30}  # wound up over more than one rotation
    drive = {"joint": "A", "from_deg": 0, "to_deg": 720, "steps": 24}
    return {
        "units": "mm",
        **({"dimension": 3} if way else {}),
        "gravity": vector(0, -9.81),
        "parts": parts,
        "joints": joints,
        "drives": {"m": drive | ({"speed_deg": 600} if speed else {})},
        "ask": {"move": {"loads": {"rocker.C": vector(3, -4)}}},
    }


@pytest.mark.parametrize("speed", [False, True])
@pytest.mark.parametrize("way", WAYS)
def test_forces_are_those_of_the_twin_in_the_plane(way: str, speed: bool):
    flat = detent.move(detent.from_dict(four_bar(speed=speed)))
    there = detent.move(detent.from_dict(four_bar(way, speed=speed)))
    for name, column in flat.forces.items():
        assert np.array(there.forces[name]) == pytest.approx(np.array(column), abs=1e-9)
    for name, peak in flat.force_peaks.items():
        assert there.force_peaks[name]["most"] == pytest.approx(peak["most"], rel=1e-6)
    assert "reactions out of the plane of motion" in there.scope.left_out
    assert "reactions out of the plane of motion" not in flat.scope.left_out


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("down", ["A", "D", "BC", "ABCD"])
def test_a_pin_that_points_down_counts_about_its_own_axis(way: str, down: str):
    """Signs of coordinates change with the axis; the machine and what joints carry stay."""
    flat = four_bar(speed=False)
    there = four_bar(way, down=down, speed=False)
    flip = -1 if "A" in down else 1
    there["drives"]["m"]["to_deg"] *= flip
    there["joints"]["A"]["spring"]["rest_deg"] *= flip
    limits = (-20.0, 14.0)  # of D about the axis of the twin: it comes to the upper one
    flat["joints"]["D"]["limits"] = dict(zip(("min_deg", "max_deg"), limits, strict=True))
    turned = sorted(-x for x in limits) if "D" in down else limits
    there["joints"]["D"]["limits"] = dict(zip(("min_deg", "max_deg"), turned, strict=True))
    one, other = (detent.move(detent.from_dict(each)) for each in (flat, there))
    assert one.stop == other.stop == "limit"
    assert flip * other.inputs == pytest.approx(one.inputs, abs=1e-12)
    assert other.markers["rod.C"] == pytest.approx(one.markers["rod.C"], abs=1e-9)
    for name, column in one.forces.items():
        sign = flip if name == "drive m" else 1
        assert sign * np.array(other.forces[name]) == pytest.approx(np.array(column), abs=1e-9)
    assert other.force_components == one.force_components


def test_a_driven_pin_goes_about_its_own_axis():
    """The rocker's range, by the law of cosines: crank and rod in line, stretched and folded."""
    crank, rod, rocker, ground = (math.dist(POINTS[a], POINTS[b]) for a, b in ("AB", "BC", "DC", "AD"))
    drawn = math.atan2(45, 50 - 60)
    ends = [
        math.pi - math.acos((ground**2 + rocker**2 - reach**2) / (2 * ground * rocker)) - drawn
        for reach in (rod + crank, rod - crank)
    ]
    for down, (low, high) in {"": ends, "D": [-x for x in reversed(ends)]}.items():
        document = four_bar("x", down=down, speed=False)
        document["drives"] = {"m": {"joint": "D", "from_deg": 0, "to_deg": 1, "steps": 1}}
        stretch = detent.move(detent.from_dict(document)).range
        assert stretch is not None
        assert (stretch["from"], stretch["to"]) == pytest.approx((low, high), abs=1e-9)


def test_a_part_that_is_turned_over_is_not_mirrored():
    document = four_bar("z")
    crank = document["parts"]["crank"]
    crank["pose"] = {"turn_deg": 180, "about": "x"}
    crank["markers"]["B"] = {"at": [10, -20, 0], "along": [0, 0, -1]}
    crank["markers"]["A"]["along"] = [0, 0, -1]
    crank["center"] = [5, -10, 0]
    one, other = (detent.move(detent.from_dict(each)) for each in (four_bar("z"), document))
    for name in ("crank.B", "rod.C"):
        assert other.markers[name] == pytest.approx(one.markers[name], abs=1e-9)
    assert other.forces["drive m"] == pytest.approx(one.forces["drive m"], abs=1e-9)


def test_a_load_of_the_command_line_is_in_the_axes_of_the_document(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    document = four_bar("x", speed=False)
    loads = document["ask"]["move"].pop("loads")
    file = tmp_path / "loaded.toml"
    detent.save(detent.from_dict(document), file)
    force = ",".join(f"{x:g}" for x in loads["rocker.C"])
    assert main(["move", str(file), "--load", f"rocker.C={force}"]) == 0
    told = capsys.readouterr().out
    document["ask"]["move"]["loads"] = loads
    written = detent.move(detent.from_dict(document)).words.splitlines()
    drive = [line for line in written if "drive m" in line]
    assert [line for line in told.splitlines() if "drive m" in line] == drive
    assert "have y as their x and z as their y" in told
    assert main(["move", str(file), "--load", "rocker.C=1"]) == 2
    assert "MARKER=FX,FY,FZ" in capsys.readouterr().err


@pytest.mark.parametrize(
    "ask", [prepare, lambda made: detent.move_designs([made])], ids=["prepare", "designs"]
)
def test_what_looks_along_z_alone_says_so_of_another_axis(ask: Any):
    with pytest.raises(detent.UnsupportedError, match=r"share the axis x, and here it is seen along z"):
        ask(detent.from_dict(four_bar("x", speed=False)))


@pytest.mark.parametrize("up", [1, -1])
def test_an_angle_is_held_about_its_own_axis(up: int):
    """A tray on a boom, kept at 20 degrees to the frame: to the left about z, to the right about -z."""

    def marker(x: float, y: float) -> Any:
        return {"at": [x, y, 0], "along": [0, 0, up]}

    document = {
        "dimension": 3,
        "parts": {
            "frame": {"fixed": True, "markers": {"A": marker(0, 0)}},
            "boom": {"markers": {"A": marker(0, 0), "B": marker(8, 6)}},
            "tray": {"pose": {"at": [8, 6, 0]}, "markers": {"B": marker(0, 0), "C": [3, 0, 0]}},
        },
        "joints": {
            "A": {"type": "revolute", "between": ["frame.A", "boom.A"]},
            "B": {"type": "revolute", "between": ["boom.B", "tray.B"]},
            "level": {"type": "angle", "between": ["frame.A", "tray.B"], "value_deg": 20},
        },
        "drives": {"d": {"joint": "A", "from_deg": 0, "to_deg": 10, "steps": 1}},
    }
    motion = detent.move(detent.from_dict(document))
    angle = math.radians(20 * up)
    arm = (3 * math.cos(angle), 3 * math.sin(angle))
    assert motion.markers["tray.C"] - motion.markers["tray.B"] == pytest.approx(np.array([arm, arm]))
