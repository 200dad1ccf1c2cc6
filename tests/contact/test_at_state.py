"""Contacts at a state: which features touch, where, and the rates of their gaps by differences."""

from __future__ import annotations

import math
import random
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest
import shapely

from detent.contact import (
    Candidates,
    ContactSet,
    SpaceCandidates,
    candidates,
    contact_rows,
    contacts_at,
    given_at,
)
from detent.foundation import UnsupportedError
from detent.io.native import document as native
from detent.model.machine import InferredJoint, State, System, compile_system, with_joints
from detent.model.reading import convert
from detent.numeric import KERNELS
from tests.conftest import REFERENCE

BOX = {"outline": [[-2, -1], [2, -1], [2, 1], [-2, 1]]}
DISC = {"circle": 0.7}
BORE = {"difference": [{"outline": [[-3, -3], [3, -3], [3, 3], [-3, 3]]}, {"circle": 2}]}
FORMULAS = {
    "edge and corner": (BOX, BOX),
    "edge and disc": (BOX, DISC),
    "disc and disc": (DISC, DISC),
    "hole and disc": (BORE, DISC),
    "hole and corner": (BORE, {"outline": [[-0.6, -0.5], [0.6, -0.5], [0, 0.7]]}),
}


def system_of(first: dict[str, Any], second: dict[str, Any], **document: Any) -> System:
    parts = {"a": {"shape": first}, "b": {"shape": second}}
    return compile_system(convert.mechanism({"parts": parts, **document}))


def at(system: System, *poses: tuple[float, ...]) -> State:
    return State(np.array(poses, float), np.zeros((len(poses), 3)))


def all_contacts(system: System, cand: Candidates, state: State, reach: float = 50.0) -> ContactSet:
    return contacts_at(system, cand, state, within=reach, depth=reach)


def placed(shape: Any, pose: Any) -> Any:
    x, y, angle = pose
    return shapely.affinity.translate(shapely.affinity.rotate(shape, angle, (0, 0), use_radians=True), x, y)


def region(shape: dict[str, Any]) -> Any:
    if "outline" in shape:
        return shapely.Polygon(shape["outline"])
    if "circle" in shape:
        return shapely.Point(0, 0).buffer(shape["circle"], quad_segs=4096)
    whole, *holes = (region(child) for child in shape["difference"])
    return whole.difference(shapely.union_all(holes))


@pytest.mark.parametrize("kind", FORMULAS)
@pytest.mark.parametrize("seed", range(20))
def test_the_nearest_contact_of_parts_that_are_apart_is_their_distance(kind: str, seed: int) -> None:
    """shapely measures the regions themselves: nothing local, no names, no candidates."""
    rng = random.Random(f"{kind} {seed}")
    system = system_of(*FORMULAS[kind])
    cand = candidates(system)
    shapes = [region(shape) for shape in FORMULAS[kind]]
    inside = kind.startswith("hole")
    for _ in range(100):
        reach = 1.0 if inside else 5.0
        poses = [
            (0.0, 0.0, rng.uniform(-3, 3)),
            (rng.uniform(-reach, reach), rng.uniform(-reach, reach), rng.uniform(-3, 3)),
        ]
        one, other = (placed(shape, pose) for shape, pose in zip(shapes, poses, strict=True))
        distance = one.distance(other)
        if distance > 1e-3 and not (inside and distance > 2):
            break
    contacts = contacts_at(system, cand, at(system, *poses), within=50, depth=0)
    smallest = contacts.gap.min(initial=math.inf)
    if kind == "edge and corner" and smallest > distance + 1e-9:
        corners = [shapely.MultiPoint(shape.exterior.coords) for shape in (one, other)]
        assert corners[0].distance(corners[1]) == pytest.approx(distance)  # corner on corner is not a contact
        return
    nearest = int(contacts.gap.argmin())
    assert contacts.gap[nearest] == pytest.approx(distance, abs=2e-6)
    point = shapely.Point(contacts.point[nearest])
    assert other.distance(point) < 2e-6
    assert one.distance(point) == pytest.approx(distance, abs=2e-6)


def rates_by_differences(system: System, cand: Candidates, poses: Any, velocities: Any, row: int) -> Any:
    def gap(t: float) -> float:
        moved = State(np.array(poses) + t * np.array(velocities), np.array(velocities))
        contacts = all_contacts(system, cand, moved)
        return float(contacts.gap[list(contacts.candidate).index(row)])

    h = 1e-4
    before, now, after = gap(-h), gap(0.0), gap(h)
    return (after - before) / (2 * h), (after - 2 * now + before) / h**2


