"""The angle of every part along a drive path, full rotations counted.

Angles that are linear in the drives, or in other angles, are computed (`relations.py`). The directions of
the rest are looked at in places between which none of them rotates by half a rotation (`pieces.py`),
whatever positions were asked for. A closed form that a drive brings back after a period is looked at for
one period.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from detent.foundation.errors import UnsupportedError
from detent.kinematics.equations.rows import Floats
from detent.kinematics.execution.sweeping import sweep
from detent.kinematics.planning.tables import Plan
from detent.kinematics.turning.pieces import half_turn_places
from detent.kinematics.turning.relations import AngleRelations, angle_relations
from detent.numeric.angles import whole_turns

INSIDE = 1e-9  # of a segment: how far from its ends directions are looked at
MOST_NUMBERS = 2e7  # of one way that is followed: some hundred MB
PHASE_DECIMALS = 9  # of a period: two segments that differ by less are the same one, periods later

Segment = tuple[float, float, Plan]  # of a straight leg (0 to 1), on one branch


@dataclass(frozen=True)
class TurnCount:
    """Angles of the parts that are counted, at places in order: shares of a leg, or positions of a path."""

    plan: Plan
    relations: AngleRelations
    places: Floats
    counted: Floats  # (places, free) [rad]
    proved: bool  # no free direction rotates by half a rotation between neighbouring places

    def angles(self, places: Floats, inputs: Floats, values: Floats) -> Floats:
        """Angles of all parts in frames at some places: (frames, parts) [rad]."""
        free = list(self.relations.free)
        counted = directions(self.plan, values, free)
        if len(self.places) and free:
            near = np.clip(np.searchsorted(self.places, places, side="right") - 1, 0, len(self.places) - 1)
            counted = counted + whole_turns(self.counted[near] - counted)
        drawn = self.plan.poses[:, 2]
        return np.asarray(drawn + self.relations.rotations(counted - drawn[free], inputs - self.plan.drawn))

    def moved_to(self, places: Floats) -> TurnCount:
        """The same with other numbers for its places."""
        return replace(self, places=places)

    @property
    def last(self) -> Floats:
        """The counted angles at the last place; none where every angle is linear in the drives."""
        return np.asarray(self.counted[-1] if len(self.counted) else np.zeros(self.counted.shape[1]))


def directions(plan: Plan, values: Floats, parts: Sequence[int]) -> Floats:
    """Angles of parts in frames, from -pi to pi: (frames, parts)."""
    anchors = [plan.anchors[part] for part in parts]
    z = values[..., 0] + 1j * values[..., 1]
    along = z[:, [a.Q for a in anchors]] - z[:, [a.P for a in anchors]]
    return np.asarray(np.angle(along / np.array([a.d for a in anchors], dtype=complex)))


def joined_counts(counts: Sequence[TurnCount]) -> TurnCount:
    """One count of several that follow one another."""
    return replace(
        counts[-1],
        places=np.concatenate([c.places for c in counts]),
        counted=np.concatenate([c.counted for c in counts]),
        proved=all(c.proved for c in counts),
    )


def as_drawn(plan: Plan) -> Floats:
    """The angles of the counted parts in the closed drawing."""
    return np.asarray(plan.poses[list(angle_relations(plan.system, plan.inputs).free), 2])


def nearest_to_drawing(plan: Plan, inputs: Floats) -> Floats:
    """Counted angles at some inputs, each within half a rotation of the drawing's."""
    free = angle_relations(plan.system, plan.inputs).free
    there = directions(plan, sweep(plan, inputs[None]).values, free)
    near = as_drawn(plan)
    return np.asarray(there[0] + whole_turns(near - there[0])) if len(there) else near


def refuse_long_way(numbers: float) -> None:
    """A way that goes round so often that it would not fit into memory is refused before it is followed."""
    if numbers > MOST_NUMBERS:
        raise UnsupportedError(
            f"it goes so far that following it takes {numbers:.2g} numbers, of {MOST_NUMBERS:.2g} allowed",
            "go through fewer rotations: after some of them all is as before",
            "drives",
        )


def leg_turns(
    segments: Sequence[Segment], start: Floats, end: Floats, first: Floats, period: float = math.inf
) -> TurnCount:
    """Along a straight leg in closed form, from the counted angles at its start.

    `period` is the change of the one input after which all directions are as before.
    """
    plan = segments[0][2]
    relations = angle_relations(plan.system, plan.inputs)
    places, counted, proved = [np.zeros(0)], [np.zeros((0, len(relations.free)))], True
    span = float(np.abs(end - start).max(initial=0.0))
    whole = period / span if span > 0.0 and len(start) == 1 else math.inf  # period, of the leg
    known: dict[tuple[object, ...], tuple[Floats, Floats, Floats, bool]] = {}
    for lo, hi, branch in segments:
        if not relations.free:
            break
        phase = (0.0, 0.0) if not math.isfinite(whole) else (lo / whole % 1.0, (hi - lo) / whole)
        key = (*np.round(phase, PHASE_DECIMALS).tolist(), branch.branch, None if math.isfinite(whole) else lo)
        if key not in known:
            known[key] = (np.array([lo]), *_segment(branch, relations, start, end, lo, hi, whole))
        begin, shares, rotations, sure = known[key]
        at = np.clip(shares - begin + lo, lo, hi)
        begins = _inputs(start, end, np.array([lo + INSIDE * (hi - lo)]))
        there = directions(branch, sweep(branch, begins).values, relations.free)
        before = counted[-1][-1] if len(counted) > 1 else first
        base = there[0] + whole_turns(before - there[0]) if len(there) else before
        places.append(at)
        counted.append(base + rotations)
        proved = proved and sure
    return TurnCount(plan, relations, np.concatenate(places), np.concatenate(counted), proved)


def _segment(
    plan: Plan, relations: AngleRelations, start: Floats, end: Floats, lo: float, hi: float, whole: float
) -> tuple[Floats, Floats, bool]:
    """Places on one branch, and how far each counted part has rotated there since the first."""
    once = min(hi, lo + whole)
    places, proved = half_turn_places(plan, start, end, lo, once, relations.free)
    margin = INSIDE * (once - lo)  # at the ends a link may be in line, or folded
    frames = sweep(plan, _inputs(start, end, np.clip(places, lo + margin, once - margin)))
    angles = np.unwrap(directions(plan, frames.values, relations.free), axis=0)
    places = places[: len(angles)]
    rotations = angles - angles[:1]
    if once == hi or len(angles) < 2:
        return places, rotations, proved
    each = whole_turns(rotations[-1])
    count = math.ceil((hi - lo) / whole)
    refuse_long_way(count * rotations.size)
    tiled = np.concatenate([places[:-1] + k * whole for k in range(count)])
    turned = np.concatenate([rotations[:-1] + k * each for k in range(count)])
    inside = tiled < hi
    return tiled[inside], turned[inside], proved


def _inputs(start: Floats, end: Floats, shares: Floats) -> Floats:
    return np.asarray(start + np.outer(shares, end - start))
