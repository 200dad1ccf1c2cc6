"""Peaks at the end of a chamfer, and where a peg that is too large stops."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.optimize import fsolve

import detent
from detent.judge.pegs import exact_geometry, passage, theory

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


LARGE = {  # half width, offset, what stops it, depth of the middle of the tip
    "both on the chamfer": (7.85, 0.25, "both sides on the chamfer", -0.1),
    "mirrored": (7.85, -0.25, "both sides on the chamfer", -0.1),
    "larger": (8.75, 0.25, "both sides on the chamfer", -1.0),
    "as wide": (7.75, 0.25, "both sides on the chamfer, at its end", 0.0),
    "wider than the mouth": (9.1, 0.25, "stands on the face", -1.5),
    "in the middle": (7.85, 0.0, "both sides on the chamfer", -0.1),
}


@pytest.mark.parametrize("name", LARGE)
def test_a_peg_larger_than_its_hole_stops_where_chamfer_or_face_hold_it(name: str) -> None:
    """At 45 degrees the middle of its tip is above the rims by half the difference, or on the face."""
    half, off, why, middle = LARGE[name]
    mating = detent.mate(_peg(half, off))
    (leg,) = mating.legs
    assert (mating.insertion.answer, leg.end.cause) == ("no", "blocked")
    assert why in mating.insertion.why
    push = mating.columns()["push [N]"][-1]
    assert leg.end.travel == pytest.approx(5.5 + middle + 1e3 * push / 5e5, abs=1e-9)
    assert [event.kind for event in leg.events][:1] == ["contact"]
    assert "nothing jams" not in mating.words


@pytest.mark.parametrize("seed", range(6))
def test_a_large_peg_stops_where_the_exact_geometry_has_no_way_on(seed: int) -> None:
    """With errors of a thousandth of the peg, also of pegs that lean; one corner slides until then."""
    random = np.random.default_rng(seed)
    peg = theory.Peg(
        hole=10.0,
        clearance=-random.uniform(0.2, 2) * 1e-3,
        friction=random.uniform(0.05, 0.3),
        angle=math.radians(random.uniform(40, 65)),
        centre=random.uniform(30, 60),
        lateral=6.0,
        tilt=random.uniform(2e4, 6e4),
        error=random.uniform(-1, 1) * 1e-2,
        lean=random.uniform(-3, 3) * 1e-4,
    )
    way = passage.passage(peg, 10.0, width=1.0, above=1.0)
    assert [each.regime for each in way.stretches] == ["above", "chamfer", "both"]
    last = way.stretches[-1]
    stop = passage.pushes(peg, last.end, last.regime, last.side)
    shape = exact_geometry.PegOutline(peg, hole_chamfer=1.0)
    places = [
        stop.travel - 0.1,
        *np.linspace(way.stretches[1].begin - 0.002, stop.travel + 1e-3, 60).tolist(),
    ]
    exact = exact_geometry.exact_passage(shape, places)
    end = next(change for change in exact.changes if change.before)  # and then it tilts, if at all
    assert len(end.before) == 1
    assert end.advance == pytest.approx(stop.travel, abs=3e-6)
    assert end.along == pytest.approx(stop.along, rel=2e-3)
    assert end.lean == pytest.approx(stop.lean, abs=1e-7)


@pytest.mark.parametrize(("lean", "on_face"), [(-0.0012, True), (0.0, False)])
def test_a_large_peg_may_stop_with_its_other_side_on_the_face(lean: float, on_face: bool) -> None:
    """A peg of nearly the mouth's width that leans: its other corner comes down beside the mouth."""
    peg = theory.Peg(10.0, -0.099, 0.1, math.radians(45), 40.0, 600.0, 3e4, 0.005, lean)
    way = passage.passage(peg, 10.0, width=1.0, above=2.0)
    stop = passage.pushes(peg, way.end, "both", 1)
    aside = peg.error - peg.centre * peg.lean - stop.across / peg.lateral + peg.centre * stop.lean
    low = stop.travel + peg.radius * stop.lean
    assert (-aside - peg.play > 1.0, "on the face" in way.why) == (on_face, on_face)
    assert low == pytest.approx(-1.0 if on_face else -(-aside - peg.play), abs=1e-9)
