"""One hook, its support and what it may touch; its state in balance, and what each contact carries there."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from detent.model.machine.system import System
from detent.motion.compliant.hooks.support import HookPlace, HookSupport
from detent.motion.compliant.hooks.surfaces import Surfaces

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

# How a contact is held: it sticks, or slides; in the plane one way or the other along its tangent.
STICKS, SLIDES, SLIDES_BACK = 0, 1, -1


@dataclass(frozen=True, order=True)
class HeldContact:
    """A contact that carries, and how."""

    row: int  # of the candidates
    status: int


HookMode = tuple[HeldContact, ...]


@dataclass(frozen=True, eq=False)
class HookProblem:
    """One hook, its support, and what it may touch. SI."""

    system: System
    support: HookSupport
    surfaces: Surfaces
    hook: int  # bodies
    base: int
    driven: tuple[int, ...]
    length: float  # [m] how far the hook reaches from its end: the scale of its displacements
    gives: float = 0.0  # [m/N] of contacts to which the document gives no stiffness

    @property
    def plane(self) -> bool:
        return self.system.dimension == 2

    @cached_property
    def scales(self) -> Floats:
        """(n,) one unit of each coordinate."""
        return np.where(self.support.turns, 1.0, self.length)

    @cached_property
    def energy(self) -> float:
        """[J] The largest of the stiffness at one unit of a coordinate."""
        return float(np.max(np.diag(self.support.stiffness) * self.scales**2))

    @cached_property
    def inverse_stiffness(self) -> Floats:
        return np.asarray(np.linalg.inv(self.support.stiffness))

    def frames(self, coordinates: Floats, shift: Floats) -> tuple[Floats, HookPlace]:
        """(bodies, 4, 4) where what is pushed has gone by `shift`, and the hook there.

        A shift is a displacement, (3,), or where the world's frame has gone with what is pushed, (4, 4).
        """
        frames = self.system.drawn.matrices.copy()
        if shift.ndim == 1:
            frames[list(self.driven), :3, 3] += shift
        else:
            frames[list(self.driven)] = shift @ frames[list(self.driven)]
        place = self.support.place(coordinates, frames[self.base])
        frames[self.hook] = place.frame
        return frames, place

    @cached_property
    def _laws(self) -> dict[int, tuple[float, float]]:
        return {}

    def friction(self, row: int) -> float:
        """Coulomb's coefficient of a contact; zero where the document gives none."""
        return self._law(row)[0]

    def compliance(self, row: int) -> float:
        """[m/N] of the contact itself: by the document, else `gives`."""
        return self._law(row)[1]

    def _law(self, row: int) -> tuple[float, float]:
        if row not in self._laws:
            names = [self.system.bodies[body].name for body in self.surfaces.bodies(row)]
            stiffness = self.system.touching.stiffness(*names)
            self._laws[row] = (
                float(self.system.touching.friction(*names) or 0),
                self.gives if stiffness is None else 1.0 / float(stiffness),
            )
        return self._laws[row]

    def stored(self, state: HookState) -> float:
        """[J] In the support, and in contacts that give way."""
        gives = sum(each.pressure**2 * self.compliance(each.row) for each in state.carried)
        return self.support.energy(state.coordinates) + 0.5 * gives

    def name(self, row: int) -> str:
        """Of a contact: the counterpart's feature, then the hook's."""
        first, second = self.surfaces.name(row).split(":")
        own = self.system.bodies[self.hook].name + "/"
        return f"{second}:{first}" if first.startswith(own) else f"{first}:{second}"

    def is_hooks(self, row: int) -> bool:
        """Whether the hook is one of the two bodies."""
        return self.hook in self.surfaces.bodies(row)


@dataclass(frozen=True, eq=False)
class CarriedContact:
    """What one contact carries."""

    row: int
    status: int
    pressure: float  # [N] normal, lambda
    force: Floats  # (3,) on the hook, with friction [N]
    point: Floats  # (3,) [m]
    normal: Floats  # (3,) towards the hook
    slid: Floats  # (3,) of the hook past the other, along the surface, since the state before [m]
    gap: float
    held: float  # share of the friction cone that is used: 1 where it slides


@dataclass(frozen=True, eq=False)
class HookState:
    """A hook in balance."""

    shift: Floats  # (3,) of what is pushed, from where it is drawn [m]; (4, 4) where it turns too
    coordinates: Floats
    frames: Floats
    mode: HookMode
    carried: tuple[CarriedContact, ...]
    stable: bool
    slides: dict[int, Floats] = field(default_factory=dict)  # directions by row of candidates

    def names(self, problem: HookProblem) -> tuple[str, ...]:
        return tuple(problem.name(contact.row) for contact in self.mode)

    def along(self, direction: Floats) -> float:
        """[N] What its contacts put on the hook along a direction."""
        return sum(float(contact.force @ direction) for contact in self.carried)
