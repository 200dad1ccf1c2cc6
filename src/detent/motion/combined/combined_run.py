"""A mating led by a robot or a carrier with force laws and rigid contacts at once, and the same without both.

Steps are those of rigid contact (`motion/rigid/mating/`), to which the laws of what gives way are added; they
are read as a led run is. Forces of rigid contacts are means over some milliseconds, impulses included: of a
single step they have no limit as steps shrink.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from msgspec.structs import replace

from detent.foundation.errors import ModelError, UnsupportedError
from detent.foundation.progress import doing
from detent.library.mating.known_laws import BRANCHES
from detent.library.robots.serial_arm import Floats
from detent.model.document.ask import AskMate
from detent.model.document.drive import Drive
from detent.model.document.mechanism import Mechanism
from detent.model.machine.pushed.compliant import gives_way
from detent.motion.combined.pairs import followed_pairs
from detent.motion.compliant.followed import Connection
from detent.motion.compliant.led.compiled import compiled_laws, laws_contacts
from detent.motion.compliant.led.coupling import Coupled
from detent.motion.compliant.led.led_run import (
    SETTLING,
    CoupledRun,
    Impact,
    led_connections,
    refuse_out_of_reach,
    smoothed,
    steps_of,
)
from detent.motion.compliant.led.steps import LedSteps
from detent.motion.leading.course import course_of
from detent.motion.leading.plan import plan_of
from detent.motion.rigid.mating.energy import taken_by_contacts, wrenches_of
from detent.motion.rigid.mating.machine import ContactMachine, contact_leader, contact_machine
from detent.motion.rigid.mating.mating_run import RigidMatingRun, rigid_run_of
from detent.record.run import Run

NAME = "combined, led"
STEP = 2.5e-4  # [s] unless the document says
AVERAGED = 5e-3  # [s] over which forces of rigid contacts are means
_FREE = 1e-5  # accuracy of the run without contact: of the way and of the speed, in each step
_HALVINGS = 40
_COARSEST = 1e-2  # [s] of a step


@dataclass(frozen=True, eq=False)
class CombinedSteps(LedSteps):
    """Steps of rigid contact, and where a law changes its wall between their ends.

    Speeds jump where there is an impact; read at its time they are those after it.
    """

    rigid: RigidMatingRun
    soft: tuple[tuple[str, ...], ...]  # what touches of what gives way, at each end

    @property
    def gives_way(self) -> tuple[tuple[str, ...], ...]:
        """Where nothing that gives way touches in the whole run, all that does."""
        return self.soft if any(self.soft) else self.contacts

    def at(self, times: Any) -> tuple[Floats, Floats, Floats]:
        q, v = self.rigid.steps.at(times)
        t = np.atleast_1d(np.asarray(times, float))
        k = self.step_of(t)
        lasts = self.times[k + 1] - self.times[k]
        jump = (self.speeds[k + 1] - self.speeds[k]) / lasts[:, None]
        return q, v, jump


@dataclass(frozen=True, eq=False)
class CombinedRun(CoupledRun):
    """The evidence: a led run that rigid contacts take part in."""

    rigid: RigidMatingRun
    left_out: tuple[str, ...]

    @property
    def name(self) -> str:
        return NAME

    @property
    def stepped_by(self) -> str:
        step = self.rigid.machine.step
        return (
            f"in steps of {step:g} s at most, of second order; forces of rigid contacts are means over "
            f"{AVERAGED:g} s, impulses included"
        )

    @property
    def contacts_left_out(self) -> tuple[str, ...]:
        others = self.rigid.machine.leader.left_out
        return (*self.left_out, *(each for each in others if each not in self.leader.left_out))

    @property
    def contacts_assumed(self) -> tuple[str, ...]:
        return tuple(each for each in self.rigid.machine.assumed if each not in self.leader.assumed)

    @property
    def smooth_assumed(self) -> bool:
        return bool(self.connections) and super().smooth_assumed

    @cached_property
    def _added(self) -> tuple[Floats, Floats]:
        """Times, each twice, and the wrench's impulse up to there: before the impact at it and after."""
        steps = self.rigid.steps
        blows, over = wrenches_of(steps, self.leader)
        before = np.vstack([np.zeros(6), np.cumsum(blows + over, axis=0)[:-1]])
        return np.repeat(steps.times, 2), np.stack([before, before + blows], axis=1).reshape(-1, 6)

    def _contact_wrench(self, times: Floats) -> Floats:
        known, impulses = self._added
        # Both ends are just before: an impact at the first counts, and one at the last does not.
        low = np.maximum(times - AVERAGED / 2, known[0])
        high = np.minimum(times + AVERAGED / 2, known[-1])  # at the run's ends over what is there
        first, last = (np.searchsorted(known, at, "left") for at in (low, high))
        lasted = np.maximum(high - low, np.finfo(float).tiny)[:, None]
        given = _read(known, impulses, high, last) - _read(known, impulses, low, first)
        return np.asarray(given / lasted)

    @cached_property
    def contact_work(self) -> tuple[Floats, Floats]:
        """What contacts take, in all and in impacts."""
        steps = self.rigid.steps
        taken, impacts = (
            np.asarray(np.interp(self.steps.times, steps.times, each))
            for each in taken_by_contacts(steps, self.leader)
        )
        return taken, impacts

    @cached_property
    def impacts(self) -> tuple[Impact, ...]:
        steps, moves, found = self.rigid.steps, self.leader.moves, []
        for k in np.flatnonzero((steps.blows[:, :, 0] > 0).any(axis=1)).tolist():
            n = int(steps.counts[k])
            names = [
                self.rigid.machine.name_of(int(steps.candidates[k, i]))
                for i in range(n)
                if steps.blows[k, i, 0] > 0
            ]
            found.append(
                Impact(
                    float(steps.times[k]),
                    tuple(dict.fromkeys(names)),
                    steps.blows[k, :n, 1:].sum(axis=0),
                    moves @ steps.closing[k],
                    moves @ steps.speeds[k],
                )
            )
        return tuple(found)