@pytest.mark.parametrize("kind", FORMULAS)
@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize("seed", range(8))
def test_rows_and_rates_are_the_first_and_second_derivative_of_the_gap(
    kind: str, swapped: bool, seed: int
) -> None:
    """Both bodies move steadily: each row times the velocities, and each rate, by differences."""
    rng = random.Random(f"rates {kind} {seed}")
    first, second = FORMULAS[kind]
    system = system_of(second, first) if swapped else system_of(first, second)
    cand = candidates(system)
    poses = [(0.0, 0.0, rng.uniform(-3, 3)), (rng.uniform(-4, 4), rng.uniform(-4, 4), rng.uniform(-3, 3))]
    velocities = np.array([[rng.uniform(-1, 1) for _ in range(3)] for _ in range(2)])
    state = State(np.array(poses), velocities)
    contacts = all_contacts(system, cand, state)
    rows = contact_rows(system, contacts, state)
    assert rows.matrix @ velocities.ravel() == pytest.approx(rows.speeds, abs=1e-12)
    compared = 0
    for k, row in enumerate(contacts.candidate):
        try:
            speed, rate = rates_by_differences(system, cand, poses, velocities, int(row))
        except ValueError:
            continue  # it leaves its edge or its arc within a difference
        assert rows.speeds[k] == pytest.approx(speed, abs=1e-6)
        assert rows.rates[k] == pytest.approx(rate, rel=1e-4, abs=1e-4)
        compared += 1
    assert compared or not len(contacts)


def test_the_column_of_a_fixed_part_is_missing_and_its_name_comes_first() -> None:
    parts = {"b": {"shape": BOX}, "wall": {"shape": BOX, "fixed": True}}
    system = compile_system(convert.mechanism({"parts": parts}))
    state = at(system, (0.5, 2.0, 0.0), (0.0, 0.0, 0.0))
    contacts = contacts_at(system, candidates(system), state)
    assert sorted(contacts.names) == ["wall/0.e2:b/0.v0", "wall/0.v2:b/0.e0"]
    rows = contact_rows(system, contacts, state)
    assert rows.matrix.shape == (2, 3)
    # A corner at (-1.5, 1) and one at (2, 1), both pushed along +y.
    arms = dict(zip(contacts.names, rows.matrix.tolist(), strict=True))
    assert arms["wall/0.e2:b/0.v0"] == pytest.approx([0, 1, -2])
    assert arms["wall/0.v2:b/0.e0"] == pytest.approx([0, 1, 1.5])


@pytest.mark.parametrize(("height", "touches"), [(2 - 1e-6, False), (2 - 1e-10, True), (2 + 1e-6, False)])
def test_a_contact_touches_within_the_tolerance_and_no_farther(height: float, touches: bool) -> None:
    system = system_of(BOX, BOX)
    contacts = contacts_at(system, candidates(system), at(system, (0, 0, 0), (0.5, height, 0)))
    assert bool(len(contacts)) == touches


def test_a_corner_past_two_edges_of_a_corner_is_pushed_out_by_the_nearer() -> None:
    """One box stands in the corner of another: 0.2 past its top, 0.3 past its side."""
    system = system_of(BOX, BOX)
    state = at(system, (0, 0, 0), (3.7, 1.8, 0))
    contacts = contacts_at(system, candidates(system), state, within=0, depth=1)
    assert set(contacts.names) == {"a/0.e2:b/0.v0", "a/0.v2:b/0.e0"}
    assert contacts.gap == pytest.approx([-0.2, -0.2])


def test_a_corner_in_a_notch_is_pushed_by_both_edges() -> None:
    stairs = {"outline": [[0, 0], [4, 0], [4, 2], [2, 2], [2, 4], [0, 4]]}
    system = system_of(stairs, BOX)
    # The box's corner (-2, -1) at (1.9, 1.8): past the stair's floor by 0.2, past its wall by 0.1.
    contacts = contacts_at(
        system, candidates(system), at(system, (0, 0, 0), (3.9, 2.8, 0)), within=0, depth=1
    )
    mine = {
        name: gap for name, gap in zip(contacts.names, contacts.gap, strict=True) if name.endswith("b/0.v0")
    }
    assert mine == {"a/0.e2:b/0.v0": pytest.approx(-0.2), "a/0.e3:b/0.v0": pytest.approx(-0.1)}


SLOT = {"difference": [BOX, {"outline": [[-1.5, -0.7], [1.5, -0.7], [1.5, 0.7], [-1.5, 0.7]]}]}


