"""Modes consistent with a load: branches refuted together against one program a mode, by the same equations.

The peer solves modes one after the other, spread over the list; a unit is one mode. Both find the
same motions (tests/contact/test_search.py), so the ratio is what the search saves.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from tests.contact.scenes import box_against_walls, box_on_box

from benchmarks.harness import Contender, Table, peer, race
from detent.contact.forces import RowRates, consistent_modes, equations_of_motion, following, present, solve
from detent.contact.modes import ModeSet, modes
from detent.numeric.arrangement import EQUAL

Floats = NDArray[np.float64]

MU = 0.4
SAMPLE = 100


def run(repeats: int) -> list[Table]:
    table = Table("modes consistent with a load", "modes", busy=True)
    highs, _ = peer("highspy")
    one, two = modes(box_against_walls(1)), modes(box_on_box(1))
    single = (_cube(1.0, (0.0, 0.0, 0.0), 1.0), _load((0.0, 0.0, 0.0), 1.0, (2.0, 1.0, 0.0)))
    double = np.zeros((12, 12))
    double[:6, :6], double[6:, 6:] = _cube(1.0, (0.0, 0.0, 0.0), 1.0), _cube(0.5, (0.0, 0.0, 0.9), 0.8)
    low = np.r_[_load((0.0, 0.0, 0.0), 1.0, (5.3, 1.1, 0.0)), _load((0.0, 0.0, 0.9), 0.5, (0.0, 0.0, 0.0))]
    high = np.r_[_load((0.0, 0.0, 0.0), 1.0, (0.0, 0.0, 0.0)), _load((0.0, 0.0, 0.9), 0.5, (1.4, 3.9, 0.2))]
    cases: list[tuple[str, ModeSet, Floats, Floats, Floats | None]] = [
        ("Box-1, pushed too little", one, *single, None),
        ("Box-1, pushed away", one, single[0], single[1] * [3, 3, 1, 1, 1, 1], None),
        ("Box-1, sliding and turning", one, *single, np.array([1.0, 0.5, 0, 0, 0, 0.7])),
        ("Box-box-1, lower pushed", two, double, low, None),
        ("Box-box-1, upper pushed", two, double, high, None),
    ]
    for name, found, mass, load, velocity in cases:
        own = _together(found, mass, load, velocity)
        count = len(own())
        each, asked, every = _one_by_one(found, mass, load, velocity)
        contenders = [
            Contender("Detent", own, every),
            Contender(f"one program a mode, {highs}", each, asked),
        ]
        row = race(f"{name}: {count} of {every}", contenders, repeats)
        table.rows.append(row)
        best = row.seconds["Detent"]
        assert best is not None
        print(f"{name}: {count} of {every} modes in {1e3 * best * every:.3g} ms")
    return [table]


def _together(
    found: ModeSet, mass: Floats, load: Floats, velocity: Floats | None
) -> Callable[[], list[object]]:
    still = np.zeros(len(load))
    return lambda: list(consistent_modes(found, mass, still, load, friction=MU, velocity=velocity))


def _one_by_one(
    found: ModeSet, mass: Floats, load: Floats, velocity: Floats | None
) -> tuple[Callable[[], None], int, int]:
    """A call that solves some modes by themselves; how many, and of how many that the velocity leaves."""
    now = present(found, velocity, EQUAL)
    signs, _ = following(found, now, RowRates())
    some = signs[np.linspace(0, len(signs) - 1, min(SAMPLE, len(signs))).astype(int)]
    mu = [MU] * len(found.contacts)

    def call() -> None:
        equations = equations_of_motion(found, mass, load, mu, now, RowRates())
        for row in some:
            solve(equations, row)

    return call, len(some), len(signs)


def _cube(mass: float, centre: tuple[float, float, float], side: float) -> Floats:
    x, y, z = centre
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    turning = mass * side * side / 6 * np.eye(3) - mass * cross @ cross
    made: Floats = np.block([[mass * np.eye(3), -mass * cross], [mass * cross, turning]])
    return made


def _load(centre: tuple[float, float, float], mass: float, push: tuple[float, float, float]) -> Floats:
    force = np.array(push) - mass * 9.81 * np.eye(3)[2]
    return np.r_[force, np.cross(centre, force)]
