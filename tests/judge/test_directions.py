"""Families of directions in which a fastener is pulled: each once, and no more than can be followed."""

from __future__ import annotations

import pytest

import detent


def _asked(steps: int, to_deg: int) -> detent.Mechanism:
    directions = {"from_deg": 0, "to_deg": to_deg, "steps": steps}
    return detent.load("snap_holds").with_("ask.mate.directions", directions)


def test_a_circle_gone_round_twice_is_tried_once() -> None:
    """By 10 degrees: 36 directions, which rounding of 350 and 710 degrees must not tell apart."""
    once, twice = (detent.mate(_asked(36 * k, 360 * k)).diode for k in (1, 2))
    assert once is not None
    assert twice is not None
    assert len(once.directions) == len(twice.directions) == 36
    assert [each.apart for each in once.directions] == [each.apart for each in twice.directions]


def test_too_many_directions_are_refused_before_they_are_made() -> None:
    with pytest.raises(detent.UnsupportedError, match=r"ask\.mate\.directions\.steps: 10000001 directions"):
        detent.mate(_asked(10_000_000, 90))
