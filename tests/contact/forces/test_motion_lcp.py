"""Consistent modes at random velocities are all solutions of an LCP, found by trying every basis."""

import itertools

import numpy as np

from detent.contact import Contacts
from detent.contact.forces import RowRates, consistent_modes
from detent.contact.modes import modes


def lcp_solutions(matrix, offset):
    """All basic solutions of w = matrix z + offset >= 0, z >= 0, w z = 0: every choice of which are zero."""
    size = len(offset)
    for basic in itertools.product((False, True), repeat=size):
        chosen = np.flatnonzero(basic)
        z = np.zeros(size)
        if len(chosen):
            inner = matrix[np.ix_(chosen, chosen)]
            if abs(np.linalg.det(inner)) < 1e-12:
                continue
            z[chosen] = np.linalg.solve(inner, -offset[chosen])
        w = matrix @ z + offset
        if z.min(initial=0.0) > -1e-9 and w.min(initial=0.0) > -1e-9:
            yield z


def modes_by_lcp(points, normals, mu, mass, force, velocity, drift):
    """Planar contacts by the LCP of Stewart and Trinkle at accelerations, friction fixed where it slides."""
    inverse = np.linalg.inv(mass)
    rows, pushes, constant, kinds = [], [], [], []
    speeds = []
    for i, ((x, y), (a, b)) in enumerate(zip(points, normals, strict=True)):
        normal, across = np.array([a, b, x * b - y * a]), np.array([b, -a, -x * a - y * b])
        speeds.append((normal @ velocity, across @ velocity))
        if speeds[i][0] > 1e-9:
            continue
        if abs(speeds[i][1]) > 1e-9:
            rows.append(normal)
            pushes.append(normal - mu * np.sign(speeds[i][1]) * across)
            constant.append(drift.normal[i])
            kinds.append((i, "sliding"))
            continue
        rows += [normal, across, -across]
        pushes += [normal, across, -across]
        constant += [drift.normal[i], drift.tangent[i][0], -drift.tangent[i][0]]
        kinds += [(i, "normal"), (i, "plus"), (i, "minus")]
    still = [i for i, kind in kinds if kind == "normal"]
    size = len(rows) + len(still)
    matrix, offset = np.zeros((size, size)), np.zeros(size)
    if rows:
        matrix[: len(rows), : len(rows)] = np.array(rows) @ inverse @ np.array(pushes).T
        offset[: len(rows)] = np.array(rows) @ inverse @ force + constant
    for k, i in enumerate(still):
        slack_column = len(rows) + k
        for kind, sign in (("plus", -1.0), ("minus", -1.0), ("normal", mu)):
            at = kinds.index((i, kind))
            matrix[slack_column, at] = sign
            if kind != "normal":
                matrix[at, slack_column] = 1.0
    states = {}
    for z in lcp_solutions(matrix, offset):
        a = inverse @ (force + (np.array(pushes).T @ z[: len(rows)] if rows else 0.0))
        signs, planes = "", ""
        for i, ((x, y), (p, q)) in enumerate(zip(points, normals, strict=True)):
            normal, across = np.array([p, q, x * q - y * p]), np.array([q, -p, -x * p - y * q])
            if speeds[i][0] > 1e-9 or normal @ a + drift.normal[i] > 1e-7:
                signs, planes = signs + "+", planes + "."
                continue
            slip = speeds[i][1] if abs(speeds[i][1]) > 1e-9 else across @ a + drift.tangent[i][0]
            signs, planes = signs + "0", planes + ("0" if abs(slip) < 1e-7 else "+" if slip > 0 else "-")
        states.setdefault(f"{signs}|{planes}", []).append(a)
    return states


def random_motion(seed):
    """Contacts of one body in the plane, a velocity that keeps some of them, and whatever drift."""
    random = np.random.default_rng(seed)
    count, mu = 1 + seed % 3, float(random.uniform(0.1, 3.0))
    points = random.uniform(-1, 1, (count, 2))
    angles = random.uniform(0, 2 * np.pi, count)
    normals = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    rows = np.array([[a, b, x * b - y * a] for (x, y), (a, b) in zip(points, normals, strict=True)])
    kept = random.choice(count, random.integers(0, min(count, 2) + 1), replace=False)
    pivot = seed % 5 == 0  # turn about the first contact: it neither slides nor lifts
    fixed = np.array([[1.0, 0, -points[0][1]], [0, 1.0, points[0][0]]]) if pivot else rows[kept]
    _, values, turned = np.linalg.svd(np.vstack([fixed, np.zeros((3, 3))]))
    free = turned[int((values > 1e-9).sum()) :]
    velocity = free.T @ random.normal(size=len(free))
    if (np.delete(rows, [0] if pivot else kept, axis=0) @ velocity < 0).any():
        velocity = -velocity
    if (rows @ velocity < -1e-12).any():
        velocity = np.zeros(3)
    wild = random.uniform(-1, 1) > 0
    drift = RowRates(
        normal=(wild * random.normal(size=count)).tolist(),
        tangent=[[float(wild * random.normal())] for _ in range(count)],
    )
    root = random.normal(size=(3, 3))
    return points, normals, mu, root @ root.T + 0.2 * np.eye(3), 3 * random.normal(size=3), velocity, drift


def test_consistent_modes_in_motion_are_the_solutions_of_the_enumerated_lcp():
    answers = {0: 0, 1: 0, 2: 0}
    for seed in range(150):
        points, normals, mu, mass, force, velocity, drift = random_motion(seed)
        mode_set = modes(Contacts.from_points(points.tolist(), normals.tolist(), friction=mu))
        motions = consistent_modes(mode_set, mass, np.zeros(3), force, velocity=velocity, drift=drift)
        expected = modes_by_lcp(points, normals, mu, mass, force, velocity, drift)
        assert {m.text for m in motions} == set(expected), seed
        for motion in motions:
            near = min(np.abs(motion.acceleration - a).max() for a in expected[motion.text])
            assert near < 1e-4 * max(1.0, np.abs(motion.acceleration).max()), seed
        answers[min(len(motions), 2)] += 1
    assert all(answers.values()), answers  # none, one and several all occur
