"""Many designs put to one question.

Every method that answers for many designs at once has the same shape: designs in, one `Batch` out.

    batch = move_batch(designs)              # kinematics: linkages through the positions of their drives
    batch = push_batch(designs)              # quasistatic: pawls pushed along one leg
    batch = modes_batch(designs)             # contact: modes of each configuration
    batch["done"], batch.reasons, batch.fine

A design that cannot be answered does not end the others: it has its reason.
"""

from __future__ import annotations

import csv
import io
from typing import Any

from detent.record.base import Record


class Batch(Record, frozen=True, omit_defaults=True):
    """What was found of each design: a column per quantity, an entry per design."""

    columns: dict[str, Any]  # arrays; the first axis are the designs
    reasons: tuple[str, ...]  # per design: why it has no whole answer; empty where it has
    counts: dict[str, int] = {}  # over all designs, by what is counted
    shared: dict[str, Any] = {}  # the same for all designs: positions of the drives

    def __len__(self) -> int:
        return len(self.reasons)

    def __getitem__(self, name: str) -> Any:
        """A column."""
        return self.columns[name]

    @property
    def fine(self) -> list[int]:
        """The designs that have a whole answer."""
        return [i for i, reason in enumerate(self.reasons) if not reason]

    def _line(self) -> str:
        return f"{len(self)} designs, {len(self.fine)} whole, columns {', '.join(self.columns)}"

    def to_csv(self) -> str:
        """A header, then one row per design; entries of a column of arrays are numbered, `C.12.0`."""
        rows = {name: _cells(column.tolist()) for name, column in self.columns.items()}
        header = [f"{name}{end}" for name, (ends, _) in rows.items() for end in ends]
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(["design", *header, "reason"])
        for i, reason in enumerate(self.reasons):
            writer.writerow([i, *(cell for _, cells in rows.values() for cell in cells[i]), reason])
        return text.getvalue()


def _cells(column: list[Any]) -> tuple[list[str], list[list[Any]]]:
    """The endings of a column's names in a table, and its cells, a row per design."""
    if not column or not isinstance(column[0], list):
        return [""], [[entry] for entry in column]
    inner = [_cells(entry) for entry in column]
    ends = [f".{k}{end}" for k in range(len(column[0])) for end in inner[0][0]]
    return ends, [[cell for row in cells for cell in row] for _, cells in inner]
