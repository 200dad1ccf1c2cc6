"""One pawl along one push, every step proved: as far as doubles decide it; compiled.

The same questions as of the exact sweep, where they have a plain answer: one contact is crossed by one
other, folds, comes to a corner, to rest, to a threshold. Each is decided by signs that exceed a bound
on what rounding does to them, over enclosures that hold the exact event and no other. Where
one does not, tracking ends before it, and algebra takes the step.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from detent.motion.quasistatic.proved.corner import around, heading_of, lift, next_ray
from detent.motion.quasistatic.proved.landing import lands
from detent.motion.quasistatic.proved.level import line_at, sign_of_line, stops_at_angle
from detent.motion.quasistatic.proved.stops import (
    CHART,
    CORNER,
    CROSSING,
    DONE,
    FOLD,
    REST,
    STICK,
    TIE,
    TURNED,
    ProvedStop,
    own_stops,
    slide_form,
    stops_at_others,
    stops_by_friction,
)
from detent.motion.quasistatic.proved.terms import (
    COLUMNS,
    Pairs,
    ProvedPush,
    ProvedRoom,
    ProvedState,
    curve_of,
    gap_form,
    sample_pairs,
    sample_push,
    sample_room,
    sample_state,
    times_on,
)
from detent.numeric.kernels import kernel

# Rows: what happened to the state.
CONTACT, CHANGE, RELEASE, SNAP, JAM_CROSSING, JAM_FOLD, STUCK, REVERSAL, CHARTED, ENDED = range(10)
# What tracking came to: the end of the run, a doubt, or no room for rows.
FINISHED, DOUBT, FULL, GOING = 0, 1, 2, 3


def _sample() -> tuple[Any, ...]:
    return sample_push(), sample_pairs(), sample_state(), sample_room()


@kernel(sample=_sample)
def prove(push: ProvedPush, pairs: Pairs, state: ProvedState, room: ProvedRoom) -> tuple[int, int]:
    """What it came to and how many rows: each a step that is proved; the state is left where it ended."""
    rays = np.zeros((4, 2))
    count = 0
    while True:
        if count >= len(room.rows) - 1:
            return FULL, count
        row = room.rows[count]
        forget(pairs, state.where[0])
        if state.now[1] < 0:
            status = from_rest(push, pairs, state, row)
        elif keeps_angle(push, state):
            status = along_wall(push, pairs, state, room, row, rays)
        else:
            status = along_arc(push, pairs, state, room, row, rays)
        if status == DOUBT:
            return DOUBT, count
        row[15] = 0.0
        if status == GOING and state.now[1] >= 0 and not keeps_angle(push, state):
            row[15] = heading_of(push, state)[0]
            if row[15] == 0.0:
                return DOUBT, count
        count += 1
        if status == FINISHED:
            return FINISHED, count


@kernel(sample=lambda: (sample_push(), sample_state(20.5, -0.1, 1, 0, 2)))
def keeps_angle(push: ProvedPush, state: ProvedState) -> bool:
    """Whether a vertex lies on a wall that is parallel to the motion."""
    return bool(state.now[1] == 1 and push.level[state.now[3]] == 1)


@kernel(sample=lambda: (sample_pairs(), 0.0))
def forget(pairs: Pairs, t: float) -> None:
    """Drop the pairs that are too far for good."""
    kept = 0
    for i in range(pairs.count[0]):
        row = pairs.near[i]
        if pairs.spans[row, 1] >= t:
            pairs.near[kept] = row
            kept += 1
    pairs.count[0] = kept


@kernel(sample=lambda: (sample_push(), sample_state(20.5, -0.1, 1, 0, 2), np.zeros(COLUMNS), CHANGE))
def note(push: ProvedPush, state: ProvedState, row: Any, what: int) -> int:
    """Write what happened, and the pair that acts from now on."""
    where, now = state.where, state.now
    row[0] = what
    row[1], row[2], row[3], row[4], row[5] = where[0], where[1], now[0], where[2], where[3]
    row[6], row[7], row[8], row[9] = now[1], now[2], now[3], now[4]
    row[13] = 0.0
    return FINISHED if what in (JAM_CROSSING, JAM_FOLD, STUCK, ENDED) else GOING


@kernel(sample=lambda: (sample_push(), sample_pairs(), sample_state(), np.zeros(COLUMNS)))
def from_rest(push: ProvedPush, pairs: Pairs, state: ProvedState, row: Any) -> int:
    """Relaxed: to the first contact, or to the end."""
    where, now = state.where, state.now
    stop = stops_at_angle(push, pairs, state)
    if stop.what == TIE or stop.what == CORNER:
        return DOUBT
    where[0], where[1], now[7] = stop.lo, stop.hi, 0
    if stop.what == DONE:
        return note(push, state, row, ENDED)  # type: ignore[no-any-return]
    side = lift(push, state, stop.kind, stop.k, stop.j)
    if side == 0:
        return DOUBT
    now[1], now[2], now[3], now[4], now[5], now[6] = stop.kind, stop.k, stop.j, side, 0, 0
    return note(push, state, row, CONTACT)  # type: ignore[no-any-return]


@kernel(
    sample=lambda: (
        *(sample_push(), sample_pairs(), sample_state(20.5, -0.1, 1, 0, 2)),
        *(sample_room(), np.zeros(COLUMNS), np.zeros((4, 2))),
    )
)
def along_arc(
    push: ProvedPush, pairs: Pairs, state: ProvedState, room: ProvedRoom, row: Any, rays: Any
) -> int:
    """Along a curve to its nearest stop, and what follows there."""
    where, now = state.where, state.now
    kind, k, j, side = now[1], now[2], now[3], now[4]
    heading, opens = heading_of(push, state)
    # The contact holds the pawl off rest: its gap grows away from rest, or closes with time.
    if heading == 0 or opens != -side * heading:
        return DOUBT
    curve = curve_of(gap_form(push, now[0], kind, k, j, 0), float(heading), float(opens))
    stop = own_stops(push, state, room, curve, heading)
    if stop.what == TIE and stop.lo <= max(heading * where[2], heading * where[3]):
        return DOUBT
    towards = 0
    if kind_rubs(push, j):
        towards, stop = stops_by_friction(push, state, room, curve, heading, stop)
        if towards == 0:
            return DOUBT
    begin = min(heading * where[2], heading * where[3])
    if not (stop.what == STICK and stop.lo == begin):
        stop = stops_at_others(push, pairs, state, room, curve, heading, stop)
    if stop.what == TIE:
        return DOUBT
    first, last = times_on(curve, stop.lo, stop.hi)
    if not last < np.inf or (stop.what != DONE and last >= push.until[0]):
        return DOUBT
    if stop.what == DONE:
        first, last = push.until[0], push.until[1]
    if not (stop.what == STICK and stop.lo == begin):
        where[0], where[1] = max(first, where[0]), last
        where[2] = stop.lo if heading > 0 else -stop.hi
        where[3] = stop.hi if heading > 0 else -stop.lo
    row[14] = stop.kind
    row[10], row[16] = heading, towards
    if stop.what == CORNER:
        return past_corner(push, pairs, state, room, row, rays, stop)  # type: ignore[no-any-return]
    if stop.what == CROSSING:
        return crossed(push, state, row, stop)  # type: ignore[no-any-return]
    now[5], now[6], now[7] = 0, 0, 0
    if stop.what == DONE:
        return note(push, state, row, ENDED)  # type: ignore[no-any-return]
    if stop.what == STICK:
        note(push, state, row, STUCK)
        row[13] = 1.0 if stop.lo == begin else 0.0
        return FINISHED
    if stop.what == FOLD:
        if opens < 0:
            return note(push, state, row, JAM_FOLD)  # type: ignore[no-any-return]
        return snaps(push, pairs, state, room, row, True)  # type: ignore[no-any-return]
    if stop.what == REST:
        state.zeros[0, 0], state.zeros[0, 1], state.zeros[0, 2] = kind, k, j
        now[1], now[4], now[7] = -1, 0, 1
        return note(push, state, row, RELEASE)  # type: ignore[no-any-return]
    if stop.what == CHART:
        status = note(push, state, row, CHARTED)
        now[0] += heading
        where[2], where[3] = -1.0 * heading, -1.0 * heading
        return status  # type: ignore[no-any-return]
    if stop.what == TURNED:
        now[6] = -towards
        slides = slides_here(push, state)
        if slides == 0:
            return DOUBT
        note(push, state, row, REVERSAL if slides > 0 else STUCK)
        row[13] = 2.0
        return GOING if slides > 0 else FINISHED
    return DOUBT


@kernel(sample=lambda: (sample_push(), 2), bare=True)
def kind_rubs(push: ProvedPush, j: int) -> bool:
    """Whether contacts of a wall's row have friction."""
    return bool(push.walls[j, 5] > 0)


