"""Fasteners: against dynamics programs on one T fastener, designs a second, and a million pairs."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from tests.prove.racks import rack, round_nose

import detent
from benchmarks import _fastener_peers as peers
from benchmarks.harness import Contender, Figures, Table, race
from detent.model.reading import mechanism
from detent.motion.quasistatic.exact import run_plan
from detent.motion.quasistatic.floats import (
    CAUSES,
    COLUMNS,
    Push,
    decide,
    room,
    round_links,
    shapes,
    state,
    track,
    track_designs,
    with_edges,
)
from detent.motion.quasistatic.machine import fastener
from detent.motion.quasistatic.proved import certified, prove, times_near
from detent.numeric import kernel
from detent.numeric.polynomial import HALVINGS, first_fall

DESIGNS = 2000
FILTERS = 2_000_000


def run(repeats: int) -> list[Table | Figures]:
    return [_dynamics(repeats), _growth(), _designs(repeats), _million(repeats)]


def _dynamics(repeats: int) -> Table:
    """One pawl over 60 units of travel, the table of pairs built each time."""
    one = _batch(1, spread=0.0)
    one[4][:] = peers.TRAVEL
    once = _tracking(one)
    exact = mechanism(_document())
    read = fastener(exact)
    programs = []
    for name, make in (("pymunk", peers.pymunk_run), ("mujoco", peers.mujoco_run)):
        try:
            programs.append(Contender(name, make()))
        except ImportError:
            programs.append(Contender(name, None, why="not installed"))
    prove.compiled, times_near.compiled  # noqa: B018, as in a process that has run one before
    runs = [
        Contender("certified", lambda: run_plan(read, certified(read))),
        Contender("with reading", lambda: run_plan(made := fastener(exact), certified(made))),
        Contender("by algebra alone", lambda: run_plan(read)),
        Contender("float filter", once),
    ]
    table = Table("T fastener, dt 2e-3", "runs")
    table.rows.append(race("left pawl", [*runs, *programs], repeats))
    for contender in programs:
        if contender.call is not None:
            error = abs(float(contender.call()) - abs(peers.peak_angle()))  # type: ignore[arg-type]
            print(f"{contender.name}: peak angle wrong by {error:.1e} rad")
    return table


def _growth() -> Figures:
    """Processor time of a certified plan and of the whole answer, and how both grow with the machine."""
    figures = Figures(["certified, core seconds", "n", "events", "plan", "exponent", "mate", "exponent"])
    for name, sizes, make in (
        ("rack of n teeth", (10, 30, 100, 300, 1000), rack),
        ("nose of n chords, in and back", (10, 20, 50, 100, 200), round_nose),
        ("n pawls on 30 teeth", (1, 2, 4, 6), lambda pawls: rack(30, pawls)),
    ):
        before: tuple[int, float, float] | None = None
        for n in sizes:
            document = mechanism(make(n))
            made = fastener(document)
            plan = min(_own_time(lambda: run_plan(made, certified(made))) for _ in range(3))  # noqa: B023
            whole = min(_own_time(lambda: detent.mate(document)) for _ in range(3))  # noqa: B023
            legs = run_plan(made, certified(made)).legs
            events = sum(len(each.events) for leg in legs for each in leg.pawl_runs)
            grown = ["", ""]
            if before is not None:
                times = ((plan, before[1]), (whole, before[2]))
                grown = [f"{math.log(new / old) / math.log(n / before[0]):.2f}" for new, old in times]
            row = [str(n), str(events), f"{plan:.4f}", grown[0], f"{whole:.3f}", grown[1]]
            figures.rows.append([name, *row])
            before = n, plan, whole
    return figures


def _designs(repeats: int) -> Table:
    """Tolerances of every vertex and of the friction; a core's own time beside the clock's."""
    batch = _batch(DESIGNS, spread=0.3)
    call = _tracking(batch)
    pawls, walls, hinges, velocities, durations, frictions = batch

    def decided() -> object:
        return decide(
            pawls, walls, hinges=hinges, velocities=velocities, durations=durations, frictions=frictions
        )

    table = Table("designs, one obstacle", "designs")
    contenders = [
        Contender("float filter", call, DESIGNS),
        Contender("decide, arrays checked", decided, DESIGNS),
    ]
    table.rows.append(race(f"{call()} of {DESIGNS} to exact", contenders, repeats))
    best = min(_own_time(call) for _ in range(4 * repeats))
    print(f"designs, one obstacle: {DESIGNS / best:,.0f} a second of a core's own time")
    return table


def _own_time(call: Callable[[], object]) -> float:
    begin = time.process_time()
    call()
    return time.process_time() - begin


def _tracking(batch: tuple[Any, ...]) -> Callable[[], int]:
    """All designs of a batch tracked, in room that is made once."""
    count, n, m = len(batch[0]), batch[0].shape[1], batch[1].shape[1]
    scratch = (*room(n, m), *shapes(n, m), *state(), np.zeros((count, COLUMNS)))
    tracked = track_designs.compiled
    unasked = np.zeros(count)  # no stiffness, no forces
    return lambda: int(tracked(*batch, unasked, *scratch))


def _million(repeats: int) -> Table:
    """A sweep of a million pairs beside two million float root filters."""
    table = Table("10^6 pairs", "sweeps")
    filters = Contender("2e6 root filters", lambda: _filters.compiled(_QUARTICS))
    for name, pawl, walls, velocity, until in (_rack(), _dense()):
        pairs = 2 * len(pawl) * len(walls)
        arrays = _arrays(pawl, walls)
        call = _sweeping(arrays, velocity, until)
        status, count = call()
        case = f"{name}, {pairs:,} pairs, {count} events, {CAUSES[status]}"
        table.rows.append(race(case, [Contender("sweep", call), filters], repeats))
    return table


def _sweeping(arrays: tuple[Any, ...], velocity: Any, until: float) -> Callable[[], tuple[int, int]]:
    scratch = room(len(arrays[0]), len(arrays[2]), 1024)
    push = Push(*arrays, np.array([-30.0, 14.0]), velocity, until, 100.0)
    return lambda: track.compiled(push, state(), scratch)


_QUARTICS = np.random.default_rng(3).normal(size=(FILTERS // 100, 5))


@kernel(sample=lambda: (np.ones((4, 5)),))
def _filters(quartics: Any) -> float:
    stack, spans = np.empty((HALVINGS + 2, 5)), np.empty((HALVINGS + 2, 2))
    total = 0.0
    for _ in range(100):
        for i in range(len(quartics)):
            total += first_fall(quartics[i], 1.0, stack, spans, 0.0)
    return total


def _batch(count: int, *, spread: float) -> tuple[Any, ...]:
    rng = np.random.default_rng(1)
    pawls = peers.PAWL + rng.normal(0, spread, (count, len(peers.PAWL), 2))
    walls = peers.BAR + rng.normal(0, spread, (count, len(peers.BAR), 2))
    hinges = np.tile(peers.HINGE, (count, 1))
    velocities = np.tile([0.0, -1.0], (count, 1))
    frictions = rng.uniform(0, 0.2, count) if spread else np.zeros(count)
    return pawls, walls, hinges, velocities, np.full(count, 85.0), frictions


def _document() -> dict[str, Any]:
    return {
        "units": "1",
        "parts": {
            "root": {},
            "pawl": {"shape": {"outline": peers.PAWL.tolist()}},
            "bar": {"fixed": True, "shape": {"outline": peers.BAR.tolist()}},
        },
        "joints": {
            "hinge": {
                "type": "revolute",
                "between": ["root", "pawl"],
                "at": peers.HINGE.tolist(),
                "spring": {"stiffness": 1},
            }
        },
        "drives": {"push": {"part": "root", "legs": [{"velocity": [0, -1], "for": peers.TRAVEL}]}},
    }


def _arrays(pawl: Any, walls: Any) -> tuple[Any, ...]:
    rows = []
    for points in (pawl, walls):
        along = np.roll(points, -1, axis=0) - points
        turn = np.roll(along[:, 0], 1) * along[:, 1] - np.roll(along[:, 1], 1) * along[:, 0]
        links = round_links(turn > 0)
        rows += [with_edges(points, links), links]
    return tuple(rows)


def _pawl(count: int) -> Any:
    """A slanted arm whose back is a fine arc, so that it has many vertices."""
    back = np.linspace(0, 1, count - 3)
    arc = np.column_stack([-12 - 18 * back, 3 + 12 * back + 0.8 * np.sin(np.pi * back)])
    return np.vstack([[[-30, 13], [-12, 1]], arc, [[-30.2, 14]]]) - np.array([-30, 14])


def _rack() -> tuple[str, Any, Any, Any, float]:
    """A rack so long that most teeth are out of reach: eleven teeth pass."""
    teeth = 2500
    walls = np.vstack([[[0.0, -10.0], [teeth * 10.0, -10.0]], _saw(teeth)])
    return "rack", _pawl(100), walls, np.array([1.0, 0.0]), 65.0


def _saw(teeth: int) -> Any:
    """From right to left: each tooth rises steeply at its right and slants down to its left."""
    right = np.arange(teeth, 0, -1) * 10.0
    points = np.empty((2 * teeth, 2))
    points[0::2] = np.column_stack([right, np.full(teeth, 4.0)])
    points[1::2] = np.column_stack([right - 10.0, np.zeros(teeth)])
    return points


def _dense() -> tuple[str, Any, Any, Any, float]:
    """Teeth on a long curved floor of many vertices, all of it within reach of the whole arm."""
    count = 4990
    x = np.linspace(0, 58, count)
    floor = np.column_stack([x, -7 + 0.5 * np.sin(x / 8)])
    teeth = np.array(
        [[60.0, 4.0], [50.0, 0.0], [50.0, 4.0], [40.0, 0.0], [40.0, 4.0], [30.0, 0.0], [0.0, 0.0]]
    )
    return "dense", _pawl(100), np.vstack([floor, teeth]), np.array([1.0, 0.0]), 65.0
