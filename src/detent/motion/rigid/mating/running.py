"""The loop of a rigid mating: steps, what ends them, what touches then, impacts."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from detent.contact.space_candidates import VALUES
from detent.motion.leading.on_course import sample_course
from detent.motion.rigid.mating.apart import push_apart
from detent.motion.rigid.mating.keeping import keep_state, keep_step, room_for_steps
from detent.motion.rigid.mating.moving import place_held, sample_leader
from detent.motion.rigid.mating.stages import (
    CARRIED,
    MOST,
    UNSETTLED,
    follow,
    impact,
    room_of,
    rows_at,
    step_in_contact,
)
from detent.motion.rigid.mating.stepping import (
    DEPTH,
    DONE,
    FULL,
    INSTANT,
    MARGIN,
    REACH,
    RESTS,
    SLACK,
    STALLED,
    STEP,
    STUCK,
    TILT,
    TOO_MANY,
    UNTIL,
    WITHIN,
    closing,
    list_near,
    look,
    sample_control,
    sample_shapes,
    take_part,
    travelled,
    what_ends,
)
from detent.numeric.cone_problem import UNSOLVED
from detent.numeric.kernels import kernel

# A pushing contact is looked for as far away as this, in touching distances.
_FAR = 10.0
# Of the margin: parts that have moved so far may meet candidates that are not listed.
_MOVED = 0.9
_TRIES = 80
# Steps within one step's time, before a run counts as stalled.
_IN_ONE = 2000
# What an attempt found out.
FITS, ENDS, TOO_FAR, UNSOLVABLE = 0, 1, 2, 3
# Of the tally: five ways in which problems were solved, then impacts, attempts, listings.
IMPACTS, ATTEMPTS, LISTINGS, TALLIED = 5, 6, 7, 8


def work_for(freedoms: int, bodies: int, candidates: int) -> tuple[Any, ...]:
    """Room for a run; the last are the tally and what is found of an attempt."""
    return (
        room_of(freedoms),
        np.zeros(freedoms),
        np.zeros(freedoms),
        np.zeros((MOST, 4)),
        np.zeros(MOST, np.int64),
        np.zeros((MOST, 5)),
        np.zeros((MOST, CARRIED)),
        np.zeros((3, 6)),  # the gripper's motion: now, at the step's start, when candidates were listed
        np.zeros((3, 3)),
        np.zeros((bodies, 3, 4)),
        np.zeros(candidates, np.int64),
        np.zeros((candidates, VALUES)),
        np.zeros(candidates, np.int64),
        np.zeros((candidates, 5), np.int64),
        np.zeros(bodies * bodies + 2, np.int64),
        np.zeros((3, 4)),
        np.zeros((7, 3)),
        np.zeros(CARRIED),
        np.zeros(freedoms),
        np.zeros(6),
        np.zeros(TALLIED, np.int64),
        np.zeros(3),
        np.zeros(MOST, np.int64),
        np.zeros(MOST, np.int64),
        np.zeros((MOST, 5)),
    )


def sample_state() -> tuple[Any, ...]:
    """Time, piece, step; coordinates and speeds; nothing touching."""
    active = (
        np.zeros(MOST, np.int64),
        np.zeros(MOST, np.int64),
        np.zeros((MOST, 5)),
        np.zeros((MOST, CARRIED)),
    )
    return 0.0, 0, 1e-3, np.zeros(6), np.zeros(6), 0, *active


@kernel(
    sample=lambda: (sample_leader(), sample_shapes(), sample_control(), np.zeros(6), work_for(6, 2, 3)),
    separate=True,
    bare=True,
)
def list_here(leader, shapes, control, q, work):  # type: ignore[no-untyped-def]
    """Lists the candidates that are near at a place."""
    motions, matrices = work[7], work[9]
    place_held(leader, shapes[4], shapes[5], q, motions[2], work[8], matrices)
    list_near(shapes, matrices, control[MARGIN], work[12], work[13], work[14])
    work[20][LISTINGS] += 1


@kernel(
    sample=lambda: (
        sample_leader(), sample_shapes(), sample_control(), np.zeros(6), 0, np.zeros(MOST, np.int64),
        np.zeros((MOST, CARRIED)), work_for(6, 2, 3),
    ), separate=True, bare=True
)  # fmt: skip
def look_here(leader, shapes, control, q, n, chosen, carried, work):  # type: ignore[no-untyped-def]
    """How many candidates touch, or push from far enough, at a place; -1 where too far from the listing."""
    motions, matrices = work[7], work[9]
    place_held(leader, shapes[4], shapes[5], q, motions[0], work[8], matrices)
    if travelled(motions[0], motions[2], control[REACH]) > _MOVED * control[MARGIN]:
        return -1
    return look(
        shapes, matrices, _FAR * control[WITHIN], control[DEPTH], control[WITHIN], control[TILT],
        work[12], work[13], work[14], work[10], work[11], n, chosen, carried,
    )  # fmt: skip


@kernel(
    sample=lambda: (
        sample_leader(), sample_course(), sample_shapes(), sample_control(), *sample_state(),
        work_for(6, 2, 3),
    ), separate=True, bare=True
)  # fmt: skip
def attempt(  # type: ignore[no-untyped-def]
    leader, course, shapes, control, now, piece, step, q, v, n, chosen, status, way, carried, work
):  # fmt: skip
    """A step of some length, with what it ends with: `work` has the state and how deep it ends in what."""
    f = shapes[0]
    new_q, new_v, impulses, new_status, new_way, new_carried, found = (
        work[1], work[2], work[3], work[4], work[5], work[6], work[21]
    )  # fmt: skip
    for i in range(n):
        new_status[i] = status[i]
        for k in range(5):
            new_way[i, k] = way[i, k]
        for k in range(CARRIED):
            new_carried[i, k] = carried[i, k]
    work[20][ATTEMPTS] += 1
    how = step_in_contact(
        leader, course, (f[0], f[3], f[8], f[10], f[11]), shapes[1], shapes[3], shapes[4], shapes[5],
        work[9], now, piece, step, q, v, n, chosen, new_status, new_way, new_carried, new_q, new_v, impulses,
        work[0],
    )  # fmt: skip
    found[0], found[1], found[2] = 0.0, -1.0, 0.0
    if how == UNSETTLED:  # a shorter step may
        return TOO_FAR, 0
    work[20][how] += 1
    if how == UNSOLVED:
        return UNSOLVABLE, 0
    count = look_here(leader, shapes, control, new_q, n, chosen, new_carried, work)
    if count < 0 or travelled(work[7][0], work[7][1], control[REACH]) > control[DEPTH]:
        return TOO_FAR, 0
    deepest, at, lost = what_ends(n, chosen, new_status, impulses, work[10], work[11], count, control[SLACK])
    found[0], found[1], found[2] = deepest, float(at), 1.0 if lost else 0.0
    return (ENDS if lost or at >= 0 else FITS), count


@kernel(
    sample=lambda: (
        sample_leader(), sample_shapes(), np.zeros(6), 0, np.zeros(6), work_for(6, 2, 3)
    ), separate=True, bare=True
)  # fmt: skip
def gap_there(leader, shapes, q, candidate, before, work):  # type: ignore[no-untyped-def]
    """The gap of a candidate at a place, of a point and along a normal like those before."""
    f, carried = shapes[0], work[17]
    place_held(leader, shapes[4], shapes[5], q, work[7][0], work[8], work[9])
    for k in range(6):
        carried[1 + k] = before[k]
    row = shapes[1][candidate]
    three = f[0], f[3], f[8], f[10], f[11]
    follow(three, row, shapes[3][row[3]], work[9], work[15], work[16], carried)
    return carried[0]


@kernel(
    sample=lambda: (
        sample_leader(), sample_course(), sample_shapes(), sample_control(), *sample_state(),
        work_for(6, 2, 3),
    ), separate=True, bare=True
)  # fmt: skip
def end_of_step(  # type: ignore[no-untyped-def]
    leader, course, shapes, control, now, piece, step, q, v, n, chosen, status, way, carried, work
):  # fmt: skip
    """The longest step up to this one that ends in nothing deep; `work` has its state.

    Returns its length, how many touch there, and whether it could be solved. Regula falsi on the gap of
    what is deepest at the bracket's end, halving where that does not shrink it.
    """
    slack, found, values = control[SLACK], work[21], work[11]
    low, high, halve, at_high = 0.0, step, False, True
    low_q, before = work[18], work[19]
    for i in range(len(q)):
        low_q[i] = q[i]
    result, count = attempt(
        leader, course, shapes, control, now, piece, high, q, v, n, chosen, status, way, carried, work
    )
    while result == TOO_FAR and high > control[INSTANT]:
        list_here(leader, shapes, control, q, work)
        result, count = attempt(
            leader, course, shapes, control, now, piece, high, q, v, n, chosen, status, way, carried, work
        )
        if result == TOO_FAR:
            high *= 0.5
    if result != ENDS:
        return high, count, result
    candidate, depth, lost = -1, 0.0, False
    for _ in range(_TRIES):
        if at_high:
            lost, depth, candidate = found[2] > 0.0, found[0], -1
            if found[1] >= 0.0:
                at = int(found[1])
                candidate = work[10][at]
                for k in range(6):
                    before[k] = values[at, 1 + k]
        small = candidate >= 0 and not lost and depth >= -2.0 * slack
        if small or high - low <= control[INSTANT]:
            break
        share = 0.5
        if candidate >= 0 and not halve:
            gap = gap_there(leader, shapes, low_q, candidate, before, work)
            if gap > depth:
                share = min(0.95, max(0.05, (gap + 1.5 * slack) / (gap - depth)))
        halve = not halve
        middle = low + share * (high - low)
        result, count = attempt(
            leader, course, shapes, control, now, piece, middle, q, v, n, chosen, status, way, carried, work
        )
        at_high = result == ENDS
        if at_high:
            high = middle
        else:
            low = middle
            for i in range(len(q)):
                low_q[i] = work[1][i]
    if not at_high:
        result, count = attempt(
            leader, course, shapes, control, now, piece, high, q, v, n, chosen, status, way, carried, work
        )
    return high, count, result


@kernel(
    sample=lambda: (
        sample_leader(), sample_course(), sample_shapes(), sample_control(), np.zeros(6), np.zeros(6),
        room_for_steps(60, 6, 60), work_for(6, 2, 3),
    ), unlocked=True
)  # fmt: skip
def mate_steps(leader, course, shapes, control, first_q, first_v, output, work):  # type: ignore[no-untyped-def]
    """Steps from a state to the end; fills the output's rows. How many steps, and how it ended."""
    rows, ends, freedoms, f = len(output[0]), output[3], len(first_q), shapes[0]
    q, v, corners = first_q.copy(), first_v.copy(), course[0]
    n, chosen, status = 0, np.zeros(MOST, np.int64), np.zeros(MOST, np.int64)
    way, carried, blow = np.zeros((MOST, 5)), np.zeros((MOST, CARRIED)), np.zeros((MOST, 4))
    now, piece, in_one, k = 0.0, 0, 0, 0
    tally, motions = work[20], work[7]
    list_here(leader, shapes, control, q, work)
    count = look_here(leader, shapes, control, q, n, chosen, carried, work)
    while True:
        deepest = 0.0
        for j in range(count):
            deepest = min(deepest, work[11][j, 0])
        n = take_part(
            shapes, n, chosen, status, way, carried, work[10], work[11], count, control[WITHIN],
            work[22], work[23], work[24],
        )  # fmt: skip
        if n < 0:
            return k, TOO_MANY
        for i in range(freedoms):
            ends[k, i] = v[i]
        for i in range(n):
            for c in range(4):
                blow[i, c] = 0.0
        if n > 0:
            three = f[0], f[3], f[8], f[10], f[11]
            push_apart(
                leader, three, shapes[1], shapes[3], shapes[4], shapes[5], work[9], q, n, chosen, status, way,
                carried, 0.0, work[0],
            )  # fmt: skip
            rows_at(
                leader,
                three,
                shapes[1],
                shapes[3],
                shapes[4],
                shapes[5],
                work[9],
                q,
                n,
                chosen,
                carried,
                work[0],
            )
            if closing(n, work[0][0], v, control[RESTS]):
                how = impact(
                    leader, three, shapes[1], shapes[3], shapes[4], shapes[5], work[9], q, v, n, chosen,
                    status, way, carried, control[RESTS], blow, work[0],
                )  # fmt: skip
                tally[IMPACTS] += 1
                tally[how] += 1
                if how == UNSOLVED:  # the row of this state is not kept
                    return max(k - 1, 0), STUCK
        keep_state(k, now, q, v, deepest, n, chosen, status, carried, blow, output)
        if now >= control[UNTIL] - control[INSTANT]:
            return k, DONE
        if k + 1 == rows:
            return k, FULL
        while piece + 1 < len(corners) and corners[piece + 1] <= now + control[INSTANT]:
            piece += 1
        cell = math.floor(now / control[STEP] + 1e-6)
        end = min((cell + 1.0) * control[STEP], control[UNTIL])
        if piece + 1 < len(corners):
            end = min(end, corners[piece + 1])
        place_held(leader, shapes[4], shapes[5], q, motions[1], work[8], work[9])
        step, count, result = end_of_step(
            leader,
            course,
            shapes,
            control,
            now,
            piece,
            end - now,
            q,
            v,
            n,
            chosen,
            status,
            way,
            carried,
            work,
        )
        if result >= TOO_FAR:
            return k, STUCK
        in_one = in_one + 1 if math.floor((now + step) / control[STEP] + 1e-6) == cell else 0
        if in_one > _IN_ONE:
            return k, STALLED
        now = end if end - now - step <= 0.0 else now + step
        for i in range(freedoms):
            q[i], v[i] = work[1][i], work[2][i]
        for i in range(n):
            status[i] = work[4][i]
            for c in range(5):
                way[i, c] = work[5][i, c]
            for c in range(CARRIED):
                carried[i, c] = work[6][i, c]
        keep_step(k, step, n, status, work[3], output)
        k += 1
