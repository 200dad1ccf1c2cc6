"""From exact runs to the record: times, angles, certificates, contacts."""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from detent.motion.quasistatic.answer.loads import leg_force
from detent.motion.quasistatic.exact.legs import LegRun
from detent.motion.quasistatic.exact.pawl import PawlEvent, PawlRun
from detent.motion.quasistatic.machine.fasteners import Fastener, Pawl
from detent.motion.quasistatic.slice.table import SlicePoint
from detent.numeric.polynomial.algebraic import Real
from detent.numeric.rational import fraction_of
from detent.record.event import Certificate
from detent.record.mating import Contacts, End, Happened, LegStory

DIGITS = 30
ONE_INSTANT = 1e-12  # of the time: doubles nearer than this may be one instant


def leg_story(fastener: Fastener, leg: LegRun) -> LegStory:
    """One leg for the record."""
    return LegStory(
        start=leg.instant(leg.line.start),
        events=_events(fastener, leg),
        end=End(
            time=leg.instant(leg.end),
            cause=leg.cause,
            coordinates={
                pawl.joint: coordinate(pawl, story.end)
                for pawl, story in zip(fastener.pawls, leg.stories, strict=True)
                if story.end is not None
            },
            exact=_certificate(leg, leg.end),
        ),
        contacts=tuple(
            entry
            for pawl, story in zip(fastener.pawls, leg.stories, strict=True)
            for entry in _contacts(leg, pawl, story)
        ),
        force=leg_force(fastener, leg),
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


def _certificate(leg: LegRun, t: Real) -> Certificate | UnsetType:
    """None for a leg in doubles."""
    return certificate(leg, t) if leg.exact else UNSET


def _short(value: int) -> int | str:
    """JSON's integers are safe to 2^53; beyond, text."""
    return value if abs(value) <= 2**53 else str(value)


def _events(fastener: Fastener, leg: LegRun) -> tuple[Happened, ...]:
    happened = [
        (leg.instant(happening.place.t), k, happening)
        for k, story in enumerate(leg.stories)
        for happening in story.happenings
    ]
    happened.sort(key=lambda entry: entry[0])
    # Of one instant the pawls come in their order; rounding of doubles must not change it.
    apart = 0.0 if leg.exact else ONE_INSTANT * (1 + abs(leg.instant(leg.end)))
    instants: list[float] = []
    for time, _, _ in happened:
        instants.append(instants[-1] if instants and time - instants[-1] <= apart else time)
    order = sorted(range(len(happened)), key=lambda i: (instants[i], happened[i][1], i))
    return tuple(_event(leg, fastener.pawls[happened[i][1]], happened[i][2]) for i in order)


def _event(leg: LegRun, pawl: Pawl, happening: PawlEvent) -> Happened:
    jam = happening.kind == "jam"
    return Happened(
        time=leg.instant(happening.place.t),
        kind=happening.kind,
        joint=pawl.joint,
        coordinate=coordinate(pawl, happening.place),
        before=happening.before,
        after=happening.after,
        coordinate_after=UNSET if happening.landed is None else coordinate(pawl, happening.landed),
        touching=happening.touching if jam else UNSET,
        reason=happening.reason if jam else UNSET,
        exact=_certificate(leg, happening.place.t),
    )


def _contacts(leg: LegRun, pawl: Pawl, story: PawlRun) -> list[Contacts]:
    """Loaded contacts over time; stretches that only a reversal or a chart divides are one."""
    found: list[Contacts] = []
    for stretch in story.stretches:
        begin, end = leg.instant(stretch.begin.t), leg.instant(stretch.end.t)
        if found and found[-1].contacts == stretch.arc.names and found[-1].to == begin:
            begin = found.pop().from_
        found.append(Contacts(joint=pawl.joint, from_=begin, to=end, contacts=stretch.arc.names))
    return found
