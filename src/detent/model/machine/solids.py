"""From shapes as written to geometry: the one place where a document becomes a solid.

Copies and vertices are counted before anything is expanded, so that nested
repeats that would explode are refused by their count. Within a table the order
is the document's: the kind, then edges, then moves (left to right, about the
frame's axes), then repeat. Lengths stay as written, times `scale`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from detent.foundation.errors import ModelError, UnsupportedError
from detent.foundation.names import with_article
from detent.geometry import frame as frames
from detent.geometry import solid as solids
from detent.geometry.frame import Frame, RationalRotation
from detent.geometry.profile import extent, reach
from detent.geometry.solid import Leaf, Solid
from detent.model.document.axes import axis_vector
from detent.model.document.mechanism import Mechanism
from detent.model.document.shape import Move, Repeat, Shape

# A rack of thousands of teeth is honest; this many take about a second.
MAX_LEAVES = 4_000
MAX_VERTICES = 1_000_000

# An inertia goes by the fifth power of a length, and doubles end near 1e±308.
_SMALLEST, _LARGEST = 1e-60, 1e60
# Of its distance from the origin: a size below this keeps fewer than four digits.
_LOST = 1e-12
# Of its size: a side below this is less than a digit of a corner's place.
_ROUNDED = 1e-16

Named = Mapping[str, Shape]


@dataclass(frozen=True)
class ExactOutline:
    """The vertices of one polygonal leaf, exactly; counter-clockwise where closed."""

    leaf: Leaf
    points: solids.Points
    closed: bool  # a segment is not
    approximated: tuple[RationalRotation, ...]  # rational rotations in place of irrational ones
    written: solids.Points  # every vertex, in the order of the document


def part_solid(mechanism: Mechanism, name: str, *, scale: Fraction = Fraction(1)) -> Solid | None:
    """The solid of a part in the part's own frame; None for a part without a shape."""
    shape = mechanism.parts[name].shape
    return None if shape is None else solid(shape, mechanism.shapes, f"parts.{name}.shape", scale=scale)


def solid(shape: Shape, named: Named, at: str = "shape", *, scale: Fraction = Fraction(1)) -> Solid:
    """A shape as a CSG tree of placed primitives, leaves numbered in document order."""
    refuse_explosion(shape, named, at)
    whole = solids.numbered(_Translation(named, scale).shape(shape, at))
    for leaf in solids.leaves(whole):
        _refuse_extreme(leaf)
    return whole


def exact_outline(leaf: Leaf) -> ExactOutline:
    """One leaf as an exact polygon, where it is placed: counter-clockwise, cleaned, first vertex kept.

    Shifts, rotations by quarters, mirrors and rational directions are exact; for any
    other rotation `approximated` says which rational rotation replaces it.
    """
    from detent.geometry.outline import cleaned

    flat = _flat_points(leaf)
    placed = [leaf.frame.apply(frames.exact3(point)) for point in flat]
    if not leaf.frame.upright:
        remedy = "rotate it about z only"
        raise UnsupportedError("it is tilted out of the plane, so it has no exact outline", remedy, leaf.at)
    points = tuple((x, y) for x, y, _ in placed)
    closed = not isinstance(leaf.primitive, solids.Segment)
    return ExactOutline(leaf, cleaned(points) if closed else points, closed, leaf.frame.approximated, points)


def refuse_explosion(shape: Shape, named: Named, at: str) -> None:
    """Raise where a shape would expand to too many leaves or vertices; nothing is expanded here."""
    count = _Count(named)
    leaves, vertices = count.of(shape)
    for total, limit, noun in (
        (leaves, MAX_LEAVES, "primitive shapes"),
        (vertices, MAX_VERTICES, "vertices"),
    ):
        if total > limit:
            words = f"its repeats multiply to {_big(total)} {noun}; at most {limit} are read"
            raise ModelError.at(at, words, "repeat less, or draw the outline once")


def shape_frame(moves: tuple[Move, ...], scale: Fraction = Fraction(1)) -> Frame:
    """Moves, left to right, as one placement."""
    placed = frames.IDENTITY
    for move in moves:
        placed = _move(move, scale) @ placed
    return placed


