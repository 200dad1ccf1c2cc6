"""Contacts at a state in space against modes as drawn, meshes, differences and numbers by hand."""

from __future__ import annotations

import itertools
import math
import random
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec import structs

from detent.contact import (
    Contacts,
    ContactSet,
    SpaceCandidates,
    candidates,
    contact_rows,
    contacts_at,
    contacts_of,
    mode_contacts,
)
from detent.foundation import DetentError, UnsupportedError
from detent.geometry import matrix_of, mesh
from detent.infer import resolved
from detent.io.native import document as native
from detent.model.machine import State, System, compile_system
from detent.model.reading import convert
from detent.numeric import KERNELS
from tests.conftest import DATA, REFERENCE, reference_documents

EXAMPLES = DATA.parents[1] / "examples"
DOCUMENTS = [*sorted(EXAMPLES.glob("*.toml")), *reference_documents()]
PEGS = {
    "rect_peg_carrier_stiff_y4_z0": (1, 4.2),  # axis of the offset, depth of the first touch [mm]
    "rect_peg_carrier_tilting_y0_z4": (2, 4.4),
}


def in_space(system: System) -> SpaceCandidates:
    found = candidates(system, plane=False)
    assert isinstance(found, SpaceCandidates)
    return found


def rows_of(contacts: Contacts) -> np.ndarray:
    """Normal rows for unit normals."""
    rows = contacts.floats.normal
    sizes = []
    for row, site in zip(rows, contacts.sites, strict=True):
        body = max(site.between) * 6
        sizes.append(np.linalg.norm(row[body : body + 3]))
    return rows / np.array(sizes).reshape(-1, 1) if len(rows) else rows


def are_one_set(ones: np.ndarray, others: np.ndarray) -> bool:
    """Whether each row is among the others, and the other way round."""
    if not len(ones) or not len(others):
        return len(ones) == len(others)
    away = np.abs(ones[:, None] - others[None]).max(axis=2)
    return bool((away.min(axis=0) < 1e-8).all() and (away.min(axis=1) < 1e-8).all())


def polyhedral(path: Path) -> bool:
    """Whether a document in space has two shapes that may touch, all of blocks and prisms."""
    try:
        mechanism = native.load(path)
        shaped = [part for part in mechanism.parts.values() if part.shape is not None]
        if (
            mechanism.dimension == 2
            or len(shaped) < 2
            or any(part.library for part in mechanism.parts.values())
        ):
            return False
        in_space(compile_system(mechanism, drives_hold=False))
    except DetentError:
        return False
    return True


POLYHEDRAL = [path for path in DOCUMENTS if polyhedral(path)]


def test_the_documents_with_flat_faces_in_space_are_known() -> None:
    names = {path.stem for path in POLYHEDRAL}
    assert {"box_in_corner", "box_on_box", "peg_on_carrier"} <= names


@pytest.mark.parametrize("path", POLYHEDRAL, ids=lambda p: p.stem)
def test_shapes_in_space_have_the_rows_of_modes_as_drawn(path: Path) -> None:
    """The exact reader of shapes that touch, which works on convex pieces and shares no features."""
    mechanism = structs.replace(resolved(native.load(path), add=False), contacts=())
    system = compile_system(mechanism, drives_hold=False)
    found = contacts_at(system, in_space(system), system.drawn)
    try:
        exact = contacts_of(mechanism)
    except UnsupportedError as refusal:
        assert "broken edge" in str(refusal)  # noqa: PT017
        assert not len(found)  # pegs before their holes touch nothing
        return
    assert are_one_set(rows_of(mode_contacts(found)), rows_of(exact))


@pytest.mark.parametrize("name", ["box_in_corner", "box_on_box"])
def test_boxes_touch_with_as_many_contacts_as_they_are_given(name: str) -> None:
    mechanism = native.load(EXAMPLES / f"{name}.toml")
    system = compile_system(mechanism, drives_hold=False)
    found = contacts_at(system, in_space(system), system.drawn)
    assert len(found) == len(mechanism.contacts) == 8
    assert are_one_set(rows_of(mode_contacts(found)), rows_of(contacts_of(mechanism)))


