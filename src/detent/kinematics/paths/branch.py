"""The branch along a straight path of the drive: one segment after the other, up to where it ends.

At a change point two branches meet, and the linkage goes straight on: the signs of the roots that vanish
there change, and what depends on them is looked at anew with the new signs. So every limit is that of the
branch the linkage is on when it comes there. A drive that rotates brings all directions back after a
period, from which the rest of its revolutions follows.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from detent.kinematics.equations.rows import Floats
from detent.kinematics.operations import ops as op
from detent.kinematics.paths.path_event import PathEvent
from detent.kinematics.paths.path_limits import (
    AT_END,
    beside_end,
    inside_by,
    path_limits,
    with_opposite_roots,
)
from detent.kinematics.planning.tables import STRAIGHT, Plan
from detent.kinematics.turning.count import refuse_long_way

# Revolutions of the drive after which everything that gears rotate is as before, at most.
MOST_REVOLUTIONS = 64
# Periods of a rotating drive after which its branch may be the first again, at most.
MOST_CYCLES = 4
# Rounding of a ratio, of itself.
SAME_RATIO = 1e-14
WINDOW = 20  # numbers that one period takes
SEVERAL = 2.5  # periods from which on one of them stands for the others


@dataclass(frozen=True)
class BranchSegment:
    """A part of a path (0 to 1) on one branch: the plan with its signs, and what ends it (None: the path)."""

    lo: float
    hi: float
    plan: Plan
    end: PathEvent | None


@dataclass(frozen=True)
class BranchPath:
    """Segments up to the first limit or the path's end, and all that was found on the whole path."""

    segments: tuple[BranchSegment, ...]
    events: tuple[PathEvent, ...]
    proved: bool  # nothing between the points was stepped over
    start_closes: bool

    @property
    def stop(self) -> PathEvent | None:
        return self.segments[-1].end

    def plan_at(self, at: float) -> Plan:
        """The plan whose branch the linkage is on there."""
        return next((s.plan for s in self.segments if at <= s.hi), self.segments[-1].plan)


def branch_path_of(plan: Plan, start: Floats, end: Floats, *, share: float = 1.0) -> BranchPath:
    """The branch on the straight path between two sets of inputs, a share of the drive path.

    Of a drive that goes round again and again, one period on each branch is looked at.
    """
    period = float(directions_repeat(plan)[0]) if len(start) == 1 else math.inf
    if abs(float((end - start).sum())) > SEVERAL * period:
        return _round_and_round(plan, start, end, period)
    return _once(plan, start, end, share)


def _round_and_round(plan: Plan, start: Floats, end: Floats, period: float) -> BranchPath:
    """The branch over many periods, each of which begins where nothing happens."""
    turn = np.copysign(period, end - start)
    total = float(abs(end - start)[0]) / period
    refuse_long_way(WINDOW * total)
    first = _once(plan, start, start + turn, 1.0)
    if first.stop is not None or not first.start_closes:
        return _joined([(first, 0.0)], total)
    places = sorted({0.0, 1.0, *(f.at for f in first.events)})
    gap, before = max((b - a, a) for a, b in pairwise(places))
    quiet = before + 0.5 * gap
    windows = [(_up_to(first, quiet), 0.0)]
    known: dict[tuple[int, ...], BranchPath] = {}
    at, here = quiet, first.plan_at(quiet)
    while at < total:
        if here.branch not in known:
            known[here.branch] = _once(here, start + quiet * turn, start + (quiet + 1.0) * turn, 1.0)
        window = known[here.branch]
        grace = AT_END / period  # a change point so near the end is at the end, and not passed
        windows.append((_up_to(window, total - at, grace) if total - at < 1.0 + grace else window, at))
        if windows[-1][0].stop is not None:
            break
        at, here = at + 1.0, window.segments[-1].plan
    return _joined(windows, total)


