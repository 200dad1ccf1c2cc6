"""Steps for force laws of any kind, and for the full equations: SciPy's BDF, ended where contacts change.

Slower than `stepping`, whose laws are kernels, and asked for its own accuracy: the two check each other.
Where other parts touch at the end of a step than at its start, the time of the change is halved for on the
step's polynomial, and the next step begins there. A law that remembers goes on with its contacts through a
step, and beyond where they end: the step is cut there, and the law says what follows. Where it has no balance
at all ahead (a fold), steps shrink onto that instant by themselves.
"""

from __future__ import annotations

import math
from typing import Any, Protocol

import numpy as np

from detent.foundation.names import listed
from detent.foundation.progress import reached
from detent.library.mating.force_law import MatingLoad, RememberingLaw
from detent.library.robots.serial_arm import Floats
from detent.motion.compliant.led.coupling import Memory, nothing
from detent.motion.compliant.led.steps import LedSteps
from detent.motion.leading.course import LedPath
from detent.numeric.roots import bisect

_INSTANT = 1e-9  # [s] within which a change is located
_MOST = 200_000  # steps
_MOST_AT_ONCE = 20  # changes within so many instants, by which contacts take turns without end
_INSTANTS = 100
_AHEAD = (0.0, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4)  # [s] at which what steps shrink onto is looked for


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
    now, y, done, why, at_once = 0.0, state.copy(), True, "", 0
    while now < until - 1e-12 and done:
        bound = next(corner for corner in corners if corner > now + 1e-12)
        kept = memory

        def rates(time: float, y: Floats, kept: Memory = kept) -> Floats:
            q, v = y[:n], y[n:]
            return np.concatenate([v, system.acceleration(time, q, v, system.loads(q, v, kept))])

        def slopes(time: float, y: Floats, kept: Memory = kept) -> Floats:
            found = system.jacobian(time, y[:n], y[n:], kept)
            return np.where(np.isfinite(found), found, 0.0)  # no number where a law has no balance beside

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
                y = before
                resumed, why = _beyond_fold(system, y, memory, n) if len(times) <= _MOST else (None, "")
                at_once += 1
                if resumed is None or at_once > _MOST_AT_ONCE:
                    done = False
                    break
                memory = resumed
                memories[-1], touching[-1] = resumed, touched(resumed)
                break
            end, y = solver.t, solver.y.copy()
            loads = system.loads(y[:n], y[n:], memory)
            changed = touched(loads) != touched(memory) or is_over(system, loads)
            if changed and end - now > _INSTANT:
                end, y, loads = _located(system, solver.dense_output(), now, end, memory, n)
            first = system.acceleration(
                now + 1e-13, before[:n], before[n:], system.loads(before[:n], before[n:], memory)
            )
            last = system.acceleration(end - 1e-13, y[:n], y[n:], loads)
            if not np.isfinite(last).all():
                last = first  # no balance just beyond where the step was cut
            resumed, why = _resumed(system, loads)
            at_once = at_once + 1 if changed and end - now <= _INSTANTS * _INSTANT else 0
            if at_once > _MOST_AT_ONCE:
                resumed, why = None, f"{listed(sorted({*touched(loads), *touched(memory)}))} take turns"
            times.append(end)
            states.append(y)
            ends.append((first, last))
            now, memory = end, loads if resumed is None else resumed
            touching.append(touched(memory))
            memories.append(memory)
            reached(round(1000 * now / until), 1000)
            if resumed is None:
                done = False
                break
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
        why="" if done else why,
    )
    return steps, done


def is_over(system: Stepped, loads: Memory) -> bool:
    """Whether contacts of a law that remembers have ended."""
    return any(
        isinstance(law, RememberingLaw) and law.over(load)
        for law, load in zip(system.laws, loads, strict=True)
    )


def _resumed(system: Stepped, loads: Memory) -> tuple[Memory | None, str]:
    """The laws after contacts have ended, at the same place; None with what is in no balance there."""
    found = []
    for law, load in zip(system.laws, loads, strict=True):
        after: MatingLoad | None = load
        if isinstance(law, RememberingLaw) and law.over(load):
            after = law.resumed(load)
            if after is None:
                return None, law.stuck(load)
        assert after is not None
        found.append(after)
    return tuple(found), ""


def _beyond_fold(system: Stepped, y: Floats, memory: Memory, n: int) -> tuple[Memory | None, str]:
    """What follows just ahead of a state onto which steps have shrunk."""
    for ahead in _AHEAD:
        loads = system.loads(y[:n] + ahead * y[n:], y[n:], memory)
        if is_over(system, loads):
            return _resumed(system, loads)
    return None, ""


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
        loads = system.loads(y[:n], y[n:], memory)
        return touched(loads) == before and not is_over(system, loads)

    _, changed = bisect(is_as_before, begin, end, most=math.ceil(math.log2((end - begin) / _INSTANT)))
    y = np.asarray(dense(changed))
    return changed, y, system.loads(y[:n], y[n:], memory)
