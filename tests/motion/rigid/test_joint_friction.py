"""Coulomb friction in joints beside closed forms: run-down, slopes from both sides, swings, energy."""

from __future__ import annotations

import math

import numpy as np
import pytest

import detent
from detent.foundation import ModelError, UnsupportedError
from detent.model.editing import SetUnits, edited
from detent.motion import Rigid

G = 9.81


def ran(text: str, until: float, **more):
    document = detent.loads('format = "detent/1"\n' + text)
    return detent.run(document, until=until, method=Rigid(accuracy=1e-8), **more)


def assert_balanced(running, moved, rel=1e-6):
    energy = running.energy
    total = energy["stored"] + energy["dissipated"] + energy["impact"] - energy["input"]
    assert np.ptp(total) < rel * moved


def flywheel() -> str:
    return f"""
    units = "mm"
    gravity = [0, -{G}]
    [parts.frame]
    fixed = true
    [parts.wheel]
    mass = 4
    center = [0, 0]
    inertia = 0.02
    [joints.axle]
    type = "revolute"
    between = ["frame", "wheel"]
    at = [0, 0]
    friction = {{ coefficient = 0.2, radius = 5 }}
    [start]
    axle = {{ speed = 10 }}
    """


def test_a_flywheel_runs_down_in_its_time_and_stays():
    running = ran(flywheel(), 10.0)
    slows = 0.2 * 0.005 * 4 * G / 0.02
    stops = 10 / slows
    assert stops < 8
    t = np.minimum(running.times, stops)
    assert running.states["axle"] == pytest.approx(10 * t - 0.5 * slows * t**2, abs=1e-6)
    assert np.abs(running.velocities["axle"][running.times > stops + 0.1]).max() < 1e-12
    assert running.energy["dissipated"][-1] == pytest.approx(0.5 * 0.02 * 100, rel=1e-7)
    assert_balanced(running, 1.0)
    assert running.steps < 60


@pytest.mark.parametrize("coefficient", [0.57, 0.58])
def test_a_slide_on_a_slope_sticks_above_the_tangent_and_slides_below(coefficient):
    c, s = math.cos(math.pi / 6), math.sin(math.pi / 6)
    running = ran(
        f"""
        units = "m"
        gravity = [0, -{G}]
        [parts.slope]
        fixed = true
        [parts.sledge]
        mass = 3
        center = [0, 0]
        inertia = 1
        [joints.way]
        type = "prismatic"
        between = ["slope", "sledge"]
        at = [0, 0]
        along = [{c}, {-s}]
        friction = {{ coefficient = {coefficient} }}
        """,
        2.0,
    )
    gain = max(0.0, G * (s - coefficient * c))
    assert (gain > 0) == (coefficient < math.tan(math.pi / 6))
    assert running.states["way"] == pytest.approx(0.5 * gain * running.times**2, abs=1e-7)
    assert running.energy["dissipated"][-1] == pytest.approx(coefficient * 3 * G * c * 2 * gain, abs=1e-6)


def test_a_pendulum_loses_its_closed_form_angle_each_swing():
    """With a small radius the pin carries m (g cos a + l w^2): the loss of a half swing is its integral."""
    length, grip = 0.5, 1e-4  # coefficient times radius [m]
    running = ran(
        f"""
        units = "m"
        gravity = [0, -{G}]
        [parts.ground]
        fixed = true
        [parts.bob]
        mass = 2
        center = [0, -{length}]
        inertia = 0
        [joints.pin]
        type = "revolute"
        between = ["ground", "bob"]
        at = [0, 0]
        friction = {{ coefficient = 0.1, radius = {grip / 0.1} }}
        [start]
        pin = {{ at = 1.0 }}
        """,
        1.0,
        every=1e-3,
    )
    # Work of the pin over a half swing, over m g: its load is m g (3 cos a - 2 cos 1), and g sin a / 4 of
    # the tangent drops out for a point mass, whose weight alone accelerates it.
    loss = grip * (3 * 2 * math.sin(1.0) - 2 * 2 * math.cos(1.0))
    end = math.acos(math.cos(1.0) + loss / length)
    assert running.states["pin"].min() == pytest.approx(-end, abs=20 * (grip / length) ** 2)
    assert_balanced(running, 2 * G * length, 1e-7)


def test_a_pendulum_stands_within_its_cone_of_friction():
    """It sticks where the weight's torque is within friction: sin(angle) l <= grip, from both sides."""

    def bob(angle):
        return f"""
        units = "m"
        gravity = [0, -{G}]
        [parts.ground]
        fixed = true
        [parts.bob]
        mass = 2
        center = [0, -0.5]
        inertia = 0.01
        [joints.pin]
        type = "revolute"
        between = ["ground", "bob"]
        at = [0, 0]
        friction = {{ coefficient = 0.5, radius = 0.1 }}
        [start]
        pin = {{ at = {angle} }}
        """  # fmt: skip

    edge = math.asin(0.5 * 0.1 / 0.5)
    held = ran(bob(0.999 * edge), 3.0)
    assert np.ptp(held.states["pin"]) < 1e-12
    goes = ran(bob(1.001 * edge), 3.0)
    assert np.ptp(goes.states["pin"]) > 1e-5
    swings = ran(bob(0.8), 20.0)
    assert abs(swings.states["pin"][-1]) < edge
    assert np.abs(swings.velocities["pin"][-50:]).max() < 1e-10
    assert_balanced(swings, 2 * G * 0.5)


