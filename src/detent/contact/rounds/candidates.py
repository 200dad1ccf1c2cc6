"""Circles of shafts and holes that may touch each other's surfaces, found once per machine, in metres.

A candidate is a place of a circle (a rim, a sharp edge) against all of the other body's meridian, so that a
contact that wanders from the rim over to the side stays the same one. Each circle has three for its nearest
points, and four at fixed angles, for when it is the same all round.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from detent.geometry.naming import contact_name, in_part
from detent.geometry.revolved.meridian import Meridian, MeridianPiece, meridians
from detent.geometry.revolved.nearest import round_table

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from detent.model.machine.system import System

    Floats = NDArray[np.float64]
    Integers = NDArray[np.int64]

# The formula of these candidates, beside those of faces and edges.
ROUND = 2
# Columns of the list: formula, circle, place on it, pair of bodies, whether the circle is on the second one.
SLOTS = 7  # places on a circle: three nearest points, four quarters
QUARTERS = 3  # the first place at a fixed angle
# Columns of a circle: its row of pieces, its meridian, the other one, whether it is on the second body.
CIRCLE_COLUMNS = 4


@dataclass(frozen=True, eq=False)
class RoundCandidates:
    """Meridians of bodies, their circles, and a list of candidates like that of faces and edges."""

    meridians: tuple[Meridian, ...]
    bodies: Integers  # (m,) of each meridian
    frames: Floats  # (m, 3, 4) of each meridian in its body
    pieces: Floats  # (p, 8), those of all meridians
    starts: Integers  # (m + 1,)
    circles: Integers  # (c, CIRCLE_COLUMNS)
    listed: Integers  # (n, 5)
    matched: tuple[tuple[int, int, int], ...]  # pair of bodies, meridian of its first, of its second

    @property
    def arrays(self) -> tuple[Any, ...]:
        """What the loop over circles reads."""
        return self.pieces, self.starts, self.frames, self.bodies, self.circles

    @property
    def together(self) -> frozenset[int]:
        """The pairs of bodies that have a hole and a shaft."""
        return frozenset(pair for pair, _, _ in self.matched)

    def balls(self, bodies: int) -> Floats:
        """(bodies, 4): centre and radius of a ball around the meridians of each; -1 of one that has none."""
        found = np.zeros((bodies, 4))
        found[:, 3] = -1.0
        for body, each in zip(self.bodies.tolist(), self.meridians, strict=True):
            ends = [end for piece in each.pieces for end in (piece.start, piece.end)]
            # Faces go on around a hole: what is far from the axis is no part of the motion of a peg.
            spread = max(np.hypot(rho, u) for rho, u in ends)
            reach = float(np.linalg.norm(each.origin - found[body, :3])) + spread
            if found[body, 3] < 0:
                found[body] = *each.origin, spread
            else:
                found[body, 3] = max(found[body, 3], reach)
        return found

    def name(self, candidate: int) -> str:
        """The circle that touches, and the part that it touches: of the pair's first body first."""
        circle = self.circles[self.listed[candidate, 1]]
        own, other = self.meridians[circle[1]], self.meridians[circle[2]]
        mine = own.pieces[circle[0] - self.starts[circle[1]]].name
        if not mine.startswith(in_part(own.part, "")):
            mine = in_part(own.part, mine)
        return contact_name(*((other.part, mine) if circle[3] else (mine, other.part)))

    def pieces_at(
        self, candidate: int, point_A: Floats, point_B: Floats
    ) -> tuple[MeridianPiece, MeridianPiece]:
        """On which pieces of the first and the second body a contact lies, by points in these bodies."""
        circle = self.circles[self.listed[candidate, 1]]
        own, other = self.meridians[circle[1]], self.meridians[circle[2]]
        mine = own.pieces[circle[0] - self.starts[circle[1]]]
        if circle[3]:
            return piece_at(other, point_A), mine
        return mine, piece_at(other, point_B)


def piece_at(meridian: Meridian, point: Floats) -> MeridianPiece:
    """The piece of a meridian that a point of its part is nearest to."""
    x, y, u = np.linalg.inv(meridian.frame)[:3] @ [*point, 1.0]
    rho = float(np.hypot(x, y))
    return min(meridian.pieces, key=lambda piece: piece.away(rho, float(u)))


def round_candidates(system: System, pairs: Sequence[tuple[int, int]]) -> RoundCandidates:
    """Of every hole and shaft of these pairs of bodies that may go together."""
    found: dict[int, list[Meridian]] = {}
    for body in sorted({body for pair in pairs for body in pair}):
        solid = system.bodies[body].solid
        assert solid is not None, "bodies without a shape touch nothing"
        name = system.bodies[body].name
        found[body] = [each for hollow in (True, False) for each in meridians(name, solid, hollow=hollow)]
    every = [(body, each) for body, several in found.items() for each in several]
    number = {id(each): k for k, (_, each) in enumerate(every)}
    tables = [round_table(each, 1.0) for _, each in every]
    starts = np.cumsum([0, *map(len, tables)]).astype(np.int64)
    matched: list[tuple[int, int, int]] = []
    circles: list[tuple[int, int, int, int]] = []
    listed: list[tuple[int, int, int, int, int]] = []
    for row, (first, second) in enumerate(pairs):
        for one in found[first]:
            for other in found[second]:
                if one.hollow == other.hollow:
                    continue
                matched.append((row, number[id(one)], number[id(other)]))
                for side, (own, against) in enumerate(((one, other), (other, one))):
                    for k, piece in enumerate(own.pieces):
                        if not piece.bulges:
                            continue
                        at = int(starts[number[id(own)]]) + k
                        listed += [(ROUND, len(circles), slot, row, side) for slot in range(SLOTS)]
                        circles.append((at, number[id(own)], number[id(against)], side))
    return RoundCandidates(
        tuple(each for _, each in every),
        np.array([body for body, _ in every], np.int64),
        np.array([each.frame[:3] for _, each in every]).reshape(-1, 3, 4),
        np.concatenate([np.empty((0, 8)), *tables]),
        starts,
        np.array(circles, np.int64).reshape(-1, CIRCLE_COLUMNS),
        np.array(listed, np.int64).reshape(-1, 5),
        tuple(matched),
    )
