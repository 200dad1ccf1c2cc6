"""After how many patterns does a wheel look the same again? Gelsey's Algorithm 14 (1995), on outlines.

A part that is turned by a pattern shows its neighbours the same outline only where that is symmetric. What
counts is the outline of the union, of features that can meet what it touches, however the shape was written.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from detent.contact.candidate import FIRST, PAIR, SECOND
from detent.contact.features import EDGE, WIDE
from detent.contact.joint_axes import still_axes

if TYPE_CHECKING:
    from detent.contact.candidate import Candidates
    from detent.model.machine.system import System

# Of the size: what is nearer is the same place; far above rounding of coordinates, far below any feature.
_SAME = 1e-7
# Rotations tried, at most: a wheel that is back after more patterns is not followed.
_MOST = 400
# rad: a part that turns less in a pattern comes back to where it was.
_BACK = 1e-6
_ALL_AROUND = 2.0  # of a feature: how wide its arc is


@dataclass(frozen=True)
class Returning:
    """A part that a pattern leaves elsewhere, and after how many patterns it looks the same; None: never."""

    part: str
    rotation: float  # [rad] per pattern
    patterns: int | None
    why: str


def returning(
    system: System,
    possible: Candidates,
    pairs: set[int],
    moved: dict[int, float],
    share: float,
) -> list[Returning]:
    """Of bodies that touch others (`pairs` of candidates) and that a pattern leaves elsewhere.

    `moved` has the rotation of each of them [rad]; within a `share` of it, rotations count as the same.
    """
    found = []
    for body, rotation in moved.items():
        touched = [pair for pair in pairs if body in possible.pairs[pair]]
        if not touched or system.bodies[body].fixed:
            continue
        name, pivot = system.bodies[body].name, _pivot(system, body)
        if abs(rotation) <= _BACK:
            why = f"{name} is not turned, but carried on: its outline is followed ahead"
            found.append(Returning(name, 0.0, 1, why))
            continue
        if pivot is None:
            why = (
                f"each pattern turns {name} and leaves it elsewhere, on no fixed axis: whether it meets the"
                " same again can be told of parts alone that turn about a pin in a fixed part, or do not turn"
            )
            found.append(Returning(name, rotation, None, why))
            continue
        fold = _fold(possible, _rows(possible, body, touched), pivot, _SAME * system.size)
        order = _order(2 * math.pi / fold, rotation, share)
        turned = f"{abs(math.degrees(rotation)):.6g}°"
        if order == 1:
            why = f"{name}, turned by {turned}, has the same outline"
        elif order is None:
            why = f"{name}, turned by {turned} each time, does not look the same within {_MOST} patterns"
        else:
            why = f"{name}, turned by {turned}, has another outline: the same only after {order} patterns"
        found.append(Returning(name, rotation, order, why))
    return found


def _pivot(system: System, body: int) -> Any:
    """The fixed axis of a body, in its section frame."""
    for other in range(len(system.bodies)):
        if system.bodies[other].fixed and (axes := still_axes(system, (other, body))) is not None:
            return axes[0][1]
    return None


def _rows(possible: Candidates, body: int, pairs: list[int]) -> Any:
    """Features of a body that can meet what it touches."""
    listed = possible.listed[np.isin(possible.listed[:, PAIR], pairs)]
    features = np.unique(listed[:, [FIRST, SECOND]])
    return features[possible.features.body[features] == body]


def _fold(possible: Candidates, rows: Any, pivot: Any, near: float) -> int:
    """How many times a full turn shows the same outline; one that is round shows it most often."""
    for fold in range(_MOST, 1, -1):
        if _same(possible, rows, pivot, 2 * math.pi / fold, near):
            return fold
    return 1


def _order(step: float, rotation: float, share: float) -> int | None:
    """Rotations after which the part is turned by a whole number of steps."""
    for order in range(1, _MOST + 1):
        if abs(math.remainder(order * rotation, step)) <= max(_BACK, share * min(abs(rotation), step)):
            return order
    return None


def _same(possible: Candidates, rows: Any, pivot: Any, angle: float, near: float) -> bool:
    """Whether features, turned about a point, lie on features."""
    kind, data = possible.features.kind[rows], possible.features.data[rows].copy()
    whole = _whole_circles(kind, data, pivot, near)
    c, s = math.cos(angle), math.sin(angle)
    rotation = np.array([[c, -s], [s, c]])
    turned = data.copy()
    for first, is_point in ((0, True), (2, False), (4, False), (6, False)):
        pick = slice(first, first + 2)
        about = pivot if is_point else np.zeros(2)
        turned[:, pick] = (data[:, pick] - about) @ rotation.T + about
    edges = kind == EDGE
    turned[edges, 2:4] = (data[edges, 2:4] - pivot) @ rotation.T + pivot
    turned[~edges, 2:4] = data[~edges, 2:4]  # radius and side
    heights = [possible.features.heights[row] for row in rows]
    for k in np.flatnonzero(~whole):
        alike = (kind == kind[k]) & ~whole & (np.abs(data - turned[k]).max(axis=1) <= near)
        if not any(heights[j] == heights[k] for j in np.flatnonzero(alike)):
            return False
    return True


def _whole_circles(kind: Any, data: Any, pivot: Any, near: float) -> Any:
    """Discs about the axis that are touched all around: they look the same at any angle."""
    centred = np.hypot(data[:, 0] - pivot[0], data[:, 1] - pivot[1]) <= near
    return (kind != EDGE) & centred & (data[:, WIDE] == _ALL_AROUND)