def _up_to(branch: BranchPath, at: float, grace: float = 0.0) -> BranchPath:
    """The branch as far as a place that is not a limit, and is not past a change point that is so near."""
    kept = [s for s in branch.segments if s.lo < at - grace or s.lo == 0.0]
    last = kept[-1]
    if last.hi > at or (last.hi >= at - grace and changes(last.plan, last.end)):
        kept[-1] = replace(last, hi=at, end=None)
    upto = {True: at - grace, False: at}
    events = tuple(f for f in branch.events if f.at <= upto[changes(branch.segments[0].plan, f)])
    return replace(branch, segments=tuple(kept), events=events)


def _joined(windows: list[tuple[BranchPath, float]], total: float) -> BranchPath:
    """Stretches of a path one after the other, each from its place [periods], as shares of all of them."""
    segments: list[BranchSegment] = []
    events: list[PathEvent] = []
    for branch, at in windows:
        for k, s in enumerate(branch.segments):
            end = None if s.end is None else _shifted(s.end, at, total)
            segment = BranchSegment((at + s.lo) / total, min((at + s.hi) / total, 1.0), s.plan, end)
            if segments and not k and segments[-1].end is None:  # the same branch goes on
                segments[-1] = replace(segment, lo=segments[-1].lo)
            else:
                segments.append(segment)
        events += [_shifted(f, at, total) for f in branch.events]
    last = windows[-1][0]
    if last.stop is None:
        segments[-1] = replace(segments[-1], hi=1.0)
    proved = all(branch.proved for branch, _ in windows)
    return BranchPath(tuple(segments), tuple(events), proved, windows[0][0].start_closes)


def _shifted(event: PathEvent, at: float, total: float) -> PathEvent:
    return replace(event, at=(at + event.at) / total, beyond=(at + event.beyond) / total)


def _once(plan: Plan, start: Floats, end: Floats, share: float) -> BranchPath:
    segments: list[BranchSegment] = []
    events: list[PathEvent] = []
    proved, start_closes = True, True
    lo = base = 0.0  # where the segment begins, and where it is looked at from: past a change point
    while True:
        from_ = start + base * (end - start) if 0.0 < base < 1.0 else start if base == 0.0 else end
        limits = path_limits(plan, from_, end, share=share * (1.0 - base))
        proved = proved and limits.proved
        start_closes = start_closes and (base > 0.0 or limits.start_closes)
        ahead = [_on_path(f, base) for f in limits.events]
        change = next((f for f in ahead if changes(plan, f)), None)
        if change is not None:
            ahead = [f for f in ahead if f.at <= change.at]
        events += ahead
        border = next((f for f in ahead if f.kind == "limit"), change)
        if not segments or changes(plan, segments[-1].end):
            segments.append(BranchSegment(lo, 1.0 if border is None else border.at, plan, border))
        if change is None:
            return BranchPath(tuple(segments), tuple(events), proved, start_closes)
        plan = with_opposite_roots(plan, (change.row, *change.also))
        lo, base = change.at, max(change.at, change.beyond)


def beside_ends(branch: BranchPath, start: Floats, end: Floats) -> list[PathEvent]:
    """Change points at the ends of a path or a little beyond them, where the linkage comes to those ends."""
    if not branch.start_closes:
        return []
    sides = (0.0, 1.0) if branch.stop is None else (0.0,)
    events = [(side, beside_end(branch.plan_at(side), start, end, side)) for side in sides]
    plan = branch.segments[0].plan
    return [e for side, e in events if e is not None and inside_by(plan, start, end, side, e) <= AT_END]


def is_at_end(plan: Plan, start: Floats, end: Floats, event: PathEvent) -> bool:
    """Whether an event beside an end of a path is at it."""
    side = 0.0 if event.at < 0.5 else 1.0
    return abs(inside_by(plan, start, end, side, event)) <= AT_END


