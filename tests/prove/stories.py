"""Two stories of one fastener, compared event by event, leg by leg, force by force."""

from __future__ import annotations

from typing import Any

from detent.motion.quasistatic.answer import leg_story
from detent.motion.quasistatic.exact import PlanRun
from detent.motion.quasistatic.machine import Fastener
from detent.record import LegStory

TIME, ANGLE, FORCE = 1e-9, 1e-7, 1e-6


def difference(made: Fastener, one: PlanRun, other: PlanRun) -> str | None:
    """What differs between two runs of a plan; None where they tell one story."""
    if one.notes != other.notes or len(one.legs) != len(other.legs):
        return f"{len(one.legs)} legs {one.notes}, {len(other.legs)} legs {other.notes}"
    for number, legs in enumerate(zip(one.legs, other.legs, strict=True), 1):
        a, b = (leg_story(made, leg) for leg in legs)
        for compared in (_events, _ends, _contacts, _forces):
            found = compared(a, b)
            if found is not None:
                return f"leg {number}: {found}"
    return None


def _events(a: LegStory, b: LegStory) -> str | None:
    told = [
        [(e.kind, e.joint, e.before, e.after, e.touching, e.reason) for e in leg.events] for leg in (a, b)
    ]
    if told[0] != told[1]:
        return f"{told[0]} and {told[1]}"
    for e, f in zip(a.events, b.events, strict=True):
        if abs(e.time - f.time) > TIME * max(1.0, abs(e.time)) or abs(e.coordinate - f.coordinate) > ANGLE:
            return f"{e.kind} at {e.time}, {e.coordinate} and at {f.time}, {f.coordinate}"
        if not _near(e.coordinate_after, f.coordinate_after, ANGLE):
            return f"snap to {e.coordinate_after} and to {f.coordinate_after}"
    return None


def _ends(a: LegStory, b: LegStory) -> str | None:
    if a.end.cause != b.end.cause or abs(a.end.time - b.end.time) > TIME * max(1.0, abs(a.end.time)):
        return f"ends {a.end.cause} at {a.end.time} and {b.end.cause} at {b.end.time}"
    angles = a.end.coordinates, b.end.coordinates
    if any(abs(angles[0][joint] - angles[1][joint]) > ANGLE for joint in angles[0]):
        return f"ends at {angles[0]} and {angles[1]}"
    return None


def _contacts(a: LegStory, b: LegStory) -> str | None:
    told = [[(c.joint, c.contacts) for c in leg.contacts] for leg in (a, b)]
    return None if told[0] == told[1] else f"{told[0]} and {told[1]}"


def _forces(a: LegStory, b: LegStory) -> str | None:
    told = [[(s.part, s.contact) for s in leg.force.stretches] for leg in (a, b)]
    if told[0] != told[1]:
        return f"stretches {told[0]} and {told[1]}"
    if a.force.peak.unbounded != b.force.peak.unbounded:
        return f"peaks {a.force.peak} and {b.force.peak}"
    for s, r in zip(a.force.stretches, b.force.stretches, strict=True):
        for one, other in ((s.contact_force, r.contact_force), (s.resisting, r.resisting)):
            if not _near(one.at_ends, other.at_ends, FORCE):
                return f"{s.contact}: {one} and {other}"
    return None


def _near(a: Any, b: Any, slack: float) -> bool:
    if isinstance(a, float) and isinstance(b, float):
        return a == b or abs(a - b) <= slack * max(1.0, abs(a))
    return type(a) is type(b)


def exact_story(plan: PlanRun) -> list[Any]:
    """Everything that two exact runs of one plan must have alike, places as the nearest doubles."""
    legs: list[Any] = [plan.notes]
    for leg in plan.legs:
        legs.append((leg.cause, float(leg.end)))
        for pawl_run in leg.pawl_runs:
            assert pawl_run.end is not None
            legs.append((pawl_run.cause, _place(pawl_run.end)))
            for h in pawl_run.events:
                landed = h.landed and _place(h.landed)
                legs.append((h.kind, _place(h.place), h.before, h.after, h.touching, h.reason, landed))
            legs += [
                (s.arc.names, s.arc.side, s.arc.heading, s.goes_on, _place(s.begin), _place(s.end))
                for s in pawl_run.stretches
            ]
            legs += [
                ([contact.order for contact in s.arc.contacts], s.arc.curve and s.arc.curve.key)
                for s in pawl_run.stretches
            ]
    return legs


def _place(place: Any) -> tuple[float, int, float]:
    return float(place.t), place.half, float(place.u)
