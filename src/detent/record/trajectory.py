"""States over time, the event log, and why it stopped."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from detent.foundation.units import unit_names
from detent.numeric.kernels import Speed
from detent.record.base import Record, Value
from detent.record.event import Event, Interval, Stop
from detent.record.table import Tabular, with_unit

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

Energy = Literal["input", "stored", "dissipated", "impact"]
WrittenColumn = tuple[float | None, ...]  # one number per time, null where it is not known


class JointState(Value, frozen=True, omit_defaults=True):
    """The positions and velocities of the joints at one instant."""

    time: float  # [s]
    coordinates: dict[str, float]
    speeds: dict[str, float] = {}


class Trajectory(Tabular, Record, frozen=True):
    """A run: one row per time, the same record from every method.

    A method fills what it knows and leaves the rest empty: nothing in it is a
    guess. Lengths are in document units, angles in radians, forces in newtons,
    torques in newton metres, energies in joules. `times_are` names what the
    times count: seconds ("time"), a driven coordinate by the name of its drive,
    or the number of a "position". `speed_ran` says whether kernels ran as plain
    Python or compiled. Arrays are read-only; in forces and energies NaN stands where
    a number has no bound or is not known.
    """

    COLUMNS: ClassVar[tuple[str, ...]] = ("times",)
    TABLES: ClassVar[tuple[str, ...]] = ("coordinates", "speeds", "poses", "velocities", "forces", "energy")
    UNDEFINED: ClassVar[tuple[str, ...]] = ("forces", "energy")

    times: Floats  # [s], or the driven coordinate where `times_are` says so
    times_are: str = "time"
    coordinates: Mapping[str, Floats] = {}  # by joint
    speeds: Mapping[str, Floats] = {}  # by joint: of its coordinate [1/s]
    poses: Mapping[str, Floats] = {}  # by part: x, y, angle | x, y, z, w, i, j, k (w is the real part)
    # By part, of its origin: x, y, angle | x, y, z, about x, y, z [1/s].
    velocities: Mapping[str, Floats] = {}
    events: tuple[Event, ...] = ()
    stop: Stop | None = None
    units: str = "m"
    speed_ran: Speed = "plain"
    method: str = ""  # that made it, as "quasistatic, exact"
    contacts: tuple[Interval, ...] = ()  # which were loaded, for how long
    forces: Mapping[str, Floats] = {}  # `drive NAME`, a joint or a contact
    energy: Mapping[Energy, Floats] = {}  # up to each row; what is stored, at it [J]
    legs: tuple[tuple[float, float], ...] = ()  # from and to, of each leg of the plan
    notes: tuple[str, ...] = ()
    certified: str = ""  # what says that no event was stepped over
    times_unit: str = ""  # of times that are a driven coordinate: rad, or the document's unit
    coordinate_units: Mapping[str, str] = {}  # by joint: rad, or the document's unit
    force_units: Mapping[str, str] = {}  # by column of `forces`: N or N m; none with `units = "1"`

    def _line(self) -> str:
        stop = "" if self.stop is None else f", {self.stop.cause}"
        return f"{len(self.times)} rows of {self.times_are}, {len(self.events)} events{stop}"

    def state(self, index: int) -> JointState:
        """The state at one row."""
        return JointState(
            time=float(self.times[index]),
            coordinates={name: float(column[index]) for name, column in self.coordinates.items()},
            speeds={name: float(column[index]) for name, column in self.speeds.items()},
        )

    def columns(self) -> dict[str, Floats]:
        """One row per time: the time, coordinates and speeds of joints, forces, energies; with units."""
        columns = {with_unit(self.times_are, self.unit_of_times): self.times}
        for name, column in self.coordinates.items():
            if name != self.times_are:
                columns[with_unit(name, self.coordinate_units.get(name, ""))] = column
        time = unit_names(self.units).time.strip()
        for name, column in self.speeds.items():
            unit = self.coordinate_units.get(name, "")
            columns[with_unit(f"{name}.speed", f"{unit}/{time}" if unit and time else "")] = column
        columns |= {
            with_unit(f"force {name}", self.force_units.get(name, "")): column
            for name, column in self.forces.items()
        }
        energy = unit_names(self.units).energy.strip()
        return columns | {with_unit(f"energy {name}", energy): column for name, column in self.energy.items()}

    @property
    def unit_of_times(self) -> str:
        """Seconds, rad or the document's unit; empty for the number of a position, and with `units = "1"`."""
        return unit_names(self.units).time.strip() if self.times_are == "time" else self.times_unit


class _Written(Value, frozen=True, forbid_unknown_fields=True):
    """A Trajectory as JSON holds it; what a file of an earlier version lacks has a default."""

    times: list[float]
    times_are: str = "time"
    coordinates: dict[str, list[float]] = {}
    speeds: dict[str, list[float]] = {}
    poses: dict[str, list[list[float]]] = {}
    velocities: dict[str, list[list[float]]] = {}
    events: tuple[Event, ...] = ()
    stop: Stop | None = None
    units: str = "m"
    speed_ran: Speed = "plain"
    method: str = ""
    contacts: tuple[Interval, ...] = ()
    forces: dict[str, WrittenColumn] = {}
    energy: dict[Energy, WrittenColumn] = {}
    legs: tuple[tuple[float, float], ...] = ()
    notes: tuple[str, ...] = ()
    certified: str = ""
    times_unit: str = ""
    coordinate_units: dict[str, str] = {}
    force_units: dict[str, str] = {}


_ARRAYS = ("coordinates", "speeds", "poses", "velocities")
_WIDTHS = {"poses": (3, 7), "velocities": (3, 6)}  # in the plane, in space


def read_trajectory(text: bytes | str) -> Trajectory:
    """The Trajectory that `to_json` wrote; a ValueError says what is wrong with other text."""
    import msgspec
    import numpy as np

    try:
        written = msgspec.json.decode(text, type=_Written)
    except msgspec.MsgspecError as error:
        raise ValueError(str(error)) from None
    tables: dict[str, dict[str, Floats]] = {
        key: {name: np.array(column, dtype=float) for name, column in getattr(written, key).items()}
        for key in _ARRAYS
    }
    columns: list[dict[Any, Any]] = [*tables.values(), written.forces, written.energy]
    for name, column in (entry for table in columns for entry in table.items()):
        if len(column) != len(written.times):
            raise ValueError(f"{name!r} has {len(column)} rows for {len(written.times)} times")
    for key, widths in _WIDTHS.items():
        for name, rows in tables[key].items():
            if rows.ndim != 2 or rows.shape[1] not in widths:
                raise ValueError(f"the {key} of {name!r} need rows of {widths[0]} or {widths[1]} numbers")
    plain = {key: getattr(written, key) for key in _Written.__struct_fields__ if key not in _ARRAYS}
    return Trajectory(**{**plain, "times": np.array(written.times, dtype=float), **tables})