def passed_at_start(plan: Plan, came_from: Floats, start: Floats, end: Floats) -> PathEvent | None:
    """The change point at which a leg begins that goes on as the linkage came there: it is passed."""
    if float((end - start) @ (start - came_from)) <= 0.0:
        return None
    event = beside_end(plan, came_from, start, 1.0)
    return event if event is not None and is_at_end(plan, came_from, start, event) else None


def leading(plan: Plan) -> Plan | None:
    """What a plan with cuts or blocks does first in closed form; None where nothing in that can break."""
    kind, lo, hi = (int(x) for x in plan.segments[0, :3])
    if kind != STRAIGHT or not np.isin(plan.ops[lo:hi, 0], op.DYADS).any():
        return None
    return replace(plan, ops=plan.ops[:hi], segments=plan.segments[:1], stops=())


def with_leading(plan: Plan, first: Plan) -> Plan:
    """A plan with the signs that its leading part has elsewhere."""
    ops = plan.ops.copy()
    ops[: len(first.ops), op.SIGN] = first.ops[:, op.SIGN]
    return replace(plan, ops=ops)


def stopped(branch: BranchPath, stop: PathEvent) -> BranchPath:
    """The branch path with one more limit, which ends it where it comes first."""
    events = tuple(sorted((*branch.events, stop), key=lambda f: f.at))
    kept = [s for s in branch.segments if s.lo <= stop.at] or [branch.segments[0]]
    last = kept[-1]
    if branch.stop is None or stop.at < branch.stop.at:
        kept[-1] = BranchSegment(last.lo, stop.at, last.plan, stop)
    return BranchPath(tuple(kept), events, False, branch.start_closes)


def changes(plan: Plan, event: PathEvent | None) -> bool:
    """Whether the branch changes its signs there; a joint that touches its own limit changes nothing."""
    return event is not None and event.kind == "change_point" and joint_of(plan, event) < 0


def joint_of(plan: Plan, event: PathEvent) -> int:
    """The joint whose own limit was found; -1 where the loop itself does not close."""
    if event.joint >= 0 or event.row < 0:
        return event.joint
    return next((stop.pair for stop in plan.stops if stop.row == event.row), -1)


def periods(plan: Plan) -> Floats:
    """After how much of each input all is as before [rad]; infinite where full rotations are counted."""
    if any(stop.row < 0 for stop in plan.stops):
        return np.full(len(plan.inputs), math.inf)
    return directions_repeat(plan)


def directions_repeat(plan: Plan) -> Floats:
    """After how much of each input all directions are as before [rad]; infinite where they never are."""
    angles = np.full(len(plan.inputs), math.inf)
    for k in range(len(plan.inputs)):
        if np.any((plan.ops[:, 0] == op.SLIDE) & ((plan.ops[:, 2] == k) | (plan.ops[:, 3] == k))):
            continue
        rates = plan.vectors[plan.ops[(plan.ops[:, 0] == op.TURN) & (plan.ops[:, 2] == k), 3], 0]
        for revolutions in range(1, MOST_REVOLUTIONS + 1):
            whole = revolutions * rates
            if np.all(np.abs(whole - np.round(whole)) <= SAME_RATIO * np.abs(whole)):
                angles[k] = 2 * math.pi * revolutions
                break
    return angles


def home(plan: Plan, goal: Floats) -> Floats:
    """The drawing's inputs, with as many periods more or less as bring them nearest to a goal."""
    whole = periods(plan)
    period = np.where(np.isfinite(whole), whole, 1.0)
    return np.asarray(
        plan.drawn + np.where(np.isfinite(whole), np.round((goal - plan.drawn) / period) * period, 0)
    )


def _on_path(event: PathEvent, base: float) -> PathEvent:
    """What was found on the rest of a path, as a place of all of it."""
    if base == 0.0:
        return event
    return replace(event, at=base + event.at * (1.0 - base), beyond=base + event.beyond * (1.0 - base))
