"""Contacts at a state: which candidates touch, or nearly, where, and how their gaps change.

A candidate is a contact where its gap lies between `-depth` and `within`, and where it is local: the foot
lies on the edge, and the normal is one of the corner's or of the arc's. A corner far behind an edge's line
has a negative gap too, and is not a contact. A corner that is past several edges is pushed out by the one
that it is past least, for the others would push it around the corner; in a notch both edges act. In space
corners touch faces and edges cross edges, by the same rules (`space_at_state`).

The normal points from body a to body b, the gap is positive when apart, the point is on b, an arm is r x n
about the origin of its body: the gap's rate is n.v_b + arm_b.w_b - (n.v_a + arm_a.w_a).

All gaps of a machine are filled by one loop over arrays (`find_contacts`), with the kernels of
`geometry.gap`. Methods that step call that loop; a ContactSet, with names, is made at events.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from detent.contact.candidate import EDGE_DISC, Candidates
from detent.contact.candidate_gap import faces, relative_pose, role_gap, sample_features, write_contact
from detent.contact.space_at_state import find_in_space, keep_those
from detent.contact.space_candidates import CORNER_FACE, SpaceCandidates
from detent.foundation.errors import ModelError, WrongTypeError
from detent.foundation.names import clipped
from detent.numeric.kernels import kernel
from detent.numeric.lengths import magnitude

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from detent.model.document.touch import GivenContact
    from detent.model.machine.state import State
    from detent.model.machine.system import System

    Floats = NDArray[np.float64]

# Columns of a contact that the loop finds.
GAP, X, Y, NORMAL_X, NORMAL_Y, ARM_A, ARM_B, SHARE, CURVATURE_A, CURVATURE_B = range(10)
COLUMNS = 10

# Sine of an angle: directions nearer than this are one, as a corner that lies flush on an edge.
_FLUSH = 1e-9
# Elementary steps that one candidate takes.
_STEPS = 60


@dataclass(frozen=True, eq=False)
class ContactSet:
    """Contacts of a System at one state, as columns [m]."""

    system: System
    state: State
    a: NDArray[np.int64]  # bodies
    b: NDArray[np.int64]
    gap: Floats
    point: Floats  # (n, 2 or 3) on b, in the world
    normal: Floats  # (n, 2 or 3) in the world, from a to b
    arm_a: Floats  # (n,), in space (n, 3)
    arm_b: Floats
    share: Floats  # where on the edge: 0 at its start, 1 at its end
    curvature: Floats  # (n, 2) of the features of a and b: 0 of an edge, negative of a hole, inf of a corner
    candidate: NDArray[np.int64]  # rows of `candidates`; -1 of a contact that the document gives
    candidates: Candidates | SpaceCandidates | None = None
    given_contacts: tuple[GivenContact, ...] = ()  # by the document, instead of candidates
    edges: Floats | None = None  # in space, (n, 6): units along crossing edges of a and b; else zero

    def __len__(self) -> int:
        return len(self.gap)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """`part/leaf.feature:part/leaf.feature`, a fixed part first, else in document order."""
        if self.candidates is None:
            return tuple(":".join(contact.between) for contact in self.given_contacts)
        return tuple(self.candidates.name(int(row)) for row in self.candidate)

    @cached_property
    def friction(self) -> tuple[float | None, ...]:
        """Coulomb's coefficient of each; None: not given."""
        bodies = self.system.bodies
        coefficients = [
            self.system.touching.friction(bodies[a].name, bodies[b].name)
            for a, b in zip(self.a, self.b, strict=True)
        ]
        for k, contact in enumerate(self.given_contacts):
            if contact.friction is not None:
                coefficients[k] = contact.friction
        return tuple(None if mu is None else float(mu) for mu in coefficients)


def _is_number(value: object) -> bool:
    """Whether it is a number, which NaN is not."""
    return isinstance(value, int | float) and value == value


