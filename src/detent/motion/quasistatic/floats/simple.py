"""The simple algorithm as a whole: from a state along one push, to events or a doubt; compiled.

`track` takes arrays (see `tracker` for the state that it reads and leaves).
What it doubts goes to the exact sweep, and is counted by whoever asks.
"""

from __future__ import annotations

import math
from typing import Any

from detent.motion.quasistatic.floats.coefficients import (
    FloatCurve,
    edge_length,
    gap_terms,
    place_terms,
    reachable_pairs,
    rotate,
)
from detent.motion.quasistatic.floats.corner import pass_corner
from detent.motion.quasistatic.floats.tracing import (
    CHART,
    CORNER,
    CROSSING,
    FOLD,
    REST,
    TURNED,
    friction_terms,
    trace,
)
from detent.motion.quasistatic.floats.tracker import (
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
    Push,
    TrackerState,
    TrackerWorkspace,
    land,
    sample,
    steady,
)
from detent.numeric.kernels import kernel

KINDS = ("contact", "change", "release", "snap", "jam", "stick", "reversal")
CAUSES = {DONE: "done", JAM: "jam", STICK: "stick", DOUBT: "doubt", FULL: "doubt"}


def _sample() -> tuple[Any, ...]:
    push, _, begun, scratch = sample()
    return push, begun, scratch


@kernel(sample=_sample)
def track(push: Push, state: TrackerState, room: TrackerWorkspace) -> tuple[int, int]:
    """How it ended and how many events: rows of time, kind, angle, the pair from then on, the angle then.

    The state is left where it ended; so is the row after the last event.
    """
    pawl, walls, turned, events = push.pawl, push.walls, room.turned, room.events
    now, pair, zeros, met = state
    margin = MARGIN * push.size
    (x, y), (vx, vy) = (push.hinge[0], push.hinge[1]), (push.velocity[0], push.velocity[1])
    begin, until = now[0], push.until
    if (until - begin) * math.sqrt(vx * vx + vy * vy) < margin:
        return DOUBT, 0
    count_pairs = reachable_pairs(
        *(room.pairs, pawl, walls, push.links, push.wall_links, room.rings),
        *(x + begin * vx, y + begin * vy, x + until * vx, y + until * vy, margin),
    )
    pairs = room.pairs[:count_pairs]
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
            what = steady(push, pairs, state, room, math.inf)
            event = CONTACT
        else:
            rotate(turned, pawl, now[1])
            hx, hy = x + now[0] * vx, y + now[0] * vy
            speed = walls[j, 3] * vx - walls[j, 2] * vy
            if kind == 1 and speed == 0.0:
                what = _slides(push, state, room)
                if what == GOING:
                    along, _, _, rate, _, _ = place_terms(kind, k, j, turned, walls, hx, hy, vx, vy)
                    rest = edge_length(kind, k, j, turned, walls) - along if rate > 0 else along
                    met[0], met[1], met[2] = k, (push.wall_links[j, 1] if rate > 0 else j), int(rate > 0)
                    what = steady(push, pairs, state, room, max(rest, 0.0) / abs(rate))
                    event = CHANGE
                    if what == GOING and pair[3] == 0:
                        pair[3] = side
                        what = CORNER
            else:
                what = trace(push, pairs, state, room)
        if what == CORNER:
            what = pass_corner(push, state, room)
            event = CHANGE
            if what == REST:
                what = FOLD
        elif what == REST:
            now[1] = 0.0
            zeros[0, 0], zeros[0, 1], zeros[0, 2] = kind, k, j
            pair[0], pair[4] = -1, 1
            event, what = RELEASE, GOING
        if what == CROSSING:
            rotate(turned, pawl, now[1])
            hx, hy = x + now[0] * vx, y + now[0] * vy
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
            what = land(push, pairs, state, room)
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


def _sample_slides() -> tuple[Any, ...]:
    push, _, begun, scratch = sample(carrying=(1, 0, 0, -1))
    return push, begun, scratch


@kernel(sample=_sample_slides)
def _slides(push: Push, state: TrackerState, room: TrackerWorkspace) -> int:
    """Whether a vertex slides along a wall that is parallel to the motion."""
    if push.walls[state.pair[2], 5] == 0:
        return GOING
    margin = MARGIN * push.size
    friction_terms(push, state, room, FloatCurve(0.0, 0.0, 1.0, 0.0, 0.0), 1.0, 0)
    slide, slip = room.quartics[1], room.quartics[2]
    speed = math.sqrt(push.velocity[0] ** 2 + push.velocity[1] ** 2)
    if abs(slide[0]) < margin or slip[0] < margin * speed:
        return DOUBT
    return GOING if slide[0] > 0 else STICK
