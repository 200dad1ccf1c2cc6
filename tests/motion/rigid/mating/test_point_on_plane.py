"""Figs. 2 and 3 of Meitinger & Pfeiffer: one point on a plane, by a contact spring and by rigid contact."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

import detent
from detent.motion import Rigid

SMOOTH = 1e-5  # [m/s] over which the spring's friction grows
TIMES = np.linspace(0.3, 0.5, 41)


@pytest.fixture(scope="module")
def rigid():
    return detent.predict(detent.load("point_on_plane"), method=Rigid()).evidence


def by_spring(run, stiffness, damping):
    """(rows, 3) the force on the peg at TIMES: its tip, pushed by a spring where it is in the plane x > 0."""
    machine = run.machine
    leader, body = machine.leader, machine.names.index("peg")
    features = machine.candidates.features
    corners = features.corners[features.corner_body == body]
    world = corners @ machine.drawn[body][:, :3].T + machine.drawn[body][:, 3]
    tip, gripper = world[world[:, 0].argmax()], leader.gripper[:3, 3]
    inverse, n = np.linalg.inv(leader.mass), len(leader.mass)

    def force(state):
        moved, rate = leader.moves @ state[:n], leader.moves @ state[n:]
        arm = Rotation.from_rotvec(moved[3:]).apply(tip - gripper)
        at = gripper + moved[:3] + arm
        speed = rate[:3] + np.cross(rate[3:], arm)
        push = max(0.0, stiffness * at[0] + damping * speed[0]) if at[0] > 0 else 0.0
        across = np.array([0.0, speed[1], speed[2]])
        friction = -0.3 * push * across / np.sqrt(across @ across + SMOOTH**2)
        return np.array([-push, friction[1], friction[2]]), arm

    def rates(time, state):
        way, speed = machine.course.asked(time)
        pushed, arm = force(state)
        load = leader.push @ way[0] + leader.push_rate @ speed[0] - leader.stiffness @ state[:n]
        load += leader.moves.T @ np.concatenate([pushed, np.cross(arm, pushed)]) - leader.damping @ state[n:]
        return np.concatenate([state[n:], inverse @ load])

    whole = solve_ivp(
        rates,
        (0, TIMES[-1]),
        np.zeros(2 * n),
        method="BDF",
        rtol=1e-7,
        atol=1e-11,
        t_eval=TIMES,
        max_step=2e-3,
    )
    return np.array([force(state)[0] for state in whole.y.T])


def test_a_stiffer_spring_comes_tenfold_nearer_to_rigid_contact(rigid):
    steps = rigid.steps
    k = np.searchsorted(steps.times, TIMES - 1e-9) - 1
    forces = steps.totals[k, :3] / steps.lasted[k, None]
    assert -forces[-1, 0] > 50  # it presses
    slides = steps.statuses[k, 0]
    assert (slides == 2).all()  # and slides
    assert np.hypot(*forces[-1, 1:]) == pytest.approx(0.3 * -forces[-1, 0], rel=1e-6)
    off = [np.abs(by_spring(rigid, stiffness, 0.02 * stiffness) - forces).max() for stiffness in (1e6, 1e7)]
    assert off[0] / off[1] == pytest.approx(10, rel=0.2)
    assert off[1] < 0.02 * np.abs(forces).max()
