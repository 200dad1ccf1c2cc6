"""Is it as expected, and if not, where does it first depart? Beside a statement, or a sound machine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from detent.foundation.errors import ModelError
from detent.foundation.units import measured, unit_names
from detent.motion.prediction import predict
from detent.motion.rigid.method import Rigid
from detent.record.outlook import Diagnosis, Expectation, OtherThanExpected

if TYPE_CHECKING:
    from detent.model.document.ask import ExpectAsk
    from detent.model.document.mechanism import Mechanism
    from detent.record.event import Event
    from detent.record.outlook import Outlook

# Of what is expected: a number that differs by less is met.
WITHIN = 0.01
_MOST_PATHS = 8


def expectation_of(answer: Outlook, expect: ExpectAsk) -> Expectation:
    """What is expected, beside the answer: met, or what is other, with its cause."""
    within = WITHIN if expect.within is None else float(expect.within)
    pattern, other, time = answer.pattern, list[OtherThanExpected](), unit_names(answer.units).time

    def compare(what: str, wanted: Any, found: Any, met: bool) -> None:
        if not met:
            cause = answer.reason if found is None or what in ("verdict", "patterns") else ""
            shown = "none" if found is None else str(found)
            other.append(OtherThanExpected(what=what, expected=str(wanted), found=shown, cause=cause))

    if expect.verdict is not None:
        compare("verdict", expect.verdict, answer.verdict, expect.verdict == answer.verdict)
    if expect.minima is not None:
        found = None if pattern is None else pattern.minima
        compare("minima", expect.minima, found, found == expect.minima)
    if expect.duration is not None:
        wanted, lasts = float(expect.duration), None if pattern is None else pattern.duration
        met = lasts is not None and abs(lasts - wanted) <= within * wanted
        compare("duration", f"{wanted:.6g}{time}", None if lasts is None else f"{lasts:.6g}{time}", met)
    for joint, value in expect.change.items():
        wanted, changes = float(value), None if pattern is None else pattern.change.get(joint)
        names = answer.state_units if pattern is None else pattern.change
        if changes is None and (pattern is not None or joint not in names):
            known = ", ".join(names)
            raise ModelError.at(
                f"ask.outlook.expect.change.{joint}", "is not a joint", f"give one of {known}"
            )
        met = changes is not None and abs(changes - wanted) <= within * max(abs(wanted), 1e-9)
        unit = answer.state_units.get(joint, "")
        shown = None if changes is None else measured(changes, unit)
        compare(f"change of {joint}", measured(wanted, unit), shown, met)
    if expect.patterns is not None:
        end = answer.valid_until
        lasts_for = None if end is None else end.interval[0]
        enough = answer.verdict == "repeats" and (lasts_for is None or lasts_for >= expect.patterns)
        compare("patterns", f"at least {expect.patterns}", lasts_for, enough)
    return Expectation(met=not other, within=within, other=tuple(other))


def diagnosis_of(
    faulty: Mechanism, sound: Mechanism, until: float, together: float, accuracy: float
) -> Diagnosis:
    """Both machines run for a time; the first touch that one has and the other has not, or not then.

    Touches within `together` [s] of each other come together. They are alike where the same parts touch, and
    of parts that have one shape in both documents the same features: elsewhere features are named otherwise.
    """
    runs = [predict(each, method=Rigid(accuracy=accuracy), until=until).evidence for each in (faulty, sound)]
    end, time = min(run.along.end for run in runs), unit_names(faulty.units).time
    ours, theirs = ([event for event in run.events if _is_touch(event, end)] for run in runs)
    differ, same = _differing(faulty, sound), _of_one_shape(faulty, sound)
    for k in range(max(len(ours), len(theirs))):
        mine = ours[k] if k < len(ours) else None
        other = theirs[k] if k < len(theirs) else None
        if mine is not None and other is not None and _alike(mine, other, together, same):
            continue
        first = min((each for each in (mine, other) if each is not None), key=lambda event: event.time)
        return Diagnosis(
            departs=True, until=end, alike=k, time=first.time, between=first.subjects, contact=first.after[0],
            faulty=_in_words(mine, time), sound=_in_words(other, time), differ=differ,
        )  # fmt: skip
    return Diagnosis(departs=False, until=end, alike=len(ours), differ=differ)


def _is_touch(event: Event, end: float) -> bool:
    return event.kind in ("contact", "impact") and event.time <= end and bool(event.after)


def _alike(mine: Event, other: Event, together: float, same: frozenset[str]) -> bool:
    if mine.subjects != other.subjects or abs(mine.time - other.time) > together:
        return False
    return _features(mine, same) == _features(other, same)


def _features(event: Event, same: frozenset[str]) -> list[str]:
    """Features that touch, of those parts."""
    return [name for name in event.after[0].split(":") if name.partition("/")[0] in same]


def _of_one_shape(faulty: Mechanism, sound: Mechanism) -> frozenset[str]:
    """Parts whose shapes, and shapes that those use, are written alike in both documents."""
    one, other = faulty.to_dict(), sound.to_dict()
    return frozenset(
        name
        for name, part in one.get("parts", {}).items()
        if name in other.get("parts", {}) and _shape(one, part) == _shape(other, other["parts"][name])
    )


def _shape(document: dict[str, Any], part: dict[str, Any]) -> list[Any]:
    """A part's shape as written, then those of the document that they use, in order."""
    written = [part.get("shape")]
    pending: list[Any] = list(written)
    while pending:
        entry = pending.pop()
        if isinstance(entry, dict):
            if isinstance(used := entry.get("use"), str):
                written.append(document.get("shapes", {}).get(used))
                pending.append(written[-1])
            pending += entry.values()
        elif isinstance(entry, list | tuple):
            pending += entry
    return written


def _in_words(event: Event | None, time: str) -> str:
    if event is None:
        return "nothing more"
    return f"{event.after[0]} at {event.time:.6g}{time}"


def _differing(faulty: Mechanism, sound: Mechanism) -> tuple[str, ...]:
    """Entries of the two documents that are not the same."""
    one, other = faulty.to_dict(), sound.to_dict()
    paths = []
    for table in ("shapes", "parts", "joints", "drives", "start"):
        ours, theirs = one.get(table, {}), other.get(table, {})
        for name in [*ours, *(name for name in theirs if name not in ours)]:
            if ours.get(name) != theirs.get(name):
                paths.append(f"{table}.{name}")
    return tuple(paths[:_MOST_PATHS])
