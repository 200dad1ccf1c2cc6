"""Forces of all pawls over a leg, for the record: on the drive, the root, each hinge."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from msgspec import UNSET

from detent.motion.quasistatic.answer.force import Loaded, loaded_stretches
from detent.motion.quasistatic.answer.many_loads import StretchArrays
from detent.motion.quasistatic.answer.sliding import hinge_force
from detent.motion.quasistatic.exact.legs import STUCK, LegRun, first_direction
from detent.motion.quasistatic.machine.fasteners import Fastener, Pawl
from detent.numeric.roots import bounded_minima
from detent.record.amount import Amount, Force, force
from detent.record.mating import Largest, LegForce, PartPeak, StretchForce

# Samples of a stretch between its ends: enough for a smooth curve in a plot.
# Peaks do not depend on them.
SAMPLES = 16
FEWEST = 4  # of several pawls, each of which is sampled where the others are, too


class Carried(NamedTuple):
    """What one pawl carries at an instant; forces are infinite where they have no bound."""

    resisting: float = 0.0  # against the push [N]
    x: float = 0.0  # on the root [N]
    y: float = 0.0
    torque: float = 0.0  # of the spring on the root [N m]
    contact: str = ""  # that carries it; "" where none does
    size: float = 0.0  # of its force [N]


class ManyCarried(NamedTuple):
    """The same at many instants, as arrays; of the contact the stretch that it carries along, or -1."""

    resisting: Any
    x: Any
    y: Any
    torque: Any
    size: Any
    angle: Any  # from rest, counter-clockwise
    contact: Any


class PawlLoads:
    """The stretches of one pawl on one leg, with its forces at any time."""

    def __init__(self, fastener: Fastener, leg: LegRun, index: int) -> None:
        self.leg = leg
        self.pawl: Pawl = fastener.pawls[index]
        self.run = leg.pawl_runs[index]
        self.hinge = np.array([float(c) for c in leg.slices[index].hinge])
        self.metres = fastener.metres
        self.arm = [float(h) - o for h, o in zip(self.pawl.hinge, fastener.origin, strict=True)]
        self.stretches = [
            loaded
            for stretch in self.run.stretches
            for loaded in loaded_stretches(leg.slices[index], self.pawl.spring, stretch, fastener.metres)
        ]
        self.spans = [loaded.span for loaded in self.stretches]
        self.arrays = StretchArrays(self.stretches, self.pawl.spring, fastener.metres)
        self._begins, self._ends = self.arrays.spans[:, 0], self.arrays.spans[:, 1]
        for which in ("contact", "resisting"):
            self.arrays.find_inside(which)

    def at(self, t: float, after: bool) -> Carried:
        """What it carries just before or just after t."""
        many = self.many(np.array([t]), np.array([after]))
        resisting, x, y, torque, size = (float(each[0]) for each in many[:5])
        contact = int(many.contact[0])
        name = self.stretches[contact].pair.name if contact >= 0 else ""
        return Carried(resisting, x, y, torque, name, size)

    def many(self, times: Any, after: Any) -> ManyCarried:
        """What it carries just before or just after each of some times, by columns."""
        columns = np.zeros((6, len(times)))
        contacts = np.full(len(times), -1)
        if not self.stretches:
            return _by_columns(columns, contacts)
        # From the first stretch that ends no sooner to the last that begins no later.
        first = np.searchsorted(self._ends, times, "left")
        last = np.searchsorted(self._begins, times, "right") - 1
        one = (first == last) & (self._begins[np.minimum(first, len(self._begins) - 1)] < times)
        one &= times < self._ends[np.minimum(first, len(self._ends) - 1)]
        contacts[one] = first[one]
        for i in np.flatnonzero(~one & (first <= last)).tolist():
            span = range(int(first[i]), int(last[i]) + 1)
            contacts[i] = self._at_an_end(columns[:, i], float(times[i]), bool(after[i]), span)
        rows = np.flatnonzero((contacts >= 0) & (columns[4] == 0))
        which = contacts[rows]
        loads = self.arrays.loads(which, self.arrays.parameters(which, times[rows]))
        columns[:, rows] = loads.resisting, loads.x, loads.y, loads.torque, loads.contact, loads.angle
        return _by_columns(columns, contacts)

    def _at_an_end(self, column: Any, t: float, after: bool, rows: range) -> int:
        """Which stretch acts where some begin or end, -1 for none; without bound its column is filled."""
        for row in rows:
            loaded, (begin, end) = self.stretches[row], self.spans[row]
            inside = begin <= t < end if after else begin < t <= end
            if not inside and not begin == t == end:
                continue
            stretch = loaded.stretch
            if (t == begin and stretch.begin.side == 0) or (t == end and stretch.end.side == 0):
                continue
            for k, place in enumerate((begin, end)):
                if t == place and loaded.unbounded[k]:
                    carried = self._without_bound(loaded, k)
                    column[:] = (*carried[:4], carried.size, float(loaded.angle(loaded.ends[k])))
                    return row
            return row
        return -1

    def _without_bound(self, loaded: Loaded, end: int) -> Carried:
        """At a threshold: the spring's torque is what it is, the forces have a direction and no bound."""
        parameter = loaded.ends[end]
        x, y = (float(c) for c in loaded.direction(parameter))
        torque = -float(self.pawl.spring.force(loaded.angle(parameter)))
        resisting = loaded.end_values("resisting")[end]
        if math.isfinite(resisting):
            # Without bound across the push alone: what is along it is what resists.
            u, v = (loaded.velocity / math.hypot(*loaded.velocity)).tolist()
            side = math.copysign(1.0, u * y - v * x)
            x, y = -resisting * u + _scaled(-v * side, math.inf), -resisting * v + _scaled(u * side, math.inf)
        else:
            x, y = _scaled(x, math.inf), _scaled(y, math.inf)
        return Carried(resisting, x, y, torque, loaded.pair.name, math.inf)

    @property
    def ends_leg(self) -> bool:
        """Whether the leg ended against this pawl."""
        end = self.run.end
        return self.run.cause in STUCK and end is not None and end.t == self.leg.end

    def held(self) -> Carried:
        """What it carries where the leg ended: no bound where this pawl ended it."""
        end = self.run.end
        if not self.ends_leg or end is None:
            return self.at(float(self.leg.end), False)
        torque = -float(self.pawl.spring.force(end.angle()))
        return Carried(math.inf, math.inf, math.inf, torque, "", math.inf)

    def angle_held(self) -> float:
        """Its angle from rest where the leg ended."""
        if self.ends_leg and self.run.end is not None:
            return self.run.end.angle()
        return float(self.many(np.array([float(self.leg.end)]), np.array([False])).angle[0])

    def contact_held(self) -> int:
        """The stretch that carries where the leg ended, -1 for none."""
        if self.ends_leg and self.spans and self.spans[-1][1] == float(self.leg.end):
            return len(self.spans) - 1
        return int(self.many(np.array([float(self.leg.end)]), np.array([False])).contact[0])

    def times(self, samples: int = SAMPLES) -> list[float]:
        """Times worth a sample: even over each stretch in its parameter and in time, with the peaks.

        An angle that hardly changes for long leaves most of the time to one step of the parameter.
        """
        times: list[float] = []
        for loaded, (begin, end) in zip(self.stretches, self.spans, strict=True):
            first, last = loaded.ends
            looks = loaded.time(np.linspace(first, last, samples + 1)[1:-1])
            times += [*np.linspace(begin, end, samples + 1).tolist(), *looks.tolist()]
            for which in ("contact", "resisting"):
                inside = loaded.inside(which)
                if inside is not None:
                    times.append(float(loaded.time(inside[1])))
        return times

    def instants(self) -> dict[float, float]:
        """Times of its stretches' ends on the line, each with the time from the plan's start."""
        ends = [place.t for s in self.run.stretches for place in (s.begin, s.end)]
        return {float(t): self.leg.instant(t) for t in ends}

    def whole(self) -> list[list[Loaded]]:
        """The stretches, those that only a quarter turn divides together."""
        groups: list[list[Loaded]] = []
        for loaded in self.stretches:
            if loaded.stretch.goes_on and groups:
                groups[-1].append(loaded)
            else:
                groups.append([loaded])
        return groups


