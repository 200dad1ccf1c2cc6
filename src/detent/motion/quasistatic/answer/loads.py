"""Forces of all pawls over a leg, for the record: on the drive, the root, each hinge."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from msgspec import UNSET

from detent.motion.quasistatic.answer.force import Loaded, Peak
from detent.motion.quasistatic.exact.legs import STUCK, LegRun
from detent.motion.quasistatic.machine.fasteners import Fastener, Pawl
from detent.numeric.roots import bounded_minimum
from detent.record.mating import Amount, HingeForce, Largest, LegForce, PartPeak, StretchForce, Unbounded

# Samples of a stretch between its ends: enough for a smooth curve in a plot.
# Peaks do not depend on them.
SAMPLES = 16


class PawlLoads:
    """The stretches of one pawl on one leg, with its forces at any time."""

    def __init__(self, fastener: Fastener, leg: LegRun, index: int) -> None:
        self.leg = leg
        self.pawl: Pawl = fastener.pawls[index]
        self.hinge = np.array([float(c) for c in leg.slices[index].hinge])
        self.metres = fastener.metres
        self.arm = [float(h) - o for h, o in zip(self.pawl.hinge, fastener.origin, strict=True)]
        self.stretches = [
            Loaded(leg.slices[index], self.pawl, stretch, fastener.metres)
            for stretch in leg.pawl_runs[index].stretches
        ]
        self.spans = [(float(s.stretch.begin.t), float(s.stretch.end.t)) for s in self.stretches]

    def at(self, t: float, after: bool) -> tuple[float, float, float, float]:
        """Resisting force, force on the root, and the spring's torque on it, just before or after t."""
        for loaded, (begin, end) in zip(self.stretches, self.spans, strict=True):
            inside = begin <= t < end if after else begin < t <= end
            if inside and not self._bare(loaded, t, begin, end):
                parameter = loaded.parameter_at(t)
                loads = loaded.at(parameter)
                fx, fy = (float(c) for c in loads.on_root)
                return float(loads.resisting), fx, fy, -float(loads.hinge_torque)
        return 0.0, 0.0, 0.0, 0.0

    def carried(self, t: float, after: bool) -> tuple[float | None, str, float | None]:
        """Resisting force, the contact that carries it ("" where none) and its force; None: no bound."""
        for loaded, (begin, end) in zip(self.stretches, self.spans, strict=True):
            inside = begin <= t < end if after else begin < t <= end
            if not inside and not begin == t == end:
                continue
            stretch = loaded.stretch
            if (t == begin and stretch.begin.side == 0) or (t == end and stretch.end.side == 0):
                continue
            if self._bare(loaded, t, begin, end):
                return None, loaded.pair.name, None
            loads = loaded.at(loaded.parameter_at(t))
            resisting, size = float(loads.resisting), float(loads.contact)
            if math.isfinite(resisting) and math.isfinite(size):
                return resisting, loaded.pair.name, size
            return None, loaded.pair.name, None
        return 0.0, "", 0.0

    def _bare(self, loaded: Loaded, t: float, begin: float, end: float) -> bool:
        """Whether this end of a stretch carries no load, or one without bound."""
        stretch = loaded.stretch
        if t == begin and (stretch.begin.side == 0 or loaded.unbounded[0]):
            return True
        return t == end and (stretch.end.side == 0 or loaded.unbounded[1])

    def times(self) -> list[float]:
        """Times worth a sample: even over each stretch in its parameter, with the peaks."""
        times: list[float] = []
        for loaded, (begin, end) in zip(self.stretches, self.spans, strict=True):
            first, last = loaded.ends
            looks = np.linspace(first, last, SAMPLES + 1)[1:-1]
            times += [begin, end, *(float(loaded.time(u)) for u in looks)]
            for which in ("contact", "resisting"):
                inside = loaded.peak(which).inside_parameter
                if inside is not None:
                    times.append(float(loaded.time(inside)))
        return times


def pawl_loads(fastener: Fastener, leg: LegRun) -> list[PawlLoads]:
    """The loads of each pawl on one leg."""
    return [PawlLoads(fastener, leg, k) for k in range(len(fastener.pawls))]


def leg_force(fastener: Fastener, leg: LegRun, loads: Sequence[PawlLoads] | None = None) -> LegForce:
    """Everything about forces on one leg."""
    pawls = list(pawl_loads(fastener, leg) if loads is None else loads)
    start, end = float(leg.line.start), float(leg.end)
    middle = {t for pawl in pawls for t in pawl.times() if start <= t <= end}
    breaks = {t for pawl in pawls for span in pawl.spans for t in span}
    samples = sorted({(t, side) for t in middle | {start, end} for side in _sides(t, breaks, start, end)})
    if len(pawls) > 1:
        samples = sorted({*samples, *((t, True) for t in _joint_peaks(pawls, samples))})
    values = [[pawl.at(t, after) for pawl in pawls] for t, after in samples]
    # A force that grows without bound is said in the peaks; its samples stop before it.
    finite = [all(math.isfinite(v) for entry in row for v in entry) for row in values]
    samples = [sample for sample, keep in zip(samples, finite, strict=True) if keep]
    values = [row for row, keep in zip(values, finite, strict=True) if keep]
    offset = leg.instant(leg.line.start) - start
    stretches = tuple(_stretch(leg, pawl, loaded) for pawl in pawls for loaded in pawl.stretches)
    by_part = {pawl.pawl.part: _part_peak(stretches, pawl.pawl.part) for pawl in pawls}
    on_drive = tuple(sum(v[0] for v in row) for row in values)
    return LegForce(
        times=tuple(offset + t for t, _ in samples),
        on_drive=on_drive,
        on_root=tuple(_on_root(pawls, row) for row in values),
        hinges={
            pawl.pawl.joint: HingeForce(
                force=tuple((row[k][1], row[k][2]) for row in values),
                torque=tuple(row[k][3] for row in values),
            )
            for k, pawl in enumerate(pawls)
        },
        peak=_peak(leg, by_part, on_drive, [offset + t for t, _ in samples]),
        peak_by_part={part: peak for part, peak in by_part.items() if peak is not None},
        stretches=stretches,
    )