@kernel(sample=lambda: (sample_push(), sample_state(20.5, -0.1, 1, 0, 2)))
def slides_here(push: ProvedPush, state: ProvedState) -> int:
    """1 or -1 as the contact slides or sticks here with the slip that it goes on with; 0 not told."""
    where, now = state.where, state.now
    form = slide_form(push, now[0], now[1], now[2], now[3], now[4], now[6])
    c, s, dc, ds = line_at(form, where[2], where[3])
    return sign_of_line(c, s, dc, ds, where[0], where[1])  # type: ignore[no-any-return]


@kernel(
    sample=lambda: (
        sample_push(),
        sample_state(20.5, -0.1, 1, 0, 2),
        np.zeros(COLUMNS),
        ProvedStop(0.1, 0.1, CROSSING, 1, 0, 1),
    )
)
def crossed(push: ProvedPush, state: ProvedState, row: Any, stop: ProvedStop) -> int:
    """Another pair is met: it holds the pawl from now on, or closes its way."""
    now, zeros = state.now, state.zeros
    rises = lift(push, state, stop.kind, stop.k, stop.j) * now[4]
    if rises == 0:
        return DOUBT
    zeros[0, 0], zeros[0, 1], zeros[0, 2] = now[1], now[2], now[3]
    now[1], now[2], now[3], now[5], now[6], now[7] = stop.kind, stop.k, stop.j, 0, 0, 1
    return note(push, state, row, CHANGE if rises > 0 else JAM_CROSSING)  # type: ignore[no-any-return]


