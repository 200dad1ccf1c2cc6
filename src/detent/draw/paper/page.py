"""From a scene to paper: one scale for both axes, symbols drawn, words placed.

The result is a scene again, of `Area`, `DrawnLine`, `DrawnDisc` and `Text` only, in pixels
with y down. Title above; scale bar, and the key where there is one, below.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from detent.draw.paper import labels as placing
from detent.draw.paper import symbols
from detent.draw.paper import text as words
from detent.draw.scene.palette import HATCH, INK, PAPER, QUIET
from detent.draw.scene.scene import (
    Area,
    Arrow,
    Bar,
    DrawnDisc,
    DrawnLine,
    Item,
    Label,
    Point,
    Scene,
    Style,
    Symbol,
    Text,
    extent,
)

if TYPE_CHECKING:
    from detent.draw.scene.scene import Points

MARGIN = 46.0  # [px] around the machine: room for symbols and labels at its rim
MARGIN_SHARE, ROOM_SHARE = 0.12, 0.2  # of the page: margins at most, the machine at least
STRIP = 34.0  # [px] below the machine, for the scale bar
TRIAD_STRIP = 62.0  # [px] the same with the axes of a view in space
TRIAD_WIDE = 92.0  # [px] that those take of it, at the right
SETTLES = 4
NARROWEST = 360.0  # [px] a tall machine still needs room for its title
TITLE, SMALL = 15.0, 12.0  # [px] sizes of words
TITLE_LINES = 3
LABEL_SHARE = 0.45  # of the page's width: a longer name is cut
LINE = 1.35  # of the size: from one line of words to the next
BAR_HALF = 7.0  # [px] half the width of a link drawn as a bar
TRIAD = 24.0  # [px] an axis of a view in space
SIGN, SMALLEST_SIGN = 34.0, 0.2  # [px] room that a symbol needs; the smallest that is still a dot
MOST_HATCHED = 20_000  # corners of an area that is still hatched
HATCH_STEP = 9.0  # [px] between hatching lines


@dataclass(frozen=True)
class PageFrame:
    """The map from the scene to paper: scale [px per unit], and where its origin comes to lie."""

    scale: float
    x: float
    y: float
    wide: float
    high: float
    top: float  # [px] where the machine's room begins, under the title
    bottom: float  # [px] where it ends, above scale bar and key
    signs: float = 1.0  # size of symbols: less than one where they would crowd each other

    @property
    def corner(self) -> Point:
        """Where the axes of a view in space are, at the lower right."""
        return (self.wide - 46.0, self.bottom + 0.55 * TRIAD_STRIP)

    def points(self, points: Points) -> Points:
        out = np.empty_like(points)
        out[:, 0] = self.x + self.scale * points[:, 0]
        out[:, 1] = self.y - self.scale * points[:, 1]
        return out

    def point(self, point: Point) -> Point:
        return (self.x + self.scale * point[0], self.y - self.scale * point[1])


def on_paper(scene: Scene, size: float = 800) -> Scene:
    """The scene laid out on a page whose longer side is `size` [px]."""
    if scene.paper is not None:
        return scene
    frame = fit(scene, size)
    items: list[Item] = []
    taken: list[placing.Box] = []
    for item in scene.items:
        drawn = marks(item, frame)
        items.extend(drawn)
        taken.extend(box_of_text(mark) for mark in drawn if isinstance(mark, Text))
        if isinstance(item, Symbol) and item.kind not in ("ground_guide", "coil"):
            taken += [placing.grown(box, 1.0) for box in _boxes_of(drawn)]
    ink = placing.Ink(frame.wide, frame.high)
    ink.add([line for item in items for line in _lines_of(item)])
    placed = placing.place_labels(
        tuple(_shortened(label, frame) for label in scene.labels),
        frame.points,
        free=(6.0, frame.top, frame.wide - 6.0, frame.bottom),
        taken=taken,
        ink=ink,
    )
    for label in placed:
        items.extend(_label_marks(label))
    items.extend(_title(scene, frame))
    if scene.scale_bar:
        items.extend(_scale_bar(scene, frame))
    for name, direction in scene.axes:
        corner = frame.corner
        tip = (corner[0] + TRIAD * direction[0], corner[1] - TRIAD * direction[1])
        items.extend(_named_arrow(corner, tip, name, QUIET, 1.2, ""))
    items.extend(_key(scene, frame))
    note = scene.note or _leftover(len(scene.labels) - len(placed))
    if note:
        items.append(Text(_note_place(scene, frame), note, SMALL - 1, "end", colour=QUIET))
    return replace(scene, items=tuple(items), labels=(), paper=(frame.wide, frame.high))


def _note_place(scene: Scene, frame: PageFrame) -> Point:
    """Where a note ends: at the right, or left of the axes, above the scale bar's line."""
    if not scene.axes:
        return (frame.wide - 10, frame.bottom + 18)
    return (frame.corner[0] - TRIAD - 2 * SMALL, frame.bottom + 6)


