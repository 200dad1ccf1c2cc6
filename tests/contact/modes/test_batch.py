"""Many configurations in one go give what each gives alone."""

import numpy as np

from detent.contact import Contacts
from detent.contact.modes import batch, modes, modes_of_many
from tests.contact.families import FAMILIES, draw
from tests.contact.scenes import box_against_walls


def test_each_configuration_has_the_modes_it_has_alone():
    many = [draw(family, seed) for family in FAMILIES for seed in range(3)]
    for contacts, found in zip(many, modes_of_many(many), strict=True):
        assert found.contacts is contacts
        assert found.texts == modes(contacts).texts


def test_a_configuration_met_again_is_not_enumerated_again(monkeypatch):
    asked = []

    def counted(contacts, **options):
        asked.append(contacts)
        return modes(contacts, **options)

    monkeypatch.setattr(batch, "modes", counted)
    scene = box_against_walls(1)
    rows = Contacts.from_rows(scene.normal, scene.tangent, held=scene.held, friction=0.5)
    moved = Contacts.from_rows(scene.normal + np.eye(1, 6), scene.tangent)
    mode_sets = list(modes_of_many([scene, rows, moved, scene]))
    assert asked == [scene, moved]
    assert mode_sets[1].contacts.friction == (0.5,) * len(scene)
    assert mode_sets[1].texts == mode_sets[0].texts == mode_sets[3].texts


def test_results_are_kept_apart_although_memory_is_shared():
    first, second = modes_of_many([box_against_walls(1), box_against_walls(2)])
    assert first.texts == modes(box_against_walls(1)).texts
    assert second.texts == modes(box_against_walls(2)).texts


def test_kind_and_exactness_are_those_asked_for():
    (mode_set,) = modes_of_many([box_against_walls(1)], kind="contacting_separating", exact=True)
    assert mode_set.kind == "contacting_separating"
    assert mode_set.enumeration.exact
