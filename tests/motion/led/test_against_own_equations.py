"""Led matings beside equations written down here: a mass led on a spring, its ring on rim, land and rim."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import detent
from tests.motion.led.tasks import CARRIER, machine, on_carrier, on_elastic_joint

MASS, STIFFNESS, DAMPING = 5.0, 60_000.0, 500.0
TUBE, GROOVE, RADIUS, ENTRY, EXIT, LAND = 1.575e-3, 10.2e-3, 13e-3, 1e-3, 10e-3, 15e-3
FRICTION, SMOOTH, BEFORE = 0.15, 2e-3, 23e-3
SPEED, WAY, RAMP = 0.05, 0.055, 0.5


def asked(t: float) -> tuple[float, float]:
    """The trapezoid."""
    up, lasts = SPEED / RAMP, WAY / SPEED + SPEED / RAMP
    if t < up:
        return RAMP * t * t / 2, RAMP * t
    if t < lasts - up:
        return SPEED * (t - up / 2), SPEED
    left = max(lasts - t, 0.0)
    return WAY - RAMP * left * left / 2, RAMP * left


def push_back(x: float, v: float) -> float:
    """On the ring along its way: Meitinger & Pfeiffer (28) to (32) without offset, expanding too."""
    depth = x - BEFORE
    if depth < 0:
        reach, away = TUBE + ENTRY, -depth
        if away >= reach:
            return 0.0
        sine = away / reach
        centre = RADIUS + ENTRY - math.sqrt(reach**2 - away**2)
    elif depth <= LAND:
        sine, centre = 0.0, RADIUS - TUBE
    else:
        reach, away = TUBE + EXIT, depth - LAND
        if away >= reach:
            return 0.0
        sine = -away / reach
        centre = RADIUS + EXIT - math.sqrt(reach**2 - away**2)
    squeeze = GROOVE + TUBE - centre
    if squeeze <= 0:
        return 0.0
    elastic = 16e6 * squeeze + 43e9 * squeeze**2
    cosine, share = math.sqrt(1 - sine**2), math.tanh(v / SMOOTH)
    m = FRICTION * share
    compressed = (1.0 if v >= 0 else -1.0) * (1.0 if sine >= 0 else -1.0) if sine else 1.0
    if sine == 0.0 and v < 0:  # it came over the exit's slope then: still squeezed together
        compressed = 1.0
    g = FRICTION * abs(share) * compressed
    axial = sine + m * cosine
    return -2 * math.pi * GROOVE * elastic * axial / (cosine - m * sine - g * abs(axial))


def own_run(times: Any, floor: float = math.inf, stiffness: float = 0.0) -> Any:
    """Place and speed of the mass; from `floor` on a spring and its damper hold it, and do not pull."""
    damping = 2 * math.sqrt(stiffness * MASS)

    def rates(t: float, y: Any) -> list[float]:
        way, speed = asked(t)
        force = STIFFNESS * (way - y[0]) + DAMPING * (speed - y[1]) + push_back(y[0], y[1])
        if y[0] > floor:
            force -= max(0.0, stiffness * (y[0] - floor) + damping * y[1])
        return [y[1], force / MASS]

    run = solve_ivp(
        rates, (0, times[-1]), [0.0, 0.0], method="LSODA", t_eval=times, rtol=1e-10, atol=1e-14, max_step=2e-4
    )
    return run.y


@pytest.fixture(scope="module")
def mating() -> Any:
    assert CARRIER["mass"] == MASS
    return detent.mate(machine(on_carrier(until=1.5)))


def test_place_speed_and_force_of_a_led_mass_follow_its_own_equation(mating: Any) -> None:
    columns = mating.columns()
    place, speed = own_run(columns["time [s]"])
    assert columns["travel [mm]"] == pytest.approx(1e3 * place, abs=3e-5)
    assert columns["vz [mm/s]"] == pytest.approx(1e3 * speed, abs=5e-3)
    force = [push_back(x, v) for x, v in zip(place, speed, strict=True)]
    assert columns["Fz [N]"] == pytest.approx(np.array(force), abs=0.02)
    assert min(force) < -200


def test_changes_of_contact_are_where_the_walls_meet(mating: Any) -> None:
    """On the axis the ring meets a wall's end where its own place is there."""
    events = {(event.before, event.after): event for event in mating.legs[0].events}
    inside = events[("block/1.-z:ring",), ("block/1.side:ring",)]
    outside = events[("block/1.side:ring",), ("block/1.+z:ring",)]
    assert inside.travel == pytest.approx(23, abs=1e-6)
    assert outside.travel == pytest.approx(38, abs=1e-6)
    deepest = (
        RADIUS + ENTRY - (GROOVE + TUBE)
    )  # on the rim it is touched where the centre's radius is its own
    first = 23 - 1e3 * math.sqrt((TUBE + ENTRY) ** 2 - deepest**2)
    assert mating.legs[0].events[0].travel == pytest.approx(first, abs=1e-6)


def test_energy_balances_and_the_balance_is_the_steps() -> None:
    """What the feet give is stored, damped or taken by the ring; coarse steps lose more of it."""
    from detent.motion.compliant.led import couple, energy_of, led_connections
    from detent.motion.leading import leader_of, plan_of

    plan = plan_of(machine(on_carrier((0.4, 0.3))))
    leader = leader_of(plan.mechanism, plan)
    assert leader is not None
    lost = {}
    for accuracy in (1e-3, 1e-6):
        run = couple(plan, leader, led_connections(plan, leader), accuracy=accuracy)
        account = energy_of(run)
        lost[accuracy] = np.abs(account.unbalanced).max() / account.input[-1]
        assert account.mating[-1] > 1  # J
    assert lost[1e-6] < 1e-6
    assert lost[1e-3] > 10 * lost[1e-6]


def test_a_carrier_and_the_same_spring_as_a_joint_say_the_same() -> None:
    one, other = (detent.mate(machine(task((0.4, -0.2)))) for task in (on_carrier, on_elastic_joint))
    assert other.leads == "elastic joint"
    assert other.largest_deviation == pytest.approx(one.largest_deviation, rel=1e-9)
    for name in ("vx [mm/s]", "vz [mm/s]", "Fx [N]", "Fz [N]", "wrench_my [N m]"):
        assert other.columns()[name] == pytest.approx(one.columns()[name], rel=1e-7, abs=1e-7)
    assert abs(one.columns()["wrench_my [N m]"]).max() > 0.1