def _by_columns(columns: Any, contacts: Any) -> ManyCarried:
    resisting, x, y, torque, size, angle = columns
    return ManyCarried(resisting, x, y, torque, size, angle, contacts)


def pawl_loads(fastener: Fastener, leg: LegRun) -> list[PawlLoads]:
    """The loads of each pawl on one leg."""
    return [PawlLoads(fastener, leg, k) for k in range(len(fastener.pawls))]


def leg_force(fastener: Fastener, leg: LegRun, loads: Sequence[PawlLoads] | None = None) -> LegForce:
    """Everything about forces on one leg."""
    pawls = list(pawl_loads(fastener, leg) if loads is None else loads)
    start, end = float(leg.line.start), float(leg.end)
    # Each is sampled at the times of all, so that every curve has as many points.
    each = max(SAMPLES // max(len(pawls), 1), FEWEST)
    middle = {t for pawl in pawls for t in pawl.times(each) if start <= t <= end}
    breaks = {t for pawl in pawls for span in pawl.spans for t in span}
    samples = sorted({(t, side) for t in middle | {start, end} for side in _sides(t, breaks, start, end)})
    if len(pawls) > 1:
        samples = sorted({*samples, *((t, True) for t in _joint_peaks(pawls, samples))})
    carried = [_columns(pawl, samples) for pawl in pawls]
    local = [t for t, _ in samples]
    if leg.cause in STUCK and _totals([each[0] for each in carried])[-1] != math.inf:
        # It ends against the pawls: what comes before is bounded, the push on its end is not.
        if start == end:
            local, carried = [], [each[:, :0] for each in carried]
        local.append(end)
        held = [np.array([*pawl.held()[:4], pawl.angle_held(), pawl.contact_held()]) for pawl in pawls]
        carried = [np.column_stack(each) for each in zip(carried, held, strict=True)]
    times = _instants(leg, pawls, local)
    stretches = tuple(_stretch(leg, pawl, group) for pawl in pawls for group in pawl.whole())
    by_part = {pawl.pawl.part: _part_peak(stretches, pawl) for pawl in pawls}
    on_drive = _forces(_totals([each[0] for each in carried]))
    direction = first_direction(fastener)
    return LegForce(
        times=times,
        travel=tuple(leg.travel(direction, np.array(local)).tolist()),
        on_drive=on_drive,
        on_root=_on_root(pawls, carried),
        hinges={
            pawl.pawl.joint: hinge_force(pawl.pawl, pawl.arrays, each, np.array(local))
            for pawl, each in zip(pawls, carried, strict=True)
        },
        peak=_peak(leg, by_part, on_drive, times),
        peak_by_part={part: peak for part, peak in by_part.items() if peak is not None},
        stretches=stretches,
    )


def _instants(leg: LegRun, pawls: list[PawlLoads], local: list[float]) -> tuple[float, ...]:
    """Times on the line from the plan's start: those of events as they round, none before another."""
    start, end = leg.instant(leg.line.start), leg.instant(leg.end)
    offset = start - float(leg.line.start)
    known = {t: time for pawl in pawls for t, time in pawl.instants().items()}
    known |= {float(leg.line.start): start, float(leg.end): end}
    times = np.array([known.get(t, offset + t) for t in local])
    return tuple(np.maximum.accumulate(np.clip(times, start, end)).tolist())


def _columns(pawl: PawlLoads, samples: Sequence[tuple[float, bool]]) -> Any:
    """What resists, the force on the root, the torque, the angle and the stretch, at each sample."""
    times, after = np.array([t for t, _ in samples]), np.array([side for _, side in samples])
    many = pawl.many(times, after)
    return np.array([*many[:4], many.angle, many.contact])


def _joint_peaks(pawls: list[PawlLoads], samples: list[tuple[float, bool]]) -> list[float]:
    """Times between samples at which the pawls together resist most, though none by itself may.

    Between two samples every force is smooth, since stretches begin and end at samples.
    """
    times = np.array([t for t, _ in samples])
    values = _totals([_columns(pawl, samples)[0] for pawl in pawls])
    values[~np.array([after for _, after in samples])] = -math.inf
    padded = np.concatenate([[-math.inf], values, [-math.inf] * 2])
    # The largest of the samples around each gap between two, which must be one of the gap's own.
    tops = np.max([padded[k : k + len(times) - 1] for k in range(4)], axis=0)
    least = np.maximum(values[:-1], values[1:])
    gaps = np.flatnonzero((times[1:] > times[:-1]) & (tops > 0) & (tops < math.inf) & (tops == least))

    def relief(at: Any) -> Any:
        after = np.ones(len(at), dtype=bool)
        return -_totals([pawl.many(at, after).resisting for pawl in pawls])

    places, depths = bounded_minima(relief, times[gaps], times[gaps + 1])
    return places[-depths > tops[gaps]].tolist()  # type: ignore[no-any-return]


def _sides(t: float, breaks: set[float], start: float, end: float) -> tuple[bool, ...]:
    """Whether a time is for what was before it (False), for what is after (True), or for both."""
    if t == end and end > start:
        return (False,)
    return (False, True) if t in breaks and t > start else (True,)


def _totals(parts: Sequence[Any]) -> Any:
    """Sums of columns in which no bound, upward before downward, wins over every number."""
    columns = np.array(parts)
    with np.errstate(invalid="ignore"):
        sums = columns.sum(axis=0)
    sums[(columns == -math.inf).any(axis=0)] = -math.inf
    sums[(columns == math.inf).any(axis=0)] = math.inf
    return sums


def _forces(values: Any) -> tuple[float, ...]:
    """As the record has them: plain numbers where they are finite."""
    return tuple(map(force, values.tolist()))


def _scaled(factor: float, size: float) -> float:
    return 0.0 if factor == 0.0 else factor * size


def _on_root(pawls: list[PawlLoads], carried: list[Any]) -> tuple[tuple[float, float, float], ...]:
    """Force and torque about where the root's origin then is: hinges are fixed in the root."""
    torques = []
    for pawl, (_, x, y, torque, *_) in zip(pawls, carried, strict=True):
        hx, hy = (c * pawl.metres for c in pawl.arm)
        # An arm of zero makes no torque of a force without bound.
        torques += [hx * y] if hx else []
        torques += [-hy * x] if hy else []
        torques.append(torque)
    totals = (
        _totals([each[1] for each in carried]),
        _totals([each[2] for each in carried]),
        _totals(torques),
    )
    return tuple(zip(*map(_forces, totals), strict=True))


def _peak(
    leg: LegRun, by_part: dict[str, PartPeak | None], on_drive: tuple[float, ...], times: tuple[float, ...]
) -> Amount:
    """What the push had to overcome at most; without bound where it ended against the pawls."""
    if leg.cause in STUCK:
        return Amount(math.inf, time=leg.instant(leg.end))
    known = [peak.resisting for peak in by_part.values() if peak is not None]
    if len(known) == 1 and known[0] >= max(on_drive, default=0.0):
        return known[0]
    for amount in known:
        if amount == math.inf:
            return amount
    if not on_drive:
        return Amount(0.0)
    best = max(range(len(on_drive)), key=on_drive.__getitem__)
    return Amount(on_drive[best], time=times[best])


def _stretch(leg: LegRun, pawl: PawlLoads, group: list[Loaded]) -> StretchForce:
    return StretchForce(
        part=pawl.pawl.part,
        contact=group[0].pair.name,
        from_=leg.instant(group[0].stretch.begin.t),
        to=leg.instant(group[-1].stretch.end.t),
        contact_force=_largest(leg, pawl.pawl, group, "contact"),
        resisting=_largest(leg, pawl.pawl, group, "resisting"),
    )


def _largest(leg: LegRun, pawl: Pawl, group: list[Loaded], which: str) -> Largest:
    first, last = group[0], group[-1]
    begin, end = first.end_values(which)[0], last.end_values(which)[1]
    # Of a constant force rounding must not choose the end.
    at_end = end >= begin or first.steady
    at_ends = end if at_end else begin
    candidates = [(*most, loaded) for loaded in group if (most := loaded.inside(which)) is not None]
    # Where a quarter turn divides the formulas nothing happens, but a maximum may lie there.
    candidates += [(loaded.end_values(which)[1], loaded.ends[1], loaded) for loaded in group[:-1]]
    inside: Any = UNSET
    if candidates and math.isfinite(at_ends):
        value, parameter, loaded = max(candidates, key=lambda entry: entry[0])
        if value > at_ends:
            place = loaded.stretch.begin
            inside = Amount(
                value,
                time=float(loaded.time(parameter)) - float(place.t) + leg.instant(place.t),
                coordinate=pawl.rest + pawl.sense * float(loaded.angle(parameter)),
            )
    where = last.stretch.end if at_end else first.stretch.begin
    return Largest(at_ends=Force(at_ends), at_ends_time=leg.instant(where.t), inside=inside)


def _part_peak(stretches: tuple[StretchForce, ...], pawl: PawlLoads) -> PartPeak | None:
    if pawl.ends_leg:
        boundless = Amount(math.inf, time=pawl.leg.instant(pawl.leg.end))
        return PartPeak(contact_force=boundless, resisting=boundless)
    of_part = [s for s in stretches if s.part == pawl.pawl.part]
    if not of_part:
        return None
    return PartPeak(
        contact_force=_most([s.contact_force for s in of_part]),
        resisting=_most([s.resisting for s in of_part]),
    )


def _most(largest_of_each: list[Largest]) -> Amount:
    amounts = [
        largest.inside
        if isinstance(largest.inside, Amount)
        else Amount(largest.at_ends, time=largest.at_ends_time)
        for largest in largest_of_each
    ]
    best = max(amounts)
    return Amount(best, time=best.time)
