"""Slow drives through contacts, beside the exact quasi-static method and a slow, damped run over time."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import detent


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


def test_a_counting_wheel_run_slowly_goes_the_same_way() -> None:
    """The rigid method over time, with little inertia and a damped star: same events, same places."""
    motion = detent.move(counter(), contact=True)
    data: dict[str, Any] = counter().to_dict()
    data["drives"] = {"turn": {"joint": "arbor", "speed_deg": 10}}
    last = math.degrees(motion.inputs[-1])
    running = detent.run(detent.from_dict(data), until=last / 10, every=0.1)
    by_angle = {
        round(math.degrees(a), 3): p for a, p in zip(motion.inputs, motion.poses["star"][:, 2], strict=True)
    }
    compared = 0
    for wheel, star in zip(running.states["arbor"], running.states["pivot"], strict=True):
        if (angle := round(math.degrees(wheel), 3)) in by_angle:
            assert star == pytest.approx(by_angle[angle], abs=1e-6)
            compared += 1
    assert compared > 20
    assert np.ptp(motion.poses["star"][:, 2]) > math.radians(3)

    def begun(events: Any) -> list[tuple[str, float]]:
        starts = [e for e in events if e.kind in ("contact", "impact", "change") and e.after]
        found: list[tuple[str, float]] = []
        for event in starts:
            for name in event.after:
                if name not in event.before and all(name != known for known, _ in found):
                    found.append((name, event.time))
        return found

    ours = [(name, math.degrees(at)) for name, at in begun(motion.events)]
    theirs = [(name, 10 * at) for name, at in begun(running.events)]
    assert [name for name, _ in ours] == [name for name, _ in theirs][: len(ours)]
    assert [at for _, at in ours] == pytest.approx([at for _, at in theirs][: len(ours)], abs=1e-3)
