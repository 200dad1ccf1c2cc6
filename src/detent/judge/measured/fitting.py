"""Values of a document fitted to a measured curve: nonlinear least squares, intervals from the Jacobian.

The values are those at paths of the document, as `touching.friction`; all that are above zero stay so. With n
points, p values and the sum of squares S at the minimum, the covariance is S / (n - p) times the inverse of
J'J, and an interval is that of Student's t with n - p degrees of freedom (Bates & Watts 1988, section 2.1).
What J does not see is undetermined: singular directions of J, each of its columns over its value, are named
and have no interval.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from detent.foundation.errors import DetentError, ModelError
from detent.foundation.names import listed
from detent.foundation.progress import doing, reached
from detent.judge.measured.laying import Matched, deviations, fitted_shift, match, unit_of
from detent.judge.measured.reading import MeasuredTable
from detent.model.document.mechanism import Mechanism
from detent.record.measured.overlay import Fit, FittedValue
from detent.record.scope import Scope
from detent.record.table import Tabular

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

CONFIDENCE = 0.95
_STEP = 1e-4  # of a value, for differences: their error is far below what is measured
_BLIND = 1e-5  # singular values of the scaled Jacobian below this share of the largest say nothing
_MOST_RUNS = 400
_OFFSET = 0.02  # of the spread of the deviations: how far from the minimum along the values they may be
_EXACT = 1e-9  # deviations below this are rounding: the curve is the answer's own
_NAMED = 0.1  # share of a value in a singular direction from which it is named


@dataclass
class _Problem:
    """The document as a function of its values: deviations at the measured points."""

    mechanism: Mechanism
    paths: tuple[str, ...]
    measured: MeasuredTable
    ask: Callable[[Mechanism], Tabular]
    shifts: bool  # whether the last value is a shift
    offset: float  # else the shift as given, in the answer's unit
    matched: Matched | None = None
    kept: Any = None  # measured points that are compared, from the first evaluation on
    evaluations: int = 0
    known: dict[tuple[float, ...], Any] = field(default_factory=dict)

    def machine(self, values: Sequence[float]) -> Mechanism:
        machine = self.mechanism
        for path, value in zip(self.paths, values, strict=False):
            machine = machine.with_(path, float(value))
        return machine

    def columns(self, values: Sequence[float]) -> Any:
        """The answer's table with these values."""
        key = tuple(float(value) for value in values[: len(self.paths)])
        if key not in self.known:
            self.evaluations += 1
            reached(self.evaluations, _MOST_RUNS)
            self.known = {**dict(list(self.known.items())[-8:]), key: self.ask(self.machine(key)).columns()}
        return self.known[key]

    @property
    def rms_unit(self) -> str:
        """Of deviations: the column's, or of several columns shares of their largest values."""
        assert self.matched is not None
        names = [name for name, _ in self.matched.columns]
        return unit_of(names[0]) if len(names) == 1 else "of the largest measured value"

    def off(self, values: Sequence[float]) -> Floats:
        """Calculated less measured at the points kept, each column over its largest measured value."""
        columns = self.columns(values)
        if self.matched is None:
            self.matched = match(columns, self.measured)
        shift = float(values[-1]) if self.shifts else self.offset
        sizes = [float(np.nanmax(np.abs(each), initial=0.0)) or 1.0 for _, each in self.matched.columns]
        several = len(sizes) > 1
        found = [
            -each / (size if several else 1.0)
            for each, size in zip(deviations(columns, self.matched, shift), sizes, strict=True)
        ]
        off = np.concatenate(found)
        if self.kept is None:
            self.kept = np.isfinite(off)
        # A point that other values bring beyond the calculated curve counts as if nothing were there.
        flat = np.concatenate(
            [each / (s if several else 1.0) for (_, each), s in zip(self.matched.columns, sizes, strict=True)]
        )
        return np.asarray(np.where(np.isfinite(off), off, -np.nan_to_num(flat))[self.kept])


