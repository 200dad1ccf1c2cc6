"""The seed's simple algorithm against the exact sweep, on random fasteners and reference ones."""

from __future__ import annotations

import os

import numpy as np

from detent.model.convert import mechanism
from detent.motion.quasistatic.fastener import fastener
from detent.motion.quasistatic.plan import run_plan
from detent.motion.quasistatic.simple import shapes, simple
from tests.prove.fasteners import jittered, random_fastener

FULL = os.environ.get("DETENT_PROVE") == "full"
COUNT = 1200 if FULL else 40
FIRST_SEED = 41_000


def test_simple_algorithm_tells_the_exact_story_or_doubts() -> None:
    doubts = 0
    for seed in range(FIRST_SEED, FIRST_SEED + COUNT):
        made = fastener(mechanism(random_fastener(seed)))
        leg = run_plan(made).legs[0]
        pawl = made.pawls[0]
        arrays = shapes(pawl)
        assert arrays is not None
        velocity = np.array([float(c) for c in leg.line.velocity])
        until = float(made.legs[0].for_ or 0)
        told = simple(arrays, np.zeros(2), velocity, float(pawl.obstacles[0][1]), until, work=1e9)
        if told.doubts:
            doubts += 1
            continue
        story = leg.stories[0]
        assert told.cause == leg.cause, seed
        assert [event[1] for event in told.events] == [h.kind for h in story.happenings], seed
        for event, happening in zip(told.events, story.happenings, strict=True):
            assert abs(event[0] - float(happening.place.t)) < 1e-9, seed
            assert abs(event[2] - happening.place.angle()) < 1e-7, seed
        carried = [name for name, event in zip(told.contacts, told.events, strict=True) if event[1] in AFTER]
        after = [h.after[0] if h.after else "" for h in story.happenings if h.kind in AFTER]
        assert carried == after, seed
    # Small integers are full of ties: edges land flush, vertices meet vertices.
    assert doubts < 0.3 * COUNT


AFTER = ("contact", "change", "release", "snap")


def test_simple_algorithm_seldom_doubts_away_from_ties() -> None:
    doubts = 0
    for seed in range(FIRST_SEED, FIRST_SEED + COUNT):
        made = fastener(mechanism(jittered(random_fastener(seed), seed)))
        arrays = shapes(made.pawls[0])
        assert arrays is not None
        velocity = np.array([float(c) for c in made.legs[0].velocity or ()])
        mu = float(made.pawls[0].obstacles[0][1])
        told = simple(arrays, np.zeros(2), velocity, mu, float(made.legs[0].for_ or 0), work=1e9)
        doubts += told.doubts
    assert doubts <= 0.02 * COUNT
