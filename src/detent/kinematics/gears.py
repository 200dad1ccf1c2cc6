"""Gears that follow a drive: a wheel's turn as a multiple of an input.

A gear holds (turn of b - carrier) = ratio (turn of a - carrier) + offset. Where
one wheel's pivot is driven, the other's is driven as well, by a line in the
same input, through any train; other gears are equations like any other.
"""

from __future__ import annotations

from collections.abc import Sequence

from detent.kinematics.rows import Floats, coordinate
from detent.model.system import Pair, System


def driven_by_gears(
    system: System, poses: Floats, drives: dict[str, tuple[int, float, float]], inputs: Sequence[float]
) -> set[str]:
    """Add to `drives` the pivots that gears drive; returns the gears so used."""
    used: set[str] = set()
    waiting = [p for p in system.pairs if p.kind == "gear" and p.ratio]
    while True:
        for gear in waiting:
            pivots = [_pivot(system, gear, wheel) for wheel in (gear.a.part, gear.b.part)]
            if None in pivots:
                continue
            first, second = pivots
            assert first is not None
            assert second is not None
            if first.name in drives and second.name not in drives:
                drives[second.name] = _through(
                    system, poses, drives[first.name], first, second, gear.ratio, gear
                )
            elif second.name in drives and first.name not in drives:
                back = 1.0 / gear.ratio
                drives[first.name] = _through(system, poses, drives[second.name], second, first, back, gear)
            else:
                continue
            used.add(gear.name)
            waiting.remove(gear)
            break
        else:
            return used


def _pivot(system: System, gear: Pair, wheel: int) -> Pair | None:
    """The pin that holds a wheel to the gear's carrier."""
    for pair in system.pairs:
        ends = {pair.a.part, pair.b.part}
        if pair.kind != "revolute" or wheel not in ends:
            continue
        other = next(iter(ends - {wheel}))
        if other == gear.carrier or (gear.carrier < 0 and system.fixed[other]):
            return pair
    return None


def _through(
    system: System,
    poses: Floats,
    known: tuple[int, float, float],
    driver: Pair,
    driven: Pair,
    ratio: float,
    gear: Pair,
) -> tuple[int, float, float]:
    """coordinate of the driven pivot = slope input + offset, through its value as drawn."""
    wheels = {gear.a.part, gear.b.part}
    sense = [1.0 if pivot.b.part in wheels else -1.0 for pivot in (driver, driven)]
    source, slope, offset = known
    slope_out = ratio * slope * sense[0] * sense[1]
    start = coordinate(system, driver, poses)
    input_then = (start - offset) / slope
    return source, slope_out, coordinate(system, driven, poses) - slope_out * input_then
