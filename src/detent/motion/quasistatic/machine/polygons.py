"""The polygons of a part, as the exact method takes them: where they are drawn, in rationals.

Unions of polygons and segments are used as they are, discs as their chords. A hole with solid all around it,
as that of a pin, is filled: nothing comes into it from outside, and what lies in it would overlap at the
start, which is refused.
Anything else cut away, flat or crossing itself is refused by name; filled holes, and the rational rotation
that stands for an irrational one, are said in notes.
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
from detent.geometry.solid import Disc, Leaf, Solid, leaves
from detent.model.document.mechanism import Mechanism
from detent.model.machine.solids import ExactOutline, exact_outline, part_solid
from detent.numeric.rational import flint_of

# Of the machine's reach: a double then knows the direction of an edge to three digits.
SHORTEST = 1e-12
CHORDS = 256  # to a circle, as where drawings are read
PHASE = 0.381966  # of a chord, from part to part: the golden section keeps any few of them apart
DENOMINATOR = 1000  # of their half-tangents: uneven by 0.7 % of a chord, and quick to compute with
CLEAR = 1e-9  # of a polygon's reach: nearer to its edges a hole may cut them


def leaves_of(mechanism: Mechanism, name: str, frame: Frame) -> tuple[tuple[ExactLeaf, ...], list[str]]:
    """The polygons of a part placed by a frame, and which rationals approximate its rotations."""
    solid = part_solid(mechanism, name)
    if solid is None:
        return (), []
    pieces, holes = _filled(solid, name)
    polygons, notes = [], [_told(name, holes)] if holes else []
    discs = [piece for piece in pieces if isinstance(piece.primitive, Disc)]
    if discs:
        notes.append(f"{name}: {_told_of_chords(len(discs))}")
    for piece in pieces:
        outline = _outline(piece, list(mechanism.parts).index(name))
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


def _filled(solid: Solid, name: str) -> tuple[list[Leaf], int]:
    """The pieces of a shape without holes that lie within one of them, and how many there are of those."""
    if isinstance(solid, Leaf):
        return [solid], 0
    if solid.operation == "union":
        parts = [_filled(child, name) for child in solid.children]
        return [piece for pieces, _ in parts for piece in pieces], sum(count for _, count in parts)
    if solid.operation == "difference":
        pieces, holes = _filled(solid.children[0], name)
        cuts = [cut for child in solid.children[1:] for cut in leaves(child)]
        regions = [_region(piece) for piece in pieces]
        if all(any(_within(cut, region) for region in regions if region is not None) for cut in cuts):
            return pieces, holes + len(cuts)
    words = f"the exact method takes unions of polygons, not {with_article(solid.operation)}"
    remedy = "draw the outline that is left" + (
        "; only holes with solid all around them are left out" if solid.operation == "difference" else ""
    )
    raise UnsupportedError(words, remedy, f"parts.{name}.shape")


def _told(name: str, holes: int) -> str:
    one = holes == 1
    what, it = ("a hole with solid all around it is", "it") if one else ("holes inside it are", "them")
    return f"{name}: {what} filled, as nothing outside comes into {it}"


def _region(piece: Leaf) -> Any:
    """A closed piece as a polygon in doubles; None of a segment."""
    import shapely

    outline = _outline(piece)
    if not outline.closed or len(set(outline.written)) < 3:
        return None
    return shapely.Polygon([(float(x), float(y)) for x, y in outline.points])


def _outline(piece: Leaf, phase: int = 0) -> ExactOutline:
    """A piece as an exact polygon; of a disc its chords, whose corners lie exactly on the circle.

    Discs of parts of unlike `phase` have no chords that are parallel, which would land flush on each other.
    """
    if not isinstance(piece.primitive, Disc):
        return exact_outline(piece)
    x, y, _ = piece.frame.origin
    radius = piece.primitive.radius
    quarter = []
    for k in range(CHORDS // 4):
        # A rational half-tangent near that of an even division, so that sine and cosine are rational.
        half = math.pi * (k + PHASE * phase % 1) / CHORDS
        s = Fraction(math.tan(half)).limit_denominator(DENOMINATOR)
        quarter.append(((1 - s * s) / (1 + s * s), 2 * s / (1 + s * s)))
    points, turned = [], quarter
    for _ in range(4):
        points += [(x + radius * c, y + radius * s) for c, s in turned]
        turned = [(-s, c) for c, s in turned]
    return ExactOutline(piece, tuple(points), True, (), tuple(points))


def _told_of_chords(count: int) -> str:
    inside = 1 - math.cos(math.pi / CHORDS)
    discs = "its disc is" if count == 1 else f"its {count} discs are"
    return (
        f"{discs} taken as {CHORDS} chords to a circle, inside it by at most {inside * 1.1:.1e} of the radius"
    )


def _within(cut: Leaf, region: Any) -> bool:
    """Whether a hole lies within a polygon, clear of its edges by more than rounding."""
    import shapely

    if isinstance(cut.primitive, Disc):
        x, y, _ = cut.frame.origin
        hole, reach = shapely.Point(float(x), float(y)), float(cut.primitive.radius)
    else:
        hole, reach = _region(cut), 0.0
    if hole is None or not region.is_valid or not region.contains(hole):
        return False
    size = float(max(abs(c) for c in region.bounds))
    return bool(region.exterior.distance(hole) > reach + CLEAR * size)
