"""Ten thousand fasteners, families with ties included: proved steps never differ from the exact sweep."""

from __future__ import annotations

import os
from collections.abc import Callable
from fractions import Fraction

import pytest

from detent.model.reading import mechanism
from detent.motion.quasistatic.exact import run_plan
from detent.motion.quasistatic.machine import fastener
from detent.motion.quasistatic.proved import certified
from tests.prove.fastener_ties import FAMILIES, tied
from tests.prove.fasteners import Document, jittered, nudged, random_fastener, random_machine
from tests.prove.stories import exact_story

FULL = os.environ.get("DETENT_PROVE") == "full"
COUNT = 2000 if FULL else 4
TIES = 400 if FULL else 1  # of each family
ASIDE = (0, 1, -1)
FIRST_SEED = 20_000


def compared(document: Document) -> None:
    made = fastener(mechanism(document))
    assert exact_story(run_plan(made, certified(made))) == exact_story(run_plan(made)), document


@pytest.mark.parametrize(
    "make",
    [
        random_fastener,
        random_machine,
        lambda seed: nudged(random_fastener(seed), (1, 0, 1)),
        lambda seed: jittered(random_fastener(seed), seed),
    ],
)
def test_proved_steps_tell_the_exact_story(make: Callable[[int], Document]) -> None:
    for seed in range(FIRST_SEED, FIRST_SEED + COUNT):
        compared(make(seed))


@pytest.mark.parametrize("family", FAMILIES)
def test_proved_steps_tell_the_exact_story_of_ties(family: str) -> None:
    for seed in range(TIES):
        for sign in ASIDE:
            compared(tied(family, seed, sign * Fraction(1, 10 ** (2 + seed % 12))))
