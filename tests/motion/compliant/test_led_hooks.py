"""A hook that a carrier is led onto: its law of place and velocity, and the slow limit of the whole run."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import detent
from detent.motion.compliant import connections_of
from detent.motion.leading import plan_of
from detent.numeric import bisect

# A keel along the push meets the hook in one point; the carrier is stiff beside the hook.
HOOK = """
format = "detent/1"
units = "mm"
dimension = 3

[parts.base]
fixed = true

[parts.hook]
shape = { prism = { outline = [[1, 0], [12, 0], [12, 0.5], [4, 3.5], [2.5, 3.5]], height = 4 }, moves = [
  { turn_deg = 90, about = "x" }, { move = [0, 2, 0] },
] }

[parts.keel]
shape = { prism = { outline = [[0, 1], [3, 3], [3, 5], [-3, 5], [-3, 3]], height = 6 }, moves = [
  { turn_deg = 90, about = "x" }, { turn_deg = 90, about = "z" }, { move = [14, 0, 0] },
] }
mass = 0.05
center = [17, 0, 3]
principal = [1e-5, 1e-5, 1e-5]
markers.grip = [17, 0, 3]

[joints.beam]
type = "elastic"
between = ["base", "hook"]
at = [0, 0, 0]
beam = { length = 40, height = [5, 2.7], width = 20, modulus = 2.7e9 }

[touching]
friction = 0.25
smooth = 0.5
"""
PUSHED = """
[drives.push]
part = "keel"
legs = [{ velocity = [-20, 0, 0], distance = 7 }]
"""
LED = """
[parts.robot]
library = "carrier"
pose.at = [17, 0, 3]
set = { stiffness = [1e8, 1e8, 1e8, 1e5, 1e5, 1e5], mass = 1, principal = [0.01, 0.01, 0.01] }

[joints.hold]
type = "fixed"
between = ["robot.flange", "keel.grip"]

[drives.push]
marker = "robot.flange"
legs = [{ velocity = [-20, 0, 0], distance = 11 }]

[ask.mate]
until = 0.55
"""


def law_and_place(shift: float):  # type: ignore[no-untyped-def]
    plan = plan_of(detent.loads(HOOK + PUSHED))
    (hook,) = connections_of(plan)
    place = plan.frame("keel")
    place[0, 3] -= shift
    return hook.law.smoothed(5e-4), place


def walked(law, place, velocity, ways):  # type: ignore[no-untyped-def]
    """Along the push, as a led run goes: to where contacts end, and on with what follows."""

    def at(way, before):  # type: ignore[no-untyped-def]
        here = place.copy()
        here[0, 3] -= way
        return law.load(here, velocity, before)

    load, last = at(0.0, None), 0.0
    for way in ways:
        while law.over(at(way, load)):
            _, last = bisect(lambda x, kept=load: not law.over(at(x, kept)), last, way, most=40)
            load = law.resumed(at(last, load))
        load, last = at(way, load), way
    return load


def test_far_above_the_smoothing_speed_the_law_is_the_quasi_static_push() -> None:
    law, place = law_and_place(0.0)
    load = walked(law, place, np.array([-0.02, 0, 0, 0, 0, 0]), np.linspace(0, 7e-3, 15))
    push = detent.mate(detent.loads(HOOK + PUSHED)).legs[0].force.peak_push
    assert load.force[0] == pytest.approx(push, rel=2e-3)  # contacts give way by 1e-3


def test_at_rest_there_is_no_friction_and_moving_back_turns_it_round() -> None:
    law, place = law_and_place(0.0)
    loads = [
        walked(law, place, np.array([v, 0, 0, 0, 0, 0]), np.linspace(0, 7e-3, 15)).force
        for v in (-0.02, 0.0, 0.02)
    ]
    pushes = [load[0] for load in loads]
    assert pushes[0] > pushes[1] > pushes[2]
    friction_free = HOOK.replace("friction = 0.25", "friction = 0")
    push = detent.mate(detent.loads(friction_free + PUSHED)).legs[0].force.peak_push
    assert pushes[1] == pytest.approx(push, rel=2e-3)


def test_a_counterpart_that_turns_a_little_meets_the_hook_where_its_corner_goes() -> None:
    """About y, by 1 mrad: the keel's first corner sinks by its distance from the origin."""
    law, place = law_and_place(0.0)
    still = np.zeros(6)
    straight = walked(law, place, still, np.linspace(0, 6e-3, 13))
    angle, corner = 1e-3, np.array([14e-3, 0.0, 1e-3])
    turn = np.array([[np.cos(angle), 0, np.sin(angle)], [0, 1, 0], [-np.sin(angle), 0, np.cos(angle)]])
    here = place.copy()
    here[0, 3] -= 6e-3
    here[:3, :3] = turn
    turned = law.load(here, still, straight)
    moved = place.copy()
    moved[:3, 3] += turn @ corner - corner - [6e-3, 0, 0]
    same = law.load(moved, still, straight)
    assert np.allclose(turned.force, same.force, rtol=1e-6)
    assert abs(turned.force[0] / straight.force[0] - 1) > 1e-3


