"""How a linkage moved along its drive: marker by marker, with limits, branch and stop."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from detent.record.base import Value
from detent.record.event import Cause, Event
from detent.record.run import Predicted

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


class Motion(Predicted, frozen=True):
    """One row per position of the drive; lengths in document units, angles in radians.

    Velocities and accelerations are by the drive's coordinate, or by time where
    the drive has a speed (then `times` has the instants); null where a dead point
    leaves them without bound. `forces` holds what each drive must give [N m, N]
    and what each pin carries [N], where loads are given.
    """

    inputs: Any  # one number per position; a list of numbers where several drives move at once
    markers: dict[str, Floats]
    poses: dict[str, Floats]  # x, y, angle
    velocities: dict[str, Any] = {}
    accelerations: dict[str, Any] = {}
    forces: dict[str, Any] = {}
    centres: dict[str, Any] = {}  # instant centre of each part; null where it does not rotate
    transmission: dict[str, Floats] = {}  # [rad] between the links of each dyad of pins
    limits: tuple[float, ...] = ()
    limit_points: tuple[Limit, ...] = ()
    certified: str = ""  # what says that no limit was stepped over
    branch: tuple[int, ...] = ()
    assemblies: tuple[dict[str, Any], ...] = ()
    stop: Cause = "done"
    stopped_at: Any = None
    gaps: tuple[Any, ...] = ()  # by position, where joints were allowed a gap
    events: tuple[Event, ...] = ()
    drives: tuple[str, ...] = ()
    coordinates: tuple[str, ...] = ()  # that the inputs are of: a drive, or `.x` and `.y` of a driven marker
    times: Any = None
    method: str = "kinematic"
    notes: tuple[str, ...] = ()
    units: str = "m"
    title: str = ""
    speed_ran: str = "plain"

    def _line(self) -> str:
        return f"{self.title!r}: {len(self.inputs)} positions of {', '.join(self.drives)}, {self.stop}"

    def to_csv(self) -> str:
        """A header, then one row per position.

        The drives, the time where they have a speed, x and y of each marker, its
        velocity (vx, vy) and acceleration (ax, ay), the angle of each part,
        transmission angles, and forces where loads are given.
        """
        return "\n".join(",".join(row) for row in self.table()) + "\n"

    def table(self) -> list[list[str]]:
        """The rows of the CSV, with their header; a cell is empty where a number has no bound."""
        columns = self._columns()
        return [list(columns), *(list(row) for row in zip(*columns.values(), strict=True))]

    def _columns(self) -> dict[str, list[str]]:
        count = len(self.inputs)
        columns: dict[str, list[str]] = {}
        names = self.coordinates or self.drives
        for k, name in enumerate(names):
            columns[name] = [repr(float(x[k] if len(names) > 1 else x)) for x in self.inputs]
        if self.times is not None:
            columns["time"] = [repr(float(t)) for t in self.times]
        for end, tracks in (("", self.markers), ("v", self.velocities), ("a", self.accelerations)):
            for name, track in tracks.items():
                for k, axis in enumerate("xy"):
                    columns[f"{name}.{end}{axis}"] = [_cell(row, k) for row in track]
        for name, pose in self.poses.items():
            columns[f"{name}.turn"] = [_cell(row, 2) for row in pose]
        for name, angles in self.transmission.items():
            columns[f"transmission {name.replace(', ', ' ')}"] = [repr(float(x)) for x in angles]
        for name, values in self.forces.items():
            if values and isinstance(values[0], float):
                columns[f"force {name}"] = [repr(float(x)) for x in values]
            else:
                for k, axis in enumerate("xy"):
                    columns[f"force {name}.{axis}"] = [_cell(row, k) for row in values]
        return {name: column for name, column in columns.items() if len(column) == count}


def _cell(row: Any, k: int) -> str:
    return "" if row is None or len(row) <= k else repr(float(row[k]))
