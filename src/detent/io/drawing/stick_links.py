"""A linkage without shapes as a drawing: each link the line or plate of its points, each joint a circle.

A link of the workbench is points and joints. For a drawing its points are joined
by their hull, as the page and the pictures show it; the ground is the paper. The
circles mark where the joints are, on a layer of their own: their size is the
drawing's, not a pin's.
"""

from __future__ import annotations

from dataclasses import dataclass

from detent.geometry.frame import Frame
from detent.io.drawing.loops import extent
from detent.model.document.mechanism import Mechanism
from detent.model.editing.posing import with_markers
from detent.model.machine.drawn.joint_gaps import floats
from detent.model.machine.placed import Placed, place
from detent.model.machine.poses import marker_frame

Point = tuple[float, float]

# Of the drawing's extent: small beside a link, large enough to be clicked on.
_CIRCLE = 0.01
# Places nearer than this, of the extent, are one pin: it is marked once.
_ONE_PIN = 1e-9


@dataclass(frozen=True)
class Sticks:
    """Lines by part, closed where they bound a plate, and the circles of the joints."""

    links: dict[str, tuple[Point, ...]]
    joints: tuple[Point, ...]
    radius: float


def sticks(mechanism: Mechanism) -> Sticks:
    """The links without a shape as drawn; empty where there are none, or in space."""
    none = Sticks({}, (), 0.0)
    if mechanism.dimension != 2:
        return none
    marked = with_markers(mechanism)
    placed = place(marked)
    poses = placed.known
    links = {
        name: line
        for name, part in marked.parts.items()
        if name in poses and part.shape is None and part.library is None and not part.fixed
        if len(line := _hull(_points(marked, name, poses[name]))) > 1
    }
    if not links:
        return none
    size = extent([point for line in links.values() for point in line])
    return Sticks(links, _pins(placed, _ONE_PIN * size), _CIRCLE * size)


def _points(mechanism: Mechanism, name: str, frame: Frame) -> list[Point]:
    places = (frame @ marker_frame(mechanism, f"{name}.{m}") for m in mechanism.parts[name].markers)
    return [(float(place.origin[0]), float(place.origin[1])) for place in places]


def _pins(placed: Placed, apart: float) -> tuple[Point, ...]:
    pins: list[Point] = []
    for joint in placed.joints.values():
        if not placed.knows(joint):
            continue
        point = floats(joint.point_in_world)[:2]
        if all(extent([point, other]) > apart for other in pins):
            pins.append(point)
    return tuple(pins)


def _hull(points: list[Point]) -> tuple[Point, ...]:
    """Two ends of a bar, or the corners of a plate."""
    import shapely

    if not points:
        return ()
    around = shapely.MultiPoint(points).convex_hull
    if around.geom_type == "Polygon":
        return tuple((x, y) for x, y in around.exterior.coords[:-1])
    return tuple((x, y) for x, y in around.coords)
