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

from detent.foundation.units import metres, unit_names
from detent.model.document.joint import Beam, Joint
from detent.model.document.mechanism import Mechanism
from detent.model.machine.elastic.beam import beam_compliance, over_second_moment
from detent.model.machine.elastic.written import beam_of, known_modulus

GAMMA = 0.85
STIFFNESS_COEFFICIENT = 2.65


@dataclass(frozen=True)
class PseudoRigidHinge:
    """Where the hinge lies, and how stiff it is."""

    stiffness: float  # [N m/rad]
    from_root: float  # [document units]
    tip_stiffness: float  # of small deflections, without the substitute [N/m]
    deflection: float  # of the tip by a small force across: share of the beam's that the hinge gives
    rotation: float  # of the tip by the same force: share of the beam's


@dataclass(frozen=True)
class EquivalentHinge:
    """The hinged bar that a force at one place deflects and turns as it does the beam; small deflections. SI.

    Under a unit force at the distance x beyond the tip, that place goes J_2 + 2 x J_1 + x^2 J_0 and turns by
    J_1 + x J_0, with J_k of `elastic.beam`. The hinge lies their ratio behind that place; its spring is the
    arm over the turn. By reciprocity a moment deflects that place alike, too; it turns the beam more.
    """

    stiffness: float  # [N m/rad]
    from_tip: float  # towards the root [m]
    beyond: float  # the place of the force, from the tip away from the root [m]
    compliance: tuple[float, float, float]  # J_0, J_1, J_2 of the beam

    def share_at(self, beyond: float) -> float:
        """Deflection by a force at another place, there: the hinge's over the beam's; 1 at its own."""
        turned, coupled, bent = self.compliance
        beam = bent + 2 * beyond * coupled + beyond**2 * turned
        return (self.from_tip + beyond) ** 2 / self.stiffness / beam


def equivalent_hinge(beam: Beam, modulus: float, metres: float, beyond: float) -> EquivalentHinge:
    """The hinge that stands for a beam under a force `beyond` [m] its tip; `modulus` in Pa.

    Of an even beam under a force at its tip: 2/3 of the length behind it, 4/3 E I / L.
    """
    matrix = beam_compliance(beam, modulus, metres)
    turned, coupled, bent = float(matrix[1, 1]), -float(matrix[0, 1]), float(matrix[0, 0])
    deflects = bent + 2 * beyond * coupled + beyond**2 * turned
    turns = coupled + beyond * turned
    arm = deflects / turns
    return EquivalentHinge(arm / turns, arm - beyond, beyond, (turned, coupled, bent))


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
    rotation = over_second_moment(beam, 1.0, 1)  # of the beam, times F L^2 / E
    return 3 * GAMMA / STIFFNESS_COEFFICIENT, 1 / (STIFFNESS_COEFFICIENT * even * rotation)


def second_moment(beam: Beam, metres: float) -> float:
    """[m^4] of an even beam as stiff at its tip: L^3 / 3 over the integral of x^2 / I(x) from the tip."""
    return 1 / 3 / over_second_moment(beam, metres, 2)


def substitute_words(mechanism: Mechanism, joint: Joint) -> str:
    """How to hinge what a beam carries, with numbers; empty where the joint has no beam."""
    if joint.beam is None:
        return ""
    beam = beam_of(mechanism, joint)
    deflection, rotation = (round(100 * (1 - share)) for share in shares_of_the_beam(beam))
    formula = (
        "0.85 x 2.65 E I / L, a pseudo-rigid body: under a small force its tip goes "
        f"{deflection} % less far than the beam's, and rotates {rotation} % less"
    )
    modulus = known_modulus(mechanism, joint)
    assert modulus is not None  # a document without one is refused
    hinge = pseudo_rigid_hinge(beam, modulus, metres(mechanism.units))
    unit = unit_names(mechanism.units).length
    return (
        f"hinge it: a revolute joint {hinge.from_root:.6g}{unit} from the beam's root (0.15 of its length), "
        f"with spring = {{ stiffness = {hinge.stiffness:.6g} }} ({formula})"
    )
