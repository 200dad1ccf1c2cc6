"""From exact runs to the record: times, angles, certificates, contacts."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

from flint import fmpq

from detent.geometry.exact.polygon import Point
from detent.motion.quasistatic.answer.loads import PawlLoads, leg_force
from detent.motion.quasistatic.exact.legs import LegRun, first_direction
from detent.motion.quasistatic.exact.pawl import PawlEvent, PawlRun
from detent.motion.quasistatic.exact.stops import stops_on
from detent.motion.quasistatic.machine.fasteners import Fastener, Pawl
from detent.motion.quasistatic.machine.limits import AngleLimit
from detent.motion.quasistatic.slice.table import SlicePoint
from detent.numeric.polynomial.algebraic import Real
from detent.numeric.rational import fraction_of
from detent.record.event import Certificate, Event, Interval, Stop
from detent.record.mating import LegStory, along_arcs

DIGITS = 30
AT_LIMIT = 1e-9  # [rad], and of the angle
FARTHER = fmpq(1, 10**6)  # of a half-tangent: well beyond what lies at a limit
ONE_INSTANT = 1e-12  # of the time: doubles nearer than this may be one instant


def leg_story(
    fastener: Fastener,
    leg: LegRun,
    *,
    events: tuple[Event, ...] | None = None,
    loads: Sequence[PawlLoads] | None = None,
) -> LegStory:
    """One leg for the record; its events and the loads of its pawls where they are known already."""
    events = leg_events(fastener, leg) if events is None else events
    return LegStory(
        start=leg.instant(leg.line.start),
        events=events,
        end=leg_end(fastener, leg),
        contacts=leg_contacts(fastener, leg),
        force=leg_force(fastener, leg, loads),
        along_arcs=along_arcs(events),
    )


def leg_end(fastener: Fastener, leg: LegRun) -> Stop:
    """When and why a leg ended, and the positions of its pawls then."""
    return Stop(
        time=leg.instant(leg.end),
        cause=leg.cause,
        travel=leg.travel(first_direction(fastener), leg.end),
        coordinates={
            pawl.joint: coordinate(pawl, pawl_run.end)
            for pawl, pawl_run in zip(fastener.pawls, leg.pawl_runs, strict=True)
            if pawl_run.end is not None
        },
        exact=_certificate(leg, leg.end),
        coordinate_units={pawl.joint: "rad" for pawl in fastener.pawls},
    )


def leg_contacts(fastener: Fastener, leg: LegRun) -> tuple[Interval, ...]:
    """Which contacts were loaded on a leg, pawl by pawl."""
    return tuple(
        interval
        for pawl, pawl_run in zip(fastener.pawls, leg.pawl_runs, strict=True)
        for interval in _contacts(leg, pawl, pawl_run)
    )


def coordinate(pawl: Pawl, place: SlicePoint) -> float:
    """The joint's coordinate [rad] at a place."""
    return pawl.rest + pawl.sense * place.angle()


def certificate(leg: LegRun, t: Real) -> Certificate:
    """The time's minimal polynomial and an interval that holds no other root of it.

    A leg that begins at an irrational place runs on the line of the leg before,
    and is certified in that leg's time.
    """
    retraces = leg.line.ratio is not None
    value = t * leg.line.ratio if retraces else t
    low, high = value.interval()
    began = leg.began[0].rational
    return Certificate(
        polynomial=tuple(_short(int(c)) for c in value.minimal().coeffs()),
        interval=(str(low), str(high)),
        digits=value.digits(DIGITS),
        after="" if retraces else str(fraction_of(began)) if began is not None else "",
        of="time of the leg before" if retraces else "",
    )


def _certificate(leg: LegRun, t: Real) -> Certificate | None:
    """None for a leg in doubles."""
    return certificate(leg, t) if leg.exact else None


def _short(value: int) -> int | str:
    """JSON's integers are safe to 2^53; beyond, text."""
    return value if abs(value) <= 2**53 else str(value)


