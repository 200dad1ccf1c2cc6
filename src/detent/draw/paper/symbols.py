"""The usual signs of mechanism drawing, on paper: pins, slides, springs, walls, arrows.

Coordinates are pixels with y down, angles counter-clockwise as a reader sees them.
Each sign is a few plain marks; its size does not follow the machine's scale.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from detent.draw.scene.palette import HATCH, INK, PAPER
from detent.draw.scene.scene import Area, DrawnDisc, DrawnLine, Item, Point, Style, Symbol

if TYPE_CHECKING:
    from detent.draw.scene.scene import Points

PIN = 5.0  # [px] radius of a pin
FOOT = 15.0  # [px] height of the foot on the frame
TOOTH = 6.0  # [px] length of a hatching stroke


def marks(symbol: Symbol, at: Point, to: Point | None, scale: float = 1.0) -> list[Item]:
    """A symbol's marks, its places already on paper; smaller by `scale` where the page is crowded."""
    drawn = _DRAW[symbol.kind](at, to, symbol)
    return drawn if scale == 1 or to is not None else [_scaled(mark, at, scale) for mark in drawn]


def _scaled(mark: Item, about: Point, scale: float) -> Item:
    assert isinstance(mark, Area | DrawnLine | DrawnDisc)
    style = replace(mark.style, width=mark.style.width * scale**0.5)
    centre = _array([about])
    if isinstance(mark, Area):
        return replace(mark, rings=tuple(centre + scale * (r - centre) for r in mark.rings), style=style)
    if isinstance(mark, DrawnLine):
        return replace(mark, points=centre + scale * (mark.points - centre), style=style)
    return replace(
        mark,
        at=(about[0] + scale * (mark.at[0] - about[0]), about[1] + scale * (mark.at[1] - about[1])),
        radius=scale * mark.radius,
        style=style,
    )


def arrow(tail: Point, tip: Point, colour: str, width: float, owner: str) -> list[Item]:
    """A shaft and a filled head; a short arrow has a small head."""
    length = math.dist(tail, tip)
    if length == 0:
        return []
    u = ((tip[0] - tail[0]) / length, (tip[1] - tail[1]) / length)
    head = min(5.0 * width, length)
    half = 0.42 * head
    neck = (tip[0] - head * u[0], tip[1] - head * u[1])
    wings = [
        tip,
        (neck[0] - half * u[1], neck[1] + half * u[0]),
        (neck[0] + half * u[1], neck[1] - half * u[0]),
    ]
    return [
        DrawnLine(_array([tail, neck]), Style(stroke=colour, width=width), owner=owner),
        Area((_array(wings),), Style(stroke=None, fill=colour), owner=owner),
    ]


def hatched(start: Point, end: Point, owner: str, *, side: float = 1.0) -> list[Item]:
    """The surface of the frame: a line with short strokes behind it, to the right of start-end."""
    length = math.dist(start, end)
    u = ((end[0] - start[0]) / length, (end[1] - start[1]) / length)
    back = ((-u[1] - u[0]) * side, (u[0] - u[1]) * side)
    scale = TOOTH / math.hypot(*back)
    count = max(2, round(length / 6))
    strokes: list[Item] = []
    for k in range(count):
        s = (k + 0.75) * length / count
        foot = (start[0] + s * u[0], start[1] + s * u[1])
        strokes.append(
            DrawnLine(
                _array([foot, (foot[0] + scale * back[0], foot[1] + scale * back[1])]),
                Style(stroke=HATCH, width=1.2),
                owner=owner,
            )
        )
    return [*strokes, DrawnLine(_array([start, end]), Style(stroke=INK, width=1.8), owner=owner)]


def _pin(at: Point, to: Point | None, symbol: Symbol) -> list[Item]:
    ring = Style(stroke=INK, width=1.8, fill=PAPER)
    dot = Style(stroke=None, fill=INK)
    return [DrawnDisc(at, PIN, ring, symbol.owner), DrawnDisc(at, 1.4, dot, symbol.owner)]


def _ground_pin(at: Point, to: Point | None, symbol: Symbol) -> list[Item]:
    x, y = at
    foot = _array([(x, y), (x - 9, y + FOOT), (x + 9, y + FOOT)])
    return [
        Area((foot,), Style(stroke=INK, width=1.6, fill="#eceef0"), symbol.owner),
        *hatched((x - 14, y + FOOT), (x + 14, y + FOOT), symbol.owner),
        *_pin(at, to, symbol),
    ]


def _slider(at: Point, to: Point | None, symbol: Symbol) -> list[Item]:
    box = _turned([(-13, -8), (13, -8), (13, 8), (-13, 8)], at, symbol.angle)
    return [Area((box,), Style(stroke=INK, width=1.6, fill=symbol.colour), symbol.owner)]


def _ground_guide(at: Point, to: Point | None, symbol: Symbol) -> list[Item]:
    assert to is not None
    ux, uy = _unit(at, to)
    one, two = ([(p[0] - s * uy, p[1] + s * ux) for p in (at, to)] for s in (-9.0, 9.0))
    return [*hatched(one[0], one[1], symbol.owner, side=-1.0), *hatched(two[0], two[1], symbol.owner)]


def _weld(at: Point, to: Point | None, symbol: Symbol) -> list[Item]:
    box = _turned([(-5, -5), (5, -5), (5, 5), (-5, 5)], at, 0.0)
    return [
        Area((box,), Style(stroke=INK, width=1.6, fill=PAPER), symbol.owner),
        DrawnLine(box[[0, 2]], Style(stroke=INK, width=1.4), owner=symbol.owner),
        DrawnLine(box[[1, 3]], Style(stroke=INK, width=1.4), owner=symbol.owner),
    ]


