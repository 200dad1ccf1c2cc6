"""A mechanism as a scene: as drawn, or at the poses that a method found.

In the plane, and for machines that move in layers across z, the view is from
above; anything else is seen at an angle (machine/space.py). Contacts are shown as a
point and its normal; what the frame pushes back with is hatched behind them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from detent.draw.machine import flat, gears, joints
from detent.draw.machine.contacts import PLATE, DrawnContact, contact_points, inward
from detent.draw.machine.stage import Poses, Stage, stage_of
from detent.draw.scene import palette
from detent.draw.scene.palette import CONTACT, Colours
from detent.draw.scene.scene import Area, Arrow, Item, Label, Point, Scene, Style, Symbol, extent
from detent.foundation.errors import UnsupportedError
from detent.geometry.region import stackable
from detent.model.document.joint_types import JOINT_TYPES
from detent.model.document.mechanism import Mechanism

if TYPE_CHECKING:
    from detent.draw.scene.scene import Points

NORMAL = 38.0  # [px] a contact's normal
_ALONG = 1e-9  # a direction this near an axis lies along it, or across it


def machine_scene(
    mechanism: Mechanism,
    poses: Poses | None = None,
    contacts: Iterable[DrawnContact] = (),
    arrows: Iterable[Arrow] = (),
    *,
    named: bool = True,
    bounds: tuple[float, float, float, float] | None = None,
) -> Scene:
    """The picture of a mechanism.

    `poses` gives rows as a Trajectory holds them, by part; parts left out are placed
    as drawn. `arrows` are in the picture's plane. Not `named`: a key instead of labels,
    for pictures that move; those show no hidden edges and no drives. `bounds` fixes the frame.
    """
    refuse_rows(mechanism)
    return scene_at(stage_of(mechanism, poses), contacts, arrows, named=named, bounds=bounds)


def scene_at(
    stage: Stage,
    contacts: Iterable[DrawnContact] = (),
    arrows: Iterable[Arrow] = (),
    *,
    named: bool = True,
    bounds: tuple[float, float, float, float] | None = None,
) -> Scene:
    """The same of a mechanism that is set up already."""
    every_contact = [*stage.mechanism.contacts, *contacts]
    if is_spatial(stage, every_contact):
        from detent.draw.machine import space

        scene = space.space_scene(stage, every_contact, list(arrows), bounds=bounds)
    else:
        scene = _from_above(stage, every_contact, list(arrows), bounds, moving=not named)
    if not scene.items:
        raise UnsupportedError(
            "there is nothing to draw: no part has a shape, a marker, a joint or a contact",
            "give a part a shape, or markers",
        )
    return scene if named else _with_key(scene, stage)


def refuse_rows(mechanism: Mechanism) -> None:
    """A document of rows alone has nothing that could be drawn."""
    if not mechanism.parts:
        what = "contact rows, which have no place in space" if mechanism.rows else "no parts"
        raise UnsupportedError(
            f"there is nothing to draw: the document holds {what}",
            "give parts, or [[contacts]] with points and normals",
        )


def is_spatial(stage: Stage, contacts: Sequence[DrawnContact]) -> bool:
    """Whether a view from above would hide how the machine moves or touches."""
    mechanism = stage.mechanism
    if mechanism.dimension == 2:
        return False
    if not all(stackable(solid) for solid in stage.solids.values()):
        return True
    if any(part.library is not None for part in mechanism.parts.values()):
        return True
    if any(abs(stage.now[name][2, 2]) < 1 - _ALONG for name in stage.solids):
        return True
    if any(len(c.normal) == 3 for c in contacts) or any(_leaves_plane(pair) for pair in stage.pairs):
        return True
    legs = (leg for drive in mechanism.drives.values() for leg in drive.legs)
    return any(leg.velocity is not None and len(leg.velocity) == 3 and leg.velocity[2] != 0 for leg in legs)


def _leaves_plane(pair: Any) -> bool:
    """Whether a joint moves its parts out of planes across z."""
    keeps, upwards = JOINT_TYPES[pair.joint.type].keeps_plane, abs(float(pair.axis[2]))
    if keeps == "axis z":
        return upwards <= 1 - _ALONG
    return keeps == "never" or (keeps == "axis across z" and upwards > _ALONG)


def _from_above(
    stage: Stage,
    contacts: Sequence[DrawnContact],
    arrows: list[Arrow],
    bounds: tuple[float, float, float, float] | None,
    *,
    moving: bool,
) -> Scene:
    mechanism = stage.mechanism
    colours = palette.of_parts({name: part.fixed for name, part in mechanism.parts.items()})
    painted = flat.slabs(stage)
    # In layers, what is above hides what is below; in the plane, parts that overlap show through.
    bodies = flat.draw(painted, colours, solid_fill=mechanism.dimension == 3)
    if not moving:
        bodies += flat.hidden(painted, colours)
    links = flat.bars(stage, colours)
    size = _size([*bodies, *links, *_touches(contacts, mechanism)])
    ground = [slab for slab in painted if mechanism.parts[slab.part].fixed]
    touching = _touches(contacts, mechanism)
    middles = {**_middles(painted), **_link_middles(stage)}
    items = [
        *(_contact_hulls(stage, contacts, colours)),
        *joints.behind(stage, colours, size),
        *joints.stems(stage, colours, painted),
        *bodies,
        *gears.rims(stage, colours),
        *links,
        *_free_markers(stage, colours),
        *joints.in_front(stage, colours, ground),
        *touching,
        *([] if moving else joints.drives(stage, middles)),
        *arrows,
    ]
    labels = [] if moving else _labels(stage, painted, contacts, colours)
    return Scene(tuple(items), tuple(labels), title=mechanism.title, units=mechanism.units, bounds=bounds)


def _size(items: list[Item]) -> float:
    x0, y0, x1, y1 = extent(Scene(tuple(items)))
    return math.hypot(x1 - x0, y1 - y0)


def _touches(contacts: Sequence[DrawnContact], mechanism: Mechanism) -> list[Item]:
    items: list[Item] = []
    for contact in contacts:
        at = (float(contact.point[0]), float(contact.point[1]))
        normal = (float(contact.normal[0]), float(contact.normal[1]))
        first = getattr(contact, "between", ("", ""))[0]
        if first in mechanism.parts and mechanism.parts[first].fixed:
            items.append(Symbol("wall", at, math.atan2(normal[1], normal[0])))
        items.append(Arrow(at, normal, NORMAL, colour=CONTACT))
        items.append(Symbol("contact", at, colour=CONTACT))
    return items


def _contact_hulls(stage: Stage, contacts: Sequence[DrawnContact], colours: dict[str, Colours]) -> list[Item]:
    """A body of which only contacts are known: a soft plate through them."""
    import shapely

    items: list[Item] = []
    for part, points in contact_points(stage, contacts).items():
        style = Style(stroke=colours[part].line, width=1.0, fill=colours[part].fill, dash=(5, 4), opacity=0.7)
        depth = PLATE * float(np.ptp(points[:, :2], axis=0).max())
        cloud = np.concatenate([points[:, :2], points[:, :2] + depth * inward(contacts, part)[:2]])
        hull = shapely.MultiPoint(cloud).convex_hull
        items += [Area(flat.rings(polygon), style, part) for polygon in flat.polygons(hull)]
    return items


def _free_markers(stage: Stage, colours: dict[str, Colours]) -> list[Item]:
    """Markers that no joint uses: points whose motion is asked for."""
    used = {end for joint in stage.mechanism.joints.values() for end in joint.between}
    return [
        Symbol("marker", (float(at[0]), float(at[1])), colour=colours[part].line, owner=f"{part}.{name}")
        for part, markers in stage.markers.items()
        for name, at in markers.items()
        if f"{part}.{name}" not in used
    ]


def _middles(painted: list[flat.Slab]) -> dict[str, tuple[Point, float, float]]:
    """By part that something is left of: the middle of its bounding box, and half its sides."""
    import shapely

    middles: dict[str, tuple[Point, float, float]] = {}
    solid = [slab for slab in painted if not slab.region.is_empty]
    for part in dict.fromkeys(slab.part for slab in solid):
        boxes = np.array([shapely.bounds(slab.region) for slab in solid if slab.part == part])
        middles[part] = _middle(np.concatenate([boxes[:, :2], boxes[:, 2:]]))
    return middles


def _link_middles(stage: Stage) -> dict[str, tuple[Point, float, float]]:
    return {part: _middle(points) for part, points in flat.link_points(stage).items()}


def _middle(points: Points) -> tuple[Point, float, float]:
    (x0, y0), (x1, y1) = points.min(axis=0), points.max(axis=0)
    return ((float(x0 + x1) / 2, float(y0 + y1) / 2), float(x1 - x0) / 2, float(y1 - y0) / 2)


def _labels(
    stage: Stage, painted: list[flat.Slab], contacts: Sequence[DrawnContact], colours: dict[str, Colours]
) -> list[Label]:
    parts = _part_labels(stage, painted, contacts, colours)
    return [*parts, *joints.labels(stage, set(stage.mechanism.parts))]


def _part_labels(
    stage: Stage, painted: list[flat.Slab], contacts: Sequence[DrawnContact], colours: dict[str, Colours]
) -> list[Label]:
    places: dict[str, list[Point]] = {
        **{part: flat.label_points(part, painted) for part in dict.fromkeys(s.part for s in painted)},
        **{part: _link_places(points) for part, points in flat.link_points(stage).items()},
    }
    for part, points in contact_points(stage, contacts).items():
        middle = points.mean(axis=0)
        places.setdefault(part, [(float(middle[0]), float(middle[1]))])
    feet = [(part, point) for part, point in joints.footholds(stage) if part not in stage.solids]
    # A frame named in the middle of another part would seem to be that part.
    clear = [(part, point) for part, point in feet if not flat.covered(painted, point)]
    for part, point in clear:
        places.setdefault(part, []).append(point)
    for part, markers in stage.markers.items():
        if part not in places and markers:
            places[part] = [(float(p[0]), float(p[1])) for p in markers.values()]
    return [
        Label(part, tuple(places[part]), colours[part].words, 13.0, owner=part, weight=3)
        for part in stage.mechanism.parts
        if places.get(part)
    ]


def _link_places(points: Points) -> list[Point]:
    middle = points.mean(axis=0)
    quarter = [points[0] + s * (points[-1] - points[0]) for s in (0.35, 0.65)]
    return [(float(p[0]), float(p[1])) for p in (middle, *quarter)]


def _with_key(scene: Scene, stage: Stage) -> Scene:
    parts = stage.mechanism.parts
    colours = palette.of_parts({name: part.fixed for name, part in parts.items()})
    return replace(scene, labels=(), key=tuple((colours[name].fill, name) for name in parts))
