"""Where a run begins: the coordinates and speeds of a document's `start`; what cannot run is named."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from detent.foundation.errors import ModelError, UnsupportedError
from detent.mechanics.closing_rows import loop_rows
from detent.mechanics.tree import loop_tables
from detent.mechanics.tree_kernels import MASS, WAY, mass_and_force, place_tree, plane_state
from detent.model.machine.drawn.shape_checks import crossed_outlines, empty_shapes
from detent.model.machine.starts import free_part, free_starts, start_by_joint
from detent.motion.running.along import coordinate_scales, is_length

if TYPE_CHECKING:
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
    mechanism = tree.system.mechanism
    said = start_by_joint(mechanism) | free_starts(mechanism)
    told = [_told(tree, name, start) for name, start in said.items()]
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
        if (free := free_part(name)) is not None:
            words = f"{free[0]} hangs on a joint"
        raise UnsupportedError(
            words, f"start one of {', '.join(tree.coordinates) or 'none'} instead", f"start.{name}"
        )
    slides = is_length(tree, name)

    def amount(value: Any, degrees: Any) -> float | None:
        if slides and degrees is not None:
            raise ModelError.at(f"start.{name}", "is a length: it has no degrees", "give a length")
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
    return [tree.system.size if is_length(tree, each.name) else 1.0 for each in told]


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
    """Name what keeps a machine from running: nothing moves, no inertia, weight without mass."""
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
            raise ModelError.at(_inertia_of(tree, name), problem, _GIVE_INERTIA)
    scale = 1.0 / np.sqrt(np.diag(mass))
    least, ways = np.linalg.eigh(mass * np.outer(scale, scale))
    if least[0] <= _NO_INERTIA:
        names = [tree.names[k] for k, way in zip(tree.independent, ways[:, 0], strict=True) if abs(way) > 0.1]
        problem = f"moved together, {' and '.join(names)} have no inertia: a point mass has none about itself"
        raise ModelError.at(_inertia_of(tree, names[-1]), problem, "give an inertia above zero")


_GIVE_INERTIA = "give an `inertia` above zero, a mass off the axis, or a `density`"


def _inertia_of(tree: Tree, name: str) -> str:
    """Where the document says the inertia of the part that a coordinate moves first."""
    moved = name.partition(".")[0]
    for link in tree.links:
        if link.joint is not None and link.joint.name == name:
            moved = tree.system.bodies[link.body].name
    part = tree.system.mechanism.parts[moved]
    keys = ("inertia", "principal", "density", "mass")
    key = next((key for key in keys if getattr(part, key) is not None), None)
    return f"parts.{moved}" if key is None else f"parts.{moved}.{key}"
