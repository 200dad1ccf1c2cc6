"""What drives command while contact is followed: coordinates of the tree, through positions or along legs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from detent.foundation.errors import ModelError, UnsupportedError
from detent.foundation.names import did_you_mean
from detent.mechanics.tree_kernels import DRAWN
from detent.model.machine.timing import durations, gives_torque, positions, problems, speed_of
from detent.motion.running.along import is_length

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from detent.mechanics.tree import Tree
    from detent.model.document.drive import Drive, Leg

    Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class DrivePlan:
    """Driven coordinates, in straight lines from one position to the next; pushes on others."""

    names: tuple[str, ...]  # of the drives that move something
    coordinates: tuple[int, ...]  # of the tree
    shown: tuple[str, ...]  # what each is called
    lengths: tuple[bool, ...]  # whether each is a length
    goals: Floats  # (positions, driven) [rad, m]
    torques: Mapping[int, float]  # by coordinate [N m, N]
    times: Floats | None = None  # when each position is reached [s], where drives have a speed

    def at(self, place: float) -> Floats:
        """Coordinates at a place: 2.5 is halfway from the third position to the fourth."""
        k = min(max(math.floor(place), 0), len(self.goals) - 2)
        begin, end = self.goals[k], self.goals[k + 1]
        return np.asarray(begin + (end - begin) * (place - k))

    def instants(self, places: Floats) -> Floats | None:
        """When places are reached, counted from the first position."""
        if self.times is None:
            return None
        return np.asarray(np.interp(places, np.arange(len(self.times), dtype=float), self.times))

    def rates(self, place: float) -> Floats:
        """Of the coordinates, per position, just after a place."""
        k = min(max(math.floor(place), 0), len(self.goals) - 2)
        return np.asarray(self.goals[k + 1] - self.goals[k])


def drive_plan(tree: Tree, drives: Mapping[str, Drive], start: Floats) -> DrivePlan:
    """The plan of the drives; coordinates that are not at their first position begin where they are."""
    wrong = problems(drives)
    if wrong:
        raise ModelError(*wrong)
    names: list[str] = []
    numbers: list[int] = []
    columns: list[Floats] = []
    torques: dict[int, float] = {}
    lasting: list[Sequence[float]] = []
    for name, drive in drives.items():
        at = f"drives.{name}"
        if drive.legs:
            found = _in_legs(tree, drive, at, start)
        elif drive.joint is None:
            problem = "a marker's path is followed by joints alone, not through contacts"
            raise UnsupportedError(problem, "drive a joint, or a part in legs", at)
        elif gives_torque(drive):
            torques[_coordinate(tree, drive, at)] = float(drive.torque or 0)
            continue
        else:
            found = {_coordinate(tree, drive, at): _positions(tree, drive, at)}
        twice = [tree.coordinates[k] for k in found if k in numbers]
        if twice:
            raise ModelError.at(at, f"drives {twice[0]}, which another drive moves", "keep one of them")
        names.append(name)
        numbers += found
        columns += found.values()
        lasting.append(_spans(tree, drive, list(found.values())))
    if not names:
        raise UnsupportedError(
            "nothing is driven through positions",
            "give a drive of a joint with `from`, `to` and `steps`, or --drive",
            "drives",
        )
    return replace(_plan(tree, names, numbers, columns, torques, start), times=_times(lasting))


def _plan(
    tree: Tree,
    names: Sequence[str],
    numbers: Sequence[int],
    columns: Sequence[Floats],
    torques: Mapping[int, float],
    start: Floats,
) -> DrivePlan:
    count = {len(column) for column in columns}
    if len(count) > 1:
        problem = f"drives that move together have different numbers of positions: {sorted(count)}"
        raise ModelError.at("drives", problem, "give all of them the same number")
    lengths = tuple(_is_length(tree, k) for k in numbers)
    single = list(names)
    shown = single if len(single) == len(numbers) else [tree.coordinates[k] for k in numbers]
    goals = np.array(columns, float).T
    if len(goals) == 1:
        goals = np.concatenate([goals, goals])
    return DrivePlan(tuple(names), tuple(numbers), tuple(shown), lengths, goals, torques)


def _spans(tree: Tree, drive: Drive, columns: Sequence[Floats]) -> Sequence[float]:
    """How long a drive takes from each position to the next [s]; 0 where it does not say."""
    points = tuple(map(tuple, np.array(columns, float).T.tolist()))
    if drive.legs:
        if any(leg.ramp for leg in drive.legs):
            return []
        lasts, last = [], 0.0
        for (a, b), leg in zip(pairwise(points), drive.legs, strict=True):
            if leg.velocity is not None:
                last = math.hypot(*map(float, leg.velocity[:2])) * tree.system.metres_per_unit
            lasts.append(math.dist(a, b) / last if last else 0.0)
        return lasts
    speed = speed_of(drive)
    length = isinstance(drive.joint, str) and _is_length(tree, tree.coordinates.index(drive.joint))
    scale = tree.system.metres_per_unit if length else 1.0
    return [span for span, _ in durations({"": (points, None if speed is None else speed * scale)})]


def _times(lasting: Sequence[Sequence[float]]) -> Floats | None:
    """When each position is reached, by the first drive that says how long; None where none does."""
    told = [spans for spans in lasting if any(spans)]
    if not told:
        return None
    spans = [next((each for each in row if each), 0.0) for row in zip(*told, strict=True)]
    return np.concatenate([[0.0], np.cumsum(spans)])


def _is_length(tree: Tree, coordinate: int) -> bool:
    return is_length(tree, tree.coordinates[coordinate])


def _coordinate(tree: Tree, drive: Drive, at: str) -> int:
    joint = str(drive.joint)
    if joint not in tree.coordinates:
        raise UnsupportedError(
            f"drives {joint}, which has no coordinate",
            did_you_mean(joint, tree.coordinates),
            f"{at}.joint",
        )
    return tree.coordinates.index(joint)


def _positions(tree: Tree, drive: Drive, at: str) -> Floats:
    length = tree.system.metres_per_unit if _is_length(tree, _coordinate(tree, drive, at)) else 1.0
    listed = positions(drive, length=length)
    if not listed:
        remedy = "add `from`, `to` and `steps`; `detent run` takes a speed"
        raise UnsupportedError("says not from where to where", remedy, at)
    return np.array(listed, float)


def _in_legs(tree: Tree, drive: Drive, at: str, start: Floats) -> dict[int, Floats]:
    """A part that no joint leads to, displaced along legs; it does not turn."""
    keys = [f"{drive.part}.{axis}" for axis in ("x", "y", "angle")]
    if keys[0] not in tree.names:
        problem = f"pushes {drive.part}, which hangs by a joint"
        raise UnsupportedError(problem, "drive that joint", f"{at}.part")
    numbers = [tree.names.index(key) for key in keys]
    here = start[numbers].copy()
    places = [here]
    steps: list[Any] = []
    for k, leg in enumerate(drive.legs):
        step = -steps[-1] if leg.back and steps else _step(tree, leg, f"{at}.legs[{k}]")
        steps.append(step)
        here = here + np.array([step[0], step[1], 0.0])
        places.append(here)
    return dict(zip(numbers, np.array(places).T, strict=True))


def _step(tree: Tree, leg: Leg, at: str) -> Floats:
    """How far a leg goes [m]."""
    if leg.velocity is None:
        raise ModelError.at(at, "has no velocity", "give `velocity`, and `for` or `distance`")
    velocity = np.array([float(x) for x in leg.velocity[:2]])
    if leg.for_ is not None:
        way = velocity * float(leg.for_)
    elif leg.distance is not None:
        way = velocity / np.hypot(*velocity) * float(leg.distance)
    else:
        raise ModelError.at(at, "does not say how far", "give `for` or `distance`")
    return np.asarray(way * tree.system.metres_per_unit)


def drawn_coordinates(tree: Tree) -> Floats:
    """All coordinates as drawn."""
    return np.array(tree.machine.joints[:, DRAWN], float)
