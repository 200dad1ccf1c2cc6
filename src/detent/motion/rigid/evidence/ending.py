"""How a run of the rigid method ended, in words and as its last events."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from detent.foundation.names import few
from detent.foundation.units import unit_names
from detent.motion.rigid.advance import FULL, NO_LOADS, NO_SOLUTION, RUN_INTO, STUCK
from detent.motion.running.along import RunSteps
from detent.record.event import Event

if TYPE_CHECKING:
    from detent.contact.candidate import Candidates
    from detent.model.machine.system import System
    from detent.motion.rigid.acting import JointActions
    from detent.motion.rigid.evidence.jams import DriveJam
    from detent.record.event import Cause, EventKind

_NAMED = 4  # joints and contacts in words, at most
_ROUNDING = 1e-12  # of the size: a place that is nearer to zero is there


@dataclass(frozen=True, eq=False)
class RunEnding:
    """What a run leaves of why it ended."""

    system: System
    possible: Candidates
    actions: JointActions
    code: int
    steps: int
    closing: tuple[int, ...]  # what touched, what would close fastest without forces first
    jam: DriveJam | None
    tried: bool  # all combinations of sticking and sliding
    locks: bool  # forces grow without bound up to there

    @property
    def told(self) -> tuple[Cause, str]:
        """The cause, and its detail."""
        if self.jam is not None:
            return "jam" if self.code == NO_SOLUTION else "blocked", self._jammed(self.jam)
        if self.code == NO_SOLUTION:
            if not self.tried:
                return "interrupted", "no forces that satisfy friction were found; not all were tried"
            where = self._in_the_way(self.closing)
            grows = "; the force there grows without bound" if self.locks else ""
            if not self._rubs:
                words = f"no forces keep parts apart that touch without room: {where}"
                return "interrupted", f"{words}{grows}; a little play lets them move on"
            return "jam", f"no forces at the contacts satisfy friction (Painlevé's paradox): {where}{grows}"
        if self.code == NO_LOADS:
            joints = few([joint.name for joint in self.actions.rubbing], _NAMED)
            return "jam", f"no loads of joints agree with their friction ({joints}): they lock themselves"
        if self.code == RUN_INTO:
            return "blocked", f"{self._in_the_way(self.closing[:1])}: a drive at a speed cannot go on"
        if self.code == FULL:
            return RunSteps.all_kept(self.steps)
        if self.code == STUCK:
            return (
                "interrupted",
                "steps too short to go on: events follow each other too closely, or a spring is too stiff",
            )
        return "done", ""

    @property
    def _rubs(self) -> bool:
        """Whether anything rubs at what touches: without, no friction is to blame."""
        friction = self.system.touching.friction
        pairs = {self._parts(k) for k in self.closing if k < len(self.possible)}
        return bool(self.actions.rubbing) or any(friction(*pair) for pair in pairs)

    def _jammed(self, jam: DriveJam) -> str:
        """By what drives are stopped, and where."""
        drives = few(list(jam.drives), _NAMED)
        grows = "; speeds and forces grow without bound up to there" if jam.grows else ""
        if not jam.contacts:
            joints = few(list(jam.joints), _NAMED)
            if len(jam.drives) > 1 and not jam.grows:
                return f"{drives} contradict each other through {joints}: drives at a speed cannot go on"
            return f"{joints} come to a dead point: a drive at a speed cannot go on ({drives}){grows}"
        touching = self._in_the_way([each.candidate for each in jam.contacts])
        fast = ", and friction holds them fast" if self.code == NO_SOLUTION else ""
        length = unit_names(self.system.mechanism.units).length
        places = [
            f"{self.named(each.candidate)} at {self._place(each.point)}{length}"
            for each in jam.contacts
            if each.candidate < len(self.possible)
        ]
        if jam.squeezed:
            return f"{touching}: they leave each other no room ({few(places, _NAMED)})"
        by = "; ".join([drives, *([few(places, _NAMED)] if places else [])])
        return f"{touching}{fast}: a drive at a speed cannot go on ({by}){grows}"

    def _place(self, point: tuple[float, float]) -> str:
        """Without what rounding leaves of a zero."""
        least = _ROUNDING * self.system.size
        shown = (0.0 if abs(c) < least else c / self.system.metres_per_unit for c in point)
        return ", ".join(f"{c:.6g}" for c in shown)

    def named(self, candidate: int) -> str:
        """A contact, or a stop of a joint."""
        stop = candidate - len(self.possible)
        return self.possible.name(candidate) if stop < 0 else self.actions.stops[stop].name

    def events(self, end: float, before: Any) -> Iterator[Event]:
        """What comes to touch at the instant at which drives cannot go on, and that they cannot."""
        if self.jam is None:
            return
        for each in self.jam.contacts:
            if each.candidate not in before and each.candidate < len(self.possible):
                yield at_contact(self.system, self.possible, end, "contact", each.candidate)
        (cause, detail), names = self.told, tuple(self.named(each.candidate) for each in self.jam.contacts)
        kind: EventKind = "jam" if cause == "jam" else "blocked"
        parts: tuple[str, ...] = ()
        joint = None
        if self.jam.contacts:
            first = self.jam.contacts[0].candidate
            stop = self.actions.stops[first - len(self.possible)] if first >= len(self.possible) else None
            joint = None if stop is None else stop.joint.name
            parts = self._parts(first) if stop is None else stop.parts
        yield Event(time=end, kind=kind, joint=joint, after=names, subjects=parts, detail=detail)

    def _in_the_way(self, numbers: Sequence[int]) -> str:
        """Parts that touch, and joints at their limits."""
        pairs = dict.fromkeys(" and ".join(self._parts(k)) for k in numbers if k < len(self.possible))
        stops = [self.actions.stops[k - len(self.possible)] for k in numbers if k >= len(self.possible)]
        limits = few([f"{stop.joint.name} is at its limit" for stop in stops], _NAMED)
        touch = f"{', '.join([*pairs][:_NAMED])}{', and others,' if len(pairs) > _NAMED else ''} touch"
        return ", ".join([*([touch] if pairs else []), *([limits] if stops else [])])

    def _parts(self, candidate: int) -> tuple[str, ...]:
        return parts_at(self.system, self.possible, candidate)


def parts_at(system: System, possible: Candidates, candidate: int) -> tuple[str, ...]:
    """The two parts of a contact."""
    return tuple(system.bodies[body].name for body in possible.pairs[possible.listed[candidate, 3]])


def at_contact(
    system: System,
    possible: Candidates,
    time: float,
    kind: EventKind,
    candidate: int,
    impulse: float | None = None,
) -> Event:
    """Something that happens at a contact."""
    name = possible.name(candidate)
    return Event(
        time=time,
        kind=kind,
        before=() if kind in ("impact", "contact") else (name,),
        after=() if kind == "release" else (name,),
        subjects=parts_at(system, possible, candidate),
        impulse=impulse,
    )
