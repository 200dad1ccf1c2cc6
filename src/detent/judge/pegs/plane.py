"""The plane in which peg and hole are looked at: of the way in, and of how far the peg is off and leans.

In a plane document the document's own. In space round pegs have the plane of their offset, others one along
the sides of the hole; across it the peg may be off by no more than its play there, and must not lean.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from detent.geometry.solid import Block, Cylinder, Leaf, Solid, leaves

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_ALIKE = 1e-9  # of sizes and unit vectors: less is rounding
_LEANS = 1e-7  # sine of a lean across the plane: less is rounding of angles in degrees
_ALONG = 0.8  # cosine between the way in and an axis that goes along it


class RefusedError(Exception):
    """(where, why, remedy): what makes a document no peg for this theory."""


class NoPlaneError(RefusedError):
    """A peg above a hole, which no plane shows whole."""


@dataclass(frozen=True, eq=False)
class PegPlane:
    """A point of it, the direction in which offsets count, and what is off across it."""

    point: Floats
    across: Floats
    beside: float = 0.0
    beside_play: float | None = None  # None where nothing can be off across it: round, or a plane document


@dataclass(frozen=True, eq=False)
class _Shaft:
    """A block or a cylinder along the way in: its axis, and half widths by direction across it."""

    point: Floats
    axis: Floats
    sides: tuple[tuple[Floats, float], ...]  # of a block, its other two directions; empty where it is round
    radius: float


def plane_in_space(peg: Solid, hole: Solid, down: Floats, at: tuple[str, str, str]) -> PegPlane:
    """Of solids placed in the world; `at` are the places of their shapes in the document, and its unit."""
    shafts = [shaft for leaf in leaves(peg) if not leaf.hollow and (shaft := _shaft(leaf, down)) is not None]
    if not shafts:
        remedy = "draw it as a block or a cylinder along the way in, or the machine in the plane"
        raise RefusedError(at[0], "no block or cylinder of it goes along the way in", remedy)
    held = max(shafts, key=lambda shaft: shaft.radius)
    bores = [shaft for leaf in leaves(hole) if leaf.hollow and (shaft := _shaft(leaf, down)) is not None]
    if not bores:
        remedy = "take a block or a cylinder along the way in out of it"
        raise RefusedError(at[1], "nothing is taken out of it along the way in", remedy)
    bore = min(bores, key=lambda each: float(np.linalg.norm(_off(held, each, down))))
    if np.linalg.norm(_perpendicular(bore.axis, down)) > _ALIKE:
        raise RefusedError(at[1], "the hole does not go along the first leg", "lead the peg along the hole")
    return _in_round(held, bore, down, at) if not bore.sides else _in_square(held, bore, down, at)


def _in_round(held: _Shaft, bore: _Shaft, down: Floats, at: tuple[str, str, str]) -> PegPlane:
    if held.sides:
        raise NoPlaneError(
            at[0],
            "a block above a round hole has no plane section that tells its play",
            "draw both round, or both with flat sides",
        )
    off, lean = _off(held, bore, down), _perpendicular(held.axis, down)
    size = bore.radius
    far, leans = float(np.linalg.norm(off)) > _ALIKE * size, float(np.linalg.norm(lean)) > _ALIKE
    if far:
        across = off / np.linalg.norm(off)
    elif leans:
        across = lean / np.linalg.norm(lean)
    else:
        across = _perpendicular(np.eye(3)[int(np.argmin(np.abs(down)))], down)
        across = across / np.linalg.norm(across)
    normal = np.cross(down, across)
    if abs(float(lean @ normal)) > _LEANS:
        raise NoPlaneError(
            at[0], "it leans across the plane of its offset", "lean it in the direction in which it is off"
        )
    return PegPlane(held.point, across)


def _in_square(held: _Shaft, bore: _Shaft, down: Floats, at: tuple[str, str, str]) -> PegPlane:
    off, lean = _off(held, bore, down), _perpendicular(held.axis, down)
    (one, one_half), (other, other_half) = bore.sides
    reach = held.radius
    first, second = (abs(float(off @ way)) + reach * abs(float(lean @ way)) for way in (one, other))
    if second > first:
        one, other, one_half, other_half = other, one, other_half, one_half
    beside = float(off @ other)
    if abs(float(lean @ other)) > _LEANS:
        raise NoPlaneError(at[0], "it leans in both directions across the hole", "lean it in one plane")
    play = other_half - _half_along(held, other)
    if abs(beside) > play + _ALIKE * other_half:
        problem = (
            f"it is off in two directions: {abs(float(off @ one)):.6g}{at[2]} in the plane looked at, and "
            f"{abs(beside):.6g}{at[2]} across it, where its play is {play:.6g}{at[2]}"
        )
        raise NoPlaneError(at[0], problem, "closed forms are planar: put it off in one direction")
    return PegPlane(held.point, one, beside, play)


def _half_along(shaft: _Shaft, way: Floats) -> float:
    if not shaft.sides:
        return shaft.radius
    return next((half for side, half in shaft.sides if abs(float(side @ way)) > 1 - _ALIKE), shaft.radius)


def _off(held: _Shaft, bore: _Shaft, down: Floats) -> Floats:
    return _perpendicular(held.point - bore.point, down)


def _perpendicular(vector: Floats, down: Floats) -> Floats:
    rest: Floats = vector - float(vector @ down) * down
    return rest


def _shaft(leaf: Leaf, down: Floats) -> _Shaft | None:
    """A leaf as a shaft along the way in; None where it is something else. Its point is at its lower end."""
    p, matrix = leaf.primitive, leaf.frame.matrix
    rotation, origin = matrix[:, :3], matrix[:, 3]
    if isinstance(p, Cylinder):
        axis = rotation[:, 2]
        if abs(float(axis @ down)) < _ALONG:
            return None
        end = origin + axis * float(p.height)
        low = end if float(axis @ down) > 0 else origin
        return _Shaft(low, axis * np.sign(axis @ down), (), float(p.radius))
    if isinstance(p, Block):
        sides = np.array([float(side) for side in p.sides])
        k = int(np.argmax(np.abs(rotation.T @ down)))
        axis = rotation[:, k]
        if abs(float(axis @ down)) < _ALONG:
            return None
        way = float(np.sign(axis @ down))
        low = origin + rotation @ (sides / 2) + axis * way * sides[k] / 2
        across = tuple((rotation[:, i], sides[i] / 2) for i in range(3) if i != k)
        return _Shaft(low, axis * way, across, float(max(half for _, half in across)))
    return None
