"""How a linkage moved along its drive: marker by marker, with limits, branch and stop."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, TypedDict

from detent.foundation.units import unit_names
from detent.record.base import Value
from detent.record.event import Cause, Event
from detent.record.run import Predicted
from detent.record.scope import UNTOLD, Scope
from detent.record.table import Tabular, with_unit

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


SAME = 1e-9  # of the size: points nearer than this are one
CANNOT_FOLLOW = "it cannot follow its drive further"  # of a linkage at a limit, alone or among designs


class Limit(Value, frozen=True):
    """A coordinate of the drive beyond which the linkage cannot follow, or where it passes a dead point."""

    input: float  # [rad] or document units
    kind: str  # limit: it cannot go beyond; change: it can, where two branches meet
    parts: tuple[str, ...]
    detail: str = ""
    joint: str = ""  # that is at a limit of its own; empty at a dead point


class PassingPair(Value, frozen=True, rename={"from_": "from"}):
    """Two parts that overlap while the linkage moves, which the method does not stop at."""

    parts: tuple[str, str]
    from_: Any  # the drive's coordinate where it begins, located between positions
    at_start: bool  # whether they overlap at the first position already
    depth: float  # at least so deep at the first place looked at where they overlap, in document units


SAMPLED = "sampled: at the steps of the run that followed contact"
# Names of extremes are one of these, then that of the part, the dyad, the joint.
TURN, TRANSMISSION, SLIDE = "turn ", "transmission ", "slide "


class Extremes(Value, frozen=True):
    """The least and greatest of a quantity on the whole drive path, between the positions shown too."""

    least: float
    greatest: float
    at: tuple[Any, ...]  # the drive's coordinates at the least, and at the greatest
    certainty: str  # proved: exact; computed: sought between positions, to rounding; or SAMPLED


class AssembledMarkers(TypedDict):
    """One way in which the links go together at the first position: x, y of each marker that can move."""

    branch: tuple[int, ...]  # signs of all dyads, those that do not move too; 0: free
    guesses: tuple[Any, ...]
    markers: Mapping[str, tuple[float, float]]
    free: tuple[str, ...]  # parts that rotate freely about one point, as two folded links do; listed as drawn


class Motion(Tabular, Predicted, frozen=True):
    """One row per position of the drive; lengths in document units, angles in radians.

    Arrays are read-only; where a number is not defined it is NaN, in JSON null. Velocities and
    accelerations are per unit of the drive's coordinate, or of time where the drive has a speed (then `times`
    has the instants); where several drives move without one, per whole course, from the first position
    asked for to the last (`rate_unit`); not defined where a dead point leaves them without bound. `forces`
    holds what each drive must give [N m, N] and what each joint carries, where something acts: loads,
    weights, springs; what each number is, and on which part, is in `force_components`. A force without
    bound is infinite, with the sign that it has on the way there. Where a number is not defined,
    `force_peaks` says why: `undetermined` by statics, or `unbalanced`. Where contacts that stick share what a
    drive takes with it, `force_ranges` has the least and the most at each position.
    """

    inputs: Floats  # a number per position; a row of numbers where several drives move at once
    markers: Mapping[str, Floats]  # x, y
    poses: Mapping[str, Floats]  # x, y, angle
    velocities: Mapping[str, Floats] = {}
    accelerations: Mapping[str, Floats] = {}
    forces: Mapping[str, Floats] = {}  # a number per position, or a row of `force_components`
    force_components: Mapping[str, tuple[str, ...]] = {}  # what each number is, and on which part it acts
    force_ranges: Mapping[str, Floats] = {}  # least and most of a drive, where contacts share its load
    force_peaks: Mapping[str, Mapping[str, Any]] = {}  # of a drive least, most; of a joint most, moment_most
    centres: Mapping[str, Floats] = {}  # instant centre of each part; NaN where it does not rotate
    transmission: Mapping[str, Floats] = {}  # [rad] between the links of each dyad of pins
    extremes: Mapping[
        str, Extremes
    ] = {}  # [rad] by `turn PART`, `transmission PARTS`; [units] by `slide JOINT`, or `slide box.x`
    limits: tuple[float, ...] = ()
    limit_points: tuple[Limit, ...] = ()
    scope: Scope = UNTOLD
    certified: str = ""  # what says that no limit was stepped over
    range: Mapping[str, Any] | None = None  # of a drive with limits: joint, at, from, to, looked, proved
    overlaps: tuple[PassingPair, ...] = ()  # parts that pass through each other
    branch: tuple[int, ...] = ()
    assemblies: tuple[AssembledMarkers, ...] = ()
    assemblies_beyond: int = 0  # more that close, each with a joint beyond its limits: they are not listed
    stop: Cause = "done"
    stopped_at: float | Floats | None = None  # the input, or a row of inputs
    stop_detail: str = ""  # what stopped it, where contact was followed
    gaps: tuple[Mapping[str, float], ...] = ()  # by position: of each joint that was left open
    events: tuple[Event, ...] = ()
    drives: tuple[str, ...] = ()
    coordinates: tuple[str, ...] = ()  # that the inputs are of: a drive, or `.x` and `.y` of a driven marker
    coordinate_units: tuple[str, ...] = ()  # of each: rad, or the document's unit
    times: Floats | None = None  # [s], where drives have a speed
    method: str = "kinematic"
    notes: tuple[str, ...] = ()
    units: str = "m"
    title: str = ""
    speed_ran: str = "plain"

    COLUMNS: ClassVar[tuple[str, ...]] = ("inputs", "times")
    TABLES: ClassVar[tuple[str, ...]] = (
        *("markers", "poses", "velocities", "accelerations", "forces"),
        *("force_ranges", "centres", "transmission"),
    )
    UNDEFINED: ClassVar[tuple[str, ...]] = (
        *("velocities", "accelerations", "forces", "force_ranges", "centres"),
    )
    BOUNDLESS: ClassVar[tuple[str, ...]] = ("forces", "force_ranges", "force_peaks")
    ROWS: ClassVar[tuple[str, ...]] = ("velocities", "accelerations", "centres")

    def _line(self) -> str:
        return f"{self.title!r}: {len(self.inputs)} positions of {', '.join(self.drives)}, {self.stop}"

    @property
    def turning(self) -> bool:
        """Whether the coordinate of the first drive is an angle."""
        return self.coordinate_units[:1] == ("rad",)

    @property
    def rate_unit(self) -> str:
        """What velocities are per: time, the drive's coordinate, or the whole course of several drives."""
        if self.times is not None:
            return unit_names(self.units).time.strip() or "time"
        return "course" if len(self.coordinate_units) > 1 else "".join(self.coordinate_units)

    def columns(self) -> dict[str, Floats]:
        """One row per position; names have units, as in the CSV.

        The drives, the time where they have a speed, x and y of each point, its velocity (vx, vy) and
        acceleration (ax, ay), the angle of each part, transmission angles, and forces where something acts. A
        point that does not move is left out, and of points that move as one (the two markers of a pin) the
        first is given. NaN, in the CSV an empty cell, where there is no number; infinite, in the CSV `inf`,
        what is a force without bound.
        """
        names = self.coordinates or self.drives
        units = self.coordinate_units or ("",) * len(names)
        inputs = _rows(self.inputs)
        columns = {
            with_unit(name, unit): inputs[:, k]
            for k, (name, unit) in enumerate(zip(names, units, strict=True))
            if k < inputs.shape[1]
        }
        if self.times is not None:
            columns[with_unit("time", unit_names(self.units).time.strip())] = self.times
        columns |= self._point_columns(self.rate_unit)
        for name, pose in self.poses.items():
            if len(pose) == 1 or _moves(pose):
                columns[f"{name}.turn [rad]"] = pose[:, 2]
        for name, angles in self.transmission.items():
            columns[f"transmission {name.replace(', ', ' ')} [rad]"] = angles
        for name, components in self.force_components.items():
            rows = _rows(self.forces[name])
            columns |= {f"force {name} {what}": rows[:, k] for k, what in enumerate(components)}
            if name in self.force_ranges:
                what, bracket, unit = components[0].partition(" [")
                for k, end in enumerate(("least", "most")):
                    columns[f"force {name} {what} {end}{bracket}{unit}"] = self.force_ranges[name][:, k]
        return {name: column for name, column in columns.items() if len(column) == len(self.inputs)}

    def _point_columns(self, per: str) -> dict[str, Floats]:
        """Places, velocities and accelerations of each point; `per`: the unit of the drive, or of time."""
        length = unit_names(self.units).length.strip()
        points = _distinct(self.markers)
        tables = (("", self.markers, 0), ("v", self.velocities, 1), ("a", self.accelerations, 2))
        return {
            with_unit(f"{name}.{end}{axis}", length if not power else _per(length, per, power)): track[:, k]
            for end, tracks, power in tables
            for name, track in tracks.items()
            if name in points and track.ndim == 2
            for k, axis in enumerate("xy")
        }


def _per(length: str, of: str, power: int) -> str:
    """The unit of a derivative; none where one of the two has none."""
    return f"{length}/{of}{'²' if power == 2 else ''}" if length and of else ""


def _rows(series: Floats) -> Floats:
    """A row per position, also of one number each, and where no position was reached."""
    return series[:, None] if series.ndim == 1 else series


def _moves(track: Floats) -> bool:
    return len(track) > 1 and bool((track != track[0]).any())


def _distinct(markers: Mapping[str, Floats]) -> set[str]:
    """Markers that move; of those that move as one, to rounding, the first."""
    size = max((float(abs(track).max(initial=0.0)) for track in markers.values()), default=0.0)
    digits = SAME * size or 1.0
    seen: dict[bytes, str] = {}
    for name, track in markers.items():
        if len(track) == 1 or _moves(track):
            seen.setdefault((track / digits).round().astype("int64").tobytes(), name)
    return set(seen.values())
