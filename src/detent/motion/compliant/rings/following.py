"""A ring along one leg: where it touches what, its rows, its peak, the work, and where friction locks it.

The force is a closed form of the depth, smooth between changes of the wall that is touched; these are found
by bisection between samples that include where each wall begins and ends.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from detent.library.mating.force_law import Floats
from detent.library.mating.oring import OringLaw, RingState
from detent.motion.compliant.followed import ContactChange, FollowedLeg
from detent.motion.leading.plan import StraightLeg
from detent.numeric.roots import bisect, golden_minimum
from detent.record.event import Cause, EventKind
from detent.record.table import with_unit

SAMPLES = 240  # along the wall, beside where walls begin and end
_GROUNDED = -math.inf  # bracket of a ring that is squeezed by its whole section somewhere
_GAUSS = np.polynomial.legendre.leggauss(5)


@dataclass(frozen=True)
class _Row:
    way: float
    state: RingState


_Stretch = tuple[list[_Row], list[ContactChange], Cause, str]


def follow_ring(
    law: OringLaw,
    leg: StraightLeg,
    depth: float,
    offset: float,
    outward: Floats,
    sense: int,
    drawn: Floats,
    metres: float,
    units: str,
    *,
    named: str = "",
) -> FollowedLeg:
    """From a depth on, beside the axis by an offset; `drawn` is the pushed part's frame as drawn.

    `named` stands before the names of columns, to tell those of several rings apart.
    """

    def state(way: float) -> RingState:
        found = law.state(depth + sense * way, offset, float(sense))
        if found.laid is None or found.bracket <= 0 or found.squeeze + offset < 2 * law.ring.tube:
            return found
        if found.laid.sine * sense < 0:  # it goes out again
            return found
        return found._replace(bracket=_GROUNDED, along=-sense * math.inf, across=0.0, about=0.0)

    rows, changes, cause, detail = _rows(law, leg.length, depth, offset, sense, state)
    work = np.cumsum([0.0, *(_work(a, b, state, sense) for a, b in pairwise(rows))])
    ways = np.array([row.way for row in rows])
    axis = np.array(law.bore.axis)
    load = np.array([_load(row.state, axis, outward, np.array(law.at), drawn) for row in rows])
    first = rows[0].state
    return FollowedLeg(
        way=ways,
        load=load,
        work=work,
        begins_with=() if first.laid is None else (law.named(first.laid),),
        changes=tuple(changes),
        cause=cause,
        detail=detail,
        columns={
            named + name: column for name, column in _columns(law, rows, offset, sense, metres, units).items()
        },
        facts=_facts(law, rows, depth, offset, sense, metres, units),
    )


def _rows(
    law: OringLaw,
    length: float,
    depth: float,
    offset: float,
    sense: int,
    state: Callable[[float], RingState],
) -> _Stretch:
    """Rows along the way, changes of contact, what ends it and why."""
    ways = _samples(law, length, depth, sense)
    rows = [_Row(ways[0], state(ways[0]))]
    changes: list[ContactChange] = []
    for way in ways[1:]:
        row = _Row(way, state(way))
        if _key(rows[-1]) != _key(row):
            low, high = _between(rows[-1], row, state)
            rows.append(low)
            before = () if low.state.laid is None else (law.named(low.state.laid),)
            after = () if high.state.laid is None else (law.named(high.state.laid),)
            at = (low.way + high.way) / 2
            rows[-1] = _Row(at, low.state)
            touched = low.state.laid or high.state.laid
            changes.append(_change(law, at, before, after, touched.name if touched else ""))
            rows.append(_Row(at, high.state))
        if row.state.bracket <= 0 or rows[-1].state.bracket <= 0:
            return _stopped(law, rows, row, state, changes, offset)
        if way > rows[-1].way:
            rows.append(row)
    return _with_peaks(rows, state), changes, "done", ""


def _change(
    law: OringLaw, way: float, before: tuple[str, ...], after: tuple[str, ...], wall: str
) -> ContactChange:
    kind: EventKind = "change" if before and after else "contact" if after else "release"
    return ContactChange(way, kind, before, after, subjects=_parts(law, wall))


def _parts(law: OringLaw, wall: str) -> tuple[str, str]:
    """The ring, and the part that a wall is of."""
    return law.name, wall.partition("/")[0]


def _samples(law: OringLaw, length: float, depth: float, sense: int) -> list[float]:
    """Ways at which the ring is looked at: evenly along the wall, and about each wall's ends."""
    low, high = law.bore.span
    tube = law.ring.tube
    marks = {end + k * tube for wall in law.bore.walls for end in (wall.start, wall.end) for k in (-1, 0, 1)}
    depths = [*np.linspace(low - 1.01 * tube, high + 1.01 * tube, SAMPLES + 1).tolist(), *marks]
    for wall in law.bore.walls:  # where a circle begins and ends to lie against it
        depths += [u - tube * sine for u in (wall.start, wall.end) for sine in _sines(wall, u)]
    ways = {sense * (z - depth) for z in depths}
    return sorted({0.0, length, *(way for way in ways if 0 < way < length)})


