"""Reactions of joints and forces of contacts in a run, beside closed forms and Newton's law by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

import detent
from detent.motion import Penalty, Rigid

G = 9.81
FRAME = """
format = "detent/1"
units = "m"
gravity = [0, -9.81]
[parts.ground]
fixed = true
"""


def ran(text: str, until: float, method=None, **more):
    return detent.run(detent.loads(FRAME + text), until=until, method=method or Rigid(accuracy=1e-8), **more)


PENDULUM = """
[parts.bob]
mass = 1.7
center = [0, -0.3]
inertia = 0.02
[joints.pin]
type = "revolute"
between = [{between}]
at = [0, 0]
damping = 0.1
spring = {{ stiffness = 0.4, rest = 0.2 }}
[start]
pin = {{ at = {at}, speed = {speed} }}
"""


@pytest.mark.parametrize("method", [Rigid(accuracy=1e-8), Penalty(accuracy=1e-6)])
@pytest.mark.parametrize("swapped", [False, True])
def test_the_pin_of_a_pendulum_carries_its_weight_and_its_centrifugal_force(method, swapped):
    between, sign = ('"bob", "ground"', -1) if swapped else ('"ground", "bob"', 1)
    running = ran(PENDULUM.format(between=between, at=sign * 1.1, speed=sign * 2), 1.5, method)
    angle, speed = sign * running.states["pin"], sign * running.velocities["pin"]
    mass, length, inertia = 1.7, 0.3, 0.02
    moment = -0.1 * speed - 0.4 * (angle - sign * 0.2)
    turning = (moment - mass * G * length * np.sin(angle)) / (inertia + mass * length**2)
    out, along = (np.sin(angle), -np.cos(angle)), (np.cos(angle), np.sin(angle))
    pull = mass * G * np.cos(angle) + mass * speed**2 * length
    across = mass * G * np.sin(angle) + mass * length * turning
    on_bob = np.column_stack([-pull * out[k] + across * along[k] for k in range(2)])
    near = 1e-6 * mass * G if isinstance(method, Rigid) else 1e-3 * mass * G
    assert sign * running.reactions["pin"][:, :2] == pytest.approx(on_bob, abs=near)
    assert sign * running.reactions["pin"][:, 2] == pytest.approx(moment, abs=1e-9)
    about_pin = (inertia + mass * length**2) * turning
    assert running.torques["bob"] == pytest.approx(about_pin, abs=near)


ENGINE = """
[parts.crank]
mass = 2
center = [0.04, 0.01]
inertia = 0.003
[parts.rod]
mass = 1
center = [0.2, 0]
inertia = 0.005
[parts.piston]
mass = 0.6
center = [0.41, 0]
inertia = 0.001
[joints.main]
type = "revolute"
between = ["ground", "crank"]
at = [0, 0]
damping = 0.02
[joints.big]
type = "revolute"
between = ["crank", "rod"]
at = [0.1, 0]
[joints.small]
type = "revolute"
between = ["rod", "piston"]
at = [0.4, 0]
[joints.bore]
type = "prismatic"
between = ["ground", "piston"]
at = [0.4, 0]
along = [1, 0]
[start]
main = { speed = 12 }
"""


def full_coordinates(row: np.ndarray, spins: np.ndarray, damping: float):
    """Accelerations and forces of the engine from its 9 coordinates: masses, 8 rows of joints, solved."""
    masses, inertias = (2, 1, 0.6), (0.003, 0.005, 0.001)
    centres = ((0.04, 0.01), (0.2, 0), (0.41, 0))
    turn = [np.array([[math.cos(a), -math.sin(a)], [math.sin(a), math.cos(a)]]) for a in row[2::3]]

    def arm(body, at):
        """From a body's centre to a point that is drawn at `at`."""
        return turn[body] @ (np.array(at) - centres[body])

    rows, right = np.zeros((8, 9)), np.zeros(8)
    joints = [(None, 0, (0, 0)), (0, 1, (0.1, 0)), (1, 2, (0.4, 0))]
    for k, (a, b, at) in enumerate(joints):
        for body, sign in ((b, 1.0), (a, -1.0)):
            if body is None:
                continue
            x, y = arm(body, at)
            rows[2 * k : 2 * k + 2, 3 * body : 3 * body + 3] += sign * np.array([[1, 0, -y], [0, 1, x]])
            right[2 * k : 2 * k + 2] += sign * spins[body] ** 2 * np.array([x, y])
    rows[6, 6:9] = 0, 1, arm(2, (0.4, 0))[0]
    right[6] = spins[2] ** 2 * arm(2, (0.4, 0))[1]
    rows[7, 8] = 1
    mass = np.diag(np.concatenate([(m, m, i) for m, i in zip(masses, inertias, strict=True)]))
    force = np.concatenate([(0, -m * G, 0) for m in masses])
    force[2] -= damping * spins[0]
    whole = np.block([[mass, -rows.T], [rows, np.zeros((8, 8))]])
    solved = np.linalg.solve(whole, np.concatenate([force, right]))
    return solved[:9], solved[9:]


