"""The cell complex against closed formulas, against itself in integers, and against spoilt data."""

import math
from dataclasses import replace

import numpy as np
import pytest

from detent.numeric.arrangement import (
    EULER_CELLS,
    NO_NODE,
    ComplexBuilder,
    FloatWitnesses,
    Integers,
    TooManyCellsError,
    assert_sound,
    exact_null_space,
    integer_matrix,
    pivot_columns,
    unfaithful,
    workspace,
)


def central(rows, exact=False, at_most=None):
    rank = rows.shape[1]
    builder = ComplexBuilder(
        Integers(rank) if exact else FloatWitnesses(rank), rank, len(rows), at_most=at_most
    )
    builder.divide(rows if exact else rows / np.linalg.norm(rows, axis=1, keepdims=True), 0, NO_NODE)
    return builder.finish()


def faces_in_general_position(planes, rank):
    """Zaslavsky 1975: faces of dimension k of a central arrangement in general position."""

    def regions(m, k):
        return 2 * sum(math.comb(m - 1, j) for j in range(k)) if k else 1

    numbers = {k: math.comb(planes, rank - k) * regions(planes - rank + k, k) for k in range(1, rank + 1)}
    return {0: 1, **numbers}


@pytest.mark.parametrize(("planes", "rank"), [(3, 2), (5, 2), (6, 3), (7, 4), (9, 5)])
@pytest.mark.parametrize("exact", [False, True])
def test_planes_in_general_position_give_zaslavskys_numbers(planes, rank, exact):
    rows = np.random.default_rng(planes).integers(-50, 50, (planes, rank)).astype(object if exact else float)
    cell_complex = central(rows, exact)
    counts = {int(k): int((cell_complex.dim == k).sum()) for k in range(rank + 1)}
    assert counts == faces_in_general_position(planes, rank)
    assert_sound(cell_complex, every=True)
    assert unfaithful(cell_complex) == 0


def test_every_sign_pattern_of_a_complex_is_there_once():
    cell_complex = central(np.random.default_rng(1).normal(size=(6, 3)))
    assert len({row.tobytes() for row in cell_complex.sign}) == len(cell_complex)


def test_boundaries_are_the_patterns_below_by_one_dimension():
    """In an arrangement, g bounds f when zeroing some signs of f gives g."""
    cell_complex = central(np.random.default_rng(2).normal(size=(5, 3)))
    for c in range(len(cell_complex)):
        below = set(cell_complex.boundary(c).tolist())
        for g in range(len(cell_complex)):
            is_face = all(
                b in (0, a) for a, b in zip(cell_complex.sign[c], cell_complex.sign[g], strict=True)
            )
            assert (g in below) == (is_face and cell_complex.dim[g] == cell_complex.dim[c] - 1)


def test_a_half_space_keeps_what_is_not_negative():
    builder = ComplexBuilder(FloatWitnesses(2), 2, 2)
    builder.half_spaces(np.eye(2), 0)
    cell_complex = builder.finish()
    assert {tuple(s) for s in cell_complex.sign.tolist()} == {(0, 0), (0, 1), (1, 0), (1, 1)}


def test_opposite_half_spaces_leave_their_plane():
    builder = ComplexBuilder(FloatWitnesses(2), 2, 2)
    builder.half_spaces(np.array([[1.0, 0.0], [-1.0, 0.0]]), 0)
    cell_complex = builder.finish()
    assert (len(cell_complex), cell_complex.dim[0], cell_complex.sign[0].tolist()) == (1, 1, [0, 0])


