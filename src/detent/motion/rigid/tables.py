"""A machine as the rigid method's loop sees it: bodies in joint coordinates, what can touch, and room to work in."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from detent.contact.features import EDGE, RADIUS
from detent.mechanics.tree import LoopTables
from detent.mechanics.tree_kernels import (
    COSINE,
    HUB_X,
    INERTIA,
    PIN,
    REACH,
    SIGN,
    PlaneMachine,
    PlaneState,
    plane_state,
)

if TYPE_CHECKING:
    from detent.contact.candidate import Candidates

MOST_TOUCHING = 24  # contacts at once
# Rows of the columns of a contact problem.
RATES, RIGHT, FORCES, AFTER, MU, SLIDING = range(6)
FRICTION, RESTITUTION = 0, 1


class Touchable(NamedTuple):
    """Candidates as arrays: those of `contact.candidate`, and what a pair rubs and rebounds with."""

    data: Any
    notch: Any
    identity: Any
    listed: Any  # pair after pair
    pairs: Any
    rub: Any  # (pairs, 2): friction, restitution


class Room(NamedTuple):
    """Arrays of a contact problem, written again and again; C contacts, m freedoms."""

    mass: Any  # (m, m): then its factor
    force: Any  # (m,)
    rows: Any  # (2 C, m): normal rows of n contacts, then their tangential rows
    inverse: Any  # (2 C, m): what a unit force of each does to the accelerations
    columns: Any  # (6, 2 C)
    problem: Any  # (2 C, 2 C)
    contacts: Any  # (C, 10): columns of `contact.at_state`
    bodies: Any  # (2, C) int
    solid: Any  # (2, C, 3): points and normals, in space
    rates: Any  # (C, 2)
    origins: Any  # (N, 3)
    spatial: Any  # (N, 6)
    held: Any  # (B, m + 2): rows of closing joints, then of drives; how far open; rate
    pose_AB: Any  # (4,)


class Rigid(NamedTuple):
    """All of it."""

    machine: PlaneMachine
    state: PlaneState
    touchable: Touchable
    loops: LoopTables
    room: Room


def rigid_tables(machine: PlaneMachine, possible: Candidates, rub: Any, loops: LoopTables) -> Rigid:
    """The tables of a machine and its candidates; its bodies get their reach from the candidates' features."""
    bodies = machine.bodies.copy()
    bodies[:, REACH] = _reaches(possible, bodies)
    touchable = Touchable(*possible.arrays, rub)
    return _with_room(machine._replace(bodies=bodies), touchable, loops)


def _with_room(machine: PlaneMachine, touchable: Touchable, loops: LoopTables) -> Rigid:
    freedoms, bodies, most = machine.follow.shape[1], len(machine.bodies), MOST_TOUCHING
    held = int(loops.rows[0]) + len(loops.driven)
    room = Room(
        np.zeros((freedoms, freedoms)), np.zeros(freedoms), np.zeros((2 * most, freedoms)),
        np.zeros((2 * most, freedoms)), np.zeros((6, 2 * most)), np.zeros((2 * most, 2 * most)),
        np.zeros((most, 10)), np.zeros((2, most), np.int64), np.zeros((2, most, 3)), np.zeros((most, 2)),
        np.zeros((bodies, 3)), np.zeros((bodies, 6)), np.zeros((held, freedoms + 2)), np.zeros(4),
    )  # fmt: skip
    return Rigid(machine, plane_state(machine), touchable, loops, room)


def _reaches(possible: Candidates, bodies: Any) -> Any:
    features, reach = possible.features, np.zeros(len(bodies))
    for row in range(len(features)):
        body, data = features.body[row], features.data[row]
        hub = bodies[body, HUB_X : HUB_X + 2]
        if features.kind[row] == EDGE:
            far = max(math.dist(data[:2], hub), math.dist(data[2:4], hub))
        else:
            far = math.dist(data[:2], hub) + data[RADIUS]
        reach[body] = max(reach[body], far)
    return reach


def sample_rigid() -> Rigid:
    """A disc with a corner, on an axle above a fixed edge: the sample of this room's kernels."""
    link = np.zeros((1, 11))
    link[0, SIGN] = 1.0
    bodies = np.zeros((2, 12))
    bodies[:, COSINE], bodies[1, INERTIA], bodies[:, REACH] = 1.0, 0.5, 1.5
    machine = PlaneMachine(
        np.array([[1, 0, PIN, 0]]),
        link,
        np.ones((1, 1)),
        np.array([[0.0, 1.0, 0.3, 0.1, 0.0]]),
        bodies,
        np.zeros(2),
    )
    data = np.zeros((2, 9))
    data[0, :4] = -1.0, -1.0, 1.0, -1.0
    data[1] = 0.9, -0.9, 0.0, 1.0, 1.0, 0.0, 0.0, -1.0, 1.0
    data[0, :4] = 1.0, -1.1, -1.0, -1.1
    touchable = Touchable(
        data,
        np.full((2, 2), -1),
        np.arange(2),
        np.array([[0, 0, 1, 0, 0]]),
        np.array([[0, 1]]),
        np.array([[0.2, 0.0]]),
    )
    loops = LoopTables(
        np.zeros((0, 7), np.int64),
        np.zeros((0, 2, 3, 4)),
        np.zeros((0, 2)),
        np.zeros((0, 3)),
        np.zeros(1, np.int64),
    )
    return _with_room(machine, touchable, loops)


def sample_touching() -> Any:
    """No candidate touches, or its only one."""
    return np.zeros(MOST_TOUCHING, np.int64)
