"""A measured table from CSV: named columns with units, `travel [mm]`; numbers to the units of an answer.

Columns are separated by commas, semicolons or tabs; with semicolons or tabs a number may have a decimal
comma. Lines that begin with # are comments. An empty cell is a gap.
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from detent.foundation.errors import ModelError
from detent.foundation.names import clipped
from detent.foundation.units import METRES, other_units, spelt

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

MOST_ROWS = 1_000_000
_LARGEST = 1e100  # of a number: squares of it, and their sum, are numbers too
_HEAD = re.compile(r"\s*(?P<name>[^\[\(]*?)\s*(?:[\[\(]\s*(?P<unit>[^\]\)]*?)\s*[\]\)])?\s*")
_TIMES = {"s": 1.0, "ms": 1e-3, "µs": 1e-6, "us": 1e-6, "min": 60.0, "h": 3600.0}
_FORCES = {
    "N": 1.0,
    "mN": 1e-3,
    "kN": 1e3,
    "MN": 1e6,
    "lbf": 4.4482216152605,
    "kgf": 9.80665,
    "gf": 9.80665e-3,
}
_ANGLES = {"rad": 1.0, "mrad": 1e-3, "deg": math.pi / 180, "°": math.pi / 180}
_ENERGIES = {"J": 1.0, "mJ": 1e-3, "kJ": 1e3}


@dataclass(frozen=True, eq=False)
class MeasuredColumn:
    """One column as written: NaN where there is no number."""

    name: str
    unit: str
    values: Floats


@dataclass(frozen=True, eq=False)
class MeasuredTable:
    """A measured table; its first column is the abscissa."""

    source: str
    columns: tuple[MeasuredColumn, ...]


def read_measured(text: str, source: str = "measured", least: int = 2) -> MeasuredTable:
    """The table in a CSV text, of so many columns at least; ModelError says what is wrong, in which line."""
    lines = [(k, line) for k, line in enumerate(text.lstrip("\ufeff").splitlines(), 1) if _says(line)]
    if len(lines) < 2:
        raise ModelError.at(source, "there is no row of numbers", "give a header of named columns, then rows")
    if len(lines) > MOST_ROWS:
        problem = f"{len(lines) - 1} rows are more than {MOST_ROWS}"
        raise ModelError.at(source, problem, "thin the curve out")
    mark = next((each for each in ("\t", ";") if each in lines[0][1]), ",")
    rows = list(csv.reader(io.StringIO("\n".join(line for _, line in lines)), delimiter=mark))
    heads = [_head(cell, source) for cell in rows[0]]
    named = [name for name, _ in heads if name]
    if twice := next((name for name in named if named.count(name) > 1), None):
        raise ModelError.at(source, f"two columns are called {twice!r}", "give each a name of its own")
    table = np.full((len(rows) - 1, len(heads)), math.nan)
    for k, row in enumerate(rows[1:]):
        if len(row) > len(heads):
            at = f"{source}: line {lines[k + 1][0]}"
            raise ModelError.at(at, f"{len(row)} cells under {len(heads)} names", "name every column")
        for j, cell in enumerate(row):
            table[k, j] = _number(cell, mark, f"{source}: line {lines[k + 1][0]}, column {j + 1}")
    found = [MeasuredColumn(name, unit, table[:, j]) for j, (name, unit) in enumerate(heads) if name]
    if len(found) < least:
        problem = "there are not two named columns" if least == 2 else "no column is named"
        raise ModelError.at(source, problem, "name them in the first line, as travel [mm],push [N]")
    return MeasuredTable(source, tuple(found))


def _says(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith("#")


def _head(cell: str, source: str) -> tuple[str, str]:
    head = _HEAD.fullmatch(cell)
    if head is None or _is_number(cell):
        problem = f"{clipped(repr(cell))} is not the name of a column"
        raise ModelError.at(source, problem, "begin with a header of named columns, as travel [mm],push [N]")
    return head["name"], head["unit"] or ""


def _is_number(cell: str) -> bool:
    try:
        float(cell.replace(",", "."))
    except ValueError:
        return False
    return True


def _number(cell: str, mark: str, at: str) -> float:
    told = cell.strip()
    if not told:
        return math.nan
    try:
        number = float(told.replace(",", ".") if mark != "," else told)
    except ValueError:
        raise ModelError.at(at, f"{clipped(repr(told))} is not a number", "leave the cell empty") from None
    if not math.isfinite(number):
        return math.nan
    if abs(number) > _LARGEST:
        raise ModelError.at(
            at, f"{clipped(repr(told))} is too large for a measurement", "leave the cell empty"
        )
    return number


def converted(column: MeasuredColumn, unit: str, source: str) -> Floats:
    """Its values in another unit; refused where it names none, or one of another kind."""
    if not unit:  # an answer in units of no name
        return column.values
    if not column.unit:
        problem = f"column {column.name!r} does not say its unit"
        raise ModelError.at(source, problem, f"write `{column.name} [{unit}]`, or what it is measured in")
    factor, wanted = _factor(column.unit), _factor(unit)
    assert wanted is not None
    if factor is None:
        problem = f"column {column.name!r} is in {clipped(column.unit)!r}, which is not a unit known here"
        raise ModelError.at(source, problem, f"give it in {unit}")
    if factor[1] != wanted[1]:
        problem = f"column {column.name!r} is in {column.unit}, and the answer's in {unit}"
        raise ModelError.at(source, problem, f"give it in {unit}, or another unit of the same kind")
    return column.values * (factor[0] / wanted[0])


def _factor(unit: str) -> tuple[float, Mapping[str, int]] | None:
    """SI of a product or quotient of units, and the powers of what it is made of; None where one is not
    known.
    """
    size, powers = 1.0, dict[str, int]()
    top, *below = unit.replace("·", " ").replace("*", " ").split("/")
    for power, words in ((1, top.split()), *((-1, each.split()) for each in below)):
        for word in words:
            raised, word = (2, word.removesuffix("²")) if word.endswith("²") else (1, word)
            known = _known(word)
            if known is None:
                return None
            size *= known[0] ** (power * raised)
            for kind, count in known[1].items():
                powers[kind] = powers.get(kind, 0) + power * raised * count
    return size, {kind: count for kind, count in powers.items() if count}


def _known(word: str) -> tuple[float, Mapping[str, int]] | None:
    lengths = {
        **{name: float(size) for name, size in METRES.items()},
        **{n: float(f) for n, f in other_units().items()},
    }
    for table, kinds in (
        (_FORCES, {"force": 1}),
        (_TIMES, {"time": 1}),
        (_ANGLES, {"angle": 1}),
        (_ENERGIES, {"force": 1, "length": 1}),
    ):
        if word in table:
            return table[word], kinds
    name = spelt(word)
    return (lengths[name], {"length": 1}) if name in lengths and name != "1" else None
