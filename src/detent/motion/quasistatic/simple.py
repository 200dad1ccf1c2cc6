"""The simple algorithm as a whole: from a state along one push, to events or a doubt; compiled.

`track` takes arrays (see `tracker` for the state that it reads and leaves).
What it doubts goes to the exact sweep, and is counted by whoever asks.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from detent.contact.coefficients import (
    edge_length,
    gap_terms,
    place_terms,
    reachable_pairs,
    sample_links,
    sample_shapes,
    turn,
)
from detent.motion.quasistatic.corner import pass_corner
from detent.motion.quasistatic.tracing import (
    CHART,
    CORNER,
    CROSSING,
    FOLD,
    REST,
    TURNED,
    friction_terms,
    scratch,
    trace,
)
from detent.motion.quasistatic.tracker import (
    CHANGE,
    CONTACT,
    DONE,
    DOUBT,
    FULL,
    GOING,
    JAM,
    JAMMED,
    MARGIN,
    RELEASE,
    REVERSAL,
    SNAP,
    STICK,
    STUCK,
    fixture,
    land,
    state,
    steady,
)
from detent.numeric.kernel import kernel

KINDS = ("contact", "change", "release", "snap", "jam", "stick", "reversal")
CAUSES = {DONE: "done", JAM: "jam", STICK: "stick", DOUBT: "doubt", FULL: "doubt"}
ROOM = 256  # events of one push; a rack of more teeth than this goes to the exact sweep
COLUMNS = 7


def rooms(n: int, m: int, events: int = ROOM) -> tuple[Any, ...]:
    """Scratch for pawls of n vertices and obstacles of m, and room for events."""
    pairs, rings = np.empty((2 * n * m, 3), dtype=np.int64), np.empty((m, 4))
    return pairs, rings, np.empty((n, 6)), *scratch(), np.empty((events, COLUMNS))


@kernel(
    sample=lambda: (
        *(sample_shapes()[0], sample_links(), sample_shapes()[1], sample_links()),
        *(np.array([0.0, 20.0]), np.array([0.0, -1.0]), 60.0, 20.0, *state(), *rooms(4, 4, 64)),
    )
)
def track(
    pawl: Any,
    links: Any,
    walls: Any,
    wall_links: Any,
    hinge: Any,
    velocity: Any,
    until: float,
    size: float,
    now: Any,
    pair: Any,
    zeros: Any,
    met: Any,
    room: Any,
    rings: Any,
    turned: Any,
    quartics: Any,
    stack: Any,
    spans: Any,
    events: Any,
) -> tuple[int, int]:
    """How it ended and how many events: rows of time, kind, angle, the pair from then on, the angle then.

    The state is left where it ended; so is the row after the last event.
    """
    margin = MARGIN * size
    vx, vy = velocity[0], velocity[1]
    begin = now[0]
    if (until - begin) * math.sqrt(vx * vx + vy * vy) < margin:
        return DOUBT, 0
    found = reachable_pairs(
        room,
        pawl,
        walls,
        links,
        wall_links,
        rings,
        hinge[0] + begin * vx,
        hinge[1] + begin * vy,
        hinge[0] + until * vx,
        hinge[1] + until * vy,
        margin,
    )
    fixed = (pawl, walls, links, wall_links, room[:found], hinge, velocity, turned)
    count = 0
    status = GOING
    while status == GOING:
        if count >= len(events) - 2:
            return FULL, count
        what = GOING
        was = now[1]
        kind, k, j, side = pair[0], pair[1], pair[2], pair[3]
        event = -1
        if kind < 0:
            what = steady(*fixed, now, pair, zeros, met, math.inf, until, size)
            event = CONTACT
        else:
            turn(turned, pawl, now[1])
            hx, hy = hinge[0] + now[0] * vx, hinge[1] + now[0] * vy
            speed = walls[j, 3] * vx - walls[j, 2] * vy
            if kind == 1 and speed == 0.0:
                what = _slides(turned, walls, hx, hy, velocity, pair, margin)
                if what == GOING:
                    along, _, _, rate, _, _ = place_terms(kind, k, j, turned, walls, hx, hy, vx, vy)
                    rest = edge_length(kind, k, j, turned, walls) - along if rate > 0 else along
                    met[0], met[1], met[2] = k, (wall_links[j, 1] if rate > 0 else j), (1 if rate > 0 else 0)
                    what = steady(*fixed, now, pair, zeros, met, max(rest, 0.0) / abs(rate), until, size)
                    event = CHANGE
                    if what == GOING and pair[3] == 0:
                        pair[3] = side
                        what = CORNER
            else:
                what = trace(*fixed, now, pair, zeros, met, until, size, quartics, stack, spans)
        if what == CORNER:
            what = pass_corner(*fixed, now, pair, zeros, met, size)
            event = CHANGE
            if what == REST:
                what = FOLD
        elif what == REST:
            now[1] = 0.0
            zeros[0, 0], zeros[0, 1], zeros[0, 2] = kind, k, j
            pair[0], pair[4] = -1, 1
            event, what = RELEASE, GOING
        if what == CROSSING:
            turn(turned, pawl, now[1])
            hx, hy = hinge[0] + now[0] * vx, hinge[1] + now[0] * vy
            _, lift, _, _, _, _ = gap_terms(met[0], met[1], met[2], turned, walls, hx, hy, vx, vy)
            if abs(lift) < margin:
                what = DOUBT
            elif lift * side > 0:
                zeros[0, 0], zeros[0, 1], zeros[0, 2] = kind, k, j
                pair[0], pair[1], pair[2], pair[4] = met[0], met[1], met[2], 1
                event, what = CHANGE, GOING
            else:
                zeros[0, 0], zeros[0, 1], zeros[0, 2], pair[4] = met[0], met[1], met[2], 1
                what = JAM
        elif what == FOLD:
            was = now[1]
            if pair[4] != 4:
                pair[4] = 0
            what = land(*fixed, now, pair, zeros, size)
            event = SNAP
        elif what == CHART:
            pair[4] = 0
            continue
        elif what == TURNED:
            event, what = REVERSAL, GOING
            pair[4] = 0
        if what in (DOUBT, FULL):
            return DOUBT, count
        if what == DONE:
            status = DONE
            break
        if what == STICK:
            if count > 0 and events[count - 1, 1] == REVERSAL and events[count - 1, 0] == now[0]:
                count -= 1
            event, status = STUCK, STICK
        elif what == JAM:
            event, status = JAMMED, JAM
        row = events[count]
        row[0], row[1], row[2], row[6] = now[0], event, was if event == SNAP else now[1], now[1]
        row[3], row[4], row[5] = pair[0], pair[1], pair[2]
        count += 1
    row = events[count]
    row[0], row[1], row[2], row[6] = now[0], -1, now[1], now[1]
    row[3], row[4], row[5] = pair[0], pair[1], pair[2]
    return status, count


@kernel(sample=lambda: (*fixture()[:2], 0.0, 0.0, np.ones(2), np.array([1, 0, 0, -1, 0]), 1e-9))
def _slides(turned: Any, walls: Any, hx: float, hy: float, velocity: Any, pair: Any, margin: float) -> int:
    """Whether a vertex slides along a wall that is parallel to the motion."""
    mu = walls[pair[2], 5]
    if mu == 0:
        return GOING
    slide, slip = np.empty(5), np.empty(5)
    friction_terms(
        *(slide, slip, pair[0], pair[1], pair[2], turned, walls, hx, hy, velocity),
        *(0.0, 0.0, 1.0, 0.0, 0.0, pair[3], 1.0, mu, 0),
    )
    if abs(slide[0]) < margin or slip[0] < margin * math.sqrt(velocity[0] ** 2 + velocity[1] ** 2):
        return DOUBT
    return GOING if slide[0] > 0 else STICK
