"""The published escapement in pymunk: convex pieces, pivots, pymunk's own springs and dampers.

Shapes are read from the document, so that both programs have the same machine: blocks and discs become
pymunk's convex shapes, as its contacts want them. Settings were chosen once: no friction, no rebound,
thirty iterations, a slop of a ten-thousandth.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from detent.geometry import leaves
from detent.model import Mechanism
from detent.model.machine import part_solid

# Pivot, inertia, damping, stiffness, relaxed angle, of Gelsey's Fig. 13.
_AXES = {
    "lever": ((0.0, 7.5), 10.0, 5.0, 0.0, 0.0),
    "bwheel": ((0.0, 20.0), 20.0, 6.0, 15.0, math.radians(90)),
    "ewheel": ((0.0, 0.0), 200.0, 20.0, 20.0, math.radians(-10000)),
}
STEP = 1e-3


def separated(machine: Mechanism) -> Mechanism:
    """The escapement with the corner that two blocks of its lever share pulled apart by 0.02.

    pymunk tests block by block: at that corner a tooth can touch a side that the other block buries.
    """
    return machine.with_("shapes.lever.difference.0.union.1.moves.1.move", [-2.98, 5.6, 0])


def pymunk_escapement(machine: Mechanism, until: float, step: float = STEP) -> Callable[[], Any]:
    """A function that makes the run and returns times and angles (lever, balance, wheel) of every tenth step.

    Raises ImportError without pymunk.
    """
    import pymunk

    pieces = {name: _pieces(machine, name) for name in _AXES}

    def build() -> tuple[Any, list[Any]]:
        space = pymunk.Space()
        space.iterations, space.collision_slop = 30, 1e-4
        still, bodies = space.static_body, []
        for name, (pivot, inertia, damping, stiffness, rest) in _AXES.items():
            body = pymunk.Body(inertia, inertia)
            body.position = pivot
            space.add(body, pymunk.PivotJoint(still, body, pivot))
            space.add(pymunk.DampedRotarySpring(body, still, rest, stiffness, damping))
            only = pymunk.ShapeFilter(categories=1) if name == "lever" else pymunk.ShapeFilter(0, 2, 1)
            for piece in pieces[name]:
                shape = (
                    pymunk.Circle(body, piece[1], piece[0])
                    if isinstance(piece, tuple)
                    else pymunk.Poly(body, [tuple(p) for p in piece])
                )
                shape.filter, shape.friction, shape.elasticity = only, 0.0, 0.0
                space.add(shape)
            bodies.append(body)
        for x in (-1.6, 1.6):
            stop = pymunk.Circle(still, 0.5, (x, 14.0))
            stop.filter = pymunk.ShapeFilter(0, 2, 1)
            space.add(stop)
        return space, bodies

    def run() -> Any:
        space, bodies = build()
        count = round(until / step)
        rows = np.zeros((count // 10, 4))
        for k in range(len(rows)):
            for _ in range(10):
                space.step(step)
            rows[k] = (k + 1) * 10 * step, *(body.angle for body in bodies)
        return rows

    return run


def _pieces(machine: Mechanism, name: str) -> list[Any]:
    """A part's solid primitives in the lever's layer: corners, or centre and radius, seen from its pivot."""
    solid, found = part_solid(machine, name), list[Any]()
    assert solid is not None
    for leaf in leaves(solid):
        base, primitive = leaf.frame.points([[0, 0, 0]])[0], leaf.primitive
        if leaf.hollow or base[2] + float(_height(primitive)) <= 0.0:
            continue
        pivot = np.array(_AXES[name][0])
        if hasattr(primitive, "radius"):
            found.append((tuple(base[:2] - pivot), float(primitive.radius)))
        else:
            corners = leaf.frame.points([[float(x), float(y), 0.0] for x, y in primitive.base])
            found.append(corners[:, :2] - pivot)
    return found


def _height(primitive: Any) -> Any:
    return primitive.height if hasattr(primitive, "radius") else primitive.sides[2]


def beats(times: Any, balance: Any) -> Any:
    """From one swing of the balance wheel to the next, at its upper turning points."""
    top = np.flatnonzero((balance[1:-1] > balance[:-2]) & (balance[1:-1] >= balance[2:])) + 1
    peaks = []
    for k in top:
        before, here, after = balance[k - 1 : k + 2]
        peaks.append(times[k] + 0.5 * (times[1] - times[0]) * (before - after) / (before - 2 * here + after))
    return np.diff(peaks)