def _read(known: Floats, impulses: Floats, at: Floats, place: Any) -> Floats:
    """Impulses at times, between the entries before and at `place`."""
    high = np.clip(place, 0, len(known) - 1)
    low = np.clip(place - 1, 0, len(known) - 1)
    lasts = known[high] - known[low]
    share = np.clip((at - known[low]) / np.where(lasts > 0, lasts, 1.0), 0.0, 1.0)[:, None]
    return np.asarray(impulses[low] + share * (impulses[high] - impulses[low]))


def predict(
    mechanism: Mechanism, *, drives: Mapping[str, Drive] | None = None, until: float | None = None
) -> Run:
    """The legs of the document's drive, or of the one given."""
    if drives is not None:
        mechanism = replace(mechanism, drives=dict(drives))
    run = combine(mechanism, until=until)
    return Run(lambda: run.trajectory, run)


@dataclass(frozen=True, eq=False)
class Prepared:
    """All that a run needs."""

    machine: ContactMachine
    connections: tuple[Connection, ...]
    coupled: Coupled
    until: float
    left_out: tuple[str, ...]


def combine(mechanism: Mechanism, *, until: float | None = None, step: float | None = None) -> CombinedRun:
    """The run of a document, and the same without contact."""
    ready = combination(mechanism, until=until, step=step)
    plan, coupled = ready.machine.plan, ready.coupled
    with doing("with contact"):
        rigid = rigid_run_of(ready.machine, ready.until)
    if len(rigid.steps.times) < 2:
        problem = f"the run could not leave its start: {rigid.why}"
        raise UnsupportedError(problem, "draw the parts apart", f"parts.{plan.part}")
    steps = _steps(rigid, coupled)
    with doing("without contact"):
        free, _ = steps_of(coupled.without_contact, float(steps.times[-1]), _FREE)
    return CombinedRun(
        mechanism,
        plan,
        ready.connections,
        coupled,
        ready.until,
        "linear",
        _FREE,
        steps,
        free,
        rigid.done,
        rigid,
        ready.left_out,
    )


