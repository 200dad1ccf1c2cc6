"""Initial contact tuples: which features touch first, from which starts (Donald & Pai 1992, appendix B.2.2).

At rest a pawl's first contact depends on the offset of the start across the push alone. It changes where a
vertex passes a vertex: between two such offsets one pair of features touches first, and the part of its edge
that is touched first is a straight stretch, which slides or sticks with the sign of its threshold there.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from detent.judge.uncertain.starts import Starts
from detent.motion.quasistatic.enclosed.enclosure import Enclosure
from detent.motion.quasistatic.enclosed.pairs import PairTable, StraightPushes, look
from detent.motion.quasistatic.machine.fasteners import Fastener, Pawl
from detent.record.holding.uncertain import FirstContact

BESIDE = 1e-9  # of an interval: from its ends, where a corner belongs to two edges


def first_contacts(machine: Fastener, starts: Starts) -> tuple[FirstContact, ...]:
    """Of every pawl, in the direction of the leg as written."""
    return tuple(each for pawl in machine.pawls for each in _of_pawl(pawl, machine, starts))


def _of_pawl(pawl: Pawl, machine: Fastener, starts: Starts) -> list[FirstContact]:
    table = PairTable(pawl.leaves, pawl.obstacles)
    hinge = np.array([float(each) for each in pawl.hinge])
    low, high = starts.offset
    own = (table.corners + hinge) @ starts.left
    passes = (table.obstacle_corners @ starts.left)[:, None] - own[None, :]
    inside = passes[(passes > low) & (passes < high)]
    breaks = np.unique(np.concatenate([[low], inside, [high]]))
    pieces: list[tuple[int, float, float]] = []
    for a, b in pairwise(breaks.tolist()):
        pair = _first(table, hinge, starts, (a + b) / 2, machine)
        if pair is None:
            continue
        if pieces and pieces[-1][0] == pair and pieces[-1][2] == a:
            pieces[-1] = (pair, pieces[-1][1], b)
        else:
            pieces.append((pair, a, b))
    return [_told(pawl, table, hinge, starts, machine, *piece) for piece in pieces]


def _push(starts: Starts, offset: float) -> StraightPushes:
    none = np.zeros((1, 2))
    return StraightPushes(offset * starts.left, starts.speed * starts.forward, none, none)


def _times(table: PairTable, hinge: Any, starts: Starts, offset: float) -> tuple[Any, Any]:
    """When each pair would touch on the line of an offset, and where along its edge."""
    pushes = _push(starts, offset)
    begun = starts.advance[0] / starts.speed
    looked = look(table, hinge, pushes, (begun, 0.0, 0.0, 0.0))
    rate, along_rate = looked.gap_in_time[0], looked.along_in_time[0]
    with np.errstate(divide="ignore", invalid="ignore"):
        times = np.where(rate < 0, begun - looked.gap / rate, np.inf)
        along = looked.along + (times - begun) * along_rate
    return times, along


def _first(table: PairTable, hinge: Any, starts: Starts, offset: float, machine: Fastener) -> int | None:
    """The pair that touches first."""
    times, along = _times(table, hinge, starts, offset)
    slack = 1e-12 * machine.size
    _, front = starts.advance
    begun = starts.advance[0] / starts.speed
    hit = (times >= begun - slack) & (along >= -slack) & (along <= table.length + slack)
    times = np.where(hit & (times <= front / starts.speed + starts.lasts), times, np.inf)
    best = int(np.argmin(times)) if len(times) else 0
    return best if len(times) and np.isfinite(times[best]) else None


def _told(
    pawl: Pawl,
    table: PairTable,
    hinge: Any,
    starts: Starts,
    machine: Fastener,
    pair: int,
    low: float,
    high: float,
) -> FirstContact:
    ends = [_times(table, hinge, starts, offset) for offset in (low, high)]
    times = [float(each[0][pair]) for each in ends]
    along = [float(each[1][pair]) / float(table.length[pair]) for each in ends]
    rear, front = (each / starts.speed for each in starts.advances(low, high))
    signs = [_margin(table, hinge, starts, machine, pair, offset) for offset in (low, high)]
    if signs[0] * signs[1] < 0:
        # Linear in the offset: the arm grows evenly along the edge.
        between = low + (high - low) * signs[0] / (signs[0] - signs[1])
        parts = [(low, between, signs[0] > 0), (between, high, signs[1] > 0)]
    else:
        parts = [(low, high, signs[0] + signs[1] > 0)]
    return FirstContact(
        contact=table.names[pair],
        pawl=pawl.part,
        offset=(low, high),
        time=(max(min(times) - front, 0.0), max(times) - rear),
        slides=tuple((a, b) for a, b, slides in parts if slides),
        sticks=tuple((a, b) for a, b, slides in parts if not slides),
        hit=(min(along), max(along)),
    )


def _margin(
    table: PairTable, hinge: Any, starts: Starts, machine: Fastener, pair: int, offset: float
) -> float:
    """r x n towards the side to which it turns, less what friction takes: above zero where it slides."""
    times, _ = _times(table, hinge, starts, offset)
    on = Enclosure(table, hinge, _push(starts, offset), machine.size)
    looked = on.look((float(times[pair]), 0.0, 0.0, 0.0))
    lever = float(looked.turning[pair])
    arm, normal = complex(looked.arm[pair]), -1j * complex(looked.way[pair])
    slip = (arm * complex(*starts.forward).conjugate()).real
    along = (arm * normal.conjugate()).real
    return float(abs(lever) + float(table.friction[pair]) * np.sign(slip) * along)
