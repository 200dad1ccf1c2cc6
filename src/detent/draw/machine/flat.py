"""Parts seen from above: regions in layers, links as bars, hidden edges dashed.

A solid that is a stack of prisms is drawn layer by layer, the lowest first; an
edge that a higher part covers is dashed. A part without a shape is drawn through
its joints and markers: a bar between two, a plate between more.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from detent.draw.machine.stage import Stage
from detent.draw.scene.palette import Colours
from detent.draw.scene.scene import Area, Bar, DrawnLine, Item, Style
from detent.geometry import region
from detent.geometry.solid import Solid

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

    from detent.draw.machine.stage import Matrix
    from detent.draw.scene.scene import Points

FINENESS = 128  # chords to a circle: a twentieth of a pixel on a poster's page
# Beyond this, hidden edges of so fine a shape would be a grey smear anyway.
MOST_HIDDEN = 20_000


@dataclass(frozen=True, eq=False)
class Slab:
    """A part between two heights, at its pose."""

    part: str
    bottom: float
    top: float
    region: BaseGeometry


def slabs(stage: Stage) -> list[Slab]:
    """All parts that have a shape, as they are painted: lowest tops first, then the ground, then the largest.

    In the plane nothing lies lower, and a plate would hide what is drawn on it.
    """
    painted = []
    for part, solid in stage.solids.items():
        pose = stage.now[part]
        if part not in stage.shapes:
            stage.shapes[part] = stack(solid)
        for layer in stage.shapes[part]:
            lift = float(pose[2, 3])
            painted.append(Slab(part, layer.bottom + lift, layer.top + lift, moved(layer.region, pose)))
    fixed = {name: p.fixed for name, p in stage.mechanism.parts.items()}
    return sorted(painted, key=lambda s: (s.top, not fixed[s.part], -s.region.area))


def stack(solid: Solid) -> tuple[region.Layer, ...]:
    """A solid's layers; one that has none is its shadow."""
    if region.stackable(solid):
        return region.layers(solid, fineness=FINENESS)
    parts = region.leaf_regions(solid, fineness=FINENESS)
    shadow = region.from_above(solid, fineness=FINENESS)
    return (region.Layer(min(p.bottom for p in parts), max(p.top for p in parts), shadow),)


def moved(flat: BaseGeometry, pose: Matrix) -> BaseGeometry:
    """A region of a part at the part's pose; its rotation is about z."""
    import shapely

    placed: Any = shapely.transform(flat, lambda xy: xy @ pose[:2, :2].T + pose[:2, 3])
    return placed


def draw(painted: list[Slab], colours: dict[str, Colours], *, solid_fill: bool) -> list[Item]:
    """The slabs as areas and lines."""
    items: list[Item] = []
    for slab in painted:
        items.extend(_paint(slab, colours[slab.part], solid_fill))
    return items


def _paint(slab: Slab, colours: Colours, solid_fill: bool) -> list[Item]:
    style = Style(
        stroke=colours.line,
        width=1.6,
        fill=colours.fill,
        opacity=1.0 if solid_fill else 0.88,
        hatch=colours.hatch,
    )
    items: list[Item] = [Area(rings(polygon), style, slab.part) for polygon in polygons(slab.region)]
    wire = Style(stroke=colours.line, width=3.0)
    items += [DrawnLine(line, wire, owner=slab.part) for line in lines(slab.region)]
    return items


