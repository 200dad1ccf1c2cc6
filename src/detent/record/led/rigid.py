"""A rigid mating: contacts in their order, forces on what is held, impulses, its end, its jamming diagram.

Lengths are in document units unless a name says mm or um, times in seconds, forces in newtons, impulses in
newton seconds. `Fx`, `Fy`, `Fz` are the contact force on what is held along the task's axes: x the way in.
Forces are means over `averaged_s`, impulses included; `impulses` lists them apart. A round peg above a round
hole has contacts of its own kind, told by pairs of surfaces (`rounds.py`), and the same answer about them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal

from msgspec import UNSET, UnsetType

from detent.foundation.units import unit_names
from detent.record.base import Value
from detent.record.compliant_mating import CompliantSeries, GoesIn, JammingPath
from detent.record.event import Event, Interval
from detent.record.led.mating import LedEnergy, PassedLimit
from detent.record.led.rounds import (
    OnePointRange,
    RoundBlow,
    RoundTouch,
    RoundTrace,
    SecondTouch,
    TwoPointRange,
)
from detent.record.run import Predicted
from detent.record.scope import UNTOLD, Scope
from detent.record.table import Tabular, with_unit

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
    contact_order: tuple[str, ...]  # what was loaded together, one after the other; of a round peg its pairs
    force: RigidForce
    penetration_um: float  # the deepest overlap at ends of steps
    impulses: tuple[Blow, ...] | tuple[RoundBlow, ...]
    traces: tuple[ContactTrace, ...] | tuple[RoundTrace, ...]
    first_contact: FoundContact | RoundTouch | None = None
    second_contact: FoundContact | SecondTouch | None = None
    jamming: JammingPath | None = None
    # Of flat faces.
    contacts: tuple[Interval, ...] | UnsetType = UNSET
    max_contact_force: float | UnsetType = UNSET  # from the depth on at which a second contact counts; means
    max_contact_force_beyond_20_mm: float | UnsetType | None = UNSET
    # Of a round peg.
    pairs: Mapping[str, str] | UnsetType = UNSET
    transfer_to_side: RoundTouch | None = None
    one_point: OnePointRange | None = None
    two_point: TwoPointRange | None = None


class RigidMating(Tabular, Predicted, frozen=True):
    """Do rigid parts go together, with what forces, or do they jam?"""

    robot: str
    leads: Literal["arm", "carrier", "elastic joint"]
    held: tuple[str, ...]
    insertion: GoesIn
    until: float  # [s]
    legs: tuple[RigidLeg, ...]
    clearance: Mapping[str, float] | float  # by axis, walls less sides; of round ones between the diameters
    largest_torques: Mapping[str, float]  # of motors and gears [N m]
    energy: LedEnergy
    solved: Mapping[str, int]  # how many contact problems, by how they were solved
    step: float  # [s]
    steps: int
    passed_limits: tuple[PassedLimit, ...] = ()
    task_axes: Mapping[str, Three] | UnsetType = UNSET
    peg: str | UnsetType = UNSET  # of a round peg: its part, and that of its hole
    hole: str | UnsetType = UNSET
    method: str = ""
    scope: Scope = UNTOLD
    notes: tuple[str, ...] = ()
    units: str = "m"

    @property
    def is_round(self) -> bool:
        """Whether it is told of a round peg above a round hole."""
        return self.peg is not UNSET

    def columns(self) -> dict[str, ColumnArray]:
        """The legs' series, one after the other."""
        import numpy as np

        from detent.record.frozen import read_only

        names = self.legs[0].force.series.columns
        rows = [row for leg in self.legs for row in leg.force.series.rows]
        table = np.array(rows, float).reshape(len(rows), len(names))
        return {_with_its_unit(name): read_only(table[:, k].copy()) for k, name in enumerate(names)}

    def _line(self) -> str:
        names = unit_names(self.units)
        last = self.legs[-1].end
        who = self.robot if self.peg is UNSET else self.peg
        return f"{who}: {last.cause}, tip {last.depth:.4g}{names.length} deep; {self.method}"


def _with_its_unit(name: str) -> str:
    """A series' column as a table heads it; those of round pegs have plain names."""
    if "[" in name:
        return name
    return with_unit(name.removesuffix("_mm"), {"time": "s", "depth_mm": "mm"}.get(name, "N"))
