"""A machine as the rigid method's loop sees it: bodies in joint coordinates, what can touch, room to work."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from detent.contact.candidate import EDGE_DISC
from detent.contact.features import farthest
from detent.mechanics.measured import NOTHING_MEASURED, MeasuredTables, measured_tables, tree_coordinate
from detent.mechanics.tree import LoopTables
from detent.mechanics.tree_kernels import (
    HUB_X,
    HUB_Y,
    REACH,
    PlaneMachine,
    plane_state,
    sample_lever,
)
from detent.motion.rigid import layout
from detent.motion.rigid.layout import MOST_TOUCHING, packed

if TYPE_CHECKING:
    from detent.contact.candidate import Candidates
    from detent.motion.rigid.layout import Blocks


class Acting(NamedTuple):
    """What acts on measured coordinates, as tables of `layout`."""

    measured: MeasuredTables = NOTHING_MEASURED
    pieces: Any = np.zeros((0, 6))  # of drives, by time
    stops: Any = np.zeros((0, 3))
    rubbing: Any = np.zeros((0, 5))


def rigid_tables(
    machine: PlaneMachine,
    possible: Candidates,
    rub: Any,
    loops: LoopTables,
    acting: Acting,
    control: Any,
    scales: Any,
    steps: int,
) -> dict[int, Any]:
    """The tables of a machine, as drawn and at rest, with room for so many steps; the rest as in `layout`."""
    bodies = machine.bodies.copy()
    bodies[:, REACH] = farthest(possible.features, bodies[:, HUB_X : HUB_Y + 1])
    return _tables(
        machine._replace(bodies=bodies), possible.arrays, rub, loops, acting, control, scales, steps
    )


def _tables(
    machine: PlaneMachine,
    arrays: Any,
    rub: Any,
    loops: LoopTables,
    acting: Acting,
    control: Any,
    scales: Any,
    steps: int,
) -> dict[int, Any]:
    data, notch, identity, listed, pairs = arrays
    state = plane_state(machine)
    freedoms, bodies = machine.follow.shape[1], len(machine.bodies)
    most = MOST_TOUCHING + len(acting.stops) + len(acting.rubbing)
    driven = int(acting.pieces[:, 0].max()) + 1 if len(acting.pieces) else 0
    held = len(loops.joints) + driven
    zeros = {
        layout.ACTED: (len(acting.measured.joints), freedoms + 2),
        layout.DRIVEN: (driven, 5),
        layout.HELD: (held, freedoms + 2),
        layout.HELD_FORCE: (1, held),
        layout.LOADS: (2, len(acting.rubbing)),
        layout.BODY_LOADS: (bodies, 2),
        layout.MASS: (freedoms, freedoms),
        layout.FORCE: (1, freedoms),
        layout.ROWS: (2 * most, freedoms),
        layout.INVERSE: (2 * most, freedoms),
        layout.COLUMNS: (5, 2 * most),
        layout.PROBLEM: (2 * most, 2 * most),
        layout.ROOM: (2 * most + 2, 2 * most),
        layout.ORDER: (2, 2 * most),
        layout.CONTACTS: (most, 10),
        layout.POSE_AB: (1, 4),
        layout.STAGE_SPEEDS: (7, freedoms),
        layout.STAGE_RATES: (7, freedoms),
        layout.POINTS: (6, freedoms),
        layout.BOUNDS: (bodies, 5),
        layout.AWAKE: (2, len(listed)),
        layout.VIEWS: (2, 9),
        layout.WORK: (4, freedoms),
        layout.CLOCK: (1, 5),
        layout.MOTION: (3, freedoms),
        layout.SLIDING: (1, most),
        layout.ASLEEP: (2, len(listed)),
        layout.TRAVEL: (1, len(pairs)),
        layout.STEPS: (steps, 3),
        layout.STEP_POINTS: (6 * steps, freedoms),
        layout.STEP_SLIDING: (steps, most),
        layout.EVENTS: (4 * steps, 8),
        layout.TOUCHING: (3, most),
        layout.STEP_TOUCHING: (steps, most),
    }
    tables = {
        layout.LINK: machine.link,
        layout.FOLLOW: machine.follow,
        layout.JOINTS: machine.joints,
        layout.BODIES: machine.bodies,
        layout.GRAVITY: machine.gravity,
        layout.STATE: state.bodies,
        layout.SPANS: state.spans,
        layout.COORDINATES: state.joints,
        layout.MEASURE: machine.measure,
        layout.MEASURED: state.measured,
        layout.DATA: data,
        layout.RUB: rub,
        layout.GAUGES: _gauges(data, listed, pairs, machine.bodies[:, HUB_X : HUB_Y + 1]),
        layout.CLOSING: loops.numbers,
        layout.ACTED_AT: acting.measured.numbers,
        layout.ACTS_ON: acting.measured.joints,
        layout.PIECES: acting.pieces,
        layout.STOPS: acting.stops,
        layout.RUBBING: acting.rubbing,
        layout.CONTROL: control,
        layout.SCALES: scales,
        layout.LINKS: machine.links,
        layout.MEASURES: machine.measures,
        layout.NOTCH: notch,
        layout.IDENTITY: identity,
        layout.LISTED: listed,
        layout.PAIRS: pairs,
        layout.BEGINS: np.searchsorted(listed[:, 3], np.arange(len(pairs) + 1)),
        layout.LOOPS: loops.joints,
        layout.FILLED: [0, 0, 0],
    }
    return {**zeros, **tables}


def _gauges(data: Any, listed: Any, pairs: Any, hubs: Any) -> Any:
    """By feature: how far a disc's centre is from its body's hub; an edge's length, and one over it."""
    gauges = np.zeros((len(data), 3))
    discs, of, edges = (
        listed[:, 2],
        pairs[listed[:, 3], 1 - listed[:, 4]],
        listed[listed[:, 0] == EDGE_DISC, 1],
    )
    gauges[discs, 0] = np.hypot(*(data[discs, :2] - hubs[of]).T)
    gauges[edges, 1] = np.hypot(*(data[edges, 2:4] - data[edges, :2]).T)
    gauges[edges, 2] = 1 / gauges[edges, 1]
    return gauges


def sample_blocks() -> Blocks:
    """A lever with a corner, on an axle above a fixed edge, with a stop and friction at its axle: the sample
    of this folder's kernels."""
    machine = sample_lever()
    machine.bodies[:, REACH] = 1.5
    data = np.zeros((2, 9))
    data[0, :4] = 1.0, -1.1, -1.0, -1.1
    data[1] = 0.9, -0.9, 0.0, 1.0, 0.0, -1.0, 1.0, 0.0, 0.0
    arrays = data, np.full((2, 2), -1), np.arange(2), np.array([[0, 0, 1, 0, 0]]), np.array([[0, 1]])
    loops = LoopTables(np.zeros((0, 3), np.int64), np.zeros((0, 7)), {})
    acting = Acting(
        measured_tables([tree_coordinate(0)]),
        stops=np.array([[0.0, 1.0, -0.5]]),
        rubbing=np.array([[0.0, 1.0, 0.01, 0.0, -1.0]]),
    )
    control = np.array([0.3, 1e-6, 1e-10, 0.1])
    rub = np.array([[0.2, 0.0]])
    blocks = packed(_tables(machine, arrays, rub, loops, acting, control, np.ones(1), 40))
    layout.view(blocks, layout.CLOCK)[0, layout.SWITCH] = np.inf
    layout.view(blocks, layout.CLOCK)[0, layout.NEXT] = 0.01
    return blocks
