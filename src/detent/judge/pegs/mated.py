"""The answer of `detent mate` for a peg on springs above its hole: Whitney's theory along the first leg."""

from __future__ import annotations

import math
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from detent.foundation.errors import UnsupportedError
from detent.foundation.units import metres, unit_names
from detent.geometry import pose
from detent.judge.pegs.explained import jamming_told, peg_told, scope_of
from detent.judge.pegs.led import changes, led_rows
from detent.judge.pegs.passage import Pushes, Regime
from detent.judge.pegs.recognise import NotAPeg, PegInHole, follows_contacts, pegs_of
from detent.judge.pegs.story import PegStory
from detent.model.document.mechanism import Mechanism
from detent.motion.leading.plan import StraightLeg, plan_of
from detent.record.compliant_mating import (
    CompliantForce,
    CompliantLeg,
    CompliantMating,
    CompliantSeries,
    GoesIn,
    JammingPath,
    SecondContact,
    series_columns,
)
from detent.record.event import Event, EventKind, Interval, Stop
from detent.record.run import Run
from detent.record.table import with_unit
from detent.record.trajectory import Trajectory

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

NAME = "Whitney's theory: quasi-static, planar, small angles, closed forms"
CONTACTS: dict[Regime, tuple[str, ...]] = {
    "chamfer": ("chamfer",),
    "rim": ("rim on side",),
    "tip": ("tip on wall",),
    "flat": ("side on wall",),
    "two points": ("rim on side", "tip on opposite wall"),
    "both": ("chamfer", "opposite side"),
    "face": ("face",),
}
_FIRST_LEG = "legs after the first are not followed by this theory"
_OTHERWISE = 'it is taken as a peg in a hole; method = "quasistatic" follows its contacts as those of a hook'
_ONE_POINT = ("rim", "tip", "flat")


def peg_asked(mechanism: Mechanism) -> PegInHole | None:
    """The peg that a mating of this document is about; UnsupportedError where its theory does not hold."""
    found = () if follows_contacts(mechanism) else pegs_of(mechanism)
    pegs = [each for each in found if isinstance(each, PegInHole)]
    if pegs:
        _refuse_rounds(pegs[0])
        return pegs[0]
    for each in found:
        if isinstance(each, NotAPeg) and each.sure:
            raise UnsupportedError(each.why, each.remedy, each.at)
    return None


def no_peg(mechanism: Mechanism) -> UnsupportedError | None:
    """Why what looks like a peg above a hole is none for this theory, where no other method follows it
    either.
    """
    for each in () if follows_contacts(mechanism) else pegs_of(mechanism):
        if isinstance(each, NotAPeg):
            return UnsupportedError(each.why, each.remedy, each.at)
    return None


def _refuse_rounds(found: PegInHole) -> None:
    if found.rounded and abs(found.theory.error) > found.theory.play:
        part = found.part if found.on_peg else found.hole_part
        raise UnsupportedError(
            "its edge is rounded, and the closed form of the crossing is that of a chamfer",
            "draw a `chamfer`; `detent explain` tells what is independent of it",
            f"parts.{part}.shape",
        )


def peg_mating(mechanism: Mechanism, found: PegInHole) -> CompliantMating:
    """Whitney's theory along the first leg of a document's plan."""
    run = PegRun(mechanism, found)
    return run.mating.computed_from(Run(lambda: run.trajectory, run))


