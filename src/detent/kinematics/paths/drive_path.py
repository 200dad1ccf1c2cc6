"""What is driven, through which positions, and when each is reached.

Several drives move together: they take their n-th positions at one instant, on a straight line from
each to the next. A `speed` gives each step between positions a duration, on which two drives must agree
(`model/machine/timing.py`). Without a speed derivatives are per unit of the one drive's coordinate, as the
document counts it, or per whole course where several move.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from detent.foundation.errors import ModelError, UnsupportedError
from detent.foundation.units import measured, unit_names
from detent.kinematics.equations.inputs import Input, joint_input, marker_inputs
from detent.kinematics.equations.rows import Floats
from detent.model.document.drive import Drive
from detent.model.document.mechanism import Mechanism
from detent.model.machine.plane_linkage import PlaneLinkage
from detent.model.machine.timing import durations, moving_drives, path_points, positions, problems, speed_of
from detent.numeric.angles import whole_turns

# Decimals, of the fastest input's rate, beyond which rates of two steps differ by rounding only.
RATE_DECIMALS = 12
# Of a linkage's size or a radian, and of a joint's limit: nearer than this to 0 or to the limit is there.
ROUNDING = 1e-11
AFTER = 1e-9  # of the whole path: how far just after a position is, more than rounding of places


@dataclass(frozen=True)
class DrivePath:
    """What is driven and through which coordinates: one row per position."""

    names: tuple[str, ...]  # of the drives
    inputs: tuple[Input, ...]
    goals: Floats  # (positions, inputs) [rad, m]
    rates: Floats  # (steps, inputs): of the inputs, by the parameter (time where a speed is given)
    times: Floats | None = None  # when each position is reached [s], where a speed is given

    def rates_from(self, position: int) -> Floats:
        """Rates up to the next position."""
        return np.asarray(self.rates[min(position, len(self.rates) - 1)])

    @property
    def rates_at_positions(self) -> Floats:
        """Rates at each position: those of the step that leads to it."""
        return self.rates_at(np.arange(float(len(self.goals))))

    def rates_at(self, places: Floats) -> Floats:
        """The same at places between positions (2.5: halfway from the third position to the fourth)."""
        steps = np.clip(np.ceil(places).astype(int) - 1, 0, len(self.rates) - 1)
        return np.asarray(self.rates[steps])

    def after_corners(self) -> Floats:
        """Places just after the positions at which rates change: there the next step's rates hold."""
        corners = np.flatnonzero(np.any(self.rates[1:] != self.rates[:-1], axis=1)) + 1
        return np.asarray(corners + AFTER * len(self.rates))

    def instants(self, inputs: Floats) -> Floats | None:
        """When each of these is reached: the first positions of the path, then at most one in between."""
        if self.times is None:
            return None
        count = min(len(inputs), len(self.goals))
        instants = self.times[:count].copy()
        if count > 1:
            before, step = self.goals[count - 2], self.goals[count - 1] - self.goals[count - 2]
            share = float((inputs[count - 1] - before) @ step / max(step @ step, np.finfo(float).tiny))
            if share < 1.0:
                instants[-1] = instants[-2] + share * (instants[-1] - instants[-2])
        return instants

    @property
    def coordinates(self) -> tuple[str, ...]:
        """What each input is: a drive, or x and y of a driven marker."""
        return tuple(i.name if i.held.mark is None else f"{i.name}.{'xy'[i.axis]}" for i in self.inputs)


def drive_path_of(
    mechanism: Mechanism, system: PlaneLinkage, drives: Mapping[str, Drive] | None = None
) -> DrivePath:
    """The drives of a document (or those given) as inputs and positions."""
    chosen = moving_drives(mechanism.drives if drives is None else drives)
    if not chosen:
        raise ModelError.at(
            "drives", "nothing is driven", "add a [drives.NAME] table with `joint`, `from`, `to` and `steps`"
        )
    inputs: list[Input] = []
    columns: list[tuple[float, ...]] = []
    speeds: dict[str, tuple[slice, float]] = {}
    for name, drive in chosen.items():
        drive_inputs, drive_goals, speed = _drive(name, drive, system)
        if speed is not None:
            speeds[name] = slice(len(inputs), len(inputs) + len(drive_inputs)), abs(speed)
        inputs += drive_inputs
        columns += drive_goals
    if wrong := problems(chosen):
        raise ModelError(*wrong)
    goals = np.array(columns, dtype=float).T
    times = _times(goals, speeds) if speeds else None
    units = np.array([item.unit(system) for item in inputs])
    return DrivePath(tuple(chosen), tuple(inputs), goals, _rates(goals, times, speeds, units), times)


