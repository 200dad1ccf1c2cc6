"""The state in which a run begins: drives brought to where they begin; parts in each other there.

Parts at one pin, weld or gear may be drawn into each other by custom. Whether such a pair is in each other
is asked of the state in which a run begins, not of the drawing: a hammer that is drawn into its anvil and
lifted by `start` hits it.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from detent.foundation.errors import ModelError, Problem
from detent.foundation.units import unit_names
from detent.mechanics.closing_rows import loop_rows
from detent.mechanics.measured import measured_rows, measured_tables
from detent.mechanics.tree import loop_tables
from detent.mechanics.tree_columns import TURN, X, Y
from detent.mechanics.tree_kernels import place_tree, plane_state
from detent.model.machine.starts import free_starts, start_by_joint
from detent.motion.running.along import coordinate_scales
from detent.motion.running.starting import start_of

if TYPE_CHECKING:
    from detent.geometry.solid import Solid
    from detent.mechanics.tree import Tree
    from detent.motion.running.driving import Driven

    Pairs = frozenset[frozenset[str]]

# rad, or of the size: how far drives are brought at once, so that loops stay on their branch.
_SMALL = 0.02
_NEWTON = 8
# Of a radian, or the size: what is left open is rounding; what is left open is not.
_CLOSED, _OPEN = 1e-14, 1e-7
# Of a radian, or the size: coordinates that are no farther from the drawing are as drawn.
_AS_DRAWN = 1e-9


def start_with_drives(tree: Tree, driven: Driven) -> tuple[Any, Any]:
    """The start, moved to where drives begin, in small steps; coordinates that `start` gives stay."""
    y, v = start_of(tree)
    if not driven.coordinates:
        return y, v
    aims = np.array([each.measured.sign * each.pieces[0].value for each in driven.coordinates])
    least, scales, kept = min(1.0, tree.system.size), coordinate_scales(tree), np.eye(len(y))[_given(tree)]
    away = _rows(tree, driven, y, aims)[1][-len(aims) :]
    strides = int(np.clip(np.ceil(np.abs(away).max() / (_SMALL * least)), 1, 2000))
    for stride in range(1, strides + 1):
        for _ in range(_NEWTON):
            rows, open_by = _rows(tree, driven, y, aims - away * (1 - stride / strides))
            if np.abs(open_by).max() <= _CLOSED * least:
                break
            right = np.concatenate([open_by, np.zeros(len(kept))])
            y = y + scales * np.linalg.lstsq(np.vstack([rows, kept]) * scales, right, rcond=1e-12)[0]
    if np.abs(_rows(tree, driven, y, aims)[1]).max() > _OPEN * least:
        names = [tree.names[tree.independent[k]] for k in _given(tree)]
        raise ModelError.at(
            f"start.{names[0]}" if names else "drives",
            "the drives cannot begin there: with this start the joints do not close on the way",
            "begin nearer to the drawing, or leave the start to the drives",
        )
    return y, v


def _given(tree: Tree) -> list[int]:
    """Independent coordinates that `start` puts somewhere."""
    mechanism = tree.system.mechanism
    said = start_by_joint(mechanism) | free_starts(mechanism)
    placed = {name for name, start in said.items() if start.at is not None or start.at_deg is not None}
    return [k for k, coordinate in enumerate(tree.independent) if tree.names[coordinate] in placed]


def _rows(tree: Tree, driven: Driven, y: Any, aims: Any) -> tuple[Any, Any]:
    """Rows of closing joints and drives, and how far each is from where it must be."""
    machine, state, n = tree.machine, plane_state(tree.machine), tree.freedoms
    place_tree(machine, y, np.zeros(n), state)
    loops = loop_tables(tree)
    held, acted = np.zeros((len(loops.joints), n + 2)), np.zeros((len(aims), n + 2))
    loop_rows(loops.joints, loops.numbers, state.bodies, state.spans, held)
    measured_rows(machine, state, *measured_tables([each.measured for each in driven.coordinates]), acted)
    return np.concatenate([held[:, :n], acted[:, :n]]), np.concatenate([-held[:, n], aims - acted[:, n]])


def pairs_in_each_other(tree: Tree, y: Any) -> Pairs:
    """Pairs drawn into each other at their joint that are so where a run begins: no contacts of theirs.

    ModelError names all other parts that are in each other there.
    """
    from detent.model.machine.drawn.overlap import overlapping_at_joints, overlaps

    system = tree.system
    solids = _solids(tree)
    custom = overlapping_at_joints(system.placed, solids)
    if np.abs(y / coordinate_scales(tree)).max(initial=0.0) > _AS_DRAWN:
        return _in_each_other_at(tree, y, custom)
    problems = [Problem(each.at, each.problem, each.remedy) for each in overlaps(system.mechanism, solids)]
    if problems:
        raise ModelError(*problems)
    return frozenset(custom)


def _in_each_other_at(tree: Tree, y: Any, custom: set[frozenset[str]]) -> Pairs:
    from detent.model.machine.drawn.overlap import depth_words
    from detent.model.machine.drawn.overlap_at import MovedShapes

    mechanism, poses = tree.system.mechanism, _poses(tree, y)
    shapes = MovedShapes(mechanism)
    seen = {frozenset(pair) for pair in shapes.among}
    inside, problems = {pair for pair in custom if pair not in seen}, []
    for pair in shapes.among:
        first, second = pair
        depth = shapes.depth(pair, poses[first], poses[second])
        if depth > 0 and frozenset(pair) in custom:
            inside.add(frozenset(pair))
        elif depth > 0:
            deep = depth_words(depth, "at least", unit_names(mechanism.units).length)
            words = f"puts {first} and {second} into each other, {deep}"
            problems.append(Problem(_begun_by(tree), words, "start them apart"))
    if problems:
        raise ModelError(*problems)
    return frozenset(inside)


def _begun_by(tree: Tree) -> str:
    """The table of the document that moves parts from the drawing."""
    said = tree.system.mechanism.start.values()
    if any(start.at is not None or start.at_deg is not None for start in said):
        return "start"
    return "drives" if tree.system.mechanism.drives else "joints"


def _poses(tree: Tree, y: Any) -> dict[str, Any]:
    """(x, y, angle) by part, in the document's units."""
    system, state = tree.system, plane_state(tree.machine)
    place_tree(tree.machine, y, np.zeros(tree.freedoms), state)
    poses = {}
    for body, row, matrix in zip(system.bodies, state.bodies, system.drawn.matrices, strict=True):
        drawn = matrix[:2, 0]
        turned = 0.0 if system.dimension == 2 else math.atan2(drawn[1], drawn[0])
        unit = system.metres_per_unit
        poses[body.name] = np.array([row[X] / unit, row[Y] / unit, row[TURN] + turned])
    return poses


def _solids(tree: Tree) -> dict[str, Solid]:
    from detent.model.machine.solids import part_solid

    mechanism = tree.system.mechanism
    return {name: solid for name in mechanism.parts if (solid := part_solid(mechanism, name)) is not None}
