"""Where a hook and its counterpart touch: the candidates of `contact`, at any poses.

`near` asks the loop of the contact room which candidates touch, or nearly; `one` evaluates a candidate
whether or not it is local there, as an equilibrium needs on its way to where it is.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from detent.contact.at_state import COLUMNS, find_contacts
from detent.contact.candidate import EDGE_DISC, Candidates, candidates
from detent.contact.candidate_gap import contact_of
from detent.contact.space_at_state import find_space_contacts
from detent.contact.space_candidates import CORNER_FACE, SpaceCandidates
from detent.model.machine.system import System
from detent.motion.compliant.hooks.support import cross

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


# Sine of an angle: a surface that leans so little over another rests on it, with both ends of what touches.
LEANS = 1e-6
_HERE = 0  # work of one look: the compiled twin is taken where it is there already


def many_to_come(dimension: int) -> None:
    """Compile what looks for contacts: worth it in space, where many matings of a machine follow."""
    if dimension == 3:
        _ = find_space_contacts.compiled


class MetFeatures(NamedTuple):
    """One candidate at some poses; the normal points from body a to body b."""

    a: int
    b: int
    gap: float
    point: Floats  # (3,) on b
    normal: Floats  # (3,)


class Surfaces(Protocol):
    """The surfaces of a machine that may touch."""

    @property
    def count(self) -> int:
        """Of candidates."""
        ...

    def name(self, row: int) -> str: ...

    def bodies(self, row: int) -> tuple[int, int]: ...

    def near(self, frames: Floats, within: float, depth: float, beyond: float = 0.0) -> dict[int, float]:
        """Rows of candidates that are local, whose gaps lie between -depth and within, with the gaps.

        Local are also those that are off the end of an edge, or the border of a face, by no more than
        `beyond`.
        """
        ...

    def one(self, row: int, frames: Floats) -> MetFeatures: ...

    def on_corner(self, row: int) -> list[int]:
        """Other contacts of the same corner, beyond a convex edge."""
        ...

    def one_corner(self, row: int, other: int) -> bool:
        """Whether two contacts are one corner on two surfaces with a convex edge between them."""
        ...

    def outside(self, row: int, frames: Floats, least: float) -> bool:
        """Whether what lies inside of a contact's surface is outside of another beyond a convex corner."""
        ...

    def leaning(self, leans: float) -> Surfaces:
        """The same, where a surface rests on another that leans over it by an angle of this sine."""
        ...


def surfaces_of(system: System, pairs: Iterable[tuple[int, int]]) -> Surfaces:
    """Of these pairs of bodies."""
    wanted = {frozenset(pair) for pair in pairs}
    names = [body.name for body in system.bodies]
    left_out = frozenset(
        frozenset((names[a], names[b])) for a, b in system.pairs if frozenset((a, b)) not in wanted
    )
    found = candidates(system, plane=None if system.dimension == 2 else False, left_out=left_out)
    return PlaneSurfaces(found) if isinstance(found, Candidates) else SpaceSurfaces(found)