def hidden(painted: list[Slab], colours: dict[str, Colours]) -> list[Item]:
    """Edges of lower parts under higher ones, dashed."""
    import shapely

    if sum(shapely.get_num_coordinates(slab.region) for slab in painted) > MOST_HIDDEN:
        return []
    items: list[Item] = []
    for k, slab in enumerate(painted):
        above = [s.region for s in painted[k + 1 :] if s.part != slab.part and _above(s, slab)]
        same_part = [s.region for s in painted[k + 1 :] if s.part == slab.part]
        if not above:
            continue
        covered = shapely.intersection(slab.region.boundary, joined(above))
        # Where the part itself continues above, it is not an edge, only the foot of a step.
        if same_part:
            covered = shapely.difference(covered, joined(same_part).buffer(0))
        dashed = Style(stroke=colours[slab.part].line, width=1.0, dash=(4.0, 3.0), opacity=0.75)
        items += [DrawnLine(line, dashed, owner=slab.part) for line in lines(covered)]
    return items


def _above(one: Slab, other: Slab) -> bool:
    """Whether one hides the other; flat parts lie beside each other, at one height."""
    return one.bottom >= other.top and one.top > other.top


def bars(stage: Stage, colours: dict[str, Colours]) -> list[Item]:
    """Moving parts without a shape, through the points that joints and markers give them."""
    items: list[Item] = []
    for part, points in link_points(stage).items():
        style = Style(stroke=colours[part].line, width=1.6, fill=colours[part].fill, opacity=0.92)
        items.append(Bar(points, style, part))
    return items


def link_points(stage: Stage) -> dict[str, Points]:
    """By moving part without a shape: the distinct points it connects, in the plane."""
    by_part: dict[str, Points] = {}
    for name, part in stage.mechanism.parts.items():
        if part.fixed or name in stage.solids or part.library is not None:
            continue
        points = [place[:2] for place in stage.places[name]]
        if points:
            by_part[name] = np.unique(np.round(np.array(points), 12), axis=0)
    return by_part


def polygons(flat: BaseGeometry) -> list[Any]:
    """The polygons in any geometry."""
    import shapely

    return [
        p for p in shapely.get_parts(shapely.get_parts(flat)) if p.geom_type == "Polygon" and not p.is_empty
    ]


def rings(polygon: Any) -> tuple[Points, ...]:
    """Outer ring, then holes, without the repeated last point."""
    return tuple(np.asarray(ring.coords)[:-1, :2] for ring in (polygon.exterior, *polygon.interiors))


def lines(flat: BaseGeometry) -> list[Points]:
    """The open lines in any geometry, joined where they meet."""
    import shapely

    pieces = [
        g
        for g in shapely.get_parts(shapely.get_parts(flat))
        if g.geom_type in ("LineString", "LinearRing") and not g.is_empty
    ]
    if not pieces:
        return []
    joined = shapely.line_merge(shapely.MultiLineString(pieces))
    return [np.asarray(line.coords)[:, :2] for line in shapely.get_parts(joined) if line.length > 0]


def joined(regions: list[Any]) -> Any:
    """Regions as one; an outline that crosses itself is drawn too, by the area it goes round."""
    import shapely

    return shapely.unary_union(shapely.make_valid(np.array(regions, dtype=object)))


def covered(painted: list[Slab], at: tuple[float, float]) -> bool:
    """Whether any part is drawn over a point."""
    import shapely

    return any(bool(shapely.intersects_xy(slab.region, *at)) for slab in painted)


def label_points(part: str, painted: list[Slab]) -> list[tuple[float, float]]:
    """Points well inside what is seen of a part: its widest places, the largest first."""
    import shapely

    candidates: list[tuple[float, tuple[float, float]]] = []
    for k, slab in enumerate(painted):
        if slab.part != part:
            continue
        above = [s.region for s in painted[k + 1 :] if _above(s, slab)]
        seen = shapely.difference(joined([slab.region]), joined(above)) if above else slab.region
        for polygon in polygons(seen):
            circle = shapely.maximum_inscribed_circle(polygon, tolerance=0.02 * polygon.length)
            (x, y), _ = circle.coords
            candidates.append((circle.length, (x, y)))
        candidates += [(0.0, tuple(line.mean(axis=0))) for line in lines(seen)]
    candidates.sort(key=lambda entry: -entry[0])
    return [place for _, place in candidates[:4]]