def fit_measured(
    mechanism: Mechanism,
    paths: Sequence[str],
    measured: MeasuredTable,
    ask: Callable[[Mechanism], Tabular],
    *,
    shift: float | Literal["fit"] = 0.0,
) -> tuple[Fit, Mechanism]:
    """The values at the paths that bring the answer of `ask` nearest to the measured curve, and the
    document with them.
    """
    begin = [_value_at(mechanism, path) for path in paths]
    if len(set(paths)) < len(paths):
        raise ModelError.at("--fit", "a path is named twice", "name each once")
    offset = 0.0 if shift == "fit" else float(shift)
    problem = _Problem(mechanism, tuple(paths), measured, ask, shift == "fit", offset)
    with doing("fit"):
        starts = [begin]
        if (
            shift == "fit"
        ):  # a curve that is far off has several best shifts: from none, and from the best one
            columns = problem.columns(begin)
            problem.matched = match(columns, measured)
            best = fitted_shift(columns, problem.matched)
            starts = [[*begin, 0.0], *([[*begin, best]] if best else [])]
        tries = [_minimum(problem, start) for start in starts]
        begin, before, values, kept = min(tries, key=lambda each: each[4])[:4]
        problem.kept = kept
        scale = _scales(problem, begin)
        slopes = _slopes(problem, values, scale)
    return _told(problem, begin, values, before, problem.off(values), slopes, scale)


_Try = tuple[list[float], "Floats", list[float], Any, float]


def _minimum(problem: _Problem, begin: list[float]) -> _Try:
    """The start, its deviations, the values at the minimum, the points compared, the mean square there."""
    from scipy.optimize import least_squares

    problem.kept = None
    before = problem.off(begin)
    if len(before) <= len(begin):
        words = f"{len(before)} measured points do not determine {len(begin)} values"
        raise ModelError.at(problem.measured.source, words, "give more points, or fit fewer values")
    above = [k < len(problem.paths) and value > 0 for k, value in enumerate(begin)]
    low = [0.0 if each else -math.inf for each in above]
    off, scale = _safe(problem, before), _scales(problem, begin)
    # Where a force jumps, one point may hide all others: then first with large deviations counted less.
    usual = float(np.median(np.abs(before))) or 1.0
    plain, robust = ("linear",), ("soft_l1", "linear")
    values = begin
    for losses in (robust,) if problem.shifts else (plain, robust):
        values = begin
        for loss in losses:
            found = least_squares(
                off, values, x_scale=scale, bounds=(low, math.inf), loss=loss, f_scale=0.1 * usual,
                jac="3-point", diff_step=_STEP, xtol=1e-10, ftol=1e-12,
                max_nfev=_MOST_RUNS // (3 * len(begin)),
            )  # fmt: skip
            values = found.x.tolist()
        across, singular, _ = np.linalg.svd(found.jac * scale, full_matrices=False)
        seen = singular > _BLIND * max(float(singular[0]), 1e-300)
        if _is_minimum(across[:, seen], np.asarray(found.fun), len(begin)):
            break
    return begin, before, values, problem.kept, float(np.mean(problem.off(values) ** 2))


def _safe(problem: _Problem, before: Floats) -> Callable[[Any], Floats]:
    """Values that the document refuses count as far off."""

    def off(values: Any) -> Floats:
        try:
            return problem.off(values.tolist())
        except DetentError:
            return np.asarray(10 * np.abs(before) + np.abs(before).max())

    return off


def _scales(problem: _Problem, begin: Sequence[float]) -> Floats:
    """What a value is measured by: itself, a shift by the range of the abscissa."""
    scale = np.array([abs(value) or 1.0 for value in begin])
    if problem.shifts:
        assert problem.matched is not None
        scale[-1] = float(np.ptp(problem.matched.x[np.isfinite(problem.matched.x)])) * 1e-2 or 1.0
    return scale


def _slopes(problem: _Problem, values: Sequence[float], scale: Floats) -> Floats:
    """(points, values): by central differences, each column over its value."""
    columns = []
    for k, size in enumerate(scale):
        step = _STEP * max(size, abs(values[k]))
        ends = [[*values], [*values]]
        ends[0][k] += step
        ends[1][k] -= step
        try:
            high, low = (problem.off(each) for each in ends)
            columns.append((high - low) / (2 * step) * size)
        except DetentError:  # at a border of what the document may hold
            columns.append((problem.off(ends[0]) - problem.off(values)) / step * size)
    return np.stack(columns, axis=1)