def _refuse_extreme(leaf: Leaf) -> None:
    """Sizes whose cubes a double cannot hold, and places so far out that the size is lost."""
    x0, y0, x1, y1 = reach(leaf)
    low, high = extent(leaf)
    size = max(x1 - x0, y1 - y0, high - low)
    far = max(map(abs, (x0, y0, x1, y1, low, high, *map(float, leaf.frame.origin))))
    if size <= _SMALLEST or far > _LARGEST:
        words = f"is {size:.3g} in size and reaches out to {far:.3g}"
        raise ModelError.at(leaf.at, words, "draw it in other units")
    if far * _LOST > size:
        words = f"is {far:.3g} from the origin, where its size of {size:.3g} is lost to rounding"
        raise ModelError.at(leaf.at, words, "draw it nearer to the origin of its part")
    shortest = _shortest_side(leaf)
    if shortest < _ROUNDED * size:
        words = f"is {size:.3g} in size, beside which its side of {shortest:.3g} is lost to rounding"
        raise ModelError.at(leaf.at, words, "look for a corner that is far out by mistake")


def _shortest_side(leaf: Leaf) -> float:
    """Of a drawn polygon; corners that are written twice have none. Infinite for other primitives."""
    if not isinstance(leaf.primitive, solids.Outline | solids.Prism):
        return math.inf
    points = [(float(x), float(y)) for x, y in leaf.primitive.points]
    sides = (math.dist(a, b) for a, b in zip(points, points[1:] + points[:1], strict=True) if a != b)
    return min(sides, default=math.inf)


class _Count:
    """Leaves and vertices after expansion, by multiplication; named shapes counted once."""

    def __init__(self, named: Named) -> None:
        self.named = named
        self.known: dict[str, tuple[int, int]] = {}

    def of(self, shape: Shape) -> tuple[int, int]:
        leaves, vertices = self._one(shape)
        copies = 1 if shape.repeat is None else shape.repeat.count - len(set(shape.repeat.without))
        return leaves * copies, vertices * copies

    def _one(self, shape: Shape) -> tuple[int, int]:
        if shape.use is not None:
            if shape.use not in self.known:
                self.known[shape.use] = self.of(self.named[shape.use])
            return self.known[shape.use]
        if shape.children:
            counts = [self.of(child) for child in shape.children]
            return sum(c[0] for c in counts), sum(c[1] for c in counts)
        points = shape.outline or (shape.prism.outline if shape.prism else ())
        return 1, max(len(points), 1)


class _Translation:
    """One pass over a shape; groups of copies are numbered as they are met."""

    def __init__(self, named: Named, scale: Fraction) -> None:
        self.named = named
        self.scale = scale
        self.groups = 0

    def shape(self, shape: Shape, at: str) -> Solid:
        whole = self._kind(shape, at)
        if shape.edges:
            whole = _with_broken_edges(whole, shape, self.scale, at)
        placement = shape_frame(shape.moves, self.scale)
        whole = whole if placement is frames.IDENTITY else solids.placed(whole, placement)
        return whole if shape.repeat is None else self._repeated(whole, shape.repeat, at)

    def _kind(self, shape: Shape, at: str) -> Solid:
        if shape.use is not None:
            return self.shape(self.named[shape.use], at)
        if shape.children:
            kind = shape.kind
            children = [self.shape(child, f"{at}.{kind}.{i}") for i, child in enumerate(shape.children)]
            return solids.combined(kind, children)  # type: ignore[arg-type]
        return Leaf(self._primitive(shape), at=at)

    def _primitive(self, shape: Shape) -> solids.Primitive:
        s = self.scale
        if shape.outline is not None:
            return solids.Outline(_points(shape.outline, s))
        if shape.segment is not None:
            ends = _points(shape.segment, s)
            return solids.Segment((ends[0], ends[1]))
        if shape.circle is not None:
            return solids.Disc(s * shape.circle)
        if shape.prism is not None:
            return solids.Prism(_points(shape.prism.outline, s), s * shape.prism.height)
        if shape.block is not None:
            x, y, z = shape.block
            return solids.Block((s * x, s * y, s * z))
        if shape.cylinder is not None:
            c = shape.cylinder
            return solids.Cylinder(
                s * c.radius, s * c.height, c.teeth, c.gear, None if c.depth is None else s * c.depth
            )
        if shape.cone is not None:
            base, top = shape.cone.radius
            return solids.Cone(s * base, s * top, s * shape.cone.height)
        if shape.sphere is not None:
            return solids.Sphere(s * shape.sphere)
        assert shape.torus is not None
        return solids.Torus(s * shape.torus.radius, s * shape.torus.tube)

    def _repeated(self, whole: Solid, repeat: Repeat, at: str) -> Solid:
        group = self.groups
        self.groups += 1
        copies = []
        for index in range(repeat.count):
            if index in repeat.without:
                continue
            copy = solids.placed(whole, copy_frame(repeat, index, self.scale))
            copies.append(_with_symmetry(copy, _membership(repeat, index, group, self.scale)))
        if not copies:
            raise ModelError.at(f"{at}.repeat", "leaves out every copy", "keep at least one")
        return solids.combined("union", copies)