@kernel(
    sample=lambda: (
        *(sample_push(), sample_pairs(), sample_state(20.5, -0.1, 1, 0, 2), sample_room()),
        *(np.zeros(COLUMNS), np.zeros((4, 2)), ProvedStop(0.1, 0.1, CORNER, 1, 0, 3)),
    )
)
def past_corner(
    push: ProvedPush,
    pairs: Pairs,
    state: ProvedState,
    room: ProvedRoom,
    row: Any,
    rays: Any,
    stop: ProvedStop,
) -> int:
    """A vertex comes to a vertex: onto the other edge, or off it."""
    now, zeros = state.now, state.zeros
    kind, side = now[1], now[4]
    end, k, j = stop.kind, stop.k, stop.j
    inner = (kind == 1 and push.wall_links[j, 2] == 0) or (kind == 0 and push.links[k, 2] == 0)
    # Of an inner corner the next edge, at its other end.
    chosen = end + (0 if kind == 1 else 2) if inner else next_ray(push, state, k, j, rays)
    if chosen < 0:
        return DOUBT
    other, a, b = around(push, k, j, chosen)
    rises = lift(push, state, other, a, b) * side
    if rises == 0:
        return DOUBT
    filled = 0
    own_k, own_j = now[2], now[3]
    for i in range(4):
        this, c, d = around(push, k, j, i)
        if i == chosen and (rises > 0 or inner):
            continue
        zeros[filled, 0], zeros[filled, 1], zeros[filled, 2] = this, c, d
        filled += 1
    if inner:
        # Only the two edges of the corner meet there.
        zeros[0, 0], zeros[0, 1], zeros[0, 2] = kind, own_k, own_j
        filled = 1
    now[5], now[6], now[7] = 0, 0, filled
    if not inner and rises < 0:
        return snaps(push, pairs, state, room, row, False)  # type: ignore[no-any-return]
    now[1], now[2], now[3] = other, a, b
    # Along the new edge from its start, or from its end.
    starts = (other == 1 and b == j) or (other == 0 and a == k)
    now[5] = 1 if starts else 2
    status = note(push, state, row, CHANGE if rises > 0 else JAM_CROSSING)
    row[13] = 1.0
    return status  # type: ignore[no-any-return]


