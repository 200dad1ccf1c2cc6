"""What acts on coordinates of joints in a run: drives, stops at limits, friction; as tables."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from detent.foundation.errors import ModelError, UnsupportedError
from detent.foundation.names import few
from detent.foundation.units import measured as told
from detent.foundation.units import unit_names
from detent.mechanics.measured import joint_coordinate, measured_tables
from detent.mechanics.newton_euler import MovingParts, reactions
from detent.mechanics.tree_columns import TURN, X, Y
from detent.mechanics.tree_kernels import place_tree, plane_state
from detent.motion.rigid import layout
from detent.motion.rigid.forces import prepare
from detent.motion.rigid.layout import view
from detent.motion.rigid.stops import stop_now
from detent.motion.rigid.tables import Acting
from detent.record.event import Event

if TYPE_CHECKING:
    from detent.mechanics.measured import Measured
    from detent.mechanics.tree import LoopTables, Tree
    from detent.model.document.mechanism import Mechanism
    from detent.model.machine.system import SystemJoint
    from detent.motion.rigid.layout import Blocks
    from detent.motion.running.driving import Driven
    from detent.record.event import EventKind

_NAMED = 4  # joints in words, at most
# Of the size: a start that is farther beyond a limit is not rounding.
_BEYOND = 1e-8


@dataclass(frozen=True)
class LimitStop:
    """One end of a joint's range."""

    joint: SystemJoint
    parts: tuple[str, str]
    upper: bool
    length: float  # [m] that turns an angle into a gap; 1 of a slide
    unit: str  # of its coordinate in the document
    per: float  # that unit in SI

    @property
    def name(self) -> str:
        return f"{self.joint.name}.{'max' if self.upper else 'min'}"

    @property
    def end(self) -> float:
        """[rad, m]"""
        return self.joint.high if self.upper else self.joint.low

    def event(self, time: float, impulse: float | None, *, ends: bool) -> Event:
        """The joint comes to it, with an impulse where it hits it, or leaves it."""
        return Event(
            time=time,
            kind="release" if ends else "limit",
            joint=self.joint.name,
            coordinate=self.end / self.per,
            coordinate_unit=self.unit,
            before=(self.name,) if ends else (),
            after=() if ends else (self.name,),
            subjects=self.parts,
            impulse=None if impulse is None else impulse * self.length,
        )


@dataclass(frozen=True)
class JointActions:
    """The tables, and what their rows stand for."""

    tables: Acting
    stops: tuple[LimitStop, ...]
    rubbing: tuple[SystemJoint, ...]
    rubbing_parts: tuple[tuple[str, str], ...]
    rubs_by: tuple[float, ...]  # what a unit along the row of a joint that rubs does to its coordinate


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
                stop = LimitStop(joint, _parts(tree, joint), upper, _lever(tree, joint), *_unit(tree, joint))
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
    signs = [joint_coordinate(tree, joint.name).sign for joint in rubbing]
    by = tuple(sign * float(row[1]) for sign, row in zip(signs, rubbing_rows, strict=True))
    return JointActions(tables, tuple(stops), rubbing, tuple(_parts(tree, joint) for joint in rubbing), by)


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


def _unit(tree: Tree, joint: SystemJoint) -> tuple[str, float]:
    """Of a joint's coordinate in the document, and in SI."""
    if joint.type.coordinate == "angle":
        return "rad", 1.0
    return unit_names(tree.system.mechanism.units).length.strip(), tree.system.metres_per_unit


def rubbing_event(actions: JointActions, number: int, kind: EventKind, time: float) -> Event:
    """A joint that rubs sticks, slides or slides back."""
    joint, parts = actions.rubbing[number], actions.rubbing_parts[number]
    name = f"{joint.name}.friction"
    return Event(time=time, kind=kind, joint=joint.name, before=(name,), after=(name,), subjects=parts)


def joints_left_out(tree: Tree, actions: JointActions) -> tuple[str, ...]:
    """What friction in joints leaves out."""
    words = []
    rubbing = {joint.name for joint in actions.rubbing}
    moving = [pair.name for pair in tree.linkage.pairs if pair.kind in ("revolute", "prismatic")]
    if moving and not rubbing:
        return ("friction in joints: not given",)
    if others := [name for name in moving if name not in rubbing]:
        words.append(f"friction in {few(others, _NAMED)}: not given")
    slides = [joint.name for joint in actions.rubbing if joint.type.coordinate == "length"]
    if slides:
        words.append(f"what the moment of a slide adds to its friction ({few(slides, _NAMED)})")
    if rubbing and tree.system.gravity[2:].any():
        loaded = [joint.name for joint in actions.rubbing]
        words.append(f"what weight across the plane of motion adds to friction in {few(loaded, _NAMED)}")
    gears = [pair.name for pair in tree.linkage.pairs if pair.kind == "gear"]
    if gears and rubbing:
        words.append(f"what teeth of {few(gears, _NAMED)} add to the load of pins that rub")
    return tuple(words)


def assumed(mechanism: Mechanism, actions: JointActions) -> list[str]:
    """What a run takes for granted of contacts and stops."""
    given = mechanism.touching
    pairs = [] if given is None else [given, *given.pairs.values()]
    missing = [
        words
        for key, words in (("friction", "without friction"), ("restitution", "without rebound"))
        if all(getattr(pair, key) is None for pair in pairs)
    ]
    words = [f"contacts {' and '.join(missing)}: not given"] if missing else []
    return [*words, "stops at limits of joints do not rebound"] if actions.stops else words


def refuse_open_loads(tree: Tree, actions: JointActions, driven: Driven, y: Any) -> None:
    """A joint that rubs by a load that statics leaves open is refused: so would be what the machine does."""
    if not (tree.closing and actions.rubbing):
        return
    state = plane_state(tree.machine)
    place_tree(tree.machine, y, np.zeros(tree.freedoms), state)
    poses = np.array([[[row[X], row[Y], row[TURN]] for row in state.bodies]])
    still = MovingParts(tree, poses, np.zeros(poses.shape[:2]), np.zeros_like(poses))
    names = [each.joint for each in driven.coordinates if each.joint is not None]
    found = reactions(still, {}, {}, names)
    for joint in actions.rubbing:
        if np.isnan(found[joint.name][:, :2]).any():
            raise UnsupportedError(
                "it rubs by a load that is not known: other joints can carry the same",
                "leave its friction out, or a joint that repeats others (`detent explain` names them)",
                f"joints.{joint.name}.friction",
            )


def _parts(tree: Tree, joint: SystemJoint) -> tuple[str, str]:
    first, second = (tree.system.bodies[end.body].name for end in (joint.a, joint.b))
    return first, second


def refuse_beyond(tree: Tree, stops: tuple[LimitStop, ...], blocks: Blocks) -> None:
    """A machine that begins beyond a limit is refused."""
    if not stops:
        return
    motion = view(blocks, layout.MOTION)
    prepare(*blocks, motion[layout.AT], motion[layout.MOVING])
    for k, stop in enumerate(stops):
        gap = float(stop_now(*blocks, k)[0])
        if gap >= -_BEYOND * tree.system.size:
            continue
        unit, per = stop.unit, stop.per
        value = stop.end + (-gap if stop.upper else gap) / stop.length
        raise ModelError.at(
            f"joints.{stop.joint.name}.limits",
            f"it begins at {told(value / per, unit)}, beyond its {'upper' if stop.upper else 'lower'} limit, "
            f"{told(stop.end / per, unit)}",
            "begin within the limits, as drawn or with `start`, or widen them",
        )
