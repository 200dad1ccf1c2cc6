"""Legs many times as long as a hook: where nothing can touch they take no steps, and nothing changes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import detent
from detent.foundation import UnsupportedError
from detent.record import CompliantMating

SNAP = (Path(__file__).parents[3] / "examples" / "snap_hook.toml").read_text()


def mated(text: str) -> CompliantMating:
    mating = detent.mate(detent.loads(text))
    assert isinstance(mating, CompliantMating)
    return mating


def along(distance: float, start: float = 0.0, end: float = 0.0) -> str:
    """The snap hook with a leg so long, its counterpart drawn farther off, and longer."""
    block = f"[[{14 + start}, 1], [{20 + start + end}, 1], [{20 + start + end}, 5], [{14 + start}, 5]]"
    text = SNAP.replace("[[14, 1], [20, 1], [20, 5], [14, 5]]", block)
    return text.replace("distance = 22 }", f"distance = {distance} }}")


@pytest.mark.parametrize(("distance", "start"), [(30_000, 0), (30_000, 20_000)])
def test_a_long_way_before_and_behind_changes_neither_events_nor_forces(
    distance: float, start: float
) -> None:
    near, far = mated(SNAP), mated(along(distance, start))
    events, moved = near.legs[0].events, far.legs[0].events
    assert [(event.kind, event.after) for event in events] == [(event.kind, event.after) for event in moved]
    travels = np.array([[event.travel for event in each] for each in (events, moved)], float)
    assert travels[1] - start == pytest.approx(travels[0], abs=1e-3)  # mm
    assert far.legs[0].end.travel == pytest.approx(distance, rel=1e-12)
    assert far.legs[0].force.work == pytest.approx(near.legs[0].force.work, rel=2e-3)
    push = [next(c for n, c in each.columns().items() if n.startswith("push")) for each in (near, far)]
    assert np.max(push[1]) == pytest.approx(np.max(push[0]), rel=1e-3)
    assert len(push[1]) < 5 * len(push[0])  # 48 000 steps of the hook's size


def test_a_rail_that_touches_all_the_way_is_refused_with_its_leg_and_how_many_steps_it_takes() -> None:
    with pytest.raises(UnsupportedError, match=r"legs\.0: parts can touch along .* at most 10000") as refused:
        mated(along(30_000, end=30_000))
    assert "shorten the leg" in str(refused.value)