@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize("lift", [0.03, -0.02, 0.0, -0.1])
@pytest.mark.parametrize("angle", [0.0, 2.1])
def test_a_disc_between_two_walls_has_its_gap_to_each(swapped: bool, lift: float, angle: float) -> None:
    """As wide as the slot, or by 0.06 wider: what the disc is past on one side it may lack on the other."""
    for radius in (0.7, 0.73):
        first, second = ({"circle": radius}, SLOT) if swapped else (SLOT, {"circle": radius})
        slot_pose = (0.4, -0.3, angle)
        disc_pose = (0.4 - math.sin(angle) * lift, -0.3 + math.cos(angle) * lift, 0.0)
        system = system_of(first, second)
        poses = (disc_pose, slot_pose) if swapped else (slot_pose, disc_pose)
        contacts = contacts_at(system, candidates(system), at(system, *poses), within=0.2, depth=0.2)
        expected = sorted(0.7 - radius + side * lift for side in (-1, 1))
        assert sorted(contacts.gap) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(("tilt", "corners"), [(0.0, {"v0"}), (0.0099, {"v0"}), (0.0101, {"v0", "v1"})])
def test_both_corners_of_a_leaning_edge_count_up_to_the_tilt(tilt: float, corners: set[str]) -> None:
    floor = {"outline": [[-9, -1], [9, -1], [9, 1], [-9, 1]]}
    system = system_of(floor, BOX)
    state = at(system, (0, 0, 0), (0.0, 1.95, 0.01))
    contacts = contacts_at(system, candidates(system), state, within=0, depth=0.2, tilt=tilt)
    assert set(contacts.names) == {f"a/0.e2:b/0.{corner}" for corner in corners}


def test_a_buried_side_of_a_union_touches_nothing_and_that_of_a_primitive_does() -> None:
    """Two blocks in a row, the second from x = 1 on: the side x = 2 of the first is buried."""
    row = {"union": [BOX, {**BOX, "moves": [{"move": [3, 0]}]}]}
    system = system_of(row, {"outline": [[0, 0], [1, -0.3], [1, 0.3]]})
    tip = at(system, (0, 0, 0), (1.9, 0.0, 0.0))  # 0.1 past that side
    names = {
        kind: set(contacts_at(system, candidates(system, bounded=kind), tip, within=0, depth=0.2).names)
        for kind in ("outline", "primitives")
    }
    assert "a/0.e1:b/0.v0" in names["primitives"]
    assert not any(name.endswith("b/0.v0") for name in names["outline"])


BEARING_AT = {"lever": (0, Fraction(15, 2)), "bwheel": (0, 20), "ewheel": (0, 0)}
BEARINGS = {"lever": ("frame", "lever"), "bwheel": ("frame", "bwheel"), "ewheel": ("frame", "ewheel")}


@cache
def escapement(*, joined: bool = False) -> System:
    """The published escapement; its bearings as they are, or as joints."""
    system = compile_system(native.load(REFERENCE / "machines" / "escapement.toml"))
    if not joined:
        return system
    why = "its pin fills its hole"
    joints = [
        InferredJoint(name, "revolute", between, (*BEARING_AT[name], 0), (0, 0, 1), why)
        for name, between in BEARINGS.items()
    ]
    return with_joints(system, joints)


@cache
def candidates_of(system: System) -> Candidates:
    return candidates(system, plane=True)


def test_an_escapement_touches_in_its_bearings_until_they_are_joints() -> None:
    system = escapement()
    cand = candidates(system, plane=True)
    contacts = contacts_at(system, cand, system.drawn)
    bearings = {"frame/1.a0:ewheel/11.a0", "frame/2.a0:lever/7.a0", "frame/3.a0:bwheel/2.a0"}
    assert set(contacts.names) == bearings
    assert contacts.point.shape == contacts.arm_a.shape == (3, 3)
    joined = escapement(joined=True)
    left = candidates(joined)
    assert not bearings & {left.name(k) for k in range(len(left))}
    # A lever in its bearing still has its stops.
    pairs = {tuple(joined.bodies[b].name for b in left.pairs[k]) for k in left.listed[:, 3]}
    assert ("frame", "lever") in pairs


