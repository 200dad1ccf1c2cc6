"""A mating: each leg's events, contacts and forces, and what it takes to come apart.

Lengths are in document units, angles in radians, times in seconds from the
start of the plan, forces in newtons, torques in newton metres. A force without
bound is `{"unbounded": true}`.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from detent.foundation.units import unit_names
from detent.record.amount import Amount, Force
from detent.record.base import Value
from detent.record.compliant_mating import ClassicHook, HookBending
from detent.record.event import Event, Interval, Stop
from detent.record.frozen import read_only
from detent.record.holding.fan import Fan
from detent.record.holding.friction import HoldingFriction, HoldsBelow
from detent.record.holding.margin import Margin
from detent.record.holding.uncertain import UncertainStart
from detent.record.run import Predicted
from detent.record.scope import Scope
from detent.record.table import Tabular, with_unit

if TYPE_CHECKING:
    from detent.record.table import ColumnArray


class Largest(Value, frozen=True):
    """The largest value at the ends of a segment, and inside where that exceeds both."""

    at_ends: Force
    at_ends_time: float
    inside: Amount | UnsetType = UNSET


class StretchForce(Value, frozen=True, rename={"from_": "from"}):
    """The peaks of one segment of sliding; segments end at events and reversals."""

    part: str
    contact: str
    from_: float
    to: float
    contact_force: Largest
    resisting: Largest


class PartPeak(Value, frozen=True):
    """The largest forces of one pawl over a leg; infinite for a pawl that a leg ended against."""

    contact_force: Amount
    resisting: Amount


class ProvedForce(Value, frozen=True):
    """A largest force between two numbers that are proved, in the model's exact geometry [N].

    `least` and `most` are rounded outward; `most` is infinite where no bound was found, `digits` then
    says so, and whether there is none.
    """

    least: float
    most: Force
    digits: str


class PartBounds(Value, frozen=True):
    """Between which numbers the largest forces of one pawl over a leg lie."""

    contact_force: ProvedForce
    resisting: ProvedForce


class HingeForce(Value, frozen=True):
    """What a pawl passes on to the root: force at its hinge, and the spring's torque.

    The torque on the root is counter-clockwise: stiffness times the pawl's angle from
    rest, counter-clockwise, whichever of the two the joint names first.

    Of the contact that carries, None where none does: `sliding_speed` of the pawl over the obstacle, to the
    right of the normal into the pawl, infinite at a fold; `to_sticking`, the angle between the line of the
    contact force and that through the hinge, in which it sticks (atan of the coefficient that would hold it,
    less atan of its own); `sector` (Donald & Pai 1992, section 6), 0 for none.
    """

    force: tuple[tuple[float, float], ...]  # [N], infinite where it has no bound
    torque: tuple[float, ...]  # [N m]
    angle: tuple[float, ...]  # the joint's coordinate [rad]
    sliding_speed: tuple[float | None, ...]  # [document units/s]
    to_sticking: tuple[float | None, ...]  # [rad]
    sector: tuple[int, ...]  # 1 to 4: in 1 and 3 it sticks, in 2 and 4 it slides


class LegForce(Value, frozen=True):
    """Forces over a leg. Where a force jumps, its time appears twice: before and after.

    `on_drive` is what the push must overcome; it is negative where the pawls
    draw the root along, and infinite where it has no bound: at a threshold, and at the
    end of a leg that a jam, a stick or a limit ends. `on_root` has the force, and the torque
    about the root's own origin. `travel` is how far the root is along the first leg's
    direction.
    """

    times: tuple[float, ...]
    travel: tuple[float, ...]  # [document units]
    on_drive: tuple[float, ...]
    on_root: tuple[tuple[float, float, float], ...]
    hinges: dict[str, HingeForce]
    peak: Amount
    peak_by_part: dict[str, PartPeak]
    stretches: tuple[StretchForce, ...]
    bounds: dict[str, PartBounds] | UnsetType = UNSET  # of each part with a peak, asked for


class AlongArc(Value, frozen=True, rename={"from_": "from"}):
    """A pawl that slides along an arc drawn as chords: changes in a row, told as one."""

    joint: str | None
    from_: float  # the time of the first change [s]
    to: float
    changes: int
    before: tuple[str, ...]
    after: tuple[str, ...]


class LegStory(Value, frozen=True):
    """One leg of the plan as it went."""

    start: float
    events: tuple[Event, ...]
    end: Stop
    contacts: tuple[Interval, ...]
    force: LegForce
    along_arcs: tuple[AlongArc, ...] = ()
    bending: tuple[HookBending, ...] | UnsetType = UNSET  # of beams that hinges stand for


class PassedTop(Value, frozen=True):
    """A top that a pawl goes over on the way out: it leaves the place to which the insertion brought it."""

    part: str
    angle: float  # from rest, in the joint's sense [rad]
    travel: float  # of the pull until there [document units]
    force: Force  # the largest against the pull until there, or until nothing holds the root behind it


class Escape(Value, frozen=True):
    """A straight run from the assembled state: does it come apart?

    `travel` is how far it goes; `force` is the largest against the pull where it comes apart, negative where
    the springs push it out all the way; `top` is the first that a pawl goes over, where it does not come
    apart, or does so only with more than takes it over that top.
    `climbing` are pawls that have not passed their top where it counts as apart: but for friction their
    springs draw the root back in, and the force goes on growing beyond.
    """

    direction: tuple[float, float]
    apart: bool
    cause: str
    time: float | UnsetType = UNSET
    travel: float | UnsetType = UNSET  # [document units]
    force: Force | UnsetType = UNSET
    top: PassedTop | UnsetType = UNSET
    climbing: tuple[str, ...] | UnsetType = UNSET
    angle: float | UnsetType = UNSET  # [rad] as the family of directions has it


class ForceRatio(Value, frozen=True):
    """Peak resisting forces in and out [N]; `bound` is what makes a force diode."""

    insertion: Force
    extraction: Force
    ratio: float | UnsetType = UNSET
    bound: float = 2.0


class WayBack(Value, frozen=True):
    """The plan's own legs backwards, of an insertion in several legs: do they take it apart?"""

    legs: tuple[int, ...]  # numbers; up to the one at whose end it is apart
    apart: bool
    cause: str  # of the end of the last of them
    force: Force  # the largest against the push on them


