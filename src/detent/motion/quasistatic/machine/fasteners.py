"""A document as a fastener: a driven root, its pawls, and what they may touch.

Everything is exact and in document units. A pawl is kept as it lies at rest,
relative to its hinge; a rest angle other than zero turns it there by a rational
rotation first. What the method leaves out is said in `notes`, and what it
cannot do is refused with the name of the one that can.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from detent.foundation.errors import ModelError, UnsupportedError
from detent.foundation.units import METRES, UnitNames, unit_names
from detent.geometry.exact.polygon import ExactLeaf, inside
from detent.geometry.exact.union import joined, joined_by
from detent.geometry.frame import Frame, shift
from detent.mechanics.springs import LinearSpring, TorqueTable, both_ways
from detent.model.document.drive import Leg
from detent.model.document.joint import Joint, Spring
from detent.model.document.mechanism import Mechanism
from detent.model.machine.graph import part_of, parts_of
from detent.model.machine.placed import PlacedJoint, place
from detent.model.machine.poses import windings
from detent.model.machine.starts import refuse_free_starts, start_by_joint
from detent.model.machine.touching import TouchingPairs
from detent.motion.quasistatic.machine.angle import (
    Angle,
    WrittenAngle,
    angle_of,
    approximation,
    rational,
    rotation,
    written,
)
from detent.motion.quasistatic.machine.limits import AngleLimit
from detent.motion.quasistatic.machine.polygons import leaves_of, refuse_lost
from detent.motion.quasistatic.machine.remedies import LOOSE_PART, not_hinged, off_the_root
from detent.numeric.rational import flint_of

Point = tuple[Fraction, Fraction]
MOST_ROTATIONS = 1_000  # between drawing and rest


@dataclass(frozen=True)
class Pawl:
    """One hinged part, at rest, its vertices relative to the hinge."""

    part: str
    joint: str
    leaves: tuple[ExactLeaf, ...]
    hinge: tuple[Any, Any]
    obstacles: tuple[tuple[ExactLeaf, Any], ...]
    spring: LinearSpring | TorqueTable  # on its angle from rest
    sense: int  # of the joint's coordinate against a counter-clockwise rotation
    rest: float  # the joint's coordinate there [rad]
    start: Angle  # from rest
    drawn: float  # angle from rest at which it is drawn [rad]
    closing: tuple[float, float]  # the shift of its drawing that closes the hinge
    limits: tuple[AngleLimit, ...]


@dataclass(frozen=True)
class Fastener:
    root: str
    origin: tuple[float, float]  # of the root's frame, as drawn
    root_leaves: tuple[ExactLeaf, ...]
    root_obstacles: tuple[ExactLeaf, ...]
    pawls: tuple[Pawl, ...]
    legs: tuple[Leg, ...]
    drive: str
    direction: Frame  # of the legs' velocities
    metres: float  # in a document unit
    units: UnitNames  # as written behind numbers
    size: float  # the longer side of a box around all that is drawn
    notes: tuple[str, ...]


def fastener(mechanism: Mechanism) -> Fastener:
    """Read a document as a fastener, or say why it is not one."""
    return _Reader(mechanism).read()


class _Reader:
    def __init__(self, mechanism: Mechanism) -> None:
        if mechanism.dimension != 2:
            remedy = "draw the section in which the pawls turn, with dimension = 2"
            if any(joint.type == "elastic" for joint in mechanism.joints.values()):
                remedy += (
                    "; a hook gives way in space too, where its elastic joint names in `between` first what "
                    "is pushed, led or stands still, then the hook, and the hook can touch what it meets"
                )
            raise UnsupportedError("fasteners are decided in the plane", remedy, "dimension")
        refuse_free_starts(mechanism)
        self.mechanism = mechanism
        self.notes: list[str] = []
        self.placed = place(mechanism)
        self.touching = TouchingPairs(mechanism)
        self.poses = dict(self.placed.frames)

    def read(self) -> Fastener:
        name, root, direction = self._drive()
        joints = self._hinges(root)
        drive = self.mechanism.drives[name]
        for i, leg in enumerate(drive.legs):
            if leg.ramp is not None:
                at = f"drives.{name}.legs.{i}.ramp"
                raise UnsupportedError("a quasi-static leg has a constant velocity", "leave out `ramp`", at)
        obstacles = self._obstacles()
        pawls = tuple(self._pawl(joint, root, obstacles) for joint in joints)
        if not pawls:
            raise ModelError.at("joints", f"no pawl is hinged to {root!r}", "join one by a revolute joint")
        self._say_ignored(root, pawls)
        if self.mechanism.gravity is not None and any(self.mechanism.gravity):
            self._say(
                "gravity is left out: parts of the quasi-static method have no weight; "
                "leave `gravity` out where that is meant"
            )
        facing = joined([leaf for leaf in obstacles if not self.touching.ignored(root, leaf.part)])
        root_leaves = joined(self._leaves(root))
        return Fastener(
            root=root,
            origin=(float(self.poses[root].origin[0]), float(self.poses[root].origin[1])),
            root_leaves=root_leaves,
            root_obstacles=facing,
            pawls=pawls,
            legs=drive.legs,
            drive=name,
            direction=direction,
            metres=float(METRES[self.mechanism.units]),
            units=unit_names(self.mechanism.units),
            size=_size((*root_leaves, *obstacles), pawls),
            notes=tuple(self.notes),
        )

    def _drive(self) -> tuple[str, str, Frame]:
        drives = self.mechanism.drives
        pushes = [name for name, drive in drives.items() if drive.legs and (drive.part or drive.marker)]
        if not pushes:
            raise ModelError.at(
                "drives", "no drive pushes a part along legs", "add one with `part` and `legs`, as a push"
            )
        name = pushes[0]
        for other in drives:
            if other != name:
                words = f"the quasi-static method has one drive, and {name!r} pushes already"
                raise UnsupportedError(words, "keep one of the two", f"drives.{other}")
        drive = drives[name]
        if drive.marker is None:
            assert drive.part is not None
            return name, drive.part, Frame()
        part = part_of(drive.marker)
        marker_frame = self.poses[part] @ self.placed.marker(drive.marker)
        return name, part, Frame(marker_frame.rows)

    def _hinges(self, root: str) -> list[str]:
        fixed = {name for name, part in self.mechanism.parts.items() if part.fixed}
        if root in fixed:
            raise ModelError.at(f"parts.{root}.fixed", "a driven root cannot be fixed", "leave out `fixed`")
        hinge_of: dict[str, str] = {}
        for name, joint in self.mechanism.joints.items():
            parts = parts_of(joint)
            if set(parts) <= fixed:
                continue
            if root not in parts:
                words = f"joint {name!r} joins {parts[1]!r} to {parts[0]!r}, not to the driven {root!r}"
                why, remedy = off_the_root(self.mechanism, name, fixed, root)
                raise UnsupportedError(words + why, remedy, f"joints.{name}")
            if joint.type != "revolute":
                words = f"joint {name!r} is {joint.type}, and pawls of a fastener are hinged"
                remedy = not_hinged(self.mechanism, joint, fixed, root)
                raise UnsupportedError(words, remedy, f"joints.{name}")
            pawl = parts[1] if parts[0] == root else parts[0]
            if pawl in fixed:
                words = f"{pawl!r} is hinged to the driven {root!r}, and a hinged pawl cannot be fixed"
                raise ModelError.at(f"parts.{pawl}.fixed", words, f"leave out `fixed`, or joint {name!r}")
            if pawl in hinge_of:
                words = f"joints {hinge_of[pawl]!r} and {name!r} both hinge {pawl!r} to {root!r}"
                raise ModelError.at(f"joints.{name}", words, "keep one of them")
            hinge_of[pawl] = name
        for name in self.mechanism.parts:
            if name not in fixed | {root} | set(hinge_of):
                raise UnsupportedError(
                    f"part {name!r} is neither fixed nor hinged", LOOSE_PART, f"parts.{name}"
                )
        return list(hinge_of.values())

    def _obstacles(self) -> tuple[ExactLeaf, ...]:
        leaves = [
            leaf
            for name, part in self.mechanism.parts.items()
            if part.fixed and part.shape is not None
            for leaf in self._leaves(name)
        ]
        for leaf in leaves:
            if not leaf.closed:
                words = "an obstacle without area blocks nothing"
                raise ModelError.at(f"parts.{leaf.part}.shape", words, "draw it as an outline")
        return tuple(leaves)

    def _leaves(self, name: str) -> tuple[ExactLeaf, ...]:
        """The polygons of a part, placed as drawn."""
        leaves, notes = leaves_of(self.mechanism, name, self.poses[name])
        for note in notes:
            self._say(note)
        return leaves

    def _pawl(self, name: str, root: str, obstacles: tuple[ExactLeaf, ...]) -> Pawl:
        joint = self.mechanism.joints[name]
        first, second = parts_of(joint)
        part = second if first == root else first
        sense = 1 if first == root else -1
        if joint.spring is None or (joint.spring.torque is None and not (joint.spring.stiffness or 0) > 0):
            where = f"joints.{name}.spring"
            raise ModelError.at(where, "a pawl is held by a spring", "give its stiffness, above zero")
        drawn, at, closing = self._drawn(self.placed.joints[name], root)
        self._close(name, part, root, closing)
        rest = written(joint.spring.rest_deg, joint.spring.rest)
        started = self._started(name, joint, drawn)
        shape = self._pawl_shape(part, root)
        hinge = (flint_of(at[0]), flint_of(at[1]))
        # As drawn, less the rotation from rest to there, so that what is drawn stays exact.
        back = rational((drawn - rest) * sense)
        _refuse_many_rotations(name, back)
        if not back.exact:
            self._say(f"{name}: rest and drawing are {approximation(back)} apart")
        if not _holds(shape, hinge):
            self._say(f"{name}: its hinge lies outside of {part}, which the method allows")
        faced = self._faced(part, obstacles)
        about_hinge = tuple(leaf.moved(_to_rest(hinge, back)) for leaf in joined(shape))
        refuse_lost((*about_hinge, *(leaf for leaf, _ in faced)), hinge, name)
        return Pawl(
            part=part,
            joint=name,
            leaves=about_hinge,
            hinge=hinge,
            obstacles=faced,
            spring=_spring(joint.spring, sense),
            sense=sense,
            rest=float(rest),
            start=rational((started - rest) * sense),
            drawn=float(back),
            closing=(float(closing[0]), float(closing[1])),
            limits=self._limits(name, joint, rest, sense),
        )

    def _close(self, name: str, part: str, root: str, closing: Point) -> None:
        """Move a pawl that is drawn beside its hinge onto it, and say so."""
        if any(closing):
            self.poses[part] = shift((*closing, Fraction(0))) @ self.poses[part]
            gap = math.hypot(*closing)
            self._say(f"{name}: drawn {gap:.6g} open; {part} is moved so that its marker lies on {root}'s")

    def _started(self, name: str, joint: Joint, drawn: WrittenAngle) -> WrittenAngle:
        """The joint's coordinate at the start, within its limits."""
        begin = start_by_joint(self.mechanism).get(name)
        started = drawn if begin is None else written(begin.at_deg, begin.at)
        self._refuse_beyond(name, joint, started)
        if begin is not None and (begin.speed or begin.speed_deg):
            self._say(f"{name}: its speed at the start is left out, since motion is quasi-static")
        return started

    def _pawl_shape(self, part: str, root: str) -> tuple[ExactLeaf, ...]:
        shape = self._leaves(part)
        if not shape:
            words = f"a pawl needs a shape, and {part!r} is hinged to the driven {root!r}"
            remedy = "give an outline or a segment; the drive must be on the root that carries the hinges"
            raise ModelError.at(f"parts.{part}.shape", words, remedy)
        return shape

    def _faced(self, part: str, obstacles: tuple[ExactLeaf, ...]) -> tuple[tuple[ExactLeaf, Any], ...]:
        """What a pawl may touch, each with its friction; none where the document gives none."""
        faced = [leaf for leaf in obstacles if not self.touching.ignored(part, leaf.part)]
        return joined_by(
            [(leaf, flint_of(self.touching.friction(part, leaf.part) or Fraction(0))) for leaf in faced]
        )

    def _drawn(self, placed: PlacedJoint, root: str) -> tuple[WrittenAngle, Point, Point]:
        """The joint's coordinate and position as drawn, and what closes it, from the pawl's marker."""
        joint = placed.joint
        if joint.at is not None:
            return WrittenAngle(), (joint.at[0], joint.at[1]), (Fraction(0), Fraction(0))
        # In `poses`, where parts that were drawn beside their hinge are moved onto it.
        ends = [self.poses[end.part] @ end.frame for end in placed.said]
        relative = ends[0].inverse() @ ends[1]
        cosine, sine = relative.rows[0][0], relative.rows[1][0]
        base, pawl_end = ends if part_of(joint.between[0]) == root else ends[::-1]
        closing = (base.origin[0] - pawl_end.origin[0], base.origin[1] - pawl_end.origin[1])
        first, second = (windings(self.mechanism, part) for part in parts_of(joint))
        drawn = angle_of(cosine, sine) + WrittenAngle(degrees=Fraction(360 * (second - first)))
        return drawn, (base.origin[0], base.origin[1]), closing

    def _limits(self, name: str, joint: Joint, rest: WrittenAngle, sense: int) -> tuple[AngleLimit, ...]:
        if joint.limits is None:
            return ()
        limits = []
        joint_limits = joint.limits
        for degrees, radians, end in (
            (joint_limits.min_deg, joint_limits.min, -1),
            (joint_limits.max_deg, joint_limits.max, 1),
        ):
            if degrees is None and radians is None:
                continue
            angle = rational((written(degrees, radians) - rest) * sense)
            side = end * sense
            if float(angle) * side < 0:
                at = f"joints.{name}.limits"
                raise ModelError.at(
                    at, "the spring's rest lies beyond them", "widen the limits, or move the rest"
                )
            if not angle.exact:
                self._say(
                    f"{name}: a limit and rest are {approximation(angle)} apart; an event exactly at the "
                    "limit counts as before or after it as that number says (only quarter turns are exact); "
                    "to have such an event decided, set the limit aside of it"
                )
            limits.append(AngleLimit(angle.half, flint_of(angle.u), side, angle.exact))
        return tuple(limits)

    def _refuse_beyond(self, name: str, joint: Joint, started: WrittenAngle) -> None:
        """Refuse a start outside of the joint's limits."""
        if joint.limits is None:
            return
        limits = joint.limits
        low = written(limits.min_deg, limits.min) if (limits.min_deg, limits.min) != (None, None) else started
        high = (
            written(limits.max_deg, limits.max) if (limits.max_deg, limits.max) != (None, None) else started
        )
        if float(started - low) < 0 or float(high - started) < 0:
            at = f"start.{name}" if name in start_by_joint(self.mechanism) else f"joints.{name}.limits"
            words = f"it starts at {math.degrees(float(started)):.6g} degrees, outside of its limits"
            raise ModelError.at(at, words, "start within them, or widen them")

    def _say_ignored(self, root: str, pawls: tuple[Pawl, ...]) -> None:
        if self.mechanism.parts[root].shape is not None:
            for pawl in pawls:
                if not self.touching.ignored(root, pawl.part):
                    pair = f"{root}:{pawl.part}"
                    self._say(
                        f"{pair}: a pawl does not touch its own root in this method; where that is meant, "
                        f'write touching.ignore = ["{pair}"]'
                    )

    def _say(self, note: str) -> None:
        if note not in self.notes:
            self.notes.append(note)