@pytest.mark.parametrize("seed", range(30))
def test_rings_leave_out_only_what_never_touches(seed: int) -> None:
    """Wherever wheel, lever and balance are turned, the contacts with and without joints are the same."""
    rng = random.Random(seed)
    free, joined = escapement(), escapement(joined=True)
    wide, narrow = candidates_of(free), candidates_of(joined)
    assert len(narrow) < 0.8 * len(wide)
    state = turned(joined, [rng.uniform(-3, 3) for _ in joined.bodies])
    bearings = {"frame/1.a0:ewheel/11.a0", "frame/2.a0:lever/7.a0", "frame/3.a0:bwheel/2.a0"}
    names = [
        set(contacts_at(system, cand, state, within=0, depth=0.3).names) - bearings
        for system, cand in ((free, wide), (joined, narrow))
    ]
    assert names[0] == names[1]


def turned(system: System, angles: list[float]) -> State:
    """Bodies turned about their bearings, as drawn; the frame stays."""
    poses = system.drawn.poses.copy()
    for body, angle in enumerate(angles):
        name = system.bodies[body].name
        if name != "frame":
            c, s = math.cos(angle), math.sin(angle)
            x, y = (float(c) for c in BEARING_AT[name])
            dx, dy = poses[body, 0] - x, poses[body, 1] - y
            poses[body, :2] = x + c * dx - s * dy, y + s * dx + c * dy
            turn = np.array([math.cos(angle / 2), 0, 0, math.sin(angle / 2)])
            poses[body, 3:] = product(turn, poses[body, 3:])
    return State(poses, np.zeros((len(poses), 6)))


def product(p: Any, q: Any) -> Any:
    """Of quaternions."""
    w, v = p[0] * q[0] - p[1:] @ q[1:], p[0] * q[1:] + q[0] * p[1:] + np.cross(p[1:], q[1:])
    return np.array([w, *v])


def test_a_machine_in_space_that_can_leave_the_plane_touches_with_faces_edges_and_corners() -> None:
    block = {"block": [1, 1, 1]}
    document = {"dimension": 3, "parts": {"a": {"shape": block, "fixed": True}, "b": {"shape": block}}}
    system = compile_system(convert.mechanism(document))
    assert isinstance(candidates(system), SpaceCandidates)
    assert isinstance(candidates(system, plane=True), Candidates)
    with pytest.raises(UnsupportedError, match="whole boundary"):
        candidates(system, bounded="primitives")


def test_given_contacts_are_a_point_on_a_plane_at_any_state() -> None:
    """Seen as a box's corner on a floor, against the same corner found from shapes."""
    document: dict[str, Any] = {
        "units": "mm",
        "parts": {"floor": {"fixed": True}, "box": {"pose": {"at": [10, 5]}}},
        "contacts": [{"between": ["floor", "box"], "point": [8, 4], "normal": [0, 2]}],
        "touching": {"friction": 0.3},
    }
    system = compile_system(convert.mechanism(document))
    rng = random.Random(4)
    for _ in range(20):
        x, y, angle = rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-3, 3)
        velocities = np.array([[0, 0, 0], [rng.uniform(-1, 1) for _ in range(3)]], float)
        state = State(np.array([[0, 0, 0], [x, y, angle]]), velocities)
        contacts = given_at(system, state)
        corner = np.array([x, y]) + np.array(
            [
                math.cos(angle) * -0.002 - math.sin(angle) * -0.001,
                math.sin(angle) * -0.002 + math.cos(angle) * -0.001,
            ]
        )
        assert contacts.names == ("floor:box",)
        assert contacts.friction == (0.3,)
        assert contacts.gap == pytest.approx([corner[1] - 0.004])
        assert contacts.point == pytest.approx(corner[None])
        rows = contact_rows(system, contacts, state)
        assert rows.matrix @ velocities[1] == pytest.approx(rows.speeds)
        assert rows.rates == pytest.approx([-(velocities[1, 2] ** 2) * (corner[1] - y)])


@pytest.mark.parametrize("seed", range(10))
def test_the_loop_over_arrays_is_the_same_at_both_speeds(seed: int) -> None:
    rng = random.Random(seed)
    system = escapement()
    cand = candidates_of(system)
    poses = turned(system, [rng.uniform(-3, 3) for _ in system.bodies]).poses
    kernel = KERNELS["detent.contact.at_state.find_contacts"]
    answers = []
    for twin in (kernel.plain, kernel.compiled):
        chosen, values = np.zeros(len(cand), np.int64), np.zeros((len(cand), 10))
        count = twin(*cand.arrays, cand.plane.poses(poses), 0.5, 0.5, 1e-9, 0.0, chosen, values)
        answers.append((chosen[:count].tolist(), values[:count]))
    assert answers[0][0] == answers[1][0]
    assert answers[0][1] == pytest.approx(answers[1][1], abs=1e-12)
