"""A contact added to a complex, or taken from it, gives the modes that enumerating anew gives."""

from fractions import Fraction

import numpy as np
import pytest

from detent.contact import Contacts
from detent.contact.modes import modes, removal, sliding_modes, with_contact, without_contact
from detent.foundation import ModelError
from tests.contact.families import FAMILIES, draw
from tests.contact.scenes import box_against_walls, box_on_box


def first(contacts, count):
    for i in reversed(range(count, len(contacts))):
        contacts = contacts.without(i)
    return contacts


def last(contacts, count):
    for _ in range(count):
        contacts = contacts.without(0)
    return Contacts.from_rows(contacts.normal, contacts.tangent)


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("kind", ["all", "contacting_separating"])
def test_one_more_contact_gives_the_modes_of_all(family, kind):
    for seed in range(5):
        whole = draw(family, seed).floats
        start = modes(first(whole, len(whole) - 1), kind=kind)
        grown = with_contact(start, last(whole, len(whole) - 1))
        anew = modes(whole, kind=kind)
        assert grown.texts == anew.texts
        assert grown.enumeration.contacting_separating == anew.enumeration.contacting_separating


@pytest.mark.parametrize("scene", [box_against_walls(3), box_on_box(1)])
def test_contacts_added_one_by_one_give_the_scene(scene):
    grown = modes(first(scene, 2))
    for i in range(2, len(scene)):
        grown = with_contact(grown, last(first(scene, i + 1), i))
    assert grown.texts == modes(scene).texts
    for mode in [grown[i] for i in range(0, len(grown), max(1, len(grown) // 20))]:
        assert np.abs(scene.held @ mode.velocity).max(initial=0) < 1e-9


def test_a_contact_taken_away_and_put_back_changes_nothing():
    whole = box_against_walls(2)
    less = modes(whole.without(7))
    assert len(less) != len(modes(whole))
    assert with_contact(less, last(whole, 7)).texts == modes(whole).texts


def test_a_filtered_set_takes_no_contact():
    whole = box_against_walls(1)
    with pytest.raises(ModelError, match="filtered"):
        with_contact(modes(whole).where((0, "sliding")), last(whole, 3))


def same_complex(a, b):
    """Equal modes with equal neighbours and dimensions, whatever their numbers."""
    assert a.texts == b.texts
    assert a.enumeration.contacting_separating == b.enumeration.contacting_separating
    assert a.rank == b.rank
    for text in a.texts[:: max(1, len(a) // 40)]:
        assert a[text].dimension == b[text].dimension
        assert a.neighbours(text).texts == b.neighbours(text).texts


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("kind", ["all", "contacting_separating"])
def test_one_contact_less_gives_the_modes_of_the_others(family, kind):
    for seed in range(5):
        whole = draw(family, seed).floats
        for index in range(min(3, len(whole))):
            less = without_contact(modes(whole, kind=kind), index)
            same_complex(less, modes(whole.without(index), kind=kind))


@pytest.mark.parametrize("scene", [box_against_walls(2), box_against_walls(3), box_on_box(1)])
def test_contacts_taken_away_one_by_one_leave_the_others(scene, monkeypatch):
    asked = []

    def counted(contacts, **options):
        asked.append(len(contacts))
        return modes(contacts, **options)

    monkeypatch.setattr(removal, "modes", counted)
    shrunk, left = modes(scene), scene
    for index in (len(scene) - 1, 2, 0):
        shrunk, left = without_contact(shrunk, index), left.without(index)
        same_complex(shrunk, modes(left))
    # Merged each time: only the side that was forbidden was enumerated, as one contact more.
    assert asked == [len(scene), len(scene) - 1, len(scene) - 2]


def test_a_contact_that_held_others_frees_them():
    """Between two opposite contacts nothing lifts; without one of them the other does."""
    pinched = Contacts.from_points([(0, 0), (0, 1)], [(0, 1), (0, -1)]).floats
    assert all(mode.touching.all() for mode in modes(pinched, kind="contacting_separating"))
    less = without_contact(modes(pinched), 1)
    same_complex(less, modes(pinched.without(1)))
    assert any(not mode.touching.any() for mode in less)


def test_a_contact_taken_away_can_be_put_back():
    whole = box_on_box(1)
    less = without_contact(modes(whole), len(whole) - 1)
    assert with_contact(less, last(whole, len(whole) - 1)).texts == modes(whole).texts


def test_a_filtered_set_loses_no_contact():
    with pytest.raises(ModelError, match="filtered"):
        without_contact(modes(box_against_walls(1)).where((0, "sliding")), 0)


@pytest.mark.parametrize("tilt", [Fraction(1, 10**8), Fraction(1, 10**10)])
def test_a_contact_nearly_parallel_to_one_that_is_there_is_decided_in_integers(tilt):
    whole = Contacts.from_rows([[2, tilt], [3, 0]])
    grown = with_contact(modes(first(whole, 1)), last(whole, 1))
    assert grown.enumeration.exact
    assert grown.texts == ["++|", "+0|", "0+|", "00|"]


@pytest.mark.parametrize("change", [lambda s: with_contact(s, s.contacts), lambda s: without_contact(s, 0)])
def test_the_modes_of_one_contacting_separating_mode_take_and_lose_no_contact(change):
    """All contacts touch in it, so no mode is left out of its complex; yet most are of the contacts' own."""
    with pytest.raises(ModelError, match="a filtered set cannot"):
        change(sliding_modes(box_against_walls(1), "0000"))