def test_an_engine_runs_and_loads_its_joints_as_in_full_coordinates():
    running = ran(ENGINE, 0.6, every=0.05)
    poses = running.run.evidence.trajectory_at(running.times)
    for k in range(len(running.times)):
        angles = [poses.poses[part][k][2] for part in ("crank", "rod", "piston")]
        spins = np.array([poses.velocities[part][k][2] for part in ("crank", "rod", "piston")])
        row = np.zeros(9)
        row[2::3] = angles
        _, carried = full_coordinates(row, spins, 0.02)
        expected = {"main": carried[0:2], "big": carried[2:4], "small": carried[4:6]}
        size = np.abs(carried).max()
        for joint, force in expected.items():
            assert running.reactions[joint][k, :2] == pytest.approx(force, abs=1e-5 * size), joint
        bore = running.reactions["bore"][k]
        assert bore == pytest.approx([0, carried[6], carried[7]], abs=1e-5 * size)


def test_forces_on_a_part_add_up_to_its_mass_times_its_acceleration():
    """By differences of the trajectory, which know nothing of forces."""
    step = 1e-4
    times = [t + d * step for t in (0.11, 0.25, 0.4) for d in (-1, 0, 1)]
    running = ran(ENGINE, 0.6, times=times)
    poses = running.run.evidence.trajectory_at(running.times)
    rod = poses.poses["rod"]
    centre = rod[:, :2] + 0.2 * np.column_stack([np.cos(rod[:, 2]), np.sin(rod[:, 2])])
    for k in range(1, len(times), 3):
        acceleration = (centre[k - 1] - 2 * centre[k] + centre[k + 1]) / step**2
        force = running.reactions["big"][k, :2] - running.reactions["small"][k, :2] + [0, -G]
        assert force == pytest.approx(acceleration, rel=1e-3, abs=1e-3 * np.abs(acceleration).max())


def test_a_drive_at_a_speed_gives_what_the_crank_takes():
    text = (
        PENDULUM.format(between='"ground", "bob"', at=0.3, speed=0) + '[drives.d]\njoint="pin"\nspeed = 3\n'
    )
    running = ran(text.replace("speed = 0 ", "speed = 3 "), 1.0)
    angle = 0.3 + 3 * running.times
    assert running.reactions["pin"][:, 2] == pytest.approx(1.7 * G * 0.3 * np.sin(angle), abs=1e-6)


BEAM = """
[parts.beam]
shape = { outline = [[0, 0], [4, 0], [4, 0.2], [0, 0.2]] }
mass = 3
center = [1, 0.1]
inertia = 1
[parts.post]
fixed = true
shape = { outline = [[3, -1], [3.5, -1], [3.25, 0]] }
[joints.pin]
type = "revolute"
between = ["ground", "beam"]
at = [0, 0.1]
"""


@pytest.mark.parametrize("method", [Rigid(), Penalty()])
def test_a_beam_at_rest_divides_its_weight_by_the_lever_rule(method):
    running = ran(BEAM, 3.0, method)
    (contact,) = [name for name in running.forces if running.forces[name][-1] > 0]
    on_post = 3 * G * 1 / 3.25
    assert running.forces[contact][-1] == pytest.approx(on_post, rel=1e-3)
    assert running.reactions["pin"][-1] == pytest.approx([0, 3 * G - on_post, 0], abs=0.03)
    assert running.torques["beam"][-1] == pytest.approx(0, abs=0.05)