def _size(still: tuple[ExactLeaf, ...], pawls: tuple[Pawl, ...]) -> float:
    points = [point for leaf in still for point in leaf.points]
    for pawl in pawls:
        x, y = pawl.hinge
        points += [(x + a, y + b) for leaf in pawl.leaves for a, b in leaf.points]
    sides = [max(values) - min(values) for values in zip(*points, strict=True)]
    return float(max(sides))


def _spring(spring: Spring, sense: int) -> LinearSpring | TorqueTable:
    """On the angle from rest, counter-clockwise."""
    if spring.torque is None:
        return LinearSpring(float(spring.stiffness or 0))
    rows = [(float(angle) * sense, float(torque) * sense) for angle, torque in spring.torque]
    return TorqueTable(*zip(*sorted(both_ways(rows)), strict=True))


def _refuse_many_rotations(name: str, back: Angle) -> None:
    """Far from the drawing a double no longer tells where in its rotation the rest is."""
    rotations = abs(back.half) // 2
    if rotations > MOST_ROTATIONS:
        raise ModelError.at(
            f"joints.{name}.spring",
            f"its rest is {rotations:.4g} rotations from the drawing",
            f"give `rest` in radians (`rest_deg` in degrees), at most {MOST_ROTATIONS:,} rotations away",
        )


def _to_rest(hinge: tuple[Any, Any], angle: Angle) -> Any:
    """From where a point is drawn to where it is at rest, relative to the hinge."""
    cosine, sine = (flint_of(value) for value in rotation(angle))

    def at_rest(point: tuple[Any, Any]) -> tuple[Any, Any]:
        x, y = point[0] - hinge[0], point[1] - hinge[1]
        return cosine * x + sine * y, cosine * y - sine * x

    return at_rest


def _holds(shape: tuple[ExactLeaf, ...], hinge: tuple[Any, Any]) -> bool:
    """Whether a hinge lies in a pawl's shape; on a segment, at one of its ends."""
    return any(inside(hinge, leaf.points) if leaf.closed else hinge in leaf.points for leaf in shape)
