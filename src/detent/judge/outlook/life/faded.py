"""Since when has a swing that fades a millionth of a hundredth of its energy left? Twice, to see how well.

What is left then is a ten thousandth of the swing, which steps follow less well than the whole: the same
is simulated to a tenth of the accuracy, and twice the difference is how well the time is known; or when a
tenth more is left and a tenth less, for a swing may have that little once or twice more.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from detent.judge.outlook.patterns.rest import Standstill, kinetic_top, quiet_since
from detent.judge.outlook.patterns.simulating import FINER

if TYPE_CHECKING:
    from detent.judge.outlook.patterns.simulating import SimulatedCourse, Simulator

_TWICE = 2.0
_SHARES = (1.0, 0.9, 1.1)
_MOST_LONGER = 4  # times that more is simulated to the finer accuracy, by a share of all,
_LONGER = 0.25
_WHY = "again to a tenth of the accuracy, for since when it is nearly at rest"


def faded(simulator: Simulator, course: SimulatedCourse, rest: Standstill) -> Standstill:
    """Standstill of what fades, at the time that the finer simulation shows; another one as it is."""
    if not rest.fades:
        return rest
    accuracy = FINER * float(simulator.prepared.accuracy)
    lasts = rest.since - course.begin
    finer = simulator.from_state(course.state_at(course.begin), (1.0 + _LONGER) * lasts, _WHY, accuracy)
    top = kinetic_top(course)
    for _ in range(_MOST_LONGER):
        since, *others = quiet_since(finer, top, _SHARES)
        if max(since, *others) < finer.end or not finer.goes_on:
            break
        finer.go_on(_LONGER * lasts)
    here = quiet_since(course, top, _SHARES[:1])[0]
    ripple = max(abs(each - since) for each in others)
    return replace(rest, since=since, within=max(_TWICE * abs(since - here), ripple))
