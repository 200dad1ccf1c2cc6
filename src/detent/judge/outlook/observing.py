"""Where does a machine that was observed first depart from its document? Beside coordinates, or ticks.

A table with a `time` and coordinates of joints is put beside a run of the document; one with a column `tick`
has the times at which the machine was heard, beside the times at which parts touch in the run. A real machine
is a little slow or fast: by up to a hundredth its rate is followed, what is beyond that departs. The contact
told is the run's: that which should have held, or moved, the part that first goes otherwise.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from detent.foundation.errors import ModelError
from detent.foundation.names import few, listed
from detent.foundation.units import measured, unit_names
from detent.judge.measured.reading import converted
from detent.motion.prediction import predict
from detent.motion.rigid.method import Rigid
from detent.record.outlook import Diagnosis

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from detent.judge.measured.reading import MeasuredColumn, MeasuredTable
    from detent.model.document.mechanism import Mechanism
    from detent.motion.rigid.rigid_run import RigidRun
    from detent.record.event import Event

    Floats = NDArray[np.float64]

TICK, TIME = "tick", "time"
# Of a joint's range over a pattern: what is farther from the run departs; what is nearer than a part of that
# was still alike.
_APART, _STILL_ALIKE = 0.05, 0.2
_RATE = 0.01  # by how much the machine may be slow or fast
_TRIED = 41  # times around a moment at which the run is looked at
_SILENCE = 3.0  # times what comes together: touches that are farther apart are heard one by one
_LITTLE = 1e-3  # of a radian, or of the size: the range of a joint that rests


@dataclass(frozen=True)
class _Sound:
    """What the document's machine does: touches in order, and coordinates in document units."""

    run: RigidRun
    touches: tuple[Event, ...]
    together: float  # [s] what is nearer comes together


def observed_diagnosis(
    mechanism: Mechanism, table: MeasuredTable, pattern: float | None, accuracy: float
) -> Diagnosis:
    """The first departure of what was observed; `pattern` [s] is how long one takes by the document."""
    first, *others = table.columns
    unit = unit_names(mechanism.units).time.strip()
    if first.name.lower() not in (TIME, TICK):
        problem = f"the first column is {first.name!r}, and neither `time` nor `tick`"
        raise ModelError.at(table.source, problem, "give times and coordinates of joints, or times of ticks")
    times = _in_order(converted(first, unit, table.source), table.source)
    until = float(times[-1])
    together = _RATE * (until if pattern is None else pattern)
    run: RigidRun = predict(
        mechanism, method=Rigid(accuracy=accuracy), until=(1.0 + _RATE) * until + 2.0 * together
    ).evidence
    touches = tuple(event for event in run.events if event.kind in ("contact", "impact") and event.after)
    sound = _Sound(run, touches, together)
    if first.name.lower() == TICK:
        return _of_ticks(sound, times[np.isfinite(times)], unit)
    return _of_coordinates(
        mechanism, sound, times, others, table.source, until if pattern is None else pattern
    )


def _in_order(times: Floats, source: str) -> Floats:
    if not np.isfinite(times).all() or times[0] < 0.0 or (np.diff(times) <= 0.0).any() or times[-1] <= 0.0:
        raise ModelError.at(
            source, "times are not in order, from the machine's start on", "give one in each row, each later"
        )
    return times


def _of_coordinates(
    mechanism: Mechanism,
    sound: _Sound,
    times: Floats,
    columns: list[MeasuredColumn],
    source: str,
    pattern: float,
) -> Diagnosis:
    along = sound.run.along
    units = along.coordinate_units
    known = [column for column in columns if column.name in units]
    if not known:
        problem = f"none of its columns {few([repr(each.name) for each in columns], 5)} is a joint"
        raise ModelError.at(source, problem, f"give some of {listed(list(units))}")
    seen = np.array([converted(column, units[column.name], source) for column in known])
    looks = along.looks(8)
    states = along.coordinates_at(looks)[0]
    calculated = [states[column.name] for column in known]
    system = along.tree.system
    least = [
        _LITTLE * (1.0 if units[c.name] == "rad" else system.size / system.metres_per_unit) for c in known
    ]
    inside = looks <= pattern
    ranges = np.maximum([float(np.ptp(each[inside])) for each in calculated], least)

    def at(when: Floats) -> Floats:
        return np.array([np.interp(when, looks, each) for each in calculated])

    followed = _followed(times, seen, at, ranges, sound.together)
    first, off = followed.departs, followed.off
    if first is None:
        return Diagnosis(departs=False, until=float(times[-1]), alike=len(times), of="samples")
    row, slow = int(np.argmax(off[:, first])), float(followed.slow[first])
    column = known[row]
    alike = np.flatnonzero(off[:, : first + 1].max(axis=0) <= _STILL_ALIKE * _APART)
    since = float(times[alike[-1]] if len(alike) else 0.0) - slow
    now = float(times[first]) - slow
    wanted, goes = float(at(np.array([now]))[row, 0]), at(np.array([since, now]))[row]
    excess, way = float(seen[row, first]) - wanted, float(goes[1] - goes[0])
    behind = way * excess < 0.0 and abs(way) > _STILL_ALIKE * _APART * ranges[row]
    otherwise = [known[k].name for k in np.flatnonzero((off[:, first : first + 2] > _APART).any(axis=1))]
    moving = {part for name in otherwise for part in _moved_by(mechanism, name)}
    touch = _touch_of(sound, moving, (since, now), behind)
    time = unit_names(mechanism.units).time
    there = "" if touch is None else f", {_in_words(touch, slow, time)}"
    return Diagnosis(
        departs=True, until=float(times[-1]), alike=first, time=float(times[first]), of="samples",
        between=() if touch is None else touch.subjects, contact="" if touch is None else _contact(touch),
        faulty=f"{column.name} at {measured(float(seen[row, first]), units[column.name])}",
        sound=f"{measured(wanted, units[column.name])}{there}",
    )  # fmt: skip


