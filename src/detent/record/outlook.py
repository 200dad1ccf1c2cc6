"""What a machine will do in the long run: its pattern, how it drifts, what comes on top, when it ends."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from detent.foundation.units import unit_names
from detent.record.base import Record, Value
from detent.record.scope import UNTOLD, Scope
from detent.record.table import Tabular, with_unit
from detent.record.verdict import Evidence

if TYPE_CHECKING:
    from detent.record.table import ColumnArray

MINIMA = "minima of the kinetic energy"  # what marks are where there are such
OutlookVerdict = Literal["repeats", "ends", "at_rest", "undecided"]


class Phase(Value, frozen=True):
    """A mark of a pattern: when, counted from its begin [s], the state then, and its change per pattern."""

    time: float
    state: Mapping[str, float]
    change: Mapping[str, float]


class PatternContact(Value, frozen=True, rename={"from_": "from"}):
    """A contact of a pattern: who pushes whom, from when to when, counted from its begin [s].

    `given` [J] is what the pushed part gets, in the blow with which the contact begins and while it acts
    (below zero where a blow takes energy of both), `lost` what neither part gets.
    """

    contact: str
    parts: tuple[str, str]
    from_: float
    to: float
    pusher: str = ""
    pushed: str = ""
    given: float = 0.0
    lost: float = 0.0


class PatternEnergy(Value, frozen=True):
    """Energies of one pattern [J]: what drives give is stored (in springs, in height, in motion), damped by
    joints, lost at contacts, rubbed off by friction in joints, stopped by their limits, or left by rounding.
    """

    driven: float
    stored: float
    damped: float
    lost: float
    elsewhere: float
    rubbed: float = 0.0
    stopped: float = 0.0


class Pattern(Value, frozen=True):
    """What repeats: over so many marks, in that time, changing joints by so much.

    `marks` says what they are: minima of the kinetic energy, or crossings of a section. `change` is that from
    the first mark kept, over the first pattern that agrees, whose phase is the first of `phases`; these are
    of the last one confirmed. `multipliers` are what is left of a disturbance of a joint after a pattern.
    """

    minima: int
    duration: float  # [s] of the last pattern that was simulated from the start
    change: Mapping[str, float]
    phases: tuple[Phase, ...] = ()
    marks: str = MINIMA
    since: float = 0.0  # [s] when the first pattern that agrees began
    confirmed: int = 0  # patterns that agree, beside the first
    bound: int = 0  # marks after which it is found where it is there from the start
    contacts: tuple[PatternContact, ...] = ()
    energy: PatternEnergy | None = None
    multipliers: Mapping[str, float] = {}


class Refused(Value, frozen=True):
    """A pattern that was tried, and why it fell."""

    minima: int
    time: float
    why: str


class Drift(Value, frozen=True):
    """How the pattern changes as what drives it runs down: measured patterns as rows, and their law, if any.

    `holds` says how far the law is from the measured patterns that it was not fitted to.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[float, ...], ...]
    law: str = ""
    holds: str = ""
    numbers: Mapping[str, tuple[float, float]] = {}  # square = first + second * tension, by column
    about: Mapping[str, float] = {}  # by joint: where the law measures its amplitude from
    within: Mapping[str, float] = {}  # by joint: how far off the law was, at most, where it was not fitted
    until: Mapping[str, int] = {}  # by joint: the last pattern, from the start, at which that was looked at


class ValidUntil(Value, frozen=True):
    """The end of the pattern: the last one's number, when and why it ends, and what follows."""

    patterns: int  # whole ones, counted from the start by their marks
    time: float  # [s] when the last one is over; of a new contact when parts meet in the next one
    cause: Literal["slack", "contact", "limit", "stopped", "changes", "open", "horizon"]
    interval: tuple[int, int]  # that the last pattern lies in
    between: tuple[str, ...] = ()
    what: str = ""
    state: Mapping[str, float] = {}
    then: str = ""


class Superimposed(Value, frozen=True):
    """A process that comes on top of the pattern from time to time, of joints that otherwise rest.

    Parts that meet more than once before they stand as at first have one process for each of these meetings.
    """

    between: tuple[str, str]
    period_patterns: int | None  # None: the parts never stand as at first any more
    period: float | None  # [s] from the first to the second; None: it comes once, for the pattern ends before
    duration: float  # [s]
    first: float  # [s]
    joints: tuple[str, ...]
    change: Mapping[str, float]


class Regime(Value, frozen=True):
    """A stretch of a machine's life: from when to when it shows a pattern, or rests (`pattern` None).

    Patterns of a regime are counted from its own start. `end` is None where it has none, or none is known.
    """

    start: float  # [s]
    end: float | None
    verdict: OutlookVerdict
    reason: str
    pattern: Pattern | None = None
    superimposed: tuple[Superimposed, ...] = ()
    valid_until: ValidUntil | None = None
    amplitude: Mapping[str, float] = {}
    state: Mapping[str, float] | None = None  # where it rests


class MomentAhead(Value, frozen=True):
    """The state at a moment: after so many patterns the rest was simulated; `error` as it was estimated."""

    time: float
    pattern: int
    state: Mapping[str, float]
    speeds: Mapping[str, float]
    error: Mapping[str, float]
    time_error: float
    regime: int = 0  # that it lies in, and its patterns are counted in


class MomentUntold(Value, frozen=True):
    """A moment that was asked for, by its time or its pattern, and why its state is not told."""

    why: str
    time: float | None = None
    pattern: int | None = None


class OtherThanExpected(Value, frozen=True):
    """One thing that is not as it was expected."""

    what: str
    expected: str
    found: str
    cause: str = ""


class Expectation(Value, frozen=True):
    """What was expected: met within a share of each number, or what is other."""

    met: bool
    within: float
    other: tuple[OtherThanExpected, ...] = ()


