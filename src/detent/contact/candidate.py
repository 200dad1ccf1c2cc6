"""Feature pairs that may touch: found once per machine, looked at in every state.

A pair of bodies may touch unless the document ignores it. Joined bodies still touch (a lever in its bearing
has stops), but of a joined pair
- arcs that are centred on the joint's axis, in either part, are not candidates: their gap to the other part
  never changes, and the joint stands for that bearing;
- edges along a slide, in either part, are none for the same reason;
- parts that are in each other at their joint do not touch at all;
- toothed cylinders that mesh are pitch circles, not contacts.
Nor are two arcs, each centred on the axis that a fixed body bears its part on: their gap never changes.

Edge with edge needs no candidate of its own, for their corners are; a corner that points inwards touches
nothing. What can never meet is left out: features that share no layer, and features whose rings about the
axis that their bodies rotate about do not overlap (`geometry.rings`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from detent.contact.features import (
    DISC,
    EDGE,
    RADIUS,
    SIDE,
    FeatureTable,
    feature_table,
    section_rotations,
)
from detent.contact.joint_axes import TILTED, shared_axes, shared_lines, still_axes
from detent.contact.space_candidates import SpaceCandidates, space_candidates
from detent.foundation.errors import UnsupportedError
from detent.foundation.names import listed
from detent.geometry.layered import Bounded, share_a_layer
from detent.geometry.naming import contact_name
from detent.geometry.rings import fixed_edge_ring
from detent.geometry.solid import gear_leaves

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from detent.model.machine.system import System

    Floats = NDArray[np.float64]

# Formulas of a candidate: an edge with a disc, a disc (or a hole) with a disc.
EDGE_DISC, DISC_DISC = 0, 1

# Columns of the list.
FORMULA, FIRST, SECOND, PAIR, FLIPPED = range(5)


@dataclass(frozen=True, eq=False)
class Candidates:
    """Feature pairs of a machine that moves across one plane.

    A row of `listed` is the formula, the feature with the formula's first role (the edge, or the hole), the
    feature with its second (a disc that is not a hole), the pair of bodies, and whether the first role is on
    that pair's second body.
    """

    system: System
    features: FeatureTable
    pairs: NDArray[np.int64]  # (k, 2) bodies: a fixed one first, else in document order
    listed: NDArray[np.int64]  # (n, 5), pair after pair

    def __len__(self) -> int:
        return len(self.listed)

    def name(self, candidate: int) -> str:
        """`part/leaf.feature:part/leaf.feature`, that of the pair's first body first."""
        row = self.listed[candidate]
        names = [self.features.names[row[FIRST]], self.features.names[row[SECOND]]]
        return contact_name(*(names[::-1] if row[FLIPPED] else names))

    @property
    def never_looked_at(self) -> tuple[tuple[str, str], ...]:
        """Pairs of parts without candidates, for they are in each other at a joint; not of gears."""
        bodies, joints = self.system.bodies, self.system.joints
        looked_at = {(int(a), int(b)) for a, b in self.pairs}
        meshing = {frozenset((j.a.body, j.b.body)) for j in joints if j.type.couples}
        return tuple(
            (bodies[a].name, bodies[b].name)
            for a, b in self.system.pairs
            if (a, b) not in looked_at and frozenset((a, b)) not in meshing
        )

    @property
    def left_out(self) -> tuple[str, ...]:
        """For a scope: the pairs whose contacts are left out."""
        pairs = listed([f"{first}:{second}" for first, second in self.never_looked_at])
        return (f"contacts of {pairs}, drawn into each other at their joint",) if pairs else ()

    @cached_property
    def arrays(self) -> tuple[NDArray[Any], ...]:
        """What `find_contacts` reads: features, their notches and names by number, the list, the pairs."""
        numbers: dict[str, int] = {}
        identity = np.array(
            [numbers.setdefault(name, len(numbers)) for name in self.features.names], np.int64
        )
        return self.features.data, self.features.notch, identity, self.listed, self.pairs

    @cached_property
    def scratch(self) -> tuple[NDArray[np.int64], Floats]:
        """Room for what is found."""
        return np.zeros(len(self), np.int64), np.zeros((len(self), 10))

    @cached_property
    def plane(self) -> PlaneOfMotion:
        """How poses of the System become poses in the plane."""
        return PlaneOfMotion(self.system)


