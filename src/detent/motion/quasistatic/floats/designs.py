"""Many designs at once, by the float filter: the tracker on each, the exact sweep where it doubts.

A design is one pawl and one obstacle, both polygons, pushed along one straight
leg from rest. Whatever is given once counts for all designs. Everything a design
needs, its table of pairs included, is built inside one compiled loop, in room
that is made once.

    designs = PawlDesigns.read(pawl, walls, hinge, (0, -1), 60, levels)
    batch = push_batch(designs)

    ends = decide(pawl, walls, hinges=hinge, velocities=(0, -1), durations=60, frictions=levels)  # the same
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from detent.contact.checks import refuse_other_kind
from detent.foundation.errors import ModelError
from detent.motion.quasistatic.floats.ends import Ends
from detent.motion.quasistatic.floats.exact_design import OVERLAP, decided_exactly
from detent.motion.quasistatic.floats.many_outlines import counter_clockwise, crossed, numbers
from detent.motion.quasistatic.floats.peaks import run_peak
from detent.motion.quasistatic.floats.simple import CAUSES, track
from detent.motion.quasistatic.floats.tracker import (
    DONE,
    DOUBT,
    FULL,
    JAM,
    MARGIN,
    STICK,
    Push,
    TrackerState,
    TrackerWorkspace,
    room,
    state,
)
from detent.numeric.kernels import kernel
from detent.numeric.threads import on_one_thread
from detent.record.batch import Batch

COLUMNS = 8
UNITS = {"time": "s", "angle": "rad", "largest_angle": "rad"}  # forces are in those of the stiffnesses
BLOCKED = "the parts overlap at the start"
CROSSED = OVERLAP + 1  # how a design ends of which an outline's edges cross
NAMES = np.array([*(CAUSES.get(code, "") for code in range(OVERLAP)), "overlap", "crossed"])
# Elementary steps of one design for each of its pairs, roughly.
STEPS = 200


@kernel(
    sample=lambda: (
        np.zeros((3, 6)),
        np.zeros((3, 3), dtype=np.int64),
        np.array([[0.0, 0.0], [2.0, 0.0], [0.0, 1.0]]),
        1.0,
        0.5,
        0.1,
    )
)
def edges_of(rows: Any, links: Any, points: Any, x0: float, y0: float, friction: float) -> float:
    """Rows and links of a closed polygon about a point, as the tracker reads them; returns its reach."""
    n = len(points)
    reach = 0.0
    for k in range(n):
        m = k + 1 if k + 1 < n else 0
        dx, dy = points[m, 0] - points[k, 0], points[m, 1] - points[k, 1]
        length = math.sqrt(dx * dx + dy * dy)
        rows[k, 0], rows[k, 1] = points[k, 0] - x0, points[k, 1] - y0
        rows[k, 2], rows[k, 3], rows[k, 4], rows[k, 5] = dx / length, dy / length, length, friction
        links[k, 0], links[k, 1] = k - 1 if k > 0 else n - 1, m
        reach = max(reach, abs(rows[k, 0]), abs(rows[k, 1]))
    for k in range(n):
        p = links[k, 0]
        links[k, 2] = rows[p, 2] * rows[k, 3] - rows[p, 3] * rows[k, 2] > 0
    return reach


def _sample_rows() -> tuple[Any, Any]:
    from detent.motion.quasistatic.floats.coefficients import sample_shapes

    return sample_shapes()


@kernel(sample=lambda: (*_sample_rows(), 1e-9))
def overlap(pawl: Any, wall: Any, margin: float) -> int:
    """1 where two polygons overlap, 0 where they are apart, -1 where they touch or nearly so."""
    for axis in range(2):
        low, high, wall_low, wall_high = math.inf, -math.inf, math.inf, -math.inf
        for k in range(len(pawl)):
            low, high = min(low, pawl[k, axis]), max(high, pawl[k, axis])
        for j in range(len(wall)):
            wall_low, wall_high = min(wall_low, wall[j, axis]), max(wall_high, wall[j, axis])
        if high < wall_low - margin or low > wall_high + margin:
            return 0
    near = False
    for k in range(len(pawl)):
        k2 = k + 1 if k + 1 < len(pawl) else 0
        ax, ay, bx, by = pawl[k, 0], pawl[k, 1], pawl[k2, 0], pawl[k2, 1]
        for j in range(len(wall)):
            j2 = j + 1 if j + 1 < len(wall) else 0
            cx, cy, dx, dy = wall[j, 0], wall[j, 1], wall[j2, 0], wall[j2, 1]
            c = pawl[k, 2] * (cy - ay) - pawl[k, 3] * (cx - ax)
            d = pawl[k, 2] * (dy - ay) - pawl[k, 3] * (dx - ax)
            a = wall[j, 2] * (ay - cy) - wall[j, 3] * (ax - cx)
            b = wall[j, 2] * (by - cy) - wall[j, 3] * (bx - cx)
            if min(c, d) > margin or max(c, d) < -margin or min(a, b) > margin or max(a, b) < -margin:
                continue
            if min(abs(a), abs(b), abs(c), abs(d)) > margin:
                return 1
            near = True
    if near:
        return -1
    inside = _holds(wall, pawl[0, 0], pawl[0, 1]) or _holds(pawl, wall[0, 0], wall[0, 1])
    return 1 if inside else 0


@kernel(sample=lambda: (_sample_rows()[0], 0.0, 1.0))
def _holds(rows: Any, x: float, y: float) -> bool:
    """Whether a point that is clear of the boundary lies inside."""
    odd = False
    for k in range(len(rows)):
        m = k + 1 if k + 1 < len(rows) else 0
        ax, ay, bx, by = rows[k, 0], rows[k, 1], rows[m, 0], rows[m, 1]
        if (ay > y) != (by > y) and x < ax + (bx - ax) * (y - ay) / (by - ay):
            odd = not odd
    return odd


def shapes(n: int, m: int) -> tuple[Any, ...]:
    """Room for one design's rows and links."""
    return np.zeros((n, 6)), np.zeros((n, 3), np.int64), np.zeros((m, 6)), np.zeros((m, 3), np.int64)


