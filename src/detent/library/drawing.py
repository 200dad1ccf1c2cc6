"""Draws linkages in place: named points in the world, and parts that carry them.

A part is the tuple of its points. Where k parts share a point, a pin through all of them
means k - 1 revolute joints (Brunkhart 1994, section 2.1), named after the point: `T`,
`T_2`, ... Nothing has a pose, so each joint's coordinate is zero as drawn.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence

from detent.foundation.errors import ModelError
from detent.model.machine.graph import GROUND
from detent.model.reading.build import Builder

Point = tuple[float, float]


def pinned(
    title: str,
    points: Mapping[str, Point],
    parts: Mapping[str, Sequence[str]],
    *,
    lines: Mapping[str, tuple[Point, float]] | None = None,
) -> Builder:
    """A builder of parts pinned where they share points; the part `ground` is fixed.

    `lines` adds directed markers, as "part.marker": (point, direction [deg]); they carry no pin.
    """
    markers: dict[str, dict[str, object]] = {
        part: {name: list(points[name]) for name in names} for part, names in parts.items()
    }
    for place, (at, turn_deg) in (lines or {}).items():
        part, _, name = place.partition(".")
        markers[part][name] = {"at": list(at), "turn_deg": turn_deg}
    builder = Builder(format="detent/1", title=title, units="1")
    for part, placed in markers.items():
        builder.part(part, markers=placed, **({"fixed": True} if part == GROUND else {}))
    for name in points:
        through = [part for part, names in parts.items() if name in names]
        for i, (first, second) in enumerate(itertools.pairwise(through)):
            builder.joint(
                name if i == 0 else f"{name}_{i + 1}", "revolute", f"{first}.{name}", f"{second}.{name}"
            )
    return builder


def polar(radius: float, angle_deg: float, about: Point = (0.0, 0.0)) -> Point:
    angle = math.radians(angle_deg)
    return (about[0] + radius * math.cos(angle), about[1] + radius * math.sin(angle))


def meet(p: Point, p_radius: float, q: Point, q_radius: float, *, left: bool, name: str) -> Point:
    """Where two bars pinned at p and q meet, left or right of the line from p to q."""
    dx, dy = q[0] - p[0], q[1] - p[1]
    apart = math.hypot(dx, dy)
    if apart == 0:
        raise ModelError.at(name, "both bars are pinned at one point", "choose lengths that keep them apart")
    along = (apart**2 + p_radius**2 - q_radius**2) / (2 * apart)
    square = p_radius**2 - along**2
    if square < 0:
        raise ModelError.at(
            name,
            f"bars of length {p_radius:g} and {q_radius:g} do not meet over a distance of {apart:g}",
            "choose lengths that close, or another first angle",
        )
    across = math.sqrt(square) if left else -math.sqrt(square)
    return (p[0] + (along * dx - across * dy) / apart, p[1] + (along * dy + across * dx) / apart)


def on_bar(p: Point, q: Point, along: float, across: float = 0.0) -> Point:
    """The point at a distance `along` from p towards q, and `across` to the left of that line."""
    dx, dy = q[0] - p[0], q[1] - p[1]
    length = math.hypot(dx, dy)
    return (p[0] + (along * dx - across * dy) / length, p[1] + (along * dy + across * dx) / length)
