"""Corners that pass corners, and faces that land on faces: runs go on there, and no part is in another."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely
from shapely import affinity

import detent

BELL = [[72, -16], [84, -16], [84, -5], [72, -5]]
ARM = [[0, -1.5], [18, -1.5], [18, 1.5], [0, 1.5]]
TAIL = [[22, -3], [80, -3], [80, 6], [70, 6], [70, 3], [22, 3], [14, 12.5], [12, 11]]
# A wheel of four arms lifts the tail of a hammer: the tail's corner slides along an arm until the two lie
# flat on each other; from there on the arm's corner leads.
HAMMER = f"""
format = "detent/1"
units = "mm"
gravity = [0, -9.81]
[parts.plate]
fixed = true
shape.union = [{{ circle = 2 }}, {{ circle = 2, moves = [{{ move = [40, 0] }}] }}, {{ outline = {BELL} }}]
[parts.wheel]
shape.difference = [
  {{ union = [{{ circle = 6 }}, {{ outline = {ARM}, repeat = {{ count = 4 }} }}] }},
  {{ circle = 2 }},
]
density = 40
[parts.hammer]
shape.difference = [{{ outline = {TAIL} }}, {{ circle = 2, moves = [{{ move = [40, 0] }}] }}]
density = 40
[joints.axle]
type = "infer"
between = ["plate", "wheel"]
[joints.pivot]
type = "infer"
between = ["plate", "hammer"]
[drives.motor]
joint = "axle"
speed_deg = -90
"""


def test_an_arm_that_lands_flat_on_a_lever_leads_it_on():
    running = detent.run(detent.loads(HAMMER), until=1.5)
    assert (running.stop.cause, running.times[-1]) == ("done", 1.5)
    arms = shapely.union_all([affinity.rotate(shapely.Polygon(ARM), 90 * k, (0, 0)) for k in range(4)])
    hammer, gaps = shapely.Polygon(TAIL), []
    for axle, pivot in zip(running.states["axle"], running.states["pivot"], strict=True):
        one = affinity.rotate(arms, axle, (0, 0), use_radians=True)
        other = affinity.rotate(hammer, pivot, (40, 0), use_radians=True)
        assert one.intersection(other).area < 1e-4
        gaps.append(one.distance(other))
    names = [event.after for event in running.events if event.kind == "impact"]
    flat = next(event.time for event in running.events if event.after == ("wheel/2.v1:hammer/0.e5",))
    assert names.count(("wheel/2.v1:hammer/0.e5",)) == 1
    # The tail's corner was on the arm until then, and the arm's corner is on the tail from then on.
    near = np.abs(running.times - flat) < 0.2
    assert np.asarray(gaps)[near].max() < 1e-5
    energy = running.energy
    total = energy["stored"] + energy["dissipated"] + energy["impact"] - energy["input"]
    assert np.ptp(total) < 1e-5 * np.ptp(energy["stored"])


# Six slots. The play of the lock is 0.1: the star's corner lies on the lock's disc without a force, until the
# end of the disc comes by.
GENEVA = """
format = "detent/1"
units = "mm"
dimension = 3
[shapes.slot]
block = [30, 4.1, 4]
moves = [{ move = [17.5, -2.05, -1] }, { turn_deg = 30 }, { move = [40, 0, 0] }]
[shapes.hollow]
cylinder = { radius = 14.1, height = 4 }
moves = [{ move = [0, 0, -1] }]
[parts.base]
fixed = true
shape.union = [
  { block = [140, 120, 4], moves = [{ move = [-60, -60, -10] }] },
  { cylinder = { radius = 3, height = 14 }, moves = [{ move = [0, 0, -6] }] },
  { cylinder = { radius = 3, height = 14 }, moves = [{ move = [40, 0, -6] }] },
]
[parts.driver]
shape.difference = [
  { union = [
     { cylinder = { radius = 24, height = 4 }, moves = [{ move = [0, 0, -5] }] },
     { cylinder = { radius = 2, height = 8 }, moves = [{ move = [-20, 0, -5] }] },
     { difference = [
       { cylinder = { radius = 14, height = 4 }, moves = [{ move = [0, 0, -1] }] },
       { cylinder = { radius = 35.5, height = 4 }, moves = [{ move = [-40, 0, -1] }] },
     ] },
  ] },
  { cylinder = { radius = 3, height = 10 }, moves = [{ move = [0, 0, -6] }] },
]
density = 7800
[parts.star]
shape.difference = [
  { cylinder = { radius = 34.641, height = 4 }, moves = [{ move = [40, 0, -1] }] },
  { use = "slot", repeat = { count = 6, about = "z", at = [40, 0] } },
  { use = "hollow", repeat = { count = 6, about = "z", at = [40, 0] } },
  { cylinder = { radius = 3, height = 4 }, moves = [{ move = [40, 0, -1] }] },
]
density = 2700
[joints.in]
type = "infer"
between = ["base", "driver"]
[joints.out]
type = "infer"
between = ["base", "star"]
damping = 2e-5
[drives.motor]
joint = "in"
speed_deg = 360
"""


def test_the_end_of_a_lock_passes_the_corner_that_lies_on_it():
    running = detent.run(detent.loads(GENEVA), until=2)
    assert (running.stop.cause, running.times[-1]) == ("done", 2)
    turned = np.degrees(np.interp([1, 2], running.times, running.states["out"]))
    # A slot for each turn, but for the play of the pin: 0.05 at the 20 that are nearest.
    play = math.degrees(math.asin(0.05 / 20)) + math.degrees(0.1 / 34.6)
    assert turned == pytest.approx([-60, -120], abs=play)


PINS = """
format = "detent/1"
units = "mm"
[parts.plate]
fixed = true
markers = { W = [0, 0], H = [60, 0] }
[parts.wheel]
markers = { W = [0, 0] }
shape.union = [
  { circle = 2, moves = [{ move = [30, 0] }], repeat = { count = 6, about = "z" } },
  { circle = 18 },
]
inertia = 4e-5
[parts.hammer]
markers = { H = [60, 0] }
shape.outline = [[28, 7], [45, 4], [90, 4], [90, -4], [45, -4], [45, 0], [28, 4]]
inertia = 3e-5
[joints.W]
type = "revolute"
between = ["plate.W", "wheel.W"]
damping = 0.004
spring = { stiffness = 0.0016, rest_deg = 2000 }
[joints.H]
type = "revolute"
between = ["plate.H", "hammer.H"]
spring = { stiffness = 0.01, rest_deg = 20 }
damping = 1e-5
limits = { min_deg = -40, max_deg = 2 }
"""


@pytest.mark.parametrize("until", [1.0, 2.0])
@pytest.mark.parametrize("friction", [0.0, 0.1, 0.3])
def test_a_pin_that_slides_off_the_end_of_a_lever_takes_no_more_momentum_than_its_impulse(friction, until):
    machine = detent.loads(PINS + f"[touching]\nfriction = {friction}\n")
    events = detent.run(machine, until=until).events
    instants = sorted({event.time for event in events if 0.01 < event.time < until - 0.01})
    around = [t + way * 1e-7 for t in instants for way in (-1, 1)]
    asked = machine.with_("ask.run", {"until": until, "times": around})
    speeds = np.asarray(detent.run(asked).velocities["W"]).reshape(-1, 2)
    blows = [
        sum(
            e.impulse
            for e in events
            if e.time == t and e.kind == "impact" and e.subjects == ("wheel", "hammer")
        )
        for t in instants
    ]
    assert len(instants) > 10
    # The pins are 32 mm from the axle at most; within 1e-7 s springs and forces do next to nothing.
    most = 0.032 * math.hypot(1, friction) * np.array(blows)
    assert (4e-5 * np.abs(np.diff(speeds, axis=1)[:, 0]) <= 1.001 * most + 1e-8).all()
    # A pin that lies on the lever slides off its end: there is no blow in that.
    assert all(blow == 0.0 or blow > 1e-5 for blow in blows)


@pytest.mark.parametrize("restitution", [0.0, 0.6])
def test_a_ball_that_rolls_off_its_slope_hits_nothing(restitution):
    slope, radius, mass, inertia = math.atan2(15, 60), 0.0381, 0.4, 2.3e-4
    document = f"""
    format = "detent/1"
    units = "in"
    gravity = [0, -9.80665]
    [parts.slope]
    fixed = true
    shape.outline = [[0, 0], [60, 0], [0, 15]]
    [parts.ball]
    shape.circle = 1.5
    pose.at = [{20 + 1.5 * math.sin(slope)}, {10 + 1.5 * math.cos(slope)}]
    mass = {mass}
    center = [0, 0]
    inertia = {inertia}
    [touching]
    friction = 0.12
    restitution = {restitution}
    """
    running = detent.run(detent.loads(document), until=1.8)
    assert [event.kind for event in running.events] == ["contact", "release"]
    way = math.hypot(40, 10) * 0.0254
    rolls = 9.80665 * math.sin(slope) / (1 + inertia / (mass * radius**2))
    assert running.events[1].time == pytest.approx(math.sqrt(2 * way / rolls), rel=1e-6)
    assert running.energy["impact"][-1] == pytest.approx(0.0, abs=1e-9)
