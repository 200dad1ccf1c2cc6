"""A mating of parts that give way: what the push must give, over its way, and what touches.

Lengths are in document units, times in seconds from the start of the plan, forces in newtons, moments in
newton metres. Forces are what the drive must give: the push is positive along the leg. A force without bound
is `{"unbounded": true}`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from msgspec import UNSET, UnsetType

from detent.foundation.units import unit_names
from detent.record.base import Value
from detent.record.event import Event, Interval, Stop
from detent.record.run import Predicted
from detent.record.scope import UNTOLD, Scope
from detent.record.table import Tabular, with_unit

if TYPE_CHECKING:
    from detent.record.table import ColumnArray


class CompliantForce(Value, frozen=True, omit_defaults=True):
    """Of one leg: the largest and the least push, where they are, and the work of the drive.

    `peak_push` is `peak`; `pull_in` is the least push, below zero where the parts draw each other on.
    `peak_lift` is the largest force across the push, of all hooks together; `dissipated` is what they lose
    of their stored energy where they let go. Of a ring: `plateau` is the push
    within the narrowest cylinder of the bore, `plateau_load` the whole load on the ring there, in the
    frame of Meitinger & Pfeiffer: x from the bore's axis to where the ring is squeezed most, z against the
    push; `lateral` and `moment` are its F_x and M_y where F_x is largest, `moment_most` the M_y that is
    largest on the leg. Of a peg
    `peak_chamfer`, `peak_two_points` and `peak_chamfer_exact` are the contact force on what is held along the
    leg, below zero as it holds the peg off, `plateau` (its mean with one contact) and `end` that force along
    the world's axes.
    """

    peak: float  # [N]
    peak_push: float  # [N]
    peak_at_travel: float
    peak_at_travel_mm: float | None = None
    pull_in: float = 0.0  # [N]
    pull_in_at_travel: float | None = None
    peak_lift: float | None = None  # [N]
    plateau: float | tuple[float, float, float] | None = None  # [N]
    peak_chamfer: float | None = None  # [N]
    peak_chamfer_exact: float | None = None  # [N], by the exact geometry
    peak_two_points: float | None = None  # [N]
    end: tuple[float, float, float] | None = None  # [N]
    plateau_load: Mapping[str, float] = {}  # F_x, F_y, F_z [N], M_x, M_y, M_z [N m]
    peak_before_land_mm: float | None = None
    lateral: float | None = None  # [N]
    moment: float | None = None  # [N m]
    moment_most: float | None = None  # [N m]
    work: float = 0.0  # [J]
    dissipated: float | None = None  # where hooks let go [J]
    curve: tuple[tuple[float, float], ...] = ()
    curve_columns: tuple[str, ...] = ()
    curve_travel_push_lift: tuple[tuple[float, float, float], ...] = ()


class HookBending(Value, frozen=True, omit_defaults=True):
    """The largest bending stress and strain of a hook's beam over a leg, and how far below what is allowed.

    A safety is the strain that the material allows over the one here: below one it is exceeded. `force` is
    what acts across the beam there, `deflection` how far its tip is aside; the forces allowed are that force
    times the safety, with the same lever, as a linear beam has it.
    """

    joint: str
    stress: float  # [Pa]
    strain: float
    from_root: float  # of the beam, where it is
    deflection: float = 0.0  # of the beam's tip [document units]
    force: float = 0.0  # across the beam [N]
    strain_once: float | None = None
    safety_once: float | None = None
    force_once: float | None = None  # [N]
    strain_repeated: float | None = None
    safety_repeated: float | None = None
    force_repeated: float | None = None  # [N]


class ClassicHook(Value, frozen=True, omit_defaults=True):
    """A hook by the formulas of snap-fit calculators, as drawn, beside what was followed.

    `force` is across the beam at the peak, which the undercut deflects; `mating` and `retention` are the
    pushes over ramp and return, null where friction locks. `outside` says why it is out of their range; empty
    within.
    """

    joint: str
    length: float  # from the root to the peak [document units]
    undercut: float
    ramp_deg: float
    return_deg: float
    friction: float
    force: float  # [N]
    strain: float
    mating: float | None  # [N]
    retention: float | None  # [N]
    outside: tuple[str, ...] = ()


class SecondContact(Value, frozen=True, omit_defaults=True):
    """Where a peg comes to touch the hole on two sides, and where it no longer does; null where it never
    does.

    Depths are of its tip, on the pressed side, below the rims. `wedging` is whether two contacts begin
    at l/d < mu, where they may lock.
    """

    time: float | None = None  # [s]
    depth: float | None = None
    depth_mm: float | None = None
    depth_exact: float | None = None  # by the exact geometry
    ends_at: float | None = None
    wedging: bool = False


class JammingPath(Value, frozen=True):
    """The jamming diagrams of a peg where two contacts begin and end, and the load's path over the leg.

    A load (F_x/F_z, M/(r F_z)) at the tip moves the peg in where it is inside the parallelogram. `leaves` is
    the depth at which none does: null where it goes on.
    """

    depth: tuple[float, ...]  # of the diagrams
    lam: tuple[float, ...]  # l / (mu d)
    vertices: tuple[tuple[tuple[float, float], ...], ...]
    path: tuple[tuple[float, float, float, float], ...]
    path_columns: tuple[str, ...]
    leaves: float | None


class CompliantLeg(Value, frozen=True, omit_defaults=True):
    """One leg of the plan as it went."""

    start: float  # [s]
    end: Stop
    events: tuple[Event, ...]
    contact_sequence: tuple[tuple[str, ...], ...]
    contacts: tuple[Interval, ...]
    force: CompliantForce
    bending: tuple[HookBending, ...] = ()
    second_contact: SecondContact | None = None  # of a peg
    jamming: JammingPath | None = None  # of a peg with friction


class CompliantSeries(Value, frozen=True):
    """A table over all legs: names of columns with units, rows of numbers; null where there is none."""

    columns: tuple[str, ...]
    rows: tuple[tuple[float | None, ...], ...]
    smoothed_s: float | UnsetType = UNSET  # [s] over which forces of round pegs are means


class GoesIn(Value, frozen=True):
    """Whether legs 1 to `last_leg` brought it in, and why."""

    answer: Literal["yes", "no", "not yet", "nothing touched", "undecided"]
    why: str
    last_leg: int = 1  # at whose end it is judged


class CompliantMating(Tabular, Predicted, frozen=True):
    """Does it go together, and with what force over the way?"""

    insertion: GoesIn
    legs: tuple[CompliantLeg, ...]
    series: CompliantSeries
    connections: tuple[Mapping[str, Any], ...] = ()
    classic: tuple[ClassicHook, ...] = ()
    method: str = ""
    scope: Scope = UNTOLD
    notes: tuple[str, ...] = ()
    units: str = "m"

    BOUNDLESS: ClassVar[tuple[str, ...]] = ("legs", "series")

    def columns(self) -> dict[str, ColumnArray]:
        """Leg, time, travel, push, the load on the pushed part, then what each connection tells."""
        import numpy as np

        from detent.record.frozen import read_only

        rows = [[float("nan") if x is None else x for x in row] for row in self.series.rows]
        table = np.array(rows, float).reshape(len(rows), len(self.series.columns))
        return {
            name: read_only(table[:, k].astype(int) if name == "leg" else table[:, k].copy())
            for k, name in enumerate(self.series.columns)
        }

    def _line(self) -> str:
        legs = ", ".join(
            f"leg {number} {leg.end.cause}, peak {leg.force.peak:.4g}{unit_names(self.units).force}"
            for number, leg in enumerate(self.legs, 1)
        )
        return f"{legs or 'no legs'}; {self.method}"


def series_columns(units: str) -> tuple[str, ...]:
    """The names of the columns that every series begins with."""
    names = unit_names(units)
    length, time, force, torque = (
        unit.strip() for unit in (names.length, names.time, names.force, names.torque)
    )
    return (
        "leg",
        with_unit("time", time),
        with_unit("travel", length),
        with_unit("push", force),
        *(with_unit(f"load_{axis}", force) for axis in "xyz"),
        *(with_unit(f"moment_{axis}", torque) for axis in "xyz"),
        with_unit("work", names.energy.strip()),
    )
