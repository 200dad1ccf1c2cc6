"""Random contacts: floats and integers list the same modes, and so does one program a sign vector."""

import pytest

from detent.contact.modes import modes
from tests.conftest import campaign
from tests.contact.families import FAMILIES, draw
from tests.contact.oracle import modes_by_programs

CASES = campaign(3, 150)  # of each family: over 1,000 in full
PROGRAMS = campaign(1, 12)  # of each family


@pytest.mark.parametrize("family", FAMILIES)
def test_floats_and_integers_agree(family):
    for seed in range(CASES):
        contacts = draw(family, seed)
        exact = modes(contacts, exact=True)
        floats = modes(contacts.floats)
        assert floats.texts == exact.texts, (family, seed)
        assert len(set(exact.texts)) == len(exact)


@pytest.mark.parametrize("family", FAMILIES)
def test_programs_over_sign_vectors_find_the_same_modes(family):
    """On the smallest cases, because a program a branch is slow."""
    drawn = sorted((modes(draw(family, seed), exact=True) for seed in range(2 * PROGRAMS + 4)), key=len)
    for found in drawn[:PROGRAMS]:
        assert modes_by_programs(found.contacts) == found.texts
