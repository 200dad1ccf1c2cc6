"""A machine as the penalty method's loop sees it: bodies in joint coordinates, what can touch, and room to
work in."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from detent.contact.candidate import FIRST, FLIPPED, PAIR, SECOND
from detent.contact.features import EDGE, RADIUS, SIDE, farthest
from detent.mechanics.tree import LoopTables
from detent.mechanics.tree_kernels import (
    CENTRE_X,
    CENTRE_Y,
    FREE,
    HUB_X,
    HUB_Y,
    MASS,
    PIN,
    PlaneMachine,
    PlaneState,
    place_tree,
    plane_state,
    sample_lever,
)
from detent.numeric.kernels import kernel
from detent.numeric.memory import borrowed

if TYPE_CHECKING:
    from detent.contact.candidate import Candidates
    from detent.contact.features import FeatureTable

MOST_TOUCHING = 32  # contacts at once
# Columns of a pair's law: force per overlap, force per overlap and its rate, friction, and the sliding
# speed at which friction is fully there but for a share of 1 - 1/sqrt 2.
STIFFNESS, DAMPING, FRICTION, SLIPPING = range(4)
# Entries of the limits: how deep a contact begins to be looked for, how far bodies may move before near
# candidates are listed anew, how far an edge may lean (as a sine), the travel between two looks at a step.
DEPTH, MARGIN, LEANING, GRAIN = range(4)
# Columns of a stop.
STOPPED, SIDE_OF, END, STOP_ARM = range(4)
# Columns of a contact's push: by the law, elastic force, rate of overlap, friction force, sliding speed.
PUSH, ELASTIC, DEEPENING, RUBBING, SLIDING = range(5)


class Overlapping(NamedTuple):
    """All of it. C contacts, m freedoms, n candidates."""

    machine: PlaneMachine
    state: PlaneState
    data: Any  # features, their notches and names by number, candidates, pairs: as `Candidates.arrays`
    notch: Any
    identity: Any
    listed: Any
    pairs: Any
    law: Any  # (pairs + s, 4); of single primitives, pairs are those of primitives; then the stops
    single: Any  # (pairs,) int: 1 where one contact acts, that of two convex primitives
    limits: Any  # (4,)
    reach: Any  # (bodies,): of its features from its hub
    # (3,) int: near candidates; how often they were listed, 0: not yet; 1 where axes are fixed, so that the
    # Jacobian follows from rows.
    count: Any
    near: Any  # (n,) int: rows of `listed`
    near_listed: Any  # (n, 5)
    near_at: Any  # (bodies, 3): hubs and angles at which they were listed
    chosen: Any  # (n,) int
    values: Any  # (n + C, 10)
    matrices: Any  # (5, m, m): mass at the beginning, stiffness, damping, a factored one, mass
    rows: Any  # (2 C, m): normal, then tangential
    pushes: Any  # (C, 5)
    force: Any  # (m,)
    pose: Any  # (4,): of one body in the frame of another
    order: Any  # (m,) int: of the factored matrix
    bent: Any  # (m, m): how a row changes with the coordinates
    moved: Any  # (2, 10): two bodies with other speeds
    ends: Any  # (C, 2) int: bodies of the set's contacts
    turns: Any  # (bodies,) int: 1 of a body on a pin
    room: Any  # (6, m)
    loops: Any  # (r, 3) int: rows of joints that close loops, as `mechanics.tree.LoopTables`
    closing: Any  # (r, 7)
    drives: Any  # (d, 3): coordinate, speed, value at the start
    held: Any  # (r + d, m + 2): rows, how far open, rates without accelerations
    stops: Any  # (s, 4): coordinate, 1 at its upper end and -1 at its lower, that end, the arm of its force
    stopped: Any  # (m + 2,): the row of a coordinate


def overlapping(
    machine: PlaneMachine,
    possible: Candidates,
    law: Any,
    *,
    primitives: bool,
    size: float,
    loops: LoopTables | None = None,
    drives: Any = (),
    stops: Any = (),
    stop_law: Any = (),
) -> Overlapping:
    """The tables of a machine, its candidates, what is held and where joints stop."""
    features = possible.features
    numbers: dict[str, int] = {}
    names = [name.rpartition("." if primitives else "/")[0] for name in features.names]
    solid = np.array([numbers.setdefault(name, len(numbers)) for name in names], np.int64)
    depth = _HALF * thinnest(features, solid, _LEAST_THICKNESS * size) if len(features) else size
    data, notch, identity, listed, pairs = possible.arrays
    single = np.zeros(len(pairs), np.int64)
    if primitives:
        listed, pairs, law, single = _by_primitives(listed, pairs, law, solid, convex(features, solid))
    # A corner of a primitive pushes whichever way it points: its cone has no bounds.
    limits = np.array([depth, _MARGIN * size, 2.0 if primitives else _LEANING, depth / 4])
    return _with_room(
        machine,
        (data, notch, identity, listed, pairs),
        np.concatenate([law, np.array(stop_law, float).reshape(-1, 4)]),
        single,
        limits,
        farthest(features, machine.bodies[:, HUB_X : HUB_Y + 1]),
        NOTHING_HELD if loops is None else loops,
        np.array(drives, float).reshape(-1, 3),
        np.array(stops, float).reshape(-1, 4),
    )


NOTHING_HELD = LoopTables(np.zeros((0, 3), np.int64), np.zeros((0, 7)), {})


def _by_primitives(listed: Any, pairs: Any, law: Any, solid: Any, convex: Any) -> tuple[Any, Any, Any, Any]:
    """Candidates whose pairs are pairs of primitives, each with its bodies, their law, and whether both are
    convex."""
    first = np.where(listed[:, FLIPPED] == 0, listed[:, FIRST], listed[:, SECOND])
    second = np.where(listed[:, FLIPPED] == 0, listed[:, SECOND], listed[:, FIRST])
    keys = np.column_stack([listed[:, PAIR], solid[first], solid[second]])
    kinds, number = np.unique(keys, axis=0, return_inverse=True)
    listed = listed.copy()
    listed[:, PAIR] = number.reshape(-1)
    both = convex[kinds[:, 1]] & convex[kinds[:, 2]]
    return listed, pairs[kinds[:, 0]], law[kinds[:, 0]], both.astype(np.int64)


def convex(features: FeatureTable, solid: Any) -> Any:
    """By solid: whether it has neither a notch nor a hole."""
    hollow = (features.notch >= 0).any(axis=1) | ((features.kind != EDGE) & (features.data[:, SIDE] < 0))
    return np.array([not hollow[solid == k].any() for k in range(int(solid.max(initial=-1)) + 1)], bool)


# A corner deeper than half of what it went into is nearer to the other side; a little less, to stay off the
# tie.
_HALF = 0.45
# Of the size: no part counts as thinner; near candidates are listed within.
_LEAST_THICKNESS = 2e-3
_MARGIN = 0.01
# Sine of the angle at which an edge still lies flat on another, with both its corners.
_LEANING = 0.02


def _with_room(
    machine: PlaneMachine,
    arrays: Any,
    law: Any,
    single: Any,
    limits: Any,
    reach: Any,
    loops: LoopTables,
    drives: Any,
    stops: Any,
) -> Overlapping:
    freedoms, bodies, most, n = machine.follow.shape[1], len(machine.bodies), MOST_TOUCHING, len(arrays[3])
    machine = PlaneMachine(*(np.ascontiguousarray(array) for array in machine))
    held, turns = len(loops.joints) + len(drives), np.zeros(bodies, np.int64)
    turns[machine.links[machine.links[:, 2] == PIN, 0]] = 1
    data, notch, identity, listed, pairs = (np.ascontiguousarray(array) for array in arrays)
    rows, closing = np.ascontiguousarray(loops.joints), np.ascontiguousarray(loops.numbers)
    return Overlapping(
        machine, plane_state(machine), data, notch, identity, listed, pairs, np.ascontiguousarray(law),
        single, limits, reach,
        np.array([0, 0, int(fixed_axes(machine) and not held and not law[:, FRICTION].any())]),
        np.zeros(n, np.int64), np.zeros((n, 5), np.int64), np.zeros((bodies, 3)), np.zeros(n, np.int64),
        np.zeros((n + most, 10)), np.zeros((5, freedoms, freedoms)), np.zeros((2 * most, freedoms)),
        np.zeros((most, 5)), np.zeros(freedoms), np.zeros(4), np.zeros(freedoms, np.int64),
        np.zeros((freedoms, freedoms)), np.zeros((2, 10)), np.zeros((most, 2), np.int64), turns,
        np.zeros((6, freedoms)), rows, closing, drives,
        np.zeros((held, freedoms + 2)), stops, np.zeros(freedoms + 2),
    )  # fmt: skip


def fixed_axes(machine: PlaneMachine) -> bool:
    """Whether inertias and weights are the same in all positions: bodies hang on fixed ones, with weight in
    their axes."""
    moving = set(machine.links[:, 0].tolist())
    for body, parent, kind, _ in machine.links.tolist():
        row = machine.bodies[body]
        off = np.abs(row[[CENTRE_X, CENTRE_Y]] - row[[HUB_X, HUB_Y]]).max() > 0 and row[MASS] > 0
        if kind == FREE and off:
            return False
        if kind != FREE and parent in moving:
            return False
        if kind == PIN and off and machine.gravity.any():
            return False
    return True


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
    law, limits = np.array([[1e3, 1e3, 0.2, 1e-3]]), np.array([0.1, 0.1, 0.02, 0.02])
    return _with_room(
        sample_lever(),
        arrays,
        law,
        np.zeros(1, np.int64),
        limits,
        np.full(2, 1.5),
        NOTHING_HELD,
        np.zeros((0, 3)),
        np.zeros((0, 4)),
    )


def sample_placed() -> Overlapping:
    """The same with its bodies in place."""
    over = sample_overlapping()
    place_tree(over.machine, np.zeros(1), np.ones(1), over.state)
    return over


def sample_stopped() -> Overlapping:
    """The same, past a stop."""
    return sample_placed()._replace(stops=np.array([[0.0, 1.0, -0.1, 0.5]]))


@kernel(sample=lambda: (sample_overlapping(),))
def lent(over):  # type: ignore[no-untyped-def]
    """The same tables as arrays that own nothing: each view of an owned one counts its owners up and down,
    which costs more than all the rest of a step. Whoever calls a loop keeps them."""
    m, s = over.machine, over.state
    return Overlapping(
        PlaneMachine(
            borrowed(m.links), borrowed(m.link), borrowed(m.follow), borrowed(m.joints), borrowed(m.bodies),
            borrowed(m.gravity), borrowed(m.measures), borrowed(m.measure),
        ),
        PlaneState(borrowed(s.bodies), borrowed(s.spans), borrowed(s.joints), borrowed(s.measured)),
        borrowed(over.data), borrowed(over.notch), borrowed(over.identity), borrowed(over.listed),
        borrowed(over.pairs), borrowed(over.law), borrowed(over.single), borrowed(over.limits),
        borrowed(over.reach), borrowed(over.count), borrowed(over.near), borrowed(over.near_listed),
        borrowed(over.near_at), borrowed(over.chosen), borrowed(over.values), borrowed(over.matrices),
        borrowed(over.rows), borrowed(over.pushes), borrowed(over.force), borrowed(over.pose),
        borrowed(over.order), borrowed(over.bent), borrowed(over.moved), borrowed(over.ends),
        borrowed(over.turns), borrowed(over.room), borrowed(over.loops),
        borrowed(over.closing), borrowed(over.drives), borrowed(over.held), borrowed(over.stops),
        borrowed(over.stopped),
    )  # fmt: skip
