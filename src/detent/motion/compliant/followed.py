"""A leg as one compliant connection goes through it, and several of them together.

Rows lie along the way of the leg, dense enough that between two of them a straight line is the curve; where a
force jumps a way has two rows, before and after. Loads act on the pushed part, on world axes, about its own
origin as it goes; the push is what a drive must give along the leg, against them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import numpy as np

from detent.library.mating.force_law import Floats, ForceLaw
from detent.motion.leading.plan import StraightLeg
from detent.record.compliant_mating import HookBending
from detent.record.event import Cause, EventKind


@dataclass(frozen=True)
class ContactChange:
    """Where other contacts are loaded than before."""

    way: float  # along the leg [m]
    kind: EventKind
    before: tuple[str, ...]
    after: tuple[str, ...]
    joint: str | None = None  # of a hook
    detail: str = ""
    reason: str | None = None  # of a jam
    subjects: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class FollowedLeg:
    """One connection along one leg."""

    way: Floats  # (n,) along the leg, never falling [m]
    load: Floats  # (n, 6) on the pushed part [N, N m]; infinite where it has no bound
    work: Floats  # (n,) of the drive on this connection, from the leg's start [J]
    begins_with: tuple[str, ...]  # contacts at the start
    changes: tuple[ContactChange, ...]
    cause: Cause = "done"
    detail: str = ""  # of the cause
    columns: Mapping[str, Floats] = field(default_factory=dict)  # by name with unit, beside forces
    facts: Mapping[str, Any] = field(default_factory=dict)  # fields of `CompliantForce`, document units
    frames: Mapping[str, Floats] = field(default_factory=dict)  # (n, 4, 4) by part that gives way [m]
    bending: HookBending | None = None  # of a hook on a beam
    lies: str = ""  # of a hook that has not let go at the end, nor is drawn on there: where it lies, how bent
    bent: Floats | None = (
        None  # which way a hook was bent while it touched; in roots of energy, of any length
    )
    memory: Any = None  # what the connection goes on from in the next leg
    most_stored: float = 0.0  # of a hook [J], on this leg and those before it up to one that led back

    @property
    def sequence(self) -> tuple[tuple[str, ...], ...]:
        """The sets of contacts, one after the other."""
        sets = [self.begins_with]
        for change in self.changes:
            if change.after != sets[-1]:
                sets.append(change.after)
        return tuple(sets)

    def until(self, way: float) -> FollowedLeg:
        """The part of it up to a way, where another connection ended the leg."""
        if way >= self.way[-1]:
            return self
        at = np.append(self.way[self.way < way], way)
        return replace(
            self,
            way=at,
            load=_at(self.way, self.load, at),
            work=_at(self.way, self.work, at),
            changes=tuple(change for change in self.changes if change.way <= way),
            columns={name: _at(self.way, column, at) for name, column in self.columns.items()},
            frames={name: _at(self.way, frames, at) for name, frames in self.frames.items()},
        )


class Connection(Protocol):
    """A ring in its bore, a hook on its support: what the compliant method follows leg by leg."""

    @property
    def name(self) -> str: ...

    @property
    def reach(self) -> float:
        """[m] The size of what gives way."""
        ...

    @property
    def law(self) -> ForceLaw:
        """The same as a force law, for equations of motion."""
        ...

    @property
    def notes(self) -> tuple[str, ...]: ...

    @property
    def assumed(self) -> tuple[str, ...]: ...

    @property
    def left_out(self) -> tuple[str, ...]: ...

    @property
    def described(self) -> Mapping[str, Any]:
        """Plain data for the answer, names with units."""
        ...

    def follow(self, leg: StraightLeg, before: FollowedLeg | None) -> FollowedLeg:
        """Along a leg; `before` is the leg before it."""
        ...


def rows_of(legs: list[FollowedLeg]) -> Floats:
    """Ways at which all connections of one leg have a row, jumps twice."""
    ways: dict[float, int] = {}
    for leg in legs:
        values, counts = np.unique(leg.way, return_counts=True)
        for way, count in zip(values.tolist(), counts.tolist(), strict=True):
            ways[way] = max(ways.get(way, 0), min(count, 2))
    return np.array([way for way in sorted(ways) for _ in range(ways[way])])


def at_rows(leg: FollowedLeg, values: Floats, rows: Floats) -> Floats:
    """A column of a leg at rows of `rows_of`; of two rows at one way the first is before a jump."""
    return _at(leg.way, values, rows)


def _at(way: Floats, values: Floats, rows: Floats) -> Floats:
    left, right = np.searchsorted(way, rows, "left"), np.searchsorted(way, rows, "right")
    second = np.concatenate([[False], rows[1:] == rows[:-1]])
    low = np.where(right > left, np.where(second, right - 1, left), left - 1)
    high = np.where(right > left, low, np.minimum(left, len(way) - 1))
    low = np.maximum(low, 0)
    step = way[high] - way[low]
    share = np.where(step > 0, (rows - way[low]) / np.where(step > 0, step, 1.0), 0.0)
    share = share.reshape(-1, *[1] * (values.ndim - 1))
    with np.errstate(invalid="ignore"):
        between = values[low] + share * (values[high] - values[low])
    return np.where(share == 0, values[low], between)
