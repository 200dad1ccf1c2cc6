"""States over time, the event log, and why it stopped."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from detent.record.base import Record, Value
from detent.record.event import Event, Stop

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

Speed = Literal["plain", "compiled"]


class State(Value, frozen=True, omit_defaults=True):
    """Where the joints stand at one instant, and how fast they move."""

    time: float  # [s]
    coordinates: dict[str, float]
    speeds: dict[str, float] = {}


class Trajectory(Record, frozen=True):
    """A run: one row a time.

    `coordinates` and `speeds` hold a column a joint; `poses` an array a part,
    rows (x, y, turn) in the plane, (x, y, z, w, i, j, k) in space, with the
    quaternion's real part first. Lengths are in document units, angles in
    radians. `speed_ran` says whether kernels ran as plain Python or compiled.
    """

    times: Floats  # [s], or the driven coordinate where `times_are` says so
    times_are: str = "time"
    coordinates: dict[str, Floats] = {}
    speeds: dict[str, Floats] = {}
    poses: dict[str, Floats] = {}
    events: tuple[Event, ...] = ()
    stop: Stop | None = None
    units: str = "m"
    speed_ran: Speed = "plain"

    def state(self, index: int) -> State:
        """The state at one row."""
        return State(
            time=float(self.times[index]),
            coordinates={name: float(column[index]) for name, column in self.coordinates.items()},
            speeds={name: float(column[index]) for name, column in self.speeds.items()},
        )

    def to_csv(self) -> str:
        """A header, then one row a time; columns named `joint` and `joint.speed`."""
        columns = {self.times_are: self.times, **self.coordinates}
        columns |= {f"{name}.speed": column for name, column in self.speeds.items()}
        return table_csv(columns)


def table_csv(columns: dict[str, Floats]) -> str:
    """Columns of numbers as CSV with a header; numbers as Python prints them."""
    lines = [",".join(columns)]
    for row in zip(*(column.tolist() for column in columns.values()), strict=True):
        lines.append(",".join(map(repr, row)))
    return "\n".join(lines) + "\n"


class _Written(Value, frozen=True, forbid_unknown_fields=True):
    """A Trajectory as JSON holds it."""

    times: list[float]
    times_are: str = "time"
    coordinates: dict[str, list[float]] = {}
    speeds: dict[str, list[float]] = {}
    poses: dict[str, list[list[float]]] = {}
    events: tuple[Event, ...] = ()
    stop: Stop | None = None
    units: str = "m"
    speed_ran: Speed = "plain"


def read_trajectory(text: bytes | str) -> Trajectory:
    """The Trajectory that `to_json` wrote; a ValueError says what is wrong with other text."""
    import msgspec
    import numpy as np

    try:
        given = msgspec.json.decode(text, type=_Written)
    except msgspec.MsgspecError as error:
        raise ValueError(str(error)) from None
    tables = {
        key: {name: np.array(column, dtype=float) for name, column in getattr(given, key).items()}
        for key in ("coordinates", "speeds", "poses")
    }
    for name, column in (entry for table in tables.values() for entry in table.items()):
        if len(column) != len(given.times):
            raise ValueError(f"{name!r} has {len(column)} rows for {len(given.times)} times")
    for name, rows in tables["poses"].items():
        if rows.ndim != 2 or rows.shape[1] not in (3, 7):
            raise ValueError(f"the poses of {name!r} need rows of 3 or 7 numbers")
    return Trajectory(
        times=np.array(given.times, dtype=float),
        times_are=given.times_are,
        events=given.events,
        stop=given.stop,
        units=given.units,
        speed_ran=given.speed_ran,
        **tables,
    )
