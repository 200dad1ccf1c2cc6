"""The run of a led part against fixed ones, step after step, each ended where something touches or goes.

A step that would end in an overlap, or past the end of a feature that pushes, is taken again, shorter, until
it ends where that begins: an overlap of less than two tolerances. What touches there takes part from then on;
where it closes, an impact comes first. Only candidates that are near are looked at; which these are is
asked again once parts have moved by a share of the margin.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from detent.contact.rounds.at_pose import find_rounds, room_for_rounds, sample_tables
from detent.contact.space_at_state import find_space_contacts, sample_candidates
from detent.contact.space_candidates import VALUES
from detent.contact.space_near import near_in_space
from detent.motion.rigid.mating.stages import (
    CARRIED,
    MOST,
)
from detent.numeric.cone_problem import OPEN
from detent.numeric.kernels import kernel

# How a run of steps ended.
DONE, FULL, STUCK, TOO_MANY, STALLED = 0, 1, 2, 3, 4
# Numbers of the control.
UNTIL, STEP, SLACK, WITHIN, DEPTH, MARGIN, TILT, RESTS, REACH, INSTANT = range(10)
# In touching distances: a contact that has lifted no farther, and pushes again as the step ends, has not
# gone. Else one end of an edge lifts at each impact of the other, falls from where the step leaves it, and
# so on.
_HELD = 6.0
# [m] by which a round gap may change all round before four points of its circle hold it, too.
_EVEN = 1e-5


def sample_shapes() -> tuple[Any, ...]:
    """Features, the list with starts and pairs, poses as drawn, which bodies are held, laws of pairs."""
    whole = sample_candidates()
    return (
        (*whole[:10], sample_tables()[0], room_for_rounds()),
        whole[10],
        whole[11],
        whole[12],
        whole[13],
        np.array([False, True]),
        np.array([[0.3, 0.0]]),
    )


def sample_control() -> Any:
    """Of a short run."""
    return np.array([0.02, 1e-3, 1e-9, 4e-9, 1e-3, 0.01, 1e-5, 1e-5, 2.0, 1e-9])


@kernel(
    sample=lambda: (
        sample_shapes(),
        sample_shapes()[4],
        0.5,
        np.zeros(3, np.int64),
        np.zeros((3, 5), np.int64),
        np.zeros(2, np.int64),
    ),
    separate=True,
    bare=True,
)
def list_near(shapes, matrices, margin, near, listed_near, starts_near):  # type: ignore[no-untyped-def]
    """Lists the candidates that are near, pair after pair."""
    features, listed, starts, pairs = shapes[0], shapes[1], shapes[2], shapes[3]
    count = near_in_space(
        features[0], features[3], features[8], features[9], listed, starts, pairs, matrices, margin, near
    )
    pair = 0
    starts_near[0] = 0
    for i in range(count):
        while listed[near[i], 3] > pair:
            pair += 1
            starts_near[pair] = i
        for k in range(5):
            listed_near[i, k] = listed[near[i], k]
    while pair < len(pairs):
        pair += 1
        starts_near[pair] = count


@kernel(
    sample=lambda: (
        sample_shapes(), sample_shapes()[4], 1.0, 1.0, 1e-9, 1e-5, np.arange(3), sample_shapes()[1],
        sample_shapes()[2], np.zeros(3, np.int64), np.zeros((3, VALUES)), 0, np.zeros(MOST, np.int64),
        np.zeros((MOST, CARRIED)),
    ), separate=True, bare=True
)  # fmt: skip
def look(  # type: ignore[no-untyped-def]
    shapes, matrices, within, depth, slack, tilt, near, listed_near, starts_near, found, values,
    n, chosen, carried,
):  # fmt: skip
    """Fills the rows of what touches in the whole list, with gaps, points and normals; how many.

    Candidates of flat features first, those of round bodies behind them, all of them near.
    """
    f, listed, starts, pairs = shapes[0], shapes[1], shapes[2], shapes[3]
    count = find_space_contacts(
        f[0], f[1], f[2], f[3], f[4], f[5], f[6], f[7], f[8], f[9],
        listed_near, starts_near, pairs, matrices, within, depth, slack, tilt, found, values,
    )  # fmt: skip
    for i in range(count):
        found[i] = near[found[i]]
    flat = starts[len(starts) - 1]
    return find_rounds(
        f[10],
        listed,
        matrices,
        flat,
        len(listed),
        within,
        _EVEN,
        n,
        chosen,
        carried,
        f[11],
        found,
        values,
        count,
    )


@kernel(sample=lambda: (np.zeros(6), np.ones(6), 2.0), bare=True)
def travelled(moved, before, reach):  # type: ignore[no-untyped-def]
    """How far any point of what is held has moved, at most."""
    way, turn = 0.0, 0.0
    for k in range(3):
        way += (moved[k] - before[k]) ** 2
        turn += (moved[3 + k] - before[3 + k]) ** 2
    return math.sqrt(way) + reach * math.sqrt(turn)


@kernel(
    sample=lambda: (
        1, np.array([3, 0]), np.array([1, 0]), np.ones((MOST, 4)), np.array([2, 3]), np.zeros((2, VALUES)), 2,
        1e-9,
    ), bare=True
)  # fmt: skip
def what_ends(n, chosen, status, impulses, found, values, count, slack):  # type: ignore[no-untyped-def]
    """Of a step's end: the deepest gap, its row, and whether a contact that pushes has left its features."""
    deepest, at = -slack, -1
    for j in range(count):
        if values[j, 0] < deepest:
            deepest, at = values[j, 0], j
    lost = False
    for i in range(n):
        if status[i] == OPEN or impulses[i, 0] <= 0.0:
            continue
        there = False
        for j in range(count):
            there = there or found[j] == chosen[i]
        lost = lost or not there
    return deepest, at, lost


