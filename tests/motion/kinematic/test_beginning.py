"""Where a linkage begins: a first position out of reach, and a `start`."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import detent
from detent.app import main

POINTS = {
    "A": (0, 0),
    "B": (1.2, 0.5),
    "C": (4.1, 3),
    "D": (5, 0),
    "E": (3.3, 4.4),
    "F": (7, 3.6),
    "G": (8.5, 0.6),
}
LINKS = {"frame": "ADG", "crank": "AB", "coupler": "BCE", "rocker": "DC", "link": "EF", "out": "GF"}
PINS = {
    "A": ("frame", "crank"),
    "B": ("crank", "coupler"),
    "C": ("coupler", "rocker"),
    "D": ("frame", "rocker"),
    "E": ("coupler", "link"),
    "F": ("link", "out"),
    "G": ("frame", "out"),
}


def linkage(links: dict[str, str], **more: Any) -> detent.Mechanism:
    """Pins between links, drawn at their points."""
    parts: dict[str, Any] = {name: {"markers": {p: POINTS[p] for p in ps}} for name, ps in links.items()}
    parts["frame"]["fixed"] = True
    joints = {
        pin: {"type": "revolute", "between": [f"{part}.{pin}" for part in pair]}
        for pin, pair in PINS.items()
        if all(part in links and pin in links[part] for part in pair)
    }
    return detent.from_dict({"units": "in", "parts": parts, "joints": joints, **more})


FOUR_BAR = {"frame": "AD", "crank": "AB", "coupler": "BC", "rocker": "DC"}
CRANK = {"joint": "A", "from_deg": 0, "to_deg": 100, "steps": 20}


def least_of_out() -> float:
    """The least angle of the output link past its drawing [rad], by turning the crank in closed form."""

    def meet(p: complex, r: float, q: complex, s: float) -> complex:
        d = abs(q - p)
        along = (d * d + r * r - s * s) / (2 * d)
        return p + (q - p) / d * (along + 1j * math.sqrt(r * r - along * along))

    at = {name: complex(*point) for name, point in POINTS.items()}
    a, g, d = at["A"], at["G"], at["D"]
    shape = (at["E"] - at["B"]) / (at["C"] - at["B"])
    angles = []
    for turn in np.linspace(0.0, 1.0, 20001):  # from the drawing past where the output link turns back
        b = a + (at["B"] - a) * complex(math.cos(turn), math.sin(turn))
        c = meet(b, abs(at["C"] - at["B"]), d, abs(at["C"] - d))
        e = b + shape * (c - b)
        f = meet(e, abs(at["F"] - at["E"]), g, abs(at["F"] - g))
        angles.append(math.remainder(np.angle((f - g) / (at["F"] - g)), 2 * math.pi))
    return min(angles)


@pytest.mark.parametrize("drive", [(-40, -20), (-13, 7)])
def test_a_first_position_behind_a_limit_of_a_followed_path_is_not_reached(drive: tuple[float, float]):
    """The second drive could go on from where the linkage stands; it is its first position that is behind."""
    first, last = drive
    driven = {"joint": "G", "from_deg": first, "to_deg": last, "steps": 4}
    motion = detent.move(linkage(LINKS, drives={"d": driven}))
    least = least_of_out()
    assert math.radians(first) < least < 0
    assert len(motion.inputs) == 0
    assert motion.limits == pytest.approx([least], abs=1e-7)
    assert "moved      nowhere: the first position of d cannot be reached" in motion.words
    assert f"the way there ends at {math.degrees(least):.5f}" in motion.words
    begun = detent.move(linkage(LINKS, drives={"d": driven | {"from_deg": -3}}))
    assert len(begun.inputs) > 0
    assert "cannot be reached" not in begun.words


def test_a_start_chooses_the_assembly_and_says_so():
    """The other one mirrors the coupler and the rocker in the line from B to D."""
    plain = detent.move(linkage(FOUR_BAR, drives={"d": CRANK}))
    b, c, d = (complex(*POINTS[name]) for name in "BCD")
    mirrored = b + ((c - b) / (d - b)).conjugate() * (d - b)
    turned = np.angle((mirrored - d) / (c - d)) - np.angle((mirrored - b) / (c - b))
    started = detent.move(linkage(FOUR_BAR, drives={"d": CRANK}, start={"C": {"at": float(turned)}}))
    assert plain.markers["coupler.C"][0] == pytest.approx((c.real, c.imag))
    assert started.markers["coupler.C"][0] == pytest.approx((mirrored.real, mirrored.imag))
    assert "start (C) how its links are assembled" in started.words
    assert not any(word.startswith("start") for word in started.scope.left_out)
    assert "start" not in plain.words


def test_a_start_that_the_links_do_not_reach_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """D goes as far as crank and coupler in line let it; beyond that the start is wrong, not the drawing."""
    driven = {"joint": "D", "from_deg": 0, "to_deg": 1, "steps": 1}
    reach = detent.move(linkage(FOUR_BAR, drives={"d": driven})).range
    assert reach is not None
    for beyond, code in ((-0.01, 0), (0.01, 2)):
        file = tmp_path / f"start{code}.toml"
        start = {"D": {"at": reach["to"] + beyond}}
        detent.save(linkage(FOUR_BAR, drives={"d": CRANK}, start=start), file)
        for verb in ("move", "check"):
            assert main([verb, str(file)]) == code
            told = "".join(capsys.readouterr())
            assert ("start.D: D cannot start there" in told) == bool(code)
            assert "drawing closes" in told or not code
