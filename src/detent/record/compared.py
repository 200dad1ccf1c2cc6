"""Two contact models put to one machine: what each says, and where they first differ."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from detent.record.base import Record, Value
from detent.record.running import Running
from detent.record.scope import UNTOLD, Scope
from detent.record.table import Tabular

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Touch(Value, frozen=True):
    """Two parts that come to touch."""

    time: float  # [s]
    parts: tuple[str, str]


class StateApart(Value, frozen=True, omit_defaults=True):
    """Where a joint's coordinates first differ by more than the tolerance, in its unit."""

    time: float  # [s]
    rigid: float
    penalty: float


class Compared(Tabular, Record, frozen=True):
    """A rigid and a penalty run of one machine, up to the earlier of their ends.

    `alike` counts the touches that come in the same order, pair by pair; `touch_apart` has the first that do
    not, None of a model that has no more. `states_apart` has, by joint, the first of the compared times at
    which its coordinates differ by more than `tolerance` of its range.
    """

    rigid: Running
    penalty: Running
    until: float  # [s] up to which they were compared
    alike: int
    touch_apart: tuple[Touch | None, Touch | None] | None
    states_apart: Mapping[str, StateApart]
    tolerance: float
    soon: float  # [s]: touches of one pair that follow each other sooner count as one
    scope: Scope = UNTOLD
    method: str = "both"
    title: str = ""

    def _line(self) -> str:
        order = "in the same order" if self.touch_apart is None else "and then another one"
        return f"{self.title!r}: rigid and penalty, {self.alike} touches {order}"

    def columns(self) -> dict[str, NDArray[np.float64]]:
        """One row per time: the columns of both runs."""
        time, *_ = self.rigid.columns()
        columns = {time: self.rigid.times}
        for label, running in (("rigid", self.rigid), ("penalty", self.penalty)):
            for name, column in running.columns().items():
                if name != time:
                    columns[f"{label} {name}"] = column
        return columns
