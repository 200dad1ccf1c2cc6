"""The state in which a run begins, not the drawing, says which joined parts are in each other."""

from __future__ import annotations

import math

import pytest
from scipy.integrate import quad

import detent
from detent.foundation import ModelError

G = 9.81
# A bar of half the width 0.05 about a pin; an anvil with its corner at (0.5, 0), into which the bar is drawn.
HAMMER = f"""
format = "detent/1"
gravity = [0, -{G}]
[parts.base]
fixed = true
shape.outline = [[0.5, -0.1], [2, -0.1], [2, 0], [0.5, 0]]
[parts.hammer]
shape.outline = [[0.2, -0.05], [1, -0.05], [1, 0.05], [0.2, 0.05]]
mass = 1
center = [0.6, 0]
inertia = 0.1
[joints.pin]
type = "revolute"
between = ["base", "hammer"]
at = [0, 0]
"""
TOUCHES = math.asin(0.05 / 0.5)  # where the bar's lower side reaches the corner


def falls(start: float) -> float:
    """[s] From rest at an angle to the anvil, by the energy of a pendulum."""
    weight, inertia = G * 0.6, 0.1 + 0.6**2

    def slowness(root: float) -> float:  # with the angle = start - root², the integrand has no pole
        angle = start - root * root
        return 2 * root / math.sqrt(2 * weight / inertia * (math.sin(start) - math.sin(angle)))

    return quad(slowness, 0, math.sqrt(start - TOUCHES))[0]


@pytest.mark.parametrize("method", [detent.Rigid(), detent.Penalty()], ids=["rigid", "penalty"])
@pytest.mark.parametrize("degrees", [20, 60])
def test_a_hammer_drawn_into_its_anvil_and_lifted_by_start_hits_it(method, degrees):
    machine = detent.loads(f"{HAMMER}[start]\npin = {{ at_deg = {degrees} }}\n")
    running = detent.run(machine, until=2, method=method)
    hit = running.events[0]
    assert hit.subjects == ("base", "hammer")
    assert hit.time == pytest.approx(falls(math.radians(degrees)), rel=1e-4)
    assert running.states["pin"][-1] == pytest.approx(TOUCHES, abs=1e-3)
    assert not any("base:hammer" in words for words in running.scope.left_out)


def test_left_in_the_anvil_it_does_not_touch_and_that_is_said():
    running = detent.run(detent.loads(f"{HAMMER}[start]\npin = {{ at_deg = 1 }}\n"), until=1)
    assert running.events == ()
    assert any("base:hammer" in words for words in running.scope.left_out)


def test_a_drive_that_begins_out_of_the_anvil_is_stopped_by_it():
    drive = '[drives.d]\njoint = "pin"\nfrom_deg = 60\nto_deg = -20\nspeed_deg = 40\n'
    running = detent.run(detent.loads(HAMMER + drive), until=3)
    assert running.stop.cause == "blocked"
    assert running.stop.time == pytest.approx((60 - math.degrees(TOUCHES)) / 40, abs=1e-6)


@pytest.mark.parametrize(("degrees", "inside"), [(4, True), (7, False)])
def test_a_drive_that_begins_in_another_part_is_refused(degrees, inside):
    """Drawn 90 degrees away, out of the anvil: there is no custom to be in it."""
    drawn = HAMMER.replace("mass = 1", "pose = { turn_deg = 90 }\nmass = 1")
    drive = f'[drives.d]\njoint = "pin"\nfrom_deg = {degrees - 90}\nto_deg = 0\nspeed_deg = 40\n'
    machine = detent.loads(drawn + drive)
    if inside:
        with pytest.raises(ModelError, match="puts base and hammer into each other"):
            detent.run(machine, until=1)
    else:
        assert detent.run(machine, until=1).stop.cause == "done"


def test_followed_contact_begins_as_a_run_does():
    drive = '[drives.d]\njoint = "pin"\nfrom_deg = 60\nto_deg = -20\nsteps = 8\n'
    machine = detent.loads(f"{HAMMER}[start]\npin = {{ at_deg = 60 }}\n{drive}")
    motion = detent.move(machine, contact=True)
    assert motion.stop == "blocked"
    assert motion.stopped_at == pytest.approx(TOUCHES, abs=1e-6)
    inside = detent.move(detent.loads(HAMMER + drive), contact=True)
    assert any("base:hammer" in words for words in inside.scope.left_out)