@dataclass(frozen=True, eq=False)
class PlaneOfMotion:
    """The plane z = constant that bodies move across: positions and velocities there."""

    system: System

    @cached_property
    def _rotations(self) -> Floats:
        return section_rotations(self.system)

    def poses(self, poses: Floats) -> Floats:
        """(n, 4): x, y, cosine and sine of each section frame; refused where a body leaves the plane."""
        if self.system.dimension == 2:
            return np.column_stack([poses[:, :2], np.cos(poses[:, 2]), np.sin(poses[:, 2])])
        from detent.geometry.pose import matrix_of

        drawn = self.system.drawn.poses
        turned = np.array([matrix_of(row)[:3, :3] for row in poses]).reshape(-1, 3, 3)
        rotations = turned @ self._rotations.transpose(0, 2, 1)
        tilted = np.abs(rotations[:, 2, 2] - 1) > TILTED
        lifted = np.abs(poses[:, 2] - drawn[:, 2]) > _LIFTED * self.system.tolerance.length
        for body in np.flatnonzero(tilted | lifted):
            raise UnsupportedError(
                f"{self.system.bodies[body].name} leaves the plane that it was drawn in",
                "ask for candidates in space",
                f"parts.{self.system.bodies[body].name}",
            )
        return np.column_stack([poses[:, :2], rotations[:, 0, 0], rotations[:, 1, 0]])

    def velocities(self, velocities: Floats) -> Floats:
        """(n, 3): of each body's origin, and its rotation."""
        return velocities if self.system.dimension == 2 else velocities[:, [0, 1, 5]]


# A lift of so many tolerances is not rounding along a path.
_LIFTED = 1e3


def candidates(
    system: System,
    *,
    bounded: Bounded = "outline",
    plane: bool | None = None,
    left_out: frozenset[frozenset[str]] | None = None,
) -> Candidates | SpaceCandidates:
    """Feature pairs of a System that may touch.

    `bounded` says whose boundaries: that of each part's union, or those of its solid primitives one by one.
    A machine in space is seen in layers across z where it moves across that plane, as its joints tell, or
    `plane`; else by the faces, edges and corners of its parts. `left_out` are pairs of parts that do not
    touch, for they are in each other at their joint; those drawn so unless said.
    """
    pairs = _pairs(system, left_out)
    if system.dimension == 3 and not (_moves_across_z(system) if plane is None else plane):
        if bounded != "outline":
            raise UnsupportedError(
                "in space contacts are those of a part's whole boundary, not of its primitives",
                'ask for bounded="outline", or say plane=True where the machine stays in its layers',
                "dimension",
            )
        return space_candidates(system, pairs)
    bodies = sorted({body for pair in pairs for body in pair})
    features = feature_table(system, bodies, bounded)
    rows = [_of_pair(system, features, pair, k) for k, pair in enumerate(pairs)]
    return Candidates(
        system,
        features,
        np.array(pairs, dtype=np.int64).reshape(-1, 2),
        np.concatenate([np.empty((0, 5), np.int64), *rows]),
    )


def _moves_across_z(system: System) -> bool:
    from detent.model.machine.plane_linkage import plane_view

    try:
        plane_view(system)
    except UnsupportedError:
        return False
    return True


def _pairs(system: System, left_out: frozenset[frozenset[str]] | None) -> list[tuple[int, int]]:
    """Bodies that may touch; those in each other at a joint do not."""
    if left_out is None:
        left_out = drawn_into_each_other(system)
    return [
        (a, b)
        for a, b in system.pairs
        if frozenset((system.bodies[a].name, system.bodies[b].name)) not in left_out
    ]


def drawn_into_each_other(system: System) -> frozenset[frozenset[str]]:
    """Pairs of parts that are drawn into each other at their joint, and do not touch there."""
    from detent.model.machine.drawn.overlap import overlapping_at_joints
    from detent.model.machine.solids import part_solid

    mechanism = system.mechanism
    solids = {
        body.name: solid for body in system.bodies if (solid := part_solid(mechanism, body.name)) is not None
    }
    return frozenset(overlapping_at_joints(system.placed, solids))


def _of_pair(system: System, features: FeatureTable, pair: tuple[int, int], number: int) -> NDArray[np.int64]:
    """The rows of one pair of bodies, by the feature of its first body, then by that of its second."""
    none = np.empty(0, np.int64)
    first, second = (features.of_body.get(body, none) for body in pair)
    straight, flipped = _formulas(features, first, second), _formulas(features, second, first).T
    both_discs = (straight == DISC_DISC) & (flipped == DISC_DISC)
    flipped[both_discs] = -1  # two discs are one candidate
    meet = _can_meet(system, features, pair, first, second)
    rows = []
    for formulas, flip in ((straight, 0), (flipped, 1)):
        for f, s in np.argwhere((formulas >= 0) & meet):
            roles = (first[f], second[s]) if not flip else (second[s], first[f])
            rows.append((formulas[f, s], *roles, number, flip))
    return np.array(rows, dtype=np.int64).reshape(-1, 5)


def _formulas(
    features: FeatureTable, ones: NDArray[np.int64], others: NDArray[np.int64]
) -> NDArray[np.int64]:
    """The formula by which a feature of `others` in the role of the disc meets one of `ones`; -1 where none.

    A hole is met by what fits into it.
    """
    edge, side, radius = features.kind == EDGE, features.data[:, SIDE], features.data[:, RADIUS]
    discs = ~edge[others] & (side[others] > 0)
    holes = ~edge[ones] & (side[ones] < 0)
    fits = radius[others] <= radius[ones][:, None] * (1 + _FITS)
    formulas = np.full((len(ones), len(others)), -1, dtype=np.int64)
    formulas[edge[ones][:, None] & discs] = EDGE_DISC
    corners = (radius[others] == 0) & (radius[ones] == 0)[:, None]
    plain = (~edge[ones] & ~holes)[:, None] & ~corners
    formulas[(plain | (holes[:, None] & fits)) & discs] = DISC_DISC
    return formulas


