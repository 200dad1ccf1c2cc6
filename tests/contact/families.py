"""Random contacts with rational coordinates, so that integers decide what floats must find."""

from fractions import Fraction

import numpy as np

from detent.contact import Contacts, spread
from detent.mechanics import GROUND


def _fraction(random, low=-6, high=6, over=4):
    return Fraction(int(random.integers(low, high + 1)), int(random.integers(1, over + 1)))


def _vector(random, size):
    while not any(made := [_fraction(random) for _ in range(size)]):
        pass
    return made


def convex(random, count, planes=None):
    """Contacts on a ball, normals inwards."""
    points = [_vector(random, 3) for _ in range(count)]
    return Contacts.from_points(points, [[-x for x in p] for p in points], planes=planes)


def duplicated(random, count):
    """Some contacts twice, some with their normals stretched."""
    points = [_vector(random, 3) for _ in range(count)]
    normals = [_vector(random, 3) for _ in range(count)]
    again = random.integers(0, count, 2)
    points += [points[i] for i in again]
    normals += [[3 * x for x in normals[i]] for i in again]
    return Contacts.from_points(points, normals)


def closed(random, count):
    """A grasp: pairs of opposite normals along lines through the body, and one contact more."""
    points, normals = [], []
    for _ in range(count // 2):
        p, n = _vector(random, 3), _vector(random, 3)
        points += [p, [a + 2 * b for a, b in zip(p, n, strict=True)]]
        normals += [n, [-x for x in n]]
    points.append(_vector(random, 3))
    normals.append(_vector(random, 3))
    return Contacts.from_points(points, normals)


def finely_divided(random, count):
    """Four planes a contact, normals along the axes."""
    axes = np.array([random.permutation([0, 0, int(random.choice([-1, 1]))]) for _ in range(count)])
    return Contacts.from_points(
        [_vector(random, 3) for _ in range(count)], [[int(x) for x in n] for n in axes], planes=4
    )


def planar(random, count):
    points = [_vector(random, 2) for _ in range(count)]
    return Contacts.from_points(points, [_vector(random, 2) for _ in range(count)])


def planar_pair(random, count):
    """Two bodies in the plane, on the ground and on each other, one of them on a hinge."""
    choices = [(GROUND, 0), (GROUND, 1), (0, 1)]
    bodies = [choices[i] for i in [1, *random.integers(0, 3, count - 1)]]
    points = [_vector(random, 2) for _ in range(count)]
    held = [[1, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0]]
    return Contacts.from_points(points, [_vector(random, 2) for _ in range(count)], bodies=bodies, held=held)


def lattice_points(random, count):
    """Many degenerate incidences: small integer points, axis normals."""
    points = [[int(x) for x in random.integers(-1, 2, 3)] for _ in range(count)]
    axes = np.vstack([np.eye(3, dtype=int), -np.eye(3, dtype=int)])
    normals = [[int(x) for x in axes[random.integers(0, 6)]] for _ in range(count)]
    return Contacts.from_points(points, normals, tangents=[spread(n, 2, 3) for n in normals])


FAMILIES = {
    "convex": (convex, 2, 5),
    "duplicated": (duplicated, 2, 4),
    "closed": (closed, 2, 5),
    "finely divided": (finely_divided, 1, 3),
    "planar": (planar, 1, 7),
    "planar pair": (planar_pair, 2, 6),
    "lattice": (lattice_points, 2, 6),
}


def draw(name, seed):
    make, least, most = FAMILIES[name]
    random = np.random.default_rng([seed, *name.encode()])
    return make(random, int(random.integers(least, most + 1)))
