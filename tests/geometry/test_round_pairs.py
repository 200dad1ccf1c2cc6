"""Round shafts in round holes: meridians found in shapes, nearest points, hand-over between pieces."""

import math

import numpy as np
import pytest

import detent
from detent.geometry import (
    closest_points,
    cylinder_patch,
    meridians,
    nearest_rounds,
    nearest_rows,
    rotation_of,
    round_table,
    torus_patch,
    with_broken_edges,
)
from detent.model import part_solid

PEG = "{ cylinder = { radius = 19.95, height = 120 }, edges = [{ face = '+z', round = 4 }] }"
HOLE = "{ cylinder = { radius = 20, height = 110 }, edges = [{ face = '-z', round = -6 }] }"
BLOCK = "{ block = [150, 150, 120], moves = [{ move = [-75, -75, 0] }] }"


def pair(peg=PEG, hole=HOLE):
    text = f"""
        format = "detent/1"
        title = "round"
        units = "mm"
        dimension = 3
        [parts.plate]
        fixed = true
        shape.difference = [{BLOCK}, {hole}]
        [parts.peg]
        pose.at = [0, 0, -150]
        shape = {peg}
        """
    machine = detent.loads(text)
    shaft = next(meridians("peg", part_solid(machine, "peg"), hollow=False))
    bore = next(meridians("plate", part_solid(machine, "plate"), hollow=True))
    return bore, shaft


def pose_of(tip, turn, length=120.0):
    """The peg's frame in the hole's, its tip's centre there [mm] -> [m]."""
    pose = np.eye(4)
    pose[:3, :3] = rotation_of(turn)
    pose[:3, 3] = (np.array(tip) - pose[:3, :3] @ [0, 0, length]) / 1000
    return pose


def test_meridians_are_found_with_their_rims_faces_and_edges():
    bore, shaft = pair()
    assert [(piece.role, piece.bend) for piece in bore.pieces] == [
        ("face", 0),
        ("rim", 6),
        ("side", 0),
        ("face", 0),
    ]
    assert [piece.role for piece in shaft.pieces] == ["face", "edge", "side", "rim", "face"]
    assert bore.pieces[0].start == pytest.approx((75, 0))
    assert bore.pieces[1].centre == pytest.approx((26, 6))
    assert shaft.pieces[3].centre == pytest.approx((15.95, 116))
    bore, shaft = pair(
        PEG.replace("round", "chamfer"),
        HOLE.replace("round", "chamfer").replace("height = 110", "height = 130"),
    )
    assert [piece.role for piece in bore.pieces] == ["face", "edge", "rim", "edge", "side", "edge", "face"]
    assert [piece.role for piece in shaft.pieces][-5:] == ["side", "edge", "rim", "edge", "face"]


def test_every_nearest_point_is_that_of_a_search_over_both_surfaces():
    """The patches' Newton from a grid of starts, for rims, side and wall at seeded poses: a sample."""
    bore, shaft = pair()
    hole, peg = round_table(bore, 1e-3), round_table(shaft, 1e-3)
    random = np.random.default_rng(3)
    rim_of_hole = torus_patch(0.026, 0.006, (math.pi, 1.5 * math.pi))
    rim_of_peg = torus_patch(0.01595, 0.004, (0.0, math.pi / 2))
    side, wall = cylinder_patch(0.01995, 0.0, 0.116), cylinder_patch(0.02, 0.006, 0.11, inside=True)
    met = set()
    poses = [
        pose_of([*off * random.normal(size=2), depth], [*lean * random.normal(size=2), 0.3])
        for depth, off, lean in ((1.0, 1.0, 0.01), (4.0, 1.0, 0.01), (7.0, 0.5, 0.01), (30.0, 0.03, 2e-3))
    ]
    for pose in [
        *poses,
        pose_of((0.03, -0.04, 50.0), (0.001, 0.0024, 0)),
        pose_of((0.03, 0, 20), (0, 0.001, 0)),
    ]:
        found = nearest_rounds(hole, peg, pose, reach=3e-3)
        at_rim = pose.copy()
        at_rim[:3, 3] += pose[:3, :3] @ [0, 0, 0.116]
        expected = []
        for patch_A, lift, patch_B, place in (
            (rim_of_hole, 0.006, rim_of_peg, at_rim),
            (rim_of_hole, 0.006, side, pose),
            (wall, 0.0, rim_of_peg, at_rim),
        ):
            lifted = place.copy()
            lifted[2, 3] -= lift
            for one in closest_points(patch_A, patch_B, lifted):
                if one.kind == "least" and one.gap < 3e-3:
                    expected.append((one.gap, *np.add(one.point_A, (0, 0, lift)), *one.normal))
        got = sorted((row[0], *row[4:7], *row[1:4]) for row in found)
        assert len(got) == len(expected)
        assert np.array(got) == pytest.approx(np.array(sorted(expected)), abs=1e-9)
        met |= {(bore.pieces[int(row[10])].role, shaft.pieces[int(row[11])].role) for row in found}
    assert met == {("rim", "rim"), ("rim", "side"), ("side", "rim")}


