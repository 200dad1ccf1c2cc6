"""What a method returns: the trajectory that any reader understands, and the method's own evidence.

An answer that was computed from a run holds it, so that pictures, films and
reports read what was decided and decide nothing again. The run is not part of the
answer's data: it is neither written, nor compared, nor pickled.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, Self

from detent.record.base import Record
from detent.record.trajectory import Trajectory


class Run:
    """A prediction: `trajectory`, and `evidence` of the method's own kind.

    The trajectory may be given as a function; it is then made when it is first
    asked for, once. `finer(steps)` gives one with at least so many steps, where the
    method can fill in positions without deciding anything again.
    """

    def __init__(
        self,
        trajectory: Trajectory | Callable[[], Trajectory],
        evidence: Any = None,
        *,
        finer: Callable[[int], Trajectory] | None = None,
    ) -> None:
        self.evidence = evidence
        self._trajectory, self._finer = trajectory, finer

    @cached_property
    def trajectory(self) -> Trajectory:
        return self._trajectory if isinstance(self._trajectory, Trajectory) else self._trajectory()

    def finer(self, steps: int) -> Trajectory:
        """The trajectory in at least so many steps, or as it is where the method has no more to give."""
        return self.trajectory if self._finer is None else self._finer(steps)


class Predicted(Record, frozen=True, dict=True):
    """Base of answers that were computed from a run."""

    @property
    def run(self) -> Run:
        """The run that this answer was computed from; one that was read from a file has none."""
        run = self.__dict__.get("_run")
        if not isinstance(run, Run):
            raise LookupError("this answer was not computed here, so it has no run")
        return run

    def computed_from(self, run: Run) -> Self:
        """This answer, holding its run."""
        self.__dict__["_run"] = run
        return self
