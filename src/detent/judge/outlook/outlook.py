"""What will this machine do in the long run? From a few simulated moments to a verdict, with the evidence."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from msgspec import structs

from detent.foundation.errors import ModelError
from detent.judge.outlook.ahead import contacts_ahead
from detent.judge.outlook.answering import Told, answer_of
from detent.judge.outlook.cycles import Cycles
from detent.judge.outlook.drifting import drift_of
from detent.judge.outlook.expecting import diagnosis_of, expectation_of
from detent.judge.outlook.finding import find, net_change
from detent.judge.outlook.hypotheses import SearchSettings
from detent.judge.outlook.life import live
from detent.judge.outlook.moments import moment_at, moment_of_pattern, moments_seen, patterns_before
from detent.judge.outlook.simulating import Simulator
from detent.judge.outlook.stopped import run_out, without_pattern
from detent.judge.outlook.telling import multipliers_of, pattern_of, swinging
from detent.judge.outlook.verdicts import ends_by_contact, limit_ahead, lives, meetings
from detent.judge.outlook.yielding import pattern_by_penalty, penalty_asked
from detent.motion.prediction import predict
from detent.motion.rigid.method import Rigid
from detent.record.outlook import MINIMA, Outlook, ValidUntil

if TYPE_CHECKING:
    from detent.model.document.ask import AskOutlook, ExpectAsk
    from detent.model.document.mechanism import Mechanism
    from detent.motion.rigid.rigid_run import RigidRun
    from detent.record.outlook import Diagnosis, MomentAhead

# Relative accuracy of a step: finer than that of a run, for drifts are told by small differences.
ACCURACY, COARSER = 1e-7, 1e-6
MOST_PATTERNS = 50
# Of the time that a document asks to run: what is simulated at first.
_AT_FIRST = 1 / 16
# Of the sound machine's pattern: touches of two machines that are farther apart in time are not the same.
_TOGETHER = 0.01


def outlook_of(
    mechanism: Mechanism,
    *,
    until: float | None = None,
    at: Sequence[float] = (),
    pattern: Sequence[int] = (),
    patterns: int | None = None,
    settings: SearchSettings | None = None,
    expect: ExpectAsk | None = None,
    beside: Mechanism | None = None,
) -> Outlook:
    """The long run of a machine by the rigid model.

    `at` [s] and `pattern` (counted from the start) ask for states of the valid region; `patterns` may be
    simulated at most; `until` [s] is the horizon asked about. What is expected, and a sound machine beside
    it, are compared.
    """
    for time in at:
        if not (math.isfinite(time) and time >= 0):
            raise ModelError.at("at", f"{time} is not a moment", "give seconds from the start on")
    for number in pattern:
        if number < 1:
            raise ModelError.at(
                "pattern", f"{number} is none", "give one at least: they are counted from the start"
            )
    ask = mechanism.ask.outlook if mechanism.ask is not None else None
    answer = _alone(mechanism, until, at, pattern, patterns, settings)
    if ask is not None and ask.method == "penalty":
        answer = _with_yielding_pattern(mechanism, ask, answer, settings)
    expect = expect if expect is not None else (None if ask is None else ask.expect)
    if expect is not None:
        answer = structs.replace(answer, expectation=expectation_of(answer, expect))
    if beside is not None:
        answer = structs.replace(answer, diagnosis=_diagnosed(mechanism, beside, answer))
    return answer


def _with_yielding_pattern(
    mechanism: Mechanism, ask: AskOutlook, answer: Outlook, settings: SearchSettings | None
) -> Outlook:
    """The pattern by the penalty model that the document asks for; the long run stays the rigid one's."""
    note = "the document asks for penalty; the long run is that of the rigid model"
    rigid = answer.pattern
    if rigid is None or rigid.marks != MINIMA:
        return structs.replace(answer, notes=(*answer.notes, note))
    lasts = rigid.since + (rigid.confirmed + 1) * rigid.duration
    settings = settings if settings is not None else settings_of(mechanism)
    yielding = pattern_by_penalty(mechanism, penalty_asked(ask), lasts, settings)
    if yielding is None:
        none = f"{note}, and so is the pattern: by penalty none was confirmed in that time"
        return structs.replace(answer, notes=(*answer.notes, none))
    said = f"{note}, as are contacts of the pattern; by that one {rigid.minima} take {rigid.duration:.6g}"
    yielding = structs.replace(yielding, contacts=rigid.contacts, multipliers=rigid.multipliers)
    return structs.replace(
        answer, pattern=yielding, method="penalty, long run rigid", notes=(*answer.notes, said)
    )


def _diagnosed(mechanism: Mechanism, beside: Mechanism, answer: Outlook) -> Diagnosis:
    """Compared for as long as the document asks to run, or until it rests."""
    run = mechanism.ask.run if mechanism.ask is not None else None
    lasts = max(float(run.until) if run is not None and run.until is not None else 10.0, answer.since or 0.0)
    sound = _alone(beside, None, (), (), 1, None).pattern
    together = _TOGETHER * (lasts if sound is None else sound.duration)
    return diagnosis_of(mechanism, beside, lasts, together, ACCURACY)


