"""The crank engine: the plan's derivatives of a linkage are those that the rigid method moves it with."""

from __future__ import annotations

import numpy as np
import pytest

import detent
from detent.infer import resolved
from detent.kinematics import closed_pose, drive_path_of, make_plan, part_rates, sweep
from detent.model import compile_system, plane_linkage_of
from detent.motion import Rigid

TURN = {"crank": {"joint": "crank", "from_deg": 0, "to_deg": 360, "steps": 36}}


@pytest.fixture(scope="module")
def engine():
    machine = resolved(detent.load("crank_engine"))
    run = detent.predict(machine, method=Rigid(accuracy=1e-9), until=0.6).evidence
    times = np.linspace(0.05, 0.55, 40)
    near = [run.trajectory_at(times + shift) for shift in (-1e-4, 0.0, 1e-4)]
    driven = machine.with_("drives", TURN)
    linkage = plane_linkage_of(driven)
    path = drive_path_of(driven, linkage)
    plan = make_plan(linkage, closed_pose(linkage, driven.start), path.inputs)
    angles = near[1].coordinates["crank"]
    return machine, near, part_rates(plan, sweep(plan, plan.drawn + angles[:, None]))


def test_parts_stand_and_move_as_the_plan_says(engine):
    machine, (_, now, _), rates = engine
    system = compile_system(machine)
    speed = now.speeds["crank"]
    for k, body in enumerate(system.bodies):
        if body.fixed:
            continue
        scale = [system.metres_per_unit, system.metres_per_unit, 1.0]
        velocity = now.velocities[body.name][:, [0, 1, 5]] * scale
        place = now.poses[body.name][:, :2] * system.metres_per_unit
        assert place == pytest.approx(rates.poses[:, k, :2], abs=1e-9)
        assert velocity == pytest.approx(rates.first[:, k, :, 0] * speed[:, None], abs=1e-7)


def test_its_acceleration_follows_from_the_plan_alone(engine):
    """M(a) a'' + M'(a) a'²/2 = torque - damping a', with M and M' from first and second derivatives."""
    machine, (before, now, after), rates = engine
    system = compile_system(machine)
    inertia, slope = np.zeros(len(now.times)), np.zeros(len(now.times))
    for k, body in enumerate(system.bodies):
        if body.fixed:
            continue
        first, second = _of_centre(body, rates, k)
        weights = np.array([body.mass.mass, body.mass.mass, body.mass.inertia[2][2]])
        inertia += (weights * first**2).sum(1)
        slope += (weights * first * second).sum(1)
    drive, joint = machine.drives["motor"], machine.joints["crank"]
    speed = now.speeds["crank"]
    expected = (float(drive.torque) - float(joint.damping) * speed - slope * speed**2) / inertia
    found = (after.speeds["crank"] - before.speeds["crank"]) / (after.times - before.times)
    assert found == pytest.approx(expected, rel=1e-4, abs=1e-4 * np.abs(expected).max())


def _of_centre(body, rates, k):
    """First and second derivatives of its centre of mass and its angle."""
    first, second = rates.first[:, k, :, 0], rates.second[:, k, :, 0, 0]
    angle, (x, y) = rates.poses[:, k, 2], body.mass.centre[:2]
    arm = np.column_stack([np.cos(angle) * x - np.sin(angle) * y, np.sin(angle) * x + np.cos(angle) * y])
    across = np.column_stack([-arm[:, 1], arm[:, 0]])
    turn, bend = first[:, 2:], second[:, 2:]
    return (
        np.column_stack([first[:, :2] + turn * across, turn]),
        np.column_stack([second[:, :2] + bend * across - turn**2 * arm, bend]),
    )
