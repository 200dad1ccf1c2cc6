"""The answer of `detent outlook` for a person: a paragraph, tables, and the evidence."""

from __future__ import annotations

from math import isfinite

from detent.draw.words.layout import coordinate, named, number_of_joint, table_lines
from detent.foundation.names import listed
from detent.foundation.units import unit_names
from detent.record.outlook import Outlook

MOST_REFUSED = 6
MOST_CONTACTS = 12
MOST_ROWS = 12
_ROUNDING = 1e-6  # of the greatest energy: less is told as none
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
    lines += _pattern(outlook, time) + _balance(outlook) + _rest(outlook, time)
    for each in outlook.superimposed:
        lines.append(
            f"  on top     every {each.period_patterns} patterns ({each.period:.6g}{time}) {each.between[0]}"
            f" meets {each.between[1]} and moves {listed(list(each.joints))} for {each.duration:.4g}{time},"
            f" first at {each.first:.6g}{time}"
        )
    lines += (
        _end(outlook, time)
        + _regimes(outlook, time)
        + _drift(outlook)
        + _moments(outlook, time)
        + _refused(outlook)
    )
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
    joule = unit_names(outlook.units).energy
    most = max(
        (abs(number) for touch in pattern.contacts for number in (touch.given, touch.lost)), default=0.0
    )
    if pattern.contacts:
        lines.append(
            f"  contacts   of a pattern, by time after its begin{'' if not time else f' [{time.strip()}]'}"
        )
        shown = [
            (
                f"{touch.from_:.5g}",
                f"{touch.to:.5g}",
                f"{touch.pusher} pushes {touch.pushed}" if touch.pusher else ":".join(touch.parts),
                f"{_told(touch.given, most)}{joule}",
                f"{_told(touch.lost, most)}{joule}",
                touch.contact,
            )
            for touch in pattern.contacts[:MOST_CONTACTS]
        ]
        lines += table_lines(("from", "to", "who", "gives", "loses", "contact"), shown)
        more = len(pattern.contacts) - len(shown)
        lines += [f"    and {more} more"] if more else []
    return lines


def _told(energy: float, most: float) -> str:
    """An energy, rounding told as none."""
    return f"{energy:.4g}" if abs(energy) > _ROUNDING * most else "0"


def _balance(outlook: Outlook) -> list[str]:
    """Where the energy of a pattern goes."""
    energy = None if outlook.pattern is None else outlook.pattern.energy
    if energy is None:
        return []
    joule = unit_names(outlook.units).energy
    sums = energy.driven, energy.stored, energy.damped, energy.lost
    most = max(abs(number) for number in sums)
    where = "driven", "stored", "damped", "lost at contacts", "elsewhere"
    numbers = zip((*sums, energy.elsewhere), where, strict=True)
    told = [f"{_told(number, most)}{joule} {name}" for number, name in numbers]
    return [f"  energy     of a pattern: {', '.join(told)}"] if most else []


def _rest(outlook: Outlook, time: str) -> list[str]:
    if outlook.state is None or outlook.since is None:
        return []
    where = ", ".join(f"{joint} {_amount(outlook, joint, value)}" for joint, value in outlook.state.items())
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


def _regimes(outlook: Outlook, time: str) -> list[str]:
    """What follows the pattern, regime after regime."""
    if len(outlook.regimes) < 2:
        return []
    rows = []
    for regime in outlook.regimes:
        pattern, until = regime.pattern, regime.valid_until
        shown = "none" if pattern is None else f"{pattern.minima} in {pattern.duration:.6g}{time}"
        lasts = "" if until is None else f"{until.interval[0]} to {until.interval[1]}"
        if until is not None and until.interval[0] == until.interval[1]:
            lasts = f"{until.patterns}"
        ends = "" if regime.end is None else f"{regime.end:.6g}"
        why = f"{_VERDICTS[regime.verdict]}: {regime.reason}"
        rows.append((f"{regime.start:.6g}", ends, shown, lasts, why))
    lines = ["  regimes    one after the other"]
    return lines + table_lines(("from", "to", "pattern", "so many", "what"), rows)


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
        lines.append(
            f"  moment     {moment.time:.6g}{time}, after pattern {moment.pattern}"
            f" (time within {moment.time_error:.2g}{time})"
        )
        rows = [
            (
                joint,
                _amount(outlook, joint, value),
                f"±{number_of_joint(moment.error[joint], outlook.state_units.get(joint, ''))}"
                if isfinite(moment.error[joint])
                else "",
            )
            for joint, value in moment.state.items()
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
