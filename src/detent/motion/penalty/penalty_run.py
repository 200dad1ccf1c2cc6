"""A run of the penalty method: its evidence, and the trajectory read from it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from detent.contact.candidate import Candidates
from detent.foundation.units import unit_names
from detent.mechanics.tree import Tree
from detent.motion.penalty.loads import loads_of, wear_of
from detent.motion.penalty.stepping import (
    CONTACT,
    EVENTS,
    OverlapLog,
)
from detent.motion.penalty.tables import Overlapping
from detent.motion.penalty.work import fill_contact_work
from detent.motion.running.along import RunSteps
from detent.motion.running.minima import energy_minima
from detent.record.event import Cause, Event, EventKind
from detent.record.scope import Scope
from detent.record.trajectory import Trajectory

if TYPE_CHECKING:
    from detent.motion.running.loads import RunLoads
    from detent.motion.running.wear import ContactWear
    from detent.numeric.kernels import Speed

ROWS = 600  # of a trajectory, unless more are asked for
# Of the size: the deepest overlap that a stiffness of the method's own choice may lead to.
DEEPEST_OF_SIZE = 1e-3
_NONE = f"by the method: none that was tried keeps overlaps below {DEEPEST_OF_SIZE:g} of the size"
# Elementary steps of one step.
WORK = 3000.0


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
        fill_contact_work.at(WORK * n)(
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
