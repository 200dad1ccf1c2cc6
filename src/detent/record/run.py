"""What a method returns: the trajectory that any reader understands, and the method's own evidence.

An answer that was computed from a run holds it, so that pictures, films and
reports read what was decided and decide nothing again. The run is not part of the
answer's data: it is neither written, nor compared, nor pickled.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from functools import cached_property
from typing import Any, NoReturn, Self

from detent.foundation.errors import NoRunError
from detent.foundation.shown import Shown
from detent.record.base import Record
from detent.record.trajectory import Trajectory


class Run(Shown):
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

    def _line(self) -> str:
        return f"{type(self.evidence).__name__}: {self.trajectory._line()}"

    def __reduce__(self) -> NoReturn:
        """A method's evidence is not sent to other processes."""
        raise pickle.PicklingError("a Run stays where it was computed; pickle its `trajectory`")

    def finer(self, steps: int) -> Trajectory:
        """The trajectory in at least so many steps, or as it is where the method has no more to give."""
        return self.trajectory if self._finer is None else self._finer(steps)


class Predicted(Record, frozen=True, dict=True):
    """Base of answers that were computed from a run."""

    @property
    def has_run(self) -> bool:
        """Whether it was computed here; one that was read, or sent from another process, has no run."""
        return isinstance(self.__dict__.get("_run"), Run)

    @property
    def run(self) -> Run:
        """The run that this answer was computed from; one that was read from a file has none."""
        if not self.has_run:
            raise NoRunError(
                "this answer was not computed here, so it has no run",
                "ask `has_run` first, or compute it again where the run is wanted",
            )
        run: Run = self.__dict__["_run"]
        return run

    @property
    def words(self) -> str:
        """The answer for a person, as the command line prints it."""
        kept: str | None = self.__dict__.get("_words")
        return super().words if kept is None else kept

    def __reduce__(self) -> tuple[Any, ...]:
        """Sent to another process, it takes its words along: they are read from its run, which stays."""
        words = self.words if self.has_run else self.__dict__.get("_words")
        fields = {name: getattr(self, name) for name in self.__struct_fields__}
        return _rebuilt, (type(self), fields, words)

    def __copy__(self) -> Self:
        """In the same process a copy keeps the run, and with it words and pictures."""
        copied = type(self)(**{name: getattr(self, name) for name in self.__struct_fields__})
        copied.__dict__.update(self.__dict__)
        return copied

    def computed_from(self, run: Run) -> Self:
        """This answer, holding its run."""
        self.__dict__["_run"] = run
        return self


def _rebuilt(kind: type[Predicted], fields: dict[str, Any], words: str | None) -> Predicted:
    answer = kind(**fields)
    if words is not None:
        answer.__dict__["_words"] = words
    return answer
