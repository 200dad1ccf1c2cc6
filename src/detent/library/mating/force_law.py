"""What a compliant connection puts on the part that is moved: coupling A of Meitinger & Pfeiffer, (10), (11).

A force law is a pure function of where a part is, how fast, and in which contacts it was before: the ring
needs no memory, a snap hook has several equilibria at one place and goes on from the last. SI throughout; a
place is a 4 x 4 frame of the moving part in the world, a velocity that of its origin on world axes, then its
rotation. The load stands on world axes, its moment about the moving part's own origin. A drive must give the
opposite load.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Three = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class MatingLoad:
    """Force and moment on the moving part, with what touches."""

    force: Three  # [N]
    moment: Three  # [N m]
    contacts: tuple[str, ...] = ()
    memory: Any = None  # what the law itself goes on from; others pass it back, and look no further


NOTHING = MatingLoad((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))


class ForceLaw(Protocol):
    """Of one connection between a moving part and what stands still.

    With `smooth` = 0 friction has its full size against whatever velocity there is, however small, and the
    direction of the velocity alone counts: what quasi-static methods ask for. Above zero friction grows with
    the sliding speed v as tanh(v / smooth), which equations of motion can follow through rest.
    """

    @property
    def name(self) -> str:
        """Of the connection: the ring's part, the hook's joint."""
        ...

    @property
    def moving(self) -> str:
        """The part on which the load acts."""
        ...

    @property
    def smooth(self) -> float:
        """[m/s]"""
        ...

    def load(self, place: Floats, velocity: Floats, before: MatingLoad | None = None) -> MatingLoad:
        """On the moving part at a place, (4, 4), and a velocity, (6,); `before` is the last load."""
        ...
