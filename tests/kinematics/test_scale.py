"""What a linkage of many links costs, counted in lines of Python run, never in seconds."""

from __future__ import annotations

import sys

import pytest

from detent.kinematics import make_plan
from detent.kinematics.equations import closed_pose
from detent.kinematics.execution import sweep
from detent.kinematics.paths import drive_path_of
from detent.library import mechedit
from detent.model.document import Mechanism
from detent.model.machine import plane_linkage_of
from detent.model.reading import Builder
from detent.motion import move

DOUBLED = 2.2  # twice the links: twice the work, and a little for what is there once


def open_chain(links: int) -> Mechanism:
    """A driven crank and a tail of links that nothing holds at its end."""
    builder = Builder(format="detent/1").part("ground", fixed=True, markers={"P0": [0, 0]})
    before = "ground"
    for i in range(links):
        y = i % 2
        builder.part(f"L{i}", markers={f"P{i}": [i, y], f"P{i + 1}": [i + 1, 1 - y]})
        builder.joint(f"P{i}", "revolute", f"{before}.P{i}", f"L{i}.P{i}")
        before = f"L{i}"
    return builder.drive("crank", joint="P0", from_deg=0, to_deg=30, steps=2).build()


def lines_run(work) -> int:
    """Lines of Python that a call runs, in our code and in what it calls."""
    count = 0

    def local(frame, event, arg):
        nonlocal count
        count += event == "line"
        return local

    before = sys.gettrace()
    sys.settrace(lambda frame, event, arg: local)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


def planned(mechanism: Mechanism):
    system = plane_linkage_of(mechanism)
    course = drive_path_of(mechanism, system)
    return make_plan(system, closed_pose(system, mechanism.start), course.inputs), course


@pytest.mark.parametrize("family", [mechedit.stress, mechedit.chain, open_chain])
def test_planning_twice_the_links_takes_twice_the_steps(family, monkeypatch):
    monkeypatch.setenv("DETENT_SPEED", "plain")
    small, large = (family(n) for n in (60, 120))
    once, twice = (lines_run(lambda m=m: planned(m)) for m in (small, large))
    assert 1.5 < twice / once < DOUBLED


@pytest.mark.parametrize("family", [mechedit.stress, mechedit.chain, open_chain])
def test_moving_twice_the_links_takes_twice_the_steps(family, monkeypatch):
    monkeypatch.setenv("DETENT_SPEED", "plain")
    counts = []
    for n in (40, 80):
        plan, course = planned(family(n))
        goals = course.goals[:1] + 0.001
        counts.append(lines_run(lambda plan=plan, goals=goals: sweep(plan, goals, order=2)))
    assert 1.5 < counts[1] / counts[0] < DOUBLED


@pytest.mark.parametrize("family", [mechedit.stress, mechedit.chain])
def test_a_thousand_links_move_and_close(family):
    mechanism = family(1000)
    motion = move(mechanism)
    assert len(motion.inputs) == 37
    worst = max(
        float(abs(motion.markers[a] - motion.markers[b]).max())
        for a, b in (joint.between for joint in mechanism.joints.values())
        if a in motion.markers and b in motion.markers
    )
    assert worst < 1e-9
