"""Four methods answer for many designs in one shape: columns, and a reason where a design has no answer."""

from __future__ import annotations

import csv
import io
import json
import re

import numpy as np
import pytest

import detent
from detent.contact import Budget, modes_batch
from detent.contact.modes import modes
from detent.judge import MisalignedMatings, mate_batch
from detent.kinematics import move_batch
from detent.library import linkages
from detent.motion import PawlDesigns, move, push_batch
from detent.record import Batch
from tests.contact.scenes import box_against_walls

PAWL = np.array([[-4.0, 10.0], [0.0, 10.0], [1.0, 20.0], [-1.0, 21.0]])
WALL = np.array([[-3.0, -4.0], [6.0, -4.0], [6.0, 4.0], [-3.0, 3.0]])
FOUR_BARS = [(4, crank, 3.5, 3) for crank in (1.0, 3.0, 1.2)]
HEIGHTS = (0.0, 8.5, 3.0)  # the second wall overlaps the pawl


def moved(which: list[int]) -> Batch:
    return move_batch([linkages.four_bar(*FOUR_BARS[i]) for i in which])


def pushed(which: list[int]) -> Batch:
    walls = np.stack([WALL + np.array([0.0, HEIGHTS[i]]) for i in which])
    return push_batch(PawlDesigns.read(PAWL, walls, (0.0, 20.0), (0.0, 1.0), 30.0, 0.1))


def sunk() -> detent.Mechanism:
    """A box that is half in the ground."""
    square = [[0, 0], [1, 0], [1, 1], [0, 1]]
    ground = [[-2, -1], [3, -1], [3, 0.5], [-2, 0.5]]
    return (
        detent.Builder()
        .part("ground", fixed=True, shape={"outline": ground})
        .part("box", shape={"outline": square})
        .build()
    )


def enumerated(which: list[int]) -> Batch:
    scenes = [box_against_walls(1), sunk(), box_against_walls(2)]
    return modes_batch([scenes[i] for i in which])


def mated(which: list[int]) -> Batch:
    """The peg of an example: its hole a little beside, so near that they overlap, turned."""
    offsets = [[0, 0.3, -0.2], [-30, 0, 0], [0, -3, 0]]
    tilts = [[0, 0, 0], [0, 0, 0], [0.1, -0.2, 0.3]]
    mechanism = detent.load("rect_peg_carrier").with_("ask.mate.step", 4e-3)
    return mate_batch(
        MisalignedMatings.read(mechanism, [offsets[i] for i in which], [tilts[i] for i in which])
    )


METHODS = {"linkages": moved, "fasteners": pushed, "modes": enumerated, "matings": mated}


@pytest.mark.parametrize("name", METHODS)
def test_each_design_has_the_answer_that_it_has_alone(name):
    together = METHODS[name]([0, 1, 2])
    assert len(together) == 3
    for i in range(3):
        alone = METHODS[name]([i])
        assert alone.reasons == together.reasons[i : i + 1]
        assert alone.columns.keys() == together.columns.keys()
        for column, values in together.columns.items():
            np.testing.assert_array_equal(values[i], alone[column][0])


@pytest.mark.parametrize("name", METHODS)
def test_a_design_without_a_whole_answer_has_a_reason_and_the_others_go_on(name):
    batch = METHODS[name]([0, 1, 2])
    assert [bool(reason) for reason in batch.reasons] == [False, True, False]
    assert batch.fine == [0, 2]
    assert batch.counts["designs"] == 3


@pytest.mark.parametrize("name", METHODS)
def test_the_csv_has_a_row_per_design_and_every_number(name):
    batch = METHODS[name]([0, 1, 2])
    header, *rows = csv.reader(io.StringIO(batch.to_csv()))
    assert len(rows) == 3
    assert [row[-1] for row in rows] == list(batch.reasons)
    at = 1
    for column, values in batch.columns.items():
        width = values[0].size
        assert all(re.split(r"[. ]", title)[0] == column.split(".")[0] for title in header[at : at + width])
        cells = [cell for row in rows for cell in row[at : at + width]]
        assert cells == ["" if value != value else str(value) for value in np.ravel(values).tolist()]
        at += width
    assert at == len(header) - 1


@pytest.mark.parametrize("name", METHODS)
def test_a_batch_is_written_as_json(name):
    batch = METHODS[name]([0, 1])
    written = json.loads(batch.to_json())
    assert written["reasons"] == list(batch.reasons)
    for column, values in batch.columns.items():
        assert written["columns"][column] == np.where(values == values, values, None).tolist()


def test_numbers_are_those_of_the_verbs():
    alone = move(linkages.four_bar(*FOUR_BARS[0]))
    np.testing.assert_allclose(moved([0])["coupler.C"][0], alone.markers["coupler.C"], atol=1e-12)
    assert enumerated([0, 2])["modes"].tolist() == [len(modes(box_against_walls(n))) for n in (1, 2)]


def test_configurations_beyond_their_memory_say_so_and_have_no_modes():
    batch = modes_batch([box_against_walls(1)], limits=Budget(memory=20_000))
    assert batch["modes"].tolist() == [0]
    assert batch.reasons[0].startswith("more than 49 modes, beyond")


def test_a_batch_of_nothing_is_empty():
    batch = modes_batch([])
    assert len(batch) == 0
    assert batch.fine == []
    assert batch.to_csv() == "design,contacts,modes,rank,exact,reason\n"
