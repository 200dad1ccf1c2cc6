"""A machine at an instant: what is locked, what drives what (Gelsey 1995, Figs. 8 and 10), every force."""

from __future__ import annotations

import math
import re
from itertools import pairwise

import numpy as np
import pytest

import detent
from detent.judge import instants_of, moments_of
from detent.motion import Penalty

LOCKED, DRIVING = 1.0, 2.08
G = 9.81
BOX = [[0, 0], [1, 0], [1, 0.5], [0, 0.5]]


@pytest.fixture(scope="module", params=["rigid", "penalty"])
def escapement(request):
    method = Penalty(stiffness=1e6, damping=1e7) if request.param == "penalty" else None
    return detent.run("escapement", until=2.5, method=method, at=[LOCKED, DRIVING])


def standings(instant):
    return {each.part: (each.standing, each.by) for each in instant.parts}


def test_the_escape_wheel_is_locked_by_the_lever_as_published(escapement):
    """Fig. 8 (a): Escape Wheel -> Lever -> Frame, and the balance by itself."""
    instant = escapement.instants[0]
    assert standings(instant) == {
        "lever": ("locked", ("frame",)),
        "bwheel": ("free", ()),
        "ewheel": ("locked", ("lever",)),
    }
    assert dict(instant.tree) == {"ewheel": "lever", "lever": "frame"}
    assert set(instant.chains) == {"bwheel", "ewheel → lever → frame"}
    assert instant.state_variables == ("angle of bwheel", "speed of bwheel")
    assert len(instant.all_state_variables) == 6


def test_the_escape_wheel_drives_lever_and_balance_as_published(escapement):
    """Fig. 8 (b): Balance -> Lever -> Escape Wheel; Fig. 10: the signs of the net torques."""
    instant = escapement.instants[1]
    assert standings(instant) == {
        "lever": ("driven", ("ewheel",)),
        "bwheel": ("driven", ("lever",)),
        "ewheel": ("driving", ()),
    }
    assert instant.chains == ("bwheel → lever → ewheel",)
    assert instant.state_variables == ("angle of ewheel", "speed of ewheel")
    assert instant.torques["bwheel"] > 0 > max(instant.torques["lever"], instant.torques["ewheel"])
    assert "ewheel drives lever; lever drives bwheel" in escapement.words
    assert "2 of 6" in escapement.words


def test_every_force_has_its_opposite_and_parts_balance(escapement):
    for instant in escapement.instants:
        total = np.sum([force.force for force in instant.forces], axis=0)
        assert total == pytest.approx([0, 0], abs=1e-6), "contacts and joints act on both of their parts"
        for part in ("lever", "bwheel", "ewheel"):
            on_part = [force.force for force in instant.forces if force.part == part]
            strongest = max(np.hypot(*force) for force in on_part)
            assert np.sum(on_part, axis=0) == pytest.approx([0, 0], abs=1e-9 * strongest), "its mass is none"


def test_parts_that_are_locked_have_no_net_torque():
    """Not even rounding: forces of hundreds are in balance there."""
    for instant in detent.run("escapement", until=3.7, at=[2.2, 2.9, 3.6]).instants:
        assert (instant.torques["lever"], instant.torques["ewheel"]) == (0, 0)
        assert instant.torques["bwheel"] < -20


def test_moments_of_a_run_follow_each_other_without_repeating_themselves(escapement):
    moments = moments_of(escapement.run.evidence)
    told = [standings(moment.instant) for moment in moments]
    assert all(one != other for one, other in pairwise(told))
    assert moments[-1].shown == pytest.approx(2.5)
    assert any(each["ewheel"][0] == "driving" and each["bwheel"][0] == "driven" for each in told)
    assert all(one.end <= other.begin + 1e-12 for one, other in pairwise(moments))


