"""A joint given by hand beside what the shapes say: it wins, and the difference is told."""

from __future__ import annotations

import numpy as np

from detent.infer.faces import unit
from detent.infer.found import InferredPair
from detent.infer.gears import GearPair
from detent.infer.pair import LowerPair, degrees_between
from detent.infer.solids import MachineSolids

_DEGREES = 1e-3
_OFF = 1e-6  # of the size


def compared(
    given: InferredPair, pair: LowerPair | None, gear: GearPair | None, machine: MachineSolids
) -> str:
    """ "agrees", how the shapes differ, or empty where they say nothing."""
    if given.type == "gear":
        return _gear(given, gear)
    if pair is None or pair.kind in ("none", "other", "planar"):
        return ""
    if pair.kind != given.type and not (
        given.type in ("revolute", "prismatic") and pair.kind == "cylindrical"
    ):
        return f"the shapes make it {pair.kind}"
    if (
        given.direction is not None
        and pair.direction is not None
        and not (machine.flat and given.type == "revolute")
    ):
        angle = degrees_between(given.direction, pair.direction)
        if angle > _DEGREES:
            return f"the shapes turn its axis by {angle:.3g} deg"
    if given.type == "revolute" and given.point is not None and pair.point is not None:
        along = np.array([0.0, 0.0, 1.0]) if pair.direction is None else unit(pair.direction)
        off = np.array([float(a - b) for a, b in zip(given.point, pair.point, strict=True)])
        away = float(np.linalg.norm(off - (off @ along) * along))
        if away > _OFF * machine.size + pair.play:
            return f"the shapes place its axis {away:.3g} off"
    return "agrees"


def _gear(given: InferredPair, gear: GearPair | None) -> str:
    if gear is None or given.ratio is None:
        return ""
    ratio = gear.ratio if gear.parts == given.parts else 1 / gear.ratio
    if ratio == given.ratio:
        return "agrees"
    return f"the shapes give a ratio of {ratio if ratio.denominator < 1000 else float(ratio)}"
