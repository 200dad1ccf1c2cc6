"""Fasteners of any size: a rack of n teeth under pawls, and a nose of n chords pushed past a bar."""

from __future__ import annotations

import math
from typing import Any

Document = dict[str, Any]


def rack(teeth: int, pawls: int = 1) -> Document:
    """Teeth of 10 by 4 that slant down to their left; all but the last two pass under the pawls' tips."""
    outline: list[list[float]] = [[0, -10], [teeth * 10, -10]]
    for right in range(teeth, 0, -1):
        outline += [[right * 10, 4], [right * 10 - 10, 0]]
    parts: dict[str, Any] = {"root": {}, "rack": {"fixed": True, "shape": {"outline": outline}}}
    joints = {}
    for p in range(pawls):
        x = round(-30 - 0.37 * p, 3)
        pawl = [[x, 13], [x + 18, 1], [x + 18.5, 2.5], [x - 0.2, 14]]
        parts[f"p{p}"] = {"shape": {"outline": [[round(a, 3), b] for a, b in pawl]}}
        spring = {"stiffness": 1}
        joints[f"h{p}"] = {"type": "revolute", "between": ["root", f"p{p}"], "at": [x, 14], "spring": spring}
    ignored = [f"p{a}:p{b}" for a in range(pawls) for b in range(a)]
    pushed = _pushed(parts, joints, [{"velocity": [1, 0], "for": teeth * 10}])
    return pushed | {"touching": {"ignore": ignored}}


def round_nose(chords: int) -> Document:
    """A hanging arm with a round nose that is pushed down past a bar, and back."""
    angles = [math.pi * k / chords for k in range(1, chords)]
    arc = [[round(8 * math.sin(a) - 2, 6), round(-44 - 6 * math.cos(a), 6)] for a in angles]
    arm = [[0.5, 3], [-2, 3], [-2, -50], *arc, [0.5, -38]]
    bar = [[1, -60], [40, -60], [40, -75], [1, -75]]
    hinge = {"type": "revolute", "between": ["root", "arm"], "at": [0, 0], "spring": {"stiffness": 1}}
    parts = {
        "root": {},
        "arm": {"shape": {"outline": arm}},
        "bar": {"fixed": True, "shape": {"outline": bar}},
    }
    return _pushed(parts, {"hinge": hinge}, [{"velocity": [0, -1], "for": 60}, {"back": True}])


def _pushed(parts: Document, joints: Document, legs: list[Any]) -> Document:
    return {
        "format": "detent/1",
        "units": "mm",
        "parts": parts,
        "joints": joints,
        "drives": {"push": {"part": "root", "legs": legs}},
    }
