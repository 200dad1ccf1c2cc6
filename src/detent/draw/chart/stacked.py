"""Plots below each other, each with axes of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from detent.draw.scene.scene import Area, Arrow, Bar, DrawnDisc, DrawnLine, Item, Scene, Symbol, Text


def stacked(plots: Sequence[Scene]) -> Scene:
    """Scenes that are on paper already, the first at the top."""
    items: list[Item] = []
    wide = high = 0.0
    for plot in plots:
        assert plot.paper is not None
        items += [_lowered(item, high) for item in plot.items]
        wide, high = max(wide, plot.paper[0]), high + plot.paper[1]
    return replace(plots[0], items=tuple(items), paper=(wide, high))


def _lowered(item: Item, by: float) -> Item:
    """The same farther down the page."""
    down = np.array([0.0, by])
    match item:
        case Area(rings=rings):
            return replace(item, rings=tuple(ring + down for ring in rings))
        case DrawnLine(points=points) | Bar(points=points):
            return replace(item, points=points + down)
        case DrawnDisc(at=at) | Text(at=at) | Symbol(at=at) | Arrow(at=at):
            return replace(item, at=(at[0], at[1] + by))
