"""What a machine is: its joints, its degrees of freedom, and why."""

from __future__ import annotations

from typing import Any

from detent.record.base import Record, Value
from detent.record.instant import Instant


class JointFound(Value, frozen=True):
    """A joint, given or inferred; `why` says how it was inferred."""

    name: str
    type: str
    parts: tuple[str, str]
    axis: dict[str, tuple[float, ...]] | None = None  # at, along; world, document units
    inferred: bool = False
    why: str = ""
    ratio: float | None = None  # of a gear: rotation of the second part per that of the first
    acts_as: str = ""  # where the whole machine leaves less than the pair alone
    play: float | None = None  # of a pin in its hole, a block in its slot; document units
    limits: tuple[float | None, float | None] | None = None  # travel along the axis between shoulders
    compared: str = ""  # of one given by hand beside its shapes: "agrees", or how they differ


class Mobility(Value, frozen=True):
    """Its degrees of freedom: counted, and as they really are (null where not known)."""

    gruebler: int | None
    actual: int | None = None
    why: str = ""


class Explanation(Record, frozen=True):
    """The answer of `detent explain`; lists stay empty where there is nothing to say."""

    title: str
    parts: tuple[str, ...]
    joints: tuple[JointFound, ...]
    mobility: Mobility
    redundant: tuple[dict[str, Any], ...] = ()
    subsystems: tuple[tuple[str, ...], ...] = ()
    elementary: tuple[str, ...] = ()  # parts with an axis fixed in the frame
    state_variables: tuple[str, ...] = ()
    interactions: tuple[tuple[str, str], ...] = ()  # pairs that can touch beyond their joint
    dropped: tuple[dict[str, str], ...] = ()  # freedoms that are not used: joint, freedom, why
    open: tuple[dict[str, str], ...] = ()  # what the shapes do not decide: at, problem, remedy
    plan: tuple[dict[str, Any], ...] = ()
    plan_summary: dict[str, int] | None = None  # of a driven linkage of the plane
    instant: Instant | None = None  # at a time of its run, where that is asked for
    elastic: dict[str, Any] = {}
    robots: dict[str, Any] = {}
    pegs: dict[str, Any] = {}
    connections: dict[str, Any] = {}  # rings and hooks that are pushed, by their names
    words: str = ""
    assumptions: tuple[str, ...] = ()

    def _line(self) -> str:
        return f"{self.title!r}: {len(self.parts)} parts, {len(self.joints)} joints"