def test_a_ball_that_bounces_is_not_untouched():
    """It falls 50 mm and keeps nine tenths of its speed: the sum of its flights counts seven blows in 1 s."""
    ball = {"mass": 0.1, "center": [0, 0], "inertia": 4e-6, "shape": {"circle": 10}, "pose": {"at": [0, 60]}}
    floor = {"fixed": True, "shape": {"outline": [[-99, -9], [99, -9], [99, 0], [-99, 0]]}}
    data = {"units": "mm", "gravity": [0, -G], "parts": {"floor": floor, "ball": ball}}
    running = detent.run(detent.from_dict({**data, "touching": {"restitution": 0.9}}), until=1)
    first = math.sqrt(2 * 0.05 / G)
    flights = np.cumsum([first, *(2 * first * 0.9**k for k in range(1, 30))])
    (moment,) = moments_of(running.run.evidence)
    assert (moment.begin, moment.end) == (0, 1)
    assert moment.blows == {("floor", "ball"): int((flights < 1).sum())} == {("floor", "ball"): 7}
    landed = detent.run(detent.from_dict({**data, "touching": {"restitution": 0}}), until=1)
    assert [moment.blows for moment in moments_of(landed.run.evidence)] == [{}, {}], (
        "the blow begins its rest"
    )


def test_stretches_that_are_passed_over_are_counted(escapement):
    evidence = escapement.run.evidence
    whole, coarse = moments_of(evidence, brief=0), moments_of(evidence, brief=0.1)
    assert len(coarse) < len(whole)
    assert {moment.passed for moment in whole} == {0}
    assert sum(moment.passed for moment in coarse) >= len(whole) - len(coarse)
    impacts = [event for event in evidence.events if event.kind == "impact"]
    assert sum(sum(moment.blows.values()) for moment in coarse) <= len(impacts)


def test_a_box_that_slides_is_guided_and_its_weight_is_a_force():
    box = {"density": 2, "shape": {"outline": [[0, 0], [1, 0], [1, 0.5], [0, 0.5]]}}
    floor = {"fixed": True, "shape": {"outline": [[-1, -1], [9, -1], [9, 0], [-1, 0]]}}
    data = {"units": "m", "gravity": [3, -G], "parts": {"floor": floor, "box": box}}
    (instant,) = detent.run(detent.from_dict(data), until=1, at=[0.5]).instants
    assert standings(instant) == {"box": ("guided", ("floor",))}
    assert instant.state_variables == ("travel of box.x", "speed of box.x")
    assert re.search(r"\(1\.375, \S+\) m$", detent.run(detent.from_dict(data), until=1, at=[0.5]).words, re.M)
    forces = [force for force in instant.forces if force.part == "box"]
    assert np.sum([force.force for force in forces], axis=0) == pytest.approx([3, 0], abs=1e-9)
    (weight,) = [force for force in forces if force.kind == "weight"]
    assert weight.force == pytest.approx((3, -G))
    assert weight.at == pytest.approx((0.5 + 0.5 * 3 * 0.25, 0.25))


def test_a_part_that_no_joint_holds_has_states_of_its_own():
    """As many as a run in which nothing touches has, in `explain` as at an instant: two for each freedom."""
    block = {"shape": {"outline": [[0, 5], [1, 5], [1, 6], [0, 6]]}, "density": 1}
    slider = {"mass": 1, "center": [0, 0], "inertia": 1}
    slide = {"type": "prismatic", "between": ["floor", "slider"], "at": [0, 0], "along": [1, 0]}
    parts = {"floor": {"fixed": True}, "slider": slider, "block": block}
    machine = detent.from_dict({"gravity": [0, -G], "parts": parts, "joints": {"slide": slide}})
    (instant,) = detent.run(machine, until=0.1, at=[0.05]).instants
    told = detent.explain(machine)
    assert told.state_variables == instant.all_state_variables
    assert len(told.state_variables) == 2 * told.mobility.actual == 8
    assert "states     8: position and speed of slide (travel), block.x (travel)" in told.words
    pushed = {"push": {"part": "block", "legs": [{"velocity": [0, -1], "for": 1}]}}
    led = detent.from_dict({**machine.to_dict(), "drives": pushed})
    assert detent.explain(led).state_variables == ("travel of slide", "speed of slide")