def combination(mechanism: Mechanism, *, until: float | None = None, step: float | None = None) -> Prepared:
    """The machine of a document, its laws, when its run ends; refused where it cannot be run."""
    plan, ask = plan_of(mechanism), _asked(mechanism)
    leader = contact_leader(mechanism, plan)
    if leader is None:
        problem = f"what pushes {plan.part!r} holds it without inertia, and rigid contacts need some"
        remedy = "put the part on an elastic joint of what is pushed, or on a robot or a carrier"
        raise UnsupportedError(problem, remedy, f"drives.{plan.drive}")
    if ask.dynamics == "full":
        problem = "rigid contacts are stepped with the equations about the working point"
        raise UnsupportedError(problem, 'leave it out, or say "linear"', "ask.mate.dynamics")
    wanted = step if step is not None else STEP if ask.step is None else float(ask.step)
    if not 0 < wanted <= _COARSEST:
        raise ModelError.at("ask.mate.step", f"{wanted:g} s is not a step", "give tenths of a millisecond")
    pairs, left_out = followed_pairs(plan, leader)
    if not pairs:
        problem = "no held part with flat faces may touch a fixed one with flat faces"
        remedy = 'draw the hole of the rigid part as a part of its own, or ask with method = "compliant"'
        raise UnsupportedError(problem, remedy, "parts")
    connections = led_connections(plan, leader) if gives_way(mechanism) else ()
    laws = tuple(smoothed(one.law, plan) for one in connections)
    course = course_of(plan.legs)
    coupled = Coupled(leader, course, laws, tuple(plan.frame(law.moving) for law in laws))
    refuse_out_of_reach(leader, plan)
    compiled = compiled_laws(coupled)
    if compiled is None:
        problem = "only the laws of rings are followed beside rigid contacts"
        raise UnsupportedError(problem, 'ask with method = "compliant"', f"joints.{laws[0].name}")
    numbers = (compiled.moves, compiled.places, compiled.numbers) if laws else None
    ends = until if until is not None else None if ask.until is None else float(ask.until)
    ends = course.duration + SETTLING if ends is None else ends
    if not (np.isfinite(ends) and ends > 0):
        raise ModelError.at("ask.mate.until", f"{ends} is not a time to run for", "give seconds, above zero")
    machine = contact_machine(plan, step=wanted, only=pairs, force_laws=numbers)
    return Prepared(machine, connections, coupled, ends, left_out)


def _asked(mechanism: Mechanism) -> AskMate:
    ask = mechanism.ask.mate if mechanism.ask is not None else None
    return AskMate() if ask is None else ask


def _steps(rigid: RigidMatingRun, coupled: Coupled) -> CombinedSteps:
    """With what touches at each end, and where a law changes its wall in between."""
    steps, laws = rigid.steps, compiled_laws(coupled)
    assert laws is not None

    def walls(times: Floats) -> list[tuple[str, ...]]:
        q, v = steps.at(times)
        branches = np.atleast_2d(laws.branches_at(coupled, q, v))
        totals = [int(sum(b * BRANCHES**k for k, b in enumerate(row[::-1].tolist()))) for row in branches]
        return [laws_contacts(laws, total) for total in totals]

    at_ends = walls(steps.times) if coupled.laws else [()] * len(steps.times)
    changes: list[tuple[float, tuple[str, ...]]] = []
    for k in [k for k in range(len(at_ends) - 1) if at_ends[k] != at_ends[k + 1]]:
        low, high = float(steps.times[k]), float(steps.times[k + 1])
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            if walls(np.array([middle]))[0] == at_ends[k]:
                low = middle
            else:
                high = middle
        if steps.times[k] < high < steps.times[k + 1]:
            changes.append((high, walls(np.array([high]))[0]))
    pushing = [_pushing(rigid, k) for k in range(len(steps.times) - 1)]
    pushing.append(pushing[-1])  # no step begins at the end
    rows = [*zip(steps.times.tolist(), at_ends, pushing, strict=True)]
    rows += [(t, found, pushing[int(np.searchsorted(steps.times, t, "right")) - 1]) for t, found in changes]
    rows.sort(key=lambda row: row[0])
    times = np.array([row[0] for row in rows])
    q, v = steps.at(times)
    return CombinedSteps(
        times,
        q,
        v,
        np.zeros((len(times) - 1, 2, q.shape[1])),
        tuple((*found, *touching) for _, found, touching in rows),
        (None,) * len(times),
        "steps of rigid contact",
        rigid,
        tuple(found for _, found, _ in rows),
    )


def _pushing(rigid: RigidMatingRun, k: int) -> tuple[str, ...]:
    """Rigid contacts that push over the step from row k on."""
    steps = rigid.steps
    n = int(steps.counts[k])
    on = [i for i in range(n) if steps.impulses[k, i, 0] > 0]
    return tuple(dict.fromkeys(rigid.machine.name_of(int(steps.candidates[k, i])) for i in on))
