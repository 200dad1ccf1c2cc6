"""The answer of `detent outlook` for a person: a paragraph, tables, and the evidence."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite

from detent.draw.words.layout import Tabled, coordinate, named, number_of_joint
from detent.draw.words.outlook_paragraph import amount, how_often, paragraph_lines
from detent.foundation.names import listed
from detent.foundation.units import unit_names
from detent.record.outlook import MomentAhead, Outlook, Pattern
from detent.record.table import with_unit

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


def tables(outlook: Outlook) -> list[Tabled]:
    """All tables of an answer, whole: pattern, contacts, processes, drift, moments, what was refused."""
    time = unit_names(outlook.units).time
    found: list[Tabled | None] = [
        _pattern_table(outlook, time),
        _contacts_table(outlook, time, None),
        _superimposed_table(outlook, time),
        _regimes_table(outlook, time),
        _drift_table(outlook, None),
        *(_moment_table(outlook, moment, time) for moment in outlook.moments),
        _untold_table(outlook, time),
        _refused_table(outlook, None),
        _evidence_table(outlook),
    ]
    return [table for table in found if table is not None]


def verdict_words(outlook: Outlook) -> str:
    """The verdict as a sentence begins with it."""
    said = _VERDICTS[outlook.verdict]
    return said[:1].upper() + said[1:]


def words(outlook: Outlook) -> str:
    """The answer for a person."""
    time = unit_names(outlook.units).time
    lines = [named(outlook.title, "machine")]
    lines += paragraph_lines(outlook)
    lines.append(f"  verdict    {_VERDICTS[outlook.verdict]}: {outlook.reason}")
    lines += _compared(outlook, time)
    lines += _pattern(outlook, time) + _balance(outlook) + _rest(outlook, time)
    for each in outlook.superimposed:
        lines.append(
            f"  on top     {how_often(each, time, 6)} {each.between[0]}"
            f" meets {each.between[1]} and moves {listed(list(each.joints))} for {each.duration:.4g}{time},"
            f" {'first ' if each.period is not None else ''}at {each.first:.6g}{time}"
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
        here, there = ("here", "there") if diagnosis.of == "touches" else ("observed", "by the document")
        if diagnosis.departs:
            lines.append(
                f"  departs    after {diagnosis.alike} {diagnosis.of} alike, at {diagnosis.time:.6g}{time}:"
                f" {here} {diagnosis.faulty}, {there} {diagnosis.sound}"
            )
        else:
            lines.append(
                f"  departs    not within {diagnosis.until:.6g}{time}, in {diagnosis.alike} {diagnosis.of}"
            )
        if diagnosis.differ:
            lines.append(f"             the documents differ in {listed(list(diagnosis.differ))}")
    return lines


def _state(outlook: Outlook, state: Mapping[str, float]) -> dict[str, str]:
    """Coordinates of joints; of lengths that is rounding which is so beside the others."""
    units = outlook.state_units
    longest = max((abs(value) for joint, value in state.items() if units.get(joint) != "rad"), default=0.0)
    return {joint: coordinate(value, units.get(joint, ""), longest) for joint, value in state.items()}


def _pattern(outlook: Outlook, time: str) -> list[str]:
    pattern = outlook.pattern
    if pattern is None:
        return []
    table, touches = _pattern_table(outlook, time), _contacts_table(outlook, time, MOST_CONTACTS)
    lines = [] if table is None else table.lines
    if outlook.synchronous:
        together = "; ".join(listed(list(group)) for group in outlook.synchronous)
        lines.append(f"  together   {together} move in step")
    return lines + ([] if touches is None else touches.lines)


def _pattern_table(outlook: Outlook, time: str) -> Tabled | None:
    pattern = outlook.pattern
    if pattern is None:
        return None
    said = (
        f"{pattern.minima} {'marks' if pattern.minima > 1 else 'mark'} ({pattern.marks}) in"
        f" {pattern.duration:.6g}{time}, from {pattern.since:.6g}{time} on; confirmed"
        f" {pattern.confirmed} times, found after {pattern.bound} marks at most where it is there from the"
        " start"
    )
    rows = list[tuple[str, ...]]()
    for joint in pattern.change:
        swing = outlook.amplitude.get(joint)
        rows.append(
            (
                joint,
                _change(outlook, pattern, joint, swing or 0.0),
                "" if swing is None else f"±{amount(outlook, joint, swing)}",
                "" if joint not in pattern.multipliers else f"{pattern.multipliers[joint]:.3g}",
            )
        )
    return Tabled("pattern", said, ("joint", "change per pattern", "swings", "left of a disturbance"), rows)


def _change(outlook: Outlook, pattern: Pattern, joint: str, swing: float) -> str:
    """Of a joint per pattern: one number, or that of a swing that fades, which is another at each mark."""
    change, by_mark = pattern.change[joint], [phase.change[joint] for phase in pattern.phases]
    if by_mark and min(by_mark) < -_ROUNDING * swing < _ROUNDING * swing < max(by_mark):
        least, most = (amount(outlook, joint, end) for end in (min(by_mark), max(by_mark)))
        return f"{least} to {most}, by mark"
    return amount(outlook, joint, 0.0 if abs(change) <= _ROUNDING * swing else change)


def _contacts_table(outlook: Outlook, time: str, most: int | None) -> Tabled | None:
    if outlook.pattern is None or not outlook.pattern.contacts:
        return None
    contacts = outlook.pattern.contacts
    said = f"of a pattern, by time after its begin{'' if not time else f' [{time.strip()}]'}"
    joule = unit_names(outlook.units).energy
    largest = max(abs(number) for touch in contacts for number in (touch.given, touch.lost))
    rows: list[tuple[str, ...]] = [
        (
            f"{touch.from_:.5g}",
            f"{touch.to:.5g}",
            f"{touch.pusher} pushes {touch.pushed}" if touch.pusher else ":".join(touch.parts),
            f"{_told(touch.given, largest)}{joule}",
            f"{_told(touch.lost, largest)}{joule}",
            touch.contact,
        )
        for touch in contacts[:most]
    ]
    head = ("from", "to", "who", "gives", "loses", "contact")
    return Tabled("contacts", said, head, rows, len(contacts) - len(rows))


def _superimposed_table(outlook: Outlook, time: str) -> Tabled | None:
    """What words say in a sentence each."""
    if not outlook.superimposed:
        return None
    rows: list[tuple[str, ...]] = [
        (
            ":".join(each.between),
            "never alike" if each.period_patterns is None else str(each.period_patterns),
            "once" if each.period is None else f"{each.period:.6g}{time}",
            f"{each.first:.6g}{time}",
            f"{each.duration:.4g}{time}",
            ", ".join(f"{joint} {amount(outlook, joint, by)}" for joint, by in each.change.items()),
        )
        for each in outlook.superimposed
    ]
    head = ("between", "every so many patterns", "period", "first", "lasts", "leaves changed by")
    return Tabled("on top", "processes of joints that rest in the pattern", head, rows)


def _evidence_table(outlook: Outlook) -> Tabled | None:
    rows: list[tuple[str, ...]] = [
        (fact.statement, "" if fact.value is None else f"{fact.value:.6g} {fact.unit}".rstrip())
        for fact in outlook.evidence
    ]
    return Tabled("evidence", "", ("what was done and seen", "number"), rows) if rows else None


def _told(energy: float, most: float) -> str:
    """An energy, rounding told as none."""
    return f"{energy:.4g}" if abs(energy) > _ROUNDING * most else "0"


def _balance(outlook: Outlook) -> list[str]:
    """Where the energy of a pattern goes."""
    energy = None if outlook.pattern is None else outlook.pattern.energy
    if energy is None:
        return []
    joule = unit_names(outlook.units).energy
    sums = energy.driven, energy.stored, energy.damped, energy.lost, energy.rubbed, energy.stopped
    most = max(abs(number) for number in sums)
    in_joints = "by friction in joints", "in blows at limits"
    where = "driven", "stored", "damped", "lost at contacts", *in_joints, "elsewhere"
    numbers = zip((*sums, energy.elsewhere), where, strict=True)
    told = [
        f"{_told(number, most)}{joule} {name}" for number, name in numbers if number or name not in in_joints
    ]
    return [f"  energy     of the last pattern confirmed: {', '.join(told)}"] if most else []


def _rest(outlook: Outlook, time: str) -> list[str]:
    if outlook.state is None or outlook.since is None:
        return []
    where = ", ".join(f"{joint} {value}" for joint, value in _state(outlook, outlook.state).items())
    within = outlook.since_within
    about = (
        "" if within is None else f"about {outlook.since:.6g}{time} (±{within:.2g}{time}), but for what fades"
    )
    return [f"  at rest    since {about or f'{outlook.since:.6g}{time}'}: {where}"]


def _end(outlook: Outlook, time: str) -> list[str]:
    end = outlook.valid_until
    if end is None:
        return []
    low, high = end.interval
    between = f" (estimated between {low} and {high})" if low != high else ""
    lines = [f"  until      pattern {end.patterns}{between}, {end.time:.6g}{time}: {end.cause}"]
    if end.what:
        lines.append(f"             {end.what}")
    if end.then:
        lines.append(f"             then {end.then}")
    return lines


def _regimes(outlook: Outlook, time: str) -> list[str]:
    table = _regimes_table(outlook, time)
    return [] if table is None else table.lines


def _regimes_table(outlook: Outlook, time: str) -> Tabled | None:
    """What follows the pattern, regime after regime."""
    if len(outlook.regimes) < 2:
        return None
    rows = list[tuple[str, ...]]()
    for regime in outlook.regimes:
        pattern, until = regime.pattern, regime.valid_until
        shown = "none" if pattern is None else f"{pattern.minima} in {pattern.duration:.6g}{time}"
        lasts = "" if until is None else f"{until.interval[0]} to {until.interval[1]}"
        if until is not None and until.interval[0] == until.interval[1]:
            lasts = f"{until.patterns}"
        ends = "" if regime.end is None else f"{regime.end:.6g}"
        why = f"{_VERDICTS[regime.verdict]}: {regime.reason}"
        rows.append((f"{regime.start:.6g}", ends, shown, lasts, why))
    unit = time.strip()
    head = (with_unit("from", unit), with_unit("to", unit), "pattern", "so many", "what")
    return Tabled("regimes", "one after the other", head, rows)


def _drift(outlook: Outlook) -> list[str]:
    table = _drift_table(outlook, MOST_ROWS)
    return [] if table is None else table.lines


def _drift_table(outlook: Outlook, most: int | None) -> Tabled | None:
    """Measured patterns; where there are more than are wanted, the first ones and the last."""
    drift = outlook.drift
    if drift is None:
        return None
    said = drift.law or "no law was found; patterns as they were measured"
    said += f"\n{drift.holds}" if drift.holds else ""
    whole = most is None or len(drift.rows) <= most
    kept = drift.rows if most is None or whole else (*drift.rows[: most - 1], drift.rows[-1])
    rows = list[tuple[str, ...]]()
    for row in kept:
        cells = [f"{row[0]:g}"]
        for name, value in zip(drift.columns[1:], row[1:], strict=True):
            joint = _joint_of(outlook, name)
            cells.append(amount(outlook, joint, value) if joint else f"{value:.6g}")
        rows.append(tuple(cells))
    head = tuple(
        name if _joint_of(outlook, name) else with_unit(name, outlook.unit_of(name)) for name in drift.columns
    )
    return Tabled("drift", said, head, rows)


def _joint_of(outlook: Outlook, column: str) -> str:
    """The joint whose least or greatest a column has, and whose unit stands behind each number."""
    joint, _, side = column.rpartition(" ")
    return joint if side in ("least", "greatest") and joint in outlook.state_units else ""


def _moments(outlook: Outlook, time: str) -> list[str]:
    lines = [line for moment in outlook.moments for line in _moment_table(outlook, moment, time).lines]
    untold = _untold_table(outlook, time)
    return lines + ([] if untold is None else untold.lines)


def _untold_table(outlook: Outlook, time: str) -> Tabled | None:
    """Moments that were asked for, and why they are not told."""
    rows: list[tuple[str, ...]] = [
        (f"pattern {each.pattern}" if each.time is None else f"{each.time:.6g}{time}", each.why)
        for each in outlook.untold
    ]
    return Tabled("not told", "moments that were asked for", ("moment", "why"), rows) if rows else None


def _moment_table(outlook: Outlook, moment: MomentAhead, time: str) -> Tabled:
    after = "" if outlook.pattern is None else f", after pattern {moment.pattern}"
    simulated = moment.time_error == 0.0  # from the start on: nothing was jumped over
    how = "simulated" if simulated else f"time within {moment.time_error:.2g}{time}"
    rows: list[tuple[str, ...]] = [
        (
            joint,
            value,
            f"±{number_of_joint(moment.error[joint], outlook.state_units.get(joint, ''))}"
            if isfinite(moment.error[joint])
            else "",
        )
        for joint, value in _state(outlook, moment.state).items()
    ]
    return Tabled(
        "moment", f"{moment.time:.6g}{time}{after} ({how})", ("joint", "at", "estimated error"), rows
    )


def _refused(outlook: Outlook) -> list[str]:
    table = _refused_table(outlook, MOST_REFUSED)
    return [] if table is None else table.lines


def _refused_table(outlook: Outlook, most: int | None) -> Tabled | None:
    if not outlook.refused:
        return None
    rows: list[tuple[str, ...]] = [
        (str(each.minima), f"{each.time:.6g}", each.why) for each in outlook.refused[:most]
    ]
    left = len(outlook.refused) - len(rows)
    at = with_unit("at", unit_names(outlook.units).time.strip())
    return Tabled("refused", "patterns that were tried", ("marks", at, "why"), rows, left)
