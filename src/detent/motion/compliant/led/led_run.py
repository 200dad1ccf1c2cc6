"""A mating led by a robot or a carrier: the run with contact, and the same run without."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np

from detent.foundation.errors import ModelError, UnsupportedError
from detent.foundation.progress import doing
from detent.library.mating.force_law import ForceLaw, MatingLoad, RememberingLaw
from detent.library.mating.oring import OringLaw
from detent.library.robots.led import angles_along
from detent.library.robots.serial_arm import Floats
from detent.model.document.ask import AskMate
from detent.model.document.mechanism import Mechanism
from detent.model.machine.pushed.compliant import hooks_beside_leader, rings_in
from detent.model.machine.touching import TouchingPairs
from detent.motion.compliant.connections import connections_of
from detent.motion.compliant.followed import Connection
from detent.motion.compliant.led.compiled import compiled_laws, stepped
from detent.motion.compliant.led.coupling import Coupled, Memory, nothing, wrenches_of
from detent.motion.compliant.led.following import followed
from detent.motion.compliant.led.full import CoupledFully
from detent.motion.compliant.led.steps import LedSteps
from detent.motion.leading.course import course_of
from detent.motion.leading.leader import Leader, leader_of
from detent.motion.leading.plan import PushPlan, plan_of
from detent.record.event import Stop
from detent.record.trajectory import Trajectory

NAME = "compliant, led"
ACCURACY = 1e-5  # of the way and of the speed, in each step
SETTLING = 0.5  # [s] after the last leg, unless the document says until when
SMOOTH = 2e-3  # [m/s] over which friction grows, unless the document says
_ROWS = 1000
_LONGEST_TRAVEL = 5e-4  # [m] of a step at the path's speed: shorter than what a ring is deep in a bore
_CHECKED = 5  # places of a leg at which an arm's reach is looked at, for (7)

Dynamics = Literal["linear", "full"]


@dataclass(frozen=True, eq=False)
class CoupledRun:
    """The evidence of a mating that a robot or a carrier leads."""

    mechanism: Mechanism
    plan: PushPlan
    connections: tuple[Connection, ...]
    system: Coupled | CoupledFully
    until: float
    dynamics: Dynamics
    accuracy: float
    steps: LedSteps
    free: LedSteps
    done: bool
    asked_rows: Floats | None = field(default=None, kw_only=True)  # times of rows, where not evenly over all

    @property
    def smooth_assumed(self) -> bool:
        """Whether the document leaves open over which speed friction grows."""
        return TouchingPairs(self.mechanism).smooth is None

    @property
    def name(self) -> str:
        return NAME

    @property
    def leader(self) -> Leader:
        return self.system.leader

    @cached_property
    def locked(self) -> tuple[str, ...]:
        """What touches where friction locks just ahead of where the steps ended; nothing where none does."""
        if self.done or self.steps.why:
            return ()
        q, v = self.steps.coordinates[-1], self.steps.speeds[-1]
        for ahead in (0.0, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4):
            loads = self.system.loads(q + ahead * v, v, nothing(len(self.system.laws)))
            if not np.isfinite([x for load in loads for x in load.force]).all():
                return tuple(name for load in loads for name in load.contacts)
        return ()

    @cached_property
    def grounded(self) -> tuple[float, str] | None:
        """When a ring is first squeezed by its whole section beside its bore's axis, and at which wall.

        There its groove's ground meets the wall, which the law does not know. Looked at in rows that are even
        in time.
        """
        looked = self._even_rows
        for time, q in zip(looked.tolist(), self.steps.at(looked)[0], strict=True):
            for k, law in enumerate(self.system.laws):
                if not isinstance(law, OringLaw):
                    continue
                place = self.system.place(k, q)
                depth, offset, _ = law.depth_and_offset(*(place[:3, :3] @ law.at + place[:3, 3]).tolist())
                laid = law.bore.laid(depth, law.ring.tube)
                if laid is not None and law.ring.groove + offset >= laid.radius + law.ring.tube:
                    return time, law.named(laid)
        return None

    @cached_property
    def rows(self) -> Floats:
        """Times of the answer's rows [s]."""
        return self._even_rows if self.asked_rows is None else self.asked_rows

    @property
    def _even_rows(self) -> Floats:
        return np.linspace(0.0, float(self.steps.times[-1]), _ROWS + 1)

    @cached_property
    def looked(self) -> Floats:
        """Times at which extremes are looked for: 8 places of every step, of both runs."""
        end = self.steps.times[-1]
        free = self.free.times[self.free.times < end]
        return np.unique(np.concatenate([self.steps.dense(), free]))

    def history(self, times: Floats) -> History:
        """What the gripper, the motors and the mating parts do, a row per time."""
        q, v, a = self.steps.at(times)
        free_q, free_v, _ = self.free.at(np.minimum(times, self.free.times[-1]))
        moved, velocity = self.system.gripper_motion(q, v)
        free_moved, free_velocity = self.system.gripper_motion(free_q, free_v)
        (laws, loads), touching = self._wrench(times, q, v), self._contact_wrench(times)
        wrench = laws if touching is None else laws + touching
        free = free_moved, free_velocity
        return History(times, q, v, a, moved, velocity, *free, wrench, laws, touching, loads)

    def _contact_wrench(self, times: Floats) -> Floats | None:
        """(m, 6) of rigid contacts at the gripper's frame; None where none are followed."""
        return None

    @property
    def contact_work(self) -> tuple[Floats, Floats] | None:
        """[J] that rigid contacts have taken up to the ends of steps, and of it their impacts; or None."""
        return None

    @property
    def impacts(self) -> tuple[Impact, ...]:
        """Of rigid parts, in order of time."""
        return ()

    @property
    def stepped_by(self) -> str:
        """How accurate the steps are, in words."""
        return f"to {self.accuracy:g} of the way and of the speed in each step"

    @property
    def contacts_assumed(self) -> tuple[str, ...]:
        """What is assumed of rigid contacts, in words."""
        return ()

    @property
    def contacts_left_out(self) -> tuple[str, ...]:
        """Which rigid contacts are not followed, in words."""
        shaped = any(self.mechanism.parts[part].shape is not None for part in self.leader.held)
        return ('contact of rigid parts ("combined" follows it)',) if shaped else ()

    def _wrench(self, times: Floats, q: Floats, v: Floats) -> tuple[Floats, list[Memory] | None]:
        """(m, 6) on what is held, at the gripper's frame, on world axes; the loads, but of compiled laws."""
        linear = self.system.linear if isinstance(self.system, CoupledFully) else self.system
        laws = compiled_laws(linear) if self.dynamics == "linear" else None
        if laws is not None:
            return laws.wrenches(linear, q, v), None
        loads = self._loads(times, q, v)
        return wrenches_of(self.system, q, loads), loads

    def _loads(self, times: Floats, q: Floats, v: Floats) -> list[Memory]:
        """Of the laws, from what they remember at the start of each step.

        The polynomial of a step that ends where contacts do may look a little beyond their balance: there
        what follows them counts.
        """
        found = []
        for k, row_q, row_v in zip(self.steps.step_of(times).tolist(), q, v, strict=True):
            loads = self.system.loads(row_q, row_v, self.steps.memories[k])
            if not np.isfinite([x for load in loads for x in load.force]).all():
                loads = self.system.loads(row_q, row_v, self.steps.memories[k + 1])
            found.append(loads)
        return found

    def torques(self, history: History) -> dict[str, Floats]:
        """Of motors and gears [N m], with what holds the weight."""
        if isinstance(self.system, CoupledFully):
            return self.system.torques(history.q, history.v, history.times)
        way, speed = self.system.course.asked(history.times)
        return self.leader.torques(history.q, history.v, way, speed)

    @cached_property
    def _remembering(self) -> list[tuple[RememberingLaw, list[MatingLoad]]]:
        """Laws that follow parts of their own, with their loads in the answer's rows."""
        where = [k for k, law in enumerate(self.system.laws) if isinstance(law, RememberingLaw)]
        if not where:
            return []
        q, v, _ = self.steps.at(self.rows)
        found = self._loads(self.rows, q, v)
        return [(self.system.laws[k], [loads[k] for loads in found]) for k in where]  # type: ignore[misc]

    @property
    def followed_parts(self) -> dict[str, Any]:
        """Columns of the answer's rows: where hooks stand, what their supports store, their stress."""
        columns: dict[str, Any] = {}
        for one in self.connections:
            told = getattr(one, "led_columns", None)
            for law, loads in self._remembering:
                if told is not None and law.name == one.name:
                    columns |= told(law, loads)
        return columns

    @cached_property
    def trajectory(self) -> Trajectory:
        """Poses of what is held; the arm itself is drawn at its working point."""
        from scipy.spatial.transform import Rotation

        history, unit, gripper = self.history(self.rows), 1 / self.plan.metres, self.leader.gripper[:3, 3]
        turned = Rotation.from_rotvec(history.moved[:, 3:])
        poses = {}
        for part in self.leader.held:
            frame = self.plan.frame(part)
            at = gripper + history.moved[:, :3] + turned.apply(frame[:3, 3] - gripper)
            quaternion = (turned * Rotation.from_matrix(frame[:3, :3])).as_quat(scalar_first=True)
            poses[part] = np.column_stack([unit * at, quaternion])
        for law, loads in self._remembering:
            poses[law.carries] = law.poses(loads, unit)
        times = self.steps.times
        end = float(times[-1])
        return Trajectory(
            times=history.times,
            poses=poses,
            stop=Stop(time=end, cause="done" if self.done else "interrupted"),
            units=self.mechanism.units,
            method=self.name,
            legs=tuple((leg.start, leg.start + leg.duration) for leg in self.plan.legs),
            notes=tuple(note for one in self.connections for note in one.notes),
        )


