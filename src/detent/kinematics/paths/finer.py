"""More positions of a drive path that was followed already: nothing is decided again.

The walk knows on which branch the linkage went and how far. A closed form is
computed at any position from its branch; a plan with cuts or blocks is followed
from its start, part by part between the change points that were crossed. Limits
are not sought: the finer positions end where the walk did.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from detent.kinematics.equations.rows import Floats
from detent.kinematics.execution.frame import ALL_CLOSED
from detent.kinematics.execution.sweeping import Frames
from detent.kinematics.paths.closed import leg_frames
from detent.kinematics.paths.drive_path import DrivePath
from detent.kinematics.paths.joint_limits import (
    chosen,
    followed_count,
    goals_at,
    small_steps,
    sweep_in_small_steps,
)
from detent.kinematics.paths.segments import sharpened
from detent.kinematics.paths.walk import PathWalk, joined, legs_of
from detent.kinematics.turning.count import TurnCount
from detent.kinematics.turning.relations import angle_relations

# Of the whole drive path: two places nearer than this are one. Sums of some hundred steps round to 1e-14.
SAME_PLACE = 1e-12
# Where a part rotates by more than QUICK [rad] in a small step, it is divided, so many times at most.
QUICK, CLOSER_ROUNDS = 0.8, 8


def finer_frames(walk: PathWalk, path: DrivePath, finer: DrivePath, *, exact: bool) -> Frames:
    """Frames at the positions of `finer`, another stepping through the same drive path.

    `exact` says that the walk has the limit itself as its last frame; so have these.
    """
    return _frames(walk, _Wanted(path, finer, _travelled(finer.goals), exact))


def frames_at(walk: PathWalk, path: DrivePath, places: Floats, *, order: int = 2) -> Frames:
    """Frames at places of the drive path, in order (2.5: halfway from the third position to the fourth).

    Those beyond the end of the walk are left out. With order 0 derivatives are not computed.
    """
    marks = _travelled(path.goals)
    if not walk.plan.closed_form:  # followed from its start: by the positions, too
        positions = np.arange(np.floor(places.max(initial=0.0)) + 1)
        every = np.union1d(places, positions)
    else:
        every = places
    there = replace(
        path, goals=goals_at(path.goals, every), rates=path.rates_at(every[1:] if len(every) > 1 else every)
    )
    travelled = np.interp(every, np.arange(len(marks)), marks)
    frames = _frames(walk, _Wanted(path, there, travelled, exact=False, order=order))
    wanted = np.flatnonzero(np.isin(every[: len(frames.inputs)], places))
    return frames if len(wanted) == len(frames.inputs) else chosen(frames, wanted)


def places_of(walk: PathWalk, path: DrivePath, finer: DrivePath) -> Floats:
    """The positions of another stepping as places of a drive path, up to where the walk ended."""
    marks = _travelled(path.goals)
    there = np.interp(_travelled(finer.goals), marks, np.arange(len(marks)))
    return np.asarray(np.minimum(there, end_of(walk, path)))


def end_of(walk: PathWalk, path: DrivePath) -> float:
    """The place of the drive path where the walk ended."""
    if walk.failed == ALL_CLOSED:
        return float(len(path.goals) - 1)
    return position_of(path.goals, walk.reached, after=len(walk.frames.inputs) - 1)


def turns_of(walk: PathWalk, path: DrivePath) -> TurnCount:
    """Rotations of parts along the whole walk, by positions; a followed one is looked at in small steps."""
    if walk.turns is not None:
        return walk.turns
    on_the_way = [each for each in walk.crossed if each.border.after < 0]  # from the drawing to the start
    plan = on_the_way[-1].after if on_the_way else walk.plan
    relations = angle_relations(plan.system, plan.inputs)
    if not relations.free or not len(walk.frames.inputs):
        return TurnCount(plan, relations, np.zeros(0), np.zeros((0, len(relations.free))), True)
    at = small_steps(plan, path.goals)
    at = np.append(at[at < (end := end_of(walk, path))], end)
    for _ in range(CLOSER_ROUNDS):
        frames = frames_at(walk, path, at, order=0)
        at = at[: len(frames.inputs)]
        count = followed_count(plan, path.goals[0], at, frames)
        quick = np.flatnonzero(np.abs(np.diff(count.counted, axis=0)).max(axis=1, initial=0.0) > QUICK)
        if not len(quick):
            break
        inner = [np.linspace(at[i], at[i + 1], 4)[1:-1] for i in quick]
        at = np.unique(np.concatenate([at, *inner]))
    return count


@dataclass(frozen=True, eq=False)
class _Wanted:
    """Positions that frames are wanted at, with how far along the drive path each is."""

    path: DrivePath  # as it was walked
    finer: DrivePath
    travelled: Floats
    exact: bool  # the limit itself is the last frame, as of the walk
    order: int = 2  # of derivatives

    @cached_property
    def grace(self) -> float:
        """How far along the drive path rounding makes two of one place."""
        return SAME_PLACE * max(float(_travelled(self.path.goals)[-1]), np.finfo(float).tiny)

    def upto(self, end: float) -> int:
        """How many of them lie before a place, or at it."""
        return int(np.searchsorted(self.travelled, end, side="right"))


def _frames(walk: PathWalk, wanted: _Wanted) -> Frames:
    return _on_branches(walk, wanted) if walk.plan.closed_form else _followed(walk, wanted)


def _travelled(goals: Floats) -> Floats:
    """How far along the drive path each position is, in the units of its inputs."""
    steps = np.linalg.norm(np.diff(goals, axis=0), axis=1)
    return np.asarray(np.concatenate([[0.0], np.cumsum(steps)]))


def _on_branches(walk: PathWalk, wanted: _Wanted) -> Frames:
    path = wanted.path
    goals, marks = path.goals, _travelled(path.goals)
    end = _end(walk, path) + wanted.grace
    frames: list[Frames] = []
    done = 0
    for (first, last), branch in zip(legs_of(goals) or [(0, 0)], walk.branches, strict=False):
        upto = wanted.upto(marks[last] + wanted.grace)
        upto = min(upto, wanted.upto(end)) if branch.stop is None else upto
        frames += leg_frames(
            branch,
            path.rates_from(first),
            wanted.finer.goals[done:upto],
            goals[first],
            goals[last],
            wanted.exact,
            order=wanted.order,
        )
        done = max(done, upto)
    return joined(walk.plan, frames, walk.reached, walk.failed)


def _followed(walk: PathWalk, wanted: _Wanted) -> Frames:
    path, finer, grace = wanted.path, wanted.finer, wanted.grace
    blurred = (*walk.crossed, *walk.beside)
    order = 2 if blurred else wanted.order  # sharpened frames have their derivatives
    on_path = [each for each in walk.crossed if each.border.after >= 0]  # the others before its start
    ends = [*(_place(path.goals, each.border.inputs) for each in on_path), _end(walk, path) + grace]
    plans = [each.before for each in on_path] + [walk.crossed[-1].after if walk.crossed else walk.plan]
    frames: list[Frames] = []
    done = 0
    for plan, end in zip(plans, ends, strict=True):
        upto = wanted.upto(end)
        if upto > done:
            rates = finer.rates_at_positions[done:upto]
            frames.append(sweep_in_small_steps(plan, finer.goals[done:upto], order=order, rates=rates))
            done = upto
    sharp = joined(walk.plan, frames, walk.reached, walk.failed)
    sharp = sharpened(sharp, finer, blurred) if blurred else sharp
    beyond = _limit_frame(walk, path) if wanted.exact else None
    if beyond is None or (
        len(sharp.inputs) and np.allclose(sharp.inputs[-1], beyond.inputs[-1], rtol=0, atol=grace)
    ):
        return sharp
    return joined(walk.plan, [sharp, beyond], walk.reached, walk.failed)


def _limit_frame(walk: PathWalk, path: DrivePath) -> Frames | None:
    """The last frame of a walk that stopped, where it is not a position of the drive path."""
    frames, count = walk.frames, len(walk.frames.inputs)
    if walk.failed == ALL_CLOSED or not count or frames.first is None or frames.second is None:
        return None
    if count <= len(path.goals) and np.array_equal(frames.inputs[-1], path.goals[count - 1]):
        return None
    return Frames(
        frames.inputs[-1:],
        frames.values[-1:],
        frames.first[-1:],
        frames.second[-1:],
        frames.reached,
        frames.failed,
        frames.last,
        frames.compiled,
    )


def _end(walk: PathWalk, path: DrivePath) -> float:
    """How far along the drive path the walk came."""
    if walk.failed == ALL_CLOSED:
        return float(_travelled(path.goals)[-1])
    return _place(path.goals, walk.reached, after=len(walk.frames.inputs) - 1)


def _place(goals: Floats, inputs: Floats, after: int = 0) -> float:
    """How far along the drive path inputs lie."""
    return float(np.interp(position_of(goals, inputs, after), np.arange(len(goals)), _travelled(goals)))


def position_of(goals: Floats, inputs: Floats, after: int = 0) -> float:
    """The position of a drive path that inputs are, from some position on; between two where they lie so."""
    after = min(max(after - 1, 0), max(len(goals) - 2, 0))
    best, position = np.inf, float(after)
    for i in range(after, len(goals) - 1):
        step = goals[i + 1] - goals[i]
        length = float(step @ step)
        share = min(max(float((inputs - goals[i]) @ step) / length, 0.0), 1.0) if length else 0.0
        apart = float(np.linalg.norm(goals[i] + share * step - inputs))
        if apart < best:
            best, position = apart, i + share
    return position
