"""A peg that is led into its hole, run after run: how each ends, by what stopped it, with what push.

`in`; `jammed` where the drive is used up and the sides are in; `wedged` where friction holds it without the
drive, or it is larger than its hole; `blocked at the rim` where it hangs there with its sides outside, and
`missed the chamfer` where besides something pushes it straight back, as a face that its end stands on.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from detent.geometry.revolved.meridian import Meridian
from detent.judge.rigid_mating.ending import leg_end
from detent.judge.rigid_mating.forces import MatingForces
from detent.judge.rigid_mating.profile import MatingProfile
from detent.judge.round_pegs.story import OVER, RoundStory
from detent.library.robots.serial_arm import Floats
from detent.motion.rigid.mating.machine import ContactMachine
from detent.motion.rigid.mating.mating_run import RigidMatingRun, rigid_run_of

IN, JAMMED, WEDGED, AT_RIM, MISSED, UNDECIDED, OVERLAPS = (
    "in", "jammed", "wedged", "blocked at the rim", "missed the chamfer", "undecided", "overlaps",
)  # fmt: skip
OUTCOMES = (IN, JAMMED, WEDGED, AT_RIM, MISSED, UNDECIDED, OVERLAPS)
_DEEPER = 1e3  # in slacks: what is below the face by more is inside
_STRAIGHT = 0.9  # cosine of a contact that pushes back along the way


@dataclass(frozen=True)
class PegEnd:
    """How one run ended; lengths in metres."""

    outcome: str
    why: str = ""
    depth: float = math.nan  # of the tip
    travel: float = math.nan
    push: float = math.nan  # [N] the largest mean against the way
    touched: bool = False
    overlap: float = math.nan  # [um] the deepest at ends of steps


@dataclass(frozen=True, eq=False)
class PegTask:
    """The machine as drawn, by which runs with the hole elsewhere are told."""

    machine: ContactMachine

    @property
    def is_round(self) -> bool:
        return bool(self.machine.rounds.matched)

    @cached_property
    def profile(self) -> MatingProfile:
        """Of a peg with flat sides."""
        return MatingProfile(self.machine)

    @cached_property
    def story(self) -> RoundStory:
        """Of the round peg and the hole whose axes are nearest, before anything moves."""
        run = rigid_run_of(self.machine, 0.0)
        stories = [RoundStory(run, match) for match in range(len(self.machine.rounds.matched))]
        return min(stories, key=lambda story: story.beside)

    def end(self, run: RigidMatingRun) -> PegEnd:
        """How a run ended."""
        if len(run.steps.times) < 2:
            return PegEnd(UNDECIDED, f"the run could not leave its start: {run.why}")
        return self._round_end(run) if self.is_round else self._flat_end(run)

    def _flat_end(self, run: RigidMatingRun) -> PegEnd:
        profile = MatingProfile(run.machine, self.profile.solids)
        forces = MatingForces(run, profile)
        until = float(run.steps.times[-1])
        end = leg_end(forces, 0, until)
        means = forces.totals.corners(0.0, until, forces.reading.averaged)[1][:, 0]
        sides = self._side_ends
        moved = run.machine.leader.gripper[:3, 3]
        turned, by = _moved(run)
        at = (sides - moved) @ turned.T + moved + by
        deepest = float((at @ profile.axes[:, 0]).max(initial=-math.inf))
        entered = not len(at) or deepest > profile.face + _DEEPER * run.machine.slack
        return self._told(run, end.cause, end.detail, forces.depths[-1], means, profile.axes[:, 0], entered)

    @cached_property
    def _side_ends(self) -> Floats:
        """Corners of the peg's sides, as drawn [m]."""
        profile = self.profile
        found = [
            points
            for body, solid in profile.solids.items()
            if profile.machine.held[body]
            for normal, points in profile.faces_of(body, solid)
            if any(profile.of_peg(normal, plane) in ("1", "5") for plane in (1, 2))
        ]
        return np.vstack(found) if found else np.zeros((0, 3))

    def _round_end(self, run: RigidMatingRun) -> PegEnd:
        story = RoundStory(run, self.story.match)
        depth, tilt = (each[-1] for each in story.places([story.until]))
        end = leg_end(story, 0, story.until)
        along = story.whole.corners(story.since, story.until, OVER)[1][:, 0]
        radius, nose = _shoulder(story.peg, story.tip_along)
        lean = float(np.hypot(*tilt))
        entered = (
            depth - nose * math.sqrt(max(0.0, 1 - lean**2)) + radius * lean > _DEEPER * run.machine.slack
        )
        return self._told(run, end.cause, end.detail, float(depth), along, story.inwards, entered)

    def _told(
        self,
        run: RigidMatingRun,
        cause: str,
        why: str,
        depth: float,
        means: Floats,
        inwards: Floats,
        entered: bool,
    ) -> PegEnd:
        leg = run.machine.plan.legs[0]
        outcome = {"done": IN, "wedged": WEDGED, "interrupted": UNDECIDED}.get(cause, JAMMED)
        if cause == "jam" and not entered:
            outcome = MISSED if _pushed_back(run, inwards) else AT_RIM
        return PegEnd(
            outcome,
            why,
            float(depth),
            float(_moved(run)[1] @ leg.direction),
            max(0.0, -float(means.min(initial=0.0))),
            run.touched,
            run.overlap_um(0.0, run.until),
        )


def _moved(run: RigidMatingRun) -> tuple[Floats, Floats]:
    """The gripper's rotation and displacement at the end."""
    from scipy.spatial.transform import Rotation

    moved = run.gripper_motion(run.steps.states[-1:], run.steps.speeds[-1:])[0][0]
    return np.asarray(Rotation.from_rotvec(moved[3:]).as_matrix()), np.asarray(moved[:3])


def _pushed_back(run: RigidMatingRun, inwards: Floats) -> bool:
    """Whether in the last step a contact pushes straight against the way."""
    steps = run.steps
    n = int(steps.counts[-2])
    pushes = steps.impulses[-2, :n, 0] > 0
    return bool((steps.contacts[-2, :n, 4:7][pushes] @ inwards < -_STRAIGHT).any())


def _shoulder(peg: Meridian, tip: float) -> tuple[float, float]:
    """Radius and distance behind the tip of where a round peg's side begins; of one without, its tip [m]."""
    ends = [end for piece in peg.pieces if piece.role == "side" for end in (piece.start, piece.end)]
    if not ends:
        return 0.0, 0.0
    radius, along = min(ends, key=lambda end: abs(end[1] - tip))
    return float(radius), abs(float(along) - tip)
