"""Which face hides which, against a ray through every pixel of a coarse screen."""

from __future__ import annotations

import numpy as np
import pytest

from detent.draw.machine import DrawnFace, back_to_front
from tests.conftest import campaign

TOWARD = np.array([0.45, -0.8, 0.42]) / np.linalg.norm([0.45, -0.8, 0.42])
RIGHT = np.cross([0, 0, 1], TOWARD) / np.linalg.norm(np.cross([0, 0, 1], TOWARD))
UP = np.cross(TOWARD, RIGHT)
CORNERS = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=float)
SIDES = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]


def boxes(random: np.random.Generator, count: int) -> list[DrawnFace]:
    """Boxes that do not touch, each in a cell of its own, reaching far along one axis."""
    faces = []
    for k, cell in enumerate(random.permutation(27)[:count]):
        low = np.array([cell % 3, cell // 3 % 3, cell // 9]) * 2.0 + random.uniform(0.05, 0.6, 3)
        high = low + random.uniform(0.3, 1.3, 3)
        corners = low + CORNERS * (high - low)
        for side in SIDES:
            points = corners[list(side)]
            normal = np.cross(points[1] - points[0], points[2] - points[1])
            normal /= np.linalg.norm(normal)
            if normal @ (points.mean(axis=0) - corners.mean(axis=0)) < 0:
                points, normal = points[::-1], -normal
            if normal @ TOWARD > 0:
                faces.append(DrawnFace(points, normal, (True,) * 4, k))
    return faces


def inside(face: DrawnFace, at: np.ndarray) -> bool:
    flat = np.stack([face.corners @ RIGHT, face.corners @ UP], axis=1)
    ends = np.roll(flat, -1, axis=0)
    cross = (ends[:, 0] - flat[:, 0]) * (at[1] - flat[:, 1]) - (ends[:, 1] - flat[:, 1]) * (
        at[0] - flat[:, 0]
    )
    return bool((cross > 1e-9).all() or (cross < -1e-9).all())


def depth(face: DrawnFace, at: np.ndarray) -> float:
    """How far toward the viewer the face lies behind a point of the screen."""
    base = at[0] * RIGHT + at[1] * UP
    return float(face.normal @ (face.corners[0] - base) / (face.normal @ TOWARD))


@pytest.mark.parametrize("seed", range(campaign(6, 200)))
def test_the_last_face_painted_at_a_point_is_the_nearest(seed: int) -> None:
    random = np.random.default_rng(seed)
    faces = boxes(random, 14)
    painted = back_to_front(faces, TOWARD)
    cloud = np.concatenate([np.stack([f.corners @ RIGHT, f.corners @ UP], axis=1) for f in faces])
    hit = 0
    for at in random.uniform(cloud.min(axis=0), cloud.max(axis=0), (400, 2)):
        truth = max((f for f in faces if inside(f, at)), key=lambda f: depth(f, at), default=None)
        shown = next((f for f in reversed(painted) if inside(f, at)), None)
        if truth is None or shown is None:
            continue
        hit += 1
        assert shown.owner == truth.owner
        assert depth(shown, at) == pytest.approx(depth(truth, at))
    assert hit > 60


def test_cutting_faces_keeps_their_area() -> None:
    faces = boxes(np.random.default_rng(3), 20)

    def area(all_faces: list[DrawnFace]) -> float:
        total = 0.0
        for face in all_faces:
            spokes = face.corners - face.corners[0]
            total += float(np.linalg.norm(np.cross(spokes[1:-1], spokes[2:]).sum(axis=0))) / 2
        return total

    assert area(back_to_front(faces, TOWARD)) == pytest.approx(area(faces))


def test_edges_of_the_body_survive_a_cut_and_the_cut_adds_none() -> None:
    faces = boxes(np.random.default_rng(5), 20)

    def length(all_faces: list[DrawnFace]) -> float:
        return sum(
            float(np.linalg.norm(np.roll(f.corners, -1, axis=0)[i] - f.corners[i]))
            for f in all_faces
            for i, drawn in enumerate(f.edges)
            if drawn
        )

    assert length(back_to_front(faces, TOWARD)) == pytest.approx(length(faces))
