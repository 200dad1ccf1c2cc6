"""Machines in which no pattern was confirmed: at rest, stopped, or undecided."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from detent.foundation.names import listed
from detent.foundation.units import unit_names
from detent.judge.outlook.life.ending import holding
from detent.judge.outlook.life.faded import faded
from detent.judge.outlook.patterns.finding import body_motion, net_change
from detent.judge.outlook.patterns.hypotheses import STILL, Hypothesis, search
from detent.judge.outlook.patterns.rest import Standstill, rest_of
from detent.judge.outlook.patterns.simulating import Simulator
from detent.judge.outlook.patterns.springs import joint_values, ran_down, tensions_left
from detent.judge.outlook.told.answering import Told, answer_of
from detent.judge.outlook.told.telling import by_joint
from detent.motion.running.minima import kinetic_energies
from detent.record.outlook import Outlook, ValidUntil

# Of the greatest kinetic energy of the first half of what was simulated: as much in the second does not fade.
_FADES = 0.9

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from detent.model.document.mechanism import Mechanism


def without_pattern(told: Told, simulator: Simulator, mechanism: Mechanism) -> Outlook:
    found, course = told.found, told.found.course
    time = unit_names(mechanism.units).time
    fields: dict[str, object] = {}
    if found.rest is not None:
        rest = found.rest = faded(simulator, course, found.rest)
        fields = {"state": by_joint(course, course.state_at(course.end).at), **since_of(rest)}
        contacts = holding(course, (course.begin, rest.since - 1e-3 * (course.end - course.begin)))
        told.say("so it was looked at for", rest.looked_for, time.strip())
        for name, _, _ in contacts:
            told.say(f"held by {name}")
        for name in _at_limits(simulator, course.state_at(course.end).at):
            told.say(f"at its limit: {name}")
        begun, now = (course.state_at(when).at for when in (course.begin, course.end))
        left = tensions_left(course.along.tree, begun, now)
        for name, share in left.items():
            told.say(f"of the tension of {name} at first is left", share)
        # A pattern that was seen twice in a row before it stopped.
        marks = course.minima_below(found.settings.energy)
        early = replace(found.settings, confirm=1, ignore=2)
        moving = marks.times < rest.since
        seen = search(
            type(marks)(marks.times[moving], marks.at[moving], marks.speeds[moving]),
            course.ranges(), found.names, early,
        ).found  # fmt: skip
        slack = ran_down(course.along.tree, np.vstack([course.along.points[:, 0], now]))
        shares = [f"{name} {100 * share:.3g} %" for name, share in left.items() if name not in slack]
        with_left = f"; springs have kept of their first tension: {listed(shares)}" if shares else ""
        ran = f"it ran on until {_slack_words(slack)}; " if slack else ""
        told.verdict, told.reason = "at_rest", f"{ran}{rest.words}{with_left}"
        pattern = found.once or seen
        new = [] if pattern is None else _stopping(told, pattern, contacts)
        if pattern is not None and not new:
            lasts = f"{pattern.duration:.6g}{time}"
            told.reason = f"a pattern of {pattern.minima} in {lasts} repeated at first; {rest.words}"
        elif pattern is not None:
            told.verdict = "ends"
            told.reason = (
                f"a pattern of {pattern.minima} in {pattern.duration:.6g}{time} repeated at first,"
                f" then {listed([each[0] for each in new])} stopped it"
            )
            time_of_last, section = float(pattern.marks.times[pattern.last]), found.once_section
            if pattern is found.once and section is not None:
                count, most = (section.passed(course, each) for each in (time_of_last, course.end))
            else:
                count, most = int((marks.times <= time_of_last).sum()), len(marks)
            fields["valid_until"] = ValidUntil(
                patterns=count // pattern.minima,
                time=time_of_last,
                cause="contact",
                interval=(count // pattern.minima, most // pattern.minima),
                between=new[0][1],
                what=listed([each[0] for each in new]),
                state=by_joint(course, course.state_at(course.end).at),
                then=f"at rest since {'about ' if rest.fades else ''}{rest.since:.6g}{time}",
            )
    elif not (course.goes_on or course.is_full):
        stop = course.pieces[-1].trajectory(1).stop
        assert stop is not None
        cause = stop.cause
        told.verdict = "undecided" if cause == "interrupted" else "ends"
        told.reason = f"the run ends at {course.end:.6g}{time}: {cause}, {stop.detail}"
    else:
        told.reason = (
            f"no pattern was found in {course.end:.6g}{time} ({len(course.along.steps)} steps,"
            f" {found.marks} minima of the kinetic energy), and it is not at rest by then"
        )
    return answer_of(told, simulator, mechanism, fields)


def _slack_words(slack: dict[str, float]) -> str:
    """Springs that ran down, with what is left of their tension."""
    left = listed([f"{100 * share:.3g} %" for share in slack.values()])
    springs = (
        f"springs of {listed(list(slack))} are" if len(slack) > 1 else f"spring of {next(iter(slack))} is"
    )
    return f"the {springs} slack, with {left} of the first tension left"


def _at_limits(simulator: Simulator, y: NDArray[np.float64]) -> list[str]:
    """Joints that stand at a limit of their own."""
    tree, stops = simulator.prepared.along.tree, simulator.prepared.actions.stops
    values = dict(zip(tree.coordinates, joint_values(tree, y), strict=True))
    named = [stop for stop in stops if stop.joint.name in values]
    return [stop.joint.name for stop in named if abs(values[stop.joint.name] - stop.end) <= STILL]


def _stopping(
    told: Told, pattern: Hypothesis, contacts: list[tuple[str, tuple[str, str], bool]]
) -> list[tuple[str, tuple[str, str], bool]]:
    """Of contacts that hold a machine, those of parts that its pattern carried on."""
    course = told.found.course
    net = net_change(course, pattern, told.found.settings.state)
    bodies = course.first.tree.system.bodies
    carried = {bodies[body].name for body in body_motion(course, pattern, net)}
    return [each for each in contacts if carried & set(each[1])] or contacts


def since_of(rest: Standstill) -> dict[str, float]:
    """Fields of the answer: since when, and how well that is known of what fades."""
    return {"since": rest.since} | ({"since_within": rest.within} if rest.fades else {})


def run_out(told: Told, simulator: Simulator, fields: dict[str, object]) -> None:
    """A pattern that fades, with nothing that drives it: simulated until it rests, where effort allows."""
    course = told.found.course
    while course.goes_on and len(course.along.steps) < told.found.settings.steps:
        course.go_on(course.end - course.begin)
        kinetic = kinetic_energies(course.along, course.along.steps[:, 0])
        late = course.along.steps[:, 0] > 0.5 * (course.begin + course.end)
        if kinetic[late].max(initial=0.0) > _FADES * kinetic[~late].max(initial=0.0):
            return
        rest = rest_of(course)
        if rest is not None:
            rest = told.found.rest = faded(simulator, course, rest)
            told.verdict, told.reason = "at_rest", f"the pattern fades; {rest.words}"
            fields |= {"state": by_joint(course, course.state_at(course.end).at), **since_of(rest)}
            told.say("so it was looked at for", rest.looked_for, course.words.time.strip())
            return
