"""What was simulated of a life without a gap, and how far it is known: beside a second simulation.

Each step is accurate, but what its error becomes is the machine's: an oscillation adds it up, a chaotic
machine multiplies it until nothing is left of the state. So what is read from a simulation is put beside a
coarser one and a finer one. Where the first difference is as much greater than the second as their accuracies
say, the second one is the error but for its tenth, and is told twice; where not, the greater one is.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from detent.foundation.units import unit_names
from detent.judge.outlook.life.by_steps import StepErrors, needed_until, step_errors
from detent.judge.outlook.patterns.simulating import FINER
from detent.judge.outlook.told.telling import by_joint

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from detent.judge.outlook.life.again import Again
    from detent.judge.outlook.patterns.cycles import Cycles
    from detent.judge.outlook.patterns.finding import Found
    from detent.judge.outlook.patterns.simulating import SimulatedCourse, Simulator

    Floats = NDArray[np.float64]

# Of the accuracy of a life: that of the simulations beside it; how often the difference to the finer one
# counts, and how much greater the other one is where errors are in proportion to accuracies.
_COARSER, _TWICE, _REGULAR = 10.0, 2.0, 5.0
# Of a joint's range so far, of a turn at most: two simulations that are farther apart know nothing.
_APART = 0.1
# Of the time before a moment: where they are so far apart, they may be near each other by chance now.
_LATELY = 0.25
# Steps around a moment in which the difference is looked at, and looks at all of a course.
_AROUND, _LOOKS = 6, 2000
# A simulation that goes on: pieces of it at most.
_MOST_PIECES = 60


class Lived:
    """A life as it was simulated from its begin on, up to now; it can be simulated further."""

    def __init__(
        self,
        simulator: Simulator,
        found: Found,
        cycles: Cycles | None = None,
        late: float = 0.0,
        again: Callable[[], Again] | None = None,
    ) -> None:
        """`late` [s] is within what its begin is known; `again` gives what follows another restart."""
        self.simulator, self.found, self.most = simulator, found, found.settings.steps
        self.late, self._begin_again = late, again
        followed = None if cycles is None else cycles.followed
        self.courses = [found.course] if followed is None else [found.course, followed]
        self._beside: dict[float, SimulatedCourse] = {}
        self._step_errors: StepErrors | None = None

    @property
    def longest(self) -> SimulatedCourse:
        return max(self.courses, key=lambda course: course.end)

    @property
    def end(self) -> float:
        return self.longest.end

    def course_at(self, time: float) -> SimulatedCourse:
        """The first of its courses that has a time."""
        return next((course for course in self.courses if time <= course.end), self.longest)

    def go_on_to(self, time: float) -> bool:
        """Simulates on up to a time, where its steps suffice."""
        course = self.longest
        for _ in range(_MOST_PIECES):
            if course.end >= time:
                return True
            steps = len(course.along.steps)
            if steps >= self.most or not (course.goes_on or course.is_full):
                return False
            pace = (course.end - course.begin) / max(steps, 1)
            course.go_on(min(1.001 * (time - course.end), (self.most - steps + 1) * pace))
        return course.end >= time

    def why_not(self, time: float) -> str:
        """Why it was not simulated up to a time."""
        course, words = self.longest, unit_names(self.simulator.prepared.tree.system.mechanism.units)
        if not (course.goes_on or course.is_full):
            stop = course.pieces[-1].trajectory(1).stop
            assert stop is not None
            return f"the run ends at {course.end:.6g}{words.time}: {stop.cause}, {stop.detail}"
        steps = len(course.along.steps)
        return (
            f"{steps} steps of simulation ({self.most} at most) reach {course.end:.6g}{words.time}, and no"
            " law that was found tells where it is beyond"
        )

    def errors(self, time: float) -> tuple[dict[str, float], str]:
        """By joint, how far a state that was simulated may be off; and why nothing is known of it, if so."""
        finer, since = self._apart(self._second(FINER, time), time)
        if since is not None:
            words = unit_names(self.simulator.prepared.tree.system.mechanism.units)
            accuracies = f"{self._accuracy:.0e} and {FINER * self._accuracy:.0e}"
            return {}, (
                f"nothing is known beyond about {since[0]:.3g}{words.time}: from there on simulations to"
                f" relative accuracies of {accuracies} differ by more than a tenth of the range of {since[1]}"
            )
        coarser, _ = self._apart(self._second(_COARSER, time), time)
        errors = {
            name: _TWICE * off if coarser[name] >= _REGULAR * off else max(_TWICE * off, coarser[name])
            for name, off in finer.items()
        }
        if self.again is None:
            return errors, ""
        if self.again.why:
            return {}, self.again.why
        beside, later = self.again.course, self.again.later
        if beside.end < time + later and (beside.goes_on or beside.is_full):
            beside.go_on(time + later - beside.end)
        other, since = self._apart(beside, time, later)
        if since is not None:
            return {}, f"begun again before the pattern before it ends, {since[1]} moves otherwise"
        return {name: off + _TWICE * other[name] for name, off in errors.items()}, ""

    def steps_of(self, cycles: Cycles) -> StepErrors:
        """What the accuracy of steps leaves open of its pattern."""
        if self._step_errors is None:
            self._step_errors = step_errors(cycles, self._second(FINER, needed_until(cycles)))
        return self._step_errors

    @cached_property
    def again(self) -> Again | None:
        return None if self._begin_again is None else self._begin_again()

    @property
    def _accuracy(self) -> float:
        return float(self.simulator.prepared.accuracy)

    def _second(self, factor: float, time: float) -> SimulatedCourse:
        """The same life at another accuracy, up to a time at least."""
        begin = self.found.course.begin
        course = self._beside.get(factor)
        if course is None:
            course = self.simulator.from_state(
                self.found.course.state_at(begin),
                max(time - begin, 1e-3 * (self.end - begin)),
                "again to other accuracies, for how far moments are known",
                factor * self._accuracy,
            )
            self._beside[factor] = course
        for _ in range(_MOST_PIECES):
            if course.end >= time or not (course.goes_on or course.is_full):
                break
            course.go_on(time - course.end)
        return course

    def _apart(
        self, beside: SimulatedCourse, time: float, later: float = 0.0
    ) -> tuple[dict[str, float], tuple[float, str] | None]:
        """How far both are apart around a time, by joint; and since when too far, if so, and in which joint.

        One that ended before differs from there on. Its times may be later by a constant.
        """
        begin = self.found.course.begin
        begins = self._begins
        near = int(np.searchsorted(begins, time))
        around = begins[max(near - _AROUND, 0) : near]
        before = begins[begins <= time]
        grid = before[:: max(len(before) // _LOOKS, 1)]
        looks = np.unique(np.concatenate([grid, around, [time]]))
        here, there = self._values(looks), _read(beside, looks + later)
        errors: dict[str, float] = {}
        since: tuple[float, str] | None = None
        for name, values in here.items():
            differ = np.abs(values - there[name])
            known = looks + later <= beside.end + 1e-9 * (time - begin)
            span = np.maximum.accumulate(values) - np.minimum.accumulate(values)
            most = _APART * (np.minimum(span, 2 * np.pi) if self._units[name] == "rad" else span)
            far = ((differ > np.maximum(most, self._little(name))) & known) | ~known
            if far[looks >= time - _LATELY * (time - begin)].any():
                first = float(looks[np.flatnonzero(far)[0]])
                since = (first, name) if since is None or first < since[0] else since
            errors[name] = float(differ[looks >= (around[0] if len(around) else time)].max())
        return errors, since

    def _little(self, name: str) -> float:
        """A difference that is small whatever a joint's range."""
        system = self.simulator.prepared.tree.system
        return 1e-4 * (1.0 if self._units[name] == "rad" else system.size / system.metres_per_unit)

    @cached_property
    def _units(self) -> dict[str, str]:
        return dict(self.simulator.prepared.along.coordinate_units)

    @property
    def _begins(self) -> Floats:
        """Begins of steps, of one course after the other."""
        parts, done = [], -np.inf
        for course in self.courses:
            steps = course.along.steps[:, 0]
            parts.append(steps[steps > done])
            done = course.end
        return np.unique(np.concatenate(parts))

    def _values(self, times: Floats) -> dict[str, Floats]:
        """Coordinates by joint, each read from the first course that has it."""
        parts, done = [], -np.inf
        for course in self.courses:
            inside = times[(times > done) & (times <= course.end)]
            if len(inside):
                parts.append(_read(course, inside))
                done = course.end
        names = by_joint(self.found.course, self.found.course.state_at(self.found.course.begin).at)
        return {name: np.concatenate([part[name] for part in parts]) for name in names}


def _read(course: SimulatedCourse, times: Floats) -> dict[str, Floats]:
    values: dict[str, Floats] = course.along.coordinates_at(np.clip(times, course.begin, course.end))[0]
    return values


def between_courses(course: SimulatedCourse, finer: SimulatedCourse, time: float) -> dict[str, float]:
    """By joint, twice how far a course is from the same to a finer accuracy, in the steps around a time."""
    begins = course.along.steps[:, 0]
    near = int(np.searchsorted(begins, time))
    looks = np.union1d(begins[max(near - _AROUND, 0) : near], [time])
    looks = looks[looks <= finer.end]
    here, there = _read(course, looks), _read(finer, looks)
    return {name: _TWICE * float(np.abs(here[name] - there[name]).max(initial=0.0)) for name in here}
