"""A machine as the penalty method's loop sees it: bodies in joint coordinates, what can touch, and room to
work in."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from detent.contact.candidate import FIRST, FLIPPED, PAIR, SECOND
from detent.contact.features import EDGE, RADIUS, farthest
from detent.mechanics.tree_kernels import (
    HUB_X,
    HUB_Y,
    PlaneMachine,
    PlaneState,
    plane_state,
    sample_lever,
)

if TYPE_CHECKING:
    from detent.contact.candidate import Candidates
    from detent.contact.features import FeatureTable

MOST_TOUCHING = 32  # contacts at once
# Columns of a pair's law: force per overlap, force per overlap and its rate, friction, and the sliding
# speed at which friction is fully there but for a share of 1 - 1/sqrt 2.
STIFFNESS, DAMPING, FRICTION, SLIPPING = range(4)
# Entries of the limits: how deep a contact begins to be looked for, how far bodies may move before near
# candidates are listed anew, how far an edge may lean (as a sine), the travel between two looks at a step,
# and the difference of overlaps over which one contact of two primitives takes over from another (0: on
# outlines all act).
DEPTH, MARGIN, LEANING, GRAIN, BLEND = range(5)
# Columns of a contact's push: by the law, its share that acts, elastic force, rate of overlap, friction
# force, sliding speed.
PUSH, SHARE, ELASTIC, DEEPENING, RUBBING, SLIDING = range(6)


class Overlapping(NamedTuple):
    """All of it. C contacts, m freedoms, n candidates."""

    machine: PlaneMachine
    state: PlaneState
    data: Any  # features, their notches and names by number, candidates, pairs: as `Candidates.arrays`
    notch: Any
    identity: Any
    listed: Any
    pairs: Any
    law: Any  # (pairs, 4); of single primitives, pairs are those of primitives
    limits: Any  # (5,)
    reach: Any  # (bodies,): of its features from its hub
    count: Any  # (2,) int: near candidates; how often they were listed, 0: not yet
    near: Any  # (n,) int: rows of `listed`
    near_listed: Any  # (n, 5)
    near_at: Any  # (bodies, 3): hubs and angles at which they were listed
    chosen: Any  # (n,) int
    values: Any  # (n + C, 10)
    matrices: Any  # (5, m, m): mass at the beginning, stiffness, damping, a factored one, mass
    rows: Any  # (2 C, m): normal, then tangential
    pushes: Any  # (C, 6)
    force: Any  # (m,)


def overlapping(
    machine: PlaneMachine, possible: Candidates, law: Any, *, primitives: bool, size: float
) -> Overlapping:
    """The tables of a machine and its candidates."""
    features = possible.features
    numbers: dict[str, int] = {}
    names = [name.rpartition("." if primitives else "/")[0] for name in features.names]
    solid = np.array([numbers.setdefault(name, len(numbers)) for name in names], np.int64)
    depth = _HALF * thinnest(features, solid, _LEAST_THICKNESS * size) if len(features) else size
    data, notch, identity, listed, pairs = possible.arrays
    if primitives:
        listed, pairs, law = _by_primitives(listed, pairs, law, solid)
    # A corner of a primitive pushes whichever way it points: its cone has no bounds.
    leaning, blend = (2.0, _BLEND * size) if primitives else (_LEANING, 0.0)
    limits = np.array([depth, _MARGIN * size, leaning, depth / 4, blend])
    return _with_room(
        machine,
        (data, notch, identity, listed, pairs),
        law,
        limits,
        farthest(features, machine.bodies[:, HUB_X : HUB_Y + 1]),
    )


def _by_primitives(listed: Any, pairs: Any, law: Any, solid: Any) -> tuple[Any, Any, Any]:
    """Candidates whose pairs are pairs of primitives, each with its bodies and their law."""
    first = np.where(listed[:, FLIPPED] == 0, listed[:, FIRST], listed[:, SECOND])
    second = np.where(listed[:, FLIPPED] == 0, listed[:, SECOND], listed[:, FIRST])
    keys = np.column_stack([listed[:, PAIR], solid[first], solid[second]])
    kinds, number = np.unique(keys, axis=0, return_inverse=True)
    listed = listed.copy()
    listed[:, PAIR] = number.reshape(-1)
    return listed, pairs[kinds[:, 0]], law[kinds[:, 0]]


# A corner deeper than half of what it went into is nearer to the other side; a little less, to stay off the
# tie.
_HALF = 0.45
# Of the size: no part counts as thinner; near candidates are listed within; contacts of two primitives
# blend over.
_LEAST_THICKNESS = 2e-3
_MARGIN = 0.03
_BLEND = 1e-5
# Sine of the angle at which an edge still lies flat on another, with both its corners.
_LEANING = 0.02


def _with_room(machine: PlaneMachine, arrays: Any, law: Any, limits: Any, reach: Any) -> Overlapping:
    freedoms, bodies, most, n = machine.follow.shape[1], len(machine.bodies), MOST_TOUCHING, len(arrays[3])
    data, notch, identity, listed, pairs = arrays
    return Overlapping(
        machine, plane_state(machine), data, notch, identity, listed, pairs, law, limits, reach,
        np.zeros(2, np.int64),
        np.zeros(n, np.int64), np.zeros((n, 5), np.int64), np.zeros((bodies, 3)), np.zeros(n, np.int64),
        np.zeros((n + most, 10)), np.zeros((5, freedoms, freedoms)), np.zeros((2 * most, freedoms)),
        np.zeros((most, 6)), np.zeros(freedoms),
    )  # fmt: skip


def thinnest(features: FeatureTable, solid: Any, least: float) -> float:
    """The smallest thickness of material: behind the middle of an edge of a solid, or of a disc; at least
    `least`."""
    thickness = math.inf
    for rows in (np.flatnonzero(solid == k) for k in np.unique(solid)):
        data = features.data[rows]
        edges = data[features.kind[rows] == EDGE, :4]
        discs = data[features.kind[rows] != EDGE]
        round_ones = discs[(discs[:, RADIUS] > 0) & (discs[:, 3] > 0), RADIUS]
        if len(round_ones):
            thickness = min(thickness, 2 * float(round_ones.min()))
        if len(edges):
            thickness = min(thickness, _behind_edges(edges))
    return max(thickness, least)


def _behind_edges(edges: Any) -> float:
    """From the middle of each edge straight into the material, to the next edge."""
    start, along = edges[:, :2], edges[:, 2:] - edges[:, :2]
    middle, inwards = start + along / 2, np.column_stack([-along[:, 1], along[:, 0]])
    inwards = inwards / np.hypot(*along.T)[:, None]
    cross = inwards[:, None, 0] * along[None, :, 1] - inwards[:, None, 1] * along[None, :, 0]
    to = start[None] - middle[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        away = (to[..., 0] * along[None, :, 1] - to[..., 1] * along[None, :, 0]) / cross
        share = (to[..., 0] * inwards[:, None, 1] - to[..., 1] * inwards[:, None, 0]) / cross
    met = (np.abs(cross) > 1e-12) & (away > 0) & (share >= 0) & (share <= 1)
    np.fill_diagonal(met, val=False)
    return float(away[met].min()) if met.any() else math.inf


def sample_overlapping() -> Overlapping:
    """A disc with a corner, on an axle, past a fixed edge: the sample of this folder's kernels."""
    data = np.zeros((2, 9))
    data[0, :4] = 1.0, -0.89, -1.0, -0.89
    data[1] = 0.9, -0.9, 0.0, 1.0, 1.0, 0.0, 0.0, -1.0, 1.0
    arrays = (data, np.full((2, 2), -1), np.arange(2), np.array([[0, 0, 1, 0, 0]]), np.array([[0, 1]]))
    law, limits = np.array([[1e3, 1e3, 0.2, 1e-3]]), np.array([0.1, 0.1, 0.02, 0.02, 0.0])
    return _with_room(sample_lever(), arrays, law, limits, np.full(2, 1.5))