def test_a_gap_is_the_least_of_all_points():
    """Against a dense search of the peg's points over the hole's meridian: also over chamfers and edges."""
    for kind in ("round", "chamfer"):
        bore, shaft = pair(PEG.replace("round", kind), HOLE.replace("round", kind))
        hole, peg = round_table(bore, 1e-3), round_table(shaft, 1e-3)
        for tip, turn in (([1.3, -2.1, 1.0], (0.0, 0.004, 0)), ([0.01, 0.02, 40.0], (0.0005, 0.0002, 0.2))):
            pose = pose_of(tip, turn)
            least = min(row[0] for row in nearest_rounds(hole, peg, pose, reach=1e-2))
            assert 0 < least == pytest.approx(searched(bore, shaft, pose), abs=1e-5)


def test_broken_edges_lie_within_the_material_by_no_more_than_they_say():
    """Lines and arcs go on smoothly, an edge's tube no more than 0.02 um from the corner."""
    rounded = PEG.replace("round = 4", "chamfer = 4")
    for meridian in (*pair(), *pair(rounded, HOLE.replace("round", "chamfer"))):
        broken = with_broken_edges(meridian.pieces, 1e-3)
        for k, (piece, was) in enumerate(zip(broken, meridian.pieces, strict=True)):
            if was.role != "edge":
                continue
            assert piece.bend > 0
            before, after = broken[k - 1], broken[k + 1]
            assert before.end == pytest.approx(piece.start, abs=1e-12)
            assert after.start == pytest.approx(piece.end, abs=1e-12)
            assert before.normals[1] == pytest.approx(piece.normals[0], abs=1e-9)
            assert after.normals[0] == pytest.approx(piece.normals[1], abs=1e-9)
            off = math.dist(was.start, piece.centre) - piece.bend
            assert 0 < off <= 2.001e-5  # [mm]


def test_two_edges_that_meet_have_a_normal_between_their_faces():
    """A chamfer's edge above the other's, from 10 nm apart to 10 nm inside: a normal between all faces."""
    bore, shaft = pair(PEG.replace("round", "chamfer"), HOLE.replace("round", "chamfer"))
    hole, peg = round_table(bore, 1e-3), round_table(shaft, 1e-3)
    # The peg's front edge, 15.95 mm from its axis, beside the hole's mouth, 26 mm: 10.05 mm aside.
    normals = []
    for down in (-1e-5, 0.0, 1e-5):
        rows = nearest_rounds(hole, peg, pose_of([10.05, 0, down], (0, 0, 0)), reach=1e-5)
        assert len(rows) == 1
        normals.append(rows[0, 1:4])
        assert rows[0, 0] == pytest.approx(-down * 1e-3, abs=6e-8)
    assert np.ptp(normals, axis=0).max() < 0.02
    assert all(-math.sqrt(0.5) < across < 0 and along < -math.sqrt(0.5) for across, _, along in normals)


def test_a_peg_beside_a_thin_plate_is_not_in_its_other_side():
    """A plate of 0.8 mm: its lower face is nearer than a millimetre, and behind the upper one."""
    thin = "shape.difference = [{ block = [150, 150, 0.8], moves = [{ move = [-75, -75, 0] }] }, "
    machine = detent.loads(
        f"""
        format = "detent/1"
        units = "mm"
        dimension = 3
        [parts.plate]
        fixed = true
        {thin}{{ cylinder = {{ radius = 20, height = 0.8 }}, edges = [{{ face = '-z', round = -0.3 }}] }}]
        [parts.peg]
        shape = {PEG}
        """
    )
    shaft = next(meridians("peg", part_solid(machine, "peg"), hollow=False))
    bore = next(meridians("plate", part_solid(machine, "plate"), hollow=True))
    rows = nearest_rounds(
        round_table(bore, 1e-3), round_table(shaft, 1e-3), pose_of([12, 0, -0.1], (0, 0, 0)), reach=1e-3
    )
    assert rows[:, 0].min() == pytest.approx(1e-4, abs=1e-9)


