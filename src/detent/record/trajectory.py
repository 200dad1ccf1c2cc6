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
