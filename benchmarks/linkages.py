"""Linkages beside pylinkage, planegcs (FreeCAD's solver), SolveSpace and the seed's own method.

Rows are those of Brunkhart 1994, Fig. 30. Every peer gets the positions of driven pins ready made, keeps
its model from frame to frame, starts each frame from the last and gives back every moving pin as Python
numbers (in sweeps as an array, where it can). planegcs solves by DogLeg, its default and the fastest of its
three methods on the rows where all three were tried; pylinkage's `step_fast` is compiled before. All use
one core.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from benchmarks import _linkage_peers as peers
from benchmarks.harness import Contender, Table, peer, race
from detent.kinematics import make_plan
from detent.kinematics.equations import closed_pose
from detent.kinematics.paths import drive_path_of
from detent.library import PERFORMANCE_TABLE, stress
from detent.model.document import Mechanism
from detent.model.machine import plane_linkage_of
from detent.motion.live import prepare

FRAMES = 360  # one frame a call
LONG = 3600  # a sweep
DYADIC = ("4-bar", "6-bar (a)", "Stress-10", "Stress-20", "Stress-50")
NUMERIC = ("6-bar (b)", "8-bar", "10-bar", "Duplex")
CHAINS = ("Chain-4", "Chain-6", "Chain-8", "Chain-10", "Chain-15")


def run(repeats: int) -> Iterator[Table]:
    yield _calls(repeats)
    yield _sweeps(repeats)
    yield _plans(repeats)
    yield from _growth(repeats)


def _inputs(name: str, count: int) -> np.ndarray:
    """A full turn; of the 6-bar driven at B, its rocker's swing, forth and back."""
    share = np.arange(count) / count
    if name == "6-bar (b)":
        return np.radians(45 * (1 - np.abs(1 - 2 * share)))
    return np.radians(360 * share)


def _contender(
    distribution: str, module: str, label: str, make: Callable[[], Callable[[], object] | None], units: int
) -> Contender:
    name, here = peer(distribution, module)
    name = f"{name}{label}"
    if not here:
        return Contender(name, None, why="not installed")
    made = make()
    return Contender(name, made, units, why="" if made else "cannot")


def _sketchers(pins: peers.Pins, units: int) -> list[Contender]:
    return [
        _contender("planegcs", "planegcs", "", lambda: peers.planegcs_frames(pins), units),
        _contender(
            "python-solvespace", "python_solvespace", "", lambda: peers.solvespace_frames(pins), units
        ),
    ]


def _calls(repeats: int) -> Table:
    table = Table("one frame a call", "frames", busy=True)
    for name in (*DYADIC, *NUMERIC, *CHAINS):
        mechanism, inputs = PERFORMANCE_TABLE[name](), _inputs(name, FRAMES)
        pins = peers.pins_of(mechanism, inputs)
        few = peers.pins_of(mechanism, inputs[:12])
        to, turns = prepare(mechanism).to, inputs.tolist()

        def own(to: Callable[..., list[float]] = to, turns: list[float] = turns) -> list[list[float]]:
            return [to(x) for x in turns]

        def step(pins: peers.Pins = pins) -> Callable[[], object] | None:
            linkage = peers.pylinkage_linkage(pins)
            return None if linkage is None else peers.pylinkage_frames(linkage, FRAMES)

        contenders = [Contender("Detent", own, FRAMES)]
        contenders.append(_contender("pylinkage", "pylinkage", " step", step, FRAMES))
        contenders += _sketchers(pins, FRAMES)
        contenders.append(Contender("Newton-SVD (the seed's)", peers.seed_frames(few), 12))
        table.rows.append(race(name, contenders, repeats))
    return table


def _sweeps(repeats: int) -> Table:
    table = Table(f"sweep of {LONG} frames", "frames", busy=True)
    for name in (*DYADIC, *NUMERIC, *CHAINS):
        mechanism, inputs = PERFORMANCE_TABLE[name](), _inputs(name, LONG)
        live, goals = prepare(mechanism), inputs.reshape(-1, 1)
        pins = peers.pins_of(mechanism, inputs)
        part = peers.pins_of(mechanism, inputs[:FRAMES])

        def own(live=live, goals=goals) -> object:
            return live.trace(goals)

        def fast(pins: peers.Pins = pins) -> Callable[[], object] | None:
            linkage = peers.pylinkage_linkage(pins)
            return None if linkage is None else peers.pylinkage_sweep(linkage, LONG)

        contenders = [Contender("Detent", own, LONG)]
        contenders.append(_contender("pylinkage", "pylinkage", " step_fast", fast, LONG))
        contenders += _sketchers(part, FRAMES)[:1]
        table.rows.append(race(name, contenders, repeats))
    return table


def _plans(repeats: int) -> Table:
    """Plan time beside the first frame of a sketch solver built anew, which plans each time it solves."""
    table = Table("plan, from a closed pose (5 ms is 200)", "plans", busy=True)
    for name in ("4-bar", "Stress-50", "Duplex"):
        mechanism = PERFORMANCE_TABLE[name]()
        pins = peers.pins_of(mechanism, np.zeros(1))
        contenders = [
            Contender("Detent", _planner(mechanism)),
            _contender(
                "planegcs",
                "planegcs",
                " built and solved",
                lambda p=pins: lambda: peers.planegcs_frames(p)(),
                1,
            ),
        ]
        table.rows.append(race(name, contenders, repeats))
    return table


def _planner(mechanism: Mechanism) -> Callable[[], object]:
    system = plane_linkage_of(mechanism)
    course, poses = drive_path_of(mechanism, system), closed_pose(system)
    return lambda: make_plan(system, poses, course.inputs)


def _growth(repeats: int) -> Iterator[Table]:
    """A chain of four-bars of up to a thousand links: frames a second times links stays level."""
    calls = Table("long chains, one frame a call", "links x frames", busy=True)
    sweeps = Table("long chains, sweep", "links x frames", busy=True)
    for links in (10, 100, 1000):
        mechanism = stress(links)
        live = prepare(mechanism)
        goals = _inputs("", FRAMES).reshape(-1, 1)
        pins = peers.pins_of(mechanism, goals[:, 0])
        turns, work = goals[:, 0].tolist(), links * FRAMES

        def own(live=live, turns=turns) -> object:
            return [live.to(x) for x in turns]

        def step(pins: peers.Pins = pins) -> Callable[[], object]:
            return peers.pylinkage_frames(peers.pylinkage_linkage(pins), FRAMES)

        def fast(pins: peers.Pins = pins) -> Callable[[], object]:
            return peers.pylinkage_sweep(peers.pylinkage_linkage(pins), FRAMES)

        one = [Contender("Detent", own, work)]
        one.append(_contender("pylinkage", "pylinkage", " step", step, work))
        many = [Contender("Detent", lambda live=live, goals=goals: live.trace(goals), work)]
        many.append(_contender("pylinkage", "pylinkage", " step_fast", fast, work))
        calls.rows.append(race(f"Stress-{links}", one, repeats))
        sweeps.rows.append(race(f"Stress-{links}", many, repeats))
    yield calls
    yield sweeps
