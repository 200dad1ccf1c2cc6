"""Contact modes: the cell complex against one linear program a mode, and against the paper's own route.

A peer that decides one mode by a linear program is given the modes that exist, one
after the other, so it does not pay for those that do not. Programs are timed on a
sample; a unit is one mode. The model that HiGHS keeps starts from the last solution, so
it is timed twice: on modes spread over the list, and on runs of neighbours in the order
of their signs, which differ in few bounds and suit it best.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from tests.contact.scenes import box_against_walls, box_on_box, hand_with_ball, planar_fan

from benchmarks.harness import Contender, Table, peer, race
from detent.contact import Contacts
from detent.contact.modes import ModeSet, modes, polar_modes, sliding_modes
from detent.numeric import KERNELS

SAMPLE = {"linprog": 40, "highspy": 400}
RUNS = 20


def run(repeats: int) -> list[Table]:
    for kernel in KERNELS.values():  # warm: compiled, as in any process after its first large case
        if "arrangement" in kernel.name:
            kernel.compiled(*kernel.sample())
    return [_programs(repeats), _lattice(repeats), _fans(repeats)]


def _programs(repeats: int) -> Table:
    table = Table("all modes, warm", "modes")
    scenes = {
        "Box-1": box_against_walls(1),
        "Box-2": box_against_walls(2),
        "Box-box-1": box_on_box(1),
        "Box-box-2": box_on_box(2),
        "Box-box-2, flush": box_on_box(2, flush=True),
    }
    scipy, has_scipy = peer("scipy")
    highs, has_highs = peer("highspy")
    for name, contacts in scenes.items():
        found = modes(contacts)
        own = Contender("Detent", lambda c=contacts: modes(c), len(found))  # type: ignore[misc]
        rows = _rows(found)
        slow = Contender(
            f"linprog of {scipy}",
            _by_linprog(rows, found),
            _sample(found, "linprog"),
            "" if has_scipy else "-",
        )
        size = _sample(found, "highspy")
        fast = [
            Contender(
                f"one {highs} model, {how}",
                _by_highspy(rows, found, where),
                len(where),
                "" if has_highs else "-",
            )
            for how, where in (("spread", _spread(found, size)), ("neighbours", _neighbours(found, size)))
        ]
        row = race(f"{name}, {len(found)} modes", [own, slow, *fast], repeats)
        table.rows.append(row)
        best = row.seconds["Detent"]
        assert best is not None
        print(f"{name}: {len(found)} modes in {1e3 * best * len(found):.3g} ms")
        _print_processor_time([own, slow, *fast], repeats)
    return table


def _print_processor_time(contenders: list[Contender], repeats: int) -> None:
    """The same in processor time, in turns as well: on a busy machine the clock on the wall says little."""
    entered = [c for c in contenders if c.call is not None]
    best = dict.fromkeys((c.name for c in entered), float("inf"))
    for _ in range(repeats):
        for c in entered:
            start = time.thread_time()
            c.call()  # type: ignore[misc]
            best[c.name] = min(best[c.name], (time.thread_time() - start) / c.units)
    own = entered[0]
    ratios = ", ".join(f"{best[c.name] / best[own.name]:.0f}x {c.name}" for c in entered[1:])
    print(f"  processor time {1e3 * best[own.name] * own.units:.3g} ms: {ratios}")


def _lattice(repeats: int) -> Table:
    table = Table("contacting/separating, warm", "modes")
    hand = hand_with_ball()
    found = modes(hand, kind="contacting_separating")
    contenders = [
        Contender("Detent", lambda: modes(hand, kind="contacting_separating"), len(found)),
        Contender(f"polar hull, {peer('scipy')[0]}'s Qhull", lambda: polar_modes(hand), len(found)),
    ]
    row = race(f"Hand-ball, {len(found)} modes", contenders, repeats)
    table.rows.append(row)
    best = row.seconds["Detent"]
    assert best is not None
    print(f"Hand-ball, contacting/separating: {len(found)} modes in {1e3 * best * len(found):.3g} ms")
    listed = sliding_modes(hand, "0" * len(hand))
    alone = race(
        f"Hand-ball, all touching, {len(listed)} modes",
        [Contender("Detent", lambda: sliding_modes(hand, "0" * len(hand)), len(listed))],
        repeats,
    )
    table.rows.append(alone)
    return table


def _fans(repeats: int) -> Table:
    table = Table("planar fan of k contacts, 2k + 6 modes", "signs")
    for count in (125, 250, 500, 1000):
        fan = planar_fan(count)
        size = len(modes(fan)) * 2 * count
        own = Contender("Detent", lambda c=fan: modes(c), size)  # type: ignore[misc]
        table.rows.append(race(f"k = {count}", [own], repeats))
    return table


def _rows(found: ModeSet) -> Any:
    """All unit rows, and where a mode's sign leaves a row zero, above or below, or says nothing."""
    contacts: Contacts = found.contacts.floats
    rows = np.concatenate([contacts.normal, *contacts.tangent])
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def _sample(found: ModeSet, kind: str) -> int:
    return min(SAMPLE[kind], len(found))


def _spread(found: ModeSet, size: int) -> Any:
    return np.linspace(0, len(found) - 1, size).astype(int)


def _neighbours(found: ModeSet, size: int) -> Any:
    """Runs of modes that follow each other in the order of their signs, spread over the list."""
    order = np.argsort(found.texts_of(found.cells))
    runs = min(RUNS, size)
    first = np.linspace(0, len(found) - size // runs, runs).astype(int)
    return order[(first[:, None] + np.arange(size // runs)).ravel()]


def _by_linprog(rows: Any, found: ModeSet) -> Callable[[], None]:
    from scipy.optimize import linprog

    held = found.contacts.floats.held
    signs = found.signs[_spread(found, _sample(found, "linprog"))]
    d = rows.shape[1]

    def call() -> None:
        for sign in signs:
            zero = np.concatenate([held, rows[sign == 0]])
            divided = (sign == 1) | (sign == -1)
            above = rows[divided] * sign[divided, None]
            done = linprog(
                np.zeros(d),
                A_ub=-above if len(above) else None,
                b_ub=-np.ones(len(above)) if len(above) else None,
                A_eq=zero if len(zero) else None,
                b_eq=np.zeros(len(zero)) if len(zero) else None,
                bounds=(None, None),
                method="highs",
            )
            assert done.status == 0

    return call


def _by_highspy(rows: Any, found: ModeSet, where: Any) -> Callable[[], None]:
    """One model for all; bounds change from mode to mode, and only whether there is a solution is asked."""
    import highspy

    from detent.numeric import INFINITE, Program

    held = found.contacts.floats.held
    signs = found.signs[where]
    d = rows.shape[1]
    low = np.where(signs == 1, 1.0, np.where(signs == 0, 0.0, -INFINITE))
    high = np.where(signs == -1, -1.0, np.where(signs == 0, 0.0, INFINITE))
    free = np.full(len(rows), INFINITE)
    program = Program(
        np.zeros(d),
        np.concatenate([rows, held]),
        np.r_[-free, np.zeros(len(held))],
        np.r_[free, np.zeros(len(held))],
        -INFINITE,
        INFINITE,
    )
    model, numbers = program.model, np.arange(len(rows), dtype=np.int32)
    optimal = highspy.HighsModelStatus.kOptimal

    def call() -> None:
        for lower, upper in zip(low, high, strict=True):
            model.changeRowsBounds(len(numbers), numbers, lower, upper)
            model.run()
            assert model.getModelStatus() == optimal

    return call
