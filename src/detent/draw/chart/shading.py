"""Shaded stretches of a plot's horizontal axis: what holds between two of its numbers, with a word at the
top.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from detent.draw.paper import text as words
from detent.draw.paper.page import LINE, SMALL
from detent.draw.scene.palette import HUES, QUIET, mix
from detent.draw.scene.scene import Area, Item, Style, Text

if TYPE_CHECKING:
    from detent.draw.scene.scene import Points

_LIGHT = 0.87  # white in a hue
_ROWS = 3  # of words, one below the other


@dataclass(frozen=True)
class Shade:
    """A stretch with a word, in the light tint of a hue by its number; the same number, the same tint."""

    begin: float
    end: float
    text: str
    hue: int


class _PlotBox(Protocol):
    @property
    def x0(self) -> float: ...
    @property
    def x1(self) -> float: ...
    @property
    def y0(self) -> float: ...
    @property
    def y1(self) -> float: ...
    def place(self, points: Points) -> Points: ...


def shade_items(box: _PlotBox, shades: Sequence[Shade], *, told: bool) -> list[Item]:
    """Behind the lines of one panel; with their words where `told`, those without room in a lower row, or
    left out.
    """
    items: list[Item] = []
    taken: list[list[float]] = [[box.x0] for _ in range(_ROWS)]
    for shade in shades:
        ends = np.array([[shade.begin, 0.0], [shade.end, 0.0]])
        x0, x1 = (min(max(float(x), box.x0), box.x1) for x in box.place(ends)[:, 0])
        if x1 <= x0:
            continue
        ring = np.array([(x0, box.y0), (x1, box.y0), (x1, box.y1), (x0, box.y1)])
        fill = mix(HUES[shade.hue % len(HUES)], "#ffffff", _LIGHT)
        items.append(Area((ring,), Style(stroke=None, fill=fill)))
    for shade in shades if told else ():
        ends = np.array([[shade.begin, 0.0], [shade.end, 0.0]])
        x0, x1 = (min(max(float(x), box.x0), box.x1) for x in box.place(ends)[:, 0])
        half = words.width(shade.text, SMALL - 1) / 2 + 3
        middle = min(max((x0 + x1) / 2, box.x0 + half), box.x1 - half)
        row = next((k for k in range(_ROWS) if taken[k][-1] <= middle - half), None)
        if x1 > x0 and row is not None:
            taken[row].append(middle + half)
            y = box.y0 + SMALL + 2 + row * LINE * SMALL
            items.append(Text((middle, y), shade.text, SMALL - 1, "middle", colour=QUIET))
    return items
