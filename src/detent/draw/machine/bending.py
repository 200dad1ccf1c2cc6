"""Beams and plates of elastic joints: a beam of a flat view as it bends, bodies of a view in space unbent.

A bent beam is drawn along the cubic that leaves its clamp straight and meets its tip where that is, at the
angle it has there: exact of an even beam under a force and a moment, near enough for the eye of others.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from detent.draw.machine.stage import Stage, StagedJoint
from detent.draw.scene.palette import INK, Colours
from detent.model.document.joint import Beam, Plate
from detent.model.machine.elastic.beam import beam_ends

if TYPE_CHECKING:
    from detent.draw.machine.stage import Matrix

BENDS = "#f4ecd8"
BENDING_COLOURS = Colours(BENDS, INK, INK)


def beam_line(stage: Stage, pair: StagedJoint, shares: Any) -> Matrix:
    """(n, 3) on paper: points of a beam's middle line and its direction there [rad]; 0 the root, 1
    the tip.
    """
    assert pair.joint.beam is not None
    length, s = float(pair.joint.beam.length), np.asarray(shares, float)
    axes = pair.first.frame[:2, :2]
    support, hook = (
        stage.now[end.part] @ np.linalg.inv(stage.drawn[end.part]) for end in (pair.first, pair.second)
    )
    unbent = (support @ np.linalg.inv(hook) @ np.append(pair.second.at, 1.0))[:2]
    along, across = axes.T @ (pair.second.at[:2] - unbent)
    turned = np.linalg.inv(support) @ hook
    angle = math.atan2(turned[1, 0], turned[0, 0])
    x = (length + along) * s - length
    y = across * (3 - 2 * s) * s**2 + angle * length * (s - 1) * s**2
    slope = 6 * across / length * s * (1 - s) + angle * (3 * s - 2) * s
    start = math.atan2(axes[1, 0], axes[0, 0])
    points = np.column_stack([x, y]) @ axes.T + unbent
    return np.column_stack([points, start + np.arctan(slope)])


def bending_bodies(stage: Stage) -> dict[str, Any]:
    """By the place of its joint in the document, which is no part's name."""
    import manifold3d

    bodies = {}
    for pair in stage.pairs:
        bends = pair.joint.beam or pair.joint.plate
        if bends is not None:
            corners = _beam(bends) if isinstance(bends, Beam) else _plate(bends)
            frame = pair.first.frame
            placed = corners @ frame[:3, :3].T + frame[:3, 3]
            bodies[f"joints.{pair.name}"] = manifold3d.Manifold.hull_points(placed)
    return bodies


def _beam(beam: Beam) -> Matrix:
    """From its root to the joint, which is at its tip: width along y, height along z."""
    ends = zip((-float(beam.length), 0.0), beam_ends(beam.width), beam_ends(beam.height), strict=True)
    corners = [
        (x, y * width / 2, z * height / 2) for x, width, height in ends for y in (-1, 1) for z in (-1, 1)
    ]
    return np.array(corners)


def _plate(plate: Plate) -> Matrix:
    """About its middle surface, with the joint where the hook is."""
    (x, y), (right, far) = ([float(v) for v in pair] for pair in (plate.hook_at, plate.sides))
    half = float(plate.thickness) / 2
    return np.array([(i - x, j - y, z) for i in (0.0, right) for j in (0.0, far) for z in (-half, half)])
