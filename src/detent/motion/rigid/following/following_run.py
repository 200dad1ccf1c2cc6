"""A machine along slow drives, through contacts: from a document to a trajectory and its evidence."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from detent.contact.candidate import Candidates, candidates
from detent.foundation.errors import ModelError
from detent.foundation.names import listed
from detent.foundation.progress import doing
from detent.foundation.units import unit_names
from detent.mechanics.tree import Tree, has_mass, tree_of
from detent.mechanics.tree_kernels import TORQUE
from detent.model.machine.mass import thickness_of_moving
from detent.model.machine.pushed.guided import friction_on_the_way, guide_words, guided_parts
from detent.model.machine.system import compile_system
from detent.motion.rigid.following.balance import SlowMachine
from detent.motion.rigid.following.course import Course, Happening
from detent.motion.rigid.following.drive_plan import DrivePlan, drive_plan
from detent.motion.rigid.following.folds import Fold
from detent.motion.running.along import RunSteps
from detent.motion.running.beginning import pairs_in_each_other
from detent.motion.running.starting import start_of
from detent.motion.running.unused import unused_of_contacts, what_takes_time
from detent.record.event import Cause, Event, EventKind, Stop
from detent.record.run import Run
from detent.record.scope import Scope
from detent.record.trajectory import Trajectory

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from detent.model.document.drive import Drive
    from detent.model.document.mechanism import Mechanism

    Floats = NDArray[np.float64]

NAME = "following"
_STEPS = 200.0  # elementary ones per candidate and position


@dataclass(frozen=True, eq=False)
class FollowingRun:
    """The method's own data: positions that were computed, what happened, how it ended."""

    mechanism: Mechanism
    tree: Tree
    possible: Candidates
    plan: DrivePlan
    course: Course
    lead: int  # 1 where the drives first go from the drawing to their first position

    @cached_property
    def along(self) -> RunSteps:
        """Its positions as straight pieces, to be read at any place; a snap takes none."""
        places, nodes = np.array(self.course.places), np.array(self.course.nodes)
        scales = self.course.balance.scales
        kept = [k for k in range(len(places) - 1) if places[k + 1] > places[k]]
        if not kept:
            kept, places = [len(places) - 1], np.append(places, places[-1] + 1.0)
            nodes = np.concatenate([nodes, nodes[-1:]])
        steps = np.array([[places[k], places[k + 1] - places[k], 1.0] for k in kept])
        shares = np.linspace(0.0, 1.0, 6)[:, None]
        points = np.array([(nodes[k] + (nodes[k + 1] - nodes[k]) * shares) * scales for k in kept])
        return RunSteps(self.tree, steps, points)

    @property
    def end(self) -> float:
        """The place where it ended."""
        return float(self.course.places[-1])

    def rows(self) -> Floats:
        """Places of the answer: positions that were reached, and where it stopped; none before the first.

        Beside them those where what a drive takes has no bound.
        """
        if self.nowhere:
            return np.zeros(0)
        whole = np.arange(float(self.lead), math.floor(self.end + 1e-9) + 1.0)
        whole = np.union1d(whole, [fold.place for fold in self.boundless])
        if self.end - whole[-1] > 1e-9:
            whole = np.append(whole, self.end)
        return whole

    @property
    def boundless(self) -> list[Fold]:
        """Where drives take forces without bound, and go on."""
        count = len(self.plan.coordinates)
        return [
            fold
            for fold in self.course.folds
            if fold.place >= self.lead and not np.isfinite(fold.held[-count:]).all()
        ]

    @property
    def nowhere(self) -> bool:
        """Whether not even the first position was reached, within the limits of the joints."""
        return self.end < self.lead or bool(self.course.beyond_limits)

    def inputs(self, places: Floats) -> Floats:
        """Driven coordinates in document units: one, or a row of several."""
        unit = self.tree.system.metres_per_unit
        scale = np.array([1 / unit if length else 1.0 for length in self.plan.lengths])
        rows = (
            np.array([self.plan.at(float(place)) for place in places]).reshape(len(places), len(scale))
            * scale
        )
        return np.asarray(rows[:, 0] if rows.shape[1] == 1 else rows)

    def time(self, place: float) -> float:
        """What an event's time is: the driven coordinate, or the number of the position."""
        if len(self.plan.coordinates) == 1:
            return float(self.inputs(np.array([place]))[0])
        return place - self.lead

    @property
    def coordinate_units(self) -> tuple[str, ...]:
        length = unit_names(self.mechanism.units).length.strip()
        return tuple(length if is_length else "rad" for is_length in self.plan.lengths)

    def name(self, contact: int) -> str:
        """Of a contact, or of a stop of a joint."""
        if contact < len(self.possible):
            return self.possible.name(contact)
        stop = self.course.balance.stops[contact - len(self.possible)]
        return f"{stop.joint}.{'low' if stop.sign > 0 else 'high'}"

    def subjects(self, contact: int) -> tuple[str, ...]:
        """Its two parts, or the joint."""
        if contact < len(self.possible):
            pair = self.possible.pairs[self.possible.listed[contact, 3]]
            return tuple(self.tree.system.bodies[k].name for k in pair)
        return (self.course.balance.stops[contact - len(self.possible)].joint,)

    @cached_property
    def events(self) -> tuple[Event, ...]:
        """What begins and ends to touch, by pair of parts; what snaps; where it is blocked."""
        events = [event for happening in self.course.happened for event in self._events(happening)]
        if self.cause not in ("done", "interrupted", "apart"):
            kind: EventKind = {"blocked": "blocked", "stick": "stick", "limit": "limit"}.get(
                self.cause, "jam"
            )  # type: ignore[assignment]
            named = tuple(self.name(c) for c in self.course.blocked_by)
            parts = tuple(dict.fromkeys(p for c in self.course.blocked_by for p in self.subjects(c)))
            parts = parts or self.course.beyond_limits
            events.append(
                Event(time=self.time(self.end), kind=kind, before=named, touching=named, subjects=parts)
            )
        return tuple(events)

    def _events(self, happening: Happening) -> list[Event]:
        time = self.time(happening.place)
        if happening.from_ is not None and happening.to is not None and happening.place > 0:
            return [self._snap(happening, time)]
        pairs = list(dict.fromkeys(self.subjects(c) for c in (*happening.before, *happening.after)))
        events = []
        for pair in pairs:
            before = tuple(self.name(c) for c in happening.before if self.subjects(c) == pair)
            after = tuple(self.name(c) for c in happening.after if self.subjects(c) == pair)
            if set(before) != set(after):
                kind: EventKind = "contact" if not before else "release" if not after else "change"
                events.append(Event(time=time, kind=kind, before=before, after=after, subjects=pair))
        return events

    def _snap(self, happening: Happening, time: float) -> Event:
        """The joint that moves most, from where to where."""
        balance = self.course.balance
        before, after = (balance.coordinates(y) for y in (happening.from_, happening.to))  # type: ignore[arg-type]
        units = np.array([balance.unit(k) for k in range(len(before))])
        k = int(np.argmax(np.abs(after - before) / units))
        name = self.tree.coordinates[k]
        scale = 1.0 if units[k] == 1.0 else 1 / self.tree.system.metres_per_unit
        return Event(
            time=time,
            kind="snap",
            joint=name,
            coordinate=float(before[k] * scale),
            coordinate_after=float(after[k] * scale),
            before=tuple(self.name(c) for c in happening.before),
            after=tuple(self.name(c) for c in happening.after),
            subjects=tuple(dict.fromkeys(p for c in happening.before for p in self.subjects(c))),
            coordinate_unit=self.along.coordinate_units.get(name, ""),
        )

    @property
    def cause(self) -> Cause:
        """Why it stopped; blocked where what is driven itself runs into something."""
        cause = self.course.cause
        if cause == "jam" and all(c >= len(self.possible) for c in self.course.blocked_by):
            return "limit"
        if cause == "jam" and len(self.course.blocked_by) == 1 and not self.course.locked:
            return "blocked"
        return cause  # type: ignore[return-value]

    @property
    def detail(self) -> str:
        named = " and ".join(self.name(c) for c in self.course.blocked_by)
        if self.course.locked:
            return f"friction locks {named}, whatever the drive's force"
        if self.cause in ("jam", "blocked", "limit", "stick") and named:
            way = "friction holds" if self.cause == "stick" else "no motion is possible under the drive:"
            return f"{way} {named}"
        return self.course.detail

    def trajectory_at(self, places: Floats) -> Trajectory:
        """At places in order."""
        columns = self.along.at(places)
        inputs = self.inputs(places)
        single = inputs.ndim == 1
        last = self.along.at(np.array([self.end]))
        return Trajectory(
            times=np.array(inputs if single else places - self.lead),
            times_are=self.plan.names[0] if single else "position",
            coordinates=columns.coordinates,
            poses=columns.poses,
            events=self.events,
            stop=Stop(
                time=self.time(self.end),
                cause=self.cause,
                coordinates={name: float(column[0]) for name, column in last.coordinates.items()},
                coordinate_units=self.along.coordinate_units,
                detail=self.detail,
            ),
            units=self.mechanism.units,
            method=NAME,
            notes=self.notes,
            times_unit=self.coordinate_units[0] if single else "",
            coordinate_units=self.along.coordinate_units,
        )

    @cached_property
    def trajectory(self) -> Trajectory:
        """One row per position of the answer."""
        return self.trajectory_at(self.rows())

    def finer(self, steps: int) -> Trajectory:
        """In at least so many steps, positions among them."""
        first = float(min(self.lead, self.end))
        even = np.linspace(first, self.end, steps + 1)
        return self.trajectory_at(np.union1d(even, self.rows()))

    @property
    def notes(self) -> tuple[str, ...]:
        """What was done beside what was asked."""
        notes = []
        if self.end < self.lead:
            notes.append("the first position cannot be reached: the way from the drawing ends before it")
        elif self.lead and not self.nowhere:
            notes.append("the drives first went from the drawing to their first position, through contacts")
        notes += [*self._limits_before(), *([self.course.detail] if self.course.beyond_limits else [])]
        first = self.course.happened[:1]
        if first and first[0].from_ is not None:
            notes.append("as drawn it does not balance: it first went to where it does")
        if not len(self.possible) and not self.possible.never_looked_at:
            notes.append("no two parts have shapes that could touch")
        return tuple(notes)

    def _limits_before(self) -> list[str]:
        """What is said of limits that the drawing lies beyond, and that hold since they were come within."""
        names = [name for name in self.course.drawn_beyond if name not in self.course.beyond_limits]
        if not names or self.nowhere:
            return []
        verb, whose = ("is", "its") if len(names) == 1 else ("are", "their")
        return [
            f"{listed(names)} {verb} drawn beyond {whose} limits, which hold from where it came within them"
        ]

    @property
    def scope(self) -> Scope:
        """What the answer holds for."""
        mechanism = self.mechanism
        weightless = [
            self.tree.system.bodies[link.body].name
            for link in self.tree.links
            if self.tree.machine.gravity.any() and not has_mass(self.tree.system, link.body)
        ]
        touching = mechanism.touching
        rough = touching is not None and bool(
            touching.friction or any(pair.friction for pair in touching.pairs.values())
        )
        damped = "unit damping of every joint that has none of its own"
        if any(joint.damping for joint in self.tree.system.joints):
            damped = "joints without damping of their own have the least that is given"
        return Scope(
            certainty="computed",
            covers="the first position cannot be reached; those after it are not tried"
            if self.nowhere
            else "positions balance to rounding; no contact is stepped over between them",
            left_out=(
                "inertia and impacts: motion is quasi-static; a snap takes no time",
                "friction in joints",
                *friction_on_the_way(mechanism, (event.subjects for event in self.events)),
                *([f"weight of {', '.join(weightless)} (no mass)"] if weightless else []),
                *what_takes_time(mechanism),
                *unused_of_contacts(mechanism),
                *self.possible.left_out,
            ),
            assumed=(
                "rigid parts",
                f"what nothing pulls moves only where it is pushed, by the least work of dampers; {damped}",
                *guide_words(guided_parts(mechanism)),
                *([] if rough else ["contacts without friction: not given"]),
                *(thickness_of_moving(mechanism) if self.tree.machine.gravity.any() else ()),
            ),
        )


