"""The seed's simple algorithm against the exact sweep: every leg, friction, several pawls."""

from __future__ import annotations

import os
from collections.abc import Callable

from detent.model.reading import mechanism
from detent.motion import Undecided
from detent.motion.quasistatic.exact import PlanRun, run_plan
from detent.motion.quasistatic.floats import Filter, track
from detent.motion.quasistatic.machine import fastener
from tests.prove.fasteners import Document, jittered, random_fastener, random_machine
from tests.prove.stories import difference

FULL = os.environ.get("DETENT_PROVE") == "full"
COUNT = 1200 if FULL else 40
FIRST_SEED = 41_000


def undecided(make: Callable[[int], Document], first: int) -> int:
    """How many fasteners the simple algorithm leaves undecided; of the others each story is compared."""
    track.compiled  # noqa: B018, the campaign is long: compiled once, it stays so
    doubts = legs = 0
    for seed in range(first, first + COUNT):
        made = fastener(mechanism(make(seed)))
        told = _filtered(made)
        if told is None:
            doubts += 1
            continue
        legs += len(told.legs)
        found = difference(made, run_plan(made), told)
        assert found is None, f"seed {seed}: {found}"
    print(f"{COUNT} fasteners, {doubts} undecided, {legs} legs compared")
    return doubts


def _filtered(made: object) -> PlanRun | None:
    try:
        return run_plan(made, Filter(made))  # type: ignore[arg-type]
    except Undecided:
        return None


def test_simple_algorithm_tells_the_exact_story_or_doubts() -> None:
    # Small integers are full of ties: edges land flush, vertices meet vertices.
    assert undecided(random_fastener, FIRST_SEED) < 0.3 * COUNT


def test_simple_algorithm_seldom_doubts_away_from_ties() -> None:
    assert undecided(lambda seed: jittered(random_fastener(seed), seed), FIRST_SEED) <= 0.02 * COUNT + 1


def test_simple_algorithm_follows_several_pawls_along_any_list_of_legs() -> None:
    assert undecided(random_machine, FIRST_SEED) < 0.45 * COUNT