def test_led_slowly_by_a_stiff_carrier_the_force_is_the_quasi_static_one_on_both_sides_of_a_jump() -> None:
    led = detent.mate(detent.loads(HOOK + LED))
    columns = led.columns()
    travel, push = columns["travel [mm]"], columns["push [N]"]
    guided = detent.mate(detent.loads(HOOK + PUSHED.replace("distance = 7", "distance = 11"))).legs[0]
    rows = np.array(guided.force.curve_travel_push_lift)
    jump = next(event for event in guided.events if event.kind == "snap")
    located = next(event for event in led.legs[0].events if event.kind == "snap")
    assert located.travel == pytest.approx(jump.travel, abs=0.01)
    lost, expected_lost = (float(event.detail.split()[0]) for event in (located, jump))
    assert lost == pytest.approx(expected_lost, rel=0.02)
    jump = jump.travel
    for settled in ((travel > 4.5) & (travel < jump - 0.02), (travel > jump + 0.02) & (travel < 10.9)):
        assert settled.sum() > 30
        expected = np.interp(travel[settled], rows[:, 0], rows[:, 1])
        assert np.abs(push[settled] / expected - 1).max() < 3e-3
    assert led.energy.unbalanced < 2e-3 * led.energy.input
    assert columns["beam.stress [Pa]"].max() == pytest.approx(guided.bending[0].stress, rel=5e-3)


# A hook on a hinge spring, a blade whose tip meets its ramp, then its flat top.
HINGED = """
format = "detent/1"
units = "mm"
dimension = 3

[parts.base]
fixed = true

[parts.hook]
shape = { prism = { height = 4, outline = [
  [1, 0], [12, 0], [12, 0.5], [6, 2.5], [3, 2.5], [3, 0.4], [1, 0.4],
] }, moves = [
  { turn_deg = 90, about = "x" }, { move = [0, 2, 0] },
] }

[parts.blade]
shape = { prism = { outline = [[14, 1.2], [11.9, 4], [11.9, 8], [9, 8], [11.2, 4]], height = 10 }, moves = [
  { turn_deg = 90, about = "x" }, { move = [0, 5, 0] },
] }
mass = 0.05
center = [14, 0, 3]
principal = [1e-5, 1e-5, 1e-5]
markers.grip = [14, 0, 3]

[joints.beam]
type = "elastic"
between = ["base", "hook"]
at = [0, 0, 0]
free = ["turn_y"]
stiffness = [[0.3]]

[touching]
friction = 0.3
smooth = 5
pairs."blade:hook" = { friction = 0.3, stiffness = 2e6 }

[parts.robot]
library = "carrier"
pose.at = [14, 0, 3]
set = { stiffness = [2e4, 1e8, 1e8, 1e5, 1e5, 1e5], mass = 0.95, principal = [0.01, 0.01, 0.01] }

[joints.hold]
type = "fixed"
between = ["robot.flange", "blade.grip"]

[drives.push]
marker = "robot.flange"
legs = [{ velocity = [-20, 0, 0], distance = 12 }]

[ask.mate]
until = 0.6
"""


