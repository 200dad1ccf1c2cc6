"""A slide written as two lines: a point of each of two parts on a line of the other (Brunkhart 1994).

Where each line runs through its own part's point, both points lie on both lines, so that these are one line:
a slide. As one joint it has a dyad of its own, and nothing is lost where the two points meet.
"""

from __future__ import annotations

import math

from detent.kinematics.equations.rows import Floats
from detent.kinematics.planning.clusters import ClusterEdge, ClusterEnd
from detent.model.machine.plane_linkage import PlaneJoint, PlaneLinkage, PlanePoint, unit_direction


def reciprocal_slides(system: PlaneLinkage, poses: Floats) -> dict[str, ClusterEdge | None]:
    """By name, the joints of such pairs: the first as the slide that both are, the other as nothing."""
    lines = [pair for pair in system.pairs if pair.kind == "in_line"]
    slides: dict[str, ClusterEdge | None] = {}
    for i, one in enumerate(lines):
        for other in lines[i + 1 :]:
            if one.name in slides or other.name in slides:
                continue
            edge = _slide(system, poses, one, other)
            if edge is not None:
                slides[one.name], slides[other.name] = edge, None
    return slides


def _slide(system: PlaneLinkage, poses: Floats, one: PlaneJoint, other: PlaneJoint) -> ClusterEdge | None:
    if (one.a.part, one.b.part) != (other.b.part, other.a.part):
        return None
    if not _runs_through(system, other.a, one.b) or not _runs_through(system, one.a, other.b):
        return None
    between = (
        float(poses[other.a.part, 2]) + other.a.turn - float(poses[one.a.part, 2]) - one.a.turn
    ) / math.pi
    if abs(between - round(between)) * math.pi > system.tolerance.angle:
        return None  # drawn where the points meet, with the lines across each other: not a slide there
    near = ClusterEnd(one.a.part, one.a.at, one.a.turn)
    far = ClusterEnd(one.b.part, one.b.at, other.a.turn)
    return ClusterEdge(one.name, "prismatic", near, far, round(between) * math.pi)


def _runs_through(system: PlaneLinkage, line: PlanePoint, point: PlanePoint) -> bool:
    """Whether a line runs through a point of its own part."""
    across = (point.at - line.at) * unit_direction(line.turn).conjugate()
    return abs(across.imag) <= system.tolerance.length
