"""A run of the penalty method: from a document to a trajectory and its evidence."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from detent.contact.candidate import Candidates, candidates
from detent.foundation.errors import ModelError, UnsupportedError
from detent.foundation.progress import doing, reached
from detent.foundation.units import unit_names
from detent.mechanics.closing_rows import COORDINATE
from detent.mechanics.tree import Tree, loop_tables, tree_of
from detent.mechanics.tree_kernels import mass_and_force, place_tree, plane_state
from detent.model.machine.system import compile_system
from detent.motion.penalty.loads import loads_of, wear_of
from detent.motion.penalty.log import joined
from detent.motion.penalty.stepping import (
    CONTACT,
    DEEPEST,
    EVENTS,
    FULL,
    MERGED,
    NO_INERTIA,
    NOW,
    OPEN,
    REJECTED,
    STEPS,
    OverlapLog,
    advance,
    begin,
    new_log,
    new_motion,
)
from detent.motion.penalty.stops import stops_of
from detent.motion.penalty.tables import Overlapping, overlapping
from detent.motion.penalty.work import fill_contact_work
from detent.motion.running.along import MOST_KEPT, RunSteps, coordinate_scales
from detent.motion.running.beginning import pairs_in_each_other
from detent.motion.running.driving import Driven, driven_of, pushed
from detent.motion.running.minima import energy_minima
from detent.motion.running.starting import refuse_unsound, start_of
from detent.record.event import Cause, Event, EventKind
from detent.record.run import Run
from detent.record.scope import Scope
from detent.record.trajectory import Trajectory

if TYPE_CHECKING:
    from detent.model.document.drive import Drive
    from detent.model.document.mechanism import Mechanism
    from detent.motion.running.loads import RunLoads
    from detent.motion.running.wear import ContactWear
    from detent.numeric.kernels import Speed

ROWS = 600  # of a trajectory, unless more are asked for
# Of the size: the deepest overlap that a stiffness of the method's own choice may lead to.
DEEPEST_OF_SIZE = 1e-3
_CHOICES = 8  # how often it is chosen at most
_NONE = f"by the method: none that was tried keeps overlaps below {DEEPEST_OF_SIZE:g} of the size"
_AS_DEEP = 0.7  # of the overlap of parts at most a quarter as stiff: stiffness does not help
# Elementary steps of one step.
_WORK = 3000.0
# Sliding speed over the size and second, at which friction is nearly all there.
_SLIPPING = 1e-4


@dataclass(frozen=True, eq=False)
class PenaltyRun:
    """The method's own data: what it took, and what it did."""

    tree: Tree
    possible: Candidates
    over: Overlapping
    stiffness: float  # [N/m]
    damping: float  # [N s/m²]
    features: str
    accuracy: float
    until: float
    deepest: float  # overlap at the ends of steps [m]
    opened: float  # how far joints that close loops were open before they were closed again [m, rad]
    steps: int
    rejected: int  # steps tried in vain
    merged: int  # changes of contacts too close in time to be told apart
    choices: int  # stiffnesses tried; 0: it was given
    slipping: float  # sliding speed at which friction has 0.71 of its full value [m/s]
    log: OverlapLog
    full: bool  # it ended because it kept as much as a run may
    speed_ran: Speed

    @cached_property
    def along(self) -> RunSteps:
        """Its steps, to be read at any times."""
        return RunSteps(self.tree, self.log.steps[: self.steps], self.log.points[: self.steps])

    @cached_property
    def energy_minima(self) -> tuple[float, ...]:
        """When the machine comes nearly to rest."""
        return energy_minima(self.along)

    @cached_property
    def events(self) -> tuple[Event, ...]:
        """What begins and ends to touch, by contact."""
        rows = self.log.events[: self.log.counted[EVENTS]]
        return tuple(self._event(row) for row in rows)

    def _event(self, row: Any) -> Event:
        candidate, begins = int(row[2]), int(row[1]) == CONTACT
        name, bodies = self.name(candidate), self.tree.system.bodies
        if candidate < len(self.over.listed):
            kind: EventKind = "contact"
            pair = self.over.pairs[self.over.listed[candidate, 3]]
        else:
            kind = "limit"
            joint = self.tree.system.joint(name.rpartition(".")[0])
            pair = joint.a.body, joint.b.body
        return Event(
            time=float(row[0]),
            kind=kind if begins else "release",
            before=() if begins else (name,),
            after=(name,) if begins else (),
            subjects=tuple(bodies[body].name for body in pair if body >= 0),
        )

    def name(self, candidate: int) -> str:
        """Of a contact; of a stop `joint.min` or `joint.max`."""
        stop = candidate - len(self.over.listed)
        if stop < 0:
            return self.possible.name(candidate)
        coordinate, side = self.over.stops[stop, :2]
        return f"{self.tree.coordinates[int(coordinate)]}.{'max' if side > 0 else 'min'}"

    def loads(self, times: Any) -> RunLoads:
        """Forces of contacts and joints at times in order."""
        driven = [self.tree.coordinates[int(row[0])] for row in self.over.drives]
        return loads_of(self.tree, self.possible, self.over, self.log, driven, times)

    @cached_property
    def wear(self) -> dict[str, ContactWear]:
        """By contact: greatest force, sliding under load, impulse."""
        return wear_of(self.possible, self.over, self.log)

    def contact_forces(self, times: Any) -> dict[str, Any]:
        """[N] By contact, along its normal, at times in order; zero where it does not push."""
        return self.loads(times).pushes

    def contact_energy(self, times: Any) -> Any:
        """(rows, 3): stored in overlaps at each time, taken by contacts and given by drives up to it [J]."""
        work = np.zeros((len(times), 3))
        log, n = self.log, self.steps
        fill_contact_work.at(_WORK * n)(
            self.over, log.steps[:n], log.points[:n], log.touching[:n], log.pushing[:n], times, work
        )
        return work

    @property
    def meeting(self) -> float:
        """[m/s] The speed that half of the contacts begin with at least; without any, no bound."""
        rows = self.log.events[: self.log.counted[EVENTS]]
        speeds = rows[rows[:, 3] > 0.0, 3]
        return float(np.median(speeds)) if len(speeds) else math.inf

    @property
    def scope(self) -> Scope:
        """What the run holds for."""
        return Scope(
            certainty="computed",
            covers="the motion of parts that yield where they touch, "
            f"to a relative accuracy of {self.accuracy:g} per step",
            left_out=(
                "friction in joints",
                "elasticity of parts but for their contacts",
            ),
            assumed=self.notes,
        )

    def trajectory(self, rows: int = ROWS) -> Trajectory:
        """In so many equal intervals of time."""
        return self.trajectory_at(self.along.even_times(rows))

    def trajectory_at(self, times: Any) -> Trajectory:
        """At times in order."""
        columns, contacts = self.along.at(times), self.contact_energy(times)
        return self.along.trajectory(
            columns,
            energy={
                "input": columns.driven + contacts[:, 2],
                "stored": columns.kinetic + columns.stored + contacts[:, 0],
                "dissipated": columns.damped + contacts[:, 1],
                "impact": np.zeros(len(times)),
            },
            events=self.events,
            ended=self._ended(),
            method=f"penalty, {self.features}",
            notes=self.notes,
            speed_ran=self.speed_ran,
        )

    def _ended(self) -> tuple[Cause, str]:
        if self.along.end >= self.until * (1 - 1e-12):
            return "done", ""
        if self.full:
            return self.along.all_kept(self.steps)
        return "interrupted", "contacts change too often to go on"

    @property
    def _rebound(self) -> str:
        """How fast parts can come off each other at most, in words: where the law pushes no more."""
        if self.damping == 0.0:
            return "as fast as the blow"
        system = self.tree.system
        fastest = self.stiffness / self.damping / system.metres_per_unit
        return f"at {fastest:.3g}{unit_names(system.mechanism.units).speed} at most"

    @property
    def notes(self) -> tuple[str, ...]:
        """What was taken."""
        system = self.tree.system
        unit, names = system.metres_per_unit, unit_names(system.mechanism.units)
        per_length, per_speed = (" N/m", " N s/m²") if names.force else ("", "")
        how = "so that parts overlap little" if self.deepest <= DEEPEST_OF_SIZE * system.size else _NONE
        chosen = f", chosen {how}" if self.choices else ""
        notes = [
            f"contact stiffness {self.stiffness:.4g}{per_length}{chosen}; "
            f"damping {self.damping:.4g}{per_speed}",
            f"deepest overlap {self.deepest / unit:.3g}{names.length}, "
            f"{self.deepest / system.size:.2g} of the size of {system.size / unit:.4g}{names.length}",
            f"restitution is not used: a rebound follows from stiffness and damping, {self._rebound}",
        ]
        if len(self.over.loops):
            notes.append(
                "joints that close loops are closed again after each step; before, they were open by "
                f"{self.opened:.2g} at most (metres, radians)"
            )
        if len(self.over.stops):
            notes.append(
                "limits of joints yield as contacts do; those of pins at an arm of a tenth of the size"
            )
        if self.over.law[:, 2].any():
            notes.append(
                f"friction grows with the sliding speed up to about {self.slipping / unit:.3g}{names.speed}"
            )
        return tuple(notes)


