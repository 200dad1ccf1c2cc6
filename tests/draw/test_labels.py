"""Labels: whatever is asked for, none overlaps another or a symbol."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from detent.draw.paper import Ink, labels, place_labels
from detent.draw.scene import Label
from tests.conftest import campaign


def same(points: np.ndarray) -> np.ndarray:
    return points


@pytest.mark.parametrize("seed", range(campaign(12, 400)))
def test_labels_never_overlap_each_other_or_what_is_taken(seed: int) -> None:
    random = np.random.default_rng(seed)
    wide, high = random.uniform(120, 800, 2)
    count = int(random.integers(1, 60))
    asked = tuple(
        Label("x" * int(random.integers(1, 18)), ((float(x), float(y)),), weight=int(random.integers(1, 4)))
        for x, y in random.uniform(0, 1, (count, 2)) * [wide, high]
    )
    taken = [
        (float(x), float(y), float(x + a), float(y + b))
        for x, y, a, b in random.uniform(0, 1, (int(random.integers(0, 20)), 4)) * [wide, high, 40, 40]
    ]
    ink = Ink(wide, high)
    ink.add([random.uniform(0, 1, (30, 2)) * [wide, high]])
    placed = place_labels(asked, same, free=(0.0, 0.0, wide, high), taken=taken, ink=ink)
    boxes = [p.box for p in placed]
    for one, two in [*itertools.combinations(boxes, 2), *itertools.product(boxes, taken)]:
        assert one[0] >= two[2] or two[0] >= one[2] or one[1] >= two[3] or two[1] >= one[3]
    for x0, y0, x1, y1 in boxes:
        assert x0 >= 0
        assert x1 <= wide
        assert y0 >= 0
        assert y1 <= high


def test_a_label_away_from_its_anchor_has_a_leader() -> None:
    wall = [(60.0, 60.0, 140.0, 140.0)]
    placed = place_labels(
        (Label("far", ((100.0, 100.0),)),), same, free=(0, 0, 200, 200), taken=wall, ink=Ink(200, 200)
    )
    (only,) = placed
    beside = only.box[0] <= 143 and only.box[2] >= 57 and only.box[1] <= 143 and only.box[3] >= 57
    assert beside or only.leader is not None
    if only.leader is not None:
        assert only.leader[1] == (100.0, 100.0)


def test_a_label_prefers_a_place_without_ink() -> None:
    ink = Ink(200, 200)
    ink.add([np.array([[0.0, y], [100.0, y]]) for y in np.arange(0.0, 200.0, 3.0)])
    (only,) = place_labels(
        (Label("word", ((100.0, 100.0),)),), same, free=(0, 0, 200, 200), taken=[], ink=ink
    )
    assert only.box[0] >= 100.0
    assert not only.over_ink


def test_ink_counts_what_a_line_passes_however_fine_its_points() -> None:
    coarse, fine = Ink(200, 200), Ink(200, 200)
    coarse.add([np.array([[10.0, 10.0], [190.0, 150.0]])])
    s = np.linspace(0, 1, 5000)[:, None]
    fine.add([np.array([10.0, 10.0]) + s * np.array([180.0, 140.0])])
    box = np.array([[0.0, 0.0, 200.0, 200.0]])
    assert coarse.under(box)[0] == pytest.approx(fine.under(box)[0], rel=0.3)
    assert fine.under(np.array([[150.0, 10.0, 190.0, 50.0]]))[0] == 0


def test_a_full_page_leaves_labels_out_rather_than_overlap() -> None:
    asked = tuple(Label("a long label", ((50.0, 50.0),)) for _ in range(40))
    placed = place_labels(asked, same, free=(0, 0, 100, 100), taken=[], ink=Ink(100, 100))
    assert 0 < len(placed) < len(asked) <= labels.MOST
