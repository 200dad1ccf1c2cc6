"""The convex and polygonal pieces that a part's shape is made of, placed as drawn."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction

from detent.foundation.errors import UnsupportedError
from detent.foundation.names import with_article
from detent.geometry import solid as solids
from detent.geometry.exact.convex import convex_parts
from detent.geometry.exact.polygon import ExactLeaf
from detent.geometry.exact.polytope import Polytope, Round
from detent.geometry.exact.solid_pieces import combined_pieces, is_convex, prism_piece
from detent.geometry.exact.union import joined
from detent.geometry.frame import Exact3, Frame, exact3
from detent.geometry.outline import cleaned
from detent.model.document.mechanism import Mechanism
from detent.model.machine.solids import part_solid


def pieces_of(mechanism: Mechanism, name: str, pose: Frame) -> list[Polytope | Round]:
    """The pieces of a part that has a shape; what has other contacts is refused by name.

    In the plane, polygons that touch or overlap are one: a seam is not a feature. A piece is then one ring of
    its boundary, with the solid on its left.
    """
    whole = part_solid(mechanism, name)
    assert whole is not None
    pieces = list(_of(whole, pose, mechanism.dimension, f"parts.{name}.shape"))
    polygons = [piece for piece in pieces if isinstance(piece, Polytope)]
    if mechanism.dimension == 3 or len(polygons) < 2:
        return pieces
    leaves = joined(
        [ExactLeaf(name, i, p.points, tuple(range(len(p.points)))) for i, p in enumerate(polygons)]
    )
    rings = [Polytope(tuple(leaf.points[k] for k in ring)) for leaf in leaves for ring in leaf.rings]
    return [*rings, *(piece for piece in pieces if isinstance(piece, Round))]


def _of(solid: solids.Solid, pose: Frame, dimension: int, at: str) -> Iterator[Polytope | Round]:
    if isinstance(solid, solids.Combination):
        children = [list(_of(child, pose, dimension, at)) for child in solid.children]
        if solid.operation == "union":
            yield from itertools.chain(*children)
        else:
            yield from combined_pieces(solid.operation, [_convex_pieces(each, at) for each in children])
        return
    shape, frame = solid.primitive, pose @ solid.frame
    if solid.breaks:
        raise _unsupported("a broken edge", at)
    if dimension == 2 and isinstance(shape, solids.Outline):
        yield Polytope(cleaned([_flat(frame.apply(exact3(p))) for p in shape.points]))
    elif dimension == 2 and isinstance(shape, solids.Disc):
        yield Round(frame.origin[:2], shape.radius)
    elif dimension == 3 and isinstance(shape, solids.Block):
        x, y, z = shape.sides
        yield prism_piece([(0, 0), (x, 0), (x, y), (0, y)], z, frame)
    elif dimension == 3 and isinstance(shape, solids.Prism):
        outline = cleaned(shape.points)
        for base in [outline] if is_convex(outline) else convex_parts(outline):
            yield prism_piece(base, shape.height, frame)
    else:
        raise _unsupported(with_article(type(shape).__name__.lower()), at)


def _convex_pieces(pieces: list[Polytope | Round], at: str) -> list[Polytope]:
    """Polygons that are not convex fall into some that are; a disc has no sides to cut by."""
    convex: list[Polytope] = []
    for piece in pieces:
        if isinstance(piece, Round):
            raise _unsupported("a round hole, or of a disc with holes or in an intersection,", at)
        split = not piece.faces and not is_convex(piece.points)
        convex += [Polytope(part) for part in convex_parts(piece.points)] if split else [piece]
    return convex


def _unsupported(what: str, at: str) -> UnsupportedError:
    return UnsupportedError(
        f"contacts of {what} are not found from its shape", "give them as [[contacts]]", at
    )


def _flat(point: Exact3) -> tuple[Fraction, Fraction]:
    return point[0], point[1]
