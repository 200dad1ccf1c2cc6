"""Fasteners on ties by construction: each tells the story of one side, as filter and marcher do beside it."""

from __future__ import annotations

import os
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from detent.model.reading import mechanism
from detent.motion import Undecided
from detent.motion.quasistatic.exact import LegRun, run_plan
from detent.motion.quasistatic.floats import Filter
from detent.motion.quasistatic.machine import fastener
from tests.prove.fastener_ties import FAMILIES, tied
from tests.prove.stories import difference
from tests.prove.test_fasteners import agreed, state_at

FULL = os.environ.get("DETENT_PROVE") == "full"
COUNT = 60 if FULL else 4
NEAR = Fraction(1, 10**12)
# What 1e-12 beside a fold comes to, with room: its root.
TIME, ANGLE = 1e-4, 1e-4
ASIDE = [sign * Fraction(1, 10**k) for k in (12, 11, 10, 9, 8, 7, 6) for sign in (1, -1)]
CLEAR = [Fraction(1, 100), Fraction(-1, 100)]  # so far aside the filter is to decide most
HELD = {"jam": "held", "stick": "held"}  # on a tie a threshold wins over a jam at the same instant


@pytest.mark.parametrize("family", FAMILIES)
def test_a_tie_tells_the_story_of_one_of_its_sides(family: str) -> None:
    for seed in range(COUNT):
        on_it = _leg(family, seed, Fraction(0))
        sides = [_beside(on_it, _leg(family, seed, aside)) for aside in (NEAR, -NEAR)]
        assert None in sides, f"seed {seed}: {sides}"


@pytest.mark.parametrize("family", FAMILIES)
def test_the_filter_tells_the_exact_story_beside_a_tie_or_doubts(family: str) -> None:
    decided = 0
    for seed in range(COUNT):
        for aside in [Fraction(0), *CLEAR, *(ASIDE if FULL else ASIDE[seed % 2 :: 4])]:
            made = fastener(mechanism(tied(family, seed, aside)))
            try:
                told = run_plan(made, Filter(made))
            except Undecided:
                continue
            decided += aside in CLEAR
            found = difference(made, run_plan(made), told)
            assert found is None, f"seed {seed}, {float(aside)} aside: {found}"
    assert decided > COUNT


@pytest.mark.parametrize("family", FAMILIES)
def test_the_marcher_agrees_beside_a_tie(family: str) -> None:
    for seed in range(COUNT if FULL else 1):
        for aside in (Fraction(1, 50), Fraction(-1, 50)):
            found = agreed(tied(family, seed, aside))
            assert found is None, f"seed {seed}, {aside} aside: {found}"


def _leg(family: str, seed: int, aside: Fraction) -> LegRun:
    return run_plan(fastener(mechanism(tied(family, seed, aside)))).legs[0]


def _beside(on_it: LegRun, side: LegRun) -> str | None:
    """What differs between a story on a tie and one beside it, apart from the names of what touches."""
    end = min(float(on_it.end), float(side.end))
    causes = [HELD.get(leg.cause, leg.cause) for leg in (on_it, side)]
    if causes[0] != causes[1] or abs(float(on_it.end) - float(side.end)) > TIME * (1 + end):
        return f"{on_it.cause} at {float(on_it.end)}, {side.cause} at {float(side.end)}"
    jumps = [
        float(event.place.t)
        for leg in (on_it, side)
        for event in leg.pawl_runs[0].events
        if event.kind == "snap"
    ]
    times = np.array(
        [t for t in np.linspace(0, end - TIME, 400) if all(abs(t - j) > 10 * TIME for j in jumps)]
    )
    apart = np.array([abs(state_at(on_it, t) - state_at(side, t)) for t in times])
    if apart.max() > 100 * ANGLE:
        return f"{apart.max()} apart at {times[apart.argmax()]}"
    turns: list[Any] = [
        [
            float(event.place.t)
            for event in leg.pawl_runs[0].events
            if event.kind == "reversal" and float(event.place.t) < end - TIME
        ]
        for leg in (on_it, side)
    ]
    if len(turns[0]) != len(turns[1]) or np.abs(np.subtract(*turns)).max(initial=0.0) > TIME * (1 + end):
        return f"reversals at {turns[0]} and {turns[1]}"
    return None
