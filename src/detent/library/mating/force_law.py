"""What a compliant connection puts on the part that is moved: coupling A of Meitinger & Pfeiffer, (10), (11).

A force law is a pure function of where a part is, how fast, and in which contacts it was before: the ring
needs no memory, a snap hook has several equilibria at one place and goes on from the last. SI throughout; a
place is a 4 x 4 frame of the moving part in the world, a velocity that of its origin on world axes, then its
rotation. The load stands on world axes, its moment about the moving part's own origin. A drive must give the
opposite load.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

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
    dissipated: float = 0.0  # [J] in the jump after which this load follows, of what was stored
    stored_before: float = 0.0  # [J]


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


@runtime_checkable
class RememberingLaw(ForceLaw, Protocol):
    """Of a connection that goes on with the contacts it had; who steps asks where these end."""

    @property
    def assumed(self) -> tuple[str, ...]: ...

    def over(self, load: MatingLoad) -> bool:
        """Whether the contacts that this load goes on with no longer carry there."""
        ...

    def resumed(self, load: MatingLoad) -> MatingLoad | None:
        """At the same place, what follows then: by other contacts, or after a jump; None: no balance."""
        ...

    def stuck(self, load: MatingLoad) -> str:
        """Why nothing follows."""
        ...

    @property
    def carries(self) -> str:
        """The part that the connection itself moves: a hook."""
        ...

    def poses(self, loads: Sequence[MatingLoad], unit: float) -> Floats:
        """(m, 7) of that part, lengths times `unit`: place, quaternion."""
        ...