def _alone(
    mechanism: Mechanism,
    until: float | None,
    at: Sequence[float],
    pattern: Sequence[int],
    patterns: int | None,
    settings: SearchSettings | None,
) -> Outlook:
    settings = settings if settings is not None else settings_of(mechanism)
    ask = mechanism.ask.outlook if mechanism.ask is not None else None
    if until is None and ask is not None and ask.until is not None:
        until = float(ask.until)
    if patterns is None:
        patterns = ask.patterns if ask is not None and ask.patterns is not None else MOST_PATTERNS
    if not at and ask is not None and ask.at is not None:
        at = [float(time) for time in ask.at]
    prepared: RigidRun = predict(
        mechanism, method=Rigid(accuracy=ACCURACY), until=_first_look(mechanism, until)
    ).evidence
    simulator = Simulator(prepared)
    told = Told(find(simulator.from_start(), settings))
    course = told.found.course
    if told.found.hypothesis is None and not (course.goes_on or course.is_full):
        # Events that crowd at one accuracy need not at another; which one was used is said.
        run = predict(mechanism, method=Rigid(accuracy=COARSER), until=_first_look(mechanism, until))
        again = Simulator(run.evidence)
        second = Told(find(again.from_start(), settings))
        if second.found.course.goes_on:
            said = f"at a relative accuracy of {ACCURACY:g} the run was interrupted; this is at {COARSER:g}"
            simulator, told = again, second
            told.say(said)
    if told.found.hypothesis is None:
        seen = moments_seen(told.found, at)
        if len(seen) < len(at) + len(pattern):
            told.left_out.append("moments that were asked for: no pattern leads there")
        return structs.replace(without_pattern(told, simulator, mechanism, until), moments=tuple(seen))
    return _with_pattern(told, simulator, mechanism, until, at, pattern, patterns)


def settings_of(mechanism: Mechanism) -> SearchSettings:
    """Those of the document, else the paper's."""
    ask = mechanism.ask.outlook if mechanism.ask is not None else None
    if ask is None or ask.search is None:
        return SearchSettings()
    given = {
        name: getattr(ask.search, name)
        for name in ("confirm", "ignore", "energy", "time", "state", "steps")
        if getattr(ask.search, name) is not None
    }
    numbers: dict[str, Any] = {
        name: int(value) if name in ("confirm", "ignore", "steps") else float(value)
        for name, value in given.items()
    }
    return replace(SearchSettings(), **numbers)


def _first_look(mechanism: Mechanism, until: float | None) -> float:
    """[s] What is simulated at first; more follows where it is not enough."""
    run = mechanism.ask.run if mechanism.ask is not None else None
    if run is not None and run.until is not None:
        return _AT_FIRST * float(run.until)
    if until is not None:
        if not (math.isfinite(until) and until > 0):
            raise ModelError.at("until", f"{until} is not a horizon", "give seconds, above zero")
        return _AT_FIRST * until
    return 1.0


def _with_pattern(
    told: Told,
    simulator: Simulator,
    mechanism: Mechanism,
    until: float | None,
    at: Sequence[float],
    asked: Sequence[int],
    patterns: int,
) -> Outlook:
    found, course = told.found, told.found.course
    hypothesis = found.hypothesis
    assert hypothesis is not None
    cycles = Cycles(simulator, found, net_change(course, hypothesis, found.settings.state))
    before = patterns_before(found, cycles)
    for each in found.returning:
        told.say(each.why)
    spent = (course.end - course.begin) / hypothesis.duration
    amplitude, together = swinging(found, cycles)
    fields: dict[str, object] = {
        "amplitude": amplitude, "synchronous": together,
    }  # fmt: skip
    slack = min((spring.slack_after for spring in cycles.springs()), default=math.inf)
    limit = limit_ahead(cycles, course)
    ahead = contacts_ahead(course, cycles, min(slack, limit[0]))
    told.say(
        f"{ahead.pairs} pairs that do not touch in the pattern were followed ahead, patterns", ahead.patterns
    )
    superimposed, ends = meetings(told, cycles, ahead.contacts)
    # A pattern that a contact ends is not asked how it forgets disturbances.
    fields["pattern"] = pattern_of(found, cycles, multipliers_of(cycles) if ends is None else {})
    fields["superimposed"] = superimposed
    unknown = [each.why for each in found.returning if each.patterns is None]
    unknown += [f"what {pair} will meet was not looked at" for pair in ahead.not_looked_at]
    last = math.inf
    if ends is not None:
        last = ends_by_contact(told, cycles, before, ends, fields)
    elif limit[0] < min(slack, math.inf):
        last = float(math.floor(limit[0]))
        told.verdict, told.reason = "ends", f"{limit[1]} comes to its limit"
        fields["valid_until"] = ValidUntil(
            patterns=before + int(last), time=cycles.time_at(last), cause="limit",
            interval=(before + int(last), before + int(last)), what=told.reason,
        )  # fmt: skip
    elif not unknown:
        life = live(cycles, patterns - spent)
        last = lives(told, cycles, before, life, fields)
        if told.verdict == "undecided" and not life.springs:
            run_out(told, fields)
    if unknown:
        told.verdict, told.reason = "undecided", "; ".join(unknown)
        last = 0.0
    # With what is known of durations by now.
    fields["superimposed"] = tuple(
        structs.replace(each, period=cycles.time_at(begin + period) - cycles.time_at(begin))
        for each, (begin, _, period) in zip(superimposed, cycles.processes, strict=True)
        if math.isfinite(period)
    )
    if cycles.springs() and len(cycles.known) > 1:
        spring = min(cycles.springs(), key=lambda each: each.slack_after)
        fields["drift"] = drift_of(course, cycles, spring, before)
    moments: list[MomentAhead] = []
    for time in at:
        moments += [m for m in [moment_at(found, cycles, before, time, last)] if m is not None]
    for number in asked:
        moments += [m for m in [moment_of_pattern(found, cycles, before, number, last)] if m is not None]
    fields["moments"] = tuple(moments)
    if len(moments) < len(at) + len(asked):
        told.left_out.append("moments beyond the last pattern")
    told.say("patterns simulated", round(spent + cycles.simulated, 2))
    return answer_of(told, simulator, mechanism, until, fields)
