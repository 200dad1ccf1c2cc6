"""Which working position is better for a mating: where the gripper's velocity departs least from free motion.

Meitinger & Pfeiffer, section 7, judge by the overshoot on entering and leaving. Here the largest deviation of
the velocity along the legs decides, from the same run without contact; one position is better than another,
and nothing says that it is the best there is. A search tries a bounded number of radii of the wrist from the
base's axis, its height and direction kept: first evenly, then about the best.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from msgspec import structs

from detent.foundation.errors import ModelError, UnsupportedError
from detent.foundation.progress import doing, reached
from detent.foundation.units import metres, unit_names
from detent.judge.led.answer import led_mating_of
from detent.library.puma560_reached import beyond_ranges, configuration_of
from detent.library.robot_in_document import RobotInDocument, robot_of
from detent.library.robots.elastic_arm import ElasticArm
from detent.model.document.mechanism import Mechanism
from detent.model.document.part import is_robot
from detent.motion.combined.method import Combined
from detent.motion.compliant.led.led_run import CoupledRun
from detent.motion.compliant.method import Compliant
from detent.motion.methods import method_of
from detent.motion.rigid.method import Rigid
from detent.numeric.roots import GOLDEN
from detent.record.led.mating import Deviation, LedMating
from detent.record.led.positions import BetterPosition, WorkingPosition
from detent.record.scope import Scope

CRITERION = (
    "the largest deviation of the gripper's velocity along the legs from the same run without contact, "
    "where rigid parts meet, entering and leaving"
)
TRIED = 12  # radii of a search, unless asked otherwise
MOST_TRIED = 200
_EVENLY = 2 / 3  # of the tries; the others close in on the best
_LEAST_RADIUS = 0.2  # [m] of a wrist
_GRID = 61  # radii at which reach is looked at


def compared(machines: Mapping[str, Mechanism]) -> tuple[BetterPosition, dict[str, LedMating]]:
    """Documents by name, each led at its own working position; with their matings."""
    matings = {}
    with doing("position"):
        for k, (name, mechanism) in enumerate(machines.items()):
            reached(k, len(machines))
            matings[name] = led(mechanism)
    positions = [_position(name, machines[name], mating) for name, mating in matings.items()]
    first = next(iter(matings.values()))
    return _better(positions, first, ""), matings


def led(mechanism: Mechanism) -> LedMating:
    """The mating of a document that a robot or a carrier leads; refused where none does."""
    by = method_of(mechanism, "mate")
    run = (Combined() if isinstance(by, Combined | Rigid) else Compliant()).predict(mechanism)
    if not isinstance(run.evidence, CoupledRun):
        problem = "nothing leads the part that legs push, so it has no working position"
        raise UnsupportedError(problem, "let a robot or a carrier hold it", "drives")
    return led_mating_of(run)


def searched(mechanism: Mechanism, tries: int = TRIED) -> BetterPosition:
    """The best of a bounded number of radii of a robot's wrist."""
    if not 3 <= tries <= MOST_TRIED:
        problem = f"{tries} positions are not a search"
        raise ModelError.at("search", problem, f"give a number from 3 to {MOST_TRIED}")
    robot = arm_that_leads(mechanism)
    radii = _reachable(mechanism, robot)
    unit = 1 / metres(mechanism.units)
    found: dict[float, WorkingPosition] = {}
    keep: list[LedMating] = []

    def look(radius: float) -> float:
        reached(len(found), tries)
        if radius not in found:
            name = f"radius {radius * unit:.4g}{unit_names(mechanism.units).length}"
            try:
                there = at_radius(mechanism, robot, radius)
                mating = led(there)
                keep.append(mating)
                found[radius] = _position(name, there, mating)
            except ModelError as error:
                found[radius] = _without(name, str(error.problems[0]))
        position = found[radius]
        return position.largest_deviation if _counts(position) else np.inf

    with doing("position"):
        even = np.linspace(radii[0], radii[-1], max(3, round(_EVENLY * tries)))
        values = [look(float(radius)) for radius in even]
        best = int(np.argmin(values))
        low, high = float(even[max(best - 1, 0)]), float(even[min(best + 1, len(even) - 1)])
        a, b = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
        while len(found) < tries:
            if look(a) <= (look(b) if len(found) < tries else np.inf):
                high, b = b, a
                a = high - GOLDEN * (high - low)
            else:
                low, a = a, b
                b = low + GOLDEN * (high - low)
    positions = [found[radius] for radius in sorted(found)]
    if not keep:
        raise ModelError.at("search", f"no position has an answer: {positions[0].why_not}", "look elsewhere")
    words = (
        f"{len(found)} radii of the wrist from {radii[0] * unit:.4g} to {radii[-1] * unit:.4g}"
        f"{unit_names(mechanism.units).length}, its height and direction kept, what it meets going along; "
        "between them nothing is known"
    )
    answer = _better(positions, keep[0], words)
    told = [each for each in positions if _counts(each)]
    if told and answer.better in (told[0].name, told[-1].name):
        note = (
            f"{answer.better} is at the end of what has an answer: a better one may lie in another direction"
        )
        answer = structs.replace(answer, notes=(*answer.notes, note))
    return answer