def shown_inputs(system: PlaneLinkage, inputs: tuple[Input, ...], rows: Floats) -> Floats:
    """Inputs as the document counts them: numbers, or rows of them."""
    columns = [_without_rounding(system, item, column) for item, column in zip(inputs, rows.T, strict=True)]
    shown = np.column_stack(columns) / np.array([item.unit(system) for item in inputs])
    return np.asarray(shown[:, 0].copy() if len(inputs) == 1 else shown)


def _without_rounding(system: PlaneLinkage, item: Input, column: Floats) -> Floats:
    """Coordinates, where they differ from 0 or from a limit of their joint by rounding only, without it."""
    pair = None if item.held.mark is not None else system.pairs[item.held.pair]
    for exact in (0.0,) if pair is None else (0.0, pair.low, pair.high):
        if not math.isfinite(exact):
            continue
        there = exact if item.is_length else exact + whole_turns(column - exact)
        near = ROUNDING * (item.span(system) + abs(exact))
        column = np.where(np.abs(column - there) <= near, there, column)
    return column


def told_input(system: PlaneLinkage, inputs: tuple[Input, ...], row: Floats) -> str:
    """The first of a row of inputs in words."""
    unit = unit_names(system.units).length.strip() if inputs[0].is_length else "rad"
    return measured(float(shown_inputs(system, inputs, row[None]).reshape(-1)[0]), unit, 9)


def _times(goals: Floats, speeds: Mapping[str, tuple[slice, float]]) -> Floats:
    """When each position is reached, by the first drive on each step that has a speed and moves there."""
    steps = {
        name: (tuple(map(tuple, goals[:, columns].tolist())), speed)
        for name, (columns, speed) in speeds.items()
    }
    # A long path is then the sum of its steps to the last digit.
    spans = np.array([span for span, _ in durations(steps)], dtype=np.longdouble)
    return np.concatenate([[0.0], np.cumsum(spans)]).astype(np.float64)


def _rates(
    goals: Floats, times: Floats | None, speeds: Mapping[str, tuple[slice, float]], units: Floats
) -> Floats:
    """Of every input on every step; one that does not move has the rates of the next that does not."""
    steps = np.diff(goals, axis=0)
    if not len(steps):  # one position: as fast as each drive would pass it
        rates = units[None].copy() if times is None else np.zeros((1, goals.shape[1]))
        for columns, speed in speeds.values():
            rates[0, columns] = speed if columns.stop - columns.start == 1 else 0.0
        return rates
    if goals.shape[1] == 1:
        if times is None:
            return np.full_like(steps, units[0])
        ((_, speed),) = speeds.values()
        rates = np.sign(steps) * speed
    elif times is None:
        rates = len(steps) * steps
    else:
        spans = np.diff(times)[:, None]
        rates = np.divide(steps, spans, out=np.zeros_like(steps), where=spans > 0.0)
    for k in range(len(rates) - 2, -1, -1):
        if times is not None and not np.any(rates[k]):
            rates[k] = rates[k + 1]
    return _tidy(rates)


def _tidy(rates: Floats) -> Floats:
    """Rows that differ by rounding only made the same, so that a straight path has one rate."""
    size = float(np.abs(rates).max()) or 1.0
    _, first, which = np.unique(
        np.round(rates / size, RATE_DECIMALS), axis=0, return_index=True, return_inverse=True
    )
    return np.asarray(rates[first[which.reshape(-1)]])


def _drive(
    name: str, drive: Drive, system: PlaneLinkage
) -> tuple[list[Input], list[tuple[float, ...]], float | None]:
    speed = speed_of(drive)
    if drive.joint is not None:
        if drive.joint not in system.index:
            raise ModelError.at(
                f"drives.{name}.joint", f"the joint {drive.joint!r} holds nothing here", "drive another joint"
            )
        pair = system.pairs[system.index[drive.joint]]
        if pair.kind not in ("revolute", "prismatic"):
            raise ModelError.at(
                f"drives.{name}.joint",
                f"{pair.kind} holds what it is between and has no coordinate to drive",
                "drive a revolute or prismatic joint",
            )
        item = joint_input(system, name, system.index[drive.joint])
        length = item.unit(system)
        goals = positions(drive, length=length)
        if not goals:
            raise ModelError.at(
                f"drives.{name}", "it has no positions", "give `from`, `to` and `steps`, or `inputs`"
            )
        if speed is not None:
            speed *= length if drive.speed is not None else 1.0
        return [item], [goals], speed
    if drive.marker is not None and drive.path is not None:
        coordinates = list(zip(*path_points(drive, length=system.metres_per_unit), strict=True))
        pace = None if speed is None else speed * system.metres_per_unit
        return list(marker_inputs(name, system.marks[drive.marker])), coordinates, pace
    raise UnsupportedError(
        "this method drives joints, and markers along a path",
        "use `detent mate` for a part pushed in legs, or drive a joint",
        at=f"drives.{name}",
    )
