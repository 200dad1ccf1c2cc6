"""Contacts at a state against the methods that find them otherwise: events of fasteners, modes as drawn."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec import structs

from detent.contact import Candidates, Contacts, candidates, contacts_at, contacts_of, given_at, mode_contacts
from detent.foundation import UnsupportedError
from detent.io.native import document as native
from detent.judge import mate
from detent.model.machine import State, System, compile_system
from detent.model.reading import convert
from tests.conftest import DATA, reference_documents

EXAMPLES = DATA.parents[1] / "examples"
FASTENERS = [
    "snap_t",
    "snap_t_holds",
    "ratchet_rack",
    "snap_diagonal",
    "motion_diode",
    "segment_over_peak",
    "snap_holds",
]
# Of the machine's size: a contact that an event names touches within this.
TOUCHING = 1e-9


@cache
def machine(name: str) -> tuple[System, Candidates, dict[str, Any]]:
    mechanism = native.load(EXAMPLES / f"{name}.toml")
    system = compile_system(mechanism)
    return system, candidates(system), json.loads(mate(mechanism).to_json())


def shifted(system: System, legs: list[dict[str, Any]], number: int, time: float) -> np.ndarray:
    """How far the root has gone, leg after leg [m]."""
    (drive,) = system.mechanism.drives.values()
    ends = [leg["end"]["time"] for leg in legs[:number]] + [time]
    shift = np.zeros(2)
    for leg, end, told in zip(legs, ends, drive.legs, strict=False):
        velocity = np.array([float(v) for v in told.velocity or ()])
        shift += velocity * (end - leg["start"])
    return shift * system.metres_per_unit


def with_pawl(system: System, shift: np.ndarray, joint: str, angle: float) -> State:
    """The root carried along, and one pawl turned about its hinge."""
    poses = system.drawn.poses.copy()
    moving = [k for k, body in enumerate(system.bodies) if not body.fixed]
    poses[moving, :2] += shift
    hinge = system.joint(joint)
    (drive,) = system.mechanism.drives.values()
    root = system.index[drive.part or ""]
    end, sense = (hinge.b, 1.0) if hinge.a.body == root else (hinge.a, -1.0)
    turned = sense * angle
    c, s = math.cos(turned), math.sin(turned)
    at = system.drawn.matrices[end.body] @ np.array([end.point.real, end.point.imag, 0, 1])
    arm = system.drawn.poses[end.body, :2] - at[:2]
    rotated = np.array([c * arm[0] - s * arm[1], s * arm[0] + c * arm[1]])
    poses[end.body] = [*(at[:2] + shift + rotated), poses[end.body, 2] + turned]
    return State(poses, np.zeros_like(poses))


def named_at_events(name: str) -> Iterator[tuple[str, State]]:
    """Each contact that an event of `mate` names, with the state at which it touches."""
    system, _, answer = machine(name)
    for number, leg in enumerate(answer["legs"]):
        for event in leg["events"]:
            if "joint" not in event:
                continue
            shift = shifted(system, answer["legs"], number, event["time"])
            before = with_pawl(system, shift, event["joint"], event["coordinate"])
            landed = event.get("coordinate_after", event["coordinate"])
            after = with_pawl(system, shift, event["joint"], landed)
            yield from ((contact, before) for contact in (*event["before"], *event.get("touching", ())))
            yield from ((contact, after) for contact in event["after"])


@pytest.mark.parametrize("name", FASTENERS)
def test_the_contacts_that_events_name_touch_at_the_state_of_the_event(name: str) -> None:
    system, cand, _ = machine(name)
    compared = 0
    for contact, state in named_at_events(name):
        found = contacts_at(system, cand, state, within=1e-6 * system.size, depth=1e-6 * system.size)
        gaps = dict(zip(found.names, found.gap, strict=True))
        assert contact in gaps
        assert abs(gaps[contact]) < TOUCHING * system.size
        compared += 1
    assert compared > 0


def test_the_fasteners_name_as_many_contacts_as_ever() -> None:
    counts = {name: sum(1 for _ in named_at_events(name)) for name in FASTENERS}
    assert counts["snap_t"] == 22
    assert sum(counts.values()) == 101


def unit_rows(contacts: Contacts, system: System) -> list[list[float]]:
    """Normal rows for unit normals, in floats, sorted."""
    dimension = system.dimension
    rows = contacts.floats.normal
    sizes = []
    for row, site in zip(rows, contacts.sites, strict=True):
        body = max(site.between) * (3 if dimension == 2 else 6)
        sizes.append(np.linalg.norm(row[body : body + dimension]))
    scaled = rows / np.array(sizes)[:, None] if len(rows) else rows
    return sorted(np.round(scaled, 9).tolist())


DOCUMENTS = [*sorted(EXAMPLES.glob("*.toml")), *reference_documents()]


def gives_contacts(path: Path) -> bool:
    mechanism = native.load(path)
    return mechanism.rows is None and bool(mechanism.contacts)


def has_shapes_in_the_plane(path: Path) -> bool:
    mechanism = native.load(path)
    shapes = [part.shape for part in mechanism.parts.values() if part.shape is not None]
    return mechanism.dimension == 2 and len(shapes) > 1


def has_segments(path: Path) -> bool:
    """Shapes without area, which the exact reader refuses."""
    shapes = [part.shape for part in native.load(path).parts.values() if part.shape is not None]
    return any(shape.kind == "segment" for shape in shapes)


SHAPES_IN_THE_PLANE = list(filter(has_shapes_in_the_plane, DOCUMENTS))


@pytest.mark.parametrize("path", list(filter(gives_contacts, DOCUMENTS)), ids=lambda p: p.stem)
def test_given_contacts_have_the_rows_of_modes_as_drawn(path: Path) -> None:
    mechanism = native.load(path)
    system = compile_system(mechanism, drives_hold=False)
    exact = contacts_of(mechanism)
    mine = mode_contacts(given_at(system, system.drawn))
    assert unit_rows(mine, system) == unit_rows(exact, system)
    assert sorted(map(str, mine.friction)) == sorted(map(str, exact.friction))
    assert mine.bodies == exact.bodies
    held = [np.linalg.matrix_rank(rows) for rows in (mine.held, exact.floats.held)]
    both = np.concatenate([mine.held, exact.floats.held])
    assert held[0] == held[1] == np.linalg.matrix_rank(both)


@pytest.mark.parametrize("path", list(filter(has_segments, SHAPES_IN_THE_PLANE)), ids=lambda p: p.stem)
def test_segments_have_no_contacts_for_modes_and_have_them_at_a_state(path: Path) -> None:
    mechanism = structs.replace(native.load(path), contacts=())
    with pytest.raises(UnsupportedError, match="contacts of a segment are not found from its shape"):
        contacts_of(mechanism)
    system = compile_system(mechanism)
    assert len(contacts_at(system, candidates(system), system.drawn, within=system.size, depth=0))


@pytest.mark.parametrize(
    "path", [p for p in SHAPES_IN_THE_PLANE if not has_segments(p)], ids=lambda p: p.stem
)
def test_shapes_have_the_rows_of_modes_as_drawn(path: Path) -> None:
    """The exact reader of shapes that touch, which shares no code with candidates."""
    mechanism = structs.replace(native.load(path), contacts=())
    system = compile_system(mechanism, drives_hold=False)
    exact = contacts_of(mechanism)
    mine = mode_contacts(contacts_at(system, candidates(system), system.drawn))
    assert unit_rows(mine, system) == unit_rows(exact, system)


def boxes_at_rest(rng: random.Random) -> dict[str, Any]:
    """Boxes on boxes on a floor, flush or not, in a notch, beside a wall, with a disc in between."""
    floor = [[-20, -2], [20, -2], [20, 9], [15, 9], [15, 0], [-20, 0]]  # with a wall at x = 15
    parts: dict[str, Any] = {"floor": {"fixed": True, "shape": {"outline": floor}}}
    x = -18
    for k in range(rng.randint(2, 4)):
        w, h = rng.randint(2, 6), rng.randint(1, 4)
        if x + w > 14:
            break
        outline = [[0, 0], [w, 0], [w, h], [0, h]]
        parts[f"box{k}"] = {"shape": {"outline": outline}, "pose": {"at": [x, 0]}}
        above = rng.choice([None, "box", "disc", "flush"])
        if above == "disc":
            parts[f"disc{k}"] = {"shape": {"circle": 1}, "pose": {"at": [x + rng.randint(0, w), h + 1]}}
        elif above:
            left = 0 if above == "flush" else rng.randint(-1, w - 1)
            piece = [[0, 0], [3, 0], [3, 2], [0, 2]]
            parts[f"top{k}"] = {"shape": {"outline": piece}, "pose": {"at": [x + left, h]}}
        x += w + rng.choice([1, 3, 5])
    if rng.random() < 0.5:
        parts["corner"] = {"shape": {"outline": [[0, 0], [1, 0], [1, 1], [0, 1]]}, "pose": {"at": [14, 0]}}
    return {"parts": parts}


CORNER_ON_CORNER = 26  # of the scenes below: the exact reader has no one normal there, and refuses


def test_a_corner_on_a_corner_is_refused_for_modes() -> None:
    scene = convert.mechanism(boxes_at_rest(random.Random(CORNER_ON_CORNER)))
    with pytest.raises(UnsupportedError, match="meet corner on corner"):
        contacts_of(scene)


@pytest.mark.parametrize("seed", [seed for seed in range(40) if seed != CORNER_ON_CORNER])
def test_boxes_and_discs_at_rest_have_the_rows_of_modes(seed: int) -> None:
    mechanism = convert.mechanism(boxes_at_rest(random.Random(seed)))
    system = compile_system(mechanism)
    exact = contacts_of(mechanism)
    mine = mode_contacts(contacts_at(system, candidates(system), system.drawn))
    assert len(mine) > 0
    assert unit_rows(mine, system) == unit_rows(exact, system)


@pytest.mark.parametrize("seed", range(10))
def test_a_scene_carried_elsewhere_has_the_rows_of_modes_of_the_scene_drawn_there(seed: int) -> None:
    """Turned by the angle of 3, 4, 5 and shifted: at that state, and drawn so."""
    drawn = boxes_at_rest(random.Random(seed))
    carried: dict[str, Any] = {"parts": {}}
    for name, part in drawn["parts"].items():
        x, y = part.get("pose", {"at": [0, 0]})["at"]
        at = [(4 * x - 3 * y) / 5 + 7, (3 * x + 4 * y) / 5 - 11]
        carried["parts"][name] = {**part, "pose": {"at": at, "along": [4, 3]}}
    mechanism = convert.mechanism(carried)
    exact = contacts_of(mechanism)
    system = compile_system(convert.mechanism(drawn))
    state = compile_system(mechanism).drawn
    mine = mode_contacts(contacts_at(system, candidates(system), state))
    assert unit_rows(mine, system) == unit_rows(exact, system)