def _sample() -> tuple[Any, ...]:
    pawl = np.array([[[-4.0, 10.0], [0.0, 10.0], [1.0, 20.0], [-1.0, 21.0]]])
    wall = np.array([[[-3.0, -4.0], [6.0, -4.0], [6.0, 4.0], [-3.0, 3.0]]])
    push = (
        np.array([[0.0, 20.0]]),
        np.array([[0.0, -1.0]]),
        np.array([60.0]),
        np.array([0.1]),
        np.array([1.0]),
    )
    return pawl, wall, *push, *room(4, 4), *shapes(4, 4), *state(), np.zeros((1, COLUMNS))


@kernel(sample=_sample)
def track_designs(
    pawls: Any,
    walls: Any,
    hinges: Any,
    velocities: Any,
    durations: Any,
    frictions: Any,
    stiffnesses: Any,
    pairs: Any,
    rings: Any,
    turned: Any,
    quartics: Any,
    stack: Any,
    spans: Any,
    events: Any,
    pawl: Any,
    links: Any,
    wall: Any,
    wall_links: Any,
    now: Any,
    pair: Any,
    zeros: Any,
    met: Any,
    ends: Any,
) -> int:
    """Track each design; `ends` gets how it ended, when, at what angle, how many events, the largest angle.

    Where its stiffness is above zero also the peak in, how the way back ended, and the peak out.

    Returns how many the tracker doubts. What was made in `room`, `shapes` and `state` is scratch; it
    comes array by array, since unpacking named tuples costs as much as a third of a design.
    """
    state = TrackerState(now, pair, zeros, met)
    room = TrackerWorkspace(pairs, rings, turned, quartics, stack, spans, events)
    doubts = 0
    hinge = now.copy()
    hinge[0], hinge[1] = 0.0, 0.0
    ended_at, back = now.copy(), now.copy()
    for i in range(len(pawls)):
        x, y = hinges[i, 0], hinges[i, 1]
        size = edges_of(pawl, links, pawls[i], x, y, 0.0)
        size = max(size, edges_of(wall, wall_links, walls[i], x, y, frictions[i]))
        now[0], now[1] = 0.0, 0.0
        pair[0], pair[3], pair[4] = -1, 0, 0
        met[3], met[4] = 0, 0
        status, count = DOUBT, 0
        begun = overlap(pawl, wall, MARGIN * size)
        if begun == 0:
            push = Push(pawl, links, wall, wall_links, hinge, velocities[i], durations[i], size)
            status, count = track(push, state, room)
        elif begun == 1:
            status = OVERLAP
        ends[i, 0], ends[i, 1], ends[i, 2], ends[i, 3] = status, now[0], now[1], count
        most = abs(now[1])
        for row in range(count):
            most = max(most, abs(events[row, 2]), abs(events[row, 6]))
        ends[i, 4] = most
        if stiffnesses[i] > 0 and status in (DONE, JAM, STICK):
            push = Push(pawl, links, wall, wall_links, hinge, velocities[i], durations[i], size)
            ends[i, 5] = stiffnesses[i] * run_peak(push, events, count, status, 0.0, 0.0, -1, 0, 0, pair[3])
            if status == DONE:
                ended_at[0], ended_at[1] = durations[i] * velocities[i, 0], durations[i] * velocities[i, 1]
                back[0], back[1] = -velocities[i, 0], -velocities[i, 1]
                push = Push(pawl, links, wall, wall_links, ended_at, back, durations[i], size)
                now[0], pair[4], met[3], met[4] = 0.0, 0, 0, 0
                angle, kind, k, j, side = now[1], pair[0], pair[1], pair[2], pair[3]
                out, count = track(push, state, room)
                ends[i, 6] = out
                if out in (DOUBT, FULL):
                    status = DOUBT
                else:
                    peak = run_peak(push, events, count, out, 0.0, angle, kind, k, j, side)
                    ends[i, 7] = stiffnesses[i] * peak
            if math.isnan(ends[i, 5]) or math.isnan(ends[i, 7]):
                status = DOUBT
            if status == DOUBT:
                ends[i, 0] = DOUBT
        if status in (DOUBT, FULL):
            doubts += 1
    return doubts


