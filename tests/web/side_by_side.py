"""One plan, two executors: the page's beside Python's, frame by frame from the same state.

Python walks; before each frame its inputs, its state and the goal go to the page, in the same digits, so
that nothing accumulates. Both go from there to the goal. Closed forms must agree to 1e-12 of the machine's
size, cuts and blocks to 1e-9.

How near a pose is to a dead point is said by its clearance, a pure number, the same on both sides of one:
the least sine at which two loci of a dyad cross or, where that is less, the least singular value of the
equations of all joints and drives (turns as arcs), of as many as the drawing has rank; one over it is the
condition. Every frame is compared; one that differs by more than the bound must begin or end with less than
`CLEAR`, and few may. Where one cannot go the whole way both must stop: within two last halvings of the same
place or, at a dead point, within the square of `CLEAR` of the same input, for sines go with the root of the
way that is left. What leaves a dead point by least motion may leave it differently and then stop elsewhere:
such a frame counts among the few.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from detent.kinematics import make_plan
from detent.kinematics.equations import (
    RANK,
    Floats,
    closed_pose,
    column_scale,
    residual_and_jacobian,
    rows_of,
)
from detent.kinematics.execution import ALL_CLOSED, SHORTEST, advance, input_table, tables_of
from detent.kinematics.operations import ops as op
from detent.kinematics.paths import drive_path_of
from detent.kinematics.planning import Ints, Plan, part_poses, with_stops
from detent.model.document import Mechanism
from detent.model.machine import plane_linkage_of
from detent.motion.live import grab
from tests.web.node import executed

CLOSED_FORM, NEWTON = 1e-12, 1e-9  # of the size
# The clearance from which on the bounds hold: a condition of at most a thousand.
CLEAR = 1e-3
# Of all frames, those nearer to a dead point that may differ by more than the bounds.
FEW = 0.02
# Where an executor stops is known to the last halving that it tried, and to the one before.
SAME_WAY = 2 * SHORTEST
LONG_WALK = 100  # poses that are worth the compiled twin of Python's executor


@dataclass(frozen=True)
class Case:
    """A plan, and how it is walked: random steps about the drawing, the longest of them given."""

    plan: Plan
    seed: int
    longest: float
    poses: int
    name: str = ""


@dataclass(frozen=True)
class Frame:
    """What Python did: from where, to which goal, how much of the way, and where the points are."""

    here: Floats
    state: Floats
    goal: Floats
    way: float
    failed: int
    values: Floats


@dataclass
class Tally:
    """What was compared; differences are of the size."""

    frames: int = 0
    whole: int = 0  # went the whole way on both sides
    stopped: int = 0  # stopped on both, at the same part of the way
    edge: int = 0  # one stopped within the last halving of the goal, the other reached it
    near_dead: int = 0  # differ by more than the bound, near a dead point
    widest: float = 0.0  # of the others that went the whole way
    refuted: list[str] = field(default_factory=list)

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.frames + other.frames,
            self.whole + other.whole,
            self.stopped + other.stopped,
            self.edge + other.edge,
            self.near_dead + other.near_dead,
            max(self.widest, other.widest),
            self.refuted + other.refuted,
        )


def driven(mechanism: Mechanism, seed: int, poses: int, name: str = "") -> Case:
    """The document's own drives."""
    system = plane_linkage_of(mechanism)
    plan = make_plan(system, closed_pose(system, mechanism.start), drive_path_of(mechanism, system).inputs)
    return Case(with_stops(plan), seed, 0.4, poses, name)


def pulled(mechanism: Mechanism, seed: int, poses: int, name: str = "") -> list[Case]:
    """What the grab of each of the first parts gives."""
    cases = []
    for part, given in list(mechanism.parts.items())[:4]:
        marker = next(iter(reversed(given.markers.values())), None)
        if marker is None:
            continue
        at = marker if isinstance(marker, tuple) else marker.at
        made = grab(mechanism, None, part, [float(v) for v in at[:2]])
        if made.plan is not None:
            longest = 0.4 if made.kind == "curve" else 0.1 * made.system.size
            cases.append(Case(made.plan, seed, longest, poses, f"{name} by {part}"))
    return cases


def walked(case: Case) -> list[Frame]:
    """Python's frames: each goal a random step from where the one before came to, drawn back a little."""
    plan, rng = case.plan, random.Random(case.seed)
    V, G = plan.vectors.copy(), np.zeros_like(plan.vectors)
    inputs, state, count = input_table(plan), plan.state.copy(), len(plan.inputs)
    here, frames = plan.drawn.copy(), []
    step = advance.compiled if case.poses >= LONG_WALK else advance.plain
    for _ in range(case.poses):
        goal = (
            plan.drawn + 0.9 * (here - plan.drawn) + [rng.uniform(-case.longest, case.longest) for _ in here]
        )
        before = here, state.copy(), goal
        with np.errstate(all="ignore"):  # at a dead point a derivative has no bound; the cut then fails
            way, failed = step(tables_of(plan), V, G, inputs, state, count, here, goal)
        here = inputs[0, :count].copy()
        frames.append(Frame(*before, float(way), int(failed), V.copy()))
    return frames


