"""The balance of a linkage along its path, at its positions and between them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from detent.kinematics.equations.forces import (
    DETERMINED,
    UNBALANCED,
    UNBOUNDED,
    UNDETERMINED,
    LinkBalance,
    Statics,
)
from detent.kinematics.equations.rows import Floats, rows_of
from detent.kinematics.execution.sweeping import Frames
from detent.kinematics.paths.branch import periods
from detent.kinematics.paths.finer import frames_at, position_of
from detent.kinematics.paths.joint_limits import goals_at
from detent.kinematics.paths.walk import PathWalk
from detent.kinematics.planning.poses import part_speeds
from detent.kinematics.planning.tables import Plan
from detent.kinematics.proofs.prove import has_freedoms
from detent.motion.kinematic.acting import ActingForces
from detent.motion.kinematic.linkage_run import LinkageRun
from detent.motion.kinematic.tending import places_before, tends_to

# [rad, sizes]: a position so near a change point is at it. Poses there are known to about 1e-13, so that
# forces farther away have more than six digits, and those nearer differ from what they tend to in the
# seventh. At a limit poses change with the root of the way, so that this holds of its square.
AT = 1e-6
# [rad, sizes]: nearer to a change point a peak is looked for at that point alone. Rounding of a force is
# some 1e-13 over the way left, so below a part in 1e9 farther away; a smooth force rises by less within.
# With inertia it is 1e-16 over the way's fourth power, below a part in 1e6 farther away, as the rise within.
CLEAR, CLEAR_AT_SPEED = 3e-4, 4e-3
# Unknowns above which forces are computed only where loads ask for them: a balance is dense.
LARGEST = 600
CORNER = 1e-9  # between the directions of two steps: more is a corner of the path
# A path that repeats, so many times at least, is looked at once: its steps are even to a share of its length,
# its forces alike to one of theirs, more than rounding of some hundred rotations and less than anybody reads.
LEAST_CYCLES, EVEN, ALIKE = 2, 1e-12, 1e-10
BETWEEN = 7  # places at which ranks are looked at where every position is at a dead point


@dataclass(frozen=True, eq=False)
class Solved:
    """Numbers (positions, rows) in newtons and N m, and what kind of answer each is."""

    values: Floats
    kinds: NDArray[np.int8]
    dead_but_finite: NDArray[np.bool_]


def undriven(plan: Plan, statics: Statics, poses: Floats) -> tuple[int, tuple[str, ...]]:
    """How many freedoms are not driven, and the parts that have them; the fewest of some poses."""
    if not has_freedoms(plan) or statics.rows.unknowns > LARGEST:
        return 0, ()
    count, parts = min(map(statics.free, poses), key=lambda freedoms: freedoms[0], default=(0, ()))
    return count, tuple(plan.system.parts[part] for part in parts)


class ForceSeries:
    """The balance of a linkage along its path."""

    def __init__(self, run: LinkageRun, walk: PathWalk, loads: Mapping[str, tuple[float, float]]) -> None:
        self.run, self.walk = run, walk
        inputs = [item for item in walk.plan.inputs if item.axis == 0]
        rows = rows_of(walk.plan.system, [item.held for item in inputs])
        self.statics = Statics(rows)
        self.acting = ActingForces.of(run, rows, loads)
        self.drives = tuple(item.name for item in inputs)
        self._usual: tuple[int, ...] = ()

    @cached_property
    def free(self) -> tuple[int, tuple[str, ...]]:
        """How many freedoms are not driven, and the parts that have them; nothing of a large linkage."""
        calm = np.flatnonzero(~self._dead(self.walk.frames.inputs))
        return undriven(self.walk.plan, self.statics, self._poses[calm[len(calm) // 2 :][:1]])

    def at_positions(self) -> Solved:
        """The balance at each position of the answer."""
        return self._solve(self.walk.frames, self._poses, self.places)

    @cached_property
    def places(self) -> Floats:
        """The positions of the answer as places of the drive path; the last may lie between two."""
        inputs, count = self.walk.frames.inputs, len(self.walk.frames.inputs)
        last = [position_of(self.run.path.goals, inputs[-1], after=count - 1)] if count else []
        return np.array([*range(count - 1), *last], dtype=float)

    def at_places(self, places: Floats) -> Solved:
        """The balance at places of the drive path, in order; no numbers at those that were not reached."""
        frames = frames_at(self.walk, self.run.path, places)
        there = places[: len(frames.inputs)]
        solved = self._solve(frames, self.run.poses_at(places)[: len(there)], there)
        missing = len(places) - len(frames.inputs)
        if not missing:
            return solved
        rows = solved.kinds.shape[1]
        return Solved(
            np.concatenate([solved.values, np.full((missing, rows), np.nan)]),
            np.concatenate([solved.kinds, np.full((missing, rows), UNBALANCED, np.int8)]),
            np.concatenate([solved.dead_but_finite, np.zeros(missing, dtype=bool)]),
        )

    @cached_property
    def events(self) -> tuple[Floats, Floats]:
        """Places of the drive path with a dead point on the way, and the inputs there."""
        goals = self.run.path.goals
        dead = [p for p in self.walk.points if p.kind in ("limit", "change_point") and p.joint < 0]
        at = sorted((position_of(goals, point.inputs), tuple(point.inputs)) for point in dead)
        reached = [(place, inputs) for place, inputs in at if place <= self.run.end]
        places = np.array([place for place, _ in reached])
        return places, np.array([inputs for _, inputs in reached]).reshape(len(places), goals.shape[1])

    @cached_property
    def cycle(self) -> float | None:
        """After how many places of the drive path all is as before; None where it is not, or hardly repeats.

        Poses repeat with the directions of a closed form on one branch. Whether what acts does too, which a
        spring that winds up does not, forces tell: those of the first cycle beside those of the last.
        """
        goals, plan = self.run.path.goals, self.walk.plan
        steps = np.diff(goals, axis=0)
        if goals.shape[1] != 1 or not len(steps) or not plan.closed_form or len(self.events[0]):
            return None
        period, step = float(periods(plan)[0]), float(steps[0, 0])
        even = np.abs(steps - step).max() <= EVEN * np.abs(goals).max()
        if not (even and step and np.isfinite(period) and self.run.end * abs(step) >= LEAST_CYCLES * period):
            return None
        cycle = period / abs(step)
        last = cycle * (np.floor(self.run.end / cycle) - 1)
        first = cycle * (np.arange(BETWEEN) + 0.5) / BETWEEN
        solved = self.at_places(np.concatenate([first, first + last]))
        (one, other), kinds = np.split(solved.values, 2), np.split(solved.kinds, 2)
        alike = np.nanmax(np.abs(one - other), initial=0.0) <= ALIKE * np.nanmax(np.abs(one), initial=0.0)
        return cycle if alike and np.array_equal(kinds[0], kinds[1]) else None

    def near_change_points(self, places: Floats) -> NDArray[np.bool_]:
        """Places so near a change point that rounding shows in their forces."""
        clear = CLEAR_AT_SPEED if self.acting.needs_speeds else CLEAR
        return self._near(goals_at(self.run.path.goals, places), "change_point", clear)

    def place_beside(self, dead: float) -> float:
        """A place a little before a dead point (at the beginning behind it): there forces show their side."""
        index = np.arange(len(self._travelled))
        here = float(np.interp(dead, index, self._travelled))
        at_limit = bool(self._near(goals_at(self.run.path.goals, np.array([dead])), "limit", AT)[0])
        way = CLEAR_AT_SPEED**2 if at_limit else CLEAR_AT_SPEED  # at a limit the branch goes as its root
        there = here - way if here >= way else here + way
        return float(np.interp(there, self._travelled, index))

    def _solve(self, frames: Frames, poses: Floats, places: Floats) -> Solved:
        dead = self._dead(frames.inputs)
        assert frames.first is not None
        assert frames.second is not None
        speeds, bends = part_speeds(self.walk.plan, frames.values, frames.first, frames.second)
        results: dict[int, LinkBalance] = {}
        for i in np.flatnonzero(~dead).tolist():
            results[i] = self._balance(poses[i], speeds[i], bends[i])
        if not self._usual:
            ranks = [result.ranks for result in results.values() if result.ranks]
            self._usual = _largest(ranks) if ranks else self._ranks_between
        for i in range(len(poses)):
            here = results.get(i)
            if here is None or any(r < u for r, u in zip(here.ranks, self._usual, strict=False)):
                results[i] = self._balance(poses[i], speeds[i], bends[i], dead=True)
            if dead[i] and (self.acting.needs_speeds or (results[i].kinds == UNBALANCED).any()):
                at_limit = bool(self._near(frames.inputs[i : i + 1], "limit", AT**2)[0])
                results[i] = self._tending(
                    results[i], float(places[i]), "limit" if at_limit else "change_point"
                )
        scale = np.concatenate([np.zeros(0), *(scale for _, scale in self.statics.numbers)])
        values = np.array([results[i].values for i in range(len(poses))]).reshape(len(poses), len(scale))
        kinds = np.array([results[i].kinds for i in range(len(poses))], np.int8).reshape(
            len(poses), len(scale)
        )
        for row in self._open_moments:
            kinds[:, row] = np.where(kinds[:, row] == DETERMINED, UNDETERMINED, kinds[:, row])
        return Solved(
            values * scale,
            kinds,
            np.array([results[i].dead_but_finite for i in range(len(poses))], dtype=bool),
        )

    @cached_property
    def _open_moments(self) -> list[int]:
        """Rows of moments that need a centre of mass which is not given."""
        count = len(self.statics.rows.pairs)
        joints = zip(self.statics.rows.pairs, self.statics.numbers[:count], strict=True)
        return [where.stop - 1 for pair, (where, _) in joints if pair.name in self.acting.open_moments]

    def _tending(self, here: LinkBalance, dead: float, kind: str) -> LinkBalance:
        """The balance at a dead point by what it tends to on the way, where that tells more."""
        way = None if self.free[0] else places_before(dead, kind, self._travelled, self._breaks)
        if way is None:
            return here
        places, away = way
        order = np.argsort(places)
        frames = frames_at(self.walk, self.run.path, places[order])
        if len(frames.inputs) < len(places) or self._dead(frames.inputs).any():
            return here
        poses = self.run.poses_at(places[order])
        assert frames.first is not None
        assert frames.second is not None
        speeds, bends = part_speeds(self.walk.plan, frames.values, frames.first, frames.second)
        there = [self._balance(poses[k], speeds[k], bends[k]) for k in np.argsort(order)]
        known = np.array([each.kinds == DETERMINED for each in there]).all(axis=0)
        limit, told, unbounded = tends_to(away, np.where(known, [each.values for each in there], 0.0))
        kinds = np.where(known & unbounded, UNBOUNDED, np.where(known & told, DETERMINED, here.kinds))
        lasting = np.where(known, kinds, there[-1].kinds).astype(np.int8)
        values = np.where(lasting == DETERMINED, limit, np.nan)
        finite = bool(known.any() and told[known].all())
        return LinkBalance(values, lasting, here.ranks, dead_but_finite=finite)

    @cached_property
    def _travelled(self) -> Floats:
        """How far along the drive path each position is [rad, sizes]."""
        steps = np.abs(np.diff(self.run.path.goals, axis=0) / self.walk.plan.spans).max(axis=1, initial=0.0)
        return np.asarray(np.concatenate([[0.0], np.cumsum(steps)]))

    @cached_property
    def _breaks(self) -> Floats:
        """Places at which the motion may bend: corners of the path, other speeds, dead points, its end."""
        path = self.run.path
        steps = np.diff(path.goals, axis=0) / self.walk.plan.spans
        lengths = np.linalg.norm(steps, axis=1, keepdims=True)
        ways = np.divide(steps, lengths, out=np.zeros_like(steps), where=lengths > 0.0)
        corners = np.flatnonzero(np.linalg.norm(np.diff(ways, axis=0), axis=1) > CORNER) + 1.0
        return np.concatenate([corners, np.floor(path.after_corners()), self.events[0], [self.run.end]])

    @cached_property
    def _ranks_between(self) -> tuple[int, ...]:
        """Where every position is at a dead point: the ranks between them, if the path leaves it."""
        places = np.linspace(0.0, self.run.end, BETWEEN + 2)[1:-1]
        frames = frames_at(self.walk, self.run.path, places)
        poses = self.run.poses_at(places)[: len(frames.inputs)]
        assert frames.first is not None
        assert frames.second is not None
        speeds, bends = part_speeds(self.walk.plan, frames.values, frames.first, frames.second)
        calm = np.flatnonzero(~self._dead(frames.inputs)).tolist()
        results = [self._balance(poses[i], speeds[i], bends[i]) for i in calm]
        ranks = [result.ranks for result in results if result.ranks]
        return _largest(ranks) if ranks else ()

    def _balance(self, poses: Floats, speeds: Floats, bends: Floats, *, dead: bool = False) -> LinkBalance:
        moving = list(self.walk.plan.system.moving)
        finite = bool(np.isfinite(speeds).all() and np.isfinite(bends).all())
        if self.acting.needs_speeds and not finite:  # at a dead point: so fast that inertia has no bound
            rows = self.statics.rows.equations
            return LinkBalance(np.full(rows, np.nan), np.full(rows, UNBOUNDED, np.int8), self._usual)
        along = speeds[moving].ravel() if dead and np.isfinite(speeds).all() else None
        return self.statics.balance(
            poses,
            lambda at: self.acting.at(at, speeds, bends),
            usual=self._usual,
            dead=dead,
            along=along,
            changes=not self.acting.needs_speeds,
        )

    @cached_property
    def _poses(self) -> Floats:
        return np.stack([self.run.poses[name] for name in self.walk.plan.system.parts], axis=1)

    def _dead(self, inputs: Floats) -> NDArray[np.bool_]:
        """Positions at a limit of the links, or at a change point; a joint's own stop is neither."""
        return self._near(inputs, "change_point", AT) | self._near(inputs, "limit", AT**2)

    def _near(self, inputs: Floats, kind: str, within: float) -> NDArray[np.bool_]:
        points = [p.inputs for p in self.walk.points if p.kind == kind and p.joint < 0]
        away = [np.abs((inputs - at) / self.walk.plan.spans).max(axis=1, initial=0.0) for at in points]
        return np.min(away, axis=0, initial=np.inf) <= within if away else np.zeros(len(inputs), dtype=bool)


def _largest(ranks: list[tuple[int, ...]]) -> tuple[int, ...]:
    return tuple(int(r) for r in np.max(ranks, axis=0))
