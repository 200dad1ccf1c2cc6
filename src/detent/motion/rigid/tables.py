"""A machine as the rigid method's loop sees it: bodies in joint coordinates, candidates, limits, tolerances."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from detent.contact.candidate import Candidates
from detent.contact.features import CENTRE_X, EDGE, RADIUS
from detent.mechanics.tree_dynamics import DynamicTables
from detent.mechanics.tree_kernels import PIN, tree_room

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_TOUCHING = 24  # contacts at once


class LoopTables(NamedTuple):
    """Joints that close loops, as `joint_rows` reads them, and driven coordinates."""

    bodies: Any
    codes: Any
    frames: Any
    aligned: Any
    numbers: Any
    drawn: Any
    count: Any  # rows of joints
    driven: Any  # (d, 3): coordinate, speed, value at the start


class RigidTables(NamedTuple):
    """What does not change along a run."""

    dynamics: DynamicTables
    data: Any  # of features
    notch: Any
    identity: Any
    listed: Any  # candidates, pair after pair
    pairs: Any
    friction: Any  # (pairs,)
    restitution: Any
    hubs: Any  # (N, 2): a point of each body, in its section frame, that its own coordinate leaves in place
    reach: Any  # (N,): how far its features are from it
    hub_arms: Any  # (n,): of each link, from its parent's hub to its own, where that is constant
    loops: LoopTables


class Room(NamedTuple):
    """Arrays that are written again and again."""

    coordinates: Any
    poses: Any
    angles: Any
    speeds: Any
    spans: Any
    products: Any
    mass: Any
    force: Any
    rows: Any  # (2 C, m): normal rows, then tangential ones
    rates: Any  # (2 C,)
    contacts: Any  # (C, 10): columns of `at_state`
    inverse: Any  # (2 C, m): mass^-1 rows'
    problem: Any  # (2 C, 2 C)
    right: Any  # (2 C,)
    forces: Any  # (2 C,)
    after: Any  # (2 C,)
    pose_AB: Any
    spatial: Any  # (N, 6)
    origins: Any  # (N, 3)
    point3: Any  # (C, 3)
    normal3: Any
    pair_rates: Any  # (C, 2)
    bodies_a: Any  # (C,)
    bodies_b: Any
    mu: Any
    bilateral: Any  # (B, m): rows of closing joints and of drives
    bilateral_rates: Any
    bilateral_values: Any


def room_of(tables: RigidTables) -> Room:
    tree = tables.dynamics.tree
    freedoms, bodies, most = tree.follow.shape[1], len(tree.poses), MOST_TOUCHING
    rows = int(tables.loops.count) + len(tables.loops.driven)
    return Room(
        *tree_room(tree),
        np.zeros((freedoms, freedoms)),
        np.zeros(freedoms),
        np.zeros((2 * most, freedoms)),
        np.zeros(2 * most),
        np.zeros((most, 10)),
        np.zeros((2 * most, freedoms)),
        np.zeros((2 * most, 2 * most)),
        np.zeros(2 * most),
        np.zeros(2 * most),
        np.zeros(2 * most),
        np.zeros(4),
        np.zeros((bodies, 6)),
        np.zeros((bodies, 3)),
        np.zeros((most, 3)),
        np.zeros((most, 3)),
        np.zeros((most, 2)),
        np.zeros(most, np.int64),
        np.zeros(most, np.int64),
        np.zeros(most),
        np.zeros((rows, freedoms)),
        np.zeros(rows),
        np.zeros(rows),
    )


def no_loops(bodies: int) -> LoopTables:
    return LoopTables(
        np.zeros((0, 3), np.int64), np.zeros((0, 4), np.int64), np.zeros((0, 2, 3, 4)), np.zeros((0, 3, 4)),
        np.zeros((0, 2)), np.zeros((bodies, 4, 4)), 0, np.zeros((0, 3)),
    )  # fmt: skip


def tables_of(
    dynamics: DynamicTables, possible: Candidates, friction: Any, restitution: Any, loops: LoopTables
) -> RigidTables:
    data, notch, identity, listed, pairs = possible.arrays
    hubs, arms = _hubs(dynamics)
    return RigidTables(
        dynamics, data, notch, identity, listed, pairs, friction, restitution, hubs,
        _reaches(possible, hubs), arms, loops,
    )  # fmt: skip


def _hubs(dynamics: DynamicTables) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    tree = dynamics.tree
    hubs, arms = np.zeros((len(tree.poses), 2)), np.zeros(len(tree.links))
    for k, (body, parent, kind, _) in enumerate(tree.links):
        if kind == PIN:
            hubs[body] = tree.shape[k, 2:4]
            arms[k] = math.dist(tree.shape[k, :2], hubs[parent])
    return hubs, arms


def _reaches(possible: Candidates, hubs: NDArray[np.float64]) -> NDArray[np.float64]:
    features, reach = possible.features, np.zeros(len(hubs))
    for row in range(len(features)):
        body, data = features.body[row], features.data[row]
        if features.kind[row] == EDGE:
            far = max(math.dist(data[:2], hubs[body]), math.dist(data[2:4], hubs[body]))
        else:
            far = math.dist(data[CENTRE_X : CENTRE_X + 2], hubs[body]) + data[RADIUS]
        reach[body] = max(reach[body], far)
    return reach
