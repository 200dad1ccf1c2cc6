"""A hook as a force law: what it puts on the pushed part where that part is, going on from where it was.

A place far from the last one is reached in steps along the straight line between them: a hook remembers, and
what it does at a place depends on the way there. Without inertia only the direction of the velocity would
count, and friction follows the steps instead.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from detent.foundation.errors import UnsupportedError
from detent.library.mating.force_law import NOTHING, Floats, MatingLoad
from detent.motion.compliant.hooks.following import at_rest, follow_leg
from detent.motion.compliant.hooks.problem import HookProblem, HookState
from detent.motion.compliant.hooks.smoothed import SmoothHookLaw
from detent.motion.compliant.hooks.told import load_of

# Of a rotation matrix: what a place may be turned by rounding.
_TURNED = 1e-9


@dataclass(frozen=True, eq=False)
class HookLaw:
    """Of one hook; SI."""

    name: str
    moving: str
    problem: HookProblem
    drawn: Floats  # (4, 4) of the moving part
    smooth: float = 0.0

    def smoothed(self, speed: float) -> SmoothHookLaw:
        """With friction that grows over a speed [m/s], for equations of motion."""
        return SmoothHookLaw(self.name, self.moving, self.problem, self.drawn, speed)

    def load(self, place: Floats, velocity: Floats, before: MatingLoad | None = None) -> MatingLoad:
        """On the moving part at a place."""
        if np.abs(place[:3, :3] - self.drawn[:3, :3]).max() > _TURNED:
            problem = "a hook is followed past a part that does not rotate, and this one does"
            raise UnsupportedError(problem, "hold its rotation", f"joints.{self.name}")
        shift = place[:3, 3] - self.drawn[:3, 3]
        start = at_rest(self.problem, np.zeros(3)) if before is None else before.memory
        assert isinstance(start, HookState)
        along = shift - start.shift
        length = float(np.linalg.norm(along))
        state = start
        if length > 0:
            steps = max(1, round(40 * length / self.problem.length))
            leg = follow_leg(self.problem, start, start.shift, along / length, length, steps=steps)
            state = leg.rows[-1].state
            if leg.cause != "done":
                inf = (float("inf"),) * 3
                return MatingLoad(inf, inf, state.names(self.problem), start)
        if not state.mode:
            return MatingLoad(NOTHING.force, NOTHING.moment, (), state)
        fx, fy, fz, mx, my, mz = load_of(self.problem, state, self.drawn[:3, 3] + shift).tolist()
        return MatingLoad((fx, fy, fz), (mx, my, mz), state.names(self.problem), state)