# So many changes in a row from edge to edge of one part are an arc drawn as chords; a nose with ramp,
# land and return, each a straight edge, has fewer.
ARC = 8
LEADS_AWAY = "leads away from the goal"
IN_GOAL = "lies in the goal as assembled"
CROSSES = "bends {} into each other, which is not followed"  # filled with the names of pawls


class Diode(Value, frozen=True):
    """Whether the fastener lets the root in but not out (Donald & Pai 1992, section 3)."""

    kind: str  # none, kinematic, friction, force; undecided where a straight pull back does not meet the goal
    relative: bool
    # None where no family of directions was tried; False also where the plan's own way back takes it apart.
    total: bool | None
    goal: str
    reverse: Escape
    reverse_without_friction: Escape
    directions: tuple[Escape, ...] = ()
    force: ForceRatio | UnsetType = UNSET
    asked: str | UnsetType = UNSET  # what the document gives as apart, in words; unset by default
    way_back: WayBack | UnsetType = UNSET  # `kind` is of straight pulls; this is of the plan's legs
    # The pull straight back, on past where the plan begins, which counts as apart by default: there where it
    # meets something further out. `travel` and `force` are of the whole pull.
    further_out: Escape | UnsetType = UNSET
    holding_friction: HoldingFriction | UnsetType = UNSET  # asked for
    holds_below: HoldsBelow | UnsetType = UNSET  # asked for
    fan: Fan | UnsetType = UNSET  # every direction between two that were asked for
    # How sure it is that no direction takes it apart, where `total` says so: proved of every direction of the
    # fan; all but slivers of it (`fan.slivers`); or of those directions alone that were tried.
    total_is: Literal["proved", "all but slivers", "sampled"] | UnsetType = UNSET
    wedged: tuple[str, ...] | UnsetType = UNSET  # parts that friction may hold besides, tight as pushed in


InsertionAnswer = Literal["yes", "no", "not yet", "nothing touched", "undecided"]
PawlStanding = Literal["at_rest", "climbing", "level", "falling", "untouched", "held"]


class PawlEnd(Value, frozen=True):
    """How a pawl stands at the end of the insertion.

    But for friction, `climbing`: its spring would push the root back, as far as to a top that it has
    passed, or out; `falling`: past the top, its spring draws the root on. `level`: at a constant angle;
    `held`: it jams, sticks or is at a limit.
    """

    part: str
    joint: str
    standing: PawlStanding
    angle: float  # from rest, in the joint's sense [rad]
    largest_angle: float  # the one farthest from rest in the whole insertion [rad]
    touched: tuple[str, ...]  # parts
    over_a_top: bool  # False of one that was not bent, or came down again by the contacts that bent it


class Insertion(Value, frozen=True):
    """Whether legs 1 to `last_leg` brought it in, why, and what counts as in.

    A leg straight back on the one before it, or back against the first, begins the way out. `undecided`: on
    these legs pawls bend into each other, and each is followed by itself.
    """

    answer: InsertionAnswer
    why: str
    goal: str
    travel: float  # along the first leg's direction [document units]
    pawls: tuple[PawlEnd, ...]
    last_leg: int = 1  # at whose end it is judged
    further_legs: tuple[int, ...] = ()  # neither of the insertion nor its legs backwards: not judged


