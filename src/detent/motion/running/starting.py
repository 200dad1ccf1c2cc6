"""Where a run begins: the coordinates and speeds of a document's `start`; what cannot run is named."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from detent.foundation.errors import ModelError, Problem, UnsupportedError
from detent.foundation.units import unit_names
from detent.mechanics.closing_rows import loop_rows
from detent.mechanics.tree import loop_tables
from detent.mechanics.tree_columns import TURN, X, Y
from detent.mechanics.tree_kernels import MASS, WAY, mass_and_force, place_tree, plane_state
from detent.model.machine.shape_checks import crossed_outlines, empty_shapes
from detent.model.machine.starts import start_by_joint
from detent.motion.running.along import coordinate_scales

if TYPE_CHECKING:
    from detent.geometry.solid import Solid
    from detent.mechanics.tree import Tree
    from detent.model.document.drive import Start


# Of a radian, or of the size: how far coordinates go at once on their way to a start, so that they stay on
# the branch that is drawn.
_STRIDE = 0.1
_NEWTON = 12
# Of the size, and of a radian: how far open what closes at the start may be.
_CLOSED = 1e-10


@dataclass(frozen=True)
class _Told:
    """What the document says of one coordinate: its number, where it starts and how fast [SI], or None."""

    name: str
    coordinate: int
    at: float | None
    speed: float | None


def start_of(tree: Tree) -> tuple[Any, Any]:
    """Independent coordinates past the drawing, and their speeds.

    Coordinates that are told are there exactly; others move as little as joints that close loops allow.
    """
    told = [_told(tree, name, start) for name, start in start_by_joint(tree.system.mechanism).items()]
    y = _reached(tree, [each for each in told if each.at is not None])
    moving = [each for each in told if each.speed is not None]
    rows, _ = _rows(tree, y, moving)
    wanted = np.concatenate([np.zeros(len(rows) - len(moving)), [each.speed or 0.0 for each in moving]])
    scales = coordinate_scales(tree)
    v = scales * np.linalg.lstsq(rows * scales, wanted, rcond=None)[0]
    if np.abs(rows @ v - wanted).max(initial=0.0) > 1e-9 * np.abs(wanted).max(initial=0.0):
        names = " and ".join(each.name for each in moving)
        problem = f"{names} cannot move so: the joints do not allow these speeds together"
        raise ModelError.at(f"start.{moving[-1].name}.speed", problem, "give the speed of one joint alone")
    return y, v


def _told(tree: Tree, name: str, start: Start) -> _Told:
    system = tree.system
    if name not in tree.coordinates:
        words = "has no coordinate that a run could start"
        joints = {joint.name for joint in system.joints}
        known = [one for one in tree.coordinates if one in joints]  # those of free parts cannot be told
        remedy = f"start one of {', '.join(known)} instead" if known else "give its part a pin or a slide"
        raise UnsupportedError(words, remedy, f"start.{name}")
    slides = system.joint(name).type.coordinate == "length"

    def amount(value: Any, degrees: Any) -> float | None:
        if slides and degrees is not None:
            raise ModelError.at(f"start.{name}", "is a slide: it has no degrees", "give a length")
        if degrees is not None:
            return math.radians(float(degrees))
        return None if value is None else float(value) * (system.metres_per_unit if slides else 1.0)

    at, speed = amount(start.at, start.at_deg), amount(start.speed, start.speed_deg)
    return _Told(name, tree.coordinates.index(name), at, speed)


def _reached(tree: Tree, told: list[_Told]) -> Any:
    """Coordinates at which those told are where they start and loops are closed, reached from the drawing."""
    y, scales = np.zeros(tree.freedoms), coordinate_scales(tree)
    if not told and not tree.closing:
        return y
    drawn = np.array([float(tree.machine.joints[each.coordinate, 0]) for each in told])
    ends = np.array([each.at for each in told], float)
    far = np.abs(ends - drawn) / np.array(_scales_of(tree, told), float)
    strides = max(1, math.ceil(far.max(initial=0.0) / _STRIDE)) if tree.closing else 1
    for stride in range(1, strides + 1):
        goal = drawn + (ends - drawn) * (stride / strides)
        for _ in range(_NEWTON):
            rows, values = _rows(tree, y, told)
            off = values.copy()
            off[len(off) - len(told) :] -= goal
            if np.abs(off).max(initial=0.0) <= _CLOSED * min(1.0, tree.system.size):
                break
            y = y - scales * np.linalg.lstsq(rows * scales, off, rcond=None)[0]
        else:
            _refuse_open(tree, told)
    return y


def _refuse_open(tree: Tree, told: list[_Told]) -> None:
    if not told:
        closing = ", ".join(joint.name for joint in tree.closing)
        raise ModelError.at(
            "joints", f"{closing} cannot close from this drawing", "`detent check` says what is missing"
        )
    names = " and ".join(each.name for each in told)
    problem = f"{names} cannot start there: the joints do not close on the way from the drawing"
    remedy = "start nearer to the drawing; `detent move` says how far it can go"
    raise ModelError.at(f"start.{told[-1].name}", problem, remedy)


def _scales_of(tree: Tree, told: list[_Told]) -> list[float]:
    system = tree.system
    lengths = [system.joint(each.name).type.coordinate == "length" for each in told]
    return [system.size if length else 1.0 for length in lengths]


def _rows(tree: Tree, y: Any, told: list[_Told]) -> tuple[Any, Any]:
    """Rows of joints that close loops and of coordinates on the independent speeds, and their values."""
    machine, n = tree.machine, tree.freedoms
    state, loops = plane_state(machine), loop_tables(tree)
    place_tree(machine, y, np.zeros(n), state)
    held = np.zeros((len(loops.joints), n + 2))
    loop_rows(loops.joints, loops.numbers, state.bodies, state.spans, held)
    measured = machine.measure[:, WAY, None] * state.measured[:, :n]
    spans = np.concatenate([machine.follow, measured])
    chosen = [each.coordinate for each in told]
    rows = np.concatenate([held[:, :n], spans[chosen]])
    return rows, np.concatenate([held[:, n], state.joints[0, chosen]])


def refuse_unsound(tree: Tree) -> None:
    """Name what keeps a machine from running: nothing moves, no inertia, weight without mass, overlaps."""
    if not tree.freedoms:
        raise ModelError.at(
            "parts", "nothing moves", "add a part that is not fixed, with a joint that lets it move"
        )
    system, machine = tree.system, tree.machine
    if problems := crossed_outlines(system.mechanism) or empty_shapes(system.mechanism):
        raise ModelError(*problems)
    for link in tree.links:
        name = system.bodies[link.body].name
        if machine.gravity.any() and machine.bodies[link.body, MASS] == 0.0:
            given = system.mechanism.parts[name].mass is not None
            problem = f"is {'zero' if given else 'missing'}, and gravity pulls at it"
            raise ModelError.at(f"parts.{name}.mass", problem, "give `mass` and `center`, or a `density`")
    _refuse_without_inertia(tree)
    if any(start.at is not None or start.at_deg is not None for start in system.mechanism.start.values()):
        _refuse_overlaps_at_start(tree)
    else:
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


def _refuse_overlaps_at_start(tree: Tree) -> None:
    """Parts that `start` puts into each other; not those that are drawn so at their joint."""
    from detent.model.machine.overlap import depth_words, overlapping_at_joints
    from detent.model.machine.overlap_at import MovedShapes

    system, (y, v), state = tree.system, start_of(tree), plane_state(tree.machine)
    place_tree(tree.machine, y, v, state)
    poses = {}
    for body, row, matrix in zip(system.bodies, state.bodies, system.drawn.matrices, strict=True):
        drawn = matrix[:2, 0]
        turned = 0.0 if system.dimension == 2 else math.atan2(drawn[1], drawn[0])
        x, y_, angle = row[X] / system.metres_per_unit, row[Y] / system.metres_per_unit, row[TURN] + turned
        poses[body.name] = np.array([x, y_, angle])
    shapes = MovedShapes(system.mechanism)
    custom = overlapping_at_joints(system.placed, _solids(tree))
    problems = []
    for pair in shapes.among:
        first, second = pair
        depth = 0.0 if frozenset(pair) in custom else shapes.depth(pair, poses[first], poses[second])
        if depth > 0:
            deep = depth_words(depth, "at least", unit_names(system.mechanism.units).length)
            problems.append(
                Problem("start", f"puts {first} and {second} into each other, {deep}", "start them apart")
            )
    if problems:
        raise ModelError(*problems)


def _refuse_overlaps(tree: Tree) -> None:
    from detent.model.machine.overlap import overlaps

    found = overlaps(tree.system.mechanism, _solids(tree))
    problems = [Problem(each.at, each.problem, each.remedy) for each in found]
    if problems:
        raise ModelError(*problems)


def _solids(tree: Tree) -> dict[str, Solid]:
    from detent.model.machine.solids import part_solid

    mechanism = tree.system.mechanism
    return {name: solid for name in mechanism.parts if (solid := part_solid(mechanism, name)) is not None}
