"""Bodies of a plane machine as functions of its joints' coordinates: poses, spans, velocity products.

Joints that lead from fixed bodies outwards form a tree; each moving body hangs by one joint on its parent:

    pin     angle = parent's + (q - drawn), its point c on the parent's: o = o_p + R_p c - R d
    slide   angle = parent's,               o = o_p + R_p (b + a (q - drawn))
    free    o and angle from the drawing by three coordinates

Coordinates are q = rows @ y + fixed part, y the independent ones (gears make others follow). `spans` has the
velocity of each body's origin and its rotation per unit of each speed of y; `products` the acceleration of
the origin at zero accelerations of y. In the plane rotations have no products.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from detent.numeric.kernels import kernel

PIN, SLIDE, FREE, WELD = 0, 1, 2, 3


class TreeTables(NamedTuple):
    """A tree of bodies as arrays; a row per moving body, parents before children."""

    links: Any  # (n, 4) int: body, parent, kind, first coordinate
    shape: Any  # (n, 8): c, d, a, b of the joint; c, a, b in the parent's frame, d in the body's
    signs: Any  # (n,): of the coordinate, where the body is the joint's first end or the axis points down
    angles: Any  # (n,): of the body past its parent, as drawn
    drawn: Any  # (k,): coordinates as drawn
    follow: Any  # (k, m): coordinates per independent one
    poses: Any  # (N, 4): x, y, cosine, sine as drawn, of all bodies
    turned: Any  # (N,): angle as drawn


def sample_tree() -> tuple[TreeTables, Any, Any]:
    """A crank on the ground, a slide on the crank, and a disc geared to it."""
    links = np.array([[1, 0, PIN, 0], [2, 1, SLIDE, 1], [3, 0, PIN, 2], [4, 0, FREE, 3]])
    shape = np.zeros((4, 8))
    shape[0, :4] = 1.0, 2.0, 0.5, 0.0
    shape[1, 4:] = 0.6, 0.8, 0.1, 0.2
    shape[2, :4] = 3.0, 0.0, 0.0, 0.1
    follow = np.zeros((6, 5))
    follow[0, 0], follow[1, 1], follow[2, 0] = 1.0, 1.0, -2.0
    follow[3, 2] = follow[4, 3] = follow[5, 4] = 1.0
    poses = np.zeros((5, 4))
    poses[:, 2] = 1.0
    tables = TreeTables(
        links, shape, np.array([1.0, 1.0, -1.0, 1.0]), np.zeros(4), np.zeros(6), follow, poses, np.zeros(5)
    )
    return tables, np.array([0.3, 0.1, 0.2, -0.1, 0.4]), np.array([1.0, -0.5, 0.2, 0.3, 0.7])


def tree_room(tables: TreeTables) -> tuple[Any, ...]:
    """Arrays that `place_bodies` writes: coordinates, poses, angles, speeds, spans, products."""
    bodies, freedoms = len(tables.poses), tables.follow.shape[1]
    return (
        np.zeros((2, len(tables.drawn))),
        tables.poses.copy(),
        tables.turned.copy(),
        np.zeros((bodies, 3)),
        np.zeros((bodies, 3, freedoms)),
        np.zeros((bodies, 2)),
    )


@kernel(sample=lambda: (*sample_tree(), *tree_room(sample_tree()[0])))
def place_bodies(tree, y, v, coordinates, poses, angles, speeds, spans, products):  # type: ignore[no-untyped-def]
    """Writes coordinates (values, then speeds) and, by body: pose, angle, velocity, spans, velocity products."""
    count, freedoms = tree.follow.shape
    for j in range(count):
        value, speed = tree.drawn[j], 0.0
        for k in range(freedoms):
            value += tree.follow[j, k] * y[k]
            speed += tree.follow[j, k] * v[k]
        coordinates[0, j], coordinates[1, j] = value, speed
    for i in range(len(tree.links)):
        body, parent, kind, j = tree.links[i]
        c, s = poses[parent, 2], poses[parent, 3]
        w_p = speeds[parent, 2]
        angles[body] = angles[parent] + tree.angles[i]
        if kind == FREE:
            angles[body] = tree.turned[body] + coordinates[0, j + 2] - tree.drawn[j + 2]
        elif kind == PIN:
            angles[body] += tree.signs[i] * (coordinates[0, j] - tree.drawn[j])
        cb, sb = math.cos(angles[body]), math.sin(angles[body])
        poses[body, 2], poses[body, 3] = cb, sb
        if kind == FREE:
            for k in range(2):
                poses[body, k] = tree.poses[body, k] + coordinates[0, j + k] - tree.drawn[j + k]
                products[body, k] = 0.0
            for row in range(3):
                speeds[body, row] = coordinates[1, j + row]
                for k in range(freedoms):
                    spans[body, row, k] = tree.follow[j + row, k]
            continue
        if kind == PIN:
            turn = tree.signs[i]
            px, py = tree.shape[i, 0], tree.shape[i, 1]
            rx, ry = c * px - s * py, s * px + c * py  # from the parent's origin to the pin
            dx, dy = tree.shape[i, 2], tree.shape[i, 3]
            ex, ey = -(cb * dx - sb * dy), -(sb * dx + cb * dy)  # from the pin to the body's origin
            ax, ay = -turn * ey, turn * ex
        else:
            turn = 0.0
            moved = tree.signs[i] * (coordinates[0, j] - tree.drawn[j]) if kind == SLIDE else 0.0
            px, py = tree.shape[i, 6] + tree.shape[i, 4] * moved, tree.shape[i, 7] + tree.shape[i, 5] * moved
            rx, ry = c * px - s * py, s * px + c * py
            ex, ey = 0.0, 0.0
            qx, qy = tree.signs[i] * tree.shape[i, 4], tree.signs[i] * tree.shape[i, 5]
            ax, ay = c * qx - s * qy, s * qx + c * qy
        own = kind != WELD
        rate = coordinates[1, j] if own else 0.0
        w = w_p + turn * rate
        poses[body, 0], poses[body, 1] = poses[parent, 0] + rx + ex, poses[parent, 1] + ry + ey
        fx, fy = rx + ex, ry + ey
        speeds[body, 0] = speeds[parent, 0] - w_p * fy + (ax * rate if own else 0.0)
        speeds[body, 1] = speeds[parent, 1] + w_p * fx + (ay * rate if own else 0.0)
        speeds[body, 2] = w
        products[body, 0] = products[parent, 0] - w_p * w_p * rx - w * w * ex
        products[body, 1] = products[parent, 1] - w_p * w_p * ry - w * w * ey
        if kind == SLIDE:
            products[body, 0] -= 2.0 * w_p * ay * rate
            products[body, 1] += 2.0 * w_p * ax * rate
        for k in range(freedoms):
            g = tree.follow[j, k] if own else 0.0
            spans[body, 0, k] = spans[parent, 0, k] - spans[parent, 2, k] * fy + ax * g
            spans[body, 1, k] = spans[parent, 1, k] + spans[parent, 2, k] * fx + ay * g
            spans[body, 2, k] = spans[parent, 2, k] + turn * g