def contacts_at(
    system: System,
    candidates: Candidates | SpaceCandidates,
    state: State,
    *,
    within: float | None = None,
    depth: float | None = None,
    tilt: float = 0.0,
) -> ContactSet:
    """The contacts at a state whose gaps lie between -depth and within; both the tolerance if left out.

    `tilt` [rad] is how far an edge may lean over another for both of its corners to count: none where the one
    nearest contact is asked for, some where a part is to rest on a whole edge.
    """
    system.refuse_other(state)
    if candidates.system is not system:
        raise ModelError.at(
            "candidates", "are of another machine", "make them of this one: candidates(system)"
        )
    for name, value in (("within", within), ("depth", depth), ("tilt", tilt)):
        if value is not None and not _is_number(value):
            raise WrongTypeError.at(
                name, f"{clipped(repr(value))} is not a distance or an angle", "give a number"
            )
    tolerance = system.tolerance.length
    within = tolerance if within is None else within
    depth = tolerance if depth is None else depth
    if isinstance(candidates, SpaceCandidates):
        return _in_space(candidates, state, *find_in_space(candidates, state, within, depth, tolerance, tilt))
    chosen, values = candidates.scratch
    count = find_contacts.at(_STEPS * len(candidates))(
        *candidates.arrays,
        candidates.plane.poses(state.poses),
        within,
        depth,
        tolerance,
        math.sin(tilt),
        chosen,
        values,
    )
    rows, columns = chosen[:count].copy(), values[:count].copy()
    listed = candidates.listed[rows]
    bodies = candidates.pairs[listed[:, 3]]
    return ContactSet(
        system,
        state,
        *(bodies[:, 0], bodies[:, 1], columns[:, GAP]),
        *_placed(candidates, state, bodies, listed, columns),
        share=columns[:, SHARE],
        curvature=columns[:, CURVATURE_A:],
        candidate=rows,
        candidates=candidates,
    )


def _in_space(
    candidates: SpaceCandidates, state: State, rows: NDArray[np.int64], values: Floats
) -> ContactSet:
    listed = candidates.listed[rows]
    bodies = candidates.pairs[listed[:, 3]]
    point, normal = values[:, 1:4], values[:, 4:7]
    arms = [np.cross(point - state.matrices[bodies[:, k], :3, 3], normal) for k in (0, 1)]
    curvature = np.zeros((len(rows), 2))
    corners = listed[:, 0] == CORNER_FACE
    curvature[corners, 1 - listed[corners, 4]] = math.inf
    return ContactSet(
        candidates.system,
        state,
        *(bodies[:, 0], bodies[:, 1], values[:, GAP], point, normal, arms[0], arms[1]),
        share=values[:, 7],
        curvature=curvature,
        candidate=rows,
        candidates=candidates,
        edges=values[:, 8:],
    )


def _placed(
    candidates: Candidates, state: State, bodies: Any, listed: Any, columns: Floats
) -> tuple[Floats, Floats, Floats, Floats]:
    """Points, normals and arms: in space half way up the layer that the two features share."""
    if state.dimension == 2:
        return (
            columns[:, X : Y + 1],
            columns[:, NORMAL_X : NORMAL_Y + 1],
            columns[:, ARM_A],
            columns[:, ARM_B],
        )
    heights = candidates.features.heights
    z = np.array([_middle(heights[row[1]], heights[row[2]]) for row in listed]).reshape(-1, 1)
    point = np.hstack([columns[:, X : Y + 1], z])
    normal = np.hstack([columns[:, NORMAL_X : NORMAL_Y + 1], np.zeros_like(z)])
    origins = state.poses[:, :3]
    arms = [np.cross(point - origins[bodies[:, k]], normal) for k in (0, 1)]
    return point, normal, arms[0], arms[1]


def _middle(one: Any, other: Any) -> float:
    low, high = max(
        ((max(a, c), min(b, d)) for a, b in one for c, d in other), key=lambda span: span[1] - span[0]
    )
    return 0.0 if math.isinf(low) or math.isinf(high) else (low + high) / 2


def _sample() -> tuple[Any, ...]:
    data, listed, pairs, poses = sample_features()
    tables = data, np.full((4, 2), -1), np.arange(4), listed, pairs
    return *tables, poses, 5.0, 5.0, 1e-9, 0.1, np.zeros(4, np.int64), np.zeros((4, COLUMNS))