@dataclass(frozen=True, eq=False)
class History:
    """Rows over time: coordinates, the gripper's motion on world axes, with contact and without."""

    times: Floats
    q: Floats
    v: Floats
    a: Floats
    moved: Floats  # (m, 6) displacement, rotation vector
    velocity: Floats  # (m, 6)
    free_moved: Floats
    free_velocity: Floats
    wrench: Floats  # (m, 6)
    laws: Floats  # (m, 6) of it, what gives way
    touching: Floats | None = None  # (m, 6) of it, rigid contacts as means over some milliseconds
    loads: list[Memory] | None = None  # of laws that are not compiled


@dataclass(frozen=True)
class Impact:
    """Rigid parts meet: what the held part is given, and the gripper's velocity before and after."""

    time: float  # [s]
    contacts: tuple[str, ...]
    impulse: Floats  # (3,) [N s], world axes
    before: Floats  # (6,) velocity and rotation rate, world axes
    after: Floats


def led_connections(plan: PushPlan, leader: Leader) -> tuple[Connection, ...]:
    """What the leader's parts meet; places of a law are those of a held ring, or of the first part."""
    smooth = TouchingPairs(plan.mechanism).smooth
    if smooth is not None and not float(smooth) > 0:
        problem = "equations of motion cannot follow friction that jumps with the direction of sliding"
        remedy = (
            f"give a speed above zero, or leave it out: {SMOOTH / plan.metres:g} per second is then assumed"
        )
        raise ModelError.at("touching.smooth", problem, remedy)
    if not leader.held:
        problem = f"{leader.name!r} holds nothing that could give way"
        remedy = f'fix a part to "{leader.name}.flange" by a joint of type fixed, with an O-ring on it'
        raise UnsupportedError(problem, remedy, f"parts.{plan.part}")
    for joint, hook in hooks_beside_leader(plan.mechanism).items():
        problem = f"its hook {hook!r} goes with {plan.part!r}, beside what {leader.name!r} leads with inertia"
        remedy = f"let {leader.held[0]!r} carry it, or ask that in a document of its own"
        raise UnsupportedError(problem, remedy, f"joints.{joint}")
    rings = [part for part in leader.held if part in rings_in(plan.mechanism)]
    first = rings[0] if rings else leader.held[0]
    others = tuple(part for part in leader.held if part != first)
    connections = connections_of(replace(plan, part=first, moving=(first, *others)), but=(leader.name,))
    for one in connections:
        smoothed(one.law, plan)  # refused here, so that `check` says it too
    return connections