class Diagnosis(Value, frozen=True):
    """A machine beside a sound one: after so many like touches, the first that differs, and in which way.

    Of what was observed, samples of coordinates or ticks are beside the run of the document: `contact` is
    that which should have been. `differ` are the entries of the two documents that are not the same.
    """

    departs: bool
    until: float  # [s] compared
    alike: int  # touches that came alike
    time: float | None = None
    between: tuple[str, ...] = ()
    contact: str = ""
    faulty: str = ""
    sound: str = ""
    differ: tuple[str, ...] = ()
    of: Literal["touches", "samples", "ticks"] = "touches"  # what came alike: of a run, of what was observed


class Outlook(Tabular, Record, frozen=True):
    """The answer; lengths in document units, angles in radians, times [s]."""

    verdict: OutlookVerdict
    pattern: Pattern | None = None
    drift: Drift | None = None
    superimposed: tuple[Superimposed, ...] = ()
    valid_until: ValidUntil | None = None
    regimes: tuple[Regime, ...] = ()  # the pattern above, then what follows where it ends
    state: Mapping[str, float] | None = None  # where it comes to rest
    since: float | None = None
    since_within: float | None = None  # [s] how well that is known of what fades; None: it stands still then
    refused: tuple[Refused, ...] = ()
    synchronous: tuple[tuple[str, ...], ...] = ()
    amplitude: Mapping[str, float] = {}  # half the range over a pattern, of joints that go to and fro
    moments: tuple[MomentAhead, ...] = ()
    untold: tuple[MomentUntold, ...] = ()  # moments that were asked for, and why they are not told
    expectation: Expectation | None = None
    diagnosis: Diagnosis | None = None
    evidence: tuple[Evidence, ...] = ()
    reason: str = ""  # why it is so; of an undecided one what is missing
    scope: Scope = UNTOLD
    method: str = "rigid"
    notes: tuple[str, ...] = ()
    units: str = "m"
    state_units: Mapping[str, str] = {}
    title: str = ""

    def _line(self) -> str:
        pattern = "" if self.pattern is None else f", {self.pattern.minima} in {self.pattern.duration:.6g}"
        return f"{self.title!r}: {self.verdict}{pattern}"

    @property
    def has_table(self) -> bool:
        """Whether there is anything that could stand in a row of its table."""
        return bool(
            self.drift or self.pattern or self.valid_until or self.state or self.moments or self.untold
        )

    def unit_of(self, column: str) -> str:
        """The unit of a column of `drift`; empty where it has none."""
        names = unit_names(self.units)
        if column in ("time", "duration"):
            return names.time.strip()
        what, _, joint = column.partition(" ")
        if what == "tension" and joint in self.state_units:
            return (names.torque if self.state_units[joint] == "rad" else names.force).strip()
        return self.state_units.get(column.rpartition(" ")[0], "")

    def columns(self) -> dict[str, ColumnArray]:
        """A row per measured pattern, mark, end, regime (its begin), rest and moment; with units.

        `pattern` counts from the start; marks have their time after the begin of the pattern.
        """
        rows = self._rows()
        joints = {joint for row in rows for joint in row.state}
        states = [joint for joint in self.state_units if joint in joints]
        drifts = () if self.drift is None else self.drift.columns[2:]
        columns: dict[str, ColumnArray] = {"row": np.array([row.kind for row in rows], dtype=object)}
        columns["pattern"] = np.array([row.pattern for row in rows], dtype=float)
        columns[with_unit("time", self.unit_of("time"))] = np.array([row.time for row in rows], dtype=float)
        if self.pattern is not None and self.pattern.phases:
            after = np.array([row.after for row in rows], dtype=float)
            columns[with_unit("time after begin", self.unit_of("time"))] = after
        for k, name in enumerate(drifts):
            values = [row.drift[k] if row.drift else math.nan for row in rows]
            columns[with_unit(name, self.unit_of(name))] = np.array(values, dtype=float)
        for what in ("state", "change", "error"):
            for joint in states:
                values = [getattr(row, what).get(joint, math.nan) for row in rows]
                if what == "state" or not all(map(math.isnan, values)):
                    name = joint if what == "state" else f"{joint} {what}"
                    columns[with_unit(name, self.state_units[joint])] = np.array(values, dtype=float)
        return columns

    def _rows(self) -> list[_Row]:
        rows = []
        if self.drift is not None:
            rows += [_Row("pattern", row[0], row[1], drift=row[2:]) for row in self.drift.rows]
        if self.pattern is not None:
            rows += [
                _Row("mark", math.nan, math.nan, phase.state, phase.change, after=phase.time)
                for phase in self.pattern.phases
            ]
        if self.valid_until is not None:
            rows.append(_Row("end", self.valid_until.patterns, self.valid_until.time, self.valid_until.state))
        if len(self.regimes) > 1:
            rows += [_Row("regime", math.nan, each.start, each.state or {}) for each in self.regimes]
        if self.state is not None and self.since is not None:
            rows.append(_Row("rest", math.nan, self.since, self.state))
        rows += [
            _Row("moment", each.pattern, each.time, each.state, error=each.error) for each in self.moments
        ]
        rows += [
            _Row(
                "moment not told",
                math.nan if each.pattern is None else each.pattern,
                math.nan if each.time is None else each.time,
            )
            for each in self.untold
        ]
        return rows


class _Row(NamedTuple):
    """A row of the table, of the kind that it says."""

    kind: str
    pattern: float
    time: float
    state: Mapping[str, float] = {}
    change: Mapping[str, float] = {}
    drift: tuple[float, ...] = ()
    error: Mapping[str, float] = {}
    after: float = math.nan
