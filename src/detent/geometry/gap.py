"""Gaps between features in the plane: how far apart, where, in which direction, with what arms.

Donald & Pai 1992, eqs. 3 and 4; Gelsey 1995, Algorithms 9 to 11 and the contact
types of Appendix A. Each function is given feature a of part A, feature b of
part B and pose_AB, and answers in A's frame: the normal points from A to B, the
gap is positive when apart. The same contact with the roles exchanged is the
same call with the pose inverted (`inverted`), seen from the other side
(`exchanged`); there is no second set of formulas.

A pose is [x, y, cos, sin]. An edge is [ax, ay, bx, by] with material on its
left, so its outward normal is on its right. A vertex is a disc of no radius. The
boundary of a hole is a disc inside out: `side` is -1 there, +1 on a disc.

An arm is r x n about the origin of its part's frame, so that the gap's rate is
n.v_B + arm_B w_B - (n.v_A + arm_A w_A).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from detent.numeric.kernels import kernel
from detent.numeric.lengths import magnitude


class Gap(NamedTuple):
    """A gap in A's frame; `share` is where on an edge it lies: 0 at its start, 1 at its end."""

    gap: float
    x: float  # the point of B that is nearest
    y: float
    nx: float
    ny: float
    arm_A: float  # noqa: N815
    arm_B: float  # noqa: N815
    share: float


def _square() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return np.array([0.3, 1.2, 0.8, 0.6]), np.array([1.0, 0.0, -1.0, 0.0]), np.array([0.1, 0.2])


@kernel(sample=lambda: (*_square(), 0.5), inlined=True, bare=True)
def disc_edge(pose_AB, edge_A, centre_B, radius):  # type: ignore[no-untyped-def]
    """Edge on A, disc on B; below zero when the disc reaches past the edge's line."""
    cx = pose_AB[0] + pose_AB[2] * centre_B[0] - pose_AB[3] * centre_B[1]
    cy = pose_AB[1] + pose_AB[3] * centre_B[0] + pose_AB[2] * centre_B[1]
    ux, uy = edge_A[2] - edge_A[0], edge_A[3] - edge_A[1]
    length = magnitude(ux, uy)
    nx, ny = uy / length, -ux / length
    gap = nx * (cx - edge_A[0]) + ny * (cy - edge_A[1]) - radius
    share = (ux * (cx - edge_A[0]) + uy * (cy - edge_A[1])) / (length * length)
    px, py = cx - radius * nx, cy - radius * ny
    arm_A = px * ny - py * nx
    arm_B = (px - pose_AB[0]) * ny - (py - pose_AB[1]) * nx
    return Gap(gap, px, py, nx, ny, arm_A, arm_B, share)


@kernel(sample=lambda: _square(), bare=True)
def vertex_edge(pose_AB, edge_A, vertex_B):  # type: ignore[no-untyped-def]
    """Edge on A, vertex on B (Donald & Pai, eq. 4; their eq. 3 with the pose inverted)."""
    return disc_edge(pose_AB, edge_A, vertex_B, 0.0)


@kernel(
    sample=lambda: (np.array([2.0, 1.0, 0.8, 0.6]), np.zeros(2), 1.0, 1.0, np.array([0.1, 0.2]), 0.5),
    inlined=True,
    bare=True,
)
def disc_disc(pose_AB, centre_A, radius_A, side_A, centre_B, radius_B):  # type: ignore[no-untyped-def]
    """Disc (or hole, side -1) on A, disc on B.

    Concentric, no direction is nearer than another; then x is used.
    """
    cx = pose_AB[0] + pose_AB[2] * centre_B[0] - pose_AB[3] * centre_B[1]
    cy = pose_AB[1] + pose_AB[3] * centre_B[0] + pose_AB[2] * centre_B[1]
    dx, dy = cx - centre_A[0], cy - centre_A[1]
    distance = magnitude(dx, dy)
    nx, ny = side_A, 0.0
    if distance > 0.0:
        nx, ny = side_A * dx / distance, side_A * dy / distance
    gap = side_A * (distance - radius_A) - radius_B
    px, py = cx - radius_B * nx, cy - radius_B * ny
    arm_A = px * ny - py * nx
    arm_B = (px - pose_AB[0]) * ny - (py - pose_AB[1]) * nx
    return Gap(gap, px, py, nx, ny, arm_A, arm_B, 0.0)


@kernel(sample=lambda: (np.array([2.0, 1.0, 0.8, 0.6]), np.zeros(2), np.array([0.1, 0.2]), 0.5), bare=True)
def disc_corner(pose_AB, corner_A, centre_B, radius):  # type: ignore[no-untyped-def]
    """Corner on A, disc on B."""
    return disc_disc(pose_AB, corner_A, 0.0, 1.0, centre_B, radius)


@kernel(sample=lambda: (np.array([2.0, 1.0, 0.8, 0.6]),))
def inverted(pose):  # type: ignore[no-untyped-def]
    """pose_BA from pose_AB."""
    x, y, c, s = pose[0], pose[1], pose[2], pose[3]
    return np.array([-c * x - s * y, s * x - c * y, c, -s])


@kernel(
    sample=lambda: (np.array([2.0, 1.0, 0.8, 0.6]), Gap(0.1, 1.0, 2.0, 0.6, 0.8, 0.2, 0.3, 0.5)),
    inlined=True,
    bare=True,
)
def exchanged(pose_AB, seen_from_A):  # type: ignore[no-untyped-def]
    """The same gap seen from B: A and B exchanged, everything in B's frame."""
    x, y, c, s = pose_AB[0], pose_AB[1], pose_AB[2], pose_AB[3]
    dx, dy = seen_from_A.x - x, seen_from_A.y - y
    # The nearest point of the first part, now the one that is met.
    dx -= seen_from_A.gap * seen_from_A.nx
    dy -= seen_from_A.gap * seen_from_A.ny
    nx, ny = -seen_from_A.nx, -seen_from_A.ny
    return Gap(
        seen_from_A.gap,
        c * dx + s * dy,
        -s * dx + c * dy,
        c * nx + s * ny,
        -s * nx + c * ny,
        -seen_from_A.arm_B,
        -seen_from_A.arm_A,
        seen_from_A.share,
    )


def plane_pose(x: float, y: float, angle: float) -> np.ndarray:
    """A pose from an origin and an angle [rad]."""
    return np.array([x, y, math.cos(angle), math.sin(angle)])
