"""Joints, springs and drives of a flat view, as the usual symbols.

A joint to a fixed part that shows no shape there is drawn on a hatched foot. A slide
on the frame has a hatched guide; between two moving parts a rod runs through a
block. A beam is drawn to its length and heights from a clamped wall.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from detent.draw.machine.bending import BENDS, beam_line
from detent.draw.machine.stage import Stage, StagedEnd, StagedJoint
from detent.draw.scene.palette import DRIVE, INK, QUIET, Colours
from detent.draw.scene.scene import Area, Arrow, DrawnDisc, DrawnLine, Item, Label, Point, Style, Symbol
from detent.model.document.base import angle_of
from detent.model.document.drive import Drive
from detent.model.document.joint import Joint
from detent.model.document.joint_types import JOINT_TYPES
from detent.model.machine.elastic.beam import beam_ends
from detent.model.machine.graph import part_of
from detent.model.machine.timing import positions

if TYPE_CHECKING:
    from detent.draw.machine.flat import Slab
    from detent.draw.machine.stage import Matrix

GUIDE_SHARE = 0.16  # of the machine's size: how far a guide goes on each side of its slider
ARROW = 44.0  # [px] a commanded motion
BEAM_POINTS = 25  # along a bent beam
SIGN = 18.0  # [px] radius of a pin with its spring


def behind(stage: Stage, colours: dict[str, Colours], size: float) -> list[Item]:
    """What parts are drawn over: guides, rods, pitch circles, beams."""
    items: list[Item] = []
    for name, joint in stage.mechanism.joints.items():
        if JOINT_TYPES[joint.type].couples:
            items.extend(_gear(stage, name, joint))
    for pair in stage.pairs:
        if JOINT_TYPES[pair.joint.type].slides:
            items.extend(_guide(stage, pair, colours, size))
        elif pair.joint.type == "elastic" and pair.joint.beam is not None:
            items.extend(_beam(stage, pair))
    return items


def stems(stage: Stage, colours: dict[str, Colours], painted: list[Slab]) -> list[Item]:
    """Thin links from a joint to its part, piece by piece, where the shape does not reach it."""
    import shapely

    from detent.draw.machine.flat import joined, polygons

    whole: dict[str, list[Any]] = {}
    for part in dict.fromkeys(slab.part for slab in painted):
        whole[part] = polygons(joined([slab.region for slab in painted if slab.part == part]))
    items: list[Item] = []
    for pair in stage.pairs:
        for end in (pair.first, pair.second):
            if JOINT_TYPES[pair.joint.type].couples or stage.mechanism.parts[end.part].fixed:
                continue
            at = shapely.Point(*_xy(end.at))
            apart = [piece for piece in whole.get(end.part, ()) if not shapely.intersects(piece, at)]
            items += [_stem(at, piece, colours[end.part], end.part) for piece in apart]
    return items


def _stem(at: Any, piece: Any, colours: Colours, part: str) -> DrawnLine:
    import shapely

    ends = np.asarray(shapely.shortest_line(at, piece).coords)
    return DrawnLine(ends, Style(stroke=colours.line, width=3.0, opacity=0.6), owner=part)


def in_front(stage: Stage, colours: dict[str, Colours], ground: list[Slab]) -> list[Item]:
    """Pins, blocks, springs, welds: drawn over the parts; each place once."""
    items: list[Item] = []
    seen: set[tuple[float, float, str]] = set()
    for pair in stage.pairs:
        for symbol in _symbols(stage, pair, colours, ground):
            mark = (round(symbol.at[0], 9), round(symbol.at[1], 9), symbol.kind)
            if mark not in seen:
                seen.add(mark)
                items.append(symbol)
    return items


def labels(stage: Stage, parts: set[str]) -> list[Label]:
    """Names of joints, small; those that only repeat a part's name are left out."""
    at: dict[tuple[float, float], str] = {}
    for pair in stage.pairs:
        if pair.name in parts or pair.joint.type in ("gear", "angle"):
            continue
        place = _along_beam(stage, pair, 0.5) if pair.joint.beam is not None else _foot(stage, pair)
        at.setdefault((round(place[0], 9), round(place[1], 9)), pair.name)
    return [Label(name, (place,), QUIET, 11.0, owner=name, weight=2) for place, name in at.items()]


def footholds(stage: Stage) -> list[tuple[str, Point]]:
    """Fixed parts and where their joints are drawn: on paper that is where the frame is."""
    feet = []
    for pair in stage.pairs:
        for end in (pair.first, pair.second):
            if stage.mechanism.parts[end.part].fixed:
                feet.append((end.part, _foot(stage, pair)))
    return feet


def _foot(stage: Stage, pair: StagedJoint) -> Point:
    """Where a joint meets the frame on paper: at its pin, its block, or the root of its beam."""
    if JOINT_TYPES[pair.joint.type].slides:
        return _xy(block_and_rod(stage, pair)[0].at)
    return _along_beam(stage, pair, 1.0) if pair.joint.beam is not None else _xy(pair.second.at)


