"""A rigid mating as it was stepped: states, contacts with their forces, impacts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from msgspec.structs import replace

from detent.foundation.errors import ModelError, UnsupportedError
from detent.foundation.progress import doing
from detent.library.robots.serial_arm import Floats
from detent.model.document.ask import AskMate
from detent.model.document.drive import Drive
from detent.model.document.mechanism import Mechanism
from detent.motion.leading.plan import plan_of
from detent.motion.rigid.mating import running, stepping
from detent.motion.rigid.mating.keeping import room_for_steps
from detent.motion.rigid.mating.machine import ContactMachine, contact_machine
from detent.numeric.cone_problem import OPEN, STICK
from detent.record.event import Stop
from detent.record.run import Run
from detent.record.trajectory import Trajectory

NAME = "rigid, led"
SETTLING = 0.5  # [s] after the last leg, unless the document says until when
_ROWS = 1000
_MOST = 400_000  # steps
_WHY = {
    stepping.STUCK: "the contact law has no solution there that was found",
    stepping.TOO_MANY: "more contacts act at once than are followed",
    stepping.STALLED: "contacts change without end",
    stepping.FULL: "the run takes more steps than are kept",
}


@dataclass(frozen=True, eq=False)
class ContactSteps:
    """Rows of states; contacts of row k act over the step that begins there.

    `speeds` are those after impacts, `closing` those before. `impulses` and `blows`, over a step and of the
    impact that it begins with, are the normal impulse, then the whole one on what is held, world axes [N s].
    """

    times: Floats  # (k + 1,)
    states: Floats  # (k + 1, n)
    speeds: Floats
    closing: Floats
    totals: Floats  # (k + 1, 8)
    counts: Any  # (k + 1,)
    candidates: Any  # (k + 1, most)
    statuses: Any  # at the end of the step
    contacts: Floats  # (k + 1, most, 7): gap, point, normal
    impulses: Floats  # (k + 1, most, 4)
    blows: Floats  # (k + 1, most, 4)

    @property
    def lasted(self) -> Floats:
        return np.diff(self.times)

    def at(self, times: Any) -> tuple[Floats, Floats]:
        """Coordinates and speeds, a row per time, by the cubic through both ends of each step."""
        t = np.atleast_1d(np.asarray(times, float))
        k = np.clip(np.searchsorted(self.times, t, "right") - 1, 0, len(self.times) - 2)
        h = (self.times[k + 1] - self.times[k])[:, None]
        s = (t - self.times[k])[:, None] / h
        q0, q1 = self.states[k], self.states[k + 1]
        v0, v1 = h * self.speeds[k], h * self.closing[k + 1]
        q = q0 + s * (v0 + s * (3 * (q1 - q0) - 2 * v0 - v1 + s * (2 * (q0 - q1) + v0 + v1)))
        v = v0 + s * (2 * (3 * (q1 - q0) - 2 * v0 - v1) + s * 3 * (2 * (q0 - q1) + v0 + v1))
        return q, v / h


@dataclass(frozen=True, eq=False)
class RigidMatingRun:
    """The evidence of a rigid mating."""

    machine: ContactMachine
    until: float
    steps: ContactSteps
    status: int
    tally: tuple[int, ...]

    @property
    def name(self) -> str:
        return NAME

    @property
    def mechanism(self) -> Mechanism:
        return self.machine.mechanism

    @property
    def done(self) -> bool:
        return self.status == stepping.DONE

    @property
    def why(self) -> str:
        """Why it ended before its time."""
        return _WHY.get(self.status, "")

    @property
    def legs(self) -> tuple[tuple[int, float, float], ...]:
        """Of each leg its number, when it starts, and when the next does, or the run ends."""
        ended, legs = float(self.steps.times[-1]), self.machine.plan.legs
        starts = [min(leg.start, ended) for leg in legs]
        ends = zip(starts, [*starts[1:], ended], strict=True)
        return tuple((number, start, end) for number, (start, end) in enumerate(ends))

    def overlap_um(self, since: float, until: float) -> float:
        """The deepest at ends of steps between times."""
        there = (self.steps.times >= since - 1e-12) & (self.steps.times <= until)
        return 1e6 * max(0.0, -float(self.steps.totals[there, 7].min(initial=0.0)))

    @property
    def touched(self) -> bool:
        """Whether anything pushed."""
        return bool((self.steps.impulses[:, :, 0] > 0).any() or (self.steps.blows[:, :, 0] > 0).any())

    @cached_property
    def rows(self) -> Floats:
        """Times of a film's rows [s]."""
        return np.linspace(0.0, float(self.steps.times[-1]), _ROWS + 1)

    def gripper_motion(self, q: Floats, v: Floats) -> tuple[Floats, Floats]:
        """Displacement with rotation vector, velocity with its rate, (m, 6) on world axes."""
        moves = self.machine.leader.moves
        return q @ moves.T, v @ moves.T

    def torques(self, times: Floats) -> dict[str, Floats]:
        """Of motors and gears [N m], with what holds the weight; of an arm alone."""
        q, v = self.steps.at(times)
        way, speed = self.machine.course.asked(times)
        return self.machine.leader.torques(q, v, way, speed)

    @cached_property
    def open_forces(self) -> int:
        """At how many steps rows of contacts that push, and of friction that sticks, depend on each other."""
        steps, open_ = self.steps, 0
        seen: dict[tuple[int, ...], bool] = {}
        for k in range(len(steps.times) - 1):
            n = int(steps.counts[k])
            pushing = [i for i in range(n) if steps.statuses[k, i] != OPEN]
            if len(pushing) < 2:
                continue
            key = tuple(int(steps.candidates[k, i]) * 3 + int(steps.statuses[k, i]) for i in pushing)
            if key not in seen:
                seen[key] = self._dependent(k, pushing)
            open_ += seen[key]
        return open_

    def _dependent(self, k: int, pushing: list[int]) -> bool:
        point, size = self.steps.contacts[k, pushing, 1:4], self.machine.size
        arms = (point - point.mean(axis=0)) / size
        rows = []
        for i, arm in zip(pushing, arms, strict=True):
            normal = self.steps.contacts[k, i, 4:7]
            directions = [normal]
            if self.steps.statuses[k, i] == STICK and self._rubs(k, i):
                directions += list(np.linalg.svd(normal[None])[2][1:])
            rows += [np.concatenate([d, np.cross(arm, d)]) for d in directions]
        return bool(np.linalg.matrix_rank(np.array(rows), tol=1e-6) < len(rows))

    def _rubs(self, k: int, i: int) -> bool:
        return self.machine.law_of(int(self.steps.candidates[k, i]))[0] > 0

    @cached_property
    def trajectory(self) -> Trajectory:
        """Poses of what is held; a robot itself is drawn at its working point."""
        from scipy.spatial.transform import Rotation

        plan, leader = self.machine.plan, self.machine.leader
        moved = self.gripper_motion(*self.steps.at(self.rows))[0]
        turned, gripper = Rotation.from_rotvec(moved[:, 3:]), leader.gripper[:3, 3]
        poses = {}
        for part in leader.held:
            frame = plan.frame(part)
            at = gripper + moved[:, :3] + turned.apply(frame[:3, 3] - gripper)
            quaternion = (turned * Rotation.from_matrix(frame[:3, :3])).as_quat(scalar_first=True)
            poses[part] = np.column_stack([at / plan.metres, quaternion])
        if leader.kind == "elastic joint":
            way = self.machine.course.asked(self.rows)[0]
            for part in plan.moving:
                frame = plan.frame(part)
                quaternion = np.tile(
                    Rotation.from_matrix(frame[:3, :3]).as_quat(scalar_first=True), (len(way), 1)
                )
                poses[part] = np.column_stack([(frame[:3, 3] + way) / plan.metres, quaternion])
        return Trajectory(
            times=self.rows,
            poses=poses,
            stop=Stop(time=float(self.steps.times[-1]), cause="done" if self.done else "interrupted"),
            units=self.mechanism.units,
            method=self.name,
            legs=tuple((leg.start, leg.start + leg.duration) for leg in plan.legs),
            speed_ran=running.mate_steps.speed(self._work),
        )

    @property
    def _work(self) -> float:
        return _work(self.machine, self.until)


