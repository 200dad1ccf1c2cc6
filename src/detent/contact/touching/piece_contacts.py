"""Where pieces of two rigid bodies touch, and what the pieces of one forbid together.

The velocities at which a convex piece b runs into a convex piece a are those that every plane between
the two forbids: a half-space where there is one plane alone, a wedge where there are several. Pieces of
one body forbid all their wedges, and what lies between two of them without a gap: the seam of two flush
blocks is a face. Where the velocities left are again those above some planes, these planes are the contacts;
where they are not, as at a corner on a corner, one may slip past the other on either side.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from detent.geometry.exact.polytope import CLOSE, Polytope, Touch
from detent.geometry.vector import Vec, along, dot, minus, negative, norm
from detent.numeric.linear_program import innermost, maximise

PiecePair = tuple[str, str]
Rows = NDArray[np.float64]

# How far inside a cone of velocities its deepest direction lies; less is rounding between two planes.
_DEEP = 1e-6


@dataclass(frozen=True)
class Meeting:
    """Two convex pieces that touch; in the plane also a vertex and an edge, or two corners, of polygons."""

    points: tuple[Vec, ...]  # the corners of what they share
    normals: tuple[Vec, ...]  # of the planes between them, from first to second; the extreme ones
    solids: tuple[Polytope, ...] = ()  # in space, the two
    pair: PiecePair = ("", "")

    @property
    def plain(self) -> bool:
        """Whether there is one normal."""
        return len(self.normals) == 1

    @property
    def touches(self) -> list[Touch]:
        return [(point, self.normals[0]) for point in self.points] if self.plain else []

    def exchanged(self) -> Meeting:
        """The same with first and second exchanged."""
        return replace(self, normals=tuple(negative(n) for n in self.normals), pair=self.pair[::-1])

    def holds(self, point: Vec, close: float) -> bool:
        if self.solids:
            return all(bool((solid.outside(point) <= close).all()) for solid in self.solids)
        return any(norm(minus(point, p)) <= close for p in self.points)

    def share(self, start: Vec, end: Vec, close: float) -> tuple[Any, Any] | None:
        """Of the segment from start to end: where it enters and leaves what the two share."""
        low, high = 0, 1
        for solid in self.solids:
            before, after = solid.outside(start) > close, solid.outside(end) > close
            if (before & after).any():
                return None
            for k in np.flatnonzero(before | after):
                normal, corner = solid.planes[k]
                a, b = dot(normal, minus(start, corner)), dot(normal, minus(end, corner))
                low, high = (max(low, a / (a - b)), high) if before[k] else (low, min(high, a / (a - b)))
        return (low, high) if low <= high else None


PiecePlace = tuple[tuple[Vec, ...], Meeting]  # a point or the ends of a segment, and who meets there


class NoOneNormalError(Exception):
    """Two bodies meet where several planes separate them, and what they forbid is not a half-space."""

    def __init__(self, pair: PiecePair, point: Vec) -> None:
        super().__init__(pair, point)
        self.pair, self.point = pair, point


def without_buried(meetings: Sequence[Meeting], close: float) -> list[Meeting]:
    """Without faces that are buried among the pieces of a solid, but for where others meet at them.

    There, at all of what such a face touches, the others forbid what it does.
    """
    kept = list(meetings)
    for meeting in meetings:
        if meeting.plain and meeting.solids and _buried(meeting, kept, close):
            kept = [m for m in kept if m is not meeting]  # of two that imply each other one stays
    return kept


def _buried(meeting: Meeting, meetings: Sequence[Meeting], close: float) -> bool:
    (normal,) = meeting.normals
    others = [m for m in meetings if m.plain and not _among(normal, m.normals)]
    middle = tuple(sum(xs) / len(meeting.points) for xs in zip(*meeting.points, strict=True))
    return all(
        _implied(normal, [m.normals[0] for m in others if m.holds(point, close)])
        for point in (middle, *meeting.points)
    )


def _implied(normal: Vec, others: Sequence[Vec]) -> bool:
    """Whether a normal is a sum of others, each as often as one likes."""
    if len(others) < 2:
        return False
    rows, wanted = np.array([_unit(n) for n in others]).T, _unit(normal)
    parts = np.zeros(len(others))
    return maximise(parts, rows, wanted - CLOSE, wanted + CLOSE, least=0.0) is not None


def at_corners(meetings: Sequence[Meeting], close: float) -> list[Meeting]:
    """The plain meetings that those without one normal amount to, with all that touches there.

    What two pieces share without one normal is a point or a part of a line. Along such a line nothing
    changes between the points where other pieces begin and end, and what is forbidden there is
    forbidden at its ends too: points come last, and add what is theirs alone.
    """
    cut = [(meeting, _divided(meeting, meetings, close)) for meeting in meetings if not meeting.plain]
    segments = [(pair, meeting) for meeting, points in cut for pair in itertools.pairwise(points)]
    ends = [((point,), meeting) for meeting, points in cut for point in points]
    amounts: list[Meeting] = []
    for where, meeting in [*_each_once(segments, close), *_each_once(ends, close)]:
        amounts += _amounts(where, meeting, meetings, amounts, close)
    return amounts


def _each_once(places: Sequence[PiecePlace], close: float) -> Iterator[PiecePlace]:
    """One of the meetings at each point or segment: what is there does not depend on who asks."""
    known = np.zeros((0, 0))
    for where, meeting in places:
        at = np.array([[float(x) for x in p] for p in sorted(where)]).ravel()
        known = known.reshape(-1, len(at))
        if not (np.abs(known - at).max(axis=1, initial=0.0) <= close).any():
            known = np.vstack([known, at])
            yield where, meeting


def _divided(meeting: Meeting, meetings: Sequence[Meeting], close: float) -> list[Vec]:
    """The ends of what two pieces share, and the points between where other pieces begin or end."""
    if len(meeting.points) == 1:
        return list(meeting.points)
    start, end = meeting.points
    step = minus(end, start)
    least = close / norm(step)
    shares = [share for other in meetings if (share := other.share(start, end, close)) is not None]
    inner: list[Any] = []
    for cut in sorted(itertools.chain(*shares)):
        if least < cut < 1 - least and (not inner or cut - inner[-1] > least):
            inner.append(cut)
    return [start, *(along(start, step, cut) for cut in inner), end]


def _amounts(
    where: tuple[Vec, ...],
    meeting: Meeting,
    meetings: Sequence[Meeting],
    amounts: Sequence[Meeting],
    close: float,
) -> list[Meeting]:
    """What all that touches at a point, or along a segment, comes to beyond what is known there."""
    middle = tuple(sum(xs) / len(where) for xs in zip(*where, strict=True))
    present = [m for m in meetings if m.holds(middle, close)]
    known = [m.normals[0] for m in present if m.plain]
    known += [m.normals[0] for m in amounts if _on(m.points, middle, close)]
    normals = forbidden([m.normals for m in present], known)
    if normals is None:
        raise NoOneNormalError(meeting.pair, where[0])
    owners = [next(m.pair for m in present if n in m.normals) for n in normals]
    return [Meeting(where, (n,), pair=owner) for n, owner in zip(normals, owners, strict=True)]


def _on(points: tuple[Vec, ...], point: Vec, close: float) -> bool:
    """Whether a point lies on the segment between one or two others."""
    distances = [norm(minus(point, p)) for p in points]
    return sum(distances) <= norm(minus(points[-1], points[0])) + close or min(distances) <= close


def forbidden(wedges: Sequence[Sequence[Vec]], known: Sequence[Vec]) -> list[Vec] | None:
    """The normals, beyond those known, of the half-spaces of velocities that wedges forbid together.

    A wedge is what planes with these normals all forbid. None where the velocities left are not convex.
    """
    wedges = sorted(wedges, key=len)  # half-spaces first: they leave the least to look through
    rows = [np.array([_unit(n) for n in wedge]) for wedge in wedges]
    planes = [_unit(n) for n in known]
    left = [(wedge, sides) for wedge, sides in zip(wedges, rows, strict=True) if _deep([*-sides, *planes])]
    if not left:
        return []
    if not _room(planes, [sides for _, sides in left]):
        return None
    normals: list[Vec] = []
    for normal in itertools.chain(*(wedge for wedge, _ in left)):
        if not _among(normal, normals) and not _room([-_unit(normal)], rows):
            normals.append(normal)
    if any(_deep([*-sides, *planes, *map(_unit, normals)]) for _, sides in left):
        return None
    for normal in list(normals):
        others = [n for n in normals if n is not normal]
        if not _deep([-_unit(normal), *planes, *map(_unit, others)]):
            normals = others
    return normals


def extreme(normals: Sequence[Vec]) -> tuple[Vec, ...]:
    """Those of the normals that are not sums of others: each once, the fewest that give the same wedge."""
    kept = list(normals)
    for normal in normals:
        others = [n for n in kept if n is not normal]
        if others and not _deep([_unit(normal), *(-_unit(n) for n in others)]):
            kept = others
    return tuple(kept)


def _room(above: Sequence[Rows], wedges: Sequence[Rows]) -> bool:
    """Whether some velocities above these planes lie in no wedge."""
    if not _deep(above):
        return False
    if not wedges:
        return True
    first, *rest = wedges
    # Beyond one plane of the wedge, or on its near side and beyond the next.
    return any(_room([*above, *-first[:k], first[k]], rest) for k in range(len(first)))


def _deep(rows: Sequence[Rows]) -> bool:
    """Whether velocities above all planes fill a cone, and more than rounding would."""
    return not len(rows) or innermost(np.array(rows), np.zeros((0, len(rows[0]))))[1] > _DEEP


def _unit(n: Vec) -> Rows:
    return np.array([float(x) for x in n]) / norm(n)


def _among(n: Vec, others: Iterable[Vec]) -> bool:
    return any(float(_unit(n) @ _unit(m)) >= 1 - CLOSE for m in others)