def _ball(at: Point, to: Point | None, symbol: Symbol) -> list[Item]:
    return [
        DrawnDisc(at, PIN + 3, Style(stroke=INK, width=1.6, fill=PAPER), symbol.owner),
        DrawnDisc(at, PIN, Style(stroke=None, fill=INK), symbol.owner),
    ]


def _wall(at: Point, to: Point | None, symbol: Symbol) -> list[Item]:
    ends = _turned([(0, 26), (0, -26)], at, symbol.angle)
    start, end = ((float(x), float(y)) for x, y in ends)
    return hatched(start, end, symbol.owner, side=-1.0)


def _spiral(at: Point, to: Point | None, symbol: Symbol) -> list[Item]:
    turns, inner, outer, count = 2.25, PIN + 2.0, 17.0, 64
    points = []
    for k in range(count + 1):
        s = k / count
        a, r = 2 * math.pi * turns * s + symbol.angle, inner + (outer - inner) * s
        points.append((at[0] + r * math.cos(a), at[1] - r * math.sin(a)))
    halo = Style(stroke=PAPER, width=3.4, opacity=0.7)
    wire = Style(stroke=symbol.colour, width=1.5)
    return [DrawnLine(_array(points), style, owner=symbol.owner) for style in (halo, wire)]


def _coil(at: Point, to: Point | None, symbol: Symbol) -> list[Item]:
    assert to is not None
    return [DrawnLine(_array(zigzag(at, to)), Style(stroke=symbol.colour, width=1.8), owner=symbol.owner)]


def zigzag(start: Point, end: Point, *, half: float = 6.0, bends: int = 8) -> list[Point]:
    """A coil spring seen from the side, straight for a while at both ends."""
    u = _unit(start, end)
    length = math.dist(start, end)
    lead = 0.15 * length
    pitch = (length - 2 * lead) / bends
    along = [0.0, lead, *(lead + (k + 0.5) * pitch for k in range(bends)), length - lead, length]
    aside = [0.0, 0.0, *(half if k % 2 else -half for k in range(bends)), 0.0, 0.0]
    return [
        (start[0] + s * u[0] - a * u[1], start[1] + s * u[1] + a * u[0])
        for s, a in zip(along, aside, strict=True)
    ]


def _rubber(at: Point, to: Point | None, symbol: Symbol) -> list[Item]:
    arms = [
        zigzag(at, (at[0] + 26 * math.cos(a), at[1] - 26 * math.sin(a)), half=3.5, bends=6)
        for a in (symbol.angle, symbol.angle + 2 * math.pi / 3, symbol.angle + 4 * math.pi / 3)
    ]
    wire = Style(stroke=symbol.colour, width=1.5)
    return [
        *(DrawnLine(_array(arm), wire, owner=symbol.owner) for arm in arms),
        DrawnDisc(at, 3.5, Style(stroke=INK, width=1.5, fill=PAPER), symbol.owner),
    ]


def _marker(at: Point, to: Point | None, symbol: Symbol) -> list[Item]:
    return [DrawnDisc(at, 3.0, Style(stroke=symbol.colour, width=1.5, fill=PAPER), symbol.owner)]


def _rotation(at: Point, to: Point | None, symbol: Symbol) -> list[Item]:
    """A commanded rotation; `angle` positive is counter-clockwise."""
    radius, sense = 26.0, 1.0 if symbol.angle >= 0 else -1.0
    angles = [math.pi / 2 + math.radians(sense * a) for a in range(-60, 41, 4)]
    arc = [(at[0] + radius * math.cos(a), at[1] - radius * math.sin(a)) for a in angles]
    last = angles[-1] + sense * math.radians(26)
    tip = (at[0] + radius * math.cos(last), at[1] - radius * math.sin(last))
    return [
        DrawnLine(_array(arc), Style(stroke=symbol.colour, width=2.2), owner=symbol.owner),
        *arrow(arc[-1], tip, symbol.colour, 2.4, symbol.owner)[1:],
    ]


def _contact(at: Point, to: Point | None, symbol: Symbol) -> list[Item]:
    return [
        DrawnDisc(at, 4.0 * symbol.size, Style(stroke=PAPER, width=1.2, fill=symbol.colour), symbol.owner)
    ]


_DRAW: dict[str, Callable[[Point, Point | None, Symbol], list[Item]]] = {
    "pin": _pin,
    "ground_pin": _ground_pin,
    "slider": _slider,
    "ground_guide": _ground_guide,
    "weld": _weld,
    "ball": _ball,
    "wall": _wall,
    "spiral": _spiral,
    "coil": _coil,
    "rubber": _rubber,
    "marker": _marker,
    "turn": _rotation,
    "contact": _contact,
}


def _array(points: list[Point]) -> Points:
    import numpy as np

    return np.array(points, dtype=float).reshape(-1, 2)


def _turned(points: list[Point], at: Point, angle: float) -> Points:
    c, s = math.cos(angle), math.sin(angle)
    return _array([(at[0] + c * x + s * y, at[1] - s * x + c * y) for x, y in points])


def _unit(start: Point, end: Point) -> Point:
    length = math.dist(start, end) or 1.0
    return ((end[0] - start[0]) / length, (end[1] - start[1]) / length)
