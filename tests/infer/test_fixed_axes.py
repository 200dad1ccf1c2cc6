"""Which parts have an axis fixed in the frame, against where they go when the linkage moves."""

from __future__ import annotations

import numpy as np
import pytest

import detent

LINKAGES = [
    "peaucellier",
    "jansen_leg",
    "four_bar",
    "quick_return",
    "six_bar_a",
    "slider_crank",
]


def stands(poses: np.ndarray) -> bool:
    """Whether a part with these poses (x, y, angle) keeps a point in place, or slides along a line."""
    x, y, angle = poses.T
    if np.ptp(angle) < 1e-9:
        along = np.linalg.svd(np.column_stack([x, y]) - [x.mean(), y.mean()])[1]
        return bool(along[1] < 1e-9)
    # A point (a, b) of the part that stays at (p, q): a cos - b sin - p = -x, a sin + b cos - q = -y.
    c, s, one, none = np.cos(angle), np.sin(angle), np.ones_like(x), np.zeros_like(x)
    rows = np.vstack([np.column_stack([c, -s, -one, none]), np.column_stack([s, c, none, -one])])
    wanted = -np.concatenate([x, y])
    found = np.linalg.lstsq(rows, wanted, rcond=None)[0]
    return bool(np.abs(rows @ found - wanted).max() < 1e-8)


@pytest.mark.parametrize("name", LINKAGES)
def test_parts_whose_axis_stands_still_are_named(name: str):
    machine = detent.load(name)
    poses = detent.move(machine).poses
    still = [
        part for part, table in machine.parts.items() if not table.fixed and stands(np.array(poses[part]))
    ]
    assert list(detent.explain(machine).elementary) == still


def two_arms(pin: list[float], second: list[float]) -> detent.Mechanism:
    """An arm on the frame by its `pin`, and another on that arm at its `second` point."""
    return (
        detent.Builder(units="mm")
        .part("frame", fixed=True, markers={"O": [0, 0]})
        .part("arm", markers={"O": pin, "P": second, "T": [40, 0]})
        .part("other", markers={"P": second, "T": [0, 40]})
        .joint("O", "revolute", "frame.O", "arm.O")
        .joint("P", "revolute", "arm.P", "other.P")
        .build()
    )


def test_a_drawing_that_does_not_close_is_read_on_the_part_between():
    assert detent.explain(two_arms([0, 0], [0, 0])).elementary == ("arm", "other")
    assert detent.explain(two_arms([0.02, 0], [0.02, 0])).elementary == ("arm", "other")
    assert detent.explain(two_arms([0, 0], [0.02, 0])).elementary == ("arm",)
