"""How a linkage moved along its drive: marker by marker, with limits, branch and stop."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from detent.record.base import Record, Value
from detent.record.event import Cause, Event

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


class Limit(Value, frozen=True):
    """A coordinate of the drive beyond which the linkage cannot follow, or where it passes a dead point."""

    input: float  # [rad] or document units
    kind: str  # limit: it cannot go beyond; change: it can, where two branches meet
    parts: tuple[str, ...]
    detail: str = ""


class Motion(Record, frozen=True):
    """One row a position of the drive; lengths in document units, angles in radians.

    Velocities and accelerations are by the drive's coordinate, or by time where
    the drive has a speed (then `times` has the instants); null where a dead point
    leaves them without bound. `forces` holds what each drive must give [N m, N]
    and what each pin carries [N], where loads are given.
    """

    inputs: Any  # one number a position; a list of numbers where several drives move at once
    markers: dict[str, Floats]
    poses: dict[str, Floats]  # x, y, turn
    velocities: dict[str, Any] = {}
    accelerations: dict[str, Any] = {}
    forces: dict[str, Any] = {}
    centres: dict[str, Any] = {}  # instant centre of each part; null where it does not turn
    transmission: dict[str, Floats] = {}  # [rad] between the links of each dyad of pins
    limits: tuple[float, ...] = ()
    limit_points: tuple[Limit, ...] = ()
    certified: str = ""  # what says that no limit was stepped over
    branch: tuple[int, ...] = ()
    assemblies: tuple[dict[str, Any], ...] = ()
    stop: Cause = "done"
    stopped_at: Any = None
    gaps: tuple[Any, ...] = ()  # by position, where joints were let stretch
    events: tuple[Event, ...] = ()
    drives: tuple[str, ...] = ()
    times: Any = None
    method: str = "kinematic"
    notes: tuple[str, ...] = ()
    units: str = "m"
    title: str = ""
    speed_ran: str = "plain"

    def to_csv(self) -> str:
        """A header, then one row a position: the drives, then x and y of each marker."""
        return "\n".join(",".join(row) for row in self.table()) + "\n"

    def table(self) -> list[list[str]]:
        """The rows of the CSV, with their header."""
        head = [*self.drives]
        for name in self.markers:
            head += [f"{name}.x", f"{name}.y"]
        rows = [head]
        for i, given in enumerate(self.inputs):
            row = [repr(float(x)) for x in (given if len(self.drives) > 1 else (given,))]
            for track in self.markers.values():
                row += [repr(float(track[i][0])), repr(float(track[i][1]))]
            rows.append(row)
        return rows