class Mating(Tabular, Predicted, frozen=True):
    """Does it go together, with what force, and does it come apart?"""

    insertion: Insertion | None
    legs: tuple[LegStory, ...]
    diode: Diode | None
    method: str
    scope: Scope
    notes: tuple[str, ...] = ()
    classic: tuple[ClassicHook, ...] | UnsetType = UNSET  # of beams that hinges stand for
    units: str = "m"
    uncertain: UncertainStart | UnsetType = UNSET  # what the first leg may come to, where that was asked for
    margin: Margin | UnsetType = UNSET  # asked for
    counts: dict[str, Any] = msgspec.field(default_factory=dict)

    def columns(self) -> dict[str, ColumnArray]:
        """Forces over time, leg by leg: on push, root and each hinge; infinite where one has no bound."""
        import numpy as np

        names = unit_names(self.units)
        length, time, force, torque = (
            unit.strip() for unit in (names.length, names.time, names.force, names.torque)
        )
        columns: dict[str, list[float]] = {}

        def add(name: str, unit: str, values: Iterable[float]) -> None:
            columns.setdefault(with_unit(name, unit), []).extend(values)

        for number, leg in enumerate(self.legs, 1):
            add("leg", "", [number] * len(leg.force.times))
            add("time", time, leg.force.times)
            add("travel", length, leg.force.travel)
            add("on_drive", force, leg.force.on_drive)
            for k, (name, unit) in enumerate((("root_x", force), ("root_y", force), ("root_torque", torque))):
                add(name, unit, (row[k] for row in leg.force.on_root))
            for joint, hinge in leg.force.hinges.items():
                add(f"{joint}.x", force, (each[0] for each in hinge.force))
                add(f"{joint}.y", force, (each[1] for each in hinge.force))
                add(f"{joint}.torque", torque, hinge.torque)
                add(f"{joint}.angle", "rad", hinge.angle)
                for name, unit, values in (
                    ("sliding_speed", names.speed.strip(), hinge.sliding_speed),
                    ("to_sticking", "rad", hinge.to_sticking),
                ):
                    add(f"{joint}.{name}", unit, (np.nan if each is None else each for each in values))
                add(f"{joint}.sector", "", hinge.sector)
        kinds = {name: int if name == "leg" or name.endswith(".sector") else float for name in columns}
        return {name: read_only(np.array(values, dtype=kinds[name])) for name, values in columns.items()}

    def _line(self) -> str:
        legs = ", ".join(f"leg {number} {leg.end.cause}" for number, leg in enumerate(self.legs, 1))
        return f"{legs or 'no legs'}; {self.method}"


def with_arcs(events: tuple[Event, ...]) -> list[tuple[Event, int]]:
    """Each event with the number of the arc that it belongs to, or 0.

    An arc: changes of one joint, one after the other, each between the same two leaves, while the angle goes
    one way, or one way and back. The teeth of a rack, over which it goes to and fro, are events of their own.
    """
    marks = [0] * len(events)
    number, begin = 0, 0
    while begin < len(events):
        end = begin
        while (
            end < len(events)
            and _beside(events[end]) is not None
            and _beside(events[end]) == _beside(events[begin])
            and _bends([event.coordinate or 0.0 for event in events[begin : end + 1]]) <= 1
        ):
            end += 1
        if end - begin >= ARC:
            number += 1
            marks[begin:end] = [number] * (end - begin)
        begin = max(end, begin + 1)
    return list(zip(events, marks, strict=True))


def _bends(angles: list[float]) -> int:
    """How often angles that follow each other turn back."""
    steps = [b - a for a, b in pairwise(angles) if b != a]
    return sum(a * b < 0 for a, b in pairwise(steps))


def along_arcs(events: tuple[Event, ...]) -> tuple[AlongArc, ...]:
    """The arcs that events of a leg go along."""
    runs = [[event for event, _ in run] for arc, run in groupby(with_arcs(events), key=lambda e: e[1]) if arc]
    return tuple(
        AlongArc(run[0].joint, run[0].time, run[-1].time, len(run), run[0].before, run[-1].after)
        for run in runs
    )


def _beside(event: Event) -> tuple[Any, ...] | None:
    """Joint and parts of a change from one contact to one other of the same leaves; else None."""
    if event.kind != "change" or len(event.before) != 1 or len(event.after) != 1:
        return None
    before, after = (
        tuple(end.split(".")[0] for end in name.split(":")) for name in (*event.before, *event.after)
    )
    return (event.joint, before) if before == after else None
