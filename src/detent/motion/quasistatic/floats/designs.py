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
from fractions import Fraction
from typing import Any

import numpy as np

from detent.foundation.errors import ModelError
from detent.geometry.exact.polygon import ExactLeaf, blocked
from detent.motion.quasistatic.exact.pawl import run
from detent.motion.quasistatic.floats.simple import CAUSES, track
from detent.motion.quasistatic.floats.tracker import (
    DOUBT,
    FULL,
    MARGIN,
    Push,
    TrackerState,
    TrackerWorkspace,
    room,
    state,
)
from detent.motion.quasistatic.slice.table import Slice, SlicePoint
from detent.numeric.kernels import kernel
from detent.numeric.polynomial.algebraic import real
from detent.numeric.rational import flint_of
from detent.numeric.threads import on_one_thread
from detent.record.batch import Batch

OVERLAP = 6  # how a design ends that cannot begin
COLUMNS = 5
BLOCKED = "the parts overlap at the start"
NAMES = np.array([{**CAUSES, OVERLAP: "overlap"}.get(code, "") for code in range(OVERLAP + 1)])
CODES = {cause: code for code, cause in CAUSES.items() if cause != "doubt"}
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
    push = np.array([[0.0, 20.0]]), np.array([[0.0, -1.0]]), np.array([60.0]), np.array([0.1])
    return pawl, wall, *push, *room(4, 4), *shapes(4, 4), *state(), np.zeros((1, COLUMNS))


