"""Parts that pass through each other while a linkage is moved: which, and from where on.

`move` follows joints alone and does not stop at contact. So every pair of shapes that may touch is looked at
in all positions, and in more between them where they are few; the first overlap is then located between the
last place that is free and the first that is not. One that begins and ends between two places is not seen;
pairs at one pin, weld or gear, which are drawn into each other by custom, are not looked at.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from detent.kinematics.equations.rows import Floats
from detent.kinematics.paths.drive_path import shown_inputs
from detent.kinematics.paths.extremes import grid
from detent.kinematics.paths.joint_limits import goals_at
from detent.model.machine.drawn.overlap_at import MovedShapes
from detent.motion.kinematic.linkage_run import LinkageRun
from detent.numeric.roots import bisect
from detent.record.motion import PassingPair

PLACES = 72  # looked at along a path, at least
HALVINGS = 30  # of a step between places


@dataclass(frozen=True)
class PassingSearch:
    """The pairs that overlap somewhere on a path, in document order, and what was looked at."""

    pairs: tuple[PassingPair, ...] = ()
    places: int = 0
    at_joints: tuple[tuple[str, str], ...] = ()  # not looked at: at one pin, weld or gear
    not_layered: tuple[str, ...] = ()  # parts that are not looked at: no stacks of prisms along z


def passing_pairs(run: LinkageRun) -> PassingSearch:
    """Look for pairs that overlap."""
    if all(part.shape is None for part in run.mechanism.parts.values()):
        return PassingSearch()
    shapes = MovedShapes(run.mechanism)
    assert run.walk is not None
    if not shapes.pairs or not len(run.walk.frames.inputs):
        return PassingSearch(at_joints=shapes.at_joints, not_layered=shapes.not_layered)
    places = grid(run.end, between=1, places=PLACES) if run.end > 0 else np.zeros(1)
    poses = _in_units(run, run.poses_at(places))
    rows = {name: poses[:, k] for k, name in enumerate(run.system.parts)}
    firsts = [_first(run, shapes, pair, places, rows) for pair in shapes.pairs]
    pairs = tuple(each for each in firsts if each is not None)
    return PassingSearch(pairs, len(places), shapes.at_joints, shapes.not_layered)


def _first(
    run: LinkageRun, shapes: MovedShapes, pair: tuple[str, str], places: Floats, rows: dict[str, Floats]
) -> PassingPair | None:
    """Where a pair first overlaps; None where it does not."""
    first, second = pair
    known = np.isfinite(rows[first]).all(axis=1) & np.isfinite(rows[second]).all(axis=1)
    for i in np.flatnonzero(shapes.near(pair, rows) & known).tolist():
        depth = shapes.depth(pair, rows[first][i], rows[second][i])
        if not depth:
            continue
        place = _beginning(run, shapes, pair, places, rows, i) if i else float(places[i])
        inputs = shown_inputs(run.system, run.path.inputs, goals_at(run.path.goals, np.array([place])))[0]
        return PassingPair(parts=pair, from_=inputs.tolist(), at_start=not i, depth=depth)
    return None


def _beginning(
    run: LinkageRun,
    shapes: MovedShapes,
    pair: tuple[str, str],
    places: Floats,
    rows: dict[str, Floats],
    found: int,
) -> float:
    """Where an overlap that is found at one of the places begins, between two of them.

    What the parts have in common may be too little to count at the places before. Where it is more than
    rounding at all of them, parts that touch as drawn, the overlap begins where it counts.
    """
    first, second = pair
    indices = [run.system.parts.index(name) for name in pair]
    apart = found - 1
    while apart >= 0 and shapes.begun(pair, rows[first][apart], rows[second][apart]):
        apart -= 1
    overlap = shapes.begun if apart >= 0 else shapes.depth
    apart = apart if apart >= 0 else found - 1

    def is_free(at: float) -> bool:
        a, b = _in_units(run, run.poses_at(np.array([at])))[0][indices]
        return not overlap(pair, a, b)

    return bisect(is_free, float(places[apart]), float(places[apart + 1]), most=HALVINGS)[1]


def _in_units(run: LinkageRun, poses: Floats) -> Floats:
    unit = run.system.metres_per_unit
    return np.asarray(poses / np.array([unit, unit, 1.0]))
