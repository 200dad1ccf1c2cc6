"""A plane machine in the coordinates of its joints: a tree of bodies, and what closes its loops.

Pins, slides and welds that lead from fixed bodies outwards form the tree; a body that none leads to moves
freely. Gears and angle joints relate rotations linearly: dependent coordinates follow independent ones.
Other joints close loops: their rows are those of `constraints`, taken at the bodies' poses.

A machine in space counts as plane where it moves across z (`plane_view`); its bodies are then seen in their
section frames (`contact.features`), which have the world's axes as drawn.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from detent.foundation.errors import ModelError, UnsupportedError
from detent.mechanics.closing_rows import ACROSS, POINT_X, POINT_Y
from detent.mechanics.closing_rows import ANGLE as HOLD
from detent.mechanics.spanning import TreeLink, spanned
from detent.mechanics.springs import coordinate_at
from detent.mechanics.tree_kernels import (
    ANGLE,
    ARM,
    FREE,
    HUB_X,
    HUB_Y,
    INERTIA,
    MASS,
    OFFSET,
    PIN,
    SIGN,
    TURNED,
    WELD,
    PlaneMachine,
    place_tree,
    plane_state,
)
from detent.model.machine.plane_linkage import PlaneJoint, PlaneLinkage, PlanePoint, axis_sign, plane_view
from detent.model.machine.system import System

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Tree:
    """Bodies of a machine in joint coordinates, independent ones chosen in document order."""

    system: System
    linkage: PlaneLinkage
    links: tuple[TreeLink, ...]
    names: tuple[str, ...]  # of all coordinates: a joint, or `part.x`, `part.y`, `part.angle` of a free part
    independent: tuple[int, ...]  # coordinates that the others follow
    closing: tuple[PlaneJoint, ...]  # joints that close loops
    machine: PlaneMachine
    measured: tuple[str, ...] = ()  # those of the closing joints that have a coordinate

    @property
    def coordinates(self) -> tuple[str, ...]:
        """Of all joints and free parts, in the order of the machine's `joints`."""
        return (*self.names, *self.measured)

    @property
    def freedoms(self) -> int:
        """Independent coordinates, before closing joints take freedom away."""
        return len(self.independent)


class LoopTables(NamedTuple):
    """Joints that close loops as rows (`closing_rows`)."""

    joints: Any  # (r, 3) int: first body, second, kind of row
    numbers: Any  # (r, 7)
    first: dict[str, int]  # of each joint's rows


def tree_of(system: System, *, massless: bool = False) -> Tree:
    """The machine in joint coordinates; UnsupportedError where it leaves a plane, or a joint bends.

    With `massless` a part without mass has none; else it is refused.
    """
    bending = next((joint for joint in system.joints if joint.type.name == "elastic"), None)
    if bending is not None:  # as if it were not there, its parts would be free
        remedy = "give a hinge with a spring; `detent mate` says which stands for a beam"
        raise UnsupportedError(
            "bends in all directions, which is not followed", remedy, f"joints.{bending.name}"
        )
    linkage = plane_view(system)
    links, closing, relations = spanned(system, linkage)
    names, first = _names(system, links)
    drawn = np.array([_drawn(system, link, k) for link in links for k in range(_count(link.kind))], float)
    follow, independent = _followed(len(names), [_relation(system, each, links, first) for each in relations])
    machine = _tables(system, linkage, links, first, drawn, follow, massless or not names)
    _give_inertia(system, machine, closing)
    measured = [pair for pair in closing if pair.kind in _MEASURED]
    return Tree(
        system,
        linkage,
        tuple(links),
        names,
        independent,
        tuple(closing),
        _with_measures(system, linkage, machine, measured),
        tuple(pair.name for pair in measured),
    )


def _give_inertia(system: System, machine: PlaneMachine, closing: Sequence[PlaneJoint]) -> None:
    """A part whose slide on a fixed part closes a loop needs none to be given, but its pin in the tree does.

    It never turns, so that any number gives the same motion.
    """
    for pair in closing:
        ends = pair.a.part, pair.b.part
        if pair.kind == "prismatic" and any(system.bodies[part].fixed for part in ends):
            for part in ends:
                row = machine.bodies[part]
                if row[MASS] > 0.0 and row[INERTIA] == 0.0:
                    row[INERTIA] = row[MASS] * system.size**2


# Joints that close loops and have a coordinate: the row that it is read from.
_MEASURED = {"revolute": HOLD, "prismatic": ACROSS}