@kernel(
    sample=lambda: (
        sample_shapes(), 0, np.zeros(MOST, np.int64), np.ones(MOST, np.int64), np.zeros((MOST, 5)),
        np.zeros((MOST, CARRIED)), np.array([1, 2]), np.zeros((2, VALUES)), 2, 1e-9, np.zeros(MOST, np.int64),
        np.zeros(MOST, np.int64), np.zeros((MOST, 5)),
    ), separate=True, bare=True
)  # fmt: skip
def take_part(  # type: ignore[no-untyped-def]
    shapes, n, chosen, status, way, carried, found, values, count, within, old, old_status, old_way
):  # fmt: skip
    """Makes what touches the contacts that act; those that did go on as they were. How many; -1: too many."""
    listed, laws = shapes[1], shapes[6]
    for i in range(n):
        old[i], old_status[i] = chosen[i], status[i]
        for k in range(5):
            old_way[i, k] = way[i, k]
    now = 0
    for j in range(count):
        held = False
        for i in range(n):
            held = held or (old[i] == found[j] and old_status[i] != OPEN and values[j, 0] <= _HELD * within)
        if values[j, 0] > within and not held:
            continue
        if now == MOST:
            return -1
        chosen[now], status[now] = found[j], OPEN
        for k in range(5):
            way[now, k] = 0.0
        for i in range(n):
            if old[i] == found[j]:
                status[now] = old_status[i]
                for k in range(5):
                    way[now, k] = old_way[i, k]
        for k in range(7):
            carried[now, k] = values[j, k]
        pair = listed[found[j], 3]
        carried[now, 7], carried[now, 8] = laws[pair, 0], laws[pair, 1]
        now += 1
    return now


@kernel(sample=lambda: (1, np.ones((3, 6)) * 0.1, -np.ones(6), 1e-9), bare=True)
def closing(n, rows, v, small):  # type: ignore[no-untyped-def]
    """Whether a contact closes faster than that; rows are those of `rows_at`."""
    for i in range(n):
        speed = 0.0
        for j in range(len(v)):
            speed += rows[3 * i, j] * v[j]
        if speed < -small:
            return True
    return False
