"""The straight runs of a mating, each decided as asked for.

By the float filter a run is the plan as a whole, or one straight pull out of the assembled
state. One that the filter leaves undecided is decided exactly, from exact states:
these are counted, and said.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, TypeVar

from detent.motion.quasistatic.doubt import Undecided
from detent.motion.quasistatic.exact.legs import LegRun, PlanRun, StraightPush, run_leg, run_plan
from detent.motion.quasistatic.floats.filtered import Filter
from detent.motion.quasistatic.machine.fasteners import Fastener
from detent.motion.quasistatic.proved.follow import certified
from detent.numeric.polynomial.algebraic import Real

Decided = TypeVar("Decided")


class DecidedRuns:
    """Runs of one fastener; `count` of them, `exact` in exact arithmetic, `why` for each that had to be."""

    def __init__(self, fastener: Fastener, *, exact: bool) -> None:
        self.fastener, self.exactly = fastener, exact
        self.count = 0
        self.exact = 0
        self.why: list[str] = []
        self._out: dict[tuple[Any, ...], list[tuple[Real, Real, LegRun]]] = {}

    @cached_property
    def plan(self) -> PlanRun:
        """The plan's legs, one after the other."""
        return self._decided(
            "the plan", lambda: run_plan(self.fastener, Filter(self.fastener)), self._exactly
        )

    def out(self, fastener: Fastener, line: StraightPush, until: Real, what: str, *, after: int) -> LegRun:
        """A straight run from where leg `after` (from 0) ended; `fastener` may differ in its friction.

        A run that was asked before, as one without friction of parts that have none, is not run again.
        """
        frictions = tuple(str(mu) for pawl in fastener.pawls for _, mu in pawl.obstacles)
        way = tuple(map(str, (*line.shift, *line.velocity, line.ratio)))
        known = self._out.setdefault((after, way, frictions), [])
        for start, end, run in known:
            if start == line.start and end == until:
                return run
        run = self._leg_out(fastener, line, until, what, after)
        known.append((line.start, until, run))
        return run

    def _leg_out(self, fastener: Fastener, line: StraightPush, until: Real, what: str, after: int) -> LegRun:
        def filtered() -> LegRun:
            return run_leg(fastener, line, until, self.plan.legs[after].pawl_runs, Filter(fastener))

        def exactly() -> LegRun:
            return run_leg(fastener, line, until, self._exactly().legs[after].pawl_runs, certified(fastener))

        return self._decided(what, filtered, exactly)

    def _exactly(self) -> PlanRun:
        return self._exact_plan

    @cached_property
    def _exact_plan(self) -> PlanRun:
        return run_plan(self.fastener, certified(self.fastener))

    def _decided(self, what: str, filtered: Callable[[], Decided], exactly: Callable[[], Decided]) -> Decided:
        self.count += 1
        if not self.exactly:
            try:
                return filtered()
            except Undecided as doubt:
                self.why.append(f"{what}: {doubt}")
        self.exact += 1
        return exactly()
