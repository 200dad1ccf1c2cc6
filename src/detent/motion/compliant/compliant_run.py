"""A compliant mating as it was followed: legs, rows, trajectory; what answers, films and plots read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from msgspec.structs import replace

from detent.foundation.errors import UnsupportedError
from detent.foundation.progress import doing, reached
from detent.foundation.units import unit_names
from detent.geometry import pose
from detent.library.mating.force_law import Floats
from detent.model.document.drive import Drive
from detent.model.document.mechanism import Mechanism
from detent.motion.compliant.connections import connections_of
from detent.motion.compliant.followed import Connection, FollowedLeg, at_rows, rows_of
from detent.motion.compliant.led.led_run import led_by
from detent.motion.leading.plan import PushPlan, StraightLeg, after, plan_of
from detent.record.event import Event, Interval, Stop
from detent.record.run import Run
from detent.record.trajectory import Trajectory

NAME = "compliant"
_ROUNDING = 1e-12  # of the cosine between two legs: what leads straight back


@dataclass(frozen=True, eq=False)
class ConnectedLeg:
    """One leg of all connections together, at common rows."""

    leg: StraightLeg
    followed: tuple[FollowedLeg, ...]  # one per connection, to the same end
    way: Floats  # (n,) [m]
    load: Floats  # (n, 6) on the pushed part, of all connections

    @property
    def times(self) -> Floats:
        """[s] from the plan's start."""
        return self.leg.start + self.leg.time_at(self.way)

    @property
    def push(self) -> Floats:
        """What the drive must give along the leg [N]."""
        return _along(self.load[:, :3], self.leg.direction)

    @property
    def work(self) -> Floats:
        """Of the drive, from the leg's start [J]."""
        return np.asarray(sum(at_rows(one, one.work, self.way) for one in self.followed))

    @property
    def ended(self) -> FollowedLeg:
        """The connection that ended the leg, or the first."""
        return next((one for one in self.followed if one.cause != "done"), self.followed[0])