def at_radius(mechanism: Mechanism, robot: RobotInDocument, radius: float) -> Mechanism:
    """The same task with the wrist at another radius [m] of the same height and direction."""
    wrist = _wrist(robot)[:3, 3]
    across = np.hypot(wrist[0], wrist[1])
    return at_wrist(mechanism, robot, [*(wrist[:2] * radius / across), wrist[2]])


def at_wrist(mechanism: Mechanism, robot: RobotInDocument, wrist: Sequence[float]) -> Mechanism:
    """The same task with the wrist elsewhere in the robot's frame [m]; all that it meets goes along."""
    now, unit = _wrist(robot), metres(mechanism.units)
    assert robot.point is not None
    way = configuration_of(robot.point.angles)
    settings = dict(mechanism.parts[robot.name].set)
    for key in ("working_point", "working_point_deg"):
        settings.pop(key, None)
    settings |= {
        "wrist": [float(x) / unit for x in wrist],
        "tool_axis": now[:3, 2].tolist(),
        "across": now[:3, 1].tolist(),
        "shoulder": way.shoulder,
        "elbow": way.elbow,
        "hand": way.hand,
    }
    data: Any = mechanism.to_dict()
    data["parts"][robot.name]["set"] = settings
    shift = robot.base[:3, :3] @ (np.asarray(wrist, float) - now[:3, 3]) / unit
    for name, part in mechanism.parts.items():
        pose = data["parts"][name].get("pose")
        if name == robot.name or (part.pose is not None and part.pose.on is not None):
            continue
        at = [float(x) for x in (pose or {}).get("at", [0, 0, 0])]
        data["parts"][name]["pose"] = {**(pose or {}), "at": [*(np.array([*at, 0.0][:3]) + shift).tolist()]}
    from detent.model.reading import convert

    return convert.mechanism(data)


def _wrist(robot: RobotInDocument) -> Any:
    """(4, 4) of the flange in the robot's frame."""
    assert isinstance(robot.model, ElasticArm)
    return robot.model.arm.frames(robot.model.angles)[-1]


def arm_that_leads(mechanism: Mechanism) -> RobotInDocument:
    """The robot that leads, which must have working points to choose from."""
    pushed = [drive.part or (drive.marker or "").partition(".")[0] for drive in mechanism.drives.values()]
    names = [name for name in pushed if name in mechanism.parts and is_robot(mechanism.parts[name])]
    robot = robot_of(mechanism, names[0]) if names else None
    if robot is None or robot.point is None or not robot.point.as_controller:
        problem = "positions are searched for a PUMA 560 that leads along legs"
        raise UnsupportedError(problem, "compare two documents: --beside FILE", "search")
    return robot


