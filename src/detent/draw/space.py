"""Machines in space: an axonometric view, shaded, with what hides what in order.

The camera looks along the commanded motion's side; a fixed part that a moving one
is pushed into is cut open through the motion's axis, the cut hatched, as in a
sectional drawing. Contacts are points with their normals; a body of which only
contacts are known is the hull of those, dashed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from detent.draw import palette
from detent.draw.order import Face, back_to_front
from detent.draw.palette import CONTACT, DRIVE, INK, QUIET, Colours
from detent.draw.scene import Area, Arrow, Item, Label, Line, Point, Scene, Style, Symbol
from detent.draw.stage import Stage
from detent.draw.touch import contact_points, inward
from detent.geometry import mesh
from detent.geometry.solid import Solid, leaves

if TYPE_CHECKING:
    from detent.draw.scene import Points
    from detent.draw.stage import Matrix

FINENESS = 40  # chords to a circle
CREASE = math.cos(math.radians(25))  # faces that meet more sharply have an edge between them
NORMAL, PUSH = 40.0, 52.0  # [px] lengths of arrows
PLATE = 0.25  # of their spread: how deep a body known by its contacts alone is drawn
THIN = 0.02  # of the machine's size: how thick a flat outline is shown in space


@dataclass(frozen=True, eq=False)
class Camera:
    """Parallel view: right and up on paper, and toward the viewer."""

    right: Matrix
    up: Matrix
    toward: Matrix

    def flat(self, points: Any) -> Points:
        """Points of space on paper, n x 2."""
        given = np.atleast_2d(np.asarray(points, dtype=float))
        return np.stack([given @ self.right, given @ self.up], axis=1)

    def point(self, point: Any) -> Point:
        x, y = self.flat(point)[0]
        return (float(x), float(y))


@dataclass(frozen=True, eq=False)
class Cut:
    """The plane that opens fixed parts: what lies beyond `level` along `normal` is taken away."""

    normal: Matrix
    level: float
    parts: frozenset[str]


def scene_of(
    stage: Stage,
    contacts: Sequence[Any],
    arrows: list[Arrow],
    *,
    bounds: tuple[float, float, float, float] | None = None,
) -> Scene:
    """The picture of a mechanism in space."""
    mechanism = stage.mechanism
    colours = palette.of_parts({name: part.fixed for name, part in mechanism.parts.items()})
    bodies = {name: _manifold(stage, name) for name in stage.solids}
    known = contact_points(stage, contacts)
    hulls = {name: _hull(points, inward(contacts, name)) for name, points in known.items()}
    bodies |= hulls
    push = _push(stage)
    camera = _camera(push)
    cut = _cut_of(stage, bodies, push)
    faces = [
        face
        for owner, (name, body) in enumerate(bodies.items())
        for face in _faces(_opened(body, name, cut), owner, camera, cut)
    ]
    names = list(bodies)
    painted = [
        item
        for face in back_to_front(faces, camera.toward)
        for item in _paint(
            face, names[face.owner], colours[names[face.owner]], camera, names[face.owner] in hulls
        )
    ]
    places = {name: _seen(faces, owner, camera) for owner, name in enumerate(names)}
    places |= _bare_places(stage, bodies, camera)
    items = [
        *_stems(stage, bodies, colours, camera),
        *painted,
        *_joints(stage, camera),
        *_contacts(contacts, camera),
        *_drives(stage, bodies, camera, push),
        *arrows,
    ]
    labels = [
        Label(name, tuple(points), colours[name].words, 13.0, owner=name, weight=3)
        for name, points in places.items()
        if points
    ]
    return Scene(
        tuple(items),
        tuple(labels),
        title=mechanism.title,
        units=mechanism.units,
        axes=tuple((name, camera.point(axis)) for axis, name in zip(np.eye(3), "xyz", strict=True)),
        bounds=bounds,
    )


def camera_of(stage: Stage) -> Camera:
    """The camera through which `scene_of` looks, for whoever adds to its picture."""
    return _camera(_push(stage))


def _camera(push: Matrix | None) -> Camera:
    """From in front, above, and a little behind the motion; z is up on paper."""
    toward = np.array([0.45, -0.8, 0.42])
    if push is not None and math.hypot(push[0], push[1]) > abs(push[2]):
        flat = np.array([push[0], push[1], 0.0]) / math.hypot(push[0], push[1])
        aside = np.array([flat[1], -flat[0], 0.0])
        toward = -0.5 * flat + 0.8 * aside + np.array([0.0, 0.0, 0.5])
    toward = toward / np.linalg.norm(toward)
    right = np.cross([0.0, 0.0, 1.0], toward)
    right = right / np.linalg.norm(right)
    return Camera(right, np.cross(toward, right), toward)


def _push(stage: Stage) -> Matrix | None:
    """Direction of the first commanded straight motion, in the world."""
    for drive in stage.mechanism.drives.values():
        for leg in drive.legs:
            if leg.velocity is None:
                continue
            way = np.zeros(3)
            way[: len(leg.velocity)] = [float(c) for c in leg.velocity]
            if drive.marker is not None:
                part = drive.marker.partition(".")[0]
                way = (stage.now[part] @ stage.ends[drive.marker])[:3, :3] @ way
            if np.linalg.norm(way) > 0:
                return way / np.linalg.norm(way)
    return None


def _pushed(stage: Stage, bodies: dict[str, Any]) -> list[Any]:
    """The bodies that the commanded motion carries: the driven part, or what is fastened to it."""
    parts = stage.mechanism.parts
    driven = {d.part or (d.marker or "").partition(".")[0] for d in stage.mechanism.drives.values() if d.legs}
    carried = {
        other.part
        for pair in stage.pairs
        if pair.joint.type in ("fixed", "elastic")
        for one, other in ((pair.first, pair.second), (pair.second, pair.first))
        if one.part in driven
    }
    for wanted in (carried, driven, set(bodies)):
        found = [bodies[name] for name in bodies if name in wanted and not parts[name].fixed]
        if found := [body for body in found if not body.is_empty()]:
            return found
    return []


def _manifold(stage: Stage, name: str) -> Any:
    if name not in stage.shapes:
        solid = stage.solids[name]
        flat = any(leaf.flat for leaf in leaves(solid))
        stage.shapes[name] = _thickened(solid) if flat else mesh.manifold(solid, fineness=FINENESS)
    return stage.shapes[name].transform(stage.now[name][:3])


def _thickened(solid: Solid) -> Any:
    """A flat outline among solids: shown as a thin plate."""
    import manifold3d
    import shapely

    from detent.draw.flat import polygons, rings, stack

    whole = shapely.unary_union([layer.region for layer in stack(solid)])
    x0, y0, x1, y1 = whole.bounds
    contours = [ring for polygon in polygons(whole) for ring in rings(polygon)]
    section = manifold3d.CrossSection(contours, manifold3d.FillRule.EvenOdd)
    return manifold3d.Manifold.extrude(section, THIN * max(x1 - x0, y1 - y0))


def _cut_of(stage: Stage, bodies: dict[str, Any], push: Matrix | None) -> Cut | None:
    """Fixed parts in the way of the motion, and the plane through it that opens them."""
    if push is None:
        return None
    parts = stage.mechanism.parts
    moving = _pushed(stage, bodies)
    if not moving:
        return None
    boxes = np.array([body.bounding_box() for body in moving]).reshape(-1, 2, 3)
    low, high = boxes[:, 0].min(axis=0), boxes[:, 1].max(axis=0)
    middle = (low + high) / 2
    reach = float(np.linalg.norm(high - low)) * push
    low, high = np.minimum(low, low + reach), np.maximum(high, high + reach)
    hit = []
    for name, body in bodies.items():
        box = np.array(body.bounding_box()).reshape(2, 3)
        inside = bool(np.all(box[0] <= high) and np.all(low <= box[1]))
        if parts[name].fixed and inside:
            hit.append(name)
    aside = np.array([push[1], -push[0], 0.0])
    if np.linalg.norm(aside) == 0 or abs(push[2]) > math.hypot(push[0], push[1]):
        aside = np.array([0.0, -1.0, 0.0])
        aside = aside - (aside @ push) * push
    normal = aside / np.linalg.norm(aside)
    # A plane exactly through a corner of the moving part would only graze it.
    return Cut(normal, float(normal @ middle), frozenset(hit)) if hit else None


def _opened(body: Any, name: str, cut: Cut | None) -> Any:
    if cut is None or name not in cut.parts:
        return body
    return body.trim_by_plane(tuple(-cut.normal), -cut.level)


def _faces(body: Any, owner: int, camera: Camera, cut: Cut | None) -> list[Face]:
    """Triangles that face the viewer, with the sides that are edges or outlines."""
    made = body.to_mesh64()
    corners = made.vert_properties[:, :3]
    triangles = made.tri_verts.astype(np.int64)
    if len(triangles) == 0:
        return []
    points = corners[triangles]
    normals = np.cross(points[:, 1] - points[:, 0], points[:, 2] - points[:, 0])
    lengths = np.linalg.norm(normals, axis=1)
    kept = lengths > 0
    triangles, points = triangles[kept], points[kept]
    normals = normals[kept] / lengths[kept, None]
    front = normals @ camera.toward > 0
    flat = 1e-6 * float(np.ptp(corners, axis=0).max())
    neighbour = _neighbours(triangles)
    sharp = np.ones((len(triangles), 3), dtype=bool)
    known = neighbour >= 0
    other = np.where(known, neighbour, 0)
    cosine = np.einsum("ik,ijk->ij", normals, normals[other])
    sharp[known] = (cosine < CREASE)[known] | ~front[other][known]
    return [
        Face(
            points[k],
            normals[k],
            tuple(bool(e) for e in sharp[k]),
            owner,
            _in_cut(points[k], normals[k], cut, flat),
        )
        for k in np.flatnonzero(front)
    ]


def _in_cut(points: Matrix, normal: Matrix, cut: Cut | None, flat: float) -> bool:
    """Whether a face lies in the plane of the cut, to rounding of the body's size."""
    if cut is None or normal @ cut.normal <= 0:
        return False
    return bool(np.all(np.abs(points @ cut.normal - cut.level) <= flat))


