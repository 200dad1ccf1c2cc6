"""A pattern that goes on although one of its marks is lost: followed by another one of them.

As an amplitude falls, what rests at one end of a swing may still move there, and the energy has no minimum
below the depth of marks any more; nothing else changes. So where a pattern of several marks is over, it is
simulated on from each of the others, and counted by that one alone, as long as it changes evenly.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from detent.judge.outlook.patterns.cycles import DEEPER, SETTLE, Cycle
from detent.judge.outlook.patterns.hypotheses import STILL
from detent.judge.outlook.patterns.simulating import MachineState

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from detent.judge.outlook.patterns.cycles import Cycles
    from detent.judge.outlook.patterns.simulating import SimulatedCourse

    Floats = NDArray[np.float64]

# Shares of a range, and of a duration, by which one pattern may differ from the next: what ends it is more.
_EVENLY, _IN_TIME = 0.05, 0.03
_TOO_LATE = 2.0  # patterns without one: it does not come any more
_FARTHEST = 64  # patterns that are followed so


@dataclass
class Followed:
    """Patterns counted by one mark: when it came, from the last one known on, and why it comes no more."""

    phase: int
    course: SimulatedCourse
    times: list[float]
    at: list[Floats] = field(default_factory=list)
    looked_up_to: float = 0.0
    over: bool = False
    why: str = ""

    def look(self, cycles: Cycles, lasted: float) -> None:
        """At the marks that came since."""
        marks = cycles.marks_of(self.course, DEEPER * cycles.settings.energy)
        room = np.maximum(np.maximum(cycles.width, np.abs(cycles.net)), STILL * cycles.scales)
        for time, at in zip(marks.times, marks.at, strict=True):
            if time <= self.looked_up_to:
                continue
            before = self.times[-1] - self.times[-2] if len(self.times) > 1 else lasted
            late = time - self.times[-1] - before
            if late < -_IN_TIME * before:
                continue
            if late > _IN_TIME * before:
                self.over, say = True, cycles.words
                self.why = f"it takes {say.at(before + late)} instead of {say.at(before)}"
                return
            if (np.abs(at - self.at[-1] - cycles.net) <= _EVENLY * room).all():
                self.times.append(float(time))
                self.at.append(at)
            self.looked_up_to = float(time)
        before = self.times[-1] - self.times[-2] if len(self.times) > 1 else lasted
        late = self.course.end - self.times[-1]
        self.over = late > _TOO_LATE * before or not self.course.goes_on
        self.why = f"none is complete after {cycles.words.at(late)}" if self.over else ""


def followed(cycles: Cycles, last: Cycle) -> Followed | None:
    """By the mark that comes most often after the last pattern known; None where none does."""
    best: Followed | None = None
    for phase in range(cycles.minima - 1):
        if not cycles.may(SETTLE):
            break
        state = MachineState(cycles.time_at(last.number), last.at[phase], last.speeds[phase])
        course = cycles.course_from(state, SETTLE, "what goes on where a mark is lost")
        on = Followed(phase, course, [course.begin], [last.at[phase]], looked_up_to=course.begin)
        on.looked_up_to += _IN_TIME * last.duration
        on.look(cycles, last.duration)
        while not on.over and len(on.times) <= _FARTHEST and cycles.may(1, begun=True):
            cycles.simulated += 1
            course.go_on(last.duration)
            on.look(cycles, last.duration)
        if best is None or len(on.times) > len(best.times):
            best = on
    return best if best is not None and len(best.times) > SETTLE + 1 else None


def cycles_of(cycles: Cycles, last: Cycle, on: Followed) -> tuple[list[Cycle], float]:
    """The patterns that were followed, with states where marks would be; and when the last one is over."""
    times, minima = cycles.pattern.marks.times, cycles.minima
    begin = times[cycles.pattern.last - minima]
    shares = (
        times[cycles.pattern.last - minima + 1 : cycles.pattern.last + 1] - begin
    ) / cycles.base.duration
    found, over = [], on.times[0]
    for k in range(1, len(on.times) - 1):
        lasts = on.times[k + 1] - on.times[k]
        rows = on.times[k] + (shares - shares[on.phase]) * lasts
        states = [on.course.state_at(float(time)) for time in rows]
        at, speeds = np.array([each.at for each in states]), np.array([each.speeds for each in states])
        found.append(Cycle(last.number + k, lasts, at, speeds))
        over = float(rows[-1])
    return found, over
