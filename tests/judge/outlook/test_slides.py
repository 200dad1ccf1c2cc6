"""Slides that each pattern carries on: a rack under a pawl, up to its last tooth, a limit, its rail end."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import detent
from detent.motion import Rigid

TEXT = """
format = "detent/1"
units = "m"
title = "A rack under a pawl"
[parts.base]
fixed = true
markers.o = [0, 0]
markers.p = [-6, 4]
GUIDE
[parts.rack]
shape.outline = RACK
mass = 2
center = [3, 0.5]
inertia = 1
markers.o = [0, 0]
[parts.pawl]
shape.outline = [[0, -0.2], [5.0, -2.4], [5.2, -2.3], [0, 0.2]]
pose = { at = [-6, 4] }
mass = 0.2
center = [2, -1]
inertia = 0.1
markers.o = [0, 0]
[joints.slide]
type = "prismatic"
between = ["base.o", "rack.o"]
damping = 12
LIMITS
[joints.pawl]
type = "revolute"
between = ["base.p", "pawl.o"]
damping = 3
spring = { stiffness = 4, rest_deg = -12 }
[drives.pull]
joint = "slide"
torque = -6
"""
TEETH = 30


@cache
def rack(missing=(), limit=None, guide=None, tall=None):
    """Teeth of pitch 1 rise by 0.5 over 0.8 and fall at once; the rack is pulled under the pawl."""
    outline = [[-3, 0], [-3, 1.0], [0, 1.0]]
    for k in range(TEETH):
        if k not in missing:
            outline += [[k, 1.0]] if outline[-1] != [k, 1.0] else []
            outline += [[k + 0.8, 1.9 if k == tall else 1.5], [k + 0.8, 1.0]]
    outline += [[TEETH + 3, 1.0], [TEETH + 3, 0]]
    shape = "" if guide is None else f"shape.outline = [[{guide}, -1], [99, -1], [99, 0], [{guide}, 0]]"
    limits = "" if limit is None else f"limits = {{ min = {-limit}, max = 100 }}"
    text = TEXT.replace("RACK", str(outline)).replace("LIMITS", limits).replace("GUIDE", shape)
    return detent.loads(text)


@cache
def full(**shape):
    """When a tooth has lifted the pawl halfway, in a run of the whole way."""
    run = detent.predict(rack(**shape), method=Rigid(accuracy=1e-8), until=90.0).evidence
    times = np.linspace(0.0, 90.0, 90001)
    columns = run.along.at(times).coordinates
    middle = 0.5 * (columns["pawl"][5000:30000].max() + columns["pawl"][5000:30000].min())
    lifted = np.flatnonzero((columns["pawl"][:-1] < middle) & (columns["pawl"][1:] >= middle))
    return run, times[lifted], columns


def test_it_ends_with_the_last_tooth():
    answer, (_, lifts, _) = detent.outlook(rack()), full()
    assert len(lifts) == TEETH
    end = answer.valid_until
    assert (answer.verdict, end.cause, end.between) == ("ends", "contact", ("rack", "pawl"))
    assert "it was the last" in end.what
    assert end.patterns == TEETH
    assert end.time == pytest.approx(lifts[-1], abs=2e-3)
    assert answer.pattern.change["slide"] == pytest.approx(-1.0, abs=1e-6)  # the pitch
    simulated = next(each.value for each in answer.evidence if each.statement == "patterns simulated")
    assert simulated < TEETH / 2


def test_a_missing_tooth_ends_the_first_regime_and_the_teeth_behind_it_are_the_second():
    answer, (_, lifts, _) = detent.outlook(rack(missing=(17,))), full(missing=(17,))
    one, other, *_ = answer.regimes
    gap = int(np.argmax(np.diff(lifts)))
    assert gap == 16
    assert (one.valid_until.patterns, one.end) == (gap + 1, pytest.approx(lifts[gap], abs=2e-3))
    assert other.end == pytest.approx(lifts[-1], abs=2e-3)
    assert other.pattern.change["slide"] == pytest.approx(-1.0, abs=1e-6)


def test_a_tall_tooth_is_seen_to_come_up():
    """One pattern differs; what is told of it, and when, is that of the run."""
    answer, (_, lifts, columns) = detent.outlook(rack(tall=20)), full(tall=20)
    highest = np.linspace(0.0, 90.0, 90001)[int(np.argmax(columns["pawl"]))]
    assert answer.verdict == "ends"
    assert answer.regimes[0].end < highest < answer.regimes[0].end + 2 * answer.pattern.duration
    assert answer.valid_until.patterns == int((lifts < highest).sum()) - 1


def test_a_limit_ends_it_and_then_it_rests_there():
    answer, (run, lifts, _) = detent.outlook(rack(limit=20.3)), full(limit=20.3)
    one, rest = answer.regimes
    hit = next(event.time for event in run.events if event.kind == "limit")
    assert (answer.verdict, answer.valid_until.cause) == ("ends", "limit")
    assert answer.valid_until.patterns == int((lifts < hit).sum())
    assert one.end == pytest.approx(lifts[lifts < hit][-1], abs=2e-3)
    assert (rest.verdict, rest.state["slide"]) == ("at_rest", pytest.approx(-20.3, abs=1e-6))


@pytest.mark.parametrize(("guide", "ends"), [(20.0, True), (-60.0, False)])
def test_it_ends_where_the_rack_leaves_its_guide(guide, ends):
    """The rack's far end, at 33 as drawn, passes the rail's begin; a rail that reaches on lets it go on."""
    answer, (_, lifts, columns) = detent.outlook(rack(guide=guide)), full()
    assert ("leaves its guide" in answer.reason) is ends
    if ends:
        leaves = np.linspace(0.0, 90.0, 90001)[int(np.argmax(columns["slide"] < -(TEETH + 3 - guide)))]
        assert answer.valid_until.cause == "limit"
        assert answer.valid_until.patterns == int((lifts < leaves).sum())
    else:
        assert answer.valid_until.patterns == TEETH