def predict(
    mechanism: Mechanism,
    *,
    stiffness: float | None,
    damping: float | None,
    features: Literal["outline", "primitives"],
    accuracy: float | None,
    drives: Mapping[str, Drive] | None = None,
    until: float | None = None,
) -> Run:
    """Runs a machine over time."""
    if until is None:
        raise UnsupportedError("this method runs over time", "say until when: `until` [s]", "until")
    system = compile_system(mechanism)
    tree = tree_of(system)
    driven = driven_of(tree, mechanism.drives if drives is None else drives, start_of(tree))
    _refuse_plans(driven)
    tree = pushed(tree, driven)
    refuse_unsound(tree)
    left_out = pairs_in_each_other(tree, start_of(tree)[0])
    possible = candidates(system, bounded=features, plane=True, left_out=left_out)
    assert isinstance(possible, Candidates)
    choose = PenaltyChoice(tree, possible, features, accuracy or _ACCURACY, until, driven)
    evidence = choose.run(stiffness, damping)
    return Run(evidence.trajectory, evidence, finer=evidence.trajectory)


def _refuse_plans(driven: Driven) -> None:
    """This method holds coordinates of the tree to one constant speed each."""
    for each in driven.coordinates:
        steady = len(each.pieces) == 1 and each.pieces[0].acceleration == 0.0
        if each.measured.bodies[2] != COORDINATE or not steady:
            words = "the penalty method drives joints that close no loop, at one constant speed"
            raise UnsupportedError(
                words, "use the rigid method, or give `speed` alone", f"drives.{each.drive}"
            )