class PegRun:
    """The evidence of such an answer, which pictures and films read."""

    name = NAME

    def __init__(self, mechanism: Mechanism, found: PegInHole) -> None:
        self.mechanism, self.found = mechanism, found
        self.story = PegStory(found)
        self.plan = plan_of(mechanism)
        self.rows = led_rows(self.story)
        self.per_metre = 1 / metres(mechanism.units)

    @property
    def leg(self) -> StraightLeg:
        return self.plan.legs[0]

    @cached_property
    def times(self) -> Floats:
        ways = np.clip([row.travel for row in self.rows], 0.0, self.leg.length)
        return np.asarray(self.leg.start + self.leg.time_at(ways))

    def depth(self, row: Pushes) -> float:
        """Of the tip's end on the side that is pressed, in document units."""
        return self.per_metre * (row.depth + self.found.nose)

    @cached_property
    def forces(self) -> Floats:
        """(rows, 3): contact force on what is held, along the world's axes."""
        along = np.array([row.pushes.along for row in self.rows])
        across = np.array([row.pushes.across for row in self.rows])
        return -along[:, None] * self.found.down - across[:, None] * self.found.across

    @cached_property
    def moments(self) -> Floats:
        """(rows, 3): of the contact force about the middle of the peg's tip (its shoulder), world axes."""
        normal = np.cross(self.found.down, self.found.across)
        peg = self.found.theory
        turning = []
        for row in self.rows:
            right_rim, left_corner, left_rim, right_corner = row.pushes.normals
            side = peg.friction * peg.radius
            turning.append(
                (right_rim - left_rim) * (row.pushes.depth + side) + (right_corner - left_corner) * side
            )
        return np.array(turning)[:, None] * normal

    @cached_property
    def mating(self) -> CompliantMating:
        """The record."""
        answer, why = self.story.answer
        told = peg_told(self.story, self.per_metre)
        end_depth = self.depth(self.rows[-1].pushes)
        more = len(self.plan.legs) > 1
        notes = [*self._notes(), *([_FIRST_LEG] if more else []), _OTHERWISE]
        return CompliantMating(
            insertion=GoesIn(answer=answer, why=why),
            legs=(self._leg(),),
            series=self._series(),
            connections=({"kind": "peg", "name": self.found.part, "end_depth": end_depth, **_plain(told)},),
            method=NAME,
            scope=scope_of(self.story),
            notes=tuple(notes),
            units=self.mechanism.units,
        )

    def _notes(self) -> list[str]:
        jumps = [(one, other) for one, other in zip(self.rows, self.rows[1:], strict=False) if other.jumped]
        unit = unit_names(self.mechanism.units).length
        return [
            f"from {self.depth(one.pushes):.5g} to {self.depth(other.pushes):.5g}{unit} of depth the peg "
            "jumps: there F_z falls more steeply than the support along the way in gives back"
            for one, other in jumps
        ]

    @cached_property
    def end(self) -> Stop:
        """Why the leg ends."""
        last, distance = self.rows[-1], self.found.distance
        done = distance is not None and last.travel >= distance * (1 - 1e-12)
        whole = self.story.whole
        travel = self.per_metre * last.travel
        if done:
            return Stop(time=float(self.times[-1]), cause="done", travel=travel)
        if whole.why:
            cause, why = ("jam" if self.story.leaves is not None else "blocked"), whole.why
        elif self.found.blind and self.story.deepest < self.found.side:
            cause, why = "blocked", "the peg stands on the bottom of the hole"
        else:
            cause, why = "limit", "the peg's sides or the walls of the hole end: no closed form goes on"
        return Stop(time=float(self.times[-1]), cause=cause, travel=travel, detail=why)  # type: ignore[arg-type]

    def _leg(self) -> CompliantLeg:
        return CompliantLeg(
            start=self.leg.start,
            end=self.end,
            events=self.events,
            contact_sequence=self._sequence(),
            contacts=self._intervals(),
            force=self._force(),
            second_contact=self._second(),
            jamming=self._jamming(),
        )

    @cached_property
    def events(self) -> tuple[Event, ...]:
        """Where contacts change, and jumps."""
        events, length = [], unit_names(self.mechanism.units).length
        for one, other in changes(self.rows):
            before, after = (CONTACTS.get(row.pushes.regime, ()) for row in (one, other))
            kind: EventKind = "contact" if not before else "release" if not after else "change"
            if other.jumped:
                kind = "snap"
            jams = other.pushes.regime == "locked"
            if jams:
                kind, after = "jam", before or ("chamfer",)
            if before == after and kind != "snap" and not jams:
                continue
            k = self.rows.index(other)
            events.append(
                Event(
                    time=float(self.times[k]),
                    kind=kind,
                    joint=self.found.joint,
                    travel=self.per_metre * other.travel,
                    before=before,
                    after=after,
                    touching=after if jams else None,
                    reason="balanced" if jams else None,
                    detail=f"{round(self.depth(other.pushes), 12):.6g}{length} deep",
                )
            )
        return tuple(events)

    def _sequence(self) -> tuple[tuple[str, ...], ...]:
        sets: list[tuple[str, ...]] = []
        for row in self.rows:
            now = CONTACTS.get(row.pushes.regime, ())
            if not sets or sets[-1] != now:
                sets.append(now)
        return tuple(sets)

    def _intervals(self) -> tuple[Interval, ...]:
        spans: list[tuple[tuple[str, ...], float, float]] = []
        for row, time in zip(self.rows, self.times.tolist(), strict=True):
            now = CONTACTS.get(row.pushes.regime, ())
            if spans and spans[-1][0] == now:
                spans[-1] = now, spans[-1][1], time
            else:
                spans.append((now, time, time))
        return tuple(Interval(from_=a, to=b, contacts=names) for names, a, b in spans if names and b > a)

    def _force(self) -> CompliantForce:
        push = np.array([row.pushes.along for row in self.rows])
        travel = np.array([row.travel for row in self.rows])
        regimes = [row.pushes.regime for row in self.rows]
        if self.end.cause == "jam":
            push[-1] = math.inf
        top = int(np.argmax(push))
        known: dict[str, Any] = {}
        if "chamfer" in regimes:
            known["peak_chamfer"] = -max(p for p, r in zip(push, regimes, strict=True) if r == "chamfer")
            crossed = not {*_ONE_POINT, "two points", "free"}.isdisjoint(regimes)
            if self.story.exact_chamfer is not None and crossed:
                known["peak_chamfer_exact"] = -float(self.story.exact_chamfer)
        if "two points" in regimes:
            known["peak_two_points"] = -max(
                p for p, r in zip(push, regimes, strict=True) if r == "two points"
            )
        first = next((k for k, regime in enumerate(regimes) if regime in _ONE_POINT), None)
        if first is not None:
            last = next((k for k in range(first, len(regimes)) if regimes[k] != regimes[first]), len(regimes))
            depths = np.array([row.pushes.depth for row in self.rows[first:last]])
            part = self.forces[first:last]
            span = depths[-1] - depths[0]
            mean = np.trapezoid(part, depths, axis=0) / span if span > 0 else part[0]
            known["plateau"] = _vector(mean)
        if self.mechanism.units != "1":
            known["peak_at_travel_mm"] = 1e3 * float(travel[top])
        return CompliantForce(
            peak=float(push[top]),
            peak_push=float(push[top]),
            peak_at_travel=self.per_metre * float(travel[top]),
            end=_vector(self.forces[-1]),
            work=float(self.work[-1]),
            **known,
        )

    @cached_property
    def work(self) -> Floats:
        """Of the drive, from the leg's start [J]."""
        push = np.array([row.pushes.along for row in self.rows])
        travel = np.array([row.travel for row in self.rows])
        steps = np.diff(travel) * (push[1:] + push[:-1]) / 2
        return np.concatenate([[0.0], np.cumsum(steps)])

    def _second(self) -> SecondContact:
        k = next((k for k, row in enumerate(self.rows) if row.pushes.regime == "two points"), None)
        if k is None:
            return SecondContact()
        depth = self.depth(self.rows[k].pushes)
        ends = next((row for row in self.rows[k:] if row.pushes.regime != "two points"), None)
        exact = self.story.exact_second
        return SecondContact(
            time=float(self.times[k]),
            depth=depth,
            depth_mm=None if self.mechanism.units == "1" else 1e3 * depth / self.per_metre,
            depth_exact=None if exact is None else self.per_metre * (exact + self.found.nose),
            ends_at=None if ends is None else self.depth(ends.pushes),
            wedging=self.story.wedging.possible,
        )

    def _jamming(self) -> JammingPath | None:
        told = jamming_told(self.story, self.per_metre)
        if told is None:
            return None
        return JammingPath(
            depth=tuple(told["depth"]),
            lam=tuple(told["lam"]),
            vertices=tuple(tuple((x, y) for x, y in each) for each in told["vertices"]),
            path=tuple((a, b, c, d) for a, b, c, d in told["path"]),
            path_columns=tuple(told["path_columns"]),
            leaves=told["leaves"],
        )

    def _series(self) -> CompliantSeries:
        names = unit_names(self.mechanism.units)
        length, force = names.length.strip(), names.force.strip()
        own = (
            with_unit("depth", length),
            with_unit("lateral", force),
            with_unit("tilt", "rad"),
            *(with_unit(name, force) for name in ("right rim", "left corner", "left rim", "right corner")),
        )
        body = []
        for k, row in enumerate(self.rows):
            now = row.pushes
            push = math.inf if self.end.cause == "jam" and row is self.rows[-1] else now.along
            numbers = [
                1.0, float(self.times[k]), self.per_metre * row.travel, push,
                *self.forces[k].tolist(), *self.moments[k].tolist(), float(self.work[k]),
                self.depth(now), now.across, now.lean, *now.normals,
            ]  # fmt: skip
            body.append(tuple(x + 0.0 for x in numbers))
        return CompliantSeries(columns=(*series_columns(self.mechanism.units), *own), rows=tuple(body))

    @cached_property
    def trajectory(self) -> Trajectory:
        """Poses of the carrier and of the peg."""
        names = unit_names(self.mechanism.units)
        travel = np.array([row.travel for row in self.rows])
        poses = {}
        for part in self.plan.moving:
            poses[part] = self._written(
                self.plan.frames_at(part, self.leg, np.clip(travel, 0, self.leg.length))
            )
        poses[self.found.part] = self._written(self._peg_frames())
        push = f"drive {self.plan.drive}"
        return Trajectory(
            times=self.times,
            poses=poses,
            events=self.events,
            stop=self.end,
            units=self.mechanism.units,
            method=NAME,
            contacts=self._intervals(),
            forces={push: np.array([row.pushes.along for row in self.rows])},
            force_units={push: names.force.strip()},
            legs=((float(self.times[0]), float(self.times[-1])),),
        )

    def _peg_frames(self) -> Floats:
        """(rows, 4, 4): the peg turns about its compliance centre, which goes aside and in."""
        found, peg = self.found, self.found.theory
        start = self.plan.frame(found.part)
        normal = np.cross(found.down, found.across)
        frames = np.repeat(start[None], len(self.rows), axis=0)
        for k, row in enumerate(self.rows):
            turned = pose.rotation_of(normal * (row.pushes.lean - peg.lean))
            aside = -row.pushes.across / peg.lateral * found.across
            gone = (row.travel - row.pushes.along / found.axial) * found.down
            frames[k, :3, :3] = turned @ start[:3, :3]
            frames[k, :3, 3] = found.centre_at + aside + gone + turned @ (start[:3, 3] - found.centre_at)
        return frames

    def _written(self, frames: Floats) -> Floats:
        """As a trajectory has them, in document units."""
        frames = frames.copy()
        frames[:, :3, 3] *= self.per_metre
        return pose.rows_of(frames, dimension=self.mechanism.dimension)


def _vector(numbers: Floats) -> tuple[float, float, float]:
    x, y, z = (float(number) + 0.0 for number in numbers)
    return x, y, z


def _plain(told: dict[str, Any]) -> dict[str, Any]:
    """What explain tells of it, less what the answer has itself."""
    return {key: value for key, value in told.items() if key not in ("scope", "jamming", "goes_in")}
