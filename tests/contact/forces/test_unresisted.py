"""Loads on contacts that leave some motion unresisted: a ball, a groove, a pinch, about any origin.

Whether forces inside round cones balance a load is also asked of a linear program over 720 edges a cone.
"""

import math

import numpy as np
import pytest
from scipy.optimize import linprog

import detent
from detent.contact import Contacts, balance

SIDES = 720
ORIGINS = [(0, 0, 0), (5, 0, -20), (3, -7, 11)]


def edges(points, normals, mu):
    """Wrenches of the edges of each friction cone."""
    for point, normal in zip(np.array(points, float), np.array(normals, float), strict=True):
        n = normal / np.linalg.norm(normal)
        across = np.linalg.svd(n[None])[2][1:]
        for k in range(SIDES):
            a = 2 * math.pi * k / SIDES
            pushed = n + mu * (math.cos(a) * across[0] + math.sin(a) * across[1])
            yield np.concatenate([pushed, np.cross(point, pushed)])


def balanced(points, normals, mu, load):
    matrix = np.array(list(edges(points, normals, mu))).T
    return linprog(np.zeros(matrix.shape[1]), A_eq=matrix, b_eq=-np.array(load), method="highs").status == 0


def groove(degrees):
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return [(0, -10 * s, -10 * c), (0, 10 * s, -10 * c)], [(0, s, c), (0, -s, c)]


SCENES = {
    "ball": ([(0, 0, -20)], [(0, 0, 1)]),
    "groove 30": groove(30),
    "groove 50": groove(50),
    "pinch": ([(-20, 0, 0), (20, 0, 0)], [(1, 0, 0), (-1, 0, 0)]),
    "pinch across": ([(-20, -10, 30), (20, 10, 30)], [(2, 1, 0), (-2, -1, 0)]),
    "rod": ([(-10, 0, -5), (15, 0, -5)], [(0, 0, 1), (0, 0, 1)]),
}
FORCES = [(0, 0, -0.981), (0.1, 0, -0.981), (0, 0.2, -0.981), (0, 0, 0.5)]


@pytest.mark.parametrize("origin", ORIGINS)
@pytest.mark.parametrize("scene", SCENES)
def test_a_load_is_held_where_a_program_over_many_edges_holds_it(scene, origin):
    points, normals = SCENES[scene]
    points = [tuple(np.subtract(point, origin)) for point in points]
    contacts = Contacts.from_points(points, normals, friction=0.4, planes=2)
    sticking = next(mode for mode in detent.modes(contacts) if set(mode.text) <= {"0", "|"})
    for force in FORCES:
        for through in ((0, 0, 0), (0, 0, -20)):
            load = [*force, *np.cross(np.subtract(through, origin), force)]
            held = balanced(points, normals, 0.4, load)
            assert balance(sticking, load).possible == held, (scene, origin, force, through)


def test_a_ball_on_a_table_is_held_with_its_weight():
    contacts = Contacts.from_points([(0, 0, -20)], [(0, 0, 1)], friction=0.4, planes=2)
    assert detent.grasp(detent.modes(contacts), [0, 0, -0.981, 0, 0, 0]).answer == "stable"


def test_masses_that_doubles_cannot_tell_apart_are_not_solved_in_rationals():
    """A contact ten million lengths away: unit inertia about it is singular in rationals."""
    machine = detent.from_dict(
        {
            "units": "1",
            "parts": {
                "root": {},
                "p": {"shape": {"outline": [[-2, -5], [-3, -4], [-4, -5], [-3, -6]]}},
                "wall": {"fixed": True, "shape": {"outline": [[3, -12], [6, -12], [6, -10], [3, -10]]}},
            },
            "joints": {"hinge": {"type": "revolute", "between": ["root", "p"], "at": [0, 0]}},
            "touching": {"friction": "1/3"},
            "contacts": [{"between": ["root", "wall"], "point": [1e7, 0], "normal": [0, -1e7]}],
        }
    )
    verdict = detent.grasp(detent.modes(machine), [0, 1e-9, 0, 1, 359.9, -1])
    assert verdict.answer in {"stable", "not stable", "no equilibrium"}
