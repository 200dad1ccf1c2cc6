"""Documents hash as they compare."""

from __future__ import annotations

import pickle
from collections.abc import Hashable

import pytest

import detent


@pytest.mark.parametrize("name", ["four_bar", "cuckoo_clock", "hook_on_plate"])
def test_equal_documents_have_one_hash(name):
    one, other = detent.load(name), detent.load(name)
    assert isinstance(one, Hashable)
    assert one == other
    assert hash(one) == hash(other) == hash(pickle.loads(pickle.dumps(one)))
    assert {one: "known"}[other] == "known"
    assert len({one, other, one.with_("title", "another")}) == 2


def test_the_order_of_tables_does_not_count_as_it_does_not_for_equality():
    plain = detent.load("four_bar").to_dict()
    turned = {**plain, "parts": dict(reversed(plain["parts"].items()))}
    one, other = detent.from_dict(plain), detent.from_dict(turned)
    assert one == other
    assert hash(one) == hash(other)


def test_tables_hash_too_and_numbers_by_their_value():
    one, other = (detent.from_dict({"parts": {"a": {"markers": {"P": [x, 1]}}}}) for x in (0.5, "1/2"))
    assert one == other
    assert hash(one.parts["a"]) == hash(other.parts["a"])
    assert hash(one.parts["a"]) != hash(one.with_("parts.a.markers.P", [0, 1]).parts["a"])
