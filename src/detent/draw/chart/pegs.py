"""A peg and its hole as pictures: force against depth with its regimes, the jamming diagram, the peg at the
stages.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from detent.draw.chart.plot import Panel, PlotAxis, Series, Spot, plot_scene
from detent.draw.chart.shading import Shade
from detent.draw.chart.stacked import stacked
from detent.draw.paper import text as words
from detent.draw.paper.page import LINE, SMALL
from detent.draw.scene.palette import CONTACT, of_hue, of_parts
from detent.draw.scene.scene import Area, DrawnDisc, Item, Scene, Style, Text
from detent.foundation.units import unit_names

if TYPE_CHECKING:
    from detent.draw.scene.scene import Points

_WIDE = 800.0
_HUES = {"chamfer": 1, "one point": 0, "side": 2, "two points": 3, "friction": 5}
_SHORT = {
    "chamfer": "chamfer",
    "in the hole, nothing touches": "nothing touches",
    "one point: rim on its side": "one point",
    "one point: tip's corner on the wall": "one point, tip",
    "side flat on the wall": "side flat",
    "two points": "two points",
    "friction locks": "locked",
}
_MOST_STAGES = 5
_HIGH = 230.0  # [px] of the stages' pictures
_MOST_ASIDE = 0.35  # of the hole's half width: how far aside a peg is drawn
_MOST_TILT = 0.2  # [rad] as drawn


def peg_scene(told: Mapping[str, Any], units: str, title: str, led: Sequence[Series] = ()) -> Scene:
    """Force, diagram and stages of a peg as `explain` tells it; `led` are further lines of force against
    depth.
    """
    plots = [_force(told, units, title, led)]
    if told["jamming"] is not None:
        plots.append(_diagram(told["jamming"], told["friction"], units))
    stages = _stages(told, units)
    return stacked([*plots, stages] if stages is not None else plots)


def _columns(told: Mapping[str, Any]) -> dict[str, Points]:
    rows = [[math.nan if x is None else x for x in row] for row in told["force"]["rows"]]
    table = np.array(rows, float)
    return {name: table[:, k] for k, name in enumerate(told["force"]["columns"])}


def _force(told: Mapping[str, Any], units: str, title: str, led: Sequence[Series]) -> Scene:
    columns = _columns(told)
    names = unit_names(units)
    depth, breaks = columns["depth"], _breaks(columns["depth"])
    exact = np.array(told["exact_geometry"]["rows"], float).reshape(
        -1, len(told["exact_geometry"]["columns"])
    )
    jumps = np.array(told["exact_geometry"]["jumps"], int)
    exact = np.insert(exact, jumps, math.nan, axis=0)
    exact = exact[~(exact[:, 0] < depth[0])]
    lines = [
        Series("exact geometry", exact[:, 0], exact[:, 1]),
        Series("closed forms", *_cut(depth, columns["F_z"], breaks)),
        *led,
    ]
    across = [
        Series("exact geometry", exact[:, 0], exact[:, 2]),
        Series("closed forms", *_cut(depth, columns["F_x"], breaks)),
    ]
    kept = [line for line in lines if len(line.x)]
    shades = [
        Shade(each["from"], each["to"], _SHORT[each["regime"]], _HUES[_kind(each["regime"])])
        for each in told["regimes"]
        if each["regime"] in _SHORT and _kind(each["regime"]) in _HUES and each["to"] > each["from"]
    ]
    force = names.force.strip()
    if told["regimes"][-1]["regime"] == "friction locks":
        shades = []  # of no width, at the end
    panels = [
        Panel(PlotAxis("F_z against the push", force), tuple(kept), tuple(_peaks(told, force))),
        Panel(PlotAxis("F_x across", force), tuple(line for line in across if len(line.x))),
    ]
    axis = PlotAxis("depth of the tip on the pressed side", names.length.strip())
    return plot_scene(panels, axis, title=title, shades=shades, height=520.0)


def _peaks(told: Mapping[str, Any], unit: str) -> list[Spot]:
    locked = [each for each in told["regimes"] if each["regime"] == "friction locks"]
    spots = [Spot(each["from"], math.inf, "it sticks: no bound") for each in locked]
    if told["peak_chamfer"] is not None:
        at = next(each for each in told["regimes"] if each["regime"] == "chamfer")
        spots.append(Spot(at["to"], told["peak_chamfer"], f"{told['peak_chamfer']:.4g} {unit}".strip()))
    return spots


def _kind(regime: str) -> str:
    return next((kind for kind in _HUES if regime.startswith(kind)), "")


def _breaks(depth: Points) -> list[int]:
    """Where two rows stand at one depth, the force jumping between them."""
    return [k + 1 for k in np.flatnonzero(np.diff(depth) <= 0).tolist()]


def _cut(x: Points, y: Points, breaks: Sequence[int]) -> tuple[Points, Points]:
    """With a gap at every jump."""
    return np.insert(x, breaks, x[list(breaks)]), np.insert(y, breaks, math.nan)


def _diagram(jam: Mapping[str, Any], friction: float, units: str) -> Scene:
    """Parallelograms and the path of the load."""
    length = unit_names(units).length
    series = []
    for depth, corners in zip(jam["depth"], jam["vertices"], strict=True):
        ring = np.array([*corners, corners[0]], float)
        series.append(Series(f"slides in inside, {depth:.4g}{length} deep", ring[:, 0], ring[:, 1]))
    spots = []
    if jam["path"]:
        path = np.array(jam["path"], float)
        kept = _thin(path)
        series.append(Series("load at the tip, by depth", kept[:, 2], kept[:, 3], dots=True))
        ends = [kept[0], kept[-1]] if len(kept) > 1 else [kept[0]]
        spots = [Spot(float(x), float(y), f"{depth:.4g}{length}") for depth, _, x, y in ends]
    title = f"Jamming diagram: outside the parallelogram of its depth a load jams (mu = {friction:.4g})"
    panel = Panel(PlotAxis("M/(r F_z)"), tuple(series), tuple(spots))
    return plot_scene([panel], PlotAxis("F_x/F_z"), title=title, margin=0.16, height=430.0, lines="")


def _thin(path: Points) -> Points:
    """No two points that are drawn as one."""
    size = np.ptp(path[:, 2:], axis=0).max() or 1.0
    kept = [path[0]]
    for point in path[1:]:
        if np.abs(point[2:] - kept[-1][2:]).max() > 0.01 * size:
            kept.append(point)
    return np.array(kept)


def _stages(told: Mapping[str, Any], units: str) -> Scene | None:
    """The peg in its hole in the middle of each regime, lateral things drawn larger than they are."""
    columns = _columns(told)
    stages = [each for each in told["regimes"] if each["regime"] in _SHORT and each["to"] > each["from"]]
    stages = stages[:_MOST_STAGES]
    if not stages or told["clearance"] <= 0:
        return None
    items: list[Item] = []
    wide = _WIDE / len(stages)
    title = "The peg in the middle of each regime; play, offset and tilt drawn larger, by the factor told"
    items.append(Text((12.0, 8.0 + SMALL), title, SMALL + 1))
    for k, stage in enumerate(stages):
        inside = (columns["depth"] >= stage["from"]) & (columns["depth"] <= stage["to"])
        rows = np.flatnonzero(inside)
        row = int(rows[np.argmin(np.abs(columns["depth"][rows] - (stage["from"] + stage["to"]) / 2))])
        items += _stage(told, columns, row, (k * wide, 34.0, wide, _HIGH))
        depth, tilt = columns["depth"][row], math.degrees(columns["tilt"][row])
        said = [_SHORT[stage["regime"]], f"{depth:.4g}{unit_names(units).length} deep, {tilt:.3g}°"]
        factor = _larger(told, columns, row)
        said.append("to scale" if factor == 1 else f"drawn x {factor:.3g}")
        for j, line in enumerate(said):
            at = (k + 0.5) * wide, 34.0 + _HIGH + 16 + j * LINE * SMALL
            items.append(Text(at, words.shorten(line, SMALL, wide - 8), SMALL, "middle"))
    return Scene(
        tuple(items), title=title, paper=(_WIDE, 34.0 + _HIGH + 24 + 3 * LINE * SMALL), scale_bar=False
    )


def _aside(told: Mapping[str, Any], columns: Mapping[str, Points], row: int) -> float:
    """Of the shoulder's middle from the hole's."""
    arm = told["compliance_centre"] - told["nose"]
    centred = told["eps0"] - arm * told["th0"] - columns["F_x"][row] / told["K_x"] / told["metres"]
    return float(centred + arm * columns["tilt"][row])


def _larger(told: Mapping[str, Any], columns: Mapping[str, Points], row: int) -> float:
    half, aside = told["hole_width"] / 2, abs(_aside(told, columns, row))
    if aside > told["clearance"]:  # on the chamfer
        return 1.0
    most = _MOST_ASIDE * half / max(aside, told["clearance"] / 2)
    tilt = abs(columns["tilt"][row])
    return float(max(1.0, min(most, _MOST_TILT / tilt if tilt else most)))


def _stage(
    told: Mapping[str, Any], columns: Mapping[str, Points], row: int, box: tuple[float, float, float, float]
) -> list[Item]:
    x0, y0, wide, high = box
    factor, half = _larger(told, columns, row), told["hole_width"] / 2
    depth, tilt = float(columns["depth"][row]), factor * float(columns["tilt"][row])
    aside, chamfer = factor * _aside(told, columns, row), told["chamfer"]
    flare = (
        (chamfer["width"], chamfer["width"] * math.tan(chamfer["angle"] or math.pi / 4))
        if chamfer
        else (0.0, 0.0)
    )
    on_hole = chamfer is not None and chamfer["on"] == told["hole"]
    out, up = flare if on_hole else (0.0, 0.0)
    deep = max(1.6 * half, 1.25 * max(depth, 0.0)) + half * 0.4
    above = max(1.2 * half, up + 0.4 * half)
    scale = min((wide - 16) / (3.4 * half + 2 * out), (high - 8) / (deep + above))
    middle = np.array([x0 + wide / 2, y0 + 4 + above * scale])

    def place(points: Points) -> Points:
        return np.asarray(middle + scale * points)

    walls = []
    for side in (1.0, -1.0):
        wall = np.array(
            [(half, 0.0), (half, deep), (1.7 * half + out, deep), (1.7 * half + out, -up), (half + out, -up)]
        )
        walls.append(place(wall * np.array([side, 1.0])))
    frame, colours = of_parts({"hole": True})["hole"], of_hue("#0072b2")
    r = half - factor * told["clearance"] / 2
    nose, lean_in = (flare[1], flare[0]) if chamfer is not None and not on_hole else (0.0, 0.0)
    long = depth + above
    outline = np.array(
        [(r, nose - long), (r, 0.0), (r - lean_in, nose), (lean_in - r, nose), (-r, 0.0), (-r, nose - long)]
        if nose
        else [(r, -long), (r, 0.0), (-r, 0.0), (-r, -long)]
    )
    # Across alone things are drawn larger, so that a tilt is a shear: what touches, touches.
    turned = outline + np.array([aside, depth - nose])
    turned[:, 0] += tilt * outline[:, 1]
    turned[:, 1] = np.maximum(turned[:, 1], -above)
    items: list[Item] = [
        Area(tuple(walls), Style(stroke=frame.line, width=1.3, fill=frame.fill, hatch=frame.hatch)),
        Area((place(turned),), Style(stroke=colours.line, width=1.5, fill=colours.fill, opacity=0.85)),
    ]
    return [*items, *_touches(told, columns, row, place, half)]


def _touches(
    told: Mapping[str, Any], columns: Mapping[str, Points], row: int, place: Any, half: float
) -> list[Item]:
    """Dots where it touches."""
    depth = float(columns["depth"][row]) - told["nose"]
    stage = next(
        each
        for each in told["regimes"]
        if each["from"] <= columns["depth"][row] <= each["to"] and each["regime"] in _SHORT
    )
    side, regime = float(stage["side"]), stage["regime"]
    points: list[tuple[float, float]] = []
    if regime.startswith("one point: rim") or regime in ("side flat on the wall", "two points"):
        points.append((side * half, 0.0))
    if regime.startswith("one point: tip") or regime == "side flat on the wall":
        points.append((side * half, depth))
    if regime == "two points":
        points.append((-side * half, depth))
    dot = Style(stroke=None, fill=CONTACT)
    return [DrawnDisc((float(x), float(y)), 4.0, dot) for x, y in place(np.array(points).reshape(-1, 2))]