def test_a_value_between_rounding_and_geometry_is_flagged():
    for tilt, flagged in ((1e-5, False), (1e-8, True), (1e-14, False)):
        cell_complex = central(
            np.array([[1.0, 0.0, 0.0], [1.0, tilt, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
        )
        assert bool(cell_complex.doubtful) == flagged, tilt


def test_a_complex_that_outgrows_its_limit_stops():
    with pytest.raises(TooManyCellsError):
        central(np.random.default_rng(3).normal(size=(9, 3)), at_most=100)


def test_a_lost_boundary_cell_is_noticed():
    cell_complex = central(np.random.default_rng(4).normal(size=(4, 3)))
    spoilt = cell_complex.cells.copy()
    spoilt[-1] = spoilt[-2]
    with pytest.raises(AssertionError, match="not bounded"):
        assert_sound(replace(cell_complex, cells=spoilt))


def test_a_cell_listed_twice_is_noticed():
    cell_complex = central(np.random.default_rng(4).normal(size=(4, 3)))
    above, below = cell_complex.above.copy(), cell_complex.below.copy()
    above[-1], below[-1] = above[-2], below[-2]
    with pytest.raises(AssertionError, match="not bounded"):
        assert_sound(replace(cell_complex, above=above, below=below))


def test_a_boundary_on_the_wrong_side_is_noticed():
    """Both cells keep boundaries in pairs, only their signs say that they were exchanged."""
    cell_complex = central(np.random.default_rng(4).normal(size=(4, 3)))
    top = np.flatnonzero(cell_complex.dim == 3)
    lists = [cell_complex.boundary(c).tolist() for c in range(len(cell_complex))]
    a, b = next((x, y) for x in top for y in top if x < y and len(lists[x]) == len(lists[y]))
    lists[a], lists[b] = lists[b], lists[a]
    with pytest.raises(AssertionError, match="not bounded"):
        assert_sound(replace(cell_complex, cells=np.concatenate([np.array(x, np.int32) for x in lists])))


def test_eulers_numbers_agree_with_the_checks_that_imply_them():
    """On a complex too large to add them up always."""
    cell_complex = central(np.random.default_rng(6).normal(size=(9, 4)))
    assert len(cell_complex) > EULER_CELLS
    assert_sound(cell_complex, every=True)


def test_builders_side_by_side_do_not_share_their_room():
    rows = [np.random.default_rng(k).normal(size=(6, 3)) for k in range(2)]
    rows = [r / np.linalg.norm(r, axis=1, keepdims=True) for r in rows]
    builders = [ComplexBuilder(FloatWitnesses(3), 3, 6) for _ in rows]
    for k in range(6):
        for builder, own in zip(builders, rows, strict=True):
            builder.divide(own[k : k + 1], k, NO_NODE)
    for builder, own in zip(builders, rows, strict=True):
        cell_complex = builder.finish()
        assert_sound(cell_complex, every=True)
        assert unfaithful(cell_complex) == 0
        np.testing.assert_array_equal(cell_complex.sign, central(own).sign)


def test_the_order_of_cells_does_not_depend_on_the_room_there_was():
    rows = np.random.default_rng(9).normal(size=(8, 4))
    workspace._kept.__dict__.clear()
    first = central(rows)
    again = central(rows)
    np.testing.assert_array_equal(first.sign, again.sign)
    np.testing.assert_array_equal(first.cells, again.cells)


def test_a_finished_complex_outlives_the_next():
    first = central(np.random.default_rng(7).normal(size=(6, 3)))
    kept = first.sign.copy(), first.witness.copy(), first.cells.copy()
    central(np.random.default_rng(8).normal(size=(7, 4)))
    for was, now in zip(kept, (replace(first).sign, first.witness, first.cells), strict=True):
        np.testing.assert_array_equal(was, now)


def test_signs_of_more_planes_than_a_word_has_bits():
    angles = np.pi * np.arange(70) / 70
    cell_complex = central(np.column_stack([np.cos(angles), np.sin(angles)]))
    assert len(cell_complex) == 1 + 4 * 70
    assert (cell_complex.sign[0] == 0).all()
    signs = np.sign(np.round(cell_complex.witness @ cell_complex.rows.T, 12)).astype(np.int8)
    np.testing.assert_array_equal(cell_complex.sign, signs)


def test_a_witness_of_another_cell_is_noticed():
    cell_complex = central(np.random.default_rng(5).normal(size=(4, 3)))
    assert unfaithful(replace(cell_complex, witness=np.roll(cell_complex.witness, 1, axis=0))) > 0


def test_null_space_and_pivots_are_exact():
    rows = integer_matrix([[1, 2, 3], [2, 4, 6]], 3)
    basis = exact_null_space(rows, 3)
    assert not (rows @ basis).any()
    assert basis.shape == (3, 2)
    assert pivot_columns(rows, 3) == [0]