def predict(
    mechanism: Mechanism,
    *,
    stride: float,
    drives: Mapping[str, Drive] | None = None,
    until: float | None = None,
) -> Run:
    """Follows drives through contacts; `until` has no meaning, for nothing depends on time."""
    system = compile_system(mechanism)
    tree = tree_of(system, massless=True)
    if not tree.freedoms:
        raise ModelError.at("parts", "nothing moves", "add a joint that lets a part move")
    y, _ = start_of(tree)
    asked = mechanism.drives if drives is None else drives
    start = _coordinates(tree, y)
    plan = drive_plan(tree, asked, start)
    joints = tree.machine.joints.copy()
    for coordinate, torque in plan.torques.items():
        joints[coordinate, TORQUE] = torque
    tree = replace(tree, machine=tree.machine._replace(joints=joints))
    plan, lead = _led(tree, plan, start)
    possible = candidates(system, plane=True, left_out=pairs_in_each_other(tree, y))
    assert isinstance(possible, Candidates)
    balance = SlowMachine(tree, possible, plan, _STEPS * len(possible) * len(plan.goals))
    course = Course(balance, stride, lead)
    with doing("following the drives"):
        course.run(y / balance.scales)
    made = FollowingRun(mechanism, tree, possible, plan, course, lead)
    return Run(lambda: made.trajectory, made, finer=made.finer)