def scene(rng: random.Random) -> dict[str, Any]:
    """Blocks and prisms at rest on a stepped floor with walls: flush, overhanging, across a hole."""
    hole = {"block": [2, 2, 1], "moves": [{"move": [8, 2, -1]}]}
    floor = {
        "union": [
            {"difference": [{"block": [20, 8, 2], "moves": [{"move": [0, 0, -2]}]}, hole]},
            {"block": [1, 8, 3], "moves": [{"move": [19, 0, 0]}]},
            {"block": [20, 1, 3], "moves": [{"move": [0, 7, 0]}]},
            {"block": [3, 8, 1], "moves": [{"move": [0, 0, 0]}]},
        ]
    }
    parts: dict[str, Any] = {"floor": {"fixed": True, "shape": floor}}
    x = rng.randint(3, 5)
    for k in range(rng.randint(1, 3)):
        w, d, h = rng.randint(1, 4), rng.randint(1, 4), rng.randint(1, 3)
        if x + w > 19:
            break
        y = rng.choice([rng.randint(-1, 3), 7 - d])
        shape: dict[str, Any] = {"block": [w, d, h]}
        if rng.random() < 0.3:
            shape = {
                "prism": {
                    "outline": [[0, 0], [w, 0], [w, d], [w / 2, d], [w / 2, d / 2], [0, d / 2]],
                    "height": h,
                }
            }
        parts[f"box{k}"] = {"shape": shape, "pose": {"at": [x, y, 0]}}
        if rng.random() < 0.5:
            at = [x + rng.randint(-1, w - 1) + 0.5, min(y + rng.randint(-1, d - 1), 4) + 0.5, h]
            parts[f"top{k}"] = {"shape": {"block": [2, 2, 1]}, "pose": {"at": at}}
        x += w + rng.randint(0, 2)
    return {"dimension": 3, "parts": parts}


# Scenes that the exact reader refuses: corners on corners have no one normal, overlaps no contacts.
REFUSED = dict.fromkeys([1, 4, 8, 9, 12, 14, 20, 24, 27, 31], "corner on corner") | {28: "overlaps"}


@pytest.mark.parametrize(("seed", "words"), REFUSED.items())
def test_what_the_exact_reader_refuses_is_refused_for_its_reason(seed: int, words: str) -> None:
    with pytest.raises(DetentError, match=words):
        contacts_of(convert.mechanism(scene(random.Random(seed))))


@pytest.mark.parametrize("seed", [seed for seed in range(40) if seed not in REFUSED])
def test_blocks_at_rest_have_the_rows_of_modes(seed: int) -> None:
    mechanism = convert.mechanism(scene(random.Random(seed)))
    system = compile_system(mechanism)
    exact = contacts_of(mechanism)
    mine = mode_contacts(contacts_at(system, in_space(system), system.drawn))
    assert len(mine) > 0
    assert are_one_set(rows_of(mine), rows_of(exact))


def quaternion(rng: random.Random) -> np.ndarray:
    q = np.array([rng.gauss(0, 1) for _ in range(4)])
    return q / np.linalg.norm(q)