def fit(scene: Scene, size: float) -> PageFrame:
    """The largest equal-axes scale at which the scene and its words fit the page."""
    x0, y0, x1, y1 = extent(scene)
    span = max(x1 - x0, y1 - y0) or 1.0
    # A point or a line still gets a picture: no side under a fiftieth of the other.
    wide, high = max(x1 - x0, span / 50), max(y1 - y0, span / 50)
    margin = min(MARGIN, MARGIN_SHARE * size)
    page, above, below, scale = size, 0.0, 0.0, 1.0
    # A narrower page needs more lines for its title, which leave less room; this settles at once.
    for _ in range(SETTLES):
        strip = TRIAD_STRIP if scene.axes else STRIP
        above, below = _title_height(scene, page), strip + _key_height(scene, page)
        room = max(size - 2 * margin - above - below, ROOM_SHARE * size)
        scale = min((size - 2 * margin) / wide, room / high)
        page = max(wide * scale + 2 * margin, min(NARROWEST, size))
    tall = high * scale + 2 * margin + above + below
    return PageFrame(
        scale=scale,
        x=page / 2 - scale * (x0 + x1) / 2,
        y=above + margin + high * scale / 2 + scale * (y0 + y1) / 2,
        wide=math.ceil(page),
        high=math.ceil(tall),
        top=above,
        bottom=math.ceil(tall) - below,
        signs=_sign_size(scene, scale),
    )


def symbol_spacing(scene: Scene) -> float | None:
    """Distance of symbols to the next, in the middle of the field; None where there are not two."""
    places = {item.at for item in scene.items if isinstance(item, Symbol) and item.to is None}
    if len(places) < 2:
        return None
    import shapely

    at = shapely.points(sorted(places))
    _, near = shapely.STRtree(at).query_nearest(at, exclusive=True, return_distance=True, all_matches=False)
    return float(np.median(near))


def _sign_size(scene: Scene, scale: float) -> float:
    """Symbols shrink where half of them are nearer to another than they are wide."""
    spacing = symbol_spacing(scene) if scene.spacing is None else scene.spacing
    return 1.0 if spacing is None else float(np.clip(spacing * scale / SIGN, SMALLEST_SIGN, 1.0))


def marks(item: Item, frame: PageFrame) -> list[Item]:
    """An item's plain marks on paper."""
    match item:
        case Area(rings=rings, style=style, owner=owner):
            area = Area(tuple(frame.points(ring) for ring in rings), style, owner)
            return [area, *_hatching(area)] if style.hatch else [area]
        case DrawnLine(points=points):
            return [replace(item, points=frame.points(points))]
        case Bar(points=points, style=style, owner=owner):
            return [_bar(frame.points(points), BAR_HALF * frame.signs, style, owner)]
        case DrawnDisc(at=at, radius=radius):
            return [replace(item, at=frame.point(at), radius=radius * frame.scale)]
        case Symbol(at=at, to=to):
            other = frame.point(to) if to is not None else None
            return symbols.marks(item, frame.point(at), other, frame.signs)
        case Arrow():
            return _arrow(item, frame)
        case Text(at=at):
            return [replace(item, at=frame.point(at))]


