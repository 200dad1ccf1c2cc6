"""Which face hides which: a binary space partition, traversed from the back.

Convex faces in space are sorted into a tree of planes, cut where they cross one;
read against the view, the tree gives an order in which each face may be painted
over those before it. The order is right for any faces that do not pass through
each other (Fuchs, Kedem and Naylor 1980).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

# Beyond so many faces each is smaller than what a reader sees; their middles give the order.
MOST_SORTED = 6000
FLAT = 1e-9  # of the faces' size: a corner this near a plane lies in it


@dataclass(frozen=True, eq=False)
class DrawnFace:
    """A convex face: corners in order, outward normal, which sides are edges to be drawn, its owner."""

    corners: Floats  # n x 3
    normal: Floats
    edges: tuple[bool, ...]  # side i runs from corner i to i + 1
    owner: int
    cut: bool = False  # lies in the plane that cuts the part open

    @cached_property
    def size(self) -> float:
        """Of its box, all sides together."""
        return float(np.ptp(self.corners, axis=0).sum())


def back_to_front(faces: list[DrawnFace], toward: Floats) -> list[DrawnFace]:
    """The faces in painting order for a viewer far away in direction `toward`."""
    if not faces:
        return []
    if len(faces) > MOST_SORTED:
        depth = [float(face.corners.mean(axis=0) @ toward) for face in faces]
        return [faces[k] for k in np.argsort(depth, kind="stable")]
    cloud = np.concatenate([face.corners for face in faces])
    flat = FLAT * float(np.ptp(cloud, axis=0).max() or 1.0)
    ordered: list[DrawnFace] = []
    # A stack instead of recursion: round bodies make trees as deep as they have faces.
    # An entry is either faces still to be sorted, or faces of one plane ready to be painted.
    stack: list[tuple[list[DrawnFace], bool]] = [(faces, False)]
    while stack:
        group, ready = stack.pop()
        if ready or len(group) == 1:
            ordered.extend(group)
            continue
        behind, within, before = _split(group, flat)
        far, near = (behind, before) if within[0].normal @ toward >= 0 else (before, behind)
        for entry in ((near, False), (within, True), (far, False)):
            if entry[0]:
                stack.append(entry)
    return ordered


def _split(group: list[DrawnFace], flat: float) -> tuple[list[DrawnFace], list[DrawnFace], list[DrawnFace]]:
    """Faces behind, in and before the plane of one of them; those across it are cut."""
    pivot = group[_pivot(group)]
    level = float(pivot.normal @ pivot.corners[0])
    counts = np.array([len(face.corners) for face in group])
    heights = np.concatenate([face.corners for face in group]) @ pivot.normal - level
    starts = np.concatenate([[0], counts.cumsum()[:-1]])
    low = np.minimum.reduceat(heights, starts)
    high = np.maximum.reduceat(heights, starts)
    behind, within, before = [], [], []
    for k, face in enumerate(group):
        if face is pivot or (low[k] >= -flat and high[k] <= flat):
            within.append(face)
        elif high[k] <= flat:
            behind.append(face)
        elif low[k] >= -flat:
            before.append(face)
        else:
            face_heights = heights[starts[k] : starts[k] + counts[k]]
            back, front = _cut(face, face_heights, flat)
            behind.append(back)
            before.append(front)
    return behind, within, before


def _pivot(group: list[DrawnFace]) -> int:
    """The face with the largest box: walls and floors divide best."""
    sizes = [face.size for face in group[:64]]
    return int(np.argmax(sizes))


def _cut(face: DrawnFace, heights: Floats, flat: float) -> tuple[DrawnFace, DrawnFace]:
    """A face across a plane, as its part behind and its part before."""
    sides: tuple[list[tuple[Floats, bool]], list[tuple[Floats, bool]]] = ([], [])
    n = len(face.corners)
    for i in range(n):
        a, b = face.corners[i], face.corners[(i + 1) % n]
        ha, hb = heights[i], heights[(i + 1) % n]
        drawn = face.edges[i]
        for side, sign in zip(sides, (-1.0, 1.0), strict=True):
            if sign * ha >= -flat:
                # The side along the cut is not an edge of the body.
                leaves = sign * ha <= flat and sign * hb < -flat
                side.append((a, drawn and not leaves))
            if (ha > flat and hb < -flat) or (ha < -flat and hb > flat):
                crossing = a + (b - a) * (ha / (ha - hb))
                entering = sign * hb > 0
                side.append((crossing, drawn and entering))
    back, front = (
        DrawnFace(
            np.array([c for c, _ in side]), face.normal, tuple(e for _, e in side), face.owner, face.cut
        )
        for side in sides
    )
    return back, front
