"""A rigid run that is restarted at one of its states goes on as it did."""

from __future__ import annotations

import numpy as np
import pytest

import detent
from detent.motion import Rigid


@pytest.mark.parametrize("name", ["escapement", "chiming_clock", "crank_engine", "rotary_to_rocking"])
def test_a_restart_at_half_of_a_run_has_its_end(name):
    until = {"escapement": 30.0, "chiming_clock": 30.0, "crank_engine": 1.0, "rotary_to_rocking": 8.0}[name]
    run = detent.predict(name, method=Rigid(accuracy=1e-8), until=until).evidence
    y, v = run.along.motion_at(0.5 * until)
    again = run.restarted(0.5 * until, y, v, 0.5 * until)
    wanted, found = run.along.last().coordinates, again.along.last().coordinates
    assert found == pytest.approx(wanted, abs=2e-4)


DRIVEN = """
format = "detent/1"
units = "m"
[parts.base]
fixed = true
markers.o = [0, 0]
[parts.arm]
mass = 1
inertia = 0.1
center = [0.5, 0]
markers.o = [0, 0]
[joints.pin]
type = "revolute"
between = ["base.o", "arm.o"]
[drives.motor]
joint = "pin"
inputs = [0.0, 1.0, -0.5]
speed = 0.5
"""


@pytest.mark.parametrize("since", [0.5, 2.0, 3.1, 6.0])
def test_drives_go_on_from_where_they_are(since):
    """To 1 in two seconds, back to -0.5 in three, then held: by hand."""
    run = detent.predict(detent.loads(DRIVEN), method=Rigid(), until=7.0).evidence
    y, v = run.along.motion_at(since)
    again = run.restarted(since, y, v, 7.0 - since)
    for time in np.linspace(0.0, 7.0 - since, 9):
        at = since + time
        wanted = 0.5 * at if at < 2.0 else max(1.0 - 0.5 * (at - 2.0), -0.5)
        assert again.along.at(np.array([time])).coordinates["pin"][0] == pytest.approx(wanted, abs=1e-6)
    assert again.driven.settled == pytest.approx(max(5.0 - since, 0.0))
