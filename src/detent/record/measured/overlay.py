"""A measured curve laid over an answer: deviations column by column; and values of a document fitted to
it.
"""

from __future__ import annotations

from detent.record.base import Value
from detent.record.scope import UNTOLD, Scope


class LaidColumn(Value, frozen=True, omit_defaults=True):
    """One measured column beside the calculated one of its name; deviations are measured less calculated.

    `left_out` points lie outside what is calculated, where its force has no bound, or have no number.
    """

    name: str
    unit: str
    points: int
    left_out: int
    rms: float
    largest: float  # deviation, with its sign
    largest_at: float  # abscissa of the calculated curve
    largest_calculated: float  # magnitude of the calculated curve at these points
    x: tuple[float, ...] = ()  # of all measured points, shifted
    measured: tuple[float | None, ...] = ()
    calculated: tuple[float | None, ...] = ()
    curve: tuple[tuple[float, ...], tuple[float, ...]] = (
        (),
        (),
    )  # the whole calculated one: abscissae, values


class Overlay(Value, frozen=True):
    """A measured curve on the calculated abscissa: measured abscissa plus `shift`."""

    source: str
    abscissa: str
    abscissa_unit: str
    shift: float
    shift_fitted: bool
    leg: int | None
    columns: tuple[LaidColumn, ...]
    unused: tuple[str, ...]  # measured columns of which the answer has none
    scope: Scope = UNTOLD


class FittedValue(Value, frozen=True):
    """A value of the document that was fitted: null limits where the curve does not determine it."""

    path: str
    begin: float
    value: float
    low: float | None
    high: float | None
    determined: bool


class Fit(Value, frozen=True):
    """Values that bring the calculated curve nearest to the measured one, in least squares.

    Limits hold the true value with the `confidence` told, if deviations are independent, equally large and
    small enough for the answer to be linear in the values over their intervals.
    """

    values: tuple[FittedValue, ...]
    undetermined: tuple[str, ...]
    confidence: float
    rms_unit: str
    rms_before: float
    rms: float
    points: int
    shift: FittedValue | None
    evaluations: int
    settled: bool
    scope: Scope = UNTOLD
