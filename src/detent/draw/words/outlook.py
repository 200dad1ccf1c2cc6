"""The answer of `detent outlook` for a person: a paragraph, tables, and the evidence."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite

from detent.draw.words.layout import coordinate, named, number_of_joint, table_lines
from detent.foundation.names import listed
from detent.foundation.units import unit_names
from detent.record.outlook import Outlook

MOST_REFUSED = 6
MOST_CONTACTS = 12
MOST_ROWS = 12
_VERDICTS = {
    "repeats": "it repeats",
    "ends": "it ends",
    "at_rest": "it is at rest",
    "undecided": "undecided",
}


def words(outlook: Outlook) -> str:
    """The answer for a person."""
    time = unit_names(outlook.units).time
    lines = [named(outlook.title, "machine")]
    lines.append(f"  verdict    {_VERDICTS[outlook.verdict]}: {outlook.reason}")
    lines += _compared(outlook, time)
    lines += _pattern(outlook, time) + _rest(outlook, time)
    for each in outlook.superimposed:
        lines.append(
            f"  on top     every {each.period_patterns} patterns ({each.period:.6g}{time}) {each.between[0]}"
            f" meets {each.between[1]} and moves {listed(list(each.joints))} for {each.duration:.4g}{time},"
            f" first at {each.first:.6g}{time}"
        )
    lines += _end(outlook, time) + _drift(outlook) + _moments(outlook, time) + _refused(outlook)
    lines.append("  evidence")
    for fact in outlook.evidence:
        number = "" if fact.value is None else f": {fact.value:.6g} {fact.unit}".rstrip()
        lines.append(f"    {fact.statement}{number}")
    lines.append(f"  certainty  {outlook.scope.words}")
    lines += [f"  left out   {', '.join(outlook.scope.left_out)}"] if outlook.scope.left_out else []
    lines += [f"  assumed    {'; '.join(outlook.scope.assumed)}"] if outlook.scope.assumed else []
    lines += [f"  note       {note}" for note in outlook.notes]
    return "\n".join(lines)


def _compared(outlook: Outlook, time: str) -> list[str]:
    """What was expected, and where it departs from a sound machine."""
    lines = []
    expectation, diagnosis = outlook.expectation, outlook.diagnosis
    if expectation is not None:
        if expectation.met:
            lines.append(f"  expected   met, within {expectation.within:g} of each number")
        for other in expectation.other:
            cause = f": {other.cause}" if other.cause else ""
            lines.append(f"  expected   {other.what} {other.expected}, found {other.found}{cause}")
    if diagnosis is not None:
        if diagnosis.departs:
            lines.append(
                f"  departs    after {diagnosis.alike} touches alike, at {diagnosis.time:.6g}{time}:"
                f" here {diagnosis.faulty}, there {diagnosis.sound}"
            )
        else:
            lines.append(f"  departs    not within {diagnosis.until:.6g}{time}, in {diagnosis.alike} touches")
        if diagnosis.differ:
            lines.append(f"             the documents differ in {listed(list(diagnosis.differ))}")
    return lines


def _amount(outlook: Outlook, joint: str, value: float) -> str:
    unit = outlook.state_units.get(joint, "")
    return coordinate(value, unit, outlook.amplitude.get(joint, 0.0))


def _state(outlook: Outlook, state: Mapping[str, float]) -> dict[str, str]:
    """Coordinates of joints; of lengths that is rounding which is so beside the others."""
    units = outlook.state_units
    longest = max((abs(value) for joint, value in state.items() if units.get(joint) != "rad"), default=0.0)
    return {joint: coordinate(value, units.get(joint, ""), longest) for joint, value in state.items()}


def _pattern(outlook: Outlook, time: str) -> list[str]:
    pattern = outlook.pattern
    if pattern is None:
        return []
    lines = [
        f"  pattern    {pattern.minima} {'marks' if pattern.minima > 1 else 'mark'} ({pattern.marks}) in"
        f" {pattern.duration:.6g}{time}, from {pattern.since:.6g}{time} on; confirmed"
        f" {pattern.confirmed} times, found after {pattern.bound} marks at most where it is there from the"
        " start"
    ]
    rows = []
    for joint in pattern.change:
        swing = outlook.amplitude.get(joint)
        rows.append(
            (
                joint,
                _amount(outlook, joint, pattern.change[joint]),
                "" if swing is None else f"±{_amount(outlook, joint, swing)}",
                "" if joint not in pattern.multipliers else f"{pattern.multipliers[joint]:.3g}",
            )
        )
    lines += table_lines(("joint", "change per pattern", "swings", "left of a disturbance"), rows)
    if outlook.synchronous:
        together = "; ".join(listed(list(group)) for group in outlook.synchronous)
        lines.append(f"  together   {together} move in step")
    if pattern.contacts:
        lines.append(
            f"  contacts   of a pattern, by time after its begin{'' if not time else f' [{time.strip()}]'}"
        )
        shown = [
            (f"{touch.from_:.5g}", f"{touch.to:.5g}", ":".join(touch.parts), touch.contact)
            for touch in pattern.contacts[:MOST_CONTACTS]
        ]
        lines += table_lines(("from", "to", "parts", "contact"), shown)
        more = len(pattern.contacts) - len(shown)
        lines += [f"    and {more} more"] if more else []
    return lines


def _rest(outlook: Outlook, time: str) -> list[str]:
    if outlook.state is None or outlook.since is None:
        return []
    where = ", ".join(f"{joint} {value}" for joint, value in _state(outlook, outlook.state).items())
    return [f"  at rest    since {outlook.since:.6g}{time}: {where}"]


def _end(outlook: Outlook, time: str) -> list[str]:
    end = outlook.valid_until
    if end is None:
        return []
    low, high = end.interval
    between = f" (between {low} and {high})" if low != high else ""
    lines = [f"  until      pattern {end.patterns}{between}, {end.time:.6g}{time}: {end.cause}"]
    if end.what:
        lines.append(f"             {end.what}")
    if end.then:
        lines.append(f"             then {end.then}")
    return lines


def _drift(outlook: Outlook) -> list[str]:
    drift = outlook.drift
    if drift is None:
        return []
    lines = [f"  drift      {drift.law or 'no law was found; patterns as they were measured'}"]
    if drift.holds:
        lines.append(f"             {drift.holds}")
    kept = drift.rows if len(drift.rows) <= MOST_ROWS else (*drift.rows[: MOST_ROWS - 1], drift.rows[-1])
    rows = []
    for row in kept:
        cells = [f"{row[0]:g}"]
        for name, value in zip(drift.columns[1:], row[1:], strict=True):
            joint = name.rpartition(" ")[0]
            cells.append(_amount(outlook, joint, value) if joint in outlook.state_units else f"{value:.6g}")
        rows.append(tuple(cells))
    return lines + table_lines(drift.columns, rows)


def _moments(outlook: Outlook, time: str) -> list[str]:
    lines = []
    for moment in outlook.moments:
        after = "" if outlook.pattern is None else f", after pattern {moment.pattern}"
        simulated = moment.time_error == 0.0  # from the start on: nothing was jumped over
        how = "simulated" if simulated else f"time within {moment.time_error:.2g}{time}"
        lines.append(f"  moment     {moment.time:.6g}{time}{after} ({how})")
        rows = [
            (
                joint,
                value,
                f"±{number_of_joint(moment.error[joint], outlook.state_units.get(joint, ''))}"
                if isfinite(moment.error[joint]) and not simulated
                else "",
            )
            for joint, value in _state(outlook, moment.state).items()
        ]
        lines += table_lines(("joint", "at", "estimated error"), rows)
    return lines


def _refused(outlook: Outlook) -> list[str]:
    if not outlook.refused:
        return []
    lines = ["  refused    patterns that were tried"]
    shown = outlook.refused[:MOST_REFUSED]
    lines += table_lines(
        ("marks", "at", "why"), [(str(each.minima), f"{each.time:.6g}", each.why) for each in shown]
    )
    more = len(outlook.refused) - len(shown)
    return lines + ([f"    and {more} more"] if more else [])
