"""A pawl on one push in doubles, each the nearest to an exact number, and when its pairs are near."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from detent.motion.quasistatic.floats.coefficients import sample_links, sample_shapes
from detent.numeric.kernels import kernel

# Of lengths and times: far above what rounding does to them here, far below a feature.
SLACK = 1e-9

Point = tuple[Any, Any]


@kernel(
    sample=lambda: (
        *(np.zeros((64, 3), dtype=np.int64), np.zeros((64, 2)), *sample_shapes()),
        *(sample_links(), sample_links(), 0.0, -1.0, 0.0, 60.0),
    ),
    bare=True,
)
def times_near(
    keys: Any,
    spans: Any,
    pawl: Any,
    walls: Any,
    links: Any,
    wall_links: Any,
    vx: float,
    vy: float,
    begin: float,
    until: float,
) -> int:
    """Pairs that can touch while t runs from begin to until, and between which times; returns how many.

    A feature of the pawl keeps its greatest distance from the hinge, which runs along v t.
    """
    square = vx * vx + vy * vy
    speed = math.sqrt(square)
    count = 0
    slack = SLACK * (1 + abs(begin) + abs(until))
    for k in range(len(pawl)):
        far = math.sqrt(pawl[k, 0] ** 2 + pawl[k, 1] ** 2)
        after = links[k, 1]
        outer = max(far, math.sqrt(pawl[after, 0] ** 2 + pawl[after, 1] ** 2))
        for j in range(len(walls)):
            for kind in range(2):
                x, y = walls[j, 0], walls[j, 1]
                reach = outer
                if kind == 1:
                    if links[k, 2] == 0:
                        continue
                    # A disc about the middle of the edge holds it.
                    x, y = x + walls[j, 2] / 2, y + walls[j, 3] / 2
                    reach = far + math.sqrt(walls[j, 2] ** 2 + walls[j, 3] ** 2) / 2
                elif wall_links[j, 2] == 0:
                    continue
                reach += SLACK * (reach + abs(x) + abs(y))
                middle = (x * vx + y * vy) / square
                aside = abs(x * vy - y * vx) / speed
                if aside > reach:
                    continue
                wide = math.sqrt(reach * reach - aside * aside) / speed + slack + SLACK * abs(middle)
                if middle + wide < begin or middle - wide > until:
                    continue
                keys[count, 0], keys[count, 1], keys[count, 2] = kind, k, j
                spans[count, 0], spans[count, 1] = middle - wide, middle + wide
                count += 1
    return count


def rows(
    points: list[tuple[Any, Any]], edges: list[tuple[Any, Any]], friction: list[Any] | None = None
) -> Any:
    """A vertex, the edge from it and its length squared, and the friction, of exact numbers."""
    made = np.zeros((len(points), 5 if friction is None else 6))
    for row, (x, y), (ex, ey) in zip(made, points, edges, strict=True):
        row[0], row[1], row[2], row[3] = nearest(x), nearest(y), nearest(ex), nearest(ey)
    made[:, 4] = made[:, 2] ** 2 + made[:, 3] ** 2
    if friction is not None:
        made[:, 5] = [nearest(mu) for mu in friction]
    return made


def nearest(value: Any) -> float:
    """The double nearest to a rational; Python divides integers of any size so."""
    return int(value.p) / int(value.q)
