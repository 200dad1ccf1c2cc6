"""Mobility where joint equations repeat each other at the drawn pose alone: counted where it moves."""

from __future__ import annotations

from typing import Any

import pytest

import detent


def linkage(points: dict[str, list[float]], links: dict[str, str]) -> detent.Mechanism:
    """Links through named points, pinned to each other wherever two of them meet."""
    met: dict[str, list[str]] = {}
    for link, marks in links.items():
        for mark in marks:
            met.setdefault(mark, []).append(link)
    parts: dict[str, Any] = {
        link: {"fixed": link == "ground", "markers": {mark: points[mark] for mark in marks}}
        for link, marks in links.items()
    }
    joints = {
        mark: {"type": "revolute", "between": [f"{link}.{mark}" for link in both]}
        for mark, both in met.items()
        if len(both) == 2
    }
    return detent.from_dict({"units": "mm", "parts": parts, "joints": joints})


@pytest.mark.parametrize("height", [0.0, 5.0])
def test_two_bars_between_two_walls_move_nowhere(height: float) -> None:
    """A triangle is rigid; a flat one gives way for an instant, to first order alone."""
    bars = linkage(
        {"A": [0, 0], "B": [40, height], "C": [100, 0]}, {"ground": "AC", "left": "AB", "right": "BC"}
    )
    explained = detent.explain(bars)
    assert explained.mobility.actual == explained.mobility.gruebler == 0
    assert [r["everywhere"] for r in explained.redundant] == ([False] if height == 0 else [])
    assert ("moves nowhere" in explained.words) == (height == 0)


@pytest.mark.parametrize("bend", [0.0, 20.0])
def test_a_chain_of_three_bars_drawn_straight(bend: float) -> None:
    """Straight and taut between its walls it is rigid; with slack it is a four-bar."""
    chain = linkage(
        {"A": [0, 0], "B": [30, bend], "C": [70, bend], "D": [100, 0]},
        {"ground": "AD", "left": "AB", "middle": "BC", "right": "CD"},
    )
    assert detent.explain(chain).mobility.actual == (0 if bend == 0 else 1)


def test_a_four_bar_drawn_at_its_change_point_has_one_freedom() -> None:
    """30-70-40-60: 30 + 70 = 40 + 60; drawn straight, with C beyond D."""
    explained = detent.explain(
        linkage(
            {"A": [0, 0], "B": [30, 0], "C": [100, 0], "D": [60, 0]},
            {"ground": "AD", "crank": "AB", "coupler": "BC", "rocker": "DC"},
        )
    )
    assert explained.mobility.actual == 1
    assert "with 2 for an instant" in explained.mobility.why
    assert not explained.redundant[0]["everywhere"]


def test_a_third_arm_of_a_parallelogram_repeats_the_others_throughout() -> None:
    arms = linkage(
        {"A": [0, 0], "B": [40, 0], "C": [90, 0], "P": [0, 50], "Q": [40, 50], "R": [90, 50]},
        {"ground": "ABC", "a": "AP", "b": "BQ", "c": "CR", "top": "PQR"},
    )
    explained = detent.explain(arms)
    assert (explained.mobility.gruebler, explained.mobility.actual) == (0, 1)
    assert explained.redundant[0]["everywhere"]
