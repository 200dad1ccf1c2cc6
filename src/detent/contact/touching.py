"""Contacts of a document whose parts touch as drawn: polygons, discs, convex polyhedra.

A vertex on an edge or in a notch, an edge on an edge, a vertex in a face and crossing edges are
decided on the document's rationals; rounding is allowed for only where a turn or a disc
brings it in. Where only corners meet (in space also a corner and an edge, or edges side by side)
many planes separate the parts, so there is no one normal and no one mode: that is refused
by name, and so are parts that overlap. Anything else (holes, cones) is given as `[[contacts]]`.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import Any

from detent.contact import touching_plane, touching_region, touching_space
from detent.contact.pieces import CLOSE, Touch, pieces_of, points_of
from detent.foundation.errors import ModelError, Problem, UnsupportedError
from detent.geometry.vector import Vec, dot, minus, norm
from detent.model.mechanism import Mechanism
from detent.model.poses import world_poses
from detent.model.solids import part_solid

Found = tuple[str, str, Vec, Vec]  # first part, second part, point, normal from first to second


def touching_parts(mechanism: Mechanism) -> list[Found]:
    """Every contact between the shapes as drawn, pairs in document order."""
    poses = world_poses(mechanism)
    pieces = {
        name: pieces_of(mechanism, name, poses[name])
        for name, part in mechanism.parts.items()
        if part.shape is not None
    }
    size = max(
        (abs(float(x)) for own in pieces.values() for piece in own for p in points_of(piece) for x in p),
        default=1.0,
    )
    close = CLOSE * size
    method: Any = touching_space if mechanism.dimension == 3 else touching_plane
    ignored = set(mechanism.touching.ignore) if mechanism.touching is not None else set()
    _refuse_overlaps(mechanism, pieces, close)
    found: list[Found] = []
    for first, second in itertools.combinations(pieces, 2):
        if mechanism.parts[first].fixed and mechanism.parts[second].fixed:
            continue
        if {f"{first}:{second}", f"{second}:{first}"} & ignored:
            continue
        corners: list[Vec] = []
        regions: list[list[Touch]] = []
        for a, b in itertools.product(pieces[first], pieces[second]):
            regions.append(_distinct(method.touches(a, b, close), close))
            corners += method.corners_alone(a, b, close)
        own = _distinct(itertools.chain(*regions), close)
        for point in corners:
            if not any(norm(minus(point, p)) <= close for p, _ in own):
                raise _no_normal(first, second, point)
        if mechanism.dimension == 3:
            own = touching_region.corners(own, regions, close)
        found += [(first, second, point, normal) for point, normal in own]
    return found


def _refuse_overlaps(mechanism: Mechanism, pieces: dict[str, list[Any]], close: float) -> None:
    """Parts that stand in each other touch nowhere in particular, and are not free either."""
    from detent.model.overlap import overlaps

    solids = {name: solid for name in pieces if (solid := part_solid(mechanism, name)) is not None}
    found = [
        each
        for each in overlaps(mechanism, solids)
        # Meshes of tilted solids that only touch may seem to share a sliver.
        if mechanism.dimension == 2
        or any(
            touching_space.overlap(a, b, close)
            for a, b in itertools.product(pieces[each.first], pieces[each.second])
        )
    ]
    if found:
        raise ModelError(*(Problem(each.at, each.problem, each.remedy) for each in found))


def _no_normal(first: str, second: str, point: Vec) -> UnsupportedError:
    where = ", ".join(f"{float(x):.6g}" for x in point)
    return UnsupportedError(
        f"{first} and {second} meet corner on corner at ({where}), where no one normal separates them",
        f'give all contacts as [[contacts]], or leave the pair out: touching.ignore = ["{first}:{second}"]',
        f"parts.{second}",
    )


def _distinct(found: Iterable[Touch], close: float) -> list[Touch]:
    """One of each point and direction."""
    kept: list[Touch] = []
    for point, normal in found:
        same = (
            norm(minus(point, p)) <= close
            and abs(float(dot(normal, n)) / (norm(normal) * norm(n)) - 1) <= CLOSE
            for p, n in kept
        )
        if not any(same):
            kept.append((point, normal))
    return kept
