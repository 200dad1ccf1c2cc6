"""The life of a machine, regime after regime: a pattern, how long it lasts, and what follows it.

After a new contact with a part that can move, or where a pattern does not survive, another one may set in. So
the machine is simulated on from there, and asked the same again: a pattern, rest, or neither.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from msgspec import structs

from detent.foundation.names import listed
from detent.foundation.units import measured, unit_names
from detent.judge.outlook.ahead.contacts import base_motion, contacts_ahead
from detent.judge.outlook.ahead.meeting import touch_time
from detent.judge.outlook.life.again import Again, begun_again
from detent.judge.outlook.life.drifting import drift_of
from detent.judge.outlook.life.faded import faded
from detent.judge.outlook.life.fading import fades_or_drifts
from detent.judge.outlook.life.lasting import live
from detent.judge.outlook.life.lived import Lived
from detent.judge.outlook.life.moments import (
    moment_at,
    moment_of_pattern,
    moments_seen,
    patterns_before,
    told_and_not,
)
from detent.judge.outlook.life.steady import once_steady
from detent.judge.outlook.life.timing import sharpen, time_error
from detent.judge.outlook.on_top import meetings, seen_at_first, within_life
from detent.judge.outlook.patterns.cycles import Cycles
from detent.judge.outlook.patterns.finding import Found, find, net_change
from detent.judge.outlook.patterns.passings import carried_further
from detent.judge.outlook.stopped import run_out
from detent.judge.outlook.told.alternating import alternating
from detent.judge.outlook.told.answering import Told
from detent.judge.outlook.told.telling import by_joint, multipliers_of, pattern_of, swinging
from detent.judge.outlook.verdicts import (
    Ending,
    carried_on,
    contacts_after_drift,
    ends_by_contact,
    ends_carried_on,
    lives,
    touching_later,
)
from detent.record.outlook import MomentAhead, MomentUntold, Regime

if TYPE_CHECKING:
    from detent.judge.outlook.patterns.simulating import MachineState, Simulator

# Patterns that are simulated by restarts, at most, where no number is given for all: of the first regime, and
# of each later one.
BY_RESTARTS, BY_RESTARTS_LATER = 50, 25
_MOST_REGIMES = 4
# Steps of simulation in which what follows a pattern must show what it is.
_STEPS_AFTER = 4000
# Patterns of the regime before: simulated at first of what follows it.
_AT_FIRST = 4.0
_FARTHEST = 1e5  # patterns: a horizon beyond is as good as none


@dataclass(frozen=True)
class Asked:
    """What is asked: up to when, which moments, and how many patterns may be simulated for it."""

    until: float = math.inf
    at: Sequence[float] = ()
    pattern: Sequence[int] = ()
    patterns: int | None = None  # None: `BY_RESTARTS`, besides those that show a pattern


@dataclass
class PatternLife:
    """A regime with a pattern as it was found out."""

    told: Told
    cycles: Cycles
    ending: Ending
    spent: float  # patterns simulated, of its own
    late: float  # [s] within what its end is known
    fields: dict[str, Any] = field(default_factory=dict)


def regimes_of(told: Told, simulator: Simulator, asked: Asked) -> dict[str, object]:
    """Fields of the answer: of the first pattern, with all regimes and the moments that are asked for."""
    stages = [_stage(told, simulator, asked, asked.patterns, BY_RESTARTS)]
    regimes = [_regime(stages[0], 0.0)]
    rest: Found | None = None  # what follows the last pattern, where that shows none
    while (after := stages[-1].ending.after) is not None and len(regimes) < _MOST_REGIMES:
        if after.time >= asked.until:
            break
        found = _following(simulator, after, stages[-1])
        if found.hypothesis is None:
            further = _carried_further(stages[-1], found, after.time)
            if found.rest is not None:
                found.rest = faded(simulator, found.course, found.rest)
            start = further[-1].end or 0.0 if further else after.time
            regimes += [*further, _without(found, start, _end_within(stages[-1]))]
            rest = found
            break
        later = Told(found)
        left = None if asked.patterns is None else asked.patterns - sum(each.spent for each in stages)
        stages.append(_stage(later, simulator, asked, left, BY_RESTARTS_LATER, stages[-1].late))
        regimes.append(_regime(stages[-1], after.time))
        for fact in later.evidence:
            told.evidence.append(structs.replace(fact, statement=f"regime {len(stages)}: {fact.statement}"))
    time = unit_names(simulator.prepared.tree.system.mechanism.units).time
    for k in range(1, len(regimes)):
        regimes[k - 1] = _followed(regimes[k - 1], regimes[k:], time)
        told.say(f"regime {k + 1}, {_in_words(regimes[k], time)}, from", regimes[k].start, time.strip())
    if len(regimes) == _MOST_REGIMES and stages[-1].ending.after is not None:
        told.left_out.append(f"what follows the regime number {_MOST_REGIMES}")
    fields = stages[0].fields
    fields["regimes"] = tuple(regimes)
    fields["valid_until"] = regimes[0].valid_until
    fields |= _moments(stages, asked, rest)
    told.say("patterns simulated", round(sum(each.spent for each in stages), 2))
    return fields


def _stage(
    told: Told, simulator: Simulator, asked: Asked, patterns: float | None, restarts: float, late: float = 0.0
) -> PatternLife:
    """A pattern and its life, whose begin is known within a time [s]; so many patterns may be simulated in
    all, or so many by restarts."""
    found, course = told.found, told.found.course
    hypothesis = found.hypothesis
    assert hypothesis is not None
    searched = (course.end - course.begin) / hypothesis.duration
    net = net_change(course, hypothesis, found.settings.state)
    cycles = Cycles(simulator, found, net, restarts if patterns is None else patterns - searched)
    cycles.may_add = patterns is None
    told.before, cycles.late = patterns_before(found, cycles), late
    for each in found.returning:
        told.say(each.why)
    for said in alternating(found):
        told.say(said)
    fields: dict[str, Any] = {}
    slack = min((spring.slack_after for spring in cycles.springs()), default=math.inf)
    horizon = cycles.number_at(min(asked.until, cycles.time_at(min(slack, _FARTHEST)))) + 1
    motion = base_motion(course, cycles)
    end = carried_on(told, cycles, motion, min(slack, horizon))

    def known_up_to(number: float) -> None:
        """When the moments that are asked for come, of those up to a pattern."""
        patterns = [float(each - told.before) for each in asked.pattern]
        wanted = max([*(cycles.number_at(time) for time in asked.at), *patterns], default=0.0)
        sharpen(cycles, min(number, wanted))

    most = min(slack, horizon, math.inf if end.suspect is None else end.suspect.pattern)
    ahead = contacts_ahead(motion, hypothesis.since, most)
    told.say(
        f"{ahead.pairs} pairs that do not touch in the pattern were followed ahead, patterns", ahead.patterns
    )
    met = meetings(told, cycles, ahead.contacts, most)
    unknown = [each.why for each in found.returning if each.patterns is None]
    unknown += [f"what {pair} will meet was not looked at" for pair in ahead.not_looked_at]
    unknown += [each for each in (met.unknown, end.unknown) if each]
    ending, shown = Ending(0.0), found
    if met.ends is not None:
        known_up_to(met.ends.begins)
    if met.ends is not None and touch_time(cycles, met.ends) > asked.until:
        met.ends = None  # beyond what is asked
    if met.ends is not None:
        ending = ends_by_contact(told, cycles, met.ends, fields)
    elif end.suspect is not None and end.suspect.pattern < horizon:
        known_up_to(end.suspect.pattern - 1.0 if end.passing is None else end.passing.begins)
        ending = ends_carried_on(told, cycles, end, fields)
    elif not unknown:
        life = live(cycles, asked.until)
        known_up_to(life.lasts)
        ending = lives(told, cycles, life, asked.until, fields)
        if life.steady:
            shown = once_steady(told, cycles, life)
        later = contacts_after_drift(cycles, {each.pair for each in ahead.contacts}, min(ending.last, most))
        if later:
            drifted = meetings(told, cycles, later, most)
            met.superimposed += drifted.superimposed
            unknown += [drifted.unknown] if drifted.unknown else []
            if drifted.ends is not None:
                known_up_to(drifted.ends.begins)
                ending = ends_by_contact(told, cycles, drifted.ends, fields)
        told.say("measured patterns along which contacts were looked for too", len(cycles.shown))
        for pair, number in touching_later(cycles, course).items():
            told.say(f"{pair} touch too, which they do not at first, in pattern", told.before + number)
        if told.verdict == "undecided" and not life.springs:
            run_out(told, simulator, fields)
            fades_or_drifts(told, cycles, asked.until, fields)
    if unknown:
        told.verdict, told.reason = "undecided", "; ".join(unknown)
        ending = Ending(0.0)
    # Last, for the end matters more; and a pattern that a contact ends is not asked how it forgets.
    multipliers = multipliers_of(cycles) if met.ends is None else {}
    fields["pattern"] = pattern_of(shown, cycles, multipliers)
    fields["amplitude"], fields["synchronous"] = swinging(shown, cycles)
    last = math.inf if told.verdict == "undecided" else ending.last
    fields["superimposed"] = seen_at_first(told, cycles, within_life(met.superimposed, cycles, last))
    if fields.get("valid_until") is not None:
        late, unit = time_error(cycles, ending.last), unit_names(cycles.tree.system.mechanism.units).time
        statement = "durations between measured patterns are interpolated: the end is known within"
        told.say(statement, late, unit.strip())
    if cycles.springs() and len(cycles.known) > 1:
        spring = min(cycles.springs(), key=lambda each: each.slack_after)
        fields["drift"] = drift_of(course, cycles, spring, told.before)
    late = time_error(cycles, ending.last) if ending.after is not None else 0.0
    return PatternLife(told, cycles, ending, searched + cycles.simulated, late, fields)


def _following(simulator: Simulator, after: MachineState, stage: PatternLife) -> Found:
    """What a machine does from a state on at which its pattern has ended."""
    settings = replace(stage.told.found.settings, steps=_STEPS_AFTER)
    lasts = _AT_FIRST * stage.cycles.base.duration
    return find(simulator.from_state(after, lasts, "what follows a pattern"), settings)


def _regime(stage: PatternLife, start: float) -> Regime:
    told, fields = stage.told, stage.fields
    end, since = fields.get("valid_until"), fields.get("since")
    return Regime(
        start=start, end=since if end is None else end.time, verdict=told.verdict, reason=told.reason,
        pattern=fields["pattern"], superimposed=fields["superimposed"], valid_until=end,
        amplitude=fields["amplitude"], state=fields.get("state"),
    )  # fmt: skip


def _carried_further(stage: PatternLife, found: Found, start: float) -> list[Regime]:
    """What carries parts on as the pattern did that is over, and in no pattern: how often, up to when."""
    cycles = stage.cycles
    ends = carried_further(cycles, stage.told.found.course, stage.ending.shown, found.course)
    if not ends:
        return []
    course, base = stage.told.found.course, cycles.base.at[-1]
    now, then = (by_joint(course, y) for y in (base, base + cycles.net))
    units = course.along.coordinate_units
    carried = [
        f"{name} on by {measured(then[name] - now[name], units[name])}"
        for name in now
        if abs(then[name] - now[name]) > 1e-9
    ]
    often = "once" if len(ends) == 1 else f"{len(ends)} times"
    reason = f"no pattern, but it still carries {listed(carried)} each time, {often} more"
    end = start + ends[-1] - found.course.begin
    return [Regime(start=start, end=end, verdict="ends", reason=reason)]


def _end_within(stage: PatternLife) -> float:
    """[s] How well the end of a pattern is known: by durations, and by the interval of its last pattern."""
    end = stage.fields.get("valid_until")
    low, high = (0, 0) if end is None else end.interval
    return max(stage.late, 0.5 * (high - low) * stage.cycles.duration(stage.ending.last))


def _without(found: Found, start: float, late: float) -> Regime:
    """What shows no pattern: it comes to rest, or what it does is not known."""
    course = found.course
    time = unit_names(course.first.tree.system.mechanism.units).time
    if found.rest is not None:
        state = by_joint(course, course.state_at(course.end).at)
        since, within = found.rest.since, found.rest.within + late
        about = f"about {since:.6g}{time} (±{within:.2g}{time})" if within > 0.0 else f"{since:.6g}{time}"
        reason = f"{found.rest.words} since {about}"
        return Regime(start=start, end=None, verdict="at_rest", reason=reason, state=state)
    reason = f"no pattern was found up to {course.end:.6g}{time}, and it is not at rest by then"
    if not (course.goes_on or course.is_full):
        stop = course.pieces[-1].trajectory(1).stop
        assert stop is not None
        reason = f"the run ends at {course.end:.6g}{time}: {stop.cause}, {stop.detail}"
    return Regime(start=start, end=None, verdict="undecided", reason=reason)


def _in_words(regime: Regime, time: str) -> str:
    if regime.pattern is not None:
        said = f"another pattern of {regime.pattern.minima} in {regime.pattern.duration:.6g}{time}"
        return f"{said}, for how long is not known" if regime.verdict == "undecided" else said
    if regime.verdict == "at_rest":
        return f"at rest since{regime.reason.rpartition(' since')[2]}"
    return regime.reason


def _followed(regime: Regime, after: list[Regime], time: str) -> Regime:
    """With what follows it in words, up to the next pattern or the end."""
    end = regime.valid_until
    if end is None:
        return regime
    patterns = [k for k, each in enumerate(after) if each.pattern is not None]
    told = after[: patterns[0] + 1] if patterns else after
    then = "; then ".join(
        _in_words(each, time) + (f" up to {each.end:.6g}{time}" if each.pattern is None and each.end else "")
        for each in told
    )
    return structs.replace(regime, valid_until=structs.replace(end, then=then))


def _after_all(
    stages: list[PatternLife], after: Lived | None, time: float
) -> MomentAhead | MomentUntold | None:
    """A moment after the last pattern, where what follows it was simulated, or rests for good, late as that
    may be.
    """
    if after is None or time < after.found.course.begin:
        return None
    last = stages[-1]
    course, rest = after.found.course, after.found.rest
    resting = rest is not None and time >= rest.since + last.late
    if not resting and time > course.end:
        return None
    (moment,) = moments_seen(after, [max(time, course.end) if resting else time])
    if isinstance(moment, MomentUntold):
        return structs.replace(moment, time=time)
    whole = last.told.before + int(last.ending.last)
    off = 0.0 if resting else moment.time_error
    return structs.replace(moment, time=time, pattern=whole, regime=len(stages), time_error=off)


def _lived(stages: list[PatternLife], rest: Found | None) -> tuple[list[Lived], Lived | None]:
    """What was simulated of each regime with a pattern, and of what follows the last one; from the second
    on beside what another restart of the one before leads to."""
    simulator = stages[0].cycles.simulator
    lives = [Lived(simulator, stages[0].told.found, stages[0].cycles)]
    for before, stage in pairwise(stages):
        lives.append(Lived(simulator, stage.told.found, stage.cycles, before.late, _once_more(before)))
    if rest is None:
        return lives, None
    return lives, Lived(simulator, rest, None, stages[-1].late, _once_more(stages[-1]))


def _once_more(stage: PatternLife) -> Callable[[], Again]:
    ending = stage.ending
    return lambda: begun_again(stage.cycles, ending.last, ending.over)


def _moments(
    stages: list[PatternLife], asked: Asked, rest: Found | None
) -> dict[str, tuple[MomentAhead, ...] | tuple[MomentUntold, ...]]:
    """States that are asked for, each in the regime that it lies in; patterns are those of the first."""
    moments = list[MomentAhead | MomentUntold]()
    lives, after = _lived(stages, rest)
    open_ = [each.told.verdict == "undecided" and each.ending.after is None for each in stages]
    for time in asked.at:
        k = max(k for k in range(len(stages)) if k == 0 or time >= stages[k].told.found.course.begin)
        told, cycles, last = stages[k].told, stages[k].cycles, stages[k].ending.last
        moment = moment_at(lives[k], cycles, told.before, time, last, open_[k])
        if isinstance(moment, MomentAhead):
            moments.append(structs.replace(moment, regime=k))
        else:
            moments.append(_after_all(stages, after, time) or moment)
    first = stages[0]
    for number in asked.pattern:
        last = first.ending.last
        moments.append(moment_of_pattern(lives[0], first.cycles, first.told.before, number, last, open_[0]))
    return told_and_not(moments)