@kernel(
    sample=lambda: (
        *(sample_push(), sample_pairs(), sample_state(30.0, -0.1, 1, 0, 2)),
        *(sample_room(), np.zeros(COLUMNS), True),
    )
)
def snaps(
    push: ProvedPush, pairs: Pairs, state: ProvedState, room: ProvedRoom, row: Any, folded: bool
) -> int:
    """The contact lets go: rotation towards rest at a frozen time, to what stops it."""
    where, now = state.where, state.now
    half, stop = lands(push, pairs, state, room, folded)
    if stop.what == TIE:
        return DOUBT
    side = now[4]
    now[5], now[6], now[7] = 0, 0, 0
    note(push, state, row, SNAP)
    row[13] = 0.0 if folded else 1.0
    now[0] = half
    where[2] = -stop.hi if side > 0 else stop.lo
    where[3] = -stop.lo if side > 0 else stop.hi
    if stop.what == REST:
        where[2], where[3] = 0.0, 0.0
        now[1], now[2], now[3], now[4] = -1, 0, 0, 0
    else:
        now[1], now[2], now[3] = stop.kind, stop.k, stop.j
    row[6], row[7], row[8], row[9] = now[1], now[2], now[3], now[4]
    row[10], row[11], row[12] = now[0], where[2], where[3]
    return GOING


@kernel(
    sample=lambda: (
        *(sample_push(), sample_pairs(), sample_state(20.5, -0.1, 1, 0, 0)),
        *(sample_room(), np.zeros(COLUMNS), np.zeros((4, 2))),
    )
)
def along_wall(
    push: ProvedPush, pairs: Pairs, state: ProvedState, room: ProvedRoom, row: Any, rays: Any
) -> int:
    """A vertex slides along a wall parallel to the motion, at a constant angle."""
    where, now = state.where, state.now
    kind, k, j, side = now[1], now[2], now[3], now[4]
    if len(push.limits) > 0 or lift(push, state, kind, k, j) != side:
        return DOUBT
    # Slip has the sign of -side (v . T), and r . v of a contact that slides so is minus the slip.
    walls = push.walls
    rate = walls[j, 2] * push.velocity[0] + walls[j, 3] * push.velocity[1]
    row[10], row[16] = 0.0, 0.0
    if kind_rubs(push, j):
        now[6] = -side if rate > 0 else side
        row[16] = now[6]
        slides = slides_here(push, state)
        now[6] = 0
        if slides == 0:
            return DOUBT
        if slides < 0:
            note(push, state, row, STUCK)
            row[13] = 1.0
            return FINISHED
    stop = stops_at_angle(push, pairs, state)
    if stop.what == TIE:
        return DOUBT
    where[0], where[1] = stop.lo, stop.hi
    row[14] = stop.kind
    if stop.what == CORNER:
        return past_corner(push, pairs, state, room, row, rays, stop)  # type: ignore[no-any-return]
    if stop.what == CROSSING:
        return crossed(push, state, row, stop)  # type: ignore[no-any-return]
    now[5], now[6], now[7] = 0, 0, 0
    return note(push, state, row, ENDED)  # type: ignore[no-any-return]
