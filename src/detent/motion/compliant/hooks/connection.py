"""A document's hooks on elastic joints as connections, each followed by itself along the legs of the push."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from detent.foundation.errors import ModelError, UnsupportedError
from detent.foundation.names import listed
from detent.foundation.progress import doing
from detent.foundation.units import unit_names
from detent.library.mating.force_law import Floats, MatingLoad
from detent.model.machine.drawn.overlap import overlaps
from detent.model.machine.elastic.directions import direction_words
from detent.model.machine.elastic.support import ElasticSupport, elastic_support
from detent.model.machine.solids import part_solid
from detent.model.machine.system import System, SystemJoint, compile_system
from detent.motion.compliant.followed import Connection, FollowedLeg
from detent.motion.compliant.hooks.bending import BentBeam, bent_beam
from detent.motion.compliant.hooks.described import description
from detent.motion.compliant.hooks.following import SHARE, HookLeg, at_rest, follow_leg
from detent.motion.compliant.hooks.free_way import free_ways
from detent.motion.compliant.hooks.law import HookLaw
from detent.motion.compliant.hooks.problem import HookProblem
from detent.motion.compliant.hooks.slopes import slopes_of
from detent.motion.compliant.hooks.smoothed import SmoothHookLaw
from detent.motion.compliant.hooks.support import support_of
from detent.motion.compliant.hooks.surfaces import surfaces_of
from detent.motion.compliant.hooks.told import columns_of, followed_leg
from detent.motion.leading.plan import PushPlan, StraightLeg
from detent.record.compliant_mating import HookBending

# Steps of a leg where something can touch: more are minutes of work.
_MOST_STEPS = 10_000

ASSUMED = (
    "hook and counterpart are rigid, the support alone gives way, linearly, with exact rotations "
    "(Meitinger & Pfeiffer, section 5.2)",
    "where a hook lets go it creeps to its next rest while the push stands still, overdamped by its own "
    "stiffness; friction opposes that way",
)


def hook_connections(plan: PushPlan, hooks: Mapping[str, str]) -> list[Connection]:
    """One per elastic joint whose part meets what is pushed."""
    system = compile_system(plan.placed)
    return [HookConnection(plan, joint, system) for joint in hooks]


@dataclass(frozen=True, eq=False)
class HookConnection:
    """One hook on its support."""

    plan: PushPlan
    name: str  # of its joint
    system: System

    def __post_init__(self) -> None:
        """Refuse here what could never be followed, so that `check` says it too."""
        _refuse_loose(self.elastic, self.name)
        _refuse_pushed(self.plan, self.joint, self.system)
        _refuse_overlap(self)
        _refuse_long(self)

    @cached_property
    def joint(self) -> SystemJoint:
        return self.system.joint(self.name)

    @cached_property
    def elastic(self) -> ElasticSupport:
        return elastic_support(self.plan.mechanism, self.name)

    @property
    def hook(self) -> str:
        """The part that is a hook."""
        return self.system.bodies[self.joint.b.body].name

    @property
    def support(self) -> str:
        """The part that carries it."""
        return self.system.bodies[self.joint.a.body].name

    @cached_property
    def met(self) -> tuple[str, ...]:
        """Parts that the hook can touch; never what carries it."""
        drawn = self.plan.mechanism.parts
        parts = [part for part in (*self.plan.moving, *self.plan.fixed) if drawn[part].shape is not None]
        others = [part for part in parts if part not in (self.hook, self.support)]
        return tuple(part for part in others if self.system.touching.may_touch(self.hook, part))

    @cached_property
    def reach(self) -> float:
        """[m] From the hook's end to the farthest corner of a box around it."""
        return _reach(self)

    @cached_property
    def problem(self) -> HookProblem:
        index = self.system.index
        hook, base = self.joint.b.body, self.joint.a.body
        pairs = [(hook, index[part]) for part in self.met]
        pairs += [(index[a], index[b]) for a in self.plan.moving for b in self.plan.fixed]
        driven = tuple(index[part] for part in self.plan.moving)
        support = support_of(self.system, self.joint)
        return HookProblem(
            self.system, support, surfaces_of(self.system, pairs), hook, base, driven, self.reach
        )

    @cached_property
    def beam(self) -> BentBeam | None:
        return bent_beam(self.plan.mechanism, self.name)

    @cached_property
    def law(self) -> HookLaw:
        return HookLaw(self.name, self.plan.part, self.problem, self.plan.frame(self.plan.part))

    @property
    def notes(self) -> tuple[str, ...]:
        return ()

    @property
    def assumed(self) -> tuple[str, ...]:
        lines = list(ASSUMED)
        touching = self.system.touching
        lines += [
            f"touching.friction: none between {self.hook} and {part}, as none is given"
            for part in self.met
            if touching.friction(self.hook, part) is None
        ]
        plate = self.plan.mechanism.joints[self.name].plate
        if plate is not None and plate.footprint is None:
            lines.append(
                f"joints.{self.name}.plate: without a footprint its rotations, and forces with them, belong "
                "to the number of functions: a moment at a point has none (docs/elastic.md)"
            )
        return tuple(lines)

    @property
    def left_out(self) -> tuple[str, ...]:
        lines = [
            f"contact of {self.hook} with {self.support}, which carries it",
            "contact of hooks with each other: each is followed by itself",
            f"contact of anything with the {self.elastic.kind} of {self.name} itself",
        ]
        if self.elastic.kind == "matrix":
            lines.pop()
        if self.beam is None:
            lines.append(f"joints.{self.name}: stress and strain, {self._why_no_stress}")
        return tuple(lines)

    @property
    def _why_no_stress(self) -> str:
        plate = self.plan.mechanism.joints[self.name].plate
        if plate is None:
            return "which a matrix does not tell"
        if plate.footprint is None:
            return "which have no limit in a plate under a force at a point; a footprint would give them one"
        return (
            "largest at the foot's edge, where the plate's splines have deflections but no settled curvature"
        )

    @property
    def described(self) -> Mapping[str, Any]:
        given = {part: self.system.touching.friction(self.hook, part) for part in self.met}
        frictions = {part: None if mu is None else float(mu) for part, mu in given.items()}
        first = self.plan.legs[0].direction
        push = -first if self.problem.base in self.problem.driven else first
        slopes = slopes_of(self.problem, push)
        return description(self.name, self.elastic, (self.support, self.hook), frictions, slopes)

    def led_columns(self, law: SmoothHookLaw, loads: Sequence[MatingLoad]) -> Mapping[str, Any]:
        """Where the hook stands while its counterpart is led, what its support stores, its stress."""
        states = [law.state(load) for load in loads]
        return columns_of(law.problem, self.beam, self.plan, self.name, states)

    def led_bending(self, law: SmoothHookLaw, loads: Sequence[MatingLoad]) -> HookBending | None:
        """The largest over these loads; None of a hook that is on no beam."""
        states = [law.state(load) for load in loads]
        return None if self.beam is None else self.beam.largest(law.problem, states, self.name)

    def follow(self, leg: StraightLeg, before: FollowedLeg | None) -> FollowedLeg:
        """Along a leg, from where the one before it left the hook."""
        start = at_rest(self.problem, leg.displacement(0.0)[0])
        if before is not None:
            last: HookLeg = before.memory
            start = next(row.state for row in reversed(last.rows) if row.way <= before.way[-1])
        with doing("hundredths of its way"):
            went = follow_leg(self.problem, start, leg.displacement(0.0)[0], leg.direction, leg.length)
        stored = 0.0 if before is None or leg.back else before.most_stored
        return followed_leg(self.problem, self.beam, self.plan, leg, went, self.name, stored)


