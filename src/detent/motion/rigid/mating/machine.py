"""A rigid mating as arrays: what leads held parts, what they may touch, how steps are taken. SI, world."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from detent.contact.rounds.at_pose import room_for_rounds
from detent.contact.rounds.candidates import RoundCandidates, round_candidates
from detent.contact.space_candidates import SpaceCandidates, space_candidates
from detent.foundation.errors import ModelError, UnsupportedError
from detent.geometry.pose import rotation_of
from detent.geometry.revolved.inside import inside
from detent.library.mating.known_laws import no_laws
from detent.library.robots.serial_arm import Floats
from detent.model.document.mechanism import Mechanism
from detent.model.machine.pushed.compliant import rings_in
from detent.model.machine.system import System, compile_system
from detent.model.machine.touching import TouchingPairs
from detent.motion.leading.course import LedPath, course_of
from detent.motion.leading.leader import Leader, leader_of
from detent.motion.leading.plan import PushPlan

STEP = 1e-3  # [s] unless the document says
# Of the held parts' size: gaps nearer than this are one. Events are found to two of it, so it must leave the
# 0.1 micrometre that parts of some decimetres may overlap by far behind, and rounding (1e-15) too.
_SLACK = 3e-8
_TOUCHING = 4.0  # in slacks: what is nearer touches
_TILT = 1e-5  # [rad] by which an edge may lean into a face that it lies on, within touching distance
_TRAVEL = 8.0  # of the path's fastest step: no step goes farther
_MARGIN = 80.0  # of the path's fastest step: candidates are listed so far ahead
_RESTS = 1e-4  # of the path's speed: what closes more slowly does not rebound
_LOOKS = 33  # points of an edge at which parts drawn into each other are looked for
_INTO = 1e-5  # of a part's size: what is deeper counts as drawn into it
_INSTANT = 1e-5  # of a step: events are located to it


@dataclass(frozen=True, eq=False)
class ContactMachine:
    """The leader, its path, the candidates of its held parts against fixed ones."""

    mechanism: Mechanism
    plan: PushPlan
    leader: Leader
    course: LedPath
    system: System
    candidates: SpaceCandidates
    rounds: RoundCandidates  # behind the candidates
    laws: Floats  # (pairs, 2) friction and restitution
    step: float  # [s]
    assumed: tuple[str, ...] = ()
    force_laws: tuple[Any, ...] | None = None  # of what gives way beside: see `library/mating/known_laws.py`
    poses: Floats | None = None  # (bodies, 3, 4) instead of those of the plan

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Of bodies."""
        return tuple(body.name for body in self.system.bodies)

    @cached_property
    def held(self) -> Any:
        """(bodies,) which go with the gripper."""
        return np.array([name in self.leader.held for name in self.names])

    @cached_property
    def drawn(self) -> Floats:
        """(bodies, 3, 4) poses."""
        if self.poses is not None:
            return self.poses
        return np.array([self.plan.frame(name)[:3] for name in self.names])

    @cached_property
    def axes(self) -> Floats:
        """(3, 3) of the task, as columns: an arm's own, else the world's."""
        return self.leader.task_axes

    @cached_property
    def size(self) -> float:
        """Of the largest held part [m]."""
        return 2 * float(self.balls[self.held, 3].max())

    @cached_property
    def balls(self) -> Floats:
        """(bodies, 4) centre and radius of a ball around each; -1 of one that touches nothing."""
        flat, round_ = self.candidates.features.balls, self.rounds.balls(len(self.names))
        return np.where(flat[:, 3:] > 0, flat, round_)

    def drawn_frame(self, part: str) -> Floats:
        """(4, 4) of a body."""
        return np.vstack([self.drawn[self.names.index(part)], [0.0, 0.0, 0.0, 1.0]])

    def name_of(self, candidate: int) -> str:
        """`part/leaf.feature:part/leaf.feature` of flat features; of round ones by place: see `rounds`."""
        flat = len(self.candidates)
        return self.candidates.name(candidate) if candidate < flat else self.rounds.name(candidate - flat)

    def law_of(self, candidate: int) -> tuple[float, float]:
        """Friction and restitution of a candidate."""
        friction, restitution = self.laws[self.arrays[2][1][candidate, 3]].tolist()
        return friction, restitution

    @cached_property
    def reach(self) -> float:
        """How far a held point is from the gripper, at most [m]."""
        balls, gripper = self.balls, self.leader.gripper[:3, 3]
        far = [0.0]
        for body in np.flatnonzero(self.held & (balls[:, 3] > 0)):
            centre = self.drawn[body, :, :3] @ balls[body, :3] + self.drawn[body, :, 3]
            far.append(float(np.linalg.norm(centre - gripper)) + balls[body, 3])
        return max(far)

    @property
    def slack(self) -> float:
        """[m] gaps that differ by less are one."""
        return _SLACK * self.size

    @cached_property
    def arrays(self) -> tuple[Any, Any, Any]:
        """Leader, path and shapes, as kernels take them."""
        leader = self.leader
        numbers = (
            leader.mass, leader.damping, leader.stiffness, leader.push, leader.push_rate, leader.moves,
            leader.gripper[:3, 3], self.axes, *(self.force_laws or no_laws(len(leader.mass))),
        )  # fmt: skip
        found, rounds = self.candidates, self.rounds
        features = (*found.features.arrays, rounds.arrays, room_for_rounds())
        listed = np.concatenate([found.listed, rounds.listed])
        shapes = features, listed, found.starts, found.pairs, self.drawn, self.held, self.laws
        return tuple(np.array(one, float, order="C") for one in numbers), self.course.arrays, shapes

    def control(self, until: float) -> Floats:
        """As kernels take it."""
        ahead = self.step * self.course.fastest
        return np.array(
            [
                until,
                self.step,
                self.slack,
                _TOUCHING * self.slack,
                _TRAVEL * ahead,
                _MARGIN * ahead,
                _TILT,
                _RESTS * self.course.fastest,
                self.reach,
                _INSTANT * self.step,
            ]
        )

    def pose(self, body: int, q: Floats) -> Floats:
        """(3, 4) of a body at coordinates."""
        if not self.held[body]:
            return np.asarray(self.drawn[body])
        moved, gripper = self.leader.moves @ q, self.leader.gripper[:3, 3]
        turned = rotation_of(moved[3:])
        rotation, origin = self.drawn[body, :, :3], self.drawn[body, :, 3]
        return np.column_stack([turned @ rotation, turned @ (origin - gripper) + gripper + moved[:3]])


