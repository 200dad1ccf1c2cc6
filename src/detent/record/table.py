"""Answers as tables: one source of columns for CSV and for data frames."""

from __future__ import annotations

import csv
import io
import math
from abc import abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas
    from numpy.typing import NDArray

    ColumnArray = NDArray[Any]


class Tabular:
    """Base of answers that have a table: `columns()`, `to_csv()`, `to_dataframe()`."""

    __slots__ = ()

    @abstractmethod
    def columns(self) -> dict[str, ColumnArray]:
        """The table: an array per column, by the names in the CSV; NaN where there is no number."""

    def to_csv(self) -> str:
        """A header, then one row per position; a cell is empty where there is no number."""
        return csv_of(self.columns())

    def to_dataframe(self) -> pandas.DataFrame:
        """The table as a pandas data frame; pandas is optional: `pip install 'detent[table]'`."""
        return dataframe_of(self.columns())


def with_unit(name: str, unit: str) -> str:
    """The name of a column: `crank [rad]`; of a number without a unit its name alone."""
    return f"{name} [{unit}]" if unit else name


def csv_of(columns: Mapping[str, ColumnArray]) -> str:
    """Columns as CSV with a header; numbers as Python prints them."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    for row in zip(*(column.tolist() for column in columns.values()), strict=True):
        writer.writerow([_cell(value) for value in row])
    return text.getvalue()


def dataframe_of(columns: Mapping[str, ColumnArray]) -> pandas.DataFrame:
    """Columns as a pandas data frame, which may be changed."""
    try:
        import pandas
    except ModuleNotFoundError:
        from detent.foundation.errors import missing_extra

        raise missing_extra("pandas", "table") from None
    return pandas.DataFrame({name: column.copy() for name, column in columns.items()})


def _cell(value: object) -> object:
    return "" if value is None or (isinstance(value, float) and math.isnan(value)) else value
