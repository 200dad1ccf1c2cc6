"""Where a run begins: the coordinates and speeds of a document's `start`; what cannot run is named."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from detent.foundation.errors import ModelError, Problem, UnsupportedError
from detent.mechanics.tree_kernels import MASS, mass_and_force, place_tree, plane_state

if TYPE_CHECKING:
    from detent.mechanics.tree import Tree


def start_of(tree: Tree) -> tuple[Any, Any]:
    """Independent coordinates past the drawing, and their speeds."""
    y, v = np.zeros(tree.freedoms), np.zeros(tree.freedoms)
    system = tree.system
    units = system.metres_per_unit
    place = {tree.names[coordinate]: k for k, coordinate in enumerate(tree.independent)}
    for name, start in system.mechanism.start.items():
        if name not in place:
            words = "is not one of the coordinates that the others follow from"
            raise UnsupportedError(
                words, f"start one of {', '.join(place) or 'none'} instead", f"start.{name}"
            )
        k = place[name]
        slides = system.joint(name).type.coordinate == "length"
        for value, degrees, column, drawn in (
            (start.at, start.at_deg, y, float(tree.machine.joints[tree.names.index(name), 0])),
            (start.speed, start.speed_deg, v, 0.0),
        ):
            if slides and degrees is not None:
                raise ModelError.at(f"start.{name}", "is a slide: it has no degrees", "give a length")
            if degrees is not None:
                column[k] = math.radians(float(degrees)) - drawn
            elif value is not None:
                column[k] = float(value) * (units if slides else 1.0) - drawn
    return y, v


def refuse_unsound(tree: Tree) -> None:
    """Name what keeps a machine from running: nothing moves, no inertia, weight without mass, overlaps."""
    if not tree.freedoms:
        raise ModelError.at(
            "parts", "nothing moves", "add a part that is not fixed, with a joint that lets it move"
        )
    system, machine = tree.system, tree.machine
    for link in tree.links:
        name = system.bodies[link.body].name
        if machine.gravity.any() and machine.bodies[link.body, MASS] == 0.0:
            at = f"parts.{name}.mass"
            raise ModelError.at(
                at, "is missing, and gravity pulls at it", "add `mass` and `center`, or a `density`"
            )
    _refuse_without_inertia(tree)
    if not any(start.at is not None or start.at_deg is not None for start in system.mechanism.start.values()):
        _refuse_overlaps(tree)


# Of one: what is left of a coordinate's inertia when the others give way is rounding.
_NO_INERTIA = 1e-13


def _refuse_without_inertia(tree: Tree) -> None:
    y, v = start_of(tree)
    state, mass = plane_state(tree.machine), np.zeros((tree.freedoms, tree.freedoms))
    place_tree(tree.machine, y, v, state)
    mass_and_force(tree.machine, state, mass, np.zeros(tree.freedoms))
    for k, coordinate in enumerate(tree.independent):
        if mass[k, k] <= 0.0:
            name = tree.names[coordinate]
            problem = f"what {name} moves has no inertia, so that any force moves it at once"
            raise ModelError.at("parts", problem, "give mass, inertia or density above zero")
    scale = 1.0 / np.sqrt(np.diag(mass))
    least, ways = np.linalg.eigh(mass * np.outer(scale, scale))
    if least[0] <= _NO_INERTIA:
        names = [tree.names[k] for k, way in zip(tree.independent, ways[:, 0], strict=True) if abs(way) > 0.1]
        problem = f"moved together, {' and '.join(names)} have no inertia: a point mass has none about itself"
        raise ModelError.at("parts", problem, "give an inertia above zero")


def _refuse_overlaps(tree: Tree) -> None:
    from detent.model.machine.overlap import overlaps
    from detent.model.machine.solids import part_solid

    mechanism = tree.system.mechanism
    solids = {name: solid for name in mechanism.parts if (solid := part_solid(mechanism, name)) is not None}
    problems = [Problem(each.at, each.problem, each.remedy) for each in overlaps(mechanism, solids)]
    if problems:
        raise ModelError(*problems)