def _along_beam(stage: Stage, pair: StagedJoint, share: float) -> Point:
    """A point of a beam: 0 at the joint, 1 at the clamped root."""
    x, y, _ = beam_line(stage, pair, [1 - share])[0]
    return (float(x), float(y))


def drives(stage: Stage, middles: dict[str, tuple[Point, float, float]]) -> list[Item]:
    """Commanded motions: a rotation about a pin, a push on a part."""
    items: list[Item] = []
    pairs = {pair.name: pair for pair in stage.pairs}
    for drive in stage.mechanism.drives.values():
        if drive.joint in pairs:
            items.extend(_joint_drive(pairs[drive.joint], drive))
        leg = next((leg for leg in drive.legs or () if leg.velocity is not None), None)
        part = drive.part or part_of(drive.marker or "")
        if leg is not None and leg.velocity is not None and part in middles:
            velocity = (float(leg.velocity[0]), float(leg.velocity[1]))
            if math.hypot(*velocity) > 0:
                items.append(_push(middles[part], velocity, part))
    return items


def _symbols(
    stage: Stage, pair: StagedJoint, colours: dict[str, Colours], ground: list[Slab]
) -> list[Symbol]:
    at, kind = _xy(pair.second.at), JOINT_TYPES[pair.joint.type]
    symbols: list[Symbol] = []
    parts = stage.mechanism.parts
    fixed = next((end.part for end in (pair.first, pair.second) if parts[end.part].fixed), None)
    if pair.joint.spring is not None and kind.coordinate == "angle" and kind.symbol == "pin":
        symbols.append(Symbol("spiral", at, _angle(pair), colour=INK, owner=pair.name))
    if kind.slides:
        symbols.extend(_slide(stage, pair, colours))
    elif kind.symbol == "pin":
        bare = fixed is not None and not _covers(ground, fixed, at)
        symbols.append(Symbol("ground_pin" if bare else "pin", at, owner=pair.name))
    elif kind.symbol == "rubber":
        if pair.joint.beam is None:
            symbols.append(Symbol("rubber", at, math.pi / 2, colour=INK, owner=pair.name))
    elif kind.symbol is not None:
        symbols.append(Symbol(kind.symbol, at, owner=pair.name))
    return symbols


def _slide(stage: Stage, pair: StagedJoint, colours: dict[str, Colours]) -> list[Symbol]:
    block, other = block_and_rod(stage, pair)
    symbols = []
    if pair.joint.spring is not None:
        start, end = _xy(other.at), _xy(block.at)
        if math.dist(start, end) > 0:
            symbols.append(Symbol("coil", start, to=end, colour=INK, owner=pair.name))
    if JOINT_TYPES[pair.joint.type].symbol == "pin":
        return [*symbols, Symbol("pin", _xy(pair.second.at), owner=pair.name)]
    return [
        *symbols,
        Symbol("slider", _xy(block.at), _angle(pair), colour=colours[block.part].fill, owner=pair.name),
    ]


def block_and_rod(stage: Stage, pair: StagedJoint) -> tuple[StagedEnd, StagedEnd]:
    """Which side of a slide is its block: the one that moves; of two, the one that reaches less far."""
    parts = stage.mechanism.parts
    first, second = pair.first, pair.second
    if parts[first.part].fixed or parts[second.part].fixed:
        return (second, first) if parts[first.part].fixed else (first, second)
    return (first, second) if _reach(stage, first) <= _reach(stage, second) else (second, first)


def _reach(stage: Stage, end: StagedEnd) -> float:
    """How far from its side of the joint a part's joints and markers lie; its shape makes it a rod."""
    if end.part in stage.solids:
        return math.inf
    return max(float(np.linalg.norm(point - end.at)) for point in stage.places[end.part])


def _between_moving(stage: Stage, pair: StagedJoint) -> bool:
    parts = stage.mechanism.parts
    return not parts[pair.first.part].fixed and not parts[pair.second.part].fixed


def _guide(stage: Stage, pair: StagedJoint, colours: dict[str, Colours], size: float) -> list[Item]:
    ux, uy = _direction(pair)
    reach = GUIDE_SHARE * size
    if _between_moving(stage, pair):
        block_end, rod_end = block_and_rod(stage, pair)
        rod, block = _xy(rod_end.at), _xy(block_end.at)
        s = math.copysign(0.5 * reach, (block[0] - rod[0]) * ux + (block[1] - rod[1]) * uy)
        ends = np.array([rod, (block[0] + s * ux, block[1] + s * uy)])
        hue = colours[rod_end.part]
        halo = DrawnLine(ends, Style(stroke=hue.line, width=7.0), owner=rod_end.part)
        return [halo, DrawnLine(ends, Style(stroke=hue.fill, width=4.0), owner=rod_end.part)]
    block_end, frame_end = block_and_rod(stage, pair)
    at = block_end.at
    low, high = (_xy(end) for end in stage.travel.get(pair.name, (at, at)))
    if stage.travel:
        reach /= 2  # a film's guide ends soon after the travel of its block
    start = (low[0] - reach * ux, low[1] - reach * uy)
    end = (high[0] + reach * ux, high[1] + reach * uy)
    return [Symbol("ground_guide", start, _angle(pair), to=end, owner=frame_end.part)]