def copy_frame(repeat: Repeat, index: int, scale: Fraction = Fraction(1)) -> Frame:
    """Where one copy of a repeat is placed; copy 0 is the shape itself."""
    if repeat.step is not None:
        x, y, z = frames.exact3(repeat.step)
        return frames.shift((index * scale * x, index * scale * y, index * scale * z))
    axis = axis_vector(repeat.about)
    if repeat.turn is not None:
        turned = frames.turn(index * repeat.turn, axis)
    elif repeat.turn_deg is not None:
        turned = frames.turn_deg(index * repeat.turn_deg, axis)
    else:
        turned = frames.copy_turn(index, repeat.count, axis)
    return frames.about(turned, _scaled(repeat.at, scale))


def _membership(repeat: Repeat, index: int, group: int, scale: Fraction) -> solids.Symmetric:
    sliding = repeat.step is not None
    full = (
        not sliding
        and repeat.turn is None
        and (repeat.turn_deg is None or abs(repeat.turn_deg) * repeat.count == 360)
    )
    return solids.Symmetric(
        kind="translational" if sliding else "rotational",
        axis=frames.exact3(repeat.step) if repeat.step is not None else axis_vector(repeat.about),
        point=frames.exact3(_scaled(repeat.at, scale) or (Fraction(0), Fraction(0))),
        count=repeat.count,
        index=index,
        full=full,
        missing=tuple(sorted(set(repeat.without))),
        group=group,
    )


def _with_symmetry(whole: Solid, mark: solids.Symmetric) -> Solid:
    if isinstance(whole, Leaf):
        return replace(whole, symmetric=(*whole.symmetric, mark))
    return solids.Combination(whole.operation, tuple(_with_symmetry(child, mark) for child in whole.children))


def _with_broken_edges(whole: Solid, shape: Shape, scale: Fraction, at: str) -> Solid:
    from detent.geometry.profile import refuse_odd_breaks

    if not isinstance(whole, Leaf):
        remedy = "break the edges of each block, prism or cylinder in it"
        raise UnsupportedError(
            f"{with_article(shape.kind)} has no faces of its own to break the edges of", remedy, at
        )
    leaf = replace(whole, breaks=(*whole.breaks, *_breaks(shape, scale)))
    refuse_odd_breaks(leaf)
    return leaf


def odd_edges(shape: Shape, named: Named, at: str) -> list[tuple[str, str]]:
    """All that is wrong with the edges of one shape, each with its remedy."""
    from msgspec.structs import replace as changed

    from detent.geometry.profile import odd_breaks

    whole = solid(changed(shape, edges=(), moves=(), repeat=None), named, at)
    return (
        odd_breaks(replace(whole, breaks=tuple(_breaks(shape, Fraction(1)))))
        if isinstance(whole, Leaf)
        else []
    )


def _breaks(shape: Shape, scale: Fraction) -> Iterator[solids.Break]:
    for edge in shape.edges:
        if edge.chamfer is not None:
            yield solids.Break(edge.face, "chamfer", scale * edge.chamfer)
        elif edge.round is not None:
            yield solids.Break(edge.face, "round", scale * edge.round)


def _move(move: Move, scale: Fraction) -> Frame:
    if move.move is not None:
        return frames.shift(tuple(scale * c for c in move.move))
    axis = axis_vector(move.about)
    if move.turn is not None:
        turned = frames.turn(move.turn, axis)
    elif move.turn_deg is not None:
        turned = frames.turn_deg(move.turn_deg, axis)
    elif move.along is not None:
        turned = frames.along(move.along)
    else:
        turned = frames.mirror(axis_vector(move.mirror))
    return frames.about(turned, _scaled(move.at, scale))


def _scaled(vector: tuple[Fraction, ...] | None, scale: Fraction) -> tuple[Fraction, ...] | None:
    return None if vector is None else tuple(scale * c for c in vector)


def _points(points: tuple[tuple[Fraction, ...], ...], scale: Fraction) -> solids.Points:
    if scale == 1:
        return tuple((p[0], p[1]) for p in points)
    return tuple((scale * p[0], scale * p[1]) for p in points)


def _flat_points(leaf: Leaf) -> solids.Points:
    p = leaf.primitive
    if isinstance(p, solids.Outline | solids.Prism):
        return p.points
    if isinstance(p, solids.Segment):
        return p.ends
    if isinstance(p, solids.Block):
        return p.base
    kind = type(p).__name__.lower()
    raise UnsupportedError(
        f"{with_article(kind)} has no exact polygon",
        "draw it as an `outline` of as many corners as it takes",
        leaf.at,
    )


def _big(count: int) -> str:
    return str(count) if count < 10**9 else f"about 10^{len(str(count)) - 1}"
