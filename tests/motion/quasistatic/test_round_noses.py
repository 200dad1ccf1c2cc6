"""Noses of many chords: answered as the round ones they stand for, and every corner looked at once."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import detent
from detent.motion.quasistatic.exact import run_plan
from detent.motion.quasistatic.exact import stops as stops_module
from detent.motion.quasistatic.machine import fastener
from detent.motion.quasistatic.slice import FeaturePair
from detent.numeric.polynomial import real

LONG, RADIUS, BUMP = 20.0, 2.0, 4.0  # of the arm, its nose, a bump
TALL = 1.5  # how far the bump's top is above the underside of the nose


def catch(chords: int) -> detent.Mechanism:
    """A hinged arm, its end a disc of so many chords, slides over a round bump of as many."""
    around = [2 * math.pi * k / chords for k in range(chords)]
    nose = [[LONG + RADIUS * math.cos(a), RADIUS * math.sin(a)] for a in around]
    away = LONG + RADIUS + BUMP + 1
    low = TALL - RADIUS - BUMP
    bump = [[away + BUMP * math.cos(a), low + BUMP * math.sin(a)] for a in around]
    arm = [[0, -0.1], [LONG, -0.1], [LONG, 0.1], [0, 0.1]]
    return detent.from_dict(
        {
            "units": "mm",
            "parts": {
                "slider": {},
                "arm": {"shape": {"union": [{"outline": arm}, {"outline": nose}]}},
                "frame": {"fixed": True, "shape": {"outline": bump}},
            },
            "joints": {
                "hinge": {
                    "type": "revolute",
                    "between": ["slider", "arm"],
                    "at": [0, 0],
                    "spring": {"stiffness": 0.2},
                }
            },
            "drives": {"push": {"part": "slider", "legs": [{"velocity": [1, 0], "for": 14}]}},
        }
    )


def test_the_angle_is_that_of_two_discs() -> None:
    """Two discs touch where their centres are the sum of their radii apart; chords lie a sagitta inside."""
    chords = 24
    (leg,) = detent.mate(catch(chords)).legs
    across, reach = TALL - RADIUS - BUMP, RADIUS + BUMP
    sagitta = reach * (1 - math.cos(math.pi / chords))
    assert len(leg.events) > chords / 3
    for event in leg.events:
        ahead = LONG + reach + 1 - event.time
        far = math.hypot(ahead, across)
        turned = (
            math.acos((LONG**2 + far**2 - kept**2) / (2 * LONG * far)) for kept in (reach - sagitta, reach)
        )
        least, most = (math.atan2(across, ahead) + angle for angle in turned)
        assert least - 1e-9 <= event.coordinate <= most + 1e-9, event.kind


def test_more_chords_are_not_more_looks_at_each(monkeypatch: pytest.MonkeyPatch) -> None:
    looks = {"near": 0, "candidates": 0}
    may_touch, on_curve = FeaturePair.may_touch, stops_module._on_curve

    def counted(pair: FeaturePair, t: Any, u: Any) -> bool:
        looks["near"] += 1
        return may_touch(pair, t, u)

    def counted_stops(*arguments: Any) -> Any:
        for candidate in on_curve(*arguments):
            looks["candidates"] += 1
            yield candidate

    monkeypatch.setattr(FeaturePair, "may_touch", counted)
    monkeypatch.setattr(stops_module, "_on_curve", counted_stops)
    per_event = {}
    for chords in (12, 36):
        looks.update(near=0, candidates=0)
        events = run_plan(fastener(catch(chords))).legs[0].pawl_runs[0].events
        per_event[chords] = {key: count / len(events) for key, count in looks.items()}
    for key, count in per_event[36].items():
        assert count < 2 * per_event[12][key] + 2, (key, per_event)


def test_no_pair_that_touches_in_a_box_is_left_out() -> None:
    run = run_plan(fastener(catch(24))).legs[0]
    slice_ = run.slices[0]
    rng = np.random.default_rng(5)
    for event in run.pawl_runs[0].events:
        place = event.place
        table = slice_.table(place.half)
        touching = {pair.name for pair in slice_.touching(place)}
        assert touching
        for _ in range(5):
            before, after, below, above = 10.0 ** -rng.uniform(1, 14, 4)
            t, u = float(place.t), float(place.u)
            near = table.within((t - before, t + after), (u - below, u + above))
            assert touching <= {pair.name for pair in near}
    # It is a filter: at rest, far before the bump, nothing is near.
    touched = [pair for pair in table.within((0.0, 0.1), (0.0, 1e-6)) if pair.touches(real(0), real(0))]
    assert not touched
    assert len(near) < len(table.pairs)
