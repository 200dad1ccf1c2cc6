"""Is a machine sound as drawn? Shapes that cannot be, and parts that overlap.

Looks at what the types of a document cannot tell: outlines that cross
themselves, differences that leave nothing, shapes without thickness in space,
repeats that explode, edges broken away, pairs of parts that overlap. Nothing is
imported for a document without shapes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from msgspec.structs import replace

from detent.foundation.errors import ModelError, Problem, UnsupportedError
from detent.foundation.names import with_article
from detent.foundation.units import unit_names
from detent.model.document.mechanism import Mechanism
from detent.model.document.shape import Shape, within

if TYPE_CHECKING:
    from detent.geometry.solid import Solid

# After this many, the rest will change once these are mended.
MAX_PROBLEMS = 20


def problems(
    mechanism: Mechanism, joined: Callable[[Mechanism], Mechanism] = lambda drawn: drawn
) -> list[Problem]:
    """Everything wrong with the shapes and where they are placed; empty when sound.

    `joined` gives the machine the joints that its sound shapes make: parts may be drawn into each other at a
    pin that was found as at one that was written.
    """
    if not any(part.shape is not None for part in mechanism.parts.values()) and not mechanism.shapes:
        return []
    solids, problems = _solids(mechanism)
    if problems:
        edges = _each(_edges, mechanism)
        named = {problem.at for problem in edges}
        problems = [*edges, *(problem for problem in problems if problem.at not in named)]
    # Each look needs what the one before it found sound.
    problems = problems or crossed_outlines(mechanism) or empty_shapes(mechanism)
    if not problems and mechanism.dimension == 3:
        problems = list(_without_thickness(solids))
    if not problems:
        from detent.model.machine.drawn.overlap import overlaps

        problems = [Problem(o.at, o.problem, o.remedy) for o in overlaps(joined(mechanism), solids)]
    return problems[:MAX_PROBLEMS]


def crossed_outlines(mechanism: Mechanism) -> list[Problem]:
    """Outlines that cross, touch or fold onto themselves: they bound nothing that could be touched."""
    return _each(_outlines, mechanism)


def empty_shapes(mechanism: Mechanism) -> list[Problem]:
    """Shapes that cannot be evaluated, or of which nothing is left."""
    return _each(_evaluated, mechanism)


def _solids(mechanism: Mechanism) -> tuple[dict[str, Solid], list[Problem]]:
    """The solids of the parts, and what stops any shape from becoming one."""
    from detent.model.machine.solids import solid

    solids: dict[str, Solid] = {}
    problems: list[Problem] = []
    for at, shape in _named(mechanism):
        try:
            whole = solid(shape, mechanism.shapes, at)
        except ModelError as error:
            problems += error.problems
        except UnsupportedError as error:
            problems.append(error.problem)
        else:
            if at.startswith("parts."):
                solids[at.split(".")[1]] = whole
    return solids, problems


def _each(look: Callable[[Shape, Mechanism, str], Iterator[Problem]], mechanism: Mechanism) -> list[Problem]:
    return [problem for at, shape in _named(mechanism) for problem in look(shape, mechanism, at)]


def _named(mechanism: Mechanism) -> list[tuple[str, Shape]]:
    named = [(f"shapes.{name}", shape) for name, shape in mechanism.shapes.items()]
    parts = [(f"parts.{n}.shape", p.shape) for n, p in mechanism.parts.items() if p.shape is not None]
    return named + parts


def _edges(shape: Shape, mechanism: Mechanism, at: str) -> Iterator[Problem]:
    """Edges that cannot be broken so, all of them."""
    from detent.model.machine.solids import odd_edges

    for where, inner in within(shape, at):
        if inner.edges and not inner.children:
            try:
                odd = odd_edges(inner, mechanism.shapes, where)
            except (ModelError, UnsupportedError):
                continue  # something else is wrong with it, and said already
            yield from (Problem(where, *words) for words in odd)


def _outlines(shape: Shape, mechanism: Mechanism, at: str) -> Iterator[Problem]:
    """Outlines without area, and those that cross themselves, by their edges and the place."""
    from detent.geometry.outline import fault

    unit = unit_names(mechanism.units).length
    for where, inner in within(shape, at):
        points = inner.outline or (inner.prism.outline if inner.prism is not None else None)
        if points is None:
            continue
        place = f"{where}.outline" if inner.outline is not None else f"{where}.prism.outline"
        flat = [(p[0], p[1]) for p in points]
        if (wrong := fault(flat, unit)) is not None:
            yield Problem(place, *wrong)


def _evaluated(shape: Shape, mechanism: Mechanism, at: str) -> Iterator[Problem]:
    """Operations that leave nothing, by their place; and what geometry itself refuses."""
    from detent.model.machine.solids import solid

    for where, inner in within(shape, at):
        # A union of what leaves something leaves something; so does a primitive, edges apart.
        if inner.kind not in _NOTHING and not inner.edges:
            continue
        try:
            once = replace(inner, repeat=None)  # copies are as empty as the first
            if not _leaves_something(solid(once, mechanism.shapes, where)):
                yield Problem(where, *_NOTHING[inner.kind])
                return
        except UnsupportedError as error:
            yield Problem(error.problem.at or where, error.problem.problem, error.problem.remedy)
            return
        except ModelError as error:
            yield Problem(where, error.problems[0].problem, error.problems[0].remedy)
            return


_NOTHING = {
    "difference": ("leaves nothing: what is cut away is larger than the part", "make the hole smaller"),
    "intersection": ("leaves nothing: its shapes have nothing in common", "move them together"),
}


def _leaves_something(solid: Solid) -> bool:
    from detent.geometry import mesh, region
    from detent.geometry.solid import Leaf, leaves

    if isinstance(solid, Leaf):
        if solid.breaks:
            mesh.leaf_manifold(solid, fineness=_COARSE)  # refuses edges broken away
        return True
    if region.stackable(solid):
        # Rounding leaves slivers where faces coincide; a real remainder is wider.
        width = region.size(solid) * _SLIVER
        layers = region.layers(solid, fineness=_COARSE)
        return any(layer.region.area > width * layer.region.length or _wires(solid) for layer in layers)
    if all(not leaf.flat for leaf in leaves(solid)):
        return bool(mesh.manifold(solid, fineness=4 * _COARSE).volume() > (region.size(solid) * _SLIVER) ** 3)
    return True


# Whether anything is left does not hang on the smoothness of arcs.
_COARSE = 16
# Of the size of a solid: thinner than this is rounding, not material.
_SLIVER = 1e-9


def _wires(solid: Solid) -> bool:
    from detent.geometry.solid import Segment, leaves

    return any(isinstance(leaf.primitive, Segment) for leaf in leaves(solid))


def _without_thickness(solids: dict[str, Solid]) -> Iterator[Problem]:
    from detent.geometry.solid import leaves

    for whole in solids.values():
        for leaf in leaves(whole):
            if leaf.flat:
                kind = type(leaf.primitive).__name__.lower()
                words = f"{with_article(kind)} has no thickness in space"
                yield Problem(leaf.at, words, "use prism, block or cylinder, or dimension = 2")
                break
