"""The polygons of a part, as the exact method takes them: where they are drawn, in rationals.

Unions of polygons and segments are used as they are. Anything cut away, flat or
crossing itself is refused by name; the rational rotation that stands for an irrational
one is said in notes.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from detent.foundation.errors import ModelError, UnsupportedError
from detent.foundation.names import with_article
from detent.geometry.exact.polygon import ExactLeaf
from detent.geometry.frame import Frame
from detent.geometry.outline import fault
from detent.geometry.solid import Combination, Solid, leaves
from detent.model.document.mechanism import Mechanism
from detent.model.machine.solids import exact_outline, part_solid
from detent.numeric.rational import flint_of

# Of the machine's reach: a double then knows the direction of an edge to three digits.
SHORTEST = 1e-12


def leaves_of(mechanism: Mechanism, name: str, frame: Frame) -> tuple[tuple[ExactLeaf, ...], list[str]]:
    """The polygons of a part placed by a frame, and which rationals approximate its rotations."""
    solid = part_solid(mechanism, name)
    if solid is None:
        return (), []
    _refuse_cuts(solid, name)
    polygons, notes = [], []
    for piece in leaves(solid):
        outline = exact_outline(piece)
        notes += [f"{name}: {rotation}" for rotation in (*outline.approximated, *frame.approximated)]
        polygons.append(_leaf(name, piece.index, outline, frame))
    return tuple(polygons), notes


def refuse_lost(leaves: Iterable[ExactLeaf], hinge: tuple[Any, Any], joint: str) -> None:
    """Refuse edges too short for where they are: forces are computed in doubles about the hinge."""
    edges = [(leaf, leaf.points[k], leaf.points[leaf.after[k]]) for leaf in leaves for k in range(leaf.count)]
    reach = max(abs(float(c)) for c in (*hinge, *(x for _, a, _ in edges for x in a)))
    for leaf, a, b in edges:
        length = math.hypot(float(b[0] - a[0]), float(b[1] - a[1]))
        if length < SHORTEST * reach:
            raise UnsupportedError(
                f"an edge of {leaf.part} is {length:.3g} long, in a machine that reaches {reach:.3g} "
                f"about joint {joint!r}: too short there for its forces to be told",
                "draw the parts near the origin and their hinge near them, or leave the edge out",
                f"parts.{leaf.part}.shape",
            )


def _leaf(name: str, index: int, outline: Any, frame: Frame) -> ExactLeaf:
    at = f"parts.{name}.shape"
    if len(set(outline.written)) < 2:
        raise ModelError.at(at, "a single point is not a shape", "give a segment or an outline")
    if outline.closed and (wrong := fault(outline.written)) is not None:
        raise ModelError.at(at, *wrong)
    placed = [frame.apply((*point, Fraction(0))) for point in outline.points]
    numbers = {point: k for k, point in reversed(list(enumerate(outline.written)))}
    order = [numbers[point] for point in outline.points]
    rises = sum(a < b for a, b in zip(order, order[1:] + order[:1], strict=True))
    return ExactLeaf(
        name,
        index,
        tuple((flint_of(x), flint_of(y)) for x, y, _ in placed),
        tuple(order),
        backwards=outline.closed and rises == 1,
    )


def _refuse_cuts(solid: Solid, name: str) -> None:
    if isinstance(solid, Combination):
        if solid.operation != "union":
            words = f"the exact method takes unions of polygons, not {with_article(solid.operation)}"
            raise UnsupportedError(words, "draw the outline that is left", f"parts.{name}.shape")
        for child in solid.children:
            _refuse_cuts(child, name)