def _refuse_sharp(plan: PushPlan, rounds: RoundCandidates) -> None:
    """Two sharp edges cross at two points, between neither's faces: such contacts are not followed."""
    for _, first, second in rounds.matched:
        one, other = rounds.meridians[first], rounds.meridians[second]
        # Meridians are in metres, in the frames of their parts.
        poses = [plan.frame(each.part) for each in (one, other)]
        to_one = np.linalg.inv(poses[0]) @ poses[1]
        ends = (
            one.end_towards((to_one @ [*other.middle, 1.0])[:3]),
            other.end_towards((np.linalg.inv(to_one) @ [*one.middle, 1.0])[:3]),
        )
        if all(end.sharp for end in ends):
            problem = (
                f"the edges {ends[0].name} of {one.part} and {ends[1].name} of {other.part} are both sharp"
            )
            remedy = "break one of them, if only a little: edges = [{ face = '+z', round = 0.2 }]"
            raise UnsupportedError(problem, remedy, f"parts.{other.part}.shape")


def contact_machine(
    plan: PushPlan,
    *,
    step: float | None = None,
    only: Collection[tuple[str, str]] | None = None,
    force_laws: tuple[Any, ...] | None = None,
) -> ContactMachine:
    """Of a plan; refused, by name, where something in it is not rigid or nothing leads.

    `only` are the pairs (fixed, held) that are followed, where not all are; `force_laws` what acts beside.
    """
    mechanism = plan.mechanism
    rings = rings_in(mechanism)
    if rings and force_laws is None:
        problem = "an O-ring gives way, and rigid contact alone does not follow it"
        raise UnsupportedError(problem, 'ask with method = "combined"', f"parts.{next(iter(rings))}")
    shaped = tuple(name for name, part in mechanism.parts.items() if part.shape is not None)
    leader = contact_leader(mechanism, plan)
    if leader is None:
        problem = f"what pushes {plan.part!r} holds it without inertia, and rigid contacts need some"
        remedy = "put the part on an elastic joint of what is pushed, or on a robot or a carrier"
        raise UnsupportedError(problem, remedy, f"drives.{plan.drive}")
    system = compile_system(plan.placed)
    names = [body.name for body in system.bodies]
    touching, assumed = TouchingPairs(mechanism), list(leader.assumed)
    pairs, laws = [], []
    for fixed in (name for name in plan.fixed if name in shaped):
        for held in (name for name in leader.held if name in shaped):
            if touching.ignored(fixed, held) or (only is not None and (fixed, held) not in only):
                continue
            friction, restitution = touching.friction(fixed, held), touching.restitution(fixed, held)
            if friction is None:
                assumed.append(f"no friction between {fixed} and {held}, none being given")
            if restitution is None:
                assumed.append(f"no rebound between {fixed} and {held}, no restitution being given")
            pairs.append((names.index(fixed), names.index(held)))
            laws.append((float(friction or 0), float(restitution or 0)))
    if not pairs:
        problem = "no held part with a shape may touch a fixed one"
        raise ModelError.at("parts", problem, "draw the part that is held and the one that it goes into")
    others = [n for n in shaped if n not in plan.fixed and n not in leader.held and n not in plan.moving]
    left_out = (*leader.left_out, *(f"{name}, which is neither held nor fixed" for name in others))
    rounds = round_candidates(system, pairs)
    flat = [k for k, pair in enumerate(pairs) if k not in rounds.together]
    _refuse_sharp(plan, rounds)
    candidates = space_candidates(system, pairs, flat)
    left_out += tuple(
        f"what else {names[a]} and {names[b]} could touch with than round surfaces about one axis"
        for a, b in (pairs[k] for k in sorted(rounds.together))
    )
    machine = ContactMachine(
        mechanism,
        plan,
        replace(leader, left_out=left_out),
        course_of(plan.legs),
        system,
        candidates,
        rounds,
        np.array(laws),
        STEP if step is None else step,
        tuple(dict.fromkeys(assumed)),
        force_laws,
    )
    _refuse_overlap(machine)
    return machine