def _with_measures(
    system: System, linkage: PlaneLinkage, machine: PlaneMachine, closing: Sequence[PlaneJoint]
) -> PlaneMachine:
    """The machine with the coordinates of joints that close loops, and what acts along them."""
    if not closing:
        return machine
    rows, numbers, joints = [], [], []
    for pair in closing:
        a, b = (in_section(linkage, system, end) for end in (pair.a, pair.b))
        angle = end_angle(system, linkage, pair.a)
        way = axis_sign(system, pair)
        rows.append((pair.a.part, pair.b.part, _MEASURED[pair.kind]))
        numbers.append((a.real, a.imag, b.real, b.imag, math.cos(angle), math.sin(angle), 0.0, way, 0.0))
        joint = system.joint(pair.name)
        drawn = coordinate_at(system, system.drawn, joint).value
        joints.append((drawn, joint.stiffness, joint.rest, joint.damping, 0.0))
    machine = machine._replace(
        measures=np.array(rows, np.int64),
        measure=np.array(numbers, float),
        joints=np.concatenate([machine.joints, np.array(joints)]),
    )
    state, still = plane_state(machine), np.zeros(machine.follow.shape[1])
    place_tree(machine, still, still, state)
    count = len(machine.follow)
    machine.measure[:, OFFSET] = machine.joints[count:, 0] - state.joints[0, count:]
    return machine


def _count(kind: int) -> int:
    """Coordinates of a link."""
    return {FREE: 3, WELD: 0}.get(kind, 1)


def _names(system: System, links: Sequence[TreeLink]) -> tuple[tuple[str, ...], dict[int, int]]:
    names: list[str] = []
    first: dict[int, int] = {}
    for k, link in enumerate(links):
        first[k] = len(names)
        if link.joint is None:
            part = system.bodies[link.body].name
            names += [f"{part}.x", f"{part}.y", f"{part}.angle"]
        elif link.kind != WELD:
            names.append(link.joint.name)
    return tuple(names), first


def _drawn(system: System, link: TreeLink, k: int) -> float:
    """A coordinate as drawn; of a free body x, y and angle in the world."""
    if link.joint is None:
        return float(_origin(system, link.body)[k]) if k < 2 else _angle(system, link.body)
    return coordinate_at(system, system.drawn, system.joint(link.joint.name)).value


def _origin(system: System, body: int) -> Floats:
    return system.drawn.poses[body, :2]


def _angle(system: System, body: int) -> float:
    """Of a body's section frame, as drawn."""
    return float(system.drawn.poses[body, 2]) if system.dimension == 2 else 0.0


def in_section(linkage: PlaneLinkage, system: System, point: PlanePoint) -> complex:
    """A joint's point in the section frame of its body."""
    turned = 0.0 if system.dimension == 2 else linkage.drawn[point.part][1]
    return point.at * cmath.rect(1.0, turned)


def _tables(
    system: System,
    linkage: PlaneLinkage,
    links: Sequence[TreeLink],
    first: dict[int, int],
    drawn: Floats,
    follow: Floats,
    massless: bool,
) -> PlaneMachine:
    bodies = np.zeros((len(system.bodies), 12))
    turned = bodies[:, TURNED]
    turned[:] = [_angle(system, body) for body in range(len(bodies))]
    bodies[:, :2], bodies[:, 2], bodies[:, 3] = system.drawn.poses[:, :2], np.cos(turned), np.sin(turned)
    table = np.zeros((len(links), 11))
    for row, link in zip(table, links, strict=True):
        if not massless or has_mass(system, link.body):
            bodies[link.body, MASS : INERTIA + 1] = plane_mass(system, link.body)
        row[SIGN] = link.sign
        if link.joint is None:
            continue
        row[ANGLE] = turned[link.body] - turned[link.parent]
        a, b = link.joint.a, link.joint.b
        on_parent, on_body = (a, b) if a.part == link.parent else (b, a)
        back = cmath.rect(1.0, -turned[link.parent])
        c, d = in_section(linkage, system, on_parent), in_section(linkage, system, on_body)
        line = cmath.rect(1.0, linkage.drawn[a.part][1] + a.turn) * back  # the slide's, in the parent's frame
        o = complex(*(_origin(system, link.body) - _origin(system, link.parent))) * back
        row[:SIGN] = c.real, c.imag, d.real, d.imag, line.real, line.imag, o.real, o.imag
        if link.kind == PIN:
            row[ARM] = abs(c - complex(*bodies[link.parent, HUB_X : HUB_Y + 1]))
            bodies[link.body, HUB_X : HUB_Y + 1] = d.real, d.imag
    joints = np.zeros((len(drawn), 5))
    joints[:, 0] = drawn
    for k, link in enumerate(links):
        if link.joint is not None and link.kind != WELD:
            joint = system.joint(link.joint.name)
            joints[first[k], 1:4] = joint.stiffness, joint.rest, joint.damping
    return PlaneMachine(
        np.array([(e.body, e.parent, e.kind, first[k]) for k, e in enumerate(links)], np.int64).reshape(
            -1, 4
        ),
        table,
        follow,
        joints,
        bodies,
        system.gravity[:2].copy(),
        np.zeros((0, 3), np.int64),
        np.zeros((0, 9)),
    )