def _neighbours(triangles: Any) -> Any:
    """For side i (corner i to i + 1) of each triangle: the triangle beyond, or -1."""
    a = triangles
    b = np.roll(triangles, -1, axis=1)
    top = int(triangles.max()) + 1
    forth, back = (a * top + b).ravel(), (b * top + a).ravel()
    order = np.argsort(forth, kind="stable")
    spot = np.clip(np.searchsorted(forth[order], back), 0, len(order) - 1)
    found = np.where(forth[order][spot] == back, order[spot] // 3, -1)
    return found.reshape(triangles.shape)


def _paint(face: Face, name: str, colours: Colours, camera: Camera, guessed: bool) -> list[Item]:
    flat = camera.flat(face.corners)
    if face.cut:
        fill, hatch = "#ffffff", "#8a9097"
    else:
        fill, hatch = _shade(colours.fill, face.normal), None
    # A line of the fill's own colour closes the seams between neighbours.
    style = Style(stroke=fill, width=0.2 if face.cut else 0.7, fill=fill, hatch=hatch)
    if guessed:
        style = Style(stroke=None, fill=fill, opacity=0.6)
    items: list[Item] = [Area((flat,), style, name)]
    ink = Style(stroke=colours.line, width=1.3, dash=(5, 4) if guessed else ())
    closed = np.concatenate([flat, flat[:1]])
    items += [Line(closed[i : i + 2], ink, owner=name) for i, drawn in enumerate(face.edges) if drawn]
    return items


def _shade(fill: str, normal: Matrix) -> str:
    """Light from above left; no face is black or white."""
    light = np.array([-0.35, -0.55, 0.76])
    amount = float(normal @ light)
    return (
        palette.mix(fill, "#ffffff", 0.35 * amount)
        if amount > 0
        else palette.mix(fill, "#000000", -0.28 * amount)
    )


def _seen(faces: list[Face], owner: int, camera: Camera) -> list[Point]:
    """Where a label may point: the middles of the faces that show most of the body."""
    own = [face for face in faces if face.owner == owner]
    if not own:
        return []
    corners = np.array([face.corners for face in own])
    (x1, y1), (x2, y2) = (
        ((corners[:, k] - corners[:, 0]) @ way for way in (camera.right, camera.up)) for k in (1, 2)
    )
    largest = np.argsort(-np.abs(x1 * y2 - x2 * y1), kind="stable")[:5]
    return [camera.point(corners[k].mean(axis=0)) for k in largest]


def _hull(points: Points, inward: Matrix) -> Any:
    """The body that contacts outline; where they lie in one plane, a plate behind it."""
    import manifold3d

    spread = points - points.mean(axis=0)
    size = float(np.abs(spread).max()) or 1.0
    if np.linalg.matrix_rank(spread, tol=1e-9 * size) < 3:
        points = np.concatenate([points, points + PLATE * 2 * size * inward])
    return manifold3d.Manifold.hull_points(points)


def _stems(stage: Stage, bodies: dict[str, Any], colours: dict[str, Colours], camera: Camera) -> list[Item]:
    """From a joint to its part where the shape does not reach it; a part without any is a ball."""
    items: list[Item] = []
    for pair in stage.pairs:
        for end in (pair.first, pair.second):
            style = Style(stroke=colours[end.part].line, width=3.0, opacity=0.6)
            if end.part in bodies and not bodies[end.part].is_empty():
                box = np.array(bodies[end.part].bounding_box()).reshape(2, 3)
                near = np.clip(end.at, box[0], box[1])
                items.append(Line(camera.flat([end.at, near]), style, owner=end.part))
    return items


def _bare_places(stage: Stage, bodies: dict[str, Any], camera: Camera) -> dict[str, list[Point]]:
    """Where moving parts without a body are named: at their joints."""
    places: dict[str, list[Point]] = {}
    for pair in stage.pairs:
        for end in (pair.first, pair.second):
            if end.part not in bodies and not stage.mechanism.parts[end.part].fixed:
                places.setdefault(end.part, []).append(camera.point(end.at))
    return places


def _joints(stage: Stage, camera: Camera) -> list[Item]:
    items: list[Item] = []
    for pair in stage.pairs:
        at, kind = camera.point(pair.second.at), pair.joint.type
        if kind in ("revolute", "prismatic", "cylindrical"):
            way = camera.flat(pair.axis)[0]
            length = float(np.linalg.norm(way))
            for sign in (-1.0, 1.0):
                vector = (sign * float(way[0]), sign * float(way[1]))
                items.append(
                    Arrow(at, vector, 24.0 * max(length, 0.2), colour=QUIET, width=1.2, owner=pair.name)
                )
        symbol: dict[str, Any] = {
            "spherical": "ball",
            "fixed": "weld",
            "elastic": "rubber",
            "revolute": "pin",
        }
        if kind in symbol:
            items.append(Symbol(symbol[kind], at, math.pi / 2, colour=INK, owner=pair.name))
    return items


def _contacts(contacts: Sequence[Any], camera: Camera) -> list[Item]:
    items: list[Item] = []
    for contact in contacts:
        normal = np.array([float(c) for c in contact.normal])
        way = camera.flat(normal / np.linalg.norm(normal))[0]
        at = camera.point([float(c) for c in contact.point])
        length = float(np.linalg.norm(way))
        if length > 0:
            items.append(Arrow(at, (float(way[0]), float(way[1])), NORMAL * length, colour=CONTACT))
        items.append(Symbol("contact", at, colour=CONTACT))
    return items


def _drives(stage: Stage, bodies: dict[str, Any], camera: Camera, push: Matrix | None) -> list[Item]:
    """An arrow that arrives at the back of what is pushed."""
    if push is None:
        return []
    moving = _pushed(stage, bodies)
    corners = np.concatenate([body.to_mesh64().vert_properties[:, :3] for body in moving]) if moving else None
    if corners is None:
        return []
    middle = (corners.min(axis=0) + corners.max(axis=0)) / 2
    back = float((corners @ push).min() - middle @ push)
    way = camera.flat(push)[0]
    at = camera.point(middle + back * push)
    return [Arrow(at, (float(way[0]), float(way[1])), PUSH, arrives=True, colour=DRIVE, width=2.6)]
