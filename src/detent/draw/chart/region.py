"""The region that goes in as a plot: maps of two misalignments; offsets between their borders over the tilt;
or each offset alone.
"""

from __future__ import annotations

import math

from detent.draw.chart.plot import Panel, PlotAxis, Series, Spot, plot_scene
from detent.draw.chart.stacked import stacked
from detent.draw.scene.scene import Scene
from detent.foundation.units import unit_names
from detent.record.going_in import IN, Misaligned, RegionThatGoesIn, ToleranceMap


def region_scene(answer: RegionThatGoesIn, title: str) -> Scene:
    """Inside the lines it was seen to go in, at the dots it was seen not to."""
    unit = unit_names(answer.units).length.strip()
    if answer.maps:
        return stacked([_map(told, unit, "" if k else title) for k, told in enumerate(answer.maps)])
    if answer.together:
        return _over_tilts(answer, unit, title)
    shown = [each for each in answer.alone if each.low is not None and each.high is not None]
    low, high = [each.low for each in shown if each.low], [each.high for each in shown if each.high]
    places = [k + 1.0 for k in range(len(shown))]
    names = tuple(f"{each.kind} along {', '.join(f'{x:.3g}' for x in each.along)}" for each in shown)
    lines = []
    for k, (first, last) in enumerate(zip(low, high, strict=True)):
        lines.append(
            Series("goes in" if k == 0 else "", [_told(first.inside), _told(last.inside)], [places[k]] * 2)
        )
    seen = [
        (border.outside, at)
        for borders in (low, high)
        for border, at in zip(borders, places, strict=True)
        if border.outside is not None
    ]
    if seen:
        lines.append(Series("does not", [x for x, _ in seen], [y for _, y in seen], dots=True))
    return plot_scene([Panel(PlotAxis(""), tuple(lines), names=names)], PlotAxis("offset", unit), title=title)


def _map(told: ToleranceMap, unit: str, title: str) -> Scene:
    """What goes in as an area within the borders that were found; what does not as dots."""
    pieces, on = told.pieces(), {border.middle for border in told.borders}
    segments = [
        (one, other)
        for ring in pieces
        for one, other in zip(ring, [*ring[1:], ring[0]], strict=True)
        if one in on and other in on
    ]
    x = [v for one, other in segments for v in (one[0], other[0], other[0])]
    y = [v for one, other in segments for v in (one[1], other[1], math.nan)]
    stopped: dict[str, list[tuple[float, float]]] = {}
    for j, b in enumerate(told.ys):
        for i, a in enumerate(told.xs):
            if told.answers[j][i] != IN:
                stopped.setdefault(told.answers[j][i], []).append((a, b))
    series = [Series("goes in within", x, y)] if x else []
    series += [
        Series(name, [a for a, _ in places], [b for _, b in places], dots=True)
        for name, places in stopped.items()
    ]
    if not series:
        series = [Series("goes in", list(told.xs), [told.ys[0]] * len(told.xs), dots=True)]
    inside = told.xs[0] < 0 < told.xs[-1] and told.ys[0] < 0 < told.ys[-1]
    spots = (Spot(0.0, 0.0, "as drawn"),) if inside else ()
    panel = Panel(PlotAxis(*_axis(told.y, unit)), tuple(series), spots, areas=tuple(pieces))
    return plot_scene([panel], PlotAxis(*_axis(told.x, unit)), title=title, height=480.0)


def _axis(of: Misaligned, unit: str) -> tuple[str, str]:
    along = ", ".join(f"{x:.3g}" for x in of.along)
    return (f"offset along ({along})", unit) if of.kind == "offset" else (f"tilt about ({along})", "°")


def _over_tilts(answer: RegionThatGoesIn, unit: str, title: str) -> Scene:
    rows = answer.together
    tilts = [row.tilt for row in rows]
    low, high = (
        [_told(each.inside) for each in of] for of in zip(*((r.low, r.high) for r in rows), strict=True)
    )
    out = [
        (row.tilt, border.outside)
        for row in rows
        for border in (row.low, row.high)
        if border.outside is not None
    ]
    border = Series("goes in within", [*tilts, *tilts[::-1], tilts[0]], [*low, *high[::-1], low[0]])
    series = [border]
    if out:
        series.append(Series("does not", [x for x, _ in out], [y for _, y in out], dots=True))
    spots = (Spot(0.0, 0.0, "as drawn"),)
    pushes = Panel(
        PlotAxis("push there", unit_names(answer.units).force.strip()),
        (
            Series("at the lower border", tilts, [_told(row.low.push) for row in rows]),
            Series("at the upper border", tilts, [_told(row.high.push) for row in rows]),
        ),
    )
    return plot_scene(
        [Panel(PlotAxis("offset", unit), tuple(series), spots), pushes], PlotAxis("tilt", "°"), title=title
    )


def _told(value: float | None) -> float:
    return math.nan if value is None else value