# Of the radius: a pin that fills its hole fits, whatever rounding says.
_FITS = 1e-9


def _can_meet(
    system: System,
    features: FeatureTable,
    pair: tuple[int, int],
    first: NDArray[np.int64],
    second: NDArray[np.int64],
) -> NDArray[np.bool_]:
    """Which features of two bodies share a layer, are not a joint's bearing, and have rings that overlap."""
    least = system.tolerance.length
    meet = _in_one_layer(features, first, second, least)
    shared = shared_axes(system, pair)
    for axis in shared:
        bearing = [_centred(features, rows, axis[k], 10 * least) for k, rows in enumerate((first, second))]
        meet &= ~(bearing[0][:, None] | bearing[1])
    for line in shared_lines(system, pair):
        bearing = [_parallel(features, rows, line[k]) for k, rows in enumerate((first, second))]
        meet &= ~(bearing[0][:, None] | bearing[1])
    if _mesh(system, pair):
        toothed = [
            _toothed(system, features, body, rows) for body, rows in zip(pair, (first, second), strict=True)
        ]
        meet &= ~(toothed[0][:, None] & toothed[1])
    axes = (shared[0], 0.0) if shared else still_axes(system, pair)
    if axes is not None:
        centres, apart = axes
        still = [
            _centred(features, rows, centre, 10 * least)
            for rows, centre in zip((first, second), centres, strict=True)
        ]
        meet &= ~(still[0][:, None] & still[1])
        (r1, r2), (s1, s2) = (
            _rings(features, rows, centre).T for rows, centre in zip((first, second), centres, strict=True)
        )
        # Seen from the second axis, the first feature's ring spans these distances.
        nearest = np.maximum(0.0, np.maximum(r1 - apart, apart - r2))[:, None]
        meet &= (nearest <= s2 + least) & ((apart + r2)[:, None] >= s1 - least)
    return meet


def _mesh(system: System, pair: tuple[int, int]) -> bool:
    return any(
        joint.type.name == "gear" and {joint.a.body, joint.b.body} == set(pair) for joint in system.joints
    )


def _toothed(system: System, features: FeatureTable, body: int, rows: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which features belong to toothed cylinders."""
    from detent.model.machine.solids import part_solid

    solid = part_solid(system.mechanism, system.bodies[body].name)
    gears = {f"{leaf}" for leaf in gear_leaves(solid)} if solid is not None else set()
    owners = (features.names[row].rpartition("/")[2].partition(".")[0] for row in rows)
    return np.fromiter((leaf in gears for leaf in owners), bool, len(rows))


def _in_one_layer(
    features: FeatureTable, first: NDArray[np.int64], second: NDArray[np.int64], least: float
) -> NDArray[np.bool_]:
    """By distinct heights, of which a part has few."""
    known = {heights: k for k, heights in enumerate(dict.fromkeys(features.heights))}
    shared = np.array([[share_a_layer(one, other, least=least) for other in known] for one in known])
    number = np.array([known[heights] for heights in features.heights], dtype=np.int64)
    in_common: NDArray[np.bool_] = shared[np.ix_(number[first], number[second])]
    return in_common


def _centred(
    features: FeatureTable, rows: NDArray[np.int64], centre: Floats, near: float
) -> NDArray[np.bool_]:
    """Which features are arcs about an axis."""
    data = features.data[rows]
    arcs = (features.kind[rows] == DISC) & (data[:, RADIUS] > 0)
    centred: NDArray[np.bool_] = arcs & (np.hypot(*(data[:, :2] - centre).T) <= near)
    return centred


def _parallel(features: FeatureTable, rows: NDArray[np.int64], line: Floats) -> NDArray[np.bool_]:
    """Which features are edges along a line."""
    data = features.data[rows]
    along = data[:, 2:4] - data[:, :2]
    across = np.abs(along[:, 0] * line[1] - along[:, 1] * line[0])
    edges = features.kind[rows] == EDGE
    parallel: NDArray[np.bool_] = edges & (across <= TILTED * np.hypot(*along.T))
    return parallel


def _rings(features: FeatureTable, rows: NDArray[np.int64], centre: Floats) -> Floats:
    """(n, 2): least and greatest distance of each feature from an axis of its body."""
    rings = np.zeros((len(rows), 2))
    for k, row in enumerate(rows):
        data = features.data[row]
        if features.kind[row] == EDGE:
            rings[k] = fixed_edge_ring(*data[:4], *centre)
        else:
            away, radius = math.dist(data[:2], centre), data[RADIUS]
            rings[k] = max(0.0, away - radius, radius - away), away + radius
    return rings
