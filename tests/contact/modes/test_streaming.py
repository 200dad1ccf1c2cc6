"""Listed branch by branch or from a complex, the modes are the same."""

from fractions import Fraction

import numpy as np
import pytest

from detent.contact import Contacts, touching_of
from detent.contact.modes import (
    CountingRows,
    count,
    modes,
    sliding_modes,
    stream,
    stream_texts,
    streaming,
)
from detent.foundation import ModelError
from tests.contact.families import FAMILIES, draw
from tests.contact.scenes import box_against_walls, box_on_box, hand_with_ball


@pytest.fixture(autouse=True)
def walks(monkeypatch):
    """What is few would be read from its complex, with nothing left to compare it with."""
    monkeypatch.setattr("detent.contact.modes.enumerate.FEW", 0)


@pytest.fixture
def branching(monkeypatch):
    """Branch wherever any contact lifts."""
    monkeypatch.setattr(streaming, "FEW_LIFTING", 0)


@pytest.mark.usefixtures("branching")
@pytest.mark.parametrize("contacts", [box_against_walls(1), box_against_walls(2), box_on_box(1)])
def test_branches_of_the_paper_s_scenes_are_their_modes(contacts):
    assert sorted(t for _, own in stream_texts(contacts) for t in own) == sorted(modes(contacts).texts)


@pytest.mark.usefixtures("branching")
@pytest.mark.parametrize("family", FAMILIES)
def test_branches_of_random_contacts_are_their_modes(family):
    contacts = draw(family, 3).floats
    assert sorted(t for _, own in stream_texts(contacts) for t in own) == sorted(modes(contacts).texts)


def test_texts_come_in_the_order_of_the_stream_of_modes():
    contacts = box_against_walls(1)
    texts = {touching: sorted(own) for touching, own in stream_texts(contacts)}
    assert texts == {touching: sorted(own.texts) for touching, own in stream(contacts)}


@pytest.mark.parametrize("word", ["0000", "00++", "++++"])
def test_one_contacting_separating_mode_is_streamed_alone(word):
    contacts = box_against_walls(1)
    (only,) = stream_texts(contacts, touching=word)
    assert only == (word, sorted(modes(contacts).of(word).texts))


def test_a_stream_of_a_mode_that_does_not_exist_is_refused_before_its_first_line():
    with pytest.raises(ModelError, match=r"no contacting/separating mode '000\+'.*--kind"):
        next(stream_texts(box_against_walls(1), touching="000+"))


def test_a_hand_is_listed_where_a_complex_would_be_mostly_boundary():
    """Four links touch and eight lift: as many different texts as the count says."""
    hand = hand_with_ball()
    touching = "00+++0++0+++"
    held = touching_of(hand, touching)
    texts = streaming._branched(CountingRows(hand), held)
    assert texts is not None
    assert len(set(texts)) == len(texts) == count(CountingRows(hand), held)
    planes = np.array([list(t) for t in texts])
    assert (planes[:, ~np.repeat(held, 2)] == ".").all()
    assert set(planes[:, np.repeat(held, 2)].ravel()) == {"-", "0", "+"}


def test_modes_that_only_integers_tell_apart_are_streamed_and_can_be_asked_for():
    """Two contacts nearly the same: one may lift alone, in a cone too thin for floating point."""
    tilt = Fraction(1, 10**9)
    near = Contacts.from_rows([[tilt, -1, -2], [0, -2, -4], [tilt - 1, -1, -2 - tilt]])
    listed = modes(near)
    assert len(listed) == 8
    assert [text for _, own in stream_texts(near) for text in own] == listed.texts
    assert [text for _, own in stream(near) for text in own.texts] == listed.texts
    assert sliding_modes(near, "+00").texts == ["+00|"]
    assert list(stream_texts(near, touching="+00")) == [("+00", ["+00|"])]
