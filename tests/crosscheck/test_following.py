"""Slow drives through contacts, beside the exact quasi-static method and a slow, damped run over time."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import detent
from tests.motion.rigid.test_following import geneva


@pytest.mark.parametrize("name", ["ratchet_rack", "motion_diode", "snap_diagonal", "snap_t_holds"])
def test_fasteners_have_the_events_of_the_exact_method(name: str) -> None:
    """In order, with the same contacts, where it is pushed to; up to where the drive is stopped."""
    machine = detent.load(name)
    exact = [event for event in detent.mate(machine).run.trajectory.events if event.kind != "jam"]
    motion = detent.move(machine, contact=True)
    followed = [event for event in motion.events if event.kind not in ("jam", "blocked")]
    if motion.stop != "done":  # what then touches beside is of the stop
        followed = [e for e in followed if e.time < motion.events[-1].time - 1e-9]
    legs = machine.drives["push"].legs
    begins = np.concatenate([[0.0], np.cumsum([float(leg.for_ or 0) for leg in legs])])

    def time(position: float) -> float:
        k = min(int(position), len(legs) - 1)
        return float(begins[k] + (position - k) * float(legs[k].for_ or 0))

    assert followed
    for ours, theirs in zip(followed, exact, strict=False):
        assert (ours.kind, ours.before, ours.after) == (theirs.kind, theirs.before, theirs.after)
        assert time(ours.time) == pytest.approx(theirs.time, abs=1e-4)
    assert motion.stop != "done" or len(followed) == len(exact)


def counter(to: float = 63) -> detent.Mechanism:
    """A wheel of four teeth that pushes a star of six arms on, arm after arm."""
    tooth = {
        "outline": [[0, -2], [29, -1], [30, 0], [29, 1], [0, 2]],
        "moves": [{"turn_deg": 45}],
        "repeat": {"count": 4, "about": "z"},
    }
    arm = {
        "outline": [[0, -2], [19, -1], [20, 0], [19, 1], [0, 2]],
        "repeat": {"count": 6, "about": "z"},
    }
    light = {"mass": 0.001, "inertia": 1e-7, "center": [0, 0]}
    return detent.from_dict(
        {
            "units": "mm",
            "parts": {
                "plate": {"fixed": True, "markers": {"w": [0, 0], "s": [45, 0]}},
                "wheel": {"shape": tooth, "markers": {"w": [0, 0]}, **light},
                "star": {"pose": {"at": [45, 0]}, "shape": arm, "markers": {"s": [0, 0]}, **light},
            },
            "joints": {
                "arbor": {"type": "revolute", "between": ["plate.w", "wheel.w"]},
                "pivot": {"type": "revolute", "between": ["plate.s", "star.s"], "damping": 1e-5},
            },
            "drives": {"turn": {"joint": "arbor", "from_deg": 0, "to_deg": to, "steps": int(to)}},
        }
    )


def escapement(pallets: str, stiffness: float = 0.0) -> detent.Mechanism:
    """A wheel of pointed teeth that rocks an anchor: its pallets are pins, or wedges as sharp as they."""
    tip, root, reach, half = 30, 22, 29.5, math.radians(37.5)
    teeth: list[list[float]] = []
    for k in range(12):
        for r, a in ((root, 30 * k - 15), (tip, 30 * k)):
            teeth.append([r * math.cos(math.radians(a)), r * math.sin(math.radians(a))])
    above = reach / math.cos(half)
    shape = {"circle": 1.5} if pallets == "pins" else {"outline": [[0, -2], [1.6, 1.2], [-1.6, 1.2]]}
    ends = [
        {
            **shape,
            "moves": [
                {"turn_deg": -side * 37.5},
                {"move": [side * reach * math.sin(half), reach * math.cos(half) - above]},
            ],
        }
        for side in (1, -1)
    ]
    light = {"mass": 0.001, "inertia": 1e-7, "center": [0, 0]}
    pivot: dict[str, Any] = {"type": "revolute", "between": ["plate.a", "anchor.a"], "damping": 1e-4}
    if stiffness:
        pivot["spring"] = {"stiffness": stiffness, "rest_deg": 0}
    return detent.from_dict(
        {
            "units": "mm",
            "parts": {
                "plate": {"fixed": True, "markers": {"w": [0, 0], "a": [0, above]}},
                "wheel": {"shape": {"outline": teeth}, "markers": {"w": [0, 0]}, **light},
                "anchor": {
                    "pose": {"at": [0, above]},
                    "shape": {"union": ends},
                    "markers": {"a": [0, 0]},
                    **light,
                },
            },
            "joints": {"arbor": {"type": "revolute", "between": ["plate.w", "wheel.w"]}, "pivot": pivot},
            "drives": {"turn": {"joint": "arbor", "from_deg": 0, "to_deg": 40, "steps": 80}},
        }
    )


def run_slowly(machine: detent.Mechanism, motion: Any, speed: float = 10.0) -> Any:
    """The rigid method over time, to where a motion ended, with a row at each of its positions."""
    data: dict[str, Any] = machine.to_dict()
    (drive,) = machine.drives.values()
    data["drives"] = {"turn": {"joint": drive.joint, "speed_deg": speed}}
    last = math.degrees(motion.inputs[-1])
    rows = len(motion.inputs) - 1
    return detent.run(detent.from_dict(data), until=last / speed, every=last / speed / rows)


def touches(events: Any) -> list[tuple[str, float]]:
    """Names that begin to touch, in order, each once, with their times."""
    found: dict[str, float] = {}
    for event in events:
        if event.kind in ("contact", "impact", "change"):
            for name in event.after:
                if name not in event.before:
                    found.setdefault(name, event.time)
    return list(found.items())


@pytest.mark.parametrize(
    ("machine", "joint", "part"),
    [
        (geneva(to=600, steps=300, play=0.1, slots=6), "index", "wheel"),
        (geneva(to=250, steps=125, play=1e-3, slots=5), "index", "wheel"),
        (escapement("pins"), "pivot", "anchor"),
        (escapement("wedges"), "pivot", "anchor"),
        (escapement("wedges", 0.02), "pivot", "anchor"),
    ],
    ids=["six slots", "five slots, hardly any play", "pins", "wedges", "sprung wedges"],
)
def test_machines_run_slowly_go_the_same_way(machine: detent.Mechanism, joint: str, part: str) -> None:
    """With little inertia: what is let go coasts for inertia over damping, 1 ms, and no farther."""
    speed = 10.0
    motion = detent.move(machine, contact=True)
    assert motion.stop == "done"
    running = run_slowly(machine, motion, speed)
    assert running.stop.cause == "done"
    slow, over_time = motion.poses[part][:, 2], np.asarray(running.states[joint])
    assert len(slow) == len(over_time)
    fastest = 1.25 * np.abs(np.asarray(running.velocities[joint])).max()  # of rows; between them more
    assert np.abs(slow - over_time).max() <= 1e-3 * fastest + 1e-6
    assert np.median(np.abs(slow - over_time)) <= 1e-6
    ours, theirs = touches(motion.events), touches(running.events)
    assert len(ours) >= 2
    assert [name for name, _ in ours] == [name for name, _ in theirs]
    assert [math.degrees(at) for _, at in ours] == pytest.approx([speed * at for _, at in theirs], abs=0.03)


def test_a_counting_wheel_run_slowly_goes_the_same_way() -> None:
    """The rigid method over time, with little inertia and a damped star: same events, same places."""
    motion = detent.move(counter(), contact=True)
    running = run_slowly(counter(), motion)
    star = motion.poses["star"][:, 2]
    assert running.states["pivot"] == pytest.approx(star, abs=1e-6)
    assert np.ptp(star) > math.radians(3)
    ours, theirs = touches(motion.events), touches(running.events)
    assert ours
    assert [name for name, _ in ours] == [name for name, _ in theirs][: len(ours)]
    assert [math.degrees(at) for _, at in ours] == pytest.approx(
        [10 * at for _, at in theirs][: len(ours)], abs=1e-3
    )