def compare(cases: list[Case]) -> Tally:
    """Every frame of every case, both ways."""
    walks = [walked(case) for case in cases]
    sent = [
        {
            "tables": {**case.plan.to_json(), "size": case.plan.system.size},
            "frames": [
                {"here": f.here.tolist(), "state": f.state.tolist(), "goal": f.goal.tolist()} for f in frames
            ],
            "points": points_of(case.plan),
        }
        for case, frames in zip(cases, walks, strict=True)
    ]
    tally = Tally()
    for case, frames, theirs in zip(cases, walks, executed(sent), strict=True):
        pose = Clearance(case.plan)
        points = points_of(case.plan)
        for k, (ours, other) in enumerate(zip(frames, theirs, strict=True)):
            there = np.array(other["points"], dtype=float)
            apart = float(np.max(np.abs(there - ours.values[points]), initial=0.0)) / case.plan.system.size
            before = frames[k - 1].values if k else case.plan.vectors
            judge(tally, case, pose, k, before, ours, other, apart)
    return tally


def judge(
    tally: Tally,
    case: Case,
    pose: Clearance,
    k: int,
    before: Floats,
    ours: Frame,
    other: dict[str, Any],
    apart: float,
) -> None:
    tally.frames += 1
    said = f"{case.name} seed {case.seed} frame {k}: "
    stops = (ours.failed != ALL_CLOSED) + (other["failed"] != ALL_CLOSED)
    if stops:
        way = abs(ours.way - other["way"])
        far = way * float(np.max(np.abs(ours.goal - ours.here)))
        if way > SAME_WAY:
            first, last = pose.of(before), pose.of(ours.values)
            if min(first, last) >= CLEAR or (first >= CLEAR and far > CLEAR**2 * pose.unit):
                tally.refuted.append(f"{said}stopped {far:.3g} apart, clearance {first:.3g}, {last:.3g}")
            tally.near_dead += 1
        tally.stopped += stops == 2
        tally.edge += stops == 1
        return
    tally.whole += 1
    bound = CLOSED_FORM if case.plan.closed_form else NEWTON
    if apart <= bound:
        tally.widest = max(tally.widest, apart)
        return
    clear = min(pose.of(before), pose.of(ours.values))
    if clear < CLEAR:
        tally.near_dead += 1
        return
    tally.refuted.append(f"{said}{apart:.3g} of the size apart, clearance {clear:.3g}")


class Clearance:
    """How far from a dead point a pose of a plan is."""

    def __init__(self, plan: Plan) -> None:
        held = [i.held for i in plan.inputs if i.held.mark is None or i.axis == 0]
        self.plan, self.rows = plan, rows_of(plan.system, held)
        self.targets = [0j] * len(held)
        marks = any(h.mark is not None for h in held)
        self.unit = plan.system.size if marks else 1.0  # of the inputs: a length, else a turn
        drawn = self._singular(plan.poses)
        self.rank = int(np.sum(drawn > RANK * drawn[0]))

    def of(self, values: Floats) -> float:
        """One is about that of two links at right angles."""
        poses = part_poses(self.plan, values[None])
        least = self._singular(np.array([pose[0] for pose in poses.values()]))[self.rank - 1]
        sines = [self._sine(row, values) for row in self.plan.ops if row[0] == op.LINES or row[op.SIGN]]
        return min(float(least), *sines, 1.0)

    def _sine(self, row: Ints, V: Floats) -> float:
        """At which the two loci of a dyad cross: circles, a circle and a line, a line on a circle, lines."""
        H, (a, b, c, d) = abs(V[row[op.DISC], 0]), row[2:6]
        terms = {
            op.CIRCLES: V[c, 0] * V[c, 1],
            op.CIRCLE_LINE: V[d, 0],
            op.TANGENT: float(np.sum((V[b] - V[a]) ** 2)),
            op.LINES: 1.0,
        }
        return math.sqrt(H / terms[int(row[0])])

    def _singular(self, poses: Floats) -> Floats:
        jacobian = residual_and_jacobian(self.rows, poses, self.targets)[1] * column_scale(self.rows)
        return np.linalg.svd(jacobian, compute_uv=False)


def points_of(plan: Plan) -> list[int]:
    """Rows of the tables that hold points of parts."""
    return sorted(set(map(int, plan.points.values())))