def decide(
    pawls: Any,
    obstacles: Any,
    *,
    hinges: Any,
    velocities: Any,
    durations: Any,
    frictions: Any = 0.0,
    stiffnesses: Any = 0.0,
) -> Ends:
    """Every design decided: by the tracker, or exactly where that doubts.

    - pawls, obstacles: outlines as drawn at rest, (vertices, 2) or (designs, vertices, 2)
    - hinges, velocities: (2,) or (designs, 2)
    - durations, frictions: numbers or (designs,)
    - stiffnesses: of the hinges, torque per radian in the units of the outlines; where above zero, peak
      forces in and straight back out are computed as well
    """
    designs = PawlDesigns.read(pawls, obstacles, hinges, velocities, durations, frictions, stiffnesses)
    return Ends(push_batch(designs))


@on_one_thread
def push_batch(designs: PawlDesigns) -> Batch:
    """Push every design along its leg: by the tracker, or exactly where that doubts.

    Where a design has a stiffness also `peak_in`, and of one that is done the `cause_out` of the way straight
    back and `peak_out`; forces are infinite without bound, NaN where there is no way back or no stiffness.

    Columns: `cause` (done, jam, stick, overlap, crossed), `time` [s], `angle` and `largest_angle` [rad], how
    many `events`, and whether `exact` arithmetic decided. A design whose parts overlap at the start, or an
    outline of which crosses itself, has a reason.
    """
    refuse_other_kind(designs, PawlDesigns, "designs")
    count, n, m = len(designs.pawls), designs.pawls.shape[1], designs.walls.shape[1]
    ends = np.zeros((count, COLUMNS))
    track_designs.at(STEPS * count * n * m)(*designs.arrays, *room(n, m), *shapes(n, m), *state(), ends)
    faults = designs.faults()
    ends[list(faults)] = [CROSSED, *[0.0] * (COLUMNS - 1)]
    doubtful = np.flatnonzero((ends[:, 0] == DOUBT) | (ends[:, 0] == FULL))
    for i in doubtful:
        ends[i] = decided_exactly(*(array[i] for array in designs.arrays))
    exact = np.isin(np.arange(count), doubtful)
    overlaps = np.flatnonzero(ends[:, 0] == OVERLAP).tolist()
    reasons = dict.fromkeys(overlaps, BLOCKED) | faults
    columns = {
        "cause": NAMES[ends[:, 0].astype(int)],
        "time": ends[:, 1],
        "angle": ends[:, 2],
        "events": ends[:, 3].astype(int),
        "largest_angle": ends[:, 4],
        "exact": exact,
    }
    sprung = designs.stiffnesses > 0
    if sprung.any():
        begun = sprung & (ends[:, 0] != OVERLAP) & (ends[:, 0] != CROSSED)
        done = sprung & (ends[:, 0] == DONE)
        columns["peak_in"] = np.where(begun, ends[:, 5], math.nan)
        columns["cause_out"] = np.where(done, NAMES[ends[:, 6].astype(int)], "")
        columns["peak_out"] = np.where(done, ends[:, 7], math.nan)
    counts = {"designs": count, "exact": len(doubtful), "overlap": len(overlaps), "crossed": len(faults)}
    told = tuple(reasons.get(i, "") for i in range(count))
    return Batch(columns=columns, reasons=told, counts=counts, units=UNITS)


