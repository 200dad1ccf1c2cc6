"""One plan, two executors: the page's against Python's, over the gallery and random linkages.

Closed forms agree to 1e-12 of the machine's size; what Newton finds, in cuts and
blocks, to 1e-9 away from dead points, where it has digits to find.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

import numpy as np
import pytest

from detent.app import source
from detent.kinematics.course import course_of
from detent.kinematics.execute import WELL, advance, input_table, tables_of
from detent.kinematics.plan import make_plan
from detent.kinematics.start import closed_pose
from detent.kinematics.tables import Plan
from detent.model.mechanism import Mechanism
from detent.model.system import compile_system
from detent.motion.grab import grab
from tests.kinematics.random_linkages import DYADS, random_linkage
from tests.web.node import executed

POSES = 16
LINKAGES = 12
LONG_WALK = 500  # poses that are worth the compiled twin of Python's executor
LINKAGES_SHOWN = [
    name
    for name in source.examples()
    if (given := source.load(name)).dimension == 2 and any(d.joint or d.marker for d in given.drives.values())
]
# Of the size: some hundred times the rounding of a place.
SHAKEN = 1e-13
# What a closed form may make of a shake: beyond it, rounding alone is more than 1e-12.
ENLARGED = 1e3
# A discriminant this small, of the size, is near a dead point: its root has lost half its digits.
DEAD = 1e-6


@dataclass(frozen=True)
class Case:
    """A plan and the inputs it is taken through."""

    plan: Plan
    goals: np.ndarray


def driven(mechanism: Mechanism, seed: int, poses: int = POSES) -> Case:
    """The document's own drives, in random steps."""
    system = compile_system(mechanism)
    plan = make_plan(system, closed_pose(system, mechanism.start), course_of(mechanism, system).inputs)
    return Case(plan, walk(plan, seed, 0.4, poses))


def pulled(mechanism: Mechanism, seed: int, poses: int = POSES) -> list[Case]:
    """What each part's grab gives, in random steps."""
    cases = []
    for part, given in list(mechanism.parts.items())[:4]:
        marker = next(iter(reversed(given.markers.values())), None)
        if marker is None:
            continue
        at = marker if isinstance(marker, tuple) else marker.at
        made = grab(mechanism, None, part, [float(v) for v in at[:2]])
        if made.plan is not None:
            cases.append(Case(made.plan, walk(made.plan, seed, 0.1 * made.system.size, poses)))
    return cases


def walk(plan: Plan, seed: int, longest: float, poses: int) -> np.ndarray:
    rng = random.Random(seed)
    at = plan.drawn.copy()
    goals = []
    for _ in range(poses):
        at = plan.drawn + (at - plan.drawn) * 0.9 + [rng.uniform(-longest, longest) for _ in at]
        goals.append(at.copy())
    return np.array(goals)


def python_frames(case: Case) -> list[tuple[int, np.ndarray]]:
    plan = case.plan
    V, G = plan.vectors.copy(), np.zeros_like(plan.vectors)
    inputs, state, count = input_table(plan), plan.state.copy(), len(plan.inputs)
    here, frames = plan.drawn.copy(), []
    step = advance.compiled if len(case.goals) >= LONG_WALK else advance.plain
    for goal in case.goals:
        with np.errstate(all="ignore"):  # at a dead point a derivative has no bound; the cut then fails
            _, failed = step(tables_of(plan), V, G, inputs, state, count, here, goal)
        here = inputs[0, :count].copy()
        frames.append((int(failed), V.copy()))
    return frames


def compare(cases: list[Case]) -> int:
    """Compare every frame; returns how many were compared."""
    sent = [
        {
            "tables": {**c.plan.to_json(), "size": c.plan.system.size},
            "goals": c.goals.tolist(),
            "points": points_of(c.plan),
        }
        for c in cases
    ]
    compared = 0
    for case, theirs in zip(cases, executed(sent), strict=True):
        size = case.plan.system.size
        points = points_of(case.plan)
        allowed = (1e-12 if case.plan.closed_form else 1e-9) * size
        frames = python_frames(case)
        bound = ENLARGED * SHAKEN * size if case.plan.closed_form else allowed
        for (failed, ours), other, moved in zip(frames, theirs, shaken_by(case, frames), strict=True):
            if failed != WELL or other["failed"] != WELL:
                assert (failed == WELL) == (other["failed"] == WELL) or not moved <= bound
                break  # at a limit both stand, each within its last halving: not the same place to 1e-12
            if near_dead_point(case.plan, ours) or not moved <= bound:
                if not case.plan.closed_form:
                    break
                continue
            assert np.max(np.abs(np.array(other["points"]) - ours[points])) <= allowed
            compared += 1
    return compared


def shaken_by(case: Case, frames: list[tuple[int, np.ndarray]]) -> list[float]:
    """How far Python's own answer leaves each frame when the goals are shaken in their last digits.

    Near a dead point of whatever kind it leaves it far: there no two executors agree. A walk with
    more freedoms than goals goes by least motion from frame to frame, and never comes back.
    """
    shake = np.random.default_rng(len(frames)).standard_normal(case.goals.shape)
    others = python_frames(Case(case.plan, case.goals + SHAKEN * case.plan.system.size * shake))
    points = points_of(case.plan)
    return [
        float(np.max(np.abs(ours[points] - other[points]))) if failed == shaken else np.inf
        for (failed, ours), (shaken, other) in zip(frames, others, strict=True)
    ]


def points_of(plan: Plan) -> list[int]:
    """Rows of the tables that hold points of parts."""
    return sorted(set(map(int, plan.points.values())))


def near_dead_point(plan: Plan, values: np.ndarray) -> bool:
    """Whether a dyad's discriminant nearly vanishes."""
    roots = plan.ops[plan.ops[:, 8] != 0]
    size = plan.system.size
    scale = {7: size**4, 8: size**2, 9: size**2}
    return any(abs(values[row[7], 0]) < DEAD * scale[int(row[0])] for row in roots)


@pytest.mark.parametrize("name", LINKAGES_SHOWN)
def test_the_page_moves_a_gallery_machine_as_python_does(name):
    mechanism = source.load(name)
    assert compare([driven(mechanism, 1), *pulled(mechanism, 2)]) > POSES // 4


def test_the_page_moves_random_linkages_as_python_does():
    cases = []
    for seed in range(LINKAGES):
        kinds = (*DYADS, "triad") if seed % 3 == 0 else DYADS
        cases.append(driven(random_linkage(seed, groups=1 + seed % 4, kinds=kinds), seed))
    assert compare(cases) > LINKAGES * POSES // 8
