"""Counts without lists: floats and integers agree on the hand with a ball, and on random contacts with lists.

In full the hand's total is proved by integers: every one of its 4,096 contacting/separating modes.
"""

from pathlib import Path

import numpy as np
import pytest

import detent
from detent.contact.modes import CountingRows, count, count_exactly, count_modes, modes
from detent.contact.touching import contacts_of
from tests.conftest import campaign
from tests.contact.families import FAMILIES, draw

HAND = Path(__file__).parents[2] / "examples" / "hand_with_ball.toml"
TOTAL = 753_790_592
CASES = campaign(2, 60)  # of each family
SETS = campaign(12, 4096)  # of touching contacts


@pytest.mark.parametrize("family", FAMILIES)
def test_the_count_is_the_length_of_the_list(family, monkeypatch):
    monkeypatch.setattr("detent.contact.modes.enumerate.FEW", 0)  # few would be read from the list itself
    for seed in range(100, 100 + CASES):
        contacts = draw(family, seed)
        listed = len(modes(contacts, exact=True))
        assert count_modes(contacts)["all"] == listed
        assert count_modes(contacts, exact=True)["all"] == listed


def test_floats_and_integers_count_the_hand_alike():
    rows = CountingRows(contacts_of(detent.load(HAND), planes=2))
    total = 0
    for code in np.random.default_rng(0).permutation(4096)[:SETS].tolist():
        held = np.array([code >> k & 1 for k in range(12)], bool)
        exactly = count_exactly(rows, held)
        assert count(rows, held) == exactly
        total += exactly
    assert total == TOTAL if SETS == 4096 else total < TOTAL
