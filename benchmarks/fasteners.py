"""Fasteners: against dynamics programs on one T fastener, designs a second, and a million pairs."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks import _fastener_peers as peers
from benchmarks.harness import Contender, Table, race
from detent.contact.coefficients import with_edges
from detent.model.convert import mechanism
from detent.motion.quasistatic.designs import track_designs
from detent.motion.quasistatic.fastener import fastener
from detent.motion.quasistatic.plan import run_plan
from detent.motion.quasistatic.simple import track
from detent.numeric.kernel import kernel
from detent.numeric.quartic import HALVINGS, first_fall

DESIGNS = 2000
FILTERS = 2_000_000


def run(repeats: int) -> list[Table]:
    return [_dynamics(repeats), _designs(repeats), _million(repeats)]


def _dynamics(repeats: int) -> Table:
    """One pawl over 60 units of travel, the table of pairs built each time."""
    one = _batch(1, spread=0.0)
    one[5][:] = peers.TRAVEL
    ends = np.zeros((1, 4))
    tracked = track_designs.compiled
    exact = mechanism(_document())
    contenders = [
        Contender("float filter", lambda: tracked(*one, ends)),
        Contender("certified", lambda: run_plan(fastener(exact))),
    ]
    for name, make in (("pymunk", peers.pymunk_run), ("mujoco", peers.mujoco_run)):
        try:
            contenders.append(Contender(name, make()))
        except ImportError:
            contenders.append(Contender(name, None, why="not installed"))
    table = Table("T fastener, dt 2e-3", "runs")
    table.rows.append(race("left pawl", contenders, repeats))
    for contender in contenders[2:]:
        if contender.call is not None:
            error = abs(float(contender.call()) - abs(peers.peak_angle()))  # type: ignore[arg-type]
            print(f"{contender.name}: peak angle wrong by {error:.1e} rad")
    return table


def _designs(repeats: int) -> Table:
    batch = _batch(DESIGNS, spread=0.3)
    ends = np.zeros((DESIGNS, 4))
    tracked = track_designs.compiled
    doubts = tracked(*batch, ends)
    table = Table("designs, one obstacle", "designs")
    table.rows.append(
        race(
            f"{doubts} of {DESIGNS} to exact",
            [Contender("float filter", lambda: tracked(*batch, ends), DESIGNS)],
            repeats,
        )
    )
    return table


def _million(repeats: int) -> Table:
    """A sweep of a million pairs beside two million float root filters."""
    table = Table("10^6 pairs", "sweeps")
    filters = Contender("2e6 root filters", lambda: _filters.compiled(_QUARTICS))
    for name, pawl, walls, velocity, until in (_rack(), _dense()):
        pairs = 2 * len(pawl) * len(walls)
        arrays = _arrays(pawl, walls)
        events = np.zeros((1024, 6))
        hinge, start = np.array([-30.0, 14.0]), np.array([-1, 0, 0, 0])
        call = lambda a=arrays, v=velocity, u=until, e=events, h=hinge, s=start: track.compiled(  # noqa: E731
            *a, h, v, 0.0, u, 100.0, 0.0, 0.0, s, e
        )
        status, count = call()
        case = f"{name}, {pairs:,} pairs, {count} events, ended {status}"
        table.rows.append(race(case, [Contender("sweep", call), filters], repeats))
    return table


_QUARTICS = np.random.default_rng(3).normal(size=(FILTERS // 100, 5))


@kernel(sample=lambda: (np.ones((4, 5)),))
def _filters(quartics: Any) -> float:
    stack, spans = np.empty((HALVINGS + 2, 5)), np.empty((HALVINGS + 2, 2))
    total = 0.0
    for _ in range(100):
        for i in range(len(quartics)):
            total += first_fall(quartics[i], 1.0, stack, spans)
    return total


def _batch(count: int, *, spread: float) -> tuple[Any, ...]:
    rng = np.random.default_rng(1)
    pawls = peers.PAWL - peers.HINGE + rng.normal(0, spread, (count, len(peers.PAWL), 2))
    walls = peers.BAR + rng.normal(0, spread, (count, len(peers.BAR), 2))
    hinges = np.tile(peers.HINGE, (count, 1))
    velocities = np.tile([0.0, -1.0], (count, 1))
    frictions = rng.uniform(0, 0.2, count) if spread else np.zeros(count)
    return pawls, walls, hinges, velocities, frictions, np.full(count, 85.0)


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
        after = np.roll(np.arange(len(points)), -1)
        edges = with_edges(points, after)
        turn = np.roll(edges[:, 2], 1) * edges[:, 3] - np.roll(edges[:, 3], 1) * edges[:, 2]
        rows.append((edges, turn > 0, np.roll(np.arange(len(points)), 1), after))
    (own, sharp, _, _), (wall, pointed, before, after) = rows
    return own, sharp, wall, before, after, pointed


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
