"""Measured beside calculated: a panel for each column, the points over the line, and how far they are off."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from detent.draw.chart.plot import Panel, PlotAxis, Series, plot_scene
from detent.draw.scene.scene import Scene
from detent.record.measured.overlay import LaidColumn, Overlay

if TYPE_CHECKING:
    from detent.draw.scene.scene import Points

_MOST_DOTS = 400  # of a curve: denser ones are drawn as lines


def overlay_scene(overlay: Overlay, title: str) -> Scene:
    """Each measured column over the calculated one, and below it what is left."""
    panels = [panel for each in overlay.columns for panel in _panels(each)]
    shift = "" if not overlay.shift else f"; measured shifted by {overlay.shift:.4g} {overlay.abscissa_unit}"
    axis = PlotAxis(overlay.abscissa, overlay.abscissa_unit)
    told = f"{title}: measured beside calculated{shift}".removeprefix(": ")
    return plot_scene(panels, axis, title=told, margin=0.02)


def _panels(laid: LaidColumn) -> list[Panel]:
    measured, calculated = (_floats(column) for column in (laid.measured, laid.calculated))
    x = np.array(laid.x)
    order = np.argsort(x, kind="stable")
    dots = len(x) <= _MOST_DOTS
    off = measured - calculated
    line = Series("calculated", np.array(laid.curve[0]), np.array(laid.curve[1]))
    points = Series("measured", x[order], measured[order], dots=dots)
    rest = Series(f"measured less calculated, rms {laid.rms:.3g}", x[order], off[order], dots=dots)
    return [
        Panel(PlotAxis(laid.name, laid.unit), (line, points)),
        Panel(PlotAxis("difference", laid.unit), (rest,)),
    ]


def _floats(column: tuple[float | None, ...]) -> Points:
    return np.array([math.nan if value is None else value for value in column])