def regularised(until: float):  # type: ignore[no-untyped-def]
    """Travel, push, angle over time: a hook with a little inertia and damping, two corners as one penalty.

    Nothing of the library: lines of the section, one coordinate of the carrier, LSODA.
    """
    stiffness, inertia, damping, hinge = 4e6, 1e-8, 1e-5, 0.3
    friction, smooth, mass, feet = 0.3, 5e-3, 1.0, 2e4
    damps = 2 * 0.6 * np.sqrt(feet * mass)
    ramp, edge, end = (np.array(at) * 1e-3 for at in ((12, 0.5), (6, 2.5), (3, 2.5)))
    slope = np.array([2.0, 6.0]) / np.hypot(2.0, 6.0)
    flat = np.array([0.0, 1.0])

    def on_hook(x: float, v: float, angle: float, rate: float):  # type: ignore[no-untyped-def]
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        tip = np.array([14e-3 - x, 1.2e-3])
        local = turn.T @ tip
        gaps = [slope @ (local - ramp), flat @ (local - edge), end[0] - local[0]]
        face = int(np.argmax(gaps))
        if gaps[face] >= 0 or face == 2:
            return np.zeros(2), tip
        normal = turn @ (slope, flat)[face]
        sliding = rate * np.array([-tip[1], tip[0]]) - np.array([-v, 0.0])
        sliding -= normal * (sliding @ normal)
        speed = np.hypot(*sliding)
        pressure = -stiffness * gaps[face]
        rubs = friction * pressure * np.tanh(speed / smooth) / speed if speed > 0 else 0.0
        return -pressure * normal - rubs * sliding, tip

    def rates(time: float, y):  # type: ignore[no-untyped-def]
        force, tip = on_hook(*y)
        x, v, angle, rate = y
        torque = tip[0] * force[1] - tip[1] * force[0] - hinge * angle - damping * rate
        return [v, (feet * (0.02 * time - x) + damps * (0.02 - v) + force[0]) / mass, rate, torque / inertia]

    grid = np.linspace(0, until, 401)
    found = solve_ivp(
        rates, (0, until), np.zeros(4), method="LSODA", rtol=1e-7, atol=[1e-10, 1e-8, 1e-8, 1e-6],
        max_step=5e-4, t_eval=grid,
    )  # fmt: skip
    return grid, found.y[0], np.array([-on_hook(*y)[0][0] for y in found.y.T]), -found.y[2]


def test_a_regularised_hook_comes_to_the_same_on_both_sides_of_the_edge_of_its_ramp() -> None:
    led = detent.mate(detent.loads(HINGED))
    columns = led.columns()
    edge = next(event for event in led.legs[0].events if "hook/0.f3" in event.after[0])
    assert led.energy.unbalanced < 1e-4 * led.energy.input
    time, travel, push, angle = regularised(0.57)
    first = led.legs[0].events[0].time
    away = (np.abs(time - edge.time) > 4e-3) & (np.abs(time - first) > 4e-3)
    own = {"travel [mm]": 1e3 * travel, "beam.turn_y [rad]": angle, "push [N]": push}
    for name, expected in own.items():
        found = np.interp(time, columns["time [s]"], columns[name])
        assert np.abs(found - expected)[away].max() < 5e-3 * np.abs(expected).max(), name
    before, after = (np.interp(edge.time + dt, time, push) for dt in (-4e-3, 4e-3))
    assert before > 1.8 * after  # the load jumps there


# The hook of HOOK in space, giving way in all six directions; the keel on springs of a carrier or of a joint.
SIX = HOOK.replace(
    "beam = { length = 40, height = [5, 2.7], width = 20, modulus = 2.7e9 }",
    "stiffness = [3e5, 4e5, 9e4, 60, 40, 50]",
)
SPRINGS = "stiffness = [1e6, 1e6, 1e6, 1e3, 1e3, 1e3]"
DAMPING = "damping = [200, 200, 200, 0.2, 0.2, 0.2]"
ALONG = """
[drives.push]
{pushed}
legs = [{{ velocity = [{speed}, 0, 0], distance = 11 }}]

[ask.mate]
until = 0.22
"""
ON_CARRIER = f"""
[parts.robot]
library = "carrier"
pose.at = [17, 0, 3]
set = {{ {SPRINGS}, {DAMPING}, mass = 1e-9, principal = [1e-14, 1e-14, 1e-14] }}

[joints.hold]
type = "fixed"
between = ["robot.flange", "keel.grip"]
"""
ON_JOINT = f"""
[parts.slider]

[joints.spring]
type = "elastic"
between = ["slider", "keel"]
at = [17, 0, 3]
{SPRINGS}
{DAMPING}
"""


def columns_of(document: str, pushed: str, speed: float = -20):  # type: ignore[no-untyped-def]
    answer = detent.mate(detent.loads(document + ALONG.format(pushed=pushed, speed=speed)))
    assert any(leg.contacts for leg in answer.legs)
    return answer.columns()


def test_a_part_on_an_elastic_joint_meets_a_hook_as_one_on_a_carrier_of_the_same_springs() -> None:
    carried = columns_of(SIX + ON_CARRIER, 'marker = "robot.flange"')
    jointed = columns_of(SIX + ON_JOINT, 'part = "slider"')
    for name in ("push [N]", "travel [mm]", "Fz [N]", "beam.z [mm]"):
        assert np.abs(carried[name] - jointed[name]).max() < 1e-5 * np.abs(carried[name]).max(), name


