"""Circles of round bodies as candidates: found, followed, the same ones as they wander and hand over."""

import math

import numpy as np
import pytest

import detent
from detent.contact import find_rounds, follow_round, room_for_rounds, round_candidates
from detent.geometry import rotation_of
from detent.model import compile_system

DOCUMENT = """
format = "detent/1"
title = "round"
units = "mm"
dimension = 3
[parts.plate]
fixed = true
shape.difference = [
  { block = [150, 150, 120], moves = [{ move = [-75, -75, 0] }] },
  { cylinder = { radius = 20, height = 110 }, edges = [{ face = "-z", round = -6 }] },
]
[parts.peg]
shape = { cylinder = { radius = 19.95, height = 120 }, edges = [{ face = "+z", round = 4 }] }
pose.at = [0, 0, -130]
"""


@pytest.fixture(scope="module")
def rounds():
    return round_candidates(compile_system(detent.loads(DOCUMENT)), [(0, 1)])


def poses(tip, turn):
    """Of the plate and the peg, by its tip's centre [mm]."""
    both = np.tile(np.eye(4)[:3], (2, 1, 1))
    both[1, :, :3] = rotation_of(turn)
    both[1, :, 3] = np.array(tip) / 1000 - both[1, :, :3] @ [0, 0, 0.12]
    return both


def found(rounds, matrices, before=()):
    """{candidate: row} of what is nearer than 0.2 mm, when those before acted."""
    chosen = np.array([candidate for candidate, _ in before], np.int64)
    carried = np.array([row for _, row in before]).reshape(-1, 7)
    ids, values = np.zeros(24, np.int64), np.zeros((24, 7))
    count = find_rounds(
        rounds.arrays, rounds.listed, matrices, 0, len(rounds.listed), 2e-4, 1e-5, len(chosen), chosen,
        carried, room_for_rounds(), ids, values, 0,
    )  # fmt: skip
    return dict(zip(ids[:count].tolist(), values[:count].copy(), strict=True))


def roles(rounds, candidate, row, matrices):
    on_peg = matrices[1, :, :3].T @ (row[1:4] - matrices[1, :, 3])
    return tuple(piece.role for piece in rounds.pieces_at(candidate, row[1:4], on_peg))


def test_a_contact_goes_on_as_the_same_one_from_the_rim_to_the_side(rounds):
    before, seen = (), []
    for depth in np.linspace(9.5, 10.5, 21):
        matrices = poses((0.03, -0.02, depth), (0, -0.0035, 0))
        now = found(rounds, matrices, before)
        (least,) = now
        seen.append((least, roles(rounds, least, now[least], matrices)))
        followed = np.array([0.0, *now[least][1:4], 0, 0, 1])
        follow_round(rounds.arrays, rounds.listed[least], matrices, room_for_rounds(), followed)
        assert followed == pytest.approx(now[least], abs=1e-12)
        before = tuple(now.items())
    assert len({candidate for candidate, _ in seen}) == 1
    assert [role for _, role in seen][:: len(seen) - 1] == [("rim", "rim"), ("rim", "side")]


def test_two_points_wander_round_and_stay_who_they_are(rounds):
    """The peg's lean turns once round: both contacts go round with it."""
    start = None
    before = ()
    for angle in np.linspace(0, math.tau, 61):
        lean = 0.0024 * np.array([-math.sin(angle), math.cos(angle), 0])
        off = 0.03 * np.array([math.cos(angle), math.sin(angle)])
        matrices = poses((*off, 50), lean)
        now = found(rounds, matrices, before)
        leasts = {candidate for candidate, row in now.items() if row[0] < 5e-5}
        start = start or leasts
        assert leasts == start
        assert len(leasts) == 2
        for candidate in leasts:
            followed = np.array(dict(before).get(candidate, now[candidate]))
            follow_round(rounds.arrays, rounds.listed[candidate], matrices, room_for_rounds(), followed)
            assert followed == pytest.approx(now[candidate], abs=1e-10)
        before = tuple(now.items())


def test_the_gap_changes_by_the_normal_as_the_peg_moves(rounds):
    """A contact's row is right: the gap's rate is n.v of the peg's point."""
    place, turn = np.array([0.03, -0.02, 30.0]), np.array([1e-3, 2e-3, 0])
    now = found(rounds, poses(place, turn))
    for candidate, row in now.items():
        for way in np.eye(3):
            gaps = [found(rounds, poses(place + side * way * 1e-4, turn))[candidate][0] for side in (1, -1)]
            assert (gaps[0] - gaps[1]) / 2e-7 == pytest.approx(row[4:7] @ way, abs=1e-4)


def test_a_centred_peg_is_held_all_round(rounds):
    now = found(rounds, poses((0, 0, 30), (0, 0, 0)))
    assert (
        np.abs(sum(row[4:7] for candidate, row in now.items() if rounds.listed[candidate, 2] >= 3)).max()
        < 1e-12
    )
    assert len(now) >= 8
