"""Steps for force laws of any kind, and for the full equations: SciPy's BDF, ended where contacts change.

Slower than `stepping`, whose laws are kernels, and asked for its own accuracy: the two check each other.
Where other parts touch at the end of a step than at its start, the time of the change is halved for on the
step's polynomial, and the next step begins there.
"""

from __future__ import annotations

import math
from typing import Any, Protocol

import numpy as np

from detent.foundation.progress import reached
from detent.library.mating.force_law import MatingLoad
from detent.library.robots.serial_arm import Floats
from detent.motion.compliant.led.coupling import Memory, nothing
from detent.motion.compliant.led.steps import LedSteps
from detent.motion.leading.course import LedPath
from detent.numeric.roots import bisect

_INSTANT = 1e-9  # [s] within which a change is located
_MOST = 200_000  # steps


class Stepped(Protocol):
    """What is stepped: (7) or (5), with its laws."""

    @property
    def course(self) -> LedPath: ...

    @property
    def laws(self) -> Any: ...

    def loads(self, q: Floats, v: Floats, before: Memory | None) -> Memory: ...

    def acceleration(self, time: float, q: Floats, v: Floats, loads: Any) -> Floats: ...

    def jacobian(self, time: float, q: Floats, v: Floats, before: Memory | None) -> Floats: ...


def followed(
    system: Stepped, state: Floats, until: float, accuracy: float, scales: tuple[float, float], longest: float
) -> tuple[LedSteps, bool]:
    """Steps to `until`; False where they got no further."""
    from scipy.integrate import BDF

    n = len(state) // 2
    limits = np.concatenate([np.full(n, accuracy * scales[0]), np.full(n, accuracy * scales[1])])
    memory: Memory = system.loads(state[:n], state[n:], nothing(len(system.laws)))
    times, states = [0.0], [state.copy()]
    touching, ends, memories = [touched(memory)], [], [memory]
    corners = [*(t for t in system.course.times if 0 < t < until), until]
    now, y, done = 0.0, state.copy(), True
    while now < until - 1e-12 and done:
        bound = next(corner for corner in corners if corner > now + 1e-12)
        kept = memory

        def rates(time: float, y: Floats, kept: Memory = kept) -> Floats:
            q, v = y[:n], y[n:]
            return np.concatenate([v, system.acceleration(time, q, v, system.loads(q, v, kept))])

        def slopes(time: float, y: Floats, kept: Memory = kept) -> Floats:
            return system.jacobian(time, y[:n], y[n:], kept)

        # What a corner of the path does to forces acts from its own time on.
        inside = now + 1e-13
        solver = BDF(
            rates, inside, y, bound, max_step=longest, rtol=accuracy, atol=limits, jac=slopes,
            first_step=min(1e-5, (bound - inside) / 2),
        )  # fmt: skip
        while solver.status == "running":
            before = solver.y.copy()
            solver.step()
            if solver.status == "failed" or len(times) > _MOST:
                done = False
                break
            end, y = solver.t, solver.y.copy()
            loads = system.loads(y[:n], y[n:], memory)
            changed = touched(loads) != touched(memory)
            if changed and end - now > _INSTANT:
                end, y, loads = _located(system, solver.dense_output(), now, end, memory, n)
            first = system.acceleration(
                now + 1e-13, before[:n], before[n:], system.loads(before[:n], before[n:], memory)
            )
            last = system.acceleration(end - 1e-13, y[:n], y[n:], loads)
            times.append(end)
            states.append(y)
            ends.append((first, last))
            touching.append(touched(loads))
            memories.append(loads)
            now, memory = end, loads
            reached(round(1000 * now / until), 1000)
            if changed:
                break
    table = np.array(states)
    accelerations = np.array(ends).reshape(-1, 2, n)
    steps = LedSteps(
        np.array(times),
        table[:, :n],
        table[:, n:],
        accelerations,
        tuple(touching),
        tuple(memories),
        "BDF",
    )
    return steps, done


def touched(loads: tuple[MatingLoad, ...]) -> tuple[str, ...]:
    """What all laws say touches."""
    return tuple(name for load in loads for name in load.contacts)


def _located(
    system: Stepped, dense: Any, begin: float, end: float, memory: Memory, n: int
) -> tuple[float, Floats, Memory]:
    """The first state after a change of contacts inside a step."""
    before = touched(memory)

    def is_as_before(time: float) -> bool:
        y = dense(time)
        return touched(system.loads(y[:n], y[n:], memory)) == before

    _, changed = bisect(is_as_before, begin, end, most=math.ceil(math.log2((end - begin) / _INSTANT)))
    y = np.asarray(dense(changed))
    return changed, y, system.loads(y[:n], y[n:], memory)
