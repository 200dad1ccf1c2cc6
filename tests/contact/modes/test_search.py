"""Branches refuted together or modes asked one by one: the answers are the same."""

import numpy as np
import pytest

from detent.contact import Contacts
from detent.contact.forces import RowRates, consistent, consistent_modes
from detent.contact.modes import modes
from tests.contact.families import FAMILIES, draw
from tests.contact.forces.test_motion_lcp import random_motion
from tests.contact.scenes import box_against_walls, box_on_box, peg_in_hole


def one_by_one(monkeypatch, *given, **more):
    """Every mode by its own program, none left out."""
    with monkeypatch.context() as patched:
        patched.setattr(consistent, "unrefuted", lambda _equations, signs, **_: range(len(signs)))
        return consistent_modes(*given, **more)


def same(own, expected):
    assert [m.text for m in own] == [m.text for m in expected]
    for a, b in zip(own, expected, strict=True):
        assert (a.acceleration == b.acceleration).all()
        assert a.normal == b.normal
    return len(own)


@pytest.mark.parametrize("family", FAMILIES)
def test_random_contacts_under_random_loads(family, monkeypatch):
    counts = set()
    for seed in range(6):
        random = np.random.default_rng(seed)
        mode_set = modes(draw(family, seed).floats)
        d = mode_set.contacts.degrees
        root = random.normal(size=(d, d))
        arguments = (mode_set, root @ root.T + np.eye(d), np.zeros(d), random.normal(size=d))
        if len(mode_set) <= 400:
            mu = float(random.uniform(0, 2))
            counts.add(
                same(
                    consistent_modes(*arguments, friction=mu),
                    one_by_one(monkeypatch, *arguments, friction=mu),
                )
            )
    assert counts


@pytest.mark.parametrize(
    "scene",
    [
        box_against_walls(1),
        box_against_walls(2),
        peg_in_hole(4),
        box_on_box(1).without(7).without(6).without(3).without(2),
    ],
)
@pytest.mark.parametrize("moving", [False, True])
def test_the_paper_s_scenes_at_rest_and_moving(scene, moving, monkeypatch):
    mode_set = modes(scene)
    d = mode_set.contacts.degrees
    random = np.random.default_rng(7)
    for _ in range(2):
        load = random.normal(size=d)
        load[2] -= 4
        some = mode_set[int(random.integers(len(mode_set)))]
        more = {"friction": 0.5, "velocity": some.velocity if moving else None}
        more["drift"] = RowRates(normal=(moving * random.normal(size=len(scene))).tolist())
        arguments = (mode_set, np.eye(d), np.zeros(d), load)
        same(consistent_modes(*arguments, **more), one_by_one(monkeypatch, *arguments, **more))


def test_planar_contacts_in_motion(monkeypatch):
    for seed in range(40):
        points, normals, mu, mass, force, velocity, drift = random_motion(seed)
        mode_set = modes(Contacts.from_points(points.tolist(), normals.tolist()))
        arguments = (mode_set, mass, np.zeros(3), force)
        more = {"friction": mu, "velocity": velocity, "drift": drift}
        same(consistent_modes(*arguments, **more), one_by_one(monkeypatch, *arguments, **more))


def test_a_search_asks_few_programs_where_there_are_many_modes(monkeypatch):
    """Modes that are refuted together never reach a program of their own."""
    asked = []
    solve = consistent.solve
    monkeypatch.setattr(consistent, "solve", lambda *given: asked.append(1) or solve(*given))
    mode_set = modes(box_against_walls(1))
    (only,) = consistent_modes(mode_set, np.eye(6), np.zeros(6), [0, 0, -9.81, 0, 0, 0], friction=0.5)
    assert only.text == "0000|00000000"
    assert len(asked) < len(mode_set) / 10
