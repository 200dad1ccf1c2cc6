"""Contacts of a document whose parts touch as drawn: polygons, discs, convex polyhedra.

A vertex on an edge or in a notch, an edge on an edge, a vertex in a face and crossing edges are
decided on the document's rationals; rounding is allowed for only where a rotation or a disc
brings it in. Pieces of one part, fixed parts, and parts held by a fixed joint are one body: a seam
between them is not a corner (`piece_contacts.py`). Where only corners meet (in space also a corner
and an edge, or edges side by side) many planes separate the parts, so there is no one normal and no one
mode: that is refused by name, and so are parts that overlap. Anything else (cones,
round holes) is given as `[[contacts]]`.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from detent.contact.touching import patch, plane, space
from detent.contact.touching.near import pair_gaps, sunk
from detent.contact.touching.piece_contacts import (
    Meeting,
    NoOneNormalError,
    PiecePair,
    at_corners,
    without_buried,
)
from detent.contact.touching.pieces import pieces_of
from detent.foundation.errors import ModelError, Problem, UnsupportedError
from detent.foundation.units import unit_names
from detent.geometry.exact.polytope import CLOSE, Round, Touch, points_of
from detent.geometry.frame import exact3
from detent.geometry.vector import Vec, dot, minus, norm
from detent.model.document.mechanism import Mechanism
from detent.model.machine.drawn.shape_checks import crossed_outlines
from detent.model.machine.graph import parts_of
from detent.model.machine.placed import place
from detent.model.machine.solids import part_solid
from detent.model.machine.touching import TouchingPairs
from detent.numeric.union_find import Groups

# Of the extent of a drawing: what coordinates of five digits may leave open where parts were to touch.
ROUNDED = 1e-5
SPECK = 10.0  # distances within which things touch: no part is smaller
GROUND_BODY = ""  # all fixed parts; no part has this name
Found = tuple[str, str, Vec, Vec]  # first part, second part, point, normal from first to second


def touching_parts(mechanism: Mechanism) -> list[Found]:
    """Every contact between the shapes as drawn, pairs in document order."""
    crossed = crossed_outlines(mechanism)
    if crossed:
        raise ModelError(*crossed)
    pieces = _pieces(mechanism)
    close = CLOSE * max((abs(x) for axis in _axes(pieces) for x in axis), default=1.0)
    _refuse_specks(pieces, close)
    _refuse_overlaps(mechanism, pieces, close)
    try:
        return _found(mechanism, pieces, close)
    except NoOneNormalError as none:
        raise _no_normal(mechanism, *none.pair, none.point) from None


def almost_touching(mechanism: Mechanism, contacts: Sequence[Found]) -> tuple[str, ...]:
    """In words, contacts that there would be beside these, but for the last digits of rounded coordinates."""
    pieces = _pieces(mechanism)
    close = ROUNDED * max((max(axis) - min(axis) for axis in _axes(pieces)), default=1.0)
    try:
        nearly = _found(mechanism, pieces, close)
    except NoOneNormalError as none:
        return (f"{':'.join(none.pair)} corner on corner at {_place(mechanism, none.point)}",)
    return tuple(
        f"{first}:{second} at {_place(mechanism, point)}"
        for first, second, point, normal in nearly
        if not any(
            (first, second) == (a, b)
            and norm(minus(point, p)) <= close
            and float(dot(normal, n)) >= (1 - ROUNDED) * norm(normal) * norm(n)
            for a, b, p, n in contacts
        )
    )


def touching_beside(mechanism: Mechanism) -> tuple[str, ...]:
    """In words, where shapes touch as drawn, of pairs of which no contact is given and that no joint joins.

    A shape whose contacts cannot be found is not looked at; a place that is given of other parts is given.
    """
    pieces = _pieces(mechanism, refuse=False)
    close = ROUNDED * max((max(axis) - min(axis) for axis in _axes(pieces)), default=1.0)
    told = {frozenset(contact.between) for contact in mechanism.contacts}
    told |= {frozenset(parts_of(joint)) for joint in mechanism.joints.values()}
    places = [exact3(contact.point) for contact in mechanism.contacts]
    corners: list[tuple[PiecePair, Vec]] = []
    while True:
        try:
            found = _found(mechanism, pieces, close, told)
            break
        except NoOneNormalError as none:  # this pair is told; there may be others
            corners.append((none.pair, none.point))
            told.add(frozenset(none.pair))
    named = [(pair, "corner on corner ", point) for pair, point in corners]
    named += [((first, second), "", point) for first, second, point, _ in found]
    return tuple(
        f"{':'.join(pair)} {how}at {_place(mechanism, point)}"
        for pair, how, point in named
        if not any(norm(minus(exact3(point), place)) <= close for place in places)
    )


def _pieces(mechanism: Mechanism, *, refuse: bool = True) -> dict[str, list[Any]]:
    """The convex pieces of every part with a shape that may touch another, where they are drawn.

    A shape whose contacts cannot be found is refused by name, or left out.
    """
    poses = place(mechanism).frames
    shaped = [name for name, part in mechanism.parts.items() if part.shape is not None]
    touching = {name for pair in TouchingPairs(mechanism).among(shaped) for name in pair}
    pieces = {}
    for name in shaped:
        if name not in touching:
            continue
        try:
            pieces[name] = pieces_of(mechanism, name, poses[name])
        except (UnsupportedError, ModelError):
            if refuse:
                raise
    return pieces


def _axes(pieces: dict[str, list[Any]]) -> list[list[float]]:
    """The coordinates of all points, axis by axis."""
    points = [p for of_part in pieces.values() for piece in of_part for p in points_of(piece)]
    return [[float(x) for x in axis] for axis in zip(*points, strict=True)]


def _place(mechanism: Mechanism, point: Vec) -> str:
    numbers = ", ".join(f"{float(x):.6g}" for x in point)
    return f"({numbers}){unit_names(mechanism.units).length}"


def _found(
    mechanism: Mechanism,
    pieces: dict[str, list[Any]],
    close: float,
    without: Collection[frozenset[str]] = (),
) -> list[Found]:
    """Every contact between pieces that are so close, of all pairs `without` some."""
    method: Any = space if mechanism.dimension == 3 else plane
    met: dict[PiecePair, list[Meeting]] = {}
    for pair in TouchingPairs(mechanism).among(pieces):
        if frozenset(pair) in without:
            continue
        both = itertools.product(pieces[pair[0]], pieces[pair[1]])
        meetings = [replace(m, pair=pair) for a, b in both for m in method.meetings(a, b, close)]
        met[pair] = without_buried(meetings, close)
    for meetings in _by_rigid_pair(mechanism, met):
        for meeting in at_corners(meetings, close):
            as_asked = meeting if meeting.pair in met else meeting.exchanged()
            met[as_asked.pair].append(as_asked)
    return [
        (*pair, *touch)
        for pair, meetings in met.items()
        for touch in _whole(meetings, mechanism.dimension, close)
    ]


def _by_rigid_pair(mechanism: Mechanism, met: dict[PiecePair, list[Meeting]]) -> list[list[Meeting]]:
    """All that touches between the same two rigid bodies: fixed parts are one, and parts of a fixed joint."""
    rigid = Groups([GROUND_BODY, *mechanism.parts])
    for name, part in mechanism.parts.items():
        if part.fixed:
            rigid.join(GROUND_BODY, name)
    for joint in mechanism.joints.values():
        if joint.type == "fixed":
            rigid.join(*parts_of(joint))
    groups: dict[PiecePair, list[Meeting]] = {}
    for (first, second), meetings in met.items():
        bodies = rigid.head(first), rigid.head(second)
        if bodies[::-1] in groups:
            groups[bodies[::-1]] += [meeting.exchanged() for meeting in meetings]
        elif bodies[0] != bodies[1]:
            groups.setdefault(bodies, []).extend(meetings)
    return list(groups.values())


def _whole(met: Sequence[Meeting], dimension: int, close: float) -> list[Touch]:
    """The contacts of a pair of parts: each once, and in space none where faces run on."""
    regions = [meeting.touches for meeting in met]
    touches = _distinct(itertools.chain(*regions), close)
    return patch.corners(touches, regions, close) if dimension == 3 else touches


def _refuse_overlaps(mechanism: Mechanism, pieces: dict[str, list[Any]], close: float) -> None:
    """Parts that overlap touch nowhere in particular, and are not free either."""
    from detent.model.machine.drawn.overlap import overlaps

    solids = {name: solid for name in pieces if (solid := part_solid(mechanism, name)) is not None}
    overlapping = [
        each
        for each in overlaps(mechanism, solids)
        # Meshes of tilted solids that only touch may seem to share a sliver.
        if mechanism.dimension == 2
        or any(
            space.overlap(a, b, close) for a, b in itertools.product(pieces[each.first], pieces[each.second])
        )
    ]
    problems = [Problem(each.at, each.problem, each.remedy) for each in overlapping]
    if problems := problems or sunk(pair_gaps(mechanism, within=0.0)):
        raise ModelError(*problems)


def _refuse_specks(pieces: dict[str, list[Any]], close: float) -> None:
    """A part that is smaller than what counts as touching would touch itself all over."""
    for name, of_part in pieces.items():
        places = [[float(x) for x in p] for piece in of_part for p in points_of(piece)]
        spans = [max(axis) - min(axis) for axis in zip(*places, strict=True)]
        across = max(
            (*spans, *(2 * float(piece.radius) for piece in of_part if isinstance(piece, Round))),
            default=None,
        )
        if across is not None and across <= SPECK * close:
            problem = (
                f"is {across:.3g} across, in a machine that reaches {close / CLOSE:.3g} from the origin:"
            )
            raise UnsupportedError(
                f"{problem} what touches it cannot be told",
                "draw the machine near the origin, its parts near each other",
                f"parts.{name}",
            )


def _no_normal(mechanism: Mechanism, first: str, second: str, point: Vec) -> UnsupportedError:
    return UnsupportedError(
        f"{first} and {second} meet corner on corner at {_place(mechanism, point)}, where no one normal "
        "separates them",
        f'give all contacts as [[contacts]], or leave the pair out: touching.ignore = ["{first}:{second}"]',
        f"parts.{second}",
    )


def _distinct(touches: Iterable[Touch], close: float) -> list[Touch]:
    """One of each point and direction."""
    kept: list[Touch] = []
    rows = np.zeros((0, 0))
    for point, normal in touches:
        row = np.array([*(float(x) for x in point), *(float(x) / norm(normal) for x in normal)])
        rows = rows.reshape(-1, len(row))
        apart = rows[:, : len(point)] - row[: len(point)]
        same = (np.linalg.norm(apart, axis=1) <= close) & (
            np.abs(rows[:, len(point) :] @ row[len(point) :] - 1) <= CLOSE
        )
        if not same.any():
            kept.append((point, normal))
            rows = np.vstack([rows, row])
    return kept