def contact_leader(mechanism: Mechanism, plan: PushPlan) -> Leader | None:
    """What leads parts that have shapes, or rings."""
    carried = [name for name, part in mechanism.parts.items() if part.shape is not None]
    carried = [name for name in (*carried, *rings_in(mechanism)) if name not in plan.moving]
    return leader_of(mechanism, plan, carrying=carried)


def _refuse_overlap(machine: ContactMachine) -> None:
    """Parts drawn into each other have no contacts to begin with."""
    pair = overlapping(machine)
    if pair is not None:
        fixed, held = pair
        problem = f"is drawn into {fixed!r}: rigid parts begin apart"
        raise ModelError.at(f"parts.{held}", problem, "draw it in front of its hole")


def overlapping(machine: ContactMachine) -> tuple[str, str] | None:
    """The first pair, the fixed one first, of which one is drawn into the other; looked at along edges."""
    features, system, drawn = machine.candidates.features, machine.system, machine.drawn
    for pair in machine.candidates.pairs:
        edges = [features.edges[features.edge_body == body][:, :6].reshape(-1, 2, 3) for body in pair]
        in_world = [
            ends.reshape(-1, 3) @ drawn[body, :, :3].T + drawn[body, :, 3]
            for body, ends in zip(pair, edges, strict=True)
        ]
        if not all(map(len, in_world)) or _apart(*in_world, *(drawn[body, :, :3] for body in pair)):
            continue
        for one, other, ends in ((pair[0], pair[1], edges[0]), (pair[1], pair[0], edges[1])):
            points = ends[:, :1] + np.linspace(0, 1, _LOOKS)[:, None] * (ends[:, 1:] - ends[:, :1])
            here, there = drawn[one], drawn[other]
            moved = (points.reshape(-1, 3) @ here[:, :3].T + here[:, 3] - there[:, 3]) @ there[:, :3]
            solid = system.bodies[other].solid
            assert solid is not None
            size = features.balls[one, 3]
            around = np.vstack([np.eye(3), -np.eye(3)]) * (_INTO * size)
            deep = np.all([inside(solid, moved + step) for step in around], axis=0)
            if deep.any():
                fixed, held = (system.bodies[body].name for body in pair)
                return fixed, held
    return None


def _apart(one: Floats, other: Floats, *axes: Floats) -> bool:
    """Whether boxes along the axes of either part hold the points of both apart."""
    for turned in axes:
        first, second = one @ turned, other @ turned
        if ((first.max(axis=0) < second.min(axis=0)) | (second.max(axis=0) < first.min(axis=0))).any():
            return True
    return False