def test_a_crank_engine_slows_down_by_the_friction_of_its_pins_and_its_slide():
    """Joints of the tree and one that closes a loop: the same machine with the loop cut elsewhere."""
    parts = """
    units = "m"
    gravity = [0, -9.81]
    [parts.ground]
    fixed = true
    markers = { O = [0, 0], S = { at = [0, 0], along = [1, 0] } }
    [parts.crank]
    markers = { O = [0, 0], P = [0.3, 0] }
    pose = { turn_deg = 90 }
    mass = 1
    center = [0.1, 0]
    inertia = 0.2
    [parts.rod]
    pose = { at = [0, 0.3], along = [4, -3] }
    markers = { P = [0, 0], Q = [0.5, 0] }
    mass = 1
    center = [0.2, 0]
    inertia = 0.01
    [parts.piston]
    pose = { at = [0.4, 0] }
    markers = { Q = { at = [0, 0], along = [1, 0] } }
    mass = 1
    center = [0, 0]
    inertia = 0.01
    """
    joints = {
        "O": '[joints.O]\ntype = "revolute"\nbetween = ["ground.O", "crank.O"]\n'
        "friction = { coefficient = 0.2, radius = 0.02 }\n",
        "P": '[joints.P]\ntype = "revolute"\nbetween = ["crank.P", "rod.P"]\n'
        "friction = { coefficient = 0.2, radius = 0.01 }\n",
        "Q": '[joints.Q]\ntype = "revolute"\nbetween = ["rod.Q", "piston.Q"]\n'
        "friction = { coefficient = 0.2, radius = 0.01 }\n",
        "S": '[joints.S]\ntype = "prismatic"\nbetween = ["ground.S", "piston.Q"]\n'
        "friction = { coefficient = 0.1 }\n",
    }
    start = "[start]\nO = { speed = 8 }\n"
    one = ran(parts + "".join(joints[k] for k in "OPQS") + start, 1.5)
    other = ran(parts + "".join(joints[k] for k in "SOQP") + start, 1.5)
    assert one.run.evidence.tree.closing[0].name != other.run.evidence.tree.closing[0].name
    assert one.states["O"] == pytest.approx(other.states["O"], abs=2e-6)
    assert one.energy["dissipated"][-1] == pytest.approx(other.energy["dissipated"][-1], rel=1e-5)
    # What joints carry by Newton's and Euler's equations of every part, times their speeds.
    grips = {"O": 0.2 * 0.02, "P": 0.2 * 0.01, "Q": 0.2 * 0.01}
    loads = {name: np.hypot(*one.reactions[name][:, :2].T) for name in grips}
    power = sum(grip * loads[name] * np.abs(one.velocities[name]) for name, grip in grips.items())
    power = power + 0.1 * np.abs(one.reactions["S"][:, 1] * one.velocities["S"])
    assert np.trapezoid(power, one.times) == pytest.approx(one.energy["dissipated"][-1], rel=1e-3)
    assert one.energy["dissipated"][-1] > 0.2
    assert_balanced(one, 10)


def test_friction_in_joints_is_asked_for_in_full():
    pin = flywheel()
    for text, at in (
        (pin.replace(", radius = 5", ""), "joints.axle.friction.radius"),
        (pin.replace("0.2,", "-0.2,"), "joints.axle.friction.coefficient"),
        (pin.replace('"revolute"', '"fixed"').replace("axle = { speed = 10 }", ""), "joints.axle.friction"),
    ):
        with pytest.raises(ModelError) as caught:
            detent.loads('format = "detent/1"\n' + text)
        assert at in [problem.at for problem in caught.value.problems]


def test_a_linkage_that_is_moved_names_the_friction_that_it_leaves_out():
    document = detent.load("four_bar").to_dict()
    name = next(iter(document["joints"]))
    document["joints"][name]["friction"] = {"coefficient": 0.1, "radius": 2}
    motion = detent.move(detent.from_dict(document))
    assert f"joints.{name}.friction" in motion.scope.left_out


def test_units_change_the_radius_with_the_other_lengths():
    mechanism = detent.loads('format = "detent/1"\n' + flywheel())
    in_metres = edited(mechanism, SetUnits("m", "size"))
    assert float(in_metres.joints["axle"].friction.radius) == pytest.approx(0.005)


