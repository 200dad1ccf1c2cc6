"""Which working position is better: where the gripper's velocity is disturbed least, entering and leaving."""

from __future__ import annotations

from typing import TYPE_CHECKING

from detent.foundation.units import unit_names
from detent.record.base import Value
from detent.record.led.mating import Three
from detent.record.run import Predicted
from detent.record.scope import UNTOLD, Scope
from detent.record.table import Tabular

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


class WorkingPosition(Value, frozen=True, omit_defaults=True):
    """One working position with what decides between positions; speeds in document units."""

    name: str
    largest_deviation: float
    dip_entering: float
    overshoot_entering: float
    dip_leaving: float | None
    overshoot_leaving: float | None
    largest_of_any: float  # of the velocity as a vector
    peak_push: float  # [N]
    lateral: float  # [N]
    answer: str
    impact: float | None = None  # the largest change of the speed along the leg where rigid parts meet
    wrist: Three | None = None  # in the robot's frame
    radius: float | None = None  # of the wrist from the base's axis
    why_not: str = ""  # where there is no answer


class BetterPosition(Tabular, Predicted, frozen=True):
    """Which working position is better: where the gripper's velocity is disturbed least."""

    positions: tuple[WorkingPosition, ...]
    better: str | None  # None where they are equal, or none is in
    ratio: float | None  # of the largest deviation of the next best to that of the better
    criterion: str
    searched: str = ""  # what was looked at
    scope: Scope = UNTOLD
    notes: tuple[str, ...] = ()
    units: str = "m"

    def columns(self) -> dict[str, Floats]:
        """A row per position that has an answer."""
        import numpy as np

        from detent.record.frozen import read_only
        from detent.record.table import with_unit

        names = unit_names(self.units)
        speed, length, force = (unit.strip() for unit in (names.speed, names.length, names.force))
        told = [each for each in self.positions if not each.why_not]
        columns: dict[str, list[float | None]] = {
            with_unit("radius", length): [each.radius for each in told],
            with_unit("largest_deviation", speed): [each.largest_deviation for each in told],
            with_unit("dip_entering", speed): [each.dip_entering for each in told],
            with_unit("overshoot_entering", speed): [each.overshoot_entering for each in told],
            with_unit("dip_leaving", speed): [each.dip_leaving for each in told],
            with_unit("overshoot_leaving", speed): [each.overshoot_leaving for each in told],
            with_unit("peak_push", force): [each.peak_push for each in told],
            with_unit("lateral", force): [each.lateral for each in told],
        }
        if any(each.impact is not None for each in told):
            columns[with_unit("impact", speed)] = [each.impact for each in told]
        return {
            name: read_only(np.array([np.nan if x is None else x for x in values], float))
            for name, values in columns.items()
        }

    def _line(self) -> str:
        return f"better: {self.better or 'none'}, of {len(self.positions)} positions"
