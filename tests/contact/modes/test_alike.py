"""The list, the count and the stream of modes decide alike, also where rows are nearly dependent."""

import itertools
import random
from fractions import Fraction

import pytest

from detent.contact import Contacts
from detent.contact.modes import (
    Budget,
    count_contacting_separating,
    count_modes,
    counts,
    modes,
    sliding_modes,
    stream,
    stream_texts,
)
from detent.foundation import ModelError, UnsupportedError
from tests.conftest import campaign
from tests.contact.scenes import box_against_walls, hand_with_ball

CASES = campaign(25, 400)  # of each size of perturbation


def nearly_dependent(seed, power):
    """Sums of a few small integer rows, half of them off by some 10^-power in one entry."""
    rng = random.Random(1000 * power + seed)
    d, n = rng.choice([2, 3, 4]), rng.randrange(2, 6)
    base = [[rng.randrange(-2, 3) for _ in range(d)] for _ in range(d + 1)]
    off = rng.choice([1, -1, 3, -7]) * Fraction(1, 10**power)

    def row():
        entries = [0] * d
        while not any(entries):
            share = [rng.randrange(-1, 2) for _ in base]
            entries = [Fraction(sum(s * b[k] for s, b in zip(share, base, strict=True))) for k in range(d)]
        if rng.random() < 0.5:
            entries[rng.randrange(d)] += off * rng.choice([1, 2, Fraction(1, 3)])
        return entries

    normal = [row() for _ in range(n)]
    tangent = [[row() for _ in range(rng.randrange(3))] for _ in range(n)]
    contacts = Contacts.from_rows(normal, tangent, freedoms=d)
    return contacts.floats if seed % 2 else contacts


@pytest.mark.parametrize("power", range(6, 15))
def test_nearly_dependent_rows_have_one_answer(power):
    for seed in range(CASES):
        contacts = nearly_dependent(seed, power)
        mode_set = modes(contacts)
        if mode_set.enumeration.flagged:
            assert mode_set.texts == modes(contacts, exact=True).texts
        number = mode_set.contacting_separating
        assert count_modes(contacts) == {"contacting_separating": number, "all": len(mode_set)}
        assert {text: own for text, own, _ in counts(contacts)} == mode_set.sliding_counts()
        assert [text for _, own in stream_texts(contacts) for text in own] == mode_set.texts
        assert [text for _, own in stream(contacts) for text in own.texts] == mode_set.texts


@pytest.mark.parametrize("power", range(6, 15))
def test_one_contacting_separating_mode_has_one_answer(power):
    for seed in range(CASES // 5):
        contacts = nearly_dependent(seed, power)
        for word in map("".join, itertools.product("0+", repeat=len(contacts))):
            try:
                listed = sliding_modes(contacts, word).texts
            except ModelError:
                with pytest.raises(ModelError, match="no velocity has these signs"):
                    count_modes(contacts, touching=word)
                with pytest.raises(ModelError, match="no velocity has these signs"):
                    list(stream_texts(contacts, touching=word))
                continue
            assert count_modes(contacts, touching=word)["all"] == len(listed)
            assert list(stream_texts(contacts, touching=word)) == [(word, listed)]


@pytest.mark.parametrize("power", range(6, 15))
def test_the_lattice_has_one_length(power):
    for seed in range(CASES):
        contacts = nearly_dependent(seed, power)
        assert count_contacting_separating(contacts) == len(modes(contacts, kind="contacting_separating"))


def test_rows_that_no_linear_program_solves_are_decided_in_integers():
    """Two contacts oppose each other but for some 1e-9: the solver gives up, and nothing else does."""
    off = Fraction(-7, 10**9)
    normal = [[-2, -4, -1], [4, -2, 2], [-4, -2, -3 + off / 3], [2 + off / 3, 4, 1], [2, -4, -2]]
    contacts = Contacts.from_rows(normal)
    assert modes(contacts).texts == modes(contacts, exact=True).texts


class OneMore(Budget):
    """Time for the contacting/separating modes, and then for none."""

    def silent(self):
        budget = super().silent()
        budget.until = 0.0
        return budget


def test_a_stream_that_ends_inside_a_mode_says_which_and_how_to_go_on(monkeypatch):
    """With two corners of the box lifted, a complex lists the rest, and the time is over."""
    monkeypatch.setattr("detent.contact.modes.enumerate.FEW", 0)
    limits, seen = OneMore(), []
    lines = stream_texts(box_against_walls(1), limits=limits)
    with pytest.raises(UnsupportedError) as ended:
        seen.extend((signs, len(texts)) for signs, texts in lines)
    words = str(ended.value)
    total = sum(n for _, n in seen)
    inside = words.partition("inside ")[2].partition(";")[0]
    assert seen
    assert set(inside) == {"0", "+"}
    assert inside not in dict(seen)
    assert f"delivered are {total} modes of {len(seen)} of 10 contacting/separating modes" in words
    assert f"--of {inside}" in words
    assert "planes" not in words


def test_a_stream_whose_time_ends_before_its_first_mode_says_so():
    limits = Budget(seconds=0)
    for ask in (lambda: list(stream_texts(hand_with_ball(), limits=limits)),
                lambda: count_modes(hand_with_ball(), limits=limits)):  # fmt: skip
        with pytest.raises(UnsupportedError, match="before the contacting/separating modes were known"):
            ask()