def _told(
    problem: _Problem,
    begin: Sequence[float],
    values: Sequence[float],
    before: Floats,
    after: Floats,
    slopes: Floats,
    scale: Floats,
) -> tuple[Fit, Mechanism]:
    from scipy.stats import t as student

    names = [*problem.paths, *(["shift"] if problem.shifts else [])]
    free = len(after) - len(names)
    across, singular, turned = np.linalg.svd(slopes, full_matrices=False)
    seen = singular > _BLIND * (singular[0] if singular[0] > 0 else 1.0)
    seen &= singular > 0
    blind = turned[~seen]
    undetermined = [_words(direction, names) for direction in blind]
    open_values = {k for direction in blind for k in range(len(names)) if abs(direction[k]) > _NAMED}
    settled = _is_minimum(across[:, seen], after, len(names))
    if not settled:
        undetermined.append("no smooth minimum was found: there are no intervals; begin nearer to the curve")
        open_values = set(range(len(names)))
    variance = float(after @ after) / free
    spread = np.sqrt(variance * ((turned[seen] / singular[seen, None]) ** 2).sum(axis=0)) * scale
    half = student.ppf((1 + CONFIDENCE) / 2, free) * spread
    told = [
        FittedValue(
            path=name,
            begin=float(begin[k]),
            value=float(values[k]),
            low=None if k in open_values else float(values[k] - half[k]),
            high=None if k in open_values else float(values[k] + half[k]),
            determined=k not in open_values,
        )
        for k, name in enumerate(names)
    ]
    fit = Fit(
        values=tuple(told[: len(problem.paths)]),
        undetermined=tuple(undetermined),
        confidence=CONFIDENCE,
        rms_unit=problem.rms_unit,
        rms_before=float(np.sqrt(np.mean(before**2))),
        rms=float(np.sqrt(np.mean(after**2))),
        points=len(after),
        shift=told[-1] if problem.shifts else None,
        evaluations=problem.evaluations,
        settled=settled,
        scope=Scope(
            certainty="computed",
            covers="a least-squares minimum near the document's values; "
            f"{CONFIDENCE:.0%} intervals from the Jacobian",
            left_out=("other minima, and what the answer itself leaves out", "errors of the abscissa"),
            assumed=(
                "deviations are independent and equally large",
                "the answer is linear over the intervals",
            ),
        ),
    )
    return fit, problem.machine(values)


def _is_minimum(across: Floats, after: Floats, count: int) -> bool:
    """Whether deviations are at right angles to what the values change (Bates & Watts' relative offset)."""
    along = across.T @ after
    rest = float(after @ after - along @ along)
    exact = float(np.abs(after).max()) < _EXACT
    return exact or math.sqrt(along @ along / count) <= _OFFSET * math.sqrt(
        max(rest, 0.0) / (len(after) - count)
    )


def _words(direction: Floats, names: Sequence[str]) -> str:
    """A direction of values that the curve does not see."""
    parts = [names[k] for k in np.argsort(-np.abs(direction)) if abs(direction[k]) > _NAMED]
    if len(parts) == 1:
        return f"{parts[0]} has no effect on the measured points"
    return f"only combinations of {listed(parts)} have an effect: one may be traded for the other"


def _value_at(mechanism: Mechanism, path: str) -> float:
    """The number at a path of the document; ModelError where there is none."""
    place: Any = mechanism.to_dict()
    for key in path.split("."):
        if isinstance(place, dict) and key in place:
            place = place[key]
        elif isinstance(place, list) and key.isdigit() and int(key) < len(place):
            place = place[int(key)]
        else:
            remedy = "give the path of a number that it has, as touching.friction"
            raise ModelError.at("--fit", f"the document has nothing at {path!r}", remedy)
    if isinstance(place, str):
        from fractions import Fraction

        try:
            return float(Fraction(place))
        except ValueError:
            pass
    if isinstance(place, bool) or not isinstance(place, int | float):
        raise ModelError.at("--fit", f"{path!r} is not a number", "fit numbers of the document")
    return float(place)