@dataclass(frozen=True)
class PawlDesigns:
    """The arrays of `track_designs`, an entry a design each."""

    pawls: Any
    walls: Any
    hinges: Any
    velocities: Any
    durations: Any
    frictions: Any
    stiffnesses: Any

    @property
    def arrays(self) -> tuple[Any, ...]:
        pushes = self.hinges, self.velocities, self.durations, self.frictions, self.stiffnesses
        return self.pawls, self.walls, *pushes

    def faults(self) -> dict[int, str]:
        """The designs that have an outline whose edges cross or touch, with where."""
        return {
            i: f"edges of the {name} cross at ({x:.6g}, {y:.6g})"
            for name, outlines in (("obstacle", self.walls), ("pawl", self.pawls))
            for i, (x, y) in crossed(outlines).items()
        }

    @classmethod
    def read(cls, *given: Any) -> PawlDesigns:
        """Checked arrays from those of `decide`, in its order; one entry for all is repeated."""
        names = ("pawls", "obstacles", "hinges", "velocities", "durations", "frictions", "stiffnesses")
        values = zip(names, (*given, 0.0), (2, 2, 1, 1, 0, 0, 0), strict=False)
        arrays, deep = zip(*(numbers(*each) for each in values), strict=True)
        counts = {len(array) for array, many in zip(arrays, deep, strict=True) if many} or {1}
        if len(counts) > 1:
            words = f"they have {', '.join(map(str, sorted(counts)))} entries"
            raise ModelError.at("designs", words, "give one entry a design, or one for all")
        for name, array in zip(names, arrays, strict=True):
            if not np.isfinite(array).all():
                raise ModelError.at(name, "not every number is finite", "give numbers")
        (count,) = counts
        full = [
            np.ascontiguousarray(array if many else np.broadcast_to(array, (count, *array.shape)))
            for array, many in zip(arrays, deep, strict=True)
        ]
        for name, bad, problem, remedy in (
            ("durations", full[4] <= 0, "not above zero", "a push lasts some time"),
            ("frictions", full[5] < 0, "below zero", "give a coefficient of zero or more"),
            ("stiffnesses", full[6] < 0, "below zero", "give a stiffness above zero, or 0 for no forces"),
            ("velocities", (full[3] == 0).all(axis=1), "zero", "a push has a velocity"),
        ):
            if bad.any():
                raise ModelError.at(f"{name}.{int(np.argmax(bad))}", problem, remedy)
        return cls(counter_clockwise(full[0], "pawls"), counter_clockwise(full[1], "obstacles"), *full[2:])
