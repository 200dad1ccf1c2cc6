"""An exact mating on hinges that stand for beams: which documents ask for it, and what the beams endure.

The contact's force and the spring's torque on the hinge give the moment at every place of the beam as drawn:
at the distance s from its tip F s - M, with F across the beam and M such that the moment at the hinge is the
spring's torque. So to first order they strain the beam as the followed hook does.
"""

from __future__ import annotations

import math

import numpy as np
from msgspec import UNSET, structs

from detent.judge.hinges.classic import classic_hooks
from detent.judge.hinges.substitute import HingedBeam, HingedDocument, assumed, hinged
from detent.mechanics.beam_strain import ROOT, beam_sections, strain_sources
from detent.model.document.mechanism import Mechanism
from detent.model.machine.elastic.support import elastic_support
from detent.model.machine.elastic.written import modulus_words
from detent.model.machine.pushed.compliant import sprung_hooks
from detent.motion.quasistatic.method import Quasistatic
from detent.record.compliant_mating import HookBending
from detent.record.mating import LegForce, LegStory, Mating

LARGE = "large deflections of beams: hinges stand for small ones, with exact rotations of their own"


def hinges_asked(mechanism: Mechanism, method: object | None) -> HingedDocument | None:
    """The document of the hinges, where that or the exact method is asked of hooks on beams."""
    ask = mechanism.ask.mate if mechanism.ask is not None else None
    wanted = isinstance(method, Quasistatic) or (method is None and ask is not None and ask.beams == "hinged")
    if not wanted or not sprung_hooks(mechanism):
        return None
    return hinged(mechanism)


def exactly(mechanism: Mechanism, method: object | None) -> Quasistatic:
    """The method given, else as the document asks."""
    ask = mechanism.ask.mate if mechanism.ask is not None else None
    if isinstance(method, Quasistatic):
        return method
    return Quasistatic(exact=ask is None or ask.exact is not False)


def with_strains(mating: Mating, document: HingedDocument) -> Mating:
    """The answer with what its beams endure, and what hinges assume."""
    legs = tuple(
        structs.replace(leg, bending=tuple(_bending(document, leg, beam) for beam in document.beams))
        for leg in mating.legs
    )
    joints = [document.bent.joints[beam.joint] for beam in document.beams]
    materials = [
        line
        for joint in joints
        for line in (*modulus_words(document.bent, joint), *strain_sources(document.bent, joint))
    ]
    rigid = [line for line in mating.scope.left_out if not line.startswith("materials.")]
    if any(_boundless(leg.force, beam.joint) for leg in mating.legs for beam in document.beams):
        rigid.append("strain where a force has no bound")
    scope = structs.replace(
        mating.scope,
        left_out=(*rigid, LARGE, "shear in beams", ROOT),
        assumed=(*mating.scope.assumed, *assumed(document), *dict.fromkeys(materials)),
    )
    classic = classic_hooks(document.bent) or UNSET
    return structs.replace(mating, legs=legs, scope=scope, classic=classic).computed_from(mating.run)


def _boundless(force: LegForce, joint: str) -> bool:
    return any(math.isinf(c) for each in force.hinges[joint].force for c in each)


def _bending(document: HingedDocument, leg: LegStory, beam: HingedBeam) -> HookBending:
    """Where a beam is strained most, of the rows of a leg whose forces have a bound."""
    sections = beam_sections(document.bent, beam.joint)
    compliance = elastic_support(document.bent, beam.joint).compliance
    hinge = leg.force.hinges[beam.joint]
    worst, told = -1.0, (0.0, 0.0)
    for (x, y), torque in zip(hinge.force, hinge.torque, strict=True):
        across = y * beam.along[0] - x * beam.along[1]
        if not math.isfinite(x) or not math.isfinite(y):
            continue
        moment = beam.hinge.from_tip * across - torque
        stress, _ = sections.largest_stress(across, moment)
        if stress > worst:
            worst, told = stress, (across, moment)
    deflection = float(compliance[0] @ np.array(told))
    return sections.told(beam.joint, *told, deflection)