def leg_events(fastener: Fastener, leg: LegRun) -> tuple[Event, ...]:
    """The events of a leg in their order: the one place where they become records."""
    entries = [
        (leg.instant(event.place.t), k, event)
        for k, pawl_run in enumerate(leg.pawl_runs)
        for event in pawl_run.events
    ]
    entries.sort(key=lambda entry: entry[0])
    # Of one instant the pawls come in their order; rounding of doubles must not change it.
    apart = 0.0 if leg.exact else ONE_INSTANT * (1 + abs(leg.instant(leg.end)))
    instants: list[float] = []
    for time, _, _ in entries:
        instants.append(instants[-1] if instants and time - instants[-1] <= apart else time)
    order = sorted(range(len(entries)), key=lambda i: (instants[i], entries[i][1], i))
    direction = first_direction(fastener)
    return tuple(_event(leg, fastener.pawls[entries[i][1]], entries[i][2], direction) for i in order)


def _event(leg: LegRun, pawl: Pawl, event: PawlEvent, direction: Point) -> Event:
    jam = event.kind == "jam"
    return Event(
        time=leg.instant(event.place.t),
        kind=event.kind,
        joint=pawl.joint,
        travel=leg.travel(direction, event.place.t),
        coordinate=coordinate(pawl, event.place),
        before=event.before,
        after=event.after,
        coordinate_after=None if event.landed is None else coordinate(pawl, event.landed),
        touching=event.touching if jam else None,
        reason=event.reason if jam else None,
        exact=_certificate(leg, event.place.t),
        coordinate_unit="rad",
    )


def _contacts(leg: LegRun, pawl: Pawl, pawl_run: PawlRun) -> list[Interval]:
    """Loaded contacts over time; stretches that only a reversal or a chart divides are one."""
    intervals: list[Interval] = []
    for stretch in pawl_run.stretches:
        begin, end = leg.instant(stretch.begin.t), leg.instant(stretch.end.t)
        if intervals and intervals[-1].contacts == stretch.arc.names and intervals[-1].to == begin:
            begin = intervals.pop().from_
        intervals.append(Interval(joint=pawl.joint, from_=begin, to=end, contacts=stretch.arc.names))
    return intervals


def near_limits(fastener: Fastener, legs: Sequence[LegRun]) -> list[str]:
    """A sentence for each limit that was rounded to a rational and that an event lies at, as doubles tell.

    Coming to the limit is not such an event by itself: only where something else would happen there too.
    """
    sentences = []
    for k, pawl in enumerate(fastener.pawls):
        for limit in pawl.limits:
            if limit.exact:
                continue
            angle = limit.half * math.pi + 2 * math.atan(float(limit.u))
            for leg in legs:
                for event in leg.pawl_runs[k].events:
                    if not _at(event.place, angle):
                        continue
                    if event.kind != "limit" or any(_at(p, angle) for p in _stops_around(leg, k, limit)):
                        sentences.append(
                            f"{pawl.joint}: the {event.kind} at {leg.instant(event.place.t):.6g}"
                            f"{fastener.units.time} lies at its limit to 1e-9; the limit is taken "
                            "as a nearby rational half-tangent, so which comes first may differ "
                            "from the limit as written"
                        )
    return list(dict.fromkeys(sentences))


def _at(place: SlicePoint, angle: float) -> bool:
    return abs(place.angle() - angle) <= AT_LIMIT * (1 + abs(angle))


def _stops_around(leg: LegRun, index: int, limit: AngleLimit) -> Iterator[SlicePoint]:
    """Where a pawl's last stretch of a leg might have stopped, with a limit a little farther out."""
    farther = replace(limit, u=limit.u + limit.side * FARTHER)
    for stretch in leg.pawl_runs[index].stretches[-1:]:
        for stop in stops_on(leg.slices[index], stretch.arc, (farther,)):
            if stop.tags != {"limit"}:
                yield stop.place