def has_mass(system: System, body: int) -> bool:
    """Whether the document says what a body weighs."""
    part = system.mechanism.parts[system.bodies[body].name]
    return part.mass is not None or system.bodies[body].density is not None


def plane_mass(system: System, body: int) -> tuple[float, float, float, float]:
    """Mass, centre in the section frame and inertia about it."""
    whole = system.bodies[body].mass
    rotation = system.drawn.matrices[body][:3, :3] if system.dimension == 3 else np.eye(3)
    x, y, _ = rotation @ np.array(whole.centre)
    about = (rotation @ np.array(whole.inertia) @ rotation.T)[2, 2]
    return whole.mass, float(x), float(y), float(about)


_ROWS = {
    "revolute": (POINT_X, POINT_Y),
    "prismatic": (ACROSS, HOLD),
    "fixed": (POINT_X, POINT_Y, HOLD),
    "in_line": (ACROSS,),
}


def loop_tables(tree: Tree) -> LoopTables:
    """The closing joints as rows."""
    joints: list[tuple[int, int, int]] = []
    numbers, first = [], {}
    for pair in tree.closing:
        a, b = (in_section(tree.linkage, tree.system, end) for end in (pair.a, pair.b))
        angle_a, angle_b = (end_angle(tree.system, tree.linkage, end) for end in (pair.a, pair.b))
        across = (-math.sin(angle_a), math.cos(angle_a))  # square to the slide's line
        first[pair.name] = len(joints)
        for kind in _ROWS[pair.kind]:
            joints.append((pair.a.part, pair.b.part, kind))
            numbers.append((a.real, a.imag, b.real, b.imag, *across, pair.offset - angle_b + angle_a))
    return LoopTables(
        np.array(joints, np.int64).reshape(-1, 3),
        np.array(numbers, float).reshape(-1, 7),
        first,
    )


def end_angle(system: System, linkage: PlaneLinkage, point: PlanePoint) -> float:
    """The direction of a joint's end in the section frame of its body."""
    return point.turn + (0.0 if system.dimension == 2 else linkage.drawn[point.part][1])


def _relation(
    system: System, pair: PlaneJoint, links: Sequence[TreeLink], first: dict[int, int]
) -> dict[int, float]:
    """What a gear or an angle joint relates: speeds of coordinates with these factors sum to zero."""
    by_body = {link.body: k for k, link in enumerate(links)}

    def rotation(body: int) -> dict[int, float]:
        """A body's rotation as factors of coordinates."""
        factors: dict[int, float] = {}
        while body in by_body:
            k = by_body[body]
            link = links[k]
            if link.kind == FREE:
                factors[first[k] + 2] = 1.0
                break
            if link.kind == PIN:
                factors[first[k]] = link.sign
            body = link.parent
        return factors

    terms = [(pair.b.part, 1.0), (pair.a.part, -(pair.ratio if pair.kind == "gear" else 1.0))]
    if pair.kind == "gear" and pair.carrier >= 0:
        terms.append((pair.carrier, pair.ratio - 1.0))
    total: dict[int, float] = {}
    for body, factor in terms:
        for coordinate, sign in rotation(body).items():
            total[coordinate] = total.get(coordinate, 0.0) + factor * sign
    total = {coordinate: factor for coordinate, factor in total.items() if factor}
    if not total:
        at = f"joints.{pair.name}"
        raise ModelError.at(at, "relates rotations that other joints hold already", "take it out")
    return total


def _followed(count: int, relations: Sequence[dict[int, float]]) -> tuple[Floats, tuple[int, ...]]:
    """Coordinates per independent one, the later of related ones dependent; and which are independent."""
    rows = np.zeros((len(relations), count))
    for row, relation in zip(rows, relations, strict=True):
        for coordinate, factor in relation.items():
            row[coordinate] = factor
    pivots: list[int] = []
    done = 0
    for column in reversed(range(count)):
        at = done + int(np.argmax(np.abs(rows[done:, column]))) if done < len(rows) else done
        if done >= len(rows) or abs(rows[at, column]) <= _NOTHING * max(1.0, float(np.abs(rows).max())):
            continue
        rows[[done, at]] = rows[[at, done]]
        rows[done] /= rows[done, column]
        others = [k for k in range(len(rows)) if k != done]
        rows[others] -= np.outer(rows[others, column], rows[done])
        pivots.append(column)
        done += 1
    independent = tuple(k for k in range(count) if k not in pivots)
    follow = np.zeros((count, len(independent)))
    for k, coordinate in enumerate(independent):
        follow[coordinate, k] = 1.0
        for r, pivot in enumerate(pivots):
            follow[pivot, k] = -rows[r, coordinate]
    return follow, independent


# Of the largest factor: what is left of a relation that others already say.
_NOTHING = 1e-12
