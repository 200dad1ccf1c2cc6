"""One pattern of a machine, measured wherever it is asked for: the simulation restarted at a predicted state.

A pattern leaves some coordinates elsewhere by a fixed amount (the escape wheel, by a tooth): they are *slow*,
and after n patterns known. The others come back, but for a drift. A simulation that is restarted with slow
coordinates n patterns ahead and the others nearly right forgets the error within a few patterns, where the
pattern contracts; how it does so is checked each time.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from detent.judge.outlook.patterns.between import between, smoothed
from detent.judge.outlook.patterns.creeping import creeping_of
from detent.judge.outlook.patterns.hypotheses import STILL, Marks
from detent.judge.outlook.patterns.on_top import OnTop
from detent.judge.outlook.patterns.simulating import MachineState
from detent.judge.outlook.patterns.springs import RunningSpring, joint_values, springs_of
from detent.motion.running.along import is_length
from detent.motion.running.minima import kinetic_energies

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from detent.judge.outlook.patterns.fading_law import Fading
    from detent.judge.outlook.patterns.finding import Found
    from detent.judge.outlook.patterns.settling import Settling
    from detent.judge.outlook.patterns.simulating import SimulatedCourse, Simulator

    Floats = NDArray[np.float64]

SETTLE, MOST_SETTLING = (
    3,
    16,
)  # patterns after which a restart counts as right, where they agree; tried at most
UNSETTLED = "patterns do not become alike"
SPENT = "the patterns that may be simulated are spent"
_EVEN = 1e-5  # of a rate: by how much less evenly it changes once a restart is forgotten
_AGREE = 0.005  # of a range: by how much changes of two patterns in a row may differ
# Of a pattern: simulated beyond the last mark that is wanted, so that it is surely there.
_BEYOND = 0.3


@dataclass(frozen=True)
class Cycle:
    """A pattern: its number counted from the base, its duration, and the states at its marks."""

    number: float  # of its end
    duration: float
    at: Floats  # (M, m): independent coordinates at its marks, the last one at its end
    speeds: Floats
    # A course that has it, and when it begins there; None where it was followed otherwise.
    seen: tuple[SimulatedCourse, float] | None = field(default=None, compare=False, repr=False)

    @property
    def end(self) -> tuple[Floats, Floats]:
        return self.at[-1], self.speeds[-1]


@dataclass(frozen=True)
class Regular:
    """Patterns that are alike, when the next one began, and why that is not; empty: not known yet."""

    cycles: list[Cycle]
    until: float
    why: str
    course: SimulatedCourse


class Cycles:
    """Patterns of a machine by number, counted from the last one that the search confirmed."""

    def __init__(self, simulator: Simulator, found: Found, net: Floats, most: float = float("inf")) -> None:
        pattern = found.hypothesis
        assert pattern is not None
        self.simulator, self.settings, self.section = simulator, found.settings, found.section
        self.creeping = creeping_of(simulator, found, net)  # that comes to rest, and is not carried on
        net = np.where(self.creeping.which, 0.0, net)
        self.minima, self.net, self.names = pattern.minima, net, found.names
        self.course = found.course
        self.pattern, self.tree, self.words = pattern, found.course.first.tree, found.course.words
        self.width, self.fast = found.course.ranges().over(pattern.begin, pattern.begin + pattern.duration)
        marks, end = pattern.marks, pattern.last + 1
        pick = slice(end - self.minima, end)
        seen = found.course, pattern.begin
        self.base = Cycle(0.0, pattern.duration, marks.at[pick].copy(), marks.speeds[pick].copy(), seen)
        self.base_time = float(marks.times[pattern.last])
        self.known: dict[float, Cycle] = {0.0: self.base}
        # [J] The greatest kinetic energy that the search saw: later patterns are less lively, and their marks
        # are those of the whole life.
        self.top = float(kinetic_energies(found.course.along, found.course.along.steps[:, 0]).max())
        self.touched: dict[float, list[tuple[str, ...]]] = {}  # by number: what touches in it, in order
        # By number: a course that shows a pattern measured after a restart, when it begins there, how long.
        self.shown: dict[float, tuple[SimulatedCourse, float, float]] = {}
        # Coordinates that rest in the pattern: a process on top of it may move them.
        still = STILL * np.asarray(simulator.prepared.along.scales())
        self.resting = (self.width <= still) & (net == 0.0)
        # Those that follow another one but for a drift: a restart may put them a little before or behind it.
        self.follows = (net != 0.0) & (net != pattern.mean)
        # Patterns between restarts: where a wheel's teeth differ, it must stand as at the base.
        ends = marks.at[pattern.last - pattern.turn * self.minima : pattern.last + 1 : self.minima]
        uneven = np.ptp(np.diff(ends, axis=0), axis=0) > _UNEVEN * np.abs(net)
        self.apart = pattern.turn if (uneven & (net != 0.0) & ~self.follows).any() else 1
        self.simulated, self.most = 0.0, most  # patterns by restarts; that may be
        self.late = 0.0  # [s] within what the begin of its life is known
        self.restarted_off = 0.0  # [s] what a restart was seen to leave of its error in a duration
        # By number of a pattern measured after a restart: how long it and the two before it took.
        self.after_restart: dict[float, Floats] = {}
        # From which pattern on nothing changes any more; the share by which durations still may; and how much
        # more than at first each carries on.
        self.steady_from, self.open_duration, self.net_more = float("inf"), 0.0, np.zeros(len(net))
        # From the base on, without a restart; whether the pattern still changes there.
        self.followed: SimulatedCourse | None = None
        self.unsteady = False
        self.fades: Fading | None = None  # the law of a swing that nothing keeps going
        self.settling: Settling | None = None  # how it becomes steady, where that is seen
        self.processes: list[OnTop] = []  # nothing is restarted within one
        self.may_add = False  # patterns for what was not known of at first

    def predicted(self, number: float) -> MachineState:
        """The state at the end of a pattern, by those that are known: right for slow coordinates, near for
        others. Its time is that of the machine, for drives stand elsewhere at another."""
        numbers = np.array(sorted(self.known))
        ends = np.array([np.concatenate(self.known[n].end) for n in numbers])
        m = len(self.net)
        ends[:, :m] -= np.outer(numbers, self.net)
        drifted = min(number, self.steady_from)
        state = np.array([between(numbers, ends[:, k], drifted) for k in range(2 * m)])
        state[:m] += number * self.net + (number - drifted) * self.net_more
        if self.settling is not None and number > self.settling.number:
            state -= self.settling.gone(number, np.concatenate([self.net != 0.0, np.zeros(m, bool)]))
        rests = self.base.end[0] + sum((each.left_by(number, m) for each in self.processes), np.zeros(m))
        state[:m] = np.where(self.resting, rests, state[:m])
        state[m:] = np.where(self.resting, self.base.end[1], state[m:])
        creeps, left = self.creeping, self.creeping.factor ** min(number, FARTHEST)
        at, speeds = self.base.end
        state[:m] = np.where(creeps.which, creeps.goal + (at - creeps.goal) * left, state[:m])
        state[m:] = np.where(creeps.which, speeds * left, state[m:])
        return MachineState(self.time_at(number), state[:m], state[m:])

    def clear(self, number: float) -> float:
        """The number, or the next smaller one at which wheels stand as at the base, and no process on top of
        the pattern is under way."""
        number -= number % self.apart
        while any(each.is_under_way(number) for each in self.processes):
            number -= self.apart
        return number

    def course_from(self, state: MachineState, patterns: float, why: str) -> SimulatedCourse:
        """A simulation of about so many patterns from a state."""
        duration = self.duration(self.number_of(state))
        course = self.simulator.from_state(state, (patterns + _BEYOND) * duration, why)
        self.simulated += (course.end - course.begin) / duration
        return course

    def may(self, patterns: float, begun: bool = False) -> bool:
        """Whether so many more may be simulated, of a restart, or where one is begun."""
        return self.simulated + patterns + (0.0 if begun else _BEYOND) <= self.most

    def number_at(self, time: float) -> float:
        """Patterns that are over at a time [s] of the machine, by durations between those known."""
        below, above = 0.0, 1.0
        while self.time_at(above) <= time and above < FARTHEST:
            below, above = above, 2 * above
        while above - below > 1:
            middle = float(int(0.5 * (below + above)))
            below, above = (middle, above) if self.time_at(middle) <= time else (below, middle)
        return below

    def time_at(self, number: float) -> float:
        """[s] When a pattern is over, counted from the machine's start: durations between those known."""
        whole, part = int(number), number - int(number)
        numbers = np.array(sorted(self.known))
        durations = np.array([self.known[n].duration for n in numbers])
        # Beyond the last one known each takes as long as that one.
        known = min(whole, int(numbers[-1]))
        each = 1.0 / smoothed(numbers, 1.0 / durations, np.arange(1.0, known + 1.0))
        beyond = (whole - known) * float(durations[-1])
        if self.settling is not None and known >= self.settling.number:
            beyond = self.settling.lasts(known, whole - known)
        return self.base_time + float(each.sum()) + beyond + part * self.duration(number)

    def number_of(self, state: MachineState) -> float:
        """The pattern that a state belongs to, by its slow coordinates."""
        slow = np.flatnonzero(self.net)
        if not len(slow):
            return 0.0
        k = int(slow[np.argmax(np.abs(self.net[slow]) / self.scales[slow])])
        return float((state.at[k] - self.base.at[-1, k]) / self.net[k])

    def marks_in(self, course: SimulatedCourse, energy: float) -> Marks:
        """Marks after the state that it began with."""
        marks = self.marks_of(course, energy)
        early = course.begin + 1e-3 * self.base.duration
        return marks.after(int((marks.times <= early).sum()))

    def marks_of(self, course: SimulatedCourse, energy: float) -> Marks:
        if self.section is None:
            return course.minima_below(energy, self.resting, self.top)
        return self.section.marks_of(course)

    def regular(self, course: SimulatedCourse, number: float, *, besides: bool = False) -> Regular:
        """Patterns from the begin of a course on, up to the first that is not like the others.

        With `besides` coordinates that rest in the pattern may move. As a pattern drifts, minima of its
        energy may become shallower than those that are marks, or deeper: other depths are tried too.
        """
        best = self._regular(course, number, besides, self.settings.energy)
        if self.section is None:
            for factor in _DEPTHS:
                if not best.why:
                    break
                other = self._regular(course, number, besides, factor * self.settings.energy)
                if len(other.cycles) > len(best.cycles):
                    best = other
            if best.why:
                energy = _DEPTHS[0] * self.settings.energy
                other = self._regular(course, number, besides, energy, like=True)
                best = other if len(other.cycles) > len(best.cycles) else best
        return best

    def _like_phases(self, marks: Marks, number: float) -> Marks:
        """Those marks at which the machine stands nearly as at one of the nearest known pattern's."""
        known = self.known[min(self.known, key=lambda each: abs(each - number))].at
        room = np.maximum(np.maximum(self.width, np.abs(self.net)), STILL * self.scales)
        slow = np.flatnonzero(self.net)
        near = np.zeros(len(marks), bool)
        for phase in known:
            off = marks.at - phase
            if len(slow):
                k = int(slow[np.argmax(np.abs(self.net[slow]) / self.scales[slow])])
                off = off - np.outer(np.round(off[:, k] / self.net[k]), self.net)
            near |= (np.abs(off) <= _NEAR * room).all(axis=1)
        return Marks(marks.times[near], marks.at[near], marks.speeds[near])

    def _regular(
        self, course: SimulatedCourse, number: float, besides: bool, energy: float, like: bool = False
    ) -> Regular:
        """The same with minima below a share of the greatest kinetic energy as marks, or those of them that
        are like the phases of a known pattern."""
        marks = self.marks_in(course, energy)
        if like:
            marks = self._like_phases(marks, number)
        start = course.state_at(course.begin)
        times = np.concatenate([[course.begin], marks.times])
        at = np.vstack([start.at, marks.at])
        speeds = np.vstack([start.speeds, marks.speeds])
        cycles: list[Cycle] = []
        for k in range(1, (len(times) - 1) // self.minima + 1):
            pick = slice((k - 1) * self.minima + 1, k * self.minima + 1)
            first, last = (k - 1) * self.minima, k * self.minima
            lasts = float(times[last] - times[first])
            why = self._unlike(at[last] - at[first], lasts, number + k, cycles, besides)
            if why:
                return Regular(cycles, float(times[first]), why, course)
            seen = course, float(times[first])
            cycles.append(Cycle(number + k, lasts, at[pick].copy(), speeds[pick].copy(), seen))
        begun = float(times[len(cycles) * self.minima])
        expected = cycles[-1].duration if cycles else self.duration(number)
        if course.end - begun > _TOO_LONG * expected or not course.goes_on:
            why = f"none is complete after {self.words.at(course.end - begun)}"
            return Regular(cycles, begun, why, course)
        return Regular(cycles, begun, "", course)

    def duration(self, number: float) -> float:
        """Of a pattern, between those that are known."""
        if self.settling is not None and number > self.settling.number:
            return self.settling.duration_at(number)
        numbers = np.array(sorted(self.known))
        rates = np.array([1.0 / self.known[n].duration for n in numbers])  # linear where a speed is
        return 1.0 / max(between(numbers, rates, min(number, self.steady_from)), 0.1 * float(rates[-1]))

    def _unlike(self, change: Floats, lasts: float, number: float, before: list[Cycle], besides: bool) -> str:
        """Why a pattern is not like the others: it leaves a coordinate elsewhere, or takes another time."""
        expected = before[-1].duration if before else self.duration(number)
        return self._other_change(change, besides) or self.other_duration(lasts, expected)

    def other_duration(self, lasts: float, expected: float) -> str:
        """Whether a pattern takes another time than is expected, in words."""
        if not expected / _LONGER_BY <= lasts <= expected * _LONGER_BY:
            return f"it takes {self.words.at(lasts)} instead of {self.words.at(expected)}"
        return ""

    def _other_change(self, change: Floats, besides: bool) -> str:
        """Whether a pattern leaves a coordinate elsewhere, in words."""
        slow = self.net != 0.0
        off = np.abs(change - self.net)
        if besides or self.processes:
            off = np.where(self.resting, 0.0, off)
        off = np.where(self.creeping.which, 0.0, off)
        allowed = np.where(
            slow,
            np.where(self.follows, _CLOSE, self.settings.state) * np.abs(self.net),
            np.maximum(_CLOSE * self.width, STILL * self.scales),
        )
        worst = int(np.argmax(off / allowed))
        if off[worst] > allowed[worst]:
            told = [self.words.change(worst, float(each[worst])) for each in (change, self.net)]
            return f"{self.names[worst]} changes by {told[0]} instead of {told[1]}"
        return ""

    def swings(self, joint: str, width: float) -> bool:
        """Whether a joint is back where it was after a pattern, drifts apart, beside its range [units]."""
        unit = self.tree.system.metres_per_unit if is_length(self.tree, joint) else 1.0
        k = self.tree.coordinates.index(joint)
        moved = joint_values(self.tree, self.base.at[-1] + self.net) - joint_values(
            self.tree, self.base.at[-1]
        )
        return bool(abs(moved[k]) <= max(self.settings.state * width * unit, 1e-9))

    @property
    def scales(self) -> Floats:
        return np.asarray(self.simulator.prepared.along.scales())

    def springs(self) -> list[RunningSpring]:
        """Springs that the net change of a pattern winds or unwinds."""
        return springs_of(self.tree, self.base.at[-1], self.net)


# Patterns: no moment is told that lies farther ahead, where one could not be told from the next.
FARTHEST = 1e12
# Of the range of a coordinate: how far from where it began a pattern may leave it, slow ones apart.
_CLOSE = 0.25
# Of what patterns of one turn of a wheel carry on: where they differ by more, its teeth do.
_UNEVEN = 1e-4
# A pattern that takes so many times as long as the one before, or so many times less, is another one.
_LONGER_BY = 1.5
# Times the share below which a minimum of the energy is a mark.
DEEPER = 10.0
_DEPTHS = (DEEPER, 0.1, 100.0, 0.01, 1000.0, 0.001)
# Of the range of a coordinate: a minimum whose state is nearer to that of a known mark is like it.
_NEAR = 0.1
# Durations of the last pattern without a next one: it does not come any more.
_TOO_LONG = 2.5


def settled(
    cycles: Cycles, number: float, why: str, state: MachineState | None = None, *, longer: int = 0
) -> Regular:
    """Regular patterns that follow a restart at a number, until they agree or effort ends.

    The last one is kept as known where they do. So many more are simulated while rates change unevenly.
    """
    course = cycles.course_from(cycles.predicted(number) if state is None else state, SETTLE, why)
    while True:
        found = cycles.regular(course, number)
        ready = found.why or len(found.cycles) >= SETTLE + longer or _evenly(found.cycles)
        if agree(cycles, found.cycles) and (ready or not cycles.may(1, begun=True)):
            keep(cycles, course, found.cycles)
            return Regular(found.cycles, found.until, "", course)
        if found.why or len(found.cycles) >= MOST_SETTLING:
            return Regular(found.cycles, found.until, found.why or UNSETTLED, course)
        if not cycles.may(1, begun=True):
            return Regular(found.cycles, found.until, SPENT, course)
        cycles.simulated += 1
        course.go_on((found.cycles[-1] if found.cycles else cycles.base).duration)


def keep(cycles: Cycles, course: SimulatedCourse, found: list[Cycle]) -> None:
    """The last of some patterns that agree is known from now on."""
    last = found[-1]
    cycles.known[last.number] = last
    begin = course.begin + sum(cycle.duration for cycle in found[:-1])
    cycles.shown[last.number] = course, begin, last.duration
    cycles.after_restart[last.number] = np.array([cycle.duration for cycle in found[-SETTLE:]])


def _evenly(found: list[Cycle]) -> bool:
    """Whether rates of the last three change by as much, as nearly as times are asked for."""
    rates = np.array([1.0 / cycle.duration for cycle in found[-SETTLE:]])
    return len(rates) == SETTLE and abs(float(np.diff(rates, 2)[0])) <= _EVEN * float(rates[-1])


def agree(cycles: Cycles, found: list[Cycle]) -> bool:
    """Whether the last patterns of some change as the ones before: what was wrong at the restart is gone."""
    if len(found) < SETTLE:
        return False
    a, b, c = found[-3:]
    change = np.concatenate([c.end[0] - 2 * b.end[0] + a.end[0], c.end[1] - 2 * b.end[1] + a.end[1]])
    allowed = np.concatenate([cycles.width, cycles.fast]) * _AGREE
    still = STILL * np.concatenate([cycles.scales, cycles.scales / cycles.base.duration])
    moves = np.tile((~cycles.resting | (not cycles.processes)) & ~cycles.creeping.which, 2)
    alike = bool((np.abs(change) <= np.maximum(allowed, still))[moves].all())
    later = abs(c.duration - 2 * b.duration + a.duration)
    return alike and later <= _AGREE * b.duration