@dataclass(frozen=True, eq=False)
class PlaneSurfaces:
    """Edges, corners and arcs of the plane."""

    candidates: Candidates
    leans: float = LEANS

    def leaning(self, leans: float) -> PlaneSurfaces:
        return PlaneSurfaces(self.candidates, leans)

    @property
    def count(self) -> int:
        return len(self.candidates)

    def name(self, row: int) -> str:
        return self.candidates.name(row)

    def bodies(self, row: int) -> tuple[int, int]:
        a, b = self.candidates.pairs[self.candidates.listed[row, 3]]
        return int(a), int(b)

    @cached_property
    def _scratch(self) -> tuple[Floats, Floats]:
        return np.zeros(4), np.zeros((1, 10))

    def near(self, frames: Floats, within: float, depth: float, beyond: float = 0.0) -> dict[int, float]:
        chosen, values = np.zeros(len(self.candidates), np.int64), np.zeros((len(self.candidates), COLUMNS))
        slack = self.candidates.system.tolerance.length + beyond
        count = find_contacts(
            *self.candidates.arrays, _in_plane(frames), within, depth, slack, self.leans, chosen, values
        )
        return {int(row): float(gap) for row, gap in zip(chosen[:count], values[:count, 0], strict=True)}

    def on_corner(self, row: int) -> list[int]:
        return [other for other in range(len(self.candidates)) if self.one_corner(row, other)]

    def outside(self, row: int, frames: Floats, least: float) -> bool:
        data, f = self.candidates.features.data, self.candidates.listed[row, 1]
        size = float(np.abs(data[f, 2:4] - data[f, :2]).max())
        for other in self.on_corner(row):
            g = self.candidates.listed[other, 1]
            apart = min(np.abs(data[f, :2] - data[g, 2:4]).max(), np.abs(data[f, 2:4] - data[g, :2]).max())
            turn = float((data[f, 2:4] - data[f, :2]) @ (data[g, 2:4] - data[g, :2]))
            if apart <= _MEET * size and turn < 0 and self.one(other, frames).gap > -least:
                return True
        return False

    def one_corner(self, row: int, other: int) -> bool:
        (formula, f, s, pair, _), (kind, g, t, of, _) = self.candidates.listed[[row, other]].tolist()
        same = row != other and formula == kind == EDGE_DISC and (s, pair) == (t, of)
        return bool(same and g not in self.candidates.features.notch[f])

    def one(self, row: int, frames: Floats) -> MetFeatures:
        data, _, _, listed, pairs = self.candidates.arrays
        pose, values = self._scratch
        contact_of(data, listed, pairs, _in_plane(frames), row, pose, values, 0)
        gap, x, y, nx, ny = values[0, :5].tolist()
        a, b = pairs[listed[row, 3]].tolist()
        return MetFeatures(a, b, gap, np.array([x, y, 0.0]), np.array([nx, ny, 0.0]))


def _in_plane(frames: Floats) -> Floats:
    """(n, 4): x, y, cosine and sine."""
    return np.ascontiguousarray(frames[:, [0, 1, 0, 1], [3, 3, 0, 0]])


# Of their lengths: edges that meet, or lie in one plane, to rounding.
_MEET = 1e-9
# Candidates are looked at again, which may touch at all, when bodies have moved by this share of the size.
_FRESH = 0.02


