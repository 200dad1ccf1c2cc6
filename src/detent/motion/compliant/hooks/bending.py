"""What bending does to a hook's beam: the largest stress and strain, beside what its material allows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from detent.mechanics.beam_strain import BeamSections, beam_sections
from detent.model.document.mechanism import Mechanism
from detent.model.machine.elastic.support import elastic_support
from detent.motion.compliant.hooks.problem import HookProblem, HookState
from detent.record.compliant_mating import HookBending

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class BentBeam:
    """A beam at the places where its stress is looked at. SI."""

    signs: Floats  # (2,) of (w, -w') by the coordinates of the joint
    section: BeamSections

    def stress(self, problem: HookProblem, state: HookState) -> tuple[float, float]:
        """[Pa] The largest, and the distance from the tip [m] where it is."""
        force, moment = self.signs * (problem.support.stiffness @ state.coordinates)
        return self.section.largest_stress(float(force), float(moment))

    def largest(self, problem: HookProblem, states: Sequence[HookState], joint: str) -> HookBending:
        """Over all states of a leg."""
        worst = max(states, key=lambda state: self.stress(problem, state)[0])
        force, moment = self.signs * (problem.support.stiffness @ worst.coordinates)
        return self.section.told(joint, float(force), float(moment), float(worst.coordinates[0]))


def bent_beam(mechanism: Mechanism, name: str) -> BentBeam | None:
    """Of an elastic joint; None without a beam."""
    if mechanism.joints[name].beam is None:
        return None
    return BentBeam(np.array(elastic_support(mechanism, name).signs, float), beam_sections(mechanism, name))
