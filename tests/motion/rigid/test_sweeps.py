"""Candidates that stay clear along a whole step: none that meets; exact where nothing turns or bends."""

from __future__ import annotations

import numpy as np
import pytest

from detent.motion.rigid import bound_motion, layout, place_on_step, stays_clear, view_pair
from tests.motion.rigid.test_safe_times import BOX, DISC, HOLE, PIECES, prepared, seen, two_parts

H = 0.1
MARGIN = 1e-3


def looked_at(blocks, share, h, before, after, margin=MARGIN):
    """By candidate, with bodies placed at a share of a step: how far apart at least, and whether clear."""
    place_on_step(*blocks, h, share)
    data, gauges, views = (layout.view(blocks, slot) for slot in (layout.DATA, layout.GAUGES, layout.VIEWS))
    answers, last = [], -1
    for row in layout.view(blocks, layout.LISTED):
        if row[3] != last:
            view_pair(*blocks, int(row[3]), h)
            last = row[3]
        answers.append(stays_clear(data, gauges, row, views[row[4]], before, after, margin))
    return np.array(answers).T


def test_what_is_called_clear_does_not_meet_and_is_as_far_as_said():
    """Along random motions, seen from three instants: against distances at times that are looked at."""
    chance, run = np.random.default_rng(2), prepared(PIECES)
    names = [run.tree.names[k] for k in run.tree.independent]
    sizes = np.array([0.02 if name.endswith((".x", ".y")) else 1.5 for name in names])
    shares, cleared, met = np.linspace(0, 1, 21), [], 0
    for _ in range(25):
        begins, goes, bends = chance.uniform(-1, 1, (3, len(names))) * sizes
        points = begins + np.outer(shares[::4], 0.3 * goes) + np.outer(shares[::4] ** 2, 0.15 * bends)
        points[:, names.index("piece.y")] -= 0.08  # it is drawn beside the plate
        layout.view(run.blocks, layout.POINTS)[:] = points
        place_on_step(*run.blocks, H, 0.0)
        bound_motion(*run.blocks, H)
        distances = np.zeros((len(shares), len(run.possible)))
        for k, share in enumerate(shares):
            place_on_step(*run.blocks, H, share)
            distances[k] = [seen(run.blocks, c)[0] for c in range(len(run.possible))]
        nearest = distances.min(axis=0)
        for at in (0, 10, 14):
            least, clear = looked_at(run.blocks, shares[at], H, shares[at] * H, (1 - shares[at]) * H)
            assert (least <= distances[at] + 1e-12).all()
            assert (nearest[clear > 0] > MARGIN).all()
            cleared.append(clear.mean())
        met += (nearest < MARGIN).sum()
    assert met > 20
    assert np.mean(cleared) > 0.2


@pytest.mark.parametrize(
    ("fixed", "at", "speed", "names", "time"),
    [
        (BOX, (-5, 3), (0, -0.1), (".e2:", ".a0"), 10.0),  # down onto the upper edge
        (BOX, (4, 1), (-0.1, 0), (".e2:", ".a0"), 20.0),  # from beyond the end of that edge
        (BOX, (3, 0), (-0.1, 0), (".v2:", ".a0"), 10.0),  # at the corner
        (HOLE, (1, 0), (0.1, 0), ("fixed/1.a0", "moving/0.a0"), 10.0),  # in the hole, outwards
    ],
)
@pytest.mark.parametrize("share", [0.0, 0.5])
def test_of_an_even_motion_it_is_exact(fixed, at, speed, names, time, share):
    """A disc of radius 2 is clear of what it comes to until then, seen from the beginning or from halfway."""
    run = prepared(two_parts(fixed, DISC, at))
    candidate = next(
        c for c in range(len(run.possible)) if all(name in run.possible.name(c) for name in names)
    )
    for h, clear in ((0.999 * time, 1.0), (1.001 * time, 0.0)):
        layout.view(run.blocks, layout.POINTS)[:] = np.linspace(0, h, 6)[:, None] * np.array([*speed, 0.0])
        place_on_step(*run.blocks, h, 0.0)
        bound_motion(*run.blocks, h)
        assert looked_at(run.blocks, share, h, share * h, (1 - share) * h, 1e-9)[1, candidate] == clear
