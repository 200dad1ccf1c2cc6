"""Machines in space: an axonometric view, shaded, with what hides what in order.

Where the viewer is and what is cut open is decided in machine/view.py; a cut is
hatched, as in a sectional drawing. Contacts are points with their normals; a body of
which only contacts are known is the hull of those, dashed. Beams and plates are shown unbent.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from detent.draw.machine.bending import BENDING_COLOURS, bending_bodies
from detent.draw.machine.contacts import PLATE, contact_points, inward
from detent.draw.machine.order import DrawnFace, back_to_front
from detent.draw.machine.stage import Stage
from detent.draw.machine.view import Camera, Cut, camera_of, cut_of, opened, push_of, pushed
from detent.draw.scene import palette
from detent.draw.scene.palette import CONTACT, DRIVE, HATCH, INK, PAPER, QUIET, Colours
from detent.draw.scene.scene import Area, Arrow, DrawnLine, Item, Label, Point, Scene, Style, Symbol
from detent.foundation.errors import UnsupportedError
from detent.foundation.names import few
from detent.geometry import mesh
from detent.geometry.solid import Solid, leaves
from detent.model.document.joint_types import JOINT_TYPES

if TYPE_CHECKING:
    from detent.draw.machine.stage import Matrix
    from detent.draw.scene.scene import Points

FINENESS, COARSEST = 40, 8  # chords to a circle, fewer where there are very many
MOST_FACES = 12_000  # of one part, before its pieces are put together: what is drawn within two seconds
CREASE = math.cos(math.radians(25))  # faces that meet more sharply have an edge between them
NORMAL, PUSH = 40.0, 52.0  # [px] lengths of arrows
MOST_TRIED, ANCHORS = 48, 5  # faces that a label may point to, and how many of them it chooses from
MOST_NAMED = 3  # parts in the key
_SEEN = 1e-6  # of an axis' length on paper: a shorter one points at the viewer
THIN = 0.02  # of the machine's size: how thick a flat outline is shown in space


def space_scene(
    stage: Stage,
    contacts: Sequence[Any],
    arrows: list[Arrow],
    *,
    bounds: tuple[float, float, float, float] | None = None,
    camera: Camera | None = None,
) -> Scene:
    """The picture of a mechanism in space, from where most is seen unless a camera is given."""
    mechanism = stage.mechanism
    colours = palette.of_parts({name: part.fixed for name, part in mechanism.parts.items()})
    bodies = {name: _manifold(stage, name) for name in stage.solids}
    known = contact_points(stage, contacts)
    hulls = {name: _hull(points, inward(contacts, name)) for name, points in known.items()}
    bodies |= hulls
    push = push_of(stage)
    camera = camera_of(stage, push, contacts) if camera is None else camera
    cut = cut_of(stage, bodies, push, camera)
    faces = [
        face
        for owner, (name, body) in enumerate(bodies.items())
        for face in _faces(opened(body, name, cut), owner, camera, cut)
    ]
    bending = bending_bodies(stage)
    faces += [
        face
        for owner, body in enumerate(bending.values(), len(bodies))
        for face in _faces(body, owner, camera, None)
    ]
    names = [*bodies, *bending]
    colours |= dict.fromkeys(bending, BENDING_COLOURS)
    cut_open = list(dict.fromkeys(names[face.owner] for face in faces if face.cut))
    faces = back_to_front(faces, camera.toward)
    painted = [
        item
        for face in faces
        for item in _paint(
            face, names[face.owner], colours[names[face.owner]], camera, names[face.owner] in hulls
        )
    ]
    places = dict(zip(names, _label_places(faces, len(names), camera), strict=True))
    places = {name: points for name, points in places.items() if name not in bending}
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
        axes=tuple(
            (name, camera.point(axis))
            for axis, name in zip(np.eye(3), "xyz", strict=True)
            if np.hypot(*camera.point(axis)) > _SEEN
        ),
        bounds=bounds,
        key=((HATCH, f"{few(cut_open, MOST_NAMED)} cut open, hatched there"),) if cut_open else (),
    )


def _manifold(stage: Stage, name: str) -> Any:
    if name not in stage.shapes:
        solid = stage.solids[name]
        flat = any(leaf.flat for leaf in leaves(solid))
        stage.shapes[name] = (
            _thickened(solid) if flat else mesh.manifold(solid, fineness=_fineness(name, solid, stage.chords))
        )
    return stage.shapes[name].transform(stage.now[name][:3])


def _fineness(name: str, solid: Solid, chords: int | None) -> int:
    """Chords to a circle: fewer where there are many round shapes; refused where even those are too many."""
    fineness = FINENESS if chords is None else min(chords, FINENESS)
    while mesh.faces(solid, fineness) > MOST_FACES and fineness > COARSEST:
        fineness = max(COARSEST, fineness * 2 // 3)
    if (count := mesh.faces(solid, fineness)) > 4 * MOST_FACES:
        words = f"has some {count} faces, more than a picture in space can show"
        raise UnsupportedError(words, "draw fewer copies", f"parts.{name}.shape")
    return fineness


def _thickened(solid: Solid) -> Any:
    """A flat outline among solids: shown as a thin plate. In unit size: manifold3d keeps eight decimals."""
    import manifold3d
    import shapely

    from detent.draw.machine.flat import polygons, rings, stack

    whole = shapely.unary_union([layer.region for layer in stack(solid)])
    x0, y0, x1, y1 = whole.bounds
    size = max(map(abs, whole.bounds))
    contours = [np.asarray(ring) / size for polygon in polygons(whole) for ring in rings(polygon)]
    section = manifold3d.CrossSection(contours, manifold3d.FillRule.EvenOdd)
    plate = manifold3d.Manifold.extrude(section, THIN * max(x1 - x0, y1 - y0) / size)
    return plate.scale((size, size, size))


def _faces(body: Any, owner: int, camera: Camera, cut: Cut | None) -> list[DrawnFace]:
    """Triangles that face the viewer, with the sides that are edges or outlines."""
    triangulation = body.to_mesh64()
    corners = triangulation.vert_properties[:, :3]
    triangles = triangulation.tri_verts.astype(np.int64)
    if len(triangles) == 0:
        return []
    points = corners[triangles]
    normals = np.cross(points[:, 1] - points[:, 0], points[:, 2] - points[:, 0])
    lengths = np.linalg.norm(normals, axis=1)
    kept = lengths > 0
    if not kept.any():
        return []  # a sliver that rounding leaves
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
        DrawnFace(
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
    neighbours = np.where(forth[order][spot] == back, order[spot] // 3, -1)
    return neighbours.reshape(triangles.shape)


def _paint(face: DrawnFace, name: str, colours: Colours, camera: Camera, guessed: bool) -> list[Item]:
    flat = camera.flat(face.corners)
    if face.cut:
        fill, hatch = PAPER, HATCH
    else:
        fill, hatch = _shade(colours.fill, face.normal), None
    # A line of the fill's own colour closes the seams between neighbours.
    style = Style(stroke=fill, width=0.2 if face.cut else 0.7, fill=fill, hatch=hatch)
    if guessed:
        style = Style(stroke=None, fill=fill, opacity=0.6)
    items: list[Item] = [Area((flat,), style, name)]
    ink = Style(stroke=colours.line, width=1.3, dash=(5, 4) if guessed else ())
    closed = np.concatenate([flat, flat[:1]])
    items += [DrawnLine(closed[i : i + 2], ink, owner=name) for i, drawn in enumerate(face.edges) if drawn]
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


def _label_places(faces: list[DrawnFace], count: int, camera: Camera) -> list[list[Point]]:
    """By body, where its label may point: the middles of its largest faces that are not covered."""
    if not faces:
        return [[] for _ in range(count)]
    owners = np.array([face.owner for face in faces])
    counts = np.array([len(face.corners) for face in faces])
    starts = np.cumsum(counts) - counts
    corners = camera.flat(np.concatenate([face.corners for face in faces]))
    middles = np.add.reduceat(corners, starts) / counts[:, None]
    # One array for all: of faces with fewer corners the last one again.
    flat = corners[starts[:, None] + np.minimum(np.arange(counts.max()), counts[:, None] - 1)]
    low, high = flat.min(axis=1), flat.max(axis=1)
    size = np.abs(_doubled_areas(flat, middles[:, None]).sum(axis=1))
    places = []
    for body in range(count):
        indices = np.flatnonzero(owners == body)
        largest = indices[np.argsort(-size[indices], kind="stable")]
        # The largest, and some of the others: of a ball behind another only the rim may be seen.
        tried = [*largest[:ANCHORS], *largest[ANCHORS :: max(1, len(largest) // MOST_TRIED)]]
        seen = []
        for k in tried:
            near = k + np.flatnonzero(((low[k:] <= middles[k]) & (middles[k] <= high[k:])).all(axis=1))
            if not _holds(flat[near[owners[near] != body]], middles[k]):
                seen.append(k)
            if len(seen) == ANCHORS:
                break
        places.append([(float(x), float(y)) for x, y in middles[(seen or tried)[:ANCHORS]]])
    return places


def _doubled_areas(polygons: Matrix, at: Matrix) -> Matrix:
    """By polygon and side: twice the area of the triangle it makes with a point, positive on its left."""
    u, v = polygons - at, np.roll(polygons, -1, axis=1) - at
    areas: Matrix = u[..., 0] * v[..., 1] - u[..., 1] * v[..., 0]
    return areas


def _holds(polygons: Matrix, at: Matrix) -> bool:
    """Whether a point is in any of the convex polygons."""
    areas = _doubled_areas(polygons, at)
    return bool(((areas >= 0).all(axis=1) | (areas <= 0).all(axis=1)).any())


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
                items.append(DrawnLine(camera.flat([end.at, near]), style, owner=end.part))
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
        at, kind = camera.point(pair.second.at), JOINT_TYPES[pair.joint.type]
        if kind.axis_drawn:
            direction = camera.flat(pair.axis)[0]
            length = float(np.linalg.norm(direction))
            for sign in (-1.0, 1.0):
                vector = (sign * float(direction[0]), sign * float(direction[1]))
                items.append(
                    Arrow(at, vector, 24.0 * max(length, 0.2), colour=QUIET, width=1.2, owner=pair.name)
                )
        bends = pair.joint.beam is not None or pair.joint.plate is not None
        if kind.symbol is not None and not kind.slides and not bends:
            items.append(Symbol(kind.symbol, at, math.pi / 2, colour=INK, owner=pair.name))
    return items


def _contacts(contacts: Sequence[Any], camera: Camera) -> list[Item]:
    items: list[Item] = []
    for contact in contacts:
        normal = _in_space(contact.normal)
        direction = camera.flat(normal / np.linalg.norm(normal))[0]
        at = camera.point(_in_space(contact.point))
        length = float(np.linalg.norm(direction))
        if length > 0:
            items.append(
                Arrow(at, (float(direction[0]), float(direction[1])), NORMAL * length, colour=CONTACT)
            )
        items.append(Symbol("contact", at, colour=CONTACT))
    return items


def _in_space(numbers: Sequence[Any]) -> Matrix:
    """Three numbers of two or three: what is given with two lies in the plane z = 0."""
    return np.array([*map(float, numbers), 0.0][:3])


def _drives(stage: Stage, bodies: dict[str, Any], camera: Camera, push: Matrix | None) -> list[Item]:
    """An arrow that arrives at the back of what is pushed."""
    if push is None:
        return []
    moving = pushed(stage, bodies)
    corners = np.concatenate([body.to_mesh64().vert_properties[:, :3] for body in moving]) if moving else None
    if corners is None:
        return []
    middle = (corners.min(axis=0) + corners.max(axis=0)) / 2
    back = float((corners @ push).min() - middle @ push)
    direction = camera.flat(push)[0]
    at = camera.point(middle + back * push)
    return [
        Arrow(at, (float(direction[0]), float(direction[1])), PUSH, arrives=True, colour=DRIVE, width=2.6)
    ]
