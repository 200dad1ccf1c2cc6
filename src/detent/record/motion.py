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


SAME = 1e-9  # of the size: points nearer than this are one


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
    and what each joint carries, where something acts: loads, weights, springs; what each number is,
    and on which part it acts, is in `force_components`. A number that is not there is null, and
    `force_peaks` says why: `unbounded` at a dead point, `undetermined` by statics, or `unbalanced`.
    """

    inputs: Any  # one number per position; a list of numbers where several drives move at once
    markers: dict[str, Floats]
    poses: dict[str, Floats]  # x, y, angle
    velocities: dict[str, Any] = {}
    accelerations: dict[str, Any] = {}
    forces: dict[str, Any] = {}
    force_components: dict[str, tuple[str, ...]] = {}  # what each number is, and on which part it acts
    force_peaks: dict[str, Any] = {}  # by drive: least, most; by joint: most; where; or why there is none
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
    coordinate_units: tuple[str, ...] = ()  # of each: rad, or the document's unit
    times: Any = None
    method: str = "kinematic"
    notes: tuple[str, ...] = ()
    units: str = "m"
    title: str = ""
    speed_ran: str = "plain"

    def _line(self) -> str:
        return f"{self.title!r}: {len(self.inputs)} positions of {', '.join(self.drives)}, {self.stop}"

    def to_csv(self) -> str:
        """A header with units, then one row per position.

        The drives, the time where they have a speed, x and y of each point, its velocity (vx, vy) and
        acceleration (ax, ay), the angle of each part, transmission angles, and forces where something acts. A
        point that does not move is left out, and of points that move as one (the two markers of a pin) the
        first is given. A cell is empty where there is no number: without bound, or not determined.
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
        units = self.coordinate_units or ("",) * len(names)
        length = "" if self.units == "1" else self.units
        for k, (name, unit) in enumerate(zip(names, units, strict=True)):
            columns[_header(name, unit)] = [repr(float(x[k] if len(names) > 1 else x)) for x in self.inputs]
        if self.times is not None:
            columns["time [s]"] = [repr(float(t)) for t in self.times]
        per = "s" if self.times is not None else units[0] if len(names) == 1 else ""
        points = _distinct(self.markers)
        for end, tracks, power in (
            ("", self.markers, 0),
            ("v", self.velocities, 1),
            ("a", self.accelerations, 2),
        ):
            unit = length if not power else _per(length, per, power)
            for name in [name for name in tracks if name in points]:
                for k, axis in enumerate("xy"):
                    columns[_header(f"{name}.{end}{axis}", unit)] = [_cell(row, k) for row in tracks[name]]
        for name, pose in self.poses.items():
            if count < 2 or _moves(pose):
                columns[f"{name}.turn [rad]"] = [_cell(row, 2) for row in pose]
        for name, angles in self.transmission.items():
            columns[f"transmission {name.replace(', ', ' ')} [rad]"] = [repr(float(x)) for x in angles]
        for name, components in self.force_components.items():
            for k, what in enumerate(components):
                rows = self.forces[name]
                column = [_cell(row if isinstance(row, list) else [row], k) for row in rows]
                columns[f"force {name} {what}"] = column
        return {name: column for name, column in columns.items() if len(column) == count}


def _header(name: str, unit: str) -> str:
    return f"{name} [{unit}]" if unit else name


def _per(length: str, of: str, power: int) -> str:
    """The unit of a derivative; none where one of the two has none."""
    return f"{length}/{of}{'²' if power == 2 else ''}" if length and of else ""


def _moves(track: Any) -> bool:
    first = [float(x) for x in track[0]]
    return any([float(x) for x in row] != first for row in track)


def _distinct(markers: dict[str, Any]) -> list[str]:
    """Markers that move; of those that move as one, to rounding, the first."""
    size = max((abs(float(x)) for track in markers.values() for row in track for x in row), default=0.0)
    digits = SAME * size or 1.0
    seen: dict[tuple[tuple[int, ...], ...], str] = {}
    for name, track in markers.items():
        if len(track) < 2 or _moves(track):
            seen.setdefault(tuple(tuple(round(float(x) / digits) for x in row) for row in track), name)
    return list(seen.values())


def _cell(row: Any, k: int) -> str:
    return "" if row is None or len(row) <= k or row[k] is None else repr(float(row[k]))
