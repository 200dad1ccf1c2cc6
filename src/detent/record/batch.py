"""Many designs put to one question.

Every method that answers for many designs at once has the same shape: designs in, one `Batch` out.

    batch = move_batch(designs)              # kinematics: linkages through the positions of their drives
    batch = push_batch(designs)              # quasistatic: pawls pushed along one leg
    batch = modes_batch(designs)             # contact: modes of each configuration
    batch = mate_batch(designs)              # judge: rigid matings beside their place
    batch["done"], batch.reasons, batch.fine

A design that cannot be answered does not end the others: it has its reason.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from detent.record.base import Record
from detent.record.scope import UNTOLD, Scope
from detent.record.table import csv_of, dataframe_of, with_unit

if TYPE_CHECKING:
    import pandas

    from detent.record.table import ColumnArray


class Batch(Record, frozen=True, omit_defaults=True):
    """What was found of each design: a column per quantity, an entry per design."""

    UNDEFINED: ClassVar[tuple[str, ...]] = ("columns",)
    BOUNDLESS: ClassVar[tuple[str, ...]] = ("columns",)  # peak forces

    columns: Mapping[str, ColumnArray]  # arrays; the first axis are the designs
    reasons: tuple[str, ...]  # per design: why it has no whole answer; empty where it has
    counts: Mapping[str, int] = {}  # over all designs, by what is counted
    units: Mapping[str, str] = {}  # of columns that have one
    shared: Mapping[str, Any] = {}  # the same for all designs: positions of the drives
    scope: Scope = UNTOLD
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.reasons)

    def __getitem__(self, name: str) -> ColumnArray:
        """A column."""
        return self.columns[name]

    @property
    def fine(self) -> list[int]:
        """The designs that have a whole answer."""
        return [i for i, reason in enumerate(self.reasons) if not reason]

    def _line(self) -> str:
        return f"{len(self)} designs, {len(self.fine)} whole, columns {', '.join(self.columns)}"

    def table(self) -> dict[str, ColumnArray]:
        """One row per design: its number, its columns (of arrays one per entry, `C.12.0`), its reason."""
        table: dict[str, ColumnArray] = {"design": np.arange(len(self))}
        for name, column in self.columns.items():
            for index in np.ndindex(column.shape[1:]):
                entry = "".join([name, *(f".{k}" for k in index)])
                table[with_unit(entry, self.units.get(name, ""))] = column[(slice(None), *index)]
        return table | {"reason": np.array(self.reasons, dtype=object)}

    def to_csv(self) -> str:
        """The table as CSV; a cell is empty where there is no number."""
        return csv_of(self.table())

    def to_dataframe(self) -> pandas.DataFrame:
        """The table as a pandas data frame; pandas is optional: `pip install 'detent[table]'`."""
        return dataframe_of(self.table())