def _sines(wall: Any, u: float) -> list[float]:
    if wall.bend is None:
        return [-wall.slope / math.sqrt(1 + wall.slope**2)]
    return [max(-1.0, min(1.0, (wall.at - u) / wall.bend))] if wall.bend else []


def _key(row: _Row) -> str:
    return "" if row.state.laid is None else row.state.laid.name


def _between(low: _Row, high: _Row, state: Callable[[float], RingState]) -> tuple[_Row, _Row]:
    """The last row with the contacts of the first, and the next one, as near as doubles tell."""

    def is_as_low(way: float) -> bool:
        return _key(_Row(way, state(way))) == _key(low)

    before, after = bisect(is_as_low, low.way, high.way)
    return _Row(before, state(before)), _Row(after, state(after))


def _stopped(
    law: OringLaw,
    rows: list[_Row],
    row: _Row,
    state: Callable[[float], RingState],
    changes: list[ContactChange],
    offset: float,
) -> _Stretch:
    """The rows up to where the balance has no solution any more; the last has no bound.

    A face across the way, narrower than the groove's ground, blocks the ring, and so does a wall that the
    ground meets beside the axis; elsewhere friction locks it.
    """
    if rows[-1].state.bracket > 0:
        _, locked = bisect(lambda way: state(way).bracket > 0, rows[-1].way, row.way)
        rows.append(_Row(locked, state(locked)))
    last = rows[-1]
    assert last.state.laid is not None
    names, parts = (law.named(last.state.laid),), _parts(law, last.state.laid.name)
    if last.state.squeeze + offset >= 2 * law.ring.tube:
        changes.append(ContactChange(last.way, "blocked", names, names, subjects=parts))
        at = last.state.laid.name
        if last.state.bracket == _GROUNDED:
            return rows, changes, "blocked", f"beside the axis the groove's ground meets the wall at {at}"
        return rows, changes, "blocked", f"a face at {at} stands across the ring's way"
    changes.append(ContactChange(last.way, "jam", names, names, reason="closed", subjects=parts))
    return rows, changes, "jam", _why_locked(law, last.state)


def _why_locked(law: OringLaw, state: RingState) -> str:
    """The slope beyond which friction locks: tan b = (1 - mu mu_g) / (mu + mu_g) while it is compressed."""
    assert state.laid is not None
    angle = abs(math.degrees(math.asin(state.laid.sine)))
    mu, groove = law.friction, law.groove_friction
    locks = f"friction locks the ring at {state.laid.name}"
    if mu * groove >= 1:
        return f"{locks}: with {mu:g} there and {groove:g} in the groove, whose product is not below 1"
    limit = math.degrees(math.atan2(1 - mu * groove, mu + groove))
    both = f"{mu:g}" if mu == groove else f"{mu:g}, {groove:g} in the groove"
    leans = f"the contact leans {angle:.4g}° against the axis"
    return f"{locks}: {leans}, and with friction {both} it goes on up to {limit:.4g}°"


def _with_peaks(rows: list[_Row], state: Callable[[float], RingState]) -> list[_Row]:
    """With a row at each largest and least push, and force and moment across, between smooth rows."""
    found = [rows[0]]
    for k in range(1, len(rows) - 1):
        a, b, c = rows[k - 1 : k + 2]
        tops = [b]
        if a.way < b.way < c.way:
            for load in _LOADS:
                one, two, three = (load(each.state) for each in (a, b, c))
                sign = next((s for s in (1, -1) if s * two > s * one and s * two >= s * three), 0)
                if sign:
                    tops.append(_top(a.way, c.way, state, load, sign))
        found += [row for row in sorted(tops, key=lambda row: row.way) if row is b or row.way != b.way]
    return [*found, rows[-1]] if len(rows) > 1 else found


