"""The run of one pawl on one push: events in order, and the stretches between them.

The seven sweep events of Donald & Pai 1992, section 8.3, are cases of two
questions asked at each candidate: does it stick, and how does the state go on
just after? An instant holds at most one of contact, change, snap, release;
then perhaps stick, jam, or, after a snap to rest, contact.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal, Protocol

from detent.foundation.progress import doing, reached
from detent.motion.quasistatic.exact.continuation import ContactArc, Jam, Outcome, Rest, Snap, continuation
from detent.motion.quasistatic.exact.snap import landing
from detent.motion.quasistatic.exact.sticking import reverses, sticks_after, sticks_at, sticks_at_start
from detent.motion.quasistatic.exact.stops import leaves_limits, stops_at_rest, stops_on
from detent.motion.quasistatic.machine.limits import AngleLimit
from detent.motion.quasistatic.slice.curves import angles_at
from detent.motion.quasistatic.slice.table import Slice, SlicePoint
from detent.numeric.polynomial.algebraic import Real, compare, real
from detent.record.event import EventKind


@dataclass(frozen=True)
class PawlEvent:
    """One event of one pawl while it is followed: the place where is exact, or a double.

    `answer/report.py` makes the `Event` of the record of it, once.
    """

    kind: EventKind
    place: SlicePoint
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    landed: SlicePoint | None = None  # of a snap
    touching: tuple[str, ...] = ()  # of a jam
    reason: str = ""


@dataclass(frozen=True)
class SlidingStretch:
    """Sliding along one arc from one place to another; reversals divide it.

    Where the places are exact, signs there tell the rest; where they are doubles it is given.
    """

    arc: ContactArc
    begin: SlicePoint
    end: SlicePoint
    # Whether it continues the one before it in the next chart: a quarter turn divides only the formulas.
    goes_on: bool = False
    towards: int | None = None  # the sign of r . v along it
    unbounded: tuple[bool, bool] | None = None  # whether its force has no bound where it begins and ends
    proved: bool = False  # that no threshold is met where it begins or ends at rest

    def place_at(self, parameter: float) -> SlicePoint:
        """The place on its arc at a rational parameter: u along a curve, else t."""
        at = real(Fraction(parameter))
        if self.arc.curve is None:
            return SlicePoint(at, self.begin.half, self.begin.u)
        return SlicePoint(self.arc.curve.time(at), self.begin.half, at)


@dataclass
class PawlRun:
    """What one pawl did on one push."""

    events: list[PawlEvent] = field(default_factory=list)
    stretches: list[SlidingStretch] = field(default_factory=list)
    end: SlicePoint | None = None
    cause: Literal["done", "jam", "stick", "limit"] = "done"
    exact: bool = True  # else its places are doubles


State = tuple[SlicePoint, Outcome]
Names = tuple[str, ...]
Moved = tuple[tuple[SlicePoint, Outcome | None], Names | None, bool]


class StepsAhead(Protocol):
    """Takes steps of a run that have a proved answer sooner than algebra does."""

    def advance(
        self,
        pawl_run: PawlRun,
        place: SlicePoint,
        outcome: Outcome | None,
        carried: Names | None,
        goes_on: bool,
    ) -> Moved | None:
        """From a state as far as it can; the run has what happened. None where that is its end.

        An outcome that is None is a pawl of which it is not known what it touches.
        """
        ...


def run(
    slice_: Slice,
    start: SlicePoint,
    until: Real,
    limits: tuple[AngleLimit, ...] = (),
    ahead: StepsAhead | None = None,
) -> PawlRun:
    """Follow a pawl from a free place to a time, or to where it ends before."""
    with doing("event"):
        return _Run(slice_, until, limits, ahead).go(start)


class _Run:
    def __init__(
        self, slice_: Slice, until: Real, limits: tuple[AngleLimit, ...], ahead: StepsAhead | None
    ) -> None:
        self.slice, self.until, self.limits, self.ahead = slice_, until, limits, ahead
        self.run = PawlRun()
        rest = SlicePoint(real(0), 0, real(0))
        self.barred = frozenset(limit.side for limit in limits if limit.at(rest))
        self.goes_on = False  # whether the next stretch continues the last in another chart

    def go(self, start: SlicePoint) -> PawlRun:
        before = None if start.side else ()
        if self.ahead is not None:
            moved = self.ahead.advance(self.run, start, None, before, False)
            if moved is None:
                return self.run
            (start, begun), carried, self.goes_on = moved
            if begun is not None:
                self._enter(start, begun, before=carried, tried=True)
                return self.run
        place, outcome = self._follow(start)
        self._enter(place, outcome, before=before)
        return self.run

    def _enter(
        self, place: SlicePoint, outcome: Outcome, *, before: Names | None, tried: bool = False
    ) -> None:
        """Take up what follows at a place; `before` is None where the first contact is not an event."""
        state: State | None = (place, outcome)
        carried: Names | None = before
        while state is not None:
            place, outcome = state
            if isinstance(outcome, Rest) and carried:
                self._happen("release", place, before=carried)
                carried = ()
            if isinstance(outcome, ContactArc):
                self._note(place, outcome, carried)
                carried = outcome.names
            if self.ahead is not None and not tried:
                moved = self.ahead.advance(self.run, place, outcome, carried, self.goes_on)
                if moved is None:
                    return None
                (place, left), carried, self.goes_on = moved
                assert left is not None
                outcome = left
            tried = False
            match outcome:
                case Jam():
                    self._happen(
                        "jam", place, before=carried or (), touching=outcome.touching, reason=outcome.reason
                    )
                    return self._finish(place, "jam")
                case Snap():
                    state, carried = self._snap(place, carried or ())
                case Rest():
                    state, carried = self._at_rest(place), ()
                case ContactArc():
                    state = self._slide(outcome)
        return None

    def _note(self, place: SlicePoint, arc: ContactArc, before: tuple[str, ...] | None) -> None:
        if before is None or before == arc.names:
            return
        self._happen("change" if before else "contact", place, before=before, after=arc.names)

    def _snap(
        self, place: SlicePoint, before: tuple[str, ...]
    ) -> tuple[tuple[SlicePoint, Outcome], tuple[str, ...] | None]:
        landed = landing(self.slice, place)
        landed, outcome = self._follow(landed)
        after = outcome.names if isinstance(outcome, ContactArc) and landed.side else ()
        if isinstance(outcome, Jam) and landed.side:
            after = outcome.touching
        self._happen("snap", place, before=before, after=after, landed=landed)
        if landed.side == 0:
            return (landed, outcome), ()
        return (landed, outcome), after

    def _at_rest(self, place: SlicePoint) -> tuple[SlicePoint, Outcome] | None:
        for stop in stops_at_rest(self.slice, place):
            if stop.t >= self.until:
                break
            stop, outcome = self._follow(stop)
            if not isinstance(outcome, Rest):
                return stop, outcome
        self._finish(SlicePoint(self.until, 0, real(0)), "done")
        return None

    def _slide(self, arc: ContactArc) -> tuple[SlicePoint, Outcome] | None:
        """Follow an arc to where something else begins."""
        begin = arc.place
        if sticks_at_start(arc):
            self._stretch(arc, begin, begin)
            self._stop("stick", arc, begin)
            return None
        if leaves_limits(arc, self.limits):
            self._stretch(arc, begin, begin)
            self._stop("limit", arc, begin)
            return None
        last = begin
        for stop in stops_on(self.slice, arc, self.limits):
            place = stop.place
            if place.t >= self.until:
                break
            if sticks_at(arc, place):
                self._stretch(arc, begin, place)
                self._stop("stick", arc, place)
                return None
            state: tuple[SlicePoint, Outcome] | None = None
            if stop.tags & {"geometry", "turn", "chart"}:
                state = self._follow(place)
                if not self._same(arc, state[1]) or "turn" in stop.tags:
                    self._stretch(arc, begin, place)
                    return state
            # Whatever else meets at a limit came first, since it may turn the pawl back inside.
            if "limit" in stop.tags:
                self._stretch(arc, begin, place)
                self._stop("limit", arc, place)
                return None
            turned_back = "friction" in stop.tags and reverses(arc, place)
            if turned_back:
                self._stretch(arc, begin, place)
                if sticks_after(arc, place):
                    self._stop("stick", arc, place)
                    return None
                self._happen("reversal", place, before=arc.names, after=arc.names)
                begin = place
            if "chart" in stop.tags:
                if not turned_back:
                    self._stretch(arc, begin, place)
                    self.goes_on = True
                return state
            last = place
        end = self._at_the_end(arc, last)
        self._stretch(arc, begin, end)
        self._finish(end, "done")
        return None

    def _stretch(self, arc: ContactArc, begin: SlicePoint, end: SlicePoint) -> None:
        self.run.stretches.append(SlidingStretch(arc, begin, end, goes_on=self.goes_on))
        self.goes_on = False

    def _follow(self, place: SlicePoint) -> tuple[SlicePoint, Outcome]:
        """How it goes on; in the next chart where it would leave this one.

        With both sides of rest open it is not balanced where friction holds it on either: then it sticks.
        """
        outcome = continuation(self.slice, place, self.barred)
        if isinstance(outcome, Jam) and outcome.sides and all(map(sticks_at_start, outcome.sides)):
            return place, outcome.sides[0]
        if isinstance(outcome, ContactArc) and outcome.heading and compare(place.u, outcome.heading) == 0:
            place = SlicePoint(place.t, place.half + outcome.heading, real(-outcome.heading))
            outcome = continuation(self.slice, place, self.barred)
        return place, outcome

    def _same(self, arc: ContactArc, outcome: Outcome) -> bool:
        """Whether the state slides on as before."""
        return (
            isinstance(outcome, ContactArc)
            and outcome.names == arc.names
            and outcome.side == arc.side
            and outcome.heading == arc.heading
        )

    def _stop(self, kind: Literal["stick", "limit"], arc: ContactArc, place: SlicePoint) -> None:
        self._happen(kind, place, before=arc.names)
        self._finish(place, kind)

    def _at_the_end(self, arc: ContactArc, last: SlicePoint) -> SlicePoint:
        """The place on an arc, beyond the last candidate passed, at the end of the run."""
        if arc.curve is None:
            return SlicePoint(self.until, arc.place.half, arc.place.u)
        ahead = [
            u
            for u in angles_at(arc.curve.p, arc.curve.q, self.until)
            if compare(u, last.u) in (0, arc.heading)
            and not (compare(u, last.u) == 0 and last.t != self.until)
        ]
        u = min(ahead) if arc.heading > 0 else max(ahead)
        return SlicePoint(arc.curve.time(u), arc.place.half, u)

    def _happen(self, kind: EventKind, place: SlicePoint, **details: Any) -> None:
        reached(len(self.run.events) + 1, detail=f"{kind} at {float(place.t):.4g} s")
        self.run.events.append(PawlEvent(kind, place, **details))

    def _finish(self, place: SlicePoint, cause: Literal["done", "jam", "stick", "limit"]) -> None:
        self.run.end = place
        self.run.cause = cause
