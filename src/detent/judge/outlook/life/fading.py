"""A pattern that nothing drives and that grows less: the law of its swing, as followed and by restarts.

With viscous damping a swing falls by one share in equal times, at any size where the machine is linear, and
where it is not the more nearly so the smaller it is. The share is measured where the pattern was followed,
and by restarts at a fifth and at a twenty-fifth of that swing; where these agree, rates between them are
taken to lie between theirs, and below the last one to be that one.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from detent.foundation.units import unit_names
from detent.judge.outlook.life.drifting import drift_measured
from detent.judge.outlook.patterns.fading_law import Fading
from detent.judge.outlook.patterns.rest import QUIET
from detent.judge.outlook.patterns.simulating import MachineState
from detent.judge.outlook.told.telling import by_joint
from detent.record.outlook import ValidUntil

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from detent.judge.outlook.patterns.cycles import Cycle, Cycles
    from detent.judge.outlook.told.answering import Told

    Floats = NDArray[np.float64]

# Patterns that were followed, and that a restart shows: at least.
_FOLLOWED, _SHOWN = 6, 3
# By how much the swing fell where it was followed: at least, as a logarithm; rates that agree: the greatest
# by the least.
_FELL, _AGREE = 1e-4, 1.3
_STEPS = 4.0  # whose errors are in a measured swing
_LOOKS = 257  # at a pattern, for its greatest kinetic energy
_SHARES = (0.2, 0.04)  # of the swing followed: restarts


def patterns_for_law(cycles: Cycles) -> float:
    """Patterns that a law of fading takes; none where there can be none, as where something drives it."""
    driven = cycles.simulator.prepared.driven
    swings = cycles.minima == 2 and cycles.section is None and not cycles.net.any()
    return 2.0 * (_SHOWN + 2) if swings and not (driven.torques or driven.coordinates) else 0.0


def fading_of(cycles: Cycles, followed: list[Cycle]) -> Fading | None:
    """The law of a pattern of two turning points that fades; None where restarts do not agree with one."""
    if len(followed) < _FOLLOWED or patterns_for_law(cycles) == 0.0 or not cycles.may(2 * (_SHOWN + 1)):
        return None
    k = int(np.argmax(np.where(cycles.creeping.which, 0.0, cycles.width / cycles.scales)))
    rates = [_rate(followed, k)]
    if rates[0] * sum(cycle.duration for cycle in followed) < _FELL:
        return None
    last, rest = followed[-1], _rest(followed, cycles)
    end = cycles.base_time + sum(cycle.duration for cycle in followed)
    for share in _SHARES:
        at, speeds = last.end
        state = MachineState(end, rest + share * (at - rest), share * speeds)
        course = cycles.course_from(state, _SHOWN + 1, f"a swing of {share:g} of it")
        found = cycles.regular(course, last.number)
        if len(found.cycles) < _SHOWN:
            return None
        rates.append(_rate(found.cycles, k))
    if min(rates) <= 0.0 or max(rates) > _AGREE * min(rates):
        return None
    # Down to the swing whose square is the share of the greatest kinetic energy.
    times = np.linspace(end - last.duration, end, _LOOKS)
    kinetic = float(cycles.followed.along.kinetic_at(times).max()) if cycles.followed is not None else 0.0
    left = 0.5 * math.log(kinetic / (QUIET * cycles.top))
    steps = [-math.log(_SHARES[0]), math.log(_SHARES[0] / _SHARES[1])]
    slow = [0.5 * (1.0 / a + 1.0 / b) for a, b in pairwise(rates)]
    lasts = sum(step * each for step, each in zip(steps, slow, strict=True)) + (left - sum(steps)) / rates[-1]
    # The least swing is measured worst.
    least = _SHARES[-1] * _swing(last.at, k) / cycles.scales[k]
    off = _STEPS * cycles.simulator.prepared.accuracy / (least * (_SHOWN - 1) * last.duration)
    soonest, latest = left / (max(rates) + off), left / max(min(rates) - off, 0.1 * min(rates))
    return Fading(cycles.names[k], tuple(rates), end + lasts, (end + soonest, end + latest), rest)


def _swing(at: Floats, k: int) -> float:
    return 0.5 * abs(float(at[-1, k] - at[0, k]))


def _rate(followed: list[Cycle], k: int) -> float:
    """[1/s] By which the swing falls."""
    lasts = sum(cycle.duration for cycle in followed[1:])
    return math.log(_swing(followed[0].at, k) / _swing(followed[-1].at, k)) / lasts


def _rest(followed: list[Cycle], cycles: Cycles) -> Floats:
    """Where it comes to rest: three turning points in a row are as far from there in one proportion."""
    first, second, third = followed[-2].at[1], followed[-1].at[0], followed[-1].at[1]
    bend = third - 2.0 * second + first
    swings = np.abs(bend) > 1e-2 * np.maximum(cycles.width, 1e-6 * cycles.scales)
    rest = np.where(swings, first - (second - first) ** 2 / np.where(swings, bend, 1.0), third)
    return np.where(cycles.creeping.which, cycles.creeping.goal, rest)


def fades_or_drifts(told: Told, cycles: Cycles, until: float, fields: dict[str, object]) -> None:
    """Of a pattern that still changes: as it was measured, and where it fades by a law, when that is over."""
    course = cycles.followed
    if course is None or told.verdict != "undecided":
        return
    followed = cycles.regular(course, 0.0).cycles
    if len(followed) < 2:
        return
    fading = fading_of(cycles, followed)
    law = holds = ""
    if fading is not None:
        law = fading.words(unit_names(cycles.tree.system.mechanism.units).time)
        holds = (
            "measured over the patterns below, and by restarts at a fifth and at a twenty-fifth of that swing"
        )
        cycles.fades = fading
        _fades(told, cycles, fading, until, fields)
        if fading.since > until:
            _up_to_horizon(told, cycles, followed, until, fields)
    fields["drift"] = drift_measured(course, cycles, followed, told.before, law, holds)


def _fades(told: Told, cycles: Cycles, fading: Fading, until: float, fields: dict[str, object]) -> None:
    time = unit_names(cycles.tree.system.mechanism.units).time
    low, high = (f"{each:.4g}" for each in fading.between)
    said = (
        f"the pattern fades by a law: {fading.words(time)}; it never stops quite, and has less than {QUIET:g}"
        f" of its greatest kinetic energy from about {fading.since:.4g}{time} on"
        f" (between {low} and {high}{time})"
    )
    for share, rate in zip((1.0, *_SHARES), fading.rates, strict=True):
        told.say(f"swing of {share:g} of that followed: it falls at a rate of", rate, f"1/{time.strip()}")
    if fading.since <= until:
        told.verdict, told.reason = "at_rest", said
        fields["since"], fields["state"] = fading.since, by_joint(told.found.course, fading.rest)
        fields["since_within"] = max(abs(fading.since - each) for each in fading.between)
    else:
        told.verdict, told.reason = "repeats", f"up to the horizon asked about; {said}"


def _up_to_horizon(
    told: Told, cycles: Cycles, followed: list[Cycle], until: float, fields: dict[str, object]
) -> None:
    """It lasts as long as was asked about: patterns by durations at first and at last, which is no bound."""
    numbers = sorted(int((until - cycles.base_time) / each.duration) for each in (followed[0], followed[-1]))
    low, high = (told.before + number for number in numbers)
    fields["valid_until"] = ValidUntil(
        patterns=(low + high) // 2, time=until, cause="horizon", interval=(low, high)
    )