# What turns round on the way: the force along the axis, and across both force and moment.
_LOADS: tuple[Callable[[RingState], float], ...] = (
    lambda state: state.along,
    lambda state: state.across,
    lambda state: state.about,
)


def _top(
    low: float,
    high: float,
    state: Callable[[float], RingState],
    load: Callable[[RingState], float],
    sign: int,
) -> _Row:
    """Where sign times a load is largest, by golden section."""
    way = golden_minimum(lambda each: -sign * load(state(each)), low, high)
    return _Row(way, state(way))


def _work(one: _Row, other: _Row, state: Callable[[float], RingState], sense: int) -> float:
    """Of the drive between two rows [J]; up to a force without bound as far as the samples between go."""
    if other.way <= one.way:
        return 0.0
    half, middle = (other.way - one.way) / 2, (other.way + one.way) / 2
    nodes, weights = _GAUSS
    pushes = [-sense * state(middle + half * x).along for x in nodes.tolist()]
    return half * sum(
        w * push for w, push in zip(weights.tolist(), pushes, strict=True) if math.isfinite(push)
    )


def _load(state: RingState, axis: Floats, outward: Floats, at: Floats, drawn: Floats) -> Floats:
    """On the pushed part, about its origin."""
    if not math.isfinite(state.along):
        return np.full(6, np.inf)
    force = state.along * axis + state.across * outward
    moment = state.about * np.cross(axis, outward) + np.cross(drawn[:3, :3] @ at, force)
    return np.concatenate([force, moment])


def _columns(
    law: OringLaw, rows: list[_Row], offset: float, sense: int, metres: float, units: str
) -> dict[str, Floats]:
    length, force, torque = ("", "", "") if units == "1" else (units, "N", "N m")
    squeeze = np.array([max(row.state.squeeze, -offset) if row.state.laid else -offset for row in rows])
    return {
        with_unit("squeeze_most", length): np.maximum(squeeze + offset, 0.0) / metres,
        with_unit("squeeze_least", length): np.maximum(squeeze - offset, 0.0) / metres,
        with_unit("line_load", "" if units == "1" else "N/m"): np.array(
            [row.state.wall_load for row in rows]
        ),
        "touching": np.array([row.state.touching for row in rows]),
        with_unit("lateral", force): np.array([row.state.across for row in rows]),
        with_unit("tilting", torque): np.array([-sense * row.state.about for row in rows]),
    }


def _facts(
    law: OringLaw, rows: list[_Row], depth: float, offset: float, sense: int, metres: float, units: str
) -> dict[str, Any]:
    """Plateau, the peak before it, what is lateral; x to the offset, z against the push, as in the paper."""
    facts: dict[str, Any] = {}
    cylinders = {wall.name: wall for wall in law.bore.walls if wall.bend is None and wall.slope == 0}
    held = [
        row for row in rows if row.state.laid and row.state.laid.name in cylinders and row.state.bracket > 0
    ]
    held = [row for row in held if row.state.laid.sine == 0]  # type: ignore[union-attr]
    pushes = [-sense * row.state.along + 0.0 for row in rows]
    start = None
    if held:
        narrow = min(held, key=lambda row: row.state.laid.radius)  # type: ignore[union-attr]
        wall = cylinders[narrow.state.laid.name]  # type: ignore[union-attr]
        start = wall.start if sense > 0 else wall.end
        state = narrow.state
        facts["plateau"] = -sense * state.along
        loads = {"F_x": state.across, "F_y": 0.0, "F_z": -sense * state.along}
        about = {"M_x": 0.0, "M_y": -sense * state.about, "M_z": 0.0}
        facts["plateau_load"] = {name: value + 0.0 for name, value in (loads | about).items()}
    scale, shown = (1.0, "document units") if units == "1" else (1e3, "mm")
    if start is not None and any(row.state.laid for row in rows):
        top = int(np.argmax(pushes))
        before = sense * (start - depth) - rows[top].way
        if before > 0:
            facts["peak_before_land_mm"] = scale * before
        facts["curve"] = tuple(
            (scale * (row.way - sense * (start - depth)), push)
            for row, push in zip(rows, pushes, strict=True)
        )
        facts["curve_columns"] = (f"ring plane beyond the start of the cylinder, {shown}", "push, N")
    most = max(rows, key=lambda row: abs(row.state.across))
    if most.state.across:
        facts["lateral"], facts["moment"] = most.state.across, -sense * most.state.about
        tilted = max(rows, key=lambda row: abs(row.state.about))
        facts["moment_most"] = -sense * tilted.state.about
    return facts