def _joint_peaks(pawls: list[PawlLoads], samples: list[tuple[float, bool]]) -> list[float]:
    """Times between samples at which the pawls together resist most, though none by itself may.

    Between two samples every force is smooth, since stretches begin and end at samples.
    """

    def relief(t: float) -> float:
        return -sum(pawl.at(t, True)[0] for pawl in pawls)

    times = []
    values = [-relief(t) if after else -math.inf for t, after in samples]
    for k, ((low, _), (high, _)) in enumerate(pairwise(samples)):
        top = max(values[max(k - 1, 0) : k + 3])
        if high > low and top > 0 and top in values[k : k + 2]:
            time, least = bounded_minimum(relief, low, high)
            if -least > top:
                times.append(time)
    return times


def _sides(t: float, breaks: set[float], start: float, end: float) -> tuple[bool, ...]:
    """Whether a time is for what was before it (False), for what is after (True), or for both."""
    if t == end and end > start:
        return (False,)
    return (False, True) if t in breaks and t > start else (True,)


def _on_root(pawls: list[PawlLoads], row: list[Any]) -> tuple[float, float, float]:
    """Force and torque about where the root's origin then is: hinges are fixed in the root."""
    fx = sum(v[1] for v in row)
    fy = sum(v[2] for v in row)
    torque = 0.0
    for pawl, (_, x, y, spring) in zip(pawls, row, strict=True):
        hx, hy = (c * pawl.metres for c in pawl.arm)
        torque += hx * y - hy * x + spring
    return fx, fy, torque


def _peak(leg: LegRun, by_part: dict[str, Any], on_drive: tuple[float, ...], times: list[float]) -> Amount:
    """What the push had to overcome at most; without bound where it ended against the pawls."""
    if leg.cause in STUCK:
        return Amount(unbounded=True, time=leg.instant(leg.end))
    known = [peak.resisting for peak in by_part.values() if peak is not None]
    if len(known) == 1 and not (
        isinstance(known[0].value, float) and known[0].value < max(on_drive, default=0.0)
    ):
        return known[0]  # type: ignore[no-any-return]
    if any(amount.unbounded is True for amount in known):
        return next(amount for amount in known if amount.unbounded is True)  # type: ignore[no-any-return]
    if not on_drive:
        return Amount(value=0.0)
    best = max(range(len(on_drive)), key=on_drive.__getitem__)
    return Amount(value=on_drive[best], time=times[best])


def _stretch(leg: LegRun, pawl: PawlLoads, loaded: Loaded) -> StretchForce:
    return StretchForce(
        part=pawl.pawl.part,
        contact=loaded.pair.name,
        from_=leg.instant(loaded.stretch.begin.t),
        to=leg.instant(loaded.stretch.end.t),
        contact_force=_largest(leg, pawl.pawl, loaded, loaded.peak("contact")),
        resisting=_largest(leg, pawl.pawl, loaded, loaded.peak("resisting")),
    )


def _largest(leg: LegRun, pawl: Pawl, loaded: Loaded, peak: Peak) -> Largest:
    begin = loaded.stretch.begin
    at_begin = peak.at_ends_parameter == loaded.ends[0]
    inside: Any = UNSET
    if peak.inside is not None:
        t = float(loaded.time(peak.inside_parameter)) - float(begin.t) + leg.instant(begin.t)
        angle = pawl.rest + pawl.sense * float(loaded.angle(peak.inside_parameter))
        inside = Amount(value=peak.inside, time=t, coordinate=angle)
    return Largest(
        at_ends=peak.at_ends if math.isfinite(peak.at_ends) else Unbounded(),
        at_ends_time=leg.instant(begin.t if at_begin else loaded.stretch.end.t),
        inside=inside,
    )


def _part_peak(stretches: tuple[StretchForce, ...], part: str) -> PartPeak | None:
    of_part = [s for s in stretches if s.part == part]
    if not of_part:
        return None
    return PartPeak(
        contact_force=_most([s.contact_force for s in of_part]),
        resisting=_most([s.resisting for s in of_part]),
    )


def _most(largest_of_each: list[Largest]) -> Amount:
    best: Amount | None = None
    for largest in largest_of_each:
        if isinstance(largest.at_ends, Unbounded):
            return Amount(unbounded=True, time=largest.at_ends_time)
        amount = Amount(value=largest.at_ends, time=largest.at_ends_time)
        if isinstance(largest.inside, Amount):
            amount = Amount(value=largest.inside.value, time=largest.inside.time)
        if best is None or amount.value > best.value:  # type: ignore[operator]
            best = amount
    assert best is not None
    return best
