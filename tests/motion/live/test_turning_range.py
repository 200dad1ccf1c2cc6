"""How far a part turns that somebody turns by a typed direction: against a sweep of the crank."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest

import detent
from detent.motion.live import turned

DRAWN = [
    ((40, 0), (40, 20), (90, 50), (100, 0)),
    ((0, 0), (3, 14), (40, 47), (70, -5)),
    ((10, 5), (-12, 21), (31, 80), (66, 12)),
]


def coupler_range(a, b, c, d):
    """Least and most rotation [deg] of the coupler from the drawing, all round; by triangles."""
    crank, coupler, rocker = math.dist(a, b), math.dist(b, c), math.dist(c, d)
    start = math.atan2(b[1] - a[1], b[0] - a[0])
    t = start + np.linspace(0, 2 * math.pi, 200001)
    x, y = d[0] - a[0] - crank * np.cos(t), d[1] - a[1] - crank * np.sin(t)
    far = np.hypot(x, y)
    angle = np.unwrap(np.arctan2(y, x) + np.arccos((coupler**2 + far**2 - rocker**2) / (2 * coupler * far)))
    return np.degrees(angle.min() - angle[0]), np.degrees(angle.max() - angle[0])


@pytest.mark.parametrize("points", DRAWN)
def test_the_range_that_is_told_is_the_coupler_s_whole_range(points):
    a, b, c, d = points
    ends = {"g": {"A": a, "D": d}, "l": {"A": a, "B": b}, "k": {"B": b, "C": c}, "r": {"C": c, "D": d}}
    pins = {"A": ("g", "l"), "B": ("l", "k"), "C": ("k", "r"), "D": ("g", "r")}
    machine = detent.from_dict(
        {
            "units": "mm",
            "parts": {n: {"markers": {k: list(p) for k, p in m.items()}} for n, m in ends.items()}
            | {"g": {"fixed": True, "markers": {k: list(p) for k, p in ends["g"].items()}}},
            "joints": {
                k: {"type": "revolute", "between": [f"{p}.{k}", f"{q}.{k}"]} for k, (p, q) in pins.items()
            },
        }
    )
    with pytest.raises(detent.ModelError) as caught:
        turned(machine, None, "k", math.pi)
    told = [float(number) for number in re.findall(r"([+-][\d.]+)°", str(caught.value))]
    assert told == pytest.approx(coupler_range(a, b, c, d), rel=2e-4, abs=2e-3)
