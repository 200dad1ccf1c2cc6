"""A fastener's plan as it was decided: what film, strip, slice, report and judgement read.

Everything in it is computed when it is first asked for, once.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property
from typing import Literal

import numpy as np
from msgspec.structs import replace

from detent.foundation.errors import ModelError, UnsupportedError
from detent.foundation.units import METRES
from detent.model.document.drive import Drive
from detent.model.document.mechanism import Mechanism
from detent.motion.quasistatic.answer.force_bounds import ForceBound, largest_force
from detent.motion.quasistatic.answer.loads import PawlLoads, pawl_loads
from detent.motion.quasistatic.answer.report import leg_events, leg_story
from detent.motion.quasistatic.answer.sampled import angles_at, trajectory
from detent.motion.quasistatic.decide import DecidedRuns
from detent.motion.quasistatic.exact.legs import PlanRun
from detent.motion.quasistatic.machine.fasteners import fastener
from detent.record.event import Event
from detent.record.mating import LegStory, PartBounds
from detent.record.run import Run
from detent.record.trajectory import Trajectory


class FastenerRun:
    """The evidence of a quasi-static run; `runs` decides further straight runs from its states."""

    def __init__(self, mechanism: Mechanism, *, exact: bool) -> None:
        self.mechanism, self.exact = mechanism, exact
        self.fastener = fastener(mechanism)
        self.runs = DecidedRuns(self.fastener, exact=exact)

    def decide(self) -> None:
        """Decide the whole plan now, not when it is first read."""
        _ = self.runs.plan

    @property
    def plan(self) -> PlanRun:
        """The plan's legs, one after the other."""
        return self.runs.plan

    @property
    def name(self) -> str:
        """The method, as records name it."""
        return "quasistatic, exact" if self.exact else "quasistatic, float filter"

    @cached_property
    def events(self) -> tuple[tuple[Event, ...], ...]:
        """The events of each leg."""
        return tuple(leg_events(self.fastener, leg) for leg in self.plan.legs)

    @cached_property
    def loads(self) -> tuple[list[PawlLoads], ...]:
        """What each pawl carries, leg by leg."""
        return tuple(pawl_loads(self.fastener, leg) for leg in self.plan.legs)

    def angle(self, joint: str, time: float) -> float:
        """A hinge's coordinate [rad] at a time of the plan [s], from its curve; at a snap, where it lands."""
        names = [pawl.joint for pawl in self.fastener.pawls]
        if joint not in names:
            raise ModelError.at("joint", f"{joint!r} is no hinge of a pawl", f"one of {', '.join(names)}")
        legs = self.plan.legs
        spans = [(leg.instant(leg.line.start), leg.instant(leg.end)) for leg in legs]
        within = [k for k, (begin, end) in enumerate(spans) if begin <= time <= end]
        if not within:
            words = f"the plan runs from {spans[0][0]:g} to {spans[-1][1]:g}"
            raise ModelError.at("time", f"{time:g} is not a time of it: {words}", "ask for one within")
        index, leg = names.index(joint), legs[within[-1]]
        line = float(leg.line.start) + min(
            time - spans[within[-1]][0], float(leg.end) - float(leg.line.start)
        )
        pawl = self.fastener.pawls[index]
        return pawl.rest + pawl.sense * float(angles_at(leg, index, np.array([line]))[0])

    def largest_force(
        self, leg: int, part: str, which: Literal["resisting", "contact"] = "resisting", *, digits: int = 15
    ) -> ForceBound:
        """Of a pawl on a leg (from 1) of an exact plan: the largest force between two proved numbers [N]."""
        parts = [pawl.part for pawl in self.fastener.pawls]
        if part not in parts:
            raise ModelError.at("part", f"{part!r} is no pawl", f"one of {', '.join(parts)}")
        if not 1 <= leg <= len(self.plan.legs):
            raise ModelError.at("leg", f"the plan has {len(self.plan.legs)} legs", "count them from 1")
        if not self.plan.legs[leg - 1].exact:
            words = "its places are doubles, as the float filter leaves them"
            raise UnsupportedError(words, "ask an exact run, without `--fast`", "leg")
        loads = self.loads[leg - 1][parts.index(part)]
        if loads.ends_leg:
            return ForceBound(Fraction(0), math.inf, unbounded=True)
        spring = self.mechanism.joints[loads.pawl.joint].spring
        assert spring is not None
        if spring.stiffness is None:
            words = "forces of a spring by a table are in doubles, between no proved numbers"
            raise UnsupportedError(words, "give its `stiffness`", f"joints.{loads.pawl.joint}.spring.torque")
        return largest_force(
            loads.stretches,
            which,
            stiffness=spring.stiffness,
            metres=METRES[self.mechanism.units],
            digits=digits,
        )

    def bounded(self, digits: int) -> tuple[LegStory, ...]:
        """Each leg for the record, its largest forces between proved numbers so many decimal places apart."""
        return tuple(
            replace(story, force=replace(story.force, bounds=self._bounds(number, story, digits)))
            for number, story in enumerate(self.stories, 1)
        )

    def _bounds(self, leg: int, story: LegStory, digits: int) -> dict[str, PartBounds]:
        return {
            part: PartBounds(
                contact_force=self.largest_force(leg, part, "contact", digits=digits).told(digits),
                resisting=self.largest_force(leg, part, "resisting", digits=digits).told(digits),
            )
            for part in story.force.peak_by_part
        }

    @cached_property
    def stories(self) -> tuple[LegStory, ...]:
        """Each leg for the record."""
        known = zip(self.plan.legs, self.events, self.loads, strict=True)
        return tuple(
            leg_story(self.fastener, leg, events=events, loads=loads) for leg, events, loads in known
        )

    @cached_property
    def trajectory(self) -> Trajectory:
        """The whole plan over time."""
        decided = all(leg.exact for leg in self.plan.legs)
        return trajectory(
            self.mechanism,
            self.fastener,
            self.plan,
            events=self.events,
            loads=self.loads,
            method=self.name,
            certified="every event is decided in exact arithmetic" if decided else "",
        )


def predict(
    mechanism: Mechanism,
    *,
    exact: bool,
    drives: Mapping[str, Drive] | None = None,
    until: float | None = None,
) -> Run:
    """Decide the legs of the document's drive, or of the one given."""
    if until is not None:
        words = "a plan of legs ends with its last leg, not at a time of its own"
        raise UnsupportedError(words, "leave out `until`, and give the leg its `for`", "until")
    if drives is not None:
        mechanism = replace(mechanism, drives=dict(drives))
    evidence = FastenerRun(mechanism, exact=exact)
    evidence.decide()  # here, where a refusal belongs to the prediction
    return Run(lambda: evidence.trajectory, evidence)
