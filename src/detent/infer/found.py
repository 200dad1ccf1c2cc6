"""What was found: joints with their reasons, what was dropped, what stays open, what can touch."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from detent.foundation.exact import Number
from detent.geometry.frame import Exact3


@dataclass(frozen=True)
class InferredPair:
    """A joint of the machine: found from shapes, or given by hand and compared with them."""

    name: str
    type: str  # as it is used: revolute, prismatic, cylindrical, fixed, gear, …; infer where not found
    parts: tuple[str, str]
    point: Exact3 | None = None  # on its axis, in the world, document units; exact where the document is
    direction: Exact3 | None = None
    low: Number | None = None  # travel along the axis from as drawn, between shoulders
    high: Number | None = None
    why: str = ""
    play: float = 0.0  # of the diameter of a pin or the width of a slot
    acts_as: str = ""  # where the whole machine leaves less than the pair alone
    ratio: Fraction | None = None
    given: bool = False  # by hand: it counts, whatever the shapes say
    compared: str = ""  # of one given by hand: "agrees", or how it differs
    added: bool = False  # the document has no such joint


@dataclass(frozen=True)
class OpenQuestion:
    """What the shapes do not decide, with what to do about it."""

    at: str
    problem: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.at}: {self.problem}; {self.remedy}"


@dataclass(frozen=True)
class Dropped:
    """A freedom that is not used, and why."""

    joint: str
    freedom: str
    why: str


@dataclass(frozen=True)
class StateVariable:
    """A coordinate that the motion of the machine is told by; its speed is another."""

    joint: str  # or `part.x`, `part.y`, `part.angle` of a part that no joint tells
    kind: str  # angle, length
    subsystem: int


@dataclass(frozen=True)
class Inference:
    """Joints found from shapes, and what follows from them."""

    joints: tuple[InferredPair, ...] = ()
    dropped: tuple[Dropped, ...] = ()
    open: tuple[OpenQuestion, ...] = ()
    interactions: tuple[tuple[str, str], ...] = ()
    unbounded: tuple[tuple[str, str], ...] = ()  # of these, pairs that no envelope bounds
    subsystems: tuple[tuple[str, ...], ...] = ()
    elementary: tuple[str, ...] = ()  # parts with an axis fixed in the frame, each a subsystem by itself
    coordinates: tuple[StateVariable, ...] = ()
    mobility: int | None = None  # degrees of freedom as drawn
    clearance: float = field(default=0.02)

    def joint(self, name: str) -> InferredPair:
        """The joint of this name."""
        return next(joint for joint in self.joints if joint.name == name)

    @property
    def state_variables(self) -> tuple[str, ...]:
        """Positions and speeds that tell the machine's state."""
        names, joints = [], [c.joint for c in self.coordinates]
        for c in self.coordinates:
            what = "angle" if c.kind == "angle" else "travel"
            whose = f"the {what} of {c.joint}" if joints.count(c.joint) > 1 else c.joint
            names += [f"{what} of {c.joint}", f"speed of {whose}"]
        return tuple(names)
