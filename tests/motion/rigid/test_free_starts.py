"""Parts on no joint, thrown: a `start` of their own coordinates."""

from __future__ import annotations

import math

import pytest

import detent
from detent.foundation import ModelError, UnsupportedError
from detent.model import RemovePart, Rename, SetUnits

G = 9.81
BALL = f"""
format = "detent/1"
units = "mm"
gravity = [0, -{G}]
[parts.floor]
fixed = true
shape.outline = [[-9000, -100], [9000, -100], [9000, 0], [-9000, 0]]
[parts.ball]
shape.circle = 50
pose = {{ at = [0, 300] }}
mass = 2
center = [0, 0]
inertia = 0.01
[parts.arm]
pose = {{ at = [0, 5000] }}
inertia = 1
mass = 1
center = [0, 0]
[joints.pin]
type = "revolute"
between = ["floor", "arm"]
at = [0, 5000]
[start]
"""
THROWN = """
"ball.x" = { at = -1000, speed = 3000 }
"ball.y" = { speed = 4000 }
"ball.angle" = { speed_deg = 90 }
"""


@pytest.mark.parametrize("method", [detent.Rigid(), detent.Penalty(stiffness=1e5)], ids=["rigid", "penalty"])
def test_a_ball_that_is_thrown_flies_along_its_parabola_and_lands(method):
    running = detent.run(detent.loads(BALL + THROWN), until=1.2, method=method)
    lands = (4 + math.sqrt(16 + 2 * G * 0.25)) / G  # its lowest point is 250 mm up
    assert running.events[0].time == pytest.approx(lands, rel=1e-4)
    air = running.times < lands
    t = running.times[air]
    assert running.states["ball.x"][air] == pytest.approx(-1000 + 3000 * t, abs=1e-3)
    assert running.states["ball.y"][air] == pytest.approx(300 + 4000 * t - 500 * G * t * t, abs=1e-2)
    assert running.states["ball.angle"][air] == pytest.approx(math.pi / 2 * t, abs=1e-6)


def test_a_start_in_the_floor_is_refused():
    with pytest.raises(ModelError, match="puts floor and ball into each other"):
        detent.run(detent.loads(BALL + '"ball.y" = { at = 20 }\n'), until=1)


@pytest.mark.parametrize(
    ("line", "at", "words"),
    [
        ('"ball.z" = { speed = 1 }', "start.ball.z", "no coordinate 'z'"),
        ("ball = { speed = 1 }", "start.ball", "is a part"),
        ('"floor.x" = { speed = 1 }', "start.floor.x", "is fixed"),
        ('"arm.x" = { speed = 1 }', "start.arm.x", "hangs on pin"),
        ('"bal.x" = { speed = 1 }', "start.bal.x", "there is no part 'bal'"),
        ('"ball.x" = { at_deg = 1 }', "start.ball.x", "has no degrees"),
    ],
)
def test_a_key_that_means_nothing_is_named(line, at, words):
    with pytest.raises(ModelError) as caught:
        detent.run(detent.loads(BALL + line), until=1)
    (problem,) = caught.value.problems
    assert (problem.at, words in problem.problem, bool(problem.remedy)) == (at, True, True)


def test_methods_that_move_joints_alone_refuse_it():
    drive = '[drives.d]\njoint = "pin"\nfrom_deg = 0\nto_deg = 10\nsteps = 2\n'
    with pytest.raises(UnsupportedError, match="hangs on no joint"):
        detent.move(detent.loads(BALL + THROWN + drive))


def test_it_goes_with_its_part_and_with_the_units():
    machine = detent.loads(BALL + THROWN)
    assert "stone.x" in detent.edit(machine, Rename("parts.ball", "stone")).mechanism.start
    assert detent.edit(machine, RemovePart("ball")).mechanism.start == {}
    assert float(detent.edit(machine, SetUnits("m", "size")).mechanism.start["ball.x"].speed) == 3
    assert machine.with_("start.ball.x.speed", 5).start["ball.x"].speed == 5
    assert machine.with_("start", None).with_("start.ball.x.speed", 5).start["ball.x"].at is None
