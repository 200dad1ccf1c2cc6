"""Steps of a led run, read at any time: between its ends a step is a polynomial of degree five.

It meets coordinates, speeds and accelerations at both ends. Speeds and accelerations are its derivatives.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from detent.library.robots.serial_arm import Floats


@dataclass(frozen=True, eq=False)
class LedSteps:
    """Times of all ends, states there, accelerations at both ends of each step."""

    times: Floats  # (m + 1,)
    coordinates: Floats  # (m + 1, n)
    speeds: Floats  # (m + 1, n)
    accelerations: Floats  # (m, 2, n)
    contacts: tuple[tuple[str, ...], ...]  # what touches at each end
    memories: tuple[Any, ...]  # what the laws go on from at each end; None where they need nothing
    by: str  # what made the steps
    why: str = field(default="", kw_only=True)  # they ended early: what is in no balance

    @property
    def gives_way(self) -> tuple[tuple[str, ...], ...]:
        """What touches of parts that give way."""
        return self.contacts

    def at(self, times: Any) -> tuple[Floats, Floats, Floats]:
        """Coordinates, speeds and accelerations, a row per time."""
        t = np.atleast_1d(np.asarray(times, float))
        k = self.step_of(t)
        h = (self.times[k + 1] - self.times[k])[:, None]
        s = (t - self.times[k])[:, None] / h
        q0, q1, v0, v1 = (x[i] for x in (self.coordinates, self.speeds) for i in (k, k + 1))
        a0, a1 = self.accelerations[k, 0], self.accelerations[k, 1]
        # Of the polynomial: powers of the share of the step, from the constant term.
        d = q1 - q0 - h * v0 - h * h * a0 / 2
        e = h * (v1 - v0 - h * a0)
        f = h * h * (a1 - a0)
        terms = [
            q0, h * v0, h * h * a0 / 2, 10 * d - 4 * e + f / 2, -15 * d + 7 * e - f, 6 * d - 3 * e + f / 2,
        ]  # fmt: skip
        q = sum(c * s**k for k, c in enumerate(terms))
        v = sum(k * c * s ** (k - 1) for k, c in enumerate(terms) if k) / h
        a = sum(k * (k - 1) * c * s ** (k - 2) for k, c in enumerate(terms) if k > 1) / (h * h)
        return np.asarray(q), np.asarray(v), np.asarray(a)

    def step_of(self, times: Any) -> Any:
        """The number of the step in which each time is."""
        return np.clip(np.searchsorted(self.times, times, "right") - 1, 0, len(self.times) - 2)

    def dense(self, looks: int = 8) -> Floats:
        """Times at `looks` equal parts of every step, and the end."""
        steps = np.diff(self.times)[:, None]
        inside = self.times[:-1, None] + steps * (np.arange(looks) / looks)
        return np.append(inside.ravel(), self.times[-1])
