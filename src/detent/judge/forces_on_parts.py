"""Everything that acts on the parts of a machine at an instant of a run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from detent.record.instant import ContactAt, ForceKind, ForceOn

if TYPE_CHECKING:
    from detent.motion.running.loads import ContactLoad, RunLoads


def contact_at(loads: RunLoads, row: int, load: ContactLoad) -> ContactAt:
    """A contact at one row."""
    system = loads.tree.system
    unit = system.metres_per_unit
    return ContactAt(
        contact=load.name,
        parts=(system.bodies[load.bodies[0]].name, system.bodies[load.bodies[1]].name),
        point=_pair(load.points[row] / unit),
        normal=_pair(load.normals[row]),
        force=float(loads.told(row, load.pushes[row])),
        friction=float(loads.told(row, load.rubs[row])),
        sliding=float(load.slides[row] / unit),
    )


def forces_at(loads: RunLoads, row: int, pushing: Sequence[ContactLoad]) -> list[ForceOn]:
    """Everything that acts on the parts, those of joints on both of theirs."""
    tree, moving = loads.tree, loads.moving
    bodies, unit = tree.system.bodies, tree.system.metres_per_unit
    forces = []

    def add(part: str, by: str, kind: ForceKind, other: str, at: Any, force: Any, moment: Any) -> None:
        told = {"at": _pair(at), "force": force, "moment": moment}
        forces.append(ForceOn(part=part, by=by, kind=kind, from_part=other, **told))

    for load in pushing:
        for k, sign in ((0, -1.0), (1, 1.0)):
            part, other = (bodies[load.bodies[j]].name for j in (k, 1 - k))
            vector = _pair(loads.told(row, sign * load.forces[row]))
            add(part, load.name, "contact", other, load.points[row] / unit, vector, 0.0)
    for pair in tree.linkage.pairs:
        at, reaction = (
            loads.joint_points[pair.name][row] / unit,
            loads.reactions[pair.name][row],
        )
        first, second = bodies[pair.a.part].name, bodies[pair.b.part].name
        for part, other, sign in ((first, second, -1.0), (second, first, 1.0)):
            x, y, moment = (None if np.isnan(c) else float(sign * c) for c in reaction)
            add(part, pair.name, "joint", other, at, (x, y), moment)
    for link in tree.links:
        weight = moving.weight(link.body)[row]
        if weight.any():
            at = moving.centre(link.body)[row] / unit
            add(bodies[link.body].name, "weight", "weight", "", at, _pair(weight), 0.0)
    return forces


def _pair(numbers: Any) -> tuple[float, float]:
    return float(numbers[0]), float(numbers[1])
