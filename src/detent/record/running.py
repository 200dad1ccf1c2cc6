"""What a machine did over time: its joints, contacts, energy and events."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from detent.foundation.units import unit_names
from detent.record.base import Value
from detent.record.event import Event, Stop
from detent.record.run import Predicted
from detent.record.scope import UNTOLD, Scope
from detent.record.table import Tabular, with_unit
from detent.record.trajectory import Energy

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


class ContactTotal(Value, frozen=True, omit_defaults=True):
    """What a contact did in a run: how often it began, its greatest force at the rows and impulse."""

    contact: str
    parts: tuple[str, str]
    count: int
    peak_force: float  # [N] at the rows of the answer: a sample
    peak_impulse: float  # [N s]


class Running(Tabular, Predicted, frozen=True):
    """One row per time; coordinates by joint, lengths in document units, angles in radians.

    `forces` are those of contacts, along their normals, at each row. `energy` has what drives put in, what
    is stored (moving, in springs, in height), what dampers and friction took, and what impacts took, up to
    each row. `ranges` are the least and greatest coordinates between rows too; `energy_minima` the times at
    which the machine comes nearly to rest.
    """

    times: Floats  # [s]
    states: Mapping[str, Floats]
    velocities: Mapping[str, Floats]
    forces: Mapping[str, Floats] = {}
    energy: Mapping[Energy, Floats] = {}
    events: tuple[Event, ...] = ()
    stop: Stop | None = None
    steps: int = 0
    ranges: Mapping[str, tuple[float, float]] = {}
    energy_minima: tuple[float, ...] = ()
    contacts: tuple[ContactTotal, ...] = ()
    scope: Scope = UNTOLD
    method: str = ""
    notes: tuple[str, ...] = ()
    units: str = "m"
    state_units: Mapping[str, str] = {}  # by joint: rad, or the document's unit
    title: str = ""
    speed_ran: str = "plain"

    COLUMNS: ClassVar[tuple[str, ...]] = ("times",)
    TABLES: ClassVar[tuple[str, ...]] = ("states", "velocities", "forces", "energy")

    def _line(self) -> str:
        stop = "" if self.stop is None else f", {self.stop.cause}"
        return f"{self.title!r}: {len(self.times)} rows, {self.steps} steps, {len(self.events)} events{stop}"

    def columns(self) -> dict[str, Floats]:
        """One row per time: coordinates and speeds of joints, forces of contacts, energies; with units."""
        names = unit_names(self.units)
        time = names.time.strip()
        columns = {with_unit("time", time): self.times}
        for name, column in self.states.items():
            columns[with_unit(name, self.state_units.get(name, ""))] = column
        for name, column in self.velocities.items():
            unit = self.state_units.get(name, "")
            columns[with_unit(f"{name}.speed", f"{unit}/{time}" if unit and time else "")] = column
        for name, column in self.forces.items():
            columns[with_unit(f"force {name}", names.force.strip())] = column
        for name, column in self.energy.items():
            columns[with_unit(f"energy {name}", names.energy.strip())] = column
        return columns
