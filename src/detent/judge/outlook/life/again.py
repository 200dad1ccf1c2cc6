"""What follows a pattern, once more: from another restart before its end, a slightly other state, and finer.

What a restart leaves of its error is forgotten in the pattern, as far as that contracts; what follows the
pattern may not forget it. So both are put beside each other, from the end of the last pattern on.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from detent.judge.outlook.patterns.cycles import SETTLE
from detent.judge.outlook.patterns.simulating import FINER, MachineState

if TYPE_CHECKING:
    from detent.judge.outlook.patterns.cycles import Cycles
    from detent.judge.outlook.patterns.simulating import SimulatedCourse


@dataclass(frozen=True)
class Again:
    """A course, by how much its times are later than those of the machine, and why it is none of it."""

    course: SimulatedCourse
    later: float = 0.0
    why: str = ""


def begun_again(cycles: Cycles, last: float, over: float) -> Again:
    """Before a last pattern, which is over at a time."""
    begin = max(cycles.clear(last - 2 * SETTLE), 0.0)
    state, before = cycles.predicted(begin), cycles.predicted(max(begin - cycles.apart, 0.0))
    slow = cycles.net != 0.0
    state = MachineState(state.time, np.where(slow, state.at, before.at), before.speeds)
    lasts, why = (last - begin + 2.0) * cycles.duration(last), "what follows a pattern, begun again before"
    finer = FINER * cycles.simulator.prepared.accuracy
    course = cycles.simulator.from_state(state, lasts, why, finer)
    for _ in range(SETTLE):
        found = cycles.regular(course, begin, besides=True)
        if found.why or begin + len(found.cycles) >= last:
            break
        course.go_on(cycles.duration(last))
    shown = [cycle for cycle in found.cycles if cycle.number <= last]
    # What is like a pattern in one may be a little too unlike in the other: from the last one of both on.
    both = begin + len(shown)
    missing = [number for number in np.arange(both + 1.0, last + 1.0) if number not in cycles.known]
    if missing or (begin > 0.0 and len(shown) < SETTLE):
        return Again(course, why="begun again before its end, the pattern before has another last one")
    over -= sum(cycles.known[number].duration for number in np.arange(both + 1.0, last + 1.0))
    return Again(course, course.begin + sum(cycle.duration for cycle in shown) - over)