@pytest.mark.parametrize("name", ["snap_t", "snap_holds", "motion_diode", "ratchet_rack"])
@pytest.mark.parametrize("led", ["part", "marker"])
def test_what_hangs_on_a_pushed_part_has_the_states_of_its_joints_alone(name: str, led: str):
    """Legs say where the root is, three freedoms: pawls are told by their hinges, whichever way it is led."""
    machine = detent.load(name)
    if led == "marker":
        document = machine.to_dict()
        document["parts"]["root"]["markers"] = {"tip": [0, 0]}
        (push,) = document["drives"].values()
        push.pop("part")
        push["marker"] = "root.tip"
        machine = detent.from_dict(document)
    told = detent.explain(machine)
    hinges = [joint.name for joint in told.joints]
    assert told.mobility.actual == 3 + len(hinges)
    assert told.state_variables == tuple(
        f"{what} of {hinge}" for hinge in hinges for what in ("angle", "speed")
    )
    free = detent.from_dict({**machine.to_dict(), "drives": {}})
    assert len(detent.explain(free).state_variables) == 2 * told.mobility.actual


def test_states_remain_as_contacts_of_the_run_say():
    """Between its events: three subsystems, less one for each pair that has met and not parted."""
    ran = detent.run("escapement", until=2.6)
    times = sorted({event.time for event in ran.events})
    # A contact about to part no longer presses.
    middles = [(one + other) / 2 for one, other in pairwise(times) if other - one > 2e-3]
    for instant in instants_of(ran.run.evidence, middles):
        touching: set[str] = set()
        for event in ran.events:
            if event.time <= instant.time:
                touching |= set(event.after)
                touching -= set(event.before)
        pairs = {tuple(sorted(part.partition("/")[0] for part in name.split(":"))) for name in touching}
        assert len(instant.state_variables) == 2 * (3 - len(pairs)), instant.time


def test_explain_says_what_holds_at_an_instant():
    explanation = detent.explain("escapement", at=0.5)
    assert explanation.instant is not None
    assert dict(explanation.instant.tree) == {"ewheel": "lever", "lever": "frame"}
    assert "locked: lever by frame" in explanation.words
    assert detent.explain("escapement").instant is None
    with pytest.raises(detent.ModelError, match="until"):
        detent.explain("escapement", at=-1)


def test_parts_that_joints_tie_together_follow_the_one_that_tells_the_state():
    wheels = "".join(
        f"""
        [parts.wheel{k}]
        inertia = 1
        [joints.pin{k}]
        type = "revolute"
        between = ["frame", "wheel{k}"]
        at = [{3 * k}, 0]
        """
        for k in range(3)
    )
    gears = "".join(
        f"""
        [joints.mesh{k}]
        type = "gear"
        between = ["wheel{k}", "wheel{k + 1}"]
        ratio = -1
        """
        for k in range(2)
    )
    text = f'format = "detent/1"\n[parts.frame]\nfixed = true\n{wheels}{gears}[start]\npin0 = {{ speed = 1 }}'
    running = detent.run(detent.loads(text), until=1, at=[0.5])
    (instant,) = running.instants
    assert instant.chains == ("wheel2 → wheel1 → wheel0",)
    assert instant.state_variables == instant.all_state_variables == ("angle of pin0", "speed of pin0")
    assert "wheel0, wheel1 and wheel2 move together" in running.words


def test_a_time_outside_the_run_is_refused():
    with pytest.raises(detent.ModelError, match="not a time of the run"):
        detent.run("escapement", until=0.1, at=[0.2])


