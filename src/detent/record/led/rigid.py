"""A rigid mating: contacts in their order, forces on what is held, impulses, its end, its jamming diagram.

Lengths are in document units unless a name says mm or um, times in seconds, forces in newtons, impulses in
newton seconds. `Fx`, `Fy`, `Fz` are the contact force on what is held along the task's axes: x the way in.
Forces are means over `averaged_s`, impulses included; `impulses` lists them apart.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from detent.foundation.units import unit_names
from detent.record.base import Value
from detent.record.compliant_mating import CompliantSeries, GoesIn, JammingPath
from detent.record.event import Event, Interval
from detent.record.led.mating import LedEnergy, PassedLimit
from detent.record.run import Predicted
from detent.record.scope import UNTOLD, Scope
from detent.record.table import Tabular

if TYPE_CHECKING:
    from detent.record.table import ColumnArray

Three = tuple[float, float, float]


class RigidForce(Value, frozen=True, omit_defaults=True):
    """Of one leg. `peak_chamfer` is the extreme of Fx while the tip is shallow, `plateau` the mean over a
    range of depths, `end` the last mean; null where the part never was there.
    """

    peak_chamfer: float | None
    plateau: Three | None
    end: Three
    extreme: float  # of Fx, over the leg
    series: CompliantSeries
    averaged_s: float


class FoundContact(Value, frozen=True, omit_defaults=True):
    """When a contact begins, how deep the tip then is, and between what; null where none does."""

    time: float | None = None
    depth: float | None = None
    depth_mm: float | None = None
    contacts: tuple[str, ...] = ()
    named: tuple[str, ...] = ()  # as Meitinger & Pfeiffer's Fig. 20 names them


class RigidEnd(Value, frozen=True, omit_defaults=True):
    """How a leg ended: `jam` where the drive is used up and the part is not in, `wedged` where it would stay
    locked without the drive, or leaves no way on.
    """

    time: float
    cause: Literal["done", "jam", "wedged", "interrupted"]
    travel: float
    depth: float
    depth_mm: float | None = None
    detail: str = ""


class Blow(Value, frozen=True):
    """An impact: its impulse on what is held along the task's axes [N s], and what closed."""

    time: float
    impulse: Three
    contacts: tuple[str, ...]


class ContactTrace(Value, frozen=True):
    """Where one contact went while it was loaded, in the frames of both parts [document units]."""

    contact: str
    named: str
    held: str
    fixed: str
    times: tuple[float, ...]
    on_held: tuple[Three, ...]
    on_fixed: tuple[Three, ...]


class RigidLeg(Value, frozen=True, omit_defaults=True):
    """One leg as it went, up to where the next begins, or the run ends."""

    start: float
    end: RigidEnd
    events: tuple[Event, ...]
    contact_order: tuple[str, ...]  # what was loaded together, one after the other
    contacts: tuple[Interval, ...]
    force: RigidForce
    first_contact: FoundContact
    second_contact: FoundContact
    max_contact_force: float  # beyond the depth from which a second contact counts; means
    max_contact_force_beyond_20_mm: float | None
    penetration_um: float  # the deepest overlap at ends of steps
    impulses: tuple[Blow, ...]
    traces: tuple[ContactTrace, ...]
    jamming: JammingPath | None = None


class RigidMating(Tabular, Predicted, frozen=True):
    """Do rigid parts go together, with what forces, or do they jam?"""

    robot: str
    leads: Literal["arm", "carrier", "elastic joint"]
    held: tuple[str, ...]
    insertion: GoesIn
    until: float  # [s]
    legs: tuple[RigidLeg, ...]
    task_axes: dict[str, Three]
    clearance: dict[str, float]  # between walls and sides, by axis across the way in
    largest_torques: dict[str, float]  # of motors and gears [N m]
    energy: LedEnergy
    solved: dict[str, int]  # how many contact problems, by how they were solved
    step: float  # [s]
    steps: int
    passed_limits: tuple[PassedLimit, ...] = ()
    method: str = ""
    scope: Scope = UNTOLD
    notes: tuple[str, ...] = ()
    units: str = "m"

    def columns(self) -> dict[str, ColumnArray]:
        """The legs' series, one after the other."""
        import numpy as np

        from detent.record.frozen import read_only

        names = self.legs[0].force.series.columns
        rows = [row for leg in self.legs for row in leg.force.series.rows]
        table = np.array(rows, float).reshape(len(rows), len(names))
        return {name: read_only(table[:, k].copy()) for k, name in enumerate(names)}

    def _line(self) -> str:
        names = unit_names(self.units)
        last = self.legs[-1].end
        return f"{self.robot}: {last.cause}, tip {last.depth:.4g}{names.length} deep; {self.method}"
