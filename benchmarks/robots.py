"""A PUMA 560 with an O-ring bolt, simulated seconds per second: the compiled steps against scipy's LSODA on
the same compiled right side, at like accuracy, and the whole run with that without contact.

`off` is the largest difference of the gripper's velocity from steps of accuracy 1e-9.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from scipy.integrate import solve_ivp

import detent
from benchmarks.harness import Contender, Table, race
from detent.library import law_room
from detent.motion.compliant.led import (
    compiled_laws,
    couple,
    led_connections,
    steps_of,
    total_force,
)
from detent.motion.leading import course_at, leader_of, plan_of

DOCUMENT = Path(__file__).parents[1] / "examples" / "robot_oring_far.toml"
UNTIL, ACCURACY = 2.0, 1e-5
LSODA = 1e-5, 1e-8  # relative, absolute: so that it is off by as much


def run(repeats: int) -> list[Table]:
    plan = plan_of(detent.load(DOCUMENT))
    leader = leader_of(plan.mechanism, plan)
    assert leader is not None
    connections = led_connections(plan, leader)
    system = couple(plan, leader, connections, until=UNTIL).system
    laws = compiled_laws(system)
    assert laws is not None
    arrays, course, n = laws.system(system), system.course.arrays, len(leader.mass)
    force, way, speed, room = np.zeros(n), np.zeros(3), np.zeros(3), law_room(n)
    push, follow, inverse = total_force.compiled, course_at.compiled, system.inverse_mass

    def rates(time: float, y: np.ndarray) -> np.ndarray:
        piece = max(int(np.searchsorted(course[0], time, "right")) - 1, 0)
        follow(course, time, piece, way, speed)
        push(arrays, y[:n], y[n:], way, speed, force, room)
        return np.concatenate([y[n:], inverse @ force])

    def lsoda() -> object:
        return solve_ivp(
            rates, (0.0, UNTIL), np.zeros(2 * n), method="LSODA", rtol=LSODA[0], atol=LSODA[1], max_step=0.01
        )

    times = np.linspace(0.0, UNTIL, 2001)
    exact = steps_of(system, UNTIL, 1e-9)[0].at(times)[1] @ leader.moves[:3].T
    ours = steps_of(system, UNTIL, ACCURACY)[0]
    solution = solve_ivp(
        rates,
        (0.0, UNTIL),
        np.zeros(2 * n),
        method="LSODA",
        rtol=LSODA[0],
        atol=LSODA[1],
        max_step=0.01,
        t_eval=times,
    )
    off = [np.abs(v @ leader.moves[:3].T - exact).max() for v in (ours.at(times)[1], solution.y[n:].T)]
    table = Table(f"coupling A, PUMA 560 and O-ring, {UNTIL:g} s, one core, warm", "simulated s", busy=True)
    table.rows.append(
        race(
            f"steps alone: {len(ours.times) - 1}, off {off[0]:.1e} m/s; LSODA {solution.nfev} calls, "
            f"off {off[1]:.1e}",
            [
                Contender("detent", lambda: steps_of(system, UNTIL, ACCURACY), int(UNTIL)),
                Contender("scipy LSODA", lsoda, int(UNTIL)),
            ],
            repeats,
        )
    )
    table.rows.append(
        race(
            "with and without contact, reach checked",
            [
                Contender("detent", lambda: couple(plan, leader, connections, until=UNTIL), int(UNTIL)),
                Contender("scipy LSODA", None, why="no such answer"),
            ],
            repeats,
        )
    )
    return [table]
