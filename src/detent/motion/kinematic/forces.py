"""The forces of a moved linkage: what each drive must give and each joint carries, at every position.

Each number comes from the balance of all parts (`kinematics/equations/forces.py`). At a dead point it may be
without bound, infinite with the sign that it has on the way there. One that is missing is not a number, and
its peak says why: not determined by statics, or no balance at all.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from detent.foundation.names import few, listed
from detent.kinematics.equations.forces import DETERMINED, UNBALANCED, UNBOUNDED, UNDETERMINED
from detent.kinematics.equations.rows import Floats
from detent.kinematics.paths.drive_path import shown_inputs
from detent.kinematics.paths.extremes import extremes_between, grid, widened
from detent.kinematics.paths.joint_limits import goals_at
from detent.model.machine.plane_linkage import PlaneJoint
from detent.motion.kinematic.force_series import LARGEST, ForceSeries, Solved

MOST_NAMED = 8  # in one sentence
SAME = 1e-6  # [rad, document units] between two places that are one
# Rounds in which a peak is narrowed between positions, at most; what it must gain by, of the largest force.
# Beside a change point inertia is rounded to 1e-6, and each further round would look at more of its waves.
ROUNDS, GAIN = 12, 1e-9
ROUNDS_ROUGH, GAIN_ROUGH = 4, 1e-6


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
    sides = _sides(series, solved)
    columns = [c for c in _columns(series) if not (solved.kinds[:, c.rows] == UNBALANCED).all()]
    return MotionForces(
        {c.name: _numbers(solved, c, sides) for c in columns},
        {c.name: c.components for c in columns},
        _peaks(series, columns, solved, sides),
        (*_no_balance(series, solved), *_finite_at_dead_points(solved), *_fixed_loads(series)),
        f"forces from {listed(acting.counted)}" if columns else "",
    )


def _peaks(series: ForceSeries, columns: list[ForceColumn], solved: Solved, sides: Floats) -> dict[str, Any]:
    """The extremes of each drive and joint, between positions too, or why there are none."""
    plan, path, run = series.walk.plan, series.run.path, series.run
    places, inputs = series.events
    inputs, between = inputs[places < run.end], places[places < run.end]  # at its end it is the last position
    at_events = series.at_places(between) if len(between) else None
    shown = shown_inputs(plan.system, plan.inputs, np.concatenate([series.walk.frames.inputs, inputs]))
    kinds = solved.kinds if at_events is None else np.concatenate([solved.kinds, at_events.kinds])
    order = np.argsort(np.concatenate([series.places, between]), kind="stable")  # as they come on the way
    shown, kinds = shown[order], kinds[order]
    peaks = {column.name: _why_none(column, kinds[:, column.rows], shown) for column in columns}
    bounded = [c for c in columns if not peaks[c.name].get("unbounded")]
    for column in columns:
        if column.scalar and column not in bounded:
            peaks[column.name]["toward"] = _toward(column, solved, sides)
    if not bounded:
        return peaks
    last = run.end if series.cycle is None else series.cycle  # what repeats is looked at once
    corners = path.after_corners() if series.acting.needs_speeds else np.zeros(0)
    singled = np.union1d(places, corners[corners < last])

    def evaluate(at: Floats) -> Floats:
        doubtful = series.near_change_points(at) & ~np.isin(at, singled)
        return np.where(doubtful[:, None], np.nan, _quantities(bounded, series.at_places(at)))

    rough = series.acting.needs_speeds and any(p.kind == "change_point" for p in series.walk.points)
    rounds, gain = (ROUNDS_ROUGH, GAIN_ROUGH) if rough else (ROUNDS, GAIN)
    extremes = extremes_between(
        evaluate,
        np.union1d(grid(last), singled),
        rounds=rounds,
        least_gain=gain * float(np.nanmax(np.abs(solved.values), initial=0.0)),
    )
    seen = series.places <= last
    at_positions = _quantities(bounded, solved)[seen]  # a limit itself may be a position alone, to rounding
    extremes = [
        widened(extreme, series.places[seen], at_positions[:, k]) for k, extreme in enumerate(extremes)
    ]
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
        places = shown[unbounded]
        rows = places.reshape(len(places), -1)  # one input, or several
        others = (
            np.abs(np.diff(rows, axis=0)).max(axis=1, initial=0.0) > SAME
        )  # a position may be at one itself
        apart = places[np.concatenate([[True], others])]
        why |= {"unbounded": True, "at": places[0].tolist(), "all_at": apart.tolist()}
    open_ones = [c for c, k in zip(column.components, kinds.T, strict=True) if (k == UNDETERMINED).any()]
    if open_ones:
        why["undetermined"] = open_ones
    if (kinds == UNBALANCED).any():
        why["unbalanced"] = True
    return why


def _toward(column: ForceColumn, solved: Solved, sides: Floats) -> list[int]:
    """Of each position without a number 1 or -1, as it grows without bound on the way there; 0 where not."""
    kinds = solved.kinds[:, column.rows][:, 0]
    missing = np.flatnonzero(kinds != DETERMINED)
    grows = np.where(kinds[missing] == UNBOUNDED, sides[missing, column.rows.start], 0)
    return [int(side) for side in grows]


def _sides(series: ForceSeries, solved: Solved) -> Floats:
    """The sign of each row on the way to positions where something is without bound; 0 at the others."""
    sides = np.zeros(solved.values.shape)
    boundless = np.flatnonzero((solved.kinds == UNBOUNDED).any(axis=1))
    if len(boundless):
        beside = np.array([series.place_beside(float(series.places[i])) for i in boundless])
        order = np.argsort(beside)
        sides[boundless[order]] = np.sign(np.nan_to_num(series.at_places(beside[order]).values))
    return sides


def _quantities(columns: list[ForceColumn], solved: Solved) -> Floats:
    """Of each column the drive's number, or the size of the joint's force; then moments beside forces."""
    values = np.where(solved.kinds == DETERMINED, solved.values, np.nan)
    numbers = [
        values[:, c.rows][:, 0] if c.scalar else np.linalg.norm(values[:, c.rows][:, : c.forces or 1], axis=1)
        for c in columns
    ]
    moments = [np.abs(values[:, c.rows][:, c.forces]) for c in columns if c.has_moment]
    return np.stack([*numbers, *moments], axis=1)


def _numbers(solved: Solved, column: ForceColumn, sides: Floats) -> Floats:
    """Numbers of a column by position: infinite where without bound, NaN where there is none."""
    kinds = solved.kinds[:, column.rows]
    boundless = np.where(sides[:, column.rows] < 0, -np.inf, np.inf)
    values = np.where(kinds == DETERMINED, solved.values[:, column.rows], np.nan)
    values = np.where(kinds == UNBOUNDED, boundless, values)
    return values[:, 0] if column.scalar else values


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


def _columns(series: ForceSeries) -> list[ForceColumn]:
    """Drives first, then joints, in document order."""
    statics, drives = series.statics, series.drives
    rows, system = statics.rows, statics.rows.system
    newtons, moment = ("", "") if series.run.mechanism.units == "1" else (" [N]", " [N m]")
    count = len(rows.pairs)
    columns = []
    for name, held, (where, scale) in zip(drives, rows.held, statics.numbers[count:], strict=True):
        if held.mark is not None:
            on = system.parts[held.mark.part]
            words: tuple[str, ...] = tuple(f"{axis} on {on}{newtons}" for axis in "xy")
        else:
            pair = system.pairs[held.pair]
            on = _second(series, pair)
            slides = pair.kind == "prismatic"
            words = (f"along on {on}{newtons}" if slides else f"torque on {on}{moment}",)
        columns.append(ForceColumn(f"drive {name}", where, scale, words))
    for pair, (where, scale) in zip(rows.pairs, statics.numbers[:count], strict=True):
        on = _second(series, pair)
        words = tuple(f"{what} on {on}{unit}" for what, unit in _what(pair, newtons, moment))
        columns.append(ForceColumn(pair.name, where, scale, words))
    return columns


def _second(series: ForceSeries, pair: PlaneJoint) -> str:
    """The second part of a joint, as the document has it."""
    return series.statics.rows.system.parts[(pair.a if pair.exchanged else pair.b).part]


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
