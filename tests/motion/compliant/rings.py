"""Documents with rings, and what a ring does by an independent computation."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from detent.model import Mechanism
from detent.model.reading import convert

ROUNDED = [{"face": "-z", "round": -3}, {"face": "+z", "round": -3}]
R0, TUBE, C1, C2 = 10e-3, 1.575e-3, 16e6, 43e9  # of Meitinger & Pfeiffer's ring [m, N/m², N/m³]


def bored(*holes: dict[str, Any]) -> dict[str, Any]:
    """A block of 60 x 60 x 16 less holes."""
    block = {"block": [60, 60, 16], "moves": [{"move": [-30, -30, 0]}]}
    return {"difference": [block, *holes]}


def rounded(radius: float = 13) -> dict[str, Any]:
    return {"cylinder": {"radius": radius, "height": 16}, "edges": ROUNDED}


def document(
    *,
    at: tuple[float, float, float] = (0, 0, -1.575),
    friction: float | None = 0.3,
    shape: dict[str, Any] | None = None,
    legs: list[dict[str, Any]] | None = None,
    **settings: Any,
) -> Mechanism:
    """The ring 20 x 3.15 in front of a bore, in mm."""
    given = {"inner_diameter": 20, "section": 3.15, "groove_radius": 10, "pressure": [C1, C2]} | settings
    return convert.mechanism(
        {
            "units": "mm",
            "dimension": 3,
            "parts": {
                "ring": {
                    "library": "oring",
                    "set": {key: value for key, value in given.items() if value is not None},
                    "pose": {"at": list(at)},
                },
                "bore": {"fixed": True, "shape": bored(rounded()) if shape is None else shape},
            },
            "drives": {"push": {"part": "ring", "legs": legs or [{"velocity": [0, 0, 1], "distance": 20}]}},
            "touching": {} if friction is None else {"friction": friction},
        }
    )


def rounded_profile() -> np.ndarray[Any, Any]:
    """(n, 2) depths and radii of the bore with rims of 3 mm, 16 mm deep [m]."""
    angles = np.linspace(0, math.pi / 2, 20_001)
    entry = np.column_stack([3 - 3 * np.sin(angles), 16 - 3 * np.cos(angles)])[::-1]
    land = np.column_stack([np.linspace(3, 13, 1_001), np.full(1_001, 13.0)])
    leaving = np.column_stack([13 + 3 * np.sin(angles), 16 - 3 * np.cos(angles)])
    return 1e-3 * np.concatenate([entry, land, leaving])


def touched(profile: np.ndarray[Any, Any], depth: float, tube: float = TUBE) -> tuple[float, float]:
    """Radius of the section's centre where it first touches a sampled profile, and the angle b."""
    ahead = profile[:, 0] - depth
    near = np.abs(ahead) < tube
    ahead = ahead[near]
    radius = profile[near, 1] - np.sqrt(tube**2 - ahead**2)
    k = min(max(int(np.argmin(radius)), 1), len(radius) - 2)
    beside = ahead[k - 1 : k + 2] - ahead[k]
    a, b, c = np.polyfit(
        beside / beside[2], radius[k - 1 : k + 2], 2
    )  # the lowest of a parabola through three
    at = float(ahead[k] - beside[2] * b / (2 * a))
    return float(c - b * b / (4 * a)), math.asin(at / tube)


def contact_load(elastic: float, b: float, mu: float, mu_groove: float, sense: int) -> tuple[float, float]:
    """Axial load against the push and load towards the axis, of a piece whose elastic load is given.

    Two unknowns, the contact's and the flank's force, from two equations; the flank that pushes is the one.
    The ring is compressed where it is pushed against a wall that narrows, or within a cylinder.
    """
    compressed = 1.0 if sense * b >= 0 else -1.0
    inward = np.array([-math.sin(b), math.cos(b)])  # the wall's normal: along the axis, towards it
    sliding = sense * np.array([math.cos(b), math.sin(b)])
    contact = inward - mu * sliding
    for flank in (1.0, -1.0):
        # Of the piece: contact force, flank force, its friction against the ring's way, elastic force.
        rows = np.array([[contact[0], flank], [contact[1], -mu_groove * compressed]])
        normal, pushes = np.linalg.solve(rows, [0.0, elastic])
        if normal >= 0 and pushes >= 0:
            return -sense * float(normal * contact[0]), float(normal * contact[1])
    raise AssertionError("no flank is in balance")


def push(
    depth: float, offset: float, mu: float, mu_groove: float | None = None, sense: int = 1
) -> tuple[float, float, float]:
    """What a ring in the rounded bore takes: push, load along the offset, tilting moment; by quadrature."""
    radius, b = touched(rounded_profile(), depth)
    if abs(b) < 4e-3:  # within the cylinder, as near as the sampled profile tells
        b = 0.0
    angles = (np.arange(20_000) + 0.5) * math.tau / 20_000
    squeeze = np.maximum(R0 + TUBE - radius + offset * np.cos(angles), 0.0)
    elastic = C1 * squeeze + C2 * squeeze**2
    axial, towards = contact_load(1.0, b, mu, mu if mu_groove is None else mu_groove, sense)
    step = R0 * math.tau / 20_000
    along = axial * elastic * step
    return (
        float(along.sum()),
        float(-(towards * elastic * np.cos(angles)).sum() * step),
        float(-(along * R0 * np.cos(angles)).sum()),
    )
