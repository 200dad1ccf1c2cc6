"""Parallelograms in a row, each with a drive: carriers keep their direction through change points."""

from __future__ import annotations

import cmath
import math

import numpy as np
import pytest

import detent

BASE = 60j  # between the two pins of a carrier


def arm(
    links: list[tuple[float, float]], swings: list[float], steps: int, last: complex = BASE
) -> detent.Mechanism:
    """Links by length and direction [deg], and how far each swings; `last` between the pins of the head."""
    at = lambda z: [z.real, z.imag]  # noqa: E731
    parts = {"carrier0": {"fixed": True, "markers": {"A": [0, 0], "B": at(BASE)}}}
    joints, drives = {}, {}
    a = 0j
    for k, ((length, direction), swing) in enumerate(zip(links, swings, strict=True)):
        c = a + cmath.rect(length, math.radians(direction))
        d = c + (BASE if k < len(links) - 1 else last)
        parts[f"driven{k}"] = {"markers": {"A": at(a), "C": at(c)}}
        parts[f"follower{k}"] = {"markers": {"B": at(a + BASE), "D": at(c + BASE)}}
        a = c + 40 + 10j
        parts[f"carrier{k + 1}"] = {"markers": {"C": at(c), "D": at(d), "A": at(a), "B": at(a + BASE)}}
        ends = {
            "a": (f"carrier{k}.A", f"driven{k}.A"),
            "b": (f"carrier{k}.B", f"follower{k}.B"),
            "c": (f"driven{k}.C", f"carrier{k + 1}.C"),
            "d": (f"follower{k}.D", f"carrier{k + 1}.D"),
        }
        joints |= {f"{j}{k}": {"type": "revolute", "between": list(pair)} for j, pair in ends.items()}
        drives[f"m{k}"] = {"joint": f"a{k}", "from_deg": 0, "to_deg": swing, "steps": steps}
    return detent.from_dict({"units": "mm", "parts": parts, "joints": joints, "drives": drives})


@pytest.mark.parametrize(
    ("links", "swings", "steps"),
    [
        ([(316.2, 18.4), (286.5, -60.75)], [60, -45], 20),
        ([(316.2, 18.4), (286.5, -60.75)], [0, -45], 20),
        ([(136.1, -0.73), (178.9, 24.32)], [115.5, -162.5], 4),
        ([(180.0, -28.6), (184.2, -76.4)], [-45.4, -31.6], 10),
        ([(266.2, 0.85), (209.6, -74.7), (133.4, 47.7)], [-34.3, -130.8, 19.5], 20),
        ([(120, -60), (150, -30)], [-60, -120], 4),  # both in line at once, at a position
        ([(120, -60), (150, -30)], [-60, -120], 5),
    ],
)
def test_carriers_keep_their_direction(links, swings, steps):
    motion = detent.move(arm(links, swings, steps))
    assert motion.stop == "done"
    for k, swing in enumerate(swings):
        assert np.abs(motion.poses[f"carrier{k + 1}"][:, 2]).max() <= 1e-6
        assert math.degrees(motion.poses[f"follower{k}"][-1, 2]) == pytest.approx(swing, abs=1e-5)
    in_line = sum(
        (direction - 90) // 180 != (direction + swing - 90) // 180
        for (_, direction), swing in zip(links, swings, strict=True)
    )
    at_once = links[0][1] == -60  # one event has both
    changes = [point for point in motion.limit_points if point.kind == "change"]
    assert len(changes) == (1 if at_once else in_line)
    assert len(motion.limit_points) == len(changes)


@pytest.mark.parametrize("off", [1e-3, -1e-3])
def test_a_head_that_is_not_quite_parallel_has_no_change_point(off):
    """In line the follower must reach from 60 above the driven link to what is `off` from that.

    A longer head is never in line, and stays on its side; a shorter one cannot pass.
    """
    links, swings = [(316.2, 18.4), (286.5, -60.75)], [60, -45]
    motion = detent.move(arm(links, swings, 20, BASE * (1 + off / 60)))
    assert motion.stop == ("done" if off > 0 else "limit")
    assert all(point.kind == "limit" for point in motion.limit_points)
