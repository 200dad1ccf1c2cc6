"""Where held parts are at coordinates of what leads them, and rows of contacts in these coordinates.

The gripper's displacement and rotation vector are linear in the coordinates, as (7) has them; its rotation is
exact. So a contact's row is that of its gap: J_T' n + J_R' L' (r x n), with L between the rates of a rotation
vector and the rotation rate.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from detent.library.mating.known_laws import sample_laws
from detent.mechanics.joint_kernels import dot3
from detent.numeric.kernels import kernel


def sample_leader() -> tuple[Any, ...]:
    """Mass, damping, stiffness, push, push rate, moves of the gripper, its place, axes of tangents; then
    force laws, as rows of numbers.
    """
    push, laws = np.zeros((6, 3)), sample_laws(6)
    push[:3] = 1e4 * np.eye(3)
    own = np.eye(6), 20 * np.eye(6), 1e4 * np.eye(6), push, push / 500, np.eye(6), np.zeros(3), np.eye(3)
    return *own, *laws


@kernel(sample=lambda: (sample_leader()[5], np.linspace(0.0, 0.5, 6), np.zeros(6)), bare=True)
def gripper_moved(moves, q, moved):  # type: ignore[no-untyped-def]
    """Displacement and rotation vector of the gripper."""
    for k in range(6):
        moved[k] = 0.0
        for j in range(len(q)):
            moved[k] += moves[k, j] * q[j]


@kernel(sample=lambda: (np.array([0.1, 0.2, -0.3]), np.zeros((3, 3))), bare=True)
def rotation_in(turned, rotation):  # type: ignore[no-untyped-def]
    """The matrix of a rotation vector."""
    angle = math.sqrt(dot3(turned, turned))
    first, second = 1.0, 0.5
    if angle > 1e-4:
        first, second = math.sin(angle) / angle, (1.0 - math.cos(angle)) / angle**2
    elif angle > 0.0:
        first, second = 1.0 - angle**2 / 6.0, 0.5 - angle**2 / 24.0
    x, y, z = turned[0], turned[1], turned[2]
    for i in range(3):
        for j in range(3):
            rotation[i, j] = second * turned[i] * turned[j]
        rotation[i, i] += 1.0 - second * angle**2
    rotation[0, 1] -= first * z
    rotation[1, 0] += first * z
    rotation[0, 2] += first * y
    rotation[2, 0] -= first * y
    rotation[1, 2] -= first * x
    rotation[2, 1] += first * x


@kernel(
    sample=lambda: (
        sample_leader(), np.tile(np.eye(4)[:3], (2, 1, 1)), np.array([False, True]), np.linspace(0.0, 0.5, 6),
        np.zeros(6), np.zeros((3, 3)), np.zeros((2, 3, 4)),
    ), bare=True, separate=True
)  # fmt: skip
def place_held(leader, drawn, held, q, moved, rotation, matrices):  # type: ignore[no-untyped-def]
    """Poses (3, 4) of all bodies; writes the gripper's motion and rotation too."""
    moves, gripper = leader[5], leader[6]
    gripper_moved(moves, q, moved)
    rotation_in(moved[3:6], rotation)
    for body in range(len(drawn)):
        if not held[body]:
            for i in range(3):
                for j in range(4):
                    matrices[body, i, j] = drawn[body, i, j]
            continue
        for i in range(3):
            for j in range(4):
                total = 0.0
                for k in range(3):
                    total += rotation[i, k] * (drawn[body, k, j] - (gripper[k] if j == 3 else 0.0))
                matrices[body, i, j] = total + (gripper[i] + moved[i] if j == 3 else 0.0)


@kernel(sample=lambda: (np.array([0.0, 0.6, 0.8]), np.eye(3), np.zeros((3, 3))), bare=True)
def frame_of(normal, axes, frame):  # type: ignore[no-untyped-def]
    """The normal and two tangents, the first along the first axis as far as it can be, as rows."""
    along = dot3(normal, axes[:, 0])
    column = 0 if abs(along) < 0.9 else 1
    along = dot3(normal, axes[:, column])
    for k in range(3):
        frame[0, k] = normal[k]
        frame[1, k] = axes[k, column] - along * normal[k]
    size = math.sqrt(dot3(frame[1], frame[1]))
    for k in range(3):
        frame[1, k] /= size
    frame[2, 0] = normal[1] * frame[1, 2] - normal[2] * frame[1, 1]
    frame[2, 1] = normal[2] * frame[1, 0] - normal[0] * frame[1, 2]
    frame[2, 2] = normal[0] * frame[1, 1] - normal[1] * frame[1, 0]


@kernel(sample=lambda: (np.array([0.1, 0.2, -0.3]), np.array([1.0, 0.5, 0.2]), np.zeros(3)), bare=True)
def moment_of_rates(turned, moment, rated):  # type: ignore[no-untyped-def]
    """L' of a moment: what it does on rates of the rotation vector."""
    angle = math.sqrt(dot3(turned, turned))
    first, second = 0.5 - angle**2 / 24.0, 1.0 / 6.0 - angle**2 / 120.0
    if angle > 1e-3:
        first, second = (1.0 - math.cos(angle)) / angle**2, (angle - math.sin(angle)) / angle**3
    x, y, z = turned[0], turned[1], turned[2]
    u, v, w = y * moment[2] - z * moment[1], z * moment[0] - x * moment[2], x * moment[1] - y * moment[0]
    rated[0] = moment[0] - first * u + second * (y * w - z * v)
    rated[1] = moment[1] - first * v + second * (z * u - x * w)
    rated[2] = moment[2] - first * w + second * (x * v - y * u)


@kernel(
    sample=lambda: (
        sample_leader(), np.linspace(0.0, 0.5, 6), np.array([0.1, 0.2, 0.3]), np.array([0.0, 0.6, 0.8]),
        np.zeros((3, 3)), np.zeros((3, 6)), np.zeros((3, 3)),
    ), bare=True, separate=True
)  # fmt: skip
def contact_rows(leader, moved, point, normal, frame, rows, room):  # type: ignore[no-untyped-def]
    """Rows of a contact's normal and tangents in the coordinates; writes its frame too."""
    moves, gripper, axes = leader[5], leader[6], leader[7]
    frame_of(normal, axes, frame)
    arm, moment, rated = room[0], room[1], room[2]
    for k in range(3):
        arm[k] = point[k] - gripper[k] - moved[k]
    for r in range(3):
        d = frame[r]
        moment[0] = arm[1] * d[2] - arm[2] * d[1]
        moment[1] = arm[2] * d[0] - arm[0] * d[2]
        moment[2] = arm[0] * d[1] - arm[1] * d[0]
        moment_of_rates(moved[3:6], moment, rated)
        for j in range(rows.shape[1]):
            rows[r, j] = 0.0
            for k in range(3):
                rows[r, j] += moves[k, j] * d[k] + moves[3 + k, j] * rated[k]