def smoothed(law: Any, plan: PushPlan) -> ForceLaw:
    """The law with friction that grows over the document's speed, or the one that is assumed."""
    smooth = TouchingPairs(plan.mechanism).smooth
    speed = SMOOTH if smooth is None else float(smooth) * plan.metres
    if not callable(getattr(law, "smoothed", None)):
        problem = f"{law.name} has no law of place and speed that equations of motion can follow"
        remedy = "push its part by a drive of its own, without inertia; rings and hooks are led"
        raise UnsupportedError(problem, remedy, f"joints.{law.name}")
    return law.smoothed(speed)  # type: ignore[no-any-return]


def led_by(mechanism: Mechanism, *, until: float | None = None) -> CoupledRun | None:
    """The run of a document whose legs lead a robot or a carrier; None where nothing leads."""
    plan = plan_of(mechanism)
    leader = leader_of(mechanism, plan)
    if leader is None:
        return None
    return couple(plan, leader, led_connections(plan, leader), until=until)


def refuse_unmet(mechanism: Mechanism) -> None:
    """What a mating of this document would be refused for, before anything is computed."""
    plan = plan_of(mechanism)
    leader = leader_of(mechanism, plan)
    if leader is None:
        connections_of(plan)
    else:
        led_connections(plan, leader)
        refuse_out_of_reach(leader, plan)


