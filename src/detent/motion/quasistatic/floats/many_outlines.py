"""The numbers and outlines of many designs at once: read, turned one way, and which cross themselves."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from detent.foundation.errors import ModelError
from detent.geometry.outline import crossing
from detent.motion.quasistatic.floats.tracker import MARGIN
from detent.numeric.kernels import kernel

# Elementary steps for each two edges of an outline, roughly.
STEPS = 10
# What an array of designs holds, by its depth.
_FORMS = (
    "give a number, or one a design",
    "give a point (x, y), or one a design: (2,) or (designs, 2)",
    "give an outline of points (x, y), or one a design: (vertices, 2) or (designs, vertices, 2)",
)


def numbers(name: str, value: Any, depth: int) -> tuple[Any, bool]:
    """An array of what is given of designs, of each a number, a point or an outline by its depth, and whether
    it has an entry a design."""
    try:
        array = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        raise ModelError.at(name, "not an array of numbers", _FORMS[depth]) from None
    if array.ndim not in (depth, depth + 1) or (depth and array.shape[-1] != 2):
        raise ModelError.at(name, f"an array of the shape {array.shape}", _FORMS[depth])
    return array, array.ndim == depth + 1


def counter_clockwise(outlines: Any, name: str) -> Any:
    """The same outlines (designs, vertices, 2), all counter-clockwise."""
    ahead = np.roll(outlines, -1, axis=1)
    area = (outlines[:, :, 0] * ahead[:, :, 1] - outlines[:, :, 1] * ahead[:, :, 0]).sum(axis=1)
    flat = (area == 0) | (outlines == ahead).all(axis=2).any(axis=1)
    if outlines.shape[1] < 3 or flat.any():
        at = f"{name}.{int(np.argmax(flat))}"
        raise ModelError.at(at, "an outline without area, or with a vertex twice", "give a polygon")
    return np.where((area < 0)[:, None, None], outlines[:, ::-1], outlines)


def crossed(outlines: Any) -> dict[int, tuple[float, float]]:
    """By design, where an outline crosses or touches itself: a filter in floats, then exactly."""
    count, n = outlines.shape[:2]
    doubtful = np.zeros(count, dtype=np.bool_)
    may_cross.at(STEPS * count * n * n)(np.ascontiguousarray(outlines), doubtful)
    places: dict[int, tuple[float, float]] = {}
    for i in np.flatnonzero(doubtful).tolist():
        meeting = crossing([(Fraction(x), Fraction(y)) for x, y in outlines[i].tolist()])
        if meeting is not None:
            places[i] = meeting.at
    return places


@kernel(sample=lambda: (np.array([[[0.0, 0.0], [2.0, 0.0], [0.0, 1.0]]]), np.zeros(1, dtype=np.bool_)))
def may_cross(outlines: Any, doubtful: Any) -> int:
    """Mark outlines with two edges that meet, or nearly so, beyond a vertex they share; returns how many."""
    marked = 0
    n = outlines.shape[1]
    for design in range(len(outlines)):
        outline = outlines[design]
        size = np.abs(outline).max()
        crosses = False
        for i in range(n):
            ax, ay = outline[i, 0], outline[i, 1]
            i2 = i + 1 if i + 1 < n else 0
            bx, by = outline[i2, 0], outline[i2, 1]
            ux, uy = bx - ax, by - ay
            blur = MARGIN * size * (abs(ux) + abs(uy))
            for j in range(i + 1, n):
                j2 = j + 1 if j + 1 < n else 0
                cx, cy, dx, dy = outline[j, 0], outline[j, 1], outline[j2, 0], outline[j2, 1]
                wx, wy = dx - cx, dy - cy
                blur_j = MARGIN * size * (abs(wx) + abs(wy))
                if j == i2 or j2 == i:  # neighbours: only one that runs back along the other
                    if ux * wx + uy * wy < 0 and abs(ux * wy - uy * wx) <= blur + blur_j:
                        crosses = True
                    continue
                c, d = ux * (cy - ay) - uy * (cx - ax), ux * (dy - ay) - uy * (dx - ax)
                a, b = wx * (ay - cy) - wy * (ax - cx), wx * (by - cy) - wy * (bx - cx)
                if min(c, d) > blur or max(c, d) < -blur or min(a, b) > blur_j or max(a, b) < -blur_j:
                    continue
                crosses = True
        doubtful[design] = crosses
        marked += crosses
    return marked