@dataclass(frozen=True, eq=False)
class PenaltyChoice:
    """What a run needs besides its stiffness, and how that is chosen."""

    tree: Tree
    possible: Candidates
    features: Literal["outline", "primitives"]
    accuracy: float
    until: float
    driven: Driven = field(default_factory=lambda: Driven((), {}, ()))

    def run(self, stiffness: float | None, damping: float | None) -> PenaltyRun:
        """With a stiffness, or with the first that keeps overlaps small; likewise its damping.

        Parts come off each other at 1 / ratio at most, ratio being damping over stiffness. So a ratio far
        above the inverse of the speeds at which parts meet lets nothing rebound: a lever that did would be
        off its lock, or be driven deep between two others.
        """
        size = self.tree.system.size
        force, speed = self.scales()
        chosen = force / (_SINKING * DEEPEST_OF_SIZE * size) if stiffness is None else stiffness
        ratio, most, softer = _QUICK / speed, _QUICK / (_SLOWEST * speed), None
        for choice in range(1, _CHOICES + 1):
            numbered = choice if stiffness is None else 0
            run = self.once(chosen, ratio * chosen if damping is None else damping, numbered)
            deep = stiffness is None and run.deepest > DEEPEST_OF_SIZE * size
            rebounds = damping is None and ratio < most and ratio * run.meeting < 1.0
            if not (deep or rebounds) or choice == _CHOICES:
                break
            if rebounds:
                ratio = min(_QUICK / run.meeting, most)
                continue
            if softer is not None and run.deepest > _AS_DEEP * softer.deepest:
                return softer  # a point that passes another sinks as deep, however stiff
            softer = run
            # Of a blow the overlap goes down with the root of the stiffness, of a load with itself.
            chosen *= max(4.0, 2.0 * (run.deepest / (DEEPEST_OF_SIZE * size)) ** 2)
        return run

    def scales(self) -> tuple[float, float]:
        """A force [N] and a speed [m/s] that springs, weights and inertias of the machine make likely."""
        tree, freedoms = self.tree, self.tree.freedoms
        y, v = start_of(tree)
        state = plane_state(tree.machine)
        place_tree(tree.machine, y, v, state)
        mass, force = np.zeros((freedoms, freedoms)), np.zeros(freedoms)
        mass_and_force(tree.machine, state, mass, force)
        reach, size = coordinate_scales(tree), tree.system.size
        # Of a rotation the arm is likely a tenth of the size.
        arms = np.where(reach == 1.0, 0.1 * size, 1.0)
        forces = np.abs(force) / arms
        masses = np.diag(mass) / arms**2
        strongest = float(forces.max(initial=0.0)) or float(masses.max(initial=1.0))
        moving = masses > 0
        rates = forces[moving] / masses[moving]
        speed = math.sqrt(2 * float(rates.max(initial=0.0)) * 0.1 * size)
        return strongest, max(speed, float(np.abs(v * arms).max(initial=0.0))) or size

    def once(self, stiffness: float, damping: float, choice: int) -> PenaltyRun:
        """One run; logs grow as needed."""
        tree, system = self.tree, self.tree.system
        slipping = _SLIPPING * system.size
        law = np.array([self._law(pair, stiffness, damping, slipping) for pair in self.possible.pairs])
        law = law.reshape(-1, 4)
        y, v = start_of(tree)
        stops = stops_of(tree)
        over = overlapping(
            tree.machine,
            self.possible,
            law,
            primitives=self.features == "primitives",
            size=system.size,
            loops=loop_tables(tree),
            drives=[
                (each.measured.bodies[0], each.pieces[0].speed, each.pieces[0].value)
                for each in self.driven.coordinates
            ],
            stops=stops,
            stop_law=[(stiffness, damping, 0.0, slipping) for _ in stops],
        )
        scales = coordinate_scales(tree)
        moving = new_motion(
            over, scales, until=self.until, accuracy=self.accuracy, first=1e-5 * self.until, y=y, v=v
        )
        log, logs = new_log(tree.freedoms, _LOGGED, _LOGGED), []
        work = 2000 * _WORK
        begin.at(work)(over, moving, log)
        with doing("running the machine"):
            while True:
                code = advance.at(work)(over, moving, log)
                if code == NO_INERTIA:
                    raise ModelError.at(
                        "parts", "a part that moves has no inertia", "give mass, inertia or density"
                    )
                logs.append(log)
                if code != FULL or len(logs) * sum(array.nbytes for array in log) > MOST_KEPT:
                    break
                reached(len(logs) * _LOGGED, detail=f"steps, {moving.clock[NOW]:.4g} of {self.until:g} s")
                log = new_log(tree.freedoms, _LOGGED, _LOGGED)
        log = joined(logs)
        count = int(log.counted[STEPS])
        return PenaltyRun(
            tree, self.possible, over, stiffness, damping, self.features, self.accuracy, self.until,
            float(moving.clock[DEEPEST]), float(moving.clock[OPEN]), count,
            int(log.counted[REJECTED]), int(log.counted[MERGED]), choice,
            slipping, log, code == FULL, advance.speed(work),
        )  # fmt: skip

    def _law(self, pair: Any, stiffness: float, damping: float, slipping: float) -> tuple[float, ...]:
        bodies, touching = self.tree.system.bodies, self.tree.system.touching
        friction = touching.friction(bodies[pair[0]].name, bodies[pair[1]].name)
        return stiffness, damping, float(friction or 0), slipping


# The load sinks in by this share of the overlap allowed.
_SINKING = 0.1
# Damping over stiffness, times the speed at which parts likely meet; and that speed at least, of the likely.
_QUICK = 100.0
_SLOWEST = 1e-3
_ACCURACY = 2e-5
_LOGGED = 4096  # steps that a log has room for
