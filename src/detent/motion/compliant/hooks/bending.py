"""What bending does to a hook's beam: the largest stress and strain, beside what its material allows.

At the distance s from the tip a beam carries the moment F s - M, with F and M of its stiffness at (w, -w'),
and its outermost fibre the stress |F s - M| h / 2 I. Pushes along the beam go through its rigid direction:
they would add F / (b h), which is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from detent.foundation.units import metres
from detent.model.document.mechanism import Mechanism
from detent.model.machine.elastic.beam import beam_ends
from detent.model.machine.elastic.support import elastic_support
from detent.model.machine.elastic.written import modulus_of
from detent.model.machine.graph import parts_of
from detent.motion.compliant.hooks.problem import HookProblem, HookState
from detent.record.compliant_mating import HookBending

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

# Places along a beam at which its stress is looked at: a smooth curve, its largest to some 1e-6.
_PLACES = 1001


@dataclass(frozen=True, eq=False)
class BentBeam:
    """A beam at the places where its stress is looked at. SI."""

    signs: Floats  # (2,) of (w, -w') by the coordinates of the joint
    from_tip: Floats
    per_moment: Floats  # stress by a moment: h / 2 I
    modulus: float
    metres: float
    length: float
    strain_once: float | None
    strain_repeated: float | None

    def stress(self, problem: HookProblem, state: HookState) -> tuple[float, float]:
        """[Pa] The largest, and the distance from the tip [m] where it is."""
        force, moment = self.signs * (problem.support.stiffness @ state.coordinates)
        stress = np.abs(force * self.from_tip - moment) * self.per_moment
        k = int(np.argmax(stress))
        return float(stress[k]), float(self.from_tip[k])

    def largest(self, problem: HookProblem, states: Sequence[HookState], joint: str) -> HookBending:
        """Over all states of a leg."""
        stress, at = max((self.stress(problem, state) for state in states), key=lambda each: each[0])
        strain = stress / self.modulus
        bent = strain > 0
        return HookBending(
            joint=joint,
            stress=stress,
            strain=strain,
            from_root=(self.length - at) / self.metres,
            strain_once=self.strain_once,
            safety_once=self.strain_once / strain if self.strain_once is not None and bent else None,
            strain_repeated=self.strain_repeated,
            safety_repeated=self.strain_repeated / strain if self.strain_repeated and bent else None,
        )


def bent_beam(mechanism: Mechanism, name: str) -> BentBeam | None:
    """Of an elastic joint; None without a beam."""
    joint, scale = mechanism.joints[name], metres(mechanism.units)
    if joint.beam is None:
        return None
    length = float(joint.beam.length) * scale
    from_tip = np.linspace(0.0, length, _PLACES)
    heights, widths = (
        tip + (root - tip) * from_tip / length
        for root, tip in (beam_ends(joint.beam.height, scale), beam_ends(joint.beam.width, scale))
    )
    once, repeated = _allowed(mechanism, name)
    return BentBeam(
        np.array(elastic_support(mechanism, name).signs, float),
        from_tip,
        6 / (widths * heights**2),
        modulus_of(mechanism, name),
        scale,
        length,
        once,
        repeated,
    )


def _allowed(mechanism: Mechanism, name: str) -> tuple[float | None, float | None]:
    """Strains that the material of the hook, or else of its support, may have once and again and again."""
    for part in parts_of(mechanism.joints[name])[::-1]:
        material = mechanism.materials.get(mechanism.parts[part].material or "")
        if material is not None and (material.strain_once or material.strain_repeated):
            once, repeated = material.strain_once, material.strain_repeated
            return (None if once is None else float(once), None if repeated is None else float(repeated))
    return None, None
