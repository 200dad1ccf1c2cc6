"""Scenes of the paper's Table 1, written from its words; the table itself is in tests/seeds."""

import itertools
import math

import numpy as np

from detent.contact import Contacts
from detent.mechanics import GROUND, wrench_row

AXES = np.eye(3)
WALLS = ((2, -1), (1, -1), (0, -1), (0, 1), (1, 1), (2, 1))  # ground, then walls around, then the lid


def box_against_walls(count):
    """A unit cube, four contacts a wall at its corners, tangents along the axes."""
    points, normals, tangents = [], [], []
    for axis, side in WALLS[:count]:
        for corner in itertools.product((-0.5, 0.5), repeat=3):
            if corner[axis] == side * 0.5:
                points.append(corner)
                normals.append(-side * AXES[axis])
                tangents.append([AXES[(axis + 1) % 3], AXES[(axis + 2) % 3]])
    return Contacts.from_points(points, normals, tangents=tangents)


def peg_in_hole(count):
    """A round peg: `count` contacts around each of its two ends, normals to the axis."""
    points, normals, tangents = [], [], []
    for z in (20 / 3, -20 / 3):
        for k in range(count):
            # Quarter turns exactly: a normal that misses the axis by 1e-32 keeps the peg from turning.
            c, s = (round(turn(2 * math.pi * k / count), 15) for turn in (math.cos, math.sin))
            points.append((3 * c, 3 * s, z))
            normals.append((-c, -s, 0.0))
            tangents.append([(0.0, 0.0, 1.0), (-s, c, 0.0)])
    return Contacts.from_points(points, normals, tangents=tangents)


def box_on_box(walls, *, flush=False):
    """A cube of 0.8 on a unit cube that only slides and turns on the ground; perhaps a wall at y = -0.5.

    Not flush, the upper cube touches the wall through points of a unit cube around
    its centre, as the authors' program has it.
    """
    points, normals, tangents, bodies = [], [], [], []

    def add(point, normal, across, pair):
        points.append(tuple(point))
        normals.append(tuple(normal))
        tangents.append([tuple(t) for t in across])
        bodies.append(pair)

    x, y, z = AXES
    for a, b in itertools.product((-0.5, 0.5), repeat=2):
        add((a, b, -0.5), z, (x, y), (GROUND, 0))
    shift = 0.1 if flush else 0.0
    for a, b in itertools.product((-0.4, 0.4), repeat=2):
        add((a, round(b - shift, 3), 0.5), z, (x, y), (0, 1))
    if walls == 2:
        for a, b in itertools.product((-0.5, 0.5), repeat=2):
            add((a, -0.5, b), y, (z, x), (GROUND, 0))
        half = 0.4 if flush else 0.5
        for a, b in itertools.product((-half, half), repeat=2):
            add((a, -0.5, round(0.9 + b, 3)), y, (z, x), (GROUND, 1))
    held = np.zeros((3, 12))
    held[0, 2] = held[1, 3] = held[2, 4] = 1.0
    return Contacts.from_points(points, normals, tangents=tangents, bodies=bodies, held=held)


def planar_fan(count):
    """One body in the plane; rows [sqrt(1 - x^2), 1, x], each one a facet of their cone: 2k + 6 modes."""
    angles = [math.pi * k / (count - 1) for k in range(count)]
    points = [(math.cos(a), 0.0) for a in angles]
    normals = [(math.sin(a) if 0 < k < count - 1 else 0.0, 1.0) for k, a in enumerate(angles)]
    return Contacts.from_points(points, normals)


def hand_with_ball():
    """Three fingers of three links, a thumb of two, a palm, an ellipsoid: 17 freedoms, 12 contacts."""
    axes = np.array([1.0, 0.8, 1.4])

    def surface(around, up):
        point = axes * [math.cos(around) * math.cos(up), math.sin(around) * math.cos(up), math.sin(up)]
        outward = point / axes**2
        return point, outward / np.linalg.norm(outward)

    palm = -math.pi / 2
    touches = [(*surface(palm + 0.1, 0.05), [])]
    joint = 0
    for finger, height in enumerate((-0.6, 0.05, 0.55, None)):
        chain = []
        for link in range(2 if height is None else 3):
            if height is None:
                around, up, back = palm - 0.5 - 0.7 * link, 0.2 + 0.1 * link, 0.35
            else:
                around, up, back = palm + 0.6 + 0.75 * link + 0.07 * finger, height * (1 - 0.08 * link), -0.35
            knuckle, out = surface(around + back, up)
            axis = np.array([0.07 * (finger - 1), 0.05 * link + 0.02 * finger, 1.0])
            chain = [*chain, (joint, knuckle + 0.25 * out, axis / np.linalg.norm(axis))]
            joint += 1
            touches.append((*surface(around, up), chain))
    rows, planes = [], []
    for point, outward, chain in touches:
        first = np.cross(-outward, [0.3, 0.5, 0.81])
        first /= np.linalg.norm(first)

        def row(direction, point=point, chain=chain):
            row_of_hand = np.zeros(17)
            row_of_hand[11:] = wrench_row(point, direction)
            for number, at, axis in chain:
                row_of_hand[number] -= direction @ np.cross(axis, point - at)
            return row_of_hand

        rows.append(row(-outward))
        planes.append(np.array([row(first), row(np.cross(-outward, first))]))
    return Contacts.from_rows(np.array(rows), planes)
