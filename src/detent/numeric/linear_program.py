"""One linear program, by HiGHS: maximise cost x, with low <= rows x <= high and bounds on x.

A `Program` is loaded once; bounds of rows and variables can be changed and the
program solved again from where it stood, which is what enumerating modes by
linear programs needs.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
INFINITE = float("inf")
# Rows and bounds hold to 1e-7, or where that decides too much to this; the least that HiGHS takes is 1e-10.
EXACTING = 1e-9


class Program:
    """A linear program held by HiGHS, whose own `model` it is."""

    def __init__(
        self, cost: Any, rows: Any, low: Any, high: Any, least: Any, most: Any, *, exacting: bool = False
    ) -> None:
        import highspy

        matrix = np.atleast_2d(np.asarray(rows, float))
        count = len(np.asarray(cost))
        lp = highspy.HighsLp()
        lp.num_col_ = count
        lp.num_row_ = len(matrix) if matrix.size else 0
        lp.col_cost_ = np.asarray(cost, float)
        lp.col_lower_ = np.broadcast_to(np.asarray(least, float), count).copy()
        lp.col_upper_ = np.broadcast_to(np.asarray(most, float), count).copy()
        lp.row_lower_ = np.broadcast_to(np.asarray(low, float), lp.num_row_).copy()
        lp.row_upper_ = np.broadcast_to(np.asarray(high, float), lp.num_row_).copy()
        lp.sense_ = highspy.ObjSense.kMaximize
        where = np.nonzero(matrix) if lp.num_row_ else (np.zeros(0, int), np.zeros(0, int))
        lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
        lp.a_matrix_.start_ = np.searchsorted(where[0], np.arange(lp.num_row_ + 1)).astype(np.int32)
        lp.a_matrix_.index_ = where[1].astype(np.int32)
        lp.a_matrix_.value_ = matrix[where] if lp.num_row_ else np.zeros(0)
        self.model = highspy.Highs()
        self.model.setOptionValue("output_flag", False)
        self.model.setOptionValue("threads", 1)
        if exacting:
            for tolerance in ("primal_feasibility_tolerance", "dual_feasibility_tolerance"):
                self.model.setOptionValue(tolerance, EXACTING)
        self.model.passModel(lp)
        self._optimal = highspy.HighsModelStatus.kOptimal
        self._infeasible = highspy.HighsModelStatus.kInfeasible
        kinds = highspy.HighsModelStatus
        self._given_up = (kinds.kNotset, kinds.kUnknown, kinds.kSolveError, kinds.kPostsolveError)

    def bound_rows(self, indices: Any, low: Any, high: Any) -> None:
        """New bounds for some rows."""
        self.model.changeRowsBounds(
            len(indices), np.asarray(indices, np.int32), np.asarray(low, float), np.asarray(high, float)
        )

    def bound_columns(self, indices: Any, least: Any, most: Any) -> None:
        """New bounds for some variables."""
        self.model.changeColsBounds(
            len(indices), np.asarray(indices, np.int32), np.asarray(least, float), np.asarray(most, float)
        )

    def _run(self) -> Any:
        """The status at the end; what presolve makes unsolvable is solved as it is."""
        self.model.run()
        if self.model.getModelStatus() in self._given_up:
            self.model.setOptionValue("presolve", "off")
            self.model.run()
            self.model.setOptionValue("presolve", "choose")
        return self.model.getModelStatus()

    def bound(self) -> float:
        """No x costs more than this: -INFINITE where none exists, INFINITE where the solver cannot say."""
        status = self._run()
        if status == self._infeasible:
            return -INFINITE
        value: float = self.model.getObjectiveValue() if status == self._optimal else INFINITE
        return value

    def feasible(self) -> bool:
        """Whether there is an optimal x."""
        return bool(self._run() == self._optimal)

    def duals(self) -> Floats:
        """What each row cost at the optimum just found."""
        return np.array(self.model.getSolution().row_dual)

    def solve(self) -> Floats | None:
        """An optimal x, or None without a solution."""
        if not self.feasible():
            return None
        return np.array(self.model.getSolution().col_value)


def maximise(
    cost: Any,
    rows: Any,
    low: Any,
    high: Any,
    *,
    least: Any = -INFINITE,
    most: Any = INFINITE,
    exacting: bool = False,
) -> Floats | None:
    """An optimal x, or None where the program has no solution or no bound."""
    return Program(cost, rows, low, high, least, most, exacting=exacting).solve()


def innermost(positive: Floats, zero: Floats) -> tuple[Floats, float]:
    """The point of the unit cube in the planes `zero` where all rows `positive` are largest; and how large.

    Zero itself is one, so the margin is never negative; it is one at most.
    """
    d = positive.shape[1]
    margin = np.r_[np.zeros(len(zero)), -np.ones(len(positive))][:, None]
    high = np.r_[np.zeros(len(zero)), np.full(len(positive), INFINITE)]
    rows = np.hstack([np.concatenate([zero, positive]), margin])
    best = maximise(np.r_[np.zeros(d), 1.0], rows, 0.0, high, least=-1.0, most=1.0)
    assert best is not None, "zero is a solution, and the cube is bounded"
    return best[:d], float(best[-1])
