"""What a document has beside the contacts that its modes are made of: read once, said by every answer."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from detent.contact.beside import Beside
from detent.contact.touching.off_shapes import given_off_shapes
from detent.contact.touching.touching import ROUNDED, Found, almost_touching, touching_beside
from detent.mechanics.springs import coordinate_at
from detent.model.document.joint import Joint
from detent.model.document.mechanism import Mechanism
from detent.model.machine.system import compile_system


def beside(mechanism: Mechanism, drawn: Sequence[Found]) -> Beside:
    """Of a document whose shapes touch as `drawn` says, or whose contacts are given."""
    return Beside(
        almost=() if mechanism.contacts else almost_touching(mechanism, drawn),
        touching=touching_beside(mechanism) if mechanism.contacts else (),
        off=given_off_shapes(mechanism),
        given=bool(mechanism.contacts),
        stops=stops_reached(mechanism),
        started=bool(mechanism.start),
        rigid=tuple(f"joint {name}" for name, joint in mechanism.joints.items() if holds_rigidly(joint)),
        exerting=(*(("gravity",) if weighs(mechanism) else ()), *exerting(mechanism)),
    )


def holds_rigidly(joint: Joint) -> bool:
    """Whether an elastic joint is rigid in some directions, which the rows of joints do not have."""
    return joint.beam is not None or joint.plate is not None or joint.free is not None


def weighs(mechanism: Mechanism) -> bool:
    return mechanism.gravity is not None and any(mechanism.gravity)


def exerting(mechanism: Mechanism) -> list[str]:
    """What may push or pull in this document besides its contacts and gravity."""
    joints = mechanism.joints.values()
    present: list[tuple[str, Any]] = [("springs", any(j.spring or j.type == "elastic" for j in joints))]
    present += [("dampers", any(j.damping for j in joints)), ("drives", mechanism.drives)]
    present += [("friction in joints", any(j.friction for j in joints))]
    return [what for what, is_present in present if is_present]


def stops_reached(mechanism: Mechanism) -> tuple[str, ...]:
    """Joints that are at a limit as drawn, or beyond it, to the last digits of a rounded drawing."""
    if all(joint.limits is None for joint in mechanism.joints.values()):
        return ()
    system = compile_system(mechanism)
    reached = []
    for joint in system.joints:
        if not math.isfinite(joint.low) and not math.isfinite(joint.high):
            continue
        at = coordinate_at(system, system.drawn, joint).value
        if joint.type.coordinate == "length":
            close = ROUNDED * system.size
        else:
            close = ROUNDED
            if joint.high - joint.low < 2 * math.pi:  # a whole rotation further it is the same place
                at -= 2 * math.pi * round((at - 0.5 * (joint.low + joint.high)) / (2 * math.pi))
        if not joint.low + close < at < joint.high - close:
            reached.append(f"joint {joint.name}")
    return tuple(reached)