def test_friction_is_told_beside_the_push():
    c, s = math.cos(0.3), math.sin(0.3)
    box = [[c * x + s * y, -s * x + c * y] for x, y in ((-1, 0), (1, 0), (1, 0.5), (-1, 0.5))]
    slope = [[c * x + s * y, -s * x + c * y] for x, y in ((-20, -1), (20, -1), (20, 0), (-20, 0))]
    text = f"""
    [parts.slope]
    fixed = true
    shape = {{ outline = {slope} }}
    [parts.box]
    shape = {{ outline = {box} }}
    density = 10
    [touching]
    friction = 0.2
    """
    running = ran(text, 1.0)
    push, rub = (sum(table[name][-1] for name in table) for table in (running.forces, running.friction))
    assert push == pytest.approx(10 * G * c, rel=1e-6)
    assert abs(rub) == pytest.approx(0.2 * push, rel=1e-6)
    travel = 0.5 * G * (s - 0.2 * c)
    for total in running.contacts:
        assert total.sliding == pytest.approx(travel, rel=1e-5)
        assert total.count == 1
    assert sum(total.impulse for total in running.contacts) == pytest.approx(10 * G * c, rel=1e-5)


GEARS = """
[parts.wheel]
mass = 1
center = [0, 0]
inertia = 0.02
[parts.pinion]
mass = 1
center = [0.4, 0]
inertia = 0.005
[joints.a]
type = "revolute"
between = ["ground", "wheel"]
at = [0, 0]
[joints.b]
type = "revolute"
between = ["ground", "pinion"]
at = [0.4, 0]
[joints.mesh]
type = "gear"
between = ["wheel", "pinion"]
ratio = -3
[drives.spin]
joint = "a"
torque = 0.13
"""


def test_teeth_load_the_axles_of_their_wheels():
    running = ran(GEARS, 0.5)
    rate = 0.13 / (0.02 + 9 * 0.005)
    tooth = 0.005 * 3 * rate / 0.1  # at the pinion's pitch radius, a quarter of the distance
    assert running.reactions["mesh"][-1] == pytest.approx([0, tooth, -0.1 * tooth], abs=1e-9)
    assert running.reactions["b"][-1] == pytest.approx([0, G - tooth, 0], abs=1e-8)
    assert running.reactions["a"][-1] == pytest.approx([0, G + tooth, 0.13], abs=1e-8)
    assert any("pressure angle" in words for words in running.scope.left_out)


def test_what_a_joint_too_many_carries_is_left_open():
    """Three parallel cranks hold a bar that two would hold: what each carries across is open."""
    text = "[parts.bar]\nmass = 2\ncenter = [1, 1]\ninertia = 0.3\n"
    for k in range(3):
        text += f"""
        [parts.crank{k}]
        mass = 0.5
        center = [{k}, 0.5]
        inertia = 0.05
        [joints.foot{k}]
        type = "revolute"
        between = ["ground", "crank{k}"]
        at = [{k}, 0]
        [joints.head{k}]
        type = "revolute"
        between = ["crank{k}", "bar"]
        at = [{k}, 1]
        """
    running = ran(text + "[start]\nfoot0 = { speed = 1 }\n", 0.4)
    assert np.isnan(running.reactions["head1"][:, :2]).any()
    assert any("open where they are empty" in note for note in running.notes)
    assert "open" in running.words
    assert "null" in running.to_json()
    two = text.split("[parts.crank2]")[0]
    assert not np.isnan(ran(two + "[start]\nfoot0 = { speed = 1 }\n", 0.4).reactions["head1"]).any()


def test_feet_that_share_a_load_in_more_ways_than_one_are_named():
    comb = [[0, 0], [1, 0.5], [2, 0], [3, 0.5], [4, 0], [4, 1], [0, 1]]
    text = f"""
    [parts.floor]
    fixed = true
    shape = {{ outline = [[-1, -1], [5, -1], [5, 0], [-1, 0]] }}
    [parts.comb]
    shape = {{ outline = {comb} }}
    density = 1
    """
    running = ran(text, 0.1)
    assert any("more than one way" in note for note in running.notes)
    two = text.replace("[2, 0], ", "")
    assert not any("more than one way" in note for note in ran(two, 0.1).notes)


PROPS = (
    BEAM
    + """
[parts.prop]
fixed = true
shape = { outline = [[1.5, -1], [2, -1], [1.75, 0]] }
"""
)


def test_a_pin_that_shares_a_load_with_two_props_is_told_as_one_way_of_several():
    """Moments about the pin are one equation for two props, and the pin carries what they leave: open too."""
    (note,) = [words for words in ran(PROPS, 0.1).notes if "more than one way" in words]
    assert note.endswith("one of them is shown, in reactions of pin too")
    assert not [words for words in ran(BEAM, 0.1).notes if "more than one way" in words]