def rigid_run_of(
    machine: ContactMachine, until: float, *, state: tuple[Floats, Floats] | None = None
) -> RigidMatingRun:
    """The machine stepped to a time, from rest as drawn unless a state is given."""
    leader, course, shapes = machine.arrays
    n = len(machine.leader.mass)
    first = (np.zeros(n), np.zeros(n)) if state is None else state
    room = int(1.5 * until / machine.step) + 500
    while True:
        output = room_for_steps(room, n, room)
        work = running.work_for(n, len(machine.names), len(machine.candidates) + len(machine.rounds.listed))
        count, status = running.mate_steps.at(_work(machine, until))(
            leader, course, shapes, machine.control(until), *first, output, work
        )
        if status != stepping.FULL or room >= _MOST:
            break
        room *= 4
    steps = ContactSteps(*(array[: count + 1].copy() for array in output))
    return RigidMatingRun(machine, until, steps, int(status), tuple(int(x) for x in work[20]))


def _work(machine: ContactMachine, until: float) -> float:
    """Of a run, in elementary steps."""
    return 4000.0 * until / machine.step


def predict(
    mechanism: Mechanism,
    *,
    drives: Mapping[str, Drive] | None = None,
    until: float | None = None,
) -> Run:
    """The legs of the document's drive, or of the one given."""
    if drives is not None:
        mechanism = replace(mechanism, drives=dict(drives))
    machine, ends = prepared(mechanism, until)
    with doing("steps"):
        run = rigid_run_of(machine, ends)
    if len(run.steps.times) < 2:
        problem = f"the run could not leave its start: {run.why}"
        raise UnsupportedError(problem, "draw the parts apart", f"parts.{machine.plan.part}")
    return Run(lambda: run.trajectory, run)


def prepared(mechanism: Mechanism, until: float | None = None) -> tuple[ContactMachine, float]:
    """The machine of a document, and when its run ends; refused where it cannot be run."""
    ask = mechanism.ask.mate if mechanism.ask is not None and mechanism.ask.mate is not None else AskMate()
    if ask.dynamics == "full":
        problem = "rigid contacts are stepped with the equations about the working point"
        raise UnsupportedError(problem, 'leave it out, or say "linear"', "ask.mate.dynamics")
    step = None if ask.step is None else float(ask.step)
    if step is not None and not 0 < step < 0.1:
        raise ModelError.at("ask.mate.step", f"{step:g} s is not a step", "give some tenths of a millisecond")
    machine = contact_machine(plan_of(mechanism), step=step)
    wanted = until if until is not None else None if ask.until is None else float(ask.until)
    ends = machine.course.duration + SETTLING if wanted is None else wanted
    if not (np.isfinite(ends) and ends > 0):
        raise ModelError.at("ask.mate.until", f"{ends} is not a time to run for", "give seconds, above zero")
    return machine, ends
