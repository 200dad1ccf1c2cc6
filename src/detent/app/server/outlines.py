"""What the page paints: each part's outline in its own frame, its markers, and its pose as drawn.

A part's layers (`detent.draw.machine.flat.stack`) become rings; the page moves them with
the part, so that a drag never asks the server for a picture.
"""

from __future__ import annotations

import math
from typing import Any

from detent.draw.machine import flat
from detent.foundation.errors import UnsupportedError
from detent.geometry.frame import Frame
from detent.model.document.mechanism import Mechanism
from detent.model.machine.placed import place
from detent.model.machine.poses import marker_frame
from detent.model.machine.solids import part_solid

Plain = dict[str, Any]


def outlines(mechanism: Mechanism) -> Plain:
    """Poses and parts by name, as plain data."""
    poses = {name: _pose(frame) for name, frame in place(mechanism).known.items()}
    return {"poses": poses, "parts": {name: _part(mechanism, name) for name in mechanism.parts}}


def _part(mechanism: Mechanism, name: str) -> Plain:
    solid = part_solid(mechanism, name)
    layers = [] if solid is None else [_layer(layer) for layer in flat.stack(solid)]
    return {"fixed": mechanism.parts[name].fixed, "layers": layers, "markers": _markers(mechanism, name)}


def _layer(layer: Any) -> Plain:
    """Rings by the even-odd rule, and lines where a shape has no area."""
    rings = [ring.tolist() for polygon in flat.polygons(layer.region) for ring in flat.rings(polygon)]
    lines = [line.tolist() for line in flat.lines(layer.region)]
    return {"bottom": float(layer.bottom), "top": float(layer.top), "rings": rings, "lines": lines}


def _markers(mechanism: Mechanism, name: str) -> dict[str, list[float]]:
    frames = {}
    for marker in mechanism.parts[name].markers:
        try:
            frames[marker] = _pose(marker_frame(mechanism, f"{name}.{marker}"))
        except UnsupportedError:
            continue  # a library part knows it, and the plan brings it
    return frames


def _pose(frame: Frame) -> list[float]:
    """[x, y, angle] as seen from above."""
    x, y, _ = frame.origin
    return [float(x), float(y), math.atan2(float(frame.rows[1][0]), float(frame.rows[0][0]))]
