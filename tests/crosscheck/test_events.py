"""One event list: the answer of `mate` and its trajectory say the same, and so do two ways to decide."""

from __future__ import annotations

import math
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import detent
from detent.motion import Quasistatic
from detent.record import EVENT_KINDS, Mating
from tests.conftest import reference_documents

EXAMPLES = Path(__file__).parents[2] / "examples"
SAME_TIME = 1e-9  # of the plan: doubles against exact numbers


def pushes(path: Path) -> bool:
    """Whether a part of the plane is pushed along legs."""
    text = path.read_text()
    return "dimension = 3" not in text and ("[[drives." in text or "legs" in text)


@cache
def told(path: Path, exact: bool = True) -> Mating:
    return detent.mate(detent.load(path), method=Quasistatic(exact=exact))


# Machines that are pushed, and are not fasteners of the plane.
OTHERS = (
    "cantilever_hook",
    "jamming_peg",
    "oring",
    "point_on_plane",
    "snap_hook",
    "two_sided_snap",
    "wedging_peg",
    "whitney_peg",
)
FASTENERS = [p for p in reference_documents() if "fasteners" in p.parts]
FASTENERS += [p for p in sorted(EXAMPLES.glob("*.toml")) if pushes(p) and p.stem not in OTHERS]
every_fastener = pytest.mark.parametrize("path", FASTENERS, ids=lambda p: p.stem)


@every_fastener
def test_the_answer_and_its_trajectory_have_one_event_list(path):
    mating = told(path)
    trajectory = mating.run.trajectory
    listed = [event for leg in mating.legs for event in leg.events]
    blocked = [event for event in trajectory.events if event.kind == "blocked"]
    assert [event for event in trajectory.events if event.kind != "blocked"] == listed
    assert [event.time for event in blocked] == [
        leg.end.time for leg in mating.legs if leg.end.cause == "blocked"
    ]
    assert {event.kind for event in trajectory.events} <= set(EVENT_KINDS)
    assert trajectory.stop == mating.legs[-1].end
    assert list(trajectory.contacts) == [entry for leg in mating.legs for entry in leg.contacts]
    assert list(trajectory.legs) == [(leg.start, leg.end.time) for leg in mating.legs]


@every_fastener
def test_the_exact_and_the_fast_method_name_the_same_events_and_contacts(path):
    exact, fast = told(path), told(path, exact=False)
    span = 1 + exact.legs[-1].end.time
    for one, other in zip(exact.legs, fast.legs, strict=True):
        assert [(e.kind, e.joint, e.before, e.after, e.touching, e.reason) for e in one.events] == [
            (e.kind, e.joint, e.before, e.after, e.touching, e.reason) for e in other.events
        ]
        assert [e.time for e in one.events] == pytest.approx(
            [e.time for e in other.events], abs=SAME_TIME * span
        )
        assert one.end.cause == other.end.cause


@every_fastener
def test_the_push_gives_what_the_springs_take_up_and_friction_only_takes(path):
    """Over a step without an event the work is between its least and its largest force times the way."""
    mating = told(path)
    trajectory, evidence = mating.run.trajectory, mating.run.evidence
    (drive,) = (name for name in trajectory.forces if name.startswith("drive "))
    smooth = all(mu == 0 for pawl in evidence.fastener.pawls for _, mu in pawl.obstacles)
    speeds = [math.hypot(*(float(c) for c in leg.line.velocity)) for leg in evidence.plan.legs]
    instants = [event.time for event in trajectory.events]
    instants += [t for interval in trajectory.contacts for t in (interval.from_, interval.to)]
    rows = list(zip(trajectory.times, trajectory.forces[drive], trajectory.energy["stored"], strict=True))
    for (begin, end), speed in zip(trajectory.legs, speeds, strict=True):
        own = [row for row in rows if begin < row[0] < end]
        for (t, force, stored), (u, other, later) in pairwise(own):
            if math.isnan(force + other) or any(t <= instant <= u for instant in instants):
                continue
            way = speed * evidence.fastener.metres * (u - t)
            # Angles are interpolated between 40 samples of a stretch.
            slack = 0.05 * max(abs(force), abs(other)) * way + 1e-4 * max(trajectory.energy["stored"])
            assert later - stored <= max(force, other) * way + slack
            if smooth:
                assert later - stored >= min(force, other) * way - slack


@every_fastener
def test_energy_in_the_springs_is_what_their_angles_say(path):
    """By the coordinates in the record and the stiffness in the document, not by the method's own angles."""
    mating = told(path)
    mechanism, trajectory = detent.load(path), mating.run.trajectory
    stored = np.zeros(len(trajectory.times))
    for joint, column in trajectory.coordinates.items():
        spring = mechanism.joints[joint].spring
        rest = spring.rest if spring.rest_deg is None else np.radians(float(spring.rest_deg))
        stored += float(spring.stiffness) * (column - float(rest or 0)) ** 2 / 2
    assert np.array(trajectory.energy["stored"]) == pytest.approx(stored, rel=1e-9, abs=1e-15)