def test_the_part_through_which_power_comes_in_tells_where_its_gears_are():
    data = {
        "parts": {
            "frame": {"fixed": True, "markers": {"A": [0, 0], "B": [3, 0]}},
            "pinion": {"markers": {"A": [0, 0]}, "inertia": 1},
            "wheel": {"markers": {"B": [3, 0]}, "inertia": 4},
        },
        "joints": {
            "a": {"type": "revolute", "between": ["frame.A", "pinion.A"]},
            "b": {
                "type": "revolute",
                "between": ["frame.B", "wheel.B"],
                "spring": {"stiffness": 1, "rest": 5},
            },
            "mesh": {"type": "gear", "between": ["pinion", "wheel"], "ratio": "-1/2"},
        },
    }
    (instant,) = detent.run(detent.from_dict(data), until=0.5, at=[0.5]).instants
    assert dict(instant.tree) == {"pinion": "wheel"}
    assert instant.state_variables == ("angle of b", "speed of b")


def test_a_part_at_the_limit_of_its_joint_is_locked():
    data = {
        "units": "m",
        "gravity": [0, -G],
        "parts": {
            "frame": {"fixed": True},
            "weight": {"mass": 2, "center": [0, 0], "inertia": 1},
        },
        "joints": {
            "guide": {
                "type": "prismatic",
                "between": ["frame", "weight"],
                "at": [0, 0],
                "along": [0, 1],
                "limits": {"min": -0.1},
            }
        },
    }
    running = detent.run(detent.from_dict(data), until=1, at=[0.05, 0.9])
    falling, held = running.instants
    assert standings(falling) == {"weight": ("free", ())}
    assert standings(held) == {"weight": ("locked", ("frame",))}
    assert held.state_variables == ()
    assert running.reactions["guide"][-1] == pytest.approx([0, 2 * G, 0], abs=1e-9)


def test_what_a_driven_ram_pushes_with_a_flat_face_does_not_drive_it():
    """Two corners of the ram touch the box, and one carries all."""
    running = detent.run(
        detent.loads("""
format = "detent/1"
gravity = [0, -10]
[parts.floor]
fixed = true
shape.outline = [[-5, -1], [15, -1], [15, 0], [-5, 0]]
markers = { line = { at = [-2, 0.5], along = [1, 0] } }
[parts.box]
shape.outline = [[0, 0], [2, 0], [2, 1], [0, 1]]
mass = 3
center = [1, 0.5]
inertia = 1
[parts.ram]
shape.outline = [[-2, 0.4], [-0.5, 0.4], [-0.5, 0.6], [-2, 0.6]]
markers = { line = { at = [-2, 0.5], along = [1, 0] } }
mass = 1
center = [-1, 0.5]
inertia = 1
[joints.line]
type = "prismatic"
between = ["floor.line", "ram.line"]
[drives.push]
joint = "line"
speed = 0.5
[touching]
friction = 0.2
"""),
        until=3,
        at=[2],
    )
    standing = {each.part: (each.standing, each.by) for each in running.instants[0].parts}
    assert standing == {"ram": ("driving", ()), "box": ("driven", ("ram",))}


def test_what_stands_still_is_not_told_to_move():
    """An arm whose rubbing pin holds it (5 N m of 15), a pendulum at its lowest, a weight that falls."""
    pin = {"type": "revolute", "between": ["frame.O", "arm.O"]}
    parts = {"frame": {"fixed": True, "markers": {"O": [0, 0]}}}
    for name, centre in (("arm", [0.5, 0]), ("hung", [0, -1]), ("falls", [1, 0])):
        parts[name] = {"mass": 1, "center": centre, "inertia": 1, "markers": {"O": [0, 0]}}
    joints = {
        "arm": pin | {"friction": {"coefficient": 0.3, "radius": 5}},
        "hung": pin | {"between": ["frame.O", "hung.O"]},
        "falls": pin | {"between": ["frame.O", "falls.O"]},
    }
    data = {"units": "m", "gravity": [0, -10], "parts": parts, "joints": joints}
    running = detent.run(detent.from_dict(data), until=0.5, at=[0.25])
    (instant,) = running.instants
    assert [name for name, column in running.velocities.items() if abs(column[-1]) < 1e-9] == ["arm", "hung"]
    assert {each.part: each.still for each in instant.parts} == {"arm": True, "hung": True, "falls": False}
    for words in ("arm stands still", "hung stands still", "falls moves"):
        assert words in running.words


