"""`limiting` stays at the last position that closes: what is told of the motion ends there.

A four-bar comes to a dead point between two positions. Its coupler point follows from the
cosine rule, its torque from virtual work.
"""

import math
from typing import Literal

import numpy as np
import pytest

import detent
from detent.motion import Kinematic
from detent.record import Motion

CRANK, COUPLER, ROCKER, GROUND = 60.0, 60.0, math.hypot(16.0, 84.0), 100.0
DRAWN = math.atan2(48.0, 36.0)
LOAD = (10.0, 0.0)
LAST = math.radians(70.0)  # the next position, 80°, is beyond the dead point at 76.0014°


def moved(breaking: Literal["limiting", "searching"]) -> Motion:
    marks = {"A": (0, 0), "B": (36, 48), "C": (84, 84), "D": (100, 0)}
    links = {"ground": "AD", "crank": "AB", "coupler": "BC", "rocker": "DC"}
    builder = detent.Builder(units="mm")
    for name, ends in links.items():
        builder = builder.part(name, fixed=name == "ground", markers={end: marks[end] for end in ends})
    for pin, (first, second) in {
        "A": ("ground", "crank"),
        "B": ("crank", "coupler"),
        "C": ("coupler", "rocker"),
        "D": ("ground", "rocker"),
    }.items():
        builder = builder.joint(pin, "revolute", f"{first}.{pin}", f"{second}.{pin}")
    machine = builder.drive("turn", joint="A", from_deg=0, to_deg=360, steps=36).build()
    machine = machine.with_("ask.move.loads", {"rocker.C": LOAD})
    return detent.move(machine, method=Kinematic(breaking=breaking))


def rocker_pin(turned: float) -> complex:
    """The pin between coupler and rocker, by the cosine rule, on the branch of the drawing."""
    crank = CRANK * np.exp(1j * (DRAWN + turned))
    way = GROUND - crank
    share = (abs(way) ** 2 + COUPLER**2 - ROCKER**2) / (2 * abs(way) * COUPLER)
    return complex(crank + COUPLER * way / abs(way) * np.exp(1j * math.acos(share)))


def torque(turned: float) -> float:
    """The drive's torque [N m]: what the load does per radian of the crank, taken back."""
    way = 1e-6
    rate = (rocker_pin(turned + way) - rocker_pin(turned - way)) / (2 * way)
    return -(LOAD[0] * rate.real + LOAD[1] * rate.imag) / 1000


def test_forces_and_turns_end_at_the_last_position() -> None:
    motion = moved("limiting")
    assert motion.inputs[-1] == pytest.approx(LAST)
    along = [torque(x) for x in np.linspace(0.0, LAST, 2001)]
    peak = motion.force_peaks["drive turn"]
    assert peak["most"] == pytest.approx(max(along), rel=1e-6)
    assert peak["least"] == pytest.approx(min(along), rel=1e-6)
    rocker = motion.extremes["turn rocker"]
    start, end = (np.angle(rocker_pin(x) - GROUND) for x in (0.0, LAST))
    assert rocker.greatest - rocker.least == pytest.approx(end - start)
    crank = motion.extremes["turn crank"]
    assert crank.greatest - crank.least == pytest.approx(LAST)
    reach = abs(GROUND - CRANK * np.exp(1j * (DRAWN + LAST)))
    between = math.acos((COUPLER**2 + ROCKER**2 - reach**2) / (2 * COUPLER * ROCKER))
    assert motion.extremes["transmission coupler, rocker"].least == pytest.approx(math.pi - between)
    assert "up to the last position before it" in motion.scope.covers


def test_at_the_limit_itself_forces_have_no_bound() -> None:
    motion = moved("searching")
    assert motion.force_peaks["drive turn"]["unbounded"]
    assert motion.extremes["transmission coupler, rocker"].least == 0.0
    assert "last position" not in motion.scope.covers


def test_what_ends_by_itself_is_told_alike() -> None:
    wide = detent.load("four_bar").with_("ask.move.loads", {"II.C": [0, -1]})
    one, other = (detent.move(wide, method=Kinematic(breaking=b)) for b in ("limiting", "searching"))
    assert one.words == other.words