@kernel(sample=_sample)
def track_designs(
    pawls: Any,
    walls: Any,
    hinges: Any,
    velocities: Any,
    durations: Any,
    frictions: Any,
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

    Returns how many the tracker doubts. What was made in `room`, `shapes` and `state` is scratch; it
    comes array by array, since unpacking named tuples costs as much as a third of a design.
    """
    state = TrackerState(now, pair, zeros, met)
    room = TrackerWorkspace(pairs, rings, turned, quartics, stack, spans, events)
    doubts = 0
    hinge = now.copy()
    hinge[0], hinge[1] = 0.0, 0.0
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
        if status in (DOUBT, FULL):
            doubts += 1
    return doubts


@dataclass(frozen=True)
class Ends:
    """How each design ended; one entry a design, angles from rest [rad]."""

    batch: Batch

    @property
    def causes(self) -> list[str]:
        """done, jam, stick, or overlap where the parts overlap at the start."""
        return list(self.batch["cause"].tolist())

    @property
    def times(self) -> Any:
        """[s]."""
        return self.batch["time"]

    @property
    def angles(self) -> Any:
        return self.batch["angle"]

    @property
    def events(self) -> Any:
        """How many."""
        return self.batch["events"]

    @property
    def largest_angles(self) -> Any:
        """Underway: times the stiffness, the torque that the spring must bear."""
        return self.batch["largest_angle"]

    @property
    def exact(self) -> Any:
        """Which of them exact arithmetic had to decide."""
        return np.flatnonzero(self.batch["exact"])


def decide(
    pawls: Any, obstacles: Any, *, hinges: Any, velocities: Any, durations: Any, frictions: Any = 0.0
) -> Ends:
    """Every design decided: by the tracker, or exactly where that doubts.

    pawls, obstacles -- outlines as drawn at rest, (vertices, 2) or (designs, vertices, 2)
    hinges, velocities -- (2,) or (designs, 2)
    durations, frictions -- numbers or (designs,)
    """
    return Ends(push_batch(PawlDesigns.read(pawls, obstacles, hinges, velocities, durations, frictions)))


@on_one_thread
def push_batch(designs: PawlDesigns) -> Batch:
    """Push every design along its leg: by the tracker, or exactly where that doubts.

    Columns: `cause` (done, jam, stick, overlap), `time` [s], `angle` and `largest_angle` [rad], how many
    `events`, and whether `exact` arithmetic decided. A design whose parts overlap at the start has a reason.
    """
    count, n, m = len(designs.pawls), designs.pawls.shape[1], designs.walls.shape[1]
    ends = np.zeros((count, COLUMNS))
    track_designs.at(STEPS * count * n * m)(*designs.arrays, *room(n, m), *shapes(n, m), *state(), ends)
    doubtful = np.flatnonzero((ends[:, 0] == DOUBT) | (ends[:, 0] == FULL))
    for i in doubtful:
        ends[i] = _exactly(*(array[i] for array in designs.arrays))
    exact = np.zeros(count, dtype=bool)
    exact[doubtful] = True
    causes = NAMES[ends[:, 0].astype(int)]
    overlaps = (ends[:, 0] == OVERLAP).tolist()
    columns = {
        "cause": causes,
        "time": ends[:, 1],
        "angle": ends[:, 2],
        "events": ends[:, 3].astype(int),
        "largest_angle": ends[:, 4],
        "exact": exact,
    }
    counts = {"designs": count, "exact": len(doubtful), "overlap": sum(overlaps)}
    return Batch(columns=columns, reasons=tuple(BLOCKED if each else "" for each in overlaps), counts=counts)


@dataclass(frozen=True)
class PawlDesigns:
    """The arrays of `track_designs`, an entry a design each."""

    pawls: Any
    walls: Any
    hinges: Any
    velocities: Any
    durations: Any
    frictions: Any

    @property
    def arrays(self) -> tuple[Any, ...]:
        return self.pawls, self.walls, self.hinges, self.velocities, self.durations, self.frictions

    @classmethod
    def read(cls, *given: Any) -> PawlDesigns:
        """Checked arrays from those of `decide`, in its order; one entry for all is repeated."""
        names = ("pawls", "obstacles", "hinges", "velocities", "durations", "frictions")
        arrays = [np.asarray(value, dtype=float) for value in given]
        deep = [array.ndim == depth + 1 for array, depth in zip(arrays, (2, 2, 1, 1, 0, 0), strict=True)]
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
        for name, bad in (
            ("durations", full[4] <= 0),
            ("frictions", full[5] < 0),
            ("velocities", (full[3] == 0).all(axis=1)),
        ):
            if bad.any():
                at = f"{name}.{int(np.argmax(bad))}"
                raise ModelError.at(
                    at, "out of range", "a push has a velocity and lasts; friction is not below zero"
                )
        return cls(_polygons(full[0], "pawls"), _polygons(full[1], "obstacles"), *full[2:])


def _polygons(points: Any, name: str) -> Any:
    """The same outlines, all counter-clockwise."""
    ahead = np.roll(points, -1, axis=1)
    area = (points[:, :, 0] * ahead[:, :, 1] - points[:, :, 1] * ahead[:, :, 0]).sum(axis=1)
    flat = (area == 0) | (points == ahead).all(axis=2).any(axis=1)
    if points.shape[1] < 3 or flat.any():
        at = f"{name}.{int(np.argmax(flat))}"
        raise ModelError.at(at, "an outline without area, or with a vertex twice", "give a polygon")
    return np.where((area < 0)[:, None, None], points[:, ::-1], points)


def _exactly(pawl: Any, wall: Any, hinge: Any, velocity: Any, until: float, mu: float) -> list[float]:
    """One design by the exact sweep; doubles are rationals too."""
    x, y = _exact(hinge)
    leaves = [_leaf(name, [_exact(p) for p in points]) for name, points in (("pawl", pawl), ("wall", wall))]
    if blocked(leaves[0], leaves[0].points, leaves[1]):
        return [OVERLAP, 0.0, 0.0, 0, 0.0]
    pawl_leaf = leaves[0].moved(lambda point: (point[0] - x, point[1] - y))
    obstacles = ((leaves[1], _exact((mu, 0.0))[0]),)
    slice_ = Slice([pawl_leaf], obstacles, (x, y), _exact(velocity), (0.0, until * 9 / 8))
    pawl_run = run(slice_, SlicePoint(real(0), 0, real(0)), real(Fraction(until)))
    assert pawl_run.end is not None
    places = [place for h in pawl_run.events for place in (h.place, h.landed) if place is not None]
    largest = max(abs(place.angle()) for place in (pawl_run.end, *places))
    return [CODES[pawl_run.cause], float(pawl_run.end.t), pawl_run.end.angle(), len(pawl_run.events), largest]


def _leaf(name: str, points: list[Any]) -> ExactLeaf:
    """Without vertices on a straight edge, which are not features."""
    kept = tuple(
        (x, y)
        for (a, b), (x, y), (c, d) in zip(points[-1:] + points, points, points[1:] + points[:1], strict=False)
        if (x - a) * (d - b) != (y - b) * (c - a)
    )
    return ExactLeaf(name, 0, kept, tuple(range(len(kept))))


def _exact(point: Any) -> tuple[Any, Any]:
    x, y = (flint_of(Fraction(float(c))) for c in point)
    return x, y
