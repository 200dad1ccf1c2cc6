"""A machine that is prepared once and simulated from any state, as far as is asked for; with an account.

Simulations are pieces of one rigid run after the other: each goes on where the last one ended, so that what
was simulated is never simulated again.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from detent.foundation.progress import doing
from detent.judge.outlook.patterns.hypotheses import Marks, Ranges
from detent.judge.outlook.patterns.unit_words import UnitWords, unit_words_of
from detent.motion.rigid import layout
from detent.motion.rigid.advance import DONE, FULL, IMPACT
from detent.motion.running.along import RunSteps
from detent.motion.running.minima import energy_minima

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from detent.motion.rigid.rigid_run import RigidRun
    from detent.record.event import Event

    Floats = NDArray[np.float64]

FINER = 0.1  # of the accuracy of a simulation: that of another one, beside which it is put


@dataclass(frozen=True)
class MachineState:
    """Independent coordinates and their speeds at a time [s] of the machine."""

    time: float
    at: Floats
    speeds: Floats


@dataclass
class Account:
    """What was simulated, and why."""

    entries: list[tuple[str, float, float, int]] = field(default_factory=list)  # why, since, how long, steps

    @property
    def time(self) -> float:
        return sum(lasted for _, _, lasted, _ in self.entries)

    @property
    def steps(self) -> int:
        return sum(steps for *_, steps in self.entries)


class SimulatedCourse:
    """What a machine does from a state on; `go_on` simulates more of it."""

    def __init__(self, first: RigidRun, since: float, account: Account, why: str) -> None:
        self.pieces, self.begins, self._account, self._why = [first], [since], account, why
        self._note(since, first)

    def _note(self, since: float, piece: RigidRun) -> None:
        self._account.entries.append((self._why, since, piece.along.end, len(piece.steps)))
        self.__dict__.pop("along", None)
        self.__dict__.pop("minima", None)

    @property
    def first(self) -> RigidRun:
        return self.pieces[0]

    @property
    def begin(self) -> float:
        return self.begins[0]

    @property
    def end(self) -> float:
        return self.begins[-1] + self.pieces[-1].along.end

    @property
    def goes_on(self) -> bool:
        """Whether it can be simulated further; a jam ends it."""
        return self.pieces[-1].code == DONE

    @property
    def is_full(self) -> bool:
        """Whether its last piece took more steps than are kept of one."""
        return self.pieces[-1].code == FULL

    def go_on(self, duration: float) -> None:
        """Simulates so much more."""
        state, last = self.state_at(self.end), self.pieces[-1]
        begin = self.end
        with doing(f"simulating, {self._why}"):
            piece = last.restarted(begin - self.begins[-1], state.at, state.speeds, duration)
        self.pieces.append(piece)
        self.begins.append(begin)
        self._note(begin, piece)

    @cached_property
    def along(self) -> RunSteps:
        """All its steps, times those of the machine."""
        steps = [piece.steps + np.array([begin, 0.0, 0.0]) for piece, begin in self._parts()]
        points = [piece.points for piece in self.pieces]
        return RunSteps(self.first.tree, np.concatenate(steps), np.concatenate(points))

    def _parts(self) -> Any:
        return zip(self.pieces, self.begins, strict=True)

    def state_at(self, time: float) -> MachineState:
        y, v = self.along.motion_at(time)
        return MachineState(time, y, v)

    def touching(self) -> tuple[Floats, NDArray[np.int64]]:
        """When each step begins, and the candidates that act in it (-1 behind the last)."""
        return self.along.steps[:, 0], np.concatenate([piece.touching for piece in self.pieces])

    def hits(self) -> list[tuple[float, int]]:
        """When candidates hit, and which: one that rebounds at once acts in no step."""
        return [
            (float(row[layout.TIME]) + begin, int(row[layout.CANDIDATE]))
            for piece, begin in self._parts()
            for row in piece.happened
            if row[layout.KIND] == IMPACT and row[layout.CANDIDATE] < len(piece.possible)
        ]

    def events(self) -> list[Event]:
        """What happened; where a piece begins, contacts that go on are no events."""
        from msgspec import structs

        happened: list[Event] = []
        for number, (piece, begin) in enumerate(self._parts()):
            for event in piece.events:
                if number == 0 or event.time > 0.0:
                    happened.append(structs.replace(event, time=event.time + begin))
        return happened

    def ranges(self) -> Ranges:
        """States at the beginnings of steps, read from their control points."""
        steps, points = self.along.steps, self.along.points
        speeds = 5.0 * (points[:, 1] - points[:, 0]) / steps[:, 1:2]
        return Ranges(steps[:, 0], points[:, 0], speeds, self.along.scales(), self.words)

    @property
    def words(self) -> UnitWords:
        """Numbers with the units of the document."""
        return unit_words_of(self.first.tree)

    def minima_below(self, share: float, apart: NDArray[np.bool_] | None = None, top: float = 0.0) -> Marks:
        """States at the minima of the kinetic energy below a share of its greatest value, here or `top`.

        Coordinates `apart` count as still: what moves besides a pattern must not hide its minima.
        """
        along = self.along
        if apart is not None and apart.any():
            points = along.points.copy()
            points[:, :, apart] = points[0, 0, apart]
            along = RunSteps(along.tree, along.steps, points)
        return self.marks_at(np.array(energy_minima(along, share, top)))

    def marks_at(self, times: Floats) -> Marks:
        motions = [self.along.motion_at(float(time)) for time in times]
        width = self.first.tree.freedoms
        return Marks(
            np.asarray(times, float),
            np.array([y for y, _ in motions]).reshape(-1, width),
            np.array([v for _, v in motions]).reshape(-1, width),
        )


class Simulator:
    """One machine, prepared: it begins as the document says, or at any state."""

    def __init__(self, prepared: RigidRun) -> None:
        self.account = Account()
        self.prepared = prepared

    def from_start(self) -> SimulatedCourse:
        return SimulatedCourse(self.prepared, 0.0, self.account, "from the start")

    def from_state(
        self, state: MachineState, lasts: float, why: str, accuracy: float | None = None
    ) -> SimulatedCourse:
        """To the accuracy of the machine that was prepared, unless another one is given."""
        with doing(f"simulating, {why}"):
            piece = self.prepared.restarted(state.time, state.at, state.speeds, lasts, accuracy)
        return SimulatedCourse(piece, state.time, self.account, why)