def _reachable(mechanism: Mechanism, robot: RobotInDocument) -> list[float]:
    """Radii [m] at which the wrist can be, within the ranges of the joints; evenly looked at."""
    from detent.library.puma560_reached import NotReachedError, angles_reaching

    frame = _wrist(robot)
    assert robot.point is not None
    way, height = configuration_of(robot.point.angles), frame[2, 3]
    direction = frame[:2, 3] / np.hypot(*frame[:2, 3])
    found = []
    for radius in np.linspace(_LEAST_RADIUS, 0.95, _GRID):
        try:
            angles = angles_reaching([*(radius * direction), height], frame[:3, :3], way)
        except NotReachedError:
            continue
        if not beyond_ranges(angles):
            found.append(float(radius))
    if len(found) < 2:
        problem = "its wrist reaches no other radius at this height, in this direction"
        raise ModelError.at(f"parts.{robot.name}.set", problem, "give it another height")
    return found


def _counts(position: WorkingPosition) -> bool:
    return not position.why_not and position.answer == "yes"


def _position(name: str, mechanism: Mechanism, mating: LedMating) -> WorkingPosition:
    entering = [leg.entering for leg in mating.legs if leg.entering is not None]
    leaving = [leg.leaving for leg in mating.legs if leg.leaving is not None]
    dip_in, over_in = _worst(entering)
    dip_out, over_out = _worst(leaving)
    wrist = radius = None
    run = mating.run.evidence
    if run.leader.arm is not None:
        flange = run.leader.arm.arm.frames(run.leader.arm.angles)[-1][:3, 3] / metres(mechanism.units)
        x, y, z = flange.tolist()
        wrist, radius = (x, y, z), float(np.hypot(x, y))
    return WorkingPosition(
        name=name,
        largest_deviation=mating.largest_deviation,
        dip_entering=dip_in or 0.0,
        overshoot_entering=over_in or 0.0,
        dip_leaving=dip_out,
        overshoot_leaving=over_out,
        largest_of_any=max((each.largest_of_any for each in [*entering, *leaving]), default=0.0),
        peak_push=max(leg.force.peak for leg in mating.legs),
        lateral=max(leg.force.lateral for leg in mating.legs),
        answer=mating.insertion.answer,
        impact=max((each.change for leg in mating.legs for each in leg.impacts), key=abs, default=None),
        wrist=wrist,
        radius=radius,
    )


def _worst(phases: Sequence[Deviation]) -> tuple[float | None, float | None]:
    if not phases:
        return None, None
    return min(each.dip for each in phases), max(each.overshoot for each in phases)


def _without(name: str, why: str) -> WorkingPosition:
    return WorkingPosition(
        name=name, largest_deviation=0.0, dip_entering=0.0, overshoot_entering=0.0, dip_leaving=None,
        overshoot_leaving=None, largest_of_any=0.0, peak_push=0.0, lateral=0.0, answer="undecided",
        why_not=why,
    )  # fmt: skip


def _better(positions: list[WorkingPosition], first: LedMating, words: str) -> BetterPosition:
    ranked = sorted((each for each in positions if _counts(each)), key=lambda each: each.largest_deviation)
    better, ratio = None, None
    notes = []
    if len(ranked) > 1:
        best, next_best = ranked[:2]
        if best.largest_deviation < next_best.largest_deviation:
            better = best.name
            ratio = next_best.largest_deviation / best.largest_deviation if best.largest_deviation else None
            other = min(ranked, key=lambda each: each.largest_of_any)
            if other is not best:
                notes.append(f"counted in all directions {other.name} is disturbed least")
    elif ranked:
        better = ranked[0].name
    scope = first.scope
    return BetterPosition(
        positions=tuple(positions),
        better=better,
        ratio=ratio,
        criterion=CRITERION,
        searched=words,
        scope=Scope(
            certainty="sampled" if words else "computed",
            covers="of the positions that are listed, by this criterion alone; " + scope.covers,
            left_out=scope.left_out,
            assumed=scope.assumed,
        ),
        notes=tuple(notes),
        units=first.units,
    )
