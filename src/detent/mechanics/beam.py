"""A cantilever as a hinge: the pseudo-rigid body of Howell & Midha.

Under a force at its tip a cantilever of length L moves as a rigid bar that is hinged at
(1 - gamma) L from its root, with a spring of gamma K E I / L: gamma = 0.85 and K = 2.65 on the
average over directions of the force. The tip follows within half a per cent up to large angles; the
stiffness of small deflections is 4 % off 3 E I / L^3. The hinge stands for where the tip goes, not for its
direction: the bar rotates by about a quarter less than the tip of an even beam does, and a tapered one bends
more at its tip. So whatever stands off the tip, as a hook's nose, is led less well: by how much is told.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from detent.foundation.units import metres, unit_names
from detent.model.document.joint import Beam, Joint
from detent.model.document.mechanism import Mechanism
from detent.model.machine.graph import parts_of

GAMMA = 0.85
STIFFNESS_COEFFICIENT = 2.65
_NODES = 24  # of Gauss-Legendre: a taper of 1 to 10 is integrated to rounding


@dataclass(frozen=True)
class PseudoRigidHinge:
    """Where the hinge lies, and how stiff it is."""

    stiffness: float  # [N m/rad]
    from_root: float  # [document units]
    tip_stiffness: float  # of small deflections, without the substitute [N/m]
    deflection: float  # of the tip by a small force across: share of the beam's that the hinge gives
    rotation: float  # of the tip by the same force: share of the beam's


def pseudo_rigid_hinge(beam: Beam, modulus: float, metres: float) -> PseudoRigidHinge:
    """The hinge that stands for a beam; `metres` in a document unit, `modulus` in Pa."""
    length = float(beam.length) * metres
    bending = modulus * second_moment(beam, metres)  # E I
    deflection, rotation = shares_of_the_beam(beam)
    return PseudoRigidHinge(
        stiffness=GAMMA * STIFFNESS_COEFFICIENT * bending / length,
        from_root=(1 - GAMMA) * float(beam.length),
        tip_stiffness=3 * bending / length**3,
        deflection=deflection,
        rotation=rotation,
    )


def shares_of_the_beam(beam: Beam) -> tuple[float, float]:
    """Deflection and rotation of the hinged bar's tip under a small force, over those of the beam's tip.

    The bar deflects by F (gamma L)^2 / k and rotates by F gamma L / k, with k = gamma K E I / L.
    """
    even = second_moment(beam, 1.0)
    rotation = _compliance(beam, 1.0, 1)  # of the beam, times F L^2 / E
    return 3 * GAMMA / STIFFNESS_COEFFICIENT, 1 / (STIFFNESS_COEFFICIENT * even * rotation)


def second_moment(beam: Beam, metres: float) -> float:
    """[m^4] of an even beam as stiff at its tip: L^3 / 3 over the integral of x^2 / I(x) from the tip."""
    return 1 / 3 / _compliance(beam, metres, 2)


def _compliance(beam: Beam, metres: float, power: int) -> float:
    """The integral of share^power / I over shares of the length from the tip [1/m^4]."""
    height, width = (_ends(value, metres) for value in (beam.height, beam.width))
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    share = (nodes + 1) / 2
    heights, widths = (tip + (root - tip) * share for root, tip in (height, width))
    moments = widths * heights**3 / 12
    return float((weights / 2 * share**power / moments).sum())


def _ends(value: object, metres: float) -> tuple[float, float]:
    """At the root and at the tip [m]."""
    ends = [float(v) * metres for v in value] if isinstance(value, tuple | list) else [float(value) * metres]  # type: ignore[arg-type]
    return ends[0], ends[-1]


def beam_modulus(mechanism: Mechanism, joint: Joint) -> float | None:
    """[Pa] of a joint's beam: its own, else of the material of one of its parts."""
    assert joint.beam is not None
    if joint.beam.modulus is not None:
        return float(joint.beam.modulus)
    for part in parts_of(joint)[::-1]:
        material = mechanism.materials.get(mechanism.parts[part].material or "")
        if material is not None and material.modulus is not None:
            return float(material.modulus)
    return None


def substitute_words(mechanism: Mechanism, joint: Joint) -> str:
    """How to hinge what a beam carries, with numbers; empty where the joint has no beam."""
    if joint.beam is None:
        return ""
    deflection, rotation = (round(100 * (1 - share)) for share in shares_of_the_beam(joint.beam))
    formula = (
        "0.85 x 2.65 E I / L, a pseudo-rigid body: under a small force its tip goes "
        f"{deflection} % less far than the beam's, and rotates {rotation} % less"
    )
    modulus = beam_modulus(mechanism, joint)
    if modulus is None:
        where = "hinge it by a revolute joint, 0.15 L from the beam's root"
        return f"{where}, with a spring of {formula} (no modulus is given)"
    hinge = pseudo_rigid_hinge(joint.beam, modulus, metres(mechanism.units))
    unit = unit_names(mechanism.units).length
    return (
        f"hinge it: a revolute joint {hinge.from_root:.6g}{unit} from the beam's root (0.15 of its length), "
        f"with spring = {{ stiffness = {hinge.stiffness:.6g} }} ({formula})"
    )


def elastic_of(mechanism: Mechanism) -> dict[str, dict[str, object]]:
    """Of each elastic joint its stiffness as far as it is known, or why it is not."""
    known: dict[str, dict[str, object]] = {}
    for name, joint in mechanism.joints.items():
        if joint.type != "elastic":
            continue
        if joint.beam is not None:
            modulus = beam_modulus(mechanism, joint)
            if modulus is None:
                known[name] = {"why_not": "its beam has no modulus, and no material of its parts has one"}
                continue
            hinge = pseudo_rigid_hinge(joint.beam, modulus, metres(mechanism.units))
            known[name] = {
                "tip_stiffness": hinge.tip_stiffness,
                "pseudo_rigid": {
                    "stiffness": hinge.stiffness,
                    "from_root": hinge.from_root,
                    "deflection": hinge.deflection,
                    "rotation": hinge.rotation,
                },
            }
        elif joint.stiffness is not None:
            known[name] = {"stiffness": _plain(joint.stiffness)}
        else:
            known[name] = {"why_not": "plates are not turned into stiffnesses in this version"}
    return known


def _plain(value: Any) -> Any:
    return [_plain(v) for v in value] if isinstance(value, tuple | list) else float(value)