@kernel(sample=_sample)
def find_contacts(data, notch, identity, listed, pairs, poses, within, depth, slack, tilt, chosen, values):  # type: ignore[no-untyped-def]
    """Fills `values` with the contacts of the candidates listed, `chosen` with their rows; returns how many.

    Features, poses (x, y, cosine, sine by body) and columns are those of this file and of `features`.
    """
    count = 0
    leaning = _FLUSH + tilt
    pose_AB = np.zeros(4)
    last_a, last_b = -1, -1
    for i in range(len(listed)):
        formula, f, s, pair, flipped = listed[i, 0], listed[i, 1], listed[i, 2], listed[i, 3], listed[i, 4]
        a, b = pairs[pair, flipped], pairs[pair, 1 - flipped]
        if a != last_a or b != last_b:
            relative_pose(poses, a, b, pose_AB)
            last_a, last_b = a, b
        gap = role_gap(data, listed[i], pose_AB)
        if gap.gap > within or gap.gap < -depth:
            continue
        if formula == EDGE_DISC:
            # A corner that is past both sides of a notch has its feet beyond their ends, in the material.
            before = slack + (depth if notch[f, 0] >= 0 else 0.0)
            after = slack + (depth if notch[f, 1] >= 0 else 0.0)
            length = magnitude(data[f, 2] - data[f, 0], data[f, 3] - data[f, 1])
            if gap.share * length < -before or (gap.share - 1) * length > after:
                continue
        else:
            side = data[f, 3]
            if not faces(data, f, side * gap.nx, side * gap.ny, leaning):
                continue
        nx, ny = gap.nx, gap.ny
        c, w = pose_AB[2], pose_AB[3]
        if not faces(data, s, -c * nx - w * ny, w * nx - c * ny, leaning):
            continue
        write_contact(data, listed, pairs, poses, i, pose_AB, gap, values, count)
        chosen[count] = i
        count += 1
    return keep_acting(notch, identity, listed, slack, chosen, values, count)


@kernel(sample=lambda: (np.ones((4, COLUMNS)), 0, 1, 0, 1e-9), bare=True)
def in_front(values, i, j, flipped, slack):  # type: ignore[no-untyped-def]
    """Whether the place on the edge of contact i lies on the free side of the edge of contact j."""
    # Where the edge is the first part's, the point is the disc's, and the normal leads away from the edge.
    lift, side = (0.0, -1.0) if flipped == 1 else (1.0, 1.0)
    dx = values[i, 1] - values[j, 1] - lift * (values[i, 0] * values[i, 3] - values[j, 0] * values[j, 3])
    dy = values[i, 2] - values[j, 2] - lift * (values[i, 0] * values[i, 4] - values[j, 0] * values[j, 4])
    return side * (values[j, 3] * dx + values[j, 4] * dy) > slack


@kernel(sample=lambda: (*_sample()[1:4], 1e-9, np.array([0, 1, 2, 3]), np.ones((4, COLUMNS)), 3))
def keep_acting(notch, identity, listed, slack, chosen, values, count):  # type: ignore[no-untyped-def]
    """Drops contacts that others represent; returns how many are left, in order.

    Of one corner past several edges the one that it is past least acts, and its neighbour in a notch; walls
    that face each other both act. Of features of one name in several layers, one.
    """
    acts = np.ones(count, np.bool_)
    for i in range(count):
        row = listed[chosen[i]]
        for j in range(count):
            other = listed[chosen[j]]
            if other[3] != row[3] or values[j, 0] < values[i, 0] or (values[j, 0] == values[i, 0] and j >= i):
                continue  # of another pair, or not shallower
            if identity[row[1]] == identity[other[1]] and identity[row[2]] == identity[other[2]]:
                dx, dy = values[i, 1] - values[j, 1], values[i, 2] - values[j, 2]
                along = values[i, 3] * values[j, 3] + values[i, 4] * values[j, 4]
                if magnitude(dx, dy) <= slack and along > 0.0:
                    acts[i] = False
            edges = row[0] == EDGE_DISC and other[0] == EDGE_DISC and row[2] == other[2]
            if edges and values[i, 0] < -slack and not in_front(values, i, j, row[4], slack):
                in_notch = notch[row[1], 0] == other[1] or notch[row[1], 1] == other[1]
                acts[i] = acts[i] and in_notch
    return keep_those(acts, chosen, values)
