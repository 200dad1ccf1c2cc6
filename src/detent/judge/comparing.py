"""Do both contact models say the same? Two runs of one machine, and where they first differ."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from detent.judge.running import run, running_of
from detent.motion.penalty.method import Penalty
from detent.motion.rigid.method import Rigid
from detent.record.compared import Compared, StateApart, Touch
from detent.record.scope import Scope

if TYPE_CHECKING:
    from collections.abc import Sequence

    from detent.model.document.mechanism import Mechanism
    from detent.record.running import Running

TOLERANCE = 0.02  # of a joint's range
TIMES = 4000  # at which coordinates are compared
# Of the compared time: a part that yields bounces where a rigid one stays.
SOON = 0.005


def compare_models(
    mechanism: Mechanism,
    *,
    until: float | None = None,
    every: float | None = None,
    times: Sequence[float] | None = None,
    rigid: Rigid | None = None,
    penalty: Penalty | None = None,
) -> Compared:
    """The machine by both contact models, and where they first differ."""
    hard = run(mechanism, method=rigid or Rigid(), until=until, every=every, times=times)
    soft = run(mechanism, method=penalty or Penalty(), until=until, every=every, times=times)
    assert hard.stop is not None
    assert soft.stop is not None
    end = min(hard.stop.time, soft.stop.time)
    if hard.stop.time != soft.stop.time:  # rows of the one that ended first
        rows = (hard if hard.stop.time == end else soft).times
        hard, soft = (running_of(each.run, mechanism, rows) for each in (hard, soft))
    soon = SOON * end
    alike, touch_apart = _first_other(touches(hard, end, soon), touches(soft, end, soon))
    return Compared(
        rigid=hard,
        penalty=soft,
        until=end,
        alike=alike,
        touch_apart=touch_apart,
        states_apart=_states_apart(hard, soft, end),
        tolerance=TOLERANCE,
        soon=soon,
        scope=Scope(
            certainty="sampled",
            covers=f"coordinates at {TIMES} times, and the order of touches",
            left_out=("how hard they touch",),
        ),
        title=mechanism.title,
    )


def touches(running: Running, until: float, soon: float) -> list[Touch]:
    """When pairs of parts that were apart come to touch."""
    acting: dict[tuple[str, str], set[str]] = {}
    parted: dict[tuple[str, str], float] = {}
    found: list[Touch] = []
    for event in running.events:
        if event.time > until or len(event.subjects) != 2:
            continue
        pair = (min(event.subjects), max(event.subjects))
        contacts = acting.setdefault(pair, set())
        if event.kind in ("impact", "contact"):
            if not contacts and event.time - parted.get(pair, -np.inf) > soon:
                found.append(Touch(event.time, pair))
            contacts.update(event.after)
        elif event.kind == "release":
            contacts.difference_update(event.before)
            parted[pair] = event.time
    return found


def _first_other(
    hard: list[Touch], soft: list[Touch]
) -> tuple[int, tuple[Touch | None, Touch | None] | None]:
    """How many touches come in the same order, and the first two that do not."""
    alike = next(
        (k for k, (a, b) in enumerate(zip(hard, soft, strict=False)) if a.parts != b.parts),
        min(len(hard), len(soft)),
    )
    if alike == len(hard) == len(soft):
        return alike, None
    return alike, (
        hard[alike] if alike < len(hard) else None,
        soft[alike] if alike < len(soft) else None,
    )


def _states_apart(hard: Running, soft: Running, until: float) -> dict[str, StateApart]:
    times = np.linspace(0.0, until, TIMES + 1)
    a, b = (_coordinates(running, times) for running in (hard, soft))
    apart: dict[str, StateApart] = {}
    system = hard.run.evidence.tree.system
    length = system.tolerance.length / system.metres_per_unit
    for name, column in a.items():
        other = b[name]
        whole = max(column.max(), other.max()) - min(column.min(), other.min())
        # What moves less stands still in both: its range is rounding.
        least = system.tolerance.angle if hard.state_units[name] == "rad" else length
        beyond = np.flatnonzero(np.abs(column - other) > TOLERANCE * whole)
        if whole > least and len(beyond):
            first = beyond[0]
            apart[name] = StateApart(float(times[first]), float(column[first]), float(other[first]))
    return apart


def _coordinates(running: Running, times: Any) -> dict[str, Any]:
    coordinates: dict[str, Any] = running.run.evidence.along.at(times).coordinates
    return coordinates