def test_a_box_that_has_slid_to_rest_stands_still():
    """Struck to 1 m/s, with friction 0.25 it goes v² / (2 mu g) = 0.2 m, in 0.4 s."""
    box = {"mass": 1, "center": [0.5, 0.25], "inertia": 1, "shape": {"outline": BOX}}
    floor = {"fixed": True, "shape": {"outline": [[-9, -1], [9, -1], [9, 0], [-9, 0]]}}
    data = {
        "units": "m",
        "gravity": [0, -10],
        "parts": {"floor": floor, "box": box, "ram": {"mass": 1, "center": [-1, 0.25], "inertia": 1}},
        "joints": {
            "ram": {"type": "prismatic", "between": ["floor", "ram"], "at": [-1, 0.25], "along": [1, 0]}
        },
        "start": {"ram": {"speed": 1}},
        "touching": {"friction": 0.25},
    }
    data["parts"]["ram"]["shape"] = {"outline": [[-1, 0.2], [0, 0.2], [0, 0.3], [-1, 0.3]]}
    data["touching"]["restitution"] = 1
    data["touching"]["ignore"] = ["floor:ram"]
    running = detent.run(detent.from_dict(data), until=1, at=[0.2, 0.9])
    moving, rest = running.instants
    assert running.states["box.x"][-1] == pytest.approx(0.2, rel=1e-6)
    still = [{each.part: each.still for each in instant.parts}["box"] for instant in (moving, rest)]
    assert still == [False, True]
    assert "box moves along floor" in running.words
    assert re.search(r"at +0.9 s: .*(box stands still on|locked: box by) floor", running.words)


@pytest.mark.parametrize(("friction", "driver"), [(0.0, "arm"), (0.2, "arm"), (0.6, "cam")])
def test_an_arm_drives_the_cam_that_it_sinks_with_only_where_the_motor_holds_that_back(friction, driver):
    machine = detent.loads(
        f"""
        format = "detent/1"
        units = "mm"
        gravity = [0, -{G}]
        [parts.frame]
        fixed = true
        markers = {{ A = [0, 0], B = [80, 0] }}
        [parts.cam]
        markers = {{ A = [0, 0] }}
        shape = {{ circle = 15, moves = [{{ move = [4, 0] }}] }}
        mass = 0.03
        center = [0, 0]
        inertia = 4e-6
        [parts.arm]
        markers = {{ B = [80, 0] }}
        shape.outline = [[10, 19.2], [86, 6], [86, -6], [74, -6], [10, 16]]
        mass = 0.06
        center = [48, 7]
        inertia = 4e-5
        [joints.cam]
        type = "revolute"
        between = ["frame.A", "cam.A"]
        [joints.arm]
        type = "revolute"
        between = ["frame.B", "arm.B"]
        [drives.motor]
        joint = "cam"
        speed_deg = 240
        [touching]
        friction = {friction}
        """
    )
    running = detent.run(machine, until=2.2, at=[2.1])
    row = int(np.argmin(np.abs(np.asarray(running.times) - 2.1)))
    assert running.velocities["arm"][row] > 0.0  # the arm sinks all the time
    # The cam's weight is on its axle, and it turns evenly: the motor gives what the contact takes.
    motor = running.reactions["cam"][row, 2]
    assert (motor > 0.0) == (driver == "cam")
    driven = "cam" if driver == "arm" else "arm"
    assert standings(running.instants[0]) == {driver: ("driving", ()), driven: ("driven", (driver,))}
