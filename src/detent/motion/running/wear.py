"""What contacts went through in a run: greatest force, sliding under load, impulse."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from detent.motion.running.step_kernels import NODES, WEIGHTS

# Shares of a step at which forces are looked at: its ends, and Gauss and Legendre's nodes between, whose
# weights integrate over it.
SHARES = np.concatenate([[0.0], NODES, [1.0]])
SHARE_WEIGHTS = np.concatenate([[0.0], WEIGHTS, [0.0]])


@dataclass
class ContactWear:
    """Of one contact, up to the end of the run: in SI."""

    peak: float = 0.0  # [N] at places of the steps
    peak_at: float = 0.0  # [s]
    sliding: float = 0.0  # [m] while it is loaded
    impulse: float = 0.0  # [N s] of its force over time; blows are not in it

    def add(self, time: float, weight: float, push: float, slide: float) -> None:
        """A look at it that stands for so much time."""
        if push > 0.0:
            self.seen(time, push)
            self.carried(weight * push, weight * abs(slide))

    def seen(self, time: float, push: float) -> None:
        """A force at a time."""
        if push > self.peak:
            self.peak, self.peak_at = push, time

    def carried(self, impulse: float, sliding: float) -> None:
        """Through a stretch of time."""
        self.sliding += sliding
        self.impulse += impulse


def by_name(worn: dict[int, ContactWear], name: Callable[[int], str]) -> dict[str, ContactWear]:
    """Candidates of one name together."""
    total: dict[str, ContactWear] = {}
    for candidate, wear in worn.items():
        known = total.setdefault(name(candidate), ContactWear())
        if wear.peak > known.peak:
            known.peak, known.peak_at = wear.peak, wear.peak_at
        known.sliding += wear.sliding
        known.impulse += wear.impulse
    return total