def couple(
    plan: PushPlan,
    leader: Leader,
    connections: tuple[Connection, ...],
    *,
    until: float | None = None,
    dynamics: Dynamics | None = None,
    accuracy: float = ACCURACY,
) -> CoupledRun:
    """The run of a document that `leader` leads, and the same without contact."""
    mechanism = plan.mechanism
    ask = mechanism.ask.mate if mechanism.ask is not None and mechanism.ask.mate is not None else AskMate()
    wanted: Any = dynamics or ask.dynamics or "linear"
    if wanted == "full" and leader.arm is None:
        problem = "only a robot's arm has full equations; a carrier moves little"
        raise UnsupportedError(problem, 'leave it out, or say "linear"', "ask.mate.dynamics")
    course = course_of(plan.legs)
    lasts = until if until is not None else None if ask.until is None else float(ask.until)
    lasts = course.duration + SETTLING if lasts is None else lasts
    if not (np.isfinite(lasts) and lasts > 0):
        raise ModelError.at("ask.mate.until", f"{lasts} is not a time to run for", "give seconds, above zero")
    laws = tuple(smoothed(one.law, plan) for one in connections)
    linear = Coupled(leader, course, laws, tuple(plan.frame(law.moving) for law in laws))
    refuse_out_of_reach(leader, plan)
    system: Coupled | CoupledFully = CoupledFully(linear) if wanted == "full" else linear
    with doing("with contact"):
        steps, done = steps_of(system, lasts, accuracy)
    if len(steps.times) < 2:
        problem = "the equations of motion could not be followed from their start"
        raise UnsupportedError(problem, "look at the stiffnesses and masses that lead", f"parts.{plan.part}")
    with doing("without contact"):
        free, _ = steps_of(system.without_contact, float(steps.times[-1]), accuracy)
    return CoupledRun(mechanism, plan, connections, system, lasts, wanted, accuracy, steps, free, done)


def steps_of(system: Coupled | CoupledFully, until: float, accuracy: float) -> tuple[LedSteps, bool]:
    """By compiled steps where all laws are kernels, else by BDF."""
    linear = system.linear if isinstance(system, CoupledFully) else system
    scales = scales_of(linear)
    longest = min(0.02, _LONGEST_TRAVEL / linear.course.fastest) if system.laws else 0.02
    state = np.zeros(2 * len(linear.leader.mass))
    if isinstance(system, Coupled):
        laws = compiled_laws(system)
        if laws is not None:
            return stepped(system, laws, state, until, accuracy, scales, longest)
    return followed(system, state, until, accuracy, scales, longest)


def scales_of(system: Coupled) -> tuple[float, float]:
    """What a step's error counts against: coordinates and speeds that the path brings about."""
    moved = np.linalg.solve(system.leader.stiffness, system.leader.push)
    largest = float(np.abs(moved).max())
    return largest * system.course.length, largest * system.course.fastest


def refuse_out_of_reach(leader: Leader, plan: PushPlan) -> None:
    """(7) knows no end of its reach: the legs' places are looked at."""
    if leader.arm is None:
        return
    assert leader.base is not None
    inverse = leader.base[:3, :3].T
    for leg in plan.legs:
        origin, along = inverse @ leg.origin, inverse @ leg.direction
        angles_along(leader.arm, origin, along, leg.length, leg.at, places=_CHECKED)
