"""Bars with holes become pinned links: holes of different parts on one spot are a pin.

Where two parts share one hole they are joined by a revolute joint there; a hole that k parts share gives
k - 1 of them. Two parts that share several holes cannot turn: they are held together.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from detent.foundation.exact import Number, number
from detent.foundation.names import listed
from detent.io.drawing.loops import Point, extent, nearness
from detent.numeric.union_find import Groups

# Holes whose centres are nearer than this share of the drawing's extent are one.
_SAME = 1e-6
# Holes of two parts that are not one, and nearer than this, were meant to be: the answer says so.
_ALMOST = 1e-2


@dataclass(frozen=True)
class Hole:
    part: str
    x: Number
    y: Number

    @property
    def at(self) -> tuple[float, float]:
        return float(self.x), float(self.y)


def holes_of(part: str, shape: dict[str, Any]) -> list[Hole]:
    """The round holes of a part's shape, as `loops.nested` writes it."""
    holes = []
    for whole in shape.get("union", [shape]):
        for cut in whole.get("difference", [])[1:]:
            if "circle" in cut:
                x, y = cut["moves"][0]["move"] if "moves" in cut else (number(0), number(0))
                holes.append(Hole(part, x, y))
    return holes


def pinned(
    parts: dict[str, Any], marks: Sequence[Point] = (), units: str = "1"
) -> tuple[dict[str, Any], list[str]]:
    """Joints between parts that share holes, as plain data, and words for what was found.

    `marks` are places where joints are marked: a vertex of a part there is as good as a hole. Lengths are in
    `units`.
    """
    points = [point for part in parts.values() for point in _points(part["shape"])]
    near = nearness(points, _SAME)

    holes = [hole for name, part in parts.items() for hole in holes_of(name, part["shape"])]
    holes += [hole for name, part in parts.items() for hole in _marked(name, part["shape"], marks, near)]
    spots = _spots(holes, near)
    joints: dict[str, Any] = {}
    words: list[str] = []
    shared: dict[tuple[str, str], list[Hole]] = {}
    for spot in spots:
        owners = {hole.part: hole for hole in spot}
        if len(owners) < 2:
            continue
        names = list(owners)
        for first, second in itertools.pairwise(names):
            shared.setdefault((first, second), []).append(owners[first])
    joined = Groups(parts)
    for (first, second), places in shared.items():
        for hole in places:
            if len(places) > 1 and joined.head(first) == joined.head(second) and hole is not places[0]:
                continue
            kind = "revolute" if len(places) == 1 else "fixed"
            joints[f"pin{len(joints) + 1}"] = {
                "type": kind,
                "between": [first, second],
                "at": [hole.x, hole.y],
            }
            if kind == "fixed":
                joined.join(first, second)
        if len(places) > 1:
            words.append(f"{first} and {second} share {len(places)} holes and are held together.")
    pins = [name for name, joint in joints.items() if joint["type"] == "revolute"]
    if pins:
        where = listed([f"{name} of {' and '.join(joints[name]['between'])}" for name in pins[:12]])
        words.insert(0, f"Holes that parts share are pins: {where}{' …' if len(pins) > 12 else ''}.")
    words += _missed(
        [spot[0] for spot in spots], _ALMOST * extent(points), "" if units == "1" else f" {units}"
    )
    if joints:
        words.append("Nothing is fixed: give the frame `fixed = true`.")
    return joints, words


def _missed(holes: list[Hole], near: float, unit: str) -> list[str]:
    """Words for holes of two parts that almost share a place."""
    pairs = [(math.dist(a.at, b.at), a, b) for a, b in _neighbours(holes, near) if a.part != b.part]
    pairs.sort(key=lambda pair: pair[0])
    said = [
        f"{a.part} and {b.part}, drawn {apart:.3g}{unit} apart at ({a.at[0]:.6g}, {a.at[1]:.6g})"
        for apart, a, b in pairs[:6]
    ]
    more = " …" if len(pairs) > len(said) else ""
    return [f"Not pinned, as their holes are not on one spot: {'; '.join(said)}{more}."] if said else []


def _neighbours(holes: list[Hole], near: float) -> Iterator[tuple[Hole, Hole]]:
    """Pairs of holes that are nearer than this."""
    if not near:
        return
    cells: dict[tuple[int, int], list[Hole]] = {}
    for hole in holes:
        x, y = (math.floor(c / near) for c in hole.at)
        for i, j in itertools.product((-1, 0, 1), repeat=2):
            yield from (
                (each, hole) for each in cells.get((x + i, y + j), ()) if math.dist(each.at, hole.at) < near
            )
        cells.setdefault((x, y), []).append(hole)


def _points(shape: dict[str, Any]) -> list[Point]:
    """Vertices of a shape as `loops.nested` writes it, and the corners of boxes around its circles."""
    points = [(float(x), float(y)) for key in ("segment", "outline") for x, y in shape.get(key, ())]
    if "circle" in shape:
        radius = float(shape["circle"])
        x, y = map(float, shape["moves"][0]["move"]) if "moves" in shape else (0.0, 0.0)
        points += [(x - radius, y - radius), (x + radius, y + radius)]
    inner = [each for key in ("union", "difference") for each in shape.get(key, ())]
    return points + [point for each in inner for point in _points(each)]


def _marked(part: str, shape: dict[str, Any], marks: Sequence[Point], near: float) -> list[Hole]:
    """Vertices of a part at places that are marked."""
    vertices = [Hole(part, x, y) for key in ("segment", "outline") for x, y in shape.get(key, ())]
    return [v for v in vertices if any(math.dist(v.at, mark) <= near for mark in marks)]


def _spots(holes: list[Hole], near: float) -> list[list[Hole]]:
    """Holes by the place of their centres, in the order of the drawing."""
    spots: list[list[Hole]] = []
    cells: dict[tuple[int, int], list[int]] = {}
    for hole in holes:
        x, y = (math.floor(c / near) for c in hole.at)
        around = [k for i in (-1, 0, 1) for j in (-1, 0, 1) for k in cells.get((x + i, y + j), ())]
        spot = next((k for k in around if math.dist(spots[k][0].at, hole.at) <= near), None)
        if spot is None:
            cells.setdefault((x, y), []).append(len(spots))
            spots.append([hole])
        else:
            spots[spot].append(hole)
    return spots
