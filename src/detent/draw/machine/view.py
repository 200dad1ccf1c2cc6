"""From where a machine in space is seen, and what is cut open so that it can be.

A commanded motion is seen from its side and a little from behind, and fixed parts
in its way are cut through its axis. Otherwise the view is from the side to which
contacts with fixed parts push, so that no wall hides what it holds; a moving part
inside a fixed one is shown by a cut.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from detent.draw.machine.contacts import DrawnContact
from detent.draw.machine.stage import Stage
from detent.draw.scene.scene import Point
from detent.model.machine.graph import part_of

if TYPE_CHECKING:
    from detent.draw.machine.stage import Matrix
    from detent.draw.scene.scene import Points

ELEVATION = 0.42  # how far up the viewer is, of the distance
SIDES = (
    (0.45, -0.8),
    (-0.45, -0.8),
    (0.8, -0.45),
    (-0.8, -0.45),
    (0.8, 0.45),
    (-0.8, 0.45),
    (0.45, 0.8),
    (-0.45, 0.8),
)


@dataclass(frozen=True, eq=False)
class Camera:
    """Parallel view: right and up on paper, and toward the viewer."""

    right: Matrix
    up: Matrix
    toward: Matrix

    def flat(self, points: Any) -> Points:
        """Points of space on paper, n x 2."""
        array = np.atleast_2d(np.asarray(points, dtype=float))
        return np.stack([array @ self.right, array @ self.up], axis=1)

    def point(self, point: Any) -> Point:
        x, y = self.flat(point)[0]
        return (float(x), float(y))


@dataclass(frozen=True, eq=False)
class Cut:
    """The plane that opens fixed parts: what lies beyond `level` along `normal` is removed."""

    normal: Matrix
    level: float
    parts: frozenset[str]


def camera_of(stage: Stage, push: Matrix | None, contacts: Sequence[DrawnContact]) -> Camera:
    """From above; z is up on paper."""
    away = _pushed_by_fixed(stage, contacts)
    side = max(SIDES, key=lambda s: round(s[0] * away[0] + s[1] * away[1], 9))
    toward = np.array([*side, ELEVATION])
    if push is not None and math.hypot(push[0], push[1]) > abs(push[2]):
        flat = np.array([push[0], push[1], 0.0]) / math.hypot(push[0], push[1])
        aside = np.array([flat[1], -flat[0], 0.0])
        toward = -0.5 * flat + 0.8 * aside + np.array([0.0, 0.0, 0.5])
    toward = toward / np.linalg.norm(toward)
    right = np.cross([0.0, 0.0, 1.0], toward)
    right = right / np.linalg.norm(right)
    return Camera(right, np.cross(toward, right), toward)


def push_of(stage: Stage) -> Matrix | None:
    """Direction of the first commanded straight motion, in the world."""
    for drive in stage.mechanism.drives.values():
        for leg in drive.legs:
            if leg.velocity is None:
                continue
            direction = np.zeros(3)
            direction[: len(leg.velocity)] = [float(c) for c in leg.velocity]
            if drive.marker is not None:
                part = part_of(drive.marker)
                direction = (stage.now[part] @ stage.ends[drive.marker])[:3, :3] @ direction
            if np.linalg.norm(direction) > 0:
                return direction / np.linalg.norm(direction)
    return None


def pushed(stage: Stage, bodies: dict[str, Any]) -> list[Any]:
    """The bodies that the commanded motion carries: the driven part, or what is fastened to it."""
    parts = stage.mechanism.parts
    driven = {d.part or part_of(d.marker or "") for d in stage.mechanism.drives.values() if d.legs}
    carried = {
        other.part
        for pair in stage.pairs
        if pair.joint.type in ("fixed", "elastic")
        for one, other in ((pair.first, pair.second), (pair.second, pair.first))
        if one.part in driven
    }
    for wanted in (carried, driven, set(bodies)):
        moving = [bodies[name] for name in bodies if name in wanted and not parts[name].fixed]
        if moving := [body for body in moving if not body.is_empty()]:
            return moving
    return []


def cut_of(stage: Stage, bodies: dict[str, Any], push: Matrix | None, camera: Camera) -> Cut | None:
    """Fixed parts in the way of the motion, and the plane through it that opens them."""
    if push is None:
        return _window(stage, bodies, camera)
    parts = stage.mechanism.parts
    moving = pushed(stage, bodies)
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
    # Through the middle: a plane through a corner of the moving part would only graze it.
    return Cut(normal, float(normal @ middle), frozenset(hit)) if hit else None


def opened(body: Any, name: str, cut: Cut | None) -> Any:
    if cut is None or name not in cut.parts:
        return body
    return body.trim_by_plane(tuple(-cut.normal), -cut.level)


def _window(stage: Stage, bodies: dict[str, Any], camera: Camera) -> Cut | None:
    """Where a fixed part hides the middle of a moving one: a cut along an axis, through that middle."""
    parts = stage.mechanism.parts
    axis = np.array([0.0, math.copysign(1.0, camera.toward[1]), 0.0])
    for name, body in bodies.items():
        if parts[name].fixed or body.is_empty():
            continue
        middle = np.array(body.bounding_box()).reshape(2, 3).mean(axis=0)
        hiding = [n for n, b in bodies.items() if parts[n].fixed and _blocks(b, middle, camera.toward)]
        if hiding:
            return Cut(axis, float(axis @ middle), frozenset(hiding))
    return None


def _blocks(body: Any, start: Matrix, direction: Matrix) -> bool:
    """Whether a ray meets a body (Moeller and Trumbore 1997)."""
    triangulation = body.to_mesh64()
    corners = triangulation.vert_properties[:, :3][triangulation.tri_verts.astype(np.int64)]
    one, two = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    across = np.cross(direction, two)
    volume = np.einsum("ij,ij->i", one, across)
    faced = volume != 0
    scale = 1.0 / np.where(faced, volume, 1.0)
    off = start - corners[:, 0]
    u = scale * np.einsum("ij,ij->i", off, across)
    turned = np.cross(off, one)
    v = scale * (turned @ direction)
    distance = scale * np.einsum("ij,ij->i", two, turned)
    return bool(np.any(faced & (u >= 0) & (v >= 0) & (u + v <= 1) & (distance > 0)))


def _pushed_by_fixed(stage: Stage, contacts: Sequence[DrawnContact]) -> Matrix:
    """The sum of the normals with which fixed parts push moving ones."""
    total = np.zeros(3)
    for contact in contacts:
        between = getattr(contact, "between", ())
        fixed = [name in stage.mechanism.parts and stage.mechanism.parts[name].fixed for name in between]
        if len(fixed) == 2 and fixed[0] != fixed[1]:
            normal = np.array([float(c) for c in contact.normal])
            total[: len(normal)] += (1.0 if fixed[0] else -1.0) * normal / np.linalg.norm(normal)
    return total
