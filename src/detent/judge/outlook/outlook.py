"""What will this machine do in the long run? From a few simulated moments to a verdict, with the evidence."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from msgspec import structs

from detent.foundation.arguments import given, given_each
from detent.foundation.errors import ModelError
from detent.foundation.names import listed
from detent.foundation.units import unit_names
from detent.judge.outlook.expecting import diagnosis_of, expectation_of
from detent.judge.outlook.life.lived import Lived
from detent.judge.outlook.life.moments import moments_seen, told_and_not
from detent.judge.outlook.observing import observed_diagnosis
from detent.judge.outlook.patterns.finding import find
from detent.judge.outlook.patterns.hypotheses import SearchSettings
from detent.judge.outlook.patterns.simulating import Simulator
from detent.judge.outlook.regimes import Asked, regimes_of
from detent.judge.outlook.stopped import without_pattern
from detent.judge.outlook.told.answering import Told, answer_of
from detent.judge.outlook.yielding import pattern_by_penalty, penalty_asked
from detent.judge.running import refuse_mating
from detent.motion.prediction import predict
from detent.motion.rigid.method import Rigid
from detent.record.outlook import MINIMA, MomentUntold, Outlook

if TYPE_CHECKING:
    from detent.judge.measured.reading import MeasuredTable
    from detent.model.document.ask import AskOutlook, ExpectAsk
    from detent.model.document.mechanism import Mechanism
    from detent.motion.rigid.rigid_run import RigidRun
    from detent.record.outlook import Diagnosis

# Relative accuracy of a step: finer than that of a run, for drifts are told by small differences.
ACCURACY, COARSER = 1e-7, 1e-6
# Of the time that a document asks to run, or of the horizon: what is simulated at first.
_AT_FIRST = 1 / 16
_SHORT = 1.0  # [s] and of one that asks no time
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
    observed: MeasuredTable | None = None,
) -> Outlook:
    """The long run of a machine by the rigid model.

    `at` [s] and `pattern` (counted from the start) ask for states of the valid region; `patterns` may be
    simulated at most; `until` [s] is the horizon asked about. What is expected, a sound machine beside it, or
    what was observed of one that is built as the document says, are compared.
    """
    if until is not None:
        until = given("until", until, "give seconds, above zero")
        if not (math.isfinite(until) and until > 0):
            raise ModelError.at("until", f"{until:g} is not a horizon", "give seconds, above zero")
    at = given_each("at", at, "give seconds from the start on")
    pattern = [_counted(number) for number in pattern]
    for time in at:
        if not (math.isfinite(time) and time >= 0):
            raise ModelError.at("at", f"{time:g} is not a moment", "give seconds from the start on")
    refuse_mating(mechanism)
    ask = mechanism.ask.outlook if mechanism.ask is not None else None
    answer = _alone(mechanism, until, at, pattern, patterns, settings)
    if ask is not None and ask.method == "penalty":
        answer = _with_yielding_pattern(mechanism, ask, answer, settings)
    expect = expect if expect is not None else (None if ask is None else ask.expect)
    if expect is not None:
        answer = structs.replace(answer, expectation=expectation_of(answer, expect))
    if observed is not None:
        if beside is not None:
            raise ModelError.at("observed", "is compared with one document", "leave out the one beside it")
        lasts = None if answer.pattern is None else answer.pattern.duration
        answer = structs.replace(answer, diagnosis=observed_diagnosis(mechanism, observed, lasts, ACCURACY))
    if beside is not None:
        answer = structs.replace(answer, diagnosis=_diagnosed(mechanism, beside, answer))
    return answer


def _counted(number: int) -> int:
    """The number of a pattern: whole, from one on."""
    remedy = "give one at least: they are counted from the start"
    value = given("pattern", number, remedy)
    if not (value >= 1 and value.is_integer()):
        raise ModelError.at("pattern", f"{value:g} is none", remedy)
    return int(value)


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
    lasts_rigid = f"{rigid.duration:.6g}{unit_names(mechanism.units).time}"
    said = f"{note}, as are contacts of the pattern; by that one {rigid.minima} take {lasts_rigid}"
    yielding = structs.replace(yielding, contacts=rigid.contacts, multipliers=rigid.multipliers)
    return structs.replace(
        answer, pattern=yielding, method="penalty, long run rigid", notes=(*answer.notes, said)
    )


def _diagnosed(mechanism: Mechanism, beside: Mechanism, answer: Outlook) -> Diagnosis:
    """Compared for as long as the document asks to run, or until it rests."""
    moving = [[name for name, part in each.parts.items() if not part.fixed] for each in (mechanism, beside)]
    if not set(moving[0]) & set(moving[1]):
        raise ModelError.at(
            "beside",
            f"has none of the parts that move here ({listed(moving[0]) or 'none'})",
            "give this machine as it is without its fault",
        )
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
    if patterns is None and ask is not None:
        patterns = ask.patterns
    if not at and ask is not None and ask.at is not None:
        at = [float(time) for time in ask.at]
    prepared: RigidRun = predict(
        mechanism, method=Rigid(accuracy=ACCURACY), until=_first_look(mechanism, until)
    ).evidence
    simulator = Simulator(prepared)
    horizon = math.inf if until is None else until
    told = Told(find(simulator.from_start(), settings, horizon))
    course = told.found.course
    if told.found.hypothesis is None and not (course.goes_on or course.is_full):
        # Events that crowd at one accuracy need not at another; which one was used is said.
        run = predict(mechanism, method=Rigid(accuracy=COARSER), until=_first_look(mechanism, until))
        again = Simulator(run.evidence)
        second = Told(find(again.from_start(), settings, horizon))
        if second.found.course.goes_on:
            said = f"at a relative accuracy of {ACCURACY:g} the run was interrupted; this is at {COARSER:g}"
            simulator, told = again, second
            told.say(said)
    if told.found.hypothesis is None:
        answer = without_pattern(told, simulator, mechanism)
        seen = moments_seen(Lived(simulator, told.found), at)
        seen += [MomentUntold(why="no pattern was confirmed", pattern=number) for number in pattern]
        return structs.replace(answer, **told_and_not(seen))
    asked = Asked(horizon, tuple(at), tuple(pattern), patterns)
    fields = regimes_of(told, simulator, asked)
    return answer_of(told, simulator, mechanism, fields)


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
    return _SHORT if until is None else min(_AT_FIRST * until, _SHORT)
