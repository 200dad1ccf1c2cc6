"""What a machine did over time: its joints, contacts, energy and events."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from detent.foundation.units import unit_names
from detent.record.base import Value
from detent.record.event import Event, Stop
from detent.record.instant import Instant
from detent.record.run import Predicted
from detent.record.scope import UNTOLD, Scope
from detent.record.table import Tabular, with_unit
from detent.record.trajectory import Energy

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


class ContactTotal(Value, frozen=True, omit_defaults=True):
    """What a contact went through in a run: how often it began, what it carried, how far it slid."""

    contact: str
    parts: tuple[str, str]
    count: int
    peak_force: float  # [N] sampled at 6 places per step, of penalty at the ends of its steps
    peak_impulse: float  # [N s] of one blow
    peak_at: float = 0.0  # [s] when the force was greatest
    impulse: float = 0.0  # [N s] all its blows, and its force over time
    sliding: float = 0.0  # under load [document units]


class Running(Tabular, Predicted, frozen=True):
    """One row per time; coordinates by joint, lengths in document units, angles in radians.

    `forces` are those of contacts, along their normals, at each row (of stops of pins torques), and
    `friction` those across, along (n_y, -n_x) on the second part. A row of `reactions` is what the first
    part of a joint's `between` puts on the second: its force along x and y at the second part's point,
    its moment about that point; NaN where statics leaves it open. Where friction locks, and where drives are
    blocked, they are infinite in the last row, in JSON `{"unbounded": true}`; so are speeds, torques and
    energies at a dead point. `torques` are the net torques on
    parts, about the pin a part hangs on, else its centre of mass. `energy` has what drives put in, what
    is stored (moving, in springs, in height), what dampers and friction took, and what impacts took, up
    to each row. `ranges` are the least and greatest coordinates between rows too; `energy_minima` the
    times at which the machine comes nearly to rest.
    """

    times: Floats  # [s]
    states: Mapping[str, Floats]
    velocities: Mapping[str, Floats]
    forces: Mapping[str, Floats] = {}
    friction: Mapping[str, Floats] = {}
    reactions: Mapping[str, Floats] = {}  # by joint, a row of three: N, N, N m
    torques: Mapping[str, Floats] = {}  # by part [N m]
    energy: Mapping[Energy, Floats] = {}
    events: tuple[Event, ...] = ()
    stop: Stop | None = None
    steps: int = 0
    ranges: Mapping[str, tuple[float, float]] = {}
    energy_minima: tuple[float, ...] = ()
    contacts: tuple[ContactTotal, ...] = ()
    instants: tuple[Instant, ...] = ()  # those that were asked for
    scope: Scope = UNTOLD
    method: str = ""
    notes: tuple[str, ...] = ()
    units: str = "m"
    size: float = 0.0  # of the machine, in these units: what is far below it is rounding
    state_units: Mapping[str, str] = {}  # by joint: rad, or the document's unit
    title: str = ""
    speed_ran: str = "plain"

    COLUMNS: ClassVar[tuple[str, ...]] = ("times",)
    TABLES: ClassVar[tuple[str, ...]] = (
        "states", "velocities", "forces", "friction", "reactions", "torques", "energy",
    )  # fmt: skip
    UNDEFINED: ClassVar[tuple[str, ...]] = ("reactions",)
    BOUNDLESS: ClassVar[tuple[str, ...]] = (
        "velocities", "forces", "friction", "reactions", "torques", "energy", "contacts", "instants",
    )  # fmt: skip

    def _line(self) -> str:
        stop = "" if self.stop is None else f", {self.stop.cause}"
        return f"{self.title!r}: {len(self.times)} rows, {self.steps} steps, {len(self.events)} events{stop}"

    def columns(self) -> dict[str, Floats]:
        """One row per time: coordinates and speeds of joints, forces, reactions, torques, energies; with
        units."""
        names = unit_names(self.units)
        time = names.time.strip()
        columns = {with_unit("time", time): self.times}
        for name, column in self.states.items():
            columns[with_unit(name, self.state_units.get(name, ""))] = column
        for name, column in self.velocities.items():
            unit = self.state_units.get(name, "")
            columns[with_unit(f"{name}.speed", f"{unit}/{time}" if unit and time else "")] = column
        at_pins = {name for event in self.events if event.coordinate_unit == "rad" for name in event.after}
        for name, column in self.forces.items():
            unit = names.torque if name in at_pins else names.force  # a stop of a pin has a torque
            columns[with_unit(f"force {name}", unit.strip())] = column
        for name, column in self.friction.items():
            columns[with_unit(f"friction {name}", names.force.strip())] = column
        for name, rows in self.reactions.items():
            for k, what in enumerate(("x", "y", "moment")):
                unit = names.force if k < 2 else names.torque
                columns[with_unit(f"reaction {name} {what}", unit.strip())] = rows[:, k]
        for name, column in self.torques.items():
            columns[with_unit(f"torque {name}", names.torque.strip())] = column
        for name, column in self.energy.items():
            columns[with_unit(f"energy {name}", names.energy.strip())] = column
        return columns
