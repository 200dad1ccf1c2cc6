"""A mating led by a robot or a carrier: forces and the gripper's motion, beside the run without contact.

Rigid parts that touch beside what gives way are told apart: columns that end in `_rigid`, `push_giving_way`.
Lengths are in document units, times in seconds, forces in newtons, torques and moments in newton metres,
energies in joules. `Fx`, `Fy`, `Fz` are the force of the mating parts on what is held, in the task frame; a
push is what the drive must give against it, positive along the leg. The wrench is the same load at the
gripper's frame, on the gripper's axes, without weight and inertia of what the gripper holds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

from detent.foundation.units import unit_names
from detent.record.base import Value
from detent.record.compliant_mating import GoesIn, HookBending
from detent.record.event import Event, Interval, Stop
from detent.record.run import Predicted
from detent.record.scope import UNTOLD, Scope
from detent.record.table import Tabular

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

Three = tuple[float, float, float]


class LedForce(Value, frozen=True, omit_defaults=True):
    """Of one leg: the largest and the least push, the largest force across it, the work against it."""

    peak: float  # [N] the largest push
    peak_push: float  # [N] the same
    peak_at_travel: float
    peak_at_time: float  # [s]
    peak_task: Three  # [N] the force on what is held then: task frame
    pull_in: float  # [N] the least push
    lateral: float  # [N] the largest force across the leg
    moment: float  # [N m] the largest moment at the gripper's frame
    work: float  # [J] of the push along the gripper's way
    # Where rigid contacts are followed: the largest push of what gives way, and theirs, as a mean over 5 ms.
    peak_giving_way: float | None = None  # [N]
    peak_rigid: float | None = None  # [N]


class LedImpact(Value, frozen=True):
    """Rigid parts meet: the impulse on what is held, the gripper's speed along the leg before and after."""

    time: float  # [s]
    contacts: tuple[str, ...]
    impulse: Three  # [N s] in the task frame
    before: float
    after: float
    change: float  # of the speed along the leg
    change_of_any: float  # of the velocity as a vector


class Deviation(Value, frozen=True):
    """Of the gripper's velocity from the same run without contact; along the leg but for `largest_of_any`."""

    since: float  # [s]
    until: float  # [s]
    dip: float  # the least: zero or below
    dip_at: float  # [s]
    overshoot: float  # the largest: zero or above
    overshoot_at: float  # [s]
    largest: float  # of both, its size
    largest_of_any: float  # of the velocity as a vector


class LedLeg(Value, frozen=True):
    """One leg as it went, with what follows it until the next begins."""

    start: float  # [s]
    end: Stop
    events: tuple[Event, ...]
    contact_sequence: tuple[tuple[str, ...], ...]
    contacts: tuple[Interval, ...]
    force: LedForce
    entering: Deviation | None  # from the first touch; None where nothing touches
    leaving: Deviation | None  # from where the parts begin to let each other go; None where they do not
    until: float  # [s] up to when forces, work and deviations count: the next leg's start, or the run's end
    impacts: tuple[LedImpact, ...] = ()  # of rigid parts
    meeting: Deviation | None = None  # from where rigid parts touch first, up to what gives way
    bending: tuple[HookBending, ...] = ()  # of beams that carry hooks, the largest of the leg


class LedEnergy(Value, frozen=True):
    """Up to the end [J]; `unbalanced` is what the integration lost, at its largest."""

    input: float  # of actuators, or of the feet of springs
    stored: float
    dissipated: float  # in dampers and gears
    mating: float  # what the mating parts took
    impacts: float  # of it, in impacts of rigid parts
    unbalanced: float


class PassedLimit(Value, frozen=True):
    """A motor that was asked for more than it gives [N m], at rows of the answer's torques."""

    motor: str
    limit: float
    largest: float
    first: float  # [s] when it is passed first
    lasted: float  # [s] in all


class LedMating(Tabular, Predicted, frozen=True):
    """Does a robot put it together, with what forces, and how does that move the robot?"""

    TABLES: ClassVar[tuple[str, ...]] = ("series",)

    robot: str
    leads: Literal["arm", "carrier", "elastic joint"]
    held: tuple[str, ...]
    dynamics: Literal["linear", "full"]
    insertion: GoesIn
    until: float  # [s]
    largest_deviation: float  # of the gripper's velocity along the legs, entering and leaving [units/s]
    fastest: float  # speed that the legs ask for [units/s]
    legs: tuple[LedLeg, ...]
    energy: LedEnergy
    series: dict[str, Floats]  # by column, with its unit
    task_axes: dict[str, Three]
    gripper: Three  # where it is as drawn
    accuracy: float
    steps: int
    passed_limits: tuple[PassedLimit, ...] = ()
    method: str = ""
    scope: Scope = UNTOLD
    notes: tuple[str, ...] = ()
    units: str = "m"

    def columns(self) -> dict[str, Floats]:
        """Time, travel, the gripper's pose and velocity with and without contact, forces, wrench, torques."""
        return dict(self.series)

    def _line(self) -> str:
        names = unit_names(self.units)
        peak = max((leg.force.peak_push for leg in self.legs), default=0.0)
        return (
            f"{self.robot}: {self.insertion.answer}, peak push {peak:.4g}{names.force}, "
            f"largest deviation {self.largest_deviation:.4g}{names.speed}; {self.method}"
        )