def _led(tree: Tree, plan: DrivePlan, start: Floats) -> tuple[DrivePlan, int]:
    """The plan with the way from where the drives stand to their first position, where there is one."""
    here = start[list(plan.coordinates)]
    away = np.abs(plan.goals[0] - here)
    if (away <= 1e-9 * np.where(plan.lengths, tree.system.size, 1.0)).all():
        return plan, 0
    return replace(plan, goals=np.concatenate([here[None], plan.goals])), 1


def _coordinates(tree: Tree, y: Any) -> Floats:
    from detent.mechanics.tree_kernels import place_tree, plane_state

    state = plane_state(tree.machine)
    place_tree(tree.machine, y, np.zeros(tree.freedoms), state)
    return np.array(state.joints[0])


def marker_tracks(run: FollowingRun, places: Floats) -> tuple[dict[str, Floats], dict[str, Floats]]:
    """Poses (x, y, angle) of parts in the plane and tracks of markers, in document units."""
    import cmath

    from detent.motion.running.step_kernels import fill_states

    along, tree = run.along, run.tree
    count, bodies, rows = len(tree.coordinates), len(tree.system.bodies), len(places)
    placed = np.zeros((rows, bodies, 6))
    fill_states(
        along.machine, along.state, along.steps, along.points, np.asarray(places),
        np.zeros((rows, 2, count)), placed, np.zeros((rows, 3)),
    )  # fmt: skip
    unit = tree.system.metres_per_unit
    poses, tracks = {}, {}
    for k, body in enumerate(tree.system.bodies):
        poses[body.name] = placed[:, k, :3] / np.array([unit, unit, 1.0])
    for name, mark in tree.linkage.marks.items():
        turned = 0.0 if tree.system.dimension == 2 else tree.linkage.drawn[mark.part][1]
        at = mark.at * cmath.rect(1.0, turned)
        origin = placed[:, mark.part, 0] + 1j * placed[:, mark.part, 1]
        track = (origin + at * np.exp(1j * placed[:, mark.part, 2])) / unit
        tracks[name] = np.column_stack([track.real, track.imag])
    return poses, tracks
