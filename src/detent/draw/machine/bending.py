"""Beams and plates of elastic joints as bodies of a view in space, as they are drawn, unbent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from detent.draw.machine.stage import Stage
from detent.draw.scene.palette import INK, Colours
from detent.model.document.joint import Beam, Plate
from detent.model.machine.elastic.beam import beam_ends

if TYPE_CHECKING:
    from detent.draw.machine.stage import Matrix

BENDS = "#f4ecd8"
BENDING_COLOURS = Colours(BENDS, INK, INK)


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
