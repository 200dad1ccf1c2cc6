"""An outlook in a few sentences: what repeats, how it changes, what comes on top, when it ends."""

from __future__ import annotations

import textwrap

from detent.draw.words.layout import coordinate
from detent.foundation.names import listed
from detent.foundation.units import unit_names
from detent.record.outlook import Outlook, Pattern, Superimposed

_WIDTH = 100
# Of a joint's swing: a smaller change of it per pattern is not worth a word here.
_CHANGES = 1e-3
# Of the largest change or swing among joints of a kind: a smaller one is not worth a word here.
_SLIGHT = 1e-4


def paragraph(outlook: Outlook) -> str:
    """The sentences, on one line; the tables below them have the digits and what the numbers rest on."""
    time = unit_names(outlook.units).time
    said = [_repeats(outlook, time), _drifts(outlook, time), *_on_top(outlook, time)]
    said += [_ends(outlook, time), _rests(outlook, time)]
    if outlook.verdict == "undecided":
        said.append(f"What it does in the long run is left open: {outlook.reason}.")
    return " ".join(sentence for sentence in said if sentence)


def paragraph_lines(outlook: Outlook) -> list[str]:
    """As labelled lines of an answer."""
    lines = textwrap.wrap(paragraph(outlook), _WIDTH, break_long_words=False, break_on_hyphens=False)
    return [
        f"  {label:<11}{line}" for label, line in zip(("in short", *[""] * len(lines)), lines, strict=False)
    ]


def amount(outlook: Outlook, joint: str, value: float) -> str:
    """A coordinate of a joint, or a change of it, with its unit; rounding beside its swing is told as 0."""
    return coordinate(value, outlook.state_units.get(joint, ""), outlook.amplitude.get(joint, 0.0))


def _repeats(outlook: Outlook, time: str) -> str:
    pattern = outlook.pattern
    if pattern is None:
        return ""
    goes, swings, nearly = [], [], ""
    kinds = outlook.state_units
    largest = {
        kind: max(
            max(abs(change), outlook.amplitude.get(joint, 0.0))
            for joint, change in pattern.change.items()
            if kinds.get(joint) == kind
        )
        for kind in {kinds.get(joint) for joint in pattern.change}
    }
    for joint, change in pattern.change.items():
        swing = outlook.amplitude.get(joint)
        if swing is not None:
            less, each = _less(pattern, joint), ""
            if abs(less) > _CHANGES * swing:
                nearly = "nearly "
                # From one pattern to the next parts that yield differ by more than they drift.
                if not outlook.method.startswith("penalty"):
                    each = f", each time {amount(outlook, joint, abs(less))} {'less' if less > 0 else 'more'}"
            swings.append(f"{joint} swings by ±{amount(outlook, joint, swing)}{each}")
        elif abs(change) > _SLIGHT * largest[kinds.get(joint)]:
            goes.append(f"{joint} goes on by {amount(outlook, joint, change)}")
    what = f": {listed([*goes, *swings])}" if goes or swings else ""
    lasts = f"{pattern.duration:.4g}{time}"
    if outlook.verdict == "undecided":
        since, times = f"{pattern.since:.4g}{time}", pattern.confirmed + 1
        return f"From {since} on nearly the same came again every {lasts}, {times} times{what}."
    if outlook.verdict == "at_rest":
        return f"At first {nearly}the same came again every {lasts}{what}."
    return f"Every {lasts} {nearly}the same comes again{what}."


def _less(pattern: Pattern, joint: str) -> float:
    """By how much a joint's swing becomes less in a pattern: its ends come nearer to each other."""
    ends = sorted((phase.state[joint], phase.change[joint]) for phase in pattern.phases)
    return 0.5 * (ends[0][1] - ends[-1][1]) if len(ends) > 1 else 0.0


def _drifts(outlook: Outlook, time: str) -> str:
    drift = outlook.drift
    if drift is None or len(drift.rows) < 2:
        return ""
    first, last = (dict(zip(drift.columns, row, strict=True)) for row in (drift.rows[0], drift.rows[-1]))
    changes = []
    struck = {joint for each in outlook.superimposed for joint in each.joints}
    for joint in (joint for joint in outlook.state_units if joint not in struck):
        least, greatest = f"{joint} least", f"{joint} greatest"
        if least in first and greatest in first:
            swings = [amount(outlook, joint, (row[greatest] - row[least]) / 2) for row in (first, last)]
            changes.append(f"the swing of {joint} goes from ±{swings[0]} to ±{swings[1]}")
    took, takes = (f"{row['duration']:.4g}" if "duration" in row else "" for row in (first, last))
    if took != takes:
        changes.append(f"a pattern takes {takes}{time} instead of {took}{time}")
    if not changes:
        return ""
    number = [f"{row[drift.columns[0]]:g}" for row in (first, last)]
    return f"From pattern {number[0]} to {number[1]} {listed(changes)}."


def _on_top(outlook: Outlook, time: str) -> list[str]:
    said = []
    kinds: dict[tuple[tuple[str, str], tuple[str, ...], int | None], list[Superimposed]] = {}
    for each in outlook.superimposed:
        kinds.setdefault((each.between, each.joints, each.period_patterns), []).append(each)
    for (between, joints, _), alike in kinds.items():
        times = listed([f"{each.first:.4g}{time}" for each in alike])
        again = next((each for each in alike if each.period is not None), None)
        often = "once" if len(alike) == 1 else f"{len(alike)} times"
        if again is not None:
            often = f"{'' if len(alike) == 1 else f'{often} '}{how_often(again, time, 4)}"
        said.append(
            f"On top of it, {often}, {between[0]} meets {between[1]} and moves {listed(list(joints))},"
            f" {'' if again is None else 'first '}at {times}."
        )
    return said


def how_often(process: Superimposed, time: str, digits: int) -> str:
    """How often a process comes: every so many patterns, or once."""
    if process.period is None:
        return "once"
    return f"every {process.period_patterns} patterns ({process.period:.{digits}g}{time})"


def _ends(outlook: Outlook, time: str) -> str:
    end = outlook.valid_until
    if end is None:
        said = {"repeats": "It has no end that was found", "ends": "It stops"}.get(outlook.verdict, "")
        return said and f"{said}: {outlook.reason}."
    if outlook.verdict == "undecided":
        return f"It was followed up to pattern {end.patterns}, over at {end.time:.5g}{time}."
    low, high = end.interval
    about = "" if low == high else f" (estimated between {low} and {high})"
    if end.cause == "horizon":
        reason = outlook.reason.removeprefix("up to the horizon asked about; ")
        goes = f"It goes on up to pattern {end.patterns}{about}, at the horizon of {end.time:.5g}{time}"
        return f"{goes}: {reason}."
    then = f"; then {end.then}" if end.then else ""
    last = f"Its last pattern is number {end.patterns}{about}; it ends at {end.time:.5g}{time}"
    return f"{last}: {outlook.reason.removeprefix('until ')}{then}."


def _rests(outlook: Outlook, time: str) -> str:
    if outlook.since is None or outlook.state is None:
        return ""
    if outlook.valid_until is not None and outlook.valid_until.then:
        return ""
    if outlook.drift is not None and outlook.drift.law:  # nothing drives it, and its swing has a law
        return f"It goes on ever smaller: {outlook.reason}."
    if outlook.since_within is not None:
        about = f"about {outlook.since:.5g}{time} (±{outlook.since_within:.2g}{time})"
        return f"It is at rest since {about}, but for what fades: {outlook.reason}."
    return f"It stands still since {outlook.since:.5g}{time}: {outlook.reason}."
