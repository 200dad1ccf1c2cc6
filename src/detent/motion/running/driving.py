"""What a document's drives mean over time: coordinates that follow a plan, or are pushed with a force.

A coordinate follows its plan in pieces of constant acceleration, from one to the next without a jump in
place; after the last it is held. A drive with `speed` alone turns its joint for ever.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from msgspec import structs

from detent.foundation.errors import UnsupportedError
from detent.mechanics.closing_rows import B_X, B_Y
from detent.mechanics.measured import (
    Measured,
    joint_coordinate,
    point_coordinates,
    tree_coordinate,
    values_of,
)
from detent.mechanics.tree_kernels import TORQUE
from detent.model.machine.timing import (
    durations,
    path_points,
    positions,
    refuse_too_many,
    sizes_of_speeds,
    speed_of,
)

if TYPE_CHECKING:
    from typing import Any

    from detent.mechanics.tree import Tree
    from detent.model.document.drive import Drive, Leg


class Piece(NamedTuple):
    """From a time on: where it is then, its speed, its acceleration."""

    since: float  # [s]
    value: float  # [rad, m]
    speed: float
    acceleration: float = 0.0


@dataclass(frozen=True)
class DrivenCoordinate:
    """A coordinate that follows a plan."""

    drive: str
    measured: Measured
    pieces: tuple[Piece, ...]
    joint: str | None = None  # that it is of; else it moves a part
    body: int = -1
    point: tuple[float, float] = (0.0, 0.0)  # of the body, in its frame
    axis: int = 0  # x, y, angle


@dataclass(frozen=True)
class Driven:
    """Drives of a run: coordinates that follow plans, and pushes by coordinate [N m, N]."""

    coordinates: tuple[DrivenCoordinate, ...]
    torques: Mapping[int, float]
    notes: tuple[str, ...]

    @property
    def settled(self) -> float:
        """[s] From when on nothing about them changes with time but the places of coordinates at a speed."""
        return max((each.pieces[-1].since for each in self.coordinates), default=0.0)

    def later(self, since: float) -> Driven:
        """The same drives, seen from a time that counts as zero."""
        if since == 0.0 or not self.coordinates:
            return self
        moved = tuple(replace(each, pieces=_later(each.pieces, since)) for each in self.coordinates)
        return replace(self, coordinates=moved)


def driven_of(tree: Tree, drives: Mapping[str, Drive], start: tuple[Any, Any]) -> Driven:
    """The drives of a run that starts at coordinates and speeds; UnsupportedError names one that says
    nothing over time.
    """
    coordinates: list[DrivenCoordinate] = []
    torques: dict[int, float] = {}
    notes: list[str] = []
    for name, drive in drives.items():
        at = f"drives.{name}"
        if drive.legs:
            coordinates += _in_legs(tree, name, drive, start)
        elif drive.part is not None:
            raise UnsupportedError("says nowhere to go", "add `legs`", at)
        elif drive.torque is not None:
            torques[_pushed_coordinate(tree, drive, at)] = float(drive.torque)
        elif drive.marker is not None:
            coordinates += _along_path(tree, name, drive)
        else:
            coordinates.append(_along_joint(tree, name, drive, drives, start))
        if coordinates and coordinates[-1].drive == name and _is_over(coordinates[-1].pieces):
            notes.append(f"{name} is held where it ends")
    _refuse_twice(coordinates)
    return Driven(tuple(coordinates), torques, (*notes, *sizes_of_speeds(drives)))


def _later(pieces: Sequence[Piece], since: float) -> tuple[Piece, ...]:
    """A plan from a time on: the piece that is under way then, and those that follow."""
    now = max((k for k, piece in enumerate(pieces) if piece.since <= since), default=0)
    first, *others = pieces[now:]
    gone = since - first.since
    place = first.value + first.speed * gone + 0.5 * first.acceleration * gone**2
    begun = Piece(0.0, place, first.speed + first.acceleration * gone, first.acceleration)
    return (begun, *(piece._replace(since=piece.since - since) for piece in others))


def _is_over(pieces: Sequence[Piece]) -> bool:
    return len(pieces) > 1 or pieces[-1].speed == 0.0


def _refuse_twice(coordinates: Sequence[DrivenCoordinate]) -> None:
    seen: dict[Measured, str] = {}
    for each in coordinates:
        if each.measured in seen:
            words = f"drives what {seen[each.measured]} drives already"
            raise UnsupportedError(words, "keep one of them", f"drives.{each.drive}")
        seen[each.measured] = each.drive


def _pushed_coordinate(tree: Tree, drive: Drive, at: str) -> int:
    if speed_of(drive) is not None or positions(drive, length=1.0, most=1):
        words = "gives a torque and where to go or how fast; over time a drive is one of them"
        raise UnsupportedError(words, "keep `torque`, or take it out", f"{at}.torque")
    if drive.joint not in tree.coordinates:
        words = f"pushes {drive.joint or drive.marker}, which has no coordinate here"
        raise UnsupportedError(words, f"push one of {', '.join(tree.coordinates)}", at)
    return tree.coordinates.index(str(drive.joint))


def _length(tree: Tree, joint: str) -> float:
    slides = tree.system.joint(joint).type.coordinate == "length"
    return tree.system.metres_per_unit if slides else 1.0


def _along_joint(
    tree: Tree, name: str, drive: Drive, drives: Mapping[str, Drive], start: tuple[Any, Any]
) -> DrivenCoordinate:
    """A joint at a speed, or through positions."""
    at, joint = f"drives.{name}", str(drive.joint)
    if joint not in tree.coordinates:
        words = f"drives {joint}, which has no coordinate here"
        raise UnsupportedError(words, f"drive one of {', '.join(tree.coordinates)}", f"{at}.joint")
    measured, length, speed = joint_coordinate(tree, joint), _length(tree, joint), speed_of(drive)
    even = speed is not None and drive.inputs is None and drive.inputs_deg is None
    if speed is None:
        _refuse_timeless(tree, name, drive, drives)
    points = positions(structs.replace(drive, steps=None) if even else drive, length=length)
    if not points:
        assert speed is not None
        (value, _), *_ = values_of(tree, [measured], *start)
        return DrivenCoordinate(name, measured, (Piece(0.0, value, speed * length),), joint)
    if speed == 0.0:
        raise UnsupportedError(
            "at no speed it never reaches its next position", "give a speed", f"{at}.speed"
        )
    if speed is None:
        times = _times_of_others(name, drives, len(points))
    else:
        times = [abs(b - a) / abs(speed * length) for a, b in pairwise(points)]
    return DrivenCoordinate(name, measured, _through(points, times), joint)


def _times_of_others(name: str, drives: Mapping[str, Drive], count: int) -> list[float]:
    """How long each step takes by drives that move together with this one, which has no speed."""
    paths = {}
    for other, drive in drives.items():
        points: tuple[tuple[float, ...], ...] = ()
        if drive.path is not None:
            points = path_points(drive)
        elif drive.joint is not None:
            points = tuple((x,) for x in positions(drive, length=1.0))
        if len(points) == count:
            paths[other] = points, speed_of(drive)
    times = durations(paths)
    if not times or not all(by for _, by in times):
        raise _unknown_speed(name)
    return [time for time, _ in times]


def _refuse_timeless(tree: Tree, name: str, drive: Drive, drives: Mapping[str, Drive]) -> None:
    """A drive without a speed, before its positions are made, which may be millions."""
    if not positions(drive, length=1.0, most=1):
        words = "says neither where to go nor how fast"
        raise UnsupportedError(words, "add `speed` or `torque`", f"drives.{name}")
    if all(speed_of(each) is None for each in drives.values()):
        raise _unknown_speed(name)
    refuse_too_many(tree.system.bodies[0].mechanism, drives)


def _unknown_speed(name: str) -> UnsupportedError:
    words = "gives positions, and a run needs to know how fast"
    return UnsupportedError(words, "add `speed` (per second), or `torque` instead", f"drives.{name}")


def _through(points: Sequence[float], times: Sequence[float]) -> tuple[Piece, ...]:
    """Through points at constant speeds, then held; pieces of one speed are one."""
    pieces: list[Piece] = []
    now = 0.0
    for (a, b), time in zip(pairwise(points), times, strict=True):
        if time > 0.0:
            speed = (b - a) / time
            if not pieces or abs(speed - pieces[-1].speed) > _SAME_SPEED * abs(speed):
                pieces.append(Piece(now, a, speed))
            now += time
    return (*pieces, Piece(now, points[-1], 0.0))


# Of a speed: evenly spaced positions are passed at one.
_SAME_SPEED = 1e-9


def _along_path(tree: Tree, name: str, drive: Drive) -> list[DrivenCoordinate]:
    """A marker along its path, at a speed: its part may turn about it."""
    at, unit, speed = f"drives.{name}", tree.system.metres_per_unit, speed_of(drive)
    if drive.path is None:
        raise UnsupportedError("says nowhere to go", "add `path` and `speed`, or `legs`", at)
    if speed is None or speed == 0.0:
        raise UnsupportedError(
            "gives positions, and a run needs to know how fast", "add `speed` (per second)", at
        )
    points = [(float(p[0]) * unit, float(p[1]) * unit) for p in drive.path]
    times = [math.dist(a, b) / abs(speed * unit) for a, b in pairwise(points)]
    fixed = [body for body, is_fixed in enumerate(tree.linkage.fixed) if is_fixed]
    if not fixed:
        words = "drives a marker, and no part is fixed against which it moves"
        raise UnsupportedError(words, "fix a part: `fixed = true`", at)
    both = point_coordinates(tree, tree.linkage.marks[str(drive.marker)], fixed[0])
    return [
        DrivenCoordinate(
            name,
            measured,
            _through([point[k] for point in points], times),
            body=measured.bodies[1],
            point=(measured.numbers[B_X], measured.numbers[B_Y]),
            axis=k,
        )
        for k, measured in enumerate(both)
    ]


def _in_legs(tree: Tree, name: str, drive: Drive, start: tuple[Any, Any]) -> list[DrivenCoordinate]:
    """A part pushed in legs: it does not turn."""
    at, turned = f"drives.{name}", 0.0
    part = drive.part
    if part is None:
        mark = tree.linkage.marks[str(drive.marker)]
        part = tree.system.bodies[mark.part].name
        turned = tree.linkage.drawn[mark.part][1] + mark.turn
    if f"{part}.x" not in tree.names:
        joint = next((link.joint for link in tree.links if tree.system.bodies[link.body].name == part), None)
        held = "is fixed" if joint is None else f"hangs on the joint {joint.name}"
        remedy = "drive a part that moves" if joint is None else f"drive {joint.name}, or take the joint out"
        raise UnsupportedError(f"pushes {part} along legs, which {held}", remedy, at)
    place = tree.names.index(f"{part}.x")
    measured = [tree_coordinate(place + k) for k in range(3)]
    values = [value for value, _ in values_of(tree, measured, *start)]
    moves = list(_moves(drive.legs, tree.system.metres_per_unit, turned))
    axes: list[list[Piece]] = [[], []]
    now, at_x, at_y = 0.0, values[0], values[1]
    for (dx, dy), profile in moves:
        for lasts, travelled, speed, gain in profile:
            for axis, direction, origin in ((0, dx, at_x), (1, dy, at_y)):
                axes[axis].append(
                    Piece(now, origin + direction * travelled, direction * speed, direction * gain)
                )
            now += lasts
        whole = _travel(profile)
        at_x, at_y = at_x + dx * whole, at_y + dy * whole
    plans = [
        (*axes[0], Piece(now, at_x, 0.0)),
        (*axes[1], Piece(now, at_y, 0.0)),
        (Piece(0.0, values[2], 0.0),),
    ]
    body = tree.system.index[part]
    return [
        DrivenCoordinate(name, each, tuple(plan), body=body, axis=axis)
        for axis, (each, plan) in enumerate(zip(measured, plans, strict=True))
    ]


Profile = list[tuple[float, float, float, float]]  # how long, travelled before, speed, acceleration


def _travel(profile: Profile) -> float:
    lasts, travelled, speed, gain = profile[-1]
    return travelled + speed * lasts + 0.5 * gain * lasts**2


def _moves(legs: Sequence[Leg], unit: float, turned: float) -> Iterator[tuple[tuple[float, float], Profile]]:
    """By leg: its direction in the world, and its speeds over time."""
    before: tuple[tuple[float, float], Profile] | None = None
    for leg in legs:
        if leg.back:
            assert before is not None  # `rules` refuse a first leg back
            (dx, dy), profile = before
            before = (-dx, -dy), profile
        else:
            assert leg.velocity is not None
            vx, vy = (float(c) * unit for c in leg.velocity[:2])
            speed, c, s = math.hypot(vx, vy), math.cos(turned), math.sin(turned)
            gain = None if leg.ramp is None else float(leg.ramp) * unit
            lasts = None if leg.for_ is None else float(leg.for_)
            distance = 0.0 if leg.distance is None else float(leg.distance) * unit
            before = (
                ((c * vx - s * vy) / speed, (s * vx + c * vy) / speed),
                _speeds(speed, lasts, distance, gain),
            )
        yield before


def _speeds(speed: float, lasts: float | None, distance: float, gain: float | None) -> Profile:
    """A leg's speeds: at once, or up and down at an acceleration, within its time or its distance."""
    if gain is None:
        return [(distance / speed if lasts is None else lasts, 0.0, speed, 0.0)]
    most = math.sqrt(distance * gain) if lasts is None else 0.5 * gain * lasts
    speed = min(speed, most)
    up = speed / gain
    even = max(0.0, (distance - speed * up) / speed if lasts is None else lasts - 2 * up)
    first, second = 0.5 * speed * up, 0.5 * speed * up + speed * even
    ramps = [(up, 0.0, 0.0, gain), (even, first, speed, 0.0), (up, second, speed, -gain)]
    return [ramp for ramp in ramps if ramp[0] > 0.0]


def pushed(tree: Tree, driven: Driven) -> Tree:
    """The tree with the torques and forces of its drives."""
    joints = tree.machine.joints.copy()
    for coordinate, torque in driven.torques.items():
        joints[coordinate, TORQUE] = torque
    return replace(tree, machine=tree.machine._replace(joints=joints))