class CompliantRun:
    """The evidence of a compliant run."""

    def __init__(self, mechanism: Mechanism) -> None:
        self.mechanism = mechanism
        self.plan: PushPlan = plan_of(mechanism)
        self.connections: tuple[Connection, ...] = connections_of(self.plan)
        self.notes: list[str] = []
        self.legs = self._follow()

    name = NAME

    def _follow(self) -> tuple[ConnectedLeg, ...]:
        legs: list[ConnectedLeg] = []
        before: tuple[FollowedLeg | None, ...] = (None,) * len(self.connections)
        with doing("leg"):
            for leg in self.plan.legs:  # each from where the one before it ended
                reached(leg.number, len(self.plan.legs))
                if legs and legs[-1].ended.cause != "done" and not _leads_back(legs[-1], leg):
                    words = f"after a {legs[-1].ended.cause} only a leg straight back can follow"
                    self.notes.append(f"{leg.at}: {words}")
                    break
                if legs:
                    leg = after(leg, legs[-1].leg, float(legs[-1].way[-1]))
                follow = zip(self.connections, before, strict=True)
                followed = tuple(one.follow(leg, last) for one, last in follow)
                end = min(one.way[-1] for one in followed)
                followed = tuple(one.until(end) for one in followed)
                way = rows_of(list(followed))
                load = np.sum([at_rows(one, one.load, way) for one in followed], axis=0)
                legs.append(ConnectedLeg(leg, followed, way, load))
                before = followed
        return tuple(legs)

    @cached_property
    def events(self) -> tuple[tuple[Event, ...], ...]:
        """Of each leg, in order of time."""
        return tuple(self._events(rows) for rows in self.legs)

    def _events(self, rows: ConnectedLeg) -> tuple[Event, ...]:
        changes = sorted((c for one in rows.followed for c in one.changes), key=lambda change: change.way)
        return tuple(
            Event(
                time=float(rows.leg.start + rows.leg.time_at(np.array([change.way]))[0]),
                kind=change.kind,
                joint=change.joint,
                travel=self.travel(rows.leg, change.way),
                before=change.before,
                after=change.after,
                touching=change.before if change.kind == "jam" else None,
                reason=change.reason,
                subjects=change.subjects,
                detail=change.detail,
            )
            for change in changes
        )

    def travel(self, leg: StraightLeg, way: float) -> float:
        """Along the first leg's direction [document units]."""
        return float(self.plan.travel(leg, np.array([way]))[0]) / self.plan.metres

    def end(self, rows: ConnectedLeg) -> Stop:
        """When and why a leg ended."""
        return Stop(
            time=float(rows.times[-1]),
            cause=rows.ended.cause,
            travel=self.travel(rows.leg, float(rows.way[-1])),
            detail=rows.ended.detail,
        )

    def intervals(self, rows: ConnectedLeg) -> tuple[Interval, ...]:
        """Which contacts were loaded together, for how long."""
        lasted = []
        for one in rows.followed:
            contacts, since = one.begins_with, 0.0
            ends = [*((change.way, change.after) for change in one.changes), (float(one.way[-1]), ())]
            for way, contacts_after in ends:
                times = rows.leg.start + rows.leg.time_at(np.array([since, way]))
                if contacts and way > since:
                    lasted.append(Interval(from_=float(times[0]), to=float(times[1]), contacts=contacts))
                contacts, since = contacts_after, way
        return tuple(sorted(lasted, key=lambda interval: interval.from_))

    @cached_property
    def trajectory(self) -> Trajectory:
        """Poses of what is pushed and of what gives way, and the push."""
        poses: dict[str, list[Floats]] = {part: [] for part in self.plan.moving}
        for rows in self.legs:
            for part in self.plan.moving:
                poses[part].append(self.plan.frames_at(part, rows.leg, rows.way))
            for one in rows.followed:
                for part, frames in one.frames.items():
                    poses.setdefault(part, []).append(at_rows(one, frames, rows.way))
        force = f"drive {self.plan.drive}"
        pushes = np.concatenate([rows.push for rows in self.legs])
        names = unit_names(self.mechanism.units)
        return Trajectory(
            times=np.concatenate([rows.times for rows in self.legs]),
            poses={part: self._written(np.concatenate(frames)) for part, frames in poses.items()},
            events=tuple(event for leg in self.events for event in leg),
            stop=self.end(self.legs[-1]),
            units=self.mechanism.units,
            method=self.name,
            contacts=tuple(entry for rows in self.legs for entry in self.intervals(rows)),
            forces={force: np.where(np.isfinite(pushes), pushes, np.nan)},
            force_units={force: names.force.strip()},
            legs=tuple((float(rows.times[0]), float(rows.times[-1])) for rows in self.legs),
            notes=tuple(self.notes),
        )

    def _written(self, frames: Floats) -> Floats:
        """Frames as a trajectory has them, in document units."""
        frames = frames.copy()
        frames[:, :3, 3] /= self.plan.metres
        return pose.rows_of(frames, dimension=self.mechanism.dimension)


def _along(forces: Floats, direction: Floats) -> Floats:
    """The drive's share along a direction; a force without bound has none across it."""
    bounded = np.asarray(np.isfinite(forces).all(axis=1))
    push = np.where(bounded, -np.where(bounded[:, None], forces, 0.0) @ direction, np.inf)
    return np.asarray(push) + 0.0


def _leads_back(before: ConnectedLeg, leg: StraightLeg) -> bool:
    return bool(before.leg.direction @ leg.direction < -1 + _ROUNDING)


def predict(
    mechanism: Mechanism, *, drives: Mapping[str, Drive] | None = None, until: float | None = None
) -> Run:
    """Follow the legs of the document's drive, or of the one given."""
    if drives is not None:
        mechanism = replace(mechanism, drives=dict(drives))
    led = led_by(mechanism, until=until)
    if led is not None:
        return Run(lambda: led.trajectory, led)
    if until is not None:
        words = "a plan of legs ends with its last leg, not at a time of its own"
        raise UnsupportedError(words, "leave out `until`, and give the leg its `for`", "until")
    evidence = CompliantRun(mechanism)
    return Run(lambda: evidence.trajectory, evidence)
