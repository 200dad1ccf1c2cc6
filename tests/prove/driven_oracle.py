"""What a driven machine of one free coordinate does, by an integration that shares no code with Detent.

A coordinate u follows m u'' = f(t, u, u') while nothing touches; contact j keeps sign (u - p(t)) at zero or
above. Where a contact acts u is p, so that its force is a function of time: its zeros are the releases.
Flights are integrated by DOP853 with events. Impacts are without rebound.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import brentq


@dataclass
class Profile:
    """Where a contact holds the coordinate, by time, with two rates; what it pushes along: +1 or -1."""

    sign: float
    at: Callable[[float], tuple[float, float, float]]
    arm: float = 1.0  # force on the coordinate per force of contact


@dataclass
class Driven:
    """A machine: its document, and the same as an equation."""

    text: str
    joint: str  # that has the coordinate
    inertia: float
    force: Callable[[float, float, float], float]
    contacts: list[Profile]
    begin: tuple[float, float]
    until: float
    turn: float  # [s] of the drive
    touching: int | None = None  # the contact that acts where it begins

    def needed(self, time: float, j: int) -> float:
        """What keeps the coordinate at contact j."""
        p, dp, ddp = self.contacts[j].at(time)
        return self.contacts[j].sign * (self.inertia * ddp - self.force(time, p, dp))


@dataclass
class Happened:
    """What happens: times, what, and impulses; and how sharp these instants are."""

    rows: list[tuple[float, str, float]]
    spans: list[tuple[float, float, int]]  # contact j acts from, to
    sharp: bool


def integrated(machine: Driven) -> Happened:
    """What a machine does."""
    m, rows, spans, sharp = machine.inertia, [], [], True
    t, (u, v), on = 0.0, machine.begin, machine.touching
    brief = 1e-4 * machine.turn

    def rates(time: float, y: Any) -> list[float]:
        return [y[1], machine.force(time, y[0], y[1]) / m]

    def gap(j: int) -> Callable[[float, Any], float]:
        contact = machine.contacts[j]

        def of(time: float, y: Any) -> float:
            return contact.sign * (y[0] - contact.at(time)[0])

        of.terminal, of.direction = True, -1  # type: ignore[attr-defined]
        return of

    def flown(t0: float, t1: float, y: Any, events: Any) -> Any:
        return solve_ivp(
            rates, (t0, t1), y, "DOP853", rtol=1e-12, atol=1e-14, events=events, max_step=0.02 * machine.turn
        )

    gaps = [gap(j) for j in range(len(machine.contacts))]
    while t < machine.until:
        if on is not None:
            grid = np.arange(t, machine.until + machine.turn / 2000, machine.turn / 2000)
            pushes = np.array([machine.needed(time, on) for time in grid])
            size = np.abs(pushes).max()
            lost = np.flatnonzero(pushes < 0)
            # A dip that nearly is a release, or the other way round.
            turns = np.flatnonzero((pushes[1:-1] <= pushes[:-2]) & (pushes[1:-1] <= pushes[2:])) + 1
            upto = lost[0] if len(lost) else len(grid)
            sharp = sharp and not any(pushes[k] < 0.02 * size for k in turns if k < upto)
            if not len(lost):
                spans.append((t, machine.until, on))
                break
            k = int(lost[0])
            free = grid[k] if k == 0 else brentq(machine.needed, grid[k - 1], grid[k], (on,), xtol=1e-15)
            if k:
                sharp = sharp and -(pushes[k] - pushes[k - 1]) * 2000 > 0.2 * size
            spans.append((t, free, on))
            if free >= machine.until:
                break
            rows.append((free, "release", 0.0))
            u, v, _ = machine.contacts[on].at(free)
            end = flown(free, free + brief, [u, v], None)
            t, (u, v), on = free + brief, end.y[:, -1], None
            sharp = sharp and min(g(t, (u, v)) for g in gaps) > 0
            continue
        way = flown(t, machine.until, [u, v], gaps)
        if way.status == 0:
            break
        t, (u, v) = way.t[-1], way.y[:, -1]
        on = next(j for j, times in enumerate(way.t_events) if len(times))
        contact = machine.contacts[on]
        speed = contact.sign * (contact.at(t)[1] - v)
        rows.append((t, "impact", m * speed / contact.arm))
        sharp = sharp and speed > 0.02 * np.abs(way.y[1]).max() and len(rows) < 60
        if not sharp:
            break
    return Happened(rows, spans, sharp)