def _arrow(item: Arrow, frame: PageFrame) -> list[Item]:
    at = frame.point(item.at)
    length = math.hypot(*item.vector) or 1.0
    scale = frame.scale if item.pixels is None else item.pixels / length
    scale = -scale if item.arrives else scale
    other = (at[0] + scale * item.vector[0], at[1] - scale * item.vector[1])
    tail, tip = (other, at) if item.arrives else (at, other)
    if item.arrives and item.short:
        back = (item.short * item.vector[0] / length, item.short * item.vector[1] / length)
        tip = (tip[0] - back[0], tip[1] + back[1])
    return _named_arrow(tail, tip, item.text, item.colour, item.width, item.owner)


def _named_arrow(tail: Point, tip: Point, name: str, colour: str, width: float, owner: str) -> list[Item]:
    drawn = symbols.arrow(tail, tip, colour, width, owner)
    if name:
        length = math.dist(tail, tip) or 1.0
        x, y = (t + 8.0 * (t - s) / length for s, t in zip(tail, tip, strict=True))
        drawn.append(Text((x, y + 0.36 * SMALL), name, SMALL, "middle", colour=colour))
    return drawn


def box_of_text(text: Text) -> placing.Box:
    """What a line of unturned words covers."""
    wide = words.width(text.text, text.size)
    x = text.at[0] - {"start": 0.0, "middle": 0.5, "end": 1.0}[text.align] * wide
    return (x, text.at[1] - words.ASCENT * text.size, x + wide, text.at[1] + words.DESCENT * text.size)


def nice(value: float) -> float:
    """The largest of 1, 2, 5 times a power of ten that is not above `value`."""
    power = 10.0 ** math.floor(math.log10(value))
    return next(step * power for step in (5.0, 2.0, 1.0) if step * power <= value * (1 + 1e-12))


def _shortened(label: Label, frame: PageFrame) -> Label:
    return replace(label, text=words.shorten(label.text, label.size, LABEL_SHARE * frame.wide))


def _label_marks(placed: placing.PlacedLabel) -> list[Item]:
    label, (x0, y0, x1, _) = placed.label, placed.box
    baseline = y0 + words.ASCENT * label.size
    drawn: list[Item] = []
    if placed.leader is not None:
        start, end = placed.leader
        drawn.append(DrawnLine(np.array([start, end]), Style(stroke=label.colour, width=1.0, opacity=0.8)))
        drawn.append(DrawnDisc(end, 2.0, Style(stroke=None, fill=label.colour)))
    if placed.over_ink:
        # Words over ink stay readable on a breath of white.
        halo = np.array([(x0 - 2, y0), (x1 + 2, y0), (x1 + 2, placed.box[3]), (x0 - 2, placed.box[3])])
        drawn.append(Area((halo,), Style(stroke=None, fill=PAPER, opacity=0.78)))
    drawn.append(Text((x0, baseline), label.text, label.size, colour=label.colour))
    return drawn


def _title(scene: Scene, frame: PageFrame) -> list[Item]:
    lines = _title_lines(scene, frame.wide)
    return [
        Text((12.0, 8 + TITLE + k * LINE * TITLE), line, TITLE, colour=INK) for k, line in enumerate(lines)
    ]


def _title_height(scene: Scene, wide: float) -> float:
    return 10.0 + LINE * TITLE * len(_title_lines(scene, wide))


def _title_lines(scene: Scene, wide: float) -> list[str]:
    """The title in at most `TITLE_LINES` lines."""
    lines = words.wrap(scene.title, TITLE, wide - 24)
    if len(lines) <= TITLE_LINES:
        return lines
    last = " ".join(lines[TITLE_LINES - 1 :])
    return [*lines[: TITLE_LINES - 1], words.shorten(last, TITLE, wide - 24)]


def _scale_bar(scene: Scene, frame: PageFrame) -> list[Item]:
    length = nice(0.25 * frame.wide / frame.scale)
    unit = scene.units if scene.units != "1" else "unit" if length == 1 else "units"
    x, y = 14.0, frame.bottom + 14.0
    end = x + length * frame.scale
    ink = Style(stroke=INK, width=1.6)
    ends = [DrawnLine(np.array([(p, y - 4), (p, y + 4)]), ink) for p in (x, end)]
    return [
        DrawnLine(np.array([(x, y), (end, y)]), ink),
        *ends,
        Text((end + 8, y + 4), f"{length:g} {unit}", SMALL),
    ]


