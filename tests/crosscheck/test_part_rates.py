"""Derivatives from the plan against rows of mechanics: velocities and accelerations that joints allow."""

import numpy as np
import pytest

from detent.app import inputs
from detent.kinematics import closed_pose, drive_path_of, make_plan, part_rates, sweep
from detent.mechanics import constraint_rows_at
from detent.model import State, compile_system, plane_linkage_of
from tests.conftest import reference_documents

NAMES = [*(str(path) for path in reference_documents()), *inputs.examples()]


def driven():
    for name in NAMES:
        mechanism = inputs.load(name)
        if mechanism.dimension == 2 and any(d.joint or d.path for d in mechanism.drives.values()):
            yield name.rsplit("/", 1)[-1], mechanism


LINKAGES = list(driven())


@pytest.mark.parametrize("mechanism", [m for _, m in LINKAGES], ids=[n for n, _ in LINKAGES])
def test_rates_of_parts_satisfy_the_rows_of_mechanics(mechanism):
    """J q' = 0 and J q'' + (J' q') = 0, with all inputs growing at speeds of their own."""
    linkage = plane_linkage_of(mechanism)
    path = drive_path_of(mechanism, linkage)
    plan = make_plan(linkage, closed_pose(linkage, mechanism.start), path.inputs)
    frames = sweep(plan, plan.drawn + 0.01 * np.arange(3)[:, None])
    rates = part_rates(plan, frames)
    system = compile_system(mechanism, drives_hold=False)
    speeds = np.random.default_rng(2).normal(size=len(path.inputs))
    looked_at = 0
    for k in range(len(frames.inputs)):
        poses = rates.poses[k]
        velocity = rates.first[k] @ speeds
        acceleration = rates.second[k] @ speeds @ speeds
        if not (np.isfinite(velocity).all() and np.isfinite(acceleration).all()):
            continue
        rows = constraint_rows_at(system, State(poses, velocity))
        moving = system.columns >= 0
        size = max(1.0, float(np.abs(velocity).max()), float(np.abs(acceleration).max()))
        assert rows.matrix @ velocity[moving].ravel() == pytest.approx(0, abs=1e-9 * size)
        assert rows.matrix @ acceleration[moving].ravel() + rows.rates == pytest.approx(0, abs=1e-8 * size**2)
        looked_at += 1
    assert looked_at
