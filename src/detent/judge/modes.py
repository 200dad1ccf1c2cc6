"""What does a load do to parts in contact? Which modes follow from it, or whether the contacts hold it.

The parts' weight, inertia and motion are read from the document; the modes are
those that were found. An answer lists what was assumed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from msgspec import structs

from detent.contact.checks import vector_of
from detent.contact.forces.consistent import ConsistentMotion, consistent_modes
from detent.contact.forces.row_rates import row_rates_of
from detent.contact.modes.mode import ModeSet
from detent.judge.grasping import grasp
from detent.mechanics.inertia import bias, knows_masses, mass_matrix, weight
from detent.model.document.mechanism import Mechanism
from detent.numeric.arrangement.complex import EQUAL
from detent.record.modes import ConsistentMode, ConsistentModes
from detent.record.verdict import Verdict


def moved_by(
    mechanism: Mechanism,
    modes: ModeSet,
    load: Sequence[float],
    *,
    velocity: Sequence[float] | None = None,
    friction: float | None = None,
    tolerance: float = EQUAL,
) -> ConsistentModes:
    """Which modes follow from a load, the parts' weight and inertia, and perhaps a velocity.

    Loads and velocities have one number per degree of freedom; speeds below `tolerance` of the
    velocity are zero.
    """
    mass, pull = mass_matrix(mechanism), weight(mechanism)
    drift, flat, turning = None, False, [0.0] * len(load)
    if velocity is not None:
        vector_of(velocity, len(load), "velocity")
        drift, flat = row_rates_of(mechanism, modes.contacts, velocity)
        turning = bias(mechanism, velocity).tolist()
    total = [a + b for a, b in zip(load, pull.tolist(), strict=True)]
    motions = consistent_modes(
        modes, mass, turning, total, friction=friction, velocity=velocity, drift=drift, tolerance=tolerance
    )
    moving = [0.0] * len(load) if velocity is None else list(velocity)
    return _answer(modes, motions, total, moving, _assumptions(mechanism, moving, flat))


def held(
    mechanism: Mechanism, modes: ModeSet, load: Sequence[float], *, friction: float | None = None
) -> Verdict:
    """Whether all contacts hold a load for sure; the load is all there is, gravity included."""
    known = mechanism.rows is None and knows_masses(mechanism)
    verdict = grasp(modes, load, mass=mass_matrix(mechanism) if known else None, friction=friction)
    if mechanism.gravity is None or not any(mechanism.gravity):
        return verdict
    whole = "the load is all there is: the document's gravity is not added to it"
    return structs.replace(verdict, assumptions=(*verdict.assumptions, whole))


def _answer(
    modes: ModeSet,
    motions: list[ConsistentMotion],
    load: list[float],
    velocity: list[float],
    assumptions: tuple[str, ...],
) -> ConsistentModes:
    many: Literal["none", "one", "several"] = (
        "none" if not motions else "one" if len(motions) == 1 else "several"
    )
    return ConsistentModes(
        answer=many,
        consistent=tuple(
            ConsistentMode(
                mode=motion.text,
                states=tuple(motion.state(i) for i in range(len(modes.contacts))),
                acceleration=tuple(motion.acceleration.tolist()),
                normal=motion.normal,
            )
            for motion in motions
        ),
        load=tuple(load),
        velocity=tuple(velocity),
        assumptions=assumptions,
    )


def _assumptions(mechanism: Mechanism, velocity: list[float], flat: bool) -> tuple[str, ...]:
    """What was assumed; `flat` says that some surface was assumed flat."""
    assumptions = ["the contacts are rigid, with Coulomb friction"]
    if not any(velocity):
        assumptions.append("everything starts at rest")
    elif flat:
        assumptions.append("surfaces are flat where contacts slide")
    else:
        assumptions.append("surfaces are as drawn where contacts slide")
    if left_out := _left_out(mechanism):
        assumptions.append(f"{' and '.join(left_out)} exert nothing")
    return tuple(assumptions)


def _left_out(mechanism: Mechanism) -> list[str]:
    """What may push or pull in this document besides its contacts and gravity."""
    joints = mechanism.joints.values()
    present: list[tuple[str, Any]] = [("springs", any(j.spring or j.type == "elastic" for j in joints))]
    present += [("dampers", any(j.damping for j in joints)), ("drives", mechanism.drives)]
    return [what for what, is_present in present if is_present]
