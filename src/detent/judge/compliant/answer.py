"""The answer of `detent mate` from a compliant run: each leg's forces and events, the series."""

from __future__ import annotations

import math
from itertools import zip_longest
from typing import Any

import numpy as np

from detent.foundation.names import listed
from detent.judge.compliant.inserting import legs_in
from detent.judge.compliant.scope import compliant_scope
from detent.judge.hinges.classic import classic_hooks
from detent.library.mating.force_law import Floats
from detent.model.machine.pushed.compliant import sprung_hooks
from detent.motion.compliant.compliant_run import CompliantRun, ConnectedLeg
from detent.motion.compliant.followed import at_rows
from detent.record.compliant_mating import (
    CompliantForce,
    CompliantLeg,
    CompliantMating,
    CompliantSeries,
    GoesIn,
    series_columns,
)
from detent.record.run import Run

# Of a leg's length: changes of two connections so near are at once, as of hooks that face each other.
_AT_ONCE = 1e-9


def compliant_mating_of(run: Run) -> CompliantMating:
    """The record of a compliant run."""
    evidence = run.evidence
    assert isinstance(evidence, CompliantRun)
    return CompliantMating(
        insertion=goes_in(evidence),
        legs=tuple(_leg(evidence, k) for k in range(len(evidence.legs))),
        series=_series(evidence),
        connections=tuple(one.described for one in evidence.connections),
        classic=classic_hooks(evidence.mechanism),
        method=evidence.name,
        scope=compliant_scope(evidence),
        notes=(*evidence.notes, *(note for one in evidence.connections for note in one.notes)),
        units=evidence.mechanism.units,
    ).computed_from(run)


def _leg(evidence: CompliantRun, index: int) -> CompliantLeg:
    rows = evidence.legs[index]
    return CompliantLeg(
        start=float(rows.times[0]),
        end=evidence.end(rows),
        events=evidence.events[index],
        contact_sequence=_sequence(rows),
        contacts=evidence.intervals(rows),
        force=_force(evidence, rows),
        bending=tuple(one.bending for one in rows.followed if one.bending is not None),
    )


def _sequence(rows: ConnectedLeg) -> tuple[tuple[str, ...], ...]:
    """The sets of contacts of all connections, one after the other."""
    if len(rows.followed) == 1:
        return rows.followed[0].sequence
    now = [one.begins_with for one in rows.followed]
    sets = [tuple(name for part in now for name in part)]
    changes = sorted(
        ((change.way, k, change) for k, one in enumerate(rows.followed) for change in one.changes),
        key=lambda entry: entry[:2],
    )
    for (way, k, change), later in zip_longest(changes, changes[1:]):
        now[k] = change.after
        together = tuple(name for part in now for name in part)
        at_once = later is not None and later[0] - way <= _AT_ONCE * rows.leg.length
        if together != sets[-1] and not at_once:
            sets.append(together)
    return tuple(sets)


def _force(evidence: CompliantRun, rows: ConnectedLeg) -> CompliantForce:
    """Largest and least of all connections together, then what a single connection tells of itself."""
    push, unit = rows.push, evidence.plan.metres
    travel = evidence.plan.travel(rows.leg, rows.way) / unit
    top, low = int(np.argmax(push)), int(np.argmin(push))
    known: dict[str, Any] = {
        "peak": float(push[top]),
        "peak_push": float(push[top]),
        "peak_at_travel": float(travel[top]),
        "pull_in": min(float(push[low]), 0.0) + 0.0,
        "work": float(rows.work[-1]),
    }
    if evidence.mechanism.units != "1":
        known["peak_at_travel_mm"] = 1e3 * unit * float(travel[top])
    if push[low] < 0:
        known["pull_in_at_travel"] = float(travel[low])
    if sprung_hooks(evidence.mechanism):
        known |= _hooks(rows, push, travel)
    if len(rows.followed) == 1:
        known |= rows.followed[0].facts
    return CompliantForce(**known)


def _hooks(rows: ConnectedLeg, push: Floats, travel: Floats) -> dict[str, Any]:
    """What is held across the push, by all hooks together, and what they dissipate."""
    forces = np.where(np.isfinite(rows.load[:, :3]), rows.load[:, :3], 0.0)
    across = np.linalg.norm(forces - np.outer(forces @ rows.leg.direction, rows.leg.direction), axis=1)
    lost = [one.facts["dissipated"] for one in rows.followed if "dissipated" in one.facts]
    table = np.column_stack([travel, push, across])[np.isfinite(push)]
    return {
        "peak_lift": float(across.max()),
        "dissipated": float(sum(lost)),
        "curve_travel_push_lift": tuple((t, p, lift) for t, p, lift in table.tolist()),
    }


def _series(evidence: CompliantRun) -> CompliantSeries:
    names = dict.fromkeys(name for rows in evidence.legs for one in rows.followed for name in one.columns)
    head = (*series_columns(evidence.mechanism.units), *names)
    body: list[tuple[float | None, ...]] = []
    for rows in evidence.legs:
        travel = evidence.plan.travel(rows.leg, rows.way) / evidence.plan.metres
        columns: list[Floats] = [
            np.full(len(rows.way), float(rows.leg.number)),
            rows.times,
            travel,
            rows.push,
            *rows.load.T,
            rows.work,
        ]
        known = {name: (one, column) for one in rows.followed for name, column in one.columns.items()}
        for name in names:
            if name in known:
                columns.append(at_rows(*known[name], rows.way))
            else:
                columns.append(np.full(len(rows.way), np.nan))
        body += [
            tuple(None if math.isnan(x) else x for x in row) for row in np.column_stack(columns).tolist()
        ]
    return CompliantSeries(columns=head, rows=tuple(body))


def goes_in(evidence: CompliantRun) -> GoesIn:
    """Whether the insertion's legs came to their end, and whether all that gives way touched on them."""
    legs = evidence.legs[: legs_in([rows.leg.direction for rows in evidence.legs])]
    last, number = legs[-1], len(legs)
    named = "the first leg" if number == 1 else f"legs 1 to {number}"
    cause = last.ended.cause
    if cause != "done":
        why = last.ended.detail or f"leg {number} ends in a {cause}"
        return GoesIn(answer="no", why=why, last_leg=number)
    if not any(names for rows in legs for names in _sequence(rows)):
        why = f"nothing that gives way touched anything on {named}"
        return GoesIn(answer="nothing touched", why=why, last_leg=number)
    lying = [one.lies for one in last.followed if one.lies]
    if lying:
        return GoesIn(answer="not yet", why="; ".join(lying), last_leg=number)
    untouched = [
        connection.name
        for k, connection in enumerate(evidence.connections)
        if not any(names for rows in legs for names in rows.followed[k].sequence)
    ]
    if untouched:
        verb = "has" if len(untouched) == 1 else "have"
        why = f"{listed(untouched)} {verb} touched nothing so far"
        return GoesIn(answer="not yet", why=why, last_leg=number)
    return GoesIn(
        answer="yes", why=f"{named} went to {'its' if number == 1 else 'their'} end", last_leg=number
    )
