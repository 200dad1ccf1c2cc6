"""The forces of a moved linkage: what each drive must give and each joint carries, at every position.

Each number comes from the balance of all parts (`kinematics/equations/forces.py`). One that is missing is
null, and its peak says why: without bound at a dead point, not determined by statics, or no balance at all.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from detent.foundation.names import few, listed
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
from detent.kinematics.paths.drive_path import shown_inputs
from detent.kinematics.paths.extremes import extremes_between, grid
from detent.kinematics.paths.finer import frames_at, position_of
from detent.kinematics.paths.joint_limits import goals_at
from detent.kinematics.paths.walk import PathWalk
from detent.kinematics.planning.poses import part_speeds
from detent.kinematics.planning.tables import Plan
from detent.kinematics.proofs.prove import has_freedoms
from detent.model.document.mechanism import Mechanism
from detent.model.machine.plane_linkage import PlaneJoint
from detent.motion.kinematic.acting import ActingForces
from detent.motion.kinematic.linkage_run import LinkageRun

# [rad, sizes]: a position so near a change point is at it. Poses there are known to about 1e-13, so that
# forces farther away have more than six digits, and those nearer differ from what they tend to in the
# seventh. At a limit poses change with the root of the way, so that this holds of its square.
AT = 1e-6
# [rad, sizes]: nearer to a change point a peak is looked for at that point alone. Rounding of a force is
# some 1e-13 over the way left, so below a part in 1e9 farther away; a smooth force rises by less within.
CLEAR = 3e-4
MOST_NAMED = 8  # in one sentence
# Unknowns above which forces are computed only where loads ask for them: a balance is dense.
LARGEST = 600
BETWEEN = 7  # places at which ranks are looked at where every position is at a dead point
ROUNDS = 4  # in which a peak between positions is narrowed
ROUNDING = 1e-12  # of the largest force: a peak that may rise by less is not looked at more closely


@dataclass(frozen=True, eq=False)
class MotionForces:
    """Forces in the form of the record, with what they contain."""

    series: dict[str, Any]
    components: dict[str, tuple[str, ...]]
    peaks: dict[str, Any]
    notes: tuple[str, ...] = ()
    covers: str = ""  # what they contain, in words


@dataclass(frozen=True, eq=False)
class ForceColumn:
    """One drive or joint: its rows, what makes them newtons or N m, and what each is."""

    name: str
    rows: slice
    scale: Floats
    components: tuple[str, ...]

    @property
    def forces(self) -> int:
        """How many of its numbers are forces; a moment comes after them."""
        return sum(not word.startswith(("moment", "torque")) for word in self.components)

    @property
    def has_moment(self) -> bool:
        """Whether a moment comes after its forces, as on a slide or a weld."""
        return 0 < self.forces < len(self.components)

    @property
    def scalar(self) -> bool:
        """A drive of a joint gives one number, anything else a list."""
        return self.name.startswith("drive ") and len(self.components) == 1


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
        self.columns = _columns(run.mechanism, self.statics, [item.name for item in inputs])
        self._usual: tuple[int, ...] = ()

    @cached_property
    def free(self) -> tuple[int, tuple[str, ...]]:
        """How many freedoms are not driven, and the parts that have them; nothing of a large linkage."""
        calm = np.flatnonzero(~self._dead(self.walk.frames.inputs))
        return undriven(self.walk.plan, self.statics, self._poses[calm[len(calm) // 2 :][:1]])

    def at_positions(self) -> Solved:
        """The balance at each position of the answer."""
        return self._solve(self.walk.frames, self._poses)

    def at_places(self, places: Floats) -> Solved:
        """The balance at places of the drive path, in order; no numbers at those that were not reached."""
        frames = frames_at(self.walk, self.run.path, places)
        solved = self._solve(frames, self.run.poses_at(places)[: len(frames.inputs)])
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

    def near_change_points(self, places: Floats) -> NDArray[np.bool_]:
        """Places so near a change point that rounding shows in their forces."""
        return self._near(goals_at(self.run.path.goals, places), "change_point", CLEAR)

    def _solve(self, frames: Frames, poses: Floats) -> Solved:
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
        scale = np.concatenate([np.zeros(0), *(scale for _, scale in self.statics.numbers)])
        values = np.array([results[i].values for i in range(len(poses))]).reshape(len(poses), len(scale))
        return Solved(
            values * scale,
            np.array([results[i].kinds for i in range(len(poses))], np.int8).reshape(len(poses), len(scale)),
            np.array([results[i].dead_but_finite for i in range(len(poses))], dtype=bool),
        )

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


def forces_of(series: ForceSeries) -> MotionForces:
    """The forces along the positions of the answer; empty where nothing acts."""
    acting, frames = series.acting, series.walk.frames
    if not acting.anything or not len(frames.inputs):
        return MotionForces({}, {}, {})
    if not acting.loads and series.statics.rows.unknowns > LARGEST:
        note = (
            f"forces are not computed: {listed(acting.counted)} act on more than {LARGEST // 3} moving parts"
        )
        return MotionForces({}, {}, {}, (note,))
    count, free = series.free
    if count and acting.needs_speeds:
        what = listed([word for word in acting.counted if word in ("inertia", "dampers")])
        move = _verb(free, "moves", "move")
        note = f"no forces: {what} depend on how {few(free, MOST_NAMED)} {move}, which nothing drives"
        return MotionForces({}, {}, {}, (note,))
    solved = series.at_positions()
    columns = [c for c in series.columns if not (solved.kinds[:, c.rows] == UNBALANCED).all()]
    return MotionForces(
        {c.name: _numbers(solved, c) for c in columns},
        {c.name: c.components for c in columns},
        _peaks(series, columns, solved),
        (*_no_balance(series, solved), *_finite_at_dead_points(solved), *_fixed_loads(series)),
        f"forces from {listed(acting.counted)}" if columns else "",
    )


def _peaks(series: ForceSeries, columns: list[ForceColumn], solved: Solved) -> dict[str, Any]:
    """The extremes of each drive and joint, between positions too, or why there are none."""
    plan, path, run = series.walk.plan, series.run.path, series.run
    places, inputs = series.events
    at_events = series.at_places(places) if len(places) else None
    shown = shown_inputs(plan.system, plan.inputs, np.concatenate([series.walk.frames.inputs, inputs]))
    kinds = solved.kinds if at_events is None else np.concatenate([solved.kinds, at_events.kinds])
    peaks = {column.name: _why_none(column, kinds[:, column.rows], shown) for column in columns}
    bounded = [c for c in columns if not peaks[c.name].get("unbounded")]
    if not bounded:
        return peaks
    corners = path.after_corners() if series.acting.needs_speeds else np.zeros(0)
    singled = np.union1d(places, corners[corners < run.end])

    def evaluate(at: Floats) -> Floats:
        doubtful = series.near_change_points(at) & ~np.isin(at, singled)
        return np.where(doubtful[:, None], np.nan, _quantities(bounded, series.at_places(at)))

    extremes = extremes_between(
        evaluate,
        np.union1d(grid(run.end), singled),
        rounds=ROUNDS,
        least_gain=ROUNDING * float(np.nanmax(np.abs(solved.values), initial=0.0)),
    )
    named = [(c.name, ("least", "most") if c.scalar else ("most",)) for c in bounded]
    named += [(c.name, ("moment_most",)) for c in bounded if c.has_moment]
    for (name, ends), extreme in zip(named, extremes, strict=True):
        if not np.isfinite(extreme.greatest):
            continue
        for end in ends:
            low = end == "least"
            value = extreme.least if low else extreme.greatest
            place = extreme.least_at if low else extreme.greatest_at
            here = shown_inputs(plan.system, plan.inputs, goals_at(path.goals, np.array([place])))
            peaks[name] |= {end: value, f"{end}_at": here[0].tolist()}
    return peaks


def _why_none(column: ForceColumn, kinds: NDArray[np.int8], shown: Floats) -> dict[str, Any]:
    why: dict[str, Any] = {}
    unbounded = np.flatnonzero((kinds == UNBOUNDED).any(axis=1))
    if len(unbounded):
        why |= {"unbounded": True, "at": shown[unbounded[0]].tolist()}
    open_ones = [c for c, k in zip(column.components, kinds.T, strict=True) if (k == UNDETERMINED).any()]
    if open_ones:
        why["undetermined"] = open_ones
    if (kinds == UNBALANCED).any():
        why["unbalanced"] = True
    return why


def _quantities(columns: list[ForceColumn], solved: Solved) -> Floats:
    """Of each column the drive's number, or the size of the joint's force; then moments beside forces."""
    values = np.where(solved.kinds == DETERMINED, solved.values, np.nan)
    numbers = [
        values[:, c.rows][:, 0] if c.scalar else np.linalg.norm(values[:, c.rows][:, : c.forces or 1], axis=1)
        for c in columns
    ]
    moments = [np.abs(values[:, c.rows][:, c.forces]) for c in columns if c.has_moment]
    return np.stack([*numbers, *moments], axis=1)


def _numbers(solved: Solved, column: ForceColumn) -> list[Any]:
    values, known = solved.values[:, column.rows], solved.kinds[:, column.rows] == DETERMINED
    rows = [
        [float(x) if ok else None for x, ok in zip(row, oks, strict=True)]
        for row, oks in zip(values, known, strict=True)
    ]
    return [row[0] for row in rows] if column.scalar else rows


def _no_balance(series: ForceSeries, solved: Solved) -> list[str]:
    """Where a freedom is not driven and what acts moves it there are no forces to tell."""
    if not (solved.kinds == UNBALANCED).any():
        return []
    _, free = series.free
    what = listed(series.acting.counted)
    whole = bool((solved.kinds == UNBALANCED).any(axis=1).all())
    where = "" if whole else " at some positions"
    if not free and whole:
        return ["no balance: links are in line at every position, and forces are not told"]
    if not free:
        return [f"no balance{where}: more than one link is in line there, and forces are not told"]
    parts = f"{few(free, MOST_NAMED)} {_verb(free, 'is', 'are')}"
    return [f"no balance exists{where}: {parts} not held, and {what} move {_verb(free, 'it', 'them')}"]


def _finite_at_dead_points(solved: Solved) -> list[str]:
    if not solved.dead_but_finite.any():
        return []
    return [
        "at a dead point what acts does no work in the motion that nothing holds: forces are finite there, "
        "and are those that they tend to"
    ]


def _fixed_loads(series: ForceSeries) -> list[str]:
    system = series.walk.plan.system
    return [
        f"the load on {name} moves nothing: {system.parts[system.marks[name].part]} is fixed"
        for name in series.acting.loads
        if system.fixed[system.marks[name].part]
    ]


def _columns(mechanism: Mechanism, statics: Statics, drives: list[str]) -> list[ForceColumn]:
    """Drives first, then joints, in document order."""
    rows, system = statics.rows, statics.rows.system
    newtons, moment = ("", "") if mechanism.units == "1" else (" [N]", " [N m]")
    count = len(rows.pairs)
    columns = []
    for name, held, (where, scale) in zip(drives, rows.held, statics.numbers[count:], strict=True):
        if held.mark is not None:
            on = system.parts[held.mark.part]
            words: tuple[str, ...] = tuple(f"{axis} on {on}{newtons}" for axis in "xy")
        else:
            pair = system.pairs[held.pair]
            on = system.parts[pair.b.part]
            slides = pair.kind == "prismatic"
            words = (f"along on {on}{newtons}" if slides else f"torque on {on}{moment}",)
        columns.append(ForceColumn(f"drive {name}", where, scale, words))
    for pair, (where, scale) in zip(rows.pairs, statics.numbers[:count], strict=True):
        on = system.parts[pair.b.part]
        words = tuple(f"{what} on {on}{unit}" for what, unit in _what(pair, newtons, moment))
        columns.append(ForceColumn(pair.name, where, scale, words))
    return columns


def _what(pair: PlaneJoint, newtons: str, moment: str) -> list[tuple[str, str]]:
    """What each row of a joint carries."""
    return {
        "revolute": [("x", newtons), ("y", newtons)],
        "fixed": [("x", newtons), ("y", newtons), ("moment", moment)],
        "prismatic": [("across", newtons), ("moment", moment)],
        "in_line": [("across", newtons)],
        "angle": [("moment", moment)],
        "gear": [("moment", moment)],
    }[pair.kind]


def _verb(names: tuple[str, ...], one: str, many: str) -> str:
    return one if len(names) == 1 else many