def _key_rows(scene: Scene, wide: float) -> list[list[tuple[float, str, str]]]:
    """(x, colour, words) in rows no wider than the page."""
    rows: list[list[tuple[float, str, str]]] = []
    x = wide
    room = wide - (TRIAD_WIDE if scene.axes else 8.0)
    for colour, name in scene.key:
        name = words.shorten(name, SMALL, room - 52)
        need = 22 + words.width(name, SMALL) + 16
        if x + need > room:
            rows.append([])
            x = 14.0
        rows[-1].append((x, colour, name))
        x += need
    return rows


def _key_height(scene: Scene, wide: float) -> float:
    return LINE * 1.2 * SMALL * len(_key_rows(scene, wide))


def _key(scene: Scene, frame: PageFrame) -> list[Item]:
    drawn: list[Item] = []
    for k, row in enumerate(_key_rows(scene, frame.wide)):
        y = frame.bottom + 40.0 + k * LINE * 1.2 * SMALL
        for x, colour, name in row:
            box = np.array([(x, y - 10), (x + 14, y - 10), (x + 14, y + 1), (x, y + 1)])
            drawn.append(Area((box,), Style(stroke=HATCH, width=0.8, fill=colour)))
            drawn.append(Text((x + 20, y), name, SMALL))
    return drawn


def _leftover(count: int) -> str:
    return f"{count} more without a label" if count else ""


def _bar(points: Points, half: float, style: Style, owner: str) -> Area:
    """A capsule, or a plate with rounded corners, about the points."""
    if len(points) == 2:
        return Area((_capsule(points, half),), style, owner)
    from shapely import MultiPoint

    hull = MultiPoint(points).convex_hull.buffer(half, quad_segs=8)
    return Area((np.asarray(hull.exterior.coords)[:-1],), style, owner)


def _capsule(points: Points, half: float) -> Points:
    """A bar with round ends about two points; the same as a hull, many times faster."""
    angle = math.atan2(points[1, 1] - points[0, 1], points[1, 0] - points[0, 0])
    arc = np.linspace(math.pi / 2, 3 * math.pi / 2, 9) + angle
    end = half * np.stack([np.cos(arc), np.sin(arc)], axis=1)
    return np.concatenate([points[0] + end, points[1] - end])


def _hatching(area: Area) -> list[Item]:
    """Strokes at 45 degrees over an area; none over one so fine that they would be dust."""
    import shapely

    if sum(map(len, area.rings)) > MOST_HATCHED:
        return []

    rings = [shapely.Polygon(ring) for ring in area.rings if len(ring) >= 3]
    region = shapely.Polygon()
    for ring in rings:
        region = shapely.symmetric_difference(region, shapely.make_valid(ring))
    x0, y0, x1, y1 = region.bounds
    # x + y = c, with c a multiple of the step: neighbours' hatchings agree.
    first = math.ceil((x0 + y0) / HATCH_STEP)
    offsets = HATCH_STEP * np.arange(first, math.floor((x1 + y1) / HATCH_STEP) + 1)
    lines = shapely.MultiLineString([[(c - y1, y1), (c - y0, y0)] for c in offsets])
    cut = shapely.intersection(lines, region)
    ink = Style(stroke=area.style.hatch, width=1.0)
    pieces = [np.asarray(p.coords) for p in shapely.get_parts(cut) if p.geom_type == "LineString"]
    return [DrawnLine(piece, ink, owner=area.owner) for piece in pieces]


def _lines_of(item: Item) -> list[Points]:
    match item:
        case Area(rings=rings):
            return [np.concatenate([ring, ring[:1]]) for ring in rings if len(ring)]
        case DrawnLine(points=points, style=style) if style.width > 1.0:
            return [points]
        case DrawnDisc(at=at, radius=radius):
            angles = np.linspace(0, 2 * np.pi, 33)
            return [np.array(at) + radius * np.stack([np.cos(angles), np.sin(angles)], axis=1)]
    return []


def _boxes_of(items: list[Item]) -> list[placing.Box]:
    """The box around them; none where they are too small to leave ink."""
    lines = [line for item in items for line in _lines_of(item)]
    if not lines:
        return []
    cloud = np.concatenate(lines)
    (x0, y0), (x1, y1) = cloud.min(axis=0), cloud.max(axis=0)
    return [(float(x0), float(y0), float(x1), float(y1))]