def _gear(stage: Stage, name: str, joint: Joint) -> list[Item]:
    """Pitch circles about the two parts' own pins, from their distance and the ratio."""
    centres = [_pin_of(stage, end) for end in joint.between]
    ratio = joint.ratio
    if None in centres or ratio is None or ratio == 0:
        return []
    one, two = (c for c in centres if c is not None)
    distance, q = math.dist(one, two), float(ratio)
    if distance == 0 or q == 1:
        return []
    # Angles are inversely as radii: r1 = |q| r2; outside r1 + r2 = d, inside |r1 - r2| = d.
    second = distance / (1 + abs(q)) if q < 0 else distance / abs(1 - q)
    style = Style(stroke=QUIET, width=1.4, dash=(10.0, 3.0, 2.0, 3.0))
    return [DrawnDisc(one, abs(q) * second, style, name), DrawnDisc(two, second, style, name)]


def _pin_of(stage: Stage, end: str) -> Point | None:
    part = part_of(end)
    for pair in stage.pairs:
        if pair.joint.type == "revolute" and part in (pair.first.part, pair.second.part):
            return _xy(pair.second.at)
    return None


def _beam(stage: Stage, pair: StagedJoint) -> list[Item]:
    """From the clamped root to the joint, to scale and bent; its direction is the joint's, x unless said."""
    beam = pair.joint.beam
    assert beam is not None
    root, tip = beam_ends(beam.height)
    shares = np.linspace(0.0, 1.0, BEAM_POINTS)
    line = beam_line(stage, pair, shares)
    straight = float(np.ptp(line[:, 2])) == 0
    if straight:
        shares, line = shares[[0, -1]], line[[0, -1]]
    half = (root + (tip - root) * shares) / 2
    normals = np.column_stack([-np.sin(line[:, 2]), np.cos(line[:, 2])])
    lower, upper = (line[:, :2] + sign * half[:, None] * normals for sign in (-1.0, 1.0))
    frame = pair.first.frame
    angle = math.atan2(frame[1, 0], frame[0, 0])
    return [
        Area((np.vstack([lower, upper[::-1]]),), Style(stroke=INK, width=1.6, fill=BENDS), pair.name),
        Symbol("wall", _along_beam(stage, pair, 1.0), angle, owner=pair.name),
    ]


def _joint_drive(pair: StagedJoint, drive: Drive) -> list[Item]:
    coordinates = positions(drive, length=1.0)
    amount = (
        coordinates[-1] - coordinates[0]
        if coordinates
        else angle_of(drive.speed or drive.torque, drive.speed_deg) or 0.0
    )
    sense = -1.0 if amount < 0 else 1.0
    at = _xy(pair.second.at)
    if pair.joint.type == "revolute":
        return [Symbol("turn", at, sense, colour=DRIVE, owner=pair.name)]
    ux, uy = _direction(pair)
    return [Arrow(at, (sense * ux, sense * uy), ARROW, colour=DRIVE, owner=pair.name)]


def _push(middle: tuple[Point, float, float], velocity: Point, part: str) -> Arrow:
    """An arrow that arrives at the part's back, seen along the motion."""
    (x, y), half_wide, half_high = middle
    length = math.hypot(*velocity)
    u = (velocity[0] / length, velocity[1] / length)
    reach = min(half_wide / abs(u[0]) if u[0] else math.inf, half_high / abs(u[1]) if u[1] else math.inf)
    at = (x - reach * u[0], y - reach * u[1])
    # A part without extent is hidden by its own joint's symbol.
    short = 0.0 if half_wide or half_high else SIGN
    return Arrow(at, u, ARROW, arrives=True, short=short, colour=DRIVE, width=2.6, owner=part)


def _covers(ground: list[Slab], part: str, at: Point) -> bool:
    import shapely

    return any(slab.part == part and shapely.intersects_xy(slab.region, *at) for slab in ground)


def _xy(at: Matrix) -> Point:
    return (float(at[0]), float(at[1]))


def _direction(pair: StagedJoint) -> Point:
    x, y = float(pair.axis[0]), float(pair.axis[1])
    length = math.hypot(x, y)
    return (x / length, y / length) if length else (1.0, 0.0)


def _angle(pair: StagedJoint) -> float:
    ux, uy = _direction(pair)
    return math.atan2(uy, ux)
