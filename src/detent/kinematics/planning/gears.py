"""Gears: a wheel's angle as a multiple of an input, or of an angle that the plan has placed.

A gear holds (angle of b - carrier) = ratio (angle of a - carrier) + offset. Where
one wheel's pivot is driven, the other's is driven as well, by a line in the
same input, through any train. Where all of a gear but one wheel on a pin is
placed, that wheel is a block of its own angle, and contraction goes on from it.
Other gears are equations of a block like any other.
"""

from __future__ import annotations

from detent.kinematics.equations.newton import radii
from detent.kinematics.equations.rows import Floats, coordinate
from detent.kinematics.planning.blocks import ClosureBlock, body_of, gear_equations, gear_parts
from detent.kinematics.planning.clusters import GROUND, ClusterEdge
from detent.kinematics.planning.contract import Contraction
from detent.kinematics.planning.program import ONE, ZERO
from detent.kinematics.planning.worklist import Step
from detent.model.machine.plane_linkage import PlaneJoint, PlaneLinkage

NO_INPUT = -1
NOTHING = 1e-12  # rotations per rotation of an input that are none


def driven_by_gears(
    system: PlaneLinkage, poses: Floats, drives: dict[str, tuple[int, float, float]]
) -> dict[str, str]:
    """Add to `drives` the pivots that gears drive; returns the gear of each."""
    used: dict[str, str] = {}
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
                drives[second.name] = _through(poses, drives[first.name], first, second, gear.ratio, gear)
            elif second.name in drives and first.name not in drives:
                back = 1.0 / gear.ratio
                drives[first.name] = _through(poses, drives[second.name], second, first, back, gear)
            else:
                continue
            used[next(reversed(drives))] = gear.name
            waiting.remove(gear)
            break
        else:
            rolled = next((g for g in waiting if _roll(system, poses, g, drives)), None)
            if rolled is None:
                return used
            used[next(reversed(drives))] = rolled.name
            waiting.remove(rolled)


def _roll(
    system: PlaneLinkage, poses: Floats, gear: PlaneJoint, drives: dict[str, tuple[int, float, float]]
) -> bool:
    """Drive the pin of a wheel that rolls on others whose angles are lines in one input."""
    lines = _lines(system, drives)
    known = {part: lines[part] for part in gear_parts(gear) if part in lines}
    sources = {source for source, slope in known.values() if slope}
    missing = set(gear_parts(gear)) - set(known)
    if len(missing) != 1 or len(sources) != 1 or missing == {gear.carrier}:
        return False
    (wheel,), (source,) = missing, sources
    about = known[gear.carrier][1] if gear.carrier >= 0 else 0.0
    if wheel == gear.b.part:
        slope = about + gear.ratio * (known[gear.a.part][1] - about)
    else:
        slope = about + (known[gear.b.part][1] - about) / gear.ratio
    for pin in system.pairs:
        ends = (pin.a.part, pin.b.part)
        if pin.kind != "revolute" or pin.name in drives or wheel not in ends:
            continue
        other = ends[0] if wheel == ends[1] else ends[1]
        if other not in lines or lines[other][0] not in (source, NO_INPUT):
            continue
        past = (slope - lines[other][1]) * (1.0 if wheel == pin.b.part else -1.0)
        if abs(past) <= NOTHING:
            return False
        drives[pin.name] = (
            source,
            past,
            coordinate(pin, poses) - past * _drawn(system, poses, drives, source),
        )
        return True
    return False


def _lines(system: PlaneLinkage, drives: dict[str, tuple[int, float, float]]) -> dict[int, tuple[int, float]]:
    """Parts whose angle is a line in one input: the input and its slope; of a fixed part none, and zero."""
    lines = {part: (NO_INPUT, 0.0) for part, fixed in enumerate(system.fixed) if fixed}
    pins = [pair for pair in system.pairs if pair.name in drives and pair.kind == "revolute"]
    while True:
        for pin in pins:
            ends = (pin.a.part, pin.b.part)
            if (ends[0] in lines) == (ends[1] in lines):
                continue
            sense, base, part = (1.0, *ends) if ends[0] in lines else (-1.0, ends[1], ends[0])
            source, slope, _ = drives[pin.name]
            if lines[base][0] in (source, NO_INPUT):
                lines[part] = (source, lines[base][1] + sense * slope)
                break
        else:
            return lines


def _drawn(
    system: PlaneLinkage, poses: Floats, drives: dict[str, tuple[int, float, float]], source: int
) -> float:
    """An input as drawn, from a pin that it drives."""
    pin = next(p for p in system.pairs if p.name in drives and drives[p.name][0] == source)
    _, slope, offset = drives[pin.name]
    return (coordinate(pin, poses) - offset) / slope


def next_wheel(work: Contraction) -> tuple[ClosureBlock, ClusterEdge] | None:
    """The block of a wheel whose angle a gear now gives, and its pin; None without one."""
    clusters = work.clusters
    for gear in work.gears:
        open_ = {clusters.cluster[part] for part in gear_parts(gear)} - {GROUND}
        if len(open_) != 1:
            continue
        wheel = next(iter(open_))
        pin = next((e for e in clusters.edges(GROUND, wheel) if e.kind == "revolute"), None)
        if pin is not None:
            work.gears = [other for other in work.gears if other is not gear]
            return _wheel(work, gear, wheel, pin), pin
    return None


def _wheel(work: Contraction, gear: PlaneJoint, wheel: int, pin: ClusterEdge) -> ClosureBlock:
    body, start, _ = body_of(work, wheel)
    reach = radii(work.clusters.system)[work.clusters.root[wheel]]
    block = ClosureBlock([wheel], [body], [reach], [], [], start)
    block.write(gear_equations(work, block, gear, {wheel: 0}))
    parts = work.names(wheel)
    others = ", ".join(work.clusters.system.parts[part] for part in gear_parts(gear)[:2])
    work.steps.append(Step(f"{gear.name} gears {others}: it gives the angle at {pin.name}", parts, 1))
    return block


def place_wheel(work: Contraction, block: ClosureBlock, pin: ClusterEdge) -> None:
    """Fix what a wheel's block rotates; its operations read the solved block, so they come after it."""
    (wheel,), body = block.clusters, block.bodies[0]
    work.consume(GROUND, wheel, (pin,))
    work.attach(GROUND, wheel, body[2], ZERO, body[3], ZERO, ZERO, ONE)
    near = pin.b if work.clusters.of(pin.a) == GROUND else pin.a
    work.clusters.remember(near, body[4])
    work.settle(GROUND)


def _pivot(system: PlaneLinkage, gear: PlaneJoint, wheel: int) -> PlaneJoint | None:
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
    poses: Floats,
    known: tuple[int, float, float],
    driver: PlaneJoint,
    driven: PlaneJoint,
    ratio: float,
    gear: PlaneJoint,
) -> tuple[int, float, float]:
    """coordinate of the driven pivot = slope input + offset, through its value as drawn."""
    wheels = {gear.a.part, gear.b.part}
    sense = [1.0 if pivot.b.part in wheels else -1.0 for pivot in (driver, driven)]
    source, slope, offset = known
    slope_out = ratio * slope * sense[0] * sense[1]
    start = coordinate(driver, poses)
    input_then = (start - offset) / slope
    return source, slope_out, coordinate(driven, poses) - slope_out * input_then
