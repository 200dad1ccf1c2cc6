"""A measured curve laid over an answer that has columns: same names, same units, deviations and counts.

The first measured column is the abscissa, as `travel [mm]` or `time [s]`; every other one is laid over the
answer's column of its name. Between the answer's rows it is a straight line. The measured abscissa may be
shifted, by a given length or time, or by the one that makes the sum of squares least.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from detent.foundation.errors import ModelError
from detent.foundation.names import did_you_mean, few
from detent.judge.measured.reading import MeasuredColumn, MeasuredTable, converted
from detent.record.measured.overlay import LaidColumn, Overlay
from detent.record.scope import Scope
from detent.record.table import Tabular

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

LEG = "leg"
_LOOKS = 101  # shifts that are looked at before the best is refined
_LEAST_SHARE = 0.5  # of the points that must stay on the calculated curve under a fitted shift


@dataclass(frozen=True, eq=False)
class Matched:
    """Measured columns in the answer's units, and how to find the answer's."""

    source: str
    abscissa: str  # the answer's name of it, with its unit
    x: Floats
    leg: int | None
    columns: tuple[tuple[str, Floats], ...]  # by the answer's name
    unused: tuple[str, ...]


def lay_over(answer: Tabular, measured: MeasuredTable, *, shift: float | Literal["fit"] = 0.0) -> Overlay:
    """The measured curve beside an answer; `shift` is added to its abscissa, or fitted."""
    columns = answer.columns()
    matched = match(columns, measured)
    given = fitted_shift(columns, matched) if shift == "fit" else float(shift)
    return overlay_of(columns, matched, given, fitted=shift == "fit")


def match(columns: Mapping[str, Floats], measured: MeasuredTable) -> Matched:
    """Which measured column belongs to which of the answer's; ModelError where none does."""
    known = {_name(column).lower(): column for column in columns}
    first, *others = measured.columns
    leg = _leg(known, [first, *others], measured.source)
    if leg is not None and first.name.lower() == LEG:
        first, others = others[0], others[1:]
    if first.name.lower() not in known:
        problem = f"the answer has no column {first.name!r} for the abscissa, which is the first column"
        raise ModelError.at(measured.source, problem, _meant(first.name, columns))
    laid, unused = [], []
    for column in others:
        name = known.get(column.name.lower())
        if column.name.lower() == LEG:
            continue
        if name is None or name == known[first.name.lower()]:
            unused.append(column.name)
        else:
            laid.append((name, converted(column, unit_of(name), measured.source)))
    if not laid:
        problem = f"of the columns {few([repr(each.name) for each in others], 5)} the answer has none"
        raise ModelError.at(measured.source, problem, _meant(others[0].name if others else "", columns))
    abscissa = known[first.name.lower()]
    x = converted(first, unit_of(abscissa), measured.source)
    return Matched(measured.source, abscissa, x, leg, tuple(laid), tuple(unused))


def _meant(name: str, columns: Mapping[str, Floats]) -> str:
    names = [_name(column) for column in columns if _name(column) != LEG]
    return did_you_mean(name, names, otherwise=f"it has {few(names, 12)}")


def _leg(known: Mapping[str, str], columns: Sequence[MeasuredColumn], source: str) -> int | None:
    """Which leg of a plan the curve belongs to: as its column says, else the first."""
    if LEG not in known:
        return None
    told = next((column for column in columns if column.name.lower() == LEG), None)
    if told is None:
        return 1
    legs = {float(leg) for leg in told.values if not math.isnan(leg)}
    if len(legs) != 1:
        raise ModelError.at(source, "one curve is laid over one leg", "give a file for each leg")
    return int(legs.pop())


def _name(column: str) -> str:
    return column.rpartition(" [")[0] if column.endswith("]") and " [" in column else column


def unit_of(column: str) -> str:
    """Of a column by its name, `push [N]`."""
    return column.rpartition(" [")[2].removesuffix("]") if _name(column) != column else ""


def calculated(columns: Mapping[str, Floats], matched: Matched, name: str, x: Floats) -> Floats:
    """The answer's column at the abscissae; NaN outside of it and where it has no number."""
    along, values = curve_of(columns, matched, name)
    if len(along) < 2:
        return np.full(len(x), math.nan)
    inside = (x >= along[0]) & (x <= along[-1])
    return np.where(inside, np.interp(x, along, values), math.nan)


