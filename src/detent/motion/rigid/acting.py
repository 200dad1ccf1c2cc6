"""What acts on coordinates of joints in a run: drives, stops at limits, friction; as tables."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from detent.foundation.errors import ModelError
from detent.foundation.units import measured as told
from detent.foundation.units import unit_names
from detent.mechanics.measured import joint_coordinate, measured_tables
from detent.motion.rigid.stops import stop_now
from detent.motion.rigid.tables import Acting

if TYPE_CHECKING:
    from detent.mechanics.measured import Measured
    from detent.mechanics.tree import LoopTables, Tree
    from detent.model.machine.system import SystemJoint
    from detent.motion.rigid.layout import Blocks
    from detent.motion.running.driving import Driven

# Of the size: a start that is farther beyond a limit is not rounding.
_BEYOND = 1e-8


@dataclass(frozen=True)
class LimitStop:
    """One end of a joint's range."""

    joint: SystemJoint
    parts: tuple[str, str]
    upper: bool
    length: float  # [m] that turns an angle into a gap; 1 of a slide

    @property
    def name(self) -> str:
        return f"{self.joint.name}.{'max' if self.upper else 'min'}"

    @property
    def end(self) -> float:
        """[rad, m]"""
        return self.joint.high if self.upper else self.joint.low


@dataclass(frozen=True)
class JointActions:
    """The tables, and what their rows stand for."""

    tables: Acting
    stops: tuple[LimitStop, ...]
    rubbing: tuple[SystemJoint, ...]


def actions_on(tree: Tree, loops: LoopTables, driven: Driven) -> JointActions:
    """All that acts on coordinates of a machine's joints."""
    measured: list[Measured] = []

    def number_of(each: Measured) -> int:
        if each not in measured:
            measured.append(each)
        return measured.index(each)

    pieces = []
    for d, coordinate in enumerate(driven.coordinates):
        number, sign = number_of(coordinate.measured), coordinate.measured.sign
        pieces += [
            (d, number, p.since, sign * p.value, sign * p.speed, sign * p.acceleration)
            for p in coordinate.pieces
        ]
    moving = {pair.name for pair in tree.linkage.pairs}
    joints = [joint for joint in tree.system.joints if joint.name in moving]
    stops, stop_rows = [], []
    for joint in joints:
        for upper, end in ((False, joint.low), (True, joint.high)):
            if math.isfinite(end):
                stop = LimitStop(joint, _parts(tree, joint), upper, _lever(tree, joint))
                coordinate_ = joint_coordinate(tree, joint.name)
                factor = coordinate_.sign * stop.length * (-1.0 if upper else 1.0)
                stops.append(stop)
                stop_rows.append((number_of(coordinate_), factor, coordinate_.sign * end))
    rubbing = tuple(joint for joint in joints if joint.rubs > 0.0)
    rubbing_rows = [_rubbing_row(tree, loops, joint, number_of) for joint in rubbing]
    tables = Acting(
        measured_tables(measured),
        np.array(sorted(pieces, key=lambda piece: piece[2]), float).reshape(-1, 6),
        np.array(stop_rows, float).reshape(-1, 3),
        np.array(rubbing_rows, float).reshape(-1, 5),
    )
    return JointActions(tables, tuple(stops), rubbing)


def _rubbing_row(
    tree: Tree, loops: LoopTables, joint: SystemJoint, number_of: Callable[[Measured], int]
) -> tuple[float, ...]:
    lever = _lever(tree, joint)
    links = [
        k for k, link in enumerate(tree.links) if link.joint is not None and link.joint.name == joint.name
    ]
    return (
        number_of(joint_coordinate(tree, joint.name)),
        lever,
        joint.rubs / lever,
        links[0] if links else -1,
        -1 if links else loops.first[joint.name],
    )


def _lever(tree: Tree, joint: SystemJoint) -> float:
    """[m] What makes an angle a length, so that gaps and speeds compare: the machine's size."""
    return tree.system.size if joint.type.coordinate == "angle" else 1.0


def _parts(tree: Tree, joint: SystemJoint) -> tuple[str, str]:
    first, second = (tree.system.bodies[end.body].name for end in (joint.a, joint.b))
    return first, second


def refuse_beyond(tree: Tree, stops: tuple[LimitStop, ...], blocks: Blocks) -> None:
    """A machine that begins beyond a limit is refused."""
    for k, stop in enumerate(stops):
        gap = float(stop_now(*blocks, k)[0])
        if gap >= -_BEYOND * tree.system.size:
            continue
        turns = stop.joint.type.coordinate == "angle"
        unit = "rad" if turns else unit_names(tree.system.mechanism.units).length.strip()
        per = 1.0 if turns else tree.system.metres_per_unit
        value = stop.end + (-gap if stop.upper else gap) / stop.length
        raise ModelError.at(
            f"joints.{stop.joint.name}.limits",
            f"it begins at {told(value / per, unit)}, beyond its {'upper' if stop.upper else 'lower'} limit, "
            f"{told(stop.end / per, unit)}",
            "begin within the limits, as drawn or with `start`, or widen them",
        )
