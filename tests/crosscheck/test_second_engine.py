"""The published escapement in another engine: pymunk's impulses, springs and dampers on the same shapes.

The machine is built as in the benchmarks. pymunk tests primitive by primitive, so that a tooth can touch a
side which the other block of a part buries: the two agree where no two blocks share a corner at a pallet.
"""

from __future__ import annotations

import numpy as np
import pytest
from benchmarks._machine_peers import beats, pymunk_escapement, separated

import detent
from detent.motion import Rigid

pytest.importorskip("pymunk", reason="the second engine is not installed")

UNTIL, STEP = 37.0, 2e-4


def patterns_of(machine) -> tuple[np.ndarray, np.ndarray]:
    """Durations of patterns 2 to 4, from swing to swing of the balance, by us and by pymunk."""
    running = detent.run(machine, method=Rigid(), until=UNTIL, every=10 * STEP)
    own = beats(running.times, np.array(running.states["bwheel"]))
    rows = pymunk_escapement(machine, UNTIL, STEP)()
    return own[1:4], beats(rows[:, 0], rows[:, 2])[1:4]


@pytest.mark.parametrize(
    ("block", "move", "published"),
    [
        (1, -2.98, 7.3866),  # the tooth leaves the pallet at a corner of its own
        (2, -3.02, 7.3806),  # the same corner, moved by the other block
    ],
)
def test_another_engine_finds_the_same_pattern(block, move, published):
    machine = detent.load("escapement")
    apart = machine.with_(f"shapes.lever.difference.0.union.{block}.moves.1.move", [move, 5.6, 0])
    if block == 1:
        assert apart == separated(machine)
    own, other = patterns_of(apart)
    assert own.mean() == pytest.approx(published, abs=4e-4)
    assert own == pytest.approx(other, abs=4e-4)


def test_at_a_shared_corner_it_meets_a_buried_side():
    """Why the corner is pulled apart: as drawn pymunk's pattern is longer by ten times what else differs."""
    own, other = patterns_of(detent.load("escapement"))
    assert own.mean() == pytest.approx(7.3857, abs=3e-4)
    assert 1.5e-3 < other.mean() - own.mean() < 4.5e-3