def searched(bore, shaft, pose):
    """The least distance of sampled points of the peg from the hole's meridian, sampled too, by a tree."""
    from scipy.spatial import cKDTree

    wall = cKDTree(np.concatenate([points_of(piece, 2000) for piece in bore.pieces[:-1]]))
    angles = np.linspace(0, math.tau, 181)
    around = np.stack([np.cos(angles), np.sin(angles)], 1)
    best = math.inf
    for piece in shaft.pieces:
        for rho, u in points_of(piece, 60):
            there = np.column_stack([rho * around, np.full(len(angles), u)]) @ pose[:3, :3].T + pose[:3, 3]
            best = min(
                best, wall.query(np.column_stack([np.hypot(there[:, 0], there[:, 1]), there[:, 2]]))[0].min()
            )
    return best


def points_of(piece, count):
    shares = np.linspace(0, 1, count)[:, None]
    if piece.centre is None or piece.bend == 0:
        return (np.array(piece.start) + shares * (np.array(piece.end) - piece.start)) / 1000
    first, last = (math.atan2(n[1], n[0]) for n in piece.normals)
    angles = first + shares[:, 0] * ((last - first + math.pi) % math.tau - math.pi)
    return (
        np.array(piece.centre) + abs(piece.bend) * np.column_stack([np.cos(angles), np.sin(angles)])
    ) / 1000


@pytest.mark.parametrize(("turn", "to"), [(-0.0035, ("rim", "side")), (0.0035, ("side", "rim"))])
def test_a_rim_hands_over_without_a_jump(turn, to):
    """To the peg's side where it leans back, to the hole's wall where its tip leans out."""
    bore, shaft = pair()
    hole, peg = round_table(bore, 1e-3), round_table(shaft, 1e-3)
    before, roles = None, []
    for depth in np.linspace(9.7, 10.3, 61):
        rows = nearest_rounds(hole, peg, pose_of([0.02, -0.03, depth], (0, turn, 0)), reach=1e-3)
        assert len(rows) == 1  # neither both pieces nor none
        roles.append((bore.pieces[int(rows[0, 10])].role, shaft.pieces[int(rows[0, 11])].role))
        if before is not None:
            assert rows[0, :4] == pytest.approx(before, abs=3e-3)  # 10 um on
            assert abs(rows[0, 0] - before[0]) < 1e-5
        before = rows[0, :4]
    changes = [k for k in range(1, len(roles)) if roles[k] != roles[k - 1]]
    assert len(changes) == 1
    assert (roles[0], roles[-1]) == (("rim", "rim"), to)


def test_a_centred_peg_has_bounds_all_round():
    bore, shaft = pair()
    hole, peg = round_table(bore, 1e-3), round_table(shaft, 1e-3)
    rows = nearest_rounds(hole, peg, pose_of([0, 0, 30], (0, 0, 0)), reach=1e-3, even=2e-4)
    assert rows[:, 0] == pytest.approx(5e-5, abs=1e-12)
    assert len(rows) == 8
    assert np.abs(rows[:, 1:4].sum(axis=0)).max() < 1e-12


def test_both_speeds_agree():

    bore, shaft = pair()
    hole, peg = round_table(bore, 1e-3), round_table(shaft, 1e-3)
    pose = pose_of([0.03, 0.02, 50.0], (0.0015, 0.001, 0.2))
    plain, compiled = np.zeros((2, 32, 15))
    counts = [
        f(hole, peg, pose, np.linalg.inv(pose), 1e-3, 2e-4, rows)
        for f, rows in ((nearest_rows.plain, plain), (nearest_rows.compiled, compiled))
    ]
    assert counts[0] == counts[1] > 2
    assert compiled == pytest.approx(plain, abs=1e-12)