def _reach(hook: HookConnection) -> float:
    """[m] From the hook's end to the farthest corner of a box around it."""
    from detent.geometry import region

    solid = hook.system.bodies[hook.joint.b.body].solid
    assert solid is not None
    low, high = np.array(region.bounds(solid)).reshape(2, 3)
    axes = slice(0, hook.system.dimension)
    end = hook.joint.b.matrix[:, 3]
    far: Floats = np.maximum(np.abs(low - end), np.abs(high - end))[axes]
    return float(np.linalg.norm(far))


def _refuse_loose(support: ElasticSupport, name: str) -> None:
    if support.loose:
        words = listed([direction_words(direction) for direction in support.loose])
        problem = f"has no stiffness {words}, so nothing holds the hook there"
        remedy = "give a stiffness above zero, or leave the direction out of `free`: it is then rigid"
        raise ModelError.at(f"joints.{name}.stiffness", problem, remedy)
    if not support.directions:
        problem = "is rigid in all directions, so the hook does not give way"
        raise ModelError.at(f"joints.{name}.free", problem, "name directions with a stiffness")


def _refuse_pushed(plan: PushPlan, joint: SystemJoint, system: System) -> None:
    hook = system.bodies[joint.b.body].name
    if hook in plan.moving or hook in plan.fixed:
        how = "pushed" if hook in plan.moving else "held"
        problem = f"carries {hook!r}, which is {how} besides, so its stiffness does nothing"
        remedy = "name the support first and the hook second in `between`, and push or fix another part"
        raise UnsupportedError(problem, remedy, f"joints.{joint.name}")
    others = [other for other in system.joints if joint.b.body in (other.a.body, other.b.body)]
    for other in others:
        if other is not joint:
            problem = f"joins {hook!r}, which the elastic joint {joint.name!r} carries already"
            remedy = "join the hook by its elastic joint alone"
            raise UnsupportedError(problem, remedy, f"joints.{other.name}")


def _refuse_overlap(hook: HookConnection) -> None:
    solids = {}
    for part in (hook.hook, *hook.met):
        solid = part_solid(hook.plan.mechanism, part)
        if solid is not None:
            solids[part] = solid
    for overlap in overlaps(hook.plan.mechanism, solids):
        if hook.hook in (overlap.first, overlap.second):
            raise ModelError.at(overlap.at, overlap.problem, overlap.remedy)


def _refuse_long(hook: HookConnection) -> None:
    """A leg that would take too many steps; where nothing can touch it takes none."""
    step = hook.reach * SHARE
    for leg in hook.plan.legs:
        if leg.length <= _MOST_STEPS * step:
            continue
        origin = at_rest(hook.problem, leg.displacement(0.0)[0])
        met = free_ways(hook.problem, origin, leg.direction, leg.length).length
        if met > _MOST_STEPS * step:
            metres = hook.plan.metres
            unit = unit_names(hook.plan.mechanism.units).length
            problem = (
                f"parts can touch along {met / metres:.6g}{unit} of it, in {met / step:.6g} steps of "
                f"{step / metres:.6g}{unit} by the hook's size; at most {_MOST_STEPS} are followed"
            )
            raise UnsupportedError(problem, "shorten the leg, or what it goes along", leg.at)
