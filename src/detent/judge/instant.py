"""What moves with what at an instant of a run: trees of parts, as Gelsey (1995, Fig. 8) draws them.

Contacts that press, or stay, join parts for a while, as gears and joints do for ever. Each takes a freedom
away; the coordinates that are left tell where everything is. What follows from the frame is locked; of other
trees the root is the part through which power comes in, by its spring, its drive or its weight.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from detent.contact.at_state import contacts_at
from detent.contact.normal_rows import contact_rows
from detent.foundation.errors import ModelError
from detent.infer.states import free_coordinates
from detent.mechanics.constraints import constraint_rows_at
from detent.model.machine.graph import parts_of
from detent.model.machine.state import State
from detent.motion.prediction import predict
from detent.record.explanation import Instant, KinematicTree, PartLink

if TYPE_CHECKING:
    from detent.model.document.mechanism import Mechanism
    from detent.model.machine.system import System
    from detent.record.run import Run

_PRESSES = 1e-9  # of the greatest force at that time
_PARTS = 1e-8  # of the size, per second: a gap that opens faster is no longer a contact
_STILL = 1e-6  # of the machine's fastest part
_NEAR = 1e-6  # of the size: contacts of a run touch to rounding

Edge = tuple[str, str, str]  # two parts, and what joins them


def instant_of(mechanism: Mechanism, time: float) -> Instant:
    """Runs the machine by the rigid model to a time, and reads what moves with what there."""
    from detent.motion.rigid.method import Rigid

    if not (np.isfinite(time) and time > 0):
        raise ModelError.at("at", f"{time} is not a time of a run", "give seconds, above zero")
    return instant_at(predict(mechanism, method=Rigid(), until=time), time)


def instant_at(run: Run, time: float) -> Instant:
    """What moves with what at a time of a rigid run."""
    evidence = run.evidence
    system: System = evidence.tree.system
    now = min(time, evidence.along.end)
    columns = evidence.along.at(np.array([now]))
    state = _state(system, columns, now)
    forces = {name: float(column[0]) for name, column in evidence.contact_forces(np.array([now])).items()}
    strongest = max(forces.values(), default=0.0)
    pressing = {name for name, force in forces.items() if force > _PRESSES * strongest}
    near = contacts_at(
        system, evidence.possible, state, within=_NEAR * system.size, depth=_NEAR * system.size
    )
    rows = contact_rows(system, near, state)
    parting = _PARTS * system.size
    kept = [
        k
        for k, name in enumerate(rows.names)
        if name in pressing or (name in forces and rows.speeds[k] <= parting)
    ]
    held = np.vstack([constraint_rows_at(system, state).matrix, rows.matrix[kept]])
    space, _ = free_coordinates(system, state, held)
    contacts = [(system.bodies[near.a[k]].name, system.bodies[near.b[k]].name, rows.names[k]) for k in kept]
    edges = [*_joined(system), *contacts]
    trees = tuple(_trees(system, edges, _moving(system, space), _power(system, columns)))
    _, chosen = free_coordinates(system, state, held, [tree.root for tree in trees if not tree.locked])
    names = tuple(f"{what} of {c.joint}" for c in chosen for what in (c.kind, "speed"))
    return Instant(time=now, trees=trees, state_variables=names)


def _state(system: System, columns: Any, time: float) -> State:
    unit = system.metres_per_unit
    flat = system.dimension == 2
    scale = np.array([unit, unit, 1.0] if flat else [unit, unit, unit, 1.0, 1.0, 1.0, 1.0])
    poses = np.array([columns.poses[body.name][0] * scale for body in system.bodies])
    rates = np.array([unit, unit, 1.0] if flat else [unit, unit, unit, 1.0, 1.0, 1.0])
    velocities = np.array([columns.velocities[body.name][0] * rates for body in system.bodies])
    return State(poses, velocities, time)


def _joined(system: System) -> Iterable[Edge]:
    """Moving parts that joints and gears tie together for ever."""
    fixed = {body.name for body in system.bodies if body.fixed}
    for name, joint in system.mechanism.joints.items():
        one, other = parts_of(joint)
        if one not in fixed and other not in fixed:
            yield one, other, name


def _moving(system: System, space: Any) -> set[str]:
    """Parts that some velocity that is left moves."""
    moving = set()
    most = float(np.abs(space).max(initial=0.0))
    for body, column in zip(system.bodies, system.columns, strict=True):
        if (
            column >= 0
            and np.abs(space[:, column : column + system.freedoms]).max(initial=0.0) > _STILL * most
        ):
            moving.add(body.name)
    return moving


def _power(system: System, columns: Any) -> dict[str, float]:
    """[W] By part, what its springs, drives and weight put in."""
    power = dict.fromkeys((body.name for body in system.bodies), 0.0)
    driven = {drive.joint for drive in system.mechanism.drives.values()}
    for joint in system.joints:
        if joint.name not in columns.coordinates:
            continue
        unit = system.metres_per_unit if joint.type.coordinate == "length" else 1.0
        at, speed = (float(c[joint.name][0]) * unit for c in (columns.coordinates, columns.speeds))
        part = system.bodies[joint.b.body if not system.bodies[joint.b.body].fixed else joint.a.body].name
        power[part] += -joint.stiffness * (at - joint.rest) * speed
        if joint.name in driven:
            power[part] = np.inf
    if system.gravity.any():
        for body in system.bodies:
            if not body.fixed and body.knows_mass:
                velocity = np.zeros(3)
                velocity[:2] = columns.velocities[body.name][0, :2] * system.metres_per_unit
                power[body.name] += body.weight[0] * float(system.gravity @ velocity)
    return power


def _trees(
    system: System, edges: list[Edge], moving: set[str], power: dict[str, float]
) -> Iterable[KinematicTree]:
    """What is locked to the frame first, then each tree of parts that move."""
    fixed = [body.name for body in system.bodies if body.fixed]
    left = [body.name for body in system.bodies if not body.fixed]
    if fixed:
        still = [part for part in left if part not in moving]
        links = list(_grown(fixed[0], set(fixed), still, edges))
        reached = {link.part for link in links}
        links += [PartLink(part=part, of=fixed[0], by="joints") for part in still if part not in reached]
        if links:
            yield KinematicTree(root=fixed[0], links=tuple(links), locked=True)
        left = [part for part in left if part in moving]
    while left:
        together = _together(left[0], left, edges)
        root = max(together, key=lambda part: power[part])
        links = list(_grown(root, {root}, [part for part in together if part != root], edges))
        yield KinematicTree(root=root, links=tuple(links))
        left = [part for part in left if part not in together]


def _grown(root: str, reached: set[str], wanted: list[str], edges: list[Edge]) -> Iterable[PartLink]:
    """Wanted parts outwards from a root, each by the first edge that reaches it."""
    order, waiting = [*reached], set(wanted)
    for parent in order:
        for one, other, by in edges:
            for of, part in ((one, other), (other, one)):
                if of == parent and part in waiting:
                    waiting.remove(part)
                    order.append(part)
                    yield PartLink(part=part, of=root if parent in reached else parent, by=by)


def _together(part: str, among: list[str], edges: list[Edge]) -> list[str]:
    found = [part]
    for each in found:
        for one, other, _ in edges:
            for of, next_ in ((one, other), (other, one)):
                if of == each and next_ in among and next_ not in found:
                    found.append(next_)
    return found
