"""The scope of a compliant mating: what is computed, what is left out by its key, what is assumed."""

from __future__ import annotations

from detent.judge.compliant.unasked import fastener_questions
from detent.judge.elastic import shear_of
from detent.mechanics.beam_strain import ROOT, strain_sources
from detent.model.machine.elastic.written import modulus_words
from detent.motion.compliant.compliant_run import CompliantRun
from detent.record.scope import Scope

# Beside `guide_words` of rigid parts: what gives way does press on fixed parts, and that is told.
GUIDES = "the drive guides {}: it takes the force across the push and the moment, without friction"


def compliant_scope(evidence: CompliantRun) -> Scope:
    """What the answer holds for."""
    return Scope(
        certainty="computed",
        covers="forces over the way without inertia (quasi-static), in floating point; each row is computed "
        "by itself, peaks and changes of contact are located between rows",
        left_out=tuple(_left_out(evidence)),
        assumed=(
            GUIDES.format(evidence.plan.part),
            *dict.fromkeys(line for one in evidence.connections for line in one.assumed),
            *_materials(evidence),
        ),
    )


def _left_out(evidence: CompliantRun) -> list[str]:
    mechanism = evidence.mechanism
    lines = ["inertia: motion is quasi-static"]
    if mechanism.gravity is not None and any(mechanism.gravity):
        lines.append("gravity: parts have no weight")
    lines += fastener_questions(mechanism)
    touching = mechanism.touching
    if touching is not None and touching.restitution:
        lines.append("touching.restitution: nothing hits at speed")
    if touching is not None and touching.smooth is not None:
        lines.append("touching.smooth: without inertia friction has its full size at any speed")
    for one in evidence.connections:
        lines += one.left_out
        joint = mechanism.joints.get(one.name)
        if joint is not None and (shear := shear_of(joint)):
            lines.append(f"joints.{one.name}: {shear}")
        if joint is not None and joint.beam is not None:
            lines.append(f"joints.{one.name}: {ROOT}")
    return list(dict.fromkeys(lines))


def _materials(evidence: CompliantRun) -> list[str]:
    """Moduli and strains allowed that are shipped, or a secant."""
    mechanism = evidence.mechanism
    joints = [mechanism.joints[one.name] for one in evidence.connections if one.name in mechanism.joints]
    lines = [
        line
        for joint in joints
        for line in (*modulus_words(mechanism, joint), *strain_sources(mechanism, joint))
    ]
    return list(dict.fromkeys(lines))