class SpaceSurfaces:
    """Corners, faces and edges of bodies with flat faces."""

    def __init__(self, found: SpaceCandidates, leans: float = LEANS) -> None:
        self.candidates, self.leans = found, leans
        self.reach = _FRESH * found.system.size
        self._seen: Floats | None = None
        self._rows = np.zeros(0, np.int64)
        self._within = 0.0

    def leaning(self, leans: float) -> SpaceSurfaces:
        return SpaceSurfaces(self.candidates, leans)

    @property
    def count(self) -> int:
        return len(self.candidates.listed)

    def name(self, row: int) -> str:
        return self.candidates.name(row)

    def bodies(self, row: int) -> tuple[int, int]:
        a, b = self.candidates.pairs[self.candidates.listed[row, 3]]
        return int(a), int(b)

    def near(self, frames: Floats, within: float, depth: float, beyond: float = 0.0) -> dict[int, float]:
        rows = self._may_touch(frames, max(within, depth))
        if not len(rows):
            return {}
        every = self.candidates
        listed = np.ascontiguousarray(every.listed[rows])
        starts = np.searchsorted(listed[:, 3], np.arange(len(every.pairs) + 1)).astype(np.int64)
        chosen, values = np.zeros(len(rows), np.int64), np.zeros((len(rows), 14))
        slack = every.system.tolerance.length + beyond
        count = find_space_contacts.at(_HERE)(
            *every.features.arrays, listed, starts, every.pairs, np.ascontiguousarray(frames[:, :3]),
            within, depth, slack, self.leans, chosen, values,
        )  # fmt: skip
        return {
            int(row): float(gap) for row, gap in zip(rows[chosen[:count]], values[:count, 0], strict=True)
        }

    def _may_touch(self, frames: Floats, within: float) -> NDArray[np.int64]:
        """Candidates nearer than `within`, some reach to spare, so that they are not sought at every
        state.
        """
        if self._seen is not None and within <= self._within:
            moved = np.abs(frames[:, :3] - self._seen[:, :3])
            span = float(self.candidates.system.size)
            if (moved[:, :, 3] + span * moved[:, :, :3].sum(axis=2)).max() <= self.reach / 8:
                return self._rows
        self._seen, self._within = frames.copy(), max(within, self.reach)
        distances = _least_distances(self.candidates, frames)
        self._rows = np.flatnonzero(distances <= self._within + self.reach)
        return self._rows

    def on_corner(self, row: int) -> list[int]:
        return [other for other in range(len(self.candidates)) if self.one_corner(row, other)]

    def one_corner(self, row: int, other: int) -> bool:
        (formula, f, s, pair, turned), (kind, g, t, of, way) = self.candidates.listed[[row, other]].tolist()
        if row == other or not formula == kind == CORNER_FACE or (s, pair, turned) != (t, of, way):
            return False
        starts = self.candidates.features.side_starts
        return g in self.candidates.features.ridges[starts[f] : starts[f + 1]]

    def outside(self, row: int, frames: Floats, least: float) -> bool:
        """Where two surfaces meet in less than a right angle, what lies on one has its foot on the other
        too."""
        found, edges = self.candidates, self.candidates.features.edges
        formula, f, s, pair, _ = found.listed[row].tolist()
        if formula == CORNER_FACE:
            faces, listed = self.candidates.features.faces, found.listed
            return any(
                float(faces[f, 9:12] @ faces[listed[other, 1], 9:12]) < -_MEET
                and self.one(other, frames).gap > -least
                for other in self.on_corner(row)
            )
        a, b = found.pairs[pair].tolist()
        for past, own, of, on in ((f, s, a, b), (s, f, b, a)):
            relative = frames[on, :3, :3].T
            start = relative @ (frames[of, :3, :3] @ edges[past, :3] + frames[of, :3, 3] - frames[on, :3, 3])
            along = relative @ frames[of, :3, :3] @ (edges[past, 3:6] - edges[past, :3])
            if self._misses(start, along, own, least):
                return True
        return False

    def _misses(self, start: Floats, along: Floats, own: int, least: float) -> bool:
        """Whether a line passes a face of an edge beyond a side that follows that edge round a corner."""
        edge, sides = self.candidates.features.edges[own], self._sides(own)
        normals = [np.cross(edge[3:6] - edge[:3], way) for way in (edge[6:9], edge[9:12])]
        across = [abs(float(along @ normal)) for normal in normals]
        face = int(across[1] > across[0])
        if across[face] == 0.0:
            return False
        share = float((edge[:3] - start) @ normals[face]) / float(along @ normals[face])
        met = start + share * along
        return any(float((corner - met) @ into) > -least for corner, into in sides[face])

    def _sides(self, own: int) -> tuple[list[tuple[Floats, Floats]], ...]:
        """Of both faces of an edge: the sides that follow it round a convex corner, as a point and a unit
        direction into the face."""
        if own not in self._beyond:
            features = self.candidates.features
            edge, rest = features.edges[own], np.flatnonzero(features.edge_body == features.edge_body[own])
            found: tuple[list[tuple[Floats, Floats]], ...] = ([], [])
            for face, way in enumerate((edge[6:9], edge[9:12])):
                for other in rest.tolist():
                    into = None if other == own else _follows(edge, way, features.edges[other])
                    if into is not None:
                        found[face].append((features.edges[other, :3], into))
            self._beyond[own] = found
        return self._beyond[own]

    @cached_property
    def _beyond(self) -> dict[int, tuple[list[tuple[Floats, Floats]], ...]]:
        return {}

    def numbers(self, row: int) -> tuple[list[int], Floats]:
        """Of a candidate for compiled balances: formula, bodies, whether the face is on the second; shape."""
        found, features = self.candidates, self.candidates.features
        formula, f, s, pair, flipped = found.listed[row].tolist()
        a, b = found.pairs[pair].tolist()
        shape = np.zeros(15)
        if formula == CORNER_FACE:
            shape[:9] = [*features.faces[f, :3], *features.faces[f, 9:12], *features.corners[s]]
        else:
            first, second = features.edges[f], features.edges[s]
            shape[:6] = [*first[:3], *(first[3:6] - first[:3])]
            shape[6:] = [*(first[6:9] + first[9:12]), *second[:3], *(second[3:6] - second[:3])]
        return [formula, a, b, int(flipped)], shape

    def one(self, row: int, frames: Floats) -> MetFeatures:
        """A corner over the plane of a face, or two edges as lines."""
        found, features = self.candidates, self.candidates.features
        formula, f, s, pair, flipped = found.listed[row].tolist()
        a, b = found.pairs[pair].tolist()
        if formula == CORNER_FACE:
            on, of = (b, a) if flipped else (a, b)
            face = features.faces[f]
            normal = frames[on, :3, :3] @ face[9:12]
            corner = frames[of, :3, :3] @ features.corners[s] + frames[of, :3, 3]
            gap = float(normal @ (corner - frames[on, :3, :3] @ face[:3] - frames[on, :3, 3]))
            if flipped:
                return MetFeatures(a, b, gap, corner - gap * normal, -normal)
            return MetFeatures(a, b, gap, corner, normal)
        first, second = features.edges[f], features.edges[s]
        start_a = frames[a, :3, :3] @ first[:3] + frames[a, :3, 3]
        start_b = frames[b, :3, :3] @ second[:3] + frames[b, :3, 3]
        along_a, along_b = (
            frames[body, :3, :3] @ (edge[3:6] - edge[:3]) for body, edge in ((a, first), (b, second))
        )
        normal = cross(along_a, along_b)
        normal /= math.sqrt(float(normal @ normal))
        if normal @ (frames[a, :3, :3] @ (first[6:9] + first[9:12])) > 0:
            normal = -normal
        apart = start_b - start_a
        gap = float(normal @ apart)
        # Along b's edge to where it is nearest to a's line: across the plane of a's edge and the normal.
        across = cross(along_a, normal)
        point = start_b - along_b * float(apart @ across) / float(along_b @ across)
        return MetFeatures(a, b, gap, point, normal)