def test_corners_that_begin_to_slide_share_their_load_in_one_way():
    """With friction known, two corners have two equations, from rest on; held by friction they have more."""
    text = """
    [parts.slope]
    fixed = true
    shape = {{ outline = [[-4, 3], [4, -3], [-4, -3]] }}
    [parts.block]
    mass = 1
    center = [1.1, -0.7]
    inertia = 1
    shape = {{ outline = [[1, -0.75], [1.4, -1.05], [1.52, -0.89], [1.12, -0.59]] }}
    [touching]
    friction = {friction}
    """
    slides, holds = (ran(text.format(friction=friction), 0.5) for friction in (0.5, 0.9))
    # Its centre is 0.05 beyond the upper corner and 0.1 up; corners are 0.5 apart.
    push = 0.8 * G
    lower = push * (0.05 + 0.5 * 0.1) / 0.5
    assert sorted(column[0] for column in slides.forces.values()) == pytest.approx([lower, push - lower])
    assert not [words for words in slides.notes if "more than one way" in words]
    assert [words for words in holds.notes if "more than one way" in words]


BELT = """
[parts.belt]
mass = 2
center = [0, -0.1]
shape = {{ outline = [[-9, -0.2], [9, -0.2], [9, 0], [-9, 0]] }}
[parts.box]
mass = 3
center = [0.5, 0.5]
inertia = 1
shape = {{ outline = [[0, 0], [1, 0], [1, 1], [0, 1]] }}
[joints.belt]
type = "prismatic"
between = ["ground", "belt"]
at = [0, 0]
along = [1, 0]
[joints.box]
type = "{kind}"
between = ["ground", "box"]
at = [0.3, 0.5]
{along}
[touching]
friction = 0.4
[start]
belt = {{ speed = 1 }}
"""


def test_what_joints_alone_press_together_is_named_and_its_force_is_not_told_as_none():
    """A box on a slide carries its weight there, or on the belt beneath: anything balances."""
    told = "joints alone hold parts together"
    held = ran(BELT.format(kind="prismatic", along="along = [1, 0]"), 0.1)
    (note,) = [words for words in held.notes if told in words]
    assert "belt/0.e2:box/0.v0" in note
    assert "belt/0.e2:box/0.v1" in note
    # On a pin it can turn: one of its corners carries what its weight turns it with.
    hung = ran(BELT.format(kind="revolute", along=""), 0.1)
    assert max(column[0] for column in hung.forces.values()) > 0
    assert not [words for words in hung.notes if told in words]


SQUEEZED = """
[parts.walls]
fixed = true
shape.union = [
  {{ outline = [[-3, 1], [3, 1], [3, 2], [-3, 2]] }},
  {{ outline = [[-3, -2], [3, -2], [3, {lower}], [-3, {lower}]] }},
]
[parts.block]
mass = 1
center = [0, 0]
inertia = 1
shape.outline = [[-0.5, -1], [0.5, -1], [0.5, 1], [-0.5, 1]]
[joints.guide]
type = "prismatic"
between = ["ground", "block"]
at = [0, 0]
along = [0, 1]
{more}
"""


@pytest.mark.parametrize(
    ("lower", "more", "corners"),
    [
        (-1, "", 4),  # between two walls: each may push as hard as the other
        (-1.1, "", 0),  # at one wall alone nothing pushes against it
        (
            -1.1,
            '[drives.hold]\njoint = "guide"\nfrom = 0\nto = 0\nspeed = 1',
            2,
        ),  # but for a drive that holds
    ],
)
def test_opposing_contacts_without_a_load_are_open_and_one_alone_is_not(lower, more, corners):
    text = FRAME.replace("-9.81", "0") + SQUEEZED.format(lower=lower, more=more)
    running = detent.run(detent.loads(text), until=0.1, method=Rigid(accuracy=1e-8))
    notes = [words for words in running.notes if "joints alone hold parts together" in words]
    assert sum(words.count("block/0.v") for words in notes) == corners
    assert len(notes) == bool(corners)


def test_a_part_on_a_slide_needs_no_inertia():
    text = BELT.format(kind="prismatic", along="along = [1, 0]")
    speeds = [ran(each, 0.1).velocities["belt"][-1] for each in (text, text.replace("inertia = 1\n", ""))]
    assert speeds == pytest.approx([1.0, 1.0], rel=1e-12)
    with pytest.raises(detent.ModelError, match=r"parts\.box\.inertia: is missing"):
        ran(BELT.format(kind="revolute", along="").replace("inertia = 1\n", ""), 0.1)
