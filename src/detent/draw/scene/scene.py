"""A picture as data: what is drawn and where, before anyone says how large.

A machine's scene is in document units with y up; whoever writes it chooses one
scale for both axes. What has a fixed size on paper whatever the scale (a pin, a
spring, an arrow head) is a `Symbol` or an `Arrow`; what a word belongs to is a
`Label`, placed only on paper, where collisions can be seen. A plot's scene has
`paper` set: its coordinates are pixels already, y down, and nothing is scaled.
Everything is frozen; equal scenes give equal bytes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from detent.draw.scene.palette import INK

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Points = NDArray[np.float64]

Point = tuple[float, float]

SymbolKind = Literal[
    "pin",  # a revolute joint between two moving parts
    "ground_pin",  # the same on the frame, with its foot and hatching
    "slider",  # the block of a slide, along its line
    "ground_guide",  # the line of a slide on the frame, hatched; `to` is its other end
    "weld",  # two parts that are one
    "ball",  # a spherical joint
    "wall",  # a clamped end; the hatching is behind it
    "spiral",  # a torsion spring about a pin
    "coil",  # a spring from `at` to `to`
    "rubber",  # an elastic joint of several degrees of freedom
    "marker",  # a named point that no joint uses
    "turn",  # a commanded rotation about a point
    "contact",
]
Align = Literal["start", "middle", "end"]


@dataclass(frozen=True)
class Style:
    """How a line or an area looks. Widths and dashes are in pixels."""

    stroke: str | None = INK
    width: float = 1.5
    fill: str | None = None
    dash: tuple[float, ...] = ()
    opacity: float = 1.0
    hatch: str | None = None  # colour of hatching over the fill


@dataclass(frozen=True, eq=False)
class Area:
    """A region: its rings, filled by the even-odd rule."""

    rings: tuple[Points, ...]
    style: Style
    owner: str = ""  # the part or joint it shows


@dataclass(frozen=True, eq=False)
class DrawnLine:
    """An open or closed polyline."""

    points: Points
    style: Style
    closed: bool = False
    owner: str = ""


@dataclass(frozen=True, eq=False)
class Bar:
    """A link of a linkage: a rounded bar of fixed width through two or more points."""

    points: Points
    style: Style
    owner: str = ""


@dataclass(frozen=True)
class DrawnDisc:
    """A circle whose radius is a length of the scene."""

    at: Point
    radius: float
    style: Style
    owner: str = ""


@dataclass(frozen=True)
class Symbol:
    """A sign of fixed size on paper."""

    kind: SymbolKind
    at: Point
    angle: float = 0.0  # [rad] counter-clockwise, as in the world
    to: Point | None = None
    colour: str = INK
    owner: str = ""
    size: float = 1.0  # of a contact's dot: how many times its usual one


@dataclass(frozen=True)
class Arrow:
    """From `at` along `vector`; `pixels` fixes its length on paper, else the vector does.

    With `arrives`, `at` is the tip instead.
    """

    at: Point
    vector: Point
    pixels: float | None = None
    arrives: bool = False
    short: float = 0.0  # [px] it ends before `at`, where it arrives
    colour: str = INK
    width: float = 2.0
    owner: str = ""
    text: str = ""  # beyond the tip


@dataclass(frozen=True)
class Text:
    """Words at a given place; only for scenes that are on paper already."""

    at: Point
    text: str
    size: float = 12.0
    align: Align = "start"
    turn_deg: float = 0.0
    colour: str = INK


@dataclass(frozen=True)
class Label:
    """Words that belong to one of several points; placed so that no two overlap."""

    text: str
    anchors: tuple[Point, ...]
    colour: str = INK
    size: float = 13.0
    owner: str = ""
    weight: int = 1  # the higher, the earlier it takes its place


Item = Area | DrawnLine | Bar | DrawnDisc | Symbol | Arrow | Text


@dataclass(frozen=True, eq=False)
class Scene:
    """A picture. Items are painted in their order."""

    items: tuple[Item, ...]
    labels: tuple[Label, ...] = ()
    title: str = ""
    note: str = ""
    units: str = "1"
    bounds: tuple[float, float, float, float] | None = None  # fixed frame: x0, y0, x1, y1
    paper: tuple[float, float] | None = None  # width and height [px]: coordinates are pixels
    scale_bar: bool = True
    spacing: float | None = None  # between symbols, where a film fixes it; else computed
    axes: tuple[tuple[str, Point], ...] = ()  # names and projected units of the axes of a view in space
    key: tuple[tuple[str, str], ...] = ()  # (colour, words), shown under the picture


def extent(scene: Scene) -> tuple[float, float, float, float]:
    """x0, y0, x1, y1 of everything with a place in the scene."""
    import numpy as np

    if scene.bounds is not None:
        return scene.bounds
    clouds: list[Points] = []
    for item in scene.items:
        match item:
            case Area(rings=rings):
                clouds.extend(rings)
            case DrawnLine(points=points) | Bar(points=points):
                clouds.append(points)
            case DrawnDisc(at=at, radius=radius):
                clouds.append(np.add(at, [[-radius, -radius], [radius, radius]]))
            case Symbol(at=at, to=to):
                clouds.append(np.array([at] if to is None else [at, to]))
            case Arrow(at=at, vector=vector, pixels=pixels, arrives=arrives):
                sign = -1.0 if arrives else 1.0
                other = (at[0] + sign * vector[0], at[1] + sign * vector[1])
                clouds.append(np.array([at] if pixels is not None else [at, other]))
            case Text(at=at):
                clouds.append(np.array([at]))
    if not clouds:
        return (0.0, 0.0, 1.0, 1.0)
    low = np.min([cloud.min(axis=0) for cloud in clouds if len(cloud)], axis=0)
    high = np.max([cloud.max(axis=0) for cloud in clouds if len(cloud)], axis=0)
    return (float(low[0]), float(low[1]), float(high[0]), float(high[1]))