def test_a_hook_that_is_led_onto_what_stands_meets_it_as_what_is_led_onto_the_hook_does() -> None:
    """Its support is held, on a stiff joint: the same way past each other, the same push."""
    stiff = ON_JOINT.replace(SPRINGS, "stiffness = [1e8, 1e8, 1e8, 1e5, 1e5, 1e5]")
    stiff = stiff.replace(DAMPING, "damping = [1e4, 1e4, 1e4, 10, 10, 10]")
    met = columns_of(SIX + stiff, 'part = "slider"')
    weighed = "mass = 0.05\ncenter = [17, 0, 3]\nprincipal = [1e-5, 1e-5, 1e-5]"
    led = SIX.replace(weighed, "fixed = true").replace(
        "[parts.base]\nfixed = true", "[parts.base]\n" + weighed
    )
    held = columns_of(led + stiff.replace('"keel"', '"base"'), 'part = "slider"', speed=20)
    assert np.abs(held["push [N]"] - met["push [N]"]).max() < 1e-3 * met["push [N]"].max()


def test_a_hook_that_goes_with_the_pushed_part_beside_what_is_led_is_refused_by_its_joint() -> None:
    beside = """
[parts.second]
shape = { block = [3, 3, 3], moves = [{ move = [60, 0, 0] }] }

[parts.stand]
fixed = true
shape = { block = [3, 3, 3], moves = [{ move = [40, 0, 0] }] }

[joints.extra]
type = "elastic"
between = ["slider", "second"]
at = [60, 0, 0]
stiffness = [1e5, 1e5, 1e5, 10, 10, 10]
"""
    document = SIX + ON_JOINT + beside + ALONG.format(pushed='part = "slider"', speed=-20)
    with pytest.raises(detent.UnsupportedError, match=r"joints\.extra: its hook 'second' goes with 'slider'"):
        detent.mate(detent.loads(document))


def test_joints_that_name_the_pushed_part_last_are_told_how_to_name_it() -> None:
    turned = ON_JOINT.replace('["slider", "keel"]', '["keel", "slider"]')
    document = SIX + turned + ALONG.format(pushed='part = "slider"', speed=-20).replace("until = 0.22", "")
    with pytest.raises(detent.UnsupportedError, match="names in `between` first what is pushed"):
        detent.mate(detent.loads(document))


FACING = """
format = "detent/1"
units = "mm"
dimension = 3

[materials.plastic]
modulus = 2700000000
strain_once = 0.04

[parts.base]
fixed = true

[parts.lower]
material = "plastic"
shape = { prism = { outline = [[1, 0], [12, 0], [12, 0.5], [4, 3.5], [2.5, 3.5]], height = 4 }, moves = [
  { turn_deg = 90, about = "x" }, { move = [0, 2, 0] },
] }

[parts.block]
shape = { block = [6, 4, 8], moves = [{ move = [14, -2, 1] }] }
mass = 0.05
center = [17, 0, 5]
principal = [1e-5, 1e-5, 1e-5]
markers.grip = [17, 0, 5]

[joints.lower_beam]
type = "elastic"
between = ["base", "lower"]
at = [0, 0, 0]
beam = { length = 40, height = [5, 2.7], width = 20 }

[touching]
friction = 0.25
smooth = 0.5

[parts.robot]
library = "carrier"
pose.at = [17, 0, 5]
set = { stiffness = [1e8, 1e8, 1e8, 1e5, 1e5, 1e5], mass = 1, principal = [0.01, 0.01, 0.01] }

[joints.hold]
type = "fixed"
between = ["robot.flange", "block.grip"]

[drives.push]
marker = "robot.flange"
legs = [{ velocity = [-20, 0, 0], distance = 6 }]

[ask.mate]
until = 0.3
"""
UPPER = """
[parts.upper]
material = "plastic"
shape = { prism = { outline = [[1, 10], [2.5, 6.5], [4, 6.5], [12, 9.5], [12, 10]], height = 4 }, moves = [
  { turn_deg = 90, about = "x" }, { move = [0, 2, 0] },
] }

[joints.upper_beam]
type = "elastic"
between = ["base", "upper"]
at = [0, 0, 10]
beam = { length = 40, height = [5, 2.7], width = 20 }
"""


def test_two_hooks_that_face_each_other_take_twice_the_push_and_leave_nothing_across() -> None:
    one, two = (detent.mate(detent.loads(FACING + more)) for more in ("", UPPER))
    alone, both = one.legs[0].force, two.legs[0].force
    assert both.peak_push == pytest.approx(2 * alone.peak_push, rel=2e-3)  # the carrier is stiff, not rigid
    assert both.lateral < 1e-6 * both.peak_push < alone.lateral
    assert [each.joint for each in two.legs[0].bending] == ["lower_beam", "upper_beam"]
    columns = two.columns()
    for bent in two.legs[0].bending:
        assert bent.stress == pytest.approx(columns[f"{bent.joint}.stress [Pa]"].max(), rel=5e-3)
        assert bent.safety_once == pytest.approx(0.04 * 2.7e9 / bent.stress)
