"""A round peg on its way into a hole, rigid on rigid: which surfaces touched, where, with what forces.

Times in seconds, forces in newtons, impulses in newton seconds; depths of the tip's centre below the hole's
face, in millimetres where a name says so. Angles are about the hole's axis from its part's x. Forces are
means over `smoothed_s`, impulses included; `impulses` lists them apart. `F_z` is the contact force on the peg
along the way in, below zero as it holds the peg off; `lambda1`, … are the normal forces of the pairs.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal

from detent.record.base import Value
from detent.record.compliant_mating import GoesIn
from detent.record.event import Event
from detent.record.run import Predicted
from detent.record.scope import UNTOLD, Scope
from detent.record.table import Tabular, with_unit

if TYPE_CHECKING:
    from detent.record.table import ColumnArray

Two = tuple[float, float]
Three = tuple[float, float, float]


class RoundTouch(Value, frozen=True, omit_defaults=True):
    """Where a pair of surfaces comes to push; `lambda_max_N` is its largest force over the leg."""

    pair: int
    t: float
    tip_depth_mm: float
    angle_deg: float
    lambda_max_N: float | None = None  # noqa: N815


class OnePointRange(Value, frozen=True):
    """From 20 mm deep to the second contact: least and largest means; the tilt at the end."""

    lambda2_N: Two  # noqa: N815
    F_z_N: Two
    tilt_end_mrad: Two


class SecondTouch(Value, frozen=True, omit_defaults=True):
    """Where the peg comes to touch the wall inside, too."""

    t: float
    tip_depth_mm: float
    tilt_mrad: Two
    tilt_abs_mrad: float
    angle3_deg: float
    angle2_deg: float | None = None


class TwoPointRange(Value, frozen=True, omit_defaults=True):
    """From the second contact on: largest contact forces, the extreme along the way, where they end."""

    lambda2_max: float
    lambda3_max: float
    F_z_min: float
    angle2_end_deg: float | None = None
    angle3_end_deg: float | None = None


class RoundSeries(Value, frozen=True):
    """Rows over time: s, mm, N."""

    columns: tuple[str, ...]
    smoothed_s: float
    rows: tuple[tuple[float, ...], ...]


class RoundForce(Value, frozen=True):
    """`peak_chamfer` is the extreme of F_z while the tip is less than 12 mm deep."""

    peak_chamfer: float
    extreme: float
    series: RoundSeries


class RoundEnd(Value, frozen=True, omit_defaults=True):
    """How the leg ended: `jam` where the drive is used up and the peg is not in; `wedged` where nothing but a
    peg larger than its hole holds it.
    """

    depth_mm: float
    time: float
    cause: Literal["done", "jam", "wedged", "interrupted"]
    detail: str = ""


class RoundBlow(Value, frozen=True):
    """An impact: its impulse on the peg along the way in and across it [N s], and the pairs that met."""

    time: float
    along: float
    across: float
    pairs: tuple[str, ...]


class RoundTrace(Value, frozen=True):
    """Where a pair touched while it pushed: angles about each part's axis [deg], below the hole's face and
    above the peg's tip [mm].
    """

    pair: str
    times: tuple[float, ...]
    on_hole: tuple[Two, ...]
    on_peg: tuple[Two, ...]


class RoundLeg(Value, frozen=True, omit_defaults=True):
    """One leg as it went, up to where the next begins, or the run ends."""

    start: float
    contact_order: tuple[str, ...]  # pairs that pushed at once, one after the other
    pairs: Mapping[str, str]
    force: RoundForce
    end: RoundEnd
    penetration_um: float  # the deepest overlap at ends of steps
    first_contact: RoundTouch | None = None
    transfer_to_side: RoundTouch | None = None
    one_point: OnePointRange | None = None
    second_contact: SecondTouch | None = None
    two_point: TwoPointRange | None = None
    events: tuple[Event, ...] = ()
    impulses: tuple[RoundBlow, ...] = ()
    traces: tuple[RoundTrace, ...] = ()


class RoundMating(Tabular, Predicted, frozen=True):
    """Does a round peg go into its hole, and what happens on the way?"""

    robot: str
    leads: Literal["arm", "carrier", "elastic joint"]
    held: tuple[str, ...]
    peg: str
    hole: str
    insertion: GoesIn
    until: float  # [s]
    legs: tuple[RoundLeg, ...]
    clearance: float  # of the diameters of the straight sides, less than zero of a peg that is too large
    largest_torques: Mapping[str, float]  # of motors and gears [N m]
    solved: Mapping[str, int]  # how many contact problems, by how they were solved
    step: float  # [s]
    steps: int
    method: str = ""
    scope: Scope = UNTOLD
    notes: tuple[str, ...] = ()
    units: str = "m"

    def columns(self) -> dict[str, ColumnArray]:
        """The legs' series, one after the other."""
        import numpy as np

        from detent.record.frozen import read_only

        units = {"time": "s", "depth_mm": "mm"}
        names = self.legs[0].force.series.columns
        rows = [row for leg in self.legs for row in leg.force.series.rows]
        table = np.array(rows, float).reshape(len(rows), len(names))
        return {
            with_unit(name.removesuffix("_mm"), units.get(name, "N")): read_only(table[:, k].copy())
            for k, name in enumerate(names)
        }

    def _line(self) -> str:
        last = self.legs[-1].end
        return f"{self.peg}: {last.cause}, tip {last.depth_mm:.4g} mm deep; {self.method}"