def product(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    w, v = p[0] * q[0] - p[1:] @ q[1:], p[0] * q[1:] + q[0] * p[1:] + np.cross(p[1:], q[1:])
    return np.array([w, *v])


def carried(system: System, shift: np.ndarray, turn: np.ndarray) -> State:
    """All bodies as drawn, carried elsewhere together."""
    rotation = matrix_of([0, 0, 0, *turn])[:3, :3]
    poses = system.drawn.poses.copy()
    for pose in poses:
        pose[:3] = shift + rotation @ pose[:3]
        pose[3:] = product(turn, pose[3:])
    return State(poses, np.zeros((len(poses), 6)))


@pytest.mark.parametrize("seed", range(15))
def test_a_scene_that_is_tilted_and_carried_elsewhere_keeps_its_contacts(seed: int) -> None:
    """The same names, gaps and arms; points and normals are carried along."""
    rng = random.Random(seed)
    system = compile_system(convert.mechanism(scene(rng)))
    cand = in_space(system)
    shift, turn = np.array([rng.uniform(-30, 30) for _ in range(3)]), quaternion(rng)
    rotation = matrix_of([0, 0, 0, *turn])[:3, :3]
    before = contacts_at(system, cand, system.drawn)
    after = contacts_at(system, cand, carried(system, shift, turn))
    assert len(before) > 0
    assert before.names == after.names
    assert after.gap == pytest.approx(np.zeros(len(after)), abs=1e-12)
    assert after.normal == pytest.approx(before.normal @ rotation.T, abs=1e-12)
    assert after.point == pytest.approx(shift + before.point @ rotation.T, abs=1e-12)
    assert after.arm_b == pytest.approx(before.arm_b @ rotation.T, abs=1e-11)


# A peg before its hole.


@cache
def peg(name: str) -> tuple[System, SpaceCandidates]:
    system = compile_system(native.load(REFERENCE / "assembly" / f"{name}.toml"))
    return system, in_space(system)


def pushed(system: System, depth: float) -> State:
    """The peg carried along x [mm]."""
    poses = system.drawn.poses.copy()
    poses[system.index["peg"], 0] += depth * 1e-3
    return State(poses, np.zeros((len(poses), 6)))


def at_depth(name: str, depth: float) -> ContactSet:
    system, cand = peg(name)
    return contacts_at(system, cand, pushed(system, depth), within=1e-3, depth=3e-3)


@pytest.mark.parametrize("name", PEGS)
def test_a_peg_beside_its_hole_touches_the_rim_with_its_chamfer(name: str) -> None:
    """By hand: the chamfer at 45 degrees reaches the rim when the offset has used up play and chamfer.

    The rim's edge lies flush on the chamfer and touches where the chamfer ends, at its two sides.
    """
    axis, first = PEGS[name]
    for depth in (first - 0.1, first - 1e-3, first, first + 1e-3, 6.0):
        found = at_depth(name, depth)
        on_chamfer = np.abs(found.gap - (first - depth) * 1e-3 / math.sqrt(2)) < 1e-12
        assert on_chamfer.sum() == 2
        normal = np.zeros(3)
        normal[0] = normal[axis] = -math.sqrt(0.5)
        assert found.normal[on_chamfer] == pytest.approx(np.array([normal, normal]))
        assert found.gap.min() == pytest.approx((first - depth) * 1e-3 / math.sqrt(2), abs=1e-12)
        ends = found.point[on_chamfer]
        assert abs(ends[0, 3 - axis] - ends[1, 3 - axis]) > 0.03  # across the chamfer
        assert found.edges is not None
        assert np.linalg.norm(found.edges[on_chamfer], axis=1) == pytest.approx([math.sqrt(2)] * 2)
    assert at_depth(name, first - 0.1).gap.min() > 0


@pytest.mark.parametrize("name", PEGS)
@pytest.mark.parametrize(("nudge", "touches"), [(-1e-6, False), (1e-6, True)])
def test_a_peg_overlaps_its_plate_from_its_first_touch_on(name: str, nudge: float, touches: bool) -> None:
    """manifold3d puts the two solids into each other [mm]."""
    system, cand = peg(name)
    state = pushed(system, PEGS[name][1] + nudge)
    one, other = (solid_at(system, state, system.index[part]) for part in ("peg", "plate"))
    assert ((one ^ other).volume() > 0) == touches
    found = contacts_at(system, cand, state, within=0.0, depth=1e-3)
    assert bool(len(found)) == touches


def solid_at(system: System, state: State, body: int) -> Any:
    solid = system.bodies[body].solid
    assert solid is not None
    return mesh.manifold(solid).transform(state.matrices[body][:3])


# Random boxes.


def two_boxes(rng: random.Random) -> System:
    sides = [[rng.uniform(1, 3) for _ in range(3)] for _ in range(2)]
    shapes = [{"block": each, "moves": [{"move": [-x / 2 for x in each]}]} for each in sides]
    notch = {"difference": [shapes[0], {"block": sides[0], "moves": [{"move": [0.2, 0.1, 0.3]}]}]}
    first = notch if rng.random() < 0.3 else shapes[0]
    document = {"dimension": 3, "parts": {"a": {"shape": first}, "b": {"shape": shapes[1]}}}
    return compile_system(convert.mechanism(document))


def random_state(rng: random.Random, reach: float) -> State:
    poses = [[*(rng.uniform(-r, r) for _ in range(3)), *quaternion(rng)] for r in (0.5, reach)]
    velocities = [[rng.uniform(-1, 1) for _ in range(6)] for _ in range(2)]
    return State(np.array(poses), np.array(velocities))


def after(state: State, t: float) -> State:
    """Both bodies moving steadily for a time."""
    poses = state.poses.copy()
    for pose, velocity in zip(poses, state.velocities, strict=True):
        pose[:3] += t * velocity[:3]
        speed = np.linalg.norm(velocity[3:])
        half = speed * t / 2
        pose[3:] = product(np.array([math.cos(half), *(math.sin(half) * velocity[3:] / speed)]), pose[3:])
    return State(poses, state.velocities)


@pytest.mark.parametrize("seed", range(60))
def test_rows_and_rates_are_the_first_and_second_derivative_of_the_gap(seed: int) -> None:
    """Corners past faces and edges past edges, of tilted boxes that both move and turn."""
    rng = random.Random(f"space {seed}")
    system = two_boxes(rng)
    cand = in_space(system)
    state = random_state(rng, 3.0)
    found = contacts_at(system, cand, state, within=20, depth=20)
    rows = contact_rows(system, found, state)
    assert rows.matrix @ state.velocities.ravel() == pytest.approx(rows.speeds, abs=1e-12)
    h = 1e-4
    beside = [contacts_at(system, cand, after(state, t), within=30, depth=30) for t in (-h, h)]
    for k, row in enumerate(found.candidate):
        gaps = [dict(zip(each.candidate, each.gap, strict=True)).get(row) for each in beside]
        if None in gaps:
            continue  # it ceases to be local within a difference
        before, later = gaps
        assert rows.speeds[k] == pytest.approx((later - before) / (2 * h), rel=1e-5, abs=1e-6)
        bend = (later - 2 * found.gap[k] + before) / h**2
        assert rows.rates[k] == pytest.approx(bend, rel=1e-4, abs=1e-4)


def test_the_states_above_have_contacts_of_every_kind() -> None:
    kinds = set()
    for seed in range(60):
        rng = random.Random(f"space {seed}")
        system = two_boxes(rng)
        cand = in_space(system)
        found = contacts_at(system, cand, random_state(rng, 3.0), within=20, depth=20)
        kinds |= {tuple(row) for row in cand.listed[found.candidate][:, [0, 4]].tolist()}
    assert kinds == {(0, 0), (0, 1), (1, 0)}


def box_corners(system: System, state: State, body: int) -> np.ndarray:
    """From the mesh, not from features."""
    solid = system.bodies[body].solid
    assert solid is not None
    points, _ = mesh.triangles(solid)
    matrix = state.matrices[body]
    return points @ matrix[:3, :3].T + matrix[:3, 3]


def segment_distance(point: np.ndarray, start: np.ndarray, end: np.ndarray) -> float:
    way = end - start
    share = min(1.0, max(0.0, float((point - start) @ way / (way @ way))))
    return float(np.linalg.norm(point - start - share * way))


@pytest.mark.parametrize("seed", range(60))
def test_the_nearest_contact_of_solids_that_are_apart_is_their_distance(seed: int) -> None:
    """manifold3d measures between the meshes; a corner beside an edge or a corner is not a contact."""
    rng = random.Random(f"apart {seed}")
    system = two_boxes(rng)
    cand = in_space(system)
    while True:
        state = random_state(rng, 4.0)
        solids = [solid_at(system, state, body) for body in (0, 1)]
        distance = solids[0].min_gap(solids[1], 20.0)
        if distance > 1e-3:
            break
    assert not len(contacts_at(system, cand, state))
    found = contacts_at(system, cand, state, within=20, depth=0)
    smallest = found.gap.min(initial=math.inf)
    assert smallest >= distance - 1e-6
    if smallest > distance + 1e-6:
        points = [box_corners(system, state, body) for body in (0, 1)]
        sides = [list(itertools.combinations(each, 2)) for each in points]
        nearest = min(
            segment_distance(point, *side)
            for one, other in ((0, 1), (1, 0))
            for point in points[one]
            for side in sides[other]
        )
        assert nearest == pytest.approx(distance, abs=1e-6)
        return
    k = int(found.gap.argmin())
    # The point is on b and the foot, a gap along the normal away, is on a.
    for body, point in ((1, found.point[k]), (0, found.point[k] - found.gap[k] * found.normal[k])):
        tiny = mesh.manifold(system.bodies[body].solid).transform(state.matrices[body][:3])  # type: ignore[arg-type]
        ball = type(tiny).sphere(1e-6).translate(point)
        assert not (tiny ^ ball).is_empty()


def test_a_corner_past_two_faces_of_an_edge_is_pushed_out_by_the_nearer() -> None:
    """A corner that looks down and aside: 0.2 past the top, 0.3 past the side."""
    document = {
        "dimension": 3,
        "parts": {"a": {"shape": {"block": [4, 4, 4]}}, "b": {"shape": {"block": [2, 9, 2]}}},
    }
    system = compile_system(convert.mechanism(document))
    poses = np.array([[0, 0, 0, 1, 0, 0, 0], [3.7, 1, 3.8, 1, 0, 0, 0]], float)
    found = contacts_at(system, in_space(system), State(poses, np.zeros((2, 6))), within=0, depth=1)
    mine = {n: g for n, g in zip(found.names, found.gap, strict=True) if n.endswith("b/0.f0+0.f3+0.f4")}
    assert mine == {"a/0.f5:b/0.f0+0.f3+0.f4": pytest.approx(-0.2)}


@pytest.mark.parametrize("signs", list(itertools.product([1, -1], repeat=3)))
def test_a_corner_in_a_notch_of_three_walls_is_pushed_by_all_of_them(signs: tuple[int, ...]) -> None:
    """In each of the eight octants: a notch of walls at 1, and a corner 0.1, 0.2 and 0.3 past them."""
    mirrors = [{"mirror": axis} for axis, sign in zip("xyz", signs, strict=True) if sign < 0]
    walls = {"difference": [{"block": [4, 4, 4]}, {"block": [3, 3, 3], "moves": [{"move": [1, 1, 1]}]}]}
    cube = {"block": [1, 1, 1], "moves": mirrors}
    document = {"dimension": 3, "parts": {"a": {"shape": {**walls, "moves": mirrors}}, "b": {"shape": cube}}}
    system = compile_system(convert.mechanism(document))
    at = np.array([0.9, 0.8, 0.7]) * signs
    state = State(np.array([[0, 0, 0, 1, 0, 0, 0], [*at, 1, 0, 0, 0]], float), np.zeros((2, 6)))
    found = contacts_at(system, in_space(system), state, within=0, depth=0.5)
    mine = [g for g, point in zip(found.gap, found.point, strict=True) if point == pytest.approx(at)]
    assert sorted(mine) == pytest.approx([-0.3, -0.2, -0.1])


@pytest.mark.parametrize(("y", "touches"), [(-0.05, False), (0.05, True)])
def test_a_face_goes_on_over_a_notch_and_not_beside_it(y: float, touches: bool) -> None:
    """A corner past a floor and a wall, near the end of the notch between them, before it or beside both."""
    step = {"union": [{"block": [4, 4, 1]}, {"block": [1, 4, 4]}]}
    document = {"dimension": 3, "parts": {"a": {"shape": step}, "b": {"shape": {"block": [1, 9, 1]}}}}
    system = compile_system(convert.mechanism(document))
    poses = np.array([[0, 0, 0, 1, 0, 0, 0], [0.9, y, 0.9, 1, 0, 0, 0]], float)
    found = contacts_at(system, in_space(system), State(poses, np.zeros((2, 6))), within=0, depth=0.5)
    mine = [name for name in found.names if name.endswith("b/0.f0+0.f3+0.f4")]
    assert len(mine) == (2 if touches else 0)


@pytest.mark.parametrize(("tilt", "corners"), [(0.0, 2), (0.0099, 2), (0.0101, 4)])
def test_all_corners_of_a_leaning_face_count_up_to_the_tilt(tilt: float, corners: int) -> None:
    document = {
        "dimension": 3,
        "parts": {
            "a": {"fixed": True, "shape": {"block": [9, 9, 1], "moves": [{"move": [-4, -4, -1]}]}},
            "b": {"shape": {"block": [1, 1, 1]}},
        },
    }
    system = compile_system(convert.mechanism(document))
    turn = [math.cos(0.005), 0, math.sin(-0.005), 0]
    poses = np.array([[0, 0, 0, 1, 0, 0, 0], [0, 0, -0.02, *turn]])
    state = State(poses, np.zeros((2, 6)))
    found = contacts_at(system, in_space(system), state, within=0, depth=0.2, tilt=tilt)
    on_top = [name for name in found.names if name.startswith("a/0.f5:")]
    assert len(on_top) == corners


def test_a_part_with_a_curved_face_is_refused_by_name_where_it_leaves_the_plane() -> None:
    parts = {"a": {"shape": {"block": [1, 1, 1]}, "fixed": True}, "ball": {"shape": {"sphere": 1}}}
    system = compile_system(convert.mechanism({"dimension": 3, "parts": parts}))
    with pytest.raises(UnsupportedError, match=r"parts\.ball\.shape: contacts of a sphere"):
        candidates(system)


@pytest.mark.parametrize("seed", range(6))
def test_the_loop_over_arrays_is_the_same_at_both_speeds(seed: int) -> None:
    rng = random.Random(seed)
    system = two_boxes(rng)
    cand = in_space(system)
    matrices = np.ascontiguousarray(random_state(rng, 2.0).matrices[:, :3])
    kernel = KERNELS["detent.contact.space_at_state.find_space_contacts"]
    answers = []
    for twin in (kernel.plain, kernel.compiled):
        chosen, values = np.zeros(len(cand), np.int64), np.zeros((len(cand), 14))
        count = twin(*cand.arrays, matrices, 1.0, 1.0, 1e-9, 0.0, chosen, values)
        answers.append((chosen[:count].tolist(), values[:count]))
    assert answers[0][0] == answers[1][0]
    assert answers[0][1] == pytest.approx(answers[1][1], abs=1e-12)
