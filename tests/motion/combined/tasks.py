"""A mass on springs with a ring before its bore, and a rigid bolt before a hole or a floor."""

from __future__ import annotations

from typing import Any

from detent.model.document import Mechanism
from detent.model.reading import convert
from tests.motion.led.tasks import on_carrier


def _with_bolt(document: dict[str, Any], bolt: dict[str, Any], before: dict[str, Any]) -> Mechanism:
    """The bolt takes half a kilogram of the mass; what it meets stands still."""
    document["parts"]["carrier"]["set"]["mass"] -= 0.5
    document["parts"] |= {
        "bolt": {"shape": bolt, "mass": 0.5, "center": [0, 0, 0], "principal": [1e-9, 1e-9, 1e-9]},
        "socket": {"fixed": True, "shape": before},
    }
    document["joints"]["grip"] = {"type": "fixed", "between": ["carrier.flange", "bolt"]}
    return convert.mechanism(document)


def beside_a_hole(hole: float, **ask: Any) -> Mechanism:
    """A bolt 20 mm wide 90 mm beside the ring, before a hole of that width [mm]."""
    bolt = {"block": [20, 20, 30], "moves": [{"move": [80, -10, -30]}]}
    plate = {"block": [60, 60, 80], "moves": [{"move": [60, -30, 5]}]}
    cut = {"block": [hole, hole, 90], "moves": [{"move": [90 - hole / 2, -hole / 2, 0]}]}
    return _with_bolt(on_carrier(**ask), bolt, {"difference": [plate, cut]})


def before_a_floor(travel: float, **ask: Any) -> Mechanism:
    """A bolt on the axis ahead of the ring, that far [mm] before a floor behind the bore."""
    bolt = {"block": [10, 10, 30], "moves": [{"move": [-5, -5, 20]}]}
    floor = {"block": [60, 60, 10], "moves": [{"move": [-30, -30, 50 + travel]}]}
    return _with_bolt(on_carrier(**ask), bolt, floor)