@dataclass(frozen=True)
class _Followed:
    """By joint and sample, how far it is off as a share of its range; how late the machine is by then [s];
    the first sample that departs, if any."""

    off: Floats
    slow: Floats
    departs: int | None


def _followed(
    times: Floats, seen: Floats, at: Callable[[Floats], Floats], ranges: Floats, together: float
) -> _Followed:
    """Samples beside the run, up to two in a row that depart: one alone may be a slip of what measures."""
    off, slows = np.zeros(seen.shape), np.zeros(len(times))
    slow, before, shifts = 0.0, float(times[0]), np.linspace(-1.0, 1.0, _TRIED)
    for k, time in enumerate(times):
        tried = slow + shifts * together
        apart = np.abs(seen[:, k, None] - at(time - tried)) / ranges[:, None]
        apart = np.where(np.isfinite(apart), apart, 0.0)
        best = int(np.argmin(apart.max(axis=0) + 1e-3 * _APART * np.abs(shifts)))
        off[:, k], slows[k] = apart[:, best], slow
        if off[:, k].max() > _APART:
            if k > 0 and off[:, k - 1].max() > _APART:
                return _Followed(off, slows, k - 1)
        elif np.ptp(apart.max(axis=0)) > _APART:
            # Where nothing moves it is not seen how slow the machine is: it may be slower since it was.
            most = _RATE * (time - before)
            slow, before = slow + float(np.clip(tried[best] - slow, -most, most)), float(time)
    return _Followed(off, slows, None)


def _moved_by(mechanism: Mechanism, joint: str) -> set[str]:
    """Parts that a joint moves, or the free part of which it is a coordinate."""
    if joint not in mechanism.joints:
        return {joint.partition(".")[0]}
    parts = {end.partition(".")[0] for end in mechanism.joints[joint].between}
    return {part for part in parts if not mechanism.parts[part].fixed}


def _touch_of(sound: _Sound, moving: set[str], when: tuple[float, float], behind: bool) -> Event | None:
    """The run's touch at which parts go otherwise: one that comes while they depart, of two of them where
    there is one; else that which they had last, or where a part lags behind the one that should come next."""
    own = [event for event in sound.touches if moving & set(event.subjects)]
    since, now = when[0] - sound.together, when[1] + sound.together
    meanwhile = [event for event in own if since <= event.time <= now]
    if meanwhile:
        return max(meanwhile, key=lambda event: len(moving & set(event.subjects)))
    earlier = [event for event in own if event.time < since]
    later = [event for event in own if event.time > now]
    if earlier and not (behind and later):
        return earlier[-1]
    return later[0] if later else None


def _of_ticks(sound: _Sound, ticks: Floats, unit: str) -> Diagnosis:
    """Ticks beside touches, those that come nearly at once together: each must be heard, and no other."""
    time = f" {unit}" if unit else ""
    groups: list[list[Event]] = []
    for event in sound.touches:
        if groups and event.time - groups[-1][-1].time <= _SILENCE * sound.together:
            groups[-1].append(event)
        else:
            groups.append([event])
    slow, before, k, until = 0.0, 0.0, 0, float(ticks[-1])

    def otherwise(alike: int, at: float, said: str, touches: list[Event]) -> Diagnosis:
        """What should have been heard first, and what with it."""
        names = listed(list(dict.fromkeys(_contact(each) for each in touches)))
        there = f"{names} touching at {touches[0].time + slow:.6g}{time}" if touches else "silence"
        contact, between = (_contact(touches[0]), touches[0].subjects) if touches else ("", ())
        return Diagnosis(
            departs=True, until=until, alike=alike, time=at, of="ticks", faulty=said, between=between,
            contact=contact, sound=there,
        )  # fmt: skip

    def unexpected(number: int) -> Diagnosis:
        tick = float(ticks[number])
        nearest = sorted(sound.touches, key=lambda event: abs(event.time + slow - tick))[:1]
        return otherwise(number, tick, f"a tick at {tick:.6g}{time}", nearest)

    for group in groups:
        begin, end = group[0].time + slow, group[-1].time + slow
        if end + sound.together > until:
            break
        if ticks[k] < begin - sound.together:
            return unexpected(k)
        heard = ticks[k:][ticks[k:] <= end + sound.together]
        if not len(heard):
            return otherwise(k, begin, f"no tick up to {ticks[k]:.6g}{time}", group)
        near = [min((event.time for event in group), key=lambda at: abs(at + slow - tick)) for tick in heard]
        late = heard - np.array(near) - slow
        wrong = np.flatnonzero(np.abs(late) > sound.together)
        if len(wrong):
            return unexpected(k + int(wrong[0]))
        most = _RATE * (float(heard[-1]) - before)
        slow += float(np.clip(late.mean(), -most, most))
        before = float(heard[-1])
        k += len(heard)
    else:
        if k < len(ticks):
            return unexpected(k)
    return Diagnosis(departs=False, until=until, alike=k, of="ticks")


def _in_words(touch: Event, slow: float, time: str) -> str:
    return f"{_contact(touch)} touching at {touch.time + slow:.6g}{time}"


def _contact(touch: Event) -> str:
    return (touch.after or ("",))[0]