def geared(small: float) -> str:
    """A lever on a wheel of 24 mm, geared to one of 12 mm; friction of the second pin as given."""
    return f"""
    units = "mm"
    gravity = [0, -{G}]
    [parts.frame]
    fixed = true
    [parts.big]
    mass = 0.05
    center = [-0.3, 0]
    inertia = 1e-5
    [parts.small]
    mass = 0.01
    center = [36, 0]
    inertia = 1e-6
    [joints.first]
    type = "revolute"
    between = ["frame", "big"]
    at = [0, 0]
    friction = {{ coefficient = 0.15, radius = 3 }}
    [joints.second]
    type = "revolute"
    between = ["frame", "small"]
    at = [36, 0]
    friction = {{ coefficient = {small}, radius = 2 }}
    [joints.mesh]
    type = "gear"
    between = ["big", "small"]
    ratio = -2
    """


def test_friction_of_two_geared_pins_at_rest_can_hold_a_load_in_more_than_one_way():
    # The first pin could hold it alone: 0.15 · 3 mm is more than 0.3 mm, each times its weight. So can both.
    running = ran(geared(0.15), 1.0)
    assert np.ptp(running.states["first"]) < 1e-12
    (words,) = [words for words in running.notes if "friction of" in words]
    assert "first and second" in words
    assert "more than one way" in words
    both = running.reactions["first"][-1][2] - 2 * running.reactions["second"][-1][2]
    assert abs(both) == pytest.approx(0.05 * G * 0.3e-3, rel=1e-6)  # whichever way it is divided


@pytest.mark.parametrize("text", [geared(0), flywheel().replace("speed = 10", "speed = 0")])
def test_friction_of_one_pin_at_rest_is_what_it_must_be(text):
    running = ran(text, 1.0)
    assert not [words for words in running.notes if "friction of" in words]


@pytest.mark.parametrize(("weight", "said"), [("0, 0, -10", True), ("0, -10, 0", False)])
def test_weight_across_the_plane_is_named_where_it_would_rub(weight: str, said: bool):
    running = ran(
        f"""
        dimension = 3
        gravity = [{weight}]
        [parts.base]
        fixed = true
        [parts.sled]
        mass = 2
        center = [0, 0, 0]
        [joints.S]
        type = "prismatic"
        between = ["base", "sled"]
        at = [0, 0, 0]
        along = [1, 0, 0]
        friction = {{ coefficient = 0.2 }}
        [start]
        S = {{ speed = 3 }}
        """,
        3.0,
    )
    named = "what weight across the plane of motion adds to friction in S"
    assert (named in running.scope.left_out) is said
    # in the plane the weight rubs: 3 m/s, slowed by 0.2 g, go 2.25 m
    assert running.states["S"][-1] == pytest.approx(9.0 if said else 2.25, abs=1e-6)


def cranks(places: tuple[float, ...], rubs: str) -> str:
    """A rod on parallel cranks of 40 mm, which three hold once more than two do."""
    text = """
        units = "mm"
        [parts.frame]
        fixed = true
        [parts.rod]
        mass = 1
        center = [130, 40]
        inertia = 0.008
        """
    for k, x in enumerate(places):
        friction = "friction = { coefficient = 0.1, radius = 4 }" if f"A{k}" == rubs else ""
        text += f"""
        [parts.c{k}]
        inertia = 1e-4
        [joints.A{k}]
        type = "revolute"
        between = ["frame", "c{k}"]
        at = [{x}, 0]
        {friction}
        [joints.B{k}]
        type = "revolute"
        between = ["c{k}", "rod"]
        at = [{x}, 40]
        """
    return text + "[start]\nA0 = { speed = 4 }\n"


def test_friction_by_a_load_that_statics_leaves_open_is_refused():
    with pytest.raises(UnsupportedError, match="other joints can carry the same") as refused:
        ran(cranks((0, 100, 250), "A1"), 0.3)
    assert "joints.A1.friction" in str(refused.value)
    free = ran(cranks((0, 100, 250), ""), 0.3)
    assert free.states["A0"][-1] == pytest.approx(1.2, abs=1e-6)  # no weight: it keeps its speed
    rubbed = ran(cranks((0, 100), "A1"), 0.3)  # two cranks: what each carries is known
    assert 0 < rubbed.states["A0"][-1] < 1.2
    assert_balanced(rubbed, 0.5 * (2e-4 + 0.04**2) * 16)


def test_a_parallelogram_that_rubs_jams_short_of_its_change_point():
    """Near it the rod turns a crank by a lever that vanishes: the load by which its pin rubs has no bound.

    The friction of 0.1 times 4 mm is the whole of a lever of 40 mm times sin 0.57 degrees.
    """
    text = cranks((0, 100), "A0").replace("A0 = { speed = 4 }", "A0 = { speed = 4, at_deg = 85 }")
    running = ran(text, 0.1)
    assert running.stop.cause == "jam"
    at = math.degrees(running.states["A0"][-1])
    assert 85 < 90 - 2 * 0.57 < at < 90
    assert all(np.isfinite(column).all() for column in running.states.values())
    free = ran(text.replace("coefficient = 0.1", "coefficient = 0"), 0.1)
    assert free.states["A0"][-1] == pytest.approx(math.radians(85) + 0.4, abs=1e-6)
