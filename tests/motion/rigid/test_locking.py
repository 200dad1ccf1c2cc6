"""Friction that locks: a weight-loaded rod on a slope that a drive pulls under it, by both methods.

The rod hangs on a pin at (0, 1); its tip rests on a slope that goes down and slides under it. The force at
the tip is F = N ((-s - mu), (1 - mu s)) / sqrt(1 + s²), s the slope, and balances the rod's weight about the
pin; where its line passes through the pin nothing balances, and the force has no bound.
"""

from __future__ import annotations

import json
import math

import pytest
from scipy.optimize import brentq

import detent
from detent.app import cli

G, X, SLOPE = 9.81, 0.5, -0.3


def slope(mu: float, x: float = X, s: float = SLOPE, to: float = 0.4) -> detent.Mechanism:
    corners = [[-6, s * (-6 - x) - 5], [6, s * (6 - x) - 5], [6, s * (6 - x)], [-6, s * (-6 - x)]]
    return detent.loads(f"""
format = "detent/1"
gravity = [0, -{G}]
[parts.frame]
fixed = true
markers = {{ line = {{ at = [0, 0], along = [-1, 0] }} }}
[parts.belt]
shape.outline = {corners}
markers = {{ line = {{ at = [0, 0], along = [-1, 0] }} }}
mass = 1
center = [0, -2]
inertia = 1
[parts.rod]
shape.outline = [[{x}, 0], [{x} , 0.95], [{x - 0.05}, 0.95]]
mass = 1
center = [{x}, 0.6]
inertia = 0.2
[joints.line]
type = "prismatic"
between = ["frame.line", "belt.line"]
[joints.pin]
type = "revolute"
between = ["frame", "rod"]
at = [0, 1]
[drives.pull]
joint = "line"
from = 0
to = {to}
speed = 0.01
steps = 8
[touching]
friction = {mu}
""")


def turned(pulled: float) -> float:
    """The angle at which the tip is on the slope that has gone so far."""

    def above(angle: float) -> float:
        c, s = math.cos(angle), math.sin(angle)
        return 1 + s * X - c - SLOPE * (c * X + s + pulled - X)

    return brentq(above, -1.0, 0.5)


def lever(pulled: float, mu: float) -> tuple[float, float]:
    """Moment about the pin of F by its N, and that of the weight."""
    c, s = math.cos(turned(pulled)), math.sin(turned(pulled))
    tip, centre = (c * X + s, s * X - c), c * X + s * 0.4  # past the pin
    force = (-SLOPE - mu) / math.hypot(1, SLOPE), (1 - mu * SLOPE) / math.hypot(1, SLOPE)
    return tip[0] * force[1] - tip[1] * force[0], G * centre


def drive_force(pulled: float, mu: float) -> float:
    by, weight = lever(pulled, mu)
    return weight / by * (SLOPE + mu) / math.hypot(1, SLOPE)


@pytest.mark.parametrize("mu", [0, 0.1, 0.2, 0.4])
def test_a_drive_under_a_weight_needs_what_the_weight_and_friction_ask(mu):
    motion = detent.move(slope(mu), contact=True)
    assert motion.stop == "done"
    wanted = [drive_force(float(pulled), mu) for pulled in motion.inputs]
    assert motion.forces["drive pull"] == pytest.approx(wanted, rel=1e-5)
    running = detent.run(slope(mu), until=20)
    assert running.reactions["line"][-1, 0] == pytest.approx(-drive_force(0.2, mu), rel=1e-3)


LOCKS = brentq(lambda pulled: lever(pulled, 0.8)[0], 0.0, 0.4)  # where the line of the force meets the pin


def test_both_methods_jam_where_the_friction_cone_meets_the_hinge():
    motion = detent.move(slope(0.8), contact=True)
    assert (motion.stop, motion.stopped_at) == ("jam", pytest.approx(LOCKS, rel=1e-6))
    assert motion.force_peaks["drive pull"]["unbounded"]
    assert motion.forces["drive pull"][-1] == math.inf
    assert "friction locks" in motion.words
    running = detent.run(slope(0.8), until=40)
    assert running.stop.cause == "jam"
    assert running.stop.time * 0.01 == pytest.approx(LOCKS, rel=1e-4)


def test_just_less_friction_does_not_lock_on_the_same_way():
    enough = brentq(lambda mu: lever(0.2, mu)[0], 0.1, 2.0)  # locks where the drive ends
    for mu, stop in ((enough * 0.999, "done"), (enough * 1.001, "jam")):
        assert detent.move(slope(mu, to=0.2), contact=True).stop == stop
        assert detent.run(slope(mu, to=0.2), until=20).stop.cause == stop


def test_a_force_that_grows_without_bound_is_no_number_in_a_run(tmp_path):
    running = detent.run(slope(0.8), until=40)
    (contact,) = running.contacts
    assert contact.peak_force == math.inf == running.forces[contact.contact][-1]
    assert contact.impulse == math.inf
    assert abs(running.reactions["line"][-1, 1]) == math.inf
    finite = [abs(float(x)) for x in running.forces[contact.contact][:-1]]
    assert max(finite) < 1e6
    data = json.loads(running.to_json())
    assert data["forces"][contact.contact][-1] == {"unbounded": True}
    assert data["contacts"][0]["peak_force"] == {"unbounded": True}
    assert "without bound" in running.words
    assert running.to_csv().splitlines()[-1].count("inf") >= 3
    detent.save(slope(0.8), tmp_path / "slope.toml")
    plot = tmp_path / "plot.svg"
    assert cli.main(["run", str(tmp_path / "slope.toml"), "--until", "40", "-q", "--plot", str(plot)]) == 0
    assert "no bound" in plot.read_text()