def curve_of(columns: Mapping[str, Floats], matched: Matched, name: str) -> tuple[Floats, Floats]:
    """The answer's column where it has a number, along an abscissa that does not go back."""
    along, values = np.asarray(columns[matched.abscissa], float), np.asarray(columns[name], float)
    if matched.leg is not None:
        of_leg = columns[LEG] == matched.leg
        if not of_leg.any():
            problem = f"the answer has no leg {matched.leg}"
            raise ModelError.at(matched.source, problem, "give the number of a leg that was followed")
        along, values = along[of_leg], values[of_leg]
    good = np.isfinite(along) & np.isfinite(values)
    along, values = along[good], values[good]
    if len(along) < 2:
        return along, values
    if along[-1] < along[0]:
        along, values = along[::-1], values[::-1]
    if np.any(np.diff(along) < -1e-9 * np.ptp(along)):
        problem = f"{_name(matched.abscissa)!r} goes back and forth in the answer, so it is no abscissa"
        raise ModelError.at(matched.source, problem, "lay it over `time`, or over one leg")
    return along, values


def deviations(columns: Mapping[str, Floats], matched: Matched, shift: float) -> list[Floats]:
    """Measured less calculated, by column; NaN where there is none of either."""
    x = matched.x + shift
    return [values - calculated(columns, matched, name, x) for name, values in matched.columns]


def fitted_shift(columns: Mapping[str, Floats], matched: Matched) -> float:
    """The shift with the least mean square, among those that keep half of the points on the calculated
    curve.
    """
    from scipy.optimize import minimize_scalar

    along = np.asarray(columns[matched.abscissa], float)
    x = matched.x[np.isfinite(matched.x)]
    if len(x) == 0 or len(along) == 0:
        return 0.0
    low, high = float(np.nanmin(along) - x.max()), float(np.nanmax(along) - x.min())
    most = sum(int(np.isfinite(values).sum()) for _, values in matched.columns)
    sizes = [float(np.nanmax(np.abs(values), initial=0.0)) or 1.0 for _, values in matched.columns]

    def cost(shift: float) -> float:
        off = [each / size for each, size in zip(deviations(columns, matched, shift), sizes, strict=True)]
        found = np.concatenate(off)
        found = found[np.isfinite(found)]
        return float(np.mean(found**2)) if len(found) >= _LEAST_SHARE * most else math.inf

    shifts = np.linspace(low, high, _LOOKS)
    costs = [cost(float(shift)) for shift in (0.0, *shifts)]
    best = float((0.0, *shifts)[int(np.argmin(costs))])
    step = (high - low) / (_LOOKS - 1)
    found = minimize_scalar(
        lambda s: min(cost(float(s)), 1e300), bounds=(best - step, best + step), method="bounded",
        options={"xatol": 1e-9 * (high - low)},
    )  # fmt: skip
    return float(found.x) if found.fun < min(costs) else best


def overlay_of(columns: Mapping[str, Floats], matched: Matched, shift: float, *, fitted: bool) -> Overlay:
    """The record: each column's deviations, and the points of both curves."""
    x = matched.x + shift
    laid = tuple(
        _laid(
            name,
            values,
            curve_of(columns, matched, name),
            x,
            calculated(columns, matched, name, x),
            matched.source,
        )
        for name, values in matched.columns
    )
    left = sum(each.left_out for each in laid)
    return Overlay(
        source=matched.source,
        abscissa=_name(matched.abscissa),
        abscissa_unit=unit_of(matched.abscissa),
        shift=shift,
        shift_fitted=fitted,
        leg=matched.leg,
        columns=laid,
        unused=matched.unused,
        scope=Scope(
            certainty="sampled",
            covers="deviations at the measured points; between the answer's rows it is a straight line",
            left_out=(f"{left} measured values beyond what is calculated",) if left else (),
        ),
    )


def _laid(
    name: str, values: Floats, curve: tuple[Floats, Floats], x: Floats, beside: Floats, source: str
) -> LaidColumn:
    off = values - beside
    good = np.isfinite(off)
    if not good.any():
        problem = f"no point of {_name(name)!r} lies where it is calculated"
        raise ModelError.at(source, problem, "check the abscissa and its unit, or shift it: --shift fit")
    worst = int(np.nanargmax(np.abs(np.where(good, off, 0.0))))
    return LaidColumn(
        name=_name(name),
        unit=unit_of(name),
        points=int(good.sum()),
        left_out=int((~good).sum()),
        rms=float(np.sqrt(np.mean(off[good] ** 2))),
        largest=float(off[worst]),
        largest_at=float(x[worst]),
        largest_calculated=float(np.abs(beside[good]).max()),
        x=tuple(x[np.isfinite(x)].tolist()) if np.isfinite(x).all() else (),
        measured=_nullable(values),
        calculated=_nullable(beside),
        curve=(tuple(curve[0].tolist()), tuple(curve[1].tolist())),
    )


def _nullable(values: Floats) -> tuple[float | None, ...]:
    return tuple(None if math.isnan(value) else value for value in values.tolist())
