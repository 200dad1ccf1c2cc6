"""Stress and strain of a bent beam, beside what its material allows.

At the distance s from the tip a beam carries the moment F s - M, with F and M of its stiffness at (w, -w'),
and its outermost fibre the stress |F s - M| h / 2 I. Pushes along the beam go through its rigid direction:
they would add F / (b h), which is left out; so is what a sharp corner at the root adds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from detent.foundation.units import metres
from detent.model.document.joint import Joint
from detent.model.document.mechanism import Mechanism
from detent.model.machine.elastic.beam import beam_ends
from detent.model.machine.elastic.written import beam_of, modulus_of
from detent.model.machine.graph import parts_of
from detent.model.machine.materials import material_of, shipped_values
from detent.record.compliant_mating import HookBending

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

# Places along a beam at which its stress is looked at: a smooth curve, its largest to some 1e-6.
_PLACES = 1001
_STRAINS = ("strain_once", "strain_repeated")
ROOT = "what a sharp corner at the root of the beam adds to its stress: round it"


@dataclass(frozen=True, eq=False)
class BeamSections:
    """A beam at the places where its stress is looked at. SI."""

    from_tip: Floats
    per_moment: Floats  # stress by a moment: h / 2 I
    modulus: float
    metres: float
    length: float
    strain_once: float | None
    strain_repeated: float | None

    def largest_stress(self, force: float, moment: float) -> tuple[float, float]:
        """[Pa] By a force and a moment at the tip, and the distance from the tip [m] where it is."""
        stress = np.abs(force * self.from_tip - moment) * self.per_moment
        k = int(np.argmax(stress))
        return float(stress[k]), float(self.from_tip[k])

    def told(self, joint: str, force: float, moment: float, deflection: float) -> HookBending:
        """For the record; `deflection` of the tip [m]."""
        stress, at = self.largest_stress(force, moment)
        strain, across = stress / self.modulus, abs(force)
        safeties = [
            None if allowed is None or strain <= 0 else allowed / strain
            for allowed in (self.strain_once, self.strain_repeated)
        ]
        once, repeated = (None if safety is None else safety * across for safety in safeties)
        return HookBending(
            joint=joint,
            stress=stress,
            strain=strain,
            from_root=(self.length - at) / self.metres,
            deflection=abs(deflection) / self.metres,
            force=across,
            strain_once=self.strain_once,
            safety_once=safeties[0],
            force_once=once,
            strain_repeated=self.strain_repeated,
            safety_repeated=safeties[1],
            force_repeated=repeated,
        )


def beam_sections(mechanism: Mechanism, name: str) -> BeamSections:
    """Of a joint with a beam."""
    joint, scale = mechanism.joints[name], metres(mechanism.units)
    beam = beam_of(mechanism, joint)
    length = float(beam.length) * scale
    from_tip = np.linspace(0.0, length, _PLACES)
    heights, widths = (
        tip + (root - tip) * from_tip / length
        for root, tip in (beam_ends(beam.height, scale), beam_ends(beam.width, scale))
    )
    once, repeated = _allowed(mechanism, joint)
    per_moment = 6 / (widths * heights**2)
    return BeamSections(from_tip, per_moment, modulus_of(mechanism, name), scale, length, once, repeated)


def strain_sources(mechanism: Mechanism, joint: Joint) -> tuple[str, ...]:
    """Where the strains allowed are from, where they are shipped."""
    part = _strained(mechanism, joint)
    return () if part is None else shipped_values(mechanism, part, _STRAINS)


def _allowed(mechanism: Mechanism, joint: Joint) -> tuple[float | None, float | None]:
    """Strains that the material of the hook, or else of its support, may have once and again and again."""
    part = _strained(mechanism, joint)
    material = None if part is None else material_of(mechanism, part)
    once, repeated = (None if material is None else getattr(material, key) for key in _STRAINS)
    return (None if once is None else float(once), None if repeated is None else float(repeated))


def _strained(mechanism: Mechanism, joint: Joint) -> str | None:
    """The part whose material says what it allows."""
    for part in parts_of(joint)[::-1]:
        material = material_of(mechanism, part)
        if material is not None and (material.strain_once or material.strain_repeated):
            return part
    return None
