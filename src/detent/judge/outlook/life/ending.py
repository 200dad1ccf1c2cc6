"""What ends a pattern, by name: the contact that comes, or does not come any more."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from detent.judge.outlook.patterns.finding import touched_candidates

if TYPE_CHECKING:
    from detent.judge.outlook.patterns.cycles import Cycles
    from detent.judge.outlook.patterns.simulating import SimulatedCourse

    Touches = list[tuple[tuple[str, ...], str, float]]


@dataclass(frozen=True)
class Departure:
    """The first contact that differs: its time in the course, the parts, and how it differs."""

    time: float
    between: tuple[str, ...]
    what: str


def departure(
    course: SimulatedCourse, cycles: Cycles, reference: SimulatedCourse, since: float
) -> Departure | None:
    """Touches after the last regular pattern, beside those of that one, or of the pattern in the reference
    where it was not simulated whole: on the way to its end a pattern may have come to touch otherwise."""
    wanted = _before(course, cycles, since)
    if wanted is None:
        wanted = touches(reference, cycles.pattern.begin, cycles.pattern.begin + cycles.pattern.duration)
    came = touches(course, since, course.end)
    for k, (pair, name, time) in enumerate(came):
        if k >= len(wanted):
            break
        if pair != wanted[k][0]:
            missing = ":".join(wanted[k][0])
            return Departure(time, pair, f"{name} touches where {missing} did before")
    if len(came) < len(wanted):
        pair = wanted[len(came)][0]
        return Departure(since, pair, f"{pair[0]} and {pair[1]} do not come to touch any more")
    return None


def touches_alike(course: SimulatedCourse, cycles: Cycles, since: float) -> bool:
    """Whether the same parts touch in the same order after the last regular pattern as in it, as far as it is
    simulated."""
    wanted = _before(course, cycles, since)
    if wanted is None:
        return False
    came = touches(course, since, course.end)
    return all(one[0] == other[0] for one, other in zip(wanted, came, strict=False))


def _before(course: SimulatedCourse, cycles: Cycles, since: float) -> Touches | None:
    """Touches of the last regular pattern; None where the course does not have all of it."""
    lasted = cycles.duration(max(cycles.known))
    whole = since - lasted > course.begin + 1e-3 * lasted
    return touches(course, since - lasted, since) if whole else None


def touches(course: SimulatedCourse, begin: float, end: float) -> Touches:
    """Between two times: the parts, their features, and when."""
    return [
        (event.subjects, (event.after or ("",))[0], event.time)
        for event in course.events()
        if event.kind in ("contact", "impact") and begin <= event.time < end
    ]


def holding(course: SimulatedCourse, before: tuple[float, float]) -> list[tuple[str, tuple[str, str], bool]]:
    """Contacts that act at the end of a course, and whether they are new since a time before."""
    possible, system = course.first.possible, course.first.tree.system
    _, touching = course.touching()
    usual = touched_candidates(course, *before)
    told = []
    for candidate in touching[-1]:
        if 0 <= candidate < len(possible):
            a, b = possible.pairs[possible.listed[candidate, 3]]
            parts = system.bodies[a].name, system.bodies[b].name
            told.append((possible.name(int(candidate)), parts, int(candidate) not in usual))
    return told
