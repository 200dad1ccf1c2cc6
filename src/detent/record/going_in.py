"""How far beside its place, and how far turned, the counterpart of what gives way may stand and still go in.

Lengths are in document units, angles in degrees. Everything is counted from the document as drawn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from detent.foundation.units import unit_names
from detent.record.base import Value
from detent.record.compliant_mating import GoesIn
from detent.record.led.mating import Three
from detent.record.run import Predicted
from detent.record.scope import UNTOLD, Scope
from detent.record.table import Tabular, with_unit

if TYPE_CHECKING:
    from detent.record.table import ColumnArray


class RegionBorder(Value, frozen=True, omit_defaults=True):
    """One border: `inside` is the last that was seen to go in, `outside` the nearest that was seen not to.

    `outside` is null where all that was tried goes in, `inside` then being the farthest. Where it does
    not go in at zero, that is `outside`, and `inside` null.
    """

    inside: float | None = None
    push: float | None = None  # the largest, at `inside` [N]
    outside: float | None = None
    answer: str = ""  # of the mating at `outside`
    why: str = ""


class AloneGoesIn(Value, frozen=True, omit_defaults=True):
    """One misalignment by itself, all others zero; null where it is not looked at, which `why_not` says."""

    kind: Literal["offset", "tilt"]
    along: Three  # of an offset; the axis of a tilt, counter-clockwise about it
    low: RegionBorder | None = None
    high: RegionBorder | None = None
    why_not: str = ""


class TiltedOffsets(Value, frozen=True, omit_defaults=True):
    """Offsets that go in at one tilt."""

    tilt: float
    low: RegionBorder
    high: RegionBorder


class RegionThatGoesIn(Tabular, Predicted, frozen=True):
    """Which offsets and tilts of the counterpart go in."""

    as_drawn: GoesIn
    misaligned: tuple[str, ...]  # the parts that stand beside or turned
    about: Three  # the point that tilts go about
    alone: tuple[AloneGoesIn, ...] = ()
    together: tuple[TiltedOffsets, ...] = ()  # offsets along `across`, at tilts about `axis`
    across: Three | None = None
    axis: Three | None = None
    most_push: float | None = None  # [N] more of it counts as not going in
    matings: int = 0
    scope: Scope = UNTOLD
    notes: tuple[str, ...] = ()
    units: str = "m"

    def columns(self) -> dict[str, ColumnArray]:
        """A row per tilt: the offsets between which it goes in, and where it was seen not to.

        Where no tilts were looked at, the first offset alone.
        """
        import numpy as np

        from detent.record.frozen import read_only

        length = unit_names(self.units).length.strip()
        rows = self.together or tuple(
            TiltedOffsets(tilt=0.0, low=each.low, high=each.high)
            for each in self.alone[:1]
            if each.low is not None and each.high is not None
        )
        columns: dict[str, list[float | None]] = {
            "tilt [deg]": [row.tilt for row in rows],
            with_unit("from", length): [row.low.inside for row in rows],
            with_unit("to", length): [row.high.inside for row in rows],
            with_unit("below_not", length): [row.low.outside for row in rows],
            with_unit("above_not", length): [row.high.outside for row in rows],
        }
        return {
            name: read_only(np.array([np.nan if x is None else x for x in values], float))
            for name, values in columns.items()
        }

    def _line(self) -> str:
        return f"{self.as_drawn.answer} as drawn; {len(self.together)} tilts, {self.matings} matings"