def _follows(edge: Floats, way: Floats, other: Floats) -> Floats | None:
    """The direction of another edge into the face that lies `way` of an edge, where it follows that edge
    round a corner of the face of less than a right angle; None where it does not."""
    normal = np.cross(edge[3:6] - edge[:3], way)
    normal /= float(np.linalg.norm(normal))
    size = float(np.abs(other[3:6] - other[:3]).max())
    for start, end in ((other[:3], other[3:6]), (other[3:6], other[:3])):
        away = end - start
        ends = (edge[:3], edge[3:6] - edge[:3]), (edge[3:6], edge[:3] - edge[3:6])
        sharp = any(
            float(np.abs(start - corner).max()) <= _MEET * size
            and float(away @ back) > _MEET * size * float(np.abs(back).max())
            for corner, back in ends
        )
        if sharp and abs(float(away @ normal)) <= _MEET * size and float(away @ way) > 0:
            ways = [into for into in (other[6:9], other[9:12]) if abs(float(into @ normal)) <= _MEET]
            return np.asarray(ways[0]) if ways else None
    return None


def _least_distances(found: SpaceCandidates, frames: Floats) -> Floats:
    """(n,) a lower bound of how far apart the features of each candidate are: balls around them, planes."""
    features, listed = found.features, found.listed
    points = {
        "corner": _placed(features.corners, features.corner_body, frames),
        "face": _placed(features.faces[:, :3], features.face_body, frames),
        "start": _placed(features.edges[:, :3], features.edge_body, frames),
        "end": _placed(features.edges[:, 3:6], features.edge_body, frames),
    }
    distances = np.zeros(len(listed))
    corners = listed[:, 0] == CORNER_FACE
    f, s = listed[corners, 1], listed[corners, 2]
    normals = np.einsum("nij,nj->ni", frames[features.face_body, :3, :3], features.faces[:, 9:12])[f]
    away = points["corner"][s] - points["face"][f]
    over = np.abs(np.einsum("ni,ni->n", away, normals))
    distances[corners] = np.maximum(over, np.linalg.norm(away, axis=1) - features.faces[f, 12])
    f, s = listed[~corners, 1], listed[~corners, 2]
    middle = (points["start"] + points["end"]) / 2
    half = np.linalg.norm(points["end"] - points["start"], axis=1) / 2
    distances[~corners] = np.linalg.norm(middle[f] - middle[s], axis=1) - half[f] - half[s]
    return distances


def _placed(points: Floats, bodies: NDArray[np.int64], frames: Floats) -> Floats:
    rotations, origins = frames[bodies, :3, :3], frames[bodies, :3, 3]
    return np.asarray(np.einsum("nij,nj->ni", rotations, points) + origins)
