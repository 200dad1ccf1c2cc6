"""Peaks at the end of a chamfer, and where a peg that is too large stops."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.optimize import fsolve

import detent

PLATE = [[-40, -50], [40, -50], [40, 0], [-40, 0]]
BORE = [[-7.75, -60], [7.75, -60], [7.75, -1.5], [9.25, 0], [-9.25, 0], [-7.75, -1.5]]


def _peg(half: float, off: float = 0.25, turn: float = 0.0, **more: Any) -> detent.Mechanism:
    """Above a hole of 15.5 mm with 1.5 mm of chamfer at 45 degrees, 4 mm above its face; in mm."""
    at = [off - 34 * math.sin(turn), 34 * math.cos(turn)]
    outline = [[-half, 4], [half, 4], [half, 60], [-half, 60]]
    return detent.from_dict(
        {
            "units": "mm",
            "parts": {
                "carrier": {},
                "peg": {"shape": {"outline": outline}, "pose": {"at": [off, 0], "turn": turn}},
                "plate": {"fixed": True, "shape": {"difference": [{"outline": PLATE}, {"outline": BORE}]}},
            },
            "joints": {
                "grip": {
                    "type": "elastic",
                    "between": ["carrier", "peg"],
                    "at": at,
                    "stiffness": [12000, 5e5, 20],
                }
            },
            "drives": {"insert": {"part": "carrier", "legs": [{"velocity": [0, -5], "distance": 40}]}},
            "touching": {"friction": 0.2},
            **more,
        }
    )


def _corner_at_the_rim(x: float, turn: float) -> float:
    """F_z with the peg's right corner at the end of the chamfer, sliding: three equations without small
    angles.
    """
    friction, radius, hole, lateral, tilt, centre = 0.2, 7.72e-3, 7.75e-3, 12000, 20, 30e-3
    root = math.sqrt(0.5)

    def rest(unknown: Any) -> list[float]:
        u, more, force = unknown
        lean = turn + more
        along = radius * math.cos(lean) + centre * math.sin(lean)
        down = radius * math.sin(lean) - centre * math.cos(lean)
        push, lift = force * root * (friction - 1), force * root * (1 + friction)
        corner = 1e3 * (x + u + along - hole)
        return [corner, push - lateral * u, 10 * (along * lift - down * push - tilt * more)]

    _, _, force = fsolve(rest, [0, 0, 1.0], xtol=1e-13)
    return float(force * root * (1 + friction))


@pytest.mark.parametrize("turn", [0.0, math.radians(0.4)])
def test_the_peak_of_the_exact_geometry_is_at_the_end_of_the_chamfer(turn: float) -> None:
    """The corner's own equilibrium there, and not the last of some rows; a peg that leans in has it too."""
    machine = _peg(7.72, off=0.25, turn=turn)
    told = detent.explain(machine).pegs["peg"]
    centre = (told["eps0"] - 30 * math.sin(told["th0"])) / 1e3
    peak = _corner_at_the_rim(centre, told["th0"])
    (leg,) = detent.mate(machine).legs
    assert leg.force.peak_chamfer_exact == pytest.approx(-peak, rel=1e-6)
    assert told["exact_geometry"]["peak_chamfer"] == pytest.approx(peak, rel=1e-6)
    differs = float(told["scope"].covers.split("differs by up to ")[1].split(" %")[0])
    assert 100 * abs(peak / told["peak_chamfer"] - 1) <= differs * 1.05
